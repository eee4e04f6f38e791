//! The form before a game, with the board it would be beside it.

use floe_rules::Square;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::board::BoardDrawing;
use super::layout::{Window, Zoom};
use super::spots::{Act, Spots};
use super::{Skin, overlay, put_keys, wrapped};
use crate::chooser::{Chooser, Row, RowKind};
use crate::theme::Role;

/// Width of the form.
const FORM: u16 = 40;

pub(super) fn draw(frame: &mut Frame<'_>, chooser: &Chooser, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let mut title = Line::from(skin.span(" floe", Role::Title));
    title.push_span(skin.span(" · choose a game, Enter plays", Role::Faint));
    frame
        .buffer_mut()
        .set_line(area.x, area.y, &title, area.width);

    let rows = chooser.rows();
    let height = usize::from(area.height.saturating_sub(5));
    for (line, i) in seen(&rows, chooser.row, height).into_iter().enumerate() {
        let row = &rows[i];
        let y = area.y + 2 + line as u16;
        let is_here = i == chooser.row;
        let (left, right) = match (is_here, row.kind) {
            (true, kind) if kind.is_button() => (" ", " "),
            (false, _) => (" ", " "),
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
        spots.add(Rect::new(area.x, y, area.width.min(FORM), 1), Act::Row(i));
        if is_here && !row.kind.is_button() {
            // The arrows, with the blank beside each.
            let end = area.x + line.width() as u16;
            spots.add(Rect::new(area.x + 12, y, 2, 1), Act::Key(KeyCode::Left));
            spots.add(Rect::new(end - 2, y, 2, 1), Act::Key(KeyCode::Right));
        }
    }
    let y = area.bottom() - 2;
    let rules = rules(chooser, usize::from(area.width) - 2);
    // The rules stand under the form where there is room for all of them.
    let least = area.y + 2 + rows.len() as u16;
    let from = y.saturating_sub(rules.len() as u16 + 1).max(area.y);
    let has_rules = from > least;
    if has_rules {
        for (y, rule) in (from..).zip(&rules) {
            let line = Line::from(vec![Span::raw(" "), skin.span(rule.clone(), Role::Faint)]);
            frame.buffer_mut().set_line(area.x, y, &line, area.width);
        }
    }
    let end = if has_rules { from } else { y - 1 };
    preview(frame, chooser, end, skin);
    let (text, role) = match &chooser.problem {
        Some(problem) => (problem.clone(), Role::Bad),
        None => (
            about(rows[chooser.row.min(rows.len() - 1)].kind).to_owned(),
            Role::Text,
        ),
    };
    // As many lines as the form leaves.
    let lines = wrapped(
        text.lines().next().unwrap_or_default(),
        usize::from(area.width) - 2,
    );
    let free = if has_rules {
        1
    } else {
        (y + 1).saturating_sub(least).max(1)
    };
    let lines = &lines[..lines.len().min(usize::from(free))];
    for (y, text) in (y + 1 - lines.len() as u16..).zip(lines) {
        let line = Line::from(vec![Span::raw(" "), skin.span(text.clone(), role)]);
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
    let keys = [
        ("Enter", "play"),
        ("F1", "rules"),
        ("t", "tour"),
        ("q", "quit"),
        (skin.sign("↑↓", "up/down"), "line"),
        (skin.sign("←→", "left/right"), "change"),
        ("T", "colours"),
        ("type", "anything else"),
    ];
    put_keys(
        frame,
        Rect::new(area.x, y + 1, area.width, 1),
        &keys,
        skin,
        spots,
    );
    if chooser.shows_rules {
        spots.cover();
        overlay::rules(frame, chooser.game(), skin);
        spots.add(area, Act::Key(KeyCode::Esc));
    }
}

/// The lines that are seen, in order: all, or those around the cursor and the one that plays.
fn seen(rows: &[Row], at: usize, height: usize) -> Vec<usize> {
    if rows.len() <= height {
        return (0..rows.len()).collect();
    }
    let start = rows.iter().position(|row| row.kind == RowKind::Start);
    let start = start.unwrap_or(rows.len() - 1);
    let others = height.saturating_sub(1);
    let first = (at + 1).saturating_sub(others);
    let mut seen: Vec<usize> = (first..rows.len()).take(others).collect();
    if !seen.contains(&start) {
        seen.push(start);
        seen.sort_unstable();
    }
    seen
}

/// A word about the line the cursor is on.
fn about(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Game => "left and right: another game; F1: its rules; t: a tour of one minute",
        RowKind::Size => "columns x rows; type any other, such as 9x7",
        RowKind::Setting(_) => "left and right change it",
        RowKind::Seat(_) => "human, or an engine; any spec can be typed, such as floe:time=2s",
        RowKind::Start => "Enter plays",
        RowKind::Resume => "Enter or F2: resume the latest game",
        RowKind::Games => "Enter or F3: review or resume your games",
    }
}

/// The rules one after the other, in lines.
fn rules(chooser: &Chooser, width: usize) -> Vec<String> {
    wrapped(chooser.game().rules(), width)
}

/// The board beside the form, down to the row `end`.
fn preview(frame: &mut Frame<'_>, chooser: &Chooser, end: u16, skin: Skin) {
    let area = frame.area();
    if area.width < FORM + 24 {
        return;
    }
    let top = area.y + 2;
    let place = Rect::new(
        area.x + FORM,
        top,
        area.width - FORM,
        end.saturating_sub(top),
    );
    let Some(view) = chooser.view() else {
        return;
    };
    let middle = Square::new(view.width / 2, view.height / 2);
    let window = Window::new(view, place, middle, Zoom::default());
    let board = BoardDrawing {
        view,
        marks: Default::default(),
        cursor: None,
        moving: Default::default(),
        is_flashing: false,
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, place, frame.buffer_mut());
}
