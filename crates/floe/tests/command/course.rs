//! What students hand in, checked and graded from the command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::floe;

const SOURCE: &str = include_str!("../../../arena/tests/coursework/gamma/gamma.c");
const HEADER: &str = include_str!("../../../arena/tests/coursework/gamma/gamma.h");

/// A folder with a library that has this fault.
pub(crate) fn library(folder: &Path, fault: u32) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("gamma.h"), HEADER).unwrap();
    let source = format!("#define FAULT {fault}\n{SOURCE}");
    fs::write(folder.join("gamma.c"), source).unwrap();
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_fault_is_shown_as_a_program_a_batch_file_and_a_board() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path(), 5);
    let run = floe("check library gamma . --keep faults --time 20s")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(1), "{said}\n{}", text(&run.stderr));
    for part in [
        "FAILED golden moves",
        "ok     parameters",
        "the board before the last call:",
        "as a C program:",
        "as a batch file:",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let program = fs::read_to_string(folder.path().join("faults/fault-1.c")).unwrap();
    assert!(program.contains("#include \"gamma.h\""), "{program}");
    let batch = fs::read_to_string(folder.path().join("faults/fault-1.txt")).unwrap();
    assert!(batch.starts_with("B "), "{batch}");
    assert!(batch.lines().count() <= 10, "{batch}");
}

#[test]
fn games_without_a_course_and_paths_without_a_library_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &str| {
        let run = floe(words).current_dir(folder.path()).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{words}");
        text(&run.stderr)
    };
    assert!(refused("check library flood .").contains("choose from: gamma"));
    assert!(refused("check library gamma nowhere").contains("there is no nowhere"));
    assert!(refused("grade gamma nowhere").contains("nowhere: "));
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(refused("grade gamma empty").contains("no submissions in empty"));
    library(&folder.path().join("all/one"), 0);
    fs::write(folder.path().join("points.toml"), "[library]\nmove = 1\n").unwrap();
    let said = refused("grade gamma all --points points.toml");
    assert!(
        said.contains("points.toml:2:1: no group `move` in [library]"),
        "{said}"
    );
}

#[test]
fn grades_are_a_page_and_a_table_and_nothing_is_checked_twice() {
    let folder = tempfile::tempdir().unwrap();
    library(&folder.path().join("all/anna"), 0);
    library(&folder.path().join("all/bob, the <second>"), 12);
    fs::create_dir(folder.path().join("all/carol")).unwrap();
    let points = "[library]\nboard = 2\nmoves = 1\n";
    fs::write(folder.path().join("points.toml"), points).unwrap();
    let grade = |words: &str| {
        let run = floe(&format!(
            "grade gamma all --points points.toml --time 20s {words}"
        ))
        .current_dir(folder.path())
        .output()
        .unwrap();
        let said = format!("{}{}", text(&run.stdout), text(&run.stderr));
        assert_eq!(run.status.code(), Some(0), "{said}");
        said
    };
    assert!(grade("").contains("3 submissions"));
    let read = |name: &str| fs::read_to_string(folder.path().join("grades").join(name)).unwrap();
    let (table, page) = (read("grades.csv"), read("index.html"));
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 4, "{table}");
    assert!(rows[1].starts_with("anna,3,3,"), "{table}");
    assert!(rows[2].starts_with("\"bob, the <second>\",1"), "{table}");
    assert!(rows[3].starts_with("carol,0,3,"), "{table}");
    assert!(page.contains("bob, the &lt;second&gt;") && !page.contains("<second>"));
    assert!(
        page.contains("gamma_board"),
        "the smallest example is there"
    );
    assert!(page.contains("there is no gamma.h"));

    // As after a kill: one report is missing, the others are taken as they are.
    let stored = |name: &str| folder.path().join(format!("grades/results/{name}.json"));
    let before = fs::read(stored("anna")).unwrap();
    let marked = text(&before).replace("\"slowest_ms\": ", "\"slowest_ms\": 77");
    fs::write(stored("anna"), &marked).unwrap();
    fs::remove_file(stored("carol")).unwrap();
    grade("");
    assert_eq!(
        text(&fs::read(stored("anna")).unwrap()),
        marked,
        "not checked again"
    );
    assert!(stored("carol").is_file());
    // What was handed in again is checked again.
    library(&folder.path().join("all/carol"), 0);
    grade("");
    assert!(read("grades.csv").contains("\ncarol,3,3,"));
}

/// The table without what differs from run to run: time and memory.
fn points_of(table: &str) -> Vec<Vec<String>> {
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let is_points = |at: &usize| {
        !["slowest_ms", "memory_mib"]
            .iter()
            .any(|word| head[*at].contains(word))
    };
    let columns: Vec<usize> = (0..head.len()).filter(is_points).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        columns.iter().map(|at| cells[*at].to_owned()).collect()
    };
    table.lines().map(row).collect()
}

#[test]
fn a_kill_in_the_middle_of_grading_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (number, fault) in [(1, 0), (2, 12), (3, 9), (4, 0)] {
        library(&folder.path().join(format!("all/student-{number}")), fault);
    }
    let words = "grade gamma all --concurrency 1 --time 20s";
    let mut first = Command::new(env!("CARGO_BIN_EXE_floe"))
        .args(words.split(' '))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stored = |number: u32| {
        folder
            .path()
            .join(format!("grades/results/student-{number}.json"))
    };
    while !stored(2).is_file() {
        assert!(
            first.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    first.kill().unwrap(); // SIGKILL
    first.wait().unwrap();
    assert!(!stored(4).is_file() && !folder.path().join("grades/grades.csv").is_file());
    let kept = [1, 2].map(|number| fs::read(stored(number)).unwrap());

    let grade = |words: &str| {
        let run = floe(words).current_dir(folder.path()).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        points_of(&fs::read_to_string(folder.path().join("grades/grades.csv")).unwrap())
    };
    let resumed = grade(words);
    assert_eq!(resumed.len(), 5, "{resumed:?}");
    assert_eq!(
        kept,
        [1, 2].map(|number| fs::read(stored(number)).unwrap()),
        "not checked again"
    );
    let fresh = grade(&format!("{words} --fresh"));
    assert_eq!(resumed, fresh, "the same points as without a kill");
}

/// A program in a folder of its own.
fn bot(folder: &Path, file: &str, make: &str) {
    fs::create_dir_all(folder).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/bots")
        .join(file);
    let shell = make.replace("SOURCE", &source.display().to_string());
    let made = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(folder)
        .status();
    assert!(made.unwrap().success(), "{make}");
}

#[test]
fn bots_are_graded_by_the_gate_and_a_ladder_of_opponents_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let at = |name: &str| folder.path().join(name);
    bot(&at("flood/good"), "flood.c", "cc -O2 -w SOURCE -o bot");
    bot(
        &at("flood/mute"),
        "",
        "printf '#!/bin/sh\\nexit 0\\n' > bot && chmod +x bot",
    );
    fs::create_dir(at("flood/empty")).unwrap();
    bot(
        &at("penguins/good"),
        "penguins.c",
        "cc -O2 -w SOURCE -o bot",
    );
    let points = "[gate]\nplays = 3\nletter = 1\n[opponents]\nrandom = 2\n";
    fs::write(at("points.toml"), points).unwrap();
    let grade = |game: &str| {
        let words = format!("grade {game} {game} --points points.toml --fresh --out out-{game}");
        let run = floe(&words).current_dir(folder.path()).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        fs::read_to_string(at(&format!("out-{game}/grades.csv"))).unwrap()
    };
    let table = grade("flood");
    let row = |name: &str| {
        let line = table
            .lines()
            .find(|line| line.starts_with(&format!("{name},")));
        line.unwrap_or_else(|| panic!("{table}")).to_owned()
    };
    assert!(row("empty").starts_with("empty,0,6,"), "{table}");
    assert!(row("mute").starts_with("mute,0,6,"), "{table}");
    let sum: f64 = row("good").split(',').nth(1).unwrap().parse().unwrap();
    assert!(sum > 4.0, "{table}");
    let page = fs::read_to_string(at("out-flood/index.html")).unwrap();
    assert!(page.contains("there is no program in it"), "{page}");
    assert_eq!(points_of(&table), points_of(&grade("flood")));
    let penguins = grade("penguins");
    let good = penguins.lines().nth(1).unwrap();
    let sum: f64 = good.split(',').nth(1).unwrap().parse().unwrap();
    assert!(sum > 4.0, "{penguins}");
}
