//! What students hand in, checked and graded from the command line.

use std::fs;
use std::path::Path;

use crate::floe;

const SOURCE: &str = include_str!("../../../arena/tests/coursework/gamma/gamma.c");
const HEADER: &str = include_str!("../../../arena/tests/coursework/gamma/gamma.h");

/// A folder with a library that has this fault.
fn library(folder: &Path, fault: u32) {
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
    assert!(refused("grade gamma empty").contains("there are no submissions in empty"));
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
