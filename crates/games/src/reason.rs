use serde::{Deserialize, Serialize};

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By its rules.
    Finished,
    /// No opponent is left.
    Forfeit,
}
