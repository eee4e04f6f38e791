//! Why nothing can be made of what was sent.

use std::path::PathBuf;

use thiserror::Error;

use super::{NotTaken, OWN};

/// Why there is no way from what was sent to something to run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// No recipe knows it.
    #[error(
        "nothing here says what it is; known are {known}, or send a Makefile that makes ./bot, or \
         a {OWN} that says how to build and run it"
    )]
    Unknown {
        /// What is known.
        known: String,
    },
    /// The league does not take it.
    #[error(transparent)]
    NotTaken(#[from] NotTaken),
    /// Several files could be the program.
    #[error("{} could be the program: call yours {main}{}", files.join(" or "), or_own(*takes_own))]
    Several {
        /// Those files.
        files: Vec<String>,
        /// How it should be called.
        main: String,
        /// Whether a recipe of the sender's own is taken.
        takes_own: bool,
    },
    /// Something is not on this machine.
    #[error(
        "{recipe} needs {need}, which is not on this machine; {}ask the organiser to install it",
        send_built(*takes_built)
    )]
    Missing {
        /// The recipe.
        recipe: String,
        /// What is missing.
        need: String,
        /// Whether programs that are built already are taken.
        takes_built: bool,
    },
    /// Its compiler is where only root may go, and root starts compilers as somebody else.
    #[error(
        "{recipe} cannot be built on this machine: its compiler is in {}, which other users may not \
         enter; {}ask the organiser to install the compiler for all users",
        folder.display(),
        send_built(*takes_built)
    )]
    OutOfReach {
        /// The recipe.
        recipe: String,
        /// The folder that is closed.
        folder: PathBuf,
        /// Whether programs that are built already are taken.
        takes_built: bool,
    },
    /// The recipe in the archive is wrong.
    #[error("{0}")]
    Own(String),
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
