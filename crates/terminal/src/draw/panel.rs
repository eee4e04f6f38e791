//! The panel: players, choices by key, the evaluation, the last moves, and sentences about the board.

use floe_games::Turn;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::layout::Layout;
use super::seats::Seats;
use super::spots::Spots;
use super::window::Window;
use super::{Skin, about, choices, evaluation, map, moves, overlay, wrapped};
use crate::screen::Screen;
use crate::texts::{of_game, t, tn};
use crate::theme::Role;

/// From this height and width on, there is space for frames and for the large graph.
const ROOMY: (u16, u16) = (30, 40);
/// Columns left of the sentences below a board.
const MARGIN: u16 = 4;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    screen: &Screen,
    layout: &Layout,
    window: &Window,
    skin: Skin,
    spots: &mut Spots,
) {
    let seats = Seats {
        session: &screen.session,
        view: &screen.view,
        play: screen.session.play(),
        clocks: screen.session.clocks(),
        shown: screen.shown,
        is_now: true,
        is_exposed: screen.is_exposed,
    };
    if !layout.is_wide {
        above(frame, screen, &seats, layout, skin, spots);
        return;
    }
    if layout.is_slim() {
        slim(frame, screen, &seats, layout, window, (skin, spots));
        return;
    }
    let area = layout.panel;
    let (width, height) = (usize::from(area.width) - 1, usize::from(area.height));
    let is_roomy = area.height >= ROOMY.0 && area.width >= ROOMY.1 && screen.view.seats.len() <= 4;
    let mut lines = match is_roomy {
        true => seats.framed(width, skin),
        false => seats.lines(width, skin),
    };
    let below = below(screen, layout, window, skin);
    let about = match below.is_empty() {
        true => about_lines(screen, window, width, skin),
        false => Vec::new(),
    };
    let keyed = screen.keyed_choices();
    let is_keyed = !keyed.is_empty();
    if is_keyed {
        lines.push(Line::default());
        let is_spaced = height > lines.len() + 2 * keyed.len() + 4;
        let y = area.y + lines.len() as u16;
        let place = Rect::new(area.x, y, area.width, area.bottom().saturating_sub(y));
        lines.extend(choices::lines(screen, place, is_spaced, skin, spots));
    }
    let mut rest = Vec::new();
    if screen.evaluation.is_shown {
        let is_long = is_roomy && height > lines.len() + about.len() + 14;
        rest.push(match is_roomy || is_keyed {
            true => Line::default(),
            false => rule(width, skin),
        });
        rest.extend(match is_long {
            true => evaluation::long(screen, width, skin),
            false => evaluation::short(screen, width, skin),
        });
    }
    let about_room = match about.is_empty() {
        true => 0,
        false => about.len() + 1,
    };
    let room = |used: usize| height.saturating_sub(used);
    if is_keyed && !is_roomy {
        // The evaluation is at the bottom, as the keys must not move.
        if lines.len() + rest.len() <= height {
            let gap = room(lines.len() + rest.len());
            lines.extend(std::iter::repeat_n(Line::default(), gap.min(1)));
            lines.extend(rest);
        }
    } else if lines.len() + rest.len() <= height {
        lines.extend(rest);
    }
    let is_open = !screen.is_over();
    let turns = screen.session.turns();
    let space = room(lines.len() + about_room + 1);
    let listed = moves::lines(turns, is_open, space, width, skin);
    if !listed.is_empty() && space > 2 {
        lines.push(Line::default());
        lines.extend(listed);
    }
    lines.extend(errors(turns, room(lines.len() + about_room), width, skin));
    if turns.len() < 2 && !is_keyed {
        let rules = rules(screen, room(lines.len() + about_room + 1), width, skin);
        lines.extend(rules);
    }
    if !about.is_empty() && lines.len() < height {
        if !screen.evaluation.is_shown && turns.is_empty() && !is_roomy {
            lines.push(rule(width, skin));
        } else {
            lines.push(Line::default());
        }
        lines.extend(about);
    }
    lines.truncate(height);
    put(frame.buffer_mut(), area, &lines);
    let (_, bottom) = window.end();
    let area = Rect::new(
        layout.board.x + MARGIN,
        bottom + 2,
        layout.board.width.saturating_sub(MARGIN + 1),
        layout.board.bottom().saturating_sub(bottom + 2),
    );
    put(frame.buffer_mut(), area, &below);
}

/// The sentences below the board, if they fit; else nothing.
fn below(screen: &Screen, layout: &Layout, window: &Window, skin: Skin) -> Vec<Line<'static>> {
    let (_, bottom) = window.end();
    let width = layout.board.width.saturating_sub(MARGIN + 1);
    let room = layout.board.bottom().saturating_sub(bottom + 2);
    if room < 4 {
        return Vec::new();
    }
    let mut lines = match screen.choices.is_by_keys() {
        true => Vec::new(),
        false => vec![about::legend(screen, window, skin), Line::default()],
    };
    lines.extend(about::lines(screen, width.into(), skin));
    lines.truncate(room.into());
    lines
}

/// The same sentences in the panel.
fn about_lines(screen: &Screen, window: &Window, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = about::lines(screen, width, skin);
    if !screen.choices.is_by_keys() {
        lines.push(about::legend(screen, window, skin));
    }
    lines
}

/// A line from side to side.
fn rule(width: usize, skin: Skin) -> Line<'static> {
    Line::from(skin.span(skin.sign("─", "-").repeat(width), Role::Faint))
}

/// A few lines above the board.
fn above(
    frame: &mut Frame<'_>,
    screen: &Screen,
    seats: &Seats<'_>,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    let area = layout.panel;
    let has_choices = screen.choices.keyed().next().is_some();
    let has_more = has_choices || screen.evaluation.is_shown;
    let room = usize::from(area.height).saturating_sub(usize::from(has_more));
    let mut lines = seats.short(room, area.width.into(), skin);
    let place = (area.x, area.y + lines.len() as u16);
    if has_choices {
        lines.push(choices::short_line(screen, place, skin, spots));
    } else if screen.evaluation.is_shown {
        lines.extend(evaluation::short(screen, area.width.into(), skin).pop());
    }
    put(frame.buffer_mut(), area, &lines);
}

/// Next to a part of a large board: scores, a map, and the places of the player's own pieces.
fn slim(
    frame: &mut Frame<'_>,
    screen: &Screen,
    seats: &Seats<'_>,
    layout: &Layout,
    window: &Window,
    (skin, spots): (Skin, &mut Spots),
) {
    let area = Rect {
        x: layout.panel.x + 1,
        width: layout.panel.width - 1,
        ..layout.panel
    };
    let width = usize::from(area.width);
    let mut lines = seats.slim(width, skin);
    lines.push(Line::default());
    let (columns, rows) = (screen.view.width, screen.view.height);
    let heading = t!("map {columns}x{rows}", columns, rows);
    lines.push(Line::from(skin.span(heading, Role::Faint)));
    lines.extend(map::lines(&screen.view, window, screen.cursor, skin));
    if screen.choices.is_by_keys() {
        lines.push(Line::default());
        let place = (area.x, area.y + lines.len() as u16);
        lines.extend(choices::slim_lines(screen, place, skin, spots));
    }
    let pieces = screen.own_pieces();
    if !pieces.is_empty() {
        lines.push(Line::default());
        let heading = t!("your pieces");
        lines.push(Line::from(skin.span(heading, Role::Faint)));
        for (i, square) in pieces.iter().enumerate().take(4) {
            let is_here = screen.cursor == *square;
            let mark = if is_here { skin.sign("▸", ">") } else { " " };
            let text = format!("{mark}{} {square}", i + 1);
            lines.push(Line::from(skin.span(text, Role::Text)));
        }
        if pieces.len() > 4 {
            let more = tn!("and {n} more", "and {n} more", pieces.len() - 4);
            lines.push(Line::from(skin.span(format!(" {more}"), Role::Faint)));
        }
    }
    if screen.evaluation.is_shown {
        lines.push(Line::default());
        lines.extend(evaluation::short(screen, width, skin).into_iter().take(1));
    }
    lines.push(Line::default());
    let scale = match window.size.grid {
        super::window::Grid::Half => t!("Half a block is one square."),
        _ => t!("One character is one square."),
    };
    for line in wrapped(&scale, width) {
        lines.push(Line::from(skin.span(line, Role::Faint)));
    }
    lines.truncate(area.height.into());
    put(frame.buffer_mut(), area, &lines);
}

/// Standard error of the last disqualified program, as many lines as fit.
fn errors(turns: &[Turn], room: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let fault = turns.iter().rev().find_map(Turn::fault);
    fault.map_or(Vec::new(), |fault| {
        overlay::standard_error(fault, room.min(5), width, skin)
    })
}

/// The rules before the first moves: the first ones, and where to find the rest.
fn rules(screen: &Screen, room: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let line = |text: String| Line::from(skin.span(text, Role::Faint));
    let rules = screen.session.game().rules().lines();
    let paragraphs: Vec<Vec<String>> = rules.map(|rule| wrapped(&of_game(rule), width)).collect();
    let all: usize = paragraphs.iter().map(Vec::len).sum();
    if all == 0 || room < 4 {
        return Vec::new();
    }
    let mut lines = vec![
        Line::default(),
        Line::from(skin.span(t!("The rules"), Role::Strong)),
    ];
    if all + 2 <= room {
        lines.extend(paragraphs.into_iter().flatten().map(line));
        return lines;
    }
    for paragraph in paragraphs {
        if lines.len() + paragraph.len() + 1 > room {
            break;
        }
        lines.extend(paragraph.into_iter().map(line));
    }
    lines.push(line(t!("F1 shows all of them.")));
    lines
}

/// Lines of the panel above a board.
pub(super) fn lines(screen: &Screen) -> usize {
    let has_keys = screen.choices.keyed().next().is_some();
    screen.view.seats.len().min(4) + usize::from(has_keys || screen.evaluation.is_shown)
}

pub(super) fn put(buffer: &mut Buffer, area: Rect, lines: &[Line<'_>]) {
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, line, area.width);
    }
}
