//! What students hand in: a small library that is right, the same with one mistake each, and batch
//! programs.
#![cfg(target_os = "linux")]
#![allow(
    clippy::print_stderr,
    reason = "tests say how long a fault took to find"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use floe_arena::coursework::{
    WorkLimits, WorkReport, check_library, check_program, check_terminal,
};
use floe_arena::seat::Sandbox;
use floe_rules::assignment::Assignment;
use tempfile::TempDir;

const SOURCE: &str = include_str!("gamma/gamma.c");
const HEADER: &str = include_str!("gamma/gamma.h");

fn assignment() -> &'static dyn Assignment {
    let game = floe_games::find("gamma").expect("there is such a game");
    game.assignment().expect("there is a course on it")
}

fn sandbox() -> Sandbox {
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    Sandbox::find(helper, 0, 1).expect("a sandbox")
}

/// A folder with the library and this mistake.
fn library(fault: u32) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("gamma.h", HEADER);
    write("gamma.c", &format!("#define FAULT {fault}\n{SOURCE}"));
    folder
}

fn check(path: &Path) -> WorkReport {
    check_in(path, &sandbox())
}

fn check_in(path: &Path, sandbox: &Sandbox) -> WorkReport {
    let limits = WorkLimits {
        seconds: 20, // a loaded machine is slow
        ..WorkLimits::default()
    };
    check_library(assignment(), path, sandbox, &limits, &mut |_| ()).expect("checked")
}

#[test]
fn a_right_library_is_right() {
    let folder = library(0);
    let report = check(folder.path());
    assert!(report.is_right(), "{report:#?}");
    assert!(report.examples.is_empty());
    assert!(
        report.groups.iter().all(|group| group.total > 0),
        "{:?}",
        report.groups
    );
}

/// Containers often reach level 1 only, where linkers cannot make files that can be run.
#[test]
fn a_library_is_checked_at_every_level() {
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    let reached = sandbox().layers().level();
    let folder = library(0);
    let watched = |level| {
        let sandbox = Sandbox::at_level(helper, level, 1).expect("a sandbox");
        let report = check_in(folder.path(), &sandbox);
        assert!(report.is_right(), "level {level}: {report:#?}");
        report.notes
    };
    let notes: Vec<_> = (0..=reached).map(watched).collect();
    assert!(notes.windows(2).all(|pair| pair[0] == pair[1]), "{notes:?}");
}

/// Fault, and the groups of which one must show it.
const FAULTS: [(u32, &str); 18] = [
    (1, "moves"),
    (2, "golden moves"),
    (3, "free fields"),
    (4, "memory"),
    (5, "golden moves"),
    (6, "large boards"),
    (7, "large boards"),
    (8, "free fields"),
    (9, "parameters"),
    (10, "parameters"),
    (11, "moves"),
    (12, "board"),
    (13, "golden possible"),
    (14, "memory"),
    (15, "memory"),
    (16, "golden moves"),
    (17, "moves"),
    (18, "board"),
];

fn find(faults: &[(u32, &str)]) {
    for &(fault, group) in faults {
        let folder = library(fault);
        let began = Instant::now();
        let report = check(folder.path());
        let took = began.elapsed().as_secs_f64();
        eprintln!("fault {fault} was found in {took:.1} s");
        let shown = |report: &WorkReport| format!("fault {fault}: {report:#?}");
        let result = report.groups.iter().find(|result| result.name == group);
        let is_found = result.is_some_and(|result| result.passed < result.total);
        assert!(is_found, "{}", shown(&report));
        assert!(!report.examples.is_empty(), "{}", shown(&report));
        for example in &report.examples {
            assert!(example.calls.len() <= 10, "{}", shown(&report));
            compiles(&example.c_program);
        }
    }
}

/// The example compiles with the library's header.
fn compiles(program: &str) {
    let folder = library(0);
    fs::write(folder.path().join("example.c"), program).expect("written");
    let output = Command::new("cc")
        .args([
            "-std=c11",
            "-Wall",
            "-Werror",
            "-Wno-unused",
            "-fsyntax-only",
            "example.c",
        ])
        .current_dir(folder.path())
        .output()
        .expect("cc runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}\n{program}");
}

#[test]
fn faults_of_moves_are_found_in_ten_calls() {
    find(&FAULTS[..6]);
}

#[test]
fn faults_of_areas_and_fields_are_found_in_ten_calls() {
    find(&FAULTS[6..12]);
}

#[test]
fn faults_of_memory_and_text_are_found_in_ten_calls() {
    find(&FAULTS[12..]);
}

#[test]
fn the_same_verdict_comes_every_time() {
    let folder = library(5);
    let without_use = |mut report: WorkReport| {
        report.slowest_ms = 0;
        report.slowest_case.clear();
        report.peak_kib = 0;
        report
    };
    let first = without_use(check(folder.path()));
    assert_eq!(first, without_use(check(folder.path())));
}

/// The library with this mistake, compiled by this command.
fn compiled(fault: u32, shell: &str) -> TempDir {
    let folder = library(fault);
    let made = Command::new("sh")
        .args(["-c", shell])
        .current_dir(folder.path())
        .status();
    assert!(made.expect("sh runs").success());
    folder
}

/// Libraries without sources, and how they are compiled.
const COMPILED: [(&str, &str); 2] = [
    (
        "libgamma.so",
        "cc -O2 -w -shared -fPIC gamma.c -o libgamma.so",
    ),
    (
        "libgamma.a",
        "cc -O2 -w -c gamma.c && ar rc libgamma.a gamma.o",
    ),
];

/// They cannot be compiled for AddressSanitizer, so valgrind watches them.
#[test]
fn right_libraries_without_sources_are_right() {
    for (name, shell) in COMPILED {
        let folder = compiled(0, shell);
        let report = check(&folder.path().join(name));
        assert!(report.is_right(), "{name}: {report:#?}");
    }
}

#[test]
fn shared_libraries_and_archives_are_checked_too() {
    for (name, shell) in COMPILED {
        let folder = compiled(10, shell);
        let report = check(&folder.path().join(name));
        let found = report
            .examples
            .iter()
            .find(|example| example.calls == ["0b 1"]);
        let found = found.unwrap_or_else(|| panic!("{name}: {report:#?}"));
        assert!(found.got.contains("segmentation fault"), "{found:?}");
        assert!(
            found
                .c_program
                .contains("assert(gamma_busy_fields(NULL, 1u) == 0);")
        );
    }
}

#[test]
fn what_does_not_compile_is_told_with_the_compilers_words() {
    let folder = library(0);
    fs::write(
        folder.path().join("gamma.c"),
        "#include \"gamma.h\"\nint x = ;\n",
    )
    .expect("written");
    let why = check(folder.path()).refused.expect("refused");
    assert!(why.starts_with("it does not compile\n"), "{why}");
    assert!(why.contains("gamma.c:2:9: error"), "{why}");
    let empty = tempfile::tempdir().expect("a folder");
    let why = check(empty.path()).refused.expect("refused");
    assert!(why.contains("there is no gamma.h in"), "{why}");
}

/// A batch program in shell that hands everything to awk.
fn batch_program(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("gamma.sh");
    fs::write(&path, text).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("changed");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("changed");
    path
}

#[test]
fn a_batch_program_that_says_nothing_is_shown_its_first_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = batch_program(folder.path(), "#!/bin/sh\ncat >/dev/null\n");
    let limits = WorkLimits::default();
    let report = check_program(assignment(), &path, &sandbox(), &limits, &mut |_| ()).expect("ran");
    assert!(!report.is_right());
    let example = &report.examples[0];
    assert_eq!(example.input.lines().count(), 1, "{example:#?}");
    assert!(example.input.starts_with("B "), "{example:#?}");
    assert_eq!(example.expected, "line 1 of standard output: OK 1\\n");
    assert_eq!(example.got, "nothing");
}

const TERMINAL: &str = include_str!("gamma/terminal.c");

/// A terminal game with this mistake, checked.
fn check_game(fault: u32) -> WorkReport {
    let folder = library(0);
    fs::write(folder.path().join("terminal.c"), TERMINAL).expect("written");
    let shell = format!("cc -w -DTERMINAL_FAULT={fault} gamma.c terminal.c -o game");
    let made = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(folder.path())
        .status();
    assert!(made.expect("sh runs").success());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("changed");
    let path = folder.path().join("game");
    let limits = WorkLimits {
        // A right program on a loaded machine is slow, and one that hangs is waited for.
        seconds: if fault == 0 { 20 } else { 3 },
        ..WorkLimits::default()
    };
    check_terminal(assignment(), &path, &sandbox(), &limits, &mut |_| ()).expect("checked")
}

#[test]
fn a_right_terminal_game_is_right() {
    let report = check_game(0);
    assert!(report.is_right(), "{report:#?}");
    assert_eq!(report.groups.len(), 3, "{report:#?}");
    assert!(
        report.groups.iter().all(|group| group.total >= 3),
        "{report:#?}"
    );
}

#[test]
fn faults_of_terminal_games_are_found_with_the_keys_that_show_them() {
    let faults = [
        (1, "terminal turns"),
        (3, "terminal keys"),
        (4, "terminal keys"),
        (5, "terminal turns"),
        (6, "terminal end"),
    ];
    for (fault, group) in faults {
        let report = check_game(fault);
        let found = report
            .examples
            .iter()
            .find(|example| example.group == group);
        let found = found.unwrap_or_else(|| panic!("fault {fault}: {report:#?}"));
        assert!(found.calls[0].starts_with("I "), "{found:#?}");
        assert!(found.calls.len() <= 12, "fault {fault}: {found:#?}");
    }
}

#[test]
fn a_prompt_without_its_golden_move_is_shown_by_one_key() {
    let report = check_game(2);
    let example = &report.examples[0];
    assert_eq!(example.calls, ["I 4 3 2 2", "Space"], "{report:#?}");
    assert_eq!(
        example.expected,
        "a line `PLAYER 2 0 11 G` after the last key"
    );
    assert_eq!(example.got, "finally `PLAYER 2 0 11`");
}

#[test]
fn a_program_without_a_terminal_game_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = batch_program(folder.path(), "#!/bin/sh\nexit 3\n");
    let limits = WorkLimits::default();
    let checked = check_terminal(assignment(), &path, &sandbox(), &limits, &mut |_| ());
    let report = checked.expect("ran");
    assert_eq!(report.examples.len(), 1, "{report:#?}");
    let expected = "a line `PLAYER 1 0 12` before the first key";
    assert_eq!(report.examples[0].expected, expected);
    assert!(report.groups.iter().all(|group| group.passed == 0));
}
