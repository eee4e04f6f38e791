use super::{Estimate, NoEstimate, Z95};

/// Whole numbers seen one by one, in any order: their mean, and how well it is known.
///
/// The interval is Student's: it is honest about few numbers, where the normal one is too narrow.
///
/// ```
/// use floe_rating::Mean;
///
/// let mut margins = Mean::default();
/// for margin in [4, 6, 5, 9] {
///     margins.add(margin);
/// }
/// assert_eq!(margins.estimate()?.to_string(), "+6.0 ± 3.4");
/// # Ok::<(), floe_rating::NoEstimate>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mean {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Mean {
    /// Counts a number.
    pub fn add(&mut self, number: i64) {
        let number = i128::from(number);
        self.count += 1;
        self.sum += number;
        self.squares = self.squares.saturating_add(number * number);
    }

    /// Count of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of the numbers; `None` before the first.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The mean with its 95 % interval. One number shows nothing about the noise; equal numbers
    /// give an interval without width.
    pub fn estimate(&self) -> Result<Estimate, NoEstimate> {
        let (Some(value), true) = (self.value(), self.count > 1) else {
            return Err(NoEstimate::TooFew);
        };
        let count = self.count as f64;
        // Exact in integers, so there is no cancellation: n Σx² - (Σx)².
        let spread = (i128::from(self.count))
            .saturating_mul(self.squares)
            .saturating_sub(self.sum.saturating_mul(self.sum));
        let variance = spread.max(0) as f64 / (count * (count - 1.0));
        let margin = student95(self.count - 1) * (variance / count).sqrt();
        Ok(Estimate {
            value,
            low: value - margin,
            high: value + margin,
        })
    }
}

/// Half the width of a 95 % interval in standard deviations, by Student's distribution with
/// `freedom` degrees of freedom: to three digits.
fn student95(freedom: u64) -> f64 {
    const FEW: [f64; 8] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306];
    if let Some(&width) = freedom
        .checked_sub(1)
        .and_then(|at| FEW.get(usize::try_from(at).ok()?))
    {
        return width;
    }
    // Fisher's expansion around the normal distribution.
    let (z, n) = (Z95, freedom.max(1) as f64);
    let z2 = z * z;
    let first = z * (z2 + 1.0) / 4.0;
    let second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    z + first / n + second / (n * n) + third / (n * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_widths_are_those_of_the_tables() {
        for (freedom, width) in [
            (1, 12.706),
            (4, 2.776),
            (5, 2.571),
            (6, 2.447),
            (9, 2.262),
            (10, 2.228),
            (20, 2.086),
            (30, 2.042),
            (120, 1.980),
        ] {
            assert!((student95(freedom) - width).abs() < 1e-3, "{freedom}");
        }
        // More digits, of which the last terms of the expansion make the sixth.
        for (freedom, width) in [(20, 2.085_963), (30, 2.042_272), (40, 2.021_075)] {
            assert!((student95(freedom) - width).abs() < 1.3e-5, "{freedom}");
        }
        assert!((student95(30) - 2.042_272).abs() < 4e-6);
        assert!((student95(u64::MAX) - Z95).abs() < 1e-9);
    }

    #[test]
    fn few_numbers_say_little() {
        let mut mean = Mean::default();
        assert_eq!(mean.value(), None);
        mean.add(-3);
        assert_eq!(mean.value(), Some(-3.0));
        assert_eq!(mean.estimate(), Err(NoEstimate::TooFew));
        mean.add(-3);
        let alike = mean.estimate().unwrap();
        assert_eq!((alike.low, alike.high), (-3.0, -3.0));
        mean.add(i64::MAX);
        mean.add(i64::MIN);
        assert!(mean.estimate().unwrap().margin().is_finite());
    }
}
