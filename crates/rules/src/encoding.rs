//! Positions and moves as numbers, for programs that learn.
//!
//! An observation is a stack of planes, a byte for every field of the board in each: rows from the
//! top, each from the left. Planes that belong to a seat start with the seat that looks, then
//! follow the table. Moves are numbered from zero, and a number means the same in every position of
//! a setup. [`Game`](crate::Game) has both for every game: a game that says nothing gets what can
//! be made of its [`View`] and its [`Choice`]s, which is what stands here.

use crate::{Choice, Player, Position, Prospect, Shade, Square, View};

/// The size of the numeric form of positions: the same for all positions of a setup.
///
/// ```
/// use floe_rules::{Encoding, Game, flood::Flood};
/// let position = Flood::start(&"10x7".parse()?, 1)?;
/// let Encoding { width, height, planes, actions } = Flood::encoding(&position);
/// assert_eq!((width, height, planes, actions), (10, 7, 10, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Encoding {
    /// Columns of a plane.
    pub width: u32,
    /// Rows of a plane.
    pub height: u32,
    /// Number of planes in an observation.
    pub planes: u64,
    /// Number of action numbers.
    pub actions: u64,
}

impl Encoding {
    /// Number of fields in a plane.
    pub const fn fields(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Number of bytes in an observation; at most `u64::MAX`.
    pub const fn size(&self) -> u64 {
        self.fields().saturating_mul(self.planes)
    }

    /// The index of a square in a plane.
    pub const fn field(&self, square: Square) -> u64 {
        let from_top = self.height as u64 - 1 - square.row as u64;
        from_top * self.width as u64 + square.column as u64
    }

    /// The square at an index of a plane.
    pub const fn square(&self, field: u64) -> Square {
        let width = self.width as u64;
        let row = self.height as u64 - 1 - field / width;
        Square::new((field % width) as u32, row as u32)
    }
}

/// The planes of an observation, in order.
pub(crate) struct Planes<'a> {
    left: &'a mut [u8],
    fields: usize,
}

impl<'a> Planes<'a> {
    /// Empty planes; `into` must be as long as the observation.
    pub(crate) fn new(into: &'a mut [u8], fields: usize) -> Self {
        into.fill(0);
        Planes { left: into, fields }
    }

    /// The next plane.
    #[inline]
    pub(crate) fn next(&mut self) -> &'a mut [u8] {
        let (plane, left) = std::mem::take(&mut self.left).split_at_mut(self.fields);
        self.left = left;
        plane
    }

    /// The next plane, with the same number on every field.
    #[inline]
    pub(crate) fn fill(&mut self, value: u8) {
        let plane = self.next();
        if value > 0 {
            plane.fill(value);
        }
    }

    /// The next plane for each of `seats`, filled for the player to move.
    #[inline]
    pub(crate) fn turn(&mut self, seats: impl Iterator<Item = Player>, turn: Option<Player>) {
        for seat in seats {
            self.fill(u8::from(turn == Some(seat)));
        }
    }
}

/// A number in a byte, at most 255.
#[inline]
pub(crate) fn byte(number: i64) -> u8 {
    number.clamp(0, 255) as u8
}

/// The seats around the table, starting with this one.
#[inline]
pub(crate) fn around(seat: Player, players: u32) -> impl Iterator<Item = Player> + Clone {
    let first = seat.index() as u32;
    (0..players).map(move |step| Player::new((first + step) % players))
}

/// The name of a seat's plane: `own penguins`, `penguins of seat +1`.
fn of_seat(what: &str, step: u64) -> String {
    match step {
        0 => format!("own {what}"),
        step => format!("{what} of seat +{step}"),
    }
}

/// Most moves without a target square in the default encoding.
const KEYS: u64 = 64;
/// Planes of a view that belong to no seat.
const COMMON: u64 = 4;
/// Planes of a view for every seat.
const EACH: u64 = 4;

/// The encoding of a game without planes and numbers of its own.
pub(crate) fn of_view(view: &View, players: u32, has_special: bool) -> Encoding {
    let &View { width, height, .. } = view;
    let fields = u64::from(width) * u64::from(height);
    Encoding {
        width,
        height,
        planes: COMMON + EACH * u64::from(players),
        actions: fields * (fields + 1) * (1 + u64::from(has_special)) + KEYS,
    }
}

/// The name of a plane of [`observe_view`].
pub(crate) fn view_plane(plane: u64, players: u32) -> String {
    const NAMES: [&str; COMMON as usize] = ["void", "level", "hue", "contested"];
    if let Some(name) = NAMES.get(plane as usize) {
        return (*name).to_owned();
    }
    let kinds = ["fields", "promised fields", "score", "turn"];
    seat_plane(&kinds, plane - COMMON, players)
}

/// The name of one of the planes that every seat has, in the order of kinds.
pub(crate) fn seat_plane(kinds: &[&str], plane: u64, players: u32) -> String {
    let players = u64::from(players.max(1));
    let kind = kinds.get((plane / players) as usize).copied();
    of_seat(kind.unwrap_or("plane"), plane % players)
}

/// A view as planes.
pub(crate) fn observe_view<P: Position>(position: &P, view: &View, seat: Player, into: &mut [u8]) {
    let seats = around(seat, position.players());
    let mut planes = Planes::new(into, view.cells.len());
    let mut plane = |value: &dyn Fn(&crate::Cell) -> u8| {
        let plane = planes.next().iter_mut().zip(&view.cells);
        plane.for_each(|(byte, cell)| *byte = value(cell));
    };
    plane(&|cell| u8::from(cell.shade == Shade::Void));
    plane(&|cell| match cell.shade {
        Shade::Level(level) => level,
        _ => 0,
    });
    plane(&|cell| match cell.shade {
        Shade::Hue(hue) => hue.saturating_add(1),
        _ => 0,
    });
    plane(&|cell| u8::from(cell.prospect == Prospect::Contested));
    for seat in seats.clone() {
        plane(&|cell| u8::from(cell.owner == Some(seat)));
    }
    for seat in seats.clone() {
        plane(&|cell| u8::from(cell.prospect == Prospect::Promised(seat)));
    }
    for seat in seats.clone() {
        planes.fill(byte(position.score(seat)));
    }
    planes.turn(seats, position.turn());
}

/// The number of a choice: by its target square; for moves by key, by its index among the keys.
fn number(encoding: &Encoding, choice: &Choice, key: u64) -> u64 {
    let fields = encoding.fields();
    let Some(to) = choice.to else {
        return encoding.actions - KEYS + key;
    };
    let from = choice.from.map_or(0, |from| encoding.field(from) + 1);
    let kind = u64::from(choice.special.is_some());
    (kind * (fields + 1) + from) * fields + encoding.field(to)
}

/// The legal moves in the default encoding, with their numbers. Keys beyond the last have none.
pub(crate) fn numbered(
    encoding: Encoding,
    choices: Vec<Choice>,
) -> impl Iterator<Item = (u64, Choice)> {
    let mut keys = 0;
    choices.into_iter().filter_map(move |choice| {
        let key = keys;
        keys += u64::from(choice.to.is_none());
        let number = number(&encoding, &choice, key);
        (key < KEYS && number < encoding.actions).then_some((number, choice))
    })
}
