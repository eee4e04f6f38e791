//! The screen as a rectangle of cells, and the output that draws it.
//!
//! The board stands at the top-left in the form of the board's text. Below it come the status line,
//! the note of the last key or else the areas of the player to move, and the keys. If the screen is
//! too low for a long note, rows of the board make room for it until the next key. A board that is
//! larger than its room shows through a window that follows the cursor.

use floe_rules::Player;

use super::InteractiveGame;

/// The smallest useful terminal: a field, the status and a reason.
const LEAST_COLUMNS: u16 = 20;
const LEAST_ROWS: u16 = 3;
/// Most characters of a note, on one line or several.
const NOTE: u16 = 60;
const KEYS: &str = "arrows move  space takes  G golden  C passes  Ctrl-D ends";

/// The style of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The owner, whose colour the text has.
    pub player: Option<Player>,
    /// Heavy and underlined: the mover's fields.
    pub stands_out: bool,
    /// Colours exchanged: the cursor.
    pub inverted: bool,
    /// Less than the rest.
    pub faint: bool,
}

/// A character on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The character.
    pub glyph: u8,
    /// The style of the text.
    pub style: Style,
}

const BLANK: Cell = Cell {
    glyph: b' ',
    style: Style {
        player: None,
        stands_out: false,
        inverted: false,
        faint: false,
    },
};

/// The visible part of the board, which moves as little as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    left: u32,
    bottom: u32,
}

/// A screen full of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    columns: u16,
    cells: Vec<Cell>,
}

/// The columns and rows a terminal must have for this game.
pub fn needed(table: &InteractiveGame) -> (u16, u16) {
    let field = digits(table) as u16;
    (LEAST_COLUMNS.max(field), LEAST_ROWS)
}

/// Characters a field takes.
fn digits(table: &InteractiveGame) -> usize {
    table.board().players().ilog10() as usize + 1
}

impl Picture {
    /// The picture of a game on a terminal of this size. O(cells of the terminal).
    pub fn new(table: &mut InteractiveGame, view: &mut View, columns: u16, rows: u16) -> Self {
        let cells = vec![BLANK; usize::from(columns) * usize::from(rows)];
        let mut picture = Picture { columns, cells };
        let (least_columns, least_rows) = needed(table);
        if columns < least_columns || rows < least_rows {
            // The size first: if only a few characters fit, the size must be among them.
            let size = format!("{least_columns}x{least_rows}");
            let texts = [
                format!("at least {size} is needed"),
                format!("{size} is needed"),
                format!("needs {size}"),
            ];
            let fitting = |text: &&String| text.len() <= usize::from(columns);
            let text = texts.iter().find(fitting).unwrap_or(&size);
            for (row, line) in (0..rows).zip(pieces(text, columns)) {
                picture.write(row, &line, Style::default());
            }
            return picture;
        }
        let said = wrapped(table.note(), columns);
        if said.len() >= usize::from(rows) {
            for (row, line) in (0..rows).zip(&said) {
                picture.write(row, line, Style::default());
            }
            return picture;
        }
        let said = said.len() as u16;
        let note_rows = NOTE.div_ceil(columns).min(rows - 2);
        let note_rows = note_rows.max(said.min(rows - 1));
        let key_rows = wrapped(KEYS, columns).len() as u16;
        let key_rows = if rows >= 2 + note_rows + key_rows + 3 {
            key_rows
        } else {
            0
        };
        let room = rows - 1 - note_rows - key_rows;
        let shown = picture.draw_board(table, view, room);
        let status = table.status();
        let style = Style {
            player: table.turn(),
            stands_out: true,
            ..Style::default()
        };
        picture.write(shown.rows, &status, style);
        let (note, style) = if table.note().is_empty() {
            let faint = Style {
                faint: true,
                ..Style::default()
            };
            let place = shown.place(table);
            let areas = table.areas_used();
            let both = [areas.as_str(), place.as_str()].join("  ");
            // With space for only one of the two lines, the place is shown, since nothing else on
            // the screen shows it.
            let lines = rows - shown.rows - 1 - key_rows;
            let fits = wrapped(&both, columns).len() <= usize::from(lines);
            (
                if fits || place.is_empty() {
                    both
                } else {
                    place
                },
                faint,
            )
        } else {
            (table.note().to_owned(), Style::default())
        };
        for (row, line) in (shown.rows + 1..rows - key_rows).zip(wrapped(&note, columns)) {
            picture.write(row, &line, style);
        }
        let faint = Style {
            faint: true,
            ..Style::default()
        };
        let below = shown.rows + 1 + note_rows;
        if key_rows > 0 {
            for (row, line) in (below..rows).zip(wrapped(KEYS, columns)) {
                picture.write(row, &line, faint);
            }
        }
        picture
    }

    fn draw_board(&mut self, table: &InteractiveGame, view: &mut View, room: u16) -> Shown {
        let board = table.board();
        let digits = digits(table);
        let step = if digits == 1 { 1 } else { digits + 1 };
        let across = (usize::from(self.columns) + step - digits) / step;
        let across = u32::try_from(across).unwrap_or(u32::MAX).min(board.width());
        let up = u32::from(room).min(board.height());
        if up == 0 {
            return Shown {
                rows: 0,
                across,
                view: *view,
            };
        }
        let (column, row) = table.cursor();
        view.left = follow(view.left, column, across, board.width());
        view.bottom = follow(view.bottom, row, up, board.height());
        for line in 0..up {
            let y = view.bottom + (up - 1 - line);
            for i in 0..across {
                let x = view.left + i;
                let owner = board.owner(x, y);
                let glyph = owner.map_or(".".to_owned(), |player| player.to_string());
                let style = Style {
                    player: owner,
                    stands_out: owner.is_some() && owner == table.turn(),
                    inverted: (x, y) == (column, row),
                    faint: owner.is_none(),
                };
                let at = line as usize * usize::from(self.columns) + i as usize * step;
                self.put(at, &format!("{glyph:>digits$}"), style);
            }
        }
        Shown {
            rows: up as u16,
            across,
            view: *view,
        }
    }

    /// Writes as much of the text as fits into a row.
    fn write(&mut self, row: u16, text: &str, style: Style) {
        let columns = usize::from(self.columns);
        let clipped: String = text.chars().take(columns).collect();
        self.put(usize::from(row) * columns, &clipped, style);
    }

    fn put(&mut self, at: usize, text: &str, style: Style) {
        let cells = self.cells.iter_mut().skip(at);
        for (cell, glyph) in cells.zip(text.bytes()) {
            *cell = Cell { glyph, style };
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        let columns = usize::from(self.columns.max(1));
        (self.columns, (self.cells.len() / columns) as u16)
    }

    /// The rows of cells, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(usize::from(self.columns.max(1)))
    }

    /// The runs of cells of one style that differ from those of `before`: column and row of the
    /// first, the text and the style. All of them if there was nothing before, or another size.
    ///
    /// Blank runs after a change are not joined to it, so what is written is what changed.
    pub fn changes(&self, before: Option<&Picture>) -> Vec<(u16, u16, String, Style)> {
        let before =
            before.filter(|b| b.columns == self.columns && b.cells.len() == self.cells.len());
        let mut runs: Vec<(u16, u16, String, Style)> = Vec::new();
        let mut next = usize::MAX;
        for (i, cell) in self.cells.iter().enumerate() {
            if before.is_some_and(|b| b.cells[i] == *cell) {
                continue;
            }
            let columns = usize::from(self.columns);
            let glyph = char::from(cell.glyph);
            match runs.last_mut() {
                Some((_, _, text, style))
                    if i == next && *style == cell.style && !i.is_multiple_of(columns) =>
                {
                    text.push(glyph);
                }
                _ => {
                    let (x, y) = (i % columns, i / columns);
                    runs.push((x as u16, y as u16, glyph.to_string(), cell.style));
                }
            }
            next = i + 1;
        }
        runs
    }
}

/// The visible part of the board.
struct Shown {
    rows: u16,
    across: u32,
    view: View,
}

impl Shown {
    /// The visible part of the board; `None` if the whole board fits.
    fn place(&self, table: &InteractiveGame) -> String {
        let board = table.board();
        if self.across == board.width() && u32::from(self.rows) == board.height() {
            return String::new();
        }
        let part = |first: u32, count: u32, all: u32| {
            format!("{}-{} of {all}", first, first + (count - 1))
        };
        format!(
            "columns {}, rows {}",
            part(self.view.left, self.across, board.width()),
            part(self.view.bottom, self.rows.into(), board.height()),
        )
    }
}

/// The first of `shown` of `all` lines such that line `at` and a little beyond it are visible,
/// nearest to `first`.
fn follow(first: u32, at: u32, shown: u32, all: u32) -> u32 {
    let beyond = (shown - 1) / 2;
    let beyond = beyond.min(3);
    let lowest = (u64::from(at) + 1 + u64::from(beyond)).saturating_sub(shown.into()) as u32;
    let highest = at.saturating_sub(beyond).max(lowest);
    first.clamp(lowest, highest).min(all - shown)
}

/// Lines of `columns` characters, broken anywhere.
fn pieces(text: &str, columns: u16) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let lines = letters.chunks(usize::from(columns).max(1));
    lines.map(|line| line.iter().collect()).collect()
}

/// Lines of at most `columns` characters, broken at blanks if possible.
fn wrapped(text: &str, columns: u16) -> Vec<String> {
    let most = usize::from(columns);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.trim_end().len() <= most => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use floe_rules::gamma::Board;
    use proptest::prelude::*;

    use super::*;

    fn table(width: u32, height: u32, players: u32, areas: u32, keys: &[u8]) -> InteractiveGame {
        let mut table = InteractiveGame::new(Board::new(width, height, players, areas).unwrap());
        keys.iter().for_each(|&byte| table.byte(byte));
        table
    }

    /// The screen's text, and under each line that has any the looks of its characters: a digit
    /// for a player's colour, `^` for one that stands out, `#` for the cursor.
    fn shown(picture: &Picture) -> String {
        let mut out = String::new();
        for row in picture.rows() {
            let text: String = row.iter().map(|c| char::from(c.glyph)).collect();
            let colours: String = row
                .iter()
                .map(|c| match c.style.player {
                    Some(player) => char::from(b'0' + (player.number() % 10) as u8),
                    None if c.style.faint => ',',
                    None => ' ',
                })
                .collect();
            let looks: String = row
                .iter()
                .map(|c| match c.style {
                    Style { inverted: true, .. } => '#',
                    Style {
                        stands_out: true, ..
                    } => '^',
                    _ => ' ',
                })
                .collect();
            writeln!(out, "|{text}|{colours}|{looks}|").unwrap();
        }
        out
    }

    #[test]
    fn a_game_in_the_middle() {
        let mut table = table(6, 4, 3, 2, b" \x1b[C \x1b[A \x1b[C \x1b[D");
        let picture = Picture::new(&mut table, &mut View::default(), 64, 9);
        insta::assert_snapshot!(shown(&picture));
    }

    #[test]
    fn a_refusal_on_a_small_screen() {
        let mut table = table(30, 20, 12, 2, b" \x1b[C ");
        "\x1b[C\x1b[A ".bytes().for_each(|b| table.byte(b));
        table.byte(b' ');
        let picture = Picture::new(&mut table, &mut View::default(), 40, 10);
        insta::assert_snapshot!(shown(&picture));
    }

    #[test]
    fn a_window_follows_the_cursor() {
        let mut view = View::default();
        let mut table = table(100, 100, 2, 2, &b"\x1b[A\x1b[C".repeat(50));
        table.byte(b' ');
        let picture = Picture::new(&mut table, &mut view, 30, 12);
        insta::assert_snapshot!("window_moved", shown(&picture));
        // Back by less than the window is wide: it stays.
        b"\x1b[D".repeat(10).iter().for_each(|&b| table.byte(b));
        let picture = Picture::new(&mut table, &mut view, 30, 12);
        insta::assert_snapshot!("window_stays", shown(&picture));
    }

    #[test]
    fn a_terminal_too_small_says_what_it_needs() {
        let mut table = table(5, 5, 2, 2, b"");
        let picture = Picture::new(&mut table, &mut View::default(), 12, 2);
        assert!(shown(&picture).starts_with("|needs 20x3  |"));
        let mut small = |columns, rows| {
            let picture = Picture::new(&mut table, &mut View::default(), columns, rows);
            let rows = picture.rows();
            let lines = rows.map(|row| row.iter().map(|c| char::from(c.glyph)).collect());
            lines.collect::<Vec<String>>()
        };
        assert_eq!(small(8, 3), ["20x3    ", "        ", "        "]);
        assert_eq!(small(3, 3), ["20x", "3  ", "   "]);
        assert_eq!(small(19, 2)[0], "20x3 is needed     ");
        for (columns, rows) in [(0, 0), (1, 1), (0, 5), (5, 0)] {
            let picture = Picture::new(&mut table, &mut View::default(), columns, rows);
            assert!(picture.rows().count() <= usize::from(rows));
        }
    }

    #[test]
    fn only_what_changed_is_written() {
        let mut table = table(5, 5, 2, 2, b"");
        let mut view = View::default();
        let before = Picture::new(&mut table, &mut view, 80, 24);
        assert_eq!(before.changes(Some(&before)), []);
        assert_eq!(
            before
                .changes(None)
                .iter()
                .map(|c| c.2.len())
                .sum::<usize>(),
            80 * 24
        );
        "\x1b[C".bytes().for_each(|b| table.byte(b));
        let after = Picture::new(&mut table, &mut view, 80, 24);
        let places: Vec<(u16, u16)> = after
            .changes(Some(&before))
            .iter()
            .map(|&(x, y, ..)| (x, y))
            .collect();
        assert_eq!(
            places,
            [(0, 4), (1, 4)],
            "the field left and the field entered"
        );
    }

    const KEYS_TYPED: &[&[u8]] = &[
        b" ", b" ", b"g", b"c", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D",
    ];

    proptest! {
            /// Any keys on any board and screen: the cursor is seen once, and changes lead from one
            /// picture to the next.
            #[test]
            fn pictures_of_any_game(
                sizes in (1_u32..40, 1_u32..40, 1_u32..120, 1_u32..4),
                screens in proptest::collection::vec((20_u16..60, 3_u16..30, proptest::collection::vec(
    proptest::sample::select(KEYS_TYPED), 0..40)), 1..8),
            ) {
                let mut table = table(sizes.0, sizes.1, sizes.2, sizes.3, b"");
                let mut view = View::default();
                let mut screen: Option<Picture> = None;
                for (columns, rows, keys) in screens {
                    keys.concat().iter().for_each(|&b| table.byte(b));
                    let picture = Picture::new(&mut table, &mut view, columns, rows);
                    let cursor = picture.cells.iter().filter(|c| c.style.inverted).count();
                    // A long word may take the place of the board.
                    prop_assert!(cursor == digits(&table) || cursor == 0 && rows < 6 && !table.note().is_empty());
                    let mut copy = match &screen {
                        Some(old) if old.cells.len() == picture.cells.len()
                            && old.columns == picture.columns => old.clone(),
                        _ => Picture { columns, cells: vec![BLANK; picture.cells.len()] },
                    };
                    for (x, y, text, style) in picture.changes(screen.as_ref()) {
                        let at = usize::from(y) * usize::from(columns) + usize::from(x);
                        copy.put(at, &text, style);
                    }
                    prop_assert_eq!(&copy, &picture);
                    screen = Some(picture);
                }
            }
        }
}
