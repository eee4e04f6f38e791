//! Puzzles: positions in which one move is proven or far better than every other.
//!
//! [`Finder`] finds them in records. A [`Puzzle`] has the position, the best move with the line it
//! leads to, and the next best move with its line, so that a page or a terminal can say why without
//! an engine. Files are JSON, see [`write()`] and [`read()`]; each game comes with a set, see [`shipped`].
//!
//! ```
//! for game in floe_games::games() {
//!     for puzzle in floe_games::puzzle::shipped(game)? {
//!         let mut position = puzzle.start()?;
//!         assert!(position.play(puzzle.solution()).is_ok());
//!         println!("{} {}", puzzle.task(), puzzle.why());
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod find;

pub use find::Finder;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{AnyGame, AnyPosition};

/// The version of the file format.
const VERSION: u32 = 1;
/// The seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// A position in which one move is far better than every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The name of the game.
    pub game: String,
    /// The position, as [`AnyGame::read`] reads it.
    pub position: String,
    /// The solution and how play continues.
    pub best: Line,
    /// The next best move and how play continues.
    pub other: Line,
    /// The difficulty.
    pub level: Level,
    /// The move that was played in the recorded game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
}

/// A move, and the best play after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The move, then the moves after it.
    pub moves: Vec<String>,
    /// The lead of the player to move at the end; negative if behind.
    pub lead: i64,
    /// Whether `lead` is certain.
    pub proven: bool,
}

/// The difficulty of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A glance, or the largest gain, finds the solution.
    Easy,
    /// A short search finds the solution.
    Medium,
    /// Only a long search finds the solution.
    Hard,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// The level's name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

/// The reason why a file of puzzles cannot be used.
#[derive(Debug, Error)]
pub enum PuzzleError {
    /// The text is not JSON of this form.
    #[error("{}:{}: {error}", .error.line(), .error.column())]
    Json {
        /// The error, with its place.
        #[from]
        error: serde_json::Error,
    },
    /// The file has another version.
    #[error("version {0} of the format; this floe reads version {VERSION}")]
    Version(u32),
    /// A puzzle breaks the rules.
    #[error("puzzle {number}: {cause}")]
    Puzzle {
        /// The puzzle's number, from 1.
        number: usize,
        /// The cause.
        cause: String,
    },
}

/// A file of puzzles.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    floe: u32,
    puzzles: Vec<Puzzle>,
}

/// The text of a file of puzzles, a line each.
pub fn write(puzzles: &[Puzzle]) -> serde_json::Result<String> {
    let lines: Vec<String> = (puzzles.iter())
        .map(serde_json::to_string)
        .collect::<Result<_, _>>()?;
    let lines = lines.join(",\n");
    Ok(format!(
        "{{\"floe\":{VERSION},\"puzzles\":[\n{lines}\n]}}\n"
    ))
}

/// Reads a file of puzzles, and plays every line by the rules.
///
/// ```
/// use floe_games::puzzle::{read, write};
/// assert!(read(&write(&[])?)?.is_empty());
/// let error = read("{\"floe\":1,\n\"puzzles\":7}").unwrap_err();
/// assert!(error.to_string().starts_with("2:11: "), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let file: File = serde_json::from_str(text)?;
    if file.floe != VERSION {
        return Err(PuzzleError::Version(file.floe));
    }
    for (number, puzzle) in (1..).zip(&file.puzzles) {
        let wrong = |cause| PuzzleError::Puzzle { number, cause };
        puzzle.check().map_err(wrong)?;
    }
    Ok(file.puzzles)
}

/// The puzzles a game comes with.
pub fn shipped(game: &dyn AnyGame) -> Result<Vec<Puzzle>, PuzzleError> {
    match game.puzzles() {
        "" => Ok(Vec::new()),
        text => read(text),
    }
}

/// The number of the puzzle of the day, of `count` puzzles, by the seconds since 1970: all players
/// get the same one.
///
/// ```
/// use floe_games::puzzle::of_day;
/// assert_eq!(of_day(30, 0), of_day(30, 86_399));
/// assert_ne!(of_day(30, 0), of_day(30, 86_400));
/// ```
pub fn of_day(count: usize, seconds: u64) -> usize {
    (seconds / DAY) as usize % count.max(1)
}

impl Puzzle {
    /// The position.
    pub fn start(&self) -> Result<Box<dyn AnyPosition>, String> {
        let game = crate::find(&self.game).map_err(|error| error.to_string())?;
        let position = game.read(&self.position);
        position.map_err(|error| format!("its position: {error}"))
    }

    /// The best move.
    pub fn solution(&self) -> &str {
        self.best.first()
    }

    fn check(&self) -> Result<(), String> {
        let start = self.start()?;
        for (name, line) in [("best", &self.best), ("other", &self.other)] {
            if line.moves.is_empty() {
                return Err(format!("`{name}` has no move"));
            }
            let mut position = start.clone();
            for mv in &line.moves {
                let played = position.play(mv);
                played.map_err(|error| format!("`{name}`, move {mv}: {error}"))?;
            }
        }
        match self.best.first() == self.other.first() {
            true => Err("both lines begin with the same move".to_owned()),
            false => Ok(()),
        }
    }

    /// The task, as a sentence.
    pub fn task(&self) -> &'static str {
        match (self.is_proven(), self.best.lead, self.other.lead) {
            (true, 1.., ..=0) => "Find the only move that wins.",
            (true, 0, ..=-1) => "Find the only move that does not lose.",
            (_, 1.., ..=0) => "Find the move that wins.",
            (_, 1.., _) => "Find the move that wins by most.",
            _ => "Find the move that is far better than the others.",
        }
    }

    /// The reason for the solution, in numbers.
    pub fn why(&self) -> String {
        let (best, other) = (self.solution(), self.other.first());
        let proven = if self.is_proven() { ", proven" } else { "" };
        format!(
            "{best} {}. The next best move, {other}, {}{proven}.",
            self.best.words(),
            self.other.words()
        )
    }

    /// Whether both leads are certain.
    pub fn is_proven(&self) -> bool {
        self.best.proven && self.other.proven
    }
}

impl Line {
    /// The first move of the line.
    pub fn first(&self) -> &str {
        self.moves.first().map_or("", String::as_str)
    }

    /// The line's result, such as `wins by 3`.
    pub fn words(&self) -> String {
        let by = self.lead.unsigned_abs();
        match (self.proven, self.lead) {
            (true, 1..) => format!("wins by {by}"),
            (true, 0) => "is a draw".to_owned(),
            (true, _) => format!("loses by {by}"),
            (false, 1..) => format!("leads by {by}"),
            (false, 0) => "is even".to_owned(),
            (false, _) => format!("is {by} behind"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle() -> Puzzle {
        let line = |moves: &[&str], lead| Line {
            moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
            lead,
            proven: true,
        };
        Puzzle {
            game: "gamma".to_owned(),
            position: crate::find("gamma")
                .unwrap()
                .start("4x4", 1)
                .unwrap()
                .write(),
            best: line(&["b2", "c3"], 2),
            other: line(&["a1"], -1),
            level: Level::Hard,
            played: Some("a1".to_owned()),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = write(&[puzzle(), puzzle()]).unwrap();
        assert_eq!(read(&text).unwrap(), [puzzle(), puzzle()]);
        assert_eq!(text.lines().count(), 4, "a puzzle a line:\n{text}");
    }

    #[test]
    fn words_follow_the_figures() {
        let mut puzzle = puzzle();
        assert_eq!(puzzle.task(), "Find the only move that wins.");
        assert_eq!(
            puzzle.why(),
            "b2 wins by 2. The next best move, a1, loses by 1, proven."
        );
        puzzle.best.proven = false;
        assert_eq!(puzzle.task(), "Find the move that wins.");
        assert!(puzzle.why().starts_with("b2 leads by 2. "));
    }

    #[test]
    fn a_puzzle_against_the_rules_is_refused_with_its_number() {
        let refused = |change: &dyn Fn(&mut Puzzle)| {
            let mut wrong = puzzle();
            change(&mut wrong);
            let text = write(&[puzzle(), wrong]).unwrap();
            read(&text).unwrap_err().to_string()
        };
        let message = refused(&|wrong| wrong.best.moves = vec!["b2".into(), "b2".into()]);
        assert!(
            message.starts_with("puzzle 2: `best`, move b2: "),
            "{message}"
        );
        let message = refused(&|wrong| wrong.other.moves.clear());
        assert_eq!(message, "puzzle 2: `other` has no move");
        let message = refused(&|wrong| wrong.other.moves = wrong.best.moves.clone());
        assert_eq!(message, "puzzle 2: both lines begin with the same move");
        let message = refused(&|wrong| wrong.game = "chess".into());
        assert!(
            message.starts_with("puzzle 2: unknown game `chess`"),
            "{message}"
        );
    }

    #[test]
    fn every_game_of_the_house_has_puzzles_of_every_level_and_one_for_each_day() {
        for game in crate::games() {
            let puzzles = shipped(game).unwrap();
            assert!(puzzles.len() >= 24, "{}: {}", game.name(), puzzles.len());
            for level in Level::ALL {
                let of_level = puzzles.iter().filter(|puzzle| puzzle.level == level);
                assert!(of_level.count() >= 1, "{} {}", game.name(), level.name());
            }
            assert!(puzzles.iter().all(|puzzle| puzzle.game == game.name()));
            let days: std::collections::BTreeSet<usize> = (0..puzzles.len() as u64)
                .map(|day| of_day(puzzles.len(), day * DAY))
                .collect();
            assert_eq!(days.len(), puzzles.len());
        }
    }
}
