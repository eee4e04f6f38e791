use std::fs;
use std::path::Path;

use floe_arena::journal::{RecordWriter, read_file};
use floe_games::record::Record;
use insta::assert_snapshot;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::{floe, transcript};

const CUP: &str = r#"
game = "flood"

[boards]
setup = "5x4"
seed = 3

[entrants]
hungry = "greedy:seed=1"
lucky = "random:seed=2"
dull = "random:seed=9"
"#;

/// A folder with a tournament in it.
fn cup(text: &str) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("cup.toml"), text).unwrap();
    folder
}

fn run(arguments: &str, folder: &Path) -> (String, String, i32) {
    let output = floe(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().unwrap(),
    )
}

/// The games of a cup as if no time had passed, in their order.
fn timeless(folder: &Path) -> Vec<Record> {
    let records = read_file(&folder.join("cup.jsonl")).unwrap();
    let mut records: Vec<Record> = records.map(Result::unwrap).collect();
    for record in &mut records {
        record.opening.began = 0;
        for event in &mut record.events {
            if let floe_games::record::Event::Move(made) = event {
                made.wall_us = 0;
            }
        }
    }
    records.sort_by_key(|record| record.opening.id.parse::<u64>().unwrap());
    records
}

fn write(records: &[Record], path: &Path) {
    let mut journal = RecordWriter::open(path).unwrap();
    for record in records {
        journal.append(record).unwrap();
    }
}

#[test]
fn a_tournament_is_played_and_asked_about() {
    let folder = cup(CUP);
    let folder = folder.path();
    let (out, err, code) = run(
        "tournament cup.toml --csv=table.csv --markdown=table.md",
        folder,
    );
    let next = "\nlook at the games with floe games cup.toml\n";
    assert_eq!((err.as_str(), code), (next, 0));
    assert!(
        out.contains("cup: flood, round-robin, 6 games, finished"),
        "{out}"
    );
    assert!(out.contains("points/games against"), "{out}");
    assert!(
        fs::read_to_string(folder.join("table.csv"))
            .unwrap()
            .contains("hungry")
    );
    assert!(
        fs::read_to_string(folder.join("table.md"))
            .unwrap()
            .starts_with("# cup\n")
    );
    // Again: there is nothing left to play.
    let (again, err, code) = run("tournament cup.toml", folder);
    let said = format!("6 games of 6 were played before\n{next}");
    assert_eq!((&again, err, code), (&out, said, 0));
    assert_eq!(run("standings cup.toml", folder), (out, String::new(), 0));
    let (_, err, code) = run("standings cup", folder);
    let meant = "error: cup does not exist; did you mean cup.toml?\n";
    assert_eq!((err.as_str(), code), (meant, 2));
    let (json, _, _) = run("standings cup.toml --json", folder);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["games"], &json["is_finished"]),
        (&6.into(), &true.into())
    );
    let (verified, _, code) = run("verify cup.jsonl", folder);
    assert_eq!(
        (verified.as_str(), code),
        ("cup.jsonl: ok, 6 games, 6 in the index\n", 0)
    );
    let (archive, _, code) = run("standings . --csv", folder);
    assert_eq!((archive.lines().count(), code), (4, 0));
}

#[test]
fn games_are_listed_and_picked() {
    let folder = cup(CUP);
    run("tournament cup.toml --quiet", folder.path());
    // The same games without times, so that the lists stay as they are.
    let mut records = timeless(folder.path());
    let mut fault = floe_games::Fault::new(
        floe_rules::Player::new(0),
        floe_games::FaultKind::Timeout,
        "no answer within 1000 ms",
    );
    fault.stderr = "thinking".into();
    records[4]
        .events
        .push(floe_games::record::Event::Fault(Box::new(fault)));
    let other = tempdir().unwrap();
    write(&records, &other.path().join("games.jsonl"));
    for (name, arguments) in [
        ("all", "games games.jsonl"),
        ("pair", "games games.jsonl --of hungry --of dull"),
        ("fault", "games games.jsonl --fault timeout"),
        ("json", "games games.jsonl --faulty --json"),
        ("csv", "games games.jsonl --of dull --csv"),
        ("none", "games games.jsonl --fault crash"),
        ("unknown", "games games.jsonl --of nobody"),
        ("unit", "games games.jsonl --unit 2 --most 1"),
    ] {
        assert_snapshot!(
            format!("games_{name}"),
            transcript(arguments, other.path(), "")
        );
    }
    assert_snapshot!(
        "standings",
        transcript("standings games.jsonl", other.path(), "")
    );
    assert_snapshot!(
        "standings_colour",
        transcript("standings games.jsonl --color always", other.path(), "")
    );
    let (out, _, _) = run("games games.jsonl --unit 1 --records", other.path());
    fs::write(other.path().join("part.jsonl"), out).unwrap();
    let part = read_file(&other.path().join("part.jsonl")).unwrap();
    let part: Vec<Record> = part.map(Result::unwrap).collect();
    assert_eq!(part, records[..2]);
    // A lie is found out, in the record and against the index; so is a fault after the end.
    let path = other.path().join("games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replacen("\"scores\":[19,1]", "\"scores\":[18,2]", 1),
    )
    .unwrap();
    assert_snapshot!(
        "verify_wrong",
        transcript("verify games.jsonl", other.path(), "")
    );
    assert_snapshot!(
        "verify_json",
        transcript("verify games.jsonl part.jsonl --json", other.path(), "")
    );
    assert_snapshot!(
        "verify_missing",
        transcript("verify none.jsonl", other.path(), "")
    );
}

#[test]
fn what_is_wrong_is_told_before_anything_is_played() {
    let folder = cup(CUP);
    let wrong = CUP.replace("greedy:seed=1", "greedy:speed=1");
    fs::write(folder.path().join("wrong.toml"), wrong).unwrap();
    for (name, arguments) in [
        ("entrant", "tournament wrong.toml"),
        ("missing", "tournament none.toml"),
        ("not_started", "standings cup.toml"),
        ("not_there", "games none.jsonl"),
    ] {
        assert_snapshot!(
            format!("tournament_{name}"),
            transcript(arguments, folder.path(), "")
        );
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        2,
        "nothing is left behind"
    );
}

#[test]
fn changes_are_refused_accepted_or_started_anew() {
    let folder = cup(CUP);
    run("tournament cup.toml --quiet", folder.path());
    let file = folder.path().join("cup.toml");
    fs::write(&file, CUP.replace("random:seed=2", "random:seed=3")).unwrap();
    assert_snapshot!(
        "tournament_changed",
        transcript("tournament cup.toml", folder.path(), "")
    );
    let (_, _, code) = run("tournament cup.toml --accept-changes", folder.path());
    assert_eq!(code, 0);
    let (_, err, _) = run("standings cup.toml", folder.path());
    assert!(
        err.contains("lucky was random:seed=2 and is random:seed=3 now"),
        "{err}"
    );
    fs::write(&file, CUP.replace("5x4", "4x4")).unwrap();
    let seen = transcript("tournament cup.toml --accept-changes", folder.path(), "");
    assert_snapshot!("tournament_changed_for_good", seen);
    let (out, err, code) = run("tournament cup.toml --fresh", folder.path());
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("6 games, finished"), "{out}");
    assert!(
        err.starts_with("note: the earlier games are in ./cup.1.jsonl now\n"),
        "{err}"
    );
    assert!(folder.path().join("cup.1.jsonl").exists());
}
