//! A tournament that is killed, again and again; and one that is very long.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::journal::read_file;
use floe_rules::random::Random;
use serde_json::Value;
use tempfile::tempdir;

use crate::floe;

fn description(format: &str, boards: u32) -> String {
    format!(
        r#"
game = "flood"
{format}
[boards]
setup = "4x4"
count = {boards}
[entrants]
one = "greedy"
two = "random"
three = "floe:nodes=20"
four = "random:seed=4"
five = "alphabeta:depth=2"
"#
    )
}

fn start(folder: &Path) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("floe"));
    command
        .args(["tournament", "cup.toml", "--quiet", "--concurrency", "2"])
        .current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn length(folder: &Path) -> u64 {
    fs::metadata(folder.join("cup.jsonl")).map_or(0, |data| data.len())
}

/// The table, without what the clock says.
fn table(folder: &Path) -> Value {
    let output = floe("standings cup.toml --json")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success());
    let mut table: Value = serde_json::from_slice(&output.stdout).unwrap();
    for row in table["rows"].as_array_mut().unwrap() {
        row["ms_per_move"] = Value::Null;
        row["slowest_ms"] = Value::Null;
    }
    table
}

/// Kills a tournament so many times, lets it end, and compares it with one that was left alone.
fn survive(format: &str, boards: u32, kills: u64, seed: u64) {
    let text = description(format, boards);
    let quiet = tempdir().unwrap();
    fs::write(quiet.path().join("cup.toml"), &text).unwrap();
    assert!(start(quiet.path()).wait().unwrap().success());
    let right = table(quiet.path());
    assert_eq!(right["is_finished"], true);

    let folder = tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cup.toml"), &text).unwrap();
    let mut random = Random::seeded(seed);
    let mut killed = 0;
    // Little enough that the last kill comes before the end.
    let step = length(quiet.path()) / kills;
    while killed < kills {
        let grown = length(folder) + random.below(step);
        let mut child = start(folder);
        // Some are killed while they are starting, the others after some games.
        let is_early = random.below(8) == 0;
        let patience = Instant::now();
        while !is_early && length(folder) < grown && patience.elapsed() < Duration::from_secs(60) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(random.below(if is_early {
            30_000
        } else {
            500
        })));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        // On a busy machine more may be played between two kills than was planned.
        if status.success() {
            break;
        }
        killed += 1;
    }
    assert!(killed >= kills / 2, "it ended after {killed} kills");
    let last = start(folder).wait_with_output().unwrap();
    assert!(
        last.status.success(),
        "{}",
        String::from_utf8_lossy(&last.stderr)
    );
    assert_eq!(table(folder), right, "after {killed} kills");
    let mut ids: Vec<u64> = read_file(&folder.join("cup.jsonl"))
        .unwrap()
        .map(Result::unwrap)
        .filter(|record| record.end.is_some())
        .map(|record| record.opening.id.parse().unwrap())
        .collect();
    ids.sort_unstable();
    let games = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), games, "no game is there twice");
    assert_eq!(
        games as u64,
        right["games"].as_u64().unwrap(),
        "no game is lost"
    );
    let verified = floe("verify cup.jsonl")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        verified.status.success(),
        "{}",
        String::from_utf8_lossy(&verified.stdout)
    );
}

#[test]
fn a_tournament_survives_being_killed_at_sixty_moments() {
    survive("", 120, 60, 1);
}

#[test]
fn rounds_that_depend_on_results_survive_forty_more() {
    survive("format = \"swiss\"\nrounds = 4", 150, 30, 2);
    survive("format = \"knockout\"", 99, 10, 3);
}

#[test]
#[cfg(target_os = "linux")]
fn ten_million_games_start_at_once_in_little_memory() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let mut text =
        String::from("game = \"flood\"\n[boards]\nsetup = \"3x3\"\ncount = 252\n[entrants]\n");
    for entrant in 0..200 {
        text.push_str(&format!("bot{entrant} = \"random\"\n"));
    }
    fs::write(folder.join("cup.toml"), text).unwrap();
    let mut child = start(folder);
    let count = || {
        let text = fs::read_to_string(folder.join("cup.jsonl")).unwrap_or_default();
        text.matches("\"line\":\"end\"").count()
    };
    while count() < 500 {
        assert!(child.try_wait().unwrap().is_none(), "it must not end");
        thread::sleep(Duration::from_millis(20));
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    // Ctrl-C says how to go on.
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("resume with floe tournament cup.toml"),
        "{said}"
    );
    assert!(peak < 50 * 1024, "{peak} KiB");
}
