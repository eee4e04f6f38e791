use std::fs;

use tempfile::tempdir;

use crate::{floe, games, stdout};

#[test]
fn shells_get_completions_with_the_games_in_them() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&format!("completions {shell}"));
        assert!(
            script.contains("floe") && script.contains("perft"),
            "{shell}"
        );
    }
    // The generator knows no way to tell fish what a word may be.
    for shell in ["bash", "zsh"] {
        let script = stdout(&format!("completions {shell}"));
        for game in games() {
            assert!(script.contains(game), "{shell} does not know {game}");
        }
    }
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
