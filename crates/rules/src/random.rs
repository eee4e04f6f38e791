//! Seeded random numbers, the same on every platform and in every release.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A generator of random numbers: ChaCha8, with our own code to draw choices, so that no library's
/// new version changes a seed's board.
///
/// ```
/// use floe_rules::random::Random;
/// let mut random = Random::seeded(1);
/// assert_eq!(random.below(1000), 402);
/// ```
#[derive(Debug, Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The generator for this seed.
    pub fn seeded(seed: u64) -> Self {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, all equally likely. `bound` must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        // Widening multiplication; the few low products that would be biased are drawn again.
        let biased = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            if wide as u64 >= biased {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Like [`below`](Random::below), for indices.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Shuffles `items`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }

    /// An index drawn by weight; the weights must not all be 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().map(|&w| u64::from(w)).sum());
        for (i, &weight) in weights.iter().enumerate() {
            match left.checked_sub(u64::from(weight)) {
                Some(rest) => left = rest,
                None => return i,
            }
        }
        unreachable!("the number drawn is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_a_seed_are_pinned() {
        let mut random = Random::seeded(1);
        let drawn: Vec<u64> = (0..8).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, [402, 80, 596, 219, 283, 710, 461, 152]);
    }

    #[test]
    fn weights_are_respected() {
        let mut random = Random::seeded(7);
        let mut counts = [0; 3];
        for _ in 0..6000 {
            counts[random.weighted(&[1, 0, 2])] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((1800..2200).contains(&counts[0]), "{counts:?}");
    }
}
