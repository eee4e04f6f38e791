//! Sentences about the board: the piece's moves, the square at the cursor, the remaining fields,
//! and the meaning of the marks.

use floe_rules::{Numbering, Shade, Square};
use ratatui::text::{Line, Span};

use super::board::Mark;
use super::window::{Grid, Window};
use super::{Skin, wrapped};
use crate::screen::{Marks, Screen};
use crate::texts::{self, of_game, sentence, t, tn};
use crate::theme::Role;

/// Most squares listed in a sentence.
const MOST_SQUARES: usize = 12;

/// The sentences, wrapped to this width.
pub(super) fn lines(screen: &Screen, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut say = |text: String, role: Role| {
        let wrapped = wrapped(&text, width).into_iter();
        lines.extend(wrapped.map(|line| Line::from(skin.span(line, role))));
    };
    if let Some(text) = reach(screen) {
        say(text, Role::Text);
    }
    if let Some(text) = here(screen) {
        say(text, Role::Text);
    }
    for note in &screen.view.notes {
        say(with_stop(&of_game(note)), Role::Faint);
    }
    let free = screen.choices.plain();
    // Without backgrounds of their own, squares that cannot be used are drawn faintly.
    let is_plain = !screen.choices.has_pieces() && screen.view.drawing.level.is_none();
    let has_marks = screen.marks == Marks::Moves && is_plain;
    if has_marks && free > 0 && free < screen.view.free && !screen.choices.is_by_keys() {
        let sign = Mark::Target.sign(skin.unicode).unwrap_or('.');
        say(
            tn!(
                "You may take {n} of them: {sign}",
                "You may take {n} of them: {sign}",
                free,
                sign
            ),
            Role::Text,
        );
        if let Some(why) = &screen.why_not {
            say(t!("Why not the others?"), Role::Strong);
            say(with_stop(&of_game(why)), Role::Faint);
        }
    }
    lines
}

/// The possible targets of the lifted piece, or of the piece under the cursor.
fn reach(screen: &Screen) -> Option<String> {
    let from = match screen.lifted {
        Some(from) => from,
        None if screen.choices.can_move(screen.cursor) => screen.cursor,
        None => return None,
    };
    let mut squares = screen.choices.squares(Some(from));
    squares.sort_unstable_by_key(|square| (square.column, square.row));
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    match names.len() {
        0 => None,
        n if n > MOST_SQUARES => Some(tn!(
            "{from} can go to {n} square.",
            "{from} can go to {n} squares.",
            n,
            from
        )),
        _ => Some(t!(
            "{from} can go to {squares}.",
            from,
            squares = names.join(", ")
        )),
    }
}

/// The square under the cursor, in words.
pub(super) fn here(screen: &Screen) -> Option<String> {
    let at = screen.cursor;
    let drawing = &screen.view.drawing;
    let cell = screen.view.cell(at)?;
    match (cell.owner, cell.shade, drawing.piece, drawing.level) {
        (Some(owner), _, Some(piece), _) => {
            let name = screen.session.name(owner);
            let piece = of_game(piece.word);
            Some(match screen.session.is_you(owner) {
                true => t!("{at}: your {piece}.", at, piece),
                false => t!("{at}: a {piece} of {name}.", at, piece, name),
            })
        }
        (None, Shade::Level(level), _, Some(_)) => {
            let amount = texts::amount(level.into(), screen.session.game().unit());
            Some(t!("{at} has {amount}.", at, amount))
        }
        _ => None,
    }
}

/// The contest's own coordinates of the cursor.
pub(super) fn contest_numbers(screen: &Screen) -> Option<String> {
    let numbering = screen.view.drawing.numbering?;
    let at = screen.cursor;
    let y = match numbering {
        Numbering::TopLeft => screen.view.height - 1 - at.row,
        Numbering::BottomLeft => at.row,
    };
    Some(format!("{at}: x {} y {y}", at.column))
}

/// The meaning of the board's marks.
pub(super) fn legend(screen: &Screen, window: &Window, skin: Skin) -> Line<'static> {
    let is_tile = window.size.grid == Grid::Tile;
    let mut parts: Vec<(&'static str, String)> = Vec::new();
    if screen.is_my_turn() && screen.choices.has_pieces() {
        let target = match is_tile {
            true => skin.sign("•", "."),
            false => skin.sign("·", "."),
        };
        parts.push((target, t!("can go")));
    }
    match is_tile {
        true => parts.push((skin.sign("┏┓", "=="), t!("cursor"))),
        false => parts.push(("[ ]", t!("cursor"))),
    }
    if screen.choices.has_pieces() {
        parts.push(match is_tile {
            true => (skin.sign("╔╗", "##"), t!("lifted")),
            false => (skin.sign("▸", "*"), t!("lifted")),
        });
    }
    if !screen.session.turns().is_empty() {
        let last = match screen.choices.has_pieces() {
            true => t!("left"),
            false => t!("last"),
        };
        parts.push((skin.sign("◦", "o"), last));
    }
    if screen.hint.is_some() {
        parts.push(("!", t!("hint")));
    }
    let mut line = Line::default();
    for (i, (sign, text)) in parts.into_iter().enumerate() {
        if i > 0 {
            line.push_span(Span::raw("  "));
        }
        line.push_span(skin.span(sign, Role::Mark));
        line.push_span(skin.span(format!(" {text}"), Role::Faint));
    }
    line
}

/// A text as a separate sentence.
pub(super) fn with_stop(text: &str) -> String {
    let text = sentence(text);
    match text.ends_with(['.', '!', '?', ':']) || text.is_empty() {
        true => text,
        false => format!("{text}."),
    }
}
