//! Runs the command as people and scripts do.

mod check;
#[cfg(target_os = "linux")]
mod check_program;
#[cfg(target_os = "linux")]
mod connect;
#[cfg(target_os = "linux")]
mod course;
#[cfg(target_os = "linux")]
mod crowd;
#[cfg(unix)]
mod demo;
mod docs;
mod doctor;
#[cfg(target_os = "linux")]
mod environments;
mod help;
mod hint;
#[cfg(unix)]
mod json;
#[cfg(unix)]
mod kill;
#[cfg(target_os = "linux")]
mod ladder;
#[cfg(target_os = "linux")]
mod league;
#[cfg(target_os = "linux")]
mod levels;
mod matches;
mod new;
mod openings;
mod own;
mod perft;
mod records;
mod report;
#[cfg(unix)]
mod schema;
mod shell;
mod show;
mod solve;
mod starter;
#[cfg(target_os = "linux")]
mod submit;
mod tournament;

use std::fmt::Write;
use std::path::Path;

use assert_cmd::Command;

/// `floe` with these words, in a terminal-free, UTF-8 world of its own.
fn floe(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("floe").unwrap();
    command.args(arguments.split_whitespace());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"] {
        command.env_remove(variable);
    }
    command
        .env("LC_ALL", "C.UTF-8")
        // Nobody's settings and games.
        .env(
            "FLOE_HOME",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("nobody"),
        )
        .env("TERM", "xterm-256color");
    command
}

/// What `floe` prints to standard output when all is well.
fn stdout(arguments: &str) -> String {
    let output = floe(arguments).assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// All that is seen of one run, for snapshots. Escape characters are shown as `␛`.
fn transcript(arguments: &str, folder: &Path, input: &str) -> String {
    let mut command = floe(arguments);
    let output = command
        .current_dir(folder)
        .write_stdin(input)
        .output()
        .unwrap();
    let mut seen = format!("$ floe {arguments}\n");
    for (name, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
        let text = String::from_utf8(bytes).unwrap().replace('\x1b', "␛");
        if !text.is_empty() {
            let _ = write!(seen, "--- {name}\n{text}");
        }
    }
    let _ = writeln!(seen, "--- exit {}", output.status.code().unwrap());
    seen
}

/// The names of all games.
fn games() -> impl Iterator<Item = &'static str> {
    floe_games::games()
        .into_iter()
        .map(floe_games::AnyGame::name)
}

/// A game's position after a few of its first moves.
fn midgame(game: &str, setup: &str) -> String {
    played(game, setup, "greedy:seed=1", 9)
}

/// A game's position after its last move.
fn finished(game: &str) -> String {
    played(game, "4x3", "random:seed=1", usize::MAX)
}

fn played(game: &str, setup: &str, engine: &str, moves: usize) -> String {
    let game = floe_games::find(game).unwrap();
    let mut table = game.start(setup, 5).unwrap();
    let mut engine = game.engine(&engine.parse().unwrap());
    for _ in 0..moves {
        if table.turn().is_none() {
            break;
        }
        let thought = engine.think(&*table, &Default::default()).unwrap();
        table.play(&thought.best).unwrap();
    }
    table.write()
}
