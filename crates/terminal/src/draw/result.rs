//! The end of a game: the winner, the scores, the lead turn by turn, and the turning points.

use floe_games::Reason;
use floe_games::review::{Grade, TurningPoint};
use floe_rules::Player;
use floe_search::lead;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::graph::Graph;
use super::overlay::faults;
use super::spots::Spots;
use super::{Skin, put_keys, put_title, signs, wrapped};
use crate::screen::{Message, Screen};
use crate::session::Session;
use crate::texts::{self, of_game, t, tn};
use crate::theme::Role;

/// The left margin, in columns.
const MARGIN: u16 = 4;
/// Columns of the scale of the graph.
const SCALE: usize = 6;
/// Players with a bar.
const MOST_SEATS: usize = 9;
/// Columns between those of the turning points.
const GAP: usize = 3;
/// The mark of a blunder.
const BLUNDER: &str = "??";

pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, skin: Skin, spots: &mut Spots) {
    let area = frame.area();
    let session = &screen.session;
    let game = of_game(session.game().title());
    let (columns, rows) = (screen.view.width, screen.view.height);
    let place = format!("{game} {columns}x{rows}");
    let n = session.turns().len();
    let right = tn!("game over after {n} turn", "game over after {n} turns", n);
    let top = Rect::new(area.x, area.y, area.width, 1);
    put_title(frame, top, &place, &right, false, skin, spots);

    let width = usize::from(area.width.saturating_sub(2 * MARGIN)).max(1);
    let mut first = vec![Line::default()];
    let winner = session
        .play()
        .outcome()
        .and_then(|outcome| outcome.winner());
    let style = winner.map_or(skin.role(Role::Strong), |player| {
        skin.theme.player_line(player)
    });
    for line in wrapped(&skin.shown(sentence(session, screen)), width) {
        first.push(Line::from(Span::styled(line, style)));
    }
    if let Some(text) = turned(screen) {
        let text = wrapped(&text, width).into_iter();
        first.extend(text.map(|line| Line::from(skin.span(line, Role::Text))));
    }
    first.extend(faults(session, width, skin));
    if !screen.is_saved {
        let text = t!("The game is not saved.");
        first.push(Line::from(skin.span(text, Role::Bad)));
    }
    if let Some(message) = &screen.message {
        let (text, role) = match message {
            Message::News(text) => (text, Role::Good),
            Message::Refusal(text) => (text, Role::Bad),
        };
        let lines = wrapped(text, width).into_iter().take(2);
        first.extend(lines.map(|line| Line::from(skin.span(line, role))));
    }
    first.push(Line::default());
    first.extend(bars(screen, width, skin));
    let points = points(screen, width, skin);
    let room = usize::from(area.height.saturating_sub(2));
    // On a low screen, the middle parts are left out: first the graph, then the points.
    let graph = graph(screen, width, skin);
    let mut lines = first;
    if lines.len() + graph.len() + points.len() <= room {
        lines.extend(graph);
    }
    let left = room.saturating_sub(lines.len());
    let skipped = if left < points.len() { 1 } else { 0 };
    lines.extend(points.into_iter().skip(skipped));
    lines.truncate(room);
    for (y, line) in (area.y + 1..area.bottom() - 1).zip(&lines) {
        let is_point = line
            .spans
            .first()
            .is_some_and(|span| span.content.starts_with('▸') || span.content.starts_with("> "));
        let x = area.x + MARGIN - if is_point { 2 } else { 0 };
        frame
            .buffer_mut()
            .set_line(x, y, line, area.width - MARGIN + 2);
    }
    let mut keys = Vec::new();
    if !screen.turning_points().is_empty() {
        keys.push((skin.sign("↑↓", "up/down"), t!("point")));
        keys.push(("Enter", t!("try it")));
    }
    keys.extend([
        ("r", t!("review")),
        ("a", t!("again, other side")),
        ("q", t!("quit")),
        ("n", t!("new")),
        ("s", t!("save")),
        ("Esc", t!("board")),
    ]);
    let place = Rect::new(area.x, area.bottom() - 1, area.width, 1);
    put_keys(frame, place, &keys, skin, spots);
}

/// The result in one sentence.
fn sentence(session: &Session, screen: &Screen) -> String {
    let play = session.play();
    let scores = play.scores();
    let winner = play.outcome().and_then(|outcome| outcome.winner());
    let Some(winner) = winner else {
        return t!("A draw: the first place is shared.");
    };
    let name = session.name(winner);
    let is_you = session.is_you(winner);
    if play.reason() == Some(Reason::Forfeit) {
        return match is_you {
            true => t!("You win by forfeit."),
            false => t!("{name} wins by forfeit.", name),
        };
    }
    let others = Player::all(scores.len() as u32).filter(|player| *player != winner);
    let best = others.map(|player| scores[player.index()]).max();
    let score = texts::amount(scores[winner.index()], session.game().unit());
    let best = best.unwrap_or(0);
    let text = match is_you {
        true => t!("You win, {score} to {best}.", score, best),
        false => t!("{name} wins, {score} to {best}.", name, score, best),
    };
    // The reason, if the game states it.
    match screen.view.phase.split_once("over, ") {
        Some((_, why)) => format!("{text} {}.", texts::sentence(&of_game(why))),
        None => text,
    }
}

/// A bar for each player, the best first.
fn bars(screen: &Screen, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let session = &screen.session;
    let scores = session.play().scores();
    let outcome = session.play().outcome();
    let places = outcome.map(|o| o.places().to_vec()).unwrap_or_default();
    let mut players: Vec<Player> = Player::all(scores.len() as u32).collect();
    players.sort_by_key(|player| places.get(player.index()).copied().unwrap_or(0));
    players.truncate(MOST_SEATS);
    let names = players
        .iter()
        .map(|&player| session.name(player).chars().count());
    let longest = names.max().unwrap_or(0).min(18);
    let most = scores.iter().copied().max().unwrap_or(1).max(1);
    let room = width.saturating_sub(longest + 16).min(50);
    let line = |player: Player| {
        let score = scores[player.index()];
        let cells = (score.max(0) as usize * room).div_ceil(most as usize);
        let is_first = places.get(player.index()) == Some(&1);
        let fill = match is_first {
            true => skin.sign("█", "#"),
            false => skin.sign("▒", "="),
        };
        let name: String = session.name(player).chars().take(longest).collect();
        let role = if is_first { Role::Strong } else { Role::Text };
        let style = skin.theme.player_line(player);
        let emblem = signs::emblem(&screen.view, player, skin.unicode);
        Line::from(vec![
            Span::styled(format!("{emblem:<3} "), style),
            skin.span(format!("{name:<longest$}"), role),
            skin.span(format!("{score:>5}  "), Role::Strong),
            Span::styled(fill.repeat(cells.min(room)), style),
        ])
    };
    players.into_iter().map(line).collect()
}

/// The lead turn by turn, with the turning points below.
fn graph(screen: &Screen, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let session = &screen.session;
    let player = session.own_player();
    let analysis = &screen.analysis;
    let turns = analysis.positions();
    let room = width.saturating_sub(SCALE).max(1);
    let columns = turns.min(room).max(1);
    let turn_of = |column: usize| column * turns / columns;
    let lead_at = |column: usize| {
        let worth = analysis.worth(turn_of(column));
        worth.map(|worth| lead(&worth.scores, player))
    };
    let leads: Vec<Option<i64>> = (0..columns).map(lead_at).collect();
    if leads.iter().flatten().count() < 2 {
        return Vec::new();
    }
    let heading = match session.is_you(player) {
        true => t!("Your lead, turn by turn"),
        false => t!("Lead of {name}, turn by turn", name = session.name(player)),
    };
    let mut lines = vec![Line::default(), Line::from(skin.span(heading, Role::Faint))];
    let graph = Graph {
        leads: &leads,
        player,
        height: 4,
        wide: 1,
        at: None,
    };
    lines.extend(graph.lines(SCALE, skin));
    let mut marks = vec![' '; columns + SCALE];
    let mut numbers = " ".repeat(SCALE);
    let mut points: Vec<usize> = screen.turning_points().iter().map(|p| p.turn).collect();
    points.sort_unstable();
    for turn in points {
        let at = SCALE + (turn * columns / turns.max(1)).min(columns - 1);
        marks[at] = if skin.unicode { '▲' } else { '^' };
        let gap = at.saturating_sub(numbers.chars().count());
        if gap > 0 || numbers.chars().count() <= at {
            numbers.push_str(&format!("{:gap$}{}", "", turn + 1));
        }
    }
    let marks: String = marks.into_iter().collect();
    lines.push(Line::from(skin.span(marks, Role::Bad)));
    lines.push(Line::from(skin.span(numbers, Role::Faint)));
    lines
}

/// The worst moves, and the progress of the engine's review.
fn points(screen: &Screen, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let points = screen.turning_points();
    let (known, all) = screen.analysis.progress();
    let is_done = screen.analysis.is_complete();
    let heading = match is_done {
        true if points.is_empty() => t!("No move lost anything."),
        true => t!("Turning points"),
        false => t!(
            "Turning points ({known} of {all} positions seen)",
            known,
            all
        ),
    };
    let mut lines = vec![
        Line::default(),
        Line::from(skin.span(heading, Role::Strong)),
    ];
    match table(screen, &points, width, skin) {
        Some(rows) => {
            lines.truncate(1);
            lines.extend(rows);
        }
        None => lines.extend(sentences(screen, &points, skin)),
    }
    if !points.is_empty() {
        let text = t!("Enter plays on from the point you choose.");
        if text.chars().count() <= width {
            lines.push(Line::default());
            lines.push(Line::from(skin.span(text, Role::Faint)));
        }
    }
    lines
}

/// The cells of a turning point: number and turn, played move, better move, loss.
fn cells(screen: &Screen, at: usize, point: &TurningPoint) -> [String; 4] {
    let turn = t!("turn {turn}", turn = point.turn + 1);
    let name = match screen.session.is_you(point.mover) {
        true => String::new(),
        false => format!("{} ", screen.session.name(point.mover)),
    };
    [
        format!("{}  {turn}", at + 1),
        format!("{name}{}", point.played),
        point.better.clone(),
        texts::amount(point.loss, screen.session.game().unit()),
    ]
}

/// The turning points below headings; `None` if there are none yet, or no room for columns.
fn table(
    screen: &Screen,
    points: &[TurningPoint],
    width: usize,
    skin: Skin,
) -> Option<Vec<Line<'static>>> {
    if points.is_empty() || !screen.analysis.is_complete() {
        return None;
    }
    let is_yours = points
        .iter()
        .all(|point| screen.session.is_you(point.mover));
    let played = match is_yours {
        true => t!("you played"),
        false => t!("played"),
    };
    let headings = [t!("Turning points"), played, t!("better"), t!("lost")];
    let rows: Vec<[String; 4]> = (points.iter().enumerate())
        .map(|(at, point)| cells(screen, at, point))
        .collect();
    let widths: Vec<usize> = (headings.iter().enumerate())
        .map(|(column, heading)| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(heading.chars().count())
        })
        .collect();
    if widths.iter().sum::<usize>() + 3 * GAP + BLUNDER.len() + 2 > width {
        return None;
    }
    let laid = |cells: &[String; 4]| {
        let cells = cells.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join(&" ".repeat(GAP))
    };
    let mut lines = vec![Line::from(skin.span(laid(&headings), Role::Strong))];
    for (at, (row, point)) in rows.iter().zip(points).enumerate() {
        lines.push(row_of(screen, at, laid(row), point, skin));
    }
    Some(lines)
}

/// The turning points as sentences, for a narrow screen.
fn sentences(screen: &Screen, points: &[TurningPoint], skin: Skin) -> Vec<Line<'static>> {
    let line = |(at, point): (usize, &TurningPoint)| {
        let [head, played, better, lost] = cells(screen, at, point);
        let text = t!(
            "{played}, better {better}, lost {lost}",
            played,
            better,
            lost
        );
        row_of(screen, at, format!("{head:<12} {text}"), point, skin)
    };
    points.iter().enumerate().map(line).collect()
}

/// A turning point with the marks of the chosen one and of a blunder.
fn row_of(
    screen: &Screen,
    at: usize,
    text: String,
    point: &TurningPoint,
    skin: Skin,
) -> Line<'static> {
    let last = screen.turning_points().len().saturating_sub(1);
    let is_here = at == screen.point.min(last);
    let (sign, role) = match is_here {
        true => (skin.sign("▸ ", "> "), Role::Key),
        false => ("", Role::Text),
    };
    let mut line = Line::from(vec![skin.span(sign, Role::Key), skin.span(text, role)]);
    if point.grade == Grade::Blunder {
        line.push_span(skin.span(format!("  {BLUNDER}"), Role::Bad));
    }
    line
}

/// How the game turned, once all positions are evaluated: the loser's best lead, or how far behind
/// the winner was.
fn turned(screen: &Screen) -> Option<String> {
    let session = &screen.session;
    let you = session.own_player();
    let play = session.play();
    let winner = play.outcome()?.winner()?;
    let is_played_out = play.reason() != Some(Reason::Forfeit);
    if !session.is_you(you) || !is_played_out || !screen.analysis.is_complete() {
        return None;
    }
    let lead_after = |turn: usize| {
        let worth = screen.analysis.worth(turn)?;
        Some((lead(&worth.scores, you), turn))
    };
    let leads = (1..screen.analysis.positions()).filter_map(lead_after);
    if winner == you {
        let (n, turn) = leads.min_by_key(|&(lead, turn)| (lead, turn))?;
        return (n < 0).then(|| t!("You were {n} behind after turn {turn}.", n = -n, turn));
    }
    let (n, turn) = leads.max_by_key(|&(lead, turn)| (lead, std::cmp::Reverse(turn)))?;
    (n > 0).then(|| t!("You led by {n} after turn {turn}.", n, turn))
}
