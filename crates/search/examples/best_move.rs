//! Lets an engine think about a position and prints its move, its score and its line:
//!
//! ```sh
//! cargo run -p floe-search --example best_move -- floe:nodes=2k
//! ```

use std::time::Duration;

use floe_rules::Game;
use floe_rules::flood::Flood;
use floe_search::{Engine, FLOOD, Spec};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = std::env::args().nth(1);
    let spec: Spec = spec.as_deref().unwrap_or("floe:nodes=1k").parse()?;
    let position = Flood::start(&"12x12".parse()?, 7)?;
    let mut engine = FLOOD.engine(&spec);
    let thought = engine.think(&position, &spec.limits(Duration::from_millis(100)));
    let line: Vec<String> = thought.line.iter().map(ToString::to_string).collect();
    println!("{}", Flood::write(&position));
    println!(
        "best {}, score {:?}, line {}",
        thought.best,
        thought.scores,
        line.join(" ")
    );
    println!("{} nodes, depth {}", thought.nodes, thought.depth);
    Ok(())
}
