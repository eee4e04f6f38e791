//! What `--json` prints is what docs/json.md says: objects by lines, each as its schema has it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::floe;
use crate::schema::{check_lines, described};

/// The commands that are run here; `=` stands before those that print one object.
const RUNS: &[(&str, &str)] = &[
    ("= show", "show penguins p.txt"),
    ("= new", "new gamma --setup 4x4 --seed 1"),
    ("= new", "new penguins --size 5x5"),
    ("= rules", "rules flood"),
    ("check", "check penguins p.txt bad.txt"),
    ("= hint", "hint penguins p.txt --nodes 500"),
    ("= solve", "solve gamma 3x3,areas=2"),
    ("= solve", "solve gamma 6x6 --nodes 100"),
    ("perft", "perft flood 2"),
    ("perft", "perft flood 1 --divide"),
    ("= replay", "replay m.jsonl --game 1"),
    ("= review", "review m.jsonl --game 1 --nodes 100"),
    ("= export", "export m.jsonl --game 1 --at 2"),
    ("= export", "export m.jsonl --game 2"),
    ("verify", "verify m.jsonl"),
    ("= archive", "archive m.jsonl"),
    ("= puzzles", "puzzles z.jsonl -o puzzles.json --nodes 2000"),
    (
        "= match",
        "match flood greedy random --setup 4x4 --pairs 2 --quiet",
    ),
    ("= tournament", "tournament cup.toml --quiet"),
    ("= standings", "standings m.jsonl"),
    ("games", "games m.jsonl"),
    ("= report", "report m.jsonl -o r.html"),
    ("= site", "site public --module module"),
    ("= demo", "demo demo --games 6"),
    ("= starter", "starter flood python bot"),
    ("= doctor", "doctor"),
    ("= league new", "league new cup --game flood"),
    ("league invite", "league invite cup class.csv"),
    ("= league people", "league people cup"),
    ("= league rename", "league rename cup Ada Eve"),
    ("= league move", "league move cup Eve hawks"),
    ("= league remove", "league remove cup Cid"),
    ("= league organiser", "league organiser cup"),
    ("= league pause", "league pause cup"),
    ("= league resume", "league resume cup"),
    ("= league withdraw", "league withdraw demo auks#2"),
    ("= league run", "league run demo --games 2 --quiet"),
    ("= league status", "league status demo"),
    ("= league final", "league final demo --boards 1 --quiet"),
    ("= league final --check", "league final demo --check"),
    ("= bench", "bench"),
    ("config", "config"),
    ("config list", "config list"),
    ("= config get", "config get theme"),
    ("= config set", "config set theme light"),
    ("= config unset", "config unset theme"),
];

/// Commands that run programs, and so need a sandbox and compilers.
#[cfg(target_os = "linux")]
const WITH_PROGRAMS: &[(&str, &str)] = &[
    (
        "check program",
        "check program flood 'python3 flood.py' --setup 4x4 --time 60s",
    ),
    (
        "check program",
        "check program flood 'python3 none.py' --setup 4x4 --time 60s",
    ),
    (
        "= check library",
        "check library gamma work/anna --time 20s",
    ),
    (
        "= check batch",
        "check batch gamma work/anna/gamma --time 20s",
    ),
    ("grade", "grade gamma work --time 20s"),
    ("submit", "submit cup flood.py --token-file ada.token"),
    ("submit", "submit cup bad.c --token-file ada.token"),
];

/// Commands that need a server; tests/cluster runs them.
const IN_A_CLUSTER: [&str; 2] = ["cluster status", "cluster bans"];

/// The files that the commands need.
fn furnish(here: &Path) {
    let position = crate::stdout("new penguins --setup 5x5,penguins=1 --seed 3 --full");
    fs::write(here.join("p.txt"), position).unwrap();
    fs::write(here.join("bad.txt"), "nonsense\n").unwrap();
    // A module that no browser loads.
    fs::create_dir(here.join("module")).unwrap();
    for file in ["floe.wasm", "floe.js"] {
        fs::write(here.join("module").join(file), "").unwrap();
    }
    fs::write(here.join("class.csv"), "Ada,owls\nBob,hawks\nCid,hawks\n").unwrap();
    let cup = "game = \"flood\"\nformat = \"round-robin\"\n[boards]\nsetup = \"4x4\"\ncount = 1\n\
               [entrants]\na = \"greedy\"\nb = \"random\"\n";
    fs::write(here.join("cup.toml"), cup).unwrap();
    for words in [
        "match flood greedy random --setup 4x4 --pairs 2 --records m.jsonl --quiet",
        "match penguins greedy floe:nodes=50 --setup 6x6,penguins=2 --pairs 6 --records z.jsonl --quiet",
    ] {
        floe(words).current_dir(here).assert().success();
    }
}

/// Runs a command of the tables above and holds what it prints against its schema.
fn run(here: &Path, (name, words): (&str, &str)) {
    let (name, is_one) = match name.strip_prefix("= ") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let mut command = floe("");
    command.args(shell_words::split(words).unwrap());
    command.arg("--json").env("FLOE_HOME", here.join("home"));
    let output = command.current_dir(here).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().unwrap() < 2, "{words}: {said}");
    check_lines(name, &String::from_utf8(output.stdout).unwrap(), is_one);
}

#[test]
fn every_described_command_prints_what_its_schema_says() {
    let folder = tempdir().unwrap();
    furnish(folder.path());
    for one in RUNS {
        run(folder.path(), *one);
    }
    // The page describes nothing that no test runs.
    for name in described().keys() {
        let mut all = RUNS.iter();
        let mut is_run = all.any(|(one, _)| one.trim_start_matches("= ") == name);
        #[cfg(target_os = "linux")]
        {
            let mut all = WITH_PROGRAMS.iter();
            is_run |= all.any(|(one, _)| one.trim_start_matches("= ") == name);
        }
        is_run |= IN_A_CLUSTER.contains(&name.as_str());
        assert!(is_run || !cfg!(target_os = "linux"), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn commands_that_run_programs_print_what_their_schema_says() {
    let folder = crate::submit::cup();
    let here = folder.path();
    crate::course::library(&here.join("work/anna"), 5);
    let program = here.join("work/anna/gamma");
    // It ends after a line: one that stayed would be waited for in the terminal.
    fs::write(&program, "#!/bin/sh\nhead -n 1\n").unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(here.join("none.py"), "print('no')\n").unwrap();
    for one in WITH_PROGRAMS {
        run(here, *one);
    }
}

#[test]
fn a_position_of_a_record_is_an_object_too() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    furnish(here);
    let mut command = floe("replay m.jsonl --game 1 --at 2 --json");
    let output = command.current_dir(here).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["at"], &value["id"]), (&2.into(), &"1".into()));
    assert!(value["last"]["move"].is_string(), "{value}");
    assert!(value["picture"]["glyphs"].is_string(), "{value}");
    let mut command = floe("replay m.jsonl --game 1 --at 999 --json");
    command.current_dir(here).assert().code(2);
    let mut command = floe("report m.jsonl -o - --json");
    command.current_dir(here).assert().code(2);
}
