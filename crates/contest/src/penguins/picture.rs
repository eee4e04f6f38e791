//! The board, drawn with coordinates: players as letters, fish as digits, water blank.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};
use floe_rules::Position;
use floe_rules::penguins::{PenguinsPosition, Spot};

use super::letter;

const COLOURS: [AnsiColor; 9] = [
    AnsiColor::Red,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Yellow,
    AnsiColor::Cyan,
    AnsiColor::BrightRed,
    AnsiColor::BrightBlue,
    AnsiColor::BrightGreen,
];

/// The board of a position. With colours, each penguin has its player's colour, and those of the
/// player to move stand out.
///
/// ```
/// use floe_contest::penguins::board;
/// use floe_rules::{Game, penguins::Penguins};
/// let position = Penguins::read("2 3\n10 20 01\n00 30 02\na 1 1\nb 2 1\n")?;
/// assert_eq!(board(&position, false), "  \
///   X 0  1  2
/// Y   -  -  -
/// 0 | 1  2  A |
/// 1 |    3  B |
///     -  -  -
/// ");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
pub fn board(position: &PenguinsPosition, has_colours: bool) -> String {
    let shape = position.shape();
    let (columns, rows) = (shape.columns(), shape.rows());
    let label = (rows - 1).max(1).ilog10() as usize + 1;
    let cells = |cell: &dyn Fn(u32) -> String| {
        let line: String = (0..columns).map(|x| format!("{:<3}", cell(x))).collect();
        line.trim_end().to_owned()
    };
    let edge = cells(&|_| "-".to_owned());
    let mut out = format!("{:label$} X {}\n", "", cells(&|x| x.to_string()));
    let _ = writeln!(out, "{:<label$}   {edge}", "Y");
    for y in 0..rows {
        let _ = write!(out, "{y:>label$} | ");
        for x in 0..columns {
            let spot = Spot::new(x as u8, (rows - 1 - y) as u8);
            let gap = if x + 1 < columns { "  " } else { " " };
            let _ = write!(out, "{}{gap}", glyph(position, spot, has_colours));
        }
        out.push_str("|\n");
    }
    let _ = writeln!(out, "{:label$}   {edge}", "");
    out
}

/// The one character of a field.
fn glyph(position: &PenguinsPosition, spot: Spot, has_colours: bool) -> String {
    let (text, style) = match (position.owner(spot), position.fish(spot)) {
        (Some(owner), _) => {
            let colour = COLOURS[owner.index() % COLOURS.len()];
            let effects = if position.turn() == Some(owner) {
                Effects::BOLD | Effects::INVERT
            } else {
                Effects::BOLD
            };
            let style = Style::new().fg_color(Some(colour.into())).effects(effects);
            (letter(owner.index()), style)
        }
        (None, 0) => return " ".to_owned(),
        (None, fish) => (char::from(b'0' + fish), Style::new()),
    };
    if has_colours {
        format!("{style}{text}{style:#}")
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use floe_rules::Game as _;
    use floe_rules::penguins::Penguins;

    use super::*;

    #[test]
    fn the_picture_of_the_contest() {
        let text = "5 5\n30 01 10 20 30\n10 30 20 10 30\n30 30 20 20 20\n30 20 30 20 10\n\
                    10 02 10 20 20\na 1 1\nb 2 1\n";
        let position = Penguins::read(text).unwrap();
        assert_eq!(
            board(&position, false),
            "  X 0  1  2  3  4
Y   -  -  -  -  -
0 | 3  A  1  2  3 |
1 | 1  3  2  1  3 |
2 | 3  3  2  2  2 |
3 | 3  2  3  2  1 |
4 | 1  B  1  2  2 |
    -  -  -  -  -
"
        );
    }

    #[test]
    fn large_boards_stay_in_line() {
        let setup = "12x11,players=9,penguins=2,water=40".parse().unwrap();
        let mut position = Penguins::start(&setup, 3).unwrap();
        for _ in 0..18 {
            let mv = position.legal_moves()[0];
            position.play(mv).unwrap();
        }
        insta::assert_snapshot!(board(&position, false));
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let position = Penguins::read("2 2\n01 02\n10 20\na 1 1\nb 2 1\n").unwrap();
        let coloured = board(&position, true);
        assert!(
            coloured.contains("\x1b[1m\x1b[7m\x1b[31mA\x1b[0m"),
            "{coloured:?}"
        );
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once('\x1b') {
            plain += before;
            rest = after.split_once('m').map_or("", |(_, after)| after);
        }
        assert_eq!(plain + rest, board(&position, false));
    }
}
