//! Sets of fields in a fixed number of words, so that the compiler unrolls every loop over them.
//!
//! A board's rows lie one after the other with a guard bit between them that is never a floe, as
//! in the rules; shifts therefore never carry a field into another row. What is shifted past the
//! last word is lost.

use super::words;
use crate::EVERY_SIZE;

/// Sets of up to this many words are shifted word by word, which unrolls; larger ones by loops over
/// slices, which become vector instructions.
const UNROLLED: usize = 8;

/// The same in a module that is downloaded, where an unrolled shift is the longest code of all.
const UNROLLED_SHARED: usize = 2;

/// A set of fields, by the number of the field's bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldSet<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> FieldSet<N> {
    pub(super) const EMPTY: Self = FieldSet([0; N]);

    /// Whether sets of this size share the code of [`mod@words`]: large ones in a module that is downloaded.
    const IS_SHARED: bool = N > UNROLLED && !EVERY_SIZE;

    /// Whether shifts of this size share that code.
    const SHIFTS_ARE_SHARED: bool = N > UNROLLED_SHARED && !EVERY_SIZE;

    #[inline(always)]
    pub(super) fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        if Self::IS_SHARED {
            return words::is_empty(&self.0);
        }
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(super) fn intersects(&self, other: &Self) -> bool {
        if Self::IS_SHARED {
            return words::intersects(&self.0, &other.0);
        }
        let both = self.0.iter().zip(&other.0).map(|(a, b)| a & b);
        both.fold(0, |all, word| all | word) != 0
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        if Self::IS_SHARED {
            return words::count(&self.0);
        }
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// How many fields are in both.
    #[inline(always)]
    pub(super) fn count_and(&self, other: &Self) -> u32 {
        if Self::IS_SHARED {
            return words::count_and(&self.0, &other.0);
        }
        let both = self.0.iter().zip(&other.0);
        both.map(|(a, b)| (a & b).count_ones()).sum()
    }

    #[inline(always)]
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut out = *self;
        if Self::IS_SHARED {
            words::and(&mut out.0, &other.0);
            return out;
        }
        out.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        out
    }

    #[inline(always)]
    pub(super) fn or(&self, other: &Self) -> Self {
        let mut out = *self;
        if Self::IS_SHARED {
            words::or(&mut out.0, &other.0);
            return out;
        }
        out.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        out
    }

    /// The members of this set that are not in `other`.
    #[inline(always)]
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut out = *self;
        if Self::IS_SHARED {
            words::without(&mut out.0, &other.0);
            return out;
        }
        out.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        out
    }

    /// The set with every bit `by` places higher.
    #[inline(always)]
    pub(super) fn raised_by(&self, by: usize) -> Self {
        let (skip, bits) = (by / 64, by % 64);
        let mut out = FieldSet::EMPTY;
        if Self::SHIFTS_ARE_SHARED {
            words::raise(&mut out.0, &self.0, by);
            return out;
        }
        if N > UNROLLED {
            let above = out.0.iter_mut().skip(skip);
            above
                .zip(&self.0)
                .for_each(|(out, word)| *out = word << bits);
            if bits > 0 {
                let above = out.0.iter_mut().skip(skip + 1);
                above
                    .zip(&self.0)
                    .for_each(|(out, word)| *out |= word >> (64 - bits));
            }
            return out;
        }
        for i in 0..N {
            if i >= skip {
                out.0[i] = self.0[i - skip] << bits;
            }
            if i > skip && bits > 0 {
                out.0[i] |= self.0[i - skip - 1] >> (64 - bits);
            }
        }
        out
    }

    /// The set with every bit `by` places lower.
    #[inline(always)]
    pub(super) fn lowered_by(&self, by: usize) -> Self {
        let (skip, bits) = (by / 64, by % 64);
        let mut out = FieldSet::EMPTY;
        if Self::SHIFTS_ARE_SHARED {
            words::lower(&mut out.0, &self.0, by);
            return out;
        }
        if N > UNROLLED {
            let from = self.0.iter().skip(skip);
            out.0
                .iter_mut()
                .zip(from)
                .for_each(|(out, word)| *out = word >> bits);
            if bits > 0 {
                let from = self.0.iter().skip(skip + 1);
                out.0
                    .iter_mut()
                    .zip(from)
                    .for_each(|(out, word)| *out |= word << (64 - bits));
            }
            return out;
        }
        for i in 0..N {
            if i + skip < N {
                out.0[i] = self.0[i + skip] >> bits;
            }
            if i + skip + 1 < N && bits > 0 {
                out.0[i] |= self.0[i + skip + 1] << (64 - bits);
            }
        }
        out
    }

    /// Adds the fields of `within` that lie `by` above one of the set.
    #[inline(always)]
    pub(super) fn spread_up(&mut self, within: &Self, by: usize) {
        if Self::SHIFTS_ARE_SHARED {
            return words::spread_up(&mut self.0, &within.0, by);
        }
        let raised = self.raised_by(by);
        for i in 0..N {
            self.0[i] |= raised.0[i] & within.0[i];
        }
    }

    /// Adds the fields of `within` that lie `by` below one of the set.
    #[inline(always)]
    pub(super) fn spread_down(&mut self, within: &Self, by: usize) {
        if Self::SHIFTS_ARE_SHARED {
            return words::spread_down(&mut self.0, &within.0, by);
        }
        let lowered = self.lowered_by(by);
        for i in 0..N {
            self.0[i] |= lowered.0[i] & within.0[i];
        }
    }

    /// Keeps the fields that have another of the set `by` below them.
    #[inline(always)]
    pub(super) fn erode_up(&mut self, by: usize) {
        *self = self.and(&self.raised_by(by));
    }

    /// Keeps the fields that have another of the set `by` above them.
    #[inline(always)]
    pub(super) fn erode_down(&mut self, by: usize) {
        *self = self.and(&self.lowered_by(by));
    }

    /// The fields, lowest first.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    i * 64 + bit
                })
            })
        })
    }

    /// A hash of the set's first words; the others have no members.
    #[inline(always)]
    pub(super) fn hash(&self, words: usize) -> u64 {
        if Self::SHIFTS_ARE_SHARED {
            return words::hash(&self.0[..words]);
        }
        self.0[..words].iter().fold(0, |hash, &word| {
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(fields: &BTreeSet<usize>) -> FieldSet<3> {
        let mut out = FieldSet::EMPTY;
        fields.iter().for_each(|&at| out.insert(at));
        out
    }

    fn fields(set: &FieldSet<3>) -> BTreeSet<usize> {
        set.iter().collect()
    }

    proptest! {
        #[test]
        fn sets_are_sets(
            a in prop::collection::btree_set(0usize..192, 0..150),
            b in prop::collection::btree_set(0usize..192, 0..150),
            by in 1usize..190,
        ) {
            let (x, y) = (set(&a), set(&b));
            prop_assert_eq!(fields(&x), a.clone());
            prop_assert_eq!(x.count() as usize, a.len());
            prop_assert_eq!(x.count_and(&y) as usize, a.intersection(&b).count());
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(fields(&x.and(&y)), &a & &b);
            prop_assert_eq!(fields(&x.or(&y)), &a | &b);
            prop_assert_eq!(fields(&x.without(&y)), &a - &b);
            let up: BTreeSet<_> = a.iter().map(|i| i + by).filter(|&i| i < 192).collect();
            let down: BTreeSet<_> = a.iter().filter_map(|i| i.checked_sub(by)).collect();
            for (changed, expected) in [
                (changed(x, |x| x.spread_up(&y, by)), &a | &(&up & &b)),
                (changed(x, |x| x.spread_down(&y, by)), &a | &(&down & &b)),
                (changed(x, |x| x.erode_up(by)), &a & &up),
                (changed(x, |x| x.erode_down(by)), &a & &down),
            ] {
                prop_assert_eq!(fields(&changed), expected);
            }
            prop_assert_eq!(fields(&x.raised_by(by)), up.clone());
            prop_assert_eq!(fields(&x.lowered_by(by)), down.clone());
            let mut large = FieldSet::<10>::EMPTY;
            a.iter().for_each(|&at| large.insert(at + 200));
            let moved = |set: FieldSet<10>, by: usize| set.iter().map(|at| at - by).collect::<BTreeSet<_>>();
            prop_assert_eq!(moved(large.raised_by(by), 200 + by), a.clone());
            prop_assert_eq!(moved(large.lowered_by(by), 200 - by), a);
        }
    }

    fn changed(mut set: FieldSet<3>, change: impl Fn(&mut FieldSet<3>)) -> FieldSet<3> {
        change(&mut set);
        set
    }
}
