//! The tour and the league to look at.

use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use crate::{floe, transcript};

fn json(folder: &std::path::Path, words: &str) -> Value {
    let output = floe(words).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}: {said}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words}: {error}"))
}

#[test]
fn a_demo_is_a_league_with_games() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    for game in crate::games() {
        let made = json(
            here,
            &format!("demo {game} --game {game} --games 12 --json"),
        );
        assert_eq!(made["games"], 12, "{made}");
        assert_eq!(
            (&made["game"], &made["entrants"]),
            (&game.into(), &6.into())
        );
        let table = json(here, &format!("league status {game} --json"));
        assert!(table.to_string().contains("fulmars"), "{table}");
        let seen = transcript(&format!("games {game}"), here, "");
        assert!(
            seen.contains("12 games") && seen.contains("--- exit 0"),
            "{seen}"
        );
        let seen = transcript(&format!("verify {game}/ladder.jsonl"), here, "");
        assert!(seen.contains("--- exit 0"), "{seen}");
        // Its commands work as they are printed.
        let seen = transcript(
            &format!("replay {game}/ladder.jsonl --game 1 --list"),
            here,
            "",
        );
        assert!(seen.contains("--- exit 0"), "{seen}");
    }
    // Nothing else is left behind.
    let mut left: Vec<_> = fs::read_dir(here)
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    left.sort();
    let mut names: Vec<&str> = crate::games().collect();
    names.sort_unstable();
    assert_eq!(left, names);
}

#[test]
fn a_demo_never_touches_what_is_there() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("empty")).unwrap();
    let seen = transcript("demo empty --games 2", here, "");
    assert!(seen.contains("--- exit 0"), "{seen}");
    assert!(seen.contains("floe serve empty --open"), "{seen}");
    let before = fs::read(here.join("empty/journal.jsonl")).unwrap();
    let seen = transcript("demo empty --games 2", here, "");
    assert!(
        seen.contains("empty is not empty; name a new folder"),
        "{seen}"
    );
    assert!(seen.contains("--- exit 2"), "{seen}");
    assert_eq!(fs::read(here.join("empty/journal.jsonl")).unwrap(), before);
    fs::write(here.join("file"), "mine").unwrap();
    let seen = transcript("demo file", here, "");
    assert!(seen.contains("--- exit 2"), "{seen}");
    let seen = transcript("demo file/under", here, "");
    assert!(seen.contains("--- exit 2"), "{seen}");
    assert_eq!(fs::read_to_string(here.join("file")).unwrap(), "mine");
}

#[test]
fn the_tour_goes_line_by_line_without_a_terminal() {
    let folder = tempdir().unwrap();
    let seen = transcript("tour flood", folder.path(), "#\n@\n+\nquit\n");
    for words in [
        "Step 1 of 6.",
        "Four squares in one move",
        "Step 4 of 6.",
        "The tour ends here.",
    ] {
        assert!(seen.contains(words), "{words}\n{seen}");
    }
    assert!(seen.contains("--- exit 0"), "{seen}");
}
