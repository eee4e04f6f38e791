//! The formats of tournaments and finals.

use serde::{Deserialize, Serialize};

/// The tournament format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every entrant meets every other.
    RoundRobin,
    /// Every challenger (the first entrants) meets every other entrant.
    Gauntlet {
        /// Number of challengers.
        challengers: usize,
    },
    /// In every round, entrants with about equally many points meet.
    Swiss {
        /// Number of rounds.
        rounds: u64,
    },
    /// The loser of a match leaves.
    Knockout,
}

impl Format {
    /// The format's name.
    pub const fn name(self) -> FormatName {
        match self {
            Format::RoundRobin => FormatName::RoundRobin,
            Format::Gauntlet { .. } => FormatName::Gauntlet,
            Format::Swiss { .. } => FormatName::Swiss,
            Format::Knockout => FormatName::Knockout,
        }
    }
}

/// A format without its parameters, as an argument.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatName {
    /// See [`Format::RoundRobin`].
    #[default]
    RoundRobin,
    /// See [`Format::Gauntlet`].
    Gauntlet,
    /// See [`Format::Swiss`].
    Swiss,
    /// See [`Format::Knockout`].
    Knockout,
}

impl FormatName {
    /// All of them.
    pub const ALL: [FormatName; 4] = [
        FormatName::RoundRobin,
        FormatName::Gauntlet,
        FormatName::Swiss,
        FormatName::Knockout,
    ];

    /// The format's name as an argument.
    pub const fn name(self) -> &'static str {
        match self {
            FormatName::RoundRobin => "round-robin",
            FormatName::Gauntlet => "gauntlet",
            FormatName::Swiss => "swiss",
            FormatName::Knockout => "knockout",
        }
    }

    /// A description in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            FormatName::RoundRobin => "every entrant meets every other",
            FormatName::Gauntlet => "challengers meet all other entrants",
            FormatName::Swiss => "entrants with about equal points meet, round after round",
            FormatName::Knockout => "the loser of a match leaves",
        }
    }
}
