//! What the learned evaluation looks at: sixty-two counts of a position of two seats.
//!
//! *Cells* first: the floes that the player to move reaches in one slide, in two, in more or never,
//! and the opponent in one, in two, in more or never. For each pair of these there are three
//! counts: floes, floes with one or three fish, floes with two or three. Then come both players'
//! penguins by their open directions, the penguins not placed yet, the floes of each player's own
//! that are hard to leave again, and all floes. None of them depends on the board's size.

use super::board::SearchBoard;
use super::set::FieldSet;
use super::territory::{Distances, Slides};
use crate::network::{FEATURES, Features, add_counts};

/// Kinds of distances: one slide, two, more, never.
const KINDS: usize = 4;

/// Pairs of distances, without the floes that neither player reaches.
const CELLS: usize = KINDS * KINDS - 1;

/// Where the counts of penguins, of penguins not placed, of own floes and of all floes begin.
const PENGUINS: usize = 3 * CELLS;
const UNPLACED: usize = PENGUINS + 8;
const OWN: usize = UNPLACED + 2;
const ALL: usize = OWN + 6;

/// Writes counts to where they belong.
#[inline(always)]
fn put(features: &mut Features, at: usize, counts: &[u64]) {
    let into = features[at..].iter_mut();
    into.zip(counts)
        .for_each(|(feature, &count)| *feature = count as i16);
}

/// Counts all floes, those with one or three fish and those with two or three, in all cells.
#[inline(always)]
fn count_cells<const N: usize, const S: usize>(
    distances: &Distances<N>,
    board: &SearchBoard<N, S>,
    features: &mut Features,
) {
    let mine = distances.layers(0, &board.free);
    let theirs = distances.layers(1, &board.free);
    let mut counts = [[0; 16]; 3];
    for word in 0..N {
        let mut cells = [0; 16];
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = mine[i / KINDS].0[word] & theirs[i % KINDS].0[word];
        }
        let masks = [u64::MAX, board.odd.0[word], board.many.0[word]];
        for (counts, mask) in counts.iter_mut().zip(masks) {
            add_counts(counts, &cells, mask);
        }
    }
    for (kind, counts) in counts.iter().enumerate() {
        put(features, CELLS * kind, &counts[..CELLS]);
    }
}

impl<const N: usize, const S: usize> Slides<N, S> {
    /// The features of a position of two seats; the player to move has the first distances.
    #[inline]
    pub(super) fn features(
        &self,
        board: &SearchBoard<N, S>,
        mover: usize,
        stand: [&FieldSet<N>; 2],
        distances: &Distances<N>,
    ) -> Features {
        let mut features = [0; FEATURES];
        count_cells(distances, board, &mut features);
        let around = self.around(&board.free);
        let mut counts = [0; 16];
        for word in 0..N {
            let around = around.map(|set| set.0[word]);
            let mut sets = [0; 16];
            for (side, stand) in stand.iter().enumerate() {
                for (set, around) in sets[4 * side..].iter_mut().zip(around) {
                    *set = stand.0[word] & around;
                }
                let own = distances.shares.nearer[side].0[word];
                let around = [around[0] | around[1], around[2], around[3]];
                for (set, around) in sets[8 + 3 * side..].iter_mut().zip(around) {
                    *set = own & around;
                }
            }
            sets[14] = board.free.0[word];
            add_counts(&mut counts, &sets, u64::MAX);
        }
        put(&mut features, PENGUINS, &counts[..8]);
        put(&mut features, OWN, &counts[8..14]);
        put(&mut features, ALL, &counts[14..15]);
        for (i, seat) in [mover, 1 - mover].into_iter().enumerate() {
            features[UNPLACED + i] = board.unplaced_by(seat) as i16;
        }
        features
    }

    /// The fields with no free floe next to them, with one, with two, and with more.
    #[inline(always)]
    fn around(&self, free: &FieldSet<N>) -> [FieldSet<N>; 4] {
        let stride = self.stride();
        let next = [
            free.raised_by(1),
            free.lowered_by(1),
            free.raised_by(stride),
            free.lowered_by(stride),
        ];
        // One addition of four bits for all fields at once.
        let (any_a, both_a) = (next[0].or(&next[1]), next[0].and(&next[1]));
        let (any_b, both_b) = (next[2].or(&next[3]), next[2].and(&next[3]));
        let two = both_a.or(&both_b).or(&any_a.and(&any_b));
        let three = both_a.and(&any_b).or(&both_b.and(&any_a));
        let one = any_a.or(&any_b);
        let all = FieldSet([u64::MAX; N]);
        [
            all.without(&one),
            one.without(&two),
            two.without(&three),
            three,
        ]
    }
}
