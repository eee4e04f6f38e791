//! A game small enough to be solved by hand: a row of coins, and everybody takes from its ends.

use std::fmt;
use std::str::FromStr;

use floe_rules::key::mix;
use floe_rules::{ParseError, Player, Position};
use floe_search::Dice;

/// Coins in a row. A move takes the first or the last one; a coin worth a multiple of three lets
/// the mover go on. The key leaves the scores out, as a game's key may.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Coins {
    row: Vec<u8>,
    scores: Vec<i64>,
    turn: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Take {
    First,
    Last,
}

impl Coins {
    /// A row of so many coins worth up to nine each.
    pub(crate) fn random(coins: usize, players: u32, seed: u64) -> Self {
        let mut dice = Dice::seeded(seed);
        Coins {
            row: (0..coins).map(|_| dice.index(10) as u8).collect(),
            scores: vec![0; players as usize],
            turn: 0,
        }
    }

    pub(crate) fn of(row: &[u8], players: u32) -> Self {
        Coins {
            row: row.to_vec(),
            scores: vec![0; players as usize],
            turn: 0,
        }
    }
}

impl Position for Coins {
    type Move = Take;
    type Illegal = fmt::Error;

    fn players(&self) -> u32 {
        self.scores.len() as u32
    }

    fn turn(&self) -> Option<Player> {
        (!self.row.is_empty()).then(|| Player::new(self.turn))
    }

    fn moves(&self, into: &mut Vec<Take>) {
        into.clear();
        match self.row.len() {
            0 => {}
            1 => into.push(Take::First),
            _ => into.extend([Take::First, Take::Last]),
        }
    }

    fn check(&self, mv: Take) -> Result<(), fmt::Error> {
        if self.legal_moves().contains(&mv) {
            Ok(())
        } else {
            Err(fmt::Error)
        }
    }

    fn play_unchecked(&mut self, mv: Take) {
        let coin = match mv {
            Take::First => self.row.remove(0),
            Take::Last => self.row.pop().expect("somebody takes from nothing"),
        };
        self.scores[self.turn as usize] += i64::from(coin);
        if coin % 3 != 0 {
            self.turn = (self.turn + 1) % self.players();
        }
    }

    fn score(&self, player: Player) -> i64 {
        self.scores[player.index()]
    }

    fn key(&self) -> u64 {
        let row = self.row.iter();
        row.fold(mix(self.turn.into()), |key, &c| mix(key ^ u64::from(c)))
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Take::First => "first",
            Take::Last => "last",
        })
    }
}

impl FromStr for Take {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "first" => Ok(Take::First),
            "last" => Ok(Take::Last),
            _ => Err(ParseError::new(1, 1, "no end of a row")),
        }
    }
}
