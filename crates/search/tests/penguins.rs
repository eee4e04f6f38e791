//! The engine of Penguins: it agrees with the oracle, keeps to its limits and repeats itself.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use floe_rules::penguins::{Penguins, PenguinsPosition, Phase, Setup};
use floe_rules::random::Random;
use floe_rules::{Game, Player, Position};
use floe_search::penguins::Searcher;
use floe_search::{Engine, Limits, Minimax, lead};

/// A board of this setup after so many random moves.
fn played(setup: &str, seed: u64, moves: usize) -> PenguinsPosition {
    let setup: Setup = setup.parse().unwrap();
    let mut position = Penguins::start(&setup, seed).unwrap();
    let mut dice = Random::seeded(seed);
    for _ in 0..moves {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play_unchecked(legal[dice.index(legal.len())]);
    }
    position
}

/// Whatever is proven is as the oracle says; how many of the positions were, and were best.
fn compare(setup: &str, moves: usize, seeds: std::ops::Range<u64>, limits: &Limits) -> [usize; 3] {
    let mut engine = Searcher::with_table(1 << 20);
    let [mut asked, mut proven, mut best] = [0; 3];
    for seed in seeds {
        let position = played(setup, seed, moves);
        let Some(mover) = position.turn() else {
            continue;
        };
        let mut oracle = Minimax::new();
        let Some(values) = oracle.values(&position, &Limits::nodes(200_000)) else {
            continue;
        };
        let most = values.iter().map(|(_, s)| lead(s, mover)).max().unwrap();
        let thought = engine.think(&position, limits);
        let (_, scores) = values.iter().find(|(mv, _)| *mv == thought.best).unwrap();
        asked += 1;
        best += usize::from(lead(scores, mover) == most);
        proven += usize::from(thought.proven);
        if thought.proven {
            let text = Penguins::write(&position);
            assert_eq!(lead(scores, mover), most, "{}\n{text}", thought.best);
            assert_eq!(thought.lead(mover), most, "{}\n{text}", thought.best);
        }
        let mut here = position.clone();
        for &mv in &thought.line {
            here.play(mv).unwrap();
        }
        assert_eq!(thought.line[0], thought.best);
    }
    [asked, proven, best]
}

#[test]
fn what_is_proven_between_two_is_what_the_oracle_says() {
    let limits = Limits::nodes(100_000);
    for (setup, moves) in [
        ("3x3,penguins=1,water=0", 1),
        ("4x4,penguins=1,water=10", 4),
        ("4x3,penguins=2,water=10", 4),
        ("5x4,penguins=2,water=25", 8),
        ("6x5,penguins=2,water=30", 12),
        ("12x3,penguins=2,water=30", 14),
        ("3x17,penguins=2,water=40", 12),
        ("25x2,penguins=1,water=30", 9),
    ] {
        let [asked, proven, best] = compare(setup, moves, 0..60, &limits);
        assert!(asked >= 10, "{setup}: {asked} asked");
        assert_eq!(proven, asked, "{setup}");
        assert_eq!(best, asked, "{setup}");
    }
}

#[test]
fn with_few_nodes_nothing_wrong_is_called_proven() {
    // What is proven is compared with the oracle inside; here, that there was something to compare.
    let counts = [0, 1, 7, 60, 500, 20_000]
        .map(|nodes| compare("5x5,penguins=2,water=25", 10, 0..40, &Limits::nodes(nodes)));
    let [most_asked, ..] = counts[0];
    assert!(most_asked >= 20, "{most_asked} asked");
    for [asked, proven, best] in counts {
        assert_eq!(asked, most_asked, "the positions are the same");
        assert!(proven <= best && best <= asked, "{proven} {best} {asked}");
    }
    let proven = counts.map(|[_, proven, _]| proven);
    assert!(
        proven[0] < most_asked,
        "not all can be proven without a look"
    );
    assert!(proven.is_sorted(), "more nodes prove no less: {proven:?}");
    assert_eq!(proven[5], most_asked, "enough nodes prove all");
}

#[test]
fn among_more_what_is_proven_is_what_the_oracle_says() {
    let limits = Limits::nodes(20_000);
    for (setup, moves) in [
        ("4x4,players=3,penguins=1,water=20", 6),
        ("6x4,players=3,penguins=1,water=40", 6),
        ("5x5,players=4,penguins=1,water=30", 10),
    ] {
        let [_, proven, _] = compare(setup, moves, 0..60, &limits);
        assert!(proven >= 5, "{setup}: {proven} proven");
    }
}

#[test]
fn alone_the_most_fish_are_found() {
    let limits = Limits::nodes(200_000);
    for (setup, moves) in [
        ("4x3,players=1,penguins=1,water=20", 1),
        ("4x3,players=1,penguins=2,water=20", 2),
        ("4x4,players=1,penguins=1,water=35", 1),
    ] {
        let [asked, proven, best] = compare(setup, moves, 0..40, &limits);
        assert!(asked >= 20, "{setup}: {asked} asked");
        assert_eq!((proven, best), (asked, asked), "{setup}");
    }
}

#[test]
fn the_same_nodes_give_the_same_thought_whatever_came_before() {
    let mut used = Searcher::new();
    for (setup, moves) in [
        ("10x10,penguins=3", 0),
        ("10x10,penguins=3", 9),
        ("10x10,penguins=3", 25),
        ("16x20,players=3,penguins=2", 12),
        ("14x14,penguins=2", 10),
        ("30x30,penguins=2", 10),
    ] {
        let position = played(setup, 5, moves);
        if position.turn().is_none() {
            continue;
        }
        let limits = Limits::nodes(3_000);
        let fresh = Searcher::new().think(&position, &limits);
        assert_eq!(used.think(&position, &limits), fresh, "{setup} {moves}");
        assert!(fresh.nodes <= 3_000);
    }
}

#[test]
fn a_legal_move_is_ready_under_any_limits() {
    let raised = Limits {
        stop: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let mut engine = Searcher::with_table(1 << 16);
    for setup in [
        "1x2,players=1,penguins=1,water=0",
        "10x10,penguins=3",
        "20x20,players=9,penguins=3",
        "200x200,penguins=5",
        "200x3,players=3,penguins=2",
    ] {
        for moves in [0, 1, 7, 25] {
            let position = played(setup, 3, moves);
            if position.turn().is_none() {
                continue;
            }
            for limits in [
                Limits::time(Duration::ZERO),
                Limits::nodes(0),
                Limits::nodes(1),
                Limits {
                    nodes: Some(200),
                    ..Limits::depth(0)
                },
                raised.clone(),
            ] {
                let thought = engine.think(&position, &limits);
                assert_eq!(position.check(thought.best), Ok(()), "{setup} {limits:?}");
                assert!(limits.nodes.is_none_or(|most| thought.nodes <= most));
            }
        }
    }
}

#[test]
fn depth_is_respected() {
    let position = played("8x8,penguins=2", 1, 6);
    for depth in 1..4 {
        let thought = Searcher::new().think(&position, &Limits::depth(depth));
        assert_eq!(thought.depth, depth);
    }
}

#[test]
fn whole_games_are_played_to_their_end() {
    for (setup, seed) in [
        ("6x6,players=2,penguins=2", 1),
        ("7x5,players=3,penguins=2", 2),
        ("9x9,players=9,penguins=1,water=10", 3),
        ("18x4,players=1,penguins=3", 4),
    ] {
        let mut engine = Searcher::with_table(1 << 18);
        let mut position = played(setup, seed, 0);
        while position.turn().is_some() {
            let thought = engine.think(&position, &Limits::nodes(300));
            position.play(thought.best).unwrap();
        }
        assert!(Player::all(position.players()).all(|p| position.score(p) > 0));
    }
}

#[test]
fn odd_files_are_played() {
    for (text, best) in [
        // One player has more penguins than the other, and one stands on fish.
        ("2 4\n01 10 30 21\n02 00 00 10\na 1 3\nb 2 1\n", None),
        // The other has none at all.
        (
            "1 4 phase=movement\n01 10 10 30\na 1 3\nb 2 1\n",
            Some("a1-b1"),
        ),
        // The scores are as far apart as they can be.
        ("1 3\n01 10 02\na 1 999999000\nb 2 0\n", Some("a1-b1")),
        ("1 3\n01 10 02\na 1 0\nb 2 999999999\n", Some("a1-b1")),
        // A player in the middle is missing.
        (
            "2 3 phase=movement\n01 10 20\n00 00 03\na 1 0\nc 3 7\n",
            None,
        ),
    ] {
        let position = Penguins::read(text).unwrap();
        let thought = Searcher::new().think(&position, &Limits::nodes(10_000));
        assert!(thought.proven || position.players() > 2, "{text}");
        if let Some(best) = best {
            assert_eq!(thought.best.to_string(), best, "{text}");
        }
    }
}

/// What the learned evaluation looks at, counted floe by floe.
fn slow_features(position: &PenguinsPosition) -> [i16; 64] {
    let mover = position.turn().unwrap();
    let sides = [mover, Player::new(1 - mover.index() as u32)];
    let (shape, free) = (position.shape(), position.free());
    let floes: Vec<usize> = free.into_iter().collect();
    let mut slides = [HashMap::new(), HashMap::new()];
    let mut edges = sides.map(|side| shape.set(position.penguins(side).iter().copied()));
    for count in 1.. {
        let before = slides.clone();
        let mut is_news = false;
        for side in 0..2 {
            let reached = position.reach(&edges[side]);
            edges[side] = free.empty_like();
            for &floe in &floes {
                if reached.contains(floe) && !before[side].contains_key(&floe) {
                    slides[side].insert(floe, count);
                    edges[side].insert(floe);
                    is_news |= !before[1 - side].contains_key(&floe);
                }
            }
        }
        if !is_news {
            break;
        }
    }
    let around = |at: usize| {
        let next = [
            Some(at + 1),
            Some(at + shape.stride()),
            at.checked_sub(1),
            at.checked_sub(shape.stride()),
        ];
        next.into_iter()
            .flatten()
            .filter(|&next| free.contains(next))
            .count()
    };
    let mut features = [0; 64];
    for &floe in &floes {
        let counts = [0, 1].map(|side: usize| slides[side].get(&floe).copied());
        let kinds = counts.map(|count: Option<usize>| count.map_or(3, |count| count.min(3) - 1));
        if kinds != [3, 3] {
            let fish = position.fish(shape.spot(floe));
            let cell = 4 * kinds[0] + kinds[1];
            features[cell] += 1;
            features[15 + cell] += i16::from(fish != 2);
            features[30 + cell] += i16::from(fish > 1);
        }
        let [mine, theirs] = counts.map(|count| count.unwrap_or(usize::MAX));
        if mine != theirs {
            let side = usize::from(theirs < mine);
            features[55 + 3 * side + around(floe).saturating_sub(1).min(2)] += 1;
        }
    }
    for (i, side) in sides.into_iter().enumerate() {
        for &spot in position.penguins(side) {
            features[45 + 4 * i + around(shape.index(spot)).min(3)] += 1;
        }
        let placed = position.penguins(side).len() as i16;
        if position.phase() == Phase::Placement {
            features[53 + i] = position.penguins_each() as i16 - placed;
        }
    }
    features[61] = floes.len() as i16;
    features
}

#[test]
fn what_is_learned_from_is_what_is_on_the_board() {
    let mut engine = Searcher::with_table(1 << 16);
    let mut asked = 0;
    for setup in [
        "8x8,penguins=2",
        "5x9,penguins=4",
        "15x12,water=40",
        "20x20,penguins=5",
    ] {
        for seed in 0..60 {
            let position = played(setup, seed, seed as usize);
            if position.turn().is_none() {
                continue;
            }
            if let Some((features, _)) = engine.features(&position) {
                assert_eq!(
                    features,
                    slow_features(&position),
                    "{}",
                    Penguins::write(&position)
                );
                asked += 1;
            }
        }
    }
    assert!(asked > 100, "{asked}");
    assert!(engine.features(&played("8x8,players=3", 1, 0)).is_none());
    assert!(engine.features(&played("30x30", 1, 0)).is_none());
}
