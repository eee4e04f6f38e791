//! The form before a game, next to the board to be played.

use floe_rules::Square;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::about::with_stop;
use super::board::{BoardDrawing, Decoration};
use super::spots::{ClickAction, Spots};
use super::window::{Window, Zoom};
use super::{Skin, overlay, put_keys, put_title, wrapped};
use crate::new_game::{NewGameForm, Row, RowKind};
use crate::texts::{of_game, t};
use crate::theme::{Role, Theme};

/// Width of the form.
const FORM: u16 = 36;
/// Columns of a label.
const LABEL: usize = 12;

pub(super) fn draw(frame: &mut Frame<'_>, form: &NewGameForm, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    title(frame, form, skin, spots);
    let rows = form.rows();
    let bottom = area.bottom() - 1;
    let (text, role) = match &form.problem {
        Some(problem) => (problem.clone(), Role::Bad),
        None => (about(rows[form.row.min(rows.len() - 1)].kind), Role::Faint),
    };
    let width = usize::from(area.width) - 2;
    let words = wrapped(text.lines().next().unwrap_or_default(), width);
    let is_roomy = usize::from(area.height) >= rows.len() + 10;
    let pitch = match is_roomy {
        true => pitch(form, width),
        false => Vec::new(),
    };
    // From the bottom: keys, the meaning of the line, a blank, a short description of the game.
    let used = rows.len() as u16 + 12;
    let pitch_lines = (pitch.len() as u16).min(area.height.saturating_sub(used));
    let gap = u16::from(pitch_lines > 0);
    let last = bottom - (words.len() as u16).clamp(1, 2) - gap - pitch_lines;
    let first = area.y + if is_roomy { 4 } else { 1 };
    if is_roomy {
        let heading = Line::from(skin.span(format!(" {}", t!("New game")), Role::Strong));
        frame
            .buffer_mut()
            .set_line(area.x, area.y + 2, &heading, area.width);
    }
    let height = usize::from(last.saturating_sub(first));
    let end = lines(frame, form, &rows, (first, height), is_roomy, skin, spots);
    if is_roomy && end < last {
        extras(frame, form, end, skin, spots);
    }
    preview(frame, form, last, skin, spots);
    let below = words.len().clamp(1, 2) as u16;
    for (y, text) in (last..).zip(pitch.iter().take(pitch_lines.into())) {
        put(frame, y, text, Role::Text, skin);
    }
    for (y, text) in (bottom - below..bottom).zip(&words) {
        put(frame, y, text, role, skin);
    }
    let keys = [
        (skin.sign("↑↓", "up/down"), t!("field")),
        (skin.sign("←→", "left/right"), t!("change")),
        ("Enter", t!("play")),
        ("F1", t!("rules")),
        ("T", t!("theme")),
        ("q", t!("quit")),
    ];
    let place = Rect::new(area.x, bottom, area.width, 1);
    put_keys(frame, place, &keys, skin, spots);
    if form.shows_rules {
        spots.cover();
        overlay::rules(frame, form.game(), skin);
        spots.add(area, ClickAction::Key(KeyCode::Esc));
    }
}

fn put(frame: &mut Frame<'_>, y: u16, text: &str, role: Role, skin: Skin) {
    let area = frame.area();
    let line = Line::from(vec![Span::raw(" "), skin.span(text.to_owned(), role)]);
    frame.buffer_mut().set_line(area.x, y, &line, area.width);
}

/// The resumable game, at the right.
fn title(frame: &mut Frame<'_>, form: &NewGameForm, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let place = Rect::new(area.x, area.y, area.width, 1);
    let right = match &form.unfinished {
        Some(game) => t!("r resume: {game}", game),
        None => String::new(),
    };
    put_title(frame, place, "", &right, false, skin, spots);
    if !right.is_empty() {
        let width = (right.chars().count() as u16 + 1).min(area.width);
        let place = Rect::new(area.right() - width, area.y, width, 1);
        spots.add(place, ClickAction::Key(KeyCode::F(2)));
    }
}

/// The lines of the form; the start button has a frame if it fits. Returns where they end.
fn lines(
    frame: &mut Frame<'_>,
    form: &NewGameForm,
    rows: &[Row],
    (first, height): (u16, usize),
    is_roomy: bool,
    skin: Skin,
    spots: &mut Spots,
) -> u16 {
    let area = frame.area();
    let mut y = first;
    for i in seen(rows, form.row, height) {
        let row = &rows[i];
        let is_here = i == form.row;
        if row.kind.is_button() && is_roomy {
            y = button(frame, row, i, is_here, y + 1, skin, spots);
            continue;
        }
        let (mark, left, right) = match is_here {
            true => (
                skin.sign(" ▸ ", " > "),
                skin.sign("‹ ", "< "),
                skin.sign(" ›", " >"),
            ),
            false => ("   ", "  ", "  "),
        };
        let value = match (&form.typed, is_here) {
            (Some(text), true) => format!("{text}{}", skin.sign("▏", "_")),
            _ => row.value.clone(),
        };
        let role = if is_here { Role::Key } else { Role::Text };
        let line = Line::from(vec![
            skin.span(mark, Role::Key),
            skin.span(format!("{:<LABEL$}", row.label), Role::Faint),
            skin.span(left, Role::Key),
            skin.span(value, role),
            skin.span(right, Role::Key),
        ]);
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
        spots.add(
            Rect::new(area.x, y, area.width.min(FORM), 1),
            ClickAction::Row(i),
        );
        if is_here && !row.kind.is_button() {
            // The arrows, with the blank next to each.
            let end = area.x + line.width() as u16;
            let from = area.x + LABEL as u16 + 3;
            let arrow = |x, code| (Rect::new(x, y, 2, 1), ClickAction::Key(code));
            for (place, action) in [arrow(from, KeyCode::Left), arrow(end - 2, KeyCode::Right)] {
                spots.add(place, action);
            }
        }
        y += 1;
    }
    y
}

/// The button that starts the game, with a frame.
fn button(
    frame: &mut Frame<'_>,
    row: &Row,
    index: usize,
    is_here: bool,
    y: u16,
    skin: Skin,
    spots: &mut Spots,
) -> u16 {
    let area = frame.area();
    let text = format!(" Enter  {} ", row.value);
    let width = text.chars().count();
    let across = skin.sign("━", "=").repeat(width);
    let down = skin.sign("┃", "|");
    let corners = match skin.unicode {
        true => ["┏", "┓", "┗", "┛"],
        false => ["+"; 4],
    };
    let role = if is_here {
        Role::Selected
    } else {
        Role::Strong
    };
    let frames = [
        Line::from(skin.span(format!("{}{across}{}", corners[0], corners[1]), Role::Key)),
        Line::from(vec![
            skin.span(down, Role::Key),
            skin.span(text, role),
            skin.span(down, Role::Key),
        ]),
        Line::from(skin.span(format!("{}{across}{}", corners[2], corners[3]), Role::Key)),
    ];
    for (y, line) in (y..).zip(&frames) {
        frame.buffer_mut().set_line(area.x + 3, y, line, FORM);
    }
    let place = Rect::new(area.x + 3, y, width as u16 + 2, 3);
    spots.add(place, ClickAction::Row(index));
    y + 3
}

/// The tour, and the user's own games.
fn extras(frame: &mut Frame<'_>, form: &NewGameForm, y: u16, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let y = y + 1;
    let mut offers = match form.stored {
        0 => vec![("t", t!("tour, 1 min"))],
        n => vec![("g", t!("my games ({n})", n)), ("t", t!("tour"))],
    };
    if form.has_puzzles() {
        offers.push(("p", t!("puzzles")));
    }
    let place = Rect::new(area.x + 2, y, FORM, 1);
    if y < area.bottom() - 2 {
        put_keys(frame, place, &offers, skin, spots);
    }
}

/// The visible lines, in order: all, or those around the cursor and the start button.
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

/// A sentence about the line at the cursor.
fn about(kind: RowKind) -> String {
    match kind {
        RowKind::Game => t!("Left and right choose another game. F1 shows its rules."),
        RowKind::Size => t!("Columns x rows. Type any other size, such as 9x7."),
        RowKind::Setting(_) | RowKind::Level(_) => t!("Left and right change it."),
        RowKind::First => t!("The player who begins."),
        RowKind::Clock => t!("Your own time: for a move, or for the game with more per move."),
        RowKind::Opponent(_) | RowKind::Seat(_) => {
            t!("A person, an engine, or any seat you type, such as floe:time=2s or ./bot.")
        }
        RowKind::Start => t!("Enter plays."),
    }
}

/// A short description of the game: its pitch, and as much of the rules as fits.
fn pitch(form: &NewGameForm, width: usize) -> Vec<String> {
    let game = form.game();
    let mut lines = wrapped(&of_game(game.pitch()), width);
    let rules: Vec<String> = game.rules().lines().map(of_game).collect();
    lines.extend(wrapped(&rules.join(" "), width));
    lines.truncate(5);
    lines
}

/// The board next to the form, down to the line `end`.
fn preview(frame: &mut Frame<'_>, form: &NewGameForm, end: u16, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    if area.width < FORM + 24 || end < area.y + 8 {
        return;
    }
    let Some(view) = form.view() else {
        return;
    };
    let x = area.x + FORM;
    let heading = t!("Preview, seed {seed}", seed = form.seed);
    let line = Line::from(skin.span(heading, Role::Faint));
    let y = area.y + 2;
    frame
        .buffer_mut()
        .set_line(x + 3, y, &line, area.width - FORM);
    let offer = [("b", t!("another board"))];
    let wide = offer[0].1.chars().count() as u16 + 5;
    let place = Rect::new(area.right().saturating_sub(wide), y, wide, 1);
    if x + 3 + (line.width() as u16) <= place.x {
        put_keys(frame, place, &offer, skin, spots);
    }
    let place = Rect::new(x, y + 1, area.width - FORM, end.saturating_sub(y + 2));
    let middle = Square::new(view.width / 2, view.height / 2);
    let zoom = Zoom::fitting(skin.unicode && skin.theme != Theme::None);
    let window = Window::new(view, place, middle, zoom);
    let board = BoardDrawing {
        view,
        on: Decoration::default(),
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, place, frame.buffer_mut());
    let (_, bottom) = window.end();
    if let (Some(note), true) = (view.notes.first(), bottom + 2 < end) {
        let line = Line::from(skin.span(with_stop(&of_game(note)), Role::Faint));
        frame
            .buffer_mut()
            .set_line(x + 3, bottom + 2, &line, area.width - FORM - 3);
    }
}
