use crate::{Player, Square};

/// What a screen or page draws of a position, the same for every game.
///
/// ```
/// use floe_rules::{Game, Player, Square, flood::Flood};
/// let view = Flood::view(&Flood::read("J\n#+@\n@*#\n.*+\n")?);
/// assert_eq!((view.width, view.height), (3, 3));
/// let corner = view.cell(Square::new(0, 0)).expect("a field of the board");
/// assert_eq!((corner.owner, corner.glyph), (Some(Player::new(0)), '.'));
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct View {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The fields, row by row from the top-left one.
    pub cells: Vec<Cell>,
    /// The phase of the game in a word or two, such as `placement`.
    pub phase: String,
    /// The players, by seat.
    pub seats: Vec<SeatView>,
    /// Whatever else a spectator wants to know, a sentence each.
    pub notes: Vec<String>,
    /// The task of the player to move, in words for a beginner; empty once the game is over.
    pub task: String,
    /// Drawing instructions for the board.
    pub drawing: Drawing,
}

/// Drawing instructions for a board; the default is fields and their glyphs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Drawing {
    /// Whether adjacent fields of one owner are drawn as one shape with an outline.
    pub is_outlined: bool,
    /// The contest's own numbers of columns and rows, if it has some.
    pub numbering: Option<Numbering>,
    /// The emblem that [`Shade::Level`] counts.
    pub level: Option<Emblem>,
    /// The emblem on an owned field.
    pub piece: Option<Emblem>,
}

/// Where columns and rows are counted from, both from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Numbering {
    /// Rows from the top.
    TopLeft,
    /// Rows from the bottom.
    BottomLeft,
}

/// A thing in a few characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Emblem {
    /// Up to three ASCII characters.
    pub wide: &'static str,
    /// One character beyond ASCII, for small fields; none if it would say nothing there.
    pub narrow: Option<char>,
    /// The word for it, the same for one and many.
    pub word: &'static str,
    /// The same thing drawn, for pages: shapes upon each other in a box of 24 by 24; may be empty.
    pub drawing: &'static [Shape],
}

/// A part of a small drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Shape {
    /// Its fill.
    pub ink: Ink,
    /// Its outline, as the `d` of an SVG path.
    pub path: &'static str,
}

/// The fill of a [`Shape`]; the page's palette chooses the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ink {
    /// The colour of the owner.
    Owner,
    /// The colour of unowned shapes.
    Thing,
    /// Nearly white.
    Light,
    /// Nearly black.
    Dark,
    /// A warm colour that catches the eye.
    Bright,
}

/// One field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Whose field it is.
    pub owner: Option<Player>,
    /// A character that shows the field's content without colour.
    pub glyph: char,
    /// Its ground.
    pub shade: Shade,
    /// The players who may still get it.
    pub prospect: Prospect,
}

/// The players who may still get a free field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Prospect {
    /// Nothing is said about it.
    #[default]
    Open,
    /// More than one player.
    Contested,
    /// Only this one.
    Promised(Player),
}

/// The look of a field's ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Shade {
    /// Not part of the play: water.
    Void,
    /// Plain ground.
    Plain,
    /// More or less of one thing, from 1: fish.
    Level(u8),
    /// One of several kinds without order, from 0: colours.
    Hue(u8),
}

/// One player's line beside the board.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SeatView {
    /// The player's name in the game or its file; empty without one.
    pub name: String,
    /// The score so far.
    pub score: i64,
    /// The player's special state, such as `golden move left`; may be empty.
    pub note: String,
}

impl View {
    /// The field at a square; `None` off the board.
    pub fn cell(&self, square: Square) -> Option<&Cell> {
        if square.column >= self.width || square.row >= self.height {
            return None;
        }
        let from_top = (self.height - 1 - square.row) as usize;
        self.cells
            .get(from_top * self.width as usize + square.column as usize)
    }
}
