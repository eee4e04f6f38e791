//! A board as text, with some of its fields marked.

use std::fmt::Write as _;

use floe_rules::{Square, View};

/// Most columns and rows to draw of a large board.
const MOST: u32 = 30;

/// The board with column and row names and these fields in brackets; of a large board, only the
/// part around the first of them.
pub(super) fn draw(view: &View, marked: &[Square]) -> String {
    let first = marked.first().copied().unwrap_or(Square::new(0, 0));
    let columns = window(view.width, first.column);
    let rows = window(view.height, first.row);
    let digits = rows.end.to_string().len();
    let mut out = String::new();
    for row in rows.clone().rev() {
        let _ = write!(out, "{:>digits$} ", row + 1);
        for column in columns.clone() {
            let square = Square::new(column, row);
            let glyph = view.cell(square).map_or(' ', |cell| cell.glyph);
            let glyph = if glyph == ' ' { '~' } else { glyph };
            let _ = match marked.contains(&square) {
                true => write!(out, "[{glyph}]"),
                false => write!(out, " {glyph} "),
            };
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    let _ = write!(out, "{:digits$} ", "");
    for column in columns {
        let mut name = Square::new(column, 0).to_string();
        name.pop();
        let _ = write!(out, "{name:^3}");
    }
    out.truncate(out.trim_end().len());
    out
}

/// The visible part of a line of fields: all of it, or the fields around one.
fn window(length: u32, around: u32) -> std::ops::Range<u32> {
    if length <= MOST {
        return 0..length;
    }
    let start = around.saturating_sub(MOST / 2).min(length - MOST);
    start..start + MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_fields_are_in_brackets_and_large_boards_are_cut() {
        let game = floe_games::find("gamma").unwrap();
        let view = game.start("3x2", 1).unwrap().view();
        let seen = draw(&view, &[Square::new(1, 0)]);
        assert_eq!(seen, "2  .  .  .\n1  . [.] .\n   a  b  c");
        let view = game.start("60x60", 1).unwrap().view();
        let seen = draw(&view, &[Square::new(40, 59)]);
        assert_eq!(seen.lines().count(), 31);
        assert!(seen.contains("60 ") && seen.contains("[.]"), "{seen}");
    }
}
