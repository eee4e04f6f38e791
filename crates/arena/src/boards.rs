use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use floe_rules::{ParseError, SetupError};
use thiserror::Error;

use crate::openings::{Drawn, OpeningList, Openings, OpeningsError};
use floe_games::record::Opening;
use floe_games::{AnyGame, AnyPosition, StartError, is_candidate};

/// The boards of a match or a tournament, by number from 0.
///
/// ```
/// use floe_arena::Boards;
/// let game = floe_games::find("flood")?;
/// let boards = Boards::made(game, "10x10", 7)?;
/// let (position, opening) = boards.open(3)?;
/// assert_eq!((opening.seed, opening.start), (Some(10), position.write()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Boards {
    game: &'static dyn AnyGame,
    source: Source,
    openings: Openings,
    begin: Begin,
}

/// The start of a contest's boards.
#[derive(Debug, Clone)]
enum Begin {
    /// The boards as they are made or read.
    AsIs,
    /// Boards that begin with random moves.
    Drawn(Arc<Drawn>),
    /// Boards that begin with the moves of a list.
    Listed(Arc<OpeningList>),
}

#[derive(Debug, Clone)]
enum Source {
    /// Boards made from a setup; each takes the next seed, from this one on.
    Made { setup: String, seed: u64 },
    /// Boards from files, with their names; after the last, the first is read again.
    Read(Vec<(String, Box<dyn AnyPosition>)>),
}

/// The reason why the boards cannot be made or read.
#[derive(Debug, Error)]
pub enum BoardsError {
    /// The setup cannot be read, or no board can be made from it.
    #[error(transparent)]
    Setup(#[from] StartError),
    /// A file cannot be read.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// A file is no position of the game.
    #[error("{file}:{error}")]
    Text {
        /// The file.
        file: String,
        /// The error and its place.
        error: ParseError,
    },
    /// A setup was given beside files that leave nothing open.
    #[error("{file}: {cause}")]
    Words {
        /// The file.
        file: String,
        /// The reason.
        cause: String,
    },
    /// No file was given.
    #[error("there are no boards")]
    None,
    /// The boards cannot have the requested openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
}

impl Boards {
    /// Boards made from a setup; board `n` with the seed `seed + n`.
    pub fn made(game: &'static dyn AnyGame, setup: &str, seed: u64) -> Result<Boards, BoardsError> {
        let setup = game.setup(setup).map_err(StartError::from)?;
        // Make one board now, so that an impossible setup fails at once and not during the run.
        game.start(&setup, seed)?;
        let source = Source::Made { setup, seed };
        Ok(Boards::from_source(game, source))
    }

    /// Boards from a setup for `players` players. If the setup states another number, that number
    /// stays: see [`players`](Boards::players).
    pub fn made_for(
        game: &'static dyn AnyGame,
        setup: &str,
        seed: u64,
        players: usize,
    ) -> Result<Boards, BoardsError> {
        let boards = Boards::made(game, setup, seed)?;
        if boards.players() == Some(players as u32) {
            return Ok(boards);
        }
        let for_all = game.setup_for(setup, players as u32);
        let for_all = for_all.and_then(|setup| Boards::made(game, &setup, seed).ok());
        Ok(for_all.unwrap_or(boards))
    }

    /// Boards from files.
    pub fn read<P: AsRef<Path>>(
        game: &'static dyn AnyGame,
        files: &[P],
    ) -> Result<Boards, BoardsError> {
        Boards::completed(game, files, "")
    }

    /// Boards from files; this setup adds what the files leave open.
    pub fn completed<P: AsRef<Path>>(
        game: &'static dyn AnyGame,
        files: &[P],
        words: &str,
    ) -> Result<Boards, BoardsError> {
        let read = |path: &P| {
            let path = path.as_ref();
            let file = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| BoardsError::File {
                file: file.clone(),
                error,
            })?;
            let text = match words.trim() {
                "" => text,
                words => game
                    .complete(&text, words)
                    .map_err(|cause| BoardsError::Words {
                        file: file.clone(),
                        cause,
                    })?,
            };
            let position = game.read(&text).map_err(|error| BoardsError::Text {
                file: file.clone(),
                error,
            })?;
            Ok((file, position))
        };
        let tables: Vec<_> = files.iter().map(read).collect::<Result<_, BoardsError>>()?;
        if tables.is_empty() {
            return Err(BoardsError::None);
        }
        let source = Source::Read(tables);
        Ok(Boards::from_source(game, source))
    }

    fn from_source(game: &'static dyn AnyGame, source: Source) -> Boards {
        Boards {
            game,
            source,
            openings: Openings::None,
            begin: Begin::AsIs,
        }
    }

    /// The same boards with openings. Boards have none otherwise.
    ///
    /// ```
    /// use floe_arena::{Boards, Openings};
    /// let game = floe_games::find("gamma")?;
    /// let boards = Boards::made(game, "10x10", 7)?.with_openings(Openings::Suited)?;
    /// let (_, one) = boards.open(0)?;
    /// let (_, other) = boards.open(1)?;
    /// assert_eq!((one.opening.len(), other.opening.len()), (6, 6));
    /// assert_ne!(one.start, other.start);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_openings(mut self, openings: Openings) -> Result<Boards, BoardsError> {
        let (start, _) = self.before(0)?;
        self.begin = match &openings {
            Openings::None => Begin::AsIs,
            Openings::Suited if matches!(self.source, Source::Read(_)) => Begin::AsIs,
            Openings::Suited | Openings::Moves(_) => {
                drawn(openings.drawn_moves(self.game, &*start))
            }
            Openings::Listed(list) => Begin::Listed(Arc::clone(list)),
        };
        match &openings {
            Openings::Moves(wanted) => {
                let found = self.open(0)?.1.opening.len();
                if found < *wanted as usize {
                    let wanted = *wanted;
                    return Err(OpeningsError::TooLong { wanted, found }.into());
                }
            }
            Openings::Listed(list) => {
                let is_made = matches!(self.source, Source::Made { .. });
                if is_made && self.game.opening_moves(&*start).is_none() {
                    return Err(OpeningsError::Differing(self.game.title()).into());
                }
                // Find an illegal move here, and not hours into the contest.
                for number in 0..self.count().unwrap_or_else(|| list.count()) {
                    self.open(number)?;
                }
            }
            Openings::None | Openings::Suited => {}
        }
        self.openings = openings;
        Ok(self)
    }

    /// The same boards with this many random opening moves each; fewer on boards too small for
    /// them. 0 means no openings.
    #[must_use]
    pub fn with_drawn_openings(mut self, moves: u32) -> Boards {
        self.begin = drawn(moves);
        self.openings = match moves {
            0 => Openings::None,
            moves => Openings::Moves(moves),
        };
        self
    }

    /// The openings of the boards, as configured.
    pub fn openings(&self) -> &Openings {
        &self.openings
    }

    /// Whether boards begin with moves that no player chose.
    pub fn has_openings(&self) -> bool {
        !matches!(self.begin, Begin::AsIs)
    }

    /// A board with its opening, for the record.
    pub fn open(&self, number: u64) -> Result<(Box<dyn AnyPosition>, Opening), BoardsError> {
        let (mut position, mut opening) = self.before(number)?;
        let moves = match &self.begin {
            Begin::AsIs => Vec::new(),
            Begin::Drawn(drawn) => {
                let moves = drawn.opening(&*position, opening.seed.unwrap_or(number));
                for mv in &moves {
                    // Drawn among the legal moves.
                    let _ = position.play(mv);
                }
                moves
            }
            Begin::Listed(list) => {
                let line = match &self.source {
                    Source::Made { .. } => number,
                    // Every board with the first opening, then every board with the next.
                    Source::Read(tables) => number / tables.len() as u64,
                };
                list.play(line, &mut *position)?
            }
        };
        if !moves.is_empty() {
            let before = std::mem::replace(&mut opening.start, position.write());
            let is_read = matches!(self.source, Source::Read(_));
            opening.opening_from = is_read.then_some(before);
            opening.opening = moves;
        }
        Ok((position, opening))
    }

    /// Whether a record with this start may belong to this board. With drawn openings, any opening
    /// that the board's seed allows is accepted, since another version may find another one most
    /// even.
    pub fn is_of_board(&self, number: u64, record: &Opening) -> Result<bool, BoardsError> {
        let (start, before) = self.before(number)?;
        match &self.begin {
            Begin::Drawn(drawn) if !record.opening.is_empty() => {
                let seed = before.seed.unwrap_or(number);
                let is_short = record.opening.len() <= drawn.moves as usize;
                Ok(is_short
                    && record.seed == before.seed
                    && is_candidate(self.game, &*start, seed, &record.opening)
                    && leads_to(start, &record.opening, &record.start))
            }
            _ => Ok(self.open(number)?.1.start == record.start),
        }
    }

    /// A board before its opening.
    fn before(&self, number: u64) -> Result<(Box<dyn AnyPosition>, Opening), BoardsError> {
        let mut opening = Opening {
            floe: floe_games::record::VERSION,
            game: self.game.name().to_owned(),
            ..Opening::default()
        };
        let position = match &self.source {
            Source::Made { setup, seed } => {
                let seed = seed.wrapping_add(number);
                opening.setup = Some(setup.clone());
                opening.seed = Some(seed);
                self.game.start(setup, seed)?
            }
            Source::Read(tables) => {
                let (name, position) = &tables[(number % tables.len() as u64) as usize];
                opening.board = Some(name.clone());
                position.clone()
            }
        };
        opening.start = position.write();
        Ok((position, opening))
    }

    /// Number of boards before they repeat; `None` if they never do.
    pub fn count(&self) -> Option<u64> {
        match (&self.source, &self.begin) {
            (Source::Made { .. }, Begin::Listed(list)) => Some(list.count()),
            (Source::Made { .. }, _) | (Source::Read(_), Begin::Drawn(_)) => None,
            (Source::Read(tables), Begin::Listed(list)) => Some(tables.len() as u64 * list.count()),
            (Source::Read(tables), Begin::AsIs) => Some(tables.len() as u64),
        }
    }

    /// Number of different starts; `None` if unknown. Reads every board of a list or of files.
    pub fn different(&self) -> Option<u64> {
        if let (Source::Made { .. }, Begin::AsIs) = (&self.source, &self.begin) {
            let (start, _) = self.before(0).ok()?;
            return self.game.opening_moves(&*start).map(|_| 1);
        }
        let starts = (0..self.count()?).filter_map(|number| Some(self.open(number).ok()?.1.start));
        Some(starts.collect::<BTreeSet<String>>().len() as u64)
    }

    /// The setup of the boards; `None` if they are read from files.
    pub fn setup(&self) -> Option<&str> {
        match &self.source {
            Source::Made { setup, .. } => Some(setup),
            Source::Read(_) => None,
        }
    }

    /// Seats per game on these boards; `None` if they differ.
    pub fn players(&self) -> Option<u32> {
        match &self.source {
            Source::Made { .. } => self.before(0).ok().map(|(position, _)| position.players()),
            Source::Read(tables) => {
                let first = tables[0].1.players();
                let same = tables
                    .iter()
                    .all(|(_, position)| position.players() == first);
                same.then_some(first)
            }
        }
    }

    /// The game.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }
}

fn drawn(moves: u32) -> Begin {
    match moves {
        0 => Begin::AsIs,
        moves => Begin::Drawn(Arc::new(Drawn::new(moves))),
    }
}

/// Whether these moves lead to the position in this text.
fn leads_to(mut position: Box<dyn AnyPosition>, moves: &[String], text: &str) -> bool {
    moves.iter().all(|mv| position.play(mv).is_ok()) && position.write() == text
}

impl From<SetupError> for BoardsError {
    fn from(error: SetupError) -> Self {
        BoardsError::Setup(error.into())
    }
}
