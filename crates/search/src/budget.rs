use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Clock, Limits};

/// Approximate interval between looks at the clock. It is long enough to cost nothing, and short
/// enough that a search ends in time even if its nodes suddenly become a hundred times slower.
const PERIOD: Duration = Duration::from_micros(50);
/// The most nodes between two looks at the clock, however fast they are.
const LONGEST: u64 = 256;
/// The nodes between two looks at the stop flag where there is no clock to go by: few enough to
/// notice it soon though nodes are slow, and a look costs next to nothing.
const FLAG: u64 = 16;
/// If so much time passes between two looks, another program had the core.
const PAUSE: Duration = Duration::from_millis(1);

/// Counts what one call of [`think`](crate::Engine::think) may still spend.
///
/// Every engine asks before every node it makes. The budget reads the clock about every 50 µs, and
/// measures during the search how many nodes that is. If the search shares its core, the system may
/// suspend it for some milliseconds, perhaps just before its deadline. Once that has happened, the
/// search ends earlier by as long as it slept, but by at most a quarter of its time. Without a
/// deadline the budget reads no clock, and checks the stop flag every few nodes. With neither, it
/// grants the same nodes on every machine.
///
/// ```
/// use floe_search::{Budget, Limits};
/// let mut budget = Budget::new(&Limits::nodes(2));
/// assert!(budget.spend() && budget.spend());
/// assert!(!budget.spend() && budget.is_spent());
/// assert_eq!(budget.nodes(), 2);
/// ```
#[derive(Debug)]
pub struct Budget {
    nodes: u64,
    most: u64,
    /// Number of granted nodes before which the next look is due.
    next: u64,
    interval: u64,
    looked_at: u64,
    looked: Option<Duration>,
    aim: Option<Aim>,
    /// The longest pause that was noticed.
    pause: Duration,
    stop: Option<Arc<AtomicBool>>,
    depth: Option<u32>,
    is_spent: bool,
}

/// When a search means to end.
#[derive(Debug, Clone, Copy)]
struct Aim {
    clock: Clock,
    moment: Duration,
    /// The earliest it may come to.
    earliest: Duration,
}

impl Budget {
    /// A budget for these limits that starts now.
    ///
    /// It ends a little before the deadline (half a millisecond, or less of a short time), since
    /// the search still has to return its result.
    pub fn new(limits: &Limits) -> Self {
        let aim = limits.deadline.map(|deadline| {
            let (left, moment) = (deadline.left(), deadline.moment());
            Aim {
                clock: deadline.clock(),
                moment: moment.saturating_sub((left / 32).min(Duration::from_micros(500))),
                earliest: moment.saturating_sub(left / 4),
            }
        });
        Budget {
            nodes: 0,
            most: limits.nodes.unwrap_or(u64::MAX),
            next: 0,
            interval: 1,
            looked_at: 0,
            looked: None,
            aim,
            pause: Duration::ZERO,
            stop: limits.stop.clone(),
            depth: limits.depth,
            is_spent: false,
        }
    }

    /// Sets other limits from now on, with the nodes that were granted before counted in. A budget
    /// that was spent has an end again.
    pub(crate) fn extend(&mut self, limits: &Limits) {
        *self = Budget {
            nodes: self.nodes,
            ..Budget::new(limits)
        };
    }

    /// Takes one node from the budget; `false`, and nothing taken, if there is none left. Once
    /// `false`, always `false`.
    #[inline]
    #[must_use]
    pub fn spend(&mut self) -> bool {
        if self.nodes >= self.next && !self.look() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Whether anything is left, by the clock as of now: for long work that makes no nodes.
    #[must_use]
    pub fn check(&mut self) -> bool {
        self.look()
    }

    /// Whether [`spend`](Budget::spend) or [`check`](Budget::check) returned `false` before.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// How many nodes were granted.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a search may look `depth` moves ahead.
    #[inline]
    pub fn allows_depth(&self, depth: u32) -> bool {
        self.depth.is_none_or(|most| depth <= most)
    }

    #[cold]
    fn look(&mut self) -> bool {
        let is_stopped = || {
            self.stop
                .as_ref()
                .is_some_and(|s| s.load(Ordering::Relaxed))
        };
        if self.is_spent || self.nodes >= self.most || is_stopped() {
            self.is_spent = true;
            self.next = 0;
            return false;
        }
        let Some(aim) = self.aim else {
            self.next = match self.stop {
                Some(_) => self.most.min(self.nodes + FLAG),
                None => self.most,
            };
            return true;
        };
        let now = aim.clock.now();
        if now >= aim.moment {
            self.is_spent = true;
            self.next = 0;
            return false;
        }
        if let Some(looked) = self.looked {
            let passed = now.saturating_sub(looked);
            self.expect(passed);
            let made = self.nodes - self.looked_at;
            let fitting = made * PERIOD.as_nanos() as u64 / passed.as_nanos().max(1) as u64;
            self.interval = fitting.clamp(1, (self.interval * 2).min(LONGEST));
        }
        self.looked = Some(now);
        self.looked_at = self.nodes;
        self.next = self.most.min(self.nodes + self.interval);
        true
    }

    /// Aims earlier if the time between two looks was a pause, the longest so far.
    fn expect(&mut self, passed: Duration) {
        if passed > PAUSE.max(self.pause)
            && let Some(aim) = &mut self.aim
        {
            let earlier = aim.moment.saturating_sub(passed - self.pause);
            aim.moment = earlier.max(aim.earliest);
            self.pause = passed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_nodes_of_the_limit_are_granted() {
        for most in [0, 1, 2, 255, 256, 257, 10_000] {
            for stop in [None, Some(Arc::new(AtomicBool::new(false)))] {
                let mut budget = Budget::new(&Limits {
                    nodes: Some(most),
                    stop,
                    ..Limits::default()
                });
                let granted = (0..20_000).filter(|_| budget.spend()).count() as u64;
                assert_eq!(granted, most);
                assert_eq!(budget.nodes(), most);
                assert!(budget.is_spent());
            }
        }
    }

    #[test]
    fn without_a_deadline_nobody_looks_at_the_clock() {
        let stop = Some(Arc::new(AtomicBool::new(false)));
        for stop in [None, stop] {
            let mut budget = Budget::new(&Limits {
                stop,
                ..Limits::nodes(1000)
            });
            while budget.spend() {}
            assert_eq!(budget.looked, None);
        }
    }

    #[test]
    fn a_deadline_in_the_past_and_a_raised_flag_grant_nothing() {
        assert!(!Budget::new(&Limits::time(Duration::ZERO)).spend());
        let stop = Arc::new(AtomicBool::new(true));
        let limits = Limits {
            stop: Some(stop),
            ..Limits::default()
        };
        assert!(!Budget::new(&limits).spend());
    }

    #[test]
    fn a_flag_raised_later_is_noticed_within_a_few_nodes() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = Budget::new(&Limits {
            stop: Some(Arc::clone(&stop)),
            ..Limits::default()
        });
        assert!((0..5000).all(|_| budget.spend()));
        stop.store(true, Ordering::Relaxed);
        let granted = (0..5000).filter(|_| budget.spend()).count() as u64;
        assert!(granted <= FLAG, "{granted}");
        stop.store(false, Ordering::Relaxed);
        assert!(!budget.spend(), "what is spent stays spent");
    }

    #[test]
    fn after_a_pause_the_end_comes_earlier_but_never_much() {
        let time = Duration::from_secs(3600);
        let mut budget = Budget::new(&Limits::time(time));
        let aim = budget.aim.unwrap();
        let moment = |budget: &Budget| budget.aim.unwrap().moment;
        budget.expect(PAUSE);
        assert_eq!(moment(&budget), aim.moment, "that may have been work");
        for (pause, early) in [(20, 20), (5, 20), (30, 30), (30, 30)] {
            budget.expect(Duration::from_millis(pause));
            let earlier = aim.moment - Duration::from_millis(early);
            assert_eq!(moment(&budget), earlier);
        }
        budget.expect(time);
        assert_eq!(moment(&budget), aim.earliest);
        assert!(aim.moment - aim.earliest <= time / 4);
    }

    #[test]
    fn slow_nodes_are_noticed_one_by_one() {
        let mut budget = Budget::new(&Limits::time(Duration::from_secs(3600)));
        for _ in 0..3 {
            assert!(budget.spend());
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(budget.spend());
        assert_eq!(budget.interval, 1);
    }
}
