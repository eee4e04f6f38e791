//! A position as a page's board draws it.

use crate::AnyPosition;
use floe_rules::{Choice, Emblem, Numbering, Prospect, SeatView, Shade, Square, View};
use serde::Serialize;

/// A [`View`] in few bytes: a character or a number for each field, row by row from the top-left.
#[derive(Debug, Clone, Serialize)]
pub struct Picture {
    width: u32,
    height: u32,
    glyphs: String,
    /// `~` for water, `.` for plain ground, `1` to `9` for levels, letters from `A` for hues.
    shades: String,
    /// The number of each field's owner, 0 for a free field.
    owners: Vec<u32>,
    /// The number of the only player who may still get a field, for each field; `None` if there is
    /// no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    promised: Option<Vec<u32>>,
    is_outlined: bool,
    numbering: Option<Numbering>,
    level: Option<Emblem>,
    piece: Option<Emblem>,
    phase: String,
    task: String,
    notes: Vec<String>,
    seats: Vec<SeatView>,
}

impl From<View> for Picture {
    fn from(view: View) -> Self {
        let promised = |prospect: Prospect| match prospect {
            Prospect::Promised(player) => player.number(),
            Prospect::Open | Prospect::Contested => 0,
        };
        let promises: Vec<u32> = (view.cells.iter())
            .map(|cell| promised(cell.prospect))
            .collect();
        Picture {
            width: view.width,
            height: view.height,
            glyphs: view.cells.iter().map(|cell| cell.glyph).collect(),
            shades: view.cells.iter().map(|cell| shade(cell.shade)).collect(),
            owners: (view.cells.iter())
                .map(|cell| cell.owner.map_or(0, floe_rules::Player::number))
                .collect(),
            promised: promises.iter().any(|&who| who > 0).then_some(promises),
            is_outlined: view.drawing.is_outlined,
            numbering: view.drawing.numbering,
            level: view.drawing.level,
            piece: view.drawing.piece,
            phase: view.phase,
            task: view.task,
            notes: view.notes,
            seats: view.seats,
        }
    }
}

/// A ground as one character.
pub(super) fn shade(shade: Shade) -> char {
    match shade {
        Shade::Void => '~',
        Shade::Plain => '.',
        Shade::Level(level) => char::from(b'0' + level.min(9)),
        Shade::Hue(hue) => char::from(b'A' + hue.min(25)),
    }
}

/// A move as a person makes it on the page; fields are counted row by row from the top left.
#[derive(Debug, Clone, Serialize)]
pub struct Pick {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<&'static str>,
    /// The fields the move takes, if not `to` alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    takes: Vec<u32>,
    /// Other fields that select the move when a person points at them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<u32>,
    gain: i64,
}

/// The legal moves of a position.
pub fn picks(position: &dyn AnyPosition, view: &View) -> Vec<Pick> {
    (position.choices().into_iter())
        .map(|choice| pick(choice, view.width, view.height))
        .collect()
}

/// A choice on a board of this size.
pub fn pick(choice: Choice, width: u32, height: u32) -> Pick {
    let place = |square: Square| (height - 1 - square.row) * width + square.column;
    let takes: Vec<u32> = choice.takes.iter().copied().map(place).collect();
    let to = choice.to.map(place);
    Pick {
        mv: choice.notation,
        also: choice.also.into_iter().map(place).collect(),
        from: choice.from.map(place),
        takes: if to.is_some_and(|to| takes == [to]) {
            Vec::new()
        } else {
            takes
        },
        to,
        special: choice.special,
        gain: choice.gain,
    }
}
