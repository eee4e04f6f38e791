//! How fast and how deep the engine of Flood Wars looks from the start.
//!
//! ```text
//! cargo run --release -p floe-search --example floodspeed -- [SETUP [MILLISECONDS [BOARDS]]]
//! ```

#![allow(clippy::print_stdout)] // a program prints

use std::error::Error;
use std::time::{Duration, Instant};

use floe_rules::Game;
use floe_rules::flood::{Flood, Setup};
use floe_search::flood::Searcher;
use floe_search::{Engine, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let setup: Setup = arguments.next().unwrap_or_default().parse()?;
    let time = arguments.next().map_or(Ok(1000), |ms| ms.parse())?;
    let boards: u64 = arguments.next().map_or(Ok(5), |count| count.parse())?;
    for seed in 1..=boards {
        let position = Flood::start(&setup, seed)?;
        let begun = Instant::now();
        let limits = Limits::time(Duration::from_millis(time));
        let thought = Searcher::new().think(&position, &limits);
        let passed = begun.elapsed();
        println!(
            "{setup} seed {seed}: depth {}, {} nodes in {:.3} s, {:.2} M nodes/s",
            thought.depth,
            thought.nodes,
            passed.as_secs_f64(),
            thought.nodes as f64 / passed.as_secs_f64() / 1e6,
        );
    }
    Ok(())
}
