//! The way to the top of a likelihood.

/// What a sum of logarithms may lose to rounding, as a factor of the sum.
const ROUNDED: f64 = 1.000_000_000_001;

/// Climbs to the one top of a hill by Newton's method, from anywhere. `height` is the logarithm of
/// a likelihood, so it is below 0. `step` is where the curvature says the top is, as seen from a
/// place; without a step the climb ends.
pub(super) fn climb(
    mut at: Vec<f64>,
    height: impl Fn(&[f64]) -> f64,
    mut step: impl FnMut(&[f64]) -> Option<Vec<f64>>,
) -> Vec<f64> {
    let mut reached = height(&at);
    for _ in 0..100 {
        let Some(step) = step(&at) else { break };
        let largest = step.iter().fold(0f64, |most, s| most.max(s.abs()));
        // A Newton step may overshoot a long way from the top: no more than a few units.
        let mut part = (3.0 / largest).min(1.0);
        let (mut next, mut next_height) = (at.clone(), reached);
        for _ in 0..40 {
            for ((to, from), step) in next.iter_mut().zip(&at).zip(&step) {
                *to = from + part * step;
            }
            next_height = height(&next);
            if next_height >= reached * ROUNDED {
                break;
            }
            part /= 2.0;
        }
        (reached, at) = (next_height, next);
        // Each step squares what is missing.
        if largest < 1e-5 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Climbs from 0 with these steps, then none.
    fn with_steps(steps: &[f64], height: impl Fn(f64) -> f64) -> f64 {
        let mut steps = steps.iter();
        climb(
            vec![0.0],
            |at| height(at[0]),
            |_| Some(vec![*steps.next()?]),
        )[0]
    }

    #[test]
    fn a_step_is_cut_to_three_units_and_halved_until_it_rises() {
        assert_eq!(with_steps(&[10.0], |x| x - 1000.0), 3.0);
        assert_eq!(with_steps(&[-10.0], |x| -x - 1000.0), -3.0);
        // Up to 0.3 it rises, then it falls.
        let roof = |x: f64| -1.0 - (x - 0.3).abs();
        assert_eq!(with_steps(&[1.0], roof), 0.5);
        assert_eq!(with_steps(&[2.0], roof), 0.5);
    }

    #[test]
    fn a_climb_ends_after_a_tiny_step() {
        for (steps, end) in [([1e-5, 1.0], 1.0 + 1e-5), ([9e-6, 1.0], 9e-6)] {
            assert_eq!(with_steps(&steps, |x| x - 1000.0), end);
        }
    }

    #[test]
    fn a_hill_far_below_zero_is_climbed_without_detours() {
        let (heights, steps) = (Cell::new(0), Cell::new(0));
        let top = climb(
            vec![0.0, 0.0],
            |at| {
                heights.set(heights.get() + 1);
                -1e6 - (at[0] - 1.0).powi(2) - (at[1] + 2.0).powi(2)
            },
            |at| {
                steps.set(steps.get() + 1);
                Some(vec![1.0 - at[0], -2.0 - at[1]])
            },
        );
        assert_eq!((top, heights.get(), steps.get()), (vec![1.0, -2.0], 3, 2));
    }
}
