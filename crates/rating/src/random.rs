//! Seeded randomness for the bootstrap: the same draws on every machine and in every release.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn seeded(seed: u64) -> Self {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from 0 up to, but not, 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_a_seed_are_pinned() {
        let mut random = Random::seeded(1);
        let drawn: Vec<u64> = (0..4).map(|_| (random.uniform() * 1000.0) as u64).collect();
        assert_eq!(drawn, [402, 80, 596, 219]);
    }
}
