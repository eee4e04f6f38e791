//! How fast engines think on this machine: nodes a second of processor time, a line per game. The same
//! for the module, and both side by side, is `crates/browser/bench.mjs`.

#![allow(clippy::print_stdout)]

use std::fs;
use std::time::Instant;

use serde_json::{Value, json};

/// Moves of a game, and positions looked at for each.
const MOVES: usize = 8;
const NODES: u64 = 60_000;

fn main() {
    let began = Instant::now();
    for game in floe_games::games() {
        let mut moves: Vec<String> = Vec::new();
        let mut nodes = 0;
        let mut before = 0.0;
        // The first thought only warms up.
        for turn in 0..=MOVES {
            if turn == 1 {
                before = seconds(began);
            }
            let question = json!({ "ask": "thoughts", "game": game.name(), "seed": 1, "moves": moves,
                "engine": format!("floe:nodes={NODES}") });
            let answer: Value =
                serde_json::from_str(&floe_browser::answer(&question.to_string())).expect("JSON");
            let line = &answer["answer"]["lines"][0];
            if turn > 0 {
                nodes += line["nodes"].as_u64().unwrap_or(0);
                moves.push(line["move"].as_str().expect("a move").to_owned());
            }
        }
        let rate = nodes as f64 / (seconds(began) - before);
        println!("{} {rate:.0} {}", game.name(), moves.join(" "));
    }
}

/// Processor time of this thread, where the system tells it; otherwise the time.
fn seconds(began: Instant) -> f64 {
    let known = fs::read_to_string("/proc/self/schedstat").ok();
    let spent = known.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| began.elapsed().as_secs_f64(), |spent| spent / 1e9)
}
