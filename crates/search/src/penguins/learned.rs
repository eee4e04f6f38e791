//! The learned evaluation: two small networks of integers, one for placement and one for movement.
//!
//! A network adds a linear part of the [features](super::features) to one layer of hidden units, of
//! which each is a linear part too, or zero where that is negative. All numbers are integers,
//! so it computes the same on every machine; the sums cannot overflow, since the script that made
//! the weights checked their bounds. `training/` has that script and the whole recipe.

use std::sync::{Arc, OnceLock};

use super::features::{FEATURES, Features};

/// What the script of `training/` wrote.
const WEIGHTS: &[u8] = include_bytes!("learned.bin");

/// Hidden units' values are at most this.
const MOST: i32 = 1023;

/// Bits by which a hidden unit's sum is finer than its value.
const HIDDEN_BITS: u32 = 6;

/// Bits by which the linear part is coarser than the sum of the hidden units.
const LINEAR_BITS: u32 = 5;

/// Bits by which the sum is finer than hundredths of fish.
const OUT_BITS: u32 = 10;

/// One hidden unit.
#[derive(Debug, Clone)]
struct Unit {
    weights: Features,
    bias: i32,
    /// Its weight in the sum.
    out: i32,
}

/// The network of one phase.
#[derive(Debug, Clone)]
struct Phase {
    linear: Features,
    bias: i32,
    units: Vec<Unit>,
}

/// Both networks.
#[derive(Debug, Clone)]
pub(super) struct Network {
    phases: [Phase; 2],
}

impl Network {
    /// The networks that come with the engine.
    pub(super) fn own() -> Arc<Self> {
        static OWN: OnceLock<Arc<Network>> = OnceLock::new();
        let own = OWN.get_or_init(|| Arc::new(Network::read(WEIGHTS).expect("whole weights")));
        Arc::clone(own)
    }

    /// Reads what `training/train.py` wrote: for each phase the number of units, the bias, the
    /// linear part, and every unit's bias, weight in the sum and weights, all as numbers of 32
    /// bits or, for weights of features, 16. `None` if bytes are missing or left over.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let phases = [reader.phase()?, reader.phase()?];
        reader.0.is_empty().then_some(Network { phases })
    }

    /// Hundredths of fish by which the player to move will gain on the opponent from now on.
    #[inline]
    #[allow(clippy::manual_clamp)] // `clamp` branches, and no branch can be foreseen here
    pub(super) fn value(&self, is_placing: bool, features: &Features) -> i32 {
        let phase = &self.phases[usize::from(!is_placing)];
        let mut sum = (dot(&phase.linear, features) << LINEAR_BITS) + phase.bias;
        for unit in &phase.units {
            let value = (dot(&unit.weights, features) + unit.bias) >> HIDDEN_BITS;
            sum += value.max(0).min(MOST) * unit.out;
        }
        sum >> OUT_BITS
    }
}

/// The sum of products: eight sums of their own, of which the compiler makes few instructions.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
#[allow(clippy::needless_range_loop)] // a range is a quarter of the work where little is optimized, as in tests
fn dot(weights: &Features, features: &Features) -> i32 {
    let mut sums = [0; 8];
    let (weights, features) = (weights.as_chunks::<8>().0, features.as_chunks::<8>().0);
    for (weights, features) in weights.iter().zip(features) {
        for i in 0..8 {
            sums[i] += i32::from(weights[i]) * i32::from(features[i]);
        }
    }
    sums.iter().sum()
}

/// The sum of products. WebAssembly has one instruction for eight of them, which the compiler does not
/// find; with it a value takes less than half the time.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn dot(weights: &Features, features: &Features) -> i32 {
    use std::arch::wasm32::{i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat};
    let eight = |n: &[i16; 8]| i16x8(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    let (weights, features) = (weights.as_chunks().0, features.as_chunks().0);
    let sums = (weights.iter().zip(features)).fold(i32x4_splat(0), |sums, (weights, features)| {
        i32x4_add(sums, i32x4_dot_i16x8(eight(weights), eight(features)))
    });
    i32x4_extract_lane::<0>(sums)
        + i32x4_extract_lane::<1>(sums)
        + i32x4_extract_lane::<2>(sums)
        + i32x4_extract_lane::<3>(sums)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const L: usize>(&mut self) -> Option<[u8; L]> {
        let (taken, left) = self.0.split_first_chunk::<L>()?;
        self.0 = left;
        Some(*taken)
    }

    fn number(&mut self) -> Option<i32> {
        self.take().map(i32::from_le_bytes)
    }

    fn weights(&mut self) -> Option<Features> {
        let mut weights = [0; FEATURES];
        for weight in &mut weights {
            *weight = i16::from_le_bytes(self.take()?);
        }
        Some(weights)
    }

    fn phase(&mut self) -> Option<Phase> {
        let count = self.number()?;
        let (bias, linear) = (self.number()?, self.weights()?);
        let units = (0..count).map(|_| {
            Some(Unit {
                bias: self.number()?,
                out: self.number()?,
                weights: self.weights()?,
            })
        });
        Some(Phase {
            units: units.collect::<Option<_>>()?,
            linear,
            bias,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of features, a phase and the value that the script computed for them.
    const EXAMPLES: &[u8] = include_bytes!("learned_examples.bin");

    #[test]
    fn values_are_those_of_the_script() {
        let network = Network::own();
        let mut reader = Reader(EXAMPLES);
        let mut counts = [0; 2];
        while !reader.0.is_empty() {
            let features = reader.weights().unwrap();
            let [phase] = reader.take().unwrap();
            let value = reader.number().unwrap();
            assert_eq!(network.value(phase == 0, &features), value);
            counts[usize::from(phase)] += 1;
        }
        assert!(counts.iter().all(|&count| count >= 50), "{counts:?}");
    }

    #[test]
    fn weights_that_are_cut_short_or_too_long_are_refused() {
        let longer = [WEIGHTS, &[0]].concat();
        assert!(Network::read(&longer).is_none());
        assert!(Network::read(&WEIGHTS[..WEIGHTS.len() - 1]).is_none());
        assert!(Network::read(&[]).is_none());
    }
}
