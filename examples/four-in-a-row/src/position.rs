//! A board, whose turn it is, and what a disc does.

use std::fmt;
use std::str::FromStr;

use floe_rules::{ParseError, Player, Position, Square, key};
use thiserror::Error;

/// How many discs in a line win.
const LINE: u32 = 4;

/// The discs on the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rack {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// From the bottom-left field, row by row.
    pub(crate) discs: Vec<Option<Player>>,
    pub(crate) mover: Player,
    pub(crate) winner: Option<Player>,
}

/// A disc dropped into a column, written as the column's letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Drop(pub(crate) u32);

impl fmt::Display for Drop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = Square::new(self.0, 0).to_string();
        f.write_str(square.trim_end_matches('1'))
    }
}

impl FromStr for Drop {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let square: Result<Square, ParseError> = format!("{text}1").parse();
        match square {
            Ok(Square { column, row: 0 }) => Ok(Drop(column)),
            _ => Err(ParseError::new(1, 1, "expected the letter of a column")),
        }
    }
}

/// Why a disc cannot be dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Illegal {
    #[error("the game is over")]
    Over,
    #[error("there is no column {0}")]
    NoColumn(Drop),
    #[error("column {0} is full")]
    Full(Drop),
}

impl Rack {
    pub(crate) fn empty(width: u32, height: u32) -> Self {
        Rack {
            width,
            height,
            discs: vec![None; width as usize * height as usize],
            mover: Player::new(0),
            winner: None,
        }
    }

    pub(crate) fn disc(&self, square: Square) -> Option<Player> {
        let is_here = square.column < self.width && square.row < self.height;
        is_here.then(|| self.discs[self.index(square)])?
    }

    fn index(&self, square: Square) -> usize {
        square.row as usize * self.width as usize + square.column as usize
    }

    /// Where a disc comes to rest.
    pub(crate) fn landing(&self, Drop(column): Drop) -> Option<Square> {
        let squares = (0..self.height).map(|row| Square::new(column, row));
        squares
            .into_iter()
            .find(|&square| self.disc(square).is_none())
    }

    /// The squares above this one, which mean its column too.
    pub(crate) fn above(&self, square: Square) -> impl Iterator<Item = Square> {
        let rows = square.row + 1..self.height;
        rows.map(move |row| Square::new(square.column, row))
    }

    fn is_full(&self) -> bool {
        self.discs.iter().all(Option::is_some)
    }

    /// Whether a disc of this player is part of a line through this field.
    pub(crate) fn wins(&self, player: Player, at: Square) -> bool {
        let reach = |right: i64, up: i64| {
            let square = |step: i64| {
                let column = u32::try_from(i64::from(at.column) + right * step).ok()?;
                let row = u32::try_from(i64::from(at.row) + up * step).ok()?;
                self.disc(Square::new(column, row))
            };
            let own = (1..i64::from(LINE)).take_while(|&step| square(step) == Some(player));
            own.count() as u32
        };
        let ways = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let is_line = |&(right, up): &(i64, i64)| reach(right, up) + reach(-right, -up) + 1 >= LINE;
        ways.iter().any(is_line)
    }
}

impl Position for Rack {
    type Move = Drop;
    type Illegal = Illegal;

    fn players(&self) -> u32 {
        2
    }

    fn turn(&self) -> Option<Player> {
        (self.winner.is_none() && !self.is_full()).then_some(self.mover)
    }

    /// By column, from the left.
    fn moves(&self, into: &mut Vec<Drop>) {
        into.clear();
        let drops = (0..self.width).map(Drop);
        into.extend(drops.filter(|&drop| self.check(drop).is_ok()));
    }

    fn check(&self, drop: Drop) -> Result<(), Illegal> {
        self.turn().ok_or(Illegal::Over)?;
        if drop.0 >= self.width {
            return Err(Illegal::NoColumn(drop));
        }
        self.landing(drop).map(|_| ()).ok_or(Illegal::Full(drop))
    }

    fn play_unchecked(&mut self, drop: Drop) {
        let at = self.landing(drop).expect("the column has room");
        let index = self.index(at);
        self.discs[index] = Some(self.mover);
        if self.wins(self.mover, at) {
            self.winner = Some(self.mover);
        }
        self.mover = self.mover.next(2);
    }

    /// A win is all there is.
    fn score(&self, player: Player) -> i64 {
        i64::from(self.winner == Some(player))
    }

    fn largest_margin(&self) -> Option<i64> {
        Some(1)
    }

    fn key(&self) -> u64 {
        let number = |disc: Option<Player>| disc.map_or(0, |player| u64::from(player.number()));
        let fields = self.discs.iter().enumerate();
        let fields = fields.map(|(i, &disc)| key::mix((i as u64 + 1) << 32 | number(disc)));
        fields.fold(key::mix(number(self.turn())), |key, field| key ^ field)
    }
}
