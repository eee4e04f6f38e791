//! Gamma, the game of areas.
//!
//! Players take fields of a board, one at a time. An area is a maximal edge-connected set of one
//! player's fields, and nobody may ever have more areas than the limit. Once in a game each player
//! may make a *golden move*: take a field that another player holds, if afterwards neither of
//! them has too many areas. Whoever can make neither a move nor a golden move is passed over, and
//! comes back if a golden move opens a way. The game ends when nobody can move; most fields win.
//!
//! It has two faces. [`Board`] lets any player move at any time; [`Position`] adds turns.
//!
//! | file | idea |
//! |---|---|
//! | `grid` | the fields; areas by union-find |
//! | `plain`, `golden` | the two kinds of moves and what can be asked about them |
//! | `cuts` | into how many pieces an area falls without a field: contours |
//! | `walk` | visiting an area in no extra memory |
//! | `players` | counters per player |

mod board;
mod choices;
mod cuts;
mod golden;
mod grid;
mod notation;
mod picture;
mod plain;
mod players;
mod position;
mod setup;
mod text;
mod view;
mod walk;

use std::ops::RangeInclusive;

pub use board::{Board, NewError, Refusal};
pub use notation::Move;
pub use position::{Illegal, Position};
pub use setup::Setup;

use crate::{Choice, Dialect, Game, Report, Setting, SetupError, Square, View};

/// How many may sit at a table. A [`Board`] takes any number of players, but the text of a
/// position names each of them.
pub const SEATS: RangeInclusive<u32> = 1..=65_535;

/// The game Gamma.
///
/// Its files start with the four numbers of the game and whose turn it is, and go on with the
/// board. The contest has no bot dialect, so programs speak the line protocol.
#[derive(Debug, Clone, Copy)]
pub struct Gamma;

impl Game for Gamma {
    type Position = Position;
    type Setup = Setup;

    const NAME: &'static str = "gamma";
    const TITLE: &'static str = "Gamma";
    const SEATS: RangeInclusive<u32> = SEATS;
    const SETUP_HELP: &'static str = setup::HELP;
    const SETTINGS: &'static [Setting] = choices::SETTINGS;
    const RULES: &'static str = choices::RULES;

    fn start(setup: &Setup, _seed: u64) -> Result<Position, SetupError> {
        if !SEATS.contains(&setup.players) {
            let most = SEATS.end();
            return Err(
                SetupError::new(format!("{} players can't sit down", setup.players))
                    .with_help(format!("a table has 1 to {most} seats")),
            );
        }
        let board = Board::new(setup.width, setup.height, setup.players, setup.areas);
        Ok(Position::new(
            board.map_err(|error| SetupError::new(error.to_string()))?,
        ))
    }

    fn parse(text: &str, report: &mut Report) -> Option<Position> {
        text::parse(text, report)
    }

    fn write(position: &Position) -> String {
        text::write(position)
    }

    fn view(position: &Position) -> View {
        view::view(position)
    }

    fn choices(position: &Position) -> Vec<Choice> {
        choices::choices(position)
    }

    fn refusal(position: &Position, _: Option<Square>, at: Square, is_special: bool) -> String {
        choices::refusal(position, at, is_special)
    }

    fn give_up(position: &Position) -> Option<Position> {
        position.given_up()
    }

    fn dialects() -> &'static [&'static dyn Dialect<Position>] {
        &[]
    }
}
