//! The messages between a league and a remote program's client.

use serde::{Deserialize, Serialize};

use crate::versions::VersionId;

/// The first message of a remote program's client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The program's name: another name is another version.
    pub word: String,
}

/// The answer to a connecting program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The random, unguessable ID of the connection.
    pub connection: String,
    /// The version that the program plays as.
    pub version: VersionId,
    /// The league's name.
    pub league: String,
    /// The game.
    pub game: String,
    /// The time for a move, in milliseconds.
    pub move_ms: u64,
    /// The latency allowance beyond that limit, in milliseconds.
    pub way_ms: u64,
    /// The disconnect timeout, in milliseconds.
    pub grace_ms: u64,
    /// Whether the games count in the ladder.
    pub is_rated_with_ladder: bool,
}

/// A message with its number in this connection, from 1: a client that asks for the messages after
/// a number gets each exactly once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedNews {
    /// The number.
    pub number: u64,
    /// The message.
    #[serde(flatten)]
    pub news: News,
}

/// A message to a remote program's client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum News {
    /// A game is about to begin: the program is started with these lines, and must say `ok`.
    Sit {
        /// The game.
        game: String,
        /// The players by seat.
        seats: Vec<String>,
        /// The program's greeting.
        lines: String,
    },
    /// It is the program's turn.
    Decide {
        /// The game.
        game: String,
        /// The number of the question.
        question: u64,
        /// The program's input.
        lines: String,
    },
    /// A game is over, or will not be played.
    Over {
        /// The game.
        game: String,
        /// The scores, by seat.
        scores: Vec<i64>,
        /// The result, in words.
        text: String,
    },
    /// The connection is over.
    End {
        /// The reason.
        why: String,
    },
}

/// A message from a remote program's client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Reply {
    /// The program is started and has said `ok`.
    Ready {
        /// The ID of the game.
        game: String,
    },
    /// A move.
    Move {
        /// The ID of the game.
        game: String,
        /// The number of the answered question.
        question: u64,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The program's remark.
        #[serde(default)]
        note: String,
    },
    /// The program cannot play, or not any more.
    Failed {
        /// The ID of the game.
        game: String,
    },
}
