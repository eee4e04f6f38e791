//! The rules' side of the contract: turns, moves, checks, scores, keys, copies.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use floe_games::GameEntry;
use floe_rules::random::Random;
use floe_rules::{Game, Player, Position};
use floe_search::Spec;

use super::{LONGEST, Move, choices, dialect, encoding, engines, erased, setups, text};

const SEEDS: u64 = 3;
/// In how many positions of a game everything is checked.
const STOPS: usize = 12;

/// Plays random games of `G` and checks every promise of its traits on the way, and of
/// the engines in its row.
pub(crate) fn contract<G: Game>(entry: &'static GameEntry<G>, perft_file: &str) {
    let setups = setups::<G>(perft_file);
    let mut dice = Random::seeded(2026);
    // Moves of other positions, to be checked where they may be illegal.
    let mut foreign: Vec<Move<G>> = Vec::new();
    let mut seats = HashSet::new();
    choices::settings::<G>();
    for setup in &setups {
        text::setup_round_trips::<G>(setup);
        for seed in 0..SEEDS {
            let start = |seed| {
                let start = G::start(setup, seed);
                start.unwrap_or_else(|e| panic!("{}: {setup} seed {seed}: {e}", G::NAME))
            };
            let first = start(seed);
            assert_eq!(first, start(seed), "one seed, one start");
            assert_eq!(first.key(), start(seed).key());
            seats.insert(first.players());
            let (size, mut seen) = (G::encoding(&first), encoding::Seen::new());
            for position in stops(&first, &mut dice) {
                let place = format!("{} {setup} seed {seed}\n{}", G::NAME, G::write(&position));
                rules::<G>(&position, &foreign, &place);
                choices::choices::<G>(&position, &mut dice, &place);
                encoding::encoding::<G>(&position, &size, &mut seen, &mut dice, &place);
                copies::<G>(&position, &first, &mut dice, &place);
                text::round_trip::<G>(&position, &mut dice, &place);
                dialect::honest_answers::<G>(&position, &mut dice, &place);
                erased::agrees(entry, &position, &place);
                retirement::<G>(entry, &position, &foreign, &mut dice, &place);
                let moves = position.legal_moves();
                foreign.extend(moves.first());
                foreign.extend(moves.last());
            }
            // Enough to be varied, few enough to be quick.
            while foreign.len() > 60 {
                foreign.swap_remove(dice.index(foreign.len()));
            }
        }
        engines::think(entry, setup);
    }
    let wanted = G::SEATS.take_while(|&players| players <= 4).count();
    assert!(seats.len() >= wanted, "{}: seats {seats:?}", G::NAME);
}

/// Some positions of one random game, with the first and the last among them.
fn stops<P: Position>(first: &P, dice: &mut Random) -> Vec<P> {
    let mut game = vec![first.clone()];
    let mut position = first.clone();
    let mut moves = Vec::new();
    while position.turn().is_some() {
        assert!(game.len() < LONGEST, "the game does not end");
        position.moves(&mut moves);
        assert!(!moves.is_empty(), "a mover has a move\n{position:?}");
        let mv = moves[dice.index(moves.len())];
        let before = position.key();
        position.play(mv).expect("a listed move is legal");
        assert_ne!(position.key(), before, "{mv} leaves the key as it is");
        game.push(position.clone());
    }
    let last = game.len() - 1;
    let kept: HashSet<usize> = (0..STOPS).map(|i| i * last / (STOPS - 1)).collect();
    let mut game: Vec<_> = game.into_iter().enumerate().collect();
    game.retain(|(i, _)| kept.contains(i));
    game.into_iter().map(|(_, position)| position).collect()
}

fn rules<G: Game>(position: &G::Position, foreign: &[Move<G>], place: &str) {
    let moves = position.legal_moves();
    assert_eq!(moves.is_empty(), position.turn().is_none(), "{place}");
    let mut again = foreign.to_vec();
    position.moves(&mut again);
    assert_eq!(
        moves, again,
        "moves replaces what was there, in one order\n{place}"
    );
    let listed: HashSet<Move<G>> = moves.iter().copied().collect();
    assert_eq!(listed.len(), moves.len(), "a move is listed twice\n{place}");

    for &mv in moves.iter().chain(foreign) {
        let verdict = position.check(mv);
        assert_eq!(
            verdict.is_ok(),
            listed.contains(&mv),
            "{mv}: {verdict:?}\n{place}"
        );
        if let Err(reason) = verdict {
            reason_is_readable(&reason.to_string(), place);
            let mut refused = position.clone();
            assert!(refused.play(mv).is_err());
            assert_eq!(
                &refused, position,
                "a refused move changes nothing\n{place}"
            );
            assert_eq!(refused.key(), position.key());
        }
    }

    let players = position.players();
    assert!(G::SEATS.contains(&players), "{place}");
    if let Some(mover) = position.turn() {
        assert!((mover.index() as u64) < u64::from(players), "{place}");
    }
    let scores: Vec<i64> = Player::all(players).map(|p| position.score(p)).collect();
    assert_eq!(position.scores(), scores);
    let outcome = position.outcome();
    assert_eq!(outcome.is_some(), position.turn().is_none(), "{place}");
    if let Some(outcome) = outcome {
        assert_eq!(outcome.scores(), scores, "{place}");
    }

    let view = G::view(position);
    assert_eq!(
        view.cells.len() as u64,
        u64::from(view.width) * u64::from(view.height),
        "{place}"
    );
    let seen: Vec<i64> = view.seats.iter().map(|seat| seat.score).collect();
    assert_eq!(seen, scores, "the view tells the scores by seat\n{place}");
    for cell in &view.cells {
        assert!(
            cell.owner.is_none_or(|owner| owner.index() < scores.len()),
            "{place}"
        );
        assert!(!cell.glyph.is_control(), "{place}");
    }
    // Front ends put it into sentences of their own.
    assert!(!view.task.ends_with('.'), "{:?}\n{place}", view.task);
    assert!(
        view.task.is_empty() || position.turn().is_some(),
        "{:?}\n{place}",
        view.task
    );
}

/// The rest play on without one player, and then without another.
fn retirement<G: Game>(
    entry: &'static GameEntry<G>,
    position: &G::Position,
    foreign: &[Move<G>],
    dice: &mut Random,
    place: &str,
) {
    let mut rest = position.clone();
    let mut gone = Vec::new();
    for _ in 0..2 {
        if rest.turn().is_none() {
            return;
        }
        let player = Player::new(dice.index(rest.players() as usize) as u32);
        let before = rest.clone();
        if !rest.retire(player) {
            assert_eq!(
                rest, before,
                "a refused retirement changes nothing\n{place}"
            );
            return;
        }
        gone.push(player);
        assert_eq!(rest.scores(), before.scores(), "{player} retires\n{place}");
        let again = rest.clone();
        assert!(rest.retire(player));
        assert_eq!(rest, again, "nobody retires twice\n{place}");
        let place = format!("{} without {gone:?}\n{}", G::NAME, G::write(&rest));
        rules::<G>(&rest, foreign, &place);
        copies::<G>(&rest, position, dice, &place);
        text::round_trip::<G>(&rest, dice, &place);
        dialect::honest_answers::<G>(&rest, dice, &place);
        let mut end = rest.clone();
        for _ in 0..LONGEST {
            let Some(mover) = end.turn() else { break };
            assert!(!gone.contains(&mover), "{mover} moves\n{place}");
            let moves = end.legal_moves();
            end.play_unchecked(moves[dice.index(moves.len())]);
        }
        let spec: Spec = "floe:nodes=30".parse().expect("a spec");
        if rest.turn().is_some() {
            let thought = entry
                .0
                .engine(&spec)
                .think(&rest, &spec.limits(Duration::ZERO));
            assert!(
                rest.check(thought.best).is_ok(),
                "{}\n{place}",
                thought.best
            );
        }
        assert!(end.turn().is_none(), "{place}");
    }
}

pub(super) fn reason_is_readable(reason: &str, place: &str) {
    assert!(
        !reason.is_empty() && !reason.ends_with('.'),
        "{reason:?}\n{place}"
    );
    assert!(
        !reason.starts_with(char::is_uppercase),
        "{reason:?}\n{place}"
    );
}

fn copies<G: Game>(position: &G::Position, other: &G::Position, dice: &mut Random, place: &str) {
    let hash = |p: &G::Position| {
        let mut hasher = DefaultHasher::new();
        p.hash(&mut hasher);
        hasher.finish()
    };
    let mut copy = other.clone();
    copy.clone_from(position);
    assert_eq!(&copy, position, "{place}");
    assert_eq!(&position.clone(), position, "{place}");
    assert_eq!(copy.key(), position.key(), "{place}");
    assert_eq!(hash(&copy), hash(position), "{place}");

    let moves = position.legal_moves();
    if moves.is_empty() {
        return;
    }
    // A copy goes its own way, and goes the same way as the position it was made of.
    let mv = moves[dice.index(moves.len())];
    let mut cloned = position.clone();
    copy.play_unchecked(mv);
    cloned.play_unchecked(mv);
    assert_eq!(copy, cloned, "{mv}\n{place}");
    assert_eq!(copy.legal_moves(), cloned.legal_moves(), "{mv}\n{place}");
    assert_ne!(&copy, position, "{mv} changes nothing\n{place}");
    assert_eq!(position.legal_moves(), moves, "{place}");
}
