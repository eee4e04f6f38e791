//! The engine of Flood Wars against plain minimax, its limits, and positions with a point.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use floe_rules::flood::{Board, Colour, Flood, FloodPosition, MOST_MOVES, Move, Setup};
use floe_rules::random::Random;
use floe_rules::{Game, Position};
use floe_search::flood::Searcher;
use floe_search::{Clock, Deadline, Engine, Limits, Thought};

/// A table large enough for the tests and quick to ask for.
fn searcher() -> Searcher {
    Searcher::with_table(1 << 22)
}

fn start(setup: &str, seed: u64) -> FloodPosition {
    Flood::start(&setup.parse().expect("a setup"), seed).expect("a board")
}

/// By how much the mover will be ahead when both play as well as can be: plain minimax that
/// remembers what it has seen.
fn oracle(position: &FloodPosition, known: &mut HashMap<u64, i64>) -> i64 {
    if position.turn().is_none() {
        let scores = position.scores();
        let mover = position.mover().index();
        return scores[mover] - scores[1 - mover];
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let moves = position.legal_moves();
    let values = moves.into_iter().map(|mv| after(position, mv, known));
    let value = values.max().expect("a mover has a move");
    known.insert(position.key(), value);
    value
}

/// The oracle's value of a move, for who makes it.
fn after(position: &FloodPosition, mv: Move, known: &mut HashMap<u64, i64>) -> i64 {
    let mut after = position.clone();
    after.play_unchecked(mv);
    -oracle(&after, known)
}

/// A random board after `made` moves; with few colours there is more to fight about.
fn random_position(random: &mut Random, most: u32, made: u32) -> FloodPosition {
    loop {
        let [width, height] = [(); 2].map(|()| 1 + random.below(u64::from(most)) as u32);
        let colours = 3 + random.index(3);
        let squares = (0..width * height).map(|_| Colour::ALL[random.index(colours)]);
        if let Ok(board) = Board::new(width, squares.collect()) {
            let position = FloodPosition::after(&board, made).expect("so many moves can be made");
            if position.turn().is_some() {
                return position;
            }
        }
    }
}

/// A thought that says it is proven must be right; gives whether it says so.
fn check(position: &FloodPosition, thought: &Thought<Move>, known: &mut HashMap<u64, i64>) -> bool {
    position
        .check(thought.best)
        .expect("the best move is legal");
    assert_eq!(thought.line.first(), Some(&thought.best));
    assert_eq!(thought.scores.len(), 2);
    if !thought.proven {
        return false;
    }
    let mover = position.mover().index();
    let value = oracle(position, known);
    let ahead = thought.scores[mover] - thought.scores[1 - mover];
    assert_eq!(ahead, value, "{position:?} {thought:?}");
    let best = after(position, thought.best, known);
    assert_eq!(best, value, "{position:?} {thought:?}");
    let mut last = position.clone();
    for &mv in &thought.line {
        last.play(mv).expect("the line is legal");
    }
    assert_eq!(last.scores(), thought.scores, "{position:?} {thought:?}");
    true
}

#[test]
fn what_is_proven_agrees_with_plain_minimax() {
    let mut random = Random::seeded(11);
    let mut engine = searcher();
    let mut proven = 0;
    let mut known = HashMap::new();
    for _ in 0..400 {
        let made = MOST_MOVES - 1 - random.below(12) as u32;
        let position = random_position(&mut random, 6, made);
        known.clear();
        let thought = engine.think(&position, &Limits::default());
        assert!(check(&position, &thought, &mut known), "{position:?}");
        let thought = engine.think(&position, &Limits::nodes(1 + random.below(300)));
        proven += u32::from(check(&position, &thought, &mut known));
    }
    assert!((50..400).contains(&proven), "{proven}");
}

#[test]
fn whole_games_on_small_boards_agree_with_plain_minimax() {
    let mut random = Random::seeded(12);
    let mut engine = searcher();
    let mut proven = 0;
    let mut known = HashMap::new();
    for i in 0..60 {
        let position = random_position(&mut random, 4, i % 2);
        known.clear();
        let thought = engine.think(&position, &Limits::nodes(20_000));
        proven += u32::from(check(&position, &thought, &mut known));
    }
    assert!(proven >= 50, "{proven}");
}

#[test]
fn the_last_moves_before_the_cap_are_solved() {
    let setup: Setup = "7x7".parse().expect("a setup");
    let mut engine = searcher();
    for seed in 0..20 {
        let board = setup.board(seed).expect("a board");
        let position = FloodPosition::after(&board, MOST_MOVES - 9).expect("so many moves");
        let thought = engine.think(&position, &Limits::default());
        assert!(check(&position, &thought, &mut HashMap::new()));
    }
}

#[test]
fn limits_are_kept() {
    let position = start("14x14", 5);
    let mut engine = searcher();
    for nodes in [0, 1, 2, 17, 1000, 5000] {
        let thought = engine.think(&position, &Limits::nodes(nodes));
        assert!(thought.nodes <= nodes + 1, "{nodes} {}", thought.nodes);
        check(&position, &thought, &mut HashMap::new());
    }
    for depth in 1..7 {
        let thought = engine.think(&position, &Limits::depth(depth));
        assert_eq!(thought.depth, depth);
    }
    let limits = Limits {
        stop: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let thought = engine.think(&position, &limits);
    assert_eq!(thought.depth, 0);
    check(&position, &thought, &mut HashMap::new());
}

#[test]
fn a_deadline_that_has_passed_still_gets_a_legal_move() {
    let mut engine = searcher();
    for setup in ["3x1", "10x7", "50x50", "300x200"] {
        let position = start(setup, 3);
        let limits = Limits {
            deadline: Some(Deadline::at(Clock::SYSTEM, Duration::ZERO)),
            ..Limits::nodes(1_000_000)
        };
        if position.turn().is_some() {
            let thought = engine.think(&position, &limits);
            position.check(thought.best).expect("legal");
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_thought_whatever_was_thought_before() {
    let limits = Limits::nodes(3000);
    let mut engine = searcher();
    for setup in ["9x9", "20x20", "30x10,style=fair", "90x90"] {
        let position = start(setup, 8);
        let fresh = searcher().think(&position, &limits);
        engine.think(&start("12x12", 1), &limits);
        engine.think(&position, &Limits::nodes(500));
        assert_eq!(engine.think(&position, &limits), fresh);
    }
}

/// What is left out to see far must not keep a result from being proven. A search for the proof
/// alone sees 19 plies here, and takes 480,813 and 480,421 nodes for the first two proofs.
#[test]
fn seeing_far_does_not_stand_in_the_way_of_a_proof() {
    let far = searcher().think(&start("20x20", 1), &Limits::nodes(20_000));
    assert!(far.depth >= 23 && !far.proven, "{} plies", far.depth);
    for seed in [1, 2, 3] {
        let thought = searcher().think(&start("6x6", seed), &Limits::nodes(1_100_000));
        assert!(thought.proven, "seed {seed}: {} plies", thought.depth);
    }
}

#[test]
fn a_waiting_move_is_found_where_taking_first_loses() {
    let mut random = Random::seeded(5);
    let mut engine = searcher();
    let mut seen = 0;
    let mut known = HashMap::new();
    for _ in 0..1200 {
        let position = random_position(&mut random, 4, 141);
        let gain = |c: Colour| position.gain(position.mover(), c);
        let choices = position.choices();
        if choices.iter().all(|&c| gain(c) == 0) || choices.iter().all(|&c| gain(c) > 0) {
            continue;
        }
        known.clear();
        let value = oracle(&position, &mut known);
        let gains = choices.into_iter().filter(|&c| gain(c) > 0);
        let best_gain = gains.map(|c| after(&position, Move(c), &mut known)).max();
        if best_gain < Some(value) {
            seen += 1;
            let thought = engine.think(&position, &Limits::default());
            assert_eq!(gain(thought.best.0), 0, "{position:?}");
            assert!(check(&position, &thought, &mut known));
        }
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn among_equals_a_gain_is_taken_so_that_the_game_ends() {
    let mut random = Random::seeded(6);
    let mut engine = searcher();
    for _ in 0..40 {
        let mut position = random_position(&mut random, 6, 0);
        while position.turn().is_some() {
            let thought = engine.think(&position, &Limits::nodes(2000));
            let area = i64::from(position.graph().area());
            if position.scores().iter().sum::<i64>() == area {
                let gain = |c| position.gain(position.mover(), c);
                let most = position.choices().map(gain).into_iter().max();
                assert!(thought.proven);
                assert_eq!(Some(gain(thought.best.0)), most);
            }
            position.play(thought.best).expect("legal");
        }
    }
}

#[test]
fn among_equals_a_gain_is_taken_however_the_proof_was_found() {
    let mut random = Random::seeded(9);
    let mut engine = searcher();
    let mut known = HashMap::new();
    for _ in 0..400 {
        let position = random_position(&mut random, 4, 100);
        let gain = |mv: Move| position.gain(position.mover(), mv.0);
        known.clear();
        let value = oracle(&position, &mut known);
        let thought = engine.think(&position, &Limits::default());
        assert!(check(&position, &thought, &mut known));
        let moves = position.legal_moves().into_iter();
        let best = moves.filter(|&mv| after(&position, mv, &mut known) == value);
        assert_eq!(
            Some(gain(thought.best)),
            best.map(gain).max(),
            "{position:?}"
        );
    }
}

#[test]
fn all_moves_are_ranked_to_about_the_same_depth() {
    let mut random = Random::seeded(7);
    let mut engine = searcher();
    let mut known = HashMap::new();
    for _ in 0..60 {
        let position = random_position(&mut random, 5, MOST_MOVES - 9);
        let mover = position.mover();
        known.clear();
        let ranked = engine.rank(&position, &Limits::default(), 3);
        assert_eq!(ranked.len(), 3);
        for thought in &ranked {
            assert!(thought.proven);
            assert_eq!(
                thought.lead(mover),
                after(&position, thought.best, &mut known)
            );
        }
        assert!(ranked.is_sorted_by_key(|thought| -thought.lead(mover)));
        assert_eq!(engine.rank(&position, &Limits::default(), 2), ranked[..2]);
    }
    let position = start("14x14", 4);
    let ranked = engine.rank(&position, &Limits::nodes(20_000), 9);
    assert_eq!(ranked.len(), 3);
    assert!(
        ranked
            .iter()
            .all(|thought| thought.depth + 2 >= ranked[0].depth)
    );
    assert!(ranked[0].depth >= 5);
    let mut moves: Vec<Move> = ranked.iter().map(|thought| thought.best).collect();
    moves.sort_by_key(|mv| mv.0.index());
    let choices = position.choices().map(Move);
    assert_eq!(moves, choices);
    for nodes in 0..4 {
        let ranked = engine.rank(&position, &Limits::nodes(nodes), 3);
        assert!((1..=3).contains(&ranked.len()));
        assert!(ranked.iter().all(|t| position.check(t.best).is_ok()));
    }
}
