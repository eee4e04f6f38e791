//! Golden moves that split areas: many of them on one board, each followed by a comparison with
//! the naive board, and some on areas of a million fields.

use floe_rules::gamma::Board;
use floe_rules::random::Random;
use proptest::prelude::*;

use crate::board::player;
use crate::naive::Naive;

#[path = "../../benches/scenes/splits.rs"]
mod scene;
use scene::{Splits, Tally};

/// Players 1 and 2 hold the land; all others come to split it.
const HOLDERS: u32 = 2;

struct Twins {
    board: Board,
    naive: Naive,
}

impl Twins {
    fn new(width: u32, height: u32, players: u32, areas: u32) -> Self {
        Twins {
            board: Board::new(width, height, players, areas).unwrap(),
            naive: Naive::new(width, height, players, areas),
        }
    }

    fn take(&mut self, number: u32, x: u32, y: u32) {
        let made = self.board.take(player(number), x, y);
        assert_eq!(made.is_ok(), self.naive.take(number, x, y), "{made:?}");
    }

    fn take_golden(&mut self, number: u32, x: u32, y: u32) -> bool {
        let check = self.board.check_golden(player(number), x, y);
        let made = self.board.take_golden(player(number), x, y);
        assert_eq!(check, made);
        let naive = self.naive.take_golden(number, x, y);
        assert_eq!(made.is_ok(), naive, "{number} at {x} {y}: {made:?}");
        naive
    }

    /// Everything about the holders and one other player.
    fn compare(&mut self, other: u32, golden: bool) {
        for number in (1..=HOLDERS).chain([other]) {
            let p = player(number);
            let (board, naive) = (&mut self.board, &mut self.naive);
            assert_eq!(board.busy_fields(p), naive.busy_fields(number));
            assert_eq!(board.area_count(p) as usize, naive.area_count(number));
            assert_eq!(board.free_fields(p), naive.free_fields(number), "{number}");
            if golden {
                let any = naive.golden_moves(number) > 0;
                assert_eq!(board.golden_possible(p), any, "{number}");
            }
        }
    }
}

/// Lays out the land, then lets everybody else make golden moves on it, with plain moves and
/// refusals between them.
fn split_land(side: u32, visitors: u32, areas: u32, share: u64, by_rows: bool, seed: u64) {
    let mut random = Random::seeded(seed);
    let mut twins = Twins::new(side, side, HOLDERS + visitors, areas);
    let below = |random: &mut Random| random.below(side.into()) as u32;
    // Row by row gives areas with one founder; in any order, areas with many.
    for round in 0..2 * side * side {
        let (x, y) = match by_rows {
            true => (round % side, round / side % side),
            false => (below(&mut random), below(&mut random)),
        };
        if random.below(100) < share {
            let number = 1 + u32::from(x + y > side + side / 3);
            twins.take(number, x, y);
        }
    }
    twins.compare(HOLDERS + 1, true);
    for visitor in HOLDERS + 1..=HOLDERS + visitors {
        for _ in 0..4 {
            let (x, y) = (below(&mut random), below(&mut random));
            if twins.take_golden(visitor, x, y) {
                break;
            }
        }
        twins.compare(visitor, random.below(4) == 0);
        for _ in 0..3 {
            let number = match random.below(3) {
                0 => visitor,
                _ => 1 + random.below(HOLDERS.into()) as u32,
            };
            let (x, y) = (below(&mut random), below(&mut random));
            twins.take(number, x, y);
        }
        twins.compare(visitor, false);
        if random.below(8) == 0 {
            let mut copy = Board::new(side, side, 1, 1).unwrap();
            copy.clone_from(&twins.board);
            twins.board = copy;
        }
    }
    // The holders' own golden moves take fields that others moved away from.
    for number in 1..=HOLDERS {
        for _ in 0..20 {
            let (x, y) = (below(&mut random), below(&mut random));
            twins.take_golden(number, x, y);
            twins.compare(number, false);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn split_land_agrees_with_the_naive_twin(
        side in 3u32..10, areas in 1u32..30, share in 40u64..101, by_rows: bool, seed: u64,
    ) {
        split_land(side, 40, areas, share, by_rows, seed);
    }
}

/// From 64 fields an area the areas are listed, and large boards have spare nodes to give.
#[test]
fn split_land_agrees_on_larger_boards() {
    for seed in 0..2 {
        for (visitors, areas, share, by_rows) in [
            (7, 1, 100, true),
            (3, 2, 90, true),
            (1, 3, 60, false),
            (40, 4, 90, true),
            (40, 60, 70, false),
        ] {
            split_land(26, visitors, areas, share, by_rows, seed);
        }
    }
}

/// A path that grows at its end while everybody tries to cut it in the middle; and now and then
/// somebody cuts its tail off.
#[test]
fn a_growing_path_agrees_with_the_naive_twin() {
    for seed in 0..20 {
        let mut random = Random::seeded(seed);
        let (width, height) = (12, 9);
        let mut twins = Twins::new(width, height, 30, 1 + (seed % 3) as u32);
        // Rows of fields with a field between them, at the right and at the left in turn.
        let path: Vec<(u32, u32)> = (0..height)
            .flat_map(|y| {
                let row = if y % 2 == 0 { 0..width } else { 0..1 };
                row.map(move |i| match y % 4 {
                    0 => (i, y),
                    1 => (width - 1, y),
                    2 => (width - 1 - i, y),
                    _ => (0, y),
                })
            })
            .collect();
        for (length, &(x, y)) in path.iter().enumerate() {
            twins.take(1, x, y);
            let visitor = HOLDERS + 1 + random.below(28) as u32;
            let (x, y) = path[random.index(length + 1)];
            twins.take_golden(visitor, x, y);
            twins.compare(visitor, length % 8 == 0);
        }
    }
}

/// Thousands of golden moves on areas of hundreds of thousands of fields. It would take minutes if
/// each of them walked its area.
#[test]
fn thousands_of_golden_moves_on_large_areas() {
    let splits = Splits {
        width: 1_000,
        height: 6_500,
        blocks: 4,
        block_rows: 250,
        path_rows: 401,
        refusals: 3_000,
        pairs: 8,
        pair_side: 200,
    };
    let (mut board, path) = splits.land();
    let tally = splits.play(&mut board, path);
    let expected = Tally {
        fields: tally.fields,
        spikes: 2_000,
        refused: 3_000,
        halved: 8,
    };
    assert_eq!(tally, expected);
}
