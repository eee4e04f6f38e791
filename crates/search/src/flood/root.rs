//! Iterative deepening, and proofs.
//!
//! Two searches take turns. One looks as far ahead as it can by leaving out what will hardly
//! matter, and finds the move. As soon as it sees a line to where the scores are settled, the other
//! tries to prove the result, with as many nodes as the first took so far. Whichever proves it ends
//! the search.

use floe_rules::flood::MOST_MOVES;

use super::reach::Worth;
use super::search::{Aim, INFINITE, NONE, Search};
use super::state::Choice;
use crate::Limits;
use crate::lines::BestValues;
use crate::sort::by_number;
use crate::threads::Pace;

/// The half width of the first window around the value of the iteration before.
const WINDOW: i32 = 128;

/// Result of the search for a move.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) line: Vec<u8>,
    pub(super) worth: Worth,
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

impl Found {
    fn note(&mut self, colour: u8, rest: &[u8]) {
        self.line.clear();
        self.line.push(colour);
        self.line.extend_from_slice(rest);
    }
}

/// Puts the best first; equals stay in their order. Boards of all sizes share this code.
fn sort_by_worth(found: &mut [Found]) {
    by_number(found, |found| -i64::from(found.worth.value));
}

impl<const W: usize, const N: usize> Search<'_, W, N> {
    /// Searches until the limits or a proof end it.
    ///
    /// Moves that were not reached are left out, but never all.
    pub(super) fn run(&mut self, limits: &Limits, top: usize) -> Vec<Found> {
        let mut best = Found {
            line: vec![self.by_gain()[0].colour],
            worth: self.state.worth(),
            depth: 0,
            nodes: 0,
        };
        let mut values = BestValues::default();
        if top > 1 {
            self.budget.extend(&limits.for_first_line());
        }
        if !best.worth.is_proven {
            self.take_turns(&mut best, &mut values);
        }
        if best.worth.is_proven && best.depth > 0 {
            self.prefer_gain(&mut best);
        }
        let mut all = vec![best];
        if top > 1 {
            let best = &all[0];
            values.end(best.worth.value);
            let limits = limits.for_all_lines(self.budget.nodes(), best.worth.is_proven);
            self.budget.extend(&limits);
            let others = self.find_others(best, &values);
            all.extend(others.into_iter().take(top - 1));
        }
        let nodes = self.budget.nodes();
        all.iter_mut().for_each(|found| found.nodes = nodes);
        all
    }

    /// Searches for what the table keeps, beside the thread that decides; gives the nodes it took.
    pub(super) fn help(&mut self, pace: Pace) -> u64 {
        let mut best = Found {
            line: vec![self.by_gain()[0].colour],
            worth: self.state.worth(),
            depth: 0,
            nodes: 0,
        };
        while !best.worth.is_proven {
            if !pace.takes(best.depth + 1) {
                best.depth += 1;
            } else if !self.deepen(Aim::Depth, &mut best) {
                break;
            }
        }
        self.budget.nodes()
    }

    /// Searches for depth and for a proof by turns.
    fn take_turns(&mut self, best: &mut Found, values: &mut BestValues) {
        let mut proven = best.clone();
        let mut proving = 0;
        while self.deepen(Aim::Depth, best) && !best.worth.is_proven {
            values.note(best.depth, best.worth.value);
            if !self.is_settled(&best.line) {
                continue;
            }
            let begun = self.budget.nodes();
            self.pause = begun + (begun - proving).saturating_sub(proving);
            while self.deepen(Aim::Proof, &mut proven) && !proven.worth.is_proven {}
            self.pause = u64::MAX;
            if proven.worth.is_proven {
                *best = proven;
                return;
            }
            proving += self.budget.nodes() - begun;
        }
    }

    /// Goes one ply deeper; gives whether that was finished, within the limits and the pause.
    fn deepen(&mut self, aim: Aim, found: &mut Found) -> bool {
        let depth = found.depth + 1;
        if !self.prepare(aim, depth) {
            return false;
        }
        self.find_best(depth, found);
        !self.is_stopped()
    }

    /// Makes ready for an iteration; `false` if there is none of this depth.
    fn prepare(&mut self, aim: Aim, depth: u32) -> bool {
        let left = MOST_MOVES - self.state.made;
        if depth > left || depth > 1 && !self.budget.allows_depth(depth) {
            return false;
        }
        self.aim = aim;
        self.is_numbered = self.state.made + 2 * depth >= MOST_MOVES;
        self.is_last = depth == left;
        true
    }

    /// Whether the line ends in a position with settled scores.
    fn is_settled(&mut self, line: &[u8]) -> bool {
        for &colour in line {
            let choice = self.state.choice(colour);
            self.state.play(&choice);
        }
        let is_settled = self.state.worth().is_proven;
        for _ in line {
            self.state.take_back();
        }
        is_settled
    }

    /// Puts a colour that gains more in the place of the best, if it is proven to be as good: so
    /// that a decided game is not drawn out.
    fn prefer_gain(&mut self, found: &mut Found) {
        for choice in self.by_gain() {
            if choice.gain <= self.state.choice(found.line[0]).gain {
                continue;
            }
            let value = found.worth.value;
            let worth = self.below(0, choice, found.depth - 1, value - 1, value + 1);
            if self.is_stopped() {
                return;
            }
            if worth.is_proven && worth.value == value {
                found.note(choice.colour, &self.lines[1]);
            }
        }
    }

    /// The three colours by what they gain; equals in their own order.
    fn by_gain(&self) -> [Choice; 3] {
        self.order(0, NONE)
    }

    /// The other colours, the better one first: searched deeper and deeper up to the depth of the
    /// best, or until they are proven as well. An iteration counts if it was finished, or if nothing
    /// was known before.
    fn find_others(&mut self, best: &Found, values: &BestValues) -> Vec<Found> {
        let aim = match best.worth.is_proven {
            true => Aim::Proof,
            false => Aim::Depth,
        };
        let mut known: Vec<Found> = Vec::new();
        for depth in 1..=MOST_MOVES {
            // The proof of another colour may need more depth than that of the best.
            let is_enough = aim == Aim::Depth && depth > best.depth.max(1);
            if is_enough || !self.prepare(aim, depth) {
                break;
            }
            let most = match aim {
                Aim::Depth => values.at(depth).saturating_add(1),
                Aim::Proof => best.worth.value + 1,
            };
            let mut next: Vec<Found> = Vec::new();
            for choice in self.by_gain() {
                if choice.colour == best.line[0] {
                    continue;
                }
                let before = known.iter().find(|found| found.line[0] == choice.colour);
                let middle = before.map(|found| found.worth.value);
                let mut worth = self.widen(middle, |search, alpha, beta| {
                    let beta = beta.min(most).max(alpha + 1);
                    search.below(0, choice, depth - 1, alpha, beta)
                });
                if self.is_stopped() {
                    break;
                }
                if worth.value >= most {
                    worth = Worth {
                        value: most - 1,
                        is_proven: false,
                    };
                }
                let mut found = Found {
                    line: Vec::new(),
                    worth,
                    depth,
                    nodes: 0,
                };
                found.note(choice.colour, &self.lines[1]);
                next.push(found);
            }
            if self.is_stopped() && !known.is_empty() {
                break;
            }
            known = next;
            if self.is_stopped() || known.iter().all(|found| found.worth.is_proven) {
                break;
            }
        }
        if aim == Aim::Depth {
            for found in &mut known {
                let Worth { value, is_proven } = found.worth;
                let (value, is_proven) = values.compare(found.depth, value, is_proven);
                found.worth = Worth { value, is_proven };
            }
        }
        sort_by_worth(&mut known);
        known
    }

    /// Searches with a window around `middle`, and widens it until the result lies within it.
    fn widen(
        &mut self,
        middle: Option<i32>,
        mut search: impl FnMut(&mut Self, i32, i32) -> Worth,
    ) -> Worth {
        let mut half = WINDOW;
        let (mut alpha, mut beta) =
            middle.map_or((-INFINITE, INFINITE), |value| (value - half, value + half));
        loop {
            let worth = search(self, alpha, beta);
            if self.is_stopped() || worth.value > alpha && worth.value < beta {
                return worth;
            }
            half *= 4;
            if worth.value <= alpha {
                alpha = (worth.value - half).max(-INFINITE);
            } else {
                beta = (worth.value + half).min(INFINITE);
            }
        }
    }

    /// One iteration. What is found before it is stopped is kept if it is better.
    fn find_best(&mut self, depth: u32, found: &mut Found) {
        let middle = (depth > 2).then_some(found.worth.value);
        let worth = self.widen(middle, |search, alpha, beta| {
            search.root(depth, alpha, beta, found)
        });
        if !self.is_stopped() {
            found.worth = worth;
            found.depth = depth;
        }
    }

    /// The root within a window; a colour that turns out better than alpha is noted at once.
    fn root(&mut self, depth: u32, mut alpha: i32, beta: i32, found: &mut Found) -> Worth {
        let order = self.order(0, found.line[0]);
        let mut best = -INFINITE;
        let mut all_proven = true;
        let mut best_proven = false;
        for (i, choice) in order.into_iter().enumerate() {
            let mut worth;
            if i == 0 {
                worth = self.below(0, choice, depth - 1, alpha, beta);
            } else {
                worth = self.below(0, choice, depth - 1, alpha, alpha + 1);
                if !self.is_stopped() && worth.value > alpha && worth.value < beta {
                    worth = self.below(0, choice, depth - 1, alpha, beta);
                }
            }
            if self.is_stopped() {
                break;
            }
            all_proven &= worth.is_proven;
            if worth.value > best {
                best = worth.value;
                best_proven = worth.is_proven;
                if worth.value > alpha {
                    alpha = worth.value;
                    found.note(choice.colour, &self.lines[1]);
                    if worth.value >= beta {
                        break;
                    }
                    found.worth = Worth {
                        value: worth.value,
                        is_proven: false,
                    };
                }
            }
        }
        Worth {
            value: best,
            is_proven: if best >= beta {
                best_proven
            } else {
                all_proven
            },
        }
    }
}
