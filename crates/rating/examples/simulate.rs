//! The tables of `docs/statistics.md`: `cargo run -p floe-rating --example simulate`,
//! with `sprt` or `coverage` for one of them.

#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/simulation/mod.rs"]
mod simulation;

use floe_rating::Scale;
use simulation::coverage::{Contest, GAMES};
use simulation::sprt::{Match, TRUTHS};

/// Tests for every field of the table.
const TESTS: u32 = 2000;
/// Contests for every field of the other.
const CONTESTS: u32 = 400;

fn main() {
    let wanted = std::env::args().nth(1);
    if wanted.as_deref().is_none_or(|wanted| wanted == "sprt") {
        error_rates();
    }
    if wanted.as_deref().is_none_or(|wanted| wanted == "coverage") {
        coverage();
    }
}

fn coverage() {
    println!(
        "\n95 % intervals that hold the truth in %, and their mean ±, over {CONTESTS} contests\n"
    );
    println!("| table | entrants | strengths | 4 | 6 | 10 | 30 | 100 |");
    println!("|--:|--:|---|--:|--:|--:|--:|--:|");
    for table in [2, 4] {
        for entrants in [table, 8, 16, 40] {
            for spread in [0.0, 1200.0] {
                let cells = GAMES.map(|games| {
                    let contest = Contest::new(table, entrants, spread, games);
                    let (held, all, margin) = contest.covered(CONTESTS, 1);
                    let percent = f64::from(held) * 100.0 / f64::from(all);
                    format!("{percent:.1} (±{margin:.0})")
                });
                let strengths = match spread {
                    0.0 => "equal",
                    _ => "-600 to +600",
                };
                println!(
                    "| {table} | {entrants} | {strengths} | {} |",
                    cells.join(" | ")
                );
            }
        }
    }
}

fn error_rates() {
    println!(
        "Wrong verdicts of {TESTS} tests of elo0=0,elo1=50 in %, and pairs played on average\n"
    );
    println!("| model | first move | draws | -800 | -200 | elo0 | elo1 | +200 | +800 |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let plain = [0.0, 0.2, 0.4, 0.6, 0.8].map(|draw_rate| (draw_rate, 0.0));
    let matches = plain.into_iter().chain([(0.4, 200.0)]);
    for scale in [Scale::Normalized, Scale::Logistic] {
        for (draw_rate, first_move) in matches.clone() {
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
