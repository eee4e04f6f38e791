//! The board screen.

use floe_rules::Shade;
use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::board::Board;
use super::layout::{Layout, Window};
use super::{Skin, keys_line, overlay, panel, wrapped};
use crate::play::screen::{Message, Screen};
use crate::play::theme::Role;

pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin) {
    title(frame, screen, layout, skin);
    let window = Window::new(&screen.view, layout.board, screen.cursor, screen.zoom);
    let board = Board {
        view: &screen.view,
        marks: screen.marked(),
        cursor: Some(screen.cursor),
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, layout.board, frame.buffer_mut());
    panel::draw(frame, screen, layout, skin);
    message(frame, screen, layout, skin);
    overlay::draw(frame, screen, skin);
}

fn title(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin) {
    let view = &screen.view;
    let area = layout.title;
    let mut line = Line::from(vec![
        skin.span(format!(" {}", screen.session.game().title()), Role::Title),
        skin.span(format!(" · {} × {}", view.width, view.height), Role::Faint),
    ]);
    if !view.phase.is_empty() {
        line.push_span(skin.span(format!(" · {}", view.phase), Role::Faint));
    }
    let turn = screen.session.steps().len() + usize::from(!screen.is_over());
    line.push_span(skin.span(format!(" · turn {turn}"), Role::Faint));
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &line, area.width);
    let help = Line::from(vec![
        skin.span("F1", Role::Key),
        skin.span(" help ", Role::Faint),
    ]);
    let width = help.width() as u16;
    if line.width() as u16 + width < area.width {
        let x = area.right() - width;
        frame.buffer_mut().set_line(x, area.y, &help, width);
    }
}

fn message(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin) {
    let area = layout.message;
    let (text, role) = match &screen.message {
        Some(Message::News(text)) => (text.clone(), Role::Good),
        Some(Message::Refusal(text)) => (text.clone(), Role::Bad),
        None => (screen.instruction(), Role::Text),
    };
    // What does not fit goes on where the keys would be.
    let lines = wrapped(&text, usize::from(area.width) - 2);
    for (y, text) in (area.y..area.y + 2).zip(&lines) {
        let line = Line::from(vec![Span::raw(" "), skin.span(text.clone(), role)]);
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
    if lines.len() < 2 {
        let keys = keys_line(&keys(screen), layout.keys.width, skin);
        let area = layout.keys;
        frame
            .buffer_mut()
            .set_line(area.x, area.y, &keys, area.width);
    }
    // What the cursor is on, at the right end, where there is room for both.
    let used = lines.first().map_or(0, |line| line.chars().count()) as u16;
    let here = Line::from(skin.span(here(screen), Role::Faint));
    let width = here.width() as u16;
    if used + width + 3 < area.width {
        let x = area.right() - width - 1;
        frame.buffer_mut().set_line(x, area.y, &here, width);
    }
}

/// The square under the cursor, in words.
fn here(screen: &Screen) -> String {
    let mut text = screen.cursor.to_string();
    if let Some(numbering) = screen.view.drawing.numbering {
        let y = match numbering {
            floe_rules::Numbering::TopLeft => screen.view.height - 1 - screen.cursor.row,
            floe_rules::Numbering::BottomLeft => screen.cursor.row,
        };
        text.push_str(&format!(" (x {} y {y})", screen.cursor.column));
    }
    let drawing = &screen.view.drawing;
    let Some(cell) = screen.view.cell(screen.cursor) else {
        return text;
    };
    match (cell.owner, cell.shade, drawing.piece, drawing.level) {
        (Some(owner), _, Some(piece), _) => {
            text.push_str(&format!(": a {} of player {owner}", piece.word));
        }
        (Some(owner), _, None, _) => text.push_str(&format!(": player {owner}'s")),
        (None, Shade::Level(level), _, Some(emblem)) => {
            text.push_str(&format!(": {level} {}", emblem.word));
        }
        _ => {}
    }
    text
}

fn keys(screen: &Screen) -> Vec<(&'static str, &'static str)> {
    if screen.is_over() {
        return vec![
            ("F2", "result"),
            ("u", "undo"),
            ("n", "new game"),
            ("q", "quit"),
        ];
    }
    let mut keys = Vec::new();
    if screen.is_my_turn() {
        match screen.keyed().next() {
            Some(_) => keys.push(("1 2 3", "choose")),
            None => keys.push(("Enter", "play")),
        }
        if let Some(special) = screen.choices.iter().find_map(|choice| choice.special) {
            keys.push(("g", special));
        }
    } else {
        keys.push(("p", "wait"));
    }
    keys.extend([
        ("u", "undo"),
        ("?", "hint"),
        ("e", "evaluation"),
        ("F1", "help"),
        ("q", "quit"),
        ("s", "save"),
        ("n", "new game"),
        ("T", "colours"),
    ]);
    keys
}
