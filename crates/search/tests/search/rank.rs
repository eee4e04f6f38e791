//! Rankings: comparable, truthful about proof, within limits; and moves without alternative.

use std::time::Duration;

use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Position};
use floe_search::{
    Engine, FLOOD, GAMMA, Kind, Limits, Minimax, PENGUINS, Roster, Spec, Thought, lead,
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
    if position.players() == 2 {
        assert!(ranked.is_sorted_by_key(|t| std::cmp::Reverse(t.lead(mover))));
    }
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
