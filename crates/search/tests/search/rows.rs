//! A game without points: whoever has so many in a row first has won, and that is all.

use std::fmt;
use std::str::FromStr;

use floe_rules::key::mix;
use floe_rules::{ParseError, Player, Position};

/// A board on which players take free fields in turn. Scores are 0 until somebody has a row,
/// then 1 for that player; a full board without a row is a draw.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rows {
    width: u8,
    /// How many in a row win.
    length: u8,
    players: u8,
    turn: u8,
    winner: Option<u8>,
    /// Who holds each field, row by row.
    owners: Vec<Option<u8>>,
}

/// The field to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Field(u8);

impl Rows {
    pub(crate) fn new(width: u8, height: u8, length: u8, players: u8) -> Self {
        Rows {
            width,
            length,
            players,
            turn: 0,
            winner: None,
            owners: vec![None; usize::from(width) * usize::from(height)],
        }
    }

    /// Whether the last stone, on `field`, made a row.
    fn is_row(&self, field: u8) -> bool {
        let owner = self.owners[usize::from(field)];
        let (column, row) = (i32::from(field % self.width), i32::from(field / self.width));
        let holds = |column: i32, row: i32| {
            let inside = (0..i32::from(self.width)).contains(&column) && row >= 0;
            let at = (row * i32::from(self.width) + column) as usize;
            inside && self.owners.get(at) == Some(&owner)
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
            let count = |sign: i32| {
                let steps =
                    (1..).take_while(|i| holds(column + sign * i * dx, row + sign * i * dy));
                steps.count()
            };
            1 + count(1) + count(-1) >= usize::from(self.length)
        })
    }
}

impl Position for Rows {
    type Move = Field;
    type Illegal = fmt::Error;

    fn players(&self) -> u32 {
        self.players.into()
    }

    fn turn(&self) -> Option<Player> {
        let is_open = self.winner.is_none() && self.owners.contains(&None);
        is_open.then(|| Player::new(self.turn.into()))
    }

    fn moves(&self, into: &mut Vec<Field>) {
        into.clear();
        if self.turn().is_some() {
            let fields = (0..).zip(&self.owners);
            into.extend(fields.filter(|(_, o)| o.is_none()).map(|(i, _)| Field(i)));
        }
    }

    fn check(&self, mv: Field) -> Result<(), fmt::Error> {
        match self.legal_moves().contains(&mv) {
            true => Ok(()),
            false => Err(fmt::Error),
        }
    }

    fn play_unchecked(&mut self, mv: Field) {
        self.owners[usize::from(mv.0)] = Some(self.turn);
        if self.is_row(mv.0) {
            self.winner = Some(self.turn);
        }
        self.turn = (self.turn + 1) % self.players;
    }

    fn score(&self, player: Player) -> i64 {
        i64::from(self.winner.map(u32::from) == Some(player.number() - 1))
    }

    fn largest_margin(&self) -> Option<i64> {
        Some(1)
    }

    fn key(&self) -> u64 {
        let fields = (1..).zip(&self.owners);
        fields.fold(mix(self.turn.into()), |key, (i, owner)| match owner {
            Some(owner) => key ^ mix(i << 8 | u64::from(*owner)),
            None => key,
        })
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Field {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = text.parse().map(Field);
        number.map_err(|_| ParseError::new(1, 1, "no number of a field"))
    }
}
