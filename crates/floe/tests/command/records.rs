//! Files of records: matches written to them, gone on with, repaired, and taken for something else.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use crate::{floe, transcript};

/// What a command prints to its two outputs, and its exit code.
fn run(line: &str, folder: &Path) -> (String, String, i32) {
    let output = floe(line).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), code)
}

#[track_caller]
fn well(line: &str, folder: &Path) -> String {
    let (out, err, code) = run(line, folder);
    assert_eq!(code, 0, "{line}\n{out}{err}");
    out
}

/// The ids of a file, in order.
fn ids(path: &Path) -> Vec<u64> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games = lines.filter(|line| line["line"] == "game");
    let mut ids: Vec<u64> = games
        .map(|game| game["id"].as_str().unwrap().parse().unwrap())
        .collect();
    ids.sort_unstable();
    ids
}

const MATCH: &str = "match flood greedy random --setup 4x4 --pairs 3 --records m.jsonl";

#[test]
fn no_game_of_a_second_match_vanishes() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    well(MATCH, folder.path());
    let (_, err, code) = run(MATCH, folder.path());
    assert_eq!(code, 2);
    assert!(
        err.contains("m.jsonl has 6 games already") && err.contains("--append"),
        "{err}"
    );
    assert_eq!(ids(&path).len(), 6);
    well(&format!("{MATCH} --append --seed 9"), folder.path());
    assert_eq!(ids(&path), (1..=12).collect::<Vec<u64>>());
    let games = well("games m.jsonl --json", folder.path());
    assert_eq!(games.lines().count(), 12);
    let standings: Value =
        serde_json::from_str(&well("standings m.jsonl --json", folder.path())).unwrap();
    assert_eq!(standings["games"], 12);
    let other = "match gamma greedy random --setup 4x4 --records m.jsonl --append";
    let (_, err, code) = run(other, folder.path());
    assert_eq!(code, 2);
    assert!(err.contains("games of flood for 2"), "{err}");
}

#[test]
fn a_match_is_gone_on_with() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    let whole = well(&format!("{MATCH} --json"), folder.path());
    let text = fs::read_to_string(&path).unwrap();
    // Killed in the middle of the second game of a board.
    let games: Vec<usize> = text
        .match_indices("{\"line\":\"game\"")
        .map(|(at, _)| at)
        .collect();
    fs::write(&path, &text[..games[3] + 300]).unwrap();
    let (out, err, code) = run(&format!("{MATCH} --json --resume"), folder.path());
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("3 games were played before"), "{err}");
    let what = |text: &str| {
        let json: Value = serde_json::from_str(text).unwrap();
        (
            json["pairs"].clone(),
            json["seats"][0]["margin"].clone(),
            json["units"].clone(),
        )
    };
    assert_eq!(what(&out), what(&whole));
    let listed = well("games m.jsonl --json", folder.path());
    assert_eq!(listed.lines().count(), 6);
    // Another match is not gone on with.
    for (other, told) in [
        (MATCH.replace("4x4", "5x5"), "on another board"),
        (
            MATCH.replace("random", "greedy:seed=3"),
            "it has other players",
        ),
        (format!("{MATCH} --time 2s"), "it has other limits"),
        (
            MATCH.replace("--pairs 3", "--pairs 2"),
            "it has more boards",
        ),
    ] {
        let (_, err, code) = run(&format!("{other} --resume"), folder.path());
        assert_eq!(code, 2);
        assert!(
            err.contains("is of another match") && err.contains(told),
            "{err}"
        );
    }
    // One that was added to others is found by its first game.
    well(&format!("{MATCH} --append --seed 9"), folder.path());
    let (_, err, _) = run(&format!("{MATCH} --seed 9 --resume=7"), folder.path());
    assert!(err.contains("6 games were played before"), "{err}");
    assert_eq!(ids(&path).iter().filter(|&&id| id > 6).count(), 6);
}

#[test]
#[cfg(unix)]
fn a_match_that_is_stopped_says_how_to_go_on() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("my games.jsonl");
    let mut stopped = Process::new(assert_cmd::cargo::cargo_bin("floe"))
        .args([
            "match",
            "flood",
            "floe:nodes=2k",
            "greedy",
            "--setup",
            "12x12",
        ])
        .args(["--pairs", "100000", "--records", "my games.jsonl"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !fs::read_to_string(&path)
        .unwrap_or_default()
        .contains("\"end\"")
    {
        std::thread::yield_now();
    }
    // Nobody else writes to the file meanwhile.
    let second = floe("match flood greedy random --append --records")
        .arg("my games.jsonl")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&second.stderr);
    assert!(told.contains("is in use"), "{told}");
    let pid = i32::try_from(stopped.id()).unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut told = String::new();
    stopped
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut told)
        .unwrap();
    assert_eq!(stopped.wait().unwrap().code(), Some(1));
    let command = "resume with floe match flood floe:nodes=2k greedy --setup 12x12 --pairs 100000 \
                   --records 'my games.jsonl' --resume";
    assert!(told.contains(command), "{told}");
}

#[test]
fn damaged_games_are_set_aside() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    well(MATCH, folder.path());
    let text = fs::read_to_string(&path).unwrap();
    let second = text.match_indices("{\"line\":\"game\"").nth(1).unwrap().0;
    let a_move = second + text[second..].find("\"wall_us\":").unwrap() + 10;
    let mut bytes = text.into_bytes();
    bytes[a_move] = b'7' + u8::from(bytes[a_move] == b'7');
    fs::write(&path, &bytes).unwrap();
    for command in ["games", "standings"] {
        let (_, err, code) = run(&format!("{command} m.jsonl"), folder.path());
        assert_eq!(code, 2);
        assert!(
            err.contains("is damaged") && err.contains("--repair m.jsonl"),
            "{err}"
        );
    }
    assert_eq!(run("verify m.jsonl", folder.path()).2, 1);
    let told = well("verify --repair m.jsonl", folder.path());
    assert!(
        told.contains("5 games left; what was damaged is in m.damaged.jsonl"),
        "{told}"
    );
    well("verify m.jsonl", folder.path());
    // What is missing is played again.
    well(&format!("{MATCH} --resume"), folder.path());
    assert_eq!(ids(&path), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_file_of_another_kind_is_named_with_its_command() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    well(MATCH, here);
    well("standings m.jsonl", here);
    fs::write(
        here.join("b.txt"),
        crate::stdout("new flood --setup 4x4 --seed 1"),
    )
    .unwrap();
    fs::write(
        here.join("p.txt"),
        crate::stdout("new penguins --setup 4x4 --seed 1"),
    )
    .unwrap();
    let league =
        "game = \"flood\"\n[boards]\nsetup = \"4x4\"\n[entrants]\na = \"greedy\"\nb = \"random\"\n";
    fs::write(here.join("league.toml"), league).unwrap();
    fs::write(here.join("bot"), "#!/bin/sh\nexit 0\n").unwrap();
    fs::write(here.join("notes.md"), "what I think\n").unwrap();
    fs::write(here.join("m.zst"), "not packed\n").unwrap();
    let mut seen = String::new();
    for line in [
        "games b.txt",
        "standings p.txt",
        "replay b.txt",
        "verify p.txt",
        "replay league.toml",
        "verify league.toml",
        "verify m.sqlite",
        "replay m.sqlite",
        "games bot",
        "games notes.md",
        "verify m.zst",
        "verify .",
        "tournament m.jsonl",
        "tournament b.txt",
        "archive b.txt",
    ] {
        seen.push_str(&transcript(line, here, ""));
    }
    insta::assert_snapshot!(seen);
    for stray in [
        "b.sqlite",
        "p.sqlite",
        "league.sqlite",
        "bot.sqlite",
        "notes.sqlite",
    ] {
        assert!(!here.join(stray).exists(), "{stray}");
    }
}

/// Whoever may not write where records are can read them.
#[test]
#[cfg(unix)]
fn records_in_a_folder_that_can_only_be_read_are_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = tempdir().unwrap();
    well(MATCH, folder.path());
    well("standings m.jsonl", folder.path());
    let program = folder.path().join("floe");
    let original = assert_cmd::cargo::cargo_bin("floe");
    if fs::hard_link(&original, &program).is_err() {
        fs::copy(&original, &program).unwrap();
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let before: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    for line in [
        "verify m.jsonl",
        "games m.jsonl",
        "standings m.jsonl",
        "replay m.jsonl --game 2",
    ] {
        let mut command = Process::new(&program);
        command.args(line.split(' ')).current_dir(folder.path());
        if rustix::process::geteuid().is_root() {
            // To root every folder is open.
            command.uid(65_534).gid(65_534);
        }
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {told}");
    }
    let after: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(before, after);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn what_strangers_write_cannot_turn_or_clear_a_terminal() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    well(MATCH, folder.path());
    let text = fs::read_to_string(&path).unwrap();
    let first = text.match_indices("{\"line\":\"game\"").nth(1).unwrap().0;
    // As an older Floe wrote it, without a check.
    let game = text[..first].split(",\"check\"").next().unwrap().to_owned() + "}\n";
    let evil = r"\u202emirror\u2028\u001b[2J";
    let game = game
        .replace("\"name\":\"greedy\"", &format!("\"name\":\"{evil}\""))
        .replacen(
            "{\"line\":\"move\",",
            &format!("{{\"line\":\"move\",\"stderr\":\"{evil}\","),
            1,
        )
        .replace("\"note\":\"", &format!("\"note\":\"{evil}"));
    fs::write(&path, game).unwrap();
    let _ = fs::remove_file(folder.path().join("m.sqlite"));
    for line in [
        "games m.jsonl",
        "standings m.jsonl",
        "replay m.jsonl --list",
        "replay m.jsonl --at 1",
        "games m.jsonl --of nobody",
        "standings m.jsonl --markdown",
    ] {
        let (out, err, _) = run(line, folder.path());
        let seen = out + &err;
        assert!(seen.contains("mirror"), "{line}: {seen}");
        for evil in ['\u{202e}', '\u{2028}', '\u{1b}'] {
            assert!(!seen.contains(evil), "{line}: {seen:?}");
        }
    }
}

#[test]
fn what_a_board_file_leaves_open_is_said_beside_it() {
    let folder = tempdir().unwrap();
    let board = "6 6\n".to_owned() + &"10 10 10 10 10 10\n".repeat(6);
    fs::write(folder.path().join("b.txt"), board).unwrap();
    for (setup, penguins) in [
        ("", 3),
        ("--setup penguins=1", 1),
        ("--setup penguins=2,players=2", 2),
    ] {
        let _ = fs::remove_file(folder.path().join("m.jsonl"));
        let line = format!("match penguins greedy random --board b.txt --records m.jsonl {setup}");
        well(&line, folder.path());
        let text = fs::read_to_string(folder.path().join("m.jsonl")).unwrap();
        let game = text
            .lines()
            .take_while(|line| !line.contains("\"line\":\"end\""));
        // Placing has no dash in it.
        let placed = game.filter(|line| {
            line.contains("\"line\":\"move\"") && {
                let value: Value = serde_json::from_str(line).unwrap();
                !value["move"].as_str().unwrap().contains('-')
            }
        });
        assert_eq!(placed.count(), 2 * penguins, "{setup}");
    }
    for (line, told) in [
        (
            "match penguins greedy random --board b.txt --setup 8x8",
            "leaves open players=N and penguins=N",
        ),
        (
            "match flood greedy random --board b.txt --setup 8x8",
            "leave nothing open",
        ),
    ] {
        let (_, err, code) = run(line, folder.path());
        assert_eq!(code, 2);
        assert!(err.contains(told), "{err}");
    }
}

#[test]
fn a_game_at_the_table_begins_on_a_board_file_with_what_it_leaves_open() {
    let folder = tempdir().unwrap();
    let board = "6 6\n".to_owned() + &"10 10 10 10 10 10\n".repeat(6);
    fs::write(folder.path().join("b.txt"), board).unwrap();
    for (setup, left) in [
        ("", "1 of 3 penguins placed"),
        ("--setup penguins=1", "1 of 1 penguins placed"),
        ("--setup penguins=5", "1 of 5 penguins placed"),
    ] {
        let line = format!("play penguins --board b.txt --seats human,human --lines {setup}");
        let mut command = floe(&line);
        let command = command.current_dir(folder.path());
        let command = command.env("FLOE_HOME", folder.path().join("home"));
        let output = command.write_stdin("a1\npicture\n").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(left), "{setup}: {text}");
    }
    for (line, told) in [
        (
            "play penguins --board b.txt --setup 8x8",
            "leaves open players=N and penguins=N",
        ),
        ("play flood --board b.txt --setup 8x8", "leave nothing open"),
        ("play penguins --board b.txt --setup penguins=0", "penguins"),
    ] {
        let (_, err, code) = run(line, folder.path());
        assert_eq!(code, 2);
        assert!(err.contains(told), "{err}");
    }
}

#[test]
fn games_on_an_overloaded_machine_are_told_and_listed() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    well(MATCH, here);
    let text = fs::read(here.join("m.jsonl")).unwrap();
    let mut marked = Vec::new();
    for (number, record) in floe_games::record::read(&text[..]).enumerate() {
        let mut record = record.unwrap();
        let machine = record.opening.machine.get_or_insert_default();
        machine.overload = (number < 2).then_some(floe_games::record::Overload {
            pressure_percent: 71 + number as u32,
            steal_percent: 6,
        });
        record.write(&mut marked).unwrap();
    }
    fs::write(here.join("m.jsonl"), marked).unwrap();
    let (out, err, code) = run(&format!("{MATCH} --resume"), here);
    assert_eq!(code, 0, "{out}{err}");
    let told = "the machine was overloaded during 2 of 6 games: processes waited for a core up to 72 % \
                of the time, and other guests of the host took up to 6 %";
    assert!(err.contains(told), "{err}");
    assert!(err.contains("floe games m.jsonl --overloaded"), "{err}");
    let json: Value =
        serde_json::from_str(&well(&format!("{MATCH} --resume --json"), here)).unwrap();
    assert_eq!(json["overloaded"], 2);

    let all = well("games m.jsonl", here);
    assert_eq!(all.matches("overloaded").count(), 2, "{all}");
    let some = well("games m.jsonl --overloaded --json", here);
    let percents = some.lines().map(|line| {
        let game: Value = serde_json::from_str(line).unwrap();
        game["overload"]["pressure_percent"].as_u64().unwrap()
    });
    assert_eq!(percents.collect::<Vec<u64>>(), [71, 72]);
    let csv = well("games m.jsonl --csv", here);
    assert!(csv.lines().nth(1).unwrap().ends_with(",71,6"), "{csv}");
}
