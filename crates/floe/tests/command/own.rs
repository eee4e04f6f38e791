//! What is about somebody's own games: settings, kept games, rules, and looking back.

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::tempdir;

use crate::{floe, transcript};

/// Standard output, standard error and the exit code of `floe` with the user's things here.
fn at_home(home: &std::path::Path, arguments: &str) -> (String, String, i32) {
    let mut command = floe(arguments);
    let output = command.env("FLOE_HOME", home).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), code)
}

#[test]
fn what_is_preferred_is_remembered() {
    let home = tempdir().unwrap();
    let run = |words: &str| at_home(home.path(), words);
    let (listed, _, _) = run("config");
    assert!(
        listed.contains("theme") && listed.contains("auto"),
        "{listed}"
    );
    assert_eq!(run("config set ascii true").2, 0);
    assert_eq!(run("config get ascii").0, "true\n");
    let board = run("new gamma --setup 3x2").0;
    std::fs::write(home.path().join("board"), board).unwrap();
    let path = home.path().join("board");
    let show = format!("show gamma {}", path.display());
    let (drawn, problem, _) = run(&show);
    assert!(drawn.is_ascii() && !drawn.is_empty(), "{drawn}{problem}");
    // A change tells how to undo it.
    let (said, _, _) = run("config set theme light");
    let undo = "theme is light, it was auto; undo: floe config set theme auto\n";
    assert_eq!(said, undo);
    let (said, _, _) = run("config unset theme");
    assert!(said.starts_with("theme is auto, it was light; "), "{said}");
    assert_eq!(run("config unset theme").0, "theme is auto, as before\n");
    let (_, problem, code) = run("config set theme pink");
    assert_eq!(code, 2);
    assert!(
        problem.contains("theme cannot be pink: auto, dark"),
        "{problem}"
    );
    // A file somebody spoilt is told about and stays as it is.
    let file = home.path().join("config.toml");
    std::fs::write(&file, "ascii = true\ncolour = 3\n").unwrap();
    for words in [show.as_str(), "config", "config set ascii false"] {
        let (_, problem, code) = run(words);
        assert_eq!(code, 2, "{words}");
        assert!(
            problem.contains("config.toml:2: unknown field `colour`"),
            "{problem}"
        );
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept, "ascii = true\ncolour = 3\n");
}

#[test]
fn rules_are_printed() {
    let folder = tempdir().unwrap();
    for game in crate::games() {
        let seen = transcript(&format!("rules {game}"), folder.path(), "");
        assert_snapshot!(format!("rules_{game}"), seen);
    }
}

#[test]
fn a_games_name_plays_it() {
    for game in crate::games() {
        let output = floe(game).output().unwrap();
        let problem = String::from_utf8(output.stderr).unwrap();
        assert!(problem.contains("floe play needs a terminal"), "{problem}");
        let output = floe(&format!("{game} --seed x")).output().unwrap();
        let problem = String::from_utf8(output.stderr).unwrap();
        assert!(
            problem.contains("invalid value 'x' for '--seed"),
            "{problem}"
        );
    }
}

#[test]
fn ones_own_games_are_listed() {
    let home = tempdir().unwrap();
    let (said, _, code) = at_home(home.path(), "games");
    assert_eq!(code, 1);
    assert!(said.contains("there are no saved games yet"), "{said}");
    let games = home.path().join("games");
    std::fs::create_dir(&games).unwrap();
    let file = games.join("000001.jsonl");
    let words = "match gamma greedy greedy --setup 3x3 --pairs 1 --seed 5 --records";
    assert_eq!(
        at_home(home.path(), &format!("{words} {}", file.display())).2,
        0
    );
    let (said, _, code) = at_home(home.path(), "games");
    assert_eq!(code, 0);
    assert!(
        said.contains("Gamma") && said.contains("floe replay"),
        "{said}"
    );
    let (said, _, _) = at_home(home.path(), "games --json");
    let game: Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(game["game"], "gamma");
    assert!(game["end"]["scores"].is_array(), "{game}");
}

#[test]
fn a_look_back_says_what_moves_lost() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let words = "match gamma greedy:seed=1 random:seed=2 --setup 4x4 --pairs 1 --seed 5 --records";
    assert_eq!(
        at_home(folder.path(), &format!("{words} {}", file.display())).2,
        0
    );
    let seen = transcript(
        "review games.jsonl --game 1 --nodes 2000",
        folder.path(),
        "",
    );
    assert_snapshot!("review", seen);
    let words = format!("review {} --game 1 --nodes 2000 --json", file.display());
    let (said, problem, code) = at_home(folder.path(), &words);
    assert_eq!(code, 0, "{problem}");
    let told: Value = serde_json::from_str(&said).unwrap();
    let turns = told["turns"].as_array().unwrap();
    assert!(turns.len() > 10);
    for pair in turns.windows(2) {
        assert_eq!(pair[0]["after"], pair[1]["before"]);
    }
    let worst = &told["turning_points"][0];
    let turn = &turns[worst["turn"].as_u64().unwrap() as usize - 1];
    assert_eq!(
        (&worst["loss"], &worst["grade"]),
        (&turn["loss"], &turn["grade"])
    );
    assert_ne!(worst["better"], turn["move"]);
}
