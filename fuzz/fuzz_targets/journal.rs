//! Any bytes are read as a league's journal or refused with their line; any events in any order
//! make a standing.
#![cfg_attr(feature = "fuzzer", no_main)]

use std::fs;

use floe_fuzz::fuzz_target;
use floe_league::journal::{Journal, JournalError, PlacedEntry};
use floe_league::{Entry, LeagueState};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    fs::write(&path, bytes).expect("it is written");
    let mut journal = Journal::open(&path).expect("the file is there");
    match journal.catch_up() {
        Ok(entries) => stand(entries.iter().map(|placed| &placed.entry)),
        Err(JournalError::Damaged { line, .. }) => {
            let lines = bytes.split(|&byte| byte == b'\n').count() as u64;
            assert!((1..=lines).contains(&line));
        }
        Err(error) => panic!("{error}"),
    }
    // Few bytes have the right check: entries without it show more.
    let lines = bytes.split(|&byte| byte == b'\n');
    let entries: Vec<Entry> = lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    stand(entries.iter());
});

fn stand<'a>(entries: impl Iterator<Item = &'a Entry>) {
    let mut standing = LeagueState::default();
    for (place, entry) in entries.enumerate() {
        standing.apply(&PlacedEntry {
            place: place as u64,
            entry: entry.clone(),
        });
    }
}
