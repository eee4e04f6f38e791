//! Moves that every board of a contest starts with.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use floe_games::{AnyGame, AnyPosition, OpeningDrawer};
use floe_rules::ParseError;
use floe_rules::text::{self, quoted};
use parking_lot::Mutex;
use thiserror::Error;

/// The most moves of an opening.
const MOST_MOVES: u32 = 200;
/// Starts a comment line in a file of openings. Not `#`, which is a move in Flood Wars.
const COMMENT: &str = "//";

/// Which moves begin the boards of a contest, as its organiser chooses.
///
/// ```
/// use floe_arena::Openings;
/// let here = ".".as_ref();
/// assert!(matches!(Openings::read("none", here)?, Openings::None));
/// assert!(matches!(Openings::read("4", here)?, Openings::Moves(4)));
/// let error = Openings::read("no-such-file.txt", here).unwrap_err();
/// assert!(error.to_string().starts_with("no-such-file.txt: "), "{error}");
/// # Ok::<(), floe_arena::OpeningsError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub enum Openings {
    /// The number of random moves that suits the game; 0 if boards differ anyway.
    #[default]
    Suited,
    /// None.
    None,
    /// Number of random moves.
    Moves(u32),
    /// Openings from a file, in order.
    Listed(Arc<OpeningList>),
}

/// The openings of a file.
#[derive(Debug)]
pub struct OpeningList {
    file: String,
    text: String,
    openings: Vec<Vec<ListedMove>>,
}

#[derive(Debug)]
struct ListedMove {
    line: u32,
    column: u32,
    text: String,
}

/// The reason why the openings cannot be made or read.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(
        "{file}: {error}\n  = openings are none, a number of moves, or a file with one opening per line"
    )]
    File {
        /// The file.
        file: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file has an error; the text shows its place.
    #[error("{0}")]
    Text(String),
    /// The number is out of range.
    #[error("openings have 1 to {MOST_MOVES} moves, not {0}; none leaves them out")]
    Number(String),
    /// An opening is longer than the limit.
    #[error("no opening of {wanted} moves leaves every seat a move; the longest found has {found}")]
    TooLong {
        /// The requested number of moves.
        wanted: u32,
        /// Moves of the longest opening.
        found: usize,
    },
    /// The game draws a different board for each seed, so a list of openings cannot suit them all.
    #[error(
        "{0} draws different boards, on which the moves of a file may be illegal; use a number of \
         random moves, or openings with boards from files"
    )]
    Differing(&'static str),
}

impl Openings {
    /// Reads `none`, a number of random moves, or the name of a file, relative to `folder`.
    pub fn read(word: &str, folder: &Path) -> Result<Openings, OpeningsError> {
        if word == "none" {
            return Ok(Openings::None);
        }
        if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
            let moves = word.parse().ok();
            let moves = moves.filter(|moves| (1..=MOST_MOVES).contains(moves));
            let moves = moves.ok_or_else(|| OpeningsError::Number(word.to_owned()))?;
            return Ok(Openings::Moves(moves));
        }
        let bytes = fs::read(folder.join(word)).map_err(|error| OpeningsError::File {
            file: word.to_owned(),
            error,
        })?;
        let list = OpeningList::read(word, &bytes)?;
        Ok(Openings::Listed(Arc::new(list)))
    }

    /// Number of random moves for a board like this one. For a list, the number that suits the
    /// game: an entrant who has seen the file would know its openings.
    pub fn drawn_moves(&self, game: &dyn AnyGame, start: &dyn AnyPosition) -> u32 {
        match self {
            Openings::None => 0,
            Openings::Moves(moves) => *moves,
            Openings::Suited | Openings::Listed(_) => game.opening_moves(start).unwrap_or(0),
        }
    }
}

impl OpeningList {
    fn read(file: &str, bytes: &[u8]) -> Result<OpeningList, OpeningsError> {
        let lossy = || String::from_utf8_lossy(bytes).into_owned();
        let text = text::decode(bytes);
        let text = text.map_err(|error| at(file, &lossy(), &error))?.to_owned();
        let lines = text::lines(&text);
        let lines =
            lines.filter(|line| !line.is_blank() && !line.text.trim_start().starts_with(COMMENT));
        let opening = |line: text::TextLine<'_>| -> Vec<ListedMove> {
            let words = line.words().map(|word| ListedMove {
                line: word.line,
                column: word.column,
                text: word.text.to_owned(),
            });
            words.collect()
        };
        let openings: Vec<_> = lines.map(opening).collect();
        if openings.is_empty() {
            let error = ParseError::new(1, 1, "there are no openings")
                .with_help("write one opening per line, its moves separated by spaces");
            return Err(at(file, &text, &error));
        }
        Ok(OpeningList {
            file: file.to_owned(),
            text,
            openings,
        })
    }

    /// Number of openings.
    pub(crate) fn count(&self) -> u64 {
        self.openings.len() as u64
    }

    /// Makes an opening's moves, and returns them, or the place of the first illegal one.
    pub(crate) fn play(
        &self,
        number: u64,
        position: &mut dyn AnyPosition,
    ) -> Result<Vec<String>, OpeningsError> {
        let opening = &self.openings[(number % self.count()) as usize];
        let place = |mv: &ListedMove, cause: String| {
            let error = ParseError::new(mv.line, mv.column, cause);
            let error = error.with_width(text::chars(&mv.text));
            at(&self.file, &self.text, &error)
        };
        for mv in opening {
            let made = position.play(&mv.text);
            made.map_err(|error| place(mv, format!("{}: {error}", quoted(&mv.text))))?;
        }
        match (position.turn(), opening.last()) {
            (None, Some(last)) => Err(place(last, "the game is over after this move".into())),
            _ => Ok(opening.iter().map(|mv| mv.text.clone()).collect()),
        }
    }
}

/// An error in a text, with the line and a mark below the place.
fn at(file: &str, text: &str, error: &ParseError) -> OpeningsError {
    OpeningsError::Text(text::explain(error, file, text).trim_end().to_owned())
}

/// Draws the opening of each board once, and remembers it.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) moves: u32,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    drawer: Option<OpeningDrawer>,
    openings: BTreeMap<u64, Vec<String>>,
}

/// Openings stored: rotations and pairings that share a board follow each other.
const KEPT: usize = 256;

impl Drawn {
    pub(crate) fn new(moves: u32) -> Self {
        Drawn {
            moves,
            kept: Mutex::default(),
        }
    }

    /// The opening of a board with this start and seed.
    pub(crate) fn opening(&self, start: &dyn AnyPosition, seed: u64) -> Vec<String> {
        let mut kept = self.kept.lock();
        let Kept { drawer, openings } = &mut *kept;
        if let Some(known) = openings.get(&seed) {
            return known.clone();
        }
        let drawer = drawer.get_or_insert_with(|| OpeningDrawer::new(start.game()));
        let opening = drawer.draw(start, self.moves, seed);
        if openings.len() >= KEPT {
            openings.pop_first();
        }
        openings.insert(seed, opening.clone());
        opening
    }
}
