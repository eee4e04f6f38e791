//! Principal variation search over the three colours.
//!
//! A result carries whether it is proven: whether every value it rests on is a final score, so that
//! searching deeper cannot change it. Proven results serve at any depth.
//!
//! Values change slowly from one depth to the next: at 20x20 those of searches 12 and 16 plies deep
//! differ by 6 squares (standard deviation over 600 positions), those of 4 and 8 plies by 10. So
//! where a shallower search finds a position far outside the window, a deeper one is left out
//! ("ProbCut"). That takes a second's search from 27 to 29 plies to 33 to 40 at 20x20, and from 24 or
//! 25 to 29 to 36 at 50x50, but such a result proves nothing: a proof has to do without.
//!
//! Positions that differ in nothing but the number of moves share their results as long as the
//! last move of the game is so far away that no search reaches it from either.

use floe_rules::flood::MOST_MOVES;

use super::reach::Worth;
use super::state::{Choice, SearchState};
use super::table::{Bound, FloodEntry, FloodTable, Leaves};
use crate::{Budget, Limits};

pub(super) const INFINITE: i32 = 1 << 29;
/// No colour.
pub(super) const NONE: u8 = 7;

/// Up to this depth a position is not searched whose worth is far outside the window.
const PRUNED: u32 = 4;
/// That distance, per ply and square of border.
const MARGIN: i32 = 6;
/// From this depth on the colour that promises least is first searched one ply less.
const REDUCED: u32 = 3;
/// From this depth on a shallower search is asked first: if it says that a position is outside the
/// window by so much that searching deeper will hardly bring it back, that is not done.
const PROBED: u32 = 6;
/// That reduction, in plies.
const SHALLOWER: u32 = 4;

pub(super) struct Search<'a, const W: usize, const N: usize> {
    pub(super) state: SearchState<W, N>,
    table: &'a FloodTable,
    leaves: Leaves,
    pub(super) budget: Budget,
    /// By ply, the colour that last refuted a move there.
    killers: Vec<u8>,
    /// By ply, the best line from there.
    pub(super) lines: Vec<Vec<u8>>,
    /// About how many squares long the border between the territories will be.
    border: i32,
    /// How far outside the window a shallow search must see a position before its result counts.
    doubt: i32,
    /// The aim of the search.
    pub(super) aim: Aim,
    pub(super) is_numbered: bool,
    /// Whether the iteration reaches the last move of the game: then it prunes nothing.
    pub(super) is_last: bool,
    /// Number of nodes after which an attempt at a proof pauses.
    pub(super) pause: u64,
}

/// The aim of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// To see far.
    Depth,
    /// To prove the value.
    Proof,
}

impl Aim {
    /// Keeps the results of both aims apart in the table.
    fn salt(self) -> u64 {
        match self {
            Aim::Depth => 0,
            Aim::Proof => 0x9e37_79b9_7f4a_7c15,
        }
    }
}

impl<'a, const W: usize, const N: usize> Search<'a, W, N> {
    pub(super) fn new(state: SearchState<W, N>, table: &'a FloodTable, limits: &Limits) -> Self {
        let plies = (MOST_MOVES - state.made) as usize + 2;
        let border = state.field.free.isqrt() as i32;
        Search {
            border,
            doubt: border * (border * 15 / 4).min(68),
            state,
            table,
            leaves: Leaves::new(),
            budget: Budget::new(limits),
            killers: vec![NONE; plies],
            lines: vec![Vec::new(); plies],
            aim: Aim::Depth,
            is_numbered: false,
            is_last: false,
            pause: u64::MAX,
        }
    }

    /// Whether the limits or a pause end the present search.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.budget.is_spent() || self.budget.nodes() >= self.pause
    }

    /// The worth of a choice at a ply, for who makes it.
    #[inline]
    pub(super) fn below(
        &mut self,
        ply: usize,
        choice: Choice,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Worth {
        let worth = self.after(ply + 1, choice, depth, -beta, -alpha);
        Worth {
            value: -worth.value,
            is_proven: worth.is_proven,
        }
    }

    /// The worth of the position after a choice, for who moves there. The move is only made when
    /// nothing is remembered that serves.
    fn after(
        &mut self,
        ply: usize,
        mut choice: Choice,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Worth {
        if self.is_stopped() || !self.budget.spend() {
            return Worth {
                value: 0,
                is_proven: false,
            };
        }
        self.lines[ply].clear();
        let key = self.state.key_after(&choice, self.is_numbered) ^ self.aim.salt();
        if depth == 0 {
            if let Some(worth) = self.leaves.find(key) {
                return worth;
            }
            let worth = self.state.worth_after(&mut choice);
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
            let worth = self.state.worth_after(&mut choice);
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

    /// Whether a value is so far outside a window that a search this shallow is left out.
    #[inline]
    fn is_far(&self, worth: Worth, depth: u32, alpha: i32, beta: i32) -> bool {
        let margin = self.border * MARGIN * depth as i32;
        worth.is_proven
            || depth <= PRUNED
                && !self.is_last
                && (worth.value - margin >= beta || worth.value + margin <= alpha)
    }

    /// A bound that a shallower search makes likely enough to do without the deeper one.
    fn probe(&mut self, ply: usize, key: u64, first: u8, depth: u32, beta: i32) -> Option<Worth> {
        // A quarter more than the standard deviation of what the last plies change.
        let margin = self.doubt * (40 - depth.min(26) as i32) / 40;
        let is_high = self.state.worth().value >= beta;
        let (shift, bound) = if is_high {
            (margin, Bound::Lower)
        } else {
            (-margin, Bound::Upper)
        };
        let beta = beta + shift;
        let worth = self.search(ply, key, first, depth - SHALLOWER, beta - 1, beta);
        if self.is_stopped() {
            return Some(worth);
        }
        if (worth.value >= beta) != is_high {
            return None;
        }
        if worth.is_proven {
            return Some(worth);
        }
        let value = worth.value - shift;
        let entry = FloodEntry {
            value,
            depth: depth as u8,
            bound,
            is_proven: false,
            colour: self.table.find(key).map_or(first, |entry| entry.colour),
        };
        self.table.keep(key, entry);
        Some(Worth {
            value,
            is_proven: false,
        })
    }

    fn search(
        &mut self,
        ply: usize,
        key: u64,
        mut first: u8,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Worth {
        if depth >= PROBED && beta - alpha == 1 && self.aim == Aim::Depth && !self.is_last {
            if let Some(worth) = self.probe(ply, key, first, depth, beta) {
                return worth;
            }
            if let Some(entry) = self.table.find(key) {
                first = entry.colour;
            }
        }
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
                let mut is_better = !self.is_stopped() && worth.value > alpha;
                if is_reduced && is_better && !worth.is_proven {
                    worth = self.below(ply, choice, depth - 1, alpha, alpha + 1);
                    is_better = !self.is_stopped() && worth.value > alpha;
                }
                if is_better && worth.value < beta {
                    worth = self.below(ply, choice, depth - 1, alpha, beta);
                }
            }
            if self.is_stopped() {
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
            FloodEntry {
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
    pub(super) fn order(&self, ply: usize, first: u8) -> [Choice; 3] {
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
