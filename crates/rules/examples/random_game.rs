//! Plays a game of Penguins with random moves, and draws the board after each of them:
//!
//! ```sh
//! cargo run -p floe-rules --example random_game -- 42
//! ```

use floe_rules::penguins::Penguins;
use floe_rules::random::Random;
use floe_rules::{Game, Position};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = match std::env::args().nth(1) {
        Some(word) => word.parse()?,
        None => 1,
    };
    let mut dice = Random::seeded(seed);
    let mut position = Penguins::start(&"5x5,penguins=1".parse()?, seed)?;
    while let Some(player) = position.turn() {
        let moves = position.legal_moves();
        let choice = moves[dice.index(moves.len())];
        position.play(choice)?;
        println!(
            "player {player}: {choice}\n{}\n",
            Penguins::write(&position)
        );
    }
    let outcome = position.outcome().ok_or("the game has ended")?;
    println!(
        "scores {:?}, places {:?}",
        outcome.scores(),
        outcome.places()
    );
    Ok(())
}
