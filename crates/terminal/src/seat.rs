//! The players' seats.

use std::fmt;
use std::path::Path;

use floe_arena::seat::{Seat, SeatError};
use floe_games::AnyGame;
use floe_games::record::Entrant;
use floe_search::{Kind, Level, Spec};

/// The seat of a player. Two are equal if they have the same seat argument.
#[derive(Debug, Clone)]
pub enum PlayerSeat {
    /// A seat on this machine.
    Here(Seat),
    /// The argument of a seat that cannot be found: a record outlives the programs that played.
    Gone(String),
}

impl PlayerSeat {
    /// The seat from a record.
    pub(crate) fn of_word(word: &str, game: &'static dyn AnyGame) -> Self {
        read(word, game).map_or_else(|_| PlayerSeat::Gone(word.to_owned()), PlayerSeat::Here)
    }

    pub(crate) fn is_human(&self) -> bool {
        matches!(self, PlayerSeat::Here(Seat::Human))
    }

    /// Whether it is a program, found or missing.
    pub(crate) fn is_program(&self) -> bool {
        match self {
            PlayerSeat::Here(seat) => seat.is_program(),
            PlayerSeat::Gone(_) => true,
        }
    }

    /// The seat for a record.
    pub(crate) fn entrant(&self) -> Entrant {
        match self {
            PlayerSeat::Here(seat) => seat.entrant(seat.to_string()),
            PlayerSeat::Gone(word) => Entrant {
                name: word.clone(),
                seat: word.clone(),
                sha256: None,
            },
        }
    }
}

impl From<Seat> for PlayerSeat {
    fn from(seat: Seat) -> Self {
        PlayerSeat::Here(seat)
    }
}

impl PartialEq for PlayerSeat {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for PlayerSeat {}

impl fmt::Display for PlayerSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSeat::Here(seat) => seat.fmt(f),
            PlayerSeat::Gone(word) => f.write_str(word),
        }
    }
}

/// Reads `human`, an engine's spec, or the command of an existing program.
pub(crate) fn read(text: &str, game: &'static dyn AnyGame) -> Result<Seat, SeatError> {
    Seat::read_own(text, game, Path::new("."))
}

/// The seats in a form.
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

/// The default opponent.
pub fn default_opponent() -> Seat {
    Seat::Engine(Spec {
        level: Some(Level::Medium),
        ..Spec::from(Kind::Floe)
    })
}

/// Reads seats separated by commas; a part without its own kind belongs to the spec before it, as
/// in `human,mcts:nodes=10k,seed=3`.
pub fn read_all(text: &str, game: &'static dyn AnyGame) -> Result<Vec<Seat>, SeatError> {
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
    let seats = words.iter().map(|word| read(word, game));
    seats.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> &'static dyn AnyGame {
        floe_games::games()[0]
    }

    #[test]
    fn seats_read_back() {
        for seat in offered() {
            let word = seat.to_string();
            assert_eq!(
                PlayerSeat::from(read(&word, game()).unwrap()),
                PlayerSeat::from(seat)
            );
        }
        assert!(read("./there-is-no-such-bot", game()).is_err());
        let error = read("missing", game()).unwrap_err().to_string();
        assert!(error.contains("neither an engine nor a program"), "{error}");
    }

    #[test]
    fn commas_inside_a_spec_are_not_between_seats() {
        let seats = read_all("human,mcts:nodes=10k,seed=3,floe:hard", game()).unwrap();
        let words: Vec<String> = seats.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["human", "mcts:nodes=10k,seed=3", "floe:hard"]);
    }

    #[test]
    fn a_record_outlives_its_programs() {
        let gone = PlayerSeat::of_word("./there-is-no-such-bot", game());
        assert!(matches!(gone, PlayerSeat::Gone(_)));
        assert_eq!(gone.to_string(), "./there-is-no-such-bot");
        assert_eq!(gone.entrant().seat, gone.to_string());
        assert!(PlayerSeat::of_word("human", game()).is_human());
    }
}
