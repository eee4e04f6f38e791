//! Perft files: known numbers of move sequences.
//!
//! Blocks with blank lines between them; `#` starts a comment.
//!
//! ```text
//! setup 5x5,players=2 seed 1
//! 1 25
//! 2 600
//! ```

use floe_games::AnyGame;

/// A starting position and how many sequences of so many moves it has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) setup: String,
    pub(crate) seed: u64,
    pub(crate) counts: Vec<(u32, u64)>,
}

/// The blocks of a perft file. A line that belongs to none of the forms is a failed test.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Some(block) = head(line) {
            blocks.push(block);
            continue;
        }
        let block = blocks.last_mut().expect("a block starts with its setup");
        match count(line) {
            Some(count) => block.counts.push(count),
            None => panic!("line {number} is neither a setup nor `depth count`: {line}"),
        }
    }
    blocks
}

fn head(line: &str) -> Option<Block> {
    let (setup, seed) = line.strip_prefix("setup ")?.rsplit_once("seed ")?;
    Some(Block {
        setup: setup.trim().to_owned(),
        seed: seed.trim().parse().ok()?,
        counts: Vec::new(),
    })
}

fn count(line: &str) -> Option<(u32, u64)> {
    let (depth, count) = line.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}

/// Counts what a block says and compares.
pub(crate) fn check_block(game: &'static dyn AnyGame, block: &Block) {
    let name = game.name();
    let Block {
        setup,
        seed,
        counts,
    } = block;
    assert!(
        !counts.is_empty(),
        "{name}: {setup} seed {seed} has no counts"
    );
    let erased = game
        .start(setup, *seed)
        .unwrap_or_else(|e| panic!("{name}: {setup} seed {seed}: {e}"));
    for &(depth, count) in counts {
        assert_eq!(
            erased.perft(depth),
            count,
            "{name}: setup {setup} seed {seed} depth {depth}\n{}",
            erased.write()
        );
    }
}
