//! Several threads at one position: legal moves, the proofs of one thread, and limits that hold.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use floe_rules::{Game, Position, flood::Flood, gamma::Gamma, penguins::Penguins};
use floe_search::{FLOOD, GAMMA, Limits, PENGUINS, Roster, Spec};

fn start<G: Game>(setup: &str) -> G::Position {
    let setup = setup.parse().unwrap_or_else(|_| panic!("{setup}"));
    G::start(&setup, 1).expect("a board")
}

fn floe() -> Spec {
    "floe".parse().expect("a spec")
}

#[test]
fn several_threads_prove_what_one_proves() {
    fn check<P: Position>(roster: &Roster<P>, start: &P) {
        let mover = start.turn().expect("a mover");
        let think = |threads| {
            let limits = Limits {
                threads,
                ..Limits::default()
            };
            roster.engine(&floe()).think(start, &limits)
        };
        let alone = think(1);
        assert!(alone.proven);
        for threads in [2, 3, 7] {
            let together = think(threads);
            assert!(together.proven, "{threads}: {together:?}");
            assert_eq!(together.lead(mover), alone.lead(mover), "{threads}");
            start.check(together.best).expect("a legal move");
        }
    }
    check(&GAMMA, &start::<Gamma>("3x3,areas=2"));
    let mut penguins = start::<Penguins>("5x5,penguins=1");
    for _ in 0..2 {
        penguins.play_unchecked(penguins.legal_moves()[0]);
    }
    check(&PENGUINS, &penguins);
    check(&FLOOD, &start::<Flood>("5x5"));
}

#[test]
fn threads_share_the_nodes_and_end_in_time() {
    fn check<P: Position>(roster: &Roster<P>, start: &P) {
        let mut engine = roster.engine(&floe());
        for threads in [2, 4] {
            for most in [0, 1, 7, 5000] {
                let limits = Limits {
                    threads,
                    ..Limits::nodes(most)
                };
                let thought = engine.think(start, &limits);
                start.check(thought.best).expect("a legal move");
                assert!(thought.nodes <= most, "{} > {most}", thought.nodes);
            }
            let stop = Some(Arc::new(AtomicBool::new(true)));
            for limits in [
                Limits::time(Duration::from_millis(5)),
                Limits {
                    stop,
                    ..Limits::default()
                },
            ] {
                let limits = Limits { threads, ..limits };
                for thought in engine.rank(start, &limits, 3) {
                    start.check(thought.best).expect("a legal move");
                }
            }
        }
    }
    check(&GAMMA, &start::<Gamma>("10x10"));
    check(&PENGUINS, &start::<Penguins>("8x8,penguins=2"));
    check(&FLOOD, &start::<Flood>("20x20"));
}

#[test]
fn after_several_threads_one_thinks_as_if_it_were_the_first() {
    fn check<P: Position>(roster: &Roster<P>, start: &P) {
        let alone = Limits::nodes(3000);
        let first = roster.engine(&floe()).think(start, &alone);
        let mut engine = roster.engine(&floe());
        let limits = Limits {
            threads: 3,
            ..alone.clone()
        };
        engine.think(start, &limits);
        assert_eq!(engine.think(start, &alone), first);
    }
    check(&GAMMA, &start::<Gamma>("10x10"));
    check(&PENGUINS, &start::<Penguins>("8x8,penguins=2"));
    check(&FLOOD, &start::<Flood>("20x20"));
}
