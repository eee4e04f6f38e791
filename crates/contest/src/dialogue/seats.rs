//! The seats of a game: people, and engines of several levels.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use floe_rules::text::quoted;
use floe_rules::{Player, Position};
use floe_search::{Engine, Kind, Level, Roster, Spec};

use super::{Dialogue, Stop};

/// Time limit of the strongest engine, per move. The other levels have node limits, which take less
/// time; for them, the time limit only matters on overloaded machines.
const TIME: Duration = Duration::from_secs(1);
const MOST_TIME: Duration = Duration::from_secs(10);

/// A player of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// A person at the keyboard.
    Person,
    /// An engine of this level.
    Engine(Level),
}

impl Seat {
    /// Asks who plays for `name`; an empty answer takes `default`.
    pub fn ask(dialogue: &mut Dialogue<'_>, name: &str, default: Seat) -> Result<Seat, Stop> {
        let choices = format!("person, {}", levels());
        let question = format!("Who plays {name} ({choices})? [{}]", default.word());
        let help = "A person types moves here; the other words are engines, weakest first.";
        dialogue.ask(&question, help, |answer| {
            if answer.is_empty() {
                return Ok(default);
            }
            Seat::read(answer).ok_or_else(|| {
                let word = quoted(answer);
                format!("Unknown player {word}: type one of {choices}.")
            })
        })
    }

    /// Reads a seat's word, a prefix of the word, or a synonym.
    fn read(answer: &str) -> Option<Seat> {
        let answer = answer.to_lowercase();
        let word = answer.strip_prefix("floe:").unwrap_or(&answer);
        match word {
            "" => return None,
            "me" | "i" | "human" => return Some(Seat::Person),
            "engine" | "computer" | "floe" => return Some(Seat::Engine(Level::Medium)),
            _ => {}
        }
        let mut seats = std::iter::once(Seat::Person).chain(Level::ALL.map(Seat::Engine));
        // `m` alone is the medium level, which comes before `max`.
        seats.find(|seat| seat.word().starts_with(word))
    }

    fn word(self) -> &'static str {
        match self {
            Seat::Person => "person",
            Seat::Engine(level) => level.name(),
        }
    }
}

fn levels() -> String {
    Level::ALL.map(Level::name).join(", ")
}

/// All seats of one game.
pub struct Seats<P: Position> {
    seats: Vec<Seated<P>>,
}

struct Seated<P: Position> {
    letter: char,
    seat: Seat,
    spec: Spec,
    engine: Option<Box<dyn Engine<P>>>,
}

impl<P: Position> fmt::Debug for Seats<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats = self.seats.iter().map(|seated| (seated.letter, seated.seat));
        f.debug_map().entries(seats).finish()
    }
}

impl<P: Position> Seats<P> {
    /// The seats of a game, each with its letter. The engines' dice depend on the seed.
    pub fn new(
        seats: impl IntoIterator<Item = (char, Seat)>,
        roster: &Roster<P>,
        seed: u64,
    ) -> Self {
        let seated = |((letter, seat), seed): ((char, Seat), u64)| {
            let level = match seat {
                Seat::Person => None,
                Seat::Engine(level) => Some(level),
            };
            let spec = Spec {
                level,
                seed: Some(seed),
                ..Spec::from(Kind::Floe)
            };
            Seated {
                letter,
                seat,
                spec,
                engine: level.map(|_| roster.engine(&spec)),
            }
        };
        let seats = seats.into_iter().zip(seed..);
        Seats {
            seats: seats.map(seated).collect(),
        }
    }

    /// The letter of a player at the table.
    pub fn letter(&self, player: Player) -> char {
        self.seats[player.index()].letter
    }

    /// The player's name, with the engine's level: `B (hard)`.
    pub fn name(&self, player: Player) -> String {
        let Seated { letter, seat, .. } = &self.seats[player.index()];
        match seat {
            Seat::Person => letter.to_string(),
            Seat::Engine(level) => format!("{letter} ({})", level.name()),
        }
    }

    /// The move of the engine in the seat to move; `None` if a person sits there or the game is
    /// over.
    pub fn engine_move(&mut self, position: &P) -> Option<P::Move> {
        let seated = &mut self.seats[position.turn()?.index()];
        let is_held_back = seated.spec.level != Some(Level::Max);
        let time = if is_held_back { MOST_TIME } else { TIME };
        let limits = seated.spec.limits(time);
        let engine = seated.engine.as_mut()?;
        Some(engine.think(position, &limits).best)
    }
}

/// `A`, `A and B`, `A, B and C`.
pub fn listed<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match &items[..] {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A random seed, short enough to be typed.
pub fn seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_engines_by_word_or_its_beginning() {
        use Level::{Easy, Hard, Max, Medium};
        for (text, seat) in [
            ("person", Seat::Person),
            ("P", Seat::Person),
            ("human", Seat::Person),
            ("me", Seat::Person),
            ("easy", Seat::Engine(Easy)),
            ("m", Seat::Engine(Medium)),
            ("HARD", Seat::Engine(Hard)),
            ("max", Seat::Engine(Max)),
            ("floe:hard", Seat::Engine(Hard)),
            ("engine", Seat::Engine(Medium)),
        ] {
            assert_eq!(Seat::read(text), Some(seat), "{text}");
        }
        for text in ["hardest", "2", "floe:", "a person"] {
            assert_eq!(Seat::read(text), None, "{text}");
        }
    }

    #[test]
    fn lists_in_words() {
        assert_eq!(listed(["A"]), "A");
        assert_eq!(listed(["A", "B"]), "A and B");
        assert_eq!(listed(["A", "B", "C"]), "A, B and C");
        assert_eq!(listed::<&str>([]), "");
    }
}
