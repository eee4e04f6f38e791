use std::fs;

use insta::assert_snapshot;
use tempfile::tempdir;

use crate::{floe, games, transcript};

/// A game's position after a few of its first moves.
fn midgame(game: &str, setup: &str) -> String {
    let mut table = floe_arena::find(game).unwrap().start(setup, 5).unwrap();
    let mut engine = floe_arena::find(game)
        .unwrap()
        .engine(&"greedy:seed=1".parse().unwrap());
    for _ in 0..9 {
        if table.turn().is_some() {
            let thought = engine.think(&*table, &Default::default()).unwrap();
            table.play(&thought.best).unwrap();
        }
    }
    table.write()
}

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
        let mut table = floe_arena::find(game).unwrap().start("4x3", 5).unwrap();
        let mut engine = floe_arena::find(game)
            .unwrap()
            .engine(&"random:seed=1".parse().unwrap());
        while table.turn().is_some() {
            let thought = engine.think(&*table, &Default::default()).unwrap();
            table.play(&thought.best).unwrap();
        }
        let seen = transcript(&format!("show {game} -"), folder.path(), &table.write());
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
