//! The commands of README and docs: `floe` accepts every subcommand, option and value in them.
//!
//! Commands are parsed, not run: most need a bot, a server or a person. `--help` ends each one once its
//! arguments are read.

use std::fs;
use std::path::{Path, PathBuf};

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
