//! The contest's Penguins program: reads a state file, makes one move, writes the state file.
//!
//! The game master calls it again in every round, so the program stores nothing between calls: its
//! ID's line in the file shows which player it is, and the board shows what is left to do.
//!
//! Without arguments people and engines play at the keyboard.

mod arguments;
mod engine;
mod output;
mod turn;

use std::fmt::Arguments;
use std::io::{self, BufRead, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use arguments::Command;
use floe_contest::dialogue::{self, Dialogue};
use floe_contest::penguins;
use turn::Done;

/// The result of a call, in the contest's exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// A correct move was made, the name was printed, or a game was played at the keyboard.
    Moved = 0,
    /// There is no move to make.
    Nothing = 1,
    /// The input file's state is wrong.
    WrongState = 2,
    /// Bad arguments, unreadable or unwritable files, or a bug of ours.
    Failed = 3,
}

fn main() -> ExitCode {
    let started = Instant::now();
    let run = AssertUnwindSafe(|| run(started));
    // The panic message has been printed already.
    let exit = catch_unwind(run).unwrap_or(Exit::Failed);
    ExitCode::from(exit as u8)
}

fn run(started: Instant) -> Exit {
    let command = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(error) => {
            report(format_args!("penguins: {error}\n{}\n", arguments::USAGE));
            return Exit::Failed;
        }
    };
    match command {
        Command::Play { seed, is_named } => play(seed, is_named),
        Command::Help => print(arguments::USAGE),
        Command::Version => print(concat!("penguins ", env!("CARGO_PKG_VERSION"))),
        Command::Name(id) => print(&id),
        Command::Turn(task) => match turn::take(&task, started) {
            Ok(Done::Moved) => Exit::Moved,
            Ok(Done::Nothing(why)) => {
                report(format_args!("penguins: nothing to do: {why}\n"));
                Exit::Nothing
            }
            Err(turn::Error::State(errors)) => {
                report(format_args!("{errors}"));
                Exit::WrongState
            }
            Err(error) => {
                report(format_args!("penguins: {error}\n"));
                Exit::Failed
            }
        },
    }
}

/// Prints to standard error. Errors are ignored: the exit code counts.
fn report(words: Arguments<'_>) {
    let _ = io::stderr().write_fmt(words);
}

/// A line, or lines, on standard output.
fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Exit::Moved,
        Err(error) => {
            report(format_args!("penguins: cannot write: {error}\n"));
            Exit::Failed
        }
    }
}

/// A game at the keyboard.
fn play(seed: Option<u64>, is_named: bool) -> Exit {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    // A game master that forgot the arguments sends no input either, so explain the usage.
    if !is_named && !input.is_terminal() && input.fill_buf().is_ok_and(<[u8]>::is_empty) {
        report(format_args!(
            "penguins: no arguments, and nothing on standard input to play with\n{}\n",
            arguments::USAGE
        ));
        return Exit::Failed;
    }
    let mut dialogue = Dialogue::standard(&mut input, &mut output);
    match penguins::play(&mut dialogue, seed.unwrap_or_else(dialogue::seed)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report(format_args!("penguins: {error}\n"));
            Exit::Failed
        }
        // A closed pipe means that the reader has read enough.
        _ => Exit::Moved,
    }
}
