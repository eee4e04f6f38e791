//! Iterative deepening with principal variation search over the three colours.
//!
//! A result carries whether it is proven: whether every value it rests on is certain, so that
//! searching deeper cannot change it. Proven results serve at any depth, and a proven root ends
//! the search.
//!
//! Positions that differ in nothing but the number of moves share their results as long as the
//! last move of the game is so far away that no search reaches it from either.

use floe_rules::flood::MOST_MOVES;

use super::reach::Worth;
use super::state::{Choice, State};
use super::table::{Bound, Entry, Leaves, Table};
use crate::{Budget, Limits};

const INFINITE: i32 = 1 << 29;
/// No colour.
const NONE: u8 = 7;
/// The half width of the first window around the value of the iteration before.
const WINDOW: i32 = 128;

/// Up to this depth a position is not searched whose worth is far outside the window.
const PRUNED: u32 = 4;
/// How far that is, for each ply and each square of border.
const MARGIN: i32 = 6;
/// From this depth on the colour that promises least is first searched one ply less.
const REDUCED: u32 = 3;

/// What the search found.
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

pub(super) struct Search<'a, const W: usize, const N: usize> {
    state: State<W, N>,
    table: &'a mut Table,
    leaves: Leaves,
    budget: Budget,
    /// By ply, the colour that last refuted a move there.
    killers: Vec<u8>,
    /// By ply, the best line from there.
    lines: Vec<Vec<u8>>,
    /// About how many squares long the border between the territories will be.
    border: i32,
    is_numbered: bool,
    /// Whether the iteration goes to the last move of the game: then nothing is left out.
    is_last: bool,
}

impl<'a, const W: usize, const N: usize> Search<'a, W, N> {
    pub(super) fn new(state: State<W, N>, table: &'a mut Table, limits: &Limits) -> Self {
        let plies = (MOST_MOVES - state.made) as usize + 2;
        Search {
            border: state.field.free.isqrt() as i32,
            state,
            table,
            leaves: Leaves::new(),
            budget: Budget::new(limits),
            killers: vec![NONE; plies],
            lines: vec![Vec::new(); plies],
            is_numbered: false,
            is_last: false,
        }
    }

    /// How deep the iterations may go, and what of them is known before the first.
    fn begin(&mut self) -> (u32, Found) {
        let left = MOST_MOVES - self.state.made;
        let found = Found {
            line: vec![self.by_gain()[0].colour],
            worth: self.state.worth(),
            depth: 0,
            nodes: 0,
        };
        (left, found)
    }

    /// Makes ready for an iteration; gives whether the limits allow it.
    fn begin_depth(&mut self, depth: u32) -> bool {
        let left = MOST_MOVES - self.state.made;
        self.is_numbered = self.state.made + 2 * depth >= MOST_MOVES;
        self.is_last = depth == left;
        depth == 1 || self.budget.allows_depth(depth)
    }

    /// Searches until the limits or a proof end it.
    pub(super) fn run(&mut self) -> Found {
        let (deepest, mut found) = self.begin();
        if !found.worth.is_proven {
            for depth in 1..=deepest {
                if !self.begin_depth(depth) {
                    break;
                }
                self.deepen(depth, &mut found);
                if self.budget.is_spent() || found.worth.is_proven {
                    break;
                }
            }
        }
        if found.worth.is_proven && found.depth > 0 {
            self.prefer_gain(&mut found);
        }
        found.nodes = self.budget.nodes();
        found
    }

    /// Searches all three colours to the same depth until the limits or proofs end it; the best
    /// is the first. If not even the first iteration is finished, those that were not reached are
    /// left out, but never all.
    pub(super) fn run_all(&mut self) -> Vec<Found> {
        let (deepest, found) = self.begin();
        let mut choices = self.by_gain();
        let mut all: Vec<Found> = Vec::new();
        for depth in 1..=deepest {
            if !self.begin_depth(depth) {
                break;
            }
            let mut next = Vec::new();
            for (i, choice) in choices.into_iter().enumerate() {
                let before = self.budget.nodes();
                let middle = all.get(i).map(|found| found.worth.value);
                let worth = self.exact(choice, depth, middle);
                if self.budget.is_spent() {
                    break;
                }
                let mut one = Found {
                    line: Vec::new(),
                    worth,
                    depth,
                    nodes: self.budget.nodes() - before + all.get(i).map_or(0, |f| f.nodes),
                };
                one.note(choice.colour, &self.lines[1]);
                next.push((one, choice));
            }
            if next.len() < choices.len() && !all.is_empty() {
                break;
            }
            // The gain decides between equals, as the colours come in its order at first.
            next.sort_by_key(|(found, choice)| std::cmp::Reverse((found.worth.value, choice.gain)));
            for (to, (_, choice)) in choices.iter_mut().zip(&next) {
                *to = *choice;
            }
            all = next.into_iter().map(|(found, _)| found).collect();
            if self.budget.is_spent() || all.iter().all(|found| found.worth.is_proven) {
                break;
            }
        }
        if all.is_empty() {
            all.push(found);
        }
        all
    }

    /// The exact worth of a choice at the root, looked for around a value.
    fn exact(&mut self, choice: Choice, depth: u32, middle: Option<i32>) -> Worth {
        let mut half = WINDOW;
        let (mut alpha, mut beta) =
            middle.map_or((-INFINITE, INFINITE), |value| (value - half, value + half));
        loop {
            let worth = self.below(0, choice, depth - 1, alpha, beta);
            if self.budget.is_spent() || worth.value > alpha && worth.value < beta {
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

    /// Puts a colour that gains more in the place of the best, if it is proven to be as good: so
    /// that nobody dithers.
    fn prefer_gain(&mut self, found: &mut Found) {
        for choice in self.by_gain() {
            if choice.gain <= self.state.choice(found.line[0]).gain {
                continue;
            }
            let value = found.worth.value;
            let worth = self.below(0, choice, found.depth - 1, value - 1, value + 1);
            if self.budget.is_spent() {
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

    /// One iteration. What is found before it is stopped is kept if it is better.
    fn deepen(&mut self, depth: u32, found: &mut Found) {
        let mut half = WINDOW;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth > 2 {
            alpha = found.worth.value - half;
            beta = found.worth.value + half;
        }
        loop {
            let worth = self.root(depth, alpha, beta, found);
            if self.budget.is_spent() {
                return;
            }
            half *= 4;
            if worth.value <= alpha {
                alpha = (worth.value - half).max(-INFINITE);
            } else if worth.value >= beta {
                beta = (worth.value + half).min(INFINITE);
            } else {
                found.worth = worth;
                found.depth = depth;
                return;
            }
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
                if !self.budget.is_spent() && worth.value > alpha && worth.value < beta {
                    worth = self.below(0, choice, depth - 1, alpha, beta);
                }
            }
            if self.budget.is_spent() {
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

    /// The worth of a choice at a ply, for who makes it.
    #[inline]
    fn below(&mut self, ply: usize, choice: Choice, depth: u32, alpha: i32, beta: i32) -> Worth {
        let worth = self.after(ply + 1, choice, depth, -beta, -alpha);
        Worth {
            value: -worth.value,
            is_proven: worth.is_proven,
        }
    }

    /// The worth of the position after a choice, for who moves there. The move is only made when
    /// nothing is remembered that serves.
    fn after(&mut self, ply: usize, choice: Choice, depth: u32, alpha: i32, beta: i32) -> Worth {
        if !self.budget.spend() {
            return Worth {
                value: 0,
                is_proven: false,
            };
        }
        self.lines[ply].clear();
        let key = self.state.key_after(&choice, self.is_numbered);
        if depth == 0 {
            if let Some(worth) = self.leaves.find(key) {
                return worth;
            }
            let worth = self.state.worth_after(&choice);
            self.leaves.keep(key, worth);
            return worth;
        }
        let is_principal = beta - alpha > 1;
        if !is_principal
            && let Some(worth) = self.leaves.find(key)
            && self.is_far(worth, depth, alpha, beta)
        {
            return worth;
        }
        let mut first = NONE;
        if let Some(entry) = self.table.find(key) {
            first = entry.colour;
            let serves = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if serves && !is_principal && (entry.is_proven || u32::from(entry.depth) >= depth) {
                return Worth {
                    value: entry.value,
                    is_proven: entry.is_proven,
                };
            }
        }
        if !is_principal && depth <= PRUNED && !self.is_last {
            let worth = self.state.worth_after(&choice);
            if self.is_far(worth, depth, alpha, beta) {
                self.leaves.keep(key, worth);
                return worth;
            }
        }
        self.state.play(&choice);
        let worth = self.state.worth();
        let worth = if worth.is_proven || self.state.is_over() {
            self.leaves.keep(key, worth);
            worth
        } else {
            self.search(ply, key, first, depth, alpha, beta)
        };
        self.state.take_back();
        worth
    }

    /// Whether a worth is so far outside a window that a search so shallow is left out.
    #[inline]
    fn is_far(&self, worth: Worth, depth: u32, alpha: i32, beta: i32) -> bool {
        let margin = self.border * MARGIN * depth as i32;
        worth.is_proven
            || depth <= PRUNED
                && !self.is_last
                && (worth.value - margin >= beta || worth.value + margin <= alpha)
    }

    fn search(
        &mut self,
        ply: usize,
        key: u64,
        first: u8,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Worth {
        let order = self.order(ply, first);
        let low = alpha;
        let mut best = -INFINITE;
        let mut best_colour = NONE;
        let mut all_proven = true;
        for (i, choice) in order.into_iter().enumerate() {
            let mut worth;
            if i == 0 {
                worth = self.below(ply, choice, depth - 1, alpha, beta);
            } else {
                let is_reduced = i == 2 && depth >= REDUCED && !self.is_last;
                let less = u32::from(is_reduced);
                worth = self.below(ply, choice, depth - 1 - less, alpha, alpha + 1);
                let mut is_better = !self.budget.is_spent() && worth.value > alpha;
                if is_reduced && is_better && !worth.is_proven {
                    worth = self.below(ply, choice, depth - 1, alpha, alpha + 1);
                    is_better = !self.budget.is_spent() && worth.value > alpha;
                }
                if is_better && worth.value < beta {
                    worth = self.below(ply, choice, depth - 1, alpha, beta);
                }
            }
            if self.budget.is_spent() {
                return worth;
            }
            all_proven &= worth.is_proven;
            if worth.value > best {
                best = worth.value;
                best_colour = choice.colour;
                if worth.value > alpha {
                    alpha = worth.value;
                    if worth.value >= beta {
                        all_proven = worth.is_proven;
                        self.killers[ply] = choice.colour;
                        break;
                    }
                    let (above, below) = self.lines.split_at_mut(ply + 1);
                    above[ply].clear();
                    above[ply].push(choice.colour);
                    above[ply].extend_from_slice(&below[0]);
                }
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best <= low {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.table.keep(
            key,
            Entry {
                value: best,
                depth: depth as u8,
                bound,
                is_proven: all_proven,
                colour: best_colour,
            },
        );
        Worth {
            value: best,
            is_proven: all_proven,
        }
    }

    /// The three colours, the most promising first: the table's, the one that refuted a sister
    /// position, then by gain.
    #[inline]
    fn order(&self, ply: usize, first: u8) -> [Choice; 3] {
        let killer = self.killers[ply];
        let mut order = self.state.choices().map(|colour| {
            let choice = self.state.choice(colour);
            let rank = choice.gain
                + (u32::from(colour == first) << 30)
                + (u32::from(colour == killer) << 29);
            (rank, choice)
        });
        if order[1].0 > order[0].0 {
            order.swap(0, 1);
        }
        if order[2].0 > order[1].0 {
            order.swap(1, 2);
            if order[1].0 > order[0].0 {
                order.swap(0, 1);
            }
        }
        order.map(|(_, choice)| choice)
    }
}
