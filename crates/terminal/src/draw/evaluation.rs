//! The engine's expected scores, and their change turn by turn.

use floe_rules::Player;
use floe_search::lead;
use ratatui::text::{Line, Span};

use super::graph::{Graph, bar, sparkline};
use super::{Skin, wrapped};
use crate::screen::Screen;
use crate::texts::t;
use crate::theme::Role;

/// Two lines: the expected scores, and their course so far.
pub(super) fn short(screen: &Screen, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let mut lines = vec![heading(screen, t!("evaluation"), width, skin)];
    let player = screen.session.own_player();
    let leads = leads(screen, player);
    let known = leads.iter().flatten().count();
    if known == 0 {
        return lines;
    }
    let words = standing(screen);
    let room = width.saturating_sub(words.chars().count() + 8).max(1);
    let from = leads.len().saturating_sub(room);
    let graph = sparkline(&leads[from..], player, skin);
    let mut line = Line::from(skin.span(format!("{} ", from + 1), Role::Faint));
    line.spans.extend(graph.spans);
    line.push_span(skin.span(format!(" {}", leads.len()), Role::Faint));
    let gap = width.saturating_sub(line.width() + words.chars().count());
    line.push_span(Span::raw(" ".repeat(gap)));
    line.push_span(skin.span(words, Role::Strong));
    lines.push(line);
    lines
}

/// The expected scores with a bar, and the course as a graph.
pub(super) fn long(screen: &Screen, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let heading_text = t!("Evaluation");
    let mut lines = vec![heading(screen, heading_text, width, skin)];
    if let Some(thought) = &screen.evaluation.thought {
        let scale = screen.session.scale();
        lines.push(bar(&thought.scores, scale, width as u16, skin));
        let mut text = standing(screen);
        if thought.proven {
            text = t!("{standing}, proven", standing = text);
        }
        let line: Vec<&str> = thought.line.iter().map(String::as_str).collect();
        if !line.is_empty() {
            text = t!(
                "{standing}; best line {line}",
                standing = text,
                line = line.join(" ")
            );
        }
        let first = wrapped(&text, width).into_iter().next();
        lines.push(Line::from(
            skin.span(first.unwrap_or_default(), Role::Faint),
        ));
    }
    let player = screen.session.own_player();
    let leads = leads(screen, player);
    if leads.iter().flatten().count() > 1 {
        lines.push(Line::default());
        let margin = 5;
        let room = width.saturating_sub(margin + 1).max(1);
        let wide = if leads.len() * 4 <= room { 4 } else { 1 };
        let from = leads.len().saturating_sub(room / wide);
        let graph = Graph {
            leads: &leads[from..],
            player,
            height: 5,
            wide,
            at: None,
        };
        lines.extend(graph.lines(margin, skin));
        lines.push(axis((from, leads.len()), wide, margin, width, skin));
    }
    lines
}

/// The numbers of turns under a graph.
fn axis(
    (from, to): (usize, usize),
    wide: usize,
    margin: usize,
    width: usize,
    skin: Skin,
) -> Line<'static> {
    let mut text = " ".repeat(margin);
    let every = if wide > 1 { 1 } else { 10 };
    for turn in from..to {
        let at = margin + (turn - from) * wide + usize::from(wide > 1);
        if (turn + 1) % every == 0 && text.chars().count() <= at {
            let gap = at - text.chars().count();
            text.push_str(&format!("{:gap$}{}", "", turn + 1));
        }
    }
    let unit = format!("  {}", t!("turn"));
    if text.chars().count() + unit.chars().count() <= width {
        text.push_str(&unit);
    }
    Line::from(skin.span(text, Role::Faint))
}

/// The name of the section, and the expected scores at the right.
fn heading(screen: &Screen, name: String, width: usize, skin: Skin) -> Line<'static> {
    let scores = match &screen.evaluation.thought {
        Some(thought) => {
            let scores: Vec<String> = thought.scores.iter().map(ToString::to_string).collect();
            scores.join(" : ")
        }
        None => t!("thinking"),
    };
    let gap = width.saturating_sub(name.chars().count() + scores.chars().count());
    Line::from(vec![
        skin.span(name, Role::Faint),
        Span::raw(" ".repeat(gap)),
        skin.span(scores, Role::Strong),
    ])
}

/// The leader and the lead.
fn standing(screen: &Screen) -> String {
    let Some(thought) = &screen.evaluation.thought else {
        return String::new();
    };
    match leader(&thought.scores) {
        Some((player, by)) if screen.session.is_you(player) => t!("you by {by}", by),
        Some((player, by)) => t!("{name} by {by}", name = screen.session.name(player), by),
        None => t!("even"),
    }
}

/// The sole leader and the lead; `None` if two lead.
pub(super) fn leader(scores: &[i64]) -> Option<(Player, i64)> {
    let players = Player::all(scores.len() as u32);
    let best = players.max_by_key(|player| scores[player.index()])?;
    let by = lead(scores, best);
    (by > 0).then_some((best, by))
}

/// A player's lead before each evaluated turn, and now.
fn leads(screen: &Screen, player: Player) -> Vec<Option<i64>> {
    let known = screen.course.iter();
    known
        .map(|scores| scores.as_ref().map(|scores| lead(scores, player)))
        .collect()
}
