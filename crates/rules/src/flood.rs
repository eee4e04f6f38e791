//! Flood Wars, the race of two floods for a board of five colours.
//!
//! J owns the one-colour component of the bottom-left square, S that of the top-right one. They
//! move in turn, J first. A move names one of the three colours that neither player has: the
//! player's territory takes that colour and joins every adjacent square that has it. There is no
//! pass, and a move may gain nothing.
//!
//! The game ends when only two colours are left on the board, or after [`MOST_MOVES`] moves. A
//! player's score counts the squares owned and those that only this player can still absorb.
//! Unowned squares form edge-connected regions, whatever their colours. A region that touches one
//! territory counts for its player; a region that touches both counts for neither.
//!
//! ```
//! use floe_rules::{Game, Position, flood::{Flood, Move, Colour}};
//!
//! let mut position = Flood::read("J\n#+@\n@*#\n.*+\n")?;
//! position.play(Move(Colour::Star))?;
//! assert_eq!(Flood::write(&position), "S\n#+@\n@*#\n**+\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod choices;
mod colour;
mod dialect;
mod encoding;
mod graph;
mod lesson;
mod paint;
mod position;
mod setup;
mod slips;
mod text;
mod view;

use std::ops::RangeInclusive;

pub use board::{Board, BoardError};
pub use colour::{Colour, Move};
pub use graph::{Component, ComponentSet, Graph};
pub use position::{End, FloodPosition, Illegal, Reach};
pub use setup::{Setup, Style};

use crate::{
    Brush, Choice, Dialect, Encoding, Game, ParseError, Player, Report, Setting, SetupError,
    Square, Step, View,
};

/// The player who starts at the bottom left and moves first.
pub const J: Player = Player::new(0);
/// The player who starts at the top right.
pub const S: Player = Player::new(1);
/// The game ends after this many moves, counting both players.
pub const MOST_MOVES: u32 = 150;

/// The contest's letter for a player.
fn letter(player: Player) -> char {
    if player == J { 'J' } else { 'S' }
}

/// The game Flood Wars.
///
/// Its files are the contest's: a line with the letter of the player to move, then the board, a
/// line for each row from the top. After the letter may stand how many moves were made, which
/// the contest does not say; without it, it is the player's first.
#[derive(Debug, Clone, Copy)]
pub struct Flood;

impl Game for Flood {
    type Position = FloodPosition;
    type Setup = Setup;

    const NAME: &'static str = "flood";
    const TITLE: &'static str = "Flood Wars";
    const SEATS: RangeInclusive<u32> = 2..=2;
    const SETUP_HELP: &'static str = setup::HELP;
    const SETTINGS: &'static [Setting] = choices::SETTINGS;
    const UNIT: &'static str = "squares";
    const RULES: &'static str = choices::RULES;
    const PITCH: &'static str = "Pick a colour and watch your flood swallow the map. Take the middle first, or be walled in.";
    const LESSON: &'static [Step] = lesson::LESSON;
    const FIRST_SETUP: &'static str = lesson::FIRST_SETUP;
    const PUZZLES: &'static str = include_str!("flood/puzzles.json");
    /// 50 each way is the contest's largest.
    const CONFORMANCE_SETUPS: &'static [&'static str] =
        &["", "12x1", "1x12", "2x2", "50x50,style=fair"];
    const MEMORY_MIB: u64 = 128;
    const MARGINS_PART_EQUALS: bool = true;

    fn start(setup: &Setup, seed: u64) -> Result<FloodPosition, SetupError> {
        let board = setup.board(seed).map_err(|error| SetupError::Size {
            columns: setup.width,
            rows: setup.height,
            help: error.to_string().into(),
        })?;
        Ok(FloodPosition::new(&board))
    }

    fn parse(text: &str, report: &mut Report) -> Option<FloodPosition> {
        text::parse(text, report)
    }

    fn write(position: &FloodPosition) -> String {
        text::write(position)
    }

    /// Writes the number of moves after the letter in every case.
    fn spell(position: &FloodPosition) -> String {
        text::write_counted(position)
    }

    fn view(position: &FloodPosition) -> View {
        view::view(position)
    }

    fn choices(position: &FloodPosition) -> Vec<Choice> {
        choices::choices(position)
    }

    fn refusal(position: &FloodPosition, _: Option<Square>, at: Square, _: bool) -> String {
        choices::refusal(position, at)
    }

    /// The opponent gets every square.
    fn forfeit(position: &FloodPosition, loser: Player) -> Vec<i64> {
        let graph = position.graph();
        let squares = i64::from(graph.width()) * i64::from(graph.height());
        let score = |player| if player == loser { 0 } else { squares };
        Player::all(2).map(score).collect()
    }

    fn brushes(_text: &str) -> Vec<Brush> {
        paint::brushes()
    }

    fn paint(text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
        paint::paint(text, square, word)
    }

    /// `contest` reads an answer exactly except for line ends; `strict` reads line ends exactly
    /// too.
    fn dialects() -> &'static [&'static dyn Dialect<FloodPosition>] {
        &[
            &dialect::ContestDialect { is_strict: false },
            &dialect::ContestDialect { is_strict: true },
        ]
    }

    fn board(position: &FloodPosition) -> String {
        text::write_bare(position)
    }

    fn encoding(position: &FloodPosition) -> Encoding {
        encoding::encoding(position)
    }

    fn plane_name(_: &FloodPosition, plane: u64) -> String {
        encoding::plane_name(plane)
    }

    fn observe(position: &FloodPosition, seat: Player, into: &mut [u8]) {
        encoding::observe(position, seat, into);
    }

    fn action(_: &FloodPosition, mv: Move) -> Option<u64> {
        encoding::action(mv)
    }

    fn action_move(_: &FloodPosition, action: u64) -> Option<Move> {
        encoding::action_move(action)
    }

    fn mask(position: &FloodPosition, into: &mut [i8]) {
        encoding::mask(position, into);
    }
}
