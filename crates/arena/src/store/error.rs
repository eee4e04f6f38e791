//! Why there is no store, or a game was not stored.

use std::io;
use std::path::{Path, PathBuf};

use floe_games::record::ReadError;
use floe_rules::text::quoted;
use rusqlite::ErrorCode;
use thiserror::Error;

use super::is_archive;

/// Why there is no store, or a game was not stored.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The file of records cannot be understood.
    #[error("{}:{cause}{}", path.display(), advice(path, cause))]
    Record {
        /// The file.
        path: PathBuf,
        /// Where and why.
        cause: ReadError,
    },
    /// The index fails.
    #[error("{}: {cause}; it is only an index: end whoever has it open, or remove it", path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        cause: rusqlite::Error,
    },
    /// The index is not what was written.
    #[error("{}: the index is damaged; remove it, and it is made again", .0.display())]
    DamagedIndex(PathBuf),
    /// Somebody else writes to it.
    #[error("{} is in use: another floe is playing these games", .0.display())]
    Busy(PathBuf),
    /// A record's id is not that of a scheduled game.
    #[error("a record of no match and no tournament: {} is no number of a game", quoted(.0))]
    Id(String),
    /// The records of one file are not of one contest.
    #[error("game {id} is of another contest: {cause}")]
    Foreign {
        /// The game.
        id: String,
        /// How that is known.
        cause: String,
    },
}

impl StoreError {
    /// Whether it is about the index alone, which can be made again.
    pub(super) fn is_of_index(&self) -> bool {
        matches!(self, StoreError::Index { .. } | StoreError::DamagedIndex(_))
    }
}

/// Why an index is of no use.
#[derive(Debug, Error)]
pub(super) enum IndexError {
    /// SQLite says so.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// It is of another version.
    #[error("made by another version")]
    Version,
    /// What it holds is not what was written.
    #[error("it is damaged")]
    Damaged,
}

impl IndexError {
    /// Whether it was made as it should be and is not so any more.
    pub(super) fn is_damage(&self) -> bool {
        match self {
            IndexError::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            ),
            IndexError::Version => false,
            IndexError::Damaged => true,
        }
    }

    /// Whether the machine or its owner does not let it be opened here.
    pub(super) fn is_refusal(&self) -> bool {
        let IndexError::Sqlite(error) = self else {
            return false;
        };
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
        )
    }
}

/// What can be done about records that cannot be read.
fn advice(path: &Path, cause: &ReadError) -> String {
    let is_archive = is_archive(path);
    match cause {
        ReadError::File(_) => String::new(),
        _ if is_archive => String::new(),
        _ => format!(
            "\n  = `floe verify --repair {}` sets damaged games aside; a tournament plays them again",
            path.display()
        ),
    }
}

pub(super) fn file_error(path: &Path, cause: io::Error) -> StoreError {
    StoreError::File {
        path: path.to_owned(),
        cause,
    }
}

pub(super) fn index_error(path: &Path, error: IndexError) -> StoreError {
    let path = path.to_owned();
    match error {
        IndexError::Sqlite(cause) => StoreError::Index { path, cause },
        // One of another version is made anew before anybody sees it.
        IndexError::Damaged | IndexError::Version => StoreError::DamagedIndex(path),
    }
}
