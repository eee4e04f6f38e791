//! Searches agree with the oracle wherever the oracle can say.

use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Player, Position};
use floe_search::{AlphaBeta, Engine, Limits, MaxN, Mcts, Minimax, Thought, lead};

use crate::rows::Rows;
use crate::toy::Coins;

/// How many nodes the oracle may take for one position; larger ones are passed over.
const ORACLE: u64 = 10_000;

/// Positions of random games from this start, as long as the oracle can solve them: up to
/// `most` of them, the latest first met.
fn solvable<P: Position>(start: &P, dice: &mut Dice, most: usize) -> Vec<P> {
    let mut game = vec![start.clone()];
    let mut here = start.clone();
    while here.turn().is_some() {
        let moves = here.legal_moves();
        here.play_unchecked(moves[dice.index(moves.len())]);
        game.push(here.clone());
    }
    game.pop();
    let mut oracle = Minimax::new();
    let mut is_small = |p: &P| oracle.solve(p, &Limits::nodes(ORACLE)).is_some();
    let found: Vec<P> = game.into_iter().rev().take_while(|p| is_small(p)).collect();
    // The hardest of them, and a few on the way there.
    let step = found.len().div_ceil(most).max(1);
    found.into_iter().rev().step_by(step).collect()
}

/// Starting positions of a game.
fn starts<G: Game>(setup: &str, seeds: std::ops::Range<u64>) -> impl Iterator<Item = G::Position> {
    let setup: G::Setup = setup.parse().expect("a good setup");
    seeds.map(move |seed| G::start(&setup, seed).expect("a board"))
}

fn check_line<P: Position>(position: &P, thought: &Thought<P::Move>) -> P {
    let mut here = position.clone();
    assert_eq!(thought.line.first(), Some(&thought.best));
    for &mv in &thought.line {
        here.play(mv).expect("a line of legal moves");
    }
    here
}

/// An exact search says what the oracle says: the value, and one of the best moves.
fn agrees<P: Position>(oracle: &mut Minimax<P>, engine: &mut impl Engine<P>, position: &P) {
    let mover = position.turn().expect("the game goes on");
    let (scores, _) = oracle.solve(position, &Limits::default()).expect("small");
    let best = oracle
        .best_moves(position, &Limits::default())
        .expect("small");
    let thought = engine.think(position, &Limits::default());
    assert!(thought.proven, "{position:?}");
    assert_eq!(thought.lead(mover), lead(&scores, mover), "{position:?}");
    assert!(
        best.contains(&thought.best),
        "{position:?}: {:?} not in {best:?}",
        thought.best
    );
    let end = check_line(position, &thought);
    if end.turn().is_none() {
        assert_eq!(end.scores(), thought.scores, "{position:?}");
    }
    // Before it is proven: whatever it claims as proven is true.
    for nodes in [1, 5, 50, 500] {
        let thought = engine.think(position, &Limits::nodes(nodes));
        if thought.proven {
            assert_eq!(thought.lead(mover), lead(&scores, mover), "{position:?}");
            assert!(best.contains(&thought.best), "{position:?}");
        }
    }
    // And so in a ranking.
    let values = oracle.values(position, &Limits::default()).expect("small");
    for top in [2, 3, 100] {
        let ranked = engine.rank(position, &Limits::default(), top);
        assert!(best.contains(&ranked[0].best), "{position:?}");
        assert!(ranked.len() <= top);
        for thought in ranked.iter().filter(|t| t.proven) {
            let (_, scores) = values
                .iter()
                .find(|(mv, _)| *mv == thought.best)
                .expect("legal");
            assert_eq!(
                thought.lead(mover),
                lead(scores, mover),
                "{position:?} {thought:?}"
            );
            check_line(position, thought);
        }
    }
}

fn all_agree<P: Position>(starts: impl Iterator<Item = P>, at_least: usize) {
    let mut count = 0;
    let mut dice = Dice::seeded(1);
    // Kept for all positions, as in a game: nothing of one may leak into another.
    let mut alphabeta = AlphaBeta::new().with_table(1 << 16);
    let mut maxn = MaxN::new();
    for start in starts {
        let mut oracle = Minimax::new();
        for position in solvable(&start, &mut dice, 6) {
            match position.players() {
                2 => agrees(&mut oracle, &mut alphabeta, &position),
                _ => agrees(&mut oracle, &mut maxn, &position),
            }
            count += 1;
        }
    }
    assert!(count >= at_least, "only {count} positions");
}

#[test]
fn on_coins() {
    all_agree((0..60).map(|seed| Coins::random(12, 2, seed)), 200);
}

#[test]
fn on_coins_with_three() {
    all_agree((0..60).map(|seed| Coins::random(10, 3, seed)), 200);
}

#[test]
fn on_rows() {
    all_agree((0..20).map(|_| Rows::new(3, 3, 3, 2)), 60);
    all_agree((0..20).map(|_| Rows::new(4, 3, 3, 2)), 60);
}

#[test]
fn on_rows_with_three() {
    all_agree((0..20).map(|_| Rows::new(3, 3, 3, 3)), 60);
    all_agree((0..20).map(|_| Rows::new(4, 3, 2, 3)), 20);
}

#[test]
fn max_n_is_minimax_for_two() {
    let mut maxn = MaxN::new();
    agrees(
        &mut Minimax::new(),
        &mut MaxN::new(),
        &Rows::new(3, 2, 2, 2),
    );
    for seed in 0..60 {
        agrees(&mut Minimax::new(), &mut maxn, &Coins::random(10, 2, seed));
    }
}

#[test]
fn on_flood() {
    all_agree(starts::<Flood>("3x3", 0..10), 12);
}

#[test]
fn on_larger_flood() {
    all_agree(starts::<Flood>("6x5", 40..44), 12);
}

#[test]
fn on_penguins() {
    all_agree(starts::<Penguins>("4x4,penguins=1", 0..60), 150);
    all_agree(starts::<Penguins>("5x5,penguins=2", 0..20), 60);
}

#[test]
fn on_penguins_with_three() {
    all_agree(starts::<Penguins>("5x4,penguins=1,players=3", 0..20), 80);
}

#[test]
fn on_gamma() {
    all_agree(starts::<Gamma>("3x3,players=2,areas=1", 0..20), 60);
    all_agree(starts::<Gamma>("4x2,players=2,areas=2", 0..20), 60);
}

#[test]
fn on_gamma_with_three() {
    all_agree(starts::<Gamma>("3x3,players=3,areas=1", 0..20), 60);
}

#[test]
fn nobody_plays_against_all_others_better_than_they_can_be_played_against() {
    // With three seats alpha-beta finds what it can force, which is no more than everybody
    // looking after themselves gives; and proof it claims only where nobody else has a say.
    let mut alphabeta = AlphaBeta::new();
    for seed in 0..100 {
        let position = Coins::random(9, 3, seed);
        let mover = Player::new(0);
        let thought = alphabeta.think(&position, &Limits::default());
        let (scores, _) = Minimax::new().solve(&position, &Limits::default()).unwrap();
        assert!(thought.lead(mover) <= lead(&scores, mover), "{position:?}");
        if thought.proven {
            assert_eq!(thought.lead(mover), lead(&scores, mover), "{position:?}");
        }
    }
    let alone = Coins::of(&[3, 9, 6, 3, 0], 3);
    assert!(alphabeta.think(&alone, &Limits::default()).proven);
}

#[test]
fn playouts_find_the_best_move_in_time() {
    let mut mcts = Mcts::seeded(1);
    let mut found = 0;
    for seed in 0..100 {
        let position = Coins::random(8, 2, seed);
        let best = Minimax::new()
            .best_moves(&position, &Limits::default())
            .unwrap();
        let thought = mcts.think(&position, &Limits::nodes(40_000));
        assert!(!thought.proven);
        check_line(&position, &thought);
        found += usize::from(best.contains(&thought.best));
    }
    assert!(found >= 90, "{found} of 100");
}

#[test]
fn the_oracle_is_right_by_hand() {
    // Whoever takes the 1 next to the 8 gives it away.
    let position = Coins::of(&[2, 8, 1], 2);
    let thought = Minimax::new().think(&position, &Limits::default());
    assert_eq!(thought.scores, [3, 8]);
    assert_eq!(thought.line.len(), 3);
    // 3 goes on to 8.
    let position = Coins::of(&[3, 8, 1], 2);
    let thought = Minimax::new().think(&position, &Limits::default());
    assert_eq!((thought.scores, thought.proven), (vec![11, 1], true));
}
