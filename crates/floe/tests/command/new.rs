use insta::assert_snapshot;
use tempfile::tempdir;

use crate::{floe, games, stdout, transcript};

#[test]
fn a_seed_makes_the_same_board_again() {
    for game in games() {
        let board = stdout(&format!("new {game} --seed 7"));
        assert_eq!(board, stdout(&format!("new {game} --seed 7")));
        let full = stdout(&format!("new {game} --seed 7 --full"));
        floe_games::find(game).unwrap().read(&full).unwrap();
        assert_snapshot!(format!("new_{game}"), format!("{board}--- full\n{full}"));
    }
}

#[test]
fn without_a_seed_the_board_can_still_be_made_again() {
    for game in games() {
        let arguments = format!("new {game} --size 7x6 --full");
        let output = floe(&arguments).assert().success().get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        let again = said.trim().strip_prefix("again: floe ").unwrap();
        assert_eq!(stdout(again).as_bytes(), output.stdout, "{again}");
    }
}

#[test]
fn size_and_style_are_parts_of_the_setup() {
    let by_options = stdout("new flood --size 9x5 --style fair --seed 2");
    assert_eq!(
        by_options,
        stdout("new flood --setup 9x5,style=fair --seed 2")
    );
    assert_ne!(by_options, stdout("new flood --size 9x5 --seed 2"));
}

#[test]
fn bad_setups_are_explained() {
    let folder = tempdir().unwrap();
    for (name, arguments) in [
        ("size", "new flood --size 10by10 --seed 1"),
        ("nothing", "new flood --size 0x4 --seed 1"),
        ("word", "new flood --size 4x4 --setup colour=red --seed 1"),
        ("seed", "new flood --seed -1"),
    ] {
        let seen = transcript(arguments, folder.path(), "");
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
        assert_snapshot!(format!("new_bad_{name}"), seen);
    }
}

#[cfg(unix)]
#[test]
fn a_reader_who_has_seen_enough_ends_it_quietly() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("floe"))
        .args(["new", "flood", "--size", "300x300", "--seed", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(64, child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!(line, "J\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.status.success(), "{}", output.status);
}
