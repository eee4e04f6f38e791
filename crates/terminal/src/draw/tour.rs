//! The tour: one rule, one board, one task.

use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::board::{BoardDrawing, Decoration};
use super::spots::{ClickAction, Spots};
use super::window::Window;
use super::{Skin, put_keys, put_title, wrapped};
use crate::texts::{of_game, t};
use crate::theme::Role;
use crate::tour::{Row, Stop, Tour, TourText};

/// Columns on both sides of the text.
const MARGIN: u16 = 4;
/// Lines below the board: two of the task, a blank, the steps, the keys.
const BELOW: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, tour: &Tour, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    title(frame, tour, skin, spots);
    let width = usize::from(area.width.saturating_sub(2 * MARGIN));
    let mut lines = vec![Line::from(skin.span(tour.stop().title(), Role::Strong))];
    let text = wrapped(&tour.stop().text(), width);
    lines.extend(
        text.into_iter()
            .map(|line| Line::from(skin.span(line, Role::Text))),
    );
    let top = area.y + if area.height < 20 { 1 } else { 2 };
    put(frame, &lines, top);
    let from = (top + lines.len() as u16).min(area.bottom().saturating_sub(BELOW));
    let height = area.bottom().saturating_sub(BELOW).saturating_sub(from);
    let middle = Rect::new(area.x, from, area.width, height);
    match tour.stop() {
        Stop::Table => table(frame, tour, middle, skin),
        _ => board(frame, tour, middle, skin),
    }
    let y = area.bottom().saturating_sub(BELOW) + 1;
    task(frame, tour, y, width, skin);
    steps(frame, tour, y + 3, skin);
    keys(frame, tour, skin, spots);
}

fn title(frame: &mut Frame<'_>, tour: &Tour, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let game = of_game(tour.game.title());
    let place = t!("Tour of {game}", game);
    let (step, all) = (tour.at + 1, tour.stops.len());
    let right = t!("step {step} of {all}", step, all);
    let top = Rect::new(area.x, area.y, area.width, 1);
    put_title(frame, top, &place, &right, false, skin, spots);
}

/// Writes lines at the left margin.
fn put(frame: &mut Frame<'_>, lines: &[Line<'_>], from: u16) {
    let area = frame.area();
    let width = area.width.saturating_sub(MARGIN);
    for (y, line) in (from..area.bottom()).zip(lines) {
        frame.buffer_mut().set_line(area.x + MARGIN, y, line, width);
    }
}

fn board(frame: &mut Frame<'_>, tour: &Tour, area: Rect, skin: Skin) {
    let screen = &tour.board;
    let x = area.x + area.width / 5;
    let area = Rect::new(
        x,
        area.y + 1,
        area.right() - x,
        area.height.saturating_sub(1),
    );
    let window = Window::new(&screen.view, area, screen.cursor, screen.zoom);
    let has_cursor = !tour.can_go_on();
    let decoration = screen.decoration(&window);
    let board = BoardDrawing {
        view: &screen.view,
        on: Decoration {
            cursor: decoration.cursor.filter(|_| has_cursor),
            ..decoration
        },
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, area, frame.buffer_mut());
}

/// The standings, with a bar for each score.
fn table(frame: &mut Frame<'_>, tour: &Tour, area: Rect, skin: Skin) {
    const BAR: usize = 20;
    let (player, games, score) = (t!("player"), t!("games"), t!("score"));
    let heading = format!("   {player:<18}{games:>6}{score:>8}");
    let mut lines = vec![Line::from(skin.span(heading, Role::Faint))];
    let line = |(place, row): (usize, &Row)| {
        let filled = row.score() as usize * BAR / 100;
        let score = format!("{} %", row.score());
        Line::from(vec![
            skin.span(format!("{place}  "), Role::Faint),
            skin.span(format!("{:<18}", row.name), Role::Strong),
            skin.span(format!("{:>6}{score:>8}  ", row.games), Role::Text),
            skin.span(skin.sign("█", "#").repeat(filled), Role::Key),
        ])
    };
    lines.extend((1..).zip(&tour.contest.rows()).map(line));
    lines.push(Line::default());
    let name = tour.game.name();
    let state = match tour.contest.is_over() {
        true => t!(
            "A match of your own: floe match {name} floe:easy greedy",
            name
        ),
        false => t!("The match is being played."),
    };
    lines.push(Line::from(skin.span(state, Role::Faint)));
    put(frame, &lines, area.y + 1);
}

/// The instruction, or the answer to the last key.
fn task(frame: &mut Frame<'_>, tour: &Tour, y: u16, width: usize, skin: Skin) {
    let (text, said) = tour.words();
    let role = match said {
        TourText::Task => Role::Strong,
        TourText::Good => Role::Good,
        TourText::Bad => Role::Bad,
    };
    let sign = skin.sign("▶ ", "> ");
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (i, line) in wrapped(&text, width).into_iter().enumerate() {
        let before = if i == 0 { sign } else { "  " };
        lines.push(Line::from(vec![
            skin.span(before, Role::Key),
            skin.span(line, role),
        ]));
    }
    lines.truncate(2);
    let area = frame.area();
    for (y, line) in (y..area.bottom()).zip(&lines) {
        let x = area.x + MARGIN - 2;
        frame.buffer_mut().set_line(x, y, line, area.width - MARGIN);
    }
}

/// The tour's progress.
fn steps(frame: &mut Frame<'_>, tour: &Tour, y: u16, skin: Skin) {
    let dot = |i: usize| match i <= tour.at {
        true => skin.sign("●", "*"),
        false => skin.sign("○", "."),
    };
    let dots: String = (0..tour.stops.len()).map(dot).collect();
    let mut line = Line::from(skin.span(format!("{dots}  "), Role::Key));
    for (i, stop) in tour.stops.iter().enumerate() {
        if i > 0 {
            line.push_span(skin.span(" · ", Role::Faint));
        }
        let role = if i == tour.at {
            Role::Strong
        } else {
            Role::Faint
        };
        line.push_span(skin.span(stop.name().to_lowercase(), role));
    }
    put(frame, &[line], y);
}

fn keys(frame: &mut Frame<'_>, tour: &Tour, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let arrows = (skin.sign("←↑↓→", "arrows"), t!("move"));
    let mut keys: Vec<(&'static str, String)> = match tour.stop() {
        Stop::Table => vec![("Enter", t!("first game"))],
        _ if tour.can_go_on() => vec![("Enter", t!("next step"))],
        _ if tour.board.choices.is_by_keys() => {
            vec![
                (skin.sign("←→", "arrows"), t!("preview")),
                ("Enter", t!("play")),
            ]
        }
        _ if tour.board.lifted.is_some() => vec![arrows, ("Enter", t!("put down"))],
        _ if tour.board.is_picking() => vec![("Tab", t!("next piece")), ("Enter", t!("pick up"))],
        _ => vec![arrows, ("Enter", t!("play"))],
    };
    if tour.stop() == Stop::Hint && !tour.can_go_on() {
        keys.insert(0, ("?", t!("hint")));
    }
    let esc = match tour.board.lifted {
        Some(_) => ("Esc", t!("drop")),
        None => ("Esc", t!("leave the tour")),
    };
    keys.extend([esc, ("T", t!("theme"))]);
    let place = Rect::new(area.x, area.bottom() - 1, area.width, 1);
    put_keys(frame, place, &keys, skin, spots);
    let y = area.bottom().saturating_sub(BELOW) + 1;
    if tour.can_go_on() {
        let place = Rect::new(area.x, y, area.width, 2);
        spots.add(place, ClickAction::Key(KeyCode::Enter));
    }
}
