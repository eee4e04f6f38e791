use std::fs;

use insta::assert_snapshot;
use tempfile::tempdir;

use crate::{finished, floe, games, midgame, transcript};

#[test]
fn a_position_is_drawn() {
    let folder = tempdir().unwrap();
    for game in games() {
        fs::write(folder.path().join("board.txt"), midgame(game, "9x7")).unwrap();
        for (look, arguments) in [
            ("plain", ""),
            ("ascii", " --ascii"),
            ("colour", " --color always"),
        ] {
            let arguments = format!("show {game} board.txt{arguments}");
            let seen = transcript(&arguments, folder.path(), "");
            assert_snapshot!(format!("show_{game}_{look}"), seen);
        }
    }
}

#[test]
fn a_finished_game_tells_who_won() {
    let folder = tempdir().unwrap();
    for game in games() {
        let seen = transcript(&format!("show {game} -"), folder.path(), &finished(game));
        assert_snapshot!(format!("show_{game}_over"), seen);
    }
}

#[test]
fn a_wide_board_is_drawn_narrow_with_the_players_below() {
    let folder = tempdir().unwrap();
    let board = midgame("flood", "46x4");
    assert_snapshot!(
        "show_wide",
        transcript("show flood -", folder.path(), &board)
    );
}

#[test]
fn a_locale_without_unicode_gets_ascii() {
    let board = midgame("flood", "9x7");
    let seen = |command: &mut assert_cmd::Command| {
        command.write_stdin(board.as_str()).output().unwrap().stdout
    };
    let ascii = seen(&mut floe("show flood - --ascii"));
    assert!(ascii.is_ascii());
    assert_eq!(seen(floe("show flood -").env("LC_ALL", "C")), ascii);
    let locale = |command: &mut assert_cmd::Command| {
        let command = command.env_remove("LC_ALL").env_remove("LC_CTYPE");
        seen(command.env("LANG", "en_US.UTF-8"))
    };
    assert!(!locale(&mut floe("show flood -")).is_ascii());
}

#[test]
fn what_cannot_be_drawn_is_explained() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("bytes.txt"), b"J\n@#\n#\xff\n").unwrap();
    for (name, arguments, input) in [
        ("missing", "show flood nowhere.txt", ""),
        ("folder", "show flood .", ""),
        ("empty", "show flood -", ""),
        ("wrong", "show flood -", "J\n@#+\n#!+\n.#@\n"),
        ("bytes", "show flood bytes.txt", ""),
    ] {
        let seen = transcript(arguments, folder.path(), input);
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
        assert_snapshot!(format!("show_bad_{name}"), seen);
    }
}
