use std::fs;

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::tempdir;

use crate::{finished, floe, games, midgame, played, transcript};

/// What a machine is told about a position given on standard input.
fn json(arguments: &str, position: &str) -> Value {
    let output = floe(&format!("{arguments} --json"))
        .write_stdin(position)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_best_moves_stand_in_a_list() {
    let folder = tempdir().unwrap();
    // An engine no game changes, so that the lists stay as they are when engines get better.
    for game in games() {
        fs::write(folder.path().join("board.txt"), midgame(game, "9x7")).unwrap();
        let arguments = format!("hint {game} board.txt --engine alphabeta --nodes 5k --top 3");
        let seen = transcript(&arguments, folder.path(), "");
        assert_snapshot!(format!("hint_{game}"), seen);
    }
}

#[test]
fn three_players_have_a_score_each() {
    let folder = tempdir().unwrap();
    let board = midgame("gamma", "5x5,players=3");
    for (look, arguments) in [("plain", ""), ("colour", " --color always")] {
        let arguments = format!("hint gamma - --engine maxn --depth 2{arguments}");
        let seen = transcript(&arguments, folder.path(), &board);
        assert_snapshot!(format!("hint_three_players_{look}"), seen);
    }
}

#[test]
fn one_player_leads_nobody() {
    let folder = tempdir().unwrap();
    let board = midgame("gamma", "4x3,players=1");
    let seen = transcript("hint gamma - --nodes 1k", folder.path(), &board);
    assert!(
        seen.contains("player 1") && !seen.contains("lead"),
        "{seen}"
    );
}

#[test]
fn what_is_proven_is_said() {
    let folder = tempdir().unwrap();
    let board = played("gamma", "3x3", "random", 2);
    let arguments = "hint gamma - --engine alphabeta --nodes 1M";
    let seen = transcript(arguments, folder.path(), &board);
    assert!(seen.contains("proven"), "{seen}");
    assert_snapshot!("hint_proven", seen);
}

#[test]
fn a_machine_is_told_the_same() {
    let folder = tempdir().unwrap();
    let board = midgame("flood", "9x7");
    let arguments = "hint flood - --engine alphabeta --nodes 5k --top 2 --json";
    assert_snapshot!("hint_json", transcript(arguments, folder.path(), &board));
}

#[test]
fn every_game_gives_hints_with_its_best_engine() {
    for game in games() {
        for setup in ["9x7", "20x20"] {
            let board = midgame(game, setup);
            let hint = json(&format!("hint {game} - --nodes 300"), &board);
            let again = json(&format!("hint {game} - --engine floe:nodes=300"), &board);
            assert_eq!(hint, again, "the same nodes, the same hint");

            let table = floe_games::find(game).unwrap().read(&board).unwrap();
            assert_eq!(hint["turn"], table.turn().unwrap().number());
            assert_eq!(hint["engine"], "floe:nodes=300");
            let moves = hint["moves"].as_array().unwrap();
            assert!((1..=3).contains(&moves.len()), "{hint}");
            for hint in moves {
                let mut after = table.clone();
                assert_eq!(hint["line"][0], hint["move"]);
                for mv in hint["line"].as_array().unwrap() {
                    after.play(mv.as_str().unwrap()).unwrap();
                }
                assert_eq!(hint["scores"].as_array().unwrap().len(), 2);
            }
        }
    }
}

#[test]
fn no_more_moves_are_shown_than_wanted() {
    let board = midgame("flood", "9x7");
    for (top, shown) in [("1", 1), ("2", 2), ("50", 3)] {
        let hint = json(&format!("hint flood - --depth 2 --top {top}"), &board);
        assert_eq!(hint["moves"].as_array().unwrap().len(), shown, "{hint}");
    }
}

#[test]
fn a_moment_is_time_enough() {
    for game in games() {
        let hint = json(&format!("hint {game} - --time 1ms"), &midgame(game, "9x7"));
        assert!(hint["moves"][0]["move"].is_string(), "{hint}");
    }
}

#[test]
fn a_finished_game_is_no_and_its_scores() {
    let folder = tempdir().unwrap();
    for game in games() {
        let seen = transcript(&format!("hint {game} -"), folder.path(), &finished(game));
        assert!(seen.ends_with("--- exit 1\n"), "{seen}");
        assert_snapshot!(format!("hint_{game}_over"), seen);
    }
    let seen = transcript("hint flood - --json", folder.path(), &finished("flood"));
    assert_snapshot!("hint_over_json", seen);
}

#[test]
fn what_cannot_be_thought_about_is_explained() {
    let folder = tempdir().unwrap();
    let board = midgame("flood", "4x3");
    let wrong = "J\n@#+\n#!+\n.#@\n";
    for (name, arguments, input) in [
        ("file", "hint flood nowhere.txt", ""),
        ("position", "hint flood -", wrong),
        ("engine", "hint flood - --engine stockfish", &board),
        ("level", "hint flood - --engine floe:brutal", &board),
        ("time", "hint flood - --time soon", &board),
        (
            "twice",
            "hint flood - --engine floe:nodes=5 --nodes 7",
            &board,
        ),
        ("dice", "hint flood - --engine random --time 1s", &board),
        ("top", "hint flood - --top 0", &board),
    ] {
        let seen = transcript(arguments, folder.path(), input);
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
        assert_snapshot!(format!("hint_bad_{name}"), seen);
    }
}
