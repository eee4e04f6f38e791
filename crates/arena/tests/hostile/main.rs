//! Hostile programs at the table: after each the right fault in the record, told in a sentence,
//! with the program's own last words, nothing left running and the next game unharmed.
#![cfg(target_os = "linux")]

// The sandbox's tests and these share the hostile program and what looks for its traces.
#[allow(dead_code)]
#[path = "../../../sandbox/tests/hostile/support.rs"]
mod support;

#[path = "../one_game/mod.rs"]
mod one_game;

mod ends;
mod greed;
mod league;
mod lies;
mod others;
mod pondering;
mod trespass;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use floe_arena::referee::NoRecord;
use floe_arena::seat::{Sandbox, Seat};
use floe_games::record::{MoveLimits, Record};
use floe_games::{Fault, FaultKind, Reason, find};

use support::*;

/// The program that knows the rules, compiled once, beside the other.
pub(crate) fn rogue() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = hostile().with_file_name("rogue");
        match std::env::var_os(AS_USER) {
            Some(_) => path,
            None => {
                let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
                compile(&sources.join("rogue.c"), &path)
            }
        }
    })
}

/// The best this machine has, with a helper ready: shared, so that what one game leaves behind
/// the next one meets.
fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| Sandbox::find(&helper(), 0, 1).unwrap())
}

/// Long enough for a busy machine.
fn patient() -> MoveLimits {
    MoveLimits {
        move_ms: 60_000,
        start_ms: 60_000,
        memory_mib: 64,
        ..MoveLimits::default()
    }
}

/// For programs that never answer.
fn short() -> MoveLimits {
    MoveLimits {
        move_ms: 200,
        ..patient()
    }
}

/// Which way a program is spoken to.
#[derive(Clone, Copy, Debug)]
enum Way {
    Penguins,
    Flood,
    Line,
}

impl Way {
    fn game(self) -> (&'static str, &'static str) {
        match self {
            Way::Penguins => ("penguins", "4x4,penguins=1,water=0"),
            Way::Flood | Way::Line => ("flood", "4x4"),
        }
    }

    fn word(self, deed: &str, mark: &str) -> String {
        let protocol = if matches!(self, Way::Line) {
            "line:"
        } else {
            ""
        };
        format!("{protocol}{} {deed} {mark}", rogue().display())
    }
}

fn referee(
    game: &str,
    setup: &str,
    words: &[&str],
    limits: MoveLimits,
    sandbox: &Sandbox,
) -> Result<Record, NoRecord> {
    let game = find(game).unwrap();
    let position = game.start(setup, 1).unwrap();
    let seats: Vec<Seat> = words
        .iter()
        .map(|word| Seat::read(word, game, ".".as_ref()).unwrap())
        .collect();
    one_game::play(position, &seats, limits, sandbox)
}

/// The record of a game of a program that does this, and what is true of every such game.
#[track_caller]
fn meet(way: Way, deed: &str, limits: MoveLimits) -> Record {
    let (game, setup) = way.game();
    let mark = mark();
    let record = referee(
        game,
        setup,
        &[&way.word(deed, &mark), "greedy"],
        limits,
        sandbox(),
    );
    let record = record.unwrap();
    assert_eq!(running(&mark), 0, "{deed} left something running");
    record.verify().unwrap();
    let next = [&way.word("honest", &mark), "greedy"];
    let next = referee(game, setup, &next, patient(), sandbox()).unwrap();
    let faults: Vec<&Fault> = next.faults().collect();
    assert!(faults.is_empty(), "after {deed}: {faults:?}");
    record
}

/// The one fault of a program that does this.
#[track_caller]
fn fault(way: Way, deed: &str, limits: MoveLimits) -> Fault {
    let record = meet(way, deed, limits);
    let faults: Vec<&Fault> = record.faults().collect();
    let [fault] = faults[..] else {
        panic!("{way:?} {deed}: {faults:?}");
    };
    assert_eq!(fault.seat, 1);
    assert_eq!(record.end.as_ref().unwrap().reason, Reason::Forfeit);
    assert_eq!(record.end.as_ref().unwrap().places, [2, 1]);
    fault.clone()
}

#[track_caller]
fn expect(way: Way, deed: &str, limits: MoveLimits, kind: FaultKind, message: &str) -> Fault {
    let fault = fault(way, deed, limits);
    assert_eq!(fault.kind, kind, "{way:?} {deed}: {fault:?}");
    assert!(fault.message.contains(message), "{way:?} {deed}: {fault:?}");
    fault
}

const WAYS: [Way; 3] = [Way::Penguins, Way::Flood, Way::Line];

fn last_words(fault: &Fault, deed: &str) {
    assert!(
        fault.stderr.contains(&format!("about to {deed}")),
        "{fault:?}"
    );
}

/// Everything here once more as an ordinary user.
#[test]
fn all_of_it_as_an_ordinary_user() {
    run_all_as_user(&[rogue()]);
}
