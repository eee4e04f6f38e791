//! Three and more seats: every seat's prospects, for the best-first tree.

use super::LARGEST_LEARNED;
use super::bits::Bits;
use super::features::Lens;
use super::settled::settle;
use super::state::{SearchState, Step, Undo, sort_best_first};
use super::territory::{PARTS, Surveyor};
use crate::Budget;
use crate::best_first::{Ground, Style};
use crate::network::Network;

/// How the tree weighs points.
pub(super) const STYLE: Style = Style {
    half_lead: 12.0 * PARTS as f64,
    half_share: PARTS as f64,
    explore: 0.3,
    best_line: 0.5,
    width: 8,
};

/// Moves evaluated below the root even if they touch nothing.
const WIDTH: usize = 12;

/// A state that evaluates for every seat.
pub(super) struct Many<'a, const W: usize> {
    pub(super) state: SearchState<W>,
    surveyor: Surveyor<W>,
    lens: Lens<W>,
    network: Option<&'a Network>,
    made: Vec<(Step, Undo)>,
    steps: Vec<(i32, Step)>,
}

impl<'a, const W: usize> Many<'a, W> {
    pub(super) fn new(state: SearchState<W>, network: Option<&'a Network>) -> Self {
        let (players, fields) = (state.sides.len(), state.full.count() as i32);
        Many {
            surveyor: Surveyor::new(players, fields),
            lens: Lens::new(players, fields),
            network,
            made: Vec::new(),
            steps: Vec::new(),
            state,
        }
    }

    /// The final scores, if no further move can change them.
    pub(super) fn settled(&self) -> Option<Vec<i32>> {
        let mut scores = vec![0; self.state.sides.len()];
        settle(&self.state, &mut scores).then_some(scores)
    }

    /// The step of a number.
    pub(super) fn step(code: u32) -> Step {
        Step::from_code(code as u16)
    }
}

impl<const W: usize> Ground for Many<'_, W> {
    fn seats(&self) -> usize {
        self.state.sides.len()
    }

    fn turn(&self) -> Option<usize> {
        self.state.turn
    }

    fn list(&mut self, is_root: bool, into: &mut Vec<u32>) -> bool {
        into.clear();
        let Some(mover) = self.state.turn else {
            return true;
        };
        self.surveyor.survey(&self.state);
        let hints = self.surveyor.hints(&self.state, mover);
        self.steps.clear();
        for field in self.state.takes(mover).fields() {
            self.steps.push((hints.take(field), Step::take(field)));
        }
        sort_best_first(&mut self.steps);
        let all = self.steps.len();
        if !is_root {
            let touching = self.steps.iter().filter(|(hint, _)| *hint > 0).count();
            self.steps.truncate(touching.max(WIDTH));
        }
        // A golden move waits until there is little else to do, and the root sees when it is due.
        let mut is_whole = self.steps.len() == all;
        let targets = self.state.golden_targets(mover);
        if is_root || self.steps.len() <= WIDTH {
            for field in targets.fields() {
                if self.state.can_lose(field) {
                    self.steps.push((hints.golden(field), Step::golden(field)));
                }
            }
        } else {
            is_whole &= targets == Bits::EMPTY;
        }
        into.extend(self.steps.iter().map(|(_, step)| u32::from(step.code())));
        is_whole
    }

    fn slot(&self, step: u32) -> usize {
        let step = Self::step(step);
        step.field() + if step.is_golden() { 64 * W } else { 0 }
    }

    fn slots(&self) -> usize {
        128 * W
    }

    fn make(&mut self, step: u32) {
        let step = Self::step(step);
        let undo = self.state.make(step);
        self.made.push((step, undo));
    }

    fn unmake(&mut self) {
        let (step, undo) = self.made.pop().expect("a move was made");
        self.state.unmake(step, undo);
    }

    fn judge(&mut self, _: &mut Budget, scores: &mut [i32]) -> bool {
        let state = &self.state;
        let is_over = state.turn.is_none();
        if is_over {
            for (score, side) in scores.iter_mut().zip(&state.sides) {
                *score = side.busy as i32;
            }
        }
        if is_over || settle(state, scores) {
            scores.iter_mut().for_each(|score| *score *= PARTS);
            return true;
        }
        match self.network {
            Some(network) if W <= LARGEST_LEARNED => {
                self.lens.look(state);
                for (player, score) in scores.iter_mut().enumerate() {
                    let (phase, features) = self.lens.features(state, player);
                    let more = network.value(phase, &features);
                    *score = PARTS * state.sides[player].busy as i32 + PARTS * more / 100;
                }
            }
            _ => {
                self.surveyor.expect(state);
                scores.copy_from_slice(&self.surveyor.expected);
            }
        }
        false
    }
}
