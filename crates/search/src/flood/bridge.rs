//! Whether any square is contested, and what the scores are if none is.
//!
//! A region that touches both territories has a path through it from one to the other: a bridge of
//! free components. Territories only grow, so a bridge between the first territories serves for
//! most positions of a search: it still is one as long as free components on it lie between one
//! owner and the other. Only if none is left does the search look for another bridge. If there is
//! none, neither player can take anything from the other any more.

use super::field::{Field, Set, bits};
use super::state::SearchState;

impl<const W: usize, const N: usize> SearchState<W, N> {
    /// Whether a free region touches both territories. Costs the length of the bridge, and the
    /// free components when it has fallen.
    #[inline]
    pub(super) fn is_contested(&mut self) -> bool {
        self.is_bridged() || self.find_bridge()
    }

    #[inline]
    pub(super) fn is_bridged(&self) -> bool {
        let [j, s] = &self.far;
        let mut is_from_j = true;
        let mut is_on_water = false;
        for &component in &self.bridge {
            let (word, bit) = (usize::from(component) / 64, usize::from(component) % 64);
            let is_js = j[word][bit] == 0;
            if !is_js && s[word][bit] != 0 {
                is_on_water = true;
                continue;
            }
            if is_on_water && is_js != is_from_j {
                return true;
            }
            is_from_j = is_js;
            is_on_water = false;
        }
        is_on_water && is_from_j
    }

    /// Looks for a bridge. It extends through both territories to their extent at the start of the
    /// search, so that it serves for other positions of the search too.
    #[cold]
    fn find_bridge(&mut self) -> bool {
        self.bridge.clear();
        let [front_j, front_s] = [0, 1].map(|side| self.front(side));
        let mut water = Vec::new();
        if !self.find_way(front_j, &self.free, &front_s, &mut water) {
            return false;
        }
        let mut ends = [water[0], water[water.len() - 1]].into_iter();
        let [mut way, mut back] = [0, 1].map(|side| {
            let mut way = Vec::new();
            let first = self.field.fronts[side];
            let end = self.beside(ends.next().expect("a bridge has two ends"), side);
            let owned = self.owned(side);
            if let Some(end) = end {
                self.find_way(both(&first, &owned), &owned, &end, &mut way);
            }
            way
        });
        way.append(&mut water);
        back.reverse();
        way.append(&mut back);
        self.bridge = way;
        true
    }

    /// Components a side absorbed since the search started.
    fn owned(&self, side: usize) -> Set<W> {
        std::array::from_fn(|i| {
            let mut word = 0;
            for bit in bits(self.field.all[i] & !self.free[i]) {
                word |= u64::from(self.far[side][i][bit] == 0) << bit;
            }
            word
        })
    }

    /// The neighbours of a component, unless it touches what a side owned when the search started.
    fn beside(&self, component: u16, side: usize) -> Option<Set<W>> {
        let one = single(component);
        let mut next = [0; W];
        self.field.spread(&one, &mut next);
        let touches = both(&one, &self.field.fronts[side]);
        Field::<W, N>::any(&touches).is_none().then_some(next)
    }

    /// A shortest way from one set to another through a third, which both are part of: waves
    /// until one comes there, then back through them. Gives whether there is one.
    fn find_way(&self, start: Set<W>, through: &Set<W>, end: &Set<W>, way: &mut Vec<u16>) -> bool {
        let mut unseen = without(through, &start);
        let mut waves = vec![start];
        let mut found = loop {
            let last = &waves[waves.len() - 1];
            let found = both(last, end);
            if Field::<W, N>::any(&found).is_some() {
                break found;
            }
            let mut next = [0; W];
            self.field.spread(last, &mut next);
            let next = both(&next, &unseen);
            if Field::<W, N>::any(&next).is_none() {
                return false;
            }
            unseen = without(&unseen, &next);
            waves.push(next);
        };
        while let Some(component) = Field::<W, N>::any(&found) {
            way.push(component as u16);
            waves.pop();
            let Some(before) = waves.last() else { break };
            let mut next = [0; W];
            self.field.spread(&single(component as u16), &mut next);
            found = both(&next, before);
        }
        way.reverse();
        true
    }

    /// Both scores if the game were over now: a player's is all that the opponent neither owns nor
    /// can reach. Costs the free components.
    pub(super) fn scores(&self) -> [i64; 2] {
        let total = self.field.free + self.field.owned;
        [1, 0].map(|opponent: usize| {
            let mut wave = self.front(opponent);
            let mut unseen = without(&self.free, &wave);
            let mut size = 0;
            while Field::<W, N>::any(&wave).is_some() {
                let mut next = [0; W];
                size += self.field.spread(&wave, &mut next);
                wave = both(&next, &unseen);
                unseen = without(&unseen, &wave);
            }
            i64::from(total - self.squares[opponent] - size)
        })
    }
}

fn both<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    std::array::from_fn(|i| a[i] & b[i])
}

fn without<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    std::array::from_fn(|i| a[i] & !b[i])
}

fn single<const W: usize>(component: u16) -> Set<W> {
    let mut one = [0; W];
    one[usize::from(component) / 64] = 1 << (component % 64);
    one
}
