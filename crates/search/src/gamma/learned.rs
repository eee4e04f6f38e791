//! The learned evaluation: small [networks](crate::network), one for each phase.

use std::sync::{Arc, OnceLock};

use super::features::PHASES;
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
    Network::read_packed(bytes, PHASES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::{check_lengths, check_values};

    /// Rows of features, a phase and the value that the script computed for them.
    const EXAMPLES: &[u8] = include_bytes!("learned_examples.bin");

    #[test]
    fn values_are_those_of_the_script() {
        check_values(&own(), EXAMPLES, [10; PHASES]);
    }

    #[test]
    fn weights_that_are_cut_short_or_too_long_are_refused() {
        check_lengths(WEIGHTS, read);
    }
}
