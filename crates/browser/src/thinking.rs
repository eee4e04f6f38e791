//! Engines that think, one at a time, since a worker has one thread.

use std::cell::RefCell;
use std::time::Duration;

use floe_games::json::{self, Refused, Thinking};
use floe_games::{AnyEngine, AnyPosition};
use floe_search::{Level, Limits, Spec, Thought};
use serde_json::Value;

use crate::clock::CLOCK;

/// The longest thought.
const LONGEST: Duration = Duration::from_secs(3600);

/// The engine that thought last, with its game and its spec: the next question is often for it.
type Known = Option<(&'static str, String, Box<dyn AnyEngine>)>;

thread_local! {
    static ENGINE: RefCell<Known> = const { RefCell::new(None) };
}

/// An engine's best moves in a position, the best first.
pub(crate) fn thoughts(thinking: &Thinking) -> Result<Value, Refused> {
    let (play, _) = thinking.at.play()?;
    let spec = thinking.spec()?;
    let built = play.position().game().engines();
    if !built.contains(&spec.kind) {
        let names: Vec<&str> = built.iter().map(|kind| kind.name()).collect();
        return Err(Refused::new(format!(
            "the engine {} is not in this module; {} are",
            spec.kind.name(),
            names.join(", ")
        )));
    }
    let limits = limits(&spec, thinking.time(LONGEST));
    let answer = json::thoughts(&play, thinking.explain, |position| {
        think(position, &spec, &limits, thinking.top)
    });
    answer.map_err(|error| Refused::new(error.to_string()))
}

fn think(
    position: &dyn AnyPosition,
    spec: &Spec,
    limits: &Limits,
    top: usize,
) -> Result<Vec<Thought<String>>, floe_games::ThinkError> {
    let (name, word) = (position.game().name(), spec.to_string());
    ENGINE.with_borrow_mut(|known| {
        let is_known = |(game, spec, _): &(&str, String, _)| *game == name && *spec == word;
        if !known.as_ref().is_some_and(is_known) {
            *known = Some((name, word, position.game().engine(spec)));
        }
        let (_, _, engine) = known.as_mut().expect("the engine is there now");
        match top {
            0 | 1 => engine.think(position, limits).map(|thought| vec![thought]),
            top => engine.rank(position, limits, top),
        }
    })
}

/// The limits of a move. A level is its nodes and its depth, however slow the machine is, so that it
/// plays as it does elsewhere; only `max`, and engines without a level, go by the clock.
fn limits(spec: &Spec, time: Duration) -> Limits {
    let is_own = (spec.time, spec.nodes, spec.depth) == (None, None, None);
    match spec.level {
        Some(level) if level != Level::Max && is_own => Limits::default(),
        _ => spec.limits_by(CLOCK, time),
    }
}
