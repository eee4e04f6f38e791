//! The panel: players, news, choices by key, the last moves, the evaluation.

use std::time::Duration;

use floe_games::{Play, Scale, Turn};
use floe_rules::{Choice, Player};
use floe_search::lead;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::layout::{Layout, Window};
use super::spots::{Act, Spots};
use super::{Skin, clock, map, overlay, wrapped};
use crate::scene::Scene;
use crate::screen::Screen;
use crate::session::Session;
use crate::theme::Role;

/// Most players listed.
const MOST_SEATS: usize = 9;

/// One player's line and what belongs to it.
pub(super) struct Seats<'a> {
    pub(super) session: &'a Session,
    pub(super) view: &'a Scene,
    /// The game as it stands, or stood at the turn that is shown.
    pub(super) play: &'a Play,
    /// The time each player has used, or had used at that turn.
    pub(super) clocks: Vec<Duration>,
    /// Time of the present turn so far.
    pub(super) shown: Duration,
    /// Whether this is the game's present position, with running clocks.
    pub(super) is_now: bool,
    /// Whether programs play without a sandbox.
    pub(super) is_exposed: bool,
}

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
        let mut below = Vec::new();
        let has_choices = screen.keyed().next().is_some();
        if has_choices {
            below.push(Line::default());
        } else if screen.evaluation.is_shown {
            below.push(evaluation_lines(screen, layout.panel.width, skin).remove(0));
        }
        let room = usize::from(layout.panel.height).saturating_sub(below.len());
        let mut lines = seats.short(room, layout.panel.width.into(), skin);
        let place = (layout.panel.x, layout.panel.y + lines.len() as u16);
        lines.extend(below);
        put(frame.buffer_mut(), layout.panel, &lines);
        if has_choices {
            let line = choices_line(screen, place, skin, spots);
            let area = layout.panel;
            frame
                .buffer_mut()
                .set_line(place.0, place.1, &line, area.width);
        }
        return;
    }
    let area = layout.panel;
    let width = usize::from(area.width) - 1;
    let mut lines = seats.lines(width, skin);
    if usize::from(area.height) > lines.len() + 8 {
        let heading = format!("{:>width$}", "points   time");
        lines.insert(0, Line::from(skin.span(heading, Role::Faint)));
    }
    lines.push(Line::default());
    for note in &screen.view.notes {
        lines.push(Line::from(skin.span(note.clone(), Role::Faint)));
    }
    if screen.view.shows_prospects {
        let sign = skin.sign("°", "'");
        let text = format!("{sign} contested; faint: only one can get it");
        for line in wrapped(&text, width) {
            lines.push(Line::from(skin.span(line, Role::Faint)));
        }
    }
    let keyed: Vec<Line<'_>> = choice_lines(screen, skin);
    if !keyed.is_empty() {
        lines.push(Line::default());
        for (key, line) in ('1'..='9').zip(keyed) {
            let place = Rect::new(area.x, area.y + lines.len() as u16, area.width, 1);
            spots.add(place, Act::Key(KeyCode::Char(key)));
            lines.push(line);
        }
    }
    let mut bottom = map::lines(&screen.view, window, screen.cursor, skin);
    if lines.len() + bottom.len() + 4 > usize::from(area.height) {
        bottom.clear();
    }
    if screen.evaluation.is_shown {
        bottom.extend(evaluation_lines(screen, area.width - 1, skin));
    }
    let room = usize::from(area.height).saturating_sub(lines.len() + bottom.len() + 2);
    lines.push(Line::default());
    lines.extend(last_moves(screen.session.turns(), room, width, skin));
    let room = usize::from(area.height).saturating_sub(lines.len() + bottom.len() + 1);
    let errors = errors(screen.session.turns(), room, width, skin);
    lines.extend(errors);
    let room = usize::from(area.height).saturating_sub(lines.len() + bottom.len() + 1);
    let rules = rules(screen.session.game().rules(), room, width, skin);
    if !rules.is_empty() {
        let from = usize::from(area.height) - bottom.len() - rules.len();
        lines.resize(from, Line::default());
        lines.extend(rules);
    }
    lines.truncate(usize::from(area.height).saturating_sub(bottom.len()));
    put(frame.buffer_mut(), area, &lines);
    let from = area.bottom() - bottom.len() as u16;
    put(frame.buffer_mut(), Rect { y: from, ..area }, &bottom);
}

/// Standard error of the last disqualified program, as far as there is room.
fn errors(steps: &[Turn], room: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let fault = steps.iter().rev().find_map(Turn::fault);
    fault.map_or(Vec::new(), |fault| {
        overlay::standard_error(fault, room.min(5), width, skin)
    })
}

/// The rules as far as there is room: from the first on, and where the rest is.
fn rules(rules: &str, room: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let line = |text: String| Line::from(skin.span(text, Role::Faint));
    let paragraphs: Vec<Vec<String>> = rules.lines().map(|rule| wrapped(rule, width)).collect();
    let all: usize = paragraphs.iter().map(Vec::len).sum();
    // A game may have no moves to show.
    if all == 0 || room < 2 {
        return Vec::new();
    }
    let mut lines = vec![Line::from(skin.span("the rules", Role::Strong))];
    if all < room {
        lines.extend(paragraphs.into_iter().flatten().map(line));
        return lines;
    }
    for paragraph in paragraphs {
        if lines.len() + paragraph.len() + 1 > room {
            break;
        }
        lines.extend(paragraph.into_iter().map(line));
    }
    let more = if lines.len() == 1 {
        "F1 shows them"
    } else {
        "F1 shows the rest"
    };
    lines.push(Line::from(skin.span(more, Role::Faint)));
    lines
}

/// Lines of the panel above a board.
pub(super) fn lines(screen: &Screen) -> usize {
    let has_keys = screen.keyed().next().is_some();
    screen.view.seats.len().min(4) + usize::from(has_keys || screen.evaluation.is_shown)
}

pub(super) fn put(buffer: &mut Buffer, area: Rect, lines: &[Line<'_>]) {
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

impl Seats<'_> {
    /// Two lines for each player.
    pub(super) fn lines(&self, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let most = if self.view.seats.len() > 4 { 1 } else { 2 };
        let scores = self.play.scores();
        for player in self.listed(MOST_SEATS) {
            let mut line = self.head(player, skin);
            let score = scores[player.index()].to_string();
            // Aligned, up to several hours.
            let time = format!("{:>5}", clock(self.time(player)));
            let used = line.width() + score.len() + time.len() + 2;
            let gap = width.saturating_sub(used).max(1);
            line.push_span(Span::raw(" ".repeat(gap)));
            line.push_span(skin.span(score, Role::Strong));
            line.push_span(skin.span(format!("  {time}"), Role::Faint));
            lines.push(line);
            if self.is_exposed(player) {
                lines.push(Line::from(skin.span("     no sandbox!", Role::Bad)));
            }
            if most == 2 {
                for note in note_lines(&self.note(player), width.saturating_sub(5)) {
                    lines.push(Line::from(skin.span(format!("     {note}"), Role::Faint)));
                }
            }
        }
        if self.view.seats.len() > MOST_SEATS {
            let more = self.view.seats.len() - MOST_SEATS;
            lines.push(Line::from(
                skin.span(format!("     and {more} more"), Role::Faint),
            ));
        }
        lines
    }

    /// One line for each player, notes and scores on it, as many as fit.
    pub(super) fn short(&self, most: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let listed = self.listed(most.max(1));
        let scores = self.play.scores();
        let line = |player: Player| {
            let note = self.note(player);
            let mut line = self.head(player, skin);
            let score = scores[player.index()];
            line.push_span(skin.span(format!(" {score}"), Role::Strong));
            let time = format!("  {}", clock(self.time(player)));
            // The rules' note on a player comes before the clock.
            if line.width() + time.len() + 2 + note.chars().count() <= width {
                line.push_span(skin.span(time, Role::Faint));
            }
            if self.is_exposed(player) {
                line.push_span(skin.span("  no sandbox!", Role::Bad));
            }
            line.push_span(skin.span(format!("  {note}"), Role::Faint));
            line
        };
        listed.into_iter().map(line).collect()
    }

    fn head(&self, player: Player, skin: Skin) -> Line<'static> {
        let seat = &self.view.seats[player.index()];
        let is_mover = self.play.turn() == Some(player);
        let outcome = self.play.outcome();
        let won = outcome.is_some_and(|o| o.places()[player.index()] == 1);
        let mark = match (is_mover, won) {
            (true, _) => skin.sign("▶ ", "> "),
            (_, true) => skin.sign("★ ", "* "),
            _ => "  ",
        };
        let mut name = self.session.name(player);
        if !seat.name.is_empty() && seat.name.chars().count() <= 2 {
            name = format!("{} {name}", seat.name);
        } else if let Some(glyph) = self.view.piece(player) {
            name = format!("{glyph} {name}");
        }
        let name: String = name.chars().take(15).collect();
        Line::from(vec![
            skin.span(mark, Role::Good),
            Span::styled(format!(" {player} "), skin.theme.player(player)),
            skin.span(format!(" {name}"), Role::Strong),
        ])
    }

    /// The note on a player.
    fn note(&self, player: Player) -> String {
        match self.play.out().contains(&player) {
            true => "out".to_owned(),
            false => self.view.seats[player.index()].note.clone(),
        }
    }

    /// Whether a program plays here without a sandbox.
    fn is_exposed(&self, player: Player) -> bool {
        self.is_exposed && self.session.seats()[player.index()].is_program()
    }

    fn time(&self, player: Player) -> Duration {
        let running = match self.play.turn() == Some(player) {
            true => self.shown,
            false => Duration::ZERO,
        };
        let left = match self.is_now {
            true => self.session.time_left(player, running),
            false => None,
        };
        left.unwrap_or(self.clocks[player.index()] + running)
    }

    /// The players that are listed, by seat: all, or the mover and those with most points.
    fn listed(&self, most: usize) -> Vec<Player> {
        let (scores, turn) = (self.play.scores(), self.play.turn());
        let mut players: Vec<Player> = Player::all(scores.len() as u32).collect();
        players.sort_by_key(|&p| (turn != Some(p), -scores[p.index()]));
        players.truncate(most);
        players.sort();
        players
    }
}

/// A note that fits on one line, or its parts on a line each.
fn note_lines(note: &str, width: usize) -> Vec<String> {
    match note.chars().count() <= width {
        true => wrapped(note, width),
        false => (note.split(", "))
            .flat_map(|part| wrapped(part, width))
            .collect(),
    }
}

/// The choices that are made by keys, a line each.
fn choice_lines(screen: &Screen, skin: Skin) -> Vec<Line<'static>> {
    let line = |(key, choice): (usize, &Choice)| {
        let (sample, gain, is_hint) = keyed(screen, choice, skin);
        let mark = if is_hint { "  ! hint" } else { "" };
        let squares = if choice.takes.len() == 1 {
            "square"
        } else {
            "squares"
        };
        let gain = format!("{gain} {squares}");
        Line::from(vec![
            skin.span(format!("  {key}  "), Role::Key),
            sample,
            skin.span(format!("  {gain}"), Role::Text),
            skin.span(mark, Role::Good),
        ])
    };
    (1..=9).zip(screen.keyed()).map(line).collect()
}

/// The same on one line that begins at this place.
fn choices_line(
    screen: &Screen,
    (x, y): (u16, u16),
    skin: Skin,
    spots: &mut Spots,
) -> Line<'static> {
    let mut line = Line::default();
    for (key, choice) in ('1'..='9').zip(screen.keyed()) {
        let from = line.width() as u16;
        let (sample, gain, is_hint) = keyed(screen, choice, skin);
        line.push_span(skin.span(format!(" {key} "), Role::Key));
        line.push_span(sample);
        let mark = if is_hint { "!" } else { "" };
        line.push_span(skin.span(format!(" {gain}{mark} "), Role::Text));
        let place = Rect::new(x + from, y, line.width() as u16 - from, 1);
        spots.add(place, Act::Key(KeyCode::Char(key)));
    }
    line
}

/// The key of a choice, its gain, and whether it is the hint.
fn keyed(screen: &Screen, choice: &Choice, skin: Skin) -> (Span<'static>, String, bool) {
    let cell = choice
        .takes
        .first()
        .and_then(|&square| screen.view.cell(square));
    let like = |cell: &&floe_rules::Cell| {
        cell.owner.is_none() && cell.glyph.to_string() == choice.notation
    };
    let cell = cell.or_else(|| screen.view.cells.iter().find(like));
    let style = cell.map_or(Style::new(), |cell| skin.theme.cell(cell));
    let sample = Span::styled(
        skin.shown(format!(" {} ", choice.notation)),
        style.add_modifier(Modifier::BOLD),
    );
    let is_hint = screen.hint.as_ref() == Some(&choice.notation);
    (sample, format!("+{}", choice.takes.len()), is_hint)
}

/// The last moves, the newest at the bottom.
pub(super) fn last_moves(
    steps: &[Turn],
    room: usize,
    width: usize,
    skin: Skin,
) -> Vec<Line<'static>> {
    if steps.is_empty() || room == 0 {
        return Vec::new();
    }
    // As many on a line as there is room for.
    let longest = steps
        .iter()
        .rev()
        .take(60)
        .map(|step| step.text().chars().count());
    let column = longest.max().unwrap_or(4).min(width) + 10;
    let per_line = (width / column).max(1);
    let shown = (room * per_line).min(steps.len());
    let first = steps.len() - shown;
    let first = first
        .next_multiple_of(per_line)
        .min(steps.len().saturating_sub(1));
    let numbered: Vec<(usize, &Turn)> = steps.iter().enumerate().skip(first).collect();
    let line = |chunk: &[(usize, &Turn)]| {
        let mut line = Line::default();
        for (i, step) in chunk {
            line.push_span(skin.span(format!("{:>3}. ", i + 1), Role::Faint));
            line.push_span(Span::styled(
                format!("{}", step.player),
                skin.theme.player_line(step.player),
            ));
            let text = format!(" {:<width$}  ", step.text(), width = column - 9);
            line.push_span(skin.span(text, Role::Text));
        }
        line
    };
    numbered.chunks(per_line).map(line).collect()
}

/// The bar and the words under it.
fn evaluation_lines(screen: &Screen, width: u16, skin: Skin) -> Vec<Line<'static>> {
    let Some(thought) = &screen.evaluation.thought else {
        let text = match screen.is_my_turn() {
            true => "evaluation: thinking",
            false => "evaluation: on your turn",
        };
        let said = screen.session.turns().last().map(Turn::note);
        let said = said.filter(|note| !note.is_empty() && !screen.is_my_turn());
        let said = said.map(|note| format!("it said: {note}"));
        let said = skin.shown(said.unwrap_or_default());
        let said: String = said.chars().take(usize::from(width)).collect();
        return vec![
            Line::from(skin.span(text, Role::Faint)),
            Line::from(skin.span(said, Role::Faint)),
        ];
    };
    let scale = screen.session.scale();
    let mut lines = vec![bar(&thought.scores, scale, width, skin)];
    let leader = leader(&thought.scores);
    let text = match leader {
        Some((player, lead)) => format!("{} +{lead}", screen.session.name(player)),
        None => "even".to_owned(),
    };
    let sure = if thought.proven { " proven" } else { "" };
    lines.push(Line::from(vec![
        skin.span(text, Role::Strong),
        skin.span(format!("{sure}, depth {}", thought.depth), Role::Faint),
    ]));
    let mut line = thought.line.join(" ");
    if line.is_empty() {
        line.clone_from(&thought.best);
    }
    let first = wrapped(&line, usize::from(width)).into_iter().next();
    lines.push(Line::from(
        skin.span(first.unwrap_or_default(), Role::Faint),
    ));
    lines
}

/// The sole leader and the lead; `None` if two lead.
pub(super) fn leader(scores: &[i64]) -> Option<(Player, i64)> {
    let players = Player::all(scores.len() as u32);
    let best = players.max_by_key(|player| scores[player.index()])?;
    let by = lead(scores, best);
    (by > 0).then_some((best, by))
}

/// The leads as shares of a bar.
pub(super) fn bar(scores: &[i64], scale: Scale, width: u16, skin: Skin) -> Line<'static> {
    let mut line = Line::default();
    let (mut until, mut drawn) = (0.0, 0);
    for (player, share) in Player::all(scores.len() as u32).zip(scale.shares(scores)) {
        until += share * f64::from(width);
        let cells = (until.round() as usize).saturating_sub(drawn);
        drawn += cells;
        let fill = match skin.theme {
            // Without colours the players' numbers make the bar.
            crate::theme::Theme::None => player.to_string().chars().last().unwrap_or('#'),
            _ => ' ',
        };
        let part: String = std::iter::repeat_n(fill, cells).collect();
        line.push_span(Span::styled(part, skin.theme.player(player)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{PLAIN, played};

    /// How many of forty cells the first player gets.
    fn cells(setup: &str, moves: usize, scores: &[i64]) -> usize {
        let scale = played("gamma", setup, "human", moves).scale();
        let bar = bar(scores, scale, 40, PLAIN).to_string();
        bar.chars().filter(|&c| c == '1').count()
    }

    #[test]
    fn a_lead_fills_as_much_of_the_bar_on_every_turn() {
        for lead in [2, 8, 24] {
            let first = cells("10x10", 2, &[50 + lead, 50]);
            let last = cells("10x10", 90, &[50 + lead, 50]);
            assert_eq!(first, last, "{lead}");
        }
        let leads = [0, 2, 8, 24].map(|lead| cells("10x10", 2, &[lead, 0]));
        assert_eq!(leads, [20, 24, 33, 40]);
        // The same lead says less on a larger board.
        assert!(cells("30x30", 0, &[8, 0]) < leads[2]);
    }
}
