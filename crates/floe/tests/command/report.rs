use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::{floe, transcript};

/// A small tournament that is played already.
fn played(folder: &Path) {
    let text = "game = \"gamma\"\n[boards]\nsetup = \"4x4\"\nseed = 1\ncount = 4\n\
                [entrants]\ngreedy = \"greedy\"\n\"<i>luck\" = \"random\"\n";
    fs::write(folder.join("cup.toml"), text).unwrap();
    let mut command = floe("tournament cup.toml -q");
    command.current_dir(folder).assert().success();
}

fn report(folder: &Path, arguments: &str) -> String {
    let mut command = floe(&format!("report {arguments} -o report.html"));
    command.current_dir(folder).assert().success();
    fs::read_to_string(folder.join("report.html")).unwrap()
}

#[test]
fn a_description_records_and_folders_make_a_page() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let page = report(folder, "cup.toml");
    for part in [
        "<title>cup – Floe</title>",
        "8 of 8 games",
        "Ratings over time",
        "The closest games",
        "The most lopsided",
        "&#60;i&#62;luck",
        "class=\"podium\"",
        "<dt>games, each board from every seat</dt><dd>8</dd>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<i>luck"));
    assert!(report(folder, "cup.jsonl").contains("The closest games"));
    assert!(report(folder, ".").contains("8 of 8 games"));
    let few = report(folder, "cup.toml --top 1");
    assert_eq!(few.matches("class=\"reel\"").count(), 2);
    let none = report(folder, "cup.toml --top 0");
    assert!(!none.contains("class=\"reel\""));
    // A league's folder has its games in a file of this name.
    fs::create_dir(folder.join("term")).unwrap();
    fs::copy(folder.join("cup.jsonl"), folder.join("term/ladder.jsonl")).unwrap();
    for path in ["term", "term/league.toml"] {
        assert!(
            report(folder, path).contains("<title>term – Floe</title>"),
            "{path}"
        );
    }
    let names: Vec<_> = fs::read_dir(folder).unwrap().flatten().collect();
    let left = names
        .iter()
        .filter(|name| name.file_name().to_string_lossy().starts_with(".tmp"));
    assert_eq!(left.count(), 0, "nothing is left lying about");
}

#[test]
fn what_cannot_be_reported_on_leaves_no_page() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("report.html"), "as it was").unwrap();
    fs::write(folder.join("empty.jsonl"), "").unwrap();
    for arguments in ["none.toml", "empty.jsonl", "report.html"] {
        let mut command = floe(&format!("report {arguments} -o report.html"));
        command.current_dir(folder).assert().code(2);
    }
    assert_eq!(
        fs::read_to_string(folder.join("report.html")).unwrap(),
        "as it was"
    );
    played(folder);
    let seen = transcript("report cup.toml -o none/report.html", folder, "");
    assert!(seen.contains("cannot write none/report.html"), "{seen}");
}

#[test]
fn a_link_that_the_page_is_written_to_stays_one() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    std::os::unix::fs::symlink("kept.html", folder.join("report.html")).unwrap();
    for file in ["kept.html", "report.html"] {
        let page = report(folder, "cup.toml");
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), page);
        assert!(folder.join("report.html").is_symlink());
    }
}
