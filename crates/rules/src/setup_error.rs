use std::borrow::Cow;
use std::ops::RangeInclusive;

use thiserror::Error;

/// The reason why a readable setup has no starting position.
///
/// Messages are in lower case and without a full stop.
///
/// ```
/// use floe_rules::{Game, SetupError, penguins::Penguins};
/// let crowd = "3x3,players=9,penguins=2,water=0".parse()?;
/// let error = Penguins::start(&crowd, 1).unwrap_err();
/// assert!(matches!(error, SetupError::Room { needed: 18, room: 9, .. }));
/// assert_eq!(
///     error.to_string(),
///     "9 players with 2 penguins each need 18 floes, and the board has 9",
/// );
/// let own = SetupError::new("no two corners are free").with_help("make the board larger");
/// assert_eq!(own.help(), "make the board larger");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SetupError {
    /// The game has no boards of this size.
    #[error("a board of {columns} by {rows} is not possible")]
    Size {
        /// Columns.
        columns: u32,
        /// Rows.
        rows: u32,
        /// The possible sizes.
        help: Cow<'static, str>,
    },
    /// The game does not allow this number of players.
    #[error("{players} players are not possible here")]
    Players {
        /// The requested number of players.
        players: u32,
        /// Players allowed.
        seats: RangeInclusive<u32>,
    },
    /// There is not enough memory for the board.
    #[error("not enough memory for a board of {columns} by {rows}")]
    Memory {
        /// Columns.
        columns: u32,
        /// Rows.
        rows: u32,
    },
    /// The board is too small for the pieces on it.
    #[error("{who} need {needed} {fields}, and the board has {room}")]
    Room {
        /// The pieces or players on the fields, in the plural.
        who: Cow<'static, str>,
        /// Fields needed.
        needed: u64,
        /// Fields available.
        room: u64,
        /// The game's name for such fields, in the plural.
        fields: Cow<'static, str>,
        /// Advice.
        help: Cow<'static, str>,
    },
    /// A setting has an impossible value.
    #[error("{cause}")]
    Setting {
        /// The key before the `=`.
        word: Cow<'static, str>,
        /// The cause.
        cause: Cow<'static, str>,
        /// Advice; empty if the cause suffices.
        help: Cow<'static, str>,
    },
    /// Any other error, in the game's own words.
    #[error("{cause}")]
    Other {
        /// The cause.
        cause: Cow<'static, str>,
        /// Advice; empty if the cause suffices.
        help: Cow<'static, str>,
    },
}

impl SetupError {
    /// An error in a game's own words, without advice.
    pub fn new(cause: impl Into<Cow<'static, str>>) -> Self {
        SetupError::Other {
            cause: cause.into(),
            help: Cow::Borrowed(""),
        }
    }

    /// An error about one word of the setup, without advice.
    pub fn setting(word: &'static str, cause: impl Into<Cow<'static, str>>) -> Self {
        SetupError::Setting {
            word: word.into(),
            cause: cause.into(),
            help: Cow::Borrowed(""),
        }
    }

    /// The same error with advice. Errors about players and memory contain their own advice and
    /// stay unchanged.
    #[must_use]
    pub fn with_help(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        match &mut self {
            SetupError::Size { help, .. }
            | SetupError::Room { help, .. }
            | SetupError::Setting { help, .. }
            | SetupError::Other { help, .. } => *help = advice.into(),
            SetupError::Players { .. } | SetupError::Memory { .. } => {}
        }
        self
    }

    /// Advice; empty if the message suffices.
    pub fn help(&self) -> Cow<'_, str> {
        match self {
            SetupError::Size { help, .. }
            | SetupError::Room { help, .. }
            | SetupError::Setting { help, .. }
            | SetupError::Other { help, .. } => Cow::Borrowed(help),
            SetupError::Players { seats, .. } if seats.start() == seats.end() => {
                format!("a table has {} seats", seats.start()).into()
            }
            SetupError::Players { seats, .. } => {
                format!("a table has {} to {} seats", seats.start(), seats.end()).into()
            }
            SetupError::Memory { .. } => Cow::Borrowed("make the board smaller"),
        }
    }
}
