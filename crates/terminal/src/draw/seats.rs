//! The players next to a board: sign, name, score, clock, and a note.

use std::time::Duration;

use floe_games::Play;
use floe_rules::Player;
use ratatui::text::{Line, Span};

use super::{Skin, clock, signs, wrapped};
use crate::scene::Scene;
use crate::session::Session;
use crate::texts::{self, t, tn};
use crate::theme::Role;

/// Most players listed.
const MOST_SEATS: usize = 9;
/// Columns of a clock with its gap.
const WIDE_CLOCK: usize = 7;
/// Columns before a note on a player.
const INDENT: &str = "      ";

/// The players of a game, now or at an earlier turn.
pub(super) struct Seats<'a> {
    pub(super) session: &'a Session,
    pub(super) view: &'a Scene,
    /// The game, now or at the shown turn.
    pub(super) play: &'a Play,
    /// Each player's used time, now or at the shown turn.
    pub(super) clocks: Vec<Duration>,
    /// Time of the current turn so far.
    pub(super) shown: Duration,
    /// Whether this is the current position, with running clocks.
    pub(super) is_now: bool,
    /// Whether programs play without a sandbox.
    pub(super) is_exposed: bool,
}

impl Seats<'_> {
    /// A card of two lines for each player, with blank lines between them if there are few.
    pub(super) fn lines(&self, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let is_crowded = self.view.seats.len() > 3;
        for player in self.listed(MOST_SEATS) {
            if !lines.is_empty() && !is_crowded {
                lines.push(Line::default());
            }
            lines.push(self.head(player, width, skin));
            lines.extend(self.notes(player, width, skin));
        }
        if self.view.seats.len() > MOST_SEATS {
            let more = tn!(
                "and {n} more",
                "and {n} more",
                self.view.seats.len() - MOST_SEATS
            );
            let text = format!("{INDENT}{more}");
            lines.push(Line::from(skin.span(text, Role::Faint)));
        }
        if self.view.has_hues {
            lines.extend(self.shares(width, skin));
        }
        lines
    }

    /// The cards with frames; the frame of the player to move is heavy.
    pub(super) fn framed(&self, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for player in self.listed(4) {
            let is_mover = self.play.turn() == Some(player);
            let [corners, across, down] = match (skin.unicode, is_mover) {
                (true, true) => [["┏", "┓", "┗", "┛"], ["━"; 4], ["┃"; 4]],
                (true, false) => [["╭", "╮", "╰", "╯"], ["─"; 4], ["│"; 4]],
                (false, true) => [["#"; 4], ["="; 4], ["#"; 4]],
                (false, false) => [["+"; 4], ["-"; 4], ["|"; 4]],
            };
            let role = if is_mover { Role::Key } else { Role::Faint };
            let across = across[0].repeat(width.saturating_sub(2));
            let edge = |left: &str, right: &str| {
                Line::from(skin.span(format!("{left}{across}{right}"), role))
            };
            lines.push(edge(corners[0], corners[1]));
            let inner = width.saturating_sub(4);
            let mut rows = vec![self.head(player, inner, skin)];
            rows.extend(self.notes(player, inner, skin));
            for row in rows {
                let rest = inner.saturating_sub(row.width());
                let mut line = Line::from(skin.span(format!("{} ", down[0]), role));
                line.spans.extend(row.spans);
                line.push_span(Span::raw(" ".repeat(rest)));
                line.push_span(skin.span(format!(" {}", down[0]), role));
                lines.push(line);
            }
            lines.push(edge(corners[2], corners[3]));
        }
        if self.view.has_hues {
            lines.extend(self.shares(width, skin));
        }
        lines
    }

    /// One line per player, with as many notes and scores as fit.
    pub(super) fn short(&self, most: usize, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let listed = self.listed(most.max(1));
        let scores = self.play.scores();
        let line = |player: Player| {
            let note = self.note(player);
            let mut line = self.name(player, skin);
            let score = scores[player.index()];
            line.push_span(skin.span(format!(" {score}"), Role::Strong));
            let time = format!("  {}", clock(self.time(player)));
            // The rules' note on a player comes before the clock.
            if line.width() + time.len() + 2 + note.chars().count() <= width {
                line.push_span(skin.span(time, Role::Faint));
            }
            if self.is_exposed(player) {
                line.push_span(skin.span(format!("  {}", t!("no sandbox!")), Role::Bad));
            }
            line.push_span(skin.span(format!("  {note}"), Role::Faint));
            line
        };
        listed.into_iter().map(line).collect()
    }

    /// One line per player in a narrow panel: sign, name and score.
    pub(super) fn slim(&self, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let scores = self.play.scores();
        let line = |player: Player| {
            let score = scores[player.index()].to_string();
            let sign = match self.view.has_hues {
                true => signs::emblem(self.view, player, skin.unicode),
                false => signs::seat(player, skin.unicode).to_string(),
            };
            let mut line = self.name_with(sign, player, skin);
            cut(&mut line, width.saturating_sub(score.len() + 1));
            let gap = width.saturating_sub(line.width() + score.len());
            line.push_span(Span::raw(" ".repeat(gap)));
            line.push_span(skin.span(score, Role::Strong));
            line
        };
        self.listed(4).into_iter().map(line).collect()
    }

    /// The first line of a card.
    fn head(&self, player: Player, width: usize, skin: Skin) -> Line<'static> {
        let mut line = self.name(player, skin);
        let score = self.play.scores()[player.index()];
        let score = texts::amount(score, self.session.game().unit());
        // Aligned, up to several hours, unless the name needs the room.
        let time = clock(self.time(player));
        let is_tight = line.width() + score.chars().count() + WIDE_CLOCK + 1 > width;
        let time = match is_tight {
            true => format!(" {time}"),
            false => format!("{time:>WIDE_CLOCK$}"),
        };
        let right = score.chars().count() + time.len();
        cut(&mut line, width.saturating_sub(right + 1));
        let gap = width.saturating_sub(line.width() + right);
        line.push_span(Span::raw(" ".repeat(gap)));
        line.push_span(skin.span(score, Role::Strong));
        line.push_span(skin.span(time, Role::Faint));
        line
    }

    /// The turn marker, the sign and the name.
    fn name(&self, player: Player, skin: Skin) -> Line<'static> {
        let emblem = signs::emblem(self.view, player, skin.unicode);
        self.name_with(emblem, player, skin)
    }

    fn name_with(&self, sign: String, player: Player, skin: Skin) -> Line<'static> {
        let is_mover = self.play.turn() == Some(player);
        let outcome = self.play.outcome();
        let won = outcome.is_some_and(|o| o.places()[player.index()] == 1);
        let mark = match (is_mover, won) {
            (true, _) => skin.sign("▶ ", "> "),
            (_, true) => skin.sign("★ ", "* "),
            _ => "  ",
        };
        let name = self.session.name(player);
        let role = if is_mover || won {
            Role::Strong
        } else {
            Role::Text
        };
        Line::from(vec![
            skin.span(mark, Role::Good),
            Span::styled(sign, skin.theme.player_line(player)),
            skin.span(format!(" {name}"), role),
        ])
    }

    /// The lines under a player's name.
    fn notes(&self, player: Player, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let line = |text: &str, role| Line::from(skin.span(format!("{INDENT}{text}"), role));
        if self.is_exposed(player) {
            lines.push(line(&t!("no sandbox!"), Role::Bad));
        }
        if self.view.seats.len() > 4 || self.view.has_hues {
            return lines;
        }
        lines.extend(match self.play.out().contains(&player) {
            true => vec![line(&t!("disqualified"), Role::Faint)],
            false => note(&self.view.seats[player.index()].note, player, width, skin),
        });
        lines
    }

    /// The note on a player.
    fn note(&self, player: Player) -> String {
        match self.play.out().contains(&player) {
            true => t!("disqualified"),
            false => texts::of_game(&self.view.seats[player.index()].note),
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

    /// Each player's share of the board: the first from the left, the second from the right.
    fn shares(&self, width: usize, skin: Skin) -> Vec<Line<'static>> {
        let scores = self.play.scores();
        let all = (self.view.cells.len().max(1)) as i64;
        let [first, second] = scores[..] else {
            return Vec::new();
        };
        let room = width.saturating_sub(2);
        let cells = |score: i64| (score.max(0) * room as i64 / all) as usize;
        let (left, right) = (cells(first), cells(second));
        let middle = room.saturating_sub(left + right);
        let fill = |player: Player| {
            let shade = signs::shading(player, skin.unicode);
            shade.unwrap_or_else(|| signs::seat(player, skin.unicode))
        };
        let part = |player: Player, cells: usize| {
            let text: String = std::iter::repeat_n(fill(player), cells).collect();
            Span::styled(text, skin.theme.player_line(player))
        };
        let (one, two) = (Player::new(0), Player::new(1));
        let bar = Line::from(vec![
            Span::raw("  "),
            part(one, left),
            skin.span(skin.sign("·", ".").repeat(middle), Role::Faint),
            part(two, right),
        ]);
        let percent = |score: i64| format!("{} %", score * 100 / all);
        let (low, high) = (percent(first), percent(second));
        let gap = room.saturating_sub(low.len() + high.len());
        let text = format!("  {low}{:gap$}{high}", "");
        vec![bar, Line::from(skin.span(text, Role::Faint))]
    }

    /// The listed players, by seat: all, or the player to move and the best.
    fn listed(&self, most: usize) -> Vec<Player> {
        let (scores, turn) = (self.play.scores(), self.play.turn());
        let mut players: Vec<Player> = Player::all(scores.len() as u32).collect();
        players.sort_by_key(|&p| (turn != Some(p), -scores[p.index()]));
        players.truncate(most);
        players.sort();
        players
    }
}

/// The lines of the rules' note on a player. A note that begins with a count of a few things, such
/// as `2 of 3`, begins with the player's sign for each of them.
pub(super) fn note(note: &str, player: Player, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let text = texts::of_game(note);
    let sign = match skin.unicode {
        true => signs::seat(player, true),
        false => '#',
    };
    let signs = drawn_count(note, sign, skin);
    let room = width.saturating_sub(INDENT.len());
    let all = text.chars().count() + signs.chars().count();
    let parts: Vec<String> = match all <= room {
        true => wrapped(&text, room),
        false => (text.split(", "))
            .flat_map(|part| wrapped(part, room))
            .collect(),
    };
    let line = |part: String| Line::from(vec![Span::raw(INDENT), skin.span(part, Role::Faint)]);
    let mut lines: Vec<Line<'static>> = parts.into_iter().map(line).collect();
    if let (Some(first), false) = (lines.first_mut(), signs.is_empty()) {
        let signs = Span::styled(signs, skin.theme.player_line(player));
        first.spans.insert(1, signs);
    }
    lines
}

/// Most things that are drawn one by one.
const MOST_SIGNS: usize = 5;

/// The signs for a count such as `2 of 3`, and a space; empty if the text begins otherwise.
fn drawn_count(note: &str, sign: char, skin: Skin) -> String {
    let mut words = note.split([' ', ',']);
    let [some, of, all] = [(); 3].map(|()| words.next().unwrap_or_default());
    let (Ok(some), "of", Ok(all)) = (some.parse::<usize>(), of, all.parse::<usize>()) else {
        return String::new();
    };
    if all > MOST_SIGNS || some > all {
        return String::new();
    }
    let rest = skin.sign("·", ".").repeat(all - some);
    format!("{}{rest} ", sign.to_string().repeat(some))
}

/// Shortens the last part of a line until it fits.
fn cut(line: &mut Line<'static>, width: usize) {
    let over = line.width().saturating_sub(width);
    if let (Some(last), true) = (line.spans.last_mut(), over > 0) {
        let keep = last.content.chars().count().saturating_sub(over);
        last.content = last.content.chars().take(keep).collect::<String>().into();
    }
}
