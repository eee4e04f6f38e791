//! Lists every game, starts a board of each and plays the engine's first move:
//!
//! ```sh
//! cargo run -p floe-games --example any_game
//! ```

use floe_games::{Play, games};
use floe_search::Limits;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for game in games() {
        let start = game.start(&game.default_setup(), 42)?;
        println!("{}: {} players", game.title(), start.players());
        let mut engine = game.engine(&"floe:nodes=500".parse()?);
        let thought = engine.think(&*start, &Limits::default());
        let best = thought?.best;
        let mut play = Play::new(start);
        play.make(&best)?;
        println!("{best}\n{}\n", play.position().board());
    }
    Ok(())
}
