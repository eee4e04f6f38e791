//! Gamma's engine: right where it says so, legal and in time everywhere.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use floe_rules::gamma::{Board, Gamma, GammaPosition, Move};
use floe_rules::{Game, Player, Position};
use floe_search::gamma::GammaEngine;
use floe_search::{Dice, Engine, Limits, Minimax, Thought, lead};

fn start(width: u32, height: u32, players: u32, areas: u32) -> GammaPosition {
    GammaPosition::new(Board::new(width, height, players, areas).expect("a small board"))
}

/// The position after so many random moves, or the last one before the game is over.
fn after_random(mut position: GammaPosition, moves: usize, dice: &mut Dice) -> GammaPosition {
    for _ in 0..moves {
        let legal = position.legal_moves();
        let mut next = position.clone();
        next.play_unchecked(legal[dice.index(legal.len())]);
        if next.turn().is_none() {
            break;
        }
        position = next;
    }
    position
}

/// Plays on until few fields are free.
fn late(mut position: GammaPosition, free: u64, dice: &mut Dice) -> GammaPosition {
    while position.board().free() > free {
        let before = position.key();
        position = after_random(position, 1, dice);
        if position.key() == before {
            break;
        }
    }
    position
}

/// Whether the oracle could say; panics if the thought claims more than it may.
fn agrees(position: &GammaPosition, thought: &Thought<Move>, oracle_nodes: u64) -> Option<bool> {
    let mover = position.turn()?;
    let values = Minimax::new().values(position, &Limits::nodes(oracle_nodes))?;
    let most = values.iter().map(|(_, s)| lead(s, mover)).max()?;
    let (_, scores) = values.iter().find(|(mv, _)| *mv == thought.best)?;
    let is_best = lead(scores, mover) == most;
    if thought.proven {
        assert!(is_best, "{} in\n{}", thought.best, Gamma::write(position));
        assert_eq!(
            lead(&thought.scores, mover),
            most,
            "{thought:?} in\n{}",
            Gamma::write(position)
        );
    }
    Some(is_best)
}

/// Checks random positions against the oracle; gives how many it could judge, how many of them
/// were played best, and how many were proven.
fn compare(
    make: impl Fn(&mut Dice, usize) -> GammaPosition,
    count: usize,
) -> (usize, usize, usize) {
    let mut dice = Dice::seeded(7);
    let mut engine = GammaEngine::seeded(1);
    let (mut judged, mut best, mut proven) = (0, 0, 0);
    for round in 0..count {
        let position = make(&mut dice, round);
        let thought = engine.think(&position, &Limits::nodes(60_000));
        let Some(is_best) = agrees(&position, &thought, 300_000) else {
            continue;
        };
        judged += 1;
        best += usize::from(is_best);
        proven += usize::from(thought.proven);
    }
    (judged, best, proven)
}

#[test]
fn proven_moves_are_best_on_small_boards() {
    let shapes = [(3, 3), (2, 5), (1, 7), (4, 2), (3, 2), (1, 1), (2, 2)];
    let (judged, best, proven) = compare(
        |dice, round| {
            let (width, height) = shapes[round % shapes.len()];
            let areas = 1 + dice.index(3) as u32;
            let moves = 1 + dice.index(9);
            after_random(start(width, height, 2, areas), moves, dice)
        },
        300,
    );
    assert!(judged > 200, "{judged}");
    assert!(100 * best >= 99 * judged, "{best} of {judged}");
    assert!(100 * proven >= 90 * judged, "{proven} of {judged}");
}

#[test]
fn proven_moves_are_best_late_on_larger_boards() {
    let shapes = [(4, 4), (5, 4), (6, 5), (3, 9), (7, 7)];
    let (judged, best, proven) = compare(
        |dice, round| {
            let (width, height) = shapes[round % shapes.len()];
            let areas = 1 + dice.index(4) as u32;
            let free = 1 + dice.index(6) as u64;
            late(start(width, height, 2, areas), free, dice)
        },
        200,
    );
    assert!(judged > 100, "{judged}");
    assert!(100 * best >= 99 * judged, "{best} of {judged}");
    assert!(100 * proven >= 80 * judged, "{proven} of {judged}");
}

#[test]
fn proven_moves_are_best_without_golden_moves() {
    let (judged, best, proven) = compare(
        |dice, round| {
            let areas = 1 + dice.index(3) as u32;
            let position = late(start(4, 3 + round as u32 % 3, 2, areas), 8, dice);
            let text = Gamma::write(&position);
            let mut lines: Vec<&str> = text.lines().collect();
            let turn = lines[1].split(" golden").next().expect("a first part");
            let spent = format!("{turn} golden");
            lines[1] = &spent;
            // Whoever could only have made a golden move is not to move any more.
            Gamma::read(&(lines.join("\n") + "\n")).unwrap_or(position)
        },
        200,
    );
    assert!(judged > 150, "{judged}");
    assert!(100 * best >= 99 * judged, "{best} of {judged}");
    assert!(100 * proven >= 95 * judged, "{proven} of {judged}");
}

#[test]
fn nothing_is_proven_falsely_among_three() {
    let (judged, _, _) = compare(|dice, _| late(start(3, 3, 3, 2), 4, dice), 100);
    assert!(judged > 50, "{judged}");
}

#[test]
fn whole_games_are_legal_for_any_number_of_players() {
    let mut engine = GammaEngine::seeded(3);
    for (width, height, players, areas) in [
        (1, 1, 1, 1),
        (4, 3, 1, 2),
        (6, 6, 2, 1),
        (5, 7, 3, 2),
        (7, 7, 5, 3),
        (6, 6, 16, 2),
        (6, 6, 17, 2),
        (9, 1, 40, 1),
        (80, 2, 2, 3),
        (70, 64, 3, 2),
    ] {
        let mut position = start(width, height, players, areas);
        let mut moves = 0;
        while position.turn().is_some() && moves < 150 {
            let thought = engine.think(&position, &Limits::nodes(30));
            assert_eq!(thought.line.first(), Some(&thought.best));
            assert_eq!(thought.scores.len(), players as usize);
            let mut there = position.clone();
            for &mv in &thought.line {
                there.play(mv).expect("a legal line");
            }
            position.play(thought.best).expect("a legal move");
            moves += 1;
        }
    }
}

#[test]
fn limits_are_kept() {
    let mut engine = GammaEngine::seeded(1);
    let raised = Some(Arc::new(AtomicBool::new(true)));
    for (side, players) in [(1, 2), (3, 2), (10, 2), (15, 3), (50, 2), (50, 8), (300, 2)] {
        let position = start(side, side, players, 3);
        for limits in [
            Limits::time(Duration::ZERO),
            Limits::nodes(0),
            Limits::nodes(1),
            Limits::depth(1),
            Limits {
                stop: raised.clone(),
                ..Limits::default()
            },
        ] {
            let thought = engine.think(&position, &limits);
            assert!(position.check(thought.best).is_ok());
            assert!(limits.nodes.is_none_or(|most| thought.nodes <= most));
            assert!(limits.depth.is_none_or(|most| thought.depth <= most));
        }
    }
    let mut dice = Dice::seeded(5);
    for nodes in [10, 100, 1000, 7777] {
        let position = after_random(start(8, 8, 2, 2), 12, &mut dice);
        assert!(engine.think(&position, &Limits::nodes(nodes)).nodes <= nodes);
    }
}

#[test]
fn a_huge_board_has_a_move_at_once() {
    let mut position = start(1000, 1000, 3, 4);
    let mut engine = GammaEngine::seeded(1);
    for _ in 0..6 {
        let thought = engine.think(&position, &Limits::time(Duration::from_millis(3)));
        position.play(thought.best).expect("a legal move");
    }
    let thought = engine.think(&position, &Limits::time(Duration::ZERO));
    assert!(position.check(thought.best).is_ok());
}

#[test]
fn the_same_nodes_give_the_same_thought() {
    let mut dice = Dice::seeded(11);
    let mut used = GammaEngine::seeded(9);
    for (width, height, players) in [(10, 10, 2), (8, 9, 3), (30, 20, 2), (70, 70, 2)] {
        let position = after_random(start(width, height, players, 3), 20, &mut dice);
        let limits = Limits::nodes(3000);
        let thought = used.think(&position, &limits);
        assert_eq!(thought, used.think(&position, &limits));
        assert_eq!(thought, GammaEngine::seeded(9).think(&position, &limits));
    }
}

#[test]
fn alone_at_the_table_everything_is_taken() {
    let position = start(5, 4, 1, 2);
    let thought = GammaEngine::seeded(1).think(&position, &Limits::nodes(10));
    assert!(thought.proven);
    assert_eq!(thought.scores, [20]);
}

#[test]
fn a_closed_off_room_is_counted() {
    let text = "gamma 5 3 2 1\nturn 1 golden\n..12.\n..12.\n..12.\n";
    let position = Gamma::read(text).expect("a good position");
    let thought = GammaEngine::seeded(1).think(&position, &Limits::nodes(1000));
    assert!(thought.proven);
    assert_eq!(thought.lead(Player::new(0)), 3);
    assert_eq!(thought.scores, [9, 6]);
}
