//! Levels are held back by what they look at and what they care about, and by nothing else.

use floe_rules::flood::Flood;
use floe_rules::penguins::Penguins;
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Player, Position};
use floe_search::{
    AlphaBeta, Engine, FLOOD, Kind, Level, Limits, PENGUINS, Roster, Spec, Strength, Weakened,
};

use crate::toy::Coins;

/// How often this strength takes the better and the worse end of a row of ten coins.
fn taken(strength: Strength) -> [u32; 2] {
    let mut taken = [0; 2];
    for seed in 0..400 {
        let position = Coins::random(10, 2, seed);
        let ranked = AlphaBeta::new().rank(&position, &Limits::default(), 2);
        let mut weak = Weakened::new(AlphaBeta::new(), strength, seed);
        let thought = weak.think(&position, &Limits::default());
        let rank = usize::from(thought.best != ranked[0].best);
        let mover = position.turn().unwrap();
        let is_best = ranked[rank].lead(mover) == ranked[0].lead(mover);
        assert!(is_best || !thought.proven, "{position:?}");
        taken[rank] += 1;
    }
    taken
}

const WHOLE: Strength = Strength {
    nodes: 1_000_000,
    depth: 200,
    sees: 100,
    blunders: 0,
};

#[test]
fn a_level_overlooks_moves_as_often_as_it_should() {
    assert_eq!(taken(WHOLE), [400, 0]);
    // It sees the better end, the worse one alone, or nothing and takes either: 250 and 150.
    let [_, worse] = taken(Strength { sees: 50, ..WHOLE });
    assert!((120..180).contains(&worse), "{worse}");
    let [_, worse] = taken(Strength { sees: 0, ..WHOLE });
    assert!((170..230).contains(&worse), "{worse}");
    let [_, worse] = taken(Strength {
        blunders: 30,
        ..WHOLE
    });
    assert!((90..150).contains(&worse), "{worse}");
}

#[test]
fn each_size_of_table_has_its_strength() {
    let blunderer = Strength {
        blunders: 100,
        ..WHOLE
    };
    let strengths = [WHOLE, blunderer, WHOLE];
    for (seats, rank) in [(2, 0), (3, 1), (4, 0), (5, 0)] {
        let position = Coins::random(5, seats, 3);
        let ranked = AlphaBeta::new().rank(&position, &Limits::default(), 2);
        let mut weak = Weakened::by_seats(AlphaBeta::new(), strengths, 1);
        let thought = weak.think(&position, &Limits::default());
        assert_eq!(thought.best, ranked[rank].best, "{seats} seats");
    }
}

#[test]
fn equal_levels_of_other_seeds_play_other_moves() {
    let position = Penguins::start(&Default::default(), 1).unwrap();
    for level in &Level::ALL[..4] {
        let moves = (0..40).map(|seed| {
            let spec = Spec {
                level: Some(*level),
                seed: Some(seed),
                ..Spec::from(Kind::Floe)
            };
            let limits = Limits::nodes(1000);
            PENGUINS.engine(&spec).think(&position, &limits).best
        });
        let moves: Vec<_> = moves.collect();
        assert!(moves.iter().any(|&mv| mv != moves[0]), "{level:?}");
    }
}

#[test]
fn the_same_seed_hesitates_alike() {
    for level in Level::ALL {
        let spec = Spec {
            level: Some(level),
            nodes: Some(1000),
            seed: Some(5),
            ..Spec::from(Kind::Floe)
        };
        let position = Penguins::start(&Default::default(), 1).unwrap();
        let limits = Limits::nodes(1000);
        let think = || PENGUINS.engine(&spec).think(&position, &limits);
        assert_eq!(think(), think());
    }
}

#[test]
fn every_spec_of_the_generic_roster_plays_a_game_at_any_table() {
    let roster = Roster::generic();
    for players in [1, 2, 3] {
        for kind in Kind::ALL {
            for level in [None, Some(Level::Easy), Some(Level::Hard), Some(Level::Max)] {
                let spec = Spec {
                    level,
                    ..Spec::from(kind)
                };
                let mut engine = roster.engine(&spec);
                let mut position = Coins::random(9, players, 3);
                while position.turn().is_some() {
                    let thought = engine.think(&position, &Limits::nodes(500));
                    position.play(thought.best).expect("a legal move");
                }
            }
        }
    }
}

#[test]
fn levels_beat_dice() {
    let mut dice = Dice::seeded(1);
    for level in Level::ALL {
        let mut won = 0;
        for seed in 0..20 {
            let mut position = Flood::start(&"20x20,style=fair".parse().unwrap(), seed).unwrap();
            let spec = Spec {
                level: Some(level),
                seed: Some(seed),
                ..Spec::from(Kind::Floe)
            };
            let mut engine = FLOOD.engine(&spec);
            let seat = Player::new(seed as u32 % 2);
            while let Some(mover) = position.turn() {
                let moves = position.legal_moves();
                let mut mv = moves[dice.index(moves.len())];
                if mover == seat {
                    mv = engine.think(&position, &Limits::nodes(1000)).best;
                }
                position.play_unchecked(mv);
            }
            won += i64::from(floe_search::lead(&position.scores(), seat).signum() > 0);
        }
        assert!(won >= 15, "{level:?} won {won} of 20");
    }
}
