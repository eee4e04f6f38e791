//! The transposition table: results by key, four to a cache line.
//!
//! A new search does not clear the table, but starts a new generation: older entries count as
//! empty. So a search is the same whatever was searched before.
//!
//! Threads share the table as they share a [`TranspositionTable`](crate::TranspositionTable): the key
//! is stored XOR the result.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::allocation::zeroed_vec;

use super::reach::Worth;

/// How a value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is not less.
    Lower,
    /// It is not more.
    Upper,
    /// It is the same.
    Exact,
}

/// A result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FloodEntry {
    pub(super) value: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// Whether the bound holds for the rest of the game, and not only for a search of this depth.
    pub(super) is_proven: bool,
    /// The colour to try first; 7 is for none.
    pub(super) colour: u8,
}

/// Entries to a line, two words each: key and result.
const LINE: usize = 4;
const WORDS: usize = LINE * 2;

/// The bits of an entry that hold its generation, and one generation. There are 2^18 generations,
/// so the table is hardly ever cleared, which takes longer than a short search.
const GENERATIONS: u64 = ((1 << 18) - 1) * GENERATION;
const GENERATION: u64 = 1 << 6;

/// The table. Its memory is asked for when it is first used.
pub(super) struct FloodTable {
    bytes: usize,
    words: Vec<AtomicU64>,
    /// Where the first whole cache line starts.
    offset: usize,
    mask: usize,
    /// The current generation, shifted to its place in an entry; 0 marks an entry never written.
    generation: u64,
}

impl FloodTable {
    /// A table that takes so much memory at most; at least one line of it.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        FloodTable {
            bytes,
            words: Vec::new(),
            offset: 0,
            mask: 0,
            generation: 0,
        }
    }

    /// Forgets everything. With `lines` known to be enough, no more are used.
    pub(super) fn renew(&mut self, lines: usize) {
        let room = (self.bytes / (WORDS * 8)).max(1);
        let most = 1usize << room.ilog2();
        let lines = most.min(lines.max(1).next_power_of_two());
        let words = lines * WORDS + WORDS - 1;
        if self.words.len() < words {
            // Zeroed memory from the system is not touched until it is used; but WebAssembly writes all of
            // it. The smaller table goes first.
            self.words = Vec::new();
            self.words = zeroed_vec(words);
            self.offset = self.words.as_ptr().align_offset(64).min(WORDS - 1);
        }
        if self.generation == GENERATIONS {
            self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
            self.generation = 0;
        }
        self.generation += GENERATION;
        self.mask = lines - 1;
    }

    #[inline]
    fn line(&self, key: u64) -> &[AtomicU64; WORDS] {
        let start = self.offset + (key as usize & self.mask) * WORDS;
        self.words[start..]
            .first_chunk()
            .expect("there is room for a line after the last start")
    }

    /// The result for a key, if it is remembered.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<FloodEntry> {
        let slots = self.line(key).chunks_exact(2).map(read);
        for (k, data) in slots {
            if k == key && data & GENERATIONS == self.generation {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Remembers a result, in place of an older or shallower one.
    #[inline]
    pub(super) fn keep(&self, key: u64, entry: FloodEntry) {
        let generation = self.generation;
        let line = self.line(key);
        let mut worst = (u32::MAX, 0);
        for (i, slot) in line.chunks_exact(2).enumerate() {
            let (k, data) = read(slot);
            if data & GENERATIONS != generation || k == key {
                worst = (0, i);
                break;
            }
            let depth = u32::from(unpack(data).depth) + 1;
            if depth < worst.0 {
                worst = (depth, i);
            }
        }
        let data = pack(entry) | generation;
        line[2 * worst.1].store(key ^ data, Ordering::Relaxed);
        line[2 * worst.1 + 1].store(data, Ordering::Relaxed);
    }
}

/// The key of a slot, and its result.
#[inline(always)]
fn read(slot: &[AtomicU64]) -> (u64, u64) {
    let data = slot[1].load(Ordering::Relaxed);
    (slot[0].load(Ordering::Relaxed) ^ data, data)
}

fn pack(entry: FloodEntry) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 0u64,
        Bound::Upper => 1,
        Bound::Exact => 2,
    };
    u64::from(entry.value as u32) << 32
        | u64::from(entry.depth) << 24
        | bound
        | u64::from(entry.is_proven) << 2
        | u64::from(entry.colour) << 3
}

fn unpack(data: u64) -> FloodEntry {
    FloodEntry {
        value: (data >> 32) as i32,
        depth: (data >> 24) as u8,
        bound: match data & 3 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        },
        is_proven: data >> 2 & 1 != 0,
        colour: (data >> 3 & 7) as u8,
    }
}

/// The worth of positions that were looked at and not searched: small enough for the caches of a
/// processor, as looking in memory takes about as long as looking at the position again.
pub(super) struct Leaves(Vec<[u64; 2]>);

impl Leaves {
    const COUNT: usize = 1 << 15;

    pub(super) fn new() -> Self {
        Leaves(vec![[0; 2]; Self::COUNT])
    }

    /// The worth for a key, if it is remembered.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<Worth> {
        let [k, data] = self.0[key as usize % Self::COUNT];
        // An empty place is no worth of key 0: the lowest bit of a worth is set.
        (k == key && data & 1 != 0).then_some(Worth {
            value: (data >> 32) as i32,
            is_proven: data & 2 != 0,
        })
    }

    /// Remembers a worth in place of another.
    #[inline]
    pub(super) fn keep(&mut self, key: u64, worth: Worth) {
        let data = u64::from(worth.value as u32) << 32 | u64::from(worth.is_proven) << 1 | 1;
        self.0[key as usize % Self::COUNT] = [key, data];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u8) -> FloodEntry {
        FloodEntry {
            value,
            depth,
            bound: Bound::Upper,
            is_proven: depth % 2 == 1,
            colour: depth % 5,
        }
    }

    #[test]
    fn results_come_back_until_the_next_generation() {
        let mut table = FloodTable::with_bytes(1 << 12);
        table.renew(usize::MAX / 2);
        for value in [0, -1, i32::MAX, i32::MIN + 1] {
            table.keep(77, entry(value, 9));
            assert_eq!(table.find(77), Some(entry(value, 9)));
            assert_eq!(table.find(78), None);
        }
        table.renew(usize::MAX / 2);
        assert_eq!(table.find(77), None);
    }

    #[test]
    fn memory_grows_with_what_searches_need() {
        let mut table = FloodTable::with_bytes(1 << 20);
        for (lines, words) in [(4, 39), (3, 39), (100, 1031), (1 << 30, (1 << 17) + 7)] {
            table.renew(lines);
            assert_eq!(table.words.len(), words);
            assert_eq!(table.find(5), None);
            table.keep(5, entry(1, 1));
            assert_eq!(table.find(5), Some(entry(1, 1)));
        }
    }

    #[test]
    fn a_full_line_loses_its_shallowest() {
        let mut table = FloodTable::with_bytes(1);
        table.renew(1);
        for (key, depth) in [(1, 5), (2, 3), (3, 8), (4, 4), (5, 6)] {
            table.keep(key, entry(1, depth));
        }
        let kept = [1, 2, 3, 4, 5].map(|key| table.find(key).is_some());
        assert_eq!(kept, [true, false, true, true, true]);
    }

    #[test]
    fn generations_may_go_round() {
        let mut table = FloodTable::with_bytes(1 << 10);
        table.renew(1 << 20);
        table.keep(1, entry(3, 3));
        for _ in 0..600 {
            table.renew(1 << 20);
            assert_eq!(table.find(1), None);
        }
        let mut table = FloodTable::with_bytes(1 << 10);
        table.renew(1 << 20);
        let first = table.generation;
        table.keep(1, entry(3, 3));
        table.generation = GENERATIONS;
        table.keep(2, entry(4, 4));
        table.renew(1 << 20);
        assert_eq!(table.generation, first);
        assert_eq!([table.find(1), table.find(2)], [None, None]);
    }
}
