//! Errors of the store.

use std::io;
use std::path::{Path, PathBuf};

use floe_games::record::ReadError;
use floe_rules::text::quoted;
use rusqlite::ErrorCode;
use thiserror::Error;

use super::is_archive;

/// The reason why a store cannot be opened or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// The file of records cannot be understood.
    #[error("{}:{cause}{}", path.display(), advice(path, cause))]
    Record {
        /// The file.
        path: PathBuf,
        /// The error with its place.
        cause: ReadError,
    },
    /// The index fails.
    #[error("{}: {cause}; stop the process using this index, or delete it: Floe rebuilds it", path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        cause: rusqlite::Error,
    },
    /// The index is damaged.
    #[error("{}: the index is damaged; delete it: Floe rebuilds it", .0.display())]
    DamagedIndex(PathBuf),
    /// Another process has the file open for writing.
    #[error("{} is in use: another floe is playing these games", .0.display())]
    Busy(PathBuf),
    /// A record's ID is not that of a scheduled game.
    #[error("not a record of a match or tournament: {} is not a game number", quoted(.0))]
    Id(String),
    /// The records of one file belong to different contests.
    #[error("game {id} belongs to another contest: {cause}")]
    Foreign {
        /// The game.
        id: String,
        /// The evidence.
        cause: String,
    },
}

impl StoreError {
    /// Whether the error concerns only the index, which can be rebuilt.
    pub(super) fn is_of_index(&self) -> bool {
        matches!(self, StoreError::Index { .. } | StoreError::DamagedIndex(_))
    }
}

/// The reason why an index is unusable.
#[derive(Debug, Error)]
pub(super) enum IndexError {
    /// SQLite's error.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The index has another version.
    #[error("made by another version")]
    Version,
    /// The contents of the index are damaged.
    #[error("it is damaged")]
    Damaged,
}

impl IndexError {
    /// Whether the index was made correctly and damaged later.
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

    /// Whether the machine forbids opening the index here.
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

/// Advice for unreadable records.
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
        // An index of another version is rebuilt before it is used.
        IndexError::Damaged | IndexError::Version => StoreError::DamagedIndex(path),
    }
}
