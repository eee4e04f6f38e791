//! The root: deeper and deeper, until the budget is spent or everything is known.
//!
//! If the caller asks for several moves, the search for the best one comes first; see `lines`.

use super::super::settled::settle;
use super::super::state::{Step, sort_best_first};
use super::super::territory::PARTS;
use super::{FURTHEST, INFINITE, Tree};
use crate::lines::BestValues;
use crate::sort::by_number;
use crate::threads::Pace;
use crate::{Bound, Limits};

/// A move of the root, and its result.
#[derive(Debug, Clone)]
pub(in super::super) struct Found {
    pub(in super::super) best: Step,
    /// The lead of the mover, in parts.
    pub(in super::super) value: i32,
    pub(in super::super) depth: u32,
    pub(in super::super) proven: bool,
}

impl<const W: usize> Tree<'_, W> {
    /// Searches until the budget is spent or everything is known. Gives the `top` best moves, the
    /// best first, but none that were not reached in time; the first is proven only if it is
    /// proven to be the best. In a hurry, a move without alternative is not thought about.
    pub(in super::super) fn think(
        &mut self,
        limits: &Limits,
        top: usize,
        is_hurried: bool,
    ) -> Vec<Found> {
        let mut order = self.order();
        let is_settled = settle(&self.state, &mut self.scores);
        let value = match is_settled {
            true => self.final_lead(true),
            false => self.judge(true),
        };
        let known = |&best: &Step| Found {
            best,
            value,
            depth: 0,
            proven: is_settled,
        };
        if is_settled {
            return order.iter().take(top).map(known).collect();
        }
        let mut found = vec![known(&order[0])];
        let deepest = match order.len() {
            1 if is_hurried => 1,
            _ => FURTHEST as u32,
        };
        if top > 1 {
            self.budget.extend(&limits.for_first_line());
        }
        let mut values = BestValues::default();
        for depth in 1..=deepest {
            if !self.budget.allows_depth(depth) {
                break;
            }
            let is_done = self.pass(depth, &mut order, None, 1, &mut found);
            if is_done.is_some() {
                values.note(depth, found[0].value);
            }
            if is_done != Some(false) {
                break;
            }
        }
        order.retain(|&step| step != found[0].best);
        if top > 1 && !order.is_empty() {
            let best = &found[0];
            values.end(best.value);
            let limits = limits.for_all_lines(self.budget.nodes(), best.proven);
            self.budget.extend(&limits);
            let deepest = match best.proven {
                true => FURTHEST as u32,
                false => best.depth.max(1),
            };
            let mut others = self.others(deepest, &mut order, top - 1, &values);
            found.append(&mut others);
        }
        found
    }

    /// Searches for what the table keeps, beside the thread that decides; gives the nodes it took.
    pub(in super::super) fn help(&mut self, pace: Pace) -> u64 {
        let mut order = self.order();
        let mut found = Vec::new();
        for depth in (1..=FURTHEST as u32).filter(|&depth| pace.takes(depth)) {
            if !self.budget.allows_depth(depth)
                || self.pass(depth, &mut order, None, 1, &mut found) != Some(false)
            {
                break;
            }
        }
        self.budget.nodes()
    }

    /// The moves, those first that look best.
    fn order(&mut self) -> Vec<Step> {
        let mut ranked = Vec::new();
        self.surveyor.survey(&self.state);
        self.rank(&mut ranked, None, 0);
        let state = &self.state;
        ranked.retain(|(_, step)| !step.is_golden() || state.can_lose(step.field()));
        // Equals stay in the order of their fields.
        sort_best_first(&mut ranked);
        ranked.iter().map(|&(_, step)| step).collect()
    }

    /// The `top` best of the moves that are not the best, searched up to this depth.
    fn others(
        &mut self,
        deepest: u32,
        order: &mut [Step],
        top: usize,
        values: &BestValues,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        for depth in 1..=deepest {
            let ceiling = Some(values.at(depth));
            if !self.budget.allows_depth(depth)
                || self.pass(depth, order, ceiling, top, &mut found) != Some(false)
            {
                break;
            }
        }
        for other in &mut found {
            (other.value, other.proven) = values.compare(other.depth, other.value, other.proven);
        }
        by_number(&mut found, |other| -i64::from(other.value));
        found
    }

    /// All moves to one depth: whether everything is proven, or `None` if the budget
    /// ended. Then what was found counts only if it is better than what was known.
    fn pass(
        &mut self,
        depth: u32,
        order: &mut [Step],
        ceiling: Option<i32>,
        top: usize,
        found: &mut Vec<Found>,
    ) -> Option<bool> {
        let most = ceiling.map_or(INFINITE, |ceiling| ceiling + 1);
        let mut tried: Vec<Found> = Vec::with_capacity(top.min(order.len()) + 1);
        let mut all_proven = true;
        for i in 0..order.len() {
            let step = order[i];
            // The value a move must beat to be among the best.
            let floor = tried.get(top - 1).map_or(-INFINITE, |last| last.value);
            if floor >= most - 1 {
                // Enough moves are as good as the best.
                break;
            }
            let nth = (i + 1).saturating_sub(top);
            let Some(mut value) = self.attempt(step, floor, most, depth, 0, nth) else {
                // The best move known was tried first, so better ones are better than it is now.
                let is_news = top == 1 || found.first().is_none_or(|found| found.depth == 0);
                if !tried.is_empty() && is_news {
                    tried[0].proven = false;
                    *found = tried;
                }
                return None;
            };
            if value >= most {
                value = most - 1;
                self.proven = false;
            }
            all_proven &= self.proven;
            if value <= floor {
                continue;
            }
            let place = tried.partition_point(|other| other.value >= value);
            let known = Found {
                best: step,
                value,
                depth,
                proven: self.proven,
            };
            tried.insert(place, known);
            tried.truncate(top);
            if place == 0 {
                order[..=i].rotate_right(1);
            }
        }
        sort_as_found(order, &tried);
        // Only the best of all moves has to be proven to be the best.
        if ceiling.is_none() {
            tried[0].proven = all_proven;
            let (value, step) = (tried[0].value, tried[0].best);
            self.remember(value, Bound::Exact, depth, all_proven, Some(step));
        }
        *found = tried;
        Some(all_proven)
    }

    /// The moves expected from this one on, as far as the table remembers.
    pub(in super::super) fn line(&mut self, found: &Found) -> Vec<Step> {
        let mut line = vec![found.best];
        let mut undo = vec![self.state.make(found.best)];
        while line.len() < found.depth as usize {
            let known = self.table.probe(self.state.key);
            let Some(step) = known.and_then(|entry| entry.best).map(Step::from_code) else {
                break;
            };
            if !self.state.allows(step) {
                break;
            }
            line.push(step);
            undo.push(self.state.make(step));
        }
        for (&step, undo) in line.iter().zip(undo).rev() {
            self.state.unmake(step, undo);
        }
        line
    }

    /// Expected scores of every seat after these steps, in whole fields, adjusted so that the lead
    /// of the player to move is the one found.
    pub(in super::super) fn scores_after(&mut self, line: &[Step], found: &Found) -> Vec<i64> {
        let mut undo = Vec::new();
        for &step in line {
            undo.push(self.state.make(step));
        }
        let mut scores: Vec<i64> = if self.state.turn.is_none() {
            let sides = self.state.sides.iter();
            sides.map(|side| i64::from(side.busy)).collect()
        } else if settle(&self.state, &mut self.scores) {
            self.scores.iter().map(|&score| i64::from(score)).collect()
        } else {
            self.surveyor.expect(&self.state);
            let expected = self.surveyor.expected.iter();
            expected
                .map(|&parts| i64::from(round(parts).max(0)))
                .collect()
        };
        for (&step, undo) in line.iter().zip(undo).rev() {
            self.state.unmake(step, undo);
        }
        let others = (0..scores.len()).filter(|&p| p != self.root);
        let others = others.map(|p| scores[p]).max().unwrap_or(0);
        scores[self.root] = others + i64::from(round(found.value));
        scores
    }
}

/// Puts what was found first, in its order; the others stay in theirs. Boards of all sizes share this
/// code.
fn sort_as_found(order: &mut [Step], tried: &[Found]) {
    by_number(order, |&step| {
        let place = tried.iter().position(|found| found.best == step);
        place.unwrap_or(tried.len()) as i64
    });
}

/// Parts in whole points.
fn round(parts: i32) -> i32 {
    (parts + PARTS / 2).div_euclid(PARTS)
}
