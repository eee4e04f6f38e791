use std::fs;

use insta::assert_snapshot;
use tempfile::tempdir;

use crate::{games, stdout, transcript};

#[test]
fn what_new_makes_is_ok() {
    let folder = tempdir().unwrap();
    for game in games() {
        let position = stdout(&format!("new {game} --seed 1 --full"));
        fs::write(folder.path().join("start.txt"), position).unwrap();
        let arguments = format!("check {game} start.txt");
        let seen = transcript(&arguments, folder.path(), "");
        let wanted = "--- stdout\nstart.txt: ok\n--- exit 0\n";
        assert_eq!(seen, format!("$ floe {arguments}\n{wanted}"));
    }
}

#[test]
fn every_error_is_shown_in_its_place() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("good.txt"), "J\n@#+\n#+.\n").unwrap();
    fs::write(folder.path().join("bad.txt"), "J\n@#!\n#+\n.?.\n").unwrap();
    fs::write(folder.path().join("bytes.txt"), b"J\n@#\n#\xff\n").unwrap();
    for (name, arguments) in [
        ("plain", "check flood good.txt bad.txt bytes.txt"),
        (
            "colour",
            "check flood good.txt bad.txt bytes.txt --color always",
        ),
        ("json", "check flood good.txt bad.txt bytes.txt --json"),
    ] {
        let seen = transcript(arguments, folder.path(), "");
        assert!(seen.ends_with("--- exit 1\n"), "{seen}");
        assert_snapshot!(format!("check_{name}"), seen);
    }
    let seen = transcript("check flood -", folder.path(), "J\n@#\n##\n!");
    assert_snapshot!("check_standard_input", seen);
}

#[test]
fn what_is_odd_is_remarked_on() {
    let folder = tempdir().unwrap();
    let board = "2 3\n10 21 30\n00 00 02\nfloe 1 1\nother 2 4\n";
    let seen = transcript("check penguins - --color always", folder.path(), board);
    assert!(seen.ends_with("--- exit 1\n"), "{seen}");
    assert_snapshot!("check_remark", seen);
    let seen = transcript("check penguins - --json", folder.path(), board);
    assert_snapshot!("check_remark_json", seen);
}

#[test]
fn a_file_that_cannot_be_read_outweighs_one_that_is_wrong() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("bad.txt"), "J\n@!\n").unwrap();
    let seen = transcript("check flood bad.txt nowhere.txt", folder.path(), "");
    assert!(seen.ends_with("--- exit 2\n"), "{seen}");
    assert_snapshot!("check_unreadable", seen);
    let seen = transcript("check flood nowhere.txt --json", folder.path(), "");
    assert_snapshot!("check_unreadable_json", seen);
}
