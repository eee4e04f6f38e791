//! Penguins: the square-grid form of the board game about penguins and fish, for which first-year
//! students in Warsaw write programs.
//!
//! The board is a grid of fields, each water or an ice floe with 1, 2 or 3 fish. Every player has
//! the same number of penguins.
//!
//! *Placement.* In turn, each player puts one penguin on an unoccupied floe with exactly one fish
//! and collects that fish. It is compulsory while there is such a floe; placement ends when every
//! penguin stands or no player can place one.
//!
//! *Movement.* From player 1 on, each player moves one penguin in a straight line along a row or a
//! column, any distance, to an unoccupied floe, never over water or over any penguin. The floe it
//! leaves turns to water, and the fish at the target are collected. A player who can move must; a
//! player who cannot is skipped, and nothing ever frees a blocked penguin. The game ends when no
//! penguin can move, and most fish wins.
//!
//! # The text form
//!
//! The contest's state file: `rows columns`, a line of two-digit fields per row (fish, then owner),
//! then a line `ID number score` per player. The file states neither the number of players, nor of
//! penguins, nor the player to move; [`State::position_given`] infers them correctly in a regular
//! game between two. Where it would be wrong, we write the rest on line 1: `10 10 players=3
//! penguins=2 turn=3`, where `turn=-` is the end of the game, and `phase=movement` if the penguins
//! move although some are not placed.
//!
//! ```
//! use floe_rules::{Game, Position, penguins::Penguins};
//!
//! let mut position = Penguins::read("2 3\n10 20 30\n00 01 02\nfloe 1 1\nother 2 4\n")?;
//! assert_eq!(position.turn().map(|p| p.number()), Some(1));
//! position.play("b1-b2".parse()?)?;
//! assert_eq!(position.scores(), [3, 4]);
//! assert_eq!(
//!     Penguins::board(&position),
//!     "2 3\n10 01 30\n00 00 02\nfloe 1 3\nother 2 4\n",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::RangeInclusive;

mod bits;
mod check;
mod choices;
mod dialect;
mod encoding;
mod feature;
mod flock;
mod generate;
mod ids;
mod lesson;
mod moves;
mod paint;
mod picture;
mod position;
mod read;
mod setup;
mod shape;
mod slips;
mod state;
mod sweep;
mod trials;

pub use bits::{Bits, Iter};
pub use dialect::ContestDialect;
pub use ids::is_id;
pub use moves::{Illegal, Move, Spot};
pub use position::PenguinsPosition;
pub use setup::{Setup, Style};
pub use shape::{LONGEST, Shape};
pub use state::{Field, Known, PlayerLine, State};

use crate::{
    Brush, Choice, Dialect, Encoding, Game, ParseError, Player, Position, Report, Setting,
    SetupError, Square, Step, View,
};

/// Numbers in the files have one digit.
const MOST_PLAYERS: usize = 9;

/// Scores have at most nine digits: a score that starts near the limit stops there.
const HIGHEST_SCORE: u32 = 999_999_999;

/// Default number of penguins per player.
const DEFAULT_PENGUINS: u32 = 3;

/// Placement or movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Phase {
    /// The phase in which penguins are placed.
    Placement,
    /// Penguins slide, until none can.
    Movement,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Placement => "placement",
            Phase::Movement => "movement",
        })
    }
}

/// The game of Penguins.
#[derive(Debug, Clone, Copy)]
pub struct Penguins;

impl Game for Penguins {
    type Position = PenguinsPosition;
    type Setup = Setup;

    const NAME: &'static str = "penguins";
    const TITLE: &'static str = "Penguins";
    const SEATS: RangeInclusive<u32> = 1..=MOST_PLAYERS as u32;
    const SETUP_HELP: &'static str = setup::HELP;
    const SETTINGS: &'static [Setting] = choices::SETTINGS;
    const UNIT: &'static str = "fish";
    const RULES: &'static str = choices::RULES;
    const PITCH: &'static str = "Slide across the ice, snatch the fish and strand your rival, while every floe you leave melts behind you.";
    const LESSON: &'static [Step] = lesson::LESSON;
    const FIRST_SETUP: &'static str = lesson::FIRST_SETUP;
    const PUZZLES: &'static str = include_str!("penguins/puzzles.json");
    /// 20 each way is the contest's largest.
    const PLAYERS_SETTING: Option<&'static str> = Some("players");
    const CONFORMANCE_SETUPS: &'static [&'static str] = &[
        "",
        "12x1",
        "1x12",
        "2x2,penguins=1",
        "20x20",
        "7x7,players=3",
    ];

    fn start(setup: &Setup, seed: u64) -> Result<PenguinsPosition, SetupError> {
        generate::start(setup, seed)
    }

    fn parse(text: &str, report: &mut Report) -> Option<PenguinsPosition> {
        State::parse(text, report)?.position(report)
    }

    /// The contest's files do not give the numbers of players and of penguins each: `players=` and
    /// `penguins=` may follow the size on line 1.
    fn complete(text: &str, words: &str) -> Result<String, String> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let mut line = first.trim_end().to_owned();
        for word in words.split(',').map(str::trim) {
            let name = word.split('=').next().unwrap_or_default();
            if !matches!(name, "players" | "penguins") || name == word {
                return Err(format!(
                    "a board leaves open players=N and penguins=N, and not {}",
                    crate::text::quoted(word)
                ));
            }
            if line
                .split_whitespace()
                .any(|said| said.split('=').next() == Some(name))
            {
                return Err(format!("the board says {name}= itself"));
            }
            line.push(' ');
            line.push_str(word);
        }
        Ok(format!("{line}\n{rest}"))
    }

    /// The contest's state file, with more on line 1 only if the plain file would mean another
    /// position.
    fn write(position: &PenguinsPosition) -> String {
        let mut state = State::of(position);
        let is_told = |state: &State| {
            let told = state.position(&mut Report::new());
            told.as_ref() == Some(position)
        };
        if !is_told(&state) {
            state.announce(position, false);
            if !is_told(&state) {
                state.announce(position, true);
            }
        }
        state.to_string()
    }

    /// Writes players, penguins, phase and turn on line 1 in every case.
    fn spell(position: &PenguinsPosition) -> String {
        let mut state = State::of(position);
        state.announce(position, true);
        state.to_string()
    }

    fn view(position: &PenguinsPosition) -> View {
        picture::view(position)
    }

    fn choices(position: &PenguinsPosition) -> Vec<Choice> {
        choices::choices(position)
    }

    fn refusal(position: &PenguinsPosition, from: Option<Square>, at: Square, _: bool) -> String {
        choices::refusal(position, from, at)
    }

    fn brushes(text: &str) -> Vec<Brush> {
        paint::brushes(text)
    }

    fn paint(text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
        paint::paint(text, square, word)
    }

    fn dialects() -> &'static [&'static dyn Dialect<PenguinsPosition>] {
        &[&ContestDialect]
    }

    fn board(position: &PenguinsPosition) -> String {
        State::of(position).to_string()
    }

    fn encoding(position: &PenguinsPosition) -> Encoding {
        encoding::encoding(position)
    }

    fn plane_name(position: &PenguinsPosition, plane: u64) -> String {
        encoding::plane_name(plane, position.players())
    }

    fn observe(position: &PenguinsPosition, seat: Player, into: &mut [u8]) {
        encoding::observe(position, seat, into);
    }

    fn action(position: &PenguinsPosition, mv: Move) -> Option<u64> {
        encoding::action(position.shape(), mv)
    }

    fn action_move(position: &PenguinsPosition, action: u64) -> Option<Move> {
        encoding::action_move(position.shape(), action)
    }

    fn mask(position: &PenguinsPosition, into: &mut [i8]) {
        encoding::mask(position, into);
    }
}
