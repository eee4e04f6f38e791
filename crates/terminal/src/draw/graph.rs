//! The course of a game as a graph: each player's share after every turn.

use floe_games::review::Grade;
use floe_rules::Player;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Skin;
use crate::review::Review;
use crate::theme::{Role, Theme};

/// Lines of the graph, without the line of signs under it.
const HEIGHT: usize = 4;

/// The graph, `width` columns wide, and below it the current turn, slips and blunders. Of two
/// players the first is at the bottom; of more, the leader is.
pub(super) fn lines(review: &Review, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let positions = review.analysis.positions();
    let width = width.min(positions.max(1) * 2).max(1);
    // The turns of each column; a column without one of its own shows the one before it.
    let turns_of = |column: usize| {
        let first = (column * positions / width).min(positions - 1);
        first..((column + 1) * positions / width).clamp(first + 1, positions)
    };
    let mut rows = vec![Line::default(); HEIGHT];
    let mut signs = Line::default();
    for column in 0..width {
        let turns = turns_of(column);
        let shares = review.analysis.shares(turns.end - 1);
        for (row, line) in rows.iter_mut().enumerate() {
            line.push_span(match &shares {
                Some(shares) => cell(shares, HEIGHT - 1 - row, skin),
                None => skin.span(skin.sign("·", "."), Role::Faint),
            });
        }
        let worst = turns
            .clone()
            .filter_map(|turn| review.analysis.grade(turn))
            .max();
        let is_here = turns.contains(&review.at);
        signs.push_span(match (is_here, worst) {
            (true, _) => skin.span(skin.sign("▲", "^"), Role::Key),
            (false, Some(Grade::Blunder)) => skin.span("X", Role::Bad),
            (false, Some(Grade::Slip)) => skin.span("?", Role::Strong),
            _ => Span::raw(" "),
        });
    }
    rows.push(signs);
    rows
}

/// One character of the graph: how much of this row, counted from the bottom, the player at the
/// bottom fills.
fn cell(shares: &[f64], row: usize, skin: Skin) -> Span<'static> {
    const BLOCKS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    let players = Player::all(shares.len() as u32).zip(shares.iter().copied());
    let (lower, share) = match shares.len() {
        2 => (Player::new(0), shares[0]),
        _ => players
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((Player::new(0), 0.0)),
    };
    let filled = (share * HEIGHT as f64 - row as f64).clamp(0.0, 1.0);
    if skin.theme == Theme::None || !skin.unicode {
        let number = lower.to_string();
        let upper = if shares.len() == 2 { "2" } else { "." };
        let text = if filled >= 0.5 {
            number.as_str()
        } else {
            upper
        };
        return skin.span(text.chars().take(1).collect::<String>(), Role::Text);
    }
    let ground = |player: Player| skin.theme.player(player).bg;
    let mut style = Style::new();
    style.fg = ground(lower);
    style.bg = match shares.len() {
        2 => ground(Player::new(1)),
        _ => None,
    };
    Span::styled(BLOCKS[(filled * 8.0).round() as usize], style)
}
