//! Rankings: comparable, truthful about proof, within limits; and moves without alternative.

use std::time::Duration;

use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Position};
use floe_search::{
    AlphaBeta, Engine, FLOOD, GAMMA, Kind, Limits, Minimax, PENGUINS, Roster, Spec, Thought, lead,
};

use crate::toy::Coins;

/// Positions on the way of random games.
fn positions<G: Game>(setup: &str, games: u64) -> Vec<G::Position> {
    let setup: G::Setup = setup.parse().expect("a good setup");
    let mut dice = Dice::seeded(1);
    let mut met = Vec::new();
    for seed in 0..games {
        let mut here = G::start(&setup, seed).expect("a board");
        while here.turn().is_some() {
            met.push(here.clone());
            let moves = here.legal_moves();
            here.play_unchecked(moves[dice.index(moves.len())]);
        }
    }
    met
}

/// What must be so whatever the position.
fn is_orderly<P: Position>(position: &P, ranked: &[Thought<P::Move>], top: usize) {
    let mover = position.turn().expect("the game goes on");
    assert!((1..=top).contains(&ranked.len()));
    for (i, thought) in ranked.iter().enumerate() {
        assert!(ranked[..i].iter().all(|other| other.best != thought.best));
        assert_eq!(thought.scores.len(), position.players() as usize);
        assert_eq!(thought.line.first(), Some(&thought.best));
        let mut here = position.clone();
        for &mv in &thought.line {
            here.play(mv).expect("a line of legal moves");
        }
        for player in floe_rules::Player::all(position.players()) {
            // Each of the others may take one away by a golden move.
            let least = position.score(player) - i64::from(position.players());
            let expected = thought.scores[player.index()];
            assert!(expected >= least, "{thought:?} in {position:?}");
        }
    }
    assert!(ranked.is_sorted_by_key(|t| std::cmp::Reverse(t.lead(mover))));
}

/// Rankings of small positions against the oracle's: how many were asked for and proven whole.
fn compare<G: Game>(roster: &Roster<G::Position>, setup: &str, games: u64) -> [usize; 2] {
    let mut engine = roster.engine(&Spec::from(Kind::Floe));
    let [mut asked, mut proven] = [0; 2];
    for position in positions::<G>(setup, games) {
        let mover = position.turn().expect("the game goes on");
        let Some(values) = Minimax::new().values(&position, &Limits::nodes(20_000)) else {
            continue;
        };
        let most = values.iter().map(|(_, s)| lead(s, mover)).max();
        for (top, nodes) in [(2, 30_000), (3, 200), (100, 30_000)] {
            let ranked = engine.rank(&position, &Limits::nodes(nodes), top);
            is_orderly(&position, &ranked, top);
            assert!(ranked.iter().all(|thought| thought.nodes <= nodes));
            for (i, thought) in ranked.iter().enumerate().filter(|(_, t)| t.proven) {
                let (_, scores) = (values.iter().find(|(mv, _)| *mv == thought.best)).unwrap();
                let told = thought.lead(mover);
                assert_eq!(told, lead(scores, mover), "{}", G::write(&position));
                assert!(i > 0 || most == Some(told), "{}", G::write(&position));
            }
            asked += 1;
            proven += usize::from(ranked.iter().all(|thought| thought.proven));
        }
    }
    [asked, proven]
}

#[test]
fn penguins_between_two() {
    for setup in ["4x4,penguins=1,water=10", "6x5,penguins=2,water=30"] {
        let [asked, proven] = compare::<Penguins>(&PENGUINS, setup, 12);
        assert!(asked > 100 && 2 * proven > asked, "{proven} of {asked}");
    }
}

#[test]
fn penguins_among_three() {
    compare::<Penguins>(&PENGUINS, "5x4,players=3,penguins=1", 10);
}

#[test]
fn gamma_between_two() {
    for setup in ["3x3,players=2,areas=1", "5x3,players=2,areas=2"] {
        let [asked, proven] = compare::<Gamma>(&GAMMA, setup, 10);
        assert!(asked > 50 && 2 * proven > asked, "{proven} of {asked}");
    }
}

#[test]
fn gamma_among_three() {
    compare::<Gamma>(&GAMMA, "3x3,players=3,areas=1", 10);
}

#[test]
fn large_boards_are_ranked_in_order() {
    fn check<G: Game>(roster: &Roster<G::Position>, setup: &str) {
        let mut engine = roster.engine(&Spec::from(Kind::Floe));
        for position in positions::<G>(setup, 1).iter().step_by(7) {
            for nodes in [0, 1, 40, 3_000] {
                let ranked = engine.rank(position, &Limits::nodes(nodes), 4);
                is_orderly(position, &ranked, 4);
            }
        }
    }
    check::<Penguins>(&PENGUINS, "10x10,penguins=3");
    check::<Penguins>(&PENGUINS, "16x14,players=3,penguins=2");
    check::<Gamma>(&GAMMA, "9x9,players=2,areas=2");
    check::<Gamma>(&GAMMA, "8x8,players=4,areas=2");
}

/// Five lines against one, with equal limits: the first line is the same, and all together take at
/// most 1.6 times the nodes. Returns how much shallower the other lines are, in plies, and how many
/// they are.
fn five_against_one<P: Position>(
    engine: &mut impl Engine<P>,
    positions: &[P],
    limits: &Limits,
) -> [u32; 2] {
    let [mut less, mut lines] = [0; 2];
    for position in positions {
        let one = engine.think(position, limits);
        let five = engine.rank(position, limits, 5);
        is_orderly(position, &five, 5);
        let first = Thought {
            nodes: one.nodes,
            ..five[0].clone()
        };
        assert_eq!(first, one, "{position:?}");
        let most = (one.nodes * 8 / 5).max(5_000);
        assert!(five[0].nodes <= most, "{} > {most}", five[0].nodes);
        assert_eq!(
            five.len(),
            position.legal_moves().len().min(5),
            "{position:?}"
        );
        if !one.proven {
            less += (five[1..].iter())
                .map(|line| one.depth.saturating_sub(line.depth))
                .sum::<u32>();
            lines += five.len() as u32 - 1;
        }
    }
    [less, lines]
}

#[test]
fn several_lines_have_the_first_line_of_one_for_few_nodes_more() {
    fn check<G: Game>(roster: &Roster<G::Position>, setup: &str, depth: u32) {
        let mut engine = roster.engine(&Spec::from(Kind::Floe));
        let all = positions::<G>(setup, 3);
        let some: Vec<G::Position> = all.into_iter().step_by(9).collect();
        let [less, lines] = five_against_one(&mut engine, &some, &Limits::depth(depth));
        assert!(less <= lines, "{less} plies in {lines} lines of {setup}");
    }
    check::<Penguins>(&PENGUINS, "8x8,penguins=3", 5);
    check::<Gamma>(&GAMMA, "7x7,players=2,areas=3", 4);
    check::<Flood>(&FLOOD, "14x14", 9);
    let coins: Vec<Coins> = (0..20).map(|seed| Coins::random(14, 2, seed)).collect();
    five_against_one(&mut AlphaBeta::new(), &coins, &Limits::depth(8));
}

#[test]
fn several_lines_among_many_come_from_the_tree_of_one() {
    fn check<G: Game>(roster: &Roster<G::Position>, setup: &str) {
        let mut engine = roster.engine(&Spec::from(Kind::Floe));
        for position in positions::<G>(setup, 2).iter().step_by(5) {
            let limits = Limits::nodes(3_000);
            let one = engine.think(position, &limits);
            let five = engine.rank(position, &limits, 5);
            is_orderly(position, &five, 5);
            assert_eq!((five[0].best, five[0].proven), (one.best, one.proven));
            assert!(five[0].nodes <= 3_000);
        }
    }
    check::<Penguins>(&PENGUINS, "8x8,players=3,penguins=2");
    check::<Penguins>(&PENGUINS, "8x8,players=4,penguins=2");
    check::<Gamma>(&GAMMA, "6x6,players=3,areas=2");
    check::<Gamma>(&GAMMA, "7x7,players=4,areas=2");
}

#[test]
fn the_first_of_several_lines_gets_five_eighths_of_the_nodes() {
    let position = Penguins::start(&"8x8".parse().unwrap(), 2).unwrap();
    let mut engine = PENGUINS.engine(&Spec::from(Kind::Floe));
    let one = engine.think(&position, &Limits::nodes(5_000));
    let three = engine.rank(&position, &Limits::nodes(8_000), 3);
    assert_eq!((three.len(), three[0].best), (3, one.best));
    assert_eq!(three[0].scores, one.scores);
    assert!(three[0].nodes <= 8_000);
}

#[test]
fn a_move_without_alternative_is_not_thought_about() {
    // Whoever thought about it would not be back today.
    let limits = || Limits::time(Duration::from_secs(1_000_000));
    fn check<P: Position>(roster: &Roster<P>, positions: &[P], limits: impl Fn() -> Limits) {
        let forced = positions.iter().filter(|p| p.legal_moves().len() == 1);
        for position in forced.take(40) {
            for kind in Kind::ALL {
                let thought = roster.engine(&Spec::from(kind)).think(position, &limits());
                position.check(thought.best).expect("a legal move");
                assert!(thought.nodes < 2_000, "{kind:?}: {thought:?}");
            }
        }
    }
    check(
        &PENGUINS,
        &positions::<Penguins>("8x8,penguins=2", 6),
        limits,
    );
    check(
        &GAMMA,
        &positions::<Gamma>("6x6,players=3,areas=1", 6),
        limits,
    );
    check(&FLOOD, &positions::<Flood>("6x6", 2), limits);
    let coins = [Coins::of(&[5], 2), Coins::of(&[0, 5, 0], 3)];
    check(&Roster::generic(), &coins, limits);
}
