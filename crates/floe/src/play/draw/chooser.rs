//! The form before a game, with the board it would be beside it.

use floe_rules::Square;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::board::Board;
use super::layout::Window;
use super::{Skin, keys_line, wrapped};
use crate::play::chooser::{Chooser, RowKind};
use crate::play::theme::Role;

/// How wide the form is.
const FORM: u16 = 40;

pub(super) fn draw(frame: &mut Frame<'_>, chooser: &Chooser, skin: Skin) {
    let area = frame.area();
    let mut title = Line::from(skin.span(" floe", Role::Title));
    title.push_span(skin.span(" · choose a game, Enter plays", Role::Faint));
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &title, area.width);

    let rows = chooser.rows();
    let height = usize::from(area.height.saturating_sub(5));
    let first = chooser.row.saturating_sub(height.saturating_sub(1));
    for (i, row) in rows.iter().enumerate().skip(first).take(height) {
        let y = area.y + 2 + (i - first) as u16;
        let is_here = i == chooser.row;
        let (left, right) = match (is_here, row.kind) {
            (true, RowKind::Start) | (false, _) => (" ", " "),
            (true, _) => (skin.sign("◀", "<"), skin.sign("▶", ">")),
        };
        let value = match (&chooser.typed, is_here) {
            (Some(text), true) => format!("{text}{}", skin.sign("▏", "_")),
            _ => row.value.clone(),
        };
        let role = if is_here {
            Role::Selected
        } else {
            Role::Strong
        };
        let line = Line::from(vec![
            skin.span(format!("  {:<10}", row.label), Role::Faint),
            skin.span(format!("{left} "), Role::Key),
            skin.span(format!(" {value} "), role),
            skin.span(format!(" {right}"), Role::Key),
        ]);
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
    preview(frame, chooser, skin);
    let y = area.bottom() - 2;
    let (text, role) = match &chooser.problem {
        Some(problem) => (problem.clone(), Role::Bad),
        None => (
            about(chooser, &rows[chooser.row.min(rows.len() - 1)].kind),
            Role::Text,
        ),
    };
    let text = text.lines().next().unwrap_or_default().to_owned();
    let line = Line::from(vec![Span::raw(" "), skin.span(text, role)]);
    frame.buffer_mut().set_line(area.x, y, &line, area.width);
    let keys = [
        ("Enter", "play"),
        (skin.sign("↑↓", "up/down"), "line"),
        (skin.sign("←→", "left/right"), "change"),
        ("type", "anything else"),
        ("T", "colours"),
        ("q", "quit"),
    ];
    let line = keys_line(&keys, area.width, skin);
    frame
        .buffer_mut()
        .set_line(area.x, y + 1, &line, area.width);
}

/// A word about the line the cursor is on.
fn about(chooser: &Chooser, kind: &RowKind) -> String {
    match kind {
        RowKind::Game => {
            let rules = chooser.game().rules();
            rules.lines().next().unwrap_or_default().to_owned()
        }
        RowKind::Size => "columns x rows; type any other, such as 9x7".to_owned(),
        RowKind::Setting(_) => "left and right change it".to_owned(),
        RowKind::Seat(_) => {
            "human, or an engine; any spec can be typed, such as floe:time=2s".to_owned()
        }
        RowKind::Start => "Enter plays".to_owned(),
    }
}

fn preview(frame: &mut Frame<'_>, chooser: &Chooser, skin: Skin) {
    let area = frame.area();
    if area.width < FORM + 24 {
        return;
    }
    let place = Rect::new(
        area.x + FORM,
        area.y + 2,
        area.width - FORM,
        area.height - 5,
    );
    let Some(table) = chooser.table() else {
        return;
    };
    let view = table.view();
    let middle = Square::new(view.width / 2, view.height / 2);
    let window = Window::new(&view, place, middle, 0);
    let board = Board {
        view: &view,
        marks: Default::default(),
        cursor: None,
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, place, frame.buffer_mut());
    let rules = chooser.game().rules();
    let below = window.end().1 + 3;
    let room = usize::from(place.bottom().saturating_sub(below));
    let lines: Vec<String> = (rules.lines())
        .flat_map(|rule| wrapped(rule, usize::from(place.width) - 2))
        .collect();
    if lines.len() <= room {
        for (y, line) in (below..place.bottom()).zip(lines) {
            let line = Line::from(skin.span(line, Role::Faint));
            frame.buffer_mut().set_line(place.x, y, &line, place.width);
        }
    }
}
