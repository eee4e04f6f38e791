//! Root finding that always succeeds.

/// The root of a function that is positive at `low` and negative at `high`: by false position, with
/// a bisection whenever that did not halve the bracket.
pub(super) fn falling_root(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut is_slow, mut was_above) = (false, None);
    for _ in 0..200 {
        let width = high - low;
        if width <= 1e-14 * low.abs().max(high.abs()) {
            break;
        }
        let straight = low + width * above / (above - below);
        let middle = low + width / 2.0;
        let next = match is_slow || !(low < straight && straight < high) {
            true => middle,
            false => straight,
        };
        let value = function(next);
        if value == 0.0 {
            return next;
        }
        let is_above = value.is_sign_positive();
        // Illinois: an end that stays twice counts half, lest it stay for ever.
        let weight = if was_above == Some(is_above) {
            0.5
        } else {
            1.0
        };
        match is_above {
            true => (low, above, below) = (next, value, below * weight),
            false => (high, below, above) = (next, value, above * weight),
        }
        was_above = Some(is_above);
        is_slow = high - low > width / 2.0;
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_where_functions_are_flat_steep_or_break_off() {
        type Case = (f64, f64, fn(f64) -> f64, f64);
        let cases: [Case; 6] = [
            (0.0, 2.0, |x| 1.0 - x, 1.0),
            (0.0, 1e9, |x| 1.0 - x * x * x, 1.0),
            (-1.0, 1.0, |x| -(x - 0.3).powi(9), 0.3),
            (0.0, 1.0, |x| 1e-9 / x - 1.0 / (1.0 - x), 1e-9),
            (0.0, 1.0, |x| if x < 0.7 { 1e300 } else { -1e-300 }, 0.7),
            (5.0, 6.0, |_| 1.0, 6.0),
        ];
        for (at, (low, high, function, root)) in cases.into_iter().enumerate() {
            let found = falling_root(low, high, function);
            let near = if at == 2 { 1e-2 } else { 1e-12 };
            assert!((found - root).abs() < near, "{at}: {found}");
        }
    }

    /// A bisection takes 47 looks for 14 digits, and twice as many are the worst.
    #[test]
    fn smooth_roots_are_found_soon_and_none_takes_much_longer_than_a_bisection() {
        type Case = (f64, f64, fn(f64) -> f64, u32);
        let cases: [Case; 9] = [
            (0.0, 2.0, |x| 1.1 - x, 3),
            (-9.0, -1.0, |x| -7.0 - x, 2),
            (0.0, 3.0, |x| 2.0 - x * x, 19),
            (-3.0, 9.0, |x| (-x).exp() - 0.3, 19),
            (-20.0, 30.0, |x| -(x - 0.7).tanh(), 10),
            (0.0, 1.0, |x| 0.01 / x - 0.3 / (1.0 - x), 19),
            (0.0, 1e9, |x| 1.0 - x * x * x, 58),
            (-1.0, 1.0, |x| -(x - 0.3).powi(9), 70),
            (0.0, 1.0, |x| if x < 0.7 { 1e3 } else { -1.0 }, 81),
        ];
        for (at, (low, high, function, most)) in cases.into_iter().enumerate() {
            let looks = std::cell::Cell::new(0);
            falling_root(low, high, |x| {
                looks.set(looks.get() + 1);
                function(x)
            });
            assert!(looks.get() <= most, "{at}: {}", looks.get());
        }
    }
}
