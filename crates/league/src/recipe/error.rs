//! The reasons why an upload cannot be built.

use std::path::PathBuf;

use thiserror::Error;

use super::{NotTaken, OWN};

/// The reason why an upload cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// No recipe suits the upload.
    #[error(
        "the upload has no program that Floe knows; known are {known}, or send a Makefile that makes ./bot, or \
         a {OWN} that says how to build and run it"
    )]
    Unknown {
        /// The known kinds.
        known: String,
    },
    /// The league does not accept this kind of upload.
    #[error(transparent)]
    NotTaken(#[from] NotTaken),
    /// Several files could be the program.
    #[error(
        "{} could be the program; send it again and say which, by --main {}{}{}",
        files.join(" or "),
        files.first().map_or("", String::as_str),
        or_call(main),
        or_own(*takes_own)
    )]
    Several {
        /// The possible files.
        files: Vec<String>,
        /// The required name.
        main: String,
        /// Whether the author's own recipe is accepted.
        takes_own: bool,
    },
    /// The file named as the program is missing.
    #[error("the upload has no {main}; the program could be {}", files.join(" or "))]
    NoSuchFile {
        /// The author's choice.
        main: String,
        /// The possible programs.
        files: Vec<String>,
    },
    /// The build made several programs, or none.
    #[error("{}", not_made(named.as_deref(), made))]
    NotMade {
        /// The author's choice.
        named: Option<String>,
        /// The programs that the build made.
        made: Vec<String>,
    },
    /// A required command is missing on this machine.
    #[error(
        "{recipe} needs {need}, which is not on this machine; {}ask the organiser to install it",
        send_built(*takes_built)
    )]
    Missing {
        /// The recipe.
        recipe: String,
        /// The missing tool.
        need: String,
        /// Whether ready-made programs are accepted.
        takes_built: bool,
    },
    /// The recipe's compiler is in a folder only root may enter, and root starts compilers as
    /// another user.
    #[error(
        "{recipe} cannot be built on this machine: its compiler is in a folder that other users may \
         not enter, as `floe doctor` says; {}ask the organiser to install the compiler for all users",
        send_built(*takes_built)
    )]
    OutOfReach {
        /// The recipe.
        recipe: String,
        /// The hidden folder.
        folder: PathBuf,
        /// Whether ready-made programs are accepted.
        takes_built: bool,
    },
    /// The recipe in the archive is wrong.
    #[error("{0}")]
    Own(String),
}

fn or_call(main: &str) -> String {
    match main {
        "" => String::new(),
        main => format!(", or call yours {main}"),
    }
}

fn not_made(named: Option<&str>, made: &[String]) -> String {
    let all = made.join(", ");
    match named {
        _ if made.is_empty() => "the build made no program; let it make one called bot".to_owned(),
        Some(named) => format!("the build did not make {named}, but {all}"),
        None => format!(
            "the build made {all}, and it is not clear which is the program: call yours bot, or \
             say which by --main"
        ),
    }
}

fn or_own(takes_own: bool) -> String {
    match takes_own {
        true => format!(", or send a {OWN} that says how to run it"),
        false => String::new(),
    }
}

fn send_built(takes_built: bool) -> &'static str {
    match takes_built {
        true => "send a program that is built already, or ",
        false => "",
    }
}
