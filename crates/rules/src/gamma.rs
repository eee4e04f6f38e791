//! Gamma, the game of areas.
//!
//! Players take fields of a board, one at a time. An area is a maximal edge-connected set of one
//! player's fields, and no player may ever have more areas than the limit. Once in a game each
//! player may make a *golden move*: take a field that another player holds, if afterwards neither
//! of them has too many areas. A player who can make neither a move nor a golden move is skipped,
//! and returns if a golden move makes one possible. The game ends when no player can move; most
//! fields win.
//!
//! The module has two main types. [`Board`] lets any player move at any time; [`GammaPosition`]
//! adds turns.
//!
//! | file | idea |
//! |---|---|
//! | `grid`, `areas` | the fields; areas by union-find |
//! | `holes` | do an owner's areas have holes? |
//! | `plain`, `golden` | the two kinds of moves and what can be asked about them |
//! | `cuts` | into how many pieces an area falls without a field: contours |
//! | `split`, `fill` | an area that falls apart: the pieces by runs of fields |
//! | `walk` | visiting an area in no extra memory |
//! | `players` | counters per player |

mod areas;
mod assignment;
mod board;
mod choices;
mod cuts;
mod encoding;
mod fill;
mod golden;
mod grid;
mod grounds;
mod holes;
mod lesson;
mod memory;
mod notation;
mod opening;
mod paint;
mod picture;
mod plain;
mod players;
mod position;
mod refusal;
mod setup;
mod split;
mod survey;
mod tally;
mod text;
mod view;
mod walk;

use std::ops::RangeInclusive;

pub use board::Board;
pub use memory::{Lent, Loan, Memory, Need, Own};
pub use notation::Move;
pub use position::{GammaPosition, Illegal};
pub use refusal::{NewError, Refusal};
pub use setup::Setup;
pub use tally::Tally;

use crate::{
    Brush, Choice, Dialect, Encoding, Game, ParseError, Player, Report, Setting, SetupError,
    Square, Step, View,
};

/// The allowed numbers of seats. A [`Board`] takes any number of players, but the text of a
/// position names each of them.
pub const SEATS: RangeInclusive<u32> = 1..=65_535;

/// The game Gamma.
///
/// Its files start with the four numbers of the game and the player to move; the board follows. The
/// contest has no bot dialect, so programs speak the line protocol.
#[derive(Debug, Clone, Copy)]
pub struct Gamma;

impl Game for Gamma {
    type Position = GammaPosition;
    type Setup = Setup;

    const NAME: &'static str = "gamma";
    const TITLE: &'static str = "Gamma";
    const SEATS: RangeInclusive<u32> = SEATS;
    const SETUP_HELP: &'static str = setup::HELP;
    const SETTINGS: &'static [Setting] = choices::SETTINGS;
    const SPECIAL_MOVE: Option<&'static str> = Some(choices::GOLDEN_MOVE);
    const UNIT: &'static str = "fields";
    const RULES: &'static str = choices::RULES;
    const PITCH: &'static str = "Claim the board square by square. Spread too thin and you are stuck, unless you saved your one golden move.";
    const LESSON: &'static [Step] = lesson::LESSON;
    const FIRST_SETUP: &'static str = lesson::FIRST_SETUP;
    const PUZZLES: &'static str = include_str!("gamma/puzzles.json");
    const PLAYERS_SETTING: Option<&'static str> = Some("players");
    const CONFORMANCE_SETUPS: &'static [&'static str] =
        &["", "12x1", "1x12", "2x2", "20x20", "7x7,players=3"];

    fn start(setup: &Setup, _seed: u64) -> Result<GammaPosition, SetupError> {
        let (columns, rows) = (setup.width, setup.height);
        if !SEATS.contains(&setup.players) {
            return Err(SetupError::Players {
                players: setup.players,
                seats: SEATS,
            });
        }
        if setup.areas == 0 {
            return Err(
                SetupError::setting("areas", "the limit of areas is 0; give at least 1")
                    .with_help("areas is at least 1"),
            );
        }
        let board = Board::new(columns, rows, setup.players, setup.areas);
        let board = board.map_err(|error| match error {
            NewError::Zero => SetupError::Size {
                columns,
                rows,
                help: "a board has at least one column and one row".into(),
            },
            NewError::Memory => SetupError::Memory { columns, rows },
        })?;
        Ok(GammaPosition::new(board))
    }

    fn parse(text: &str, report: &mut Report) -> Option<GammaPosition> {
        text::parse(text, report)
    }

    fn write(position: &GammaPosition) -> String {
        text::write(position)
    }

    fn view(position: &GammaPosition) -> View {
        view::view(position)
    }

    fn choices(position: &GammaPosition) -> Vec<Choice> {
        choices::choices(position)
    }

    fn refusal(
        position: &GammaPosition,
        _: Option<Square>,
        at: Square,
        is_special: bool,
    ) -> String {
        choices::refusal(position, at, is_special)
    }

    fn give_up(position: &GammaPosition) -> Option<GammaPosition> {
        position.given_up()
    }

    fn assignment() -> Option<&'static dyn crate::assignment::Assignment> {
        Some(&assignment::Course)
    }

    fn opening_moves(start: &GammaPosition) -> Option<u32> {
        Some(opening::moves(start.board()))
    }

    fn opening_move(position: &GammaPosition, random: &mut crate::random::Random) -> Move {
        opening::draw(position, random)
    }

    fn brushes(text: &str) -> Vec<Brush> {
        paint::brushes(text)
    }

    fn paint(text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
        paint::paint(text, square, word)
    }

    fn dialects() -> &'static [&'static dyn Dialect<GammaPosition>] {
        &[]
    }

    fn encoding(position: &GammaPosition) -> Encoding {
        encoding::encoding(position)
    }

    fn plane_name(position: &GammaPosition, plane: u64) -> String {
        encoding::plane_name(plane, position.board().players())
    }

    fn observe(position: &GammaPosition, seat: Player, into: &mut [u8]) {
        encoding::observe(position, seat, into);
    }

    fn action(position: &GammaPosition, mv: Move) -> Option<u64> {
        encoding::action(position, mv)
    }

    fn action_move(position: &GammaPosition, action: u64) -> Option<Move> {
        encoding::action_move(position, action)
    }

    fn mask(position: &GammaPosition, into: &mut [i8]) {
        encoding::mask(position, into);
    }
}
