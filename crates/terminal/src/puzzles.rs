//! Puzzles: positions in which one move is far better than every other.
//!
//! A player has a few tries for each puzzle. A wrong move costs one, and so does the hint; after
//! the last one, the solution is shown.

use std::sync::mpsc::Sender;
use std::time::SystemTime;

use floe_arena::seat::Seat;
use floe_games::AnyGame;
use floe_games::puzzle::{self, Line, Puzzle};
use floe_rules::Player;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::error::TerminalError;
use crate::home::Home;
use crate::input::Input;
use crate::screen::{Message, Screen, ScreenRequest, squares_in};
use crate::seat::PlayerSeat;
use crate::session::{Origin, Session};
use crate::streak::today;
use crate::texts::{of_game, t};

/// Tries for a puzzle.
pub(crate) const TRIES: usize = 3;
/// The name of the other players.
const OPPONENT: &str = "floe";
/// Moves shown of a line.
const LINE: usize = 6;

/// The puzzles to solve, and the first one.
#[derive(Debug, Clone)]
pub struct PuzzleSet {
    /// The puzzles: at least one.
    pub puzzles: Vec<Puzzle>,
    /// The index of the first puzzle; the others follow, and then those before it.
    pub first: usize,
    /// Whether the first one is the puzzle of the day.
    pub is_of_day: bool,
}

impl PuzzleSet {
    /// The puzzles that come with a game, from the puzzle of the day on.
    pub fn shipped(game: &dyn AnyGame) -> Result<Self, TerminalError> {
        let shipped = puzzle::shipped(game);
        let puzzles = shipped.map_err(|error| TerminalError::Puzzle(error.to_string()))?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let seconds = now.unwrap_or_default().as_secs();
        Ok(PuzzleSet {
            first: puzzle::of_day(puzzles.len(), seconds),
            puzzles,
            is_of_day: true,
        })
    }
}

/// The state of the current puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stand {
    /// The player has tries left.
    Open,
    /// The player found the move.
    Solved,
    /// The solution was shown.
    Shown,
}

/// Puzzles on a full screen, one after another.
pub(crate) struct PuzzleRound {
    set: PuzzleSet,
    /// The current puzzle.
    pub(crate) at: usize,
    /// The board of the puzzle.
    pub(crate) board: Screen,
    pub(crate) state: Stand,
    /// Lost tries of this puzzle.
    pub(crate) failed: usize,
    /// The reply to the last key, and whether it is good news.
    reply: Option<(String, bool)>,
    /// Puzzles solved, and puzzles shown so far.
    pub(crate) solved: usize,
    pub(crate) seen: usize,
    /// Puzzles solved on each day of the streak, the newest last.
    pub(crate) streak: Vec<u32>,
    /// Whether the program ends with the puzzles, as it began with them.
    pub(crate) is_whole: bool,
    /// Where solved puzzles are counted.
    home: Home,
    inbox: Sender<Input>,
}

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Puzzled {
    Nothing,
    Leave,
    Theme,
}

impl PuzzleRound {
    /// The first puzzle.
    pub(crate) fn new(
        set: PuzzleSet,
        home: Home,
        inbox: Sender<Input>,
    ) -> Result<Self, TerminalError> {
        let at = set.first;
        let puzzle = set.puzzles.get(at).ok_or_else(no_puzzle)?;
        Ok(PuzzleRound {
            board: board(puzzle, inbox.clone())?,
            set,
            at,
            state: Stand::Open,
            failed: 0,
            reply: None,
            solved: 0,
            seen: 1,
            streak: home.solved_days().streak(today()),
            is_whole: false,
            home,
            inbox,
        })
    }

    pub(crate) fn puzzle(&self) -> &Puzzle {
        &self.set.puzzles[self.at]
    }

    pub(crate) fn count(&self) -> usize {
        self.set.puzzles.len()
    }

    /// Whether this is the puzzle of the day.
    pub(crate) fn is_of_day(&self) -> bool {
        self.set.is_of_day && self.at == self.set.first
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Puzzled {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_open = self.state == Stand::Open;
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Puzzled::Leave,
            KeyCode::Esc if self.board.lifted.is_none() => return Puzzled::Leave,
            KeyCode::Char('q') => return Puzzled::Leave,
            KeyCode::Char('T') => return Puzzled::Theme,
            KeyCode::Char('n') => self.go_on(),
            KeyCode::Enter | KeyCode::Char(' ') if !is_open => self.go_on(),
            KeyCode::Char('w') if is_open => self.show_solution(""),
            KeyCode::Char('?') if is_open => self.hint(),
            code if is_open && is_for_board(code) => self.play_key(key),
            KeyCode::Char(c) => {
                let text = match is_open {
                    true => t!("`{c}` does nothing here. {what}", c, what = self.task()),
                    false => t!(
                        "`{c}` does nothing here. {what}",
                        c,
                        what = t!("Enter continues.")
                    ),
                };
                self.reply = Some((text, false));
            }
            _ => {}
        }
        Puzzled::Nothing
    }

    /// Lets the board have a key, and judges the move that it makes.
    pub(crate) fn play_key(&mut self, key: KeyEvent) {
        let request = self.board.key(key);
        self.take(request.as_ref());
    }

    /// Judges the move that the board made.
    pub(crate) fn take(&mut self, request: Option<&ScreenRequest>) {
        self.reply = None;
        if request != Some(&ScreenRequest::Turn) {
            return;
        }
        let last = self.board.session.turns().last();
        let mv = last.map(|turn| turn.text().to_owned()).unwrap_or_default();
        self.board.stop();
        self.board.message = None;
        if mv == self.puzzle().solution() {
            self.state = Stand::Solved;
            self.solved += 1;
            self.home.note_solved_puzzle();
            self.streak = self.home.solved_days().streak(today());
            let why = why(self.puzzle());
            self.reply = Some((t!("Right. {why}", why), true));
            return;
        }
        let other = &self.puzzle().other;
        let text = match mv == other.first() {
            true => outcome(other),
            false => t!("{mv} is not the best move.", mv),
        };
        self.lose_try(&text);
    }

    /// Says where to look, for one try.
    fn hint(&mut self) {
        let squares = squares_in(self.puzzle().solution());
        let text = match squares[..] {
            [from, _, ..] => {
                self.board.cursor = from;
                t!("The best move starts at {square}.", square = from)
            }
            _ => {
                let other = self.puzzle().other.first().to_owned();
                t!("The best move is not {other}.", other)
            }
        };
        self.lose_try(&text);
    }

    /// Counts a lost try; after the last one, shows the solution.
    fn lose_try(&mut self, text: &str) {
        self.failed += 1;
        if self.failed >= TRIES {
            self.show_solution(text);
            return;
        }
        self.reset();
        self.reply = Some((t!("{text} Try again.", text), false));
    }

    /// Shows the solution on the board, after these words.
    fn show_solution(&mut self, text: &str) {
        self.reset();
        self.state = Stand::Shown;
        let solution = self.puzzle().solution().to_owned();
        if let Some(square) = squares_in(&solution).last() {
            self.board.cursor = *square;
        }
        self.board.hint = Some(solution);
        let text = format!("{text} {}", why(self.puzzle()));
        self.reply = Some((text.trim().to_owned(), false));
    }

    /// The puzzle's position again, with the cursor where it was.
    fn reset(&mut self) {
        let cursor = self.board.cursor;
        if let Ok(board) = board(self.puzzle(), self.inbox.clone()) {
            self.board = board;
            self.board.cursor = cursor;
        }
    }

    /// The next puzzle; after the last one, the first.
    fn go_on(&mut self) {
        let next = (self.at + 1) % self.count();
        if let Ok(board) = board(&self.set.puzzles[next], self.inbox.clone()) {
            self.board.stop();
            self.board = board;
            self.at = next;
            self.seen += 1;
            self.failed = 0;
            self.state = Stand::Open;
            self.reply = None;
        }
    }

    /// The player whose move is sought.
    pub(crate) fn player(&self) -> Player {
        self.board.session.own_player()
    }

    fn task(&self) -> String {
        of_game(self.puzzle().task())
    }

    /// The line with the next action: the task, or the reply to the last key; and whether it is
    /// good news, if it is news at all.
    pub(crate) fn words(&self) -> (String, Option<bool>) {
        match (&self.reply, &self.board.message) {
            (Some((text, is_good)), _) => (text.clone(), Some(*is_good)),
            (None, Some(Message::News(text))) => (text.clone(), Some(true)),
            (None, Some(Message::Refusal(text))) => (text.clone(), Some(false)),
            (None, None) => (self.task(), None),
        }
    }

    /// The continuation after the best move, once it may be seen.
    pub(crate) fn line(&self) -> Option<String> {
        let moves = &self.puzzle().best.moves;
        let is_long = moves.len() > 1;
        let is_known = self.state != Stand::Open;
        (is_known && is_long).then(|| shown_line(moves))
    }
}

/// Whether a key belongs to the board.
fn is_for_board(code: KeyCode) -> bool {
    matches!(
        code,
        KeyCode::Left
            | KeyCode::Right
            | KeyCode::Up
            | KeyCode::Down
            | KeyCode::Tab
            | KeyCode::BackTab
            | KeyCode::Enter
            | KeyCode::Esc
            | KeyCode::Char(' ' | 'h' | 'j' | 'k' | 'l' | 'g' | '+' | '-' | 'z' | '1'..='9')
    )
}

/// The first moves of a line.
fn shown_line(moves: &[String]) -> String {
    let mut text = moves[..moves.len().min(LINE)].join(" ");
    if moves.len() > LINE {
        text.push_str(" …");
    }
    text
}

/// The result of a line's first move, as a sentence.
fn outcome(line: &Line) -> String {
    of_game(&format!("{} {}.", line.first(), line.words()))
}

/// The reason for the solution, in two sentences.
fn why(puzzle: &Puzzle) -> String {
    let [best, other] = sentences(puzzle).map(|one| of_game(&one));
    format!("{best} {other}")
}

/// The English sentences of the reason: about the best move, and about the next best.
pub(crate) fn sentences(puzzle: &Puzzle) -> [String; 2] {
    let best = format!("{} {}.", puzzle.solution(), puzzle.best.words());
    let why = puzzle.why();
    let other = why.strip_prefix(&best).unwrap_or(&why).trim().to_owned();
    [best, other]
}

/// The position of a puzzle: the player to move is the user, and no engine thinks.
fn board(puzzle: &Puzzle, inbox: Sender<Input>) -> Result<Screen, TerminalError> {
    let position = puzzle.start().map_err(TerminalError::Puzzle)?;
    let mover = position.turn();
    let seat = |player: Player| match Some(player) == mover {
        true => PlayerSeat::Here(Seat::Human),
        false => PlayerSeat::Gone(OPPONENT.to_owned()),
    };
    let seats: Vec<PlayerSeat> = Player::all(position.players()).map(seat).collect();
    let session = Session::new(position, Origin::Position, seats);
    let mut board = Screen::new(session, inbox);
    board.is_paused = true;
    Ok(board)
}

fn no_puzzle() -> TerminalError {
    TerminalError::Puzzle(t!("There is no puzzle."))
}
