//! Lists with headings and aligned columns.

use anstyle::Style;
use floe_rules::text;

use crate::terminal::{Look, STRONG};

/// The space between two columns.
const GAP: &str = "  ";
/// The least width at which the last column is worth showing.
const LEAST: usize = 8;

/// Columns of text. The last one is shortened if there is not enough width.
#[derive(Clone)]
pub(crate) struct Columns {
    columns: Vec<Column>,
}

/// The alignment of a column's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

#[derive(Clone)]
struct Column {
    heading: String,
    side: Side,
    style: Style,
    cells: Vec<String>,
}

/// Foreign text as one line of a cell.
fn one_line(text: &str) -> String {
    text::visible(text).replace(['\n', '\t'], " ")
}

impl Columns {
    pub(crate) fn new() -> Self {
        Columns {
            columns: Vec::new(),
        }
    }

    /// Adds a column with a cell for each of `things`: as many as in the other columns.
    pub(crate) fn add<T>(
        &mut self,
        heading: &str,
        side: Side,
        style: Style,
        things: &[T],
        cell: impl Fn(&T) -> String,
    ) {
        self.columns.push(Column {
            heading: one_line(heading),
            side,
            style,
            cells: things.iter().map(|thing| one_line(&cell(thing))).collect(),
        });
    }

    /// Inserts a column before the one at index `at`.
    pub(crate) fn insert(&mut self, at: usize, heading: &str, style: Style, cells: Vec<String>) {
        let column = Column {
            heading: heading.to_owned(),
            side: Side::Left,
            style,
            cells,
        };
        self.columns.insert(at.min(self.columns.len()), column);
    }

    /// Characters of the longest line.
    pub(crate) fn width(&self) -> usize {
        let columns = self.columns.iter().map(Column::width);
        columns.sum::<usize>() + GAP.len() * self.columns.len().saturating_sub(1)
    }

    /// Removes columns with these headings, one after another, while the terminal is too narrow.
    pub(crate) fn leave_out(&mut self, headings: &[&str], look: Look) {
        for heading in headings {
            if look.columns.is_none_or(|columns| self.width() <= columns) {
                return;
            }
            self.columns.retain(|column| column.heading != *heading);
        }
    }

    /// The styled list, ending with a newline.
    pub(crate) fn draw(&self, look: Look) -> String {
        let lines = self.columns.first().map_or(0, |column| column.cells.len());
        let mut out = self.line(look, |_| STRONG, |column| &column.heading);
        for i in 0..lines {
            out.push_str(&self.line(look, |column| column.style, |column| &column.cells[i]));
        }
        out
    }

    fn line<'a>(
        &'a self,
        look: Look,
        style: impl Fn(&Column) -> Style,
        text: impl Fn(&'a Column) -> &'a String,
    ) -> String {
        let mut line = String::new();
        let mut used = 0;
        // Blanks are written only before text, so that no line ends with blanks.
        let mut blanks = 0;
        for (i, column) in self.columns.iter().enumerate() {
            let is_last = i + 1 == self.columns.len();
            let text = if is_last {
                let room = look.columns.map(|columns| columns.saturating_sub(used));
                cut(text(column), room, look)
            } else {
                text(column).clone()
            };
            let width = text.chars().count();
            let room = column.width() - width.min(column.width());
            let (before, after) = match column.side {
                Side::Left => (0, room),
                Side::Right => (room, 0),
            };
            if !text.is_empty() {
                let style = style(column);
                line.push_str(&" ".repeat(blanks + before));
                line.push_str(&format!("{style}{text}{style:#}"));
                blanks = after + GAP.len();
            } else {
                blanks += room + GAP.len();
            }
            used += width + room + GAP.len();
        }
        line.push('\n');
        line
    }
}

impl Column {
    fn width(&self) -> usize {
        let cells = self.cells.iter().chain([&self.heading]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

/// As many whole words of `text` as fit, and a mark if there are more.
fn cut(text: &str, room: Option<usize>, look: Look) -> String {
    let room = room.map_or(usize::MAX, |room| room.max(LEAST));
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let more = if look.unicode { "…" } else { "..." };
    let mut out = String::new();
    let mut used = more.chars().count();
    for word in text.split_inclusive(' ') {
        used += word.chars().count();
        if used > room {
            break;
        }
        out.push_str(word);
    }
    out.push_str(more);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look {
        color: false,
        unicode: true,
        columns: Some(24),
        theme: floe_terminal::theme::Theme::Dark,
    };

    fn drawn(rows: &[(&str, i32, &str)], look: Look) -> String {
        let mut columns = Columns::new();
        columns.add("name", Side::Left, STRONG, rows, |r| r.0.to_owned());
        columns.add("points", Side::Right, STRONG, rows, |r| r.1.to_string());
        columns.add("then", Side::Left, STRONG, rows, |r| r.2.to_owned());
        anstream::adapter::strip_str(&columns.draw(look)).to_string()
    }

    #[test]
    fn everything_stands_below_its_heading() {
        let text = drawn(&[("a", 100, "b c"), ("abcdef", -2, "")], LOOK);
        assert_eq!(
            text,
            "name    points  then\na          100  b c\nabcdef      -2\n"
        );
    }

    #[test]
    fn the_last_column_is_cut_between_words() {
        let rows = [("a", 1, "one two three four five six")];
        let wide = Look {
            columns: Some(30),
            ..LOOK
        };
        assert!(drawn(&rows, wide).ends_with("1  one two three …\n"));
        let ascii = Look {
            unicode: false,
            ..wide
        };
        assert!(drawn(&rows, ascii).ends_with("1  one two ...\n"));
        let narrow = Look {
            columns: Some(3),
            ..LOOK
        };
        assert!(drawn(&rows, narrow).ends_with("1  one …\n"));
        let file = Look {
            columns: None,
            ..LOOK
        };
        assert!(drawn(&rows, file).ends_with("1  one two three four five six\n"));
    }

    #[test]
    fn columns_are_left_out_one_by_one_until_the_terminal_is_wide_enough() {
        let widths = |columns: Option<usize>| {
            let mut list = Columns::new();
            for heading in ["abcdef", "ghijkl", "mnopqr"] {
                list.add(heading, Side::Left, STRONG, &[1], ToString::to_string);
            }
            list.leave_out(&["ghijkl", "abcdef"], Look { columns, ..LOOK });
            list.width()
        };
        assert_eq!(
            [None, Some(22), Some(21), Some(13), Some(3)].map(widths),
            [22, 22, 14, 6, 6]
        );
    }
}
