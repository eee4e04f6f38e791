//! Small networks of integers, which evaluate positions by counts of them.
//!
//! A network adds a linear part of the counts to one layer of hidden units, of which each is a linear
//! part too, or zero where that is negative. All numbers are integers, so it computes the same on
//! every machine; the sums cannot overflow, since the script that made the weights checked their
//! bounds. `training/` has that script and the whole recipe.

use std::sync::Arc;

/// Counts of a position that a network takes; those that a game does not need are zero.
pub(crate) const FEATURES: usize = 64;

/// Counts of a position, from the view of one player.
pub(crate) type Features = [i16; FEATURES];

/// Hidden units' values are at most this.
const MOST: i32 = 1023;

/// Bits by which a hidden unit's sum is finer than its value.
const HIDDEN_BITS: u32 = 6;

/// Bits by which the linear part is coarser than the sum of the hidden units.
const LINEAR_BITS: u32 = 5;

/// Bits by which the sum is finer than hundredths of a point.
const OUT_BITS: u32 = 10;

/// One hidden unit.
#[derive(Debug, Clone)]
struct Unit {
    weights: Features,
    bias: i32,
    /// Its weight in the sum.
    out: i32,
}

/// The network of one phase of a game.
#[derive(Debug, Clone)]
struct Phase {
    linear: Features,
    bias: i32,
    units: Vec<Unit>,
}

/// The networks of a game: one for each phase.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    phases: Vec<Phase>,
}

impl Network {
    /// Reads what `training/train.py` wrote: for each phase the number of units, the bias, the
    /// linear part, and every unit's bias, weight in the sum and weights, all as numbers of 32
    /// bits or, for weights of features, 16. `None` if bytes are missing or left over.
    pub(crate) fn read(bytes: &[u8], phases: usize) -> Option<Self> {
        Self::read_by(Reader(bytes), phases, false)
    }

    /// Reads the same where units' weights take 8 bits: before the units, for each count, the bits by
    /// which its weights are coarser, and before each unit's weights the bits by which all of them
    /// are coarser, or finer if less than zero.
    pub(crate) fn read_packed(bytes: &[u8], phases: usize) -> Option<Self> {
        Self::read_by(Reader(bytes), phases, true)
    }

    fn read_by(mut reader: Reader<'_>, phases: usize, is_packed: bool) -> Option<Self> {
        let phases = (0..phases).map(|_| reader.phase(is_packed));
        let phases = phases.collect::<Option<_>>()?;
        reader.0.is_empty().then_some(Network { phases })
    }

    /// What the player whose counts these are will gain from now on, in hundredths of a point.
    #[inline(never)] // one copy for all games and sizes of boards: a call costs little beside it
    #[allow(clippy::manual_clamp)] // `clamp` branches, and no branch can be foreseen here
    pub(crate) fn value(&self, phase: usize, features: &Features) -> i32 {
        let phase = &self.phases[phase];
        let mut sum = (dot(&phase.linear, features) << LINEAR_BITS) + phase.bias;
        for unit in &phase.units {
            let value = (dot(&unit.weights, features) + unit.bias) >> HIDDEN_BITS;
            sum += value.max(0).min(MOST) * unit.out;
        }
        sum >> OUT_BITS
    }
}

/// The networks of these weights, if any are chosen. The outer `None` if `read` cannot read the bytes.
pub(crate) fn chosen(
    weights: Option<&[u8]>,
    read: fn(&[u8]) -> Option<Network>,
) -> Option<Option<Arc<Network>>> {
    match weights {
        Some(bytes) => read(bytes).map(|network| Some(Arc::new(network))),
        None => Some(None),
    }
}

/// Adds to the counts the members that are in the mask: of words that lie one after the other, the
/// compiler counts several at once.
#[inline(always)]
pub(crate) fn add_counts<const N: usize>(counts: &mut [u64; N], sets: &[u64; N], mask: u64) {
    for (count, set) in counts.iter_mut().zip(sets) {
        *count += u64::from((set & mask).count_ones());
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

/// Numbers, one after the other.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn take<const L: usize>(&mut self) -> Option<[u8; L]> {
        let (taken, left) = self.0.split_first_chunk::<L>()?;
        self.0 = left;
        Some(*taken)
    }

    pub(crate) fn number(&mut self) -> Option<i32> {
        self.take().map(i32::from_le_bytes)
    }

    pub(crate) fn weights(&mut self) -> Option<Features> {
        let mut weights = [0; FEATURES];
        for weight in &mut weights {
            *weight = i16::from_le_bytes(self.take()?);
        }
        Some(weights)
    }

    /// Weights of 8 bits, coarser by these bits and by as many as come first.
    fn packed_weights(&mut self, shifts: &[u8; FEATURES]) -> Option<Features> {
        let all = self.take().map(i8::from_le_bytes)?;
        let bytes: [u8; FEATURES] = self.take()?;
        let mut weights = [0; FEATURES];
        for ((weight, byte), &shift) in weights.iter_mut().zip(bytes).zip(shifts) {
            let bits = (i32::from(shift) + i32::from(all)).max(0) as u32;
            *weight = i16::from(byte as i8).checked_shl(bits)?;
        }
        Some(weights)
    }

    fn phase(&mut self, is_packed: bool) -> Option<Phase> {
        let count = self.number()?;
        let (bias, linear) = (self.number()?, self.weights()?);
        let shifts = match is_packed {
            true => Some(self.take()?),
            false => None,
        };
        let units = (0..count).map(|_| {
            Some(Unit {
                bias: self.number()?,
                out: self.number()?,
                weights: match &shifts {
                    Some(shifts) => self.packed_weights(shifts)?,
                    None => self.weights()?,
                },
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
pub(crate) mod tests {
    use super::*;

    /// Checks rows of features, a phase and the value that the script computed for them: at least so
    /// many rows of each phase.
    pub(crate) fn check_values<const P: usize>(
        network: &Network,
        examples: &[u8],
        least: [usize; P],
    ) {
        let mut reader = Reader(examples);
        let mut counts = [0; P];
        while !reader.0.is_empty() {
            let features = reader.weights().unwrap();
            let [phase] = reader.take().unwrap();
            let value = reader.number().unwrap();
            assert_eq!(network.value(phase.into(), &features), value);
            counts[usize::from(phase)] += 1;
        }
        let is_enough = counts
            .iter()
            .zip(&least)
            .all(|(count, least)| count >= least);
        assert!(is_enough, "{counts:?}");
    }

    /// Checks that weights which are cut short or too long are refused.
    pub(crate) fn check_lengths(weights: &[u8], read: fn(&[u8]) -> Option<Network>) {
        assert!(read(weights).is_some());
        let longer = [weights, &[0]].concat();
        for wrong in [&longer[..], &weights[..weights.len() - 1], &[]] {
            assert!(read(wrong).is_none(), "{} bytes", wrong.len());
        }
    }
}
