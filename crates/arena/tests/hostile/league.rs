//! A league with hostile programs in it: it ends by itself, every fault is on the right name, and
//! nobody honest pays for a neighbour.

use std::fmt::Write;

use floe_arena::journal::read_file;
use floe_arena::tournament::{Description, Ended, Tournament};

use super::*;

/// What each hostile entrant does, how it is spoken to, and what that is called.
const HOSTILE: [(&str, Way, &[FaultKind]); 10] = [
    ("hang", Way::Line, &[FaultKind::Timeout]),
    ("exit=7", Way::Flood, &[FaultKind::GaveUp]),
    ("segfault", Way::Line, &[FaultKind::Crash]),
    ("abort", Way::Flood, &[FaultKind::Crash]),
    (
        "forkbomb",
        Way::Line,
        &[FaultKind::ForbiddenAccess, FaultKind::Timeout],
    ),
    ("malloc", Way::Line, &[FaultKind::TooMuchMemory]),
    ("family", Way::Flood, &[FaultKind::TooMuchMemory]),
    ("babble", Way::Line, &[FaultKind::TooMuchOutput]),
    ("garbage", Way::Line, &[FaultKind::UnreadableAnswer]),
    ("twice", Way::Line, &[FaultKind::UnreadableAnswer]),
];

/// Ten who misbehave among twenty who do not: a swiss tournament of ten rounds, 300 games.
fn league(mark: &str) -> String {
    let mut text = "game = \"flood\"\nformat = \"swiss\"\nrounds = 10\n\
         [boards]\nsetup = \"4x4\"\ncount = 1\n\
         [limits]\ntime = \"60s\"\nstart = \"60s\"\nmemory = \"64MiB\"\n[entrants]\n"
        .to_owned();
    for (number, (deed, way, _)) in HOSTILE.iter().enumerate() {
        // Nobody waits a minute for one who never answers.
        let time = if ["hang", "forkbomb"].contains(deed) {
            "200ms"
        } else {
            "60s"
        };
        let word = way.word(deed, mark);
        let limits = format!("limits = {{ time = \"{time}\" }}");
        let _ = writeln!(text, "bad{number} = {{ seat = \"{word}\", {limits} }}");
    }
    for number in 0..20 {
        let word = match number % 4 {
            0 => Way::Flood.word("honest", mark),
            1 | 2 => Way::Line.word("honest", mark),
            _ => format!("greedy:seed={number}"),
        };
        let _ = writeln!(text, "good{number} = \"{word}\"");
    }
    text
}

/// By hand, since it takes most of a minute:
/// `cargo test -p floe-arena --test hostile -- --ignored league`.
#[test]
#[ignore = "takes most of a minute"]
fn ten_hostile_programs_harm_none_of_twenty_honest_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mark = mark();
    let text = league(&mark);
    let description = Description::read(&text, &folder.path().join("league.toml"));
    let description = description.unwrap_or_else(|error| panic!("{error}"));
    let records = description.records.clone();
    let mut tournament = Tournament::open(description, false).unwrap();
    // Two games at once on the same cores: neighbours as near as they get.
    let runner = tournament.runner(sandbox().clone(), 2, None);
    let ended = tournament.run(&runner, &Default::default(), |_, _| {});
    assert_eq!(ended.unwrap(), Ended::Finished);
    assert!(tournament.set_aside().is_empty());
    assert_eq!(running(&mark), 0);

    let mut games = 0;
    for record in read_file(&records).unwrap() {
        let record = record.unwrap();
        games += 1;
        record.verify().unwrap();
        let names: Vec<&str> = (record.opening.seats.iter())
            .map(|entrant| &*entrant.name)
            .collect();
        let faults: Vec<&Fault> = record.faults().collect();
        let has_hostile = names.iter().any(|name| name.starts_with("bad"));
        assert_eq!(
            faults.len(),
            usize::from(has_hostile),
            "{names:?}: {faults:?}"
        );
        for fault in faults {
            let name = names[fault.seat as usize - 1];
            let number: usize = name.strip_prefix("bad").expect(name).parse().unwrap();
            let (deed, _, kinds) = HOSTILE[number];
            assert!(kinds.contains(&fault.kind), "{deed}: {fault:?}");
            let places = &record.end.as_ref().unwrap().places;
            assert_eq!(places[fault.seat as usize - 1], 2, "{names:?}");
        }
    }
    assert_eq!(games, 300);
    for row in tournament.results().rows {
        if row.name.starts_with("good") {
            assert_eq!((row.faults.len(), row.strikes), (0, 0), "{}", row.name);
        }
    }
}
