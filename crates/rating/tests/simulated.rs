//! What is said about contests of known strengths is true as often as it says: counts of seeded
//! simulations. `examples/simulate.rs` prints the tables.

mod simulation;

use floe_rating::Scale;

use self::simulation::coverage::{Contest, GAMES};
use self::simulation::sprt::{Match, TRUTHS};

/// Of 400 tests with a risk of 5 %, more than 31 wrong ones happen one time in 200; the table of
/// the docs counts 2,000.
#[test]
fn sequential_tests_are_wrong_as_seldom_as_they_say() {
    for scale in [Scale::Normalized, Scale::Logistic] {
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

/// Intervals hold the truth 93 to 97 times of 100, whatever the games and the strengths.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    for table in [2, 4] {
        for spread in [0.0, 1200.0] {
            for games in GAMES {
                let contest = Contest::new(table, 16, spread, games);
                // Enough for a standard error of about half a percent.
                let (held, all, margin) = contest.covered(150, 3);
                let percent = f64::from(held) * 100.0 / f64::from(all);
                // After one rotation of four, seats of different tables have nothing in common but
                // the prior, which is right about equals.
                let most = if (table, games, spread) == (4, 4, 0.0) {
                    100.0
                } else {
                    97.0
                };
                assert!(
                    (93.0..=most + 0.5).contains(&percent),
                    "{table} at a table, {games} games, {spread} Elo: {percent:.1} %, ±{margin:.0}"
                );
            }
        }
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
