//! Openings: drawn alike everywhere, about even, kept in records and checked there.

mod recorded;

use std::collections::BTreeSet;

use floe_games::record::{Record, read};
use floe_games::{AnyGame, OpeningDrawer, find, is_candidate};
use recorded::game;

fn gamma() -> &'static dyn AnyGame {
    find("gamma").unwrap()
}

/// A recorded game that begins with an opening.
fn opened(setup: &str, seed: u64) -> Record {
    let mut record = game("gamma", setup, seed);
    let opening: Vec<String> = record.moves()[..4].iter().map(|m| m.mv.clone()).collect();
    record.opening.start = record.at(4).unwrap().position().write();
    record.opening.setup = Some(gamma().setup(setup).unwrap());
    record.opening.seed = Some(seed);
    record.opening.opening = opening;
    record.events.drain(..4);
    record
}

#[test]
fn a_seed_has_one_opening_on_every_machine() {
    // Found once, and the same wherever this runs.
    let start = gamma().start("10x10", 1).unwrap();
    let opening = OpeningDrawer::new(gamma()).draw(&*start, 6, 1);
    assert_eq!(opening.join(" "), "a5 h1 a7 c3 b5 b3");
    assert!(is_candidate(gamma(), &*start, 1, &opening));
    assert!(!is_candidate(gamma(), &*start, 2, &opening));
}

#[test]
fn openings_differ_and_leave_every_seat_a_move() {
    for setup in [
        "10x10",
        "6x6,areas=1",
        "7x7,players=3",
        "9x4,players=4,areas=2",
    ] {
        let start = gamma().start(setup, 1).unwrap();
        let moves = gamma().opening_moves(&*start).unwrap();
        let mut drawer = OpeningDrawer::new(gamma());
        let mut seen = BTreeSet::new();
        for seed in 0..60 {
            let opening = drawer.draw(&*start, moves, seed);
            assert_eq!(opening.len() as u32, moves, "{setup}, seed {seed}");
            let mut position = start.clone_position();
            for (number, mv) in (0..).zip(&opening) {
                assert_eq!(
                    position.turn().unwrap().index() as u32,
                    number % position.players()
                );
                position.play(mv).unwrap();
            }
            assert_eq!(position.turn().unwrap().number(), 1);
            seen.insert(position.write());
        }
        assert!(seen.len() >= 55, "{setup}: {} of 60 differ", seen.len());
    }
}

#[test]
fn a_longer_search_finds_most_openings_about_even() {
    use floe_search::Limits;
    let start = gamma().start("8x8", 1).unwrap();
    let mut drawer = OpeningDrawer::new(gamma());
    let mut engine = gamma().engine(&"floe".parse().unwrap());
    let mut lead = |moves: &[String]| {
        let mut position = start.clone_position();
        moves.iter().for_each(|mv| position.play(mv).unwrap());
        let scores = engine
            .think(&*position, &Limits::nodes(5000))
            .unwrap()
            .scores;
        scores[0].abs_diff(scores[1])
    };
    let drawn: u64 = (0..30)
        .map(|seed| lead(&drawer.draw(&*start, 6, seed)))
        .sum();
    let mut random = floe_rules::random::Random::seeded(1);
    let mut any = || {
        let mut position = start.clone_position();
        let mut next = || {
            let mv = gamma().opening_move(&*position, &mut random).unwrap();
            position.play(&mv).unwrap();
            mv
        };
        (0..6).map(|_| next()).collect::<Vec<_>>()
    };
    let random: u64 = (0..30).map(|_| lead(&any())).sum();
    assert!(
        drawn * 4 < random * 3,
        "leads sum to {drawn}, without choosing {random}"
    );
}

#[test]
fn where_no_opening_fits_there_is_a_shorter_one() {
    let start = gamma().start("2x2,areas=1", 1).unwrap();
    let opening = OpeningDrawer::new(gamma()).draw(&*start, 40, 1);
    assert!(opening.len() < 4, "{opening:?}");
}

#[test]
fn games_that_start_differently_want_no_opening() {
    for name in ["penguins", "flood"] {
        let game = find(name).unwrap();
        let start = game.start(&game.default_setup(), 1).unwrap();
        assert_eq!(game.opening_moves(&*start), None);
        // But whoever wants some gets them.
        assert_eq!(OpeningDrawer::new(game).draw(&*start, 2, 1).len(), 2);
    }
}

#[test]
fn a_record_keeps_its_opening_and_older_ones_are_read() {
    let record = opened("6x6", 3);
    let mut text = Vec::new();
    record.write(&mut text).unwrap();
    let again = read(&text[..]).next().unwrap().unwrap();
    assert_eq!(again, record);
    again.verify().unwrap();
    assert_eq!(
        again.at(0).unwrap().position().write(),
        record.opening.start
    );
    let old = game("gamma", "6x6", 3);
    let mut text = Vec::new();
    old.write(&mut text).unwrap();
    assert!(!String::from_utf8(text).unwrap().contains("opening"));
    old.verify().unwrap();
}

#[test]
fn a_wrong_opening_is_found_out() {
    let good = opened("6x6", 3);
    let broken = |change: &dyn Fn(&mut Record)| {
        let mut record = good.clone();
        change(&mut record);
        record.verify().unwrap_err().to_string()
    };
    let first = good.opening.opening[0].clone();
    let why = broken(&|record| record.opening.opening[1].clone_from(&first));
    assert!(
        why.starts_with(&format!("game gamma-3, opening: move 2, `{first}`: ")),
        "{why}"
    );
    let why = broken(&|record| record.opening.opening[0] = "nonsense".into());
    assert!(why.contains("opening: move 1, `nonsense`: "), "{why}");
    let why = broken(&|record| {
        record.opening.opening.pop();
    });
    assert!(
        why.ends_with("opening: it does not lead to the start of the game"),
        "{why}"
    );
    let why = broken(&|record| record.opening.seed = None);
    assert!(
        why.ends_with("opening: the position before it is missing"),
        "{why}"
    );
    // Of a board from a file, the record says what it was.
    let mut record = good.clone();
    let before = gamma().start("6x6", 3).unwrap().write();
    (record.opening.setup, record.opening.seed) = (None, None);
    record.opening.opening_from = Some(before);
    record.verify().unwrap();
}
