//! Levels are held back by what they look at and what they care about, and by nothing else.

use floe_rules::flood::Flood;
use floe_rules::penguins::Penguins;
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Player, Position};
use floe_search::{
    AlphaBeta, Engine, FLOOD, Kind, Level, Limits, PENGUINS, Roster, Spec, Strength, Weakened,
};

use crate::toy::Coins;

const LAZY: Strength = Strength {
    nodes: 1_000_000,
    depth: 200,
    carelessness: 60,
    choices: 10,
};

#[test]
fn no_move_beyond_the_margin_and_every_one_within_it() {
    let (mut is_exact_seen, mut is_whole_margin_seen) = (false, false);
    for seed in 0..200 {
        let position = Coins::random(10, 2, seed);
        let ranked = AlphaBeta::new().rank(&position, &Limits::default(), 10);
        let mover = position.turn().unwrap();
        let best = ranked[0].lead(mover);
        let margin = ranked[0].scores.iter().sum::<i64>() * LAZY.carelessness / 1000;
        let mut weak = Weakened::new(AlphaBeta::new(), LAZY, seed);
        let thought = weak.think(&position, &Limits::default());
        let chosen = ranked.iter().find(|t| t.best == thought.best).unwrap();
        let loss = best - chosen.lead(mover);
        assert!(loss <= margin, "{loss}: {position:?}");
        assert_eq!(thought.proven, loss == 0);
        is_exact_seen |= loss == 0;
        // All coins are taken by somebody, so leads differ by even numbers.
        is_whole_margin_seen |= loss > 0 && loss >= margin - 1;
    }
    assert!(is_exact_seen && is_whole_margin_seen);
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
