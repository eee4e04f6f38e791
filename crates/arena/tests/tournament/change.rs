//! Entrants who join late, leave, or play under limits of their own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use floe_arena::journal::read_file;
use floe_arena::schedule::DecidedBy;
use floe_arena::tournament::{Description, Ended, Tournament, TournamentError};

use crate::{opened, play, small, whole};

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
    let results = tournament.standings();
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
        assert_eq!(tournament.standings().rows.len(), 4);
        assert_eq!(games(folder), played + added);
        if format.is_empty() {
            all_met(&tournament, 4);
        }
    }
}

/// Why this description does not fit the games there are.
#[track_caller]
fn refused(folder: &Path, text: &str) -> String {
    let description = Description::read(text, &folder.join("cup.toml"));
    let description = description.unwrap_or_else(|error| panic!("{error}"));
    let error = Tournament::open(description, true).unwrap_err();
    assert!(matches!(error, TournamentError::Changed { .. }), "{error}");
    error.to_string()
}

#[test]
fn a_swiss_tournament_is_joined_and_left_with_a_round() {
    let before = small("format = \"swiss\"\nrounds = 4");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Two rounds of two tables and two boards, and a game of the third.
    let mut tournament = opened(folder, &before);
    assert_eq!(play(&mut tournament, 1, 2 * 8 + 1), Ended::Stopped);
    drop(tournament);

    let gone = refused(folder, &before.replace("dull = \"random:seed=9\"\n", ""));
    assert!(
        gone.contains("write dull = { seat = \"random:seed=9\", leaves = ROUND }"),
        "{gone}"
    );
    let late = |rest: &str| format!("{before}late = {{ seat = \"greedy:seed=5\"{rest} }}\n");
    let told = refused(folder, &late(""));
    assert!(
        told.contains("write late = { seat = \"greedy:seed=5\", joins = ROUND }"),
        "{told}"
    );
    let told = refused(folder, &late(", joins = 2"));
    assert!(
        told.contains("late joins with round 2, which is drawn already"),
        "{told}"
    );
    let early = before.replace(
        "\"random:seed=9\"",
        "{ seat = \"random:seed=9\", leaves = 2 }",
    );
    let told = refused(folder, &early);
    assert!(
        told.contains("the rounds they join or leave with"),
        "{told}"
    );

    // What comes with a round that is not drawn yet changes nothing that was played.
    let text = late(", joins = 4");
    let text = text.replace(
        "\"random:seed=9\"",
        "{ seat = \"random:seed=9\", leaves = 4 }",
    );
    let mut tournament = opened(folder, &text);
    assert_eq!(tournament.played(), 17);
    assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
    let results = tournament.standings();
    assert_eq!((results.games, results.length), (4 * 8, Some(4 * 8)));
    let row = |name: &str| results.rows.iter().find(|row| row.name == name).unwrap();
    // Three rounds missed are worth a draw on each of two boards in both orders.
    let late = row("late");
    let played = late.wins as f64 + late.draws as f64 / 2.0;
    assert_eq!(late.byes, Some(3 + u64::from(late.games == 0)));
    if late.games > 0 {
        assert_eq!((late.games, late.points), (4, 3.0 * 2.0 + played));
    }
    // Whoever left keeps what they had.
    let dull = row("dull");
    assert_eq!(dull.games + 4 * dull.byes.unwrap(), 3 * 4);
    drop(tournament);
    // Once it is over nothing is missing, however often it is opened.
    let mut tournament = opened(folder, &text);
    assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
    assert_eq!(games(folder), 4 * 8);
}

#[test]
fn a_knockout_is_left_by_walkover_and_joined_by_nobody() {
    let before = small("format = \"knockout\"");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The one match of the first round, and a game of the second.
    let mut tournament = opened(folder, &before);
    assert_eq!(play(&mut tournament, 1, 5), Ended::Stopped);
    drop(tournament);
    let told = refused(folder, &format!("{before}late = \"greedy\"\n"));
    assert!(
        told.contains("a knockout takes no entrants once its first round is drawn"),
        "{told}"
    );
    let told = refused(
        folder,
        &before.replace("keen = \"alphabeta:nodes=40\"\n", ""),
    );
    assert!(told.contains("leaves = ROUND }"), "{told}");

    let left = "{ seat = \"alphabeta:nodes=40\", leaves = 2 }";
    let text = before.replace("\"alphabeta:nodes=40\"", left);
    let mut tournament = opened(folder, &text);
    assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
    let results = tournament.standings();
    let bout = results
        .bouts
        .iter()
        .find(|bout| bout.decision == Some(DecidedBy::Walkover));
    let bout = bout.unwrap();
    assert_eq!(
        (bout.round, bout.verdict().as_str()),
        (2, "lucky (walkover)")
    );
    let keen = results.rows.iter().find(|row| row.name == "keen").unwrap();
    assert_eq!(keen.place, 3);
    // Joining is said to be impossible at its place in the file, too.
    let text = before.replace("\"random\"", "{ seat = \"random\", joins = 2 }");
    let error = Description::read(&text, "cup.toml".as_ref())
        .unwrap_err()
        .to_string();
    assert!(error.contains("a knockout takes no entrants"), "{error}");
}

#[test]
fn rounds_to_join_and_leave_with_are_rounds_there_are() {
    let swiss = "format = \"swiss\"\nrounds = 3";
    for (format, rounds, told) in [
        (swiss, "joins = 0", "`joins` is a round from 1 to 3"),
        (swiss, "joins = 4", "`joins` is a round from 1 to 3"),
        (swiss, "leaves = 1", "the rounds to leave with are 2 to 3"),
        (
            swiss,
            "joins = 2, leaves = 2",
            "the rounds to leave with are 3 to 3",
        ),
        (
            swiss,
            "joins = 3, leaves = 3",
            "there is no round left to leave with",
        ),
        (
            "format = \"knockout\"",
            "leaves = 4",
            "the rounds to leave with are 1 to 3",
        ),
        (
            "",
            "leaves = 2",
            "a round-robin has no rounds to join or leave",
        ),
    ] {
        let seat = format!("{{ seat = \"random\", {rounds} }}");
        let text = small(format).replace("\"random\"", &seat);
        let error = Description::read(&text, "cup.toml".as_ref())
            .unwrap_err()
            .to_string();
        assert!(error.contains(told), "{error}");
    }
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
    assert_eq!(changes[0].what, "the limits have changed");
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
