//! A game turn by turn, with the lead as a graph that is also a scroll bar.

use floe_games::review::Grade;
use floe_search::lead;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::board::{BoardDrawing, Decoration};
use super::evaluation::leader;
use super::graph::{Graph, bar};
use super::layout::Layout;
use super::panel::put;
use super::seats::Seats;
use super::spots::{ClickAction, Spots};
use super::window::Window;
use super::{Skin, overlay, put_keys, put_title, signs};
use crate::review::Review;
use crate::session::Origin;
use crate::texts::{self, of_game, t};
use crate::theme::Role;

/// Columns of the scale of the graph.
const SCALE: usize = 8;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    review: &Review,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    title(frame, review, layout, skin, spots);
    let window = Window::new(&review.view, layout.board, review.focus(), review.zoom);
    let board = BoardDrawing {
        view: &review.view,
        on: Decoration {
            marks: review.marked(),
            ..Decoration::default()
        },
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, layout.board, frame.buffer_mut());
    let (_, bottom) = window.end();
    // The graph is below the board at full width, or at the end of the panel.
    let room = layout.message.y.saturating_sub(bottom + 2);
    let is_below = layout.is_wide && room >= 7 && review.shows_evaluation;
    panel(frame, review, layout, is_below, skin);
    if is_below {
        let height = usize::from(room.min(11)) - 3;
        let width = usize::from(frame.area().width);
        let lines = course(review, height, width - 2, skin);
        let y = layout.message.y.saturating_sub(lines.len() as u16 + 1);
        let area = Rect::new(layout.board.x, y, frame.area().width, lines.len() as u16);
        // The panel gives way to the graph.
        for y in area.y..area.bottom() {
            let blank = " ".repeat(area.width.into());
            frame
                .buffer_mut()
                .set_string(area.x, y, blank, ratatui::style::Style::reset());
        }
        put(frame.buffer_mut(), area, &lines);
    }
    let area = layout.message;
    let sign = skin.sign("▶ ", "> ");
    let margin = if layout.has_message_beside() { "" } else { " " };
    let (text, role) = match &review.reply {
        Some((text, true)) => (text.clone(), Role::Good),
        Some((text, false)) => (text.clone(), Role::Bad),
        None => (words(review), Role::Strong),
    };
    let lines = super::wrapped(&text, usize::from(area.width).saturating_sub(4));
    for (i, (y, text)) in (area.y..area.bottom()).zip(lines).enumerate() {
        let sign = if i == 0 { sign } else { "  " };
        let line = Line::from(vec![
            Span::raw(margin),
            skin.span(sign, Role::Key),
            skin.span(text, role),
        ]);
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
    let keys = [
        (skin.sign("←→", "left/right"), t!("turn")),
        ("[ ]", t!("turning point")),
        ("Enter", t!("play from here")),
        ("v", t!("best")),
        ("e", t!("export")),
        ("q", t!("back")),
        ("Home", t!("start")),
        ("End", t!("end")),
    ];
    put_keys(frame, layout.keys, &keys, skin, spots);
    if review.shows_help {
        help(frame, skin);
        spots.add(frame.area(), ClickAction::Key(KeyCode::Esc));
    }
}

fn help(frame: &mut Frame<'_>, skin: Skin) {
    let keys = [
        ("left right", t!("one turn back, one forward")),
        ("PgUp PgDn", t!("ten turns")),
        ("Home End", t!("the start, the end")),
        ("[ ] t", t!("the turning points")),
        ("Enter", t!("play on from here, as a new game")),
        ("v", t!("play the best moves from here on the board")),
        ("e", t!("export the position")),
        ("E", t!("evaluation on and off")),
        ("+ - z", t!("larger, smaller, one character a square")),
        ("T", t!("other colours")),
        ("q Esc", t!("back")),
    ];
    let line = |(key, what): &(&'static str, String)| {
        Line::from(vec![
            skin.span(format!("{key:<12}"), Role::Key),
            skin.span(what.clone(), Role::Text),
        ])
    };
    let lines: Vec<Line<'_>> = keys.iter().map(line).collect();
    overlay::window(frame, &t!("review"), &lines, 30, skin);
}

fn title(frame: &mut Frame<'_>, review: &Review, layout: &Layout, skin: Skin, spots: &mut Spots) {
    let game = of_game(review.session.game().title());
    let place = match &review.watched {
        Some(record) => t!("{game}, game {id}", game, id = record.opening.id),
        None => {
            let scores = review.session.play().scores();
            let players = floe_rules::Player::all(scores.len() as u32).zip(&scores);
            let players = players.map(|(player, score)| {
                let name = review.session.name(player);
                format!("{name} {score}")
            });
            let players: Vec<String> = players.collect();
            t!("Review: {players}", players = players.join(", "))
        }
    };
    let (turn, all) = (review.at, review.session.turns().len());
    let right = t!("turn {turn} of {all}", turn, all);
    put_title(frame, layout.title, &place, &right, true, skin, spots);
}

/// The last turn, and how much it lost.
fn words(review: &Review) -> String {
    if let Some(line) = &review.line {
        let (at, all) = (line.at, line.moves.len());
        let (first, last) = (&line.moves[0], &line.moves[at.saturating_sub(1)]);
        return match at == all {
            true => t!(
                "Line after {first}, move {at} of {all}: {last}. Esc ends it.",
                first,
                at,
                all,
                last
            ),
            false => t!(
                "Line after {first}, move {at} of {all}: {last}. v plays on, Esc ends it.",
                first,
                at,
                all,
                last
            ),
        };
    }
    let Some(turn) = review.at.checked_sub(1) else {
        return match review.session.origin() {
            Origin::Opening(moves) => t!("After the opening: {moves}.", moves = moves.join(" ")),
            _ => t!("The start of the game."),
        };
    };
    let step = &review.session.turns()[turn];
    let number = turn + 1;
    let mv = step.text();
    if let Some(fault) = step.fault() {
        let name = review.session.name(step.player);
        let (kind, message) = (fault.kind, &fault.message);
        let text = t!(
            "{name} is disqualified: {kind}: {message}",
            name,
            kind,
            message
        );
        return format!("{}: {text}", t!("turn {turn}", turn = number));
    }
    let text = match review.session.is_you(step.player) {
        true => t!("Turn {number}: you played {mv}.", number, mv),
        false => {
            let name = review.session.name(step.player);
            t!("Turn {number}: {name} played {mv}.", number, name, mv)
        }
    };
    if !review.shows_evaluation {
        return text;
    }
    let best = review
        .analysis
        .worth(turn)
        .and_then(|worth| worth.best.as_ref());
    match (review.analysis.loss(turn), best) {
        (Some(0), _) => format!("{text} {}", t!("No move was better.")),
        (Some(loss), Some(best)) => {
            let lost = texts::amount(loss, review.session.game().unit());
            let more = match review.analysis.grade(turn) {
                Some(Grade::Slip) => t!("A slip: it lost {lost}; {best} was better.", lost, best),
                Some(Grade::Blunder) => {
                    t!("A blunder: it lost {lost}; {best} was better.", lost, best)
                }
                _ => t!("It lost {lost}; {best} was better.", lost, best),
            };
            format!("{text} {more}")
        }
        _ => text,
    }
}

fn panel(frame: &mut Frame<'_>, review: &Review, layout: &Layout, is_below: bool, skin: Skin) {
    let seats = Seats {
        session: &review.session,
        view: &review.view,
        play: &review.play,
        clocks: review.session.clocks_at(review.at),
        shown: std::time::Duration::ZERO,
        is_now: false,
        is_exposed: false,
    };
    let area = layout.panel;
    let scale = review.session.scale();
    let worth = match review.shows_evaluation {
        true => review.analysis.worth(review.at),
        false => None,
    };
    if !layout.is_wide {
        let room = usize::from(area.height).saturating_sub(usize::from(worth.is_some()));
        let mut lines = seats.short(room, area.width.into(), skin);
        if let Some(worth) = worth {
            lines.push(bar(&worth.scores, scale, area.width, skin));
        }
        put(frame.buffer_mut(), area, &lines);
        return;
    }
    let width = usize::from(area.width) - 1;
    let mut lines = match layout.is_slim() {
        true => seats.slim(width, skin),
        false => seats.lines(width, skin),
    };
    lines.push(Line::default());
    if review.shows_evaluation {
        lines.extend(verdict(review, skin));
        match worth {
            Some(worth) => {
                let mut text = match leader(&worth.scores) {
                    Some((player, by)) if review.session.is_you(player) => t!("you by {by}", by),
                    Some((player, by)) => {
                        t!("{name} by {by}", name = review.session.name(player), by)
                    }
                    None => t!("even"),
                };
                text = match (&worth.best, worth.proven) {
                    (None, _) => t!("{standing} in the end", standing = text),
                    (Some(best), true) => t!("{standing}, proven; {best}", standing = text, best),
                    (Some(best), false) => {
                        let depth = worth.depth;
                        t!(
                            "{standing} at depth {depth}; {best}",
                            standing = text,
                            depth,
                            best
                        )
                    }
                };
                lines.push(Line::from(skin.span(text, Role::Faint)));
                lines.push(bar(&worth.scores, scale, area.width - 1, skin));
            }
            None => {
                let (known, all) = review.analysis.progress();
                let text = t!("thinking: {known} of {all} positions", known, all);
                lines.push(Line::from(skin.span(text, Role::Faint)));
            }
        }
        lines.push(Line::default());
    }
    let height = usize::from(area.height);
    let mut bottom = Vec::new();
    if review.shows_evaluation && !is_below && height > lines.len() + 8 {
        bottom = course(review, 4, width, skin);
    }
    let room = height.saturating_sub(lines.len() + bottom.len() + 1);
    lines.extend(turns(review, room, skin));
    lines.truncate(height.saturating_sub(bottom.len()));
    put(frame.buffer_mut(), area, &lines);
    let from = area.bottom() - bottom.len() as u16;
    put(frame.buffer_mut(), Rect { y: from, ..area }, &bottom);
}

/// The played move and the better one, each with its result.
fn verdict(review: &Review, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = played_and_better(review, skin);
    if let (Some(from), None) = (review.line_from(), &review.line) {
        let first = &review.analysis.line(from)[0];
        let text = t!("v plays the line after {first} here.", first);
        lines.push(Line::from(skin.span(text, Role::Faint)));
    }
    lines
}

fn played_and_better(review: &Review, skin: Skin) -> Vec<Line<'static>> {
    let Some(turn) = review.at.checked_sub(1) else {
        return Vec::new();
    };
    let loss = review.analysis.loss(turn).filter(|&loss| loss > 0);
    let before = review.analysis.worth(turn);
    let (Some(loss), Some(before)) = (loss, before) else {
        return Vec::new();
    };
    let expects = |scores: &[i64]| {
        let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
        t!("expects {scores}", scores = scores.join(":"))
    };
    let step = &review.session.turns()[turn];
    let sign = review.analysis.grade(turn).map_or("", Grade::sign);
    let mut lines = Vec::new();
    let after = review.analysis.worth(review.at);
    let text = after
        .map(|worth| expects(&worth.scores))
        .unwrap_or_default();
    lines.push(Line::from(vec![
        skin.span(skin.sign("✗ ", "x "), Role::Bad),
        skin.span(format!("{:<8}{sign:<3}", step.text()), Role::Text),
        skin.span(format!("{text}  "), Role::Faint),
        skin.span(t!("lost {loss}", loss), Role::Bad),
    ]));
    if let Some(best) = &before.best {
        lines.push(Line::from(vec![
            skin.span(skin.sign("✓ ", "+ "), Role::Good),
            skin.span(format!("{best:<11}"), Role::Text),
            skin.span(expects(&before.scores), Role::Faint),
        ]));
    }
    lines
}

/// The lead turn by turn, one column each, with the shown turn and the turning points.
fn course(review: &Review, height: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let player = review.session.own_player();
    let turns = review.analysis.positions();
    let room = width.saturating_sub(SCALE).max(1);
    let columns = turns.min(room).max(1);
    let leads: Vec<Option<i64>> = (0..columns)
        .map(|column| {
            let worth = review.analysis.worth(column * turns / columns);
            worth.map(|worth| lead(&worth.scores, player))
        })
        .collect();
    let at = (review.at * columns / turns.max(1)).min(columns - 1);
    let graph = Graph {
        leads: &leads,
        player,
        height: height.max(2),
        wide: 1,
        at: Some(at),
    };
    let mut lines = graph.lines(SCALE, skin);
    let mut signs = Line::from(" ".repeat(SCALE));
    for column in 0..columns {
        let first = column * turns / columns;
        let last = ((column + 1) * turns / columns).max(first + 1);
        let worst = (first..last)
            .filter_map(|turn| review.analysis.grade(turn))
            .max();
        signs.push_span(match worst {
            Some(Grade::Blunder) => skin.span(skin.sign("▲", "X"), Role::Bad),
            Some(Grade::Slip) => skin.span("?", Role::Strong),
            _ => Span::raw(" "),
        });
    }
    let legend = [
        (skin.sign("▲", "X"), t!("blunder"), Role::Bad),
        ("?", t!("slip"), Role::Strong),
        (skin.sign("┃", "|"), t!("shown turn"), Role::Key),
    ];
    if signs.width() + 36 < width {
        for (sign, text, role) in legend {
            signs.push_span(skin.span(format!("  {sign}"), role));
            signs.push_span(skin.span(format!(" {text}"), Role::Faint));
        }
    }
    lines.push(signs);
    lines
}

/// The turns around the shown one, with the loss of each.
fn turns(review: &Review, room: usize, skin: Skin) -> Vec<Line<'static>> {
    let steps = review.session.turns();
    let first = review.at.saturating_sub(1 + room / 2);
    let first = first.min(steps.len().saturating_sub(room));
    let line = |(turn, step): (usize, &floe_games::Turn)| {
        let is_here = turn + 1 == review.at;
        let role = if is_here { Role::Selected } else { Role::Text };
        let sign = signs::seat(step.player, skin.unicode);
        let mut line = Line::from(vec![
            skin.span(format!("{:>4} ", turn + 1), Role::Faint),
            Span::styled(sign.to_string(), skin.theme.player_line(step.player)),
            Span::raw(" "),
            skin.span(format!("{:<8}", step.text()), role),
        ]);
        match review
            .analysis
            .loss(turn)
            .filter(|_| review.shows_evaluation)
        {
            Some(loss) if loss > 0 => {
                let grade = review.analysis.grade(turn).unwrap_or(Grade::Fine);
                let role = match grade {
                    Grade::Fine => Role::Faint,
                    Grade::Slip => Role::Strong,
                    Grade::Blunder => Role::Bad,
                };
                line.push_span(skin.span(format!(" {:<2} -{loss}", grade.sign()), role));
            }
            _ => {}
        }
        line
    };
    steps
        .iter()
        .enumerate()
        .skip(first)
        .take(room)
        .map(line)
        .collect()
}
