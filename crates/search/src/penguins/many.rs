//! Three and more seats: every seat's prospects, for the best-first tree.
//!
//! The evaluation is that of [territory](super::territory), for any number of seats and without
//! allocation: which seat reaches a floe first, and in how many slides. As soon as no opponent can
//! reach a seat's floes, the solver for one seat replaces the estimate.

use super::board::{SEATS, SearchBoard, Step, Undo};
use super::set::FieldSet;
use super::solo_solver::{SoloMemory, SoloSolver};
use super::territory::{FISH, FURTHEST, Slides, Weights};
use crate::Budget;
use crate::best_first::{Ground, Style};

/// Node limit for solving a region at a leaf.
const SETTLE: u32 = 400;

/// How the tree weighs fish.
pub(super) const STYLE: Style = Style {
    half_lead: 20.0 * FISH as f64,
    half_share: 1.5 * FISH as f64,
    explore: 0.6,
    best_line: 0.3,
    width: 6,
};

/// A board that evaluates for every seat.
pub(super) struct Many<'a, const N: usize, const S: usize> {
    pub(super) board: SearchBoard<N, S>,
    slides: Slides<N, S>,
    weights: Weights,
    solo_memory: &'a mut SoloMemory,
    made: Vec<(Step, Undo)>,
    steps: Vec<Step>,
    /// By seat: the floes found so far, and those found last.
    reach: Vec<FieldSet<N>>,
    edges: Vec<FieldSet<N>>,
}

impl<'a, const N: usize, const S: usize> Many<'a, N, S> {
    pub(super) fn new(board: SearchBoard<N, S>, solo_memory: &'a mut SoloMemory) -> Self {
        solo_memory.forget();
        Many {
            slides: Slides::new(&board),
            weights: Weights::default(),
            solo_memory,
            made: Vec::new(),
            steps: Vec::new(),
            reach: vec![FieldSet::EMPTY; board.seats],
            edges: vec![FieldSet::EMPTY; board.seats],
            board,
        }
    }

    /// The step of a number.
    pub(super) fn step(code: u32) -> Step {
        Step {
            from: (code >> 16) as u16,
            to: code as u16,
        }
    }

    /// Adds every seat's expected fish to `scores`, and fills `reach`. Returns whether that covers
    /// all distances.
    fn survey(&mut self, scores: &mut [i32]) -> bool {
        let board = &self.board;
        self.slides.prepare(&board.free);
        for seat in 0..board.seats {
            self.reach[seat] = board.stand(seat);
        }
        self.edges.copy_from_slice(&self.reach);
        let mut open = board.free;
        let first = usize::from(board.turn.unwrap_or(0));
        let mut is_complete = true;
        for level in 1.. {
            let mut claimed = FieldSet::EMPTY;
            for seat in (first..board.seats).chain(0..first) {
                let edge = self.slides.slide(&self.edges[seat]);
                let edge = edge.without(&self.reach[seat]);
                self.reach[seat] = self.reach[seat].or(&edge);
                let mine = edge.and(&open);
                scores[seat] += self.weights.nearer * board.fish_on(&mine.without(&claimed))
                    + self.weights.equal * board.fish_on(&mine.and(&claimed));
                claimed = claimed.or(&mine);
                self.edges[seat] = edge;
            }
            open = open.without(&claimed);
            // Once every floe has a nearest seat, later arrivals matter little.
            if claimed.is_empty() {
                break;
            }
            if board.words() > 64 && level >= FURTHEST {
                is_complete = false;
                break;
            }
        }
        for seat in 0..board.seats {
            self.reach[seat] = self.reach[seat].and(&board.free);
        }
        for (seat, score) in scores.iter_mut().enumerate() {
            let others = (0..board.seats).filter(|&other| other != seat);
            let mut mine = self.reach[seat];
            others.for_each(|other| mine = mine.without(&self.reach[other]));
            *score += (self.weights.private - self.weights.nearer) * board.fish_on(&mine);
        }
        is_complete
    }

    /// Whether no other seat reaches a floe of this one. If a seat's slides did not come to an end
    /// in the survey, the last of them are in another's reach.
    fn is_apart(&self, seat: usize) -> bool {
        let mut others = (0..self.board.seats).filter(|&other| other != seat);
        others.all(|other| !self.reach[other].intersects(&self.reach[seat]))
    }

    /// Fish a seat will collect from a region of its own, in hundredths, and whether that is
    /// proven.
    fn settle(&mut self, seat: usize, budget: &mut Budget) -> (i32, bool) {
        let floes = self.reach[seat];
        let mut solver = SoloSolver::new(&self.board, self.solo_memory, budget);
        let known = solver.pick(seat, &floes, SETTLE);
        if known.is_exact() {
            return (FISH * known.least, true);
        }
        let guess = self.weights.private * self.board.fish_on(&floes);
        (guess.clamp(FISH * known.least, FISH * known.most), false)
    }
}

impl<const N: usize, const S: usize> Ground for Many<'_, N, S> {
    fn seats(&self) -> usize {
        self.board.seats
    }

    fn turn(&self) -> Option<usize> {
        self.board.turn.map(usize::from)
    }

    fn list(&mut self, _: bool, into: &mut Vec<u32>) -> bool {
        self.board.moves(&mut self.steps);
        into.clear();
        let code = |step: &Step| u32::from(step.from) << 16 | u32::from(step.to);
        into.extend(self.steps.iter().map(code));
        true
    }

    fn slot(&self, step: u32) -> usize {
        Self::step(step).to.into()
    }

    fn slots(&self) -> usize {
        64 * N
    }

    fn make(&mut self, step: u32) {
        let step = Self::step(step);
        let undo = self.board.play(step);
        self.made.push((step, undo));
    }

    fn unmake(&mut self) {
        let (step, undo) = self.made.pop().expect("a move was made");
        self.board.take_back(step, undo);
    }

    fn judge(&mut self, budget: &mut Budget, scores: &mut [i32]) -> bool {
        let seats = self.board.seats;
        let mut worth = [0; SEATS];
        for (score, &fish) in scores.iter_mut().zip(&self.board.scores) {
            *score = FISH * fish;
        }
        if self.board.turn.is_none() {
            return true;
        }
        let is_complete = self.survey(&mut worth[..seats]);
        let mut is_known = is_complete && !self.board.placing;
        if is_known {
            is_known = (0..seats).all(|seat| self.is_apart(seat));
        }
        if is_known {
            for (seat, worth) in worth[..seats].iter_mut().enumerate() {
                let (fish, is_proven) = self.settle(seat, budget);
                *worth = fish;
                is_known &= is_proven;
            }
        }
        scores
            .iter_mut()
            .zip(&worth)
            .for_each(|(score, worth)| *score += worth);
        is_known
    }
}
