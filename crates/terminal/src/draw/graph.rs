//! A player's lead, turn by turn, as a graph.

use floe_games::LeadScale;
use floe_rules::Player;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Skin, signs};
use crate::theme::{Role, Theme};

const BLOCKS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// A player's lead after each turn; `None` where unknown.
pub(super) struct Graph<'a> {
    pub(super) leads: &'a [Option<i64>],
    pub(super) player: Player,
    /// Lines of the graph.
    pub(super) height: usize,
    /// Columns of a turn.
    pub(super) wide: usize,
    /// The turn marked by a vertical line.
    pub(super) at: Option<usize>,
}

impl Graph<'_> {
    /// The lines, from the top, with a scale of `margin` columns at the left.
    pub(super) fn lines(&self, margin: usize, skin: Skin) -> Vec<Line<'static>> {
        let (low, high) = self.range();
        let zero = (0 - low) as f64 / (high - low) as f64 * self.height as f64;
        let zero_row = (zero as usize).min(self.height - 1);
        let style = skin.theme.player_line(self.player);
        let mut lines = Vec::new();
        for row in (0..self.height).rev() {
            let label = match row {
                row if row == zero_row => "0".to_owned(),
                row if row + 1 == self.height => format!("{high:+}"),
                0 => format!("{low:+}"),
                _ => String::new(),
            };
            let label = format!("{label:>width$} ", width = margin.saturating_sub(1));
            let mut line = Line::from(skin.span(label, Role::Faint));
            for (turn, lead) in self.leads.iter().enumerate() {
                if self.at == Some(turn) {
                    let bar = skin.sign("┃", "|").repeat(self.wide);
                    line.push_span(skin.span(bar, Role::Key));
                    continue;
                }
                let filled = lead.map_or(0.0, |lead| {
                    let part = (lead - low) as f64 / (high - low) as f64;
                    part * self.height as f64 - row as f64
                });
                let is_line = row == zero_row;
                let (text, style) = block(filled, is_line, style, skin);
                let gap = usize::from(self.wide > 1);
                line.push_span(Span::styled(text.repeat(self.wide - gap), style));
                if gap > 0 {
                    let (text, style) = block(0.0, is_line, style, skin);
                    line.push_span(Span::styled(text, style));
                }
            }
            lines.push(line);
        }
        lines
    }

    /// The scale: from a round number below the least lead to one above the greatest.
    fn range(&self) -> (i64, i64) {
        let known = || self.leads.iter().flatten().copied();
        let (low, high) = (known().min().unwrap_or(0), known().max().unwrap_or(0));
        let step = match high.max(-low) {
            0..=8 => 2,
            9..=40 => 10,
            _ => 20,
        };
        let up = |value: i64| (value.max(1) + step - 1) / step * step;
        (-up(-low), up(high))
    }
}

/// One character of a graph, filled from the bottom.
fn block(filled: f64, is_zero: bool, style: Style, skin: Skin) -> (&'static str, Style) {
    let eighths = (filled.clamp(0.0, 1.0) * 8.0).round() as usize;
    let text = match skin.unicode {
        true => BLOCKS[eighths],
        false if eighths >= 4 => "#",
        false => " ",
    };
    match (text, is_zero) {
        (" ", true) => (skin.sign("┈", "-"), skin.role(Role::Faint)),
        (text, _) => (text, style),
    }
}

/// The leads as a line of blocks; the highest is the best for this player.
pub(super) fn sparkline(leads: &[Option<i64>], player: Player, skin: Skin) -> Line<'static> {
    let known = || leads.iter().flatten().copied();
    let (low, high) = (known().min().unwrap_or(0), known().max().unwrap_or(0));
    let range = (high - low).max(1) as f64;
    let text = |lead: &Option<i64>| match lead {
        None => skin.sign("·", "."),
        Some(lead) => {
            let part = (lead - low) as f64 / range;
            match skin.unicode {
                true => BLOCKS[1 + (part * 7.0).round() as usize],
                false => ["_", "-", "="][(part * 2.0).round() as usize],
            }
        }
    };
    let text: String = leads.iter().map(text).collect();
    Line::from(Span::styled(text, skin.theme.player_line(player)))
}

/// The leads as shares of a bar.
pub(super) fn bar(scores: &[i64], scale: LeadScale, width: u16, skin: Skin) -> Line<'static> {
    let mut line = Line::default();
    let (mut until, mut drawn) = (0.0, 0);
    for (player, share) in Player::all(scores.len() as u32).zip(scale.shares(scores)) {
        until += share * f64::from(width);
        let cells = (until.round() as usize).saturating_sub(drawn);
        drawn += cells;
        let fill = match (skin.theme, player.index(), skin.unicode) {
            (Theme::None, _, _) | (_, _, false) => signs::seat(player, false),
            (_, 0, true) => '█',
            (_, 1, true) => '░',
            (_, _, true) => '▒',
        };
        let part: String = std::iter::repeat_n(fill, cells).collect();
        line.push_span(Span::styled(part, skin.theme.player_line(player)));
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

    #[test]
    fn a_graph_fills_from_the_bottom_and_shows_where_the_lead_is_zero() {
        let leads = [Some(8), Some(0), None, Some(-8)];
        let graph = Graph {
            leads: &leads,
            player: Player::new(0),
            height: 4,
            wide: 1,
            at: None,
        };
        let lines: Vec<String> = (graph.lines(4, PLAIN).iter())
            .map(ToString::to_string)
            .collect();
        assert_eq!(lines, [" +8 █   ", "  0 █┈┈┈", "    ██  ", " -8 ██  "]);
        assert_eq!(sparkline(&leads, Player::new(0), PLAIN).to_string(), "█▅·▁");
    }
}
