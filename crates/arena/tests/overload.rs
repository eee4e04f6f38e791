//! Games that are played while the machine is overloaded: marked in records, index and lists.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use floe_arena::Boards;
use floe_arena::load::Reading;
use floe_arena::runner::{NamedSeat, Runner};
use floe_arena::schedule::Schedule;
use floe_arena::seat::{Sandbox, Seat};
use floe_arena::store::{Filter, Store};
use floe_games::find;
use floe_games::record::{Overload, Record};

static CLOCK: AtomicU64 = AtomicU64::new(0);

/// A machine on which processes wait for cores most of the time: a second passes at every look.
fn overloaded() -> Reading {
    let seconds = CLOCK.fetch_add(1, Ordering::Relaxed);
    Reading {
        at_us: seconds * 1_000_000,
        waited_us: seconds * 800_000,
        cores_us: seconds * 2_000_000,
        stolen_us: seconds * 60_000,
    }
}

/// One on which they hardly ever do.
fn calm() -> Reading {
    let seconds = CLOCK.fetch_add(1, Ordering::Relaxed);
    Reading {
        at_us: seconds * 1_000_000,
        waited_us: seconds * 50_000,
        cores_us: seconds * 2_000_000,
        stolen_us: 0,
    }
}

fn played(words: [&str; 2], meter: fn() -> Reading) -> Vec<Record> {
    let game = find("flood").unwrap();
    let entrant = |word: &str| NamedSeat {
        name: word.to_owned(),
        seat: Seat::read(word, game, Path::new(".")).unwrap(),
        limits: None,
    };
    let runner = Runner {
        entrants: words.map(entrant).to_vec(),
        boards: Boards::made(game, "5x5", 1).unwrap(),
        limits: Default::default(),
        sandbox: Sandbox::none(),
        tables: 1,
        cores: None,
        live: Default::default(),
        meter,
    };
    let schedule = Schedule::round_robin(2, 2, 2, 0).unwrap();
    let mut records = Vec::new();
    let run = runner.run(schedule.pairings(), &Default::default(), |_, record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    run.unwrap();
    records
}

fn text(record: &Record) -> String {
    let mut text = Vec::new();
    record.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn games_on_an_overloaded_machine_are_marked_and_found_again() {
    let timed = ["greedy", "floe:time=1ms"];
    let marked = played(timed, overloaded);
    assert_eq!(marked.len(), 4);
    let overload = Overload {
        pressure_percent: 80,
        steal_percent: 3,
    };
    for record in &marked {
        let machine = record.opening.machine.as_ref().unwrap();
        assert_eq!(machine.overload, Some(overload));
        record.verify().unwrap();
    }
    let calm = played(timed, calm);
    let untimed = played(["greedy", "floe:nodes=10"], overloaded);
    for record in calm.iter().chain(&untimed) {
        assert!(!text(record).contains("overload"), "{}", text(record));
    }

    // Half of the games were played on a calm machine.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut store = Store::open(&path).unwrap();
    for record in marked[..2].iter().chain(&calm[2..]) {
        store.add(record).unwrap();
    }
    store.commit().unwrap();
    drop(store);
    let filter = Filter {
        overloaded: true,
        ..Filter::default()
    };
    let of_entrant = Filter {
        entrants: vec![0],
        ..filter.clone()
    };
    for store in [Store::open_read_only(&path), Store::in_memory(&path)] {
        let store = store.unwrap();
        for filter in [&filter, &of_entrant] {
            let mut found = Vec::new();
            let each = store.each(filter, |game| found.push((game.number, game.overload)));
            each.unwrap();
            assert_eq!(found, [(0, Some(overload)), (1, Some(overload))]);
        }
        assert_eq!(store.games().unwrap(), 4);
    }
}
