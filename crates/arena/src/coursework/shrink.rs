//! Fewer calls that still show the same fault.

use super::CheckError;
use super::harness::{Failure, Harness, Kind};

/// Candidates tried together in one run.
const AT_ONCE: usize = 48;
const ROUNDS: usize = 60;
/// Candidates tried together if each may run into the time limit.
const SLOW_AT_ONCE: usize = 2;
const SLOW_ROUNDS: usize = 4;

/// The function of a call, and whether the call is about NULL.
pub(super) fn word(call: Option<&String>) -> &str {
    call.and_then(|call| call.split(' ').next()).unwrap_or("")
}

/// The calls up to the wrong one, without unnecessary calls, and as simple as possible.
pub(super) fn shrink(
    harness: &Harness<'_>,
    calls: &[String],
    failure: &Failure,
) -> Result<(Vec<String>, Failure), CheckError> {
    let mut best = calls[..=failure.wrong.call].to_vec();
    let mut failure = failure.clone();
    let is_slow = failure.kind == Kind::Time;
    let rounds = if is_slow { SLOW_ROUNDS } else { ROUNDS };
    for _ in 0..rounds {
        let mut candidates = fewer(&best);
        candidates.extend(harness.assignment.simpler(&best));
        match first_alike(harness, &best, &candidates, &failure, is_slow)? {
            Some((calls, same)) => (best, failure) = (calls, same),
            None => break,
        }
    }
    Ok((best, failure))
}

/// The first candidate that fails at the same function in the same way.
fn first_alike(
    harness: &Harness<'_>,
    best: &[String],
    candidates: &[Vec<String>],
    failure: &Failure,
    is_slow: bool,
) -> Result<Option<(Vec<String>, Failure)>, CheckError> {
    let at_once = if is_slow { SLOW_AT_ONCE } else { AT_ONCE };
    for some in candidates.chunks(at_once) {
        let scripts: Vec<&[String]> = some.iter().map(|calls| &calls[..]).collect();
        for (calls, ran) in some.iter().zip(harness.run(&scripts)?) {
            let Some(found) = harness.failure(calls, &ran) else {
                continue;
            };
            let is_alike = found.kind == failure.kind
                && word(calls.get(found.wrong.call)) == word(best.last());
            if is_alike {
                let calls = calls[..=found.wrong.call].to_vec();
                return Ok(Some((calls, found)));
            }
        }
        if is_slow {
            break;
        }
    }
    Ok(None)
}

/// The calls without some of them, large parts first; calls that make games or fail memory stay.
fn fewer(calls: &[String]) -> Vec<Vec<String>> {
    let is_kept = |call: &String| ["new", "fail"].contains(&word(Some(call)));
    let last = calls.len() - 1;
    let mut all = Vec::new();
    let mut size = last / 2;
    while size >= 1 {
        for start in (0..last).step_by(size) {
            let gone = start..(start + size).min(last);
            let rest: Vec<String> = calls
                .iter()
                .enumerate()
                .filter(|(at, call)| !gone.contains(at) || is_kept(call))
                .map(|(_, call)| call.clone())
                .collect();
            if rest.len() < calls.len() {
                all.push(rest);
            }
        }
        size /= 2;
    }
    all
}
