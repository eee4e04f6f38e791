//! A night's work: twelve programs in four languages, five of them hostile, unattended.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::floe;

/// Programs that play by the rules: the starter bots, some of them twice under other names.
const HONEST: [(&str, &str, &str); 7] = [
    ("py", "flood.py", "python3"),
    ("py-again", "flood.py", "python3"),
    ("js", "flood.js", "node"),
    ("js-again", "flood.js", "node"),
    ("c", "flood.c", "cc"),
    ("c-again", "flood.c", "cc"),
    ("rust", "flood.rs", "rustc"),
];

/// Programs that do not, what they are written in, and the one fault of each.
const HOSTILE: [(&str, &str, &str, &str); 5] = [
    (
        "hangs",
        "hangs.py",
        "timeout",
        "import time\ntime.sleep(60)\n",
    ),
    (
        "aborts",
        "aborts.c",
        "crash",
        "#include <stdlib.h>\nint main(void) { abort(); }\n",
    ),
    (
        "floods",
        "floods.js",
        "too much output",
        "const line = Buffer.alloc(65536, 'x');\nfor (;;) require('fs').writeSync(1, line);\n",
    ),
    (
        "eats",
        "eats.py",
        "too much memory",
        "hoard = []\nwhile True:\n    hoard.append(bytearray(b'x' * 4000000))\n",
    ),
    (
        "lies",
        "lies.py",
        "illegal move",
        // It moves without moving: the letter changes, the board does not.
        "import sys\nhead, *rows = sys.stdin.read().splitlines()\n\
         print('S' if head.strip() == 'J' else 'J')\nprint('\\n'.join(rows))\n",
    ),
];

/// Puts a program into a folder of its own and gives its seat's word.
fn settle(folder: &Path, name: &str, file: &str, text: &str) -> String {
    let home = folder.join(name);
    fs::create_dir(&home).unwrap();
    fs::set_permissions(&home, fs::Permissions::from_mode(0o755)).unwrap();
    let source = home.join(file);
    fs::write(&source, text).unwrap();
    let compile = |tool: &str, arguments: &[&str]| {
        let output = home.join("bot");
        let mut command = Command::new(tool);
        command.args(arguments).arg("-o").arg(&output).arg(&source);
        assert!(command.status().unwrap().success(), "{tool} {file}");
        format!("./{name}/bot")
    };
    match file.rsplit_once('.').unwrap().1 {
        "py" => format!("python3 {name}/{file}"),
        "js" => format!("node {name}/{file}"),
        "c" => compile("cc", &["-O2", "-w"]),
        _ => compile("rustc", &["-O"]),
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that cannot run says so")]
fn twelve_programs_in_four_languages_and_five_of_them_hostile() {
    for tool in ["python3", "node", "cc", "rustc"] {
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("the league is not played, since there is no {tool}");
            return;
        }
    }
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::set_permissions(here, fs::Permissions::from_mode(0o755)).unwrap();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let mut entrants = String::new();
    for (name, file, _) in HONEST {
        let text = fs::read_to_string(bots.join(file)).unwrap();
        let word = settle(here, name, file, &text);
        entrants += &format!("{name} = \"{word}\"\n");
    }
    for (name, file, _, text) in HOSTILE {
        let word = settle(here, name, file, text);
        // Only who never answers has to be short of time.
        entrants += &match name {
            "hangs" => format!("{name} = {{ seat = \"{word}\", limits = {{ time = \"2s\" }} }}\n"),
            _ => format!("{name} = \"{word}\"\n"),
        };
    }
    let text = format!(
        "game = \"flood\"\n[boards]\nsetup = \"5x5\"\ncount = 1\n\
         [limits]\ntime = \"60s\"\nmemory = \"128MiB\"\n[entrants]\n{entrants}"
    );
    fs::write(here.join("league.toml"), text).unwrap();
    let played = floe("tournament league.toml --quiet --json")
        .current_dir(here)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&played.stderr);
    assert_eq!(played.status.code(), Some(0), "{err}");
    let told: Value = serde_json::from_slice(&played.stdout).unwrap();

    let rows = told["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let name = row["name"].as_str().unwrap();
        assert_eq!(row["games"], 22, "{row}");
        let faults = row["faults"].as_object().unwrap();
        match HOSTILE.iter().find(|hostile| hostile.0 == name) {
            None => {
                assert!(faults.is_empty(), "{row}");
                assert!(row["place"].as_u64().unwrap() <= 7, "{row}");
                // Ten games against those who do nothing but fail are won at the least.
                assert!(row["wins"].as_u64().unwrap() >= 10, "{row}");
            }
            Some((_, _, kind, _)) => {
                let kinds: Vec<&String> = faults.keys().collect();
                assert_eq!(kinds, [kind], "{row}");
                // Never a point from those who play; from its own kind, when they fail first.
                assert!(row["wins"].as_u64().unwrap() <= 8, "{row}");
            }
        }
    }
    floe("verify league.jsonl")
        .current_dir(here)
        .assert()
        .success();
    let listed = floe("games league.toml --json")
        .current_dir(here)
        .output()
        .unwrap();
    let games = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(games.lines().count(), 132);
    // Run again, there is nothing left to do and the table is the same.
    let again = floe("tournament league.toml --quiet --json")
        .current_dir(here)
        .output()
        .unwrap();
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["rows"], told["rows"]);
}

/// The league that is shown in `examples` can be played.
#[test]
fn the_example_is_a_tournament() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let description = floe_arena::tournament::Description::load(&examples.join("league.toml"));
    match description {
        Ok(description) => assert_eq!(description.entrants.len(), 4),
        // Without Python or node the seats cannot be found, and that is what it says.
        Err(error) => assert!(error.to_string().contains("neither an engine"), "{error}"),
    }
}
