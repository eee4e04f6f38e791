//! Proofs that go beyond one search of an engine, and engines that know them.

use floe_rules::flood::Flood;
use floe_rules::gamma::{Board, Gamma, GammaPosition};
use floe_rules::penguins::Penguins;
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Position};
use floe_search::{
    Engine, FLOOD, GAMMA, Informed, Kind, Limits, Minimax, PENGUINS, ProofTable, Prover, Roster,
    Spec, Thought, lead,
};

use crate::rows::Rows;
use crate::toy::Coins;

/// Nodes the oracle may take for one position.
const ORACLE: u64 = 10_000;
const BYTES: usize = 1 << 20;

fn engine<P: Position>(roster: &Roster<P>) -> Box<dyn Engine<P>> {
    roster.engine(&Spec::from(Kind::Floe))
}

/// The earliest positions of random games that the oracle can solve.
fn small<G: Game>(setup: &str, games: u64) -> Vec<G::Position> {
    let setup: G::Setup = setup.parse().expect("a good setup");
    let mut dice = Dice::seeded(5);
    let mut found = Vec::new();
    for seed in 0..games {
        let mut here = G::start(&setup, seed).expect("a board");
        while here.turn().is_some() {
            if Minimax::new()
                .solve(&here, &Limits::nodes(ORACLE))
                .is_some()
            {
                found.push(here);
                break;
            }
            let moves = here.legal_moves();
            here.play_unchecked(moves[dice.index(moves.len())]);
        }
    }
    assert!(!found.is_empty());
    found
}

fn prove<P: Position>(
    roster: &Roster<P>,
    table: ProofTable,
    position: &P,
    limits: &Limits,
) -> (Option<Thought<P::Move>>, ProofTable) {
    let mut prover = Prover::new(engine(roster), table).with_look(40);
    let proof = prover.prove(position, limits, &mut |_| {});
    (proof, prover.table().clone())
}

fn check_line<P: Position>(position: &P, thought: &Thought<P::Move>) {
    let mut here = position.clone();
    assert_eq!(thought.line.first(), Some(&thought.best));
    for &mv in &thought.line {
        here.play(mv).expect("a line of legal moves");
    }
    if here.turn().is_none() {
        assert_eq!(here.scores(), thought.scores);
    }
}

fn agrees<P: Position>(roster: &Roster<P>, positions: Vec<P>) {
    // One table for all boards: their positions must not be taken for each other.
    let mut table = ProofTable::with_bytes(BYTES);
    for position in positions {
        let mover = position.turn().expect("the game goes on");
        let best = Minimax::new().best_moves(&position, &Limits::default());
        let (scores, _) = Minimax::new()
            .solve(&position, &Limits::default())
            .expect("small");
        let (proof, after) = prove(roster, table, &position, &Limits::default());
        let proof = proof.expect("no limit");
        assert!(proof.proven);
        assert_eq!(proof.lead(mover), lead(&scores, mover), "{position:?}");
        assert!(best.expect("small").contains(&proof.best), "{position:?}");
        check_line(&position, &proof);
        table = after;
    }
}

#[test]
fn proofs_say_what_the_oracle_says() {
    let gamma = [
        "3x3,areas=2",
        "4x2,areas=1",
        "2x4,areas=2",
        "5x4,areas=2",
        "3x2,players=1",
    ];
    let gamma = gamma.map(|setup| small::<Gamma>(setup, 4)).concat();
    agrees(&GAMMA, gamma);
    agrees(&FLOOD, small::<Flood>("6x6", 15));
    let penguins = ["4x4,penguins=1", "5x4,penguins=2"];
    agrees(
        &PENGUINS,
        penguins.map(|setup| small::<Penguins>(setup, 10)).concat(),
    );
}

#[test]
fn games_without_engines_of_their_own_are_proven_too() {
    let coins = |seats| (0..30).map(move |seed| Coins::random(11, seats, seed));
    agrees(&Roster::generic(), coins(2).chain(coins(1)).collect());
    agrees(&Roster::generic(), vec![Rows::new(3, 3, 3, 2)]);
}

#[test]
fn a_proof_that_is_stopped_again_and_again_ends_the_same() {
    let start = Gamma::start(&"4x3,areas=2".parse().unwrap(), 1).unwrap();
    let empty = || ProofTable::with_bytes(BYTES);
    let (whole, _) = prove(&GAMMA, empty(), &start, &Limits::default());
    let whole = whole.expect("no limit");
    let mut table = empty();
    let mut runs = 0;
    let last = loop {
        runs += 1;
        let (proof, after) = prove(&GAMMA, table, &start, &Limits::nodes(whole.nodes / 5));
        let text = after.write("gamma");
        table = ProofTable::read(&text, "gamma", BYTES).expect("as it was written");
        if let Some(proof) = proof {
            break proof;
        }
        assert!(runs < 50, "it does not end");
    };
    assert!(runs > 2, "{runs}");
    assert_eq!(last.scores, whole.scores);
}

#[test]
fn a_small_table_proves_the_same() {
    let start = Gamma::start(&"4x3,areas=1".parse().unwrap(), 1).unwrap();
    let large = prove(
        &GAMMA,
        ProofTable::with_bytes(BYTES),
        &start,
        &Limits::default(),
    );
    let small = prove(
        &GAMMA,
        ProofTable::with_bytes(0),
        &start,
        &Limits::default(),
    );
    assert!(small.1.len() < large.1.len());
    // The line may end early, so only the lead is the same.
    let mover = start.turn().unwrap();
    let lead = |proof: Option<Thought<_>>| proof.expect("no limit").lead(mover);
    assert_eq!(lead(small.0), lead(large.0));
}

#[test]
fn an_engine_with_a_table_knows_what_is_proven() {
    let start = Gamma::start(&"4x3,areas=2".parse().unwrap(), 1).unwrap();
    let mover = start.turn().unwrap();
    let table = ProofTable::with_bytes(BYTES);
    let (proof, table) = prove(&GAMMA, table, &start, &Limits::default());
    let proof = proof.expect("no limit");
    let few = Limits::nodes(20);
    assert!(!engine(&GAMMA).think(&start, &few).proven);
    let mut informed = Informed::new(engine(&GAMMA), table);
    let thought = informed.think(&start, &few);
    assert!(thought.proven);
    assert_eq!(thought.lead(mover), proof.lead(mover));
    let lines = informed.rank(&start, &few, 3);
    assert!(lines[0].proven && lines[0].lead(mover) == proof.lead(mover));
    assert!(
        lines
            .iter()
            .all(|line| line.lead(mover) <= proof.lead(mover))
    );
    // Where nothing is proven, it thinks as before.
    let other = Gamma::start(&"7x7".parse().unwrap(), 1).unwrap();
    assert_eq!(
        informed.rank(&other, &few, 3),
        engine(&GAMMA).rank(&other, &few, 3)
    );
}

fn after(size: (u32, u32), areas: u32, moves: &str) -> GammaPosition {
    let mut position = GammaPosition::new(Board::new(size.0, size.1, 2, areas).unwrap());
    for mv in moves.split_whitespace() {
        position.play(mv.parse().unwrap()).unwrap();
    }
    position
}

#[test]
fn mirror_images_have_one_proof_key() {
    let key = |moves| after((4, 4), 2, moves).proof_key();
    let one = key("a1 b1 c3");
    let images = [
        "d1 c1 b3", "a4 b4 c2", "d4 c4 b2", "a1 a2 c3", "d1 d2 b3", "c3 b1 a1",
    ];
    for image in images {
        assert_eq!(key(image), one, "{image}");
    }
    for other in ["a1 b1 d3", "a1 c3 b1", "a1 b1", "a1 b1 c3 a2"] {
        assert_ne!(key(other), one, "{other}");
    }
    // On an oblong board, columns are no rows.
    let key = |moves| after((4, 3), 2, moves).proof_key();
    assert_eq!(key("a1"), key("d3"));
    assert_ne!(key("a2"), key("b1"));
}

#[test]
fn boards_and_settings_have_proof_keys_of_their_own() {
    let all = [((3, 3), 1), ((3, 3), 2), ((3, 4), 2), ((4, 3), 2)];
    let all = all.map(|(size, areas)| after(size, areas, "").proof_key());
    for (i, one) in all.iter().enumerate() {
        assert!(!all[..i].contains(one), "{i}");
    }
}

#[test]
fn texts_that_are_no_tables_are_refused_where_they_are_wrong() {
    let start = after((3, 3), 2, "");
    let (_, table) = prove(
        &GAMMA,
        ProofTable::with_bytes(BYTES),
        &start,
        &Limits::default(),
    );
    let text = table.write("gamma");
    let read = |text: &str| ProofTable::read(text, "gamma", BYTES);
    assert_eq!(read(&text).unwrap().write("gamma"), text);
    let cut = text.lines().next().unwrap();
    let broken = text.replacen('\n', "\nx", 1);
    let short = text.replacen('\n', "\n1 2\n", 1);
    let other = text.replacen("gamma", "flood", 1);
    for (wrong, line) in [
        ("", 1),
        ("J\n@#\n", 1),
        (cut, 1),
        (&other, 1),
        (&broken, 2),
        (&short, 2),
    ] {
        assert_eq!(read(wrong).unwrap_err().line, line, "{wrong}");
    }
}
