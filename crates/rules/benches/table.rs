//! `cargo bench -p floe-rules --bench table [-- WORD]`: a table of what the rules cost, in CPU time,
//! the best of several runs. With a word, only the rows that contain it.
#![allow(missing_docs, clippy::print_stdout)]

mod scenes {
    pub(crate) mod gamma;
}

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use scenes::gamma;

struct Table {
    only: Option<String>,
}

impl Table {
    /// Times `run` on a fresh value of `make`, several times, and prints the best.
    fn row<T>(&self, name: &str, runs: u32, make: impl Fn() -> T, run: impl Fn(&mut T)) {
        if self
            .only
            .as_ref()
            .is_some_and(|word| !name.contains(word.as_str()))
        {
            return;
        }
        let best = (0..runs)
            .map(|_| {
                let mut value = make();
                let start = cpu_time();
                run(&mut value);
                cpu_time() - start
            })
            .min();
        if let Some(best) = best {
            println!("{name:<72} {:>12.3} ms", best.as_secs_f64() * 1e3);
        }
    }
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let table = Table { only };
    gamma_rows(&table);
}

fn gamma_rows(table: &Table) {
    let nothing = || ();
    table.row(
        "gamma 1.5 M random moves, 1000x1000, 10 players, 1000 areas",
        5,
        nothing,
        |()| {
            black_box(gamma::random_moves(1000, 10, 1000, 1_500_000));
        },
    );
    table.row(
        "gamma filling 2000x2000 row by row, one player",
        5,
        nothing,
        |()| {
            black_box(gamma::fill(2000));
        },
    );
    table.row(
        "gamma 4000 x golden_possible, 500x500, 200 players, 40 areas",
        5,
        || gamma::crowded(500, 200, 40),
        |board| {
            black_box(gamma::ask_golden(board, 4000));
        },
    );
    table.row(
        "gamma 4000 x (golden move, golden_possible), the same",
        5,
        || gamma::crowded(500, 200, 40),
        |board| {
            black_box(gamma::try_golden(board, 4000));
        },
    );
    table.row(
        "gamma 10,000 x (move, free_fields at the limit), 1000x1000",
        5,
        || gamma::at_limit(1000),
        |board| {
            black_box(gamma::grow_and_ask(board, 10_000));
        },
    );
    table.row(
        "gamma board as text, 3000x3000, 20 times",
        3,
        || gamma::random_moves(3000, 9, 4_000_000, 4_000_000),
        |board| {
            black_box(gamma::print(board, 20));
        },
    );
    table.row(
        "gamma snake 200x200, 600 x golden_possible",
        5,
        || gamma::snake(200),
        |board| {
            black_box(gamma::ask_golden(board, 600));
        },
    );
    table.row(
        "gamma combs 300x300, 600 x golden_possible, 200 cutting golden moves",
        5,
        || gamma::combs(300),
        |board| {
            black_box(gamma::ask_golden(board, 600));
            black_box(gamma::cut_tries(board, 200));
        },
    );
    table.row(
        "gamma 20,000 games on 10x10, 200 attempts each",
        5,
        nothing,
        |()| {
            black_box(gamma::short_games(20_000));
        },
    );
    table.row(
        "gamma giant: 250 M fields, 500,000 players, 100,000 refusals",
        1,
        nothing,
        |()| {
            assert_eq!(black_box(gamma::giant()), 0);
        },
    );
}
