//! Programs with one thing wrong each, and what the conformance check says about them: the first line of the
//! report names the true cause.
#![cfg(target_os = "linux")]
#![allow(
    clippy::print_stderr,
    reason = "a test says which reports it does not like"
)]

mod table;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use floe_arena::conformance::{CheckReport, ConformanceCheck, Neighbours};
use floe_arena::seat::{Sandbox, Seat};
use floe_games::find;
use floe_games::record::MoveLimits;
use table::{Base, ROWS, Row};

/// Of so many rows the first line must name the cause; the others are written down all the same.
const NAMED: usize = 50;

fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| {
        let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
        Sandbox::find(helper, 0, 0).unwrap()
    })
}

/// The report about a program with this source.
fn check(
    base: Base,
    source: &str,
    setup: &str,
    limits: &MoveLimits,
    is_strict: bool,
) -> CheckReport {
    check_in(sandbox(), base, source, setup, limits, is_strict, None)
}

/// The same in this sandbox, with these neighbours.
fn check_in(
    sandbox: &Sandbox,
    base: Base,
    source: &str,
    setup: &str,
    limits: &MoveLimits,
    is_strict: bool,
    neighbours: Option<&dyn Neighbours>,
) -> CheckReport {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join("bot.py");
    fs::write(&file, source).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let (game, word) = match base {
        Base::Line => ("gamma", "line:python3 bot.py"),
        Base::Script => ("gamma", "line:./bot.py"),
        Base::Flood => ("flood", "python3 bot.py"),
        Base::Penguins => ("penguins", "python3 bot.py"),
    };
    let game = find(game).unwrap();
    let Seat::Program(program) = Seat::read(word, game, folder.path()).unwrap() else {
        panic!("{word} is a program");
    };
    let boards = vec![(setup.to_owned(), game.start(setup, 3).unwrap())];
    let check = ConformanceCheck {
        game,
        program: &program,
        sandbox,
        limits,
        boards,
        is_strict,
        self_play: Duration::from_secs(600),
        only: None,
        neighbours,
    };
    check.run(&mut |_| {}).unwrap()
}

/// Time for a busy machine, where time is not what is wrong.
fn patient() -> MoveLimits {
    MoveLimits {
        move_ms: 60_000,
        start_ms: 60_000,
        ..MoveLimits::default()
    }
}

fn report(row: &Row) -> CheckReport {
    let limits = match row.is_about_time {
        false => MoveLimits {
            memory_mib: 64,
            ..patient()
        },
        true => MoveLimits {
            move_ms: 1500,
            start_ms: 1500,
            memory_mib: 64,
            ..MoveLimits::default()
        },
    };
    check(row.base, &row.source(), row.setup, &limits, false)
}

#[test]
fn the_first_line_names_the_true_cause() {
    assert_eq!(ROWS.len(), 61);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(row) = ROWS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = report(row);
                    let line = report.headline();
                    if report.plays || !line.contains(row.says) {
                        let told = format!("{}: expected {:?} in {line:?}", row.wrong, row.says);
                        wrong.lock().unwrap().push(told);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    for told in &wrong {
        eprintln!("{told}");
    }
    assert!(ROWS.len() - wrong.len() >= NAMED, "{wrong:#?}");
}

#[test]
fn the_bases_play_and_their_remarks_do_not_count() {
    for (base, setup) in [
        (Base::Line, "4x3,areas=12"),
        (Base::Flood, "3x2"),
        (Base::Penguins, "4x4,penguins=1"),
    ] {
        let report = check(base, base.source(), setup, &patient(), false);
        assert!(report.plays, "{report:#?}");
        assert!(report.is_passed());
        assert_eq!(report.games.len(), 3, "{report:#?}");
    }
}

/// A Penguins program as students write them: it reads what it is given and believes it, knows the
/// exit codes 0 and 1 alone, and ends its lines with a blank.
#[test]
fn a_students_program_gets_in_with_remarks_unless_the_letter_counts() {
    let student = Base::Penguins
        .source()
        .replace(r#"" ".join(row) for row"#, r#"" ".join(row) + " " for row"#);
    let setup = "4x4,penguins=1";
    let report = check(Base::Penguins, &student, setup, &patient(), false);
    assert!(report.is_passed(), "{report:#?}");
    let strict = check(Base::Penguins, &student, setup, &patient(), true);
    assert!(strict.plays && !strict.is_passed(), "{strict:#?}");
    let told: Vec<&str> = strict
        .failures()
        .flat_map(|cause| &cause.cases)
        .map(String::as_str)
        .collect();
    for case in [
        "penguins=abc",
        "a file with an ID given twice",
        "a file with a row missing",
    ] {
        assert!(told.contains(&case), "{case}: {told:?}");
    }

    // One that aborts at its sixth move passes every single question and ends no game.
    let aborts = student.replace(
        "move = chosen(me[1])",
        "if int(me[2]) > 5:\n    os.abort()\nmove = chosen(me[1])",
    );
    let report = check(Base::Penguins, &aborts, "6x6,penguins=2", &patient(), false);
    assert!(!report.plays, "{report:#?}");
    assert!(
        report.headline().contains("signal 6 (abort)"),
        "{}",
        report.headline()
    );
}

#[test]
fn one_cause_is_told_once_with_a_board_and_a_command() {
    let row = ROWS
        .iter()
        .find(|row| row.says == "counts rows from the top")
        .unwrap();
    let report = report(row);
    assert_eq!(report.causes.len(), 1, "{report:#?}");
    let cause = &report.causes[0];
    assert!(cause.cases.len() > 2 && cause.tally().unwrap().ends_with("cases, one cause"));
    assert!(
        cause.board.contains('[') && !cause.marked.is_empty(),
        "{cause:#?}"
    );
    assert!(cause.command.contains("sleep"), "{}", cause.command);
    assert!(cause.advice.contains("from the bottom"), "{cause:#?}");
}

/// The line program, which never answers unless this file is there.
fn sleeper(until: &Path) -> String {
    let until = until.display();
    Base::Line.source().replace(
        "        c, row, mark = answer(rows, seat)\n",
        &format!(
            "        os.path.exists(\"{until}\") or time.sleep(3600)\n        \
             c, row, mark = answer(rows, seat)\n"
        ),
    )
}

/// A program that is started for each move loses one answer to a busy machine, not the game.
#[test]
fn a_program_of_one_move_is_asked_again_in_the_same_game() {
    let limits = MoveLimits {
        move_ms: 5_000,
        ..MoveLimits::default()
    };
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let repeats = AtomicUsize::new(0);
    let alone = |act: &mut dyn FnMut()| {
        repeats.fetch_add(1, Ordering::Relaxed);
        act();
    };
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    let bare = Sandbox::at_level(helper, 0, 0).unwrap();
    // It notes when it is started, and sleeps at its third start and when it is asked again.
    let starts = folder.path().join("starts");
    fs::create_dir(&starts).unwrap();
    fs::set_permissions(&starts, fs::Permissions::from_mode(0o777)).unwrap();
    let source = format!(
        "import os, time\nopen({starts:?} + '/' + str(time.time_ns()), 'w')\n\
         if len(os.listdir({starts:?})) in (3, 4): time.sleep(3600)\n{}",
        Base::Flood.source()
    );
    let report = check_in(
        &bare,
        Base::Flood,
        &source,
        "4x3",
        &limits,
        false,
        Some(&alone),
    );
    assert!(report.plays, "{report:#?}");
    assert_eq!(repeats.into_inner(), 2);
    let told: Vec<&str> = report.remarks().map(|cause| cause.what.as_str()).collect();
    let is_told = |told: &&str| told.contains("asked again") && told.contains("it was in time");
    assert!(told.iter().any(is_told), "{told:?}");
}

#[test]
fn a_time_out_with_little_cpu_time_is_repeated_alone_before_it_counts() {
    let limits = MoveLimits {
        move_ms: 2500,
        start_ms: 60_000,
        ..MoveLimits::default()
    };
    let setup = "4x3,areas=12";
    let repeats = AtomicUsize::new(0);
    // Once nothing else is on the machine it answers.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let quiet = folder.path().join("quiet");
    let alone = |act: &mut dyn FnMut()| {
        repeats.fetch_add(1, Ordering::Relaxed);
        fs::write(&quiet, "").unwrap();
        act();
    };
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    let bare = Sandbox::at_level(helper, 0, 0).unwrap();
    let source = sleeper(&quiet);
    let report = check_in(
        &bare,
        Base::Line,
        &source,
        setup,
        &limits,
        false,
        Some(&alone),
    );
    assert!(report.plays, "{report:#?}");
    assert_eq!(repeats.load(Ordering::Relaxed), 1);
    let told: Vec<&str> = report.remarks().map(|cause| cause.what.as_str()).collect();
    assert!(
        told.iter().any(|told| told.contains("it was in time")),
        "{told:?}"
    );

    // One that sleeps then too is refused, and costs the others one repeat, not one a game.
    let alone = |act: &mut dyn FnMut()| {
        repeats.fetch_add(1, Ordering::Relaxed);
        act();
    };
    let source = sleeper(Path::new("nowhere"));
    let report = check_in(
        sandbox(),
        Base::Line,
        &source,
        setup,
        &limits,
        false,
        Some(&alone),
    );
    assert!(!report.plays, "{report:#?}");
    assert_eq!(repeats.load(Ordering::Relaxed), 2);
    assert!(
        report.headline().contains("ms of CPU time"),
        "{}",
        report.headline()
    );
}
