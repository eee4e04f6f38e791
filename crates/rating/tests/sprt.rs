//! The sequential test: its ratio is the exact one, whatever was counted.

mod chance;
mod sprt_twin;

use floe_rating::{EloModel, Ending, Pentanomial, Sample, Sprt, Trinomial, Verdict};
use proptest::prelude::*;

use self::chance::Chance;

const SCALES: [EloModel; 2] = [EloModel::Normalized, EloModel::Logistic];

fn pairs([ll, ld, dd, wd, ww]: [u64; 5]) -> Pentanomial {
    Pentanomial {
        ll,
        ld,
        wl: 0,
        dd,
        wd,
        ww,
    }
}

fn games([losses, draws, wins]: [u64; 3]) -> Trinomial {
    Trinomial {
        losses,
        draws,
        wins,
    }
}

fn llr(scale: EloModel, elo0: f64, elo1: f64, sample: impl Into<Sample>) -> f64 {
    Sprt::new(scale, elo0, elo1).unwrap().trial(sample).llr
}

#[test]
fn a_seat_that_loses_is_not_better() {
    for scale in SCALES {
        let sprt = Sprt::new(scale, 0.0, 50.0).unwrap();
        for counts in [
            [8, 0, 0, 0, 0],
            [20, 5, 2, 0, 0],
            [100, 0, 0, 0, 0],
            [2, 0, 0, 0, 0],
        ] {
            let trial = sprt.trial(pairs(counts));
            assert!(trial.llr < 0.0, "{scale:?} {counts:?}: {}", trial.llr);
            assert_ne!(trial.verdict, Verdict::Upper);
        }
        assert_eq!(sprt.trial(pairs([100, 0, 0, 0, 0])).verdict, Verdict::Lower);
        assert_eq!(sprt.trial(pairs([0, 0, 0, 0, 100])).verdict, Verdict::Upper);
        assert_eq!(sprt.trial(games([100, 0, 0])).verdict, Verdict::Lower);
        assert_eq!(sprt.trial(games([0, 0, 100])).verdict, Verdict::Upper);
    }
}

/// Where all units ended alike, the likeliest distributions have two scores, and the ratio can be
/// worked out by hand.
#[test]
fn units_that_all_ended_alike_have_the_ratio_of_two_scores() {
    // The chance of a lost unit is ½ under elo0. Under elo1 of 50 Elo it is 1 - score; at `t`
    // standard deviations above even it is ½ - t/√(1 + t²)/2.
    let score = 1.0 / (1.0 + 10f64.powf(-50.0 / 400.0));
    let loss = |t: f64| 0.5 - t / (1.0 + t * t).sqrt() / 2.0;
    let t = 50.0 * 10f64.ln() / 800.0;
    for units in [2, 8, 1000] {
        for (found, wanted) in [
            (
                llr(EloModel::Logistic, 0.0, 50.0, pairs([units, 0, 0, 0, 0])),
                1.0 - score,
            ),
            (
                llr(EloModel::Normalized, 0.0, 50.0, games([units, 0, 0])),
                loss(t),
            ),
            (
                llr(EloModel::Normalized, 0.0, 50.0, pairs([units, 0, 0, 0, 0])),
                loss(t * 2f64.sqrt()),
            ),
        ] {
            let wanted = (units as f64 - 1.0) * (wanted / 0.5).ln();
            // What was not seen counts a thousandth.
            assert!((found - wanted).abs() < 0.01, "{units}: {found} {wanted}");
        }
    }
}

/// Counts of very different sizes, many of them empty.
fn counts<const N: usize>(chance: &mut Chance) -> [u64; N] {
    let scale = [1.0, 4.0, 30.0, 300.0][chance.below(4)];
    let mut counts = [0; N];
    for count in &mut counts {
        if chance.uniform() < 0.6 {
            *count = (scale * 3.0 * chance.uniform().powi(2)).round() as u64;
        }
    }
    counts[chance.below(N)] += 1;
    counts
}

#[test]
fn ten_thousand_counts_have_the_ratio_of_a_naive_twin() {
    let mut chance = Chance::seeded(17);
    for case in 0..10_000 {
        let widest = if case % 7 == 0 { 1000.0 } else { 150.0 };
        let mut elo = || (chance.uniform() * 2.0 - 1.0) * widest;
        let (one, other) = (elo(), elo());
        let (elo0, elo1) = (one.min(other), one.max(other));
        // The twin for pairs on the normalized scale is the slow one.
        let (scale, is_pairs) = match case % 8 {
            0 => (EloModel::Normalized, true),
            1..=3 => (EloModel::Normalized, false),
            4 | 5 => (EloModel::Logistic, true),
            _ => (EloModel::Logistic, false),
        };
        let (seen, found) = match is_pairs {
            true => {
                let seen = counts::<5>(&mut chance);
                (seen.to_vec(), llr(scale, elo0, elo1, pairs(seen)))
            }
            false => {
                let seen = counts::<3>(&mut chance);
                (seen.to_vec(), llr(scale, elo0, elo1, games(seen)))
            }
        };
        let twin = sprt_twin::llr(scale, elo0, elo1, &seen);
        let units: u64 = seen.iter().sum();
        assert!(
            (found - twin).abs() < 2e-3 + 1e-6 * units as f64,
            "{case}: {scale:?} {elo0} {elo1} {seen:?}: {found}, twin {twin}"
        );
    }
}

/// That the normalized ratio can fall with a better result is the model's doing, not this code's: the
/// twin, which looks at values alone, says the same. Normalized Elo is the mean in units of the
/// noise, and among many drawn pairs a pair won twice is more noise than score.
#[test]
fn a_better_result_can_lower_the_normalized_ratio_as_the_model_has_it() {
    let drawn_to_won = ([0, 0, 277, 5, 0], [0, 0, 277, 4, 1]);
    let lost_to_won = ([1, 22, 0, 3, 53], [0, 22, 0, 3, 54]);
    for ((worse, better), (elo0, elo1), wanted) in [
        (drawn_to_won, (0.0, 50.0), ["-0.23", "-0.63"]),
        (lost_to_won, (-346.5, -327.3), ["5.74", "4.92"]),
    ] {
        for (seen, wanted) in [worse, better].into_iter().zip(wanted) {
            let found = llr(EloModel::Normalized, elo0, elo1, pairs(seen));
            let twin = sprt_twin::llr(EloModel::Normalized, elo0, elo1, &seen);
            assert_eq!(format!("{found:.2}"), wanted, "{seen:?}");
            assert!(
                (found - twin).abs() < 1e-4,
                "{seen:?}: {found}, twin {twin}"
            );
        }
        let logistic = [worse, better].map(|seen| llr(EloModel::Logistic, elo0, elo1, pairs(seen)));
        assert!(logistic[1] > logistic[0], "{logistic:?}");
    }
}

/// A lost game that is won moves a pair by two classes.
#[test]
fn a_win_in_place_of_a_loss_does_not_lower_the_normalized_ratio_near_even() {
    let mut chance = Chance::seeded(23);
    for _ in 0..3000 {
        let seen = counts::<5>(&mut chance);
        let lost = chance.below(3);
        let (mut before, mut after) = (seen, seen);
        before[lost] += 1;
        after[lost + 2] += 1;
        let [worse, better] =
            [before, after].map(|seen| llr(EloModel::Normalized, 0.0, 50.0, pairs(seen)));
        assert!(
            better >= worse - 1e-9 * (1.0 + worse.abs()),
            "{before:?}: {worse}, then {better}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_ratio_changes_its_sign_with_the_seats(
        seen in proptest::array::uniform5(prop_oneof![Just(0u64), 0u64..500]),
        low in -700.0..700.0f64, width in 0.1..300.0f64, normalized: bool,
    ) {
        let scale = SCALES[usize::from(!normalized)];
        let high = low + width;
        for (ours, theirs) in [
            (pairs(seen).sample(), pairs(seen).reversed().sample()),
            (games([seen[0], seen[1], seen[2]]).sample(), games([seen[2], seen[1], seen[0]]).sample()),
        ] {
            let here = llr(scale, low, high, ours);
            let there = llr(scale, -high, -low, theirs);
            prop_assert!(here.is_finite());
            prop_assert!((here + there).abs() < 1e-9 * (1.0 + here.abs()), "{here} {there}");
        }
    }

    /// On the logistic scale any better result; for single games a win in place of a loss on both.
    #[test]
    fn a_better_result_never_lowers_the_logistic_ratio(
        seen in proptest::array::uniform5(prop_oneof![Just(0u64), 0u64..30, 0u64..500]),
        lost in 0usize..4, up in 1usize..5, low in -50.0..49.0f64, part in 0.01..1.0f64, normalized: bool,
    ) {
        let scale = SCALES[usize::from(!normalized)];
        let high = low + part * (50.0 - low);
        let (mut before, mut after) = (seen, seen);
        before[lost] += 1;
        after[(lost + up).min(4)] += 1;
        let ratio = |seen| llr(EloModel::Logistic, 8.0 * low, 8.0 * high, pairs(seen));
        let (worse, better) = (ratio(before), ratio(after));
        prop_assert!(better >= worse - 1e-9 * (1.0 + worse.abs()), "{before:?}: {worse}, then {better}");
        let (mut before, mut after) = ([seen[0], seen[1], seen[2]], [seen[0], seen[1], seen[2]]);
        before[0] += 1;
        after[2] += 1;
        let (worse, better) = (llr(scale, low, high, games(before)), llr(scale, low, high, games(after)));
        prop_assert!(better >= worse - 1e-9 * (1.0 + worse.abs()), "{before:?}: {worse}, then {better}");
    }

    #[test]
    fn one_more_lost_pair_never_makes_the_verdict_better(
        seen in proptest::array::uniform5(0u64..60), normalized: bool,
    ) {
        let scale = SCALES[usize::from(!normalized)];
        let mut more = pairs(seen);
        more.add(Ending::Loss, Ending::Loss);
        let (before, after) = (llr(scale, 0.0, 50.0, pairs(seen)), llr(scale, 0.0, 50.0, more));
        prop_assert!(after <= before + 1e-9 * (1.0 + before.abs()), "{seen:?}: {before}, then {after}");
    }
}
