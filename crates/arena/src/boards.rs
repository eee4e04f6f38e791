use std::path::Path;

use floe_rules::{ParseError, SetupError};
use thiserror::Error;

use floe_games::record::Opening;
use floe_games::{AnyGame, AnyPosition, StartError};

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
}

#[derive(Debug, Clone)]
enum Source {
    /// From a setup, with seeds from this one on.
    Made { setup: String, seed: u64 },
    /// From files, with their names; read again from the first after the last.
    Read(Vec<(String, Box<dyn AnyPosition>)>),
}

/// Why there are no boards.
#[derive(Debug, Error)]
pub enum BoardsError {
    /// The setup cannot be read, or nothing can be made from it.
    #[error(transparent)]
    Setup(#[from] StartError),
    /// A file cannot be read.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file is no position of the game.
    #[error("{file}:{error}")]
    Text {
        /// The file.
        file: String,
        /// What is wrong, and where.
        error: ParseError,
    },
    /// A file leaves nothing open that was said beside it.
    #[error("{file}: {cause}")]
    Words {
        /// The file.
        file: String,
        /// Why not.
        cause: String,
    },
    /// No file was given.
    #[error("there are no boards")]
    None,
}

impl Boards {
    /// Boards made from a setup; board `n` with the seed `seed + n`.
    pub fn made(game: &'static dyn AnyGame, setup: &str, seed: u64) -> Result<Boards, BoardsError> {
        let setup = game.setup(setup).map_err(StartError::from)?;
        // A setup nothing can be made from is found out here and not in the middle of the night.
        game.start(&setup, seed)?;
        let source = Source::Made { setup, seed };
        Ok(Boards { game, source })
    }

    /// Boards made from a setup for so many players, which need not say how many play. A setup
    /// that says otherwise is kept as it is: see [`players`](Boards::players).
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

    /// Boards from files that leave something open, which these words of a setup say.
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
        Ok(Boards { game, source })
    }

    /// A board, and what a record says about it.
    pub fn open(&self, number: u64) -> Result<(Box<dyn AnyPosition>, Opening), BoardsError> {
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

    /// How many boards there are before they repeat; none if they never do.
    pub fn count(&self) -> Option<u64> {
        match &self.source {
            Source::Made { .. } => None,
            Source::Read(tables) => Some(tables.len() as u64),
        }
    }

    /// What boards are made from; none if they are read from files.
    pub fn setup(&self) -> Option<&str> {
        match &self.source {
            Source::Made { setup, .. } => Some(setup),
            Source::Read(_) => None,
        }
    }

    /// How many sit at a table of these boards; `None` if they differ.
    pub fn players(&self) -> Option<u32> {
        match &self.source {
            Source::Made { .. } => self.open(0).ok().map(|(position, _)| position.players()),
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

impl From<SetupError> for BoardsError {
    fn from(error: SetupError) -> Self {
        BoardsError::Setup(error.into())
    }
}
