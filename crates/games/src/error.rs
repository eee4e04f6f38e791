use std::error::Error;
use std::fmt;

use floe_rules::{ParseError, SetupError};
use thiserror::Error;

/// The reason why a game did not start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StartError {
    /// The setup cannot be read; line and column speak of the setup's text.
    #[error("setup: {0}")]
    Unreadable(#[from] ParseError),
    /// The setup can be read, but no position can be made from it.
    #[error(transparent)]
    Impossible(#[from] SetupError),
}

/// The reason why an engine did not think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ThinkError {
    /// The engine was made for another game.
    #[error("an engine for {engine} cannot play {game}")]
    OtherGame {
        /// The engine's game.
        engine: &'static str,
        /// The position's game.
        game: &'static str,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// More seats than can be proven.
    #[error("only games of one or two players can be proven")]
    TooManySeats,
}

/// The reason why a move given as text was not made.
#[derive(Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MoveError {
    /// The text is not in the game's notation; line and column refer to the move's text.
    #[error("{}", .0.cause)]
    Unreadable(#[from] ParseError),
    /// The text is a move, but the rules forbid it now.
    #[error("{0}")]
    Illegal(
        #[source]
        #[cfg_attr(feature = "serde", serde(serialize_with = "as_text"))]
        Box<dyn Error + Send + Sync>,
    ),
    /// The number stands for no move here.
    #[error("no move has the number {0}")]
    NoMove(u64),
    /// The move has no number: the game has more moves than the default encoding.
    #[error("the move has no number")]
    NoNumber,
}

/// Serialises an error as its message.
#[cfg(feature = "serde")]
#[allow(clippy::borrowed_box)] // serde hands over the field as it is
fn as_text<S: serde::Serializer>(
    error: &Box<dyn Error + Send + Sync>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

impl MoveError {
    pub(crate) fn illegal(reason: impl Error + Send + Sync + 'static) -> Self {
        MoveError::Illegal(Box::new(reason))
    }
}

/// An unknown name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unknown {
    /// The kind of thing looked for, such as `game`.
    pub what: &'static str,
    /// The unknown name.
    pub name: String,
    /// The known names.
    pub known: Vec<&'static str>,
}

impl Unknown {
    pub(crate) fn new(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Self {
        Unknown {
            what,
            name: name.to_owned(),
            known: known.collect(),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = floe_rules::text::quoted(&self.name);
        write!(f, "unknown {} {name}; ", self.what)?;
        match self.known.as_slice() {
            [] => f.write_str("there are none"),
            known => write!(f, "known: {}", known.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = Unknown::new("engine", "stockfish", ["random", "greedy"].into_iter());
        assert_eq!(
            error.to_string(),
            "unknown engine `stockfish`; known: random, greedy"
        );
        let error = Unknown::new("dialect", "", std::iter::empty());
        assert_eq!(error.to_string(), "unknown dialect ``; there are none");
    }
}
