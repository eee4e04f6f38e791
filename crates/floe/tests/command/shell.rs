use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::{floe, games, stdout};

/// What a shell would offer at the end of this line; in `folder`.
fn offered(line: &str, folder: &Path) -> Vec<String> {
    let mut command = floe("--");
    // The last word may be empty, as after a blank.
    command.args(line.split(' ')).env("FLOE_COMPLETE", "fish");
    let output = command
        .current_dir(folder)
        .assert()
        .success()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text
        .lines()
        .map(|line| line.split('\t').next().unwrap_or(line));
    words.map(str::to_owned).collect()
}

#[test]
fn shells_get_a_script_that_asks_floe() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&format!("completions {shell}"));
        assert!(script.contains("FLOE_COMPLETE"), "{shell}: {script}");
    }
}

#[test]
fn games_seats_levels_themes_and_records_are_offered() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    for file in ["games.jsonl", "old.jsonl.zst", "notes.txt", "cup.toml"] {
        fs::write(here.join(file), "").unwrap();
    }
    let has = |line: &str, wanted: &[&str], unwanted: &[&str]| {
        let found = offered(line, here);
        for word in wanted {
            assert!(
                found.iter().any(|one| one == word),
                "{line}: {word}: {found:?}"
            );
        }
        for word in unwanted {
            assert!(
                !found.iter().any(|one| one == word),
                "{line}: {word}: {found:?}"
            );
        }
    };
    let names: Vec<&str> = games().collect();
    has("floe rules ", &names, &[]);
    has(
        "floe match penguins ",
        &["greedy", "floe:medium", "random"],
        &["human"],
    );
    has(
        "floe match penguins greedy floe:",
        &["floe:easy", "floe:hard"],
        &["greedy"],
    );
    has("floe check program flood ", &["floe:beginner"], &[]);
    has(
        "floe play gamma --seats human,floe:m",
        &["human,floe:medium"],
        &["human,greedy"],
    );
    has("floe hint gamma b.txt --engine m", &["mcts"], &["greedy"]);
    has(
        "floe show gamma b.txt --theme ",
        &["light", "colour-blind"],
        &[],
    );
    has(
        "floe config set theme c",
        &["contrast", "colour-blind"],
        &[],
    );
    has("floe config set ", &["theme", "ascii"], &[]);
    has(
        "floe replay ",
        &["games.jsonl", "old.jsonl.zst"],
        &["notes.txt", "cup.toml"],
    );
    has("floe verify ga", &["games.jsonl"], &["old.jsonl.zst"]);
    has(
        "floe standings ",
        &["games.jsonl", "cup.toml"],
        &["notes.txt"],
    );
    has("floe to", &["tour", "tournament"], &["match"]);
}

#[test]
fn bash_completes_a_level() {
    let folder = tempdir().unwrap();
    let script = folder.path().join("floe.bash");
    fs::write(&script, stdout("completions bash")).unwrap();
    let bin = assert_cmd::cargo::cargo_bin("floe");
    let path = std::env::join_paths(
        [bin.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let lines = "source floe.bash; COMP_WORDS=(floe match flood floe:ha); COMP_CWORD=3; \
                 _clap_complete_floe floe floe:ha flood; echo \"${COMPREPLY[@]}\"";
    let output = std::process::Command::new("bash")
        .args(["--norc", "-c", lines])
        .current_dir(folder.path())
        .env("PATH", path.unwrap())
        .output();
    // Not every system has bash.
    let Ok(output) = output else { return };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.trim().starts_with("floe:hard"), "{text}");
}

#[test]
fn the_manual_is_printed_or_written() {
    let page = stdout("man");
    assert!(page.contains(".TH floe 1"), "{page}");

    let folder = tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    floe("man").arg(&pages).assert().success();
    let page = fs::read_to_string(pages.join("floe-new.1")).unwrap();
    assert!(
        page.contains(".SH SYNOPSIS") && page.contains("floe new penguins"),
        "{page}"
    );
    assert!(pages.join("floe.1").exists() && pages.join("floe-perft.1").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = floe("man").arg(&file).assert().code(2).get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: cannot make "), "{said}");
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_reader_ends_every_command_quietly() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("board.txt"),
        stdout("new flood --setup 4x4 --seed 1"),
    )
    .unwrap();
    let games = "match flood greedy random --setup 4x4 --pairs 2 --records games.jsonl --quiet";
    floe(games).current_dir(here).assert().success();
    floe("demo cup --games 2")
        .current_dir(here)
        .assert()
        .success();
    for words in [
        "",
        "--help",
        "--version",
        "help play",
        "tour --lines",
        "play flood --lines",
        "rules flood",
        "rules flood --json",
        "new flood --seed 1",
        "show flood board.txt",
        "show flood board.txt --json",
        "check flood board.txt",
        "check flood board.txt --json",
        "hint flood board.txt --nodes 50",
        "perft flood 2",
        "games games.jsonl",
        "games games.jsonl --json",
        "games games.jsonl --csv",
        "games games.jsonl --records",
        "standings games.jsonl",
        "standings games.jsonl --json",
        "standings games.jsonl --csv",
        "replay games.jsonl --game 1",
        "replay games.jsonl --game 1 --json",
        "review games.jsonl --game 1 --nodes 50",
        "export games.jsonl --game 1 --at 1",
        "verify games.jsonl",
        "verify games.jsonl --json",
        "report games.jsonl -o -",
        "match flood greedy random --setup 4x4 --pairs 1 --quiet",
        "match flood greedy random --setup 4x4 --pairs 1 --quiet --json",
        "league status cup",
        "league status cup --json",
        "league people cup",
        "league people cup --json",
        "config",
        "config --json",
        "doctor --require-sandbox 0",
        "doctor --require-sandbox 0 --json",
        "starter flood python bot",
        "completions bash",
        "man",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("floe"));
        command.args(words.split_whitespace()).current_dir(here);
        command
            .env("FLOE_HOME", here.join("home"))
            .env("LC_ALL", "C.UTF-8");
        command.stdin(std::process::Stdio::null()).stdout(writer);
        let output = command
            .stderr(std::process::Stdio::piped())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "", "floe {words}");
        assert!(output.status.success(), "floe {words}: {}", output.status);
    }
}
