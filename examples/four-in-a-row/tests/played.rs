//! The fourth game does all that the other games do, from the command line.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

fn floe(home: &TempDir) -> Command {
    let mut command = Command::cargo_bin("four-in-a-row").unwrap();
    command.current_dir(home).env("FLOE_HOME", home.path());
    command
}

fn said(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn a_match_is_recorded_verified_and_reviewed() {
    let home = tempfile::tempdir().unwrap();
    let table = said(floe(&home).args([
        "match",
        "four-in-a-row",
        "floe:nodes=500",
        "random",
        "--pairs",
        "3",
        "--setup",
        "5x5",
        "--seed",
        "1",
        "--records",
        "games.jsonl",
        "-q",
    ]));
    assert!(table.contains("floe:nodes=500"), "{table}");
    let verified = said(floe(&home).args(["verify", "games.jsonl"]));
    assert!(verified.contains("6 games"), "{verified}");
    let review = said(floe(&home).args(["review", "games.jsonl", "--game", "1"]));
    assert!(review.contains("Four in a Row"), "{review}");
}

#[test]
fn a_win_is_seen() {
    let home = tempfile::tempdir().unwrap();
    fs::write(
        home.path().join("board.txt"),
        "1\n.....\n.....\n.....\n222..\n111..\n",
    )
    .unwrap();
    let hint = said(floe(&home).args(["hint", "four-in-a-row", "board.txt", "--nodes", "2k"]));
    assert!(hint.contains("d  ") && hint.contains("proven"), "{hint}");
    let drawn = said(floe(&home).args(["show", "four-in-a-row", "board.txt"]));
    assert!(drawn.contains('1'), "{drawn}");
}

#[test]
fn a_tournament_has_standings() {
    let home = tempfile::tempdir().unwrap();
    let text = "game = \"four-in-a-row\"\n[boards]\ncount = 2\n[entrants]\ngreedy = \"greedy\"\nrandom = \"random:seed=1\"\n";
    fs::write(home.path().join("cup.toml"), text).unwrap();
    floe(&home)
        .args(["tournament", "cup.toml", "-q"])
        .assert()
        .success();
    let table = said(floe(&home).args(["standings", "cup.toml"]));
    assert!(
        table.contains("greedy") && table.contains("random"),
        "{table}"
    );
}

#[test]
fn a_wrong_board_is_explained() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("board.txt"), "1\n.1.\n...\n.2.\n").unwrap();
    let output = floe(&home)
        .args(["check", "four-in-a-row", "board.txt"])
        .assert()
        .failure();
    let said = String::from_utf8(output.get_output().stderr.clone()).unwrap()
        + &String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(said.contains("board.txt:2:2"), "{said}");
}
