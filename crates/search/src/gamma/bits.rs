//! Sets of fields as bit boards, and how they grow.
//!
//! A board is laid out row after row, each row followed by one bit that is never a field, so a
//! step to any side is a shift and nothing runs over an edge. All fields' neighbours come from
//! one pass over the words; the length is a constant, so the compiler unrolls or vectorises it.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXorAssign, Not};

/// A set of up to `64 * W` fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(super) const EMPTY: Self = Bits([0; W]);

    /// The set of this field alone.
    #[inline]
    pub(super) fn of(field: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(field);
        bits
    }

    #[inline]
    pub(super) fn has(&self, field: usize) -> bool {
        self.0[field / 64] >> (field % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn insert(&mut self, field: usize) {
        self.0[field / 64] |= 1 << (field % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, field: usize) {
        self.0[field / 64] &= !(1 << (field % 64));
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, &word| all | word) == 0
    }

    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        let mut all = 0;
        for i in 0..W {
            all |= self.0[i] & other.0[i];
        }
        all != 0
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The lowest field, if any.
    #[inline]
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// The members of this set that are not in the other.
    #[inline]
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut out = *self;
        for i in 0..W {
            out.0[i] &= !other.0[i];
        }
        out
    }

    /// The bits beside those of the set, on a board whose rows are `stride` bits apart (1 to 63);
    /// bits that are no fields among them.
    #[inline]
    pub(super) fn beside(&self, stride: u32) -> Self {
        let mut out = Self::EMPTY;
        let back = 64 - stride;
        for i in 0..W {
            let here = self.0[i];
            let below = if i > 0 { self.0[i - 1] } else { 0 };
            let above = if i + 1 < W { self.0[i + 1] } else { 0 };
            out.0[i] = (here << 1 | below >> 63)
                | (here >> 1 | above << 63)
                | (here << stride | below >> back)
                | (here >> stride | above << back);
        }
        out
    }

    /// The bits that are beside at least one, two and three of the set.
    #[inline]
    pub(super) fn around(&self, stride: u32) -> [Self; 3] {
        let mut out = [Self::EMPTY; 3];
        let back = 64 - stride;
        for i in 0..W {
            let here = self.0[i];
            let below = if i > 0 { self.0[i - 1] } else { 0 };
            let above = if i + 1 < W { self.0[i + 1] } else { 0 };
            let (a, b) = (here << 1 | below >> 63, here >> 1 | above << 63);
            let (c, d) = (
                here << stride | below >> back,
                here >> stride | above << back,
            );
            let (any, other, both, two) = (a | b, c | d, a & b, c & d);
            out[0].0[i] = any | other;
            out[1].0[i] = both | two | (any & other);
            out[2].0[i] = (both & other) | (any & two);
        }
        out
    }

    /// Sixty-four of the bits.
    #[inline(always)]
    pub(super) fn word(&self, at: usize) -> u64 {
        self.0[at]
    }

    /// The fields of `within` that can be reached from those of the set by steps inside
    /// `within`. The set need not be a part of it. Costs a pass a step.
    pub(super) fn flood(&self, within: &Self, stride: u32) -> Self {
        let mut reached = *self & *within;
        loop {
            let next = reached | (reached.beside(stride) & *within);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The fields in order.
    #[inline]
    pub(super) fn fields(self) -> impl Iterator<Item = usize> {
        (0..W).flat_map(move |word| {
            let mut left = self.0[word];
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let field = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                Some(field)
            })
        })
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        for i in 0..W {
            self.0[i] &= other.0[i];
        }
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        for i in 0..W {
            self.0[i] |= other.0[i];
        }
    }
}

impl<const W: usize> BitXorAssign for Bits<W> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        for i in 0..W {
            self.0[i] ^= other.0[i];
        }
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        for i in 0..W {
            self.0[i] = !self.0[i];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of a 9 x 9 board, whose rows are 10 bits apart.
    fn at(x: usize, y: usize) -> usize {
        y * 10 + x
    }

    #[test]
    fn neighbours_are_the_four_and_cross_words() {
        for (x, y) in [(4, 4), (3, 6), (4, 6), (0, 5), (8, 7)] {
            let around = Bits::<2>::of(at(x, y)).beside(10);
            let mut wanted = vec![at(x, y - 1), at(x, y) - 1, at(x, y) + 1, at(x, y + 1)];
            wanted.sort_unstable();
            assert_eq!(around.fields().collect::<Vec<_>>(), wanted);
        }
    }

    #[test]
    fn a_flood_goes_around_corners_and_stops_at_walls() {
        let mut within = Bits::<2>::EMPTY;
        for y in 0..9 {
            for x in 0..9 {
                if x != 4 || y == 8 {
                    within.insert(at(x, y));
                }
            }
        }
        assert_eq!(Bits::of(at(0, 0)).flood(&within, 10), within);
        within.remove(at(4, 8));
        let left = Bits::of(at(0, 0)).flood(&within, 10);
        assert_eq!(left.count(), 36);
        assert!(left.has(at(3, 8)) && !left.has(at(5, 8)));
        assert_eq!(left.first(), Some(0));
        assert_eq!(within.without(&left).count(), 36);
    }
}
