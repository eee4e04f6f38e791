//! `floe match`, and what `floe replay` and `floe export` make of its records.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::floe;

fn run(arguments: &[&str], folder: &Path) -> (String, String, i32) {
    let mut command = floe("");
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().unwrap(),
    )
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    let (out, err, code) = run(arguments, folder);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}\n{out}"))
}

/// A folder with a program that gives up after saying why.
#[cfg(unix)]
fn folder() -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let bot = folder.path().join("bot");
    fs::write(&bot, "#!/bin/sh\necho 'no idea' >&2\nexit 7\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn engines_play_whole_pairs_and_the_same_match_twice() {
    let folder = tempdir().unwrap();
    for game in crate::games() {
        let words = [
            "match",
            game,
            "floe:nodes=50",
            "random",
            "--pairs",
            "3",
            "--setup",
            "5x5",
            "--json",
        ];
        let told = json(&words, folder.path());
        assert_eq!(told["units"], 3);
        let pairs = told["pairs"].as_object().unwrap();
        assert_eq!(pairs.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 3);
        for seat in told["seats"].as_array().unwrap() {
            let count = |key: &str| seat[key].as_u64().unwrap();
            assert_eq!(count("games"), 6);
            assert_eq!(count("wins") + count("draws") + count("losses"), 6);
        }
        let again = json(&words, folder.path());
        assert_eq!(told["pairs"], again["pairs"]);
        assert_eq!(told["seats"][0]["margin"], again["seats"][0]["margin"]);
    }
}

#[test]
fn three_at_a_table_meet_in_every_rotation() {
    let folder = tempdir().unwrap();
    let words = [
        "match", "gamma", "greedy", "random", "random", "--pairs", "2", "--json",
    ];
    let told = json(&words, folder.path());
    assert_eq!(told["units"], 2);
    assert!(told["pairs"].is_null());
    assert_eq!(told["seats"][2]["name"], "random (2)");
    assert_eq!(told["seats"][0]["games"], 6);
}

/// A test between two seats of very different strength, and what it says.
fn tested(seats: [&str; 2], more: &[&str]) -> Value {
    let folder = tempdir().unwrap();
    let words = [
        "match", "penguins", seats[0], seats[1], "--setup", "6x6", "--json",
    ];
    json(&[&words[..], more].concat(), folder.path())
}

#[test]
fn a_test_accepts_what_the_games_say() {
    let test = ["--sprt", "elo0=0,elo1=50"];
    for (seats, verdict, losers) in [
        (["random", "floe:nodes=500"], "elo0", 0),
        (["floe:nodes=500", "random"], "elo1", 1),
    ] {
        for model in ["", ",model=logistic"] {
            let test = format!("elo0=0,elo1=50{model}");
            let told = tested(seats, &["--sprt", &test]);
            assert_eq!(told["sprt"]["verdict"], verdict, "{seats:?} {test}");
            let wins = told["seats"][losers]["wins"].as_u64().unwrap();
            assert!(wins <= 2, "{told}");
        }
    }
    let told = tested(
        ["floe:nodes=500", "random"],
        &[&test[..], &["--pairs", "1"]].concat(),
    );
    assert_eq!(told["sprt"]["verdict"], "undecided");
}

#[test]
fn a_test_ends_when_it_is_clear() {
    let folder = tempdir().unwrap();
    let words = [
        "match",
        "penguins",
        "floe:nodes=300",
        "random",
        "--setup",
        "6x6,penguins=2",
    ];
    let words = [&words[..], &["--sprt", "elo0=0,elo1=100", "--json"]].concat();
    let told = json(&words, folder.path());
    assert_eq!(told["sprt"]["verdict"], "elo1");
    let (_, err, code) = run(
        &["match", "penguins", "random", "random", "--sprt", "elo0=9"],
        folder.path(),
    );
    assert_eq!(code, 2);
    assert!(err.contains("elo1 is missing"), "{err}");
}

#[test]
#[cfg(unix)]
fn a_program_that_fails_is_told_why_and_can_look_at_it() {
    let folder = folder();
    let here = folder.path();
    let words = [
        "match", "flood", "./bot", "greedy", "--pairs", "1", "--setup", "4x4", "--time", "60s",
    ];
    let (out, err, code) = run(&[&words[..], &["--records", "g.jsonl"]].concat(), here);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("2 gave up"), "{out}");
    assert!(
        out.contains("gave up by ./bot in game 1: it ended with exit code 7"),
        "{out}"
    );
    assert!(out.contains("stderr: no idea"), "{out}");
    assert!(out.contains("floe replay g.jsonl --game 1"), "{out}");

    let (out, err, code) = run(&["replay", "g.jsonl", "--game", "1"], here);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("gave up by ./bot at move 1"), "{out}");
    assert!(
        out.contains("floe export g.jsonl --game 1 --at 0 --asked"),
        "{out}"
    );
    assert!(out.contains("stderr: no idea"), "{out}");
    assert!(out.contains("1. greedy with 16"), "{out}");
    assert!(out.contains("2. ./bot with 0, disqualified"), "{out}");

    let (out, _, code) = run(
        &["export", "g.jsonl", "--game", "1", "--at", "0", "--asked"],
        here,
    );
    assert_eq!(code, 0);
    assert!(out.starts_with("J\n"), "{out}");
    let (_, err, code) = run(&["export", "g.jsonl", "--game", "1", "--at", "5"], here);
    assert_eq!(code, 2);
    assert!(err.contains("the game has 0 moves"), "{err}");
    let (_, err, code) = run(&["replay", "g.jsonl"], here);
    assert_eq!(code, 2);
    assert!(
        err.contains("has 2 games; choose one with --game ID"),
        "{err}"
    );
    let (_, err, _) = run(&["replay", "g.jsonl", "--game", "9"], here);
    assert!(err.contains("no game 9 among its 2"), "{err}");
}

#[test]
#[cfg(unix)]
fn what_a_program_wrote_to_standard_error_is_shown_with_its_moves() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::set_permissions(here, fs::Permissions::from_mode(0o755)).unwrap();
    // Its second move is illegal, which is none of this test's concern.
    let text = "echo awake >&2; read greeting; echo ok\n\
                while read word time; do [ \"$word\" = go ] || continue\n\
                for line in 1 2 3 4 5; do echo \"line $line\" >&2; done; echo move a1; done\n";
    fs::write(here.join("bot.sh"), text).unwrap();
    let seats = ["line:sh bot.sh", "random"];
    let words = [
        "match",
        "gamma",
        seats[0],
        seats[1],
        "--pairs",
        "1",
        "--setup",
        "8x2",
        "--records",
        "g.jsonl",
        "--time",
        "60s",
    ];
    let (out, err, code) = run(&words, here);
    assert_eq!(code, 0, "{err}\n{out}");
    let (out, err, code) = run(&["replay", "g.jsonl", "--game", "1"], here);
    assert_eq!(code, 0, "{err}");
    let first = "  stderr: 3 lines before these, see --at 1\n  stderr: line 3\n";
    assert!(out.contains(first), "{out}");
    let (out, err, code) = run(&["replay", "g.jsonl", "--game", "1", "--at", "1"], here);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("  stderr: awake\n  stderr: line 1\n"), "{out}");
}

#[test]
fn any_position_of_a_record_is_drawn_and_taken_out() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    for game in crate::games() {
        let file = format!("{game}.jsonl");
        let words = [
            "match", game, "greedy", "random", "--pairs", "1", "--setup", "5x5",
        ];
        let (_, err, code) = run(&[&words[..], &["--records", &file]].concat(), here);
        assert_eq!(code, 0, "{err}");
        let (first, ..) = run(&["export", &file, "--game", "2", "--at", "0"], here);
        let (third, ..) = run(&["export", &file, "--game", "2", "--at", "3"], here);
        assert_ne!(first, third);
        let (shown, err, code) = run(&["replay", &file, "--game", "2", "--at", "3"], here);
        assert_eq!(code, 0, "{err}");
        assert!(shown.contains("after move 3: "), "{shown}");
        fs::write(here.join("position"), third).unwrap();
        let (drawn, err, code) = run(&["show", game, "position"], here);
        assert_eq!(code, 0, "{err}");
        assert!(
            shown.starts_with(drawn.lines().next().unwrap()),
            "{shown}\n{drawn}"
        );
    }
}

#[test]
fn a_seat_that_is_not_there_is_told_before_the_first_game() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("bot.py"), "").unwrap();
    for (seat, why) in [
        ("flow", "`flow` is neither an engine nor a program"),
        ("./nobody", "./nobody: there is no such file"),
        ("./bot.py", "chmod +x ./bot.py"),
        ("floe:strong", "floe:strong: "),
        ("human", "`human` plays with `floe play`"),
        ("sh nobody.sh", "there is no file nobody.sh"),
    ] {
        let (out, err, code) = run(&["match", "flood", seat, "random"], folder.path());
        assert_eq!((out.as_str(), code), ("", 2), "{seat}");
        assert!(err.contains(why), "{seat}: {err}");
    }
    let words = ["match", "flood", "random", "random", "random"];
    let (_, err, code) = run(&words, folder.path());
    assert_eq!(code, 2);
    assert!(
        err.contains("the board is for 2 and 3 seats are given"),
        "{err}"
    );
    let (_, err, _) = run(
        &["match", "flood", "random", "random", "--time", "soon"],
        folder.path(),
    );
    assert!(err.contains("write a time up to an hour"), "{err}");
}

#[test]
#[cfg(unix)]
fn interrupted_a_match_tells_what_it_has() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempdir().unwrap();
    let records = folder.path().join("g.jsonl");
    let child = Command::new(assert_cmd::cargo::cargo_bin("floe"))
        .args([
            "match",
            "penguins",
            "floe:nodes=200",
            "random",
            "--pairs",
            "1000000",
            "--records",
        ])
        .arg(&records)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&records).map_or(0, |data| data.len()) < 10_000 {
        assert!(Instant::now() < end, "no game was played");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("floe:nodes=200"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stopped"));
}

#[test]
fn records_are_packed_and_read_all_the_same() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let game = ["match", "flood", "greedy", "random", "--setup", "5x5"];
    let play: Vec<&str> = [&game[..], &["--pairs", "3", "--records", "a.jsonl"]].concat();
    assert_eq!(run(&play, here).2, 0);
    let before = run(&["games", "a.jsonl"], here).0;
    let (out, err, code) = run(&["archive", "a.jsonl", "--remove"], here);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("a.jsonl.zst: 6 games, "), "{out}");
    assert!(!here.join("a.jsonl").exists() && !here.join("a.sqlite").exists());
    assert_eq!(run(&["verify", "a.jsonl.zst"], here).2, 0);
    let after = run(&["games", "a.jsonl.zst"], here).0;
    assert_eq!(after.replace("a.jsonl.zst", "a.jsonl"), before);
    assert_eq!(run(&["replay", "a.jsonl.zst", "--game", "6"], here).2, 0);

    // Nothing is overwritten, and nothing is made of what is no file of records.
    assert_eq!(run(&play, here).2, 0);
    let (_, err, code) = run(&["archive", "a.jsonl"], here);
    assert_eq!(code, 2);
    assert!(err.contains("a.jsonl.zst"), "{err}");
    fs::write(here.join("b.jsonl"), "{}\n").unwrap();
    let (_, err, code) = run(&["archive", "b.jsonl"], here);
    assert_eq!(code, 2);
    assert!(err.contains("b.jsonl"), "{err}");
    assert_eq!(run(&["archive", "nowhere.jsonl"], here).2, 2);
    assert_eq!(run(&["archive", "a.jsonl", "-o", "a.gz"], here).2, 2);
    assert!(!here.join("nowhere.jsonl").exists() && !here.join("b.jsonl.zst").exists());
}

/// A match, its standings and its report are tables of the same games.
#[test]
fn every_table_has_the_same_intervals() {
    for seats in [&["greedy", "random"][..], &["greedy", "random", "random"]] {
        let folder = tempdir().unwrap();
        let here = folder.path();
        let words = [
            "match",
            "gamma",
            "--setup",
            "5x5",
            "--pairs",
            "3",
            "--records",
            "r.jsonl",
            "--json",
        ];
        let told = json(&[&words[..2], seats, &words[2..]].concat(), here);
        let standings = json(&["standings", "r.jsonl", "--json"], here);
        let (out, err, code) = run(&["standings", "r.jsonl"], here);
        assert_eq!(code, 0, "{err}");
        let (_, err, code) = run(&["report", "r.jsonl", "-o", "r.html"], here);
        assert_eq!(code, 0, "{err}");
        let page = fs::read_to_string(here.join("r.html")).unwrap();
        let rows = standings["rows"].as_array().unwrap();
        for seat in told["seats"].as_array().unwrap() {
            let row = rows.iter().find(|row| row["name"] == seat["name"]).unwrap();
            assert_eq!(row["elo"], seat["elo"], "{row} {seat}");
            let end = |name: &str| seat["elo"][name].as_f64().unwrap();
            let margin = format!("{:.0}", (end("high") - end("low")) / 2.0);
            let name = seat["name"].as_str().unwrap();
            let cell = format!(" {name}  ");
            let line = out.lines().find(|line| line.contains(&cell)).unwrap();
            assert!(
                line.split_whitespace().any(|word| word == margin),
                "{margin}: {line}"
            );
            assert!(page.contains(&margin), "{margin}");
        }
        if let [one, _] = seats {
            // The advantage over one opponent is twice that over the mean of both.
            let twice = told["seats"][0]["elo"]["value"].as_f64().unwrap() * 2.0;
            let elo = told["elo"]["value"].as_f64().unwrap();
            assert!((elo - twice).abs() < 0.05, "{elo} {twice}");
            let side = if elo < 0.0 { "below" } else { "above" };
            let words = [
                "match", "gamma", "greedy", "random", "--setup", "5x5", "--pairs", "3",
            ];
            let (out, _, _) = run(&words, here);
            assert!(out.contains(&format!(" {side} random")), "{out}");
            assert!(
                out.contains(&format!("{one} is {:.0} ± ", elo.abs())),
                "{out}"
            );
        }
    }
}

/// However one-sided a match is, something is known: the least Elo it shows.
#[test]
fn a_one_sided_match_has_a_bound() {
    let folder = tempdir().unwrap();
    let words = [
        "match",
        "flood",
        "floe:nodes=500",
        "random",
        "--setup",
        "8x8",
    ];
    let mut words: Vec<&str> = words.to_vec();
    words.extend(["--pairs", "12", "--quiet"]);
    let (out, _, code) = run(&words, folder.path());
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("floe:nodes=500 is at least 162 Elo above random, with 95 %\n"),
        "{out}"
    );
    assert!(out.contains("No more is known: not enough games"), "{out}");
    words.push("--json");
    let told = json(&words, folder.path());
    let bound = told["elo_bound"]["at_least"].as_f64().unwrap();
    assert!(bound > 150.0);
    assert!(told["elo"]["value"].as_f64().unwrap() > bound, "{told}");
}
