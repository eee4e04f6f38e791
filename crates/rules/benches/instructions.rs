//! `cargo bench -p floe-rules --bench instructions`: instruction counts under valgrind, the same
//! however busy the machine is. Needs the runner of the same version as the library:
//! `cargo install gungraun-runner --version 0.20.0`.
#![allow(missing_docs)]

mod scenes {
    #[allow(dead_code)] // the table uses the others
    pub(crate) mod gamma;
}

use std::hint::black_box;

use floe_rules::flood::Flood;
use floe_rules::gamma::Board;
use floe_rules::penguins::Penguins;
use floe_rules::{Game, flood, penguins, perft};
use gungraun::{library_benchmark, library_benchmark_group, main};
use scenes::gamma;

fn crowd() -> Board {
    gamma::crowded(250, 50, 40)
}

fn start<G: Game>(setup: &str) -> G::Position {
    let setup: G::Setup = setup.parse().expect("a benchmark's setup is right");
    G::start(&setup, 1).expect("a benchmark's setup is possible")
}

#[library_benchmark]
fn gamma_fill() -> Board {
    black_box(gamma::fill(500))
}

#[library_benchmark]
fn gamma_random_moves() -> Board {
    black_box(gamma::random_moves(500, 10, 1000, 250_000))
}

#[library_benchmark]
fn gamma_short_games() -> u64 {
    black_box(gamma::short_games(200))
}

#[library_benchmark]
#[bench::crowd(crowd())]
fn gamma_golden(mut board: Board) -> u32 {
    black_box(gamma::ask_golden(&mut board, 500) + gamma::try_golden(&mut board, 500))
}

#[library_benchmark]
#[bench::snake(gamma::stuck(250))]
#[bench::combs(gamma::combs(250))]
#[bench::spirals(gamma::spirals(250))]
fn gamma_cuts(mut board: Board) -> u32 {
    black_box(gamma::ask_golden(&mut board, 2) + gamma::cut_tries(&mut board, 500))
}

#[library_benchmark]
#[bench::text(gamma::random_moves(500, 9, 1000, 250_000))]
fn gamma_text(board: Board) -> usize {
    black_box(gamma::print(&board, 2))
}

#[library_benchmark]
#[bench::small(start::<Penguins>("8x8,players=2,penguins=1"))]
#[bench::large(start::<Penguins>("20x20,players=2,penguins=1"))]
fn penguins_perft(position: penguins::PenguinsPosition) -> u64 {
    black_box(perft(&position, 2))
}

#[library_benchmark]
#[bench::small(start::<Flood>("10x10"))]
#[bench::large(start::<Flood>("50x50"))]
fn flood_perft(position: flood::FloodPosition) -> u64 {
    black_box(perft(&position, 8))
}

library_benchmark_group!(
    name = rules;
    benchmarks = gamma_fill, gamma_random_moves, gamma_short_games, gamma_golden, gamma_cuts,
        gamma_text, penguins_perft, flood_perft
);

main!(library_benchmark_groups = rules);
