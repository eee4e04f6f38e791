//! The transposition table: what a search found out about positions it has seen.
//!
//! The table is a row of buckets of 64 bytes, each a cache line with four entries of 16 bytes. A
//! position's key says which bucket it may be in, and a full bucket gives up the entry that was
//! searched least, counting down for every thought it is old. Entries remember the number of the
//! thought they are from, so the whole table is forgotten by raising a number.
//!
//! Several threads may use one table at once, without locks. An entry is two words, which another
//! thread may replace between two reads; so the first word is stored XOR the second, and two words
//! that do not belong together are an entry of a key that is never asked for.
//!
//! The memory comes from the system as zeroes that are not there before they are touched: a table
//! of 64 MiB costs a short search nothing. In WebAssembly zeroes are written, which takes longer than a
//! browser may wait for a thought to start; there the table makes its pages when it first stores something
//! in them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::allocation::zeroed_vec;

/// The depth of an entry that was searched to the ends of all games below it.
pub const TO_THE_END: u8 = u8::MAX;

const LINE: usize = 64;
/// Words of a bucket.
const WORDS: usize = LINE / 8;

/// Whether tables make their pages one by one; tests try both.
const BY_PAGES: bool = cfg!(target_arch = "wasm32");
const MAY_BE_PAGED: bool = BY_PAGES || cfg!(test);
/// Buckets of a page, which has 4 KiB.
const PAGE: usize = 64;

/// How the value of an entry relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is this or more.
    Lower,
    /// The true one is this or less.
    Upper,
}

/// A stored result for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableEntry {
    /// Its value.
    pub value: i32,
    /// How the value relates to the true one.
    pub bound: Bound,
    /// Depth of the search, in moves; [`TO_THE_END`] if the value can never change.
    pub depth: u8,
    /// The best move, as an index into the position's moves; none if no move is known to be
    /// good or if the index is above 65534.
    pub best: Option<u16>,
}

/// A transposition table of a fixed size.
///
/// ```
/// use floe_search::{Bound, TableEntry, TranspositionTable};
/// let mut table = TranspositionTable::with_bytes(1 << 20);
/// let entry = TableEntry { value: -3, bound: Bound::Exact, depth: 5, best: Some(2) };
/// table.store(42, entry);
/// assert_eq!(table.probe(42), Some(entry));
/// assert_eq!(table.probe(43), None);
/// table.forget();
/// assert_eq!(table.probe(42), None);
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    words: Vec<AtomicU64>,
    /// Where the first bucket begins, so that each is one cache line.
    start: usize,
    /// The pages made so far; no pages at all if the buckets are in `words`.
    pages: Vec<OnceLock<Vec<AtomicU64>>>,
    /// The number of buckets less one; the number is a power of two.
    mask: usize,
    /// The number of this thought, from 1; slots that were never written have number 0.
    thought: u16,
    /// The first thought whose entries still count.
    oldest: u16,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes, and of one bucket at least. Nothing is written yet, so the
    /// system provides the memory only as it is used.
    pub fn with_bytes(bytes: usize) -> Self {
        Self::made(bytes, BY_PAGES)
    }

    fn made(bytes: usize, is_paged: bool) -> Self {
        let fitting = (bytes / LINE).max(1);
        let buckets = 1 << fitting.ilog2();
        let pages = usize::div_ceil(buckets, PAGE);
        // A line more than needed: the system starts its blocks where it likes.
        let words: Vec<AtomicU64> = zeroed_vec(if is_paged { 0 } else { (buckets + 1) * WORDS });
        let past = words.as_ptr().addr() % LINE;
        TranspositionTable {
            start: (LINE - past) % LINE / 8,
            words,
            pages: (0..if is_paged { pages } else { 0 })
                .map(|_| OnceLock::new())
                .collect(),
            mask: buckets - 1,
            thought: 1,
            oldest: 1,
        }
    }

    /// The bytes its buckets have.
    pub fn bytes(&self) -> usize {
        (self.mask + 1) * LINE
    }

    /// Begins another thought: entries so far still count, but are the first to go. O(1).
    pub fn advance(&mut self) {
        match self.thought.checked_add(1) {
            Some(next) => self.thought = next,
            None => self.clear(),
        }
    }

    /// Begins another thought that knows nothing of those before, and finds the table exactly as
    /// if it were new. O(1), but for once in 65535 times.
    pub fn forget(&mut self) {
        self.advance();
        self.oldest = self.thought;
    }

    fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
        self.pages.fill_with(OnceLock::new);
        self.thought = 1;
        self.oldest = 1;
    }

    /// The bucket of a key; `None` if nothing was stored in its page yet.
    #[inline]
    fn bucket(&self, key: u64) -> Option<&[AtomicU64]> {
        let bucket = key as usize & self.mask;
        let (words, start) = match MAY_BE_PAGED && !self.pages.is_empty() {
            true => (self.pages[bucket / PAGE].get()?, bucket % PAGE * WORDS),
            false => (&self.words, self.start + bucket * WORDS),
        };
        Some(&words[start..start + WORDS])
    }

    /// Makes the page of a key; returns its bucket.
    #[cold]
    fn add_page(&self, key: u64) -> &[AtomicU64] {
        let bucket = key as usize & self.mask;
        let words = self.pages[bucket / PAGE].get_or_init(|| zeroed_vec(PAGE * WORDS));
        let start = bucket % PAGE * WORDS;
        &words[start..start + WORDS]
    }

    /// The entry of the position with this key. Costs one cache line.
    ///
    /// Entries compare the upper 48 bits of the key, and the bucket adds those that chose it: all
    /// 64 in tables of 4 MiB and more.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        let mut slots = self.bucket(key)?.chunks_exact(2).map(read);
        let found = slots.find(|&[head, _]| head >> 16 == key >> 16 && head as u16 >= self.oldest);
        found.map(|[_, data]| unpack(data))
    }

    /// Notes what was found out about a position, in place of what was known about it or of what
    /// is worth least in its bucket. Costs one cache line.
    #[inline]
    pub fn store(&self, key: u64, entry: TableEntry) {
        let (thought, oldest) = (self.thought, self.oldest);
        let bucket = match self.bucket(key) {
            Some(bucket) => bucket,
            None => self.add_page(key),
        };
        let mut least = (i32::MAX, 0);
        for (i, slot) in bucket.chunks_exact(2).enumerate() {
            let [head, data] = read(slot);
            let made = head as u16;
            let worth = if made < oldest {
                // All forgotten slots are alike: the first is taken, whatever it held.
                i32::MIN + 1
            } else if head >> 16 == key >> 16 {
                i32::MIN
            } else {
                let age = i32::from(thought.saturating_sub(made)).min(64);
                i32::from(unpack(data).depth) - 8 * age
            };
            if worth < least.0 {
                least = (worth, i);
            }
        }
        let (head, data) = (key >> 16 << 16 | u64::from(thought), pack(entry));
        let slot = &bucket[2 * least.1..][..2];
        slot[0].store(head ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }
}

/// The key and thought of a slot, and the rest.
#[inline(always)]
fn read(slot: &[AtomicU64]) -> [u64; 2] {
    let data = slot[1].load(Ordering::Relaxed);
    [slot[0].load(Ordering::Relaxed) ^ data, data]
}

#[inline]
fn pack(entry: TableEntry) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    let best = entry.best.map_or(0, |best| best.saturating_add(1));
    u64::from(entry.value as u32)
        | u64::from(best) << 32
        | u64::from(entry.depth) << 48
        | bound << 56
}

#[inline]
fn unpack(word: u64) -> TableEntry {
    TableEntry {
        value: word as u32 as i32,
        bound: match word >> 56 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        depth: (word >> 48) as u8,
        best: ((word >> 32) as u16).checked_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> TableEntry {
        TableEntry {
            value: i32::from(depth) * -7,
            bound: Bound::Lower,
            depth,
            best: Some(u16::from(depth)),
        }
    }

    /// Keys that share a bucket of any table of fewer than 2^20 buckets.
    fn rival(i: u64) -> u64 {
        i << 20 | 5
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = TranspositionTable::with_bytes(1 << 16);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for value in [i32::MIN, -1, 0, 1, i32::MAX] {
                for best in [None, Some(0), Some(65534)] {
                    for depth in [0, 1, 254, TO_THE_END] {
                        let entry = TableEntry {
                            value,
                            bound,
                            depth,
                            best,
                        };
                        table.store(!7, entry);
                        assert_eq!(table.probe(!7), Some(entry));
                    }
                }
            }
        }
    }

    #[test]
    fn a_full_bucket_gives_up_the_least_searched() {
        let table = TranspositionTable::with_bytes(1 << 12);
        for (i, depth) in [(1, 9), (2, 3), (3, 7), (4, 8)] {
            table.store(rival(i), entry(depth));
        }
        table.store(rival(5), entry(1));
        assert_eq!(table.probe(rival(2)), None);
        table.store(rival(6), entry(2));
        assert_eq!(table.probe(rival(5)), None);
        for (i, depth) in [(1, 9), (3, 7), (4, 8), (6, 2)] {
            assert_eq!(table.probe(rival(i)), Some(entry(depth)));
        }
    }

    #[test]
    fn the_same_position_is_kept_once_and_newest() {
        let table = TranspositionTable::with_bytes(1 << 12);
        for depth in [9, 1, 4] {
            table.store(rival(1), entry(depth));
            assert_eq!(table.probe(rival(1)), Some(entry(depth)));
        }
        for i in 2..5 {
            table.store(rival(i), entry(2));
        }
        assert_eq!(table.probe(rival(1)), Some(entry(4)));
    }

    #[test]
    fn old_entries_count_but_go_first() {
        let mut table = TranspositionTable::with_bytes(1 << 12);
        table.store(rival(1), entry(10));
        table.advance();
        table.advance();
        for i in 2..5 {
            table.store(rival(i), entry(1));
        }
        assert_eq!(table.probe(rival(1)), Some(entry(10)));
        table.store(rival(5), entry(1));
        assert_eq!(table.probe(rival(1)), None);
    }

    #[test]
    fn a_forgotten_table_behaves_like_a_new_one() {
        let new = TranspositionTable::with_bytes(1 << 10);
        let mut used = TranspositionTable::with_bytes(1 << 10);
        let mut dice = crate::Dice::seeded(1);
        for _ in 0..1000 {
            used.store(dice.bits(), entry(dice.bits() as u8));
        }
        used.forget();
        for _ in 0..5000 {
            let key = dice.bits() & !0xffff | dice.bits() & 0x3f;
            assert_eq!(new.probe(key), used.probe(key));
            let entry = entry(dice.bits() as u8 & 7);
            new.store(key, entry);
            used.store(key, entry);
        }
    }

    #[test]
    fn a_table_of_pages_is_like_one_that_is_there() {
        for bytes in [64, 1 << 12, 1 << 18] {
            let mut whole = TranspositionTable::made(bytes, false);
            let mut paged = TranspositionTable::made(bytes, true);
            let made = |table: &TranspositionTable| {
                let pages = table.pages.iter().filter_map(OnceLock::get);
                pages.map(Vec::len).sum::<usize>() * 8
            };
            assert_eq!((paged.bytes(), made(&paged)), (whole.bytes(), 0));
            let mut dice = crate::Dice::seeded(2);
            for step in 0..20_000 {
                let key = dice.bits();
                assert_eq!(whole.probe(key), paged.probe(key));
                let entry = entry(dice.bits() as u8);
                whole.store(key, entry);
                paged.store(key, entry);
                assert_eq!(paged.probe(key), Some(entry));
                if step % 5000 == 0 {
                    whole.forget();
                    paged.forget();
                }
            }
            assert!(paged.words.is_empty() && made(&paged) <= bytes.max(PAGE * LINE));
        }
    }

    #[test]
    fn thoughts_beyond_counting_start_over() {
        for is_paged in [false, true] {
            let mut table = TranspositionTable::made(0, is_paged);
            assert_eq!(table.bytes(), LINE);
            for i in 0..70_000 {
                table.store(i, entry(1));
                table.forget();
                assert_eq!(table.probe(i), None);
            }
            table.store(0, entry(3));
            assert_eq!(table.probe(0), Some(entry(3)));
        }
    }

    #[test]
    fn threads_read_what_was_stored_or_nothing() {
        let table = TranspositionTable::with_bytes(LINE);
        let of = |key: u64| TableEntry {
            value: floe_rules::key::mix(key) as i32,
            ..entry(5)
        };
        let found: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2u64)
                .map(|thread| {
                    let table = &table;
                    scope.spawn(move || {
                        let mut dice = crate::Dice::seeded(thread);
                        let mut found = 0;
                        for _ in 0..100_000 {
                            let (stored, asked) = (dice.below(8) + 1, dice.below(8) + 1);
                            table.store(rival(stored), of(stored));
                            if let Some(entry) = table.probe(rival(asked)) {
                                assert_eq!(entry, of(asked));
                                found += 1;
                            }
                        }
                        found
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .sum()
        });
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn no_table_is_larger_than_asked() {
        for bytes in [64, 100, 1 << 20, (1 << 20) + 1, (1 << 21) - 1] {
            assert!(TranspositionTable::with_bytes(bytes).bytes() <= bytes);
        }
    }
}
