use floe_rules::key::mix;

/// A small generator of random numbers for playouts: SplitMix64, one addition and a few
/// multiplications a number, the same on every platform.
///
/// Boards are drawn by `floe_rules::random`, which is better and slower.
///
/// ```
/// use floe_search::Dice;
/// let mut dice = Dice::seeded(1);
/// assert!((0..100).all(|_| dice.index(6) < 6));
/// ```
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The dice that belong to this seed.
    pub fn seeded(seed: u64) -> Self {
        Dice(mix(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        bits
    }

    /// An index below `length`, which must be positive and fit 32 bits. Favours some by less
    /// than one in 2^32 over `length`.
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        (((self.bits() >> 32) * length as u64) >> 32) as usize
    }

    /// A number below `bound`, or 0 if that is 0. Favours some by less than one in 2^64 over
    /// `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Puts `items` in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_throws_of_a_seed_are_pinned_and_fair() {
        let mut dice = Dice::seeded(1);
        let throws: Vec<usize> = (0..10).map(|_| dice.index(6) + 1).collect();
        assert_eq!(throws, [3, 6, 1, 5, 2, 5, 4, 2, 2, 2]);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[dice.index(6)] += 1);
        assert!(
            counts.iter().all(|n| (9500..10500).contains(n)),
            "{counts:?}"
        );
    }
}
