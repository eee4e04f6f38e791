use serde::{Serialize, Serializer};

/// A histogram of move times, in steps of a quarter of a doubling. Millions of moves fit in some
/// dozens of numbers.
///
/// ```
/// use floe_arena::store::MoveTimes;
/// let mut times = MoveTimes::default();
/// for us in [900, 1000, 1100, 250_000] {
///     times.add(us);
/// }
/// assert_eq!(times.moves(), 4);
/// assert!((0.8..1.2).contains(&times.part_ms(0.5).unwrap()));
/// assert!(times.part_ms(1.0).unwrap() > 200.0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveTimes {
    /// Duration steps with the number of moves in each; none is zero.
    steps: Vec<(u8, u32)>,
}

/// Steps to a doubling.
const FINE: f64 = 4.0;

impl MoveTimes {
    /// Counts a move of `us` microseconds.
    pub fn add(&mut self, us: u64) {
        let step = (FINE * (us.max(1) as f64).log2()) as u8;
        self.count(step, 1);
    }

    /// Adds another histogram.
    pub fn merge(&mut self, others: &MoveTimes) {
        for &(step, count) in &others.steps {
            self.count(step, count);
        }
    }

    fn count(&mut self, step: u8, count: u32) {
        match self.steps.binary_search_by_key(&step, |&(step, _)| step) {
            Ok(at) => self.steps[at].1 = self.steps[at].1.saturating_add(count),
            Err(at) => self.steps.insert(at, (step, count)),
        }
    }

    /// Number of moves.
    pub fn moves(&self) -> u64 {
        self.steps.iter().map(|&(_, count)| u64::from(count)).sum()
    }

    /// The steps with moves, shortest first: their first and last millisecond, and the number of
    /// moves.
    pub fn steps(&self) -> impl Iterator<Item = (f64, f64, u32)> {
        let ms = |step: f64| (step / FINE).exp2() / 1000.0;
        self.steps
            .iter()
            .map(move |&(step, count)| (ms(step.into()), ms(f64::from(step) + 1.0), count))
    }

    /// The milliseconds within which this fraction of all moves was made, to about a tenth; `None`
    /// without moves.
    pub fn part_ms(&self, part: f64) -> Option<f64> {
        let wanted = part.clamp(0.0, 1.0) * self.moves() as f64;
        let (mut before, mut last) = (0.0, None);
        for (from, to, count) in self.steps() {
            let count = f64::from(count);
            if before + count >= wanted {
                return Some(from + (to - from) * ((wanted - before) / count));
            }
            before += count;
            last = Some(to);
        }
        last
    }

    /// The histogram in few bytes.
    pub(super) fn packed(&self) -> Vec<u8> {
        let step = |&(step, count): &(u8, u32)| {
            let [a, b, c, d] = count.to_le_bytes();
            [step, a, b, c, d]
        };
        self.steps.iter().flat_map(step).collect()
    }

    /// Unpacks the stored bytes.
    pub(super) fn unpacked(bytes: &[u8]) -> Self {
        let mut times = MoveTimes::default();
        for part in bytes.chunks_exact(5) {
            times.count(
                part[0],
                u32::from_le_bytes([part[1], part[2], part[3], part[4]]),
            );
        }
        times
    }
}

impl Serialize for MoveTimes {
    /// A list of `[milliseconds, moves]`: this many moves took at most this long, and longer than
    /// the entry before.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounded = |ms: f64| (ms * 1000.0).round() / 1000.0;
        serializer.collect_seq(self.steps().map(|(_, to, count)| (rounded(to), count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_loses_nothing() {
        let mut times = MoveTimes::default();
        for us in [0, 1, 7, 7, 1000, 60_000_000, u64::MAX] {
            times.add(us);
        }
        assert_eq!(MoveTimes::unpacked(&times.packed()), times);
        assert_eq!(times.moves(), 7);
    }

    #[test]
    fn nothing_took_no_time_at_all() {
        assert_eq!(MoveTimes::default().part_ms(0.5), None);
    }
}
