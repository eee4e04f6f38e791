//! Shy, a game that exists to be the fourth: in turn, players sit down on free fields, never
//! edge to edge with themselves. Who has no such field left is passed over; the game ends when
//! that is everybody, and whoever sits on most fields wins.
//!
//! Moves are listed row by row from the bottom-left field. The file is a line `players turn`
//! (`-` once the game is over), then the rows from the top, `.` or the player's number each.

use std::fmt;
use std::str::FromStr;

use floe_rules::setup::{SetupEntry, parts};
use floe_rules::text::{TextLine, lines};
use floe_rules::{
    Answer, Cell, Choice, Dialect, DialectError, Drawing, Game, ParseError, Player, Position,
    Prospect, Report, Request, SeatView, SetupError, Shade, Square, View, key,
};
use thiserror::Error;

pub(crate) struct Shy;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Hall {
    width: u32,
    players: u32,
    /// From the bottom-left field, row by row.
    fields: Vec<Option<Player>>,
    turn: Option<Player>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sit(pub(crate) Square);

impl fmt::Display for Sit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Sit {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(Sit)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Illegal {
    #[error("the game is over")]
    Over,
    #[error("{0} is not on the board")]
    Outside(Square),
    #[error("somebody sits on {0}")]
    Taken(Square),
    #[error("{0} is next to your own {1}")]
    NextToOwn(Square, Square),
}

impl Hall {
    fn height(&self) -> u32 {
        self.fields.len() as u32 / self.width
    }

    fn square(&self, index: usize) -> Square {
        Square::new(index as u32 % self.width, index as u32 / self.width)
    }

    fn index(&self, square: Square) -> Option<usize> {
        let index = square.row as usize * self.width as usize + square.column as usize;
        (square.column < self.width && index < self.fields.len()).then_some(index)
    }

    fn neighbours(&self, square: Square) -> impl Iterator<Item = usize> {
        let Square { column, row } = square;
        let around = [
            (column.wrapping_sub(1), row),
            (column + 1, row),
            (column, row.wrapping_sub(1)),
            (column, row + 1),
        ];
        around.into_iter().filter_map(|(column, row)| {
            (row < self.height()).then(|| self.index(Square::new(column, row)))?
        })
    }

    fn check_for(&self, player: Player, square: Square) -> Result<usize, Illegal> {
        let index = self.index(square).ok_or(Illegal::Outside(square))?;
        if self.fields[index].is_some() {
            return Err(Illegal::Taken(square));
        }
        match self
            .neighbours(square)
            .find(|&n| self.fields[n] == Some(player))
        {
            Some(own) => Err(Illegal::NextToOwn(square, self.square(own))),
            None => Ok(index),
        }
    }

    fn seats_left(&self, player: Player) -> impl Iterator<Item = Sit> {
        let squares = (0..self.fields.len()).map(|i| self.square(i));
        squares
            .filter(move |&to| self.check_for(player, to).is_ok())
            .map(Sit)
    }

    /// `first` or whoever comes next and has a move.
    fn next_mover(&self, first: Player) -> Option<Player> {
        let mut player = first;
        (0..self.players).find_map(|_| {
            let mover = player;
            player = player.next(self.players);
            self.seats_left(mover).next().map(|_| mover)
        })
    }
}

impl Position for Hall {
    type Move = Sit;
    type Illegal = Illegal;

    fn players(&self) -> u32 {
        self.players
    }

    fn turn(&self) -> Option<Player> {
        self.turn
    }

    fn moves(&self, into: &mut Vec<Sit>) {
        into.clear();
        into.extend(self.turn.iter().flat_map(|&mover| self.seats_left(mover)));
    }

    fn check(&self, Sit(to): Sit) -> Result<(), Illegal> {
        self.check_for(self.turn.ok_or(Illegal::Over)?, to)
            .map(drop)
    }

    fn play_unchecked(&mut self, Sit(to): Sit) {
        let mover = self.turn.expect("the game is over");
        let index = self.index(to).expect("on the board");
        self.fields[index] = Some(mover);
        self.turn = self.next_mover(mover.next(self.players));
    }

    fn score(&self, player: Player) -> i64 {
        self.fields
            .iter()
            .filter(|&&owner| owner == Some(player))
            .count() as i64
    }

    fn key(&self) -> u64 {
        let number = |p: Option<Player>| p.map_or(0, |p| u64::from(p.number()));
        let fields = self.fields.iter().enumerate();
        let fields = fields.map(|(i, &owner)| key::mix((i as u64 + 1) << 32 | number(owner)));
        fields.fold(key::mix(number(self.turn)), |key, field| key ^ field)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setup {
    width: u32,
    height: u32,
    players: u32,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            width: 6,
            height: 5,
            players: 2,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{},players={}", self.width, self.height, self.players)
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
                SetupEntry::Pair("players", value) => setup.players = part.number(value)?,
                SetupEntry::Pair(..) => return Err(part.unknown(Shy::SETUP_HELP)),
            }
        }
        Ok(setup)
    }
}

impl Game for Shy {
    type Position = Hall;
    type Setup = Setup;

    const NAME: &'static str = "shy";
    const TITLE: &'static str = "Shy";
    const SEATS: std::ops::RangeInclusive<u32> = 1..=9;
    const PLAYERS_SETTING: Option<&'static str> = Some("players");
    const CONFORMANCE_SETUPS: &'static [&'static str] = &["", "12x1", "1x12", "20x20"];
    const SETUP_HELP: &'static str = "WxH: columns and rows\nplayers=1..9";

    fn start(setup: &Setup, _: u64) -> Result<Hall, SetupError> {
        let &Setup {
            width,
            height,
            players,
        } = setup;
        if !(1..=100).contains(&width) || !(1..=100).contains(&height) {
            return Err(SetupError::new("a side is 1 to 100 fields long"));
        }
        if !Self::SEATS.contains(&players) {
            return Err(SetupError::new("there are 1 to 9 players"));
        }
        Ok(Hall {
            width,
            players,
            fields: vec![None; width as usize * height as usize],
            turn: Some(Player::new(0)),
        })
    }

    fn parse(text: &str, report: &mut Report) -> Option<Hall> {
        read(text).map_err(|error| report.error(error)).ok()
    }

    fn write(hall: &Hall) -> String {
        let turn = hall.turn.map_or("-".to_owned(), |p| p.to_string());
        let mut text = format!("{} {turn}\n", hall.players);
        for row in hall.fields.chunks(hall.width as usize).rev() {
            text.extend(row.iter().map(|&owner| glyph(owner)));
            text.push('\n');
        }
        text
    }

    fn view(hall: &Hall) -> View {
        let rows = hall.fields.chunks(hall.width as usize).rev();
        let cell = |&owner: &Option<Player>| Cell {
            owner,
            glyph: glyph(owner),
            shade: Shade::Plain,
            prospect: Prospect::Open,
        };
        let seat = |p| SeatView {
            name: String::new(),
            score: hall.score(p),
            note: String::new(),
        };
        View {
            width: hall.width,
            height: hall.height(),
            cells: rows.flatten().map(cell).collect(),
            phase: String::new(),
            seats: Player::all(hall.players).map(seat).collect(),
            notes: Vec::new(),
            task: String::new(),
            drawing: Drawing::default(),
        }
    }

    fn choices(hall: &Hall) -> Vec<Choice> {
        let moves = hall.legal_moves().into_iter();
        let sit = |mv: Sit| Choice::new(mv.to_string()).to(mv.0).gaining(1);
        moves.map(sit).collect()
    }

    fn dialects() -> &'static [&'static dyn Dialect<Hall>] {
        &[&Whole]
    }
}

fn glyph(owner: Option<Player>) -> char {
    owner.map_or('.', |p| char::from_digit(p.number(), 10).unwrap_or('?'))
}

/// Programs are given the file and answer with the file after their move.
struct Whole;

impl Dialect<Hall> for Whole {
    fn name(&self) -> &'static str {
        "whole"
    }

    fn request(&self, hall: &Hall, _name: Option<&str>) -> Request {
        Request {
            input: Shy::write(hall),
            ..Request::default()
        }
    }

    fn reply(&self, hall: &Hall, _name: Option<&str>, mv: Sit) -> String {
        let mut after = hall.clone();
        after.play_unchecked(mv);
        Shy::write(&after)
    }

    fn answer(
        &self,
        hall: &Hall,
        _name: Option<&str>,
        text: &str,
    ) -> Result<Answer<Sit>, DialectError> {
        let after = read(text)?;
        let mut changed = hall.fields.iter().zip(&after.fields).enumerate();
        match changed.find(|(_, (before, after))| before != after) {
            Some((index, _)) => Ok(Answer::plain(Sit(hall.square(index)))),
            None => Err(ParseError::new(2, 1, "nobody sat down").into()),
        }
    }
}

fn read(text: &str) -> Result<Hall, ParseError> {
    let mut lines = lines(text);
    let head = lines.next().unwrap_or(TextLine {
        number: 1,
        text: "",
    });
    let mut words = head.words();
    let mut word = || {
        words
            .next()
            .ok_or_else(|| head.error_at_end("expected `players turn`"))
    };
    let (players, turn) = (word()?, word()?);
    let count = players.text.parse().ok().filter(|n| Shy::SEATS.contains(n));
    let count: u32 = count.ok_or_else(|| players.error("expected a number of players"))?;
    let turn = match turn.text {
        "-" => None,
        text => {
            let number = text.parse().ok().filter(|&n| n <= count);
            let mover = number.and_then(Player::from_number);
            Some(mover.ok_or_else(|| turn.error("expected a player or `-`"))?)
        }
    };
    let mut rows: Vec<Vec<Option<Player>>> = Vec::new();
    for line in lines {
        let field = |(column, c): (u32, char)| match c.to_digit(10) {
            _ if c == '.' => Ok(None),
            Some(n) if (1..=count).contains(&n) => Ok(Player::from_number(n)),
            _ => Err(ParseError::new(
                line.number,
                column,
                "expected `.` or a player",
            )),
        };
        let row: Vec<_> = (1..)
            .zip(line.text.chars())
            .map(field)
            .collect::<Result<_, _>>()?;
        if row.is_empty() || rows.first().is_some_and(|first| first.len() != row.len()) {
            return Err(line.error_at_end("the rows are not equally long"));
        }
        rows.push(row);
    }
    let width = rows
        .first()
        .ok_or_else(|| head.error_at_end("no rows follow"))?
        .len() as u32;
    let hall = Hall {
        width,
        players: count,
        fields: rows.into_iter().rev().flatten().collect(),
        turn,
    };
    // Who is named must have a move, and `-` says that nobody has.
    if turn.map_or(hall.next_mover(Player::new(0)), |p| hall.next_mover(p)) != turn {
        return Err(head.error_at_end("it cannot be this turn"));
    }
    Ok(hall)
}
