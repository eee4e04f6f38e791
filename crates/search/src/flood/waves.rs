//! Waves: the components that a move brings nearer, remembered.
//!
//! They depend on nothing but the territory of the side that moves and on what it absorbs. A search
//! makes the same move from the same territory many times, each time after other moves of the
//! opponent. At 50x50 four waves in five are known already. On small boards, following a wave again
//! is faster than reading it from memory.

use std::ops::Range;

use floe_rules::key::mix;

use super::field::{Field, MOST_COMPONENTS, Set, bits};

/// Most members of one wave; it has no more marks.
const MOST: usize = MOST_COMPONENTS;
/// Most members of all waves, and most marks: all of them take at most 12 MiB. If another wave might
/// exceed either, all waves are forgotten.
const MOST_MEMBERS: usize = 2 << 20;
const MOST_MARKS: usize = 1 << 19;
/// Places for waves; a wave takes the place of another.
const SLOTS: usize = 1 << 14;

/// Components of one word of a set that come nearer, and how far they are then.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) bits: u64,
    pub(super) word: u16,
    pub(super) distance: u16,
}

/// Where the parts of a wave begin and end.
#[derive(Clone, Copy, Default)]
pub(super) struct Wave {
    key: u64,
    rings: [u32; 2],
    members: [u32; 2],
    marks: [u32; 2],
}

/// The waves of one search.
#[derive(Default)]
pub(super) struct Waves {
    slots: Vec<Wave>,
    /// Different after everything was forgotten, so that no slot has to be cleared.
    salt: u64,
    /// Number of members at each distance, from 0 on.
    rings: Vec<u16>,
    members: Vec<u16>,
    marks: Vec<Mark>,
}

impl Waves {
    /// Forgets everything, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.salt = mix(!self.salt);
        self.rings.clear();
        self.members.clear();
        self.marks.clear();
    }

    /// The wave of a key, if it is known.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<Wave> {
        let wave = self.slots.get(key as usize % SLOTS)?;
        (wave.key == key ^ self.salt).then_some(*wave)
    }

    /// By distance from 0 on, the components that are so far away after the move.
    #[inline]
    pub(super) fn rings(&self, wave: &Wave) -> impl Iterator<Item = &[u16]> {
        let mut members = part(&self.members, wave.members);
        part(&self.rings, wave.rings).iter().map(move |&count| {
            let (ring, rest) = members.split_at(usize::from(count));
            members = rest;
            ring
        })
    }

    /// The same from distance 1 on, by words of sets.
    #[inline]
    pub(super) fn marks(&self, wave: &Wave) -> &[Mark] {
        part(&self.marks, wave.marks)
    }

    /// Finds and remembers the wave of a side that gains a set. Every component at one distance is
    /// in the level of that number.
    #[cold]
    pub(super) fn add<const W: usize, const N: usize>(
        &mut self,
        key: u64,
        field: &Field<W, N>,
        levels: &[Set<W>],
        gained: &Set<W>,
    ) -> Wave {
        if self.members.len() + MOST > MOST_MEMBERS || self.marks.len() + MOST > MOST_MARKS {
            self.clear();
        }
        self.slots.resize(SLOTS, Wave::default());
        let starts = self.ends();
        self.follow(field, levels, gained);
        let ends = self.ends();
        let [rings, members, marks] = [0, 1, 2].map(|i| [starts[i], ends[i]]);
        let wave = Wave {
            key: key ^ self.salt,
            rings,
            members,
            marks,
        };
        self.slots[key as usize % SLOTS] = wave;
        wave
    }

    fn ends(&self) -> [u32; 3] {
        [self.rings.len(), self.members.len(), self.marks.len()].map(|len| len as u32)
    }

    fn follow<const W: usize, const N: usize>(
        &mut self,
        field: &Field<W, N>,
        levels: &[Set<W>],
        gained: &Set<W>,
    ) {
        let mut wave = *gained;
        let mut next = [0; W];
        let (mut from, mut to) = (0, W);
        for distance in 1.. {
            let start = self.members.len();
            let (low, high) = self.ring(field, &wave, from..to, &mut next);
            self.rings.push((self.members.len() - start) as u16);
            // What comes a step nearer was a step farther away.
            let Some(level) = levels.get(distance + 1) else {
                return;
            };
            let mut any = 0;
            for i in low..high {
                let word = next[i] & level[i];
                next[i] = 0;
                wave[i] = word;
                any |= word;
                if word != 0 {
                    self.marks.push(Mark {
                        bits: word,
                        word: i as u16,
                        distance: distance as u16,
                    });
                }
            }
            if any == 0 {
                return;
            }
            (from, to) = (low, high);
        }
    }

    /// Notes the members of a ring within these words, and adds their neighbours to `next`. Gives the
    /// words of `next` between which those are.
    #[inline]
    fn ring<const W: usize, const N: usize>(
        &mut self,
        field: &Field<W, N>,
        ring: &Set<W>,
        words: Range<usize>,
        next: &mut Set<W>,
    ) -> (usize, usize) {
        let (mut low, mut high) = (W, 0);
        for i in words {
            let word = ring[i];
            if word == 0 {
                continue;
            }
            let nodes = &field.nodes[i];
            let mut near = [0u64; N];
            for bit in bits(word) {
                for (to, from) in near.iter_mut().zip(nodes[bit].near) {
                    *to |= from;
                }
                self.members.push((i * 64 + bit) as u16);
            }
            let (first, end) = field.join(i, word, near, next);
            (low, high) = (low.min(first), high.max(end));
        }
        (low, high)
    }
}

#[inline]
fn part<T>(all: &[T], [start, end]: [u32; 2]) -> &[T] {
    &all[start as usize..end as usize]
}

#[cfg(test)]
mod tests {
    use floe_rules::Game;
    use floe_rules::flood::Flood;

    use super::*;
    use crate::flood::field::Ground;
    use crate::flood::state::SearchState;

    #[test]
    fn memory_is_bounded_and_what_was_forgotten_is_found_again() {
        let position = Flood::start(&"40x40".parse().expect("a setup"), 1).expect("a board");
        let mut ground = Ground::default();
        ground.survey(&position);
        let mut state = SearchState::<28, 5>::new(&position, &ground, Waves::default());
        assert!(ground.words() <= 28);
        let front = state.front(0);
        let levels = [[0; 28], front, state.field.all];
        for key in 1..=200_000 {
            if state.waves.find(key).is_none() {
                state.waves.add(key, &state.field, &levels, &front);
            }
        }
        assert!(state.waves.members.capacity() <= MOST_MEMBERS);
        assert!(state.waves.marks.capacity() <= MOST_MARKS);
        assert!(state.waves.find(200_000).is_some());
        state.waves.clear();
        assert!((1..=200_000).all(|key| state.waves.find(key).is_none()));
    }
}
