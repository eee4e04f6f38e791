//! Several threads that think about one position.
//!
//! All search the same position, deeper and deeper, with one table between them, so that each finds
//! there what the others found out ("lazy SMP"). The first thread decides, and the helpers end with it.
//! Each helper leaves out other depths, so that some of them are ahead of the first thread.
//!
//! How the threads share the machine's time decides what one of them finds in the table. So only a
//! single thread gives the same move for the same node limit.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::Limits;

/// More threads than any search gains from.
pub(crate) const MOST: u32 = 256;

/// Stack of a helper: searches on the largest boards are deep, and memory is taken only as it is used.
const STACK: usize = 8 << 20;

/// How many threads this machine runs at once.
///
/// ```
/// assert!(floe_search::available_threads() >= 1);
/// ```
pub fn available_threads() -> u32 {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    u32::try_from(threads).map_or(MOST, |threads| threads.min(MOST))
}

/// The depths a thread searches to: `size` of them, and then not the next `size`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    size: u32,
    phase: u32,
}

impl Pace {
    /// Every depth.
    pub(crate) const EVERY: Self = Pace { size: 0, phase: 0 };

    /// The pace of a helper: two of them take single depths by turns, the next four take two
    /// depths and leave out two, each begun elsewhere, and so on.
    fn of(helper: u32) -> Self {
        let (mut size, mut phase) = (1, helper);
        while phase >= 2 * size {
            phase -= 2 * size;
            size += 1;
        }
        Pace { size, phase }
    }

    /// Whether to search in this round, of which the first is 1 and never left out.
    pub(crate) fn takes(self, round: u32) -> bool {
        let turn = (round + self.phase).checked_div(self.size);
        round == 1 || turn.is_none_or(|turn| turn.is_multiple_of(2))
    }
}

/// The number of helpers that these limits want. WebAssembly has no threads.
pub(crate) fn helpers(limits: &Limits) -> usize {
    match cfg!(target_arch = "wasm32") {
        true => 0,
        false => limits.threads.clamp(1, MOST) as usize - 1,
    }
}

/// Raises the flag at the end, however the search ends.
struct End(Arc<AtomicBool>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Decides in this thread, while a helper for each of `states` searches in another one. Gives the
/// decision and the helpers' nodes. If the system refuses a thread, the search has fewer helpers.
pub(crate) fn beside<S: Send, T>(
    states: &mut [S],
    limits: &Limits,
    help: impl Fn(&mut S, &Limits, Pace) -> u64 + Sync,
    decide: impl FnOnce() -> T,
) -> (T, u64) {
    if states.is_empty() {
        return (decide(), 0);
    }
    let end = End(Arc::default());
    let limits = Limits {
        stop: Some(Arc::clone(&end.0)),
        ..limits.clone()
    };
    let (help, limits) = (&help, &limits);
    thread::scope(|scope| {
        // Dropped before the scope waits for the helpers, even by a panic.
        let end = end;
        let helpers = (0..).zip(states).map(|(number, state)| {
            let helper = thread::Builder::new().stack_size(STACK);
            helper.spawn_scoped(scope, move || help(state, limits, Pace::of(number)))
        });
        let helpers: Vec<_> = helpers.filter_map(Result::ok).collect();
        let decision = decide();
        drop(end);
        let nodes = helpers.into_iter().map(|helper| match helper.join() {
            Ok(nodes) => nodes,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        (decision, nodes.sum())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths(pace: Pace) -> Vec<u32> {
        (1..=9).filter(|&round| pace.takes(round)).collect()
    }

    #[test]
    fn helpers_leave_out_other_depths() {
        assert_eq!(depths(Pace::EVERY), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(depths(Pace::of(0)), [1, 2, 4, 6, 8]);
        assert_eq!(depths(Pace::of(1)), [1, 3, 5, 7, 9]);
        assert_eq!(depths(Pace::of(2)), [1, 4, 5, 8, 9]);
        assert_eq!(depths(Pace::of(3)), [1, 3, 4, 7, 8]);
        assert_eq!((Pace::of(6).size, Pace::of(6).phase), (3, 0));
    }

    #[test]
    fn helpers_end_with_the_decision_or_with_its_panic() {
        let wait = |_: &mut u8, limits: &Limits, _: Pace| {
            while !limits.is_over() {
                thread::yield_now();
            }
            7
        };
        let limits = Limits::default();
        assert_eq!(beside(&mut [0; 3], &limits, wait, || "go"), ("go", 21));
        assert_eq!(beside(&mut [], &limits, wait, || "go"), ("go", 0));
        let panics = || beside(&mut [0; 3], &limits, wait, || panic!("no decision"));
        assert!(std::panic::catch_unwind(panics).is_err());
    }
}
