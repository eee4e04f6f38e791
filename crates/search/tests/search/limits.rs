//! Limits are kept, and equal questions have equal answers.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_rules::{Game, Position};
use floe_search::{
    AlphaBeta, Clock, Engine, FLOOD, GAMMA, Greedy, Limits, MaxN, Mcts, Minimax, PENGUINS, Random,
    Spec,
};

use crate::toy::Coins;

type Make<P> = fn() -> Box<dyn Engine<P>>;

fn engines<P: Position>() -> Vec<(&'static str, Make<P>)> {
    vec![
        ("random", || Box::new(Random::seeded(1))),
        ("greedy", || Box::new(Greedy::seeded(1))),
        ("minimax", || Box::new(Minimax::new())),
        ("alphabeta", || {
            Box::new(AlphaBeta::new().with_table(1 << 20))
        }),
        ("maxn", || Box::new(MaxN::new())),
        ("mcts", || Box::new(Mcts::seeded(1))),
        ("short mcts", || {
            Box::new(Mcts::with(floe_search::Scores, Some(3), 1))
        }),
    ]
}

/// Every engine, on large and small positions of every game.
fn everywhere(check: impl Fn(&str, &dyn Fn(&Limits) -> (u64, u32, String))) {
    fn each<P: Position>(
        position: &P,
        check: &impl Fn(&str, &dyn Fn(&Limits) -> (u64, u32, String)),
    ) {
        for (name, make) in engines::<P>() {
            check(name, &|limits| {
                let mut engine = make();
                let thought = engine.think(position, limits);
                position.check(thought.best).expect("a legal move");
                assert_eq!(thought.scores.len(), position.players() as usize);
                for top in [1, 3] {
                    let ranked = engine.rank(position, limits, top);
                    assert!((1..=top).contains(&ranked.len()), "{name}");
                    for thought in ranked {
                        position.check(thought.best).expect("a legal move");
                    }
                }
                (thought.nodes, thought.depth, format!("{thought:?}"))
            });
        }
    }
    each(&Coins::random(30, 2, 1), &check);
    each(&Coins::random(30, 4, 1), &check);
    each(&Coins::of(&[5], 2), &check);
    each(&Flood::start(&"12x9".parse().unwrap(), 1).unwrap(), &check);
    each(&Gamma::start(&Default::default(), 1).unwrap(), &check);
    each(&Penguins::start(&Default::default(), 1).unwrap(), &check);
}

#[test]
fn nodes_are_not_exceeded() {
    everywhere(|name, think| {
        for most in [0, 1, 2, 3, 10, 100, 1000, 5000] {
            let (nodes, ..) = think(&Limits::nodes(most));
            // One engine must look at something to say anything.
            assert!(
                nodes <= most.max(u64::from(name == "greedy")),
                "{name}: {nodes} > {most}"
            );
        }
    });
}

#[test]
fn the_same_nodes_give_the_same_thought() {
    everywhere(|name, think| {
        for most in [1, 37, 1000, 5000] {
            let (a, b) = (think(&Limits::nodes(most)), think(&Limits::nodes(most)));
            assert_eq!(a, b, "{name}");
        }
    });
}

#[test]
fn a_stop_and_a_deadline_in_the_past_give_a_legal_move_at_once() {
    everywhere(|name, think| {
        let stop = Limits {
            stop: Some(Arc::new(AtomicBool::new(true))),
            ..Limits::default()
        };
        for limits in [stop, Limits::time(Duration::ZERO)] {
            assert!(think(&limits).0 <= 1, "{name}");
        }
    });
}

#[test]
fn depth_is_kept() {
    everywhere(|name, think| {
        if name == "alphabeta" || name == "maxn" {
            for most in [0, 1, 2, 3] {
                assert!(think(&Limits::depth(most)).1 <= most, "{name}");
            }
        }
    });
}

#[test]
fn what_was_thought_before_does_not_matter_when_nodes_are_counted() {
    fn check<P: Position>(start: &P) {
        for (name, make) in engines::<P>().into_iter().skip(2) {
            let limits = Limits::nodes(2000);
            let mut used = make();
            let mut here = start.clone();
            for _ in 0..6 {
                if here.turn().is_none() {
                    break;
                }
                let thought = used.think(&here, &limits);
                assert_eq!(thought, make().think(&here, &limits), "{name}");
                here.play(thought.best).expect("a legal move");
            }
        }
    }
    check(&Coins::random(16, 2, 5));
    check(&Coins::random(12, 3, 5));
    check(&Flood::start(&"8x8".parse().unwrap(), 3).unwrap());
    check(&Gamma::start(&Default::default(), 1).unwrap());
    check(&Penguins::start(&Default::default(), 3).unwrap());
}

#[test]
fn a_search_stopped_from_outside_ends() {
    let position = Flood::start(&"30x30".parse().unwrap(), 1).unwrap();
    for (name, make) in engines() {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            stop: Some(Arc::clone(&stop)),
            ..Limits::default()
        };
        if name == "mcts" || name == "alphabeta" {
            let board = position.clone();
            let thinking = std::thread::spawn(move || make().think(&board, &limits));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            let thought = thinking.join().expect("no panic");
            position.check(thought.best).expect("a legal move");
        }
    }
}

/// A clock of this thread that goes on by a millisecond whenever it is read.
fn stepping() -> Duration {
    thread_local!(static READ: Cell<u64> = const { Cell::new(0) });
    READ.set(READ.get() + 1);
    Duration::from_millis(READ.get())
}

/// The clock of a machine that has none.
fn missing() -> Duration {
    panic!("somebody reads the clock")
}

#[test]
fn a_clock_that_was_handed_in_ends_the_search() {
    fn check<P: Position>(position: &P, make: impl Fn() -> Box<dyn Engine<P>>) {
        let clock = Clock::new(stepping);
        // A read every 50 µs of a clock that goes twenty times as fast: one for every node.
        for most in [0, 1, 20, 300] {
            let think = || {
                let limits = Limits::time_by(clock, Duration::from_millis(most));
                make().think(position, &limits)
            };
            let thought = think();
            position.check(thought.best).expect("a legal move");
            assert!(thought.nodes <= most.max(1), "{} > {most}", thought.nodes);
            assert_eq!(thought, think(), "the clock alone decides");
        }
    }
    let position = Flood::start(&"12x9".parse().unwrap(), 1).unwrap();
    for (_, make) in engines() {
        check(&position, make);
    }
    check(&position, || (FLOOD.floe)(1));
    let position = Gamma::start(&"9x9,players=3".parse().unwrap(), 1).unwrap();
    check(&position, || (GAMMA.floe)(1));
    let position = Penguins::start(&Default::default(), 1).unwrap();
    check(&position, || (PENGUINS.floe)(1));
}

#[test]
fn without_a_deadline_no_clock_is_read() {
    let spec = |text: &str| text.parse::<Spec>().expect("a spec");
    let clock = Clock::new(missing);
    let usual = Duration::from_secs(1);
    let stop = Some(Arc::new(AtomicBool::new(false)));
    let by_nodes = spec("floe:nodes=3k").limits_by(clock, usual);
    let by_depth = spec("floe:depth=2").limits_by(clock, usual);
    let stoppable = Limits {
        stop,
        ..by_nodes.clone()
    };
    assert!(by_nodes.deadline.is_none() && by_depth.deadline.is_none());
    for limits in [&by_nodes, &by_depth, &stoppable] {
        assert!(!limits.is_over());
        assert!(limits.share(3, 1).deadline.is_none());
    }
}
