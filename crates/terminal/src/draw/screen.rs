//! The board screen: title, board, panel, message, and keys.

use floe_games::Reason;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::board::BoardDrawing;
use super::layout::Layout;
use super::spots::{ClickAction, Spots};
use super::{Skin, about, overlay, panel, put_keys, put_title, result, wrapped};
use crate::screen::{Message, Overlay, Screen};
use crate::texts::{of_game, sentence, t};
use crate::theme::Role;

/// Most lines of a message.
const MOST_LINES: usize = 3;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    screen: &Screen,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    if screen.overlay == Some(Overlay::Result) {
        result::draw(frame, screen, skin, spots);
        return;
    }
    title(frame, screen, layout, skin, spots);
    let window = screen.window(layout.board);
    let board = BoardDrawing {
        view: &screen.view,
        on: screen.decoration(&window),
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, layout.board, frame.buffer_mut());
    panel::draw(frame, screen, layout, &window, skin, spots);
    put_keys(frame, layout.keys, &keys(screen, skin), skin, spots);
    message(frame, screen, layout, skin);
    overlay::draw(frame, screen, skin, spots);
}

fn title(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin, spots: &mut Spots) {
    let view = &screen.view;
    let game = of_game(screen.session.game().title());
    let (columns, rows) = (view.width, view.height);
    let mut place = format!("{game} {columns}x{rows}");
    if !screen.is_saved {
        place = t!("{place}, not saved", place);
    }
    let turn = screen.session.turns().len() + usize::from(!screen.is_over());
    let right = match screen.session.play().reason() {
        Some(Reason::Forfeit) => t!("over, by forfeit"),
        _ if screen.is_over() => t!("turn {turn}, game over", turn),
        _ => t!("turn {turn}", turn),
    };
    put_title(frame, layout.title, &place, &right, true, skin, spots);
}

/// The line with the next action or the latest event; a long message also covers the lines above.
/// The keys stay in place.
fn message(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin) {
    let area = layout.message;
    let (text, role) = match &screen.message {
        Some(Message::News(text)) => (text.clone(), Role::Good),
        Some(Message::Refusal(text)) => (as_sentence(text), Role::Bad),
        None => (screen.instruction(), Role::Strong),
    };
    let (first, lines) = put_message(frame, layout, &text, role, skin);
    // The contest's coordinates, or the square under the cursor if the panel has no space.
    let used = lines.first().map_or(0, |line| line.chars().count() + 4);
    let here = match screen.shows_numbers {
        true => about::contest_numbers(screen),
        false if !layout.is_wide => about::here(screen),
        false => None,
    };
    let Some(here) = here.filter(|_| lines.len() < 2) else {
        return;
    };
    let here = Line::from(skin.span(here, Role::Faint));
    let width = here.width() as u16;
    if used as u16 + width + 3 < area.width {
        let x = area.right() - width - 1;
        frame.buffer_mut().set_line(x, first, &here, width);
    }
}

/// Writes the sentence with the next action, over the lines above if it is long. Returns its first
/// row and its lines.
pub(super) fn put_message(
    frame: &mut Frame<'_>,
    layout: &Layout,
    text: &str,
    role: Role,
    skin: Skin,
) -> (u16, Vec<String>) {
    let area = layout.message;
    let width = usize::from(area.width).saturating_sub(4);
    let mut lines = wrapped(text, width);
    let room = match layout.has_message_beside() {
        true => usize::from(area.height),
        false => MOST_LINES,
    };
    lines.truncate(room);
    let first = match layout.has_message_beside() {
        true => area.y,
        false => (area.bottom()).saturating_sub(lines.len() as u16),
    };
    let buffer = frame.buffer_mut();
    for (i, text) in lines.iter().enumerate() {
        let y = first + i as u16;
        let blank = " ".repeat(area.width.into());
        buffer.set_string(area.x, y, blank, Style::reset());
        let sign = match i {
            0 => skin.sign("▶ ", "> "),
            _ => "  ",
        };
        let margin = if layout.has_message_beside() { "" } else { " " };
        let line = Line::from(vec![
            Span::raw(margin),
            skin.span(sign, Role::Key),
            skin.span(text.clone(), role),
        ]);
        buffer.set_line(area.x, y, &line, area.width);
    }
    (first, lines)
}

/// A refusal as a sentence; a square, a file or a name at its start stays as it is.
fn as_sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let text = match first.chars().all(char::is_alphabetic) {
        true => sentence(text),
        false => text.to_owned(),
    };
    match text.ends_with(['.', '!', '?', ':']) {
        true => text,
        false => format!("{text}."),
    }
}

fn keys(screen: &Screen, skin: Skin) -> Vec<(&'static str, String)> {
    if screen.is_over() {
        return vec![
            ("F2", t!("result")),
            ("u", t!("undo")),
            ("n", t!("new game")),
            ("q", t!("quit")),
        ];
    }
    let arrows = skin.sign("←↑↓→", "arrows");
    let mut keys = Vec::new();
    if !screen.is_my_turn() {
        keys.push(("p", t!("wait")));
    } else if screen.choices.is_by_keys() {
        keys.push((skin.sign("←→", "arrows"), t!("preview")));
        keys.push(("Enter", t!("play")));
    } else if screen.lifted.is_some() {
        keys.push((arrows, t!("move")));
        keys.push(("Enter", t!("put down")));
        keys.push(("Esc", t!("drop")));
    } else if screen.is_picking() {
        keys.push(("Tab", t!("next piece")));
        keys.push(("Enter", t!("pick up")));
    } else {
        keys.push((arrows, t!("move")));
        keys.push(("Enter", t!("play")));
    }
    if screen.is_alone() {
        keys.push(("f", t!("finish")));
    }
    if let Some(special) = screen.choices.special() {
        keys.push(("g", of_game(special)));
    }
    keys.extend([
        ("?", t!("hint")),
        ("u", t!("undo")),
        ("e", t!("evaluation")),
        ("q", t!("quit")),
        ("s", t!("save")),
        ("n", t!("new game")),
        ("T", t!("theme")),
    ]);
    keys
}

/// Names the place at the left and the turn at the right, with the key for help.
pub(super) fn place_help(frame: &mut Frame<'_>, area: Rect, skin: Skin, spots: &mut Spots) -> u16 {
    let help = Line::from(vec![
        skin.span("F1", Role::Key),
        skin.span(format!(" {} ", t!("help")), Role::Faint),
    ]);
    let width = help.width() as u16;
    let x = area.right().saturating_sub(width);
    frame.buffer_mut().set_line(x, area.y, &help, width);
    spots.add(
        Rect::new(x, area.y, width, 1),
        ClickAction::Key(KeyCode::F(1)),
    );
    width
}
