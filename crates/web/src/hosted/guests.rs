//! The players of a game of people, and its settings: data that its record does not have.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use floe_games::TimeControl;
use floe_search::Spec;
use serde::{Deserialize, Serialize};

use crate::token::TokenHash;

/// The holder of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SeatHolder {
    /// A visitor.
    Person {
        /// The hash of the visitor's cookie.
        who: TokenHash,
        /// The visitor's chosen name.
        name: String,
    },
    /// One of Floe's engines, by its spec.
    Engine(String),
    /// Free: the first visitor to open the game's link may take the seat.
    Open,
}

impl SeatHolder {
    /// The name for tables and lists.
    pub(crate) fn name(&self) -> &str {
        match self {
            SeatHolder::Person { name, .. } if name.is_empty() => "guest",
            SeatHolder::Person { name, .. } => name,
            SeatHolder::Engine(word) => word,
            SeatHolder::Open => "waiting for a player",
        }
    }

    /// The name for people: an engine with its level, such as `floe · easy`.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        match self {
            SeatHolder::Engine(word) => Cow::Owned(word.replacen(':', " · ", 1)),
            SeatHolder::Open => Cow::Borrowed("waiting for a friend"),
            SeatHolder::Person { .. } => Cow::Borrowed(self.name()),
        }
    }

    /// The seat argument for records.
    pub(crate) fn word(&self) -> &str {
        match self {
            SeatHolder::Engine(word) => word,
            SeatHolder::Person { .. } | SeatHolder::Open => "human",
        }
    }

    pub(crate) fn is(&self, visitor: &TokenHash) -> bool {
        matches!(self, SeatHolder::Person { who, .. } if who == visitor)
    }

    pub(crate) fn spec(&self) -> Option<Spec> {
        match self {
            SeatHolder::Engine(word) => word.parse().ok(),
            SeatHolder::Person { .. } | SeatHolder::Open => None,
        }
    }
}

/// The file next to a game's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Guests {
    pub(crate) seats: Vec<SeatHolder>,
    pub(crate) clock: TimeControl,
    /// Whether the front page shows the game.
    pub(crate) is_public: bool,
    /// Whether the front page offers the game's free seats.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_open: bool,
    /// Whether the player's browser thinks for the engines, as it last said.
    #[serde(skip)]
    pub(crate) has_helper: bool,
    /// The rematch of this game, once begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rematch: Option<String>,
}

impl Guests {
    pub(crate) fn holds(&self, visitor: &TokenHash) -> bool {
        self.seats.iter().any(|seat| seat.is(visitor))
    }

    /// Whether all seats belong to this visitor or to engines.
    pub(crate) fn is_alone(&self, visitor: &TokenHash) -> bool {
        let is_theirs = |seat: &SeatHolder| seat.is(visitor) || seat.spec().is_some();
        self.holds(visitor) && self.seats.iter().all(is_theirs)
    }

    pub(crate) fn load(path: &Path) -> io::Result<Guests> {
        serde_json::from_reader(io::BufReader::new(File::open(path)?)).map_err(io::Error::other)
    }

    /// Writes the file completely, or leaves the old one.
    pub(crate) fn save(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.write_all(b"\n")?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}
