//! The list of moves.

use floe_games::Turn;
use ratatui::text::{Line, Span};

use super::{Skin, signs};
use crate::texts::t;
use crate::theme::Role;

/// The latest moves under a heading, newest at the bottom; two per line, or one if they are long.
/// `is_open` adds the number of the next turn.
pub(super) fn lines(
    turns: &[Turn],
    is_open: bool,
    room: usize,
    width: usize,
    skin: Skin,
) -> Vec<Line<'static>> {
    if room < 2 || turns.is_empty() {
        return Vec::new();
    }
    let longest = (turns.iter().rev().take(60)).map(|turn| turn.text().chars().count());
    let longest = longest.max().unwrap_or(4);
    // Number, sign and move.
    let column = (longest + 8).max(13);
    let per_line = (width / column).clamp(1, 2);
    let all = turns.len() + usize::from(is_open);
    let lines_needed = all.div_ceil(per_line);
    let first = lines_needed.saturating_sub(room - 1) * per_line;
    let mut lines = vec![Line::from(skin.span(t!("moves"), Role::Faint))];
    let entry = |index: usize| -> Vec<Span<'static>> {
        let number = skin.span(format!("{:>3} ", index + 1), Role::Faint);
        match turns.get(index) {
            Some(turn) => {
                let text = format!("{:<width$}", turn.text(), width = column - 7);
                let sign = signs::seat(turn.player, skin.unicode);
                let style = skin.theme.player_line(turn.player);
                let role = if turn.fault().is_some() {
                    Role::Bad
                } else {
                    Role::Text
                };
                vec![
                    number,
                    Span::styled(format!("{sign} "), style),
                    skin.span(text, role),
                ]
            }
            None => vec![number, skin.span(skin.sign("…", "..."), Role::Faint)],
        }
    };
    for start in (first..all).step_by(per_line) {
        let mut line = Line::default();
        for index in start..(start + per_line).min(all) {
            line.spans.extend(entry(index));
        }
        lines.push(line);
    }
    lines
}
