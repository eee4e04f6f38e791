//! Floe: make, draw, check, judge and count positions of every game in the registry.
//!
//! One module per command under `commands`; each command is a function of its arguments and a
//! `Terminal`, and gives the `Answer` that becomes the exit code.

mod bars;
mod cli;
mod cluster_args;
mod columns;
mod commands;
mod completing;
mod contest;
mod fault;
mod file_kind;
mod json;
mod latest;
mod limit_args;
mod live_table;
mod log;
mod looks;
#[cfg(feature = "cluster")]
mod machines;
mod overload;
mod progress;
mod proofs;
mod quoting;
mod records;
#[cfg(feature = "cluster")]
mod reload;
mod source;
mod standing;
mod stopping;
mod terminal;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::commands::Cli;
use crate::terminal::{ERROR, Terminal};

/// A command's answer, for its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// Done, or yes: exit code 0.
    Yes,
    /// No: exit code 1.
    No,
    /// No, but only in a stricter check than the default: exit code 3.
    NotStrictly,
    /// No answer because of bad input, as reported: exit code 2.
    BadInput,
}

/// Runs the command of these arguments, the first of which is the command's own name, and returns
/// the exit code. If they are wrong, it prints the error and ends the process.
///
/// The binary `floe` is this and nothing else. To add a game of your own,
/// [register](floe_games::register) it first, in a binary of your own:
///
/// ```no_run
/// # static MY_GAME: floe_games::GameEntry<floe_rules::flood::Flood> =
/// #     floe_games::GameEntry(floe_search::Roster::generic());
/// fn main() -> std::process::ExitCode {
///     floe_sandbox::helper_main();
///     floe_games::register(&MY_GAME).expect("the name is free");
///     floe::run(std::env::args_os())
/// }
/// ```
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    match commands::complete(&words) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => error.exit(),
    }
    let cli = Cli::try_parse_from(cli::spelt_out(words))
        .unwrap_or_else(|error| cli::with_suggestion(error).exit());
    let (mut out, mut err) = terminal::streams(cli.color);
    let is_out_closed = out.closed();
    let mut terminal = Terminal::new(&mut out, &mut err);
    let result = log::begin().and_then(|()| cli.run(&mut terminal));
    let result = result.and_then(|answer| {
        terminal.out.flush()?;
        Ok(answer)
    });
    match result {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::BadInput) => ExitCode::from(2),
        Ok(Answer::NotStrictly) => ExitCode::from(3),
        // A closed pipe means that the reader has seen enough.
        Err(error) if is_out_closed.get() || is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even this message cannot be printed.
            let text = format!("{error:#}");
            let text = floe_rules::text::visible(&text);
            let _ = writeln!(terminal.err, "{ERROR}error:{ERROR:#} {text}");
            ExitCode::from(2)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}
