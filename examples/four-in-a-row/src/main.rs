//! `floe` with one more game: Four in a Row. Two steps make it: a [`Game`](floe_rules::Game) in
//! `game.rs`, and the call of [`register`] below. Matches, tournaments, screens, pages and records
//! need nothing else.
//!
//!     cargo run --release -p four-in-a-row -- play four-in-a-row

mod game;
mod position;
mod text;

use std::process::ExitCode;

use floe_games::{GameEntry, register};
use floe_search::Roster;

/// The game, and the engines that play every game.
static FOUR_IN_A_ROW: GameEntry<game::FourInARow> = GameEntry(Roster::generic());

fn main() -> ExitCode {
    // The sandbox starts a copy of this binary before each program.
    floe_sandbox::helper_main();
    register(&FOUR_IN_A_ROW).expect("no other game has this name");
    floe::run(std::env::args_os())
}

#[cfg(test)]
mod tests {
    use floe_games::{AnyGame, LeadScale};

    use super::FOUR_IN_A_ROW;

    /// A win is all there is, so that a proven one fills the bar, however large the board is.
    #[test]
    fn a_win_fills_the_bar() {
        let start = FOUR_IN_A_ROW.start("12x10", 1).unwrap();
        assert!(LeadScale::of(&*start).shares(&[1, 0])[0] > 0.95);
    }
}
