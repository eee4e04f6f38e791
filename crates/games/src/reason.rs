use serde::{Deserialize, Serialize};

/// The reason why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By the game's rules.
    Finished,
    /// No opponent is left.
    Forfeit,
}
