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

/// The half width of the first window around the value of the iteration before.
const WINDOW: i32 = 128;

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// The best move.
    Best,
    /// All moves, the best first.
    All,
}

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

/// Where the iteration before put a colour.
fn place_before(all: &[Found], colour: u8) -> Option<usize> {
    all.iter()
        .position(|found| found.depth > 0 && found.line[0] == colour)
}

/// Puts colours in the order that the iteration before found. Boards of all sizes share this code,
/// and that of the next function.
fn sort_as_before(choices: &mut [Choice], all: &[Found]) {
    choices.sort_by_key(|choice| place_before(all, choice.colour));
}

/// Puts the best first; the gain decides between equals.
fn sort_by_worth(found: &mut [(Found, u32)]) {
    found.sort_by_key(|(found, gain)| std::cmp::Reverse((found.worth.value, *gain)));
}

fn is_proven(all: &[Found]) -> bool {
    all.iter().all(|found| found.worth.is_proven)
}

impl<const W: usize, const N: usize> Search<'_, W, N> {
    /// Searches until the limits or a proof end it. Asked for all moves, it searches them to the
    /// same depth; if not even the first iteration is finished, those that were not reached are
    /// left out, but never all.
    pub(super) fn run(&mut self, ask: Question) -> Vec<Found> {
        let mut all = vec![Found {
            line: vec![self.by_gain()[0].colour],
            worth: self.state.worth(),
            depth: 0,
            nodes: 0,
        }];
        if ask == Question::All || !is_proven(&all) {
            all = self.take_turns(ask, all);
        }
        if ask == Question::Best {
            if is_proven(&all) && all[0].depth > 0 {
                self.prefer_gain(&mut all[0]);
            }
            all[0].nodes = self.budget.nodes();
        }
        all
    }

    /// Searches for depth and for a proof by turns.
    fn take_turns(&mut self, ask: Question, mut all: Vec<Found>) -> Vec<Found> {
        let mut proven = all.clone();
        let mut proving = 0;
        while self.deepen(ask, Aim::Depth, &mut all) && !is_proven(&all) {
            if !self.is_settled(&all[0].line) {
                continue;
            }
            let begun = self.budget.nodes();
            self.pause = begun + (begun - proving).saturating_sub(proving);
            while self.deepen(ask, Aim::Proof, &mut proven) && !is_proven(&proven) {}
            self.pause = u64::MAX;
            if is_proven(&proven) {
                return proven;
            }
            proving += self.budget.nodes() - begun;
        }
        all
    }

    /// Goes one ply deeper; gives whether that was finished, within the limits and the pause.
    fn deepen(&mut self, ask: Question, aim: Aim, all: &mut Vec<Found>) -> bool {
        let depth = all[0].depth + 1;
        let left = MOST_MOVES - self.state.made;
        if depth > left || depth > 1 && !self.budget.allows_depth(depth) {
            return false;
        }
        self.aim = aim;
        self.is_numbered = self.state.made + 2 * depth >= MOST_MOVES;
        self.is_last = depth == left;
        match ask {
            Question::Best => self.find_best(depth, &mut all[0]),
            Question::All => self.find_all(depth, all),
        }
        !self.is_stopped()
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

    /// One iteration over all colours, in the order that the one before found. If it is stopped,
    /// nothing is kept unless nothing was known.
    fn find_all(&mut self, depth: u32, all: &mut Vec<Found>) {
        let mut choices = self.by_gain();
        sort_as_before(&mut choices, all);
        let mut next = Vec::new();
        for choice in choices {
            let known = place_before(all, choice.colour).map(|i| &all[i]);
            let begun = self.budget.nodes();
            let middle = known.map(|found| found.worth.value);
            let worth = self.widen(middle, |search, alpha, beta| {
                search.below(0, choice, depth - 1, alpha, beta)
            });
            if self.is_stopped() {
                break;
            }
            let mut found = Found {
                line: Vec::new(),
                worth,
                depth,
                nodes: self.budget.nodes() - begun + known.map_or(0, |found| found.nodes),
            };
            found.note(choice.colour, &self.lines[1]);
            next.push((found, choice.gain));
        }
        if next.is_empty() || next.len() < choices.len() && all[0].depth > 0 {
            return;
        }
        sort_by_worth(&mut next);
        *all = next.into_iter().map(|(found, _)| found).collect();
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
