use std::fmt::Write as _;
use std::fs;

use floe_arena::tournament::{Description, Format};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::small;

#[test]
fn what_is_wrong_is_told_with_its_place_and_advice() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.txt"), "J\n@?\n").unwrap();
    let two = "a = \"random\"\nb = \"greedy\"\n";
    let cases = [
        ("no game", format!("[entrants]\n{two}")),
        (
            "unknown game",
            format!("game = \"chess\"\n[entrants]\n{two}"),
        ),
        (
            "misspelt word",
            format!("game = \"flood\"\nfromat = \"swiss\"\n[entrants]\n{two}"),
        ),
        (
            "unknown format",
            format!("game = \"flood\"\nformat = \"cup\"\n[entrants]\n{two}"),
        ),
        ("no entrants", "game = \"flood\"\n".into()),
        (
            "one entrant",
            "game = \"flood\"\n[entrants]\na = \"random\"\n".into(),
        ),
        (
            "same name",
            format!("game = \"flood\"\n[entrants]\n{two}a = \"floe\"\n"),
        ),
        (
            "nobody",
            "game = \"flood\"\n[entrants]\na = \"flow\"\nb = \"random\"\n".into(),
        ),
        (
            "missing program",
            "game = \"flood\"\n[entrants]\na = \"./bot\"\nb = \"random\"\n".into(),
        ),
        (
            "human",
            "game = \"flood\"\n[entrants]\na = \"human\"\nb = \"random\"\n".into(),
        ),
        (
            "number as word",
            "game = \"flood\"\n[entrants]\na = 5\nb = \"random\"\n".into(),
        ),
        (
            "bad setup",
            format!("game = \"flood\"\n[boards]\nsetup = \"5x4,coulours=3\"\n[entrants]\n{two}"),
        ),
        (
            "bad file",
            format!("game = \"flood\"\n[boards]\nfiles = [\"bad.txt\"]\n[entrants]\n{two}"),
        ),
        (
            "missing file",
            format!("game = \"flood\"\n[boards]\nfiles = [\"none.txt\"]\n[entrants]\n{two}"),
        ),
        (
            "no files",
            format!("game = \"flood\"\n[boards]\nfiles = []\n[entrants]\n{two}"),
        ),
        (
            "setup and files",
            format!("game = \"flood\"\n[boards]\nfiles = []\nsetup = \"\"\n[entrants]\n{two}"),
        ),
        (
            "no boards",
            format!("game = \"flood\"\n[boards]\ncount = 0\n[entrants]\n{two}"),
        ),
        (
            "table too large",
            format!("game = \"flood\"\ntable = 3\n[entrants]\n{two}"),
        ),
        (
            "swiss for three",
            format!(
                "game = \"gamma\"\nformat = \"swiss\"\ntable = 3\n[entrants]\n{two}c = \"floe\"\n"
            ),
        ),
        (
            "setup for three",
            format!("game = \"gamma\"\n[boards]\nsetup = \"5x5,players=3\"\n[entrants]\n{two}"),
        ),
        (
            "rounds of a knockout",
            format!("game = \"flood\"\nformat = \"knockout\"\nrounds = 3\n[entrants]\n{two}"),
        ),
        (
            "too many challengers",
            format!("game = \"flood\"\nformat = \"gauntlet\"\nchallengers = 2\n[entrants]\n{two}"),
        ),
        (
            "no time",
            format!("game = \"flood\"\n[limits]\ntime = \"0s\"\n[entrants]\n{two}"),
        ),
        (
            "odd time",
            format!("game = \"flood\"\n[limits]\ntime = \"fast\"\n[entrants]\n{two}"),
        ),
        (
            "time without a unit",
            format!("game = \"flood\"\n[limits]\ntime = 1\n[entrants]\n{two}"),
        ),
        (
            "odd memory",
            format!("game = \"flood\"\n[limits]\nmemory = \"256\"\n[entrants]\n{two}"),
        ),
        (
            "unknown limit",
            format!("game = \"flood\"\n[limits]\ncpu = 3\n[entrants]\n{two}"),
        ),
        (
            "unknown anchor",
            format!("game = \"flood\"\nanchor = \"c\"\n[entrants]\n{two}"),
        ),
        (
            "sandbox level",
            format!("game = \"flood\"\nsandbox = 9\n[entrants]\n{two}"),
        ),
        (
            "no concurrency",
            format!("game = \"flood\"\nconcurrency = 0\n[entrants]\n{two}"),
        ),
        (
            "giant board",
            format!("game = \"gamma\"\n[boards]\nsetup = \"65536x4\"\n[entrants]\n{two}"),
        ),
        (
            "endless round",
            format!(
                "game = \"flood\"\nformat = \"swiss\"\n[boards]\ncount = 1000000\n[entrants]\n{two}"
            ),
        ),
        (
            "name that turns lines round",
            format!("game = \"flood\"\n[entrants]\n\"\u{202e}x\" = \"greedy\"\n{two}"),
        ),
        (
            "words a file does not leave open",
            format!(
                "game = \"flood\"\n[boards]\nfiles = [\"bad.txt\"]\nsetup = \"5x5\"\n[entrants]\n{two}"
            ),
        ),
        ("no toml", "game = flood\n".into()),
    ];
    let mut seen = String::new();
    for (name, text) in cases {
        let error = Description::read(&text, &folder.path().join("cup.toml")).unwrap_err();
        let shown = error
            .to_string()
            .replace(&format!("{}/", folder.path().display()), "");
        let _ = write!(seen, "== {name}\n{shown}\n\n");
    }
    assert_snapshot!(seen);
}

#[test]
fn everything_has_a_usual_value() {
    let text = "game = \"penguins\"\n[entrants]\na = \"random\"\nb = \"greedy\"\nc = \"floe\"\n";
    let description = Description::read(text, "some/cup.toml".as_ref()).unwrap();
    assert_eq!(description.format, Format::RoundRobin);
    assert_eq!(
        (description.table, description.count, description.seed),
        (2, 1, 1)
    );
    assert_eq!(description.limits, Default::default());
    assert_eq!(description.records, std::path::Path::new("some/cup.jsonl"));
    assert_eq!(description.folder(), std::path::Path::new("some"));
    let names: Vec<&str> = description
        .entrants
        .iter()
        .map(|e| e.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
    let swiss = Description::read(&format!("format = \"swiss\"\n{text}"), "cup.toml".as_ref());
    assert_eq!(swiss.unwrap().format, Format::Swiss { rounds: 2 });
}

#[test]
fn entrants_stand_in_the_order_of_the_file() {
    let text = "game = \"flood\"\n[entrants]\nz = \"random\"\na = \"greedy\"\nm = \"floe\"\n";
    let description = Description::read(text, "cup.toml".as_ref()).unwrap();
    let names: Vec<&str> = description
        .entrants
        .iter()
        .map(|e| e.name.as_str())
        .collect();
    assert_eq!(names, ["z", "a", "m"]);
}

#[test]
fn limits_are_read_in_their_units() {
    let text = small("").replace(
        "[entrants]",
        "[limits]\ntime = \"1.5s\"\nmargin = \"20 ms\"\nstrikes = 1\nstart = \"1min\"\nmemory = \"1GiB\"\naddress-space = \"4GiB\"\n[entrants]",
    );
    let limits = Description::read(&text, "cup.toml".as_ref())
        .unwrap()
        .limits;
    assert_eq!(
        (limits.move_ms, limits.margin_ms, limits.strikes),
        (1500, 20, 1)
    );
    assert_eq!((limits.start_ms, limits.memory_mib), (60_000, 1024));
    assert_eq!(limits.address_space_mib, Some(4096));
}

#[test]
fn three_at_a_table_need_no_word_in_the_setup() {
    let text = "game = \"gamma\"\ntable = 3\n[boards]\nsetup = \"5x5\"\n[entrants]\na = \"random\"\nb = \"greedy\"\nc = \"floe\"\n";
    let description = Description::read(text, "cup.toml".as_ref()).unwrap();
    assert_eq!(description.boards.players(), Some(3));
}

proptest! {
    #[test]
    fn no_text_is_a_panic(text in "\\PC*") {
        let _ = Description::read(&text, "cup.toml".as_ref());
    }

    #[test]
    fn no_change_of_a_good_text_is_a_panic(at in 0usize..300, by in "\\PC{0,3}") {
        let mut text = small("format = \"swiss\"");
        let at = at.min(text.len() - 1);
        text.replace_range(at..at + 1, &by);
        if let Err(error) = Description::read(&text, "cup.toml".as_ref()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
