//! `floodwars`: the contest program of Flood Wars.
//!
//! It is started for every move: it reads who moves and the board on standard input, prints the
//! other letter and the board after its move, and ends. Nothing else goes to standard output;
//! errors in the input go to standard error, with exit code 2.
//!
//! In a terminal and without arguments, or with the word `play`, it is a game for people.

mod options;
mod player;

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use floe_contest::dialogue::{self, Dialogue};
use floe_contest::floodwars;
use floe_contest::input::{self, Unread};
use floe_rules::flood::{Flood, FloodPosition, Move};
use floe_rules::{Game, ParseError, Position, Report, text};

use options::{Request, USAGE};

/// More bytes than any readable board has, whatever its shape and line endings.
const MOST_INPUT: usize = 16 << 20;
/// Errors printed before the rest is only counted.
const MOST_ERRORS: usize = 10;

fn main() -> ExitCode {
    let start = Instant::now();
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = match options::read(&arguments, io::stdin().is_terminal()) {
        Ok(Request::Help) => print(USAGE),
        Ok(Request::Version) => print(concat!("floodwars ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Request::Move(time)) => answer(start + player::share(time)).and_then(|out| print(&out)),
        Ok(Request::Play(seed)) => play(seed),
        Err(cause) => Err(Failure::Input(format!("floodwars: {cause}\n\n{USAGE}"))),
    };
    let (code, message) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (2, message),
        Err(Failure::Output(error)) => (1, format!("floodwars: cannot write: {error}\n")),
    };
    // If standard error is closed too, only the exit code can report the error.
    let _ = io::stderr().write_all(message.as_bytes());
    ExitCode::from(code)
}

/// Reasons why the program gives no answer.
enum Failure {
    /// Wrong arguments or a wrong board: the whole message.
    Input(String),
    /// The answer could not be written.
    Output(io::Error),
}

/// All or nothing of `text` on standard output, in one piece.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::Output)
}

/// A game line by line.
fn play(seed: Option<u64>) -> Result<(), Failure> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut dialogue = Dialogue::standard(&mut input, &mut output);
    match floodwars::play(&mut dialogue, seed.unwrap_or_else(dialogue::seed)) {
        // A closed pipe means that the reader has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        played => played.map_err(Failure::Output),
    }
}

/// Reads the board on standard input; gives the board after the move.
fn answer(deadline: Instant) -> Result<String, Failure> {
    let bytes = input::read_at_most(io::stdin().lock(), MOST_INPUT).map_err(|unread| {
        Failure::Input(match unread {
            Unread::Failed(error) => format!("floodwars: cannot read: {error}\n"),
            Unread::Wrong(error, bytes) => explain(&[error], &String::from_utf8_lossy(&bytes)),
        })
    })?;
    let mut position = read(&bytes).map_err(Failure::Input)?;
    let colour = player::choose(&position, deadline);
    position.play_unchecked(Move(colour));
    Ok(Flood::board(&position))
}

/// The position in a file of the contest, or all errors in it.
fn read(bytes: &[u8]) -> Result<FloodPosition, String> {
    let source =
        input::text(bytes).map_err(|error| explain(&[error], &String::from_utf8_lossy(bytes)))?;
    let mut report = Report::new();
    Flood::parse(source, &mut report).ok_or_else(|| {
        let mut errors = report.errors;
        errors.sort_by_key(|error| (error.line, error.column));
        explain(&errors, source)
    })
}

fn explain(errors: &[ParseError], source: &str) -> String {
    let shown = errors.iter().take(MOST_ERRORS);
    let mut out: String = shown
        .map(|error| text::explain(error, "<stdin>", source))
        .collect();
    if errors.len() > MOST_ERRORS {
        out += &format!("and {} more errors\n", errors.len() - MOST_ERRORS);
    }
    out
}
