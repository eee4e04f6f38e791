//! The tables of `docs/statistics.md`: `cargo run --release -p floe-rating --example simulate`,
//! with `sprt` or `coverage` for one of them.

#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/simulation/mod.rs"]
mod simulation;

use floe_rating::Scale;
use simulation::sprt::{Match, TRUTHS};

/// Tests for every field of the table.
const TESTS: u32 = 2000;

fn main() {
    let wanted = std::env::args().nth(1);
    if wanted.as_deref().is_none_or(|wanted| wanted == "sprt") {
        error_rates();
    }
}

fn error_rates() {
    println!(
        "Wrong verdicts of {TESTS} tests of elo0=0,elo1=50 in %, and pairs played on average\n"
    );
    println!("| model | first move | draws | -800 | -200 | elo0 | elo1 | +200 | +800 |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for scale in [Scale::Normalized, Scale::Logistic] {
        for first_move in [0.0, 200.0] {
            for draw_rate in [0.0, 0.2, 0.4, 0.6, 0.8] {
                let played = Match {
                    draw_rate,
                    first_move: first_move / simulation::ELO,
                };
                let cells = TRUTHS.map(|truth| {
                    let (wrong, pairs) = played.tests(scale, truth, TESTS, 1);
                    format!(
                        "{:.1} ({pairs:.0})",
                        f64::from(wrong) * 100.0 / f64::from(TESTS)
                    )
                });
                let model = match scale {
                    Scale::Normalized => "normalized",
                    Scale::Logistic => "logistic",
                };
                let draws = draw_rate * 100.0;
                println!(
                    "| {model} | {first_move:.0} Elo | {draws:.0} % | {} |",
                    cells.join(" | ")
                );
            }
        }
    }
}
