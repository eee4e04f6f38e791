//! The clock, for searches that must end in time.
//!
//! A search reads only the [`Clock`] it was given. Most use the system's. Where none exists
//! (WebAssembly in a page) the caller supplies one, and tests supply a clock that they set
//! themselves. A search without a deadline reads no clock at all.

use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A clock: a function that returns the time since some fixed moment, and never runs backwards.
///
/// ```
/// use std::time::Duration;
/// use floe_search::Clock;
/// fn stopped() -> Duration {
///     Duration::from_secs(5)
/// }
/// assert_eq!(Clock::new(stopped).now(), Duration::from_secs(5));
/// assert!(Clock::SYSTEM.now() <= Clock::SYSTEM.now());
/// ```
#[derive(Clone, Copy)]
pub struct Clock(fn() -> Duration);

/// When the system's clock was first asked.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock {
    /// The system's clock, which counts from when it was first asked. Reading it panics where
    /// the system has none.
    pub const SYSTEM: Clock = Clock(|| ORIGIN.elapsed());

    /// The clock that this function reads.
    pub const fn new(read: fn() -> Duration) -> Self {
        Clock(read)
    }

    /// The time since the clock's fixed moment.
    pub fn now(self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// A moment on a [`Clock`] by which to have answered.
///
/// ```
/// use std::time::Duration;
/// use floe_search::{Clock, Deadline};
/// let noon = Clock::new(|| Duration::from_secs(12));
/// let deadline = Deadline::after(noon, Duration::from_secs(1));
/// assert_eq!(deadline.moment(), Duration::from_secs(13));
/// assert_eq!(deadline.left(), Duration::from_secs(1));
/// assert!(!deadline.is_past());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    clock: Clock,
    moment: Duration,
}

impl Deadline {
    /// When the clock shows this moment.
    pub const fn at(clock: Clock, moment: Duration) -> Self {
        Deadline { clock, moment }
    }

    /// So long from now on; a time beyond what the clock can show is never over. Reads the clock.
    pub fn after(clock: Clock, time: Duration) -> Self {
        Deadline {
            clock,
            moment: clock.now().saturating_add(time),
        }
    }

    /// The clock it is on.
    pub const fn clock(self) -> Clock {
        self.clock
    }

    /// The clock's reading at that moment.
    pub const fn moment(self) -> Duration {
        self.moment
    }

    /// Time left until then; zero once it has passed. Reads the clock.
    pub fn left(self) -> Duration {
        self.moment.saturating_sub(self.clock.now())
    }

    /// Time since then; zero as long as it has not passed. Reads the clock.
    pub fn overrun(self) -> Duration {
        self.clock.now().saturating_sub(self.moment)
    }

    /// Divides the time left into `parts` equal parts, and returns the end of the first. Reads the
    /// clock.
    ///
    /// # Panics
    ///
    /// If `parts` is 0.
    #[must_use]
    pub fn share(self, parts: u32) -> Self {
        let now = self.clock.now();
        let left = self.moment.saturating_sub(now);
        Deadline {
            moment: now + left / parts,
            ..self
        }
    }

    /// The moment when `taken` of `parts` equal parts of the time left have passed. Reads the clock.
    pub(crate) fn part(self, taken: u32, parts: u32) -> Self {
        let now = self.clock.now();
        let left = self.moment.saturating_sub(now);
        Deadline {
            moment: now + left / parts * taken,
            ..self
        }
    }

    /// Whether it has passed. Reads the clock.
    pub fn is_past(self) -> bool {
        self.clock.now() >= self.moment
    }
}

impl From<Instant> for Deadline {
    /// This instant on the system's clock.
    fn from(instant: Instant) -> Self {
        Deadline {
            clock: Clock::SYSTEM,
            // An instant before the clock's first moment has passed anyway.
            moment: instant.saturating_duration_since(*ORIGIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_the_same_moment_on_the_systems_clock() {
        let hour = Duration::from_secs(3600);
        let now = Instant::now();
        assert!(Deadline::from(now).is_past());
        let left = Deadline::from(now + hour).left();
        assert!(left <= hour && left > hour / 2, "{left:?}");
        assert_eq!(Deadline::from(now + hour).overrun(), Duration::ZERO);
    }

    #[test]
    fn a_time_beyond_all_clocks_is_never_over() {
        let deadline = Deadline::after(Clock::SYSTEM, Duration::MAX);
        assert!(!deadline.is_past());
        assert_eq!(deadline.moment(), Duration::MAX);
    }
}
