//! Specs print as they are read, and say what is wrong with them.

use std::time::Duration;

use floe_search::{Clock, Kind, Level, Spec};
use proptest::prelude::*;

fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn written_as_they_are_printed() {
    for text in [
        "floe",
        "floe:easy",
        "floe:medium",
        "floe:hard",
        "floe:max",
        "floe:time=200ms",
        "floe:nodes=10k,seed=3",
        "floe:depth=6",
        "floe:time=1s,threads=2,seed=1",
        "floe:hard,time=1s,nodes=2M,depth=6,seed=18446744073709551615",
        "mcts:time=1500us",
        "mcts:nodes=0",
        "minimax",
        "maxn:depth=3",
        "alphabeta:nodes=1001",
        "random",
        "random:seed=3",
        "greedy:seed=0",
    ] {
        assert_eq!(spec(text).to_string(), text);
    }
}

#[test]
fn what_may_be_written_otherwise() {
    for (text, printed) in [
        ("floe:time=0.5s", "floe:time=500ms"),
        ("floe:time=1000ms", "floe:time=1s"),
        ("floe:time=1.25ms", "floe:time=1250us"),
        ("floe:nodes=1500", "floe:nodes=1500"),
        ("floe:nodes=1.5k", "floe:nodes=1500"),
        ("floe:nodes=10000", "floe:nodes=10k"),
        ("floe:nodes=1.50M", "floe:nodes=1500k"),
        ("floe:seed=3,nodes=007", "floe:nodes=7,seed=3"),
        ("floe:time=0s", "floe:time=0s"),
    ] {
        assert_eq!(spec(text).to_string(), printed);
    }
}

#[test]
fn bad_specs_say_where_and_why() {
    for (text, column, width, cause) in [
        ("", 1, 1, "unknown engine ``"),
        ("stockfish", 1, 9, "unknown engine `stockfish`"),
        ("Floe", 1, 4, "unknown engine `Floe`"),
        ("floe:", 6, 1, "something is missing here"),
        ("floe:easy,", 11, 1, "something is missing here"),
        ("floe:esay", 6, 4, "unknown level `esay`"),
        ("mcts:easy", 6, 4, "mcts has no levels"),
        ("floe:easy,hard", 11, 4, "`hard` is given twice"),
        ("floe:seed=1,seed=1", 13, 6, "`seed=1` is given twice"),
        ("floe:tiem=1s", 6, 4, "unknown setting `tiem`"),
        ("floe:=1s", 6, 1, "unknown setting ``"),
        ("floe:time=1", 11, 1, "`1` is not a time"),
        ("floe:time=", 11, 1, "`` is not a time"),
        ("floe:time=-1s", 11, 3, "`-1s` is not a time"),
        ("floe:time=1.s", 11, 3, "`1.s` is not a time"),
        ("floe:time=.5s", 11, 3, "`.5s` is not a time"),
        ("floe:time=0.5ns", 11, 5, "`0.5ns` is not a time"),
        ("floe:time=1.2.3s", 11, 6, "`1.2.3s` is not a time"),
        (
            "floe:time=99999999999999s",
            11,
            15,
            "`99999999999999s` is not a time",
        ),
        ("floe:nodes=1K", 12, 2, "`1K` is not a count"),
        ("floe:nodes=0.5", 12, 3, "`0.5` is not a count"),
        ("floe:nodes=+5", 12, 2, "`+5` is not a count"),
        (
            "floe:easy,depth=4294967296",
            17,
            10,
            "`4294967296` is not a depth",
        ),
        ("floe:threads=0", 14, 1, "`0` is not a number of threads"),
        (
            "floe:threads=257",
            14,
            3,
            "`257` is not a number of threads",
        ),
        ("mcts:threads=2", 6, 9, "mcts thinks in one thread"),
        ("floe:seed=x", 11, 1, "`x` is not a seed"),
        ("floe:seed=+1", 11, 2, "`+1` is not a seed"),
        (
            "random:nodes=5",
            8,
            7,
            "random does not search, so nodes has no effect",
        ),
        (
            "greedy:time=1s",
            8,
            7,
            "greedy does not search, so time has no effect",
        ),
    ] {
        let error = text.parse::<Spec>().expect_err(text);
        let told = (error.line, error.column, error.width, error.cause.as_ref());
        assert_eq!(told, (1, column, width, cause), "{text}");
    }
}

#[test]
fn limits_are_those_of_the_spec_or_the_usual_time() {
    let usual = Duration::from_secs(1000);
    let before = Clock::SYSTEM.now();
    let limits = spec("floe").limits(usual);
    assert!(
        limits
            .deadline
            .is_some_and(|d| d.moment() >= before + usual)
    );
    assert!(spec("floe:easy").limits(usual).deadline.is_some());
    let limits = spec("floe:nodes=10k").limits(usual);
    assert!(limits.deadline.is_none());
    assert_eq!(limits.nodes, Some(10_000));
    let limits = spec("floe:depth=4").limits(usual);
    assert!(limits.deadline.is_none());
    assert_eq!(limits.depth, Some(4));
    let limits = spec("floe:time=1ms,depth=4").limits(usual);
    assert!(limits.deadline.is_some_and(|d| d.moment() < before + usual));
    // Longer than any clock counts.
    spec("floe:time=18446744073s").limits(usual);
}

fn any_spec() -> impl Strategy<Value = Spec> {
    let limits = (
        prop::option::of(any::<u64>().prop_map(Duration::from_nanos)),
        prop::option::of(prop_oneof![
            any::<u64>(),
            (0..999u64).prop_map(|n| n * 1000)
        ]),
        prop::option::of(any::<u32>()),
    );
    let level = prop::option::of(prop::sample::select(&Level::ALL[..]));
    let kind = prop::sample::select(&Kind::ALL[..]);
    (kind, level, limits, prop::option::of(any::<u64>())).prop_map(|(kind, level, limits, seed)| {
        let mut spec = Spec::from(kind);
        spec.seed = seed;
        if kind == Kind::Floe {
            spec.level = level;
        }
        if kind != Kind::Greedy && kind != Kind::Random {
            (spec.time, spec.nodes, spec.depth) = limits;
        }
        spec
    })
}

proptest! {
    #[test]
    fn any_spec_reads_as_it_prints(spec in any_spec()) {
        prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(floe|mcts|random)?:?(time|nodes|seed|depth)?=?[0-9.]{0,30}[a-zA-Zµ]{0,3},?\\PC{0,9}") {
        if let Ok(spec) = text.parse::<Spec>() {
            prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
        } else if let Err(error) = text.parse::<Spec>() {
            prop_assert!(error.column >= 1 && error.column as usize <= text.chars().count() + 1);
        }
    }
}
