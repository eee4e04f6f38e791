//! Fields of a board in few bytes.

use data_encoding::BASE64_NOPAD;
use serde::Serialize;

/// Bytes by which runs may exceed bits, because people can read runs.
const READABLE: u32 = 20;

/// A set of fields, counted row by row from the top left: as runs, unless bits are much shorter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FieldSet {
    /// Number of fields to skip, number to take, number to skip, and so on.
    Runs(Vec<u32>),
    /// A bit for each field, the highest of each byte first, in base 64.
    Bits(String),
}

impl FieldSet {
    /// These fields, in any order.
    pub fn new(mut places: Vec<u32>) -> FieldSet {
        places.sort_unstable();
        places.dedup();
        let fields = places.last().map_or(0, |last| last + 1);
        let runs = runs(&places);
        // Digits and a comma each, against a letter for six fields.
        let digits = runs.iter().map(|run| run.checked_ilog10().unwrap_or(0) + 2);
        if digits.sum::<u32>() <= fields / 6 + READABLE {
            return FieldSet::Runs(runs);
        }
        let mut bits = vec![0; (fields as usize).div_ceil(8)];
        for place in places {
            bits[place as usize / 8] |= 128 >> (place % 8);
        }
        FieldSet::Bits(BASE64_NOPAD.encode(&bits))
    }
}

/// Runs of fields that are in ascending order.
fn runs(places: &[u32]) -> Vec<u32> {
    let mut runs = Vec::new();
    let mut next = 0;
    for &place in places {
        match runs.last_mut() {
            Some(length) if place == next => *length += 1,
            _ => runs.extend([place - next, 1]),
        }
        next = place + 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_in_a_row_are_runs_and_scattered_ones_are_bits() {
        let row = FieldSet::new((5..25).collect());
        assert_eq!(row, FieldSet::Runs(vec![5, 20]));
        assert_eq!(
            FieldSet::new(vec![0, 1, 9]),
            FieldSet::Runs(vec![0, 2, 7, 1])
        );
        assert_eq!(FieldSet::new(Vec::new()), FieldSet::Runs(Vec::new()));
        // 1010 1010 … as bits: a letter for six fields.
        let scattered = FieldSet::new((0..24).step_by(2).collect());
        assert_eq!(scattered, FieldSet::Bits("qqqq".to_owned()));
        assert_eq!(FieldSet::new(vec![2, 1, 1]), FieldSet::Runs(vec![1, 2]));
    }
}
