//! Entrants who join late, leave, or play under limits of their own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use floe_arena::journal::read_file;
use floe_arena::tournament::{Description, Ended, Tournament, TournamentError};

use crate::{play, small, whole};

fn accepted(folder: &Path, text: &str) -> Tournament {
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    let description = Description::load(&file).unwrap_or_else(|error| panic!("{error}"));
    let refused = Tournament::open(description.clone(), false).unwrap_err();
    assert!(
        matches!(refused, TournamentError::Changed { .. }),
        "{refused}"
    );
    Tournament::open(description, true).unwrap_or_else(|error| panic!("{error}"))
}

/// How many games there are in the file, each under a number of its own.
fn games(folder: &Path) -> usize {
    let records = read_file(&folder.join("cup.jsonl")).unwrap();
    let ids: Vec<String> = records.map(|record| record.unwrap().opening.id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    ids.len()
}

/// That everybody met everybody so often.
#[track_caller]
fn all_met(tournament: &Tournament, games: u64) {
    let results = tournament.results();
    assert!(results.is_finished);
    for (one, row) in results.meetings.iter().enumerate() {
        for (other, meeting) in row.iter().enumerate() {
            let met = meeting.as_ref().map_or(0, |meeting| meeting.games);
            assert_eq!(met, if one == other { 0 } else { games });
        }
    }
}

#[test]
fn entrants_join_late_and_leave() {
    for format in ["", "format = \"gauntlet\"\nchallengers = 2"] {
        let before = small(format);
        let (folder, results) = whole(&before);
        let (folder, played) = (folder.path(), results.games as usize);
        // Somebody joins, and it is stopped in the middle.
        let joined = format!("{before}late = \"greedy:seed=5\"\n");
        let mut tournament = accepted(folder, &joined);
        assert_eq!(tournament.played(), played as u64);
        let changes = tournament.changes().unwrap().into_iter();
        assert_eq!(changes.map(|c| c.what).collect::<Vec<_>>(), ["late joins"]);
        assert_eq!(play(&mut tournament, 2, 5), Ended::Stopped);
        drop(tournament);
        let file = Description::load(&folder.join("cup.toml")).unwrap();
        let mut tournament = Tournament::open(file, true).unwrap();
        assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
        let added = if format.is_empty() { 5 * 4 } else { 2 * 4 };
        assert_eq!(games(folder), played + added);
        if format.is_empty() {
            all_met(&tournament, 4);
        }
        drop(tournament);
        // Two leave: their games stay in the file and count no more.
        let left = joined.replace("dull = \"random:seed=9\"\n", "");
        let left = left.replace("slow = \"alphabeta:depth=1\"\n", "");
        let mut tournament = accepted(folder, &left);
        assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
        assert_eq!(tournament.results().rows.len(), 4);
        assert_eq!(games(folder), played + added);
        if format.is_empty() {
            all_met(&tournament, 4);
        }
    }
}

#[test]
fn a_swiss_tournament_keeps_its_entrants() {
    let before = small("format = \"swiss\"\nrounds = 2");
    let (folder, _) = whole(&before);
    let text = before.replace("dull =", "dumb =");
    let description = Description::read(&text, &folder.path().join("cup.toml")).unwrap();
    let refused = Tournament::open(description, true).unwrap_err();
    assert!(
        matches!(refused, TournamentError::Changed { .. }),
        "{refused}"
    );
}

#[test]
fn an_entrant_may_have_limits_of_its_own() {
    let text = small("").replace(
        "slow = \"alphabeta:depth=1\"",
        "slow = { seat = \"alphabeta:depth=1\", limits = { time = \"200ms\", memory = \"64MiB\" } }",
    );
    let (folder, _) = whole(&text);
    for record in read_file(&folder.path().join("cup.jsonl")).unwrap() {
        let opening = record.unwrap().opening;
        for (seat, entrant) in (1..).zip(&opening.seats) {
            let limits = opening.limits_of(seat);
            let is_own = entrant.name == "slow";
            let expected = if is_own {
                (200, 64, 50)
            } else {
                (1000, 128, 50)
            };
            let found = (limits.move_ms, limits.memory_mib, limits.margin_ms);
            assert_eq!(found, expected);
        }
    }
    // Another handicap is a change.
    let tournament = accepted(folder.path(), &text.replace("200ms", "300ms"));
    let changes = tournament.changes().unwrap();
    assert_eq!(changes[0].what, "the limits are other ones now");
    drop(tournament);
    for (from, to, told) in [
        ("200ms", "soon", "not a time"),
        ("seat = \"alphabeta:depth=1\", ", "", "missing field `seat`"),
        ("limits = {", "limit = {", "unknown field `limit`"),
    ] {
        let wrong = Description::read(&text.replace(from, to), "cup.toml".as_ref());
        let error = wrong.unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
