//! Openings and repeats of `floe match`, and how commands show them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::floe;

fn run(arguments: &[&str], folder: &Path) -> (String, String, i32) {
    let output = floe("").args(arguments).current_dir(folder).output();
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), code)
}

/// A match of engines that always play alike, at Gamma.
fn matched(more: &[&str], folder: &Path) -> (String, String, i32) {
    let words = ["match", "gamma", "floe:nodes=200", "floe:nodes=100", "-q"];
    run(&[&words[..], &["--setup", "6x6"], more].concat(), folder)
}

#[test]
fn a_match_of_engines_repeats_no_game() {
    let folder = tempdir().unwrap();
    let (out, err, code) = matched(&["--pairs", "20", "--json"], folder.path());
    assert_eq!(code, 0, "{err}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&told["games"], &told["different"]),
        (&40.into(), &40.into())
    );
    assert_eq!(
        (&told["opening_moves"], &told["ran_dry"]),
        (&4.into(), &false.into())
    );
}

#[test]
fn a_match_that_brings_nothing_new_ends_and_says_so() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let words = [
        "--pairs",
        "20",
        "--openings",
        "none",
        "--records",
        "g.jsonl",
    ];
    // Games under way when it ends may still come in.
    let words = [&words[..], &["--concurrency", "1"]].concat();
    let (out, err, code) = matched(&words, here);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("\n22 games, 2 different: "), "{out}");
    let reason = "The match ended after 11 of 20 boards: the last 10 brought no new game\n";
    assert!(out.contains(reason), "{out}");
    assert!(out.contains("1 pair for floe:nodes=200"), "{out}");
    assert!(
        !out.contains("--pairs N"),
        "more of the same is no advice: {out}"
    );
    // Gone on with, it is where it was.
    let (again, _, code) = matched(&[&words[..], &["--resume"]].concat(), here);
    assert_eq!(code, 0);
    let timeless = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("floe:nodes=200 "));
        let lines = lines.filter(|line| !line.starts_with("floe:nodes=100 "));
        lines
            .filter(|line| !line.starts_with("seat "))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(timeless(&again), timeless(&out));
    // A test that would go on for ever ends, too.
    let (out, _, code) = matched(&["--openings", "none", "--sprt", "elo0=0,elo1=5"], here);
    assert_eq!(code, 0);
    assert!(
        out.contains("boards: the last 10 brought no new game\n"),
        "{out}"
    );
    assert!(out.contains("not decided"), "{out}");
    // Tables made from the records count alike.
    let (out, err, _) = run(&["standings", "g.jsonl"], here);
    assert!(out.contains("22 games, 2 different"), "{out}{err}");
    let (out, _, _) = run(&["standings", "g.jsonl", "--json"], here);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["rows"][0]["different"], 2);
}

#[test]
fn a_match_is_gone_on_with_on_its_own_boards_only() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let (_, err, code) = matched(&["--pairs", "2", "--records", "g.jsonl"], here);
    assert_eq!(code, 0, "{err}");
    let more = ["--pairs", "3", "--records", "g.jsonl", "--resume"];
    let (_, err, code) = matched(&[&more[..], &["--openings", "none"]].concat(), here);
    assert_eq!(code, 2);
    assert!(
        err.contains("game 1 is of another match: it is on another board"),
        "{err}"
    );
    let (out, err, code) = matched(&more, here);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("3 pairs for"), "{out}");
}

#[test]
fn openings_of_a_file_are_shown_and_verified() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("book.txt"), "a1 f6\nc3 d4 c4 d3\n").unwrap();
    let (out, err, code) = matched(&["--openings", "book.txt", "--records", "g.jsonl"], here);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.starts_with("Gamma 6x6,players=2,areas=3, seed 1, 2 opening moves; "),
        "{out}"
    );
    assert!(
        out.contains("2 pairs for"),
        "as many boards as openings: {out}"
    );
    let (out, _, _) = run(&["replay", "g.jsonl", "--game", "3", "--list"], here);
    assert!(out.contains("\n  opening: c3 d4 c4 d3\n"), "{out}");
    let (out, _, _) = run(&["replay", "g.jsonl", "--game", "3", "--at", "0"], here);
    assert!(out.contains("\nafter the opening: c3 d4 c4 d3\n"), "{out}");
    let (out, _, _) = run(
        &["review", "g.jsonl", "--game", "3", "--nodes", "0.05k"],
        here,
    );
    assert!(out.contains("\nafter the opening: c3 d4 c4 d3\n"), "{out}");
    let (out, _, code) = run(&["verify", "g.jsonl"], here);
    assert_eq!((out.as_str(), code), ("g.jsonl: ok, 4 games\n", 0));
    let text = fs::read_to_string(here.join("g.jsonl")).unwrap();
    let forged: String = (text.replace("\"c3\",\"d4\"", "\"c3\",\"c3\"").lines())
        .map(|line| match line.rsplit_once(",\"check\"") {
            Some((line, _)) => format!("{line}}}\n"),
            None => format!("{line}\n"),
        })
        .collect();
    fs::write(here.join("forged.jsonl"), forged).unwrap();
    let (out, _, code) = run(&["verify", "forged.jsonl"], here);
    assert_eq!(code, 1);
    assert!(out.contains("game 3, opening: move 2, `c3`: "), "{out}");
}

#[test]
fn wrong_openings_are_told_before_the_first_game() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("book.txt"), "a1 b2\na1 a1\n").unwrap();
    let (_, err, code) = matched(&["--openings", "book.txt"], here);
    assert_eq!(code, 2);
    assert!(err.contains("book.txt:2:4: `a1`: "), "{err}");
    let (_, err, code) = matched(&["--openings", "some"], here);
    assert_eq!(code, 2);
    assert!(
        err.contains("openings are none, a number of moves, or a file"),
        "{err}"
    );
}
