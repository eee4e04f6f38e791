//! Golden moves by the thousand on areas of millions of fields: most split off a field or a short
//! spike, some are refused in the middle of a path that grows, a few cut an area in halves.

use floe_rules::Player;
use floe_rules::gamma::{Board, Refusal};

/// How large everything is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splits {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Blocks across the whole board, one above the other, with spikes on them.
    pub(crate) blocks: u32,
    pub(crate) block_rows: u32,
    /// Rows of the path, every second of them filled, before it grows field by field.
    pub(crate) path_rows: u32,
    pub(crate) refusals: u32,
    /// Pairs of squares joined by one field.
    pub(crate) pairs: u32,
    pub(crate) pair_side: u32,
}

/// What came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) fields: u64,
    pub(crate) spikes: u32,
    pub(crate) refused: u32,
    pub(crate) halved: u32,
}

/// Whose blocks have spikes, and whose path grows; the owners of the pairs come after them.
const SPIKED: u32 = 1;
const GROWING: u32 = 2;
/// Rows above a block: for its spikes, and one that nobody takes.
const ABOVE: u32 = 4;

fn player(number: u32) -> Player {
    Player::from_number(number).expect("players count from 1")
}

impl Splits {
    fn spikes(self) -> u32 {
        self.blocks * (self.width / 2)
    }

    fn limit(self) -> u32 {
        self.spikes() + self.blocks
    }

    /// The land before anybody comes to split it; and its first row that nobody has.
    pub(crate) fn land(self) -> (Board, u32) {
        let players = GROWING + self.pairs + self.spikes() + self.refusals + self.pairs;
        let mut board =
            Board::new(self.width, self.height, players, self.limit()).expect("enough memory");
        let mut take = |number: u32, x: u32, y: u32| {
            let taken = board.take(player(number), x, y);
            assert_eq!(taken, Ok(()), "{number} at {x} {y}");
        };
        for block in 0..self.blocks {
            let bottom = block * (self.block_rows + ABOVE);
            for y in bottom..bottom + self.block_rows {
                (0..self.width).for_each(|x| take(SPIKED, x, y));
            }
            for i in 0..self.width / 2 {
                let top = bottom + self.block_rows;
                (top..=top + i % 3).for_each(|y| take(SPIKED, 2 * i, y));
            }
        }
        let mut row = self.blocks * (self.block_rows + ABOVE);
        for pair in 0..self.pairs {
            let owner = GROWING + 1 + pair;
            let side = self.pair_side;
            for y in row..row + side {
                for x in (0..side).chain(side + 1..2 * side + 1) {
                    take(owner, x, y);
                }
            }
            take(owner, side, row + side / 2);
            row += side + 1;
        }
        // All areas but one are single fields, so that the path may not be split.
        for i in 0..self.limit() - 1 {
            let across = self.width / 2;
            take(GROWING, 2 * (i % across), row + 2 * (i / across));
        }
        row += 2 * self.limit().div_ceil(self.width / 2);
        for i in 0..self.path_rows {
            match i % 4 {
                0 | 2 => (0..self.width).for_each(|x| {
                    let x = if i % 4 == 0 { x } else { self.width - 1 - x };
                    take(GROWING, x, row + i);
                }),
                1 => take(GROWING, self.width - 1, row + i),
                _ => take(GROWING, 0, row + i),
            }
        }
        (board, row)
    }

    /// All golden moves.
    pub(crate) fn play(self, board: &mut Board, path: u32) -> Tally {
        let mut tally = Tally::default();
        let mut visitors = (GROWING + self.pairs + 1..).map(player);
        let mut visitor = || visitors.next().expect("players enough");
        for block in 0..self.blocks {
            let top = block * (self.block_rows + ABOVE) + self.block_rows;
            for i in 0..self.width / 2 {
                // A spike of one field goes with the field below it, others are cut at their foot.
                let y = if i % 3 == 0 { top - 1 } else { top };
                let made = board.take_golden(visitor(), 2 * i, y);
                assert_eq!(made, Ok(()), "{i}");
                tally.spikes += 1;
            }
        }
        for pair in 0..self.pairs {
            let row = self.blocks * (self.block_rows + ABOVE) + pair * (self.pair_side + 1);
            let owner = player(GROWING + 1 + pair);
            let middle = row + self.pair_side / 2;
            let made = board.take_golden(visitor(), self.pair_side, middle);
            assert_eq!((made, board.area_count(owner)), (Ok(()), 2));
            tally.halved += 1;
        }
        // The path goes on upwards from its last field, in a column of its own.
        let end = if self.path_rows % 4 == 1 {
            self.width - 1
        } else {
            0
        };
        for i in 0..self.refusals {
            let grown = board.take(player(GROWING), end, path + self.path_rows + i);
            assert_eq!(grown, Ok(()), "{i}");
            let x = 1 + (i * 7919) % (self.width - 2);
            let y = path + (self.path_rows / 2 + i % (self.path_rows / 4)) / 2 * 2;
            let made = board.take_golden(visitor(), x, y);
            assert_eq!(made, Err(Refusal::VictimSplits), "{i}");
            tally.refused += 1;
        }
        let numbers = 1..=GROWING + self.pairs;
        tally.fields = numbers
            .map(|number| board.busy_fields(player(number)))
            .sum();
        assert_eq!(board.area_count(player(SPIKED)), self.limit());
        tally
    }
}
