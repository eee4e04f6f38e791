//! The learned evaluation: two small [networks](crate::network), one for placement and one for movement.

use std::sync::{Arc, OnceLock};

use crate::network::Network;

/// What the script of `training/` wrote.
const WEIGHTS: &[u8] = include_bytes!("learned.bin");

/// The networks that come with the engine.
pub(super) fn own() -> Arc<Network> {
    static OWN: OnceLock<Arc<Network>> = OnceLock::new();
    let own = OWN.get_or_init(|| Arc::new(read(WEIGHTS).expect("whole weights")));
    Arc::clone(own)
}

/// Reads what `training/train.py` wrote.
pub(super) fn read(bytes: &[u8]) -> Option<Network> {
    Network::read(bytes, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::{check_lengths, check_values};

    /// Rows of features, a phase and the value that the script computed for them.
    const EXAMPLES: &[u8] = include_bytes!("learned_examples.bin");

    #[test]
    fn values_are_those_of_the_script() {
        check_values(&own(), EXAMPLES, [50; 2]);
    }

    #[test]
    fn weights_that_are_cut_short_or_too_long_are_refused() {
        check_lengths(WEIGHTS, read);
    }
}
