//! The commands of README and docs.
//!
//! Those of README, of the first steps with a bot and of the pages in `RUN` are run in order in a
//! clean folder, as they stand. Those of the pages in `PARSED` are parsed: they need students' work, a
//! cluster or hours. `--help` ends each one once its arguments are read.

#[cfg(target_os = "linux")]
mod reader;

use std::fs;
use std::path::{Path, PathBuf};

/// The start of each command of README that is not run, and the reason.
#[cfg(target_os = "linux")]
const NOT_RUN: [(&str, &str); 12] = [
    ("./check", "runs all tests, and so this one"),
    (
        "crates/browser/build",
        "builds for minutes; tests/browser of crates/web have the pages",
    ),
    ("floe watch", "needs a terminal; tests/terminal.rs has one"),
    (
        "floe tournament examples/league.toml --cluster",
        "needs a cluster; tests/cluster has one",
    ),
    (
        "floe submit https://floe.example.org",
        "needs a league there; the first steps with a bot have one",
    ),
    ("cargo install", "builds from nothing"),
    ("penguins ", "belongs to crates/contest, whose tests run it"),
    (
        "floodwars ",
        "belongs to crates/contest, whose tests run it",
    ),
    (
        "printf ",
        "gamma belongs to crates/contest, whose tests run it",
    ),
    (
        "crates/capi/install.sh",
        "builds from nothing; the tests of crates/capi run docs/c-library.md",
    ),
    ("export PKG_CONFIG_PATH", "is of use to the next one alone"),
    ("cc crates/capi", "needs the library of the line before"),
];

/// Pages whose commands are run.
#[cfg(target_os = "linux")]
const RUN: [&str; 1] = ["serve.md"];

/// Pages whose commands are only parsed, and the reason.
#[cfg(target_os = "linux")]
const PARSED: [(&str, &str); 15] = [
    (
        "bots.md",
        "a test of its own runs the first steps; the rest needs a graphics card",
    ),
    (
        "browser.md",
        "builds for minutes; tests/browser of crates/web have the pages",
    ),
    ("c-library.md", "the tests of crates/capi run it"),
    (
        "cluster.md",
        "tests/cluster runs it up to the first tournament; the rest needs machines",
    ),
    ("course.md", "needs students' work; course.rs has some"),
    (
        "json.md",
        "needs jq; schema.rs holds the schemas against the commands",
    ),
    ("line-protocol.md", "needs bots with files of weights"),
    (
        "organisers.md",
        "needs a class and a term; ladder.rs and submit.rs have them",
    ),
    (
        "puzzles.md",
        "searches for minutes; json.rs finds puzzles with few nodes",
    ),
    (
        "python.md",
        "needs a virtual environment; crates/python/check has one",
    ),
    ("release.md", "makes a release"),
    ("scale.md", "measures for minutes"),
    (
        "solved.md",
        "proves for minutes without optimisation; solve.rs proves smaller boards",
    ),
    ("speed.md", "measures for minutes"),
    (
        "statistics.md",
        "plays for minutes; README has matches of the same kind",
    ),
];

/// Commands that open a screen in a terminal: what is added to play without one, and the input.
#[cfg(target_os = "linux")]
const ON_A_SCREEN: [(&str, &str, &str); 2] = [
    // One move, so that there is a game to resume.
    ("floe play gamma", " --lines", "a1\n"),
    ("floe play", " --lines", ""),
];

/// README and every page of docs.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = fs::read_dir(root.join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    std::iter::once(root.join("README.md"))
        .chain(pages)
        .collect()
}

/// The lines of shell blocks and of indented blocks, without comments, with continued lines joined.
fn shell_lines(text: &str) -> Vec<String> {
    let mut fence = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                None => Some(language == "sh"),
                Some(_) => None,
            };
            continue;
        }
        if fence == Some(true) || fence.is_none() && line.starts_with("    ") {
            lines.push(line.split(" #").next().unwrap_or_default().trim());
        }
    }
    let joined = lines.join("\n").replace("\\\n", " ");
    joined.lines().map(str::to_owned).collect()
}

/// The arguments of each `floe` in a line, without redirections.
fn calls(line: &str) -> Vec<Vec<String>> {
    let Ok(words) = shell_words::split(line) else {
        return Vec::new();
    };
    let ends = |word: &String| ["|", "&&", ">", "<", ">>", "2>>"].contains(&word.as_str());
    let parts = words.split(ends).map(<[String]>::to_vec);
    let mut calls = Vec::new();
    for part in parts {
        // `a; b` has the semicolon at the end of a word.
        let mut call = Vec::new();
        for word in part {
            call.push(word.trim_end_matches(';').to_owned());
            if word.ends_with(';') {
                calls.push(std::mem::take(&mut call));
            }
        }
        calls.push(call);
    }
    calls.retain(|call| matches!(call.first().map(String::as_str), Some("floe" | "./floe")));
    for call in &mut calls {
        call.remove(0);
    }
    calls
}

#[test]
fn every_command_of_the_documents_is_accepted() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for line in shell_lines(&text) {
            for mut call in calls(&line) {
                let at = call.iter().position(|word| word == "--");
                call.insert(at.unwrap_or(call.len()), "--help".to_owned());
                let output = crate::floe("").args(&call).output().unwrap();
                let problem = String::from_utf8_lossy(&output.stderr);
                assert!(
                    output.status.success(),
                    "{}: {line}\n{problem}",
                    page.display()
                );
                count += 1;
            }
        }
    }
    assert!(count > 60, "only {count} commands were found");
}

#[cfg(target_os = "linux")]
#[test]
fn every_page_with_commands_is_run_or_has_a_reason() {
    for page in pages().into_iter().skip(1) {
        let text = fs::read_to_string(&page).unwrap();
        let name = page.file_name().unwrap().to_str().unwrap();
        let is_run = RUN.contains(&name);
        let has_reason = PARSED.iter().any(|(parsed, _)| *parsed == name);
        let has_commands = shell_lines(&text).iter().any(|line| !line.is_empty());
        assert_eq!(is_run || has_reason, has_commands, "{name}");
        assert!(!(is_run && has_reason), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_commands_of_these_pages_run_as_they_stand() {
    let docs = pages()[0].with_file_name("docs");
    for page in RUN {
        let mut reader = reader::Reader::new();
        let text = fs::read_to_string(docs.join(page)).unwrap();
        for line in shell_lines(&text).iter().filter(|line| !line.is_empty()) {
            reader.type_in(line, "");
        }
    }
}

/// The part of a page between two headings.
#[cfg(target_os = "linux")]
fn section<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap();
    rest.split_once(to).unwrap().0
}

#[cfg(target_os = "linux")]
#[test]
fn the_commands_of_the_readme_run_as_they_stand() {
    let text = fs::read_to_string(&pages()[0]).unwrap();
    let lines: Vec<String> = shell_lines(&text)
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect();
    for (start, why) in NOT_RUN {
        let is_there = lines.iter().any(|line| line.starts_with(start));
        assert!(is_there, "README has no command {start} any more ({why})");
    }
    let mut reader = reader::Reader::new();
    for line in lines {
        if NOT_RUN.iter().any(|(start, _)| line.starts_with(start)) {
            continue;
        }
        let on_a_screen = ON_A_SCREEN
            .iter()
            .find(|(start, ..)| line.starts_with(start));
        let (more, input) = on_a_screen.map_or(("", ""), |(_, more, input)| (more, input));
        reader.type_in(&format!("{line}{more}"), input);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_steps_with_a_bot_run_as_they_stand() {
    let cup = crate::submit::cup();
    let (_server, address) = crate::submit::serve(cup.path());
    let token = fs::read_to_string(cup.path().join("ada.token")).unwrap();
    let mut reader = reader::Reader::new();
    let address = address.trim_end_matches('/').to_owned();
    reader.replace("https://floe.example.org", address);
    reader.replace("0123456789abcdef0123456789abcdef", token.trim().to_owned());
    let has_curl = std::process::Command::new("curl")
        .arg("--version")
        .output()
        .is_ok();
    let text = fs::read_to_string(pages()[0].with_file_name("docs/bots.md")).unwrap();
    let steps = section(&text, "# Your first bot", "## How it is built");
    let mut count = 0;
    for line in shell_lines(steps) {
        if line.is_empty() || line.starts_with("curl") && !has_curl {
            continue;
        }
        reader.type_in(&line, "");
        count += 1;
    }
    assert!(count > 10, "only {count} commands were found");
    // The question and the answer to it.
    assert!(reader.here().join("question.txt").exists());
}
