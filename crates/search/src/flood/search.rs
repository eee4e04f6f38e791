//! Iterative deepening with principal variation search over the three colours.
//!
//! A result carries whether it is proven: whether every value it rests on is certain, so that
//! searching deeper cannot change it. Proven results serve at any depth, and a proven root ends
//! the search.
//!
//! Positions that differ in nothing but the number of moves share their results as long as the
//! last move of the game is so far away that no search reaches it from either.

use floe_rules::flood::MOST_MOVES;

use super::field::Field;
use super::reach::Worth;
use super::state::State;
use super::table::{Bound, Entry, Leaves, Table};
use crate::Limits;

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
    field: Field<W, N>,
    stack: Vec<State<W>>,
    table: &'a mut Table,
    leaves: Leaves,
    limits: &'a Limits,
    nodes: u64,
    /// The number of nodes at which to look at the clock.
    next_look: u64,
    is_stopped: bool,
    /// By ply, the colour that last refuted a move there.
    killers: Vec<u8>,
    /// By ply, the best line from there.
    lines: Vec<Vec<u8>>,
    is_numbered: bool,
    /// Whether the iteration goes to the last move of the game: then nothing is left out.
    is_last: bool,
}

impl<'a, const W: usize, const N: usize> Search<'a, W, N> {
    pub(super) fn new(
        field: Field<W, N>,
        root: State<W>,
        table: &'a mut Table,
        limits: &'a Limits,
    ) -> Self {
        let plies = (MOST_MOVES - root.made) as usize + 2;
        Search {
            field,
            stack: vec![root; plies],
            table,
            leaves: Leaves::new(),
            limits,
            nodes: 0,
            next_look: 0,
            is_stopped: false,
            killers: vec![NONE; plies],
            lines: vec![Vec::new(); plies],
            is_numbered: false,
            is_last: false,
        }
    }

    /// Searches until the limits or a proof end it.
    pub(super) fn run(&mut self) -> Found {
        let root = self.stack[0];
        let mut found = Found {
            line: vec![self.greediest()],
            worth: root.worth(&self.field),
            depth: 0,
            nodes: 0,
        };
        let left = MOST_MOVES - root.made;
        let deepest = self.limits.depth.map_or(left, |depth| depth.clamp(1, left));
        if !found.worth.is_proven {
            for depth in 1..=deepest {
                self.is_numbered = root.made + 2 * depth >= MOST_MOVES;
                self.is_last = depth == left;
                self.deepen(depth, &mut found);
                if self.is_stopped || found.worth.is_proven {
                    break;
                }
            }
        }
        if found.worth.is_proven && found.depth > 0 {
            self.prefer_gain(&mut found);
        }
        found.nodes = self.nodes;
        found
    }

    /// Puts a colour that gains more in the place of the best, if it is proven to be as good: so
    /// that nobody dithers.
    fn prefer_gain(&mut self, found: &mut Found) {
        let root = self.stack[0];
        let gain = |search: &Self, c| search.field.size(&root.gained(&search.field, c));
        for colour in root.choices() {
            if gain(self, colour) <= gain(self, found.line[0]) {
                continue;
            }
            root.play_into(&self.field, colour, &mut self.stack[1]);
            let value = found.worth.value;
            let worth = self.below(0, found.depth - 1, value - 1, value + 1);
            if self.is_stopped {
                return;
            }
            if worth.is_proven && worth.value == value {
                found.note(colour, &self.lines[1]);
            }
        }
    }

    /// The colour that gains most; the first of equals.
    fn greediest(&self) -> u8 {
        let root = &self.stack[0];
        let mut best = (None, NONE);
        for colour in root.choices() {
            let gain = Some(self.field.size(&root.gained(&self.field, colour)));
            if gain > best.0 {
                best = (gain, colour);
            }
        }
        best.1
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
            if self.is_stopped {
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
        let root = self.stack[0];
        let mut order = root.choices();
        let first = found.line[0];
        let gain = |c: u8| self.field.size(&root.gained(&self.field, c));
        order.sort_by_key(|&c| (c != first, std::cmp::Reverse(gain(c))));
        let mut best = -INFINITE;
        let mut all_proven = true;
        let mut best_proven = false;
        for (i, colour) in order.into_iter().enumerate() {
            let (before, after) = self.stack.split_at_mut(1);
            before[0].play_into(&self.field, colour, &mut after[0]);
            let mut worth;
            if i == 0 {
                worth = self.below(0, depth - 1, alpha, beta);
            } else {
                worth = self.below(0, depth - 1, alpha, alpha + 1);
                if !self.is_stopped && worth.value > alpha && worth.value < beta {
                    worth = self.below(0, depth - 1, alpha, beta);
                }
            }
            if self.is_stopped {
                break;
            }
            all_proven &= worth.is_proven;
            if worth.value > best {
                best = worth.value;
                best_proven = worth.is_proven;
                if worth.value > alpha {
                    alpha = worth.value;
                    found.note(colour, &self.lines[1]);
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

    /// The worth of the next ply's position, seen from this one.
    #[inline]
    fn below(&mut self, ply: usize, depth: u32, alpha: i32, beta: i32) -> Worth {
        let worth = self.search(ply + 1, depth, -beta, -alpha);
        Worth {
            value: -worth.value,
            is_proven: worth.is_proven,
        }
    }

    fn look_at_clock(&mut self) {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) || self.limits.is_over() {
            self.is_stopped = true;
            return;
        }
        let step = if W > 8 { 32 } else { 256 };
        self.next_look = self.nodes + step;
        if let Some(most) = self.limits.nodes {
            self.next_look = self.next_look.min(most);
        }
    }

    /// The worth of a position that is looked at and not searched.
    #[inline]
    fn leaf(&mut self, ply: usize, key: u64) -> Worth {
        if let Some(worth) = self.leaves.find(key) {
            return worth;
        }
        let worth = self.stack[ply].worth(&self.field);
        self.leaves.keep(key, worth);
        worth
    }

    fn search(&mut self, ply: usize, depth: u32, mut alpha: i32, beta: i32) -> Worth {
        self.nodes += 1;
        if self.nodes > self.next_look {
            self.look_at_clock();
            if self.is_stopped {
                return Worth {
                    value: 0,
                    is_proven: false,
                };
            }
        }
        let is_principal = beta - alpha > 1;
        self.lines[ply].clear();
        let key = self.stack[ply].table_key(self.is_numbered);
        if depth == 0 {
            return self.leaf(ply, key);
        }
        let margin = self.field.border * MARGIN * depth as i32;
        let can_prune = !is_principal && depth <= PRUNED && !self.is_last;
        let is_far = |worth: Worth| {
            worth.is_proven
                || can_prune && (worth.value - margin >= beta || worth.value + margin <= alpha)
        };
        // The small cache first: it is nearer than the table.
        if can_prune && let Some(worth) = self.leaves.find(key).filter(|&worth| is_far(worth)) {
            return worth;
        }
        let entry = self.table.find(key);
        let mut first = NONE;
        if let Some(entry) = entry {
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
        if self.stack[ply].is_over() {
            return self.stack[ply].worth(&self.field);
        }
        let worth = self.leaf(ply, key);
        if is_far(worth) {
            return worth;
        }
        let order = self.order(ply, first);
        let low = alpha;
        let mut best = -INFINITE;
        let mut best_colour = NONE;
        let mut all_proven = true;
        for (i, colour) in order.into_iter().enumerate() {
            let (before, after) = self.stack.split_at_mut(ply + 1);
            before[ply].play_into(&self.field, colour, &mut after[0]);
            let mut worth;
            if i == 0 {
                worth = self.below(ply, depth - 1, alpha, beta);
            } else {
                let is_reduced = i == 2 && depth >= REDUCED && !self.is_last;
                worth = self.below(ply, depth - 1 - u32::from(is_reduced), alpha, alpha + 1);
                if is_reduced && !self.is_stopped && worth.value > alpha && !worth.is_proven {
                    worth = self.below(ply, depth - 1, alpha, alpha + 1);
                }
                if !self.is_stopped && worth.value > alpha && worth.value < beta {
                    worth = self.below(ply, depth - 1, alpha, beta);
                }
            }
            if self.is_stopped {
                return worth;
            }
            all_proven &= worth.is_proven;
            if worth.value > best {
                best = worth.value;
                best_colour = colour;
                if worth.value > alpha {
                    alpha = worth.value;
                    if worth.value >= beta {
                        all_proven = worth.is_proven;
                        self.killers[ply] = colour;
                        break;
                    }
                    let (above, below) = self.lines.split_at_mut(ply + 1);
                    above[ply].clear();
                    above[ply].push(colour);
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
    fn order(&self, ply: usize, first: u8) -> [u8; 3] {
        let state = &self.stack[ply];
        let killer = self.killers[ply];
        let mut order = state.choices().map(|colour| {
            let rank = if colour == first {
                1 << 30
            } else {
                let gain = self.field.size(&state.gained(&self.field, colour));
                if colour == killer {
                    gain + (1 << 29)
                } else {
                    gain
                }
            };
            (rank, colour)
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
        order.map(|(_, colour)| colour)
    }
}
