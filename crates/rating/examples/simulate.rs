//! The tables of `docs/statistics.md`: `cargo run -p floe-rating --example simulate`,
//! with `sprt`, `coverage` or `tails` for one of them.

#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/simulation/mod.rs"]
mod simulation;

use floe_rating::EloModel;
use simulation::coverage::{Contest, GAMES, Strengths, likeliest_results};
use simulation::sprt::{Match, TRUTHS};

/// Tests for every field of the table.
const TESTS: u32 = 2000;
/// Intervals for every field of the others.
const INTERVALS: u32 = 16_000;

fn main() {
    let wanted = std::env::args().nth(1);
    let tables: [(&str, fn()); 3] = [
        ("sprt", error_rates),
        ("coverage", coverage),
        ("tails", tails),
    ];
    for (name, print) in tables {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            print();
        }
    }
}

fn coverage() {
    println!(
        "\n95 % intervals that hold the truth in %, and their mean ±, over {INTERVALS} intervals\n"
    );
    println!("| table | entrants | strengths | 4 | 6 | 10 | 30 | 100 |");
    println!("|--:|--:|---|--:|--:|--:|--:|--:|");
    for table in [2, 4] {
        for entrants in [table, 8, 16, 40] {
            for strengths in Strengths::ALL {
                let cells = GAMES.map(|games| {
                    let contest = Contest::new(table, entrants, strengths, games);
                    let covered = contest.covered(INTERVALS / entrants as u32, 1);
                    format!("{:.1} (±{:.0})", covered.percent(), covered.margin())
                });
                let strengths = match strengths {
                    Strengths::Equal => "equal",
                    Strengths::Even => "-600 to +600",
                    Strengths::Drawn => "drawn",
                };
                let cells = cells.join(" | ");
                println!("| {table} | {entrants} | {strengths} | {cells} |");
            }
        }
    }
}

/// Why very unequal strengths have fields above 97 %.
fn tails() {
    println!(
        "\nTwo entrants, 1,200 Elo apart: how often the stronger wins all games, or all but one that is drawn\n"
    );
    println!("| games | all won | all but a draw |");
    println!("|--:|--:|--:|");
    for games in [4, 6, 10, 30] {
        let [all, but_one] = likeliest_results(games);
        println!("| {games} | {all:.1} % | {but_one:.1} % |");
    }
    println!("\nFour entrants from -600 to +600: intervals above and below the truth in %\n");
    println!("| games | -600 | -200 | +200 | +600 |");
    println!("|--:|--:|--:|--:|--:|");
    for games in [4, 6, 10, 30] {
        let contest = Contest::new(4, 4, Strengths::Even, games);
        let cells = contest
            .by_entrant(INTERVALS / 4, 1)
            .into_iter()
            .map(|covered| {
                let percent = |count: u32| f64::from(count) * 100.0 / f64::from(covered.all());
                format!(
                    "{:.1}, {:.1}",
                    percent(covered.too_high),
                    percent(covered.too_low)
                )
            });
        let cells: Vec<String> = cells.collect();
        println!(
            "| {} | {} |",
            usize::div_ceil(games, 4) * 4,
            cells.join(" | ")
        );
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
    for scale in [EloModel::Normalized, EloModel::Logistic] {
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
                EloModel::Normalized => "normalized",
                EloModel::Logistic => "logistic",
            };
            let draws = draw_rate * 100.0;
            println!(
                "| {model} | {first_move:.0} Elo | {draws:.0} % | {} |",
                cells.join(" | ")
            );
        }
    }
}
