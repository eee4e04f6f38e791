use std::fmt;
use std::ops::{BitAndAssign, BitOrAssign, BitXorAssign, SubAssign};

/// Words stored inline; 448 bits hold a 20x20 board with its guard column.
const INLINE: usize = 7;

/// A set of fields of one board, a bit each.
///
/// Up to 448 bits lie in the value itself (64 bytes, one cache line); more lie on the heap, where
/// `clone_from` reuses what is there. Every operation costs a few instructions per word of 64
/// bits. Sets that are combined must belong to the same board; [`Shape`](super::Shape) knows
/// which bit is which field.
pub struct Bits(Store);

enum Store {
    Inline { used: u8, words: [u64; INLINE] },
    Heap(Box<[u64]>),
}

impl Bits {
    /// The empty set of a board with this many bits.
    pub fn empty(bits: usize) -> Self {
        let used = bits.div_ceil(64);
        Bits(if used <= INLINE {
            Store::Inline {
                used: used as u8,
                words: [0; INLINE],
            }
        } else {
            Store::Heap(vec![0; used].into_boxed_slice())
        })
    }

    /// The words, lowest bits first.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.0 {
            // `min` shows the compiler that the slice is in range.
            Store::Inline { used, words } => &words[..usize::from(*used).min(INLINE)],
            Store::Heap(words) => words,
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Store::Inline { used, words } => &mut words[..usize::from(*used).min(INLINE)],
            Store::Heap(words) => words,
        }
    }

    /// Whether bit `index` is in the set; no bit beyond the board is.
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        match self.words().get(index / 64) {
            Some(word) => word >> (index % 64) & 1 != 0,
            None => false,
        }
    }

    /// Sets bit `index`.
    ///
    /// # Panics
    ///
    /// If the index is beyond the board.
    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.words_mut()[index / 64] |= 1 << (index % 64);
    }

    /// Clears bit `index`.
    ///
    /// # Panics
    ///
    /// If the index is beyond the board.
    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.words_mut()[index / 64] &= !(1 << (index % 64));
    }

    /// Takes every bit out.
    pub fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Number of bits in the set.
    #[inline]
    pub fn count(&self) -> u32 {
        self.words().iter().map(|w| w.count_ones()).sum()
    }

    /// Number of bits in both sets.
    #[inline]
    pub fn count_and(&self, other: &Bits) -> u32 {
        let both = self.words().iter().zip(other.words());
        both.map(|(a, b)| (a & b).count_ones()).sum()
    }

    /// Whether no bit is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Store::Inline { words, .. } => words.iter().fold(0, |all, w| all | w) == 0,
            Store::Heap(words) => words.iter().all(|&w| w == 0),
        }
    }

    /// Whether some bit is in both sets.
    #[inline]
    pub fn intersects(&self, other: &Bits) -> bool {
        self.words()
            .iter()
            .zip(other.words())
            .any(|(a, b)| a & b != 0)
    }

    /// Whether this set has a bit that `other` lacks.
    #[inline]
    pub fn exceeds(&self, other: &Bits) -> bool {
        if let (Store::Inline { words: a, .. }, Store::Inline { words: b, .. }) =
            (&self.0, &other.0)
        {
            return (0..INLINE).fold(0, |all, i| all | a[i] & !b[i]) != 0;
        }
        let mut both = self.words().iter().zip(other.words());
        both.any(|(a, b)| a & !b != 0)
    }

    /// The lowest bit.
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The bits, lowest first.
    pub fn iter(&self) -> Iter<'_> {
        let words = self.words();
        Iter {
            words,
            word: words.first().copied().unwrap_or(0),
            at: 0,
        }
    }

    /// Number of consecutive bits after bit `index`.
    #[inline]
    pub fn run_after(&self, index: usize) -> usize {
        let words = self.words();
        let start = index + 1;
        let (mut at, skip) = (start / 64, start % 64);
        let Some(&word) = words.get(at) else { return 0 };
        let mut run = (word >> skip).trailing_ones() as usize;
        if run < 64 - skip {
            return run;
        }
        loop {
            at += 1;
            let ones = words.get(at).map_or(0, |w| w.trailing_ones() as usize);
            run += ones;
            if ones < 64 {
                return run;
            }
        }
    }

    /// Number of consecutive bits before bit `index`, which must be on the board.
    #[inline]
    pub fn run_before(&self, index: usize) -> usize {
        let words = self.words();
        let (mut at, below) = (index / 64, index % 64);
        let mut run = 0;
        if below > 0 {
            run = (words[at] << (64 - below)).leading_ones() as usize;
            if run < below {
                return run;
            }
        }
        while at > 0 {
            at -= 1;
            let ones = words[at].leading_ones() as usize;
            run += ones;
            if ones < 64 {
                break;
            }
        }
        run
    }

    /// Adds `other` shifted up by `by` bits; bits beyond the last word are lost.
    #[inline]
    pub fn add_shifted_up(&mut self, other: &Bits, by: usize) {
        let (skip, bits) = (by / 64, by % 64);
        // Shifts in two steps, since one shift by 64 overflows.
        let pair = |high: u64, low: u64| high << bits | low >> 1 >> (63 - bits);
        let mut low = 0;
        for (word, &high) in self.words_mut().iter_mut().skip(skip).zip(other.words()) {
            *word |= pair(high, low);
            low = high;
        }
    }

    /// Adds `other` shifted down by `by` bits; bits below the first word are lost.
    #[inline]
    pub fn add_shifted_down(&mut self, other: &Bits, by: usize) {
        let (skip, bits) = (by / 64, by % 64);
        let pair = |high: u64, low: u64| low >> bits | high << 1 << (63 - bits);
        let from = other.words().get(skip..).unwrap_or_default();
        for (i, (word, &low)) in self.words_mut().iter_mut().zip(from).enumerate() {
            *word |= pair(from.get(i + 1).copied().unwrap_or(0), low);
        }
    }

    /// The words in an array, if they are inline and fit.
    #[inline]
    pub(super) fn array<const W: usize>(&self) -> Option<[u64; W]> {
        match &self.0 {
            Store::Inline { used, words } if usize::from(*used) <= W => {
                words.first_chunk().copied()
            }
            _ => None,
        }
    }

    /// The set of the same board with these words.
    #[inline]
    pub(super) fn with_array<const W: usize>(&self, words: &[u64; W]) -> Self {
        let mut out = self.empty_like();
        let length = out.words().len().min(W);
        out.words_mut()[..length].copy_from_slice(&words[..length]);
        out
    }

    /// An empty set of the same board.
    #[inline]
    pub fn empty_like(&self) -> Self {
        Bits(match &self.0 {
            Store::Inline { used, .. } => Store::Inline {
                used: *used,
                words: [0; INLINE],
            },
            Store::Heap(words) => Store::Heap(vec![0; words.len()].into_boxed_slice()),
        })
    }
}

impl Clone for Bits {
    #[inline]
    fn clone(&self) -> Self {
        Bits(match &self.0 {
            &Store::Inline { used, words } => Store::Inline { used, words },
            Store::Heap(words) => Store::Heap(words.clone()),
        })
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (
                Store::Inline { used, words },
                Store::Inline {
                    used: their_used,
                    words: theirs,
                },
            ) => {
                *used = *their_used;
                *words = *theirs;
            }
            (Store::Heap(mine), Store::Heap(theirs)) if mine.len() == theirs.len() => {
                mine.copy_from_slice(theirs);
            }
            _ => *self = source.clone(),
        }
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Bits {}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

macro_rules! assign {
    ($trait:ident, $method:ident, $doc:literal, |$a:ident, $b:ident| $value:expr) => {
        impl $trait<&Bits> for Bits {
            #[doc = $doc]
            #[inline]
            fn $method(&mut self, other: &Bits) {
                // Comparing all inline words is faster than counting the used ones.
                if let (Store::Inline { words: a, .. }, Store::Inline { words: b, .. }) =
                    (&mut self.0, &other.0)
                {
                    for i in 0..INLINE {
                        let ($a, $b) = (&mut a[i], b[i]);
                        *$a = $value;
                    }
                    return;
                }
                for ($a, &$b) in self.words_mut().iter_mut().zip(other.words()) {
                    *$a = $value;
                }
            }
        }
    };
}

assign!(
    BitAndAssign,
    bitand_assign,
    "Keeps what is in both.",
    |a, b| *a & b
);
assign!(
    BitOrAssign,
    bitor_assign,
    "Adds what is in `other`.",
    |a, b| *a | b
);
assign!(
    BitXorAssign,
    bitxor_assign,
    "Keeps what is in one only.",
    |a, b| *a ^ b
);
assign!(
    SubAssign,
    sub_assign,
    "Takes out what is in `other`.",
    |a, b| *a & !b
);

impl<'a> IntoIterator for &'a Bits {
    type Item = usize;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The bits of a set, lowest first.
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    words: &'a [u64],
    word: u64,
    at: usize,
}

impl Iterator for Iter<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            self.at += 1;
            self.word = *self.words.get(self.at)?;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(self.at * 64 + bit)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(bits: usize, from: &BTreeSet<usize>) -> Bits {
        let mut out = Bits::empty(bits);
        for &i in from {
            out.insert(i);
        }
        out
    }

    fn sets() -> impl Strategy<Value = (usize, BTreeSet<usize>, BTreeSet<usize>)> {
        prop_oneof![1usize..200, 380usize..520].prop_flat_map(|bits| {
            // Runs matter, so sets are drawn as intervals.
            let some = prop::collection::vec((0..bits, 1usize..150), 0..5).prop_map(move |runs| {
                let ends = |(at, length): (usize, usize)| at..(at + length).min(bits);
                runs.into_iter().flat_map(ends).collect::<BTreeSet<_>>()
            });
            (Just(bits), some.clone(), some)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_set_of_bits_is_a_set((bits, a, b) in sets(), by in 0usize..220) {
            let (x, y) = (set(bits, &a), set(bits, &b));
            let top = x.words().len() * 64;
            prop_assert_eq!(x.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(x.count() as usize, a.len());
            prop_assert_eq!(x.count_and(&y) as usize, a.intersection(&b).count());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(x.first(), a.first().copied());
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.exceeds(&y), !a.is_subset(&b));
            for i in 0..bits {
                prop_assert_eq!(x.contains(i), a.contains(&i));
                let after = (i + 1..).take_while(|j| a.contains(j)).count();
                prop_assert_eq!(x.run_after(i), after, "after {}", i);
                let before = (0..i).rev().take_while(|j| a.contains(j)).count();
                prop_assert_eq!(x.run_before(i), before, "before {}", i);
            }
            prop_assert!(!x.contains(top + by));
            let combined = |f: fn(&mut Bits, &Bits)| {
                let mut out = x.clone();
                f(&mut out, &y);
                out.iter().collect::<BTreeSet<_>>()
            };
            prop_assert_eq!(combined(|x, y| *x &= y), &a & &b);
            prop_assert_eq!(combined(|x, y| *x |= y), &a | &b);
            prop_assert_eq!(combined(|x, y| *x ^= y), &a ^ &b);
            prop_assert_eq!(combined(|x, y| *x -= y), &a - &b);
            let mut up = y.clone();
            up.add_shifted_up(&x, by);
            let raised: BTreeSet<_> = a.iter().map(|i| i + by).filter(|&i| i < top).collect();
            prop_assert_eq!(up.iter().collect::<BTreeSet<_>>(), &raised | &b);
            let mut down = y.clone();
            down.add_shifted_down(&x, by);
            let lowered: BTreeSet<_> = a.iter().filter_map(|i| i.checked_sub(by)).collect();
            prop_assert_eq!(down.iter().collect::<BTreeSet<_>>(), &lowered | &b);
            let mut reused = y.clone();
            reused.clone_from(&x);
            prop_assert_eq!(&reused, &x);
            reused.clear();
            prop_assert_eq!(reused, x.empty_like());
        }
    }

    #[test]
    fn a_common_board_is_one_cache_line() {
        assert_eq!(size_of::<Bits>(), 64);
        assert!(matches!(Bits::empty(20 * 21).0, Store::Inline { .. }));
        assert!(matches!(Bits::empty(449).0, Store::Heap(_)));
    }
}
