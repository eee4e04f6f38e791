//! Four in a Row: players take turns dropping a disc into a column; whoever has four in a line wins.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use floe_rules::setup::{SetupEntry, parts};
use floe_rules::{
    Answer, Cell, Choice, Dialect, DialectError, Drawing, Game, ParseError, Player, Position,
    Prospect, Report, Request, SeatView, SetupError, Shade, Square, View,
};

use crate::position::{Drop, Rack};
use crate::text::{self, LONGEST};

/// The game.
pub(crate) struct FourInARow;

/// The board's size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setup {
    width: u32,
    height: u32,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            width: 7,
            height: 6,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Setup {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut setup = Setup::default();
        for part in parts(text) {
            let part = part?;
            match part.entry {
                SetupEntry::Size(width, height) => (setup.width, setup.height) = (width, height),
                SetupEntry::Pair(..) => return Err(part.unknown(FourInARow::SETUP_HELP)),
            }
        }
        Ok(setup)
    }
}

impl Game for FourInARow {
    type Position = Rack;
    type Setup = Setup;

    const NAME: &'static str = "four-in-a-row";
    const TITLE: &'static str = "Four in a Row";
    const SEATS: RangeInclusive<u32> = 2..=2;
    const SETUP_HELP: &'static str = "WxH: columns and rows, 1 to 26 each";
    const RULES: &'static str = "\
Players take turns dropping a disc into a column.
The disc falls onto the highest disc there, or to the bottom.
Four of your discs in a row, a column or a diagonal win.
A full board without such a line is a draw.";
    const CONFORMANCE_SETUPS: &'static [&'static str] = &["", "4x4", "12x10"];

    fn start(setup: &Setup, _: u64) -> Result<Rack, SetupError> {
        let is_side = |side: u32| (1..=LONGEST).contains(&side);
        if !is_side(setup.width) || !is_side(setup.height) {
            return Err(SetupError::new("a board has 1 to 26 columns and rows"));
        }
        Ok(Rack::empty(setup.width, setup.height))
    }

    fn parse(text: &str, report: &mut Report) -> Option<Rack> {
        text::read(text).map_err(|error| report.error(error)).ok()
    }

    fn write(rack: &Rack) -> String {
        text::write(rack)
    }

    fn view(rack: &Rack) -> View {
        let rows = rack.discs.chunks(rack.width as usize).rev();
        let cell = |&owner: &Option<Player>| Cell {
            owner,
            glyph: text::glyph(owner),
            shade: Shade::Plain,
            prospect: Prospect::Open,
        };
        let seat = |player| SeatView {
            name: String::new(),
            score: rack.score(player),
            note: String::new(),
        };
        View {
            width: rack.width,
            height: rack.height,
            cells: rows.flatten().map(cell).collect(),
            phase: String::new(),
            seats: Player::all(2).map(seat).collect(),
            notes: Vec::new(),
            task: match rack.turn() {
                Some(_) => "drop a disc into a column".to_owned(),
                None => String::new(),
            },
            drawing: Drawing::default(),
        }
    }

    /// A disc is dropped by pointing at the field where it comes to rest.
    fn choices(rack: &Rack) -> Vec<Choice> {
        let choice = |drop: Drop| {
            let landing = rack.landing(drop)?;
            let is_win = rack.wins(rack.mover, landing);
            Some(
                Choice::new(drop.to_string())
                    .to(landing)
                    .or_at(rack.above(landing))
                    .gaining(i64::from(is_win)),
            )
        };
        rack.legal_moves().into_iter().filter_map(choice).collect()
    }

    fn refusal(rack: &Rack, _: Option<Square>, at: Square, _: bool) -> String {
        match rack.check(Drop(at.column)) {
            Err(illegal) => illegal.to_string(),
            Ok(()) => format!("a disc in column {} does not rest on {at}", Drop(at.column)),
        }
    }

    /// Every game starts with the empty board, so that a contest draws the first moves.
    fn opening_moves(_: &Rack) -> Option<u32> {
        Some(3)
    }

    fn dialects() -> &'static [&'static dyn Dialect<Rack>] {
        &[&Columns]
    }
}

/// Programs read the file on standard input and print the letter of a column.
struct Columns;

impl Dialect<Rack> for Columns {
    fn name(&self) -> &'static str {
        "columns"
    }

    fn request(&self, rack: &Rack, _name: Option<&str>) -> Request {
        Request {
            input: text::write(rack),
            ..Request::default()
        }
    }

    fn reply(&self, _rack: &Rack, _name: Option<&str>, mv: Drop) -> String {
        format!("{mv}\n")
    }

    fn answer(
        &self,
        rack: &Rack,
        _name: Option<&str>,
        answer: &str,
    ) -> Result<Answer<Drop>, DialectError> {
        let drop: Drop = answer.trim().parse()?;
        let illegal = |error: crate::position::Illegal| ParseError::new(1, 1, error.to_string());
        rack.check(drop)
            .map_err(|error| DialectError::illegal(illegal(error)))?;
        Ok(Answer::plain(drop))
    }
}
