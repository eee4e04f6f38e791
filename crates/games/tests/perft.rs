//! The games of the registry have as many positions as their perft files say.

mod suite;

use suite::perft::{Block, blocks, check_block};

#[test]
fn every_game_counts_what_its_perft_file_says() {
    for game in floe_games::games() {
        let file = format!("../rules/tests/perft/{}.txt", game.name());
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let blocks = blocks(&text);
        assert!(
            blocks.len() >= 3,
            "{file}: at least three setups are needed"
        );
        for block in &blocks {
            check_block(game, block);
        }
    }
}

#[test]
fn the_file_format_has_comments_and_blank_lines() {
    let text =
        "# a comment\n\nsetup 5x5,players=2 seed 12 # why\n1 25\n2  600\n\nsetup seed 3\n1 4\n";
    assert_eq!(
        blocks(text),
        [
            Block {
                setup: "5x5,players=2".into(),
                seed: 12,
                counts: vec![(1, 25), (2, 600)]
            },
            Block {
                setup: String::new(),
                seed: 3,
                counts: vec![(1, 4)]
            },
        ]
    );
}
