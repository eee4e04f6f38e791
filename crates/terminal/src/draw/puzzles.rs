//! A puzzle: the board, the players, the tries, and the task.

use floe_rules::Player;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::board::{BoardDrawing, Decoration};
use super::layout::Layout;
use super::panel::put;
use super::screen::put_message;
use super::spots::Spots;
use super::{Skin, about, choices, put_keys, put_title, seats, signs, wrapped};
use crate::puzzles::{PuzzleRound, Stand, TRIES};
use crate::texts::{self, of_game, t, tn};
use crate::theme::Role;

/// Most days of a streak with a bar.
const STREAK: usize = 10;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    round: &PuzzleRound,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    title(frame, round, layout, skin, spots);
    let screen = &round.board;
    let window = screen.window(layout.board);
    let decoration = screen.decoration(&window);
    let board = BoardDrawing {
        view: &screen.view,
        on: Decoration {
            cursor: decoration.cursor.filter(|_| round.state != Stand::Solved),
            ..decoration
        },
        theme: skin.theme,
        unicode: skin.unicode,
    };
    board.draw(&window, layout.board, frame.buffer_mut());
    match layout.is_wide {
        true => beside(frame, round, layout, skin, spots),
        false => above(frame, round, layout, skin, spots),
    }
    let (text, is_good) = round.words();
    let role = match is_good {
        None => Role::Strong,
        Some(true) => Role::Good,
        Some(false) => Role::Bad,
    };
    put_message(frame, layout, &text, role, skin);
    put_keys(frame, layout.keys, &keys(round, skin), skin, spots);
}

fn title(
    frame: &mut Frame<'_>,
    round: &PuzzleRound,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    let game = of_game(round.board.session.game().title());
    let (number, all) = (round.at + 1, round.count());
    let place = match round.is_of_day() {
        true => t!("Puzzle of the day  {game}", game),
        false => t!("Puzzle {number} of {all}  {game}", number, all, game),
    };
    let (solved, seen) = (round.solved, round.seen);
    let right = t!("{solved} of {seen} solved", solved, seen);
    put_title(frame, layout.title, &place, &right, false, skin, spots);
}

/// The panel next to the board.
fn beside(
    frame: &mut Frame<'_>,
    round: &PuzzleRound,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    let area = layout.panel;
    let width = usize::from(area.width).saturating_sub(1);
    let mut lines = players(round, width, skin);
    lines.push(Line::default());
    lines.push(tries(round, skin));
    let level = of_level(round);
    lines.push(labelled(&t!("level"), skin.span(level, Role::Text), skin));
    lines.extend(streak(round, skin));
    let screen = &round.board;
    if screen.choices.is_by_keys() && round.state == Stand::Open {
        lines.push(Line::default());
        let y = area.y + lines.len() as u16;
        let place = Rect::new(area.x, y, area.width, area.bottom().saturating_sub(y));
        lines.extend(choices::lines(screen, place, false, skin, spots));
    }
    lines.push(Line::default());
    if let Some(line) = round.line() {
        let text = t!("The best line: {line}", line);
        let text = wrapped(&text, width).into_iter();
        lines.extend(text.map(|text| Line::from(skin.span(text, Role::Text))));
    } else if round.state == Stand::Open {
        lines.extend(about::lines(screen, width, skin));
    }
    lines.truncate(area.height.into());
    put(frame.buffer_mut(), area, &lines);
}

/// The tries, and the keys of moves, above the board.
fn above(
    frame: &mut Frame<'_>,
    round: &PuzzleRound,
    layout: &Layout,
    skin: Skin,
    spots: &mut Spots,
) {
    let area = layout.panel;
    let screen = &round.board;
    let mut lines = vec![tries(round, skin)];
    if screen.choices.is_by_keys() && area.height > 1 {
        let place = (area.x, area.y + 1);
        lines.push(choices::short_line(screen, place, skin, spots));
    }
    put(frame.buffer_mut(), area, &lines);
}

/// The players with their scores; the user is marked.
fn players(round: &PuzzleRound, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let screen = &round.board;
    let session = &screen.session;
    let scores = session.play().scores();
    let mut lines = Vec::new();
    for player in Player::all(scores.len() as u32) {
        let is_you = player == round.player();
        let mark = if is_you {
            skin.sign("▶ ", "> ")
        } else {
            "  "
        };
        let emblem = signs::emblem(&screen.view, player, skin.unicode);
        let role = if is_you { Role::Strong } else { Role::Text };
        let score = texts::amount(scores[player.index()], session.game().unit());
        let mut line = Line::from(vec![
            skin.span(mark, Role::Good),
            Span::styled(emblem, skin.theme.player_line(player)),
            skin.span(format!(" {}", session.name(player)), role),
        ]);
        let gap = width.saturating_sub(line.width() + score.chars().count());
        line.push_span(Span::raw(" ".repeat(gap)));
        line.push_span(skin.span(score, Role::Strong));
        lines.push(line);
        let note = &screen.view.seats[player.index()].note;
        lines.extend(seats::note(note, player, width, skin));
    }
    lines
}

/// The tries: lost ones, and those left.
fn tries(round: &PuzzleRound, skin: Skin) -> Line<'static> {
    let lost = skin.sign("✗ ", "x ").repeat(round.failed);
    let left = skin.sign("○ ", "o ").repeat(TRIES - round.failed);
    let mut line = labelled(&t!("tries"), skin.span(lost, Role::Bad), skin);
    match round.state {
        Stand::Solved => line.push_span(skin.span(skin.sign("✓", "+"), Role::Good)),
        Stand::Open | Stand::Shown => line.push_span(skin.span(left, Role::Key)),
    }
    line
}

/// The streak: its length, and how many puzzles were solved on each of its last days.
fn streak(round: &PuzzleRound, skin: Skin) -> Option<Line<'static>> {
    let days = &round.streak;
    let count = tn!("{n} day", "{n} days", days.len());
    let last = &days[days.len().saturating_sub(STREAK)..];
    let bars: String = last.iter().map(|&solved| bar(solved, skin)).collect();
    let mut line = labelled(&t!("streak"), skin.span(count, Role::Text), skin);
    line.push_span(skin.span(format!("  {bars}"), Role::Key));
    (!days.is_empty()).then_some(line)
}

/// The bar of a day: an eighth for each solved puzzle.
fn bar(solved: u32, skin: Skin) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let eighth = solved.clamp(1, 8) as usize;
    match skin.unicode {
        true => BARS[eighth - 1],
        false => char::from_digit(solved.clamp(1, 9), 10).unwrap_or('9'),
    }
}

/// A label and its value.
fn labelled(label: &str, value: Span<'static>, skin: Skin) -> Line<'static> {
    Line::from(vec![skin.span(format!("  {label:<8}"), Role::Faint), value])
}

fn of_level(round: &PuzzleRound) -> String {
    use floe_games::puzzle::Level;
    match round.puzzle().level {
        Level::Easy => t!("easy"),
        Level::Medium => t!("medium"),
        Level::Hard => t!("hard"),
    }
}

fn keys(round: &PuzzleRound, skin: Skin) -> Vec<(&'static str, String)> {
    let screen = &round.board;
    let arrows = (skin.sign("←↑↓→", "arrows"), t!("move"));
    let next = t!("next puzzle");
    if round.state != Stand::Open {
        return vec![("Enter", next), ("q", t!("quit")), ("T", t!("theme"))];
    }
    let mut keys = match () {
        () if screen.choices.is_by_keys() => vec![
            (skin.sign("←→", "arrows"), t!("preview")),
            ("Enter", t!("play")),
        ],
        () if screen.lifted.is_some() => {
            vec![arrows, ("Enter", t!("put down")), ("Esc", t!("drop"))]
        }
        () if screen.is_picking() => {
            vec![("Tab", t!("next piece")), ("Enter", t!("pick up"))]
        }
        () => vec![arrows, ("Enter", t!("play"))],
    };
    if let Some(special) = screen.choices.special() {
        keys.push(("g", of_game(special)));
    }
    keys.extend([
        ("?", t!("hint for a try")),
        ("w", t!("solution")),
        ("n", next),
        ("q", t!("quit")),
        ("T", t!("theme")),
    ]);
    keys
}
