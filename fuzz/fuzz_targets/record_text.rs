//! Any text is read as records or refused with its place; what is read is written back the same,
//! and playing it again ends with a word about what is wrong, never with a panic.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_fuzz::fuzz_target;
use floe_games::record::{ReadError, Record, read};

fuzz_target!(|text: &[u8]| {
    for record in read(text) {
        match record {
            Ok(record) => {
                let mut written = Vec::new();
                record.write(&mut written).expect("memory takes everything");
                let again: Result<Vec<Record>, ReadError> = read(&written[..]).collect();
                assert_eq!(
                    again.expect("it was written here"),
                    std::slice::from_ref(&record)
                );
                let _ = record.verify();
                for moves in 0..=record.moves().len().min(4) {
                    let _ = record.at(moves);
                }
            }
            Err(ReadError::Line { line, column, .. }) => {
                let lines = text.split(|&byte| byte == b'\n').count() as u64;
                assert!((1..=lines).contains(&line) && column > 0);
            }
            Err(ReadError::Damaged { line, .. }) => {
                let lines = text.split(|&byte| byte == b'\n').count() as u64;
                assert!((1..=lines).contains(&line));
            }
            Err(ReadError::File(error)) => panic!("memory is no file: {error}"),
        }
    }
});
