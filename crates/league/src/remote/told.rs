//! What a league and a program that plays from home say to each other.

use serde::{Deserialize, Serialize};

use crate::versions::VersionId;

/// What somebody says who wants to play from home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// What they call their program: another word is another version.
    pub word: String,
}

/// What they are told then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The name of the connection, which nobody guesses.
    pub connection: String,
    /// As which version the program plays.
    pub version: VersionId,
    /// What the league is called.
    pub league: String,
    /// The game.
    pub game: String,
    /// The time for a move, in milliseconds.
    pub move_ms: u64,
    /// What an answer may take beyond that, because of the way.
    pub way_ms: u64,
    /// How long nothing may be heard before the program counts as ended.
    pub grace_ms: u64,
    /// Whether its games count with all others.
    pub is_rated_with_ladder: bool,
}

/// Something that is told, with its number in this connection, from 1: who asks again for what
/// comes after a number misses nothing and hears nothing twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedNews {
    /// The number.
    pub number: u64,
    /// What is told.
    #[serde(flatten)]
    pub news: News,
}

/// What somebody who plays from home is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum News {
    /// A game is about to begin: the program is started, given these lines, and says `ok`.
    Sit {
        /// The game.
        game: String,
        /// Who plays, by seat.
        seats: Vec<String>,
        /// What the program is greeted with.
        lines: String,
    },
    /// It is their turn.
    Decide {
        /// The game.
        game: String,
        /// The number of the question.
        question: u64,
        /// What the program is given.
        lines: String,
    },
    /// A game is over, or will not be played.
    Over {
        /// The game.
        game: String,
        /// The scores, by seat.
        scores: Vec<i64>,
        /// What came of it, in words.
        text: String,
    },
    /// The connection is over.
    End {
        /// Why.
        why: String,
    },
}

/// What somebody who plays from home says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Reply {
    /// The program is started and has said `ok`.
    Ready {
        /// For which game.
        game: String,
    },
    /// A move.
    Move {
        /// In which game.
        game: String,
        /// The question it answers.
        question: u64,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// What the program said about it.
        #[serde(default)]
        note: String,
    },
    /// The program cannot play, or not any more.
    Failed {
        /// Which game.
        game: String,
    },
}
