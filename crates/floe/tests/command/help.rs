use insta::assert_snapshot;
use tempfile::tempdir;

use crate::{floe, stdout, transcript};

#[test]
fn alone_it_shows_an_overview() {
    let folder = tempdir().unwrap();
    assert_snapshot!("overview", transcript("", folder.path(), ""));
    assert_snapshot!(
        "overview_in_colour",
        transcript("--color always", folder.path(), "")
    );
}

#[test]
fn every_command_has_help() {
    let folder = tempdir().unwrap();
    for word in [
        "new",
        "show",
        "check",
        "check library",
        "check batch",
        "grade",
        "hint",
        "puzzle",
        "puzzles",
        "tournament",
        "standings",
        "games",
        "review",
        "report",
        "serve",
        "site",
        "league",
        "league run",
        "league status",
        "league final",
        "worker",
        "cluster",
        "bench",
        "submit",
        "connect",
        "rules",
        "starter",
        "config",
        "verify",
        "solve",
        "perft",
        "doctor",
        "completions",
        "man",
    ] {
        let seen = transcript(&format!("{word} --help"), folder.path(), "");
        assert_snapshot!(format!("help_{}", word.replace(' ', "_")), seen);
    }
    for word in ["new", "invite", "people", "withdraw", "pause", "resume"] {
        let seen = transcript(&format!("league {word} --help"), folder.path(), "");
        assert_snapshot!(format!("help_league_{word}"), seen);
    }
    assert_snapshot!("help", transcript("--help", folder.path(), ""));
    assert_snapshot!("help_new_short", transcript("new -h", folder.path(), ""));
}

#[test]
fn it_tells_its_version() {
    assert_eq!(
        stdout("--version"),
        format!("floe {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn wrong_use_is_told_with_what_would_be_right() {
    let folder = tempdir().unwrap();
    for (name, arguments) in [
        ("unknown_command", "nwe flood"),
        ("unknown_game", "new chess"),
        ("misspelt_game", "show penguin board.txt"),
        ("missing_file", "show flood"),
        ("missing_file_name", "check flood"),
        ("depth_is_no_number", "perft flood deep"),
        ("depth_is_zero", "perft flood 0"),
        ("setup_and_file", "perft flood a.txt 3 --setup 4x4"),
        ("unknown_shell", "completions tcsh"),
    ] {
        let seen = transcript(arguments, folder.path(), "");
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
        assert_snapshot!(format!("wrong_use_{name}"), seen);
    }
}

#[test]
fn no_color_is_honoured_and_always_overrules_it() {
    // Without a terminal there is no colour to begin with, so the variable must not add any.
    let plain = |command: &mut assert_cmd::Command| !command.output().unwrap().stdout.contains(&27);
    assert!(plain(&mut floe("")));
    assert!(plain(floe("").env("NO_COLOR", "1")));
    assert!(plain(
        floe("").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")
    ));
    assert!(plain(floe("--color never").env("CLICOLOR_FORCE", "1")));
    assert!(!plain(floe("--color always").env("NO_COLOR", "1")));
}

#[test]
fn a_misspelt_game_is_suggested() {
    let folder = tempfile::tempdir().unwrap();
    for (word, game) in [("pengiuns", "penguins"), ("flod", "flood")] {
        let seen = crate::transcript(word, folder.path(), "");
        let tip = format!("tip: a similar subcommand exists: '{game}'");
        assert!(
            seen.contains(&tip) && seen.ends_with("--- exit 2\n"),
            "{seen}"
        );
    }
    let seen = crate::transcript("zzzz", folder.path(), "");
    assert!(!seen.contains("tip:"), "{seen}");
}

#[test]
fn a_time_without_a_unit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let seen = crate::transcript("match flood greedy random --time 5", folder.path(), "");
    let why = "a time needs a unit; write 5s or 5ms";
    assert!(
        seen.contains(why) && seen.ends_with("--- exit 2\n"),
        "{seen}"
    );
}
