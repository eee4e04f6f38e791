//! What every engine of a game promises, whoever wrote it: legal moves however little it may
//! think, within its nodes, and the same ones for the same seed and nodes.

use std::collections::HashSet;
use std::time::Duration;

use floe_games::{AnyEngine, AnyGame, AnyPosition, GameEntry, ThinkError};
use floe_rules::Game;
use floe_rules::random::Random;
use floe_search::{Kind, Level, Limits, Spec, Thought};

use super::LONGEST;

/// At how many positions of a game the engines think.
const TABLES: usize = 6;
/// How many positions they look at: none, a few, and enough to see the end of small games.
const NODES: [u64; 3] = [0, 30, 200];
/// How many moves they rank.
const TOP: usize = 3;

/// Every engine there is thinks at some positions of one game, from its start to its end.
pub(crate) fn think<G: Game>(entry: &'static GameEntry<G>, setup: &G::Setup) {
    let game: &'static dyn AnyGame = entry;
    assert_eq!(game.engines(), Kind::ALL);
    let positions = positions(game.start(&setup.to_string(), 7).expect("it started"));
    let (over, open) = positions.split_last().expect("there is a start");
    for spec in specs(game) {
        let place = format!("{} {setup} {spec}", G::NAME);
        let mut engine = game.engine(&spec);
        let mut twin = game.engine(&spec);
        for (i, erased) in open.iter().enumerate() {
            let limits = Limits::nodes(NODES[i % NODES.len()]);
            let thoughts = hints(&mut *engine, &**erased, &limits, &place);
            assert_eq!(
                thoughts,
                hints(&mut *twin, &**erased, &limits, &place),
                "not the same for the same seed and nodes: {place}\n{erased:?}"
            );
            // Those who only roll dice go on rolling them.
            if !matches!(spec.kind, Kind::Random | Kind::Greedy) {
                let mut fresh = game.engine(&spec);
                assert_eq!(
                    thoughts,
                    hints(&mut *fresh, &**erased, &limits, &place),
                    "what was thought before matters: {place}\n{erased:?}"
                );
            }
        }
        if let Some(erased) = open.last() {
            let late = Limits::time(Duration::ZERO);
            sensible(&engine.think(&**erased, &late).unwrap(), &**erased, &place);
        }
        let error = engine.think(&**over, &Limits::default()).unwrap_err();
        assert_eq!(error, ThinkError::Over, "{place}");
        let error = engine.rank(&**over, &Limits::default(), TOP).unwrap_err();
        assert_eq!(error, ThinkError::Over, "{place}");
    }
}

/// Every kind of engine, and every level where there are levels.
fn specs(game: &dyn AnyGame) -> Vec<Spec> {
    let mut specs: Vec<Spec> = game.engines().iter().map(|&kind| kind.into()).collect();
    let level = |level| Spec {
        level: Some(level),
        ..Kind::Floe.into()
    };
    specs.extend(Level::ALL.map(level));
    specs.iter_mut().for_each(|spec| spec.seed = Some(5));
    specs
}

/// Some positions of a game played by dice; the last is the one where it is over.
fn positions(start: Box<dyn AnyPosition>) -> Vec<Box<dyn AnyPosition>> {
    let mut dice = Random::seeded(11);
    let mut played = vec![start];
    while let Some(erased) = played.last().filter(|erased| erased.turn().is_some()) {
        assert!(played.len() < LONGEST, "the game does not end");
        let mut after = erased.clone();
        let moves = after.moves();
        after.play(&moves[dice.index(moves.len())]).unwrap();
        played.push(after);
    }
    let last = played.len() - 1;
    let kept: HashSet<usize> = (0..=TABLES).map(|i| i * last / TABLES).collect();
    let positions = played.into_iter().enumerate();
    positions
        .filter_map(|(i, erased)| kept.contains(&i).then_some(erased))
        .collect()
}

/// The move an engine would make, and then the best ones it finds.
fn hints(
    engine: &mut dyn AnyEngine,
    erased: &dyn AnyPosition,
    limits: &Limits,
    place: &str,
) -> Vec<Thought<String>> {
    let mut thoughts = vec![engine.think(erased, limits).unwrap()];
    let ranked = engine.rank(erased, limits, TOP).unwrap();
    assert!((1..=TOP).contains(&ranked.len()), "{place}\n{erased:?}");
    let moves: HashSet<&String> = ranked.iter().map(|thought| &thought.best).collect();
    assert_eq!(
        moves.len(),
        ranked.len(),
        "a move twice: {place}\n{erased:?}"
    );
    thoughts.extend(ranked);
    for thought in &thoughts {
        sensible(thought, erased, place);
    }
    thoughts
}

/// A thought is about this position: all of its moves can be made.
fn sensible(thought: &Thought<String>, erased: &dyn AnyPosition, place: &str) {
    let players = erased.players() as usize;
    assert_eq!(thought.scores.len(), players, "{place}\n{erased:?}");
    assert_eq!(
        thought.line.first(),
        Some(&thought.best),
        "{place}\n{erased:?}"
    );
    let mut after = erased.clone_position();
    for mv in &thought.line {
        let made = after.play(mv);
        assert!(
            made.is_ok(),
            "{thought:?}: {mv}: {made:?}: {place}\n{erased:?}"
        );
    }
}
