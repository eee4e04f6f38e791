//! Games in which a win is all there is: engines find it, and do not look for points.

use std::collections::HashMap;

use floe_rules::random::Random as Dice;
use floe_rules::{Player, Position};
use floe_search::{
    AlphaBeta, Engine, Greedy, Kind, Level, Limits, MaxN, Mcts, Minimax, Roster, Spec, lead,
};

use crate::rows::Rows;

/// A game of random moves, up to the last position somebody moves in.
fn game(start: &Rows, dice: &mut Dice) -> Vec<Rows> {
    let mut positions = vec![start.clone()];
    loop {
        let mut next = positions[positions.len() - 1].clone();
        let moves = next.legal_moves();
        next.play(moves[dice.index(moves.len())]).expect("legal");
        if next.turn().is_none() {
            return positions;
        }
        positions.push(next);
    }
}

fn wins_at_once(position: &Rows) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after.turn().is_none() && lead(&after.scores(), position.turn().unwrap()) == 1
    })
}

/// Whether `me` can win whatever all others do.
fn can_force(position: &Rows, me: Player, known: &mut HashMap<Rows, bool>) -> bool {
    let Some(mover) = position.turn() else {
        return lead(&position.scores(), me) == 1;
    };
    if let Some(&known) = known.get(position) {
        return known;
    }
    let mut wins = position.legal_moves().into_iter().map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        can_force(&after, me, known)
    });
    let forced = match mover == me {
        true => wins.any(|win| win),
        false => wins.all(|win| win),
    };
    known.insert(position.clone(), forced);
    forced
}

/// Positions in which the mover can force a win, but not at once, with the moves that do; in each
/// there are others too.
fn puzzles(start: &Rows, most: usize) -> Vec<(Rows, Vec<<Rows as Position>::Move>)> {
    let mut dice = Dice::seeded(7);
    let mut found: Vec<(Rows, Vec<_>)> = Vec::new();
    for _ in 0..5000 {
        for position in game(start, &mut dice) {
            let mover = position.turn().unwrap();
            let is_new = found.iter().all(|(known, _)| *known != position);
            let moves = position.legal_moves();
            if found.len() == most || moves.len() > 9 || !is_new || wins_at_once(&position) {
                continue;
            }
            let mut known = HashMap::new();
            let mut best = moves.clone();
            best.retain(|&mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                can_force(&after, mover, &mut known)
            });
            if !best.is_empty() && best.len() < moves.len() {
                found.push((position, best));
            }
        }
    }
    assert_eq!(found.len(), most, "too few puzzles");
    found
}

#[test]
fn every_engine_plays_whole_games_legally() {
    let roster = Roster::generic();
    for (players, kind) in [2, 3].into_iter().flat_map(|n| Kind::ALL.map(|k| (n, k))) {
        for level in [None, Some(Level::Easy), Some(Level::Hard)] {
            let spec = Spec {
                level: level.filter(|_| kind == Kind::Floe),
                ..Spec::from(kind)
            };
            let mut engine = roster.engine(&spec);
            let mut position = Rows::new(4, 4, 3, players);
            while position.turn().is_some() {
                let thought = engine.think(&position, &Limits::nodes(300));
                position.play(thought.best).expect("a legal move");
                assert_eq!(thought.scores.len(), usize::from(players));
            }
        }
    }
}

#[test]
fn who_can_win_at_once_does() {
    let roster = Roster::generic();
    let mut dice = Dice::seeded(3);
    let mut asked = 0;
    for players in [2, 3] {
        for position in (0..30).flat_map(|_| game(&Rows::new(4, 4, 3, players), &mut dice)) {
            if !wins_at_once(&position) {
                continue;
            }
            asked += 1;
            let mover = position.turn().unwrap();
            for spec in [
                "floe",
                "floe:hard",
                "floe:easy",
                "greedy",
                "alphabeta",
                "maxn",
                "mcts",
            ] {
                let spec: Spec = spec.parse().unwrap();
                let thought = roster.engine(&spec).think(&position, &Limits::nodes(5000));
                let mut after = position.clone();
                after.play(thought.best).expect("legal");
                assert_eq!(lead(&after.scores(), mover), 1, "{spec} in {position:?}");
                if matches!(
                    spec.kind,
                    Kind::AlphaBeta | Kind::MaxN | Kind::Mcts | Kind::Greedy
                ) {
                    assert!(thought.proven, "{spec} in {position:?}");
                }
            }
        }
    }
    assert!(asked >= 30, "only {asked} positions");
}

#[test]
fn a_forced_win_is_found_and_proven_by_few_nodes() {
    for (start, count, maxn_nodes) in [
        (Rows::new(4, 3, 3, 2), 20, 20_000),
        (Rows::new(4, 4, 3, 3), 10, 200_000),
    ] {
        for (position, best) in puzzles(&start, count) {
            let mover = position.turn().unwrap();
            let mut engine = AlphaBeta::new().with_table(1 << 16);
            let thought = engine.think(&position, &Limits::nodes(10_000));
            assert!(thought.proven, "{position:?}");
            assert!(best.contains(&thought.best), "{position:?}");
            assert_eq!(thought.lead(mover), 1);
            let ranked = engine.rank(&position, &Limits::nodes(100_000), 2);
            assert!(ranked[0].proven, "{position:?}");
            assert!(best.contains(&ranked[0].best), "{position:?}");
            // Others may help without meaning to, so that more moves win.
            let mut oracle = Minimax::new();
            let best = oracle.best_moves(&position, &Limits::default()).unwrap();
            let thought = MaxN::new().think(&position, &Limits::nodes(maxn_nodes));
            assert!(thought.proven, "{position:?}");
            assert!(best.contains(&thought.best), "{position:?}");
            assert_eq!(thought.lead(mover), 1);
        }
    }
}

#[test]
fn the_first_player_wins_on_an_empty_board_of_four_by_three() {
    let start = Rows::new(4, 3, 3, 2);
    for (mut engine, nodes) in [
        (Box::new(AlphaBeta::new()) as Box<dyn Engine<Rows>>, 20_000),
        (Box::new(MaxN::new()), 200_000),
    ] {
        let thought = engine.think(&start, &Limits::nodes(nodes));
        assert!(thought.proven, "{thought:?}");
        assert_eq!(thought.scores, [1, 0]);
    }
}

#[test]
fn playouts_find_and_prove_forced_wins() {
    for (start, count) in [(Rows::new(4, 3, 3, 2), 20), (Rows::new(4, 4, 3, 3), 10)] {
        for (position, best) in puzzles(&start, count) {
            let thought = Mcts::seeded(1).think(&position, &Limits::nodes(20_000));
            assert!(thought.proven, "{position:?}");
            assert_eq!(thought.lead(position.turn().unwrap()), 1);
            if position.players() == 2 {
                assert!(best.contains(&thought.best), "{position:?}");
            }
        }
    }
}

#[test]
fn what_playouts_prove_is_what_the_oracle_says() {
    let mut dice = Dice::seeded(11);
    let (mut won, mut lost) = (0, 0);
    for position in (0..40).flat_map(|_| game(&Rows::new(4, 2, 2, 2), &mut dice)) {
        let mover = position.turn().unwrap();
        let mut oracle = Minimax::new();
        let best = oracle.best_moves(&position, &Limits::default()).unwrap();
        let (scores, _) = oracle.solve(&position, &Limits::default()).unwrap();
        let ranked = Mcts::seeded(2).rank(&position, &Limits::nodes(3_000), 3);
        let thought = &ranked[0];
        if thought.proven {
            assert!(best.contains(&thought.best), "{position:?}");
            assert_eq!(thought.lead(mover), lead(&scores, mover), "{position:?}");
            won += usize::from(thought.lead(mover) > 0);
            lost += usize::from(thought.lead(mover) < 0);
        }
    }
    assert!(won > 0 && lost > 0, "{won} won, {lost} lost");
}

#[test]
fn short_playouts_judge_what_has_no_points_as_open() {
    let position = Rows::new(4, 4, 3, 2);
    let mut engine = Mcts::with(floe_search::Scores, Some(1), 1);
    let thought = engine.think(&position, &Limits::nodes(2000));
    position.check(thought.best).expect("legal");
    assert!(!thought.proven);
}

#[test]
fn greedy_claims_no_proof_where_it_did_not_look() {
    let mut dice = Dice::seeded(5);
    let (mut asked, mut proven) = (0, 0);
    for position in (0..200).flat_map(|_| game(&Rows::new(3, 3, 3, 2), &mut dice)) {
        let mover: Player = position.turn().unwrap();
        let best = Minimax::new().best_moves(&position, &Limits::default());
        let thought = Greedy::seeded(1).think(&position, &Limits::default());
        asked += 1;
        if thought.proven {
            proven += 1;
            assert!(best.unwrap().contains(&thought.best), "{position:?}");
            let (scores, _) = Minimax::new().solve(&position, &Limits::default()).unwrap();
            assert_eq!(thought.lead(mover), lead(&scores, mover), "{position:?}");
        }
    }
    assert!(proven > 0 && proven < asked, "{proven} of {asked}");
}
