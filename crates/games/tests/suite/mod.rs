//! What every game promises, checked at positions of random games.
//!
//! The one body of tests behind `contract.rs`, `perft.rs` and `fourth_game.rs`. It knows no game:
//! the setups come from the sizes and player counts every game may be asked for and from the
//! game's perft file.

#![allow(dead_code)] // each test program uses a part of it

mod choices;
pub(crate) mod contract;
mod dialect;
mod encoding;
mod engines;
mod erased;
pub(crate) mod perft;
mod text;

use std::collections::BTreeSet;

use floe_rules::{Game, Position};
use perft::blocks;

pub(crate) type Move<G> = <<G as Game>::Position as Position>::Move;

/// The longest game that counts as ending.
pub(crate) const LONGEST: usize = 100_000;

/// Setups to play: the default one, those of the perft file, and whatever the game makes of a
/// few sizes and every number of seats up to four.
pub(crate) fn setups<G: Game>(perft_file: &str) -> Vec<G::Setup> {
    let mut texts = BTreeSet::from([String::new(), G::Setup::default().to_string()]);
    for size in ["1x1", "2x1", "1x3", "3x2", "4x4", "5x7", "9x6"] {
        texts.insert(size.to_owned());
        for players in G::SEATS.take_while(|&players| players <= 4) {
            texts.insert(format!("{size},players={players}"));
        }
    }
    texts.extend(blocks(perft_file).into_iter().map(|block| block.setup));
    let read = |text: &String| text.parse::<G::Setup>().ok();
    let playable = |setup: &G::Setup| G::start(setup, 0).is_ok();
    let setups: Vec<G::Setup> = texts.iter().filter_map(read).filter(playable).collect();
    assert!(
        setups.len() >= 4,
        "{}: only {} setups can be played",
        G::NAME,
        setups.len()
    );
    setups
}
