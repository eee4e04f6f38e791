//! A position as text in a terminal: board, players, player to move.

use floe_rules::{Outcome, Player, SeatView, View};

use crate::board::{self, PrintedBoard};
use crate::look::{FAINT, GOOD, Look, STRONG};
use crate::palette;

/// Most players listed next to a board.
const MOST_SEATS: usize = 16;
/// Most characters shown of a player's name.
const LONGEST_NAME: usize = 24;

/// The parts of a picture.
pub struct Picture<'a> {
    /// The game's title.
    pub title: &'a str,
    /// The board and the players.
    pub view: &'a View,
    /// The player to move.
    pub turn: Option<Player>,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
}

impl Picture<'_> {
    /// The picture with its styles, ending with a newline.
    pub fn draw(&self, look: Look) -> String {
        let board = board::draw(self.view, look);
        let panel = self.panel(look);
        let panel_width = panel.iter().map(|line| line.width).max().unwrap_or(0);
        let mut out = self.headline(look);
        out.push_str("\n\n");
        if board.width + 2 + panel_width <= look.page() {
            side_by_side(&board, &panel, &mut out);
        } else {
            for line in &board.lines {
                push_line(&mut out, line);
            }
            out.push('\n');
            out.push_str(&self.players(look));
        }
        out
    }

    /// The players, with the player to move or the result, without the board.
    pub fn players(&self, look: Look) -> String {
        let mut out = String::new();
        for line in self.panel(look) {
            push_line(&mut out, &format!("  {}", line.text));
        }
        out
    }

    /// The player to move, or the result.
    pub fn news_text(&self, look: Look) -> String {
        self.news(look).text
    }

    fn headline(&self, look: Look) -> String {
        let View {
            width,
            height,
            phase,
            ..
        } = self.view;
        let (dot, times) = if look.unicode {
            ("·", "×")
        } else {
            ("-", "x")
        };
        let mut line = format!(
            "{STRONG}{}{STRONG:#} {FAINT}{dot}{FAINT:#} {width} {times} {height}",
            self.title
        );
        if !phase.is_empty() {
            line.push_str(&format!(" {FAINT}{dot}{FAINT:#} {}", shown(phase, look)));
        }
        line
    }

    /// The panel: the players, then the news.
    fn panel(&self, look: Look) -> Vec<PictureLine> {
        let seats = &self.view.seats;
        let listed = self.listed();
        let widest = |width: &dyn Fn(&SeatView) -> usize| {
            listed
                .iter()
                .map(|p| width(&seats[p.index()]))
                .max()
                .unwrap_or(0)
        };
        let names = widest(&|seat| short_name(seat, look).chars().count());
        let scores = widest(&|seat| seat.score.to_string().len());
        let numbers = seats.len().to_string().len();
        let mut panel: Vec<PictureLine> = Vec::new();
        for &player in &listed {
            panel.push(self.seat_line(player, [numbers, names, scores], look));
        }
        if listed.len() < seats.len() {
            let more = seats.len() - listed.len();
            panel.push(PictureLine::faint(&format!("  and {more} more players")));
        }
        panel.push(PictureLine::default());
        panel.push(self.news(look));
        for note in &self.view.notes {
            panel.push(PictureLine::faint(&shown(note, look)));
        }
        panel
    }

    fn seat_line(&self, player: Player, widths: [usize; 3], look: Look) -> PictureLine {
        let [numbers, names, scores] = widths;
        let seat = &self.view.seats[player.index()];
        let won = self
            .outcome
            .as_ref()
            .is_some_and(|o| o.places().get(player.index()) == Some(&1));
        let mark = match (self.turn == Some(player), won) {
            (true, _) => {
                if look.unicode {
                    '▶'
                } else {
                    '>'
                }
            }
            (_, true) => {
                if look.unicode {
                    '★'
                } else {
                    '*'
                }
            }
            _ => ' ',
        };
        let mut line = PictureLine::default();
        line.push(&format!("{mark} "), GOOD);
        line.push(
            &format!(" {:>numbers$} ", player.number()),
            palette::player(player, look.theme),
        );
        if names > 0 {
            line.push(&format!(" {:<names$}", short_name(seat, look)), STRONG);
        }
        line.push(&format!("  {:>scores$}", seat.score), STRONG);
        if !seat.note.is_empty() {
            line.push(&format!("  {}", shown(&seat.note, look)), FAINT);
        }
        line
    }

    /// The listed players, by seat: all, or the player to move and the leaders.
    fn listed(&self) -> Vec<Player> {
        let mut players: Vec<Player> = Player::all(self.view.seats.len() as u32).collect();
        players.sort_by_key(|&p| (self.turn != Some(p), -self.view.seats[p.index()].score));
        players.truncate(MOST_SEATS);
        players.sort();
        players
    }

    /// The player to move, or the result.
    fn news(&self, look: Look) -> PictureLine {
        let name = |player: Player| match short_name(&self.view.seats[player.index()], look) {
            name if name.is_empty() => format!("player {player}"),
            name => name,
        };
        let mut line = PictureLine::default();
        match (self.turn, &self.outcome) {
            (Some(mover), _) => line.push(&format!("{} to move", name(mover)), STRONG),
            (None, Some(outcome)) => match outcome.winner() {
                Some(winner) => line.push(&format!("{} wins", name(winner)), GOOD),
                None => line.push("the first place is shared", GOOD),
            },
            (None, None) => {}
        }
        line
    }
}

/// A styled text with its width in columns.
#[derive(Default)]
struct PictureLine {
    text: String,
    width: usize,
}

impl PictureLine {
    fn faint(text: &str) -> Self {
        let mut line = PictureLine::default();
        line.push(text, FAINT);
        line
    }

    fn push(&mut self, text: &str, style: anstyle::Style) {
        self.text.push_str(&format!("{style}{text}{style:#}"));
        self.width += text.chars().count();
    }
}

fn side_by_side(board: &PrintedBoard, panel: &[PictureLine], out: &mut String) {
    let blank = " ".repeat(board.width);
    // The panel starts next to the first row of fields, not next to the frame.
    let beside = std::iter::once(None).chain(panel.iter().map(Some));
    let mut beside = beside.chain(std::iter::repeat(None));
    let height = board.lines.len().max(panel.len() + 1);
    for i in 0..height {
        let left = board.lines.get(i).unwrap_or(&blank);
        match beside.next().flatten() {
            Some(line) => push_line(out, &format!("{left}  {}", line.text)),
            None => push_line(out, left),
        }
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Text from a file, safe to show.
fn shown(text: &str, look: Look) -> String {
    let safe = |c: char| match c {
        c if c.is_control() || (!look.unicode && !c.is_ascii()) => '?',
        c => c,
    };
    text.chars().map(safe).collect()
}

fn short_name(seat: &SeatView, look: Look) -> String {
    if seat.name.chars().count() <= LONGEST_NAME {
        return shown(&seat.name, look);
    }
    let start: String = seat.name.chars().take(LONGEST_NAME - 3).collect();
    format!("{}...", shown(&start, look))
}

#[cfg(test)]
mod tests {
    use floe_rules::{Cell, Drawing, Prospect, Shade};

    use super::*;

    const PLAIN: Look = Look {
        color: false,
        unicode: true,
        columns: Some(80),
        theme: crate::theme::Theme::Dark,
    };

    fn view(scores: &[i64]) -> View {
        let cell = Cell {
            owner: None,
            glyph: '.',
            shade: Shade::Plain,
            prospect: Prospect::Open,
        };
        let seat = |&score: &i64| SeatView {
            name: String::new(),
            score,
            note: String::new(),
        };
        View {
            width: 2,
            height: 1,
            cells: vec![cell; 2],
            phase: String::new(),
            seats: scores.iter().map(seat).collect(),
            notes: Vec::new(),
            task: String::new(),
            drawing: Drawing::default(),
        }
    }

    /// The picture without its styles.
    fn drawn(view: &View, turn: Option<Player>, look: Look) -> String {
        let outcome = || Outcome::from_scores(view.seats.iter().map(|seat| seat.score).collect());
        let picture = Picture {
            title: "Toy",
            view,
            turn,
            outcome: turn.is_none().then(outcome),
        };
        anstream::adapter::strip_str(&picture.draw(look)).to_string()
    }

    #[test]
    fn a_shared_first_place_has_a_star_each() {
        let text = drawn(&view(&[7, 3, 7]), None, PLAIN);
        assert_eq!(text.matches('★').count(), 2, "{text}");
        assert!(text.contains("the first place is shared"), "{text}");
    }

    #[test]
    fn of_many_players_the_mover_and_the_best_are_listed() {
        let scores: Vec<i64> = (0..1000).collect();
        let text = drawn(&view(&scores), Some(Player::new(4)), PLAIN);
        assert!(text.contains("▶     5   "), "{text}");
        assert!(text.contains("  1000   999"), "{text}");
        assert!(!text.contains("  6   "), "{text}");
        assert!(text.contains("and 984 more players"), "{text}");
    }

    #[test]
    fn names_from_files_cannot_play_tricks() {
        let mut view = view(&[1, 2]);
        view.seats[0].name = "evil\u{1b}[2J\u{7}".to_owned();
        view.seats[1].name = "x".repeat(500);
        let text = drawn(&view, Some(Player::new(0)), PLAIN);
        assert!(text.contains("evil?[2J?"), "{text}");
        assert!(text.contains(&format!(" {}... ", "x".repeat(21))), "{text}");
        assert!(text.contains("evil?[2J? to move"), "{text}");
    }

    #[test]
    fn an_ascii_terminal_gets_ascii() {
        let mut view = view(&[1, 2]);
        view.seats[0].name = "żółw".to_owned();
        view.cells[0].glyph = '♟';
        let ascii = Look {
            unicode: false,
            ..PLAIN
        };
        for turn in [None, Some(Player::new(0))] {
            let text = drawn(&view, turn, ascii);
            assert!(text.is_ascii(), "{text}");
        }
    }

    #[test]
    fn the_players_stand_below_a_board_that_leaves_no_room() {
        let narrow = Look {
            columns: Some(12),
            ..PLAIN
        };
        let text = drawn(&view(&[1, 2]), Some(Player::new(0)), narrow);
        assert!(
            text.ends_with("\n\n  ▶  1   1\n     2   2\n\n  player 1 to move\n"),
            "{text}"
        );
    }
}
