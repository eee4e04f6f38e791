//! What `--json` prints is what docs/json.md says: objects by lines, each as its schema has it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::floe;

/// The commands that are run here; `=` stands before those that print one object.
const RUNS: &[(&str, &str)] = &[
    ("= show", "show penguins p.txt"),
    ("= new", "new gamma --setup 4x4 --seed 1"),
    ("= new", "new penguins --size 5x5"),
    ("= rules", "rules flood"),
    ("check", "check penguins p.txt bad.txt"),
    ("= hint", "hint penguins p.txt --nodes 500"),
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
    ("config", "config"),
    ("config list", "config list"),
    ("= config get", "config get theme"),
    ("= config set", "config set theme light"),
    ("= config unset", "config unset theme"),
];

/// Commands that are described and need more than a folder: a sandbox, a server, a WebAssembly module, or
/// much time.
const NOT_RUN: [&str; 10] = [
    "site",
    "check program",
    "check library",
    "check batch",
    "grade",
    "bench",
    "league final",
    "submit",
    "cluster status",
    "cluster bans",
];

/// The commands of docs/json.md with their schemas.
fn described() -> BTreeMap<String, Option<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let text = fs::read_to_string(path).unwrap();
    let sections = text.split("\n### `floe ").skip(1);
    let section = |section: &str| {
        let (name, rest) = section.split_once('`').unwrap();
        let schema = rest.split_once("```json\n").map(|(_, rest)| {
            let (schema, _) = rest.split_once("\n```").unwrap();
            serde_json::from_str(schema).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        (name.to_owned(), schema)
    };
    sections.map(section).collect()
}

/// What is wrong with a value; knows the words that docs/json.md uses.
fn check(schema: &Value, value: &Value) -> Result<(), String> {
    // Where nothing is known.
    if value.is_null() {
        return Ok(());
    }
    for (word, says) in schema.as_object().ok_or("a schema is an object")? {
        match word.as_str() {
            "type" => {
                let one = std::slice::from_ref(says);
                let types = says.as_array().map_or(one, Vec::as_slice);
                let fits = |name: &Value| match name.as_str().unwrap_or_default() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    other => panic!("unknown type {other}"),
                };
                if !types.iter().any(fits) {
                    return Err(format!("{value} is no {says}"));
                }
            }
            "required" => {
                for key in says.as_array().into_iter().flatten() {
                    let key = key.as_str().unwrap_or_default();
                    if value.is_object() && value.get(key).is_none() {
                        return Err(format!("no {key} in {value}"));
                    }
                }
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let says = says.get(key).ok_or(format!("{key} is not described"))?;
                    check(says, inner).map_err(|error| format!("{key}: {error}"))?;
                }
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    check(says, item)?;
                }
            }
            other => panic!("unknown word {other}"),
        }
    }
    Ok(())
}

/// The files that the commands need.
fn furnish(here: &Path) {
    let position = crate::stdout("new penguins --setup 5x5,penguins=1 --seed 3 --full");
    fs::write(here.join("p.txt"), position).unwrap();
    fs::write(here.join("bad.txt"), "nonsense\n").unwrap();
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

#[test]
fn every_described_command_prints_what_its_schema_says() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    furnish(here);
    let described = described();
    for (name, words) in RUNS {
        let (name, is_one) = match name.strip_prefix("= ") {
            Some(name) => (name, true),
            None => (*name, false),
        };
        let schema = described.get(name).and_then(Option::as_ref);
        let schema = schema.unwrap_or_else(|| panic!("docs/json.md has no schema of {name}"));
        let mut command = floe(words);
        command.arg("--json").env("FLOE_HOME", here.join("home"));
        let output = command.current_dir(here).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().unwrap() < 2, "{words}: {said}");
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(!lines.is_empty() && text.ends_with('\n'), "{words}: {text}");
        assert!(!is_one || lines.len() == 1, "{words}: {text}");
        for line in lines {
            let value: Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{words}: {error}"));
            assert!(value.is_object(), "{words}: {line}");
            check(schema, &value).unwrap_or_else(|error| panic!("{words}: {error}\n{line}"));
        }
    }
    // The page describes nothing that is not run here.
    for name in described.keys() {
        let is_run = RUNS
            .iter()
            .any(|(one, _)| one.trim_start_matches("= ") == name);
        let is_excused = NOT_RUN.contains(&name.as_str());
        assert_ne!(is_run, is_excused, "{name}");
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
