//! Zobrist keys without tables: each feature of a position is hashed to 64 bits when needed.

/// A well-mixed number for a feature; equal features give equal numbers on every platform.
///
/// A position's key is the exclusive or of its features' numbers.
///
/// ```
/// use floe_rules::key::mix;
/// let (a, b) = (mix(1), mix(2));
/// assert_eq!(a ^ b ^ a, b, "a feature goes as it came");
/// ```
#[inline]
pub fn mix(feature: u64) -> u64 {
    let mut z = feature.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_stay_what_they_are() {
        // The first outputs of the published SplitMix64 generator seeded with 0.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }
}
