//! The value of a leaf: exact where every region belongs to one seat alone and can be solved, and
//! by the learned evaluation or, on large boards, by territory everywhere else.

use super::super::set::FieldSet;
use super::super::solo_solver::SoloSolver;
use super::super::territory::FISH;
use super::Search;
use crate::network::Features;

/// Node limit for solving a region at a leaf.
const SETTLE: u32 = 400;

impl<const N: usize, const S: usize> Search<'_, N, S> {
    /// Judges the position as it stands, seen from the mover's side. Proven if every region belongs
    /// to one seat alone and could be solved.
    pub(super) fn judge(&mut self, turn: u8) -> i32 {
        self.proven = false;
        if self.board.seats == 1 {
            return self.judge_alone();
        }
        let board = &self.board;
        let (mine, theirs) = (usize::from(turn), usize::from(1 - turn));
        let stand = [board.stand(mine), board.stand(theirs)];
        let stand = [&stand[0], &stand[1]];
        let mut distances = None;
        let shares = match self.network {
            Some(_) => {
                let measured = self.slides.distances(&board.free, stand);
                distances.insert(measured).shares
            }
            None => self.slides.shares(&board.free, stand),
        };
        let lead = FISH * (board.scores[mine] - board.scores[theirs]);
        if shares.complete && !board.placing && self.slides.are_apart(&shares.reach) {
            let (my, my_proven) = self.settle(mine, &shares.reach[0], SETTLE);
            let (their, their_proven) = self.settle(theirs, &shares.reach[1], SETTLE);
            self.proven = my_proven && their_proven;
            return lead + my - their;
        }
        if let (Some(network), Some(distances)) = (self.network, distances) {
            let features = self.slides.features(board, mine, stand, &distances);
            return lead + network.value(usize::from(!board.placing), &features);
        }
        let private = [
            shares.reach[0].without(&shares.reach[1]),
            shares.reach[1].without(&shares.reach[0]),
        ];
        let fish = |set| board.fish_on(set);
        let weights = &self.weights;
        lead + weights.nearer * (fish(&shares.nearer[0]) - fish(&shares.nearer[1]))
            + (weights.private - weights.nearer) * (fish(&private[0]) - fish(&private[1]))
            + weights.equal * fish(&shares.equal)
    }

    /// What the learned evaluation looks at, and its value or the hand-made one, less the lead so
    /// far. `None` if regions are apart and can be solved.
    pub(in super::super) fn features(&mut self, turn: u8) -> Option<(Features, i32)> {
        let board = &self.board;
        let (mine, theirs) = (usize::from(turn), usize::from(1 - turn));
        let stand = [board.stand(mine), board.stand(theirs)];
        let stand = [&stand[0], &stand[1]];
        let distances = self.slides.distances(&board.free, stand);
        let shares = &distances.shares;
        if shares.complete && !board.placing && self.slides.are_apart(&shares.reach) {
            return None;
        }
        let features = self.slides.features(board, mine, stand, &distances);
        let lead = FISH * (board.scores[mine] - board.scores[theirs]);
        Some((features, self.judge(turn) - lead))
    }

    /// Judges the score of the only seat.
    fn judge_alone(&mut self) -> i32 {
        let mut reach = [FieldSet::EMPTY];
        let (worth, complete) = (self.slides).expect(&self.board, &self.weights, &mut reach);
        let mut more = worth[0];
        if complete && !self.board.placing {
            (more, self.proven) = self.settle(0, &reach[0], SETTLE);
        }
        FISH * self.board.scores[0] + more
    }

    /// Fish a seat will collect from a region of its own, and whether that is proven.
    pub(super) fn settle(&mut self, seat: usize, floes: &FieldSet<N>, nodes: u32) -> (i32, bool) {
        let mut solver = SoloSolver::new(&self.board, self.solo_memory, &mut self.budget);
        let known = solver.pick(seat, floes, nodes);
        if known.is_exact() {
            return (FISH * known.least, true);
        }
        let guess = self.weights.private * self.board.fish_on(floes);
        (guess.clamp(FISH * known.least, FISH * known.most), false)
    }
}

/// Whether no two of the sets have a field in common.
pub(super) fn are_apart<const N: usize>(sets: &[FieldSet<N>]) -> bool {
    let mut all = FieldSet::EMPTY;
    sets.iter().all(|set| {
        let apart = !all.intersects(set);
        all = all.or(set);
        apart
    })
}
