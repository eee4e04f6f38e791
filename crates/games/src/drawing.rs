//! A position as a self-contained picture: plain text, or SVG. Made from the [`View`], so every
//! game has both.

use std::fmt::Write as _;

use floe_rules::{Cell, Emblem, Ink, Player, Shade, Shape, Square, View};

use crate::AnyPosition;

/// The side of a field, in units of an SVG picture.
const FIELD: u32 = 36;
/// Space for the names of columns and rows.
const EDGE: u32 = 26;
/// The height of a line under the board.
const LINE: u32 = 24;
/// The box that small drawings lie in.
const DRAWING: f64 = 24.0;

/// The colours of seats; the tenth seat has the first colour again.
const SEATS: [&str; 9] = [
    "#d1495b", "#2e6fba", "#3a9d5d", "#e09f3e", "#8656a8", "#2a9d9d", "#a0613a", "#c2569b",
    "#6b7280",
];
/// The colours of kinds without order.
const HUES: [&str; 6] = [
    "#f2b5a7", "#a9cdf0", "#b9dfb4", "#f6dd9d", "#cdb9e6", "#d9d9d9",
];

/// The board with the names of its columns and rows, then a line for every seat.
///
/// ```
/// let mut position = floe_games::find("gamma")?.start("3x2,areas=1", 1)?;
/// position.play("b1")?;
/// let text = floe_games::drawing::text(&*position);
/// assert_eq!(text, "\
/// 2 . . .
/// 1 . 1 .
///   a b c
/// 1   1  1 of 1 areas, golden move left
/// 2 > 0  0 of 1 areas, golden move left
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(position: &dyn AnyPosition) -> String {
    let view = position.view();
    let margin = view.height.to_string().len();
    let names: Vec<String> = (0..view.width).map(column_name).collect();
    let width = names.last().map_or(1, String::len);
    let mut out = String::new();
    for (row, cells) in rows(&view) {
        let _ = write!(out, "{:>margin$}", row + 1);
        for cell in cells {
            let _ = write!(out, " {:>width$}", cell.glyph);
        }
        out.push('\n');
    }
    let _ = write!(out, "{:>margin$}", "");
    for name in &names {
        let _ = write!(out, " {name:>width$}");
    }
    out.push('\n');
    for (player, line) in seat_lines(position, &view) {
        let sign = if position.turn() == Some(player) {
            '>'
        } else {
            ' '
        };
        let _ = writeln!(out, "{player} {sign} {line}");
    }
    out
}

/// The same as an SVG picture.
///
/// ```
/// let position = floe_games::find("penguins")?.start("5x5", 1)?;
/// let svg = floe_games::drawing::svg(&*position);
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(position: &dyn AnyPosition) -> String {
    let view = position.view();
    let board = (view.width * FIELD, view.height * FIELD);
    let lines = seat_lines(position, &view);
    let width = (board.0 + 2 * EDGE).max(320);
    let height = board.1 + EDGE + 10 + LINE * lines.len() as u32 + 10;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fbfbf9\"/>\n"
    );
    for (row, cells) in rows(&view) {
        let y = (view.height - 1 - row) * FIELD;
        label(&mut out, EDGE / 2, y + FIELD / 2, &(row + 1).to_string());
        for (column, cell) in (0..).zip(cells) {
            field(&mut out, &view, cell, (EDGE + column * FIELD, y));
        }
    }
    for column in 0..view.width {
        let x = EDGE + column * FIELD + FIELD / 2;
        label(&mut out, x, board.1 + EDGE / 2, &column_name(column));
    }
    for (index, (player, line)) in (0..).zip(&lines) {
        let y = board.1 + EDGE + 10 + index * LINE + LINE / 2;
        let weight = if position.turn() == Some(*player) {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{y}\" r=\"7\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{y}\" dominant-baseline=\"central\"{weight}>{player}: {}</text>",
            EDGE / 2,
            seat_colour(*player),
            EDGE,
            escaped(line)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The rows from the top, each with its number from the bottom, starting at 0.
fn rows(view: &View) -> impl Iterator<Item = (u32, &[Cell])> {
    let rows = view.cells.chunks(view.width.max(1) as usize);
    (0..view.height).rev().zip(rows)
}

/// A line for each seat: its score and special state.
fn seat_lines(position: &dyn AnyPosition, view: &View) -> Vec<(Player, String)> {
    let lines = Player::all(position.players()).zip(&view.seats);
    let line = |(player, seat): (Player, &floe_rules::SeatView)| {
        let words = [seat.score.to_string(), seat.name.clone(), seat.note.clone()];
        let said: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        (player, said.join("  "))
    };
    lines.map(line).collect()
}

fn column_name(column: u32) -> String {
    let square = Square::new(column, 0).to_string();
    square.trim_end_matches('1').to_owned()
}

fn seat_colour(player: Player) -> &'static str {
    SEATS[player.index() % SEATS.len()]
}

fn label(out: &mut String, x: u32, y: u32, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" dominant-baseline=\"central\" \
         fill=\"#666\">{text}</text>"
    );
}

/// A field: its ground, its owner, and the things on it.
fn field(out: &mut String, view: &View, cell: &Cell, (x, y): (u32, u32)) {
    let ground = match (cell.shade, cell.owner) {
        (Shade::Void, _) => "#5b93b8",
        (Shade::Plain, _) => "#ffffff",
        (Shade::Level(_), _) => "#eaf4fa",
        (Shade::Hue(hue), _) => HUES[usize::from(hue) % HUES.len()],
    };
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{FIELD}\" height=\"{FIELD}\" fill=\"{ground}\" \
         stroke=\"#c4ccd2\"/>"
    );
    match (cell.owner, view.drawing.piece) {
        (Some(owner), Some(piece)) => emblem(out, &piece, (x, y), 1.0, seat_colour(owner)),
        (Some(owner), None) => {
            let inner = FIELD - 6;
            let _ = writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" rx=\"5\" \
                 fill=\"{}\"/>",
                x + 3,
                y + 3,
                seat_colour(owner)
            );
            centred(out, cell.glyph, (x, y), "#ffffff");
        }
        (None, _) => match (cell.shade, view.drawing.level) {
            (Shade::Level(level), Some(thing)) if !thing.drawing.is_empty() => {
                for step in 0..u32::from(level.min(3)) {
                    let place = (x + 4 + step * 8, y + 4 + (step % 2) * 12);
                    emblem(out, &thing, place, 0.5, "#4a6572");
                }
            }
            (Shade::Void, _) => {}
            _ => centred(out, cell.glyph, (x, y), "#333333"),
        },
    }
}

fn centred(out: &mut String, glyph: char, (x, y): (u32, u32), colour: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" dominant-baseline=\"central\" \
         fill=\"{colour}\">{}</text>",
        x + FIELD / 2,
        y + FIELD / 2,
        escaped(&glyph.to_string())
    );
}

/// A small drawing at a fraction of a field's size, or its letters if it has none.
fn emblem(out: &mut String, emblem: &Emblem, (x, y): (u32, u32), part: f64, owner: &str) {
    if emblem.drawing.is_empty() {
        let glyph = emblem.wide.chars().next().unwrap_or('*');
        centred(out, glyph, (x, y), owner);
        return;
    }
    let scale = f64::from(FIELD) / DRAWING * part;
    let _ = writeln!(out, "<g transform=\"translate({x} {y}) scale({scale})\">");
    for Shape { ink, path } in emblem.drawing {
        let fill = match ink {
            Ink::Owner | Ink::Thing => owner,
            Ink::Light => "#ffffff",
            Ink::Dark => "#22303a",
            Ink::Bright => "#f4a300",
        };
        let _ = writeln!(out, "<path d=\"{path}\" fill=\"{fill}\"/>");
    }
    out.push_str("</g>\n");
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_cannot_break_out_of_a_picture() {
        assert_eq!(escaped("<a\"&\u{7}>"), "&lt;a&quot;&amp; &gt;");
    }

    #[test]
    fn every_game_can_be_drawn_whatever_its_size() {
        for game in crate::games() {
            for setup in game.conformance_setups() {
                let position = game.start(setup, 3).unwrap();
                let view = position.view();
                let text = text(&*position);
                let lines = text.lines().count() as u32;
                assert_eq!(lines, view.height + 1 + position.players(), "{text}");
                let svg = svg(&*position);
                for bracket in ["<g ", "<text "] {
                    let closed = format!("</{}>", bracket[1..].trim_end());
                    let (open, closed) = (svg.matches(bracket), svg.matches(&closed));
                    assert_eq!(open.count(), closed.count(), "{bracket}");
                }
            }
        }
    }
}
