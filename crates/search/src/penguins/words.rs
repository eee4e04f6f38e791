//! Large sets of fields as slices of words: one copy of the code for all sizes.
//!
//! In a WebAssembly module, which is downloaded, a call for each operation costs little beside the
//! words it goes through, and a copy for each size and place would be most of the module.

#[inline(never)]
pub(super) fn is_empty(set: &[u64]) -> bool {
    set.iter().fold(0, |all, word| all | word) == 0
}

#[inline(never)]
pub(super) fn intersects(set: &[u64], other: &[u64]) -> bool {
    let both = set.iter().zip(other).map(|(a, b)| a & b);
    both.fold(0, |all, word| all | word) != 0
}

#[inline(never)]
pub(super) fn count(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

#[inline(never)]
pub(super) fn count_and(set: &[u64], other: &[u64]) -> u32 {
    let both = set.iter().zip(other);
    both.map(|(a, b)| (a & b).count_ones()).sum()
}

#[inline(never)]
pub(super) fn and(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
}

#[inline(never)]
pub(super) fn or(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

#[inline(never)]
pub(super) fn without(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= !b);
}

/// The set with every bit `by` places higher, into an empty one.
#[inline(never)]
pub(super) fn raise(into: &mut [u64], set: &[u64], by: usize) {
    let (skip, bits) = (by / 64, by % 64);
    let above = into.iter_mut().skip(skip);
    above.zip(set).for_each(|(out, word)| *out = word << bits);
    if bits > 0 {
        let above = into.iter_mut().skip(skip + 1);
        above
            .zip(set)
            .for_each(|(out, word)| *out |= word >> (64 - bits));
    }
}

/// The set with every bit `by` places lower, into an empty one.
#[inline(never)]
pub(super) fn lower(into: &mut [u64], set: &[u64], by: usize) {
    let (skip, bits) = (by / 64, by % 64);
    let from = set.iter().skip(skip);
    into.iter_mut()
        .zip(from)
        .for_each(|(out, word)| *out = word >> bits);
    if bits > 0 {
        let from = set.iter().skip(skip + 1);
        into.iter_mut()
            .zip(from)
            .for_each(|(out, word)| *out |= word << (64 - bits));
    }
}

/// Adds the fields of `within` that lie `by` above one of the set: from the last word on, so that the
/// words below are still those of before.
#[inline(never)]
pub(super) fn spread_up(set: &mut [u64], within: &[u64], by: usize) {
    let (skip, bits) = (by / 64, by % 64);
    for i in (skip..set.len().min(within.len())).rev() {
        let mut raised = set[i - skip] << bits;
        if bits > 0 && i > skip {
            raised |= set[i - skip - 1] >> (64 - bits);
        }
        set[i] |= raised & within[i];
    }
}

/// Adds the fields of `within` that lie `by` below one of the set.
#[inline(never)]
pub(super) fn spread_down(set: &mut [u64], within: &[u64], by: usize) {
    let (skip, bits) = (by / 64, by % 64);
    for i in 0..set.len().saturating_sub(skip).min(within.len()) {
        let mut lowered = set[i + skip] >> bits;
        if bits > 0 && i + skip + 1 < set.len() {
            lowered |= set[i + skip + 1] << (64 - bits);
        }
        set[i] |= lowered & within[i];
    }
}

/// A hash of the set.
#[inline(never)]
pub(super) fn hash(set: &[u64]) -> u64 {
    set.iter().fold(0, |hash, &word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::set::FieldSet;
    use super::*;

    const WORDS: usize = 10;

    fn made(of: &[u64]) -> FieldSet<WORDS> {
        FieldSet(of.try_into().expect("ten words"))
    }

    proptest! {
        /// A module finds the moves that every other machine finds.
        #[test]
        fn slices_are_the_sets_of_every_size(
            a in prop::collection::vec(any::<u64>(), WORDS),
            b in prop::collection::vec(any::<u64>(), WORDS),
            by in 1usize..639,
        ) {
            let (x, y) = (made(&a), made(&b));
            prop_assert_eq!(is_empty(&a), x.is_empty());
            prop_assert_eq!(intersects(&a, &b), x.intersects(&y));
            prop_assert_eq!(count(&a), x.count());
            prop_assert_eq!(count_and(&a, &b), x.count_and(&y));
            prop_assert_eq!(hash(&a), x.hash(WORDS));
            let changed = |change: &dyn Fn(&mut [u64])| {
                let mut set = a.clone();
                change(&mut set);
                made(&set)
            };
            prop_assert_eq!(changed(&|set| and(set, &b)), x.and(&y));
            prop_assert_eq!(changed(&|set| or(set, &b)), x.or(&y));
            prop_assert_eq!(changed(&|set| without(set, &b)), x.without(&y));
            let (mut up, mut down) = (x, x);
            up.spread_up(&y, by);
            down.spread_down(&y, by);
            prop_assert_eq!(changed(&|set| spread_up(set, &b, by)), up);
            prop_assert_eq!(changed(&|set| spread_down(set, &b, by)), down);
            let moved = |shift: &dyn Fn(&mut [u64], &[u64])| {
                let mut set = vec![0; WORDS];
                shift(&mut set, &a);
                made(&set)
            };
            prop_assert_eq!(moved(&|into, set| raise(into, set, by)), x.raised_by(by));
            prop_assert_eq!(moved(&|into, set| lower(into, set, by)), x.lowered_by(by));
        }
    }
}
