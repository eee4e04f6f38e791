//! The part of a board that a search plays on.
//!
//! It holds only the components that are unowned when the search starts; the territories are known
//! by their frontiers. The components are numbered in the order in which waves from both frontiers
//! reach them: first what J reaches, step by step outwards, then what S reaches, step by step
//! inwards. So a wave fills a few words of a set and leaves the others empty, and the neighbours of
//! a component are near it in number: nearly always within a window of `N` words around its own.
//! Neighbours farther away are in a separate list. Finding the neighbours of a whole set then takes
//! one or two nanoseconds for each member, with no branch for each neighbour.

use floe_rules::flood::{Component, FloodPosition, J, S};
use floe_rules::key::mix;

use crate::sort::by_number;

/// Most components a search looks at: those nearest to the territories.
pub(super) const MOST_COMPONENTS: usize = 64 * 64;

/// The first step from S's frontier; from there they count down, while those from J count up from
/// zero and never come so far.
const FROM_S: i32 = 1 << 20;

/// A set of components: bit `i % 64` of word `i / 64` stands for component `i`.
pub(super) type Set<const W: usize> = [u64; W];

/// Something for every component.
pub(super) type Each<T, const W: usize> = Box<[[T; 64]; W]>;

/// The same for every component.
pub(super) fn each<T: Copy + std::fmt::Debug, const W: usize>(value: T) -> Each<T, W> {
    let all = vec![[value; 64]; W].into_boxed_slice();
    all.try_into().expect("one value for each word")
}

/// One component as the hot loop wants it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const N: usize> {
    /// Neighbours in the words of the window around the component's own word.
    pub(super) near: [u64; N],
}

/// Where the window around a word starts.
#[inline]
pub(super) fn window<const W: usize, const N: usize>(word: usize) -> usize {
    word.saturating_sub(N / 2).min(W - N)
}

/// The free components of a position, numbered from zero.
pub(super) struct Field<const W: usize, const N: usize> {
    pub(super) nodes: Each<Node<N>, W>,
    pub(super) sizes: Each<u32, W>,
    /// Word and bits of neighbours that are not near, in the order of components.
    far: Vec<(u32, u64)>,
    /// By component, where its part of `far` starts; the last is where all ends.
    far_starts: Vec<u32>,
    /// The components that have such neighbours.
    pub(super) wide: Set<W>,
    /// The components of each colour.
    pub(super) classes: [Set<W>; 5],
    /// The change of the key when J or S absorbs a component.
    pub(super) keys: Each<[u64; 2], W>,
    /// All components.
    pub(super) all: Set<W>,
    /// By side, the components that touch its territory when the search starts.
    pub(super) fronts: [Set<W>; 2],
    /// Squares of the components on the field.
    pub(super) free: u32,
    /// Squares that are owned when the search starts.
    pub(super) owned: u32,
    /// Whether no free component was left out.
    pub(super) is_whole: bool,
}

/// Where a search starts: the components to look at, found once and laid out for any `W`.
#[derive(Default)]
pub(super) struct Ground {
    /// In the order of their numbers.
    components: Vec<Component>,
    /// By place in `components` while they are looked for, how far from which side.
    steps: Vec<i32>,
    /// By component of the board, its number on the field and one more; 0 is for none.
    numbers: Vec<u32>,
    is_whole: bool,
}

impl Ground {
    /// Finds the free components nearest to the territories. O(words of a set + components found);
    /// on a new board, also a cleared word for each of its components.
    pub(super) fn survey(&mut self, position: &FloodPosition) {
        let graph = position.graph();
        self.components.clear();
        self.steps.clear();
        self.numbers.clear();
        self.numbers.resize(graph.count(), 0);
        for (player, step) in [(J, 0), (S, FROM_S)] {
            for component in position.frontier(player).iter() {
                self.note(component, step);
            }
        }
        let mut done = 0;
        while done < self.components.len() && self.components.len() < MOST_COMPONENTS {
            let (component, step) = (self.components[done], self.steps[done]);
            done += 1;
            for &next in graph.neighbours(component) {
                if position.owner(next).is_none() {
                    let further = if step < FROM_S / 2 { 1 } else { -1 };
                    self.note(next, step + further);
                }
            }
        }
        self.is_whole = done == self.components.len();
        for component in self
            .components
            .drain(MOST_COMPONENTS.min(self.components.len())..)
        {
            self.numbers[component.index()] = 0;
        }
        let mut order: Vec<(i32, Component)> = (self.steps.iter().copied())
            .zip(self.components.iter().copied())
            .collect();
        by_number(&mut order, |&(step, component)| {
            i64::from(step) << 32 | component.index() as i64
        });
        for (i, (_, component)) in order.into_iter().enumerate() {
            self.components[i] = component;
            self.numbers[component.index()] = i as u32 + 1;
        }
    }

    fn note(&mut self, component: Component, step: i32) {
        if self.numbers[component.index()] == 0 {
            self.numbers[component.index()] = 1;
            self.components.push(component);
            self.steps.push(step);
        }
    }

    /// How many words a set takes.
    pub(super) fn words(&self) -> usize {
        self.components.len().div_ceil(64)
    }

    fn number(&self, component: Component) -> Option<usize> {
        (self.numbers[component.index()] as usize).checked_sub(1)
    }

    /// The field with sets of `W` words, which must be enough.
    pub(super) fn field<const W: usize, const N: usize>(
        &self,
        position: &FloodPosition,
    ) -> Field<W, N> {
        let graph = position.graph();
        let node = Node { near: [0; N] };
        let mut field = Field {
            nodes: each(node),
            sizes: each(0),
            far: Vec::new(),
            far_starts: vec![0],
            wide: [0; W],
            classes: [[0; W]; 5],
            keys: each([0; 2]),
            all: [0; W],
            fronts: [[0; W]; 2],
            free: 0,
            owned: position.squares(J) + position.squares(S),
            is_whole: self.is_whole,
        };
        for (i, &component) in self.components.iter().enumerate() {
            let (own, place) = (i / 64, i % 64);
            let mut near = [0; N];
            let start = field.far.len();
            for n in (graph.neighbours(component).iter()).filter_map(|&next| self.number(next)) {
                let (word, bit) = (n / 64, 1 << (n % 64));
                match word.checked_sub(window::<W, N>(own)) {
                    Some(place) if place < N => near[place] |= bit,
                    _ => field.note_far(start, word as u32, bit),
                }
            }
            let bit = 1 << place;
            field.far_starts.push(field.far.len() as u32);
            if field.far.len() > start {
                field.wide[own] |= bit;
            }
            let size = graph.size(component);
            field.nodes[own][place] = Node { near };
            field.sizes[own][place] = size;
            field.free += size;
            field.classes[graph.colour(component).index()][own] |= bit;
            field.keys[own][place] = [0, 1].map(|side| mix((i as u64) << 1 | side));
            field.all[own] |= bit;
        }
        for (side, player) in [J, S].into_iter().enumerate() {
            let front = position.frontier(player);
            for n in front.iter().filter_map(|c| self.number(c)) {
                field.fronts[side][n / 64] |= 1 << (n % 64);
            }
        }
        field
    }
}

impl<const W: usize, const N: usize> Field<W, N> {
    fn note_far(&mut self, start: usize, word: u32, bit: u64) {
        match self.far[start..].iter_mut().find(|far| far.0 == word) {
            Some((_, bits)) => *bits |= bit,
            None => self.far.push((word, bit)),
        }
    }

    /// Word and bits of the neighbours of a component that are not near.
    pub(super) fn far(&self, component: usize) -> &[(u32, u64)] {
        let [start, end] = [0, 1].map(|n| self.far_starts[component + n] as usize);
        &self.far[start..end]
    }

    /// Adds the neighbours of the members in one word to `next`; those in the window are in `near`.
    /// Gives the words of `next` between which they are.
    #[inline(always)]
    pub(super) fn join(
        &self,
        i: usize,
        members: u64,
        near: [u64; N],
        next: &mut Set<W>,
    ) -> (usize, usize) {
        let base = window::<W, N>(i);
        for (to, from) in next[base..base + N].iter_mut().zip(near) {
            *to |= from;
        }
        let (mut low, mut high) = (base, base + N);
        for bit in bits(members & self.wide[i]) {
            for &(word, mask) in self.far(i * 64 + bit) {
                let word = word as usize;
                next[word] |= mask;
                low = low.min(word);
                high = high.max(word + 1);
            }
        }
        (low, high)
    }

    /// Adds the neighbours of a set to `next`, owned or not, and returns the squares of the set.
    pub(super) fn spread(&self, set: &Set<W>, next: &mut Set<W>) -> u32 {
        let mut size = 0;
        for (i, &word) in set.iter().enumerate() {
            let base = window::<W, N>(i);
            for bit in bits(word) {
                let node = &self.nodes[i][bit];
                for (to, from) in next[base..base + N].iter_mut().zip(node.near) {
                    *to |= from;
                }
                size += self.sizes[i][bit];
            }
            for bit in bits(word & self.wide[i]) {
                for &(word, mask) in self.far(i * 64 + bit) {
                    next[word as usize] |= mask;
                }
            }
        }
        size
    }

    /// A component of a set that is not empty.
    pub(super) fn any(set: &Set<W>) -> Option<usize> {
        let word = set.iter().position(|&word| word != 0)?;
        Some(word * 64 + set[word].trailing_zeros() as usize)
    }
}

/// The numbers of the bits that are set, from the lowest.
#[inline]
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}
