//! The log-likelihood ratio by brute force: likelihoods are maximised by looking at values, over
//! grids and by golden sections. No equation is solved.

use floe_rating::EloModel;

pub(crate) fn llr(scale: EloModel, elo0: f64, elo1: f64, counts: &[u64]) -> f64 {
    let seen: Vec<f64> = counts.iter().map(|&count| count as f64 + 1e-3).collect();
    let games_per_unit = (counts.len() as f64 - 1.0) / 2.0;
    let height = |elo: f64| match scale {
        EloModel::Logistic => with_mean(&seen, 1.0 / (1.0 + 10f64.powf(-elo / 400.0))),
        EloModel::Normalized => {
            let t = elo * 10f64.ln() / 800.0 * games_per_unit.sqrt();
            match t < 0.0 {
                true => with_ratio(&seen.iter().rev().copied().collect::<Vec<_>>(), -t),
                false => with_ratio(&seen, t),
            }
        }
    };
    let units = counts.iter().sum::<u64>() as f64;
    (height(elo1) - height(elo0)) * (units - 1.0) / units
}

/// The greatest value of a function with one peak.
fn golden(mut low: f64, mut high: f64, steps: u32, function: &dyn Fn(f64) -> f64) -> f64 {
    let part = (5f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - part * (high - low), low + part * (high - low));
    let (mut at_a, mut at_b) = (function(a), function(b));
    for _ in 0..steps {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + part * (high - low);
            at_b = function(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - part * (high - low);
            at_a = function(a);
        }
    }
    at_a.max(at_b)
}

fn height(seen: &[f64], chances: &[f64]) -> f64 {
    match chances.iter().all(|&chance| chance > 0.0) {
        true => seen.iter().zip(chances).map(|(n, p)| n * p.ln()).sum(),
        false => f64::NEG_INFINITY,
    }
}

/// Lagrange's dual: the least bound on the likelihood is its greatest value.
fn with_mean(seen: &[f64], mean: f64) -> f64 {
    let units: f64 = seen.iter().sum();
    let off = |class: usize| class as f64 / (seen.len() as f64 - 1.0) - mean;
    let bound = |theta: f64| -> f64 {
        let parts = seen.iter().enumerate();
        let parts = parts.map(|(class, n)| n * (n / units / (1.0 + theta * off(class))).ln());
        -parts.sum::<f64>()
    };
    let poles = (-1.0 / off(seen.len() - 1), -1.0 / off(0));
    -golden(poles.0, poles.1, 80, &bound)
}

/// Every deviation there can be, and the best of its neighbourhood.
fn with_ratio(seen: &[f64], t: f64) -> f64 {
    let at = |ln_deviation: f64| with_moments(seen, t, ln_deviation.exp());
    let (low, high) = ((0.2 * t / (1.0 + t * t)).ln(), 0.5f64.ln());
    let low = low.max(-25.0);
    let steps = if seen.len() == 3 { 300 } else { 60 };
    let step = (high - low) / f64::from(steps);
    let places = (0..=steps).map(|look| low + f64::from(look) * step);
    let values: Vec<(f64, f64)> = places.map(|place| (place, at(place))).collect();
    let mut best = f64::NEG_INFINITY;
    for three in values.windows(3) {
        if three[1].1 >= three[0].1 && three[1].1 >= three[2].1 && three[1].1.is_finite() {
            best = best.max(golden(three[0].0, three[2].0, 22, &at));
        }
    }
    best
}

/// Under which chances with this deviation, and a mean of `t` of it above even, are the counts
/// likeliest?
fn with_moments(seen: &[f64], t: f64, deviation: f64) -> f64 {
    let mean = 0.5 + t * deviation;
    let square = deviation * deviation + mean * mean;
    if seen.len() == 3 {
        // Three chances, three equations.
        let win = 2.0 * square - mean;
        let draw = 4.0 * (mean - square);
        return height(seen, &[1.0 - win - draw, draw, win]);
    }
    // Five chances, three equations: the first and the last are free.
    let chances = |first: f64, last: f64| -> [f64; 5] {
        let (all, mean, square) = (1.0 - first - last, mean - last, square - last);
        // p1 + p2 + p3 = all, p1 + 2 p2 + 3 p3 = 4 mean, p1 + 4 p2 + 9 p3 = 16 square.
        let third = (16.0 * square - 12.0 * mean + 2.0 * all) / 2.0;
        let second = 4.0 * mean - all - 2.0 * third;
        [first, all - second - third, second, third, last]
    };
    let given_first = |first: f64| -> f64 {
        // Each chance is linear in the last: between which values are all positive?
        let (at_0, at_1) = (chances(first, 0.0), chances(first, 1.0));
        let (mut low, mut high) = (0.0f64, 1.0f64);
        for (start, end) in at_0.into_iter().zip(at_1).skip(1) {
            let slope = end - start;
            match slope > 0.0 {
                true => low = low.max(-start / slope),
                false => high = high.min(-start / slope),
            }
        }
        if low >= high {
            return -1e9 * (1.0 + low - high);
        }
        golden(low, high, 26, &|last| {
            height(seen, &chances(first, last)).max(-1e8)
        })
    };
    golden(0.0, 1.0, 34, &given_first)
}
