//! The board of a picture: fields, a frame, and coordinates on the edges.

use std::fmt::Write;

use floe_rules::{Cell, Square, View};

use crate::look::{FAINT, Look};
use crate::palette;

/// The lines of a drawn board, all equally wide.
pub(crate) struct PrintedBoard {
    pub(crate) lines: Vec<String>,
    pub(crate) width: usize,
}

/// Draws the board as wide as fits, and no wider than looks good.
pub(crate) fn draw(view: &View, look: Look) -> PrintedBoard {
    let marks = !look.color && glyphs_are_shared(view);
    let rows = view.height.to_string().len();
    let edges = rows + 3;
    let least = if marks { 2 } else { 1 };
    let columns = view.width as usize;
    // A blank on both sides, on one side, or none if the board is still too wide.
    let fits = |&cell: &usize| edges + columns * cell < look.page();
    let cell = [3, 2, 1].into_iter().find(fits).unwrap_or(1);
    let cell = cell.max(least);

    let [corners, side, line] = if look.unicode {
        [["┌", "┐", "└", "┘"], ["│"; 4], ["─"; 4]]
    } else {
        [["+"; 4], ["|"; 4], ["-"; 4]]
    };
    let (side, line) = (side[0], line[0].repeat(columns * cell));
    let blank = " ".repeat(rows + 1);
    let mut lines = Vec::with_capacity(view.height as usize + 3);
    let frame = |left, right| format!("{blank}{FAINT}{left}{line}{right}{FAINT:#} ");
    lines.push(frame(corners[0], corners[1]));
    for (row, cells) in (0..view.height)
        .rev()
        .zip(view.cells.chunks(columns.max(1)))
    {
        let fields = fields(cells, cell, marks, look);
        let row = row + 1;
        lines.push(format!(
            "{FAINT}{row:>rows$} {side}{FAINT:#}{fields}{FAINT}{side}{FAINT:#} "
        ));
    }
    lines.push(frame(corners[2], corners[3]));
    let names = column_names(view.width, cell);
    let end = " ".repeat(columns * cell - names.len() + 2);
    lines.push(format!("{blank} {FAINT}{names}{FAINT:#}{end}"));
    PrintedBoard {
        lines,
        width: edges + columns * cell + 1,
    }
}

/// Whether one character stands for fields of different owners, so that owners are unknown without
/// colour.
pub(crate) fn glyphs_are_shared(view: &View) -> bool {
    let mut owners = std::collections::HashMap::new();
    let mut differs = |cell: &Cell| *owners.entry(cell.glyph).or_insert(cell.owner) != cell.owner;
    view.cells.iter().any(&mut differs)
}

/// One row of fields; styles are written only where they change.
fn fields(cells: &[Cell], width: usize, marks: bool, look: Look) -> String {
    let mut out = String::new();
    let mut current = None;
    for cell in cells {
        let style = palette::cell(cell, look.theme);
        if current != Some(style) {
            let _ = match current {
                Some(before) => write!(out, "{before:#}{style}"),
                None => write!(out, "{style}"),
            };
            current = Some(style);
        }
        let mut text = String::from(shown(cell.glyph, look));
        match cell.owner {
            Some(owner) if marks => text.push_str(&owner.to_string()),
            _ => {}
        }
        out.push_str(&centred(&text, width));
    }
    if let Some(last) = current {
        let _ = write!(out, "{last:#}");
    }
    out
}

/// A printable character that takes one column.
fn shown(glyph: char, look: Look) -> char {
    match glyph {
        c if c.is_control() || (!look.unicode && !c.is_ascii()) => '?',
        c => c,
    }
}

pub(crate) fn centred(text: &str, width: usize) -> String {
    let room = width.saturating_sub(text.chars().count());
    let left = room.div_ceil(2);
    format!("{:left$}{text}{:right$}", "", "", right = room - left)
}

/// The names of the columns below fields of this width, as many as fit without overlapping.
pub(crate) fn column_names(columns: u32, cell: usize) -> String {
    let longest = column_name(columns.saturating_sub(1)).len();
    // Single letters are the alphabet, so they need no blank between them.
    let room = if longest == 1 { 1 } else { longest + 1 };
    let step = [1, 2, 5, 10].into_iter().find(|step| step * cell >= room);
    let step = step.unwrap_or(20);
    let mut names = String::new();
    for column in (0..columns).step_by(step) {
        let centre = column as usize * cell + cell / 2;
        let name = column_name(column);
        let blank = centre.saturating_sub(names.len());
        names.push_str(&format!("{:blank$}{name}", ""));
    }
    names.truncate(columns as usize * cell);
    names
}

/// The letters of a column, as squares are named.
pub(crate) fn column_name(column: u32) -> String {
    let mut name = Square::new(column, 0).to_string();
    name.pop();
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_centred_and_never_cut() {
        assert_eq!(centred("a", 3), " a ");
        assert_eq!(centred("a", 2), " a");
        assert_eq!(centred("ab", 3), " ab");
        assert_eq!(centred("abc", 2), "abc");
    }

    #[test]
    fn columns_are_named_where_there_is_room() {
        assert_eq!(column_names(4, 3), " a  b  c  d");
        assert_eq!(column_names(4, 1), "abcd");
        let names = column_names(30, 2);
        assert!(names.starts_with(" a   c   e"), "{names}");
        assert!(names.ends_with(" y   aa  ac"), "{names}");
        assert!(column_names(30, 3).ends_with(" z  aa ab ac ad"));
        assert_eq!(column_names(0, 3), "");
    }
}
