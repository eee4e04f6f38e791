use std::fs;

use insta::assert_snapshot;
use tempfile::tempdir;

use crate::{games, stdout, transcript};

/// The first two columns of every line: the others are times.
fn counts(table: &str) -> Vec<(u32, u64)> {
    let mut lines = table.lines();
    let heading: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(heading, ["depth", "nodes", "seconds", "nodes/s"]);
    let count = |line: &str| {
        let mut words = line.split_whitespace();
        let depth = words.next()?.parse().ok()?;
        let nodes = words.next()?.parse().ok()?;
        words.next()?.parse::<f64>().ok()?;
        Some((depth, nodes))
    };
    lines.map(|line| count(line).unwrap()).collect()
}

#[test]
fn the_counts_are_the_rules_own() {
    for name in games() {
        let game = floe_games::find(name).unwrap();
        let table = game.start("5x4", 3).unwrap();
        let wanted: Vec<(u32, u64)> = (1..=3).map(|d| (d, table.perft(d))).collect();
        let seen = stdout(&format!("perft {name} --setup 5x4 --seed 3 3"));
        assert_eq!(counts(&seen), wanted, "{name}");

        let folder = tempdir().unwrap();
        fs::write(folder.path().join("start.txt"), table.write()).unwrap();
        let path = folder.path().join("start.txt");
        let seen = stdout(&format!("perft {name} {} 3", path.display()));
        assert_eq!(counts(&seen), wanted, "{name}");
    }
}

#[test]
fn machines_get_a_line_per_depth() {
    let seen = stdout("perft flood --setup 5x4 3 --json");
    for (depth, line) in (1..).zip(seen.lines()) {
        let count: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(count["depth"], depth);
        assert_eq!(count["nodes"], 3u64.pow(depth));
        assert!(count["seconds"].is_number());
    }
    assert_eq!(seen.lines().count(), 3);
}

#[test]
fn the_counts_are_divided_by_first_move() {
    let folder = tempdir().unwrap();
    for (name, arguments) in [("plain", ""), ("json", " --json")] {
        let arguments = format!("perft flood --setup 5x4 --seed 3 --divide 4{arguments}");
        let seen = transcript(&arguments, folder.path(), "");
        assert_snapshot!(format!("perft_divide_{name}"), seen);
    }
}
