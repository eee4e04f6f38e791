//! The board screen.

use floe_games::Reason;
use floe_rules::{Player, Shade};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::board::BoardDrawing;
use super::layout::Layout;
use super::spots::{Act, Spots};
use super::{Skin, overlay, panel, put_keys, wrapped};
use crate::screen::{Message, Screen};
use crate::theme::Role;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    screen: &Screen,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    title(frame, screen, layout, skin, spots);
    let window = screen.window(layout.board);
    let board = BoardDrawing {
        view: &screen.view,
        marks: screen.marked(window.squares(&screen.view)),
        cursor: Some(screen.cursor),
        moving: screen.moving(),
        is_flashing: screen.is_flashing(),
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, layout.board, frame.buffer_mut());
    panel::draw(frame, screen, layout, &window, skin, spots);
    message(frame, screen, layout, skin, spots);
    overlay::draw(frame, screen, skin, spots);
}

fn title(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin, spots: &mut Spots) {
    let view = &screen.view;
    let area = layout.title;
    let turn = screen.session.turns().len() + usize::from(!screen.is_over());
    let turn = format!(" · turn {turn}");
    let mut words = format!(" · {} × {}", view.width, view.height);
    let phase = match screen.session.play().reason() {
        Some(Reason::Forfeit) => "over, by forfeit",
        _ => view.phase.as_str(),
    };
    if !phase.is_empty() {
        words.push_str(&format!(" · {phase}"));
    }
    if !screen.is_saved {
        words.push_str(" · not saved");
    }
    let title = format!(" {}", screen.session.game().title());
    let room = usize::from(area.width) - title.chars().count();
    // On a narrow screen the number of the turn matters most.
    if words.chars().count() + turn.chars().count() > room {
        words.clear();
    }
    let line = Line::from(vec![
        skin.span(title, Role::Title),
        skin.span(words + &turn, Role::Faint),
    ]);
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
        spots.add(Rect::new(x, area.y, width, 1), Act::Key(KeyCode::F(1)));
    }
}

fn message(frame: &mut Frame<'_>, screen: &Screen, layout: &Layout, skin: Skin, spots: &mut Spots) {
    let area = layout.message;
    let width = usize::from(area.width) - 2;
    let (label, text, role) = match &screen.message {
        Some(Message::News(text)) => (None, text.clone(), Role::Good),
        Some(Message::Refusal(text)) => (None, text.clone(), Role::Bad),
        None => {
            let (label, text) = told(screen, width);
            (label, text, Role::Text)
        }
    };
    // The rest continues in the line of keys.
    let lines = wrapped(&text, width);
    for (y, text) in (area.y..area.y + 2).zip(&lines) {
        let mut line = Line::from(Span::raw(" "));
        if let Some((player, words)) = label.as_ref().filter(|_| y == area.y) {
            line.push_span(Span::styled(
                format!(" {words} "),
                skin.theme.player(*player),
            ));
            line.push_span(Span::raw(" "));
        }
        line.push_span(skin.span(text.clone(), role));
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
    if lines.len() < 2 {
        put_keys(frame, layout.keys, &keys(screen), skin, spots);
    }
    let before = label.map_or(0, |(_, words)| words.chars().count() + 3);
    // The square under the cursor, at the right end, if there is room for both.
    let used = before + lines.first().map_or(0, |line| line.chars().count());
    let used = used as u16;
    let here = Line::from(skin.span(here(screen), Role::Faint));
    let width = here.width() as u16;
    if used + width + 3 < area.width {
        let x = area.right() - width - 1;
        frame.buffer_mut().set_line(x, area.y, &here, width);
    }
}

/// Whose turn it is and what to do: all of it where it fits on one line, otherwise without what
/// can be seen elsewhere.
fn told(screen: &Screen, width: usize) -> (Option<(Player, String)>, String) {
    let label = screen.whose_turn();
    let (task, how) = screen.instruction();
    let used = label
        .as_ref()
        .map_or(0, |(_, words)| words.chars().count() + 3);
    let whole = match how.as_str() {
        "" => task.clone(),
        how => format!("{task}: {how}"),
    };
    if used + whole.chars().count() <= width {
        return (label, whole);
    }
    // Keys that choose are in the line below.
    if screen.keyed().next().is_some() && used + task.chars().count() <= width {
        return (label, task);
    }
    (None, whole)
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
            None if screen.is_picking() => keys.push(("Enter", "pick")),
            None => keys.push(("Enter", "play")),
        }
        if screen.is_alone() {
            keys.push(("f", "finish"));
        }
        if let Some(special) = screen.choices.special() {
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
