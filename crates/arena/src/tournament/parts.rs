//! Common parts of contest descriptions: tables of boards and limits, and errors that show their
//! place in the file.

mod boards;
mod limits;
mod machine_speed;

use std::fs;
use std::path::{Path, PathBuf};

use floe_rules::ParseError;
use floe_rules::text::{self, chars};
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;

use floe_games::AnyGame;

pub use boards::{BoardsText, boards};
pub use limits::{LimitsText, limits};
pub use machine_speed::{MachineSpeed, MachineSpeedText, machine_speed};

/// The reason why a file describes no contest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DescriptionError {
    /// The file cannot be read.
    #[error("{}: {cause}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The reason.
        cause: String,
    },
    /// The text has an error; the message shows its place.
    #[error("{}", text::explain(error, &file.display().to_string(), source_text).trim_end())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// The error and its place.
        error: ParseError,
        /// The file's text.
        source_text: String,
    },
}

/// A part of the text, in bytes.
pub type Span = std::ops::Range<usize>;

/// An error in a text, with its place.
#[derive(Debug)]
pub struct Wrong {
    span: Span,
    cause: String,
    help: String,
}

/// An error at this part of the text, with advice.
pub fn wrong(span: Span, cause: impl Into<String>, help: impl Into<String>) -> Wrong {
    Wrong {
        span,
        cause: cause.into(),
        help: help.into(),
    }
}

impl Wrong {
    /// The error with its line and column, for messages.
    pub fn placed(&self, text: &str, file: &Path) -> DescriptionError {
        DescriptionError::Wrong {
            file: file.to_owned(),
            error: place(text, self),
            source_text: text.to_owned(),
        }
    }
}

/// The text of a file.
pub fn load(file: &Path) -> Result<String, DescriptionError> {
    let bytes = fs::read(file).map_err(|error| DescriptionError::File {
        file: file.to_owned(),
        cause: error.to_string(),
    })?;
    let text = text::decode(&bytes).map_err(|error| DescriptionError::Wrong {
        file: file.to_owned(),
        error,
        source_text: String::from_utf8_lossy(&bytes).into_owned(),
    })?;
    Ok(text.to_owned())
}

/// Reads TOML into a type.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    toml::from_str::<T>(text).map_err(|error| {
        let message = without_old_keys(&error.message().trim().replace('\n', ", "));
        let help = match message.contains("invalid boolean") {
            true => "text needs quotes, such as game = \"flood\"",
            false => "",
        };
        wrong(error.span().unwrap_or(0..0), message, help)
    })
}

/// Old keys that are still read; messages do not offer them.
const OLD_KEYS: [&str; 7] = [
    "`bench-after`",
    "`bench`",
    "`grace`",
    "`pace`",
    "`table`",
    "`tables`",
    "`way`",
];

/// Serde's message about an unknown key, without old keys in its list.
fn without_old_keys(message: &str) -> String {
    let Some((cause, keys)) = message.split_once(", expected one of ") else {
        return message.to_owned();
    };
    let keys = keys.split(", ").filter(|key| !OLD_KEYS.contains(key));
    let keys: Vec<&str> = keys.collect();
    format!("{cause}, expected one of {}", keys.join(", "))
}

/// The folder that a description's paths are relative to.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Seats per game; default 2.
pub fn table(said: Option<&Spanned<usize>>, game: &dyn AnyGame) -> Result<usize, Wrong> {
    let Some(table) = said else {
        return Ok(2);
    };
    let seats = game.seats();
    let allowed = 2.max(*seats.start() as usize)..=*seats.end() as usize;
    if !allowed.contains(table.get_ref()) {
        let (least, most) = (allowed.start(), allowed.end());
        let cause = match least == most {
            true => format!("{} has {least} seats", game.title()),
            false => format!("{} has {least} to {most} seats", game.title()),
        };
        return Err(wrong(table.span(), cause, ""));
    }
    Ok(*table.get_ref())
}

/// The sandbox level, if set.
pub fn sandbox_level(said: Option<&Spanned<u8>>) -> Result<Option<u8>, Wrong> {
    match said {
        Some(level) if *level.get_ref() > 3 => {
            Err(wrong(level.span(), "levels of the sandbox are 0 to 3", ""))
        }
        said => Ok(said.map(|level| *level.get_ref())),
    }
}

/// The line and column of a place in the text.
fn place(text: &str, wrong: &Wrong) -> ParseError {
    let mut start = wrong.span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let before = &text[..start];
    let line = before.matches('\n').count() as u32 + 1;
    let column = chars(before.rsplit('\n').next().unwrap_or_default()) + 1;
    let rest = text
        .get(start..wrong.span.end.min(text.len()))
        .unwrap_or_default();
    let width = chars(rest.lines().next().unwrap_or_default());
    ParseError::new(line, column, wrong.cause.clone())
        .with_width(width)
        .with_help(wrong.help.clone())
}
