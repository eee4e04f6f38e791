use std::ops::RangeInclusive;

use crate::Square;

/// One legal move as a person makes it on a board: what to point at, and what it gains.
///
/// A move with [`from`](Choice::from) is made by picking up the piece there and putting it down on
/// [`to`](Choice::to); one with `to` alone by pointing there; one with neither by a key, in the order of the choices, or by pointing at any square it takes.
///
/// ```
/// use floe_rules::{Choice, Square};
/// let slide = Choice::new("a1-a3").from(Square::new(0, 0)).to(Square::new(0, 2)).gaining(2);
/// assert_eq!(slide.takes, [Square::new(0, 2)]);
/// assert!(slide.is_at(Square::new(0, 2)) && !slide.is_at(Square::new(0, 0)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Choice {
    /// The move in the game's notation.
    pub notation: String,
    /// The square of the moving piece.
    pub from: Option<Square>,
    /// The square on which the move is played.
    pub to: Option<Square>,
    /// The name of a rarer kind of move, such as `golden move`. A special move has a key of its
    /// own, so that no player makes it by mistake.
    pub special: Option<&'static str>,
    /// The squares that the player gains by the move.
    pub takes: Vec<Square>,
    /// Other squares that select this move when a person points at them, such as a whole column.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub also: Vec<Square>,
    /// Points the move adds at once to the score of the player to move.
    pub gain: i64,
}

impl Choice {
    /// A move by a key.
    pub fn new(notation: impl Into<String>) -> Self {
        Choice {
            notation: notation.into(),
            from: None,
            to: None,
            special: None,
            takes: Vec::new(),
            also: Vec::new(),
            gain: 0,
        }
    }

    /// The same move, with the square of its piece.
    #[must_use]
    pub fn from(mut self, square: Square) -> Self {
        self.from = Some(square);
        self
    }

    /// The same move, played on this square, which it also gains.
    #[must_use]
    pub fn to(mut self, square: Square) -> Self {
        self.to = Some(square);
        self.takes = vec![square];
        self
    }

    /// The same move, also selected by pointing at these squares.
    #[must_use]
    pub fn or_at(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.also = squares.into_iter().collect();
        self
    }

    /// The same move, with its gain in points.
    #[must_use]
    pub fn gaining(mut self, gain: i64) -> Self {
        self.gain = gain;
        self
    }

    /// Whether pointing at this square selects this move, once its piece is picked up.
    pub fn is_at(&self, square: Square) -> bool {
        let is_its_own = match self.to {
            Some(to) => to == square,
            None => self.takes.contains(&square),
        };
        is_its_own || self.also.contains(&square)
    }
}

/// One word of a setup, besides the size, for a form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Setting {
    /// The key before the `=`.
    pub word: &'static str,
    /// The accepted values.
    pub values: Values,
    /// The default value.
    pub default: &'static str,
}

/// The values a [`Setting`] accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Values {
    /// A number in a range that is useful at a screen; others may be allowed too.
    Number(RangeInclusive<u32>),
    /// One of a few words.
    Words(&'static [&'static str]),
}
