//! A league with hostile programs in it: it ends by itself, every fault is on the right name, and no
//! honest program pays for a neighbour.

use std::collections::BTreeMap;
use std::fmt::Write;

use floe_arena::journal::read_file;
use floe_arena::standings::Standings;
use floe_arena::tournament::{Description, Ended, Tournament};

use super::*;

/// What each hostile entrant does, how it is spoken to, and what that is called.
const HOSTILE: [(&str, Way, &[FaultKind]); 10] = [
    ("segfault", Way::Line, &[FaultKind::Crash]),
    ("exit=7", Way::Flood, &[FaultKind::GaveUp]),
    (
        "forkbomb",
        Way::Line,
        &[FaultKind::ForbiddenAccess, FaultKind::Timeout],
    ),
    ("malloc", Way::Line, &[FaultKind::TooMuchMemory]),
    ("hang", Way::Line, &[FaultKind::Timeout]),
    ("abort", Way::Flood, &[FaultKind::Crash]),
    ("family", Way::Flood, &[FaultKind::TooMuchMemory]),
    ("babble", Way::Line, &[FaultKind::TooMuchOutput]),
    ("garbage", Way::Line, &[FaultKind::UnreadableAnswer]),
    ("twice", Way::Line, &[FaultKind::UnreadableAnswer]),
];

/// The description of a tournament of the first of the hostile entrants and so many honest ones.
fn league(format: &str, hostile: usize, honest: usize, mark: &str) -> String {
    let mut text = format!(
        "game = \"flood\"\nformat = {format}\n[boards]\nsetup = \"4x4\"\ncount = 1\n\
         [limits]\ntime = \"60s\"\nstart = \"60s\"\nmemory = \"64MiB\"\n[entrants]\n"
    );
    for (number, (deed, way, _)) in HOSTILE.iter().enumerate().take(hostile) {
        // A program that never answers costs its whole time limit.
        let time = if ["hang", "forkbomb"].contains(deed) {
            "200ms"
        } else {
            "60s"
        };
        let word = way.word(deed, mark);
        let limits = format!("limits = {{ time = \"{time}\" }}");
        let _ = writeln!(text, "bad{number} = {{ seat = \"{word}\", {limits} }}");
    }
    // All of them answer the same question in the same way every time.
    for number in 0..honest {
        let word = match number % 5 {
            0 => Way::Flood.word("honest", mark),
            1 | 2 => Way::Line.word("honest", mark),
            3 => format!("floe:nodes={}", 50 * number),
            _ => format!("greedy:seed={number}"),
        };
        let _ = writeln!(text, "good{number} = \"{word}\"");
    }
    text
}

/// Plays a tournament, two games at once on the same cores: neighbours as near as they get.
fn play(text: &str) -> (Vec<Record>, Standings) {
    let folder = tempfile::tempdir().unwrap();
    let description = Description::read(text, &folder.path().join("league.toml"));
    let description = description.unwrap_or_else(|error| panic!("{error}"));
    let records = description.records.clone();
    let mut tournament = Tournament::open(description, false).unwrap();
    let runner = tournament.runner(sandbox().clone(), 2, None);
    let ended = tournament.run(&runner, &Default::default(), |_, _| {});
    assert_eq!(ended.unwrap(), Ended::Finished);
    assert!(tournament.failed_games().is_empty());
    let records = read_file(&records).unwrap();
    (
        records.map(Result::unwrap).collect(),
        tournament.standings(),
    )
}

fn is_good(name: &str) -> bool {
    name.starts_with("good")
}

fn is_honest(record: &Record) -> bool {
    record.opening.seats.iter().all(|seat| is_good(&seat.name))
}

/// Every game with a hostile program has one fault, which is of that program and of its kind and loses;
/// no other game has any.
fn check_faults(records: &[Record], results: &Standings) {
    for record in records {
        record.verify().unwrap();
        let seats = record.opening.seats.iter();
        let names: Vec<&str> = seats.map(|entrant| &*entrant.name).collect();
        let faults: Vec<&Fault> = record.faults().collect();
        let expected = usize::from(!is_honest(record));
        assert_eq!(faults.len(), expected, "{names:?}: {faults:?}");
        for fault in faults {
            let name = names[fault.seat as usize - 1];
            let number: usize = name.strip_prefix("bad").expect(name).parse().unwrap();
            let (deed, _, kinds) = HOSTILE[number];
            assert!(kinds.contains(&fault.kind), "{deed}: {fault:?}");
            let places = &record.end.as_ref().unwrap().places;
            assert_eq!(places[fault.seat as usize - 1], 2, "{names:?}");
        }
    }
    for row in results.rows.iter().filter(|row| is_good(&row.name)) {
        assert_eq!((row.faults.len(), row.strikes), (0, 0), "{}", row.name);
    }
}

/// What happened in a game, without the clock.
fn course(record: &Record) -> (Vec<(u32, &str)>, &[i64], &[u32]) {
    let moves = record.moves().into_iter();
    let moves = moves.map(|one| (one.seat, &*one.mv)).collect();
    let end = record.end.as_ref().unwrap();
    (moves, &end.scores, &end.places)
}

/// The points of every honest entrant against every other.
fn table(results: &Standings) -> BTreeMap<(&str, &str), (u64, String)> {
    let mut table = BTreeMap::new();
    for (row, meetings) in results.rows.iter().zip(&results.meetings) {
        for (other, meeting) in results.rows.iter().zip(meetings) {
            if let Some(meeting) = meeting.filter(|_| is_good(&row.name) && is_good(&other.name)) {
                let result = (meeting.games, meeting.points.to_string());
                table.insert((&*row.name, &*other.name), result);
            }
        }
    }
    table
}

#[test]
fn honest_programs_have_the_same_table_with_hostile_ones_and_without() {
    let mark = mark();
    let (records, with) = play(&league("\"round-robin\"", 4, 5, &mark));
    check_faults(&records, &with);
    assert_eq!(records.len(), 9 * 8);
    let (alone, without) = play(&league("\"round-robin\"", 0, 5, &mark));
    assert_eq!(running(&mark), 0);
    assert_eq!(table(&with), table(&without));
    assert_eq!(table(&with).len(), 5 * 4);

    let names = |record: &Record| {
        let seats = record.opening.seats.iter();
        seats.map(|seat| seat.name.clone()).collect::<Vec<_>>()
    };
    let honest = records.iter().filter(|record| is_honest(record));
    let honest: BTreeMap<_, _> = honest.map(|one| (names(one), course(one))).collect();
    let alone: BTreeMap<_, _> = alone.iter().map(|one| (names(one), course(one))).collect();
    assert_eq!(honest, alone);
}

/// By hand: `cargo test -p floe-arena --test hostile -- --ignored --nocapture ten_hostile`.
///
/// Ten who misbehave among twenty who do not: a swiss tournament of ten rounds, 300 games. Then every
/// game between honest programs once more, alone on the machine.
#[test]
#[ignore = "takes minutes"]
fn ten_hostile_programs_harm_none_of_twenty_honest_ones() {
    let mark = mark();
    let (records, results) = play(&league("\"swiss\"\nrounds = 10", 10, 20, &mark));
    assert_eq!(running(&mark), 0);
    assert_eq!(records.len(), 300);
    check_faults(&records, &results);
    let honest: Vec<&Record> = records.iter().filter(|record| is_honest(record)).collect();
    let game = find("flood").unwrap();
    for record in &honest {
        let seats = record.opening.seats.iter();
        let seats = seats.map(|entrant| Seat::read(&entrant.seat, game, ".".as_ref()).unwrap());
        let seats: Vec<Seat> = seats.collect();
        let position = game.read(&record.opening.start).unwrap();
        let again = one_game::play(position, &seats, patient(), sandbox()).unwrap();
        assert_eq!(course(record), course(&again), "{:?}", record.opening.seats);
    }
    print(&format!(
        "{} faults, {} games between honest programs, all the same alone",
        records.len() - honest.len(),
        honest.len()
    ));
}
