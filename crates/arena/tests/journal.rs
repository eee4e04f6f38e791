//! Files of records: appended to, torn by a kill, packed.

#[path = "../../games/tests/recorded/mod.rs"]
mod recorded;

use std::fs;
use std::io::Write;

use floe_arena::journal::{RecordWriter, archive, read_file};
use floe_games::record::Record;
use recorded::game;

fn text(record: &Record) -> Vec<u8> {
    let mut text = Vec::new();
    record.write(&mut text).unwrap();
    text
}

#[test]
fn a_journal_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let (first, second) = (game("gamma", "4x4", 1), game("gamma", "4x4", 2));
    RecordWriter::open(&path).unwrap().append(&first).unwrap();
    let mut torn = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let half = text(&second);
    torn.write_all(&half[..half.len() / 2]).unwrap();
    let mut journal = RecordWriter::open(&path).unwrap();
    journal.append(&second).unwrap();
    journal.sync().unwrap();
    let read: Vec<Record> = read_file(&path).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(read.len(), 3);
    assert_eq!((&read[0], &read[2]), (&first, &second));
    assert_eq!(read[1].opening, second.opening);
    assert!(read[1].end.is_none());
}

#[test]
fn an_archive_is_read_like_the_file_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut journal = RecordWriter::open(&path).unwrap();
    let records: Vec<Record> = (1..9).map(|seed| game("penguins", "6x6", seed)).collect();
    for record in &records {
        journal.append(record).unwrap();
    }
    let packed = folder.path().join("games.jsonl.zst");
    let sizes = archive(&path, &packed).unwrap();
    assert_eq!(sizes.before, fs::metadata(&path).unwrap().len());
    assert_eq!(sizes.after, fs::metadata(&packed).unwrap().len());
    assert!(sizes.after * 4 < sizes.before, "{sizes:?}");
    let read: Vec<Record> = read_file(&packed)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(read, records);
    let error = archive(&path, &packed).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "nothing half-written stays");
}
