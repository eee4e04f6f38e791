//! The kind of a file, whatever its name, so that the error for a wrong file can name the right
//! command.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use floe_games::AnyGame;

use crate::quoting::shown;

/// The contents of a file.
#[derive(Debug)]
pub(crate) enum FileKind {
    /// Records of games, or an empty file.
    Records,
    /// Compressed records.
    Archive,
    /// A tournament's description.
    Description,
    /// The index of a file of records.
    Index,
    /// A position of a game.
    Position(&'static dyn AnyGame),
    /// An executable file.
    Program,
    /// A folder.
    Folder,
    /// An unknown kind of file.
    Unknown,
}

/// The longest text that is tried as a position.
const LONGEST: u64 = 16 << 20;

impl FileKind {
    /// Finds the kind of a file from its contents.
    pub(crate) fn of(path: &Path) -> io::Result<FileKind> {
        let data = path.metadata()?;
        if data.is_dir() {
            return Ok(FileKind::Folder);
        }
        if !data.is_file() {
            // A pipe can be read only once, so the command itself must check its input.
            return Ok(FileKind::Records);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
        let end = path.extension().unwrap_or_default();
        if bytes.starts_with(b"SQLite format 3\0") {
            return Ok(FileKind::Index);
        }
        if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            return Ok(FileKind::Archive);
        }
        if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"#!") || bytes.starts_with(b"MZ") {
            return Ok(FileKind::Program);
        }
        let text = String::from_utf8_lossy(&bytes);
        let first = text.trim_start_matches('\u{feff}').trim_start();
        if end == "jsonl" || first.is_empty() || first.starts_with("{\"line\":") {
            return Ok(FileKind::Records);
        }
        if end == "toml" || text.lines().any(|line| line.trim() == "[entrants]") {
            return Ok(FileKind::Description);
        }
        let mut games = floe_games::games().into_iter();
        Ok(match games.find(|game| game.read(&text).is_ok()) {
            Some(game) => FileKind::Position(game),
            None => FileKind::Unknown,
        })
    }

    /// A sentence with the file's kind and the command for it.
    fn describe(&self, path: &Path) -> String {
        let file = shown(path);
        match self {
            FileKind::Records => {
                format!("has records of games; see them with `floe games {file}`")
            }
            FileKind::Archive => {
                "is an archive of records; give it a name that ends in .zst".to_owned()
            }
            FileKind::Description => format!(
                "is a tournament's description; `floe tournament {file}` plays it, `floe games {file}` \
                 lists its games, and their records are in {}",
                shown(&path.with_extension("jsonl"))
            ),
            FileKind::Index => format!(
                "is the index of records, which are in {}",
                shown(&path.with_extension("jsonl"))
            ),
            FileKind::Position(game) => format!(
                "is a position of {}; draw it with `floe show {} {file}`",
                game.title(),
                game.name()
            ),
            FileKind::Program => {
                let here = if file.contains('/') { "" } else { "./" };
                format!("is a program; try it with `floe check program GAME {here}{file}`")
            }
            FileKind::Folder => "is a folder".to_owned(),
            FileKind::Unknown => "is nothing that Floe writes: records are lines of JSON, made by \
                                  `floe match --records` and tournaments"
                .to_owned(),
        }
    }
}

/// Refuses a file without records, compressed or not; `-` is standard input.
pub(crate) fn expect_records(path: &Path) -> Result<()> {
    if path == Path::new("-") {
        return Ok(());
    }
    let kind = FileKind::of(path).with_context(|| format!("cannot read {}", path.display()))?;
    let is_packed = path.extension().is_some_and(|end| end == "zst");
    match (&kind, is_packed) {
        (FileKind::Records, false) | (FileKind::Archive, true) => Ok(()),
        (_, true) => bail!(
            "{} is no archive, although its name ends in .zst",
            path.display()
        ),
        (kind, false) => bail!("{} {}", path.display(), kind.describe(path)),
    }
}

/// Refuses a file that is not a tournament's description.
pub(crate) fn expect_description(path: &Path) -> Result<()> {
    match FileKind::of(path) {
        // The file's reader explains a file that is unreadable or of an unknown kind.
        Err(_) | Ok(FileKind::Description | FileKind::Unknown) => Ok(()),
        Ok(FileKind::Records) if path.metadata().is_ok_and(|data| data.len() == 0) => Ok(()),
        Ok(kind) => bail!("{} {}", path.display(), kind.describe(path)),
    }
}
