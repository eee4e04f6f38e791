use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use floe_arena::journal::read_file;
use floe_arena::store::{Filter, GameSummary, Store, StoreError, index_path, verify};
use floe_games::FaultKind;
use floe_games::record::Record;

use crate::{small, whole};

fn games(store: &Store) -> Vec<GameSummary> {
    let mut games = Vec::new();
    store
        .each(&Filter::default(), |game| games.push(game))
        .unwrap();
    games
}

fn records(path: &Path) -> Vec<Record> {
    read_file(path).unwrap().map(Result::unwrap).collect()
}

fn remove_index(path: &Path) {
    for end in ["sqlite", "sqlite-wal", "sqlite-shm"] {
        let _ = fs::remove_file(path.with_extension(end));
    }
}

/// Records as they were written before games had checks.
fn without_checks(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| match line.split_once(",\"check\":") {
            Some((line, _)) => format!("{line}}}\n"),
            None => format!("{line}\n"),
        });
    lines.collect()
}

#[test]
fn a_store_made_again_from_the_records_is_the_same() {
    let (folder, results) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let (before, entrants) = {
        let store = Store::open(&path).unwrap();
        (games(&store), store.entrants().to_vec())
    };
    assert_eq!(before.len() as u64, results.games);
    remove_index(&path);
    let store = Store::open(&path).unwrap();
    assert_eq!(games(&store), before);
    assert_eq!(store.entrants(), entrants);
    assert_eq!(games(&Store::in_memory(&path).unwrap()), before);
    // Every game's record is where the store says.
    for (game, record) in before
        .iter()
        .map(|game| (game, store.record(game).unwrap().unwrap()))
    {
        assert_eq!(record.opening.id, game.id());
        assert_eq!(game.moves() as usize, record.moves().len());
    }
}

#[test]
fn a_record_without_its_index_is_indexed_and_the_other_way_round_is_repaired() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let all = records(&path);
    let whole_text = fs::read(&path).unwrap();
    // The index knows a part: what the file has more is added.
    let part = all.len() / 2;
    let cut: usize = {
        let mut reader = floe_games::record::read(&whole_text[..]);
        for _ in 0..part {
            reader.next().unwrap().unwrap();
        }
        reader.span().end as usize
    };
    remove_index(&path);
    fs::write(&path, &whole_text[..cut]).unwrap();
    assert_eq!(Store::open(&path).unwrap().games().unwrap(), part as u64);
    fs::write(&path, &whole_text).unwrap();
    assert_eq!(
        Store::open(&path).unwrap().games().unwrap(),
        all.len() as u64
    );
    // The index knows more than the file: the file is right.
    fs::write(&path, &whole_text[..cut]).unwrap();
    assert_eq!(Store::open(&path).unwrap().games().unwrap(), part as u64);
    // Another file, without checks, in which somebody of the first game has another name.
    let other = without_checks(std::str::from_utf8(&whole_text[..cut]).unwrap());
    let name = all[0].opening.seats[0].name.as_str();
    let changed = "x".repeat(name.len());
    fs::write(&path, other.replace(name, &changed)).unwrap();
    let store = Store::open(&path).unwrap();
    assert!(
        store
            .entrants()
            .iter()
            .any(|entrant| entrant.name == changed)
    );
}

#[test]
fn a_damaged_index_is_made_again() {
    let (folder, results) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let index = index_path(&path);
    for damage in ["nothing", "text", "torn", "zeros"] {
        let bytes = fs::read(&index).unwrap();
        match damage {
            "nothing" => fs::write(&index, b"").unwrap(),
            "text" => fs::write(&index, b"this is no database at all, by any means").unwrap(),
            "torn" => fs::write(&index, &bytes[..bytes.len() / 3]).unwrap(),
            _ => {
                let mut bytes = bytes;
                let end = bytes.len();
                bytes[4096..end].fill(0);
                fs::write(&index, bytes).unwrap();
            }
        }
        let store = Store::open(&path).unwrap_or_else(|error| panic!("{damage}: {error}"));
        assert_eq!(games(&store).len() as u64, results.games, "{damage}");
    }
}

#[test]
fn files_torn_at_any_byte_lose_no_whole_game() {
    let (folder, _) = whole(&small("format = \"gauntlet\""));
    let path = folder.path().join("cup.jsonl");
    let text = fs::read(&path).unwrap();
    let all = records(&path);
    let torn = folder.path().join("torn.jsonl");
    let before_last_newline = text.len() - 1;
    let cuts = (0..text.len()).step_by(text.len() / 60 + 1);
    for cut in cuts.chain([before_last_newline]) {
        remove_index(&torn);
        fs::write(&torn, &text[..cut]).unwrap();
        // A line without its newline may have been longer.
        let lines = text[..cut].iter().rposition(|&byte| byte == b'\n');
        let mut reader = floe_games::record::read(&text[..lines.map_or(0, |end| end + 1)]);
        let whole = reader
            .by_ref()
            .filter(|r| r.as_ref().is_ok_and(|r| r.end.is_some()))
            .count();
        {
            let mut store = Store::open(&torn).unwrap();
            assert_eq!(store.games().unwrap(), whole as u64, "cut at {cut}");
            for record in &all {
                store.add(record).unwrap();
            }
            assert_eq!(store.games().unwrap(), all.len() as u64, "cut at {cut}");
        }
        let verified = verify(&torn, |_| {}).unwrap();
        assert_eq!(verified.games, all.len() as u64);
        assert_eq!(
            (verified.repeated, verified.problems),
            (0, Vec::new()),
            "cut at {cut}"
        );
    }
}

#[test]
fn a_game_counts_once() {
    let (folder, results) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let all = records(&path);
    {
        let mut store = Store::open(&path).unwrap();
        assert!(store.add(&all[3]).unwrap().is_none());
        assert_eq!(store.first_open().unwrap(), results.games);
    }
    assert_eq!(records(&path).len(), all.len());
    // Even if the file has it twice.
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    for line in all[3].lines() {
        writeln!(file, "{}", serde_json::to_string(&line).unwrap()).unwrap();
    }
    assert_eq!(Store::open(&path).unwrap().games().unwrap(), results.games);
    let verified = verify(&path, |_| {}).unwrap();
    assert_eq!((verified.repeated, verified.problems.len()), (1, 0));
}

#[test]
fn records_of_another_contest_are_refused() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let record = records(&path).remove(0);
    let mut store = Store::open(&folder.path().join("new.jsonl")).unwrap();
    store.add(&record).unwrap();
    let mut three = record.clone();
    three.opening.id = "9".into();
    three.opening.seats.push(three.opening.seats[0].clone());
    assert!(matches!(store.add(&three), Err(StoreError::Foreign { .. })));
    let mut game = record.clone();
    game.opening.id = "9".into();
    game.opening.game = "gamma".into();
    assert!(matches!(store.add(&game), Err(StoreError::Foreign { .. })));
    let mut nameless = record;
    for id in ["", "x", "0", "-1", "+2", "99999999999999999999", "1.5"] {
        nameless.opening.id = id.into();
        assert!(
            matches!(store.add(&nameless), Err(StoreError::Id(_))),
            "{id}"
        );
    }
    assert_eq!(store.games().unwrap(), 1);
}

#[test]
fn games_are_found_by_who_played_and_by_faults() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let mut all = records(&path);
    let fault = floe_games::Fault::new(floe_rules::Player::new(0), FaultKind::Timeout, "too late");
    all[5]
        .events
        .push(floe_games::record::Event::Fault(Box::new(fault)));
    let faulty = all[5].opening.id.clone();
    let mut store = Store::open(&folder.path().join("other.jsonl")).unwrap();
    for record in &all {
        store.add(record).unwrap();
    }
    let count = |filter: Filter| {
        let mut found = Vec::new();
        store.each(&filter, |game| found.push(game)).unwrap();
        found
    };
    let number = |name: &str| {
        store
            .entrants()
            .iter()
            .position(|e| e.name == name)
            .unwrap()
    };
    let (one, other) = (number("keen"), number("dull"));
    assert_eq!(
        count(Filter {
            entrants: vec![one],
            ..Filter::default()
        })
        .len(),
        16
    );
    assert_eq!(
        count(Filter {
            entrants: vec![one, other],
            ..Filter::default()
        })
        .len(),
        4
    );
    assert_eq!(
        count(Filter {
            unit: Some(3),
            ..Filter::default()
        })
        .len(),
        2
    );
    assert_eq!(
        count(Filter {
            most: Some(7),
            ..Filter::default()
        })
        .len(),
        7
    );
    assert_eq!(
        count(Filter {
            range: Some(4..9),
            ..Filter::default()
        })
        .len(),
        5
    );
    let found = count(Filter {
        faulty: true,
        ..Filter::default()
    });
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id(), faulty);
    let kind = |kind| Filter {
        fault: Some(kind),
        ..Filter::default()
    };
    assert_eq!(count(kind(FaultKind::Timeout)), found);
    assert_eq!(count(kind(FaultKind::Crash)).len(), 0);
    let whose = found[0].seats[0].entrant;
    let others = (0..store.entrants().len()).filter(|&entrant| entrant != whose);
    for entrant in others {
        let filter = Filter {
            entrants: vec![entrant],
            faulty: true,
            ..Filter::default()
        };
        assert_eq!(count(filter).len(), 0);
    }
}

#[test]
fn lies_in_records_and_in_the_index_are_found() {
    let (folder, _) = whole(&small(""));
    let path = folder.path().join("cup.jsonl");
    let text = without_checks(&fs::read_to_string(&path).unwrap());
    fs::write(&path, &text).unwrap();
    drop(Store::open(&path).unwrap());
    let lie = text.replacen("\"scores\":[", "\"scores\":[1", 1);
    fs::write(&path, &lie).unwrap();
    let verified = verify(&path, |_| {}).unwrap();
    assert!(
        verified.problems.iter().any(|p| p.contains("by the rules")),
        "{verified:?}"
    );
    assert!(
        verified
            .problems
            .iter()
            .any(|p| p.contains("the index differs from the record")),
        "{verified:?}"
    );
    // Games in the index that no record has.
    let first = text.match_indices("{\"line\":\"game\"").nth(5).unwrap().0;
    fs::write(&path, &text[..first]).unwrap();
    fs::write(folder.path().join("kept"), "").unwrap();
    let verified = verify(&path, |_| {}).unwrap();
    assert_eq!(verified.games, 5);
    // A line that cannot be read.
    fs::write(&path, format!("{text}nonsense\n")).unwrap();
    let verified = verify(&path, |_| {}).unwrap();
    let lines = text.lines().count() + 1;
    let place = format!("cup.jsonl:{lines}:");
    assert!(
        verified.problems.iter().any(|p| p.contains(&place)),
        "{verified:?}"
    );
    let error = Store::in_memory(&path).unwrap_err().to_string();
    assert!(error.contains(&place), "{error}");
}
