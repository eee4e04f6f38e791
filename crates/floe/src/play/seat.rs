//! Who sits at the table.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use floe_games::AnyGame;
use floe_search::{Kind, Level, Spec};

/// Who moves for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seat {
    /// Somebody at this keyboard.
    Human,
    /// One of Floe's own players.
    Engine(Spec),
    /// Somebody's bot, by the word that names it.
    Program(String),
}

impl Seat {
    /// Reads `human`, an engine's spec, or the word for a program that is there.
    pub(crate) fn read(text: &str, game: &'static dyn AnyGame) -> Result<Self> {
        let seat = floe_arena::seat::Seat::read(text, game, Path::new("."))?;
        Ok(match seat {
            floe_arena::seat::Seat::Human | floe_arena::seat::Seat::Remote(_) => Seat::Human,
            floe_arena::seat::Seat::Engine(spec) => Seat::Engine(spec),
            floe_arena::seat::Seat::Program(program) => Seat::Program(program.word().to_owned()),
        })
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
pub(crate) fn read_all(text: &str, game: &'static dyn AnyGame) -> Result<Vec<Seat>> {
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
    words.iter().map(|word| Seat::read(word, game)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> &'static dyn AnyGame {
        floe_games::games()[0]
    }

    #[test]
    fn seats_read_back() {
        for seat in Seat::offered() {
            assert_eq!(Seat::read(&seat.to_string(), game()).unwrap(), seat);
        }
        assert!(Seat::read("./there-is-no-such-bot", game()).is_err());
        let error = Seat::read("nobody", game()).unwrap_err().to_string();
        assert!(error.contains("neither an engine nor a program"), "{error}");
    }

    #[test]
    fn commas_inside_a_spec_are_not_between_seats() {
        let seats = read_all("human,mcts:nodes=10k,seed=3,floe:hard", game()).unwrap();
        let words: Vec<String> = seats.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["human", "mcts:nodes=10k,seed=3", "floe:hard"]);
    }
}
