//! The bit boards against the plain grid, after every move of random games.

use std::collections::BTreeSet;

use floe_rules::penguins::{Bits, Move, Penguins, PenguinsPosition, Setup, Spot, State};
use floe_rules::random::Random;
use floe_rules::{Game, Player, Position, perft};
use proptest::prelude::*;

use super::twin::{Field, Twin};

/// A fresh board as text, with players and penguins.
fn boards(lengths: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    boards_of(lengths.clone(), lengths)
}

fn boards_of(
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) -> impl Strategy<Value = String> {
    (rows, columns, 1u32..=9, 1u32..=4).prop_flat_map(|(rows, columns, p, n)| {
        let field = prop_oneof![2 => Just("00"), 4 => Just("10"), 2 => Just("20"), 1 => Just("30")];
        prop::collection::vec(field, rows * columns).prop_map(move |fields| {
            let rows_text: Vec<_> = fields.chunks(columns).map(|row| row.join(" ")).collect();
            format!(
                "{rows} {columns} players={p} penguins={n}\n{}\n",
                rows_text.join("\n")
            )
        })
    })
}

fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn agree(position: &PenguinsPosition, twin: &Twin) {
    assert_eq!(position.turn().map(Player::index), twin.turn());
    assert_eq!(names(&position.legal_moves()), twin.moves());
    assert_eq!(position.scores(), twin.scores);
    assert_eq!(position.phase(), twin.phase());
    for (row, fields) in twin.grid.iter().enumerate() {
        for (column, &field) in fields.iter().enumerate() {
            let spot = Spot::new(column as u8, row as u8);
            let here = match (position.fish(spot), position.owner(spot)) {
                (0, None) => Field::Water,
                (fish, None) => Field::Floe(fish),
                (_, Some(player)) => Field::Penguin(player.index()),
            };
            assert_eq!(here, field, "{spot}");
        }
    }
}

fn round_trips(position: &PenguinsPosition) {
    let text = Penguins::write(position);
    let again = Penguins::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(&again, position, "{text}");
    assert_eq!(again.key(), position.key(), "{text}");
    assert_eq!(again.legal_moves(), position.legal_moves());
    assert_eq!(Penguins::write(&again), text);
    assert!(State::read(&Penguins::board(position)).is_ok());
}

/// Every square to every square is allowed exactly when it is listed.
fn checks_agree(position: &PenguinsPosition) {
    let listed: BTreeSet<String> = names(&position.legal_moves()).into_iter().collect();
    let shape = position.shape();
    for to in shape.spots() {
        let place = Move::Place { to };
        let allowed = position.check(place).is_ok();
        assert_eq!(allowed, listed.contains(&place.to_string()), "{place}");
        for from in shape.spots() {
            let slide = Move::Slide { from, to };
            let allowed = position.check(slide).is_ok();
            assert_eq!(allowed, listed.contains(&slide.to_string()), "{slide}");
        }
    }
}

/// What engines ask the bit boards for, step by step.
fn sets_agree(position: &PenguinsPosition) {
    let shape = position.shape();
    let free = |spot: Spot| position.fish(spot) > 0;
    let spots = |set: &Bits| set.iter().map(|i| shape.spot(i)).collect::<BTreeSet<_>>();
    assert_eq!(
        spots(position.free()),
        shape.spots().filter(|&s| free(s)).collect()
    );
    let ones = shape.spots().filter(|&s| position.fish(s) == 1).collect();
    assert_eq!(spots(&position.ones()), ones);
    let fish: u32 = shape.spots().map(|s| u32::from(position.fish(s))).sum();
    assert_eq!(position.fish_on(position.free()), fish);
    let across: BTreeSet<Spot> = position
        .free_transposed()
        .iter()
        .map(|i| shape.transposed().spot(i))
        .map(|s| Spot::new(s.row, s.column))
        .collect();
    assert_eq!(across, spots(position.free()));
    let ray = |from: Spot, dx: i32, dy: i32| {
        (1..).map_while(move |k| {
            let column = u8::try_from(i32::from(from.column) + dx * k).ok()?;
            let row = u8::try_from(i32::from(from.row) + dy * k).ok()?;
            let spot = Spot::new(column, row);
            (shape.contains(spot) && free(spot)).then_some(spot)
        })
    };
    let rays = |from: Spot| {
        [(1, 0), (0, 1), (-1, 0), (0, -1)]
            .into_iter()
            .flat_map(move |(x, y)| ray(from, x, y))
    };
    let mut everybody = shape.empty();
    let mut reached = BTreeSet::new();
    for from in shape.spots() {
        let targets: BTreeSet<Spot> = rays(from).collect();
        assert_eq!(spots(&position.targets(from)), targets, "{from}");
        assert_eq!(position.can_move(from), !targets.is_empty(), "{from}");
        // Every third field stands for any set at all, free floes included.
        if position.owner(from).is_some() || shape.index(from).is_multiple_of(3) {
            everybody.insert(shape.index(from));
            reached.extend(targets);
        }
    }
    assert_eq!(spots(&position.reach(&everybody)), reached);
    for player in Player::all(position.players()) {
        for &penguin in position.penguins(player).iter().take(2) {
            let mut region = BTreeSet::new();
            let mut edge = vec![penguin];
            while let Some(spot) = edge.pop() {
                edge.extend(rays(spot).filter(|&s| region.insert(s)));
            }
            assert_eq!(spots(&position.region(penguin)), region, "{penguin}");
        }
    }
}

fn play_out(text: &str, seed: u64, watch: impl Fn(&PenguinsPosition)) {
    let mut position = Penguins::read(text).unwrap();
    let mut reused = position.clone();
    let mut twin = Twin::of(&position);
    let mut random = Random::seeded(seed);
    let mut before = (position.clone(), Vec::new());
    while position.turn().is_some() {
        agree(&position, &twin);
        watch(&position);
        let moves = position.legal_moves();
        let mv = moves[random.index(moves.len())];
        before.1.push(mv);
        twin.play(&mv.to_string());
        reused.clone_from(&position);
        reused.play(mv).unwrap();
        position = reused.clone();
    }
    agree(&position, &twin);
    watch(&position);
    assert!(position.outcome().is_some());
    // The first position was not changed by what was played from its clones.
    for mv in before.1 {
        before.0.play(mv).unwrap();
    }
    assert_eq!(before.0, position);
    assert_eq!(before.0.key(), position.key());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_agree_with_the_twin(text in boards(1..9), seed: u64) {
        play_out(&text, seed, |position| {
            round_trips(position);
            sets_agree(position);
        });
    }

    #[test]
    fn middling_boards_agree_with_the_twin(text in boards(9..21), seed: u64) {
        play_out(&text, seed, |position| {
            if position.key().is_multiple_of(32) {
                sets_agree(position);
            }
        });
    }

    #[test]
    fn long_thin_boards_agree_with_the_twin(
        text in prop_oneof![boards_of(1..4, 50..140), boards_of(50..140, 1..4)], seed: u64,
    ) {
        play_out(&text, seed, |position| {
            if position.key().is_multiple_of(32) {
                sets_agree(position);
            }
        });
    }

    #[test]
    fn every_move_is_allowed_or_refused_rightly(text in boards(1..6), seed: u64) {
        play_out(&text, seed, checks_agree);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boards_on_the_heap_play_the_same(text in boards(20..26), seed: u64) {
        play_out(&text, seed, |position| {
            if position.key().is_multiple_of(16) {
                round_trips(position);
                sets_agree(position);
            }
        });
    }

    #[test]
    fn programs_that_play_by_the_rules_are_understood(text in boards(4..7), seed: u64) {
        let contest = Penguins::dialects()[0];
        play_out(&text, seed, |position| {
            for mv in position.legal_moves() {
                for name in [None, Some("Mimi")] {
                    let reply = contest.reply(position, name, mv);
                    let answer = contest.answer(position, name, &reply);
                    assert_eq!(answer.map(|answer| answer.mv), Ok(mv));
                }
            }
        });
    }
}

#[test]
fn the_largest_board_works() {
    let setup: Setup = "200x200,players=9,penguins=40,water=5".parse().unwrap();
    let mut position = Penguins::start(&setup, 1).unwrap();
    let mut random = Random::seeded(1);
    let mut moves = Vec::new();
    for _ in 0..9 * 40 + 200 {
        position.moves(&mut moves);
        position.play(moves[random.index(moves.len())]).unwrap();
    }
    round_trips(&position);
}

#[test]
fn perft_counts_are_the_twins() {
    let file = include_str!("../perft/penguins.txt");
    let lines = file.lines().filter(|l| !l.starts_with('#'));
    let text: String = lines.map(|l| format!("{l}\n")).collect();
    let mut blocks = 0;
    for block in text.split("\n\n").filter(|b| !b.trim().is_empty()) {
        let mut lines = block.trim().lines();
        let head: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let &["setup", setup, "seed", seed] = &head[..] else {
            panic!("{head:?}");
        };
        let setup: Setup = setup.parse().unwrap();
        let position = Penguins::start(&setup, seed.parse().unwrap()).unwrap();
        let twin = Twin::of(&position);
        for line in lines {
            let (depth, count) = line.split_once(' ').unwrap();
            let (depth, count) = (depth.parse().unwrap(), count.parse::<u64>().unwrap());
            assert_eq!(perft(&position, depth), count, "{setup} at depth {depth}");
            if count <= 20_000 {
                assert_eq!(
                    twin.perft(depth),
                    count,
                    "{setup} at depth {depth}, by the twin"
                );
            }
        }
        blocks += 1;
    }
    assert!(blocks >= 8);
}
