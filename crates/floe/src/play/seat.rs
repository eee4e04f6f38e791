//! Who sits at the table.

use std::fmt;

use anyhow::{Result, bail};
use floe_rules::text;
use floe_search::{Kind, Level, Spec};

/// Who moves for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seat {
    /// Somebody at this keyboard.
    Human,
    /// One of Floe's own players.
    Engine(Spec),
    /// Somebody's bot, which can be shown but cannot sit down here yet.
    Program(String),
}

impl Seat {
    /// Reads `human`, an engine's spec, or a program's path.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let text = text.trim();
        if text == "human" {
            return Ok(Seat::Human);
        }
        if text.contains('/') || text.contains('\\') {
            bail!("programs at the table come later: `{text}` cannot sit down yet");
        }
        match text.parse() {
            Ok(spec) => Ok(Seat::Engine(spec)),
            Err(error) => bail!("{}", text::explain(&error, "seat", text).trim_end()),
        }
    }

    pub(crate) fn is_human(&self) -> bool {
        *self == Seat::Human
    }

    /// Those a form offers.
    pub(crate) fn offered() -> Vec<Seat> {
        let level = |level| {
            Seat::Engine(Spec {
                level: Some(level),
                ..Spec::from(Kind::Floe)
            })
        };
        let mut seats = vec![Seat::Human];
        seats.extend(Level::ALL.map(level));
        seats.extend([Kind::Greedy, Kind::Random].map(|kind| Seat::Engine(kind.into())));
        seats
    }

    /// The opponent of somebody who said nothing.
    pub(crate) fn usual_opponent() -> Seat {
        Seat::Engine(Spec {
            level: Some(Level::Medium),
            ..Spec::from(Kind::Floe)
        })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str("human"),
            Seat::Engine(spec) => spec.fmt(f),
            Seat::Program(path) => f.write_str(path),
        }
    }
}

/// Reads seats between commas; a part without a kind of its own belongs to the spec before it,
/// as in `human,mcts:nodes=10k,seed=3`.
pub(crate) fn read_all(text: &str) -> Result<Vec<Seat>> {
    let mut words: Vec<String> = Vec::new();
    for part in text.split(',') {
        let is_setting = part.contains('=') && !part.contains(':') && !part.contains('/');
        match words.last_mut() {
            Some(last) if is_setting && last.contains(':') => {
                last.push(',');
                last.push_str(part);
            }
            _ => words.push(part.to_owned()),
        }
    }
    words.iter().map(|word| Seat::read(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_read_back() {
        for seat in Seat::offered() {
            assert_eq!(Seat::read(&seat.to_string()).unwrap(), seat);
        }
        assert!(
            Seat::read("./bot")
                .unwrap_err()
                .to_string()
                .contains("come later")
        );
        assert!(
            Seat::read("nobody")
                .unwrap_err()
                .to_string()
                .contains("unknown engine")
        );
    }

    #[test]
    fn commas_inside_a_spec_are_not_between_seats() {
        let seats = read_all("human,mcts:nodes=10k,seed=3,floe:hard").unwrap();
        let words: Vec<String> = seats.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["human", "mcts:nodes=10k,seed=3", "floe:hard"]);
    }
}
