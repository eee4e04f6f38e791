use std::fmt;

use super::{Board, Colour, board};
use crate::key::mix;
use crate::{Player, Square};

/// A maximal set of edge-connected squares of one colour on the board a game started from.
///
/// Components are numbered from zero in the order in which their first squares stand on the
/// board, read row by row from the top-left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component(u32);

impl Component {
    /// The component's number, for indexing.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "component {}", self.0)
    }
}

/// The components of a board and which of them touch: all of a board that never changes.
///
/// Built once per board in time and memory linear in its squares. Components that touch never
/// have the same colour, so a move absorbs exactly the components of its colour in the mover's
/// frontier: one `and` per word of a set.
pub struct Graph {
    width: u32,
    height: u32,
    /// The component by square, row by row from the top left.
    at: Vec<Component>,
    colours: Vec<Colour>,
    sizes: Vec<u32>,
    /// The neighbours of component `i` are `neighbours[starts[i]..starts[i + 1]]`, in order.
    starts: Vec<u32>,
    neighbours: Vec<Component>,
    /// Five sets, one per colour.
    classes: Vec<u64>,
    /// By component, the change of the key when J or S absorbs it.
    absorbed: Vec<[u64; 2]>,
    /// The key of the board with no territories.
    bare_key: u64,
}

impl Graph {
    /// The graph of a board.
    pub fn new(board: &Board) -> Self {
        let (at, firsts) = label(board);
        let colours: Vec<Colour> = firsts.iter().map(|&i| board.squares()[i]).collect();
        let count = colours.len();

        let mut sizes = vec![0u32; count];
        let mut absorbed = vec![[0u64; 2]; count];
        let mut bare_key =
            mix(1 << 62 | u64::from(board.width()) << 24 | u64::from(board.height()));
        for (i, &component) in at.iter().enumerate() {
            sizes[component.index()] += 1;
            let free = square_key(i, colours[component.index()].index());
            bare_key ^= free;
            for (side, key) in absorbed[component.index()].iter_mut().enumerate() {
                *key ^= free ^ square_key(i, Colour::ALL.len() + side);
            }
        }

        let words = count.div_ceil(64);
        let mut classes = vec![0u64; words * Colour::ALL.len()];
        for (i, colour) in colours.iter().enumerate() {
            classes[colour.index() * words + i / 64] |= 1 << (i % 64);
        }
        let (starts, neighbours) = connect(board, &at, &sizes);
        Graph {
            width: board.width(),
            height: board.height(),
            at,
            colours,
            sizes,
            starts,
            neighbours,
            classes,
            absorbed,
            bare_key,
        }
    }

    /// Columns of the board.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the board.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Squares of the board.
    #[inline]
    pub fn area(&self) -> u32 {
        self.at.len() as u32
    }

    /// Number of components.
    #[inline]
    pub fn count(&self) -> usize {
        self.colours.len()
    }

    /// Number of words in a set of components.
    #[inline]
    pub fn words(&self) -> usize {
        self.colours.len().div_ceil(64)
    }

    /// Every component, in order.
    pub fn components(&self) -> impl ExactSizeIterator<Item = Component> + use<> {
        (0..self.colours.len() as u32).map(Component)
    }

    /// The component of every square, row by row from the top left.
    pub fn squares(&self) -> &[Component] {
        &self.at
    }

    /// The component of a square; `None` off the board. O(1).
    pub fn at(&self, square: Square) -> Option<Component> {
        if square.column >= self.width || square.row >= self.height {
            return None;
        }
        let from_top = (self.height - 1 - square.row) as usize;
        self.at
            .get(from_top * self.width as usize + square.column as usize)
            .copied()
    }

    /// The component of the corner a player starts from.
    pub fn corner(&self, player: Player) -> Component {
        self.at[board::corner(self.width, self.height, player)]
    }

    /// The colour a component had when the game started.
    #[inline]
    pub fn colour(&self, component: Component) -> Colour {
        self.colours[component.index()]
    }

    /// Number of squares in a component.
    #[inline]
    pub fn size(&self, component: Component) -> u32 {
        self.sizes[component.index()]
    }

    /// The components that touch this one, in order and each once.
    #[inline]
    pub fn neighbours(&self, component: Component) -> &[Component] {
        let [from, to] = [0, 1].map(|i| self.starts[component.index() + i] as usize);
        &self.neighbours[from..to]
    }

    /// The components that had this colour when the game started.
    #[inline]
    pub fn class(&self, colour: Colour) -> ComponentSet<'_> {
        let words = self.words();
        ComponentSet(&self.classes[colour.index() * words..][..words])
    }

    /// Number of squares in a set of components. Costs its words and members.
    pub fn squares_in(&self, set: ComponentSet<'_>) -> u32 {
        set.iter().map(|component| self.size(component)).sum()
    }

    /// The change of a position's key when this player absorbs this component.
    #[inline]
    pub(super) fn absorbed_key(&self, component: Component, side: usize) -> u64 {
        self.absorbed[component.index()][side]
    }

    /// The key of the board without territories.
    pub(super) fn bare_key(&self) -> u64 {
        self.bare_key
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

/// The hash of one square's state: a free colour, or a player.
fn square_key(square: usize, state: usize) -> u64 {
    mix((square as u64) << 3 | state as u64)
}

/// The component of every square, and the first square of every component.
fn label(board: &Board) -> (Vec<Component>, Vec<usize>) {
    const NONE: Component = Component(u32::MAX);
    let squares = board.squares();
    let mut at = vec![NONE; squares.len()];
    let mut firsts = Vec::new();
    let mut stack = Vec::new();
    for first in 0..squares.len() {
        if at[first] != NONE {
            continue;
        }
        let component = Component(firsts.len() as u32);
        firsts.push(first);
        at[first] = component;
        stack.push(first);
        while let Some(i) = stack.pop() {
            for n in adjacent(board, i) {
                if at[n] == NONE && squares[n] == squares[first] {
                    at[n] = component;
                    stack.push(n);
                }
            }
        }
    }
    (at, firsts)
}

/// All adjacency lists in one, and where each list starts.
fn connect(board: &Board, at: &[Component], sizes: &[u32]) -> (Vec<u32>, Vec<Component>) {
    // The squares sorted by component: one component ends where the next starts.
    let mut ends = Vec::with_capacity(sizes.len());
    let mut total = 0;
    for size in sizes {
        ends.push(total);
        total += *size as usize;
    }
    let mut squares = vec![0; at.len()];
    for (i, component) in at.iter().enumerate() {
        let end = &mut ends[component.index()];
        squares[*end] = i;
        *end += 1;
    }

    let mut starts = Vec::with_capacity(sizes.len() + 1);
    let mut neighbours = Vec::new();
    // By component, the last one that listed it as a neighbour, so that each is listed once.
    let mut noted = vec![usize::MAX; sizes.len()];
    let mut from = 0;
    starts.push(0);
    for (i, &to) in ends.iter().enumerate() {
        noted[i] = i;
        let first = neighbours.len();
        for &square in &squares[from..to] {
            for n in adjacent(board, square) {
                let other = at[n];
                if noted[other.index()] != i {
                    noted[other.index()] = i;
                    neighbours.push(other);
                }
            }
        }
        neighbours[first..].sort_unstable();
        starts.push(neighbours.len() as u32);
        from = to;
    }
    (starts, neighbours)
}

/// The squares adjacent to a square.
fn adjacent(board: &Board, square: usize) -> impl Iterator<Item = usize> + use<> {
    let width = board.width() as usize;
    let column = square % width;
    let above = square.checked_sub(width);
    let below = Some(square + width).filter(|&n| n < board.squares().len());
    let left = (column > 0).then(|| square - 1);
    let right = (column + 1 < width).then(|| square + 1);
    [above, left, right, below].into_iter().flatten()
}

/// A set of components: one bit each, the first in the lowest bit of the first word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ComponentSet<'a>(pub(super) &'a [u64]);

impl<'a> ComponentSet<'a> {
    /// The bits; as many words as [`Graph::words`] returns, with no bit past the last component.
    #[inline]
    pub fn words(self) -> &'a [u64] {
        self.0
    }

    /// Whether a component is in the set. O(1).
    #[inline]
    pub fn contains(self, component: Component) -> bool {
        self.0[component.index() / 64] >> (component.index() % 64) & 1 != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Number of components in the set. Costs its words.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The components of the set, in order. Costs its words and members.
    pub fn iter(self) -> impl Iterator<Item = Component> + 'a {
        (0..).zip(self.0).flat_map(|(i, &word)| members(i, word))
    }

    /// The components in both sets, in order. Costs their words and common members.
    pub fn common(self, other: ComponentSet<'a>) -> impl Iterator<Item = Component> + 'a {
        let both = self.0.iter().zip(other.0).map(|(a, b)| a & b);
        (0..).zip(both).flat_map(|(i, word)| members(i, word))
    }
}

impl fmt::Debug for ComponentSet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|c| c.0)).finish()
    }
}

/// The components whose bits are set in word number `index` of a set, in order.
#[inline]
pub(super) fn members(index: usize, mut word: u64) -> impl Iterator<Item = Component> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let component = Component(index as u32 * 64 + word.trailing_zeros());
        word &= word - 1;
        Some(component)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(rows: &[&str]) -> Graph {
        let squares = rows.iter().flat_map(|r| r.chars());
        let squares = squares.map(|c| Colour::from_glyph(c).unwrap()).collect();
        Graph::new(&Board::new(rows[0].len() as u32, squares).unwrap())
    }

    #[test]
    fn components_are_numbered_in_reading_order_and_know_their_neighbours() {
        let graph = graph(&[
            "@@#", //
            "+@#", //
            "+.@",
        ]);
        let numbers: Vec<u32> = graph.squares().iter().map(|c| c.0).collect();
        assert_eq!(numbers, [0, 0, 1, 2, 0, 1, 2, 3, 4]);
        let lists: Vec<Vec<u32>> = graph
            .components()
            .map(|c| graph.neighbours(c).iter().map(|n| n.0).collect())
            .collect();
        assert_eq!(
            lists,
            [
                vec![1, 2, 3],
                vec![0, 4],
                vec![0, 3],
                vec![0, 2, 4],
                vec![1, 3]
            ]
        );
        let sizes: Vec<u32> = graph.components().map(|c| graph.size(c)).collect();
        assert_eq!(sizes, [3, 2, 2, 1, 1]);
        let at: Vec<Component> = graph.class(Colour::At).iter().collect();
        assert_eq!(at, [Component(0), Component(4)]);
        assert_eq!(graph.squares_in(graph.class(Colour::At)), 4);
        assert_eq!(graph.at(Square::new(0, 0)), Some(Component(2)));
        assert_eq!(graph.at(Square::new(2, 0)), Some(Component(4)));
        assert_eq!(graph.at(Square::new(3, 0)), None);
        assert_eq!(graph.corner(super::super::J), Component(2));
        assert_eq!(graph.corner(super::super::S), Component(1));
    }

    #[test]
    fn a_component_may_wind_through_the_whole_board() {
        let graph = graph(&["@@@@+", "...@.", "@@@@.", "@....", "@@@@@"]);
        let sizes: Vec<u32> = graph.components().map(|c| graph.size(c)).collect();
        assert_eq!(sizes, [15, 1, 3, 6]);
    }

    #[test]
    fn sets_list_their_members_over_many_words() {
        let words = [1 << 63, 0, 0b101];
        let set = ComponentSet(&words);
        let members: Vec<usize> = set.iter().map(Component::index).collect();
        assert_eq!(members, [63, 128, 130]);
        assert_eq!(set.count(), 3);
        assert!(set.contains(Component(128)) && !set.contains(Component(129)));
        let other = [0, 0, 0b110];
        let common: Vec<usize> = set
            .common(ComponentSet(&other))
            .map(Component::index)
            .collect();
        assert_eq!(common, [130]);
    }
}
