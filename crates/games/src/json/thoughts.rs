use std::time::Duration;

use floe_search::{Kind, Spec, Thought};
use serde::Deserialize;
use serde_json::{Value, json};

use super::positions::At;
use super::questions::{optional, questions};
use super::refused::Refused;
use crate::{AnyPosition, LeadScale, Play, ThinkError, explain};

questions!(Thinking);

/// A position to think about.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct Thinking {
    /// The position.
    pub at: At,
    /// Thinking time in milliseconds, if the engine's spec sets no limit.
    pub ms: u64,
    /// Number of moves to rank.
    pub top: usize,
    /// The engine, such as `floe:hard` [default: `floe`].
    pub engine: Option<String>,
    /// Whether each move is explained in words.
    pub explain: bool,
}

/// Thinking time by default, in milliseconds.
const DEFAULT_MS: u64 = 300;

impl Thinking {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(Thinking {
            at: At::of(question)?,
            ms: optional(question, "ms")?.unwrap_or(DEFAULT_MS),
            top: optional(question, "top")?.unwrap_or(1),
            engine: optional(question, "engine")?,
            explain: optional(question, "explain")?.unwrap_or_default(),
        })
    }

    /// The spec of the requested engine.
    pub fn spec(&self) -> Result<Spec, Refused> {
        match &self.engine {
            None => Ok(Kind::Floe.into()),
            Some(word) => Ok(word.parse()?),
        }
    }

    /// The thinking time, at most `longest`, if the spec sets no limit.
    pub fn time(&self, longest: Duration) -> Duration {
        Duration::from_millis(self.ms.max(1)).min(longest)
    }
}

/// An engine's thoughts on a position, best move first; the caller chooses the engine and its limits.
pub fn thoughts(
    play: &Play,
    explains: bool,
    think: impl FnOnce(&dyn AnyPosition) -> Result<Vec<Thought<String>>, ThinkError>,
) -> Result<Value, ThinkError> {
    let scale = LeadScale::of(play.position());
    let Some(mover) = play.turn() else {
        let scores = play.scores();
        let shares = scale.shares(&scores);
        return Ok(json!({ "is_over": true, "scores": scores, "shares": shares, "lines": [] }));
    };
    let line = |thought: &Thought<String>| {
        let mut line = json!({
            "move": thought.best,
            "scores": thought.scores,
            "shares": scale.shares(&thought.scores),
            "lead": thought.lead(mover),
            "line": thought.line,
            "depth": thought.depth,
            "nodes": thought.nodes,
            "proven": thought.proven,
        });
        if explains {
            line["words"] = json!(explain(play.position(), &thought.best));
        }
        line
    };
    let lines: Vec<Value> = think(play.position())?.iter().map(line).collect();
    Ok(json!({ "turn": mover.number(), "lines": lines }))
}
