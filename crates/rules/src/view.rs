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
    /// The fields, row by row from the top left.
    pub cells: Vec<Cell>,
    /// The phase of the game in a word or two, such as `placement`.
    pub phase: String,
    /// The players, by seat.
    pub seats: Vec<SeatView>,
    /// Further notes for a spectator, one sentence each.
    pub notes: Vec<String>,
    /// The task of the player to move, in words for a beginner: the rest of a sentence, without a full stop.
    /// Empty once the game is over.
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

/// The origin of column and row numbers, both from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Numbering {
    /// Rows from the top.
    TopLeft,
    /// Rows from the bottom.
    BottomLeft,
}

/// A thing drawn in a few characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Emblem {
    /// The thing in up to three ASCII characters.
    pub wide: &'static str,
    /// One character beyond ASCII, for small fields; `None` if it would say nothing.
    pub narrow: Option<char>,
    /// The emblem's name, the same in singular and plural.
    pub word: &'static str,
    /// The emblem as a drawing for pages: layered shapes in a 24x24 box; may be empty.
    pub drawing: &'static [Shape],
}

/// A part of a small drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Shape {
    /// The fill.
    pub ink: Ink,
    /// The outline, as the `d` of an SVG path.
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
    /// A warm, striking colour.
    Bright,
}

/// One field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The field's owner.
    pub owner: Option<Player>,
    /// A character that shows the field's content without colour.
    pub glyph: char,
    /// The field's ground.
    pub shade: Shade,
    /// The players who may still get the field.
    pub prospect: Prospect,
}

/// The players who may still get a free field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Prospect {
    /// No statement.
    #[default]
    Open,
    /// More than one player may get the field.
    Contested,
    /// Only this player may get the field.
    Promised(Player),
}

/// The look of a field's ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Shade {
    /// Outside the game: water.
    Void,
    /// Plain ground.
    Plain,
    /// A quantity, from 1: fish.
    Level(u8),
    /// One of several unordered kinds, from 0: colours.
    Hue(u8),
}

/// One player's line next to the board.
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
