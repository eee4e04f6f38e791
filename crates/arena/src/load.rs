//! The machine's load besides the games.
//!
//! Cores are leased to games, so a program waits for a core only where others use the machine:
//! other processes, or other guests of the same host. The kernel counts both from its start, as CPU
//! pressure (`/proc/pressure/cpu`) and stolen time (`/proc/stat`). A [`Reading`] is these counts at
//! one moment; two readings say what share of the time between them was lost.
//!
//! Results of an overloaded machine count like others, since rules do not depend on the load. Their
//! records are marked, because time-outs and times in them say little about programs.

use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use floe_games::record::{Overload, Record};
use parking_lot::Mutex;

/// Greatest age of a reading; shorter events are not measured.
const FRESH: Duration = Duration::from_millis(100);
/// Percentage of the time in which a process waited for a core, from which on a machine is
/// overloaded. One process more than there are cores makes it nearly 100.
const PRESSURE: u64 = 40;
/// Percentage of the time of all cores that other guests of the host took, from which on a machine
/// is overloaded.
const STEAL: u64 = 5;
/// Percentage of the time in which a process waited for a core, below which a machine is calm.
const CALM: u64 = 5;
/// Time over which the machine's load is measured.
const WINDOW: Duration = Duration::from_millis(250);
/// `/proc/stat` counts in hundredths of a second.
const TICK_US: u64 = 10_000;

/// The kernel's counts at one moment, in microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// The time of the reading, by any clock.
    pub at_us: u64,
    /// Time in which at least one process waited for a core.
    pub waited_us: u64,
    /// The time of all cores together.
    pub cores_us: u64,
    /// The part of the time that other virtual machines took.
    pub stolen_us: u64,
}

impl Reading {
    /// The kernel's counts now, or less than 100 ms ago. All are 0 if the kernel provides none.
    pub fn now() -> Reading {
        static LAST: Mutex<Option<(Instant, Reading)>> = Mutex::new(None);
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        let mut last = LAST.lock();
        if let Some((_, reading)) = last.filter(|(at, _)| at.elapsed() < FRESH) {
            return reading;
        }
        let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let counts = Reading::of(&text("/proc/pressure/cpu"), &text("/proc/stat"));
        let reading = Reading {
            at_us: START.elapsed().as_micros() as u64,
            ..counts
        };
        *last = Some((Instant::now(), reading));
        reading
    }

    /// The counts in the texts of `/proc/pressure/cpu` and `/proc/stat`.
    fn of(pressure: &str, stat: &str) -> Reading {
        let some = pressure.lines().find(|line| line.starts_with("some "));
        let total = some.and_then(|line| line.split("total=").nth(1)?.trim().parse().ok());
        let all = stat.lines().find_map(|line| line.strip_prefix("cpu "));
        let ticks = all.unwrap_or_default().split_whitespace();
        // user, nice, system, idle, iowait, irq, softirq, steal; guests are already part of user
        // and nice.
        let ticks: Vec<u64> = ticks
            .take(8)
            .map(|word| word.parse().unwrap_or(0))
            .collect();
        Reading {
            at_us: 0,
            waited_us: total.unwrap_or(0),
            cores_us: ticks.iter().sum::<u64>() * TICK_US,
            stolen_us: ticks.get(7).copied().unwrap_or(0) * TICK_US,
        }
    }

    /// The overload from then until now; `None` if there was none, or if the time is too short to
    /// know.
    ///
    /// ```
    /// use floe_arena::load::Reading;
    /// let then = Reading::default();
    /// let now = Reading { at_us: 1_000_000, waited_us: 800_000, ..then };
    /// assert_eq!(now.overload_since(then).unwrap().pressure_percent, 80);
    /// assert_eq!(Reading { waited_us: 100_000, ..now }.overload_since(then), None);
    /// ```
    pub fn overload_since(self, then: Reading) -> Option<Overload> {
        let passed = self.since(then);
        if passed.at_us < FRESH.as_micros() as u64 {
            return None;
        }
        let pressure = passed.pressure();
        let steal = percent(passed.stolen_us, passed.cores_us);
        let is_overloaded = pressure >= PRESSURE || steal >= STEAL;
        is_overloaded.then_some(Overload {
            pressure_percent: pressure as u32,
            steal_percent: steal as u32,
        })
    }

    /// The time between two readings in which processes waited for a core, or other guests of the
    /// host had it.
    pub(crate) fn lost_since(self, then: Reading) -> Duration {
        let passed = self.since(then);
        Duration::from_micros(passed.waited_us + passed.stolen_us)
    }

    /// The difference between two readings.
    fn since(self, then: Reading) -> Reading {
        Reading {
            at_us: self.at_us.saturating_sub(then.at_us),
            waited_us: self.waited_us.saturating_sub(then.waited_us),
            cores_us: self.cores_us.saturating_sub(then.cores_us),
            stolen_us: self.stolen_us.saturating_sub(then.stolen_us),
        }
    }

    /// The share of the time in which a process waited for a core, in percent.
    fn pressure(self) -> u64 {
        percent(self.waited_us, self.at_us)
    }
}

fn percent(part: u64, whole: u64) -> u64 {
    (part * 100).checked_div(whole).unwrap_or(0).min(100)
}

/// Waits, at most for this time, until processes no longer wait for a core.
pub(crate) fn wait_for_calm(at_most: Duration) {
    let until = Instant::now() + at_most;
    let mut then = Reading::now();
    while Instant::now() < until {
        thread::sleep(WINDOW);
        let now = Reading::now();
        if is_calm(then, now) {
            return;
        }
        then = now;
    }
}

/// Whether no process waited for a core for a notable part of the time between two readings.
fn is_calm(then: Reading, now: Reading) -> bool {
    now.since(then).pressure() < CALM
}

/// Marks a record whose game was played on an overloaded machine.
pub(crate) fn mark(record: &mut Record, overload: Option<Overload>) {
    if overload.is_some() {
        record.opening.machine.get_or_insert_default().overload = overload;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRESSURE_TEXT: &str = "some avg10=86.45 avg60=56.51 avg300=41.49 total=7734699500\n\
                                 full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
    const STAT_TEXT: &str = "cpu  1000 100 200 500 10 0 5 85 7 7\ncpu0 1 2 3 4 5 6 7 8 9 10\n";

    #[test]
    fn what_the_kernel_counts_is_read() {
        let reading = Reading::of(PRESSURE_TEXT, STAT_TEXT);
        assert_eq!(reading.waited_us, 7_734_699_500);
        assert_eq!(reading.cores_us, 1900 * TICK_US);
        assert_eq!(reading.stolen_us, 85 * TICK_US);
    }

    #[test]
    fn a_calm_machine_lets_nobody_wait() {
        let then = Reading::default();
        let waited = |waited_us: u64| Reading {
            at_us: 1_000_000,
            waited_us,
            ..then
        };
        assert!(is_calm(then, waited(0)) && is_calm(then, waited(49_000)));
        assert!(!is_calm(then, waited(50_000)) && !is_calm(then, waited(900_000)));
        // No time has passed by this clock: nothing is known against it.
        assert!(is_calm(then, then));
    }

    #[test]
    fn kernels_that_say_nothing_are_never_overloaded() {
        for (pressure, stat) in [("", ""), ("some", "cpu"), ("some total=x\n", "cpu  a b\n")] {
            let reading = Reading::of(pressure, stat);
            assert_eq!(reading, Reading::default());
            let later = Reading {
                at_us: 10_000_000,
                ..reading
            };
            assert_eq!(later.overload_since(reading), None);
        }
    }

    #[test]
    fn pressure_and_stolen_time_are_overload_from_their_limits_on() {
        let then = Reading::of(PRESSURE_TEXT, STAT_TEXT);
        let later = |waited_us: u64, stolen_us: u64| Reading {
            at_us: 1_000_000,
            waited_us: then.waited_us + waited_us,
            cores_us: then.cores_us + 2_000_000,
            stolen_us: then.stolen_us + stolen_us,
        };
        assert_eq!(later(399_999, 99_999).overload_since(then), None);
        let overload = later(400_000, 0).overload_since(then).unwrap();
        assert_eq!((overload.pressure_percent, overload.steal_percent), (40, 0));
        let overload = later(0, 100_000).overload_since(then).unwrap();
        assert_eq!((overload.pressure_percent, overload.steal_percent), (0, 5));
        // In a moment anything happens.
        let soon = Reading {
            at_us: 99_999,
            ..later(99_999, 0)
        };
        assert_eq!(soon.overload_since(then), None);
        // Counts that go back, as after a migration, are none.
        assert_eq!(then.overload_since(later(1, 1)), None);
    }

    #[test]
    fn readings_of_this_machine_never_go_back() {
        let (one, other) = (Reading::now(), Reading::now());
        assert!(one.at_us <= other.at_us && one.waited_us <= other.waited_us);
    }
}
