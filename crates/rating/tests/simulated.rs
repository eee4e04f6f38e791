//! What is said about contests of known strengths is true as often as it says: counts of seeded
//! simulations. `examples/simulate.rs` prints the tables.

mod simulation;

use floe_rating::EloModel;

use self::simulation::coverage::{Contest, GAMES, Strengths, likeliest_results};
use self::simulation::sprt::{Match, TRUTHS};

/// Of 400 tests with a risk of 5 %, more than 31 wrong ones happen one time in 200; the table of
/// the docs counts 2,000.
#[test]
fn sequential_tests_are_wrong_as_seldom_as_they_say() {
    for scale in [EloModel::Normalized, EloModel::Logistic] {
        for (draw_rate, first_move) in [(0.0, 0.0), (0.4, 1.0), (0.8, 0.0)] {
            let played = Match {
                draw_rate,
                first_move,
            };
            for truth in TRUTHS {
                let runs = 400;
                let (wrong, pairs) = played.tests(scale, truth, runs, 7);
                assert!(
                    wrong <= 31,
                    "{scale:?} {played:?} {truth:?}: {wrong} of {runs}"
                );
                assert!(
                    pairs > 5.0 && pairs < 500.0,
                    "{scale:?} {played:?} {truth:?}: {pairs}"
                );
            }
        }
    }
}

/// Intervals hold the truth 93 to 97 times of 100, whatever the games and the strengths, but for
/// the fields whose reason `docs/statistics.md` gives.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    for (table, entrants) in [(2, 2), (2, 16), (4, 4), (4, 16)] {
        for strengths in Strengths::ALL {
            for games in GAMES {
                let most = match (table, entrants, strengths) {
                    // Two that are far apart have a test of their own.
                    (2, 2, Strengths::Even) => continue,
                    // Tables that never met have nothing in common but the prior.
                    (4, 16, _) if games == 4 => 100.0,
                    // Who wins almost everything can surprise in one direction only.
                    (4, 4, Strengths::Even) => 99.0,
                    _ => 98.0,
                };
                // Enough for a standard error of half a percent, so that two of them are the one
                // percent allowed here; the intervals of two are mirror images.
                let contests = if entrants == table { 1600 } else { 120 };
                let covered = Contest::new(table, entrants, strengths, games).covered(contests, 3);
                let percent = covered.percent();
                assert!(
                    (92.0..=most).contains(&percent),
                    "{table} at a table, {entrants} {strengths:?}, {games} games: {percent:.1} %, ±{:.0}",
                    covered.margin()
                );
            }
        }
    }
}

/// Two that are far apart have two likely results: no interval holds the truth 95 times of 100.
#[test]
fn where_few_results_are_likely_coverage_jumps() {
    for (games, results) in [(4, 1), (6, 1), (10, 1), (30, 2)] {
        let [all, but_one] = likeliest_results(games);
        let held = if results == 1 { all } else { all + but_one };
        let contest = Contest::new(2, 2, Strengths::Even, games as usize);
        let percent = contest.covered(2000, 5).percent();
        assert!((percent - held).abs() < 1.5, "{games}: {percent} {held}");
    }
    // 81 or 98 of 100, and nothing between.
    let [all, but_one] = likeliest_results(30);
    assert!(all < 85.0 && all + but_one > 97.0, "{all} {but_one}");
    assert!(likeliest_results(4)[0] > 97.0);
}

/// The strongest of four can disappoint but not surprise: its interval is never too low.
#[test]
fn who_wins_almost_everything_is_missed_on_one_side_only() {
    let covered = Contest::new(4, 4, Strengths::Even, 4).by_entrant(800, 5);
    let (weakest, strongest) = (covered[0], covered[3]);
    assert_eq!((strongest.too_high, weakest.too_low), (0, 0));
    for one_sided in [strongest, weakest] {
        // Of two tails of 2.5 % one is left.
        assert!(one_sided.percent() > 96.5, "{one_sided:?}");
    }
}

/// The league of the complaint: forty entrants, an almost even one must not lead by luck.
#[test]
fn three_wins_of_four_are_not_much() {
    use floe_rating::Ending::{Loss, Win};
    let mut joint = floe_rating::Joint::new(4);
    joint.add([0, 1], [Win, Win]);
    joint.add([0, 2], [Win, Loss]);
    joint.add([1, 3], [Win, Loss]);
    joint.add([2, 3], [Loss, Win]);
    let elo = joint.fit(floe_rating::Anchor::Mean).ratings[0].elo.unwrap();
    assert!(elo.low < 0.0 && elo.margin() > 200.0, "{elo}");
}
