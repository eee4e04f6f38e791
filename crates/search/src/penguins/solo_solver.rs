//! How many fish one seat can still collect where no other seat can go.
//!
//! A private region is a puzzle for one: the longest collecting path, for several penguins at once.
//! Branch and bound solves it. The solver drops what penguins cannot reach any more, solves parts
//! that no penguin connects one by one, and stores solved parts by their floes and penguins, so
//! that the order in which penguins move costs nothing twice. No result exceeds the fish that are
//! left; and of the *last stops*, floes that can be entered but never left, each penguin gets one
//! at most. A floe is a last stop if exactly one floe is next to it and the field behind that floe
//! is water: no penguin can slide past it and come back.

use floe_rules::key::mix;

use super::board::{SearchBoard, Step};
use super::set::FieldSet;
use crate::Budget;
use crate::sort::often;

/// The longest path that is followed.
const DEEPEST: usize = 160;

/// The most penguins of one part.
const PENGUINS: usize = 8;

/// The most floes of a region that is looked at.
const LARGEST: u32 = 1000;

/// Slots of the memory.
const SLOTS: usize = 1 << 16;

/// Bounds of what one seat's penguins can collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Yield {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl Yield {
    pub(super) fn is_exact(self) -> bool {
        self.least == self.most
    }
}

/// Penguins and the floes they can reach.
#[derive(Debug, Clone, Copy)]
struct SoloRegion<const N: usize> {
    floes: FieldSet<N>,
    penguins: [u16; PENGUINS],
    count: usize,
}

impl<const N: usize> SoloRegion<N> {
    fn penguins(&self) -> &[u16] {
        &self.penguins[..self.count]
    }

    /// Sorted, so that the same penguins are the same part however they came there.
    fn add(&mut self, at: u16) {
        self.penguins[self.count] = at;
        self.count += 1;
        often(&mut self.penguins[..self.count], |&at| at.into());
    }

    fn key(&self, words: usize) -> u64 {
        let penguins = self.penguins().iter();
        let hash = penguins.fold(self.floes.hash(words), |hash, &at| {
            (hash ^ u64::from(at))
                .wrapping_mul(0xbf58_476d_1ce4_e5b9)
                .rotate_left(31)
        });
        mix(hash)
    }
}

/// A stored result for a part.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    least: u16,
    most: u16,
    /// Nodes that were spent on it from outside.
    tried: u32,
}

/// The stored yields of private regions.
#[derive(Debug)]
pub(super) struct SoloMemory {
    slots: Vec<Slot>,
    /// Separates this search's entries from those of others.
    salt: u64,
}

impl SoloMemory {
    pub(super) fn new() -> Self {
        SoloMemory {
            slots: Vec::new(),
            salt: 0,
        }
    }

    /// Forgets everything: what comes does not depend on what was.
    pub(super) fn forget(&mut self) {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); SLOTS];
        }
        self.salt = mix(self.salt);
    }

    #[inline]
    fn slot(&mut self, key: u64) -> (&mut Slot, u64) {
        (&mut self.slots[key as usize % SLOTS], key ^ self.salt)
    }
}

/// One puzzle.
pub(super) struct SoloSolver<'a, const N: usize, const S: usize> {
    board: &'a SearchBoard<N, S>,
    memory: &'a mut SoloMemory,
    budget: &'a mut Budget,
    /// Nodes left.
    left: u32,
    /// The best first move so far.
    first: Option<Step>,
}

/// Boards of all sizes share this code.
fn sort_by_order(moves: &mut [(i32, Step)]) {
    often(moves, |&(order, _)| order);
}

impl<'a, const N: usize, const S: usize> SoloSolver<'a, N, S> {
    pub(super) fn new(
        board: &'a SearchBoard<N, S>,
        memory: &'a mut SoloMemory,
        budget: &'a mut Budget,
    ) -> Self {
        SoloSolver {
            board,
            memory,
            budget,
            left: 0,
            first: None,
        }
    }

    /// Fish that a seat's penguins can collect of `floes`, which are all they can reach and no
    /// other seat can. Spends at most `nodes` on each part that is not known yet.
    pub(super) fn pick(&mut self, seat: usize, floes: &FieldSet<N>, nodes: u32) -> Yield {
        let penguins = self.board.penguins(seat).iter();
        let key = mix(penguins.fold(floes.hash(self.board.words()), |key, &at| {
            key ^ mix(at.into())
        }));
        let (slot, mark) = self.memory.slot(key);
        if slot.key == mark && (slot.least == slot.most || slot.tried >= nodes) {
            return Yield {
                least: slot.least.into(),
                most: slot.most.into(),
            };
        }
        let mut sum = Yield { least: 0, most: 0 };
        match self.parts(floes, self.board.penguins(seat)) {
            Some(parts) if floes.count() <= LARGEST => {
                for part in &parts {
                    let known = self.pick_part(part, nodes);
                    sum.least += known.least;
                    sum.most += known.most;
                }
            }
            _ => sum.most = self.board.fish_on(floes),
        }
        let (slot, mark) = self.memory.slot(key);
        *slot = Slot {
            key: mark,
            least: sum.least as u16,
            most: sum.most.min(u16::MAX.into()) as u16,
            tried: nodes,
        };
        sum
    }

    /// The first move of a way to collect as much as can be found, with what that is. Spends at
    /// most `nodes` on each part.
    pub(super) fn plan(
        &mut self,
        seat: usize,
        floes: &FieldSet<N>,
        nodes: u32,
    ) -> (Option<Step>, Yield) {
        let mut sum = Yield { least: 0, most: 0 };
        let mut plan = None;
        let parts = self.parts(floes, self.board.penguins(seat));
        let Some(parts) = parts.filter(|_| floes.count() <= LARGEST) else {
            sum.most = self.board.fish_on(floes);
            return (None, sum);
        };
        for part in &parts {
            self.left = nodes;
            self.first = None;
            let most = self.most(part);
            let value = self.search(part, -1, 0);
            plan = plan.or(self.first);
            sum.least += value.0;
            sum.most += if value.1 { value.0 } else { most };
        }
        (plan, sum)
    }

    fn pick_part(&mut self, part: &SoloRegion<N>, nodes: u32) -> Yield {
        let key = part.key(self.board.words());
        let (slot, mark) = self.memory.slot(key);
        if slot.key == mark && (slot.least == slot.most || slot.tried >= nodes) {
            return Yield {
                least: slot.least.into(),
                most: slot.most.into(),
            };
        }
        self.left = nodes;
        let (value, exact) = self.search(part, -1, 0);
        let most = if exact { value } else { self.most(part) };
        let (slot, mark) = self.memory.slot(key);
        *slot = Slot {
            key: mark,
            least: value as u16,
            most: most as u16,
            tried: nodes,
        };
        Yield { least: value, most }
    }

    /// The floes beside some fields.
    #[inline(always)]
    fn beside(&self, fields: &FieldSet<N>, within: &FieldSet<N>) -> FieldSet<N> {
        let stride = self.board.stride();
        let along = fields.raised_by(1).or(&fields.lowered_by(1));
        let across = fields.raised_by(stride).or(&fields.lowered_by(stride));
        along.or(&across).and(within)
    }

    /// All floes that can be walked to from some of them.
    #[inline(always)]
    fn flood(&self, from: &FieldSet<N>, within: &FieldSet<N>) -> FieldSet<N> {
        let stride = self.board.stride();
        let mut all = *from;
        loop {
            let before = all;
            all.spread_up(within, 1);
            all.spread_up(within, stride);
            all.spread_down(within, 1);
            all.spread_down(within, stride);
            if all == before {
                return all;
            }
        }
    }

    /// Divides penguins and floes so that no penguin reaches floes of two parts. `None` if too
    /// many belong together.
    fn parts(&self, floes: &FieldSet<N>, penguins: &[u16]) -> Option<Vec<SoloRegion<N>>> {
        let mut parts: Vec<SoloRegion<N>> = Vec::new();
        for &at in penguins {
            let mut one = FieldSet::EMPTY;
            one.insert(at.into());
            let beside = self.beside(&one, floes);
            if beside.is_empty() {
                continue;
            }
            let mut part = SoloRegion {
                floes: self.flood(&beside, floes),
                penguins: [0; PENGUINS],
                count: 0,
            };
            part.add(at);
            // Parts that share floes with it merge into it.
            let mut i = 0;
            while i < parts.len() {
                if !parts[i].floes.intersects(&part.floes) {
                    i += 1;
                    continue;
                }
                let other = parts.swap_remove(i);
                if other.count + part.count > PENGUINS {
                    return None;
                }
                part.floes = part.floes.or(&other.floes);
                other.penguins().iter().for_each(|&at| part.add(at));
            }
            parts.push(part);
        }
        Some(parts)
    }

    /// More than can be collected of a part, or as much.
    #[inline(always)]
    fn most(&self, part: &SoloRegion<N>) -> i32 {
        let board = self.board;
        let stride = board.stride();
        let floes = &part.floes;
        let all = board.fish_on(floes);
        let mut open = *floes;
        part.penguins()
            .iter()
            .for_each(|&at| open.insert(at.into()));
        let right = open.raised_by(1);
        let left = open.lowered_by(1);
        let up = open.raised_by(stride);
        let down = open.lowered_by(stride);
        // By the side their only neighbour is on, which the set was shifted from.
        let (across, along) = (up.or(&down), right.or(&left));
        let ends = [
            right.without(&left.or(&across)).without(&open.raised_by(2)),
            left.without(&right.or(&across))
                .without(&open.lowered_by(2)),
            up.without(&down.or(&along))
                .without(&open.raised_by(2 * stride)),
            down.without(&up.or(&along))
                .without(&open.lowered_by(2 * stride)),
        ];
        let ends = ends[0].or(&ends[1]).or(&ends[2].or(&ends[3]));
        let mut stops = floes.and(&ends);
        if stops.is_empty() {
            return all;
        }
        // A penguin beside the floe is no floe: then it has none beside it.
        for &at in part.penguins() {
            let mut one = FieldSet::EMPTY;
            one.insert(at.into());
            stops = stops.without(&self.beside(&one, floes));
        }
        let three = stops.and(&board.odd).count_and(&board.many) as i32;
        let two = stops.count_and(&board.many) as i32 - three;
        let one = stops.count() as i32 - three - two;
        let mut ends = part.count as i32;
        let mut best = 0;
        for (fish, count) in [(3, three), (2, two), (1, one)] {
            best += fish * count.min(ends);
            ends -= count.min(ends);
        }
        all - (3 * three + 2 * two + one) + best
    }

    /// Fish of a part, and whether the number is exact. If no more than `floor` can be collected,
    /// any number from the true one to `floor` counts as exact.
    fn search(&mut self, part: &SoloRegion<N>, floor: i32, depth: usize) -> (i32, bool) {
        let bound = self.most(part);
        if bound <= floor {
            return (bound, true);
        }
        if bound == 0 {
            return (0, true);
        }
        let key = part.key(self.board.words());
        let (slot, mark) = self.memory.slot(key);
        if slot.key == mark && depth > 0 {
            let (least, most) = (i32::from(slot.least), i32::from(slot.most));
            if least == most || most <= floor {
                return (most, true);
            }
        }
        if self.left == 0 || depth >= DEEPEST || !self.budget.spend() {
            return (0, false);
        }
        self.left -= 1;
        let (mut best, mut exact) = (0, true);
        let mut moves: Vec<(i32, Step)> = Vec::new();
        for &from in part.penguins() {
            self.board
                .for_each_target_in(&part.floes, from.into(), |to| {
                    let order = self.promise(&part.floes, from.into(), to);
                    moves.push((
                        order,
                        Step {
                            from,
                            to: to as u16,
                        },
                    ));
                });
        }
        sort_by_order(&mut moves);
        for &(_, step) in &moves {
            let fish = self.board.fish(step.to.into());
            let need = best.max(floor) - fish;
            let (value, proven) = self.after(part, step, need, depth);
            exact &= proven;
            if value + fish > best {
                best = value + fish;
                if depth == 0 {
                    self.first = Some(step);
                }
                if best >= bound {
                    exact = true;
                    break;
                }
            }
            if self.left == 0 || self.budget.is_spent() {
                exact = false;
                break;
            }
        }
        let capped = best.max(0) as u16;
        let (slot, mark) = self.memory.slot(key);
        if exact {
            *slot = Slot {
                key: mark,
                least: if best > floor { capped } else { 0 },
                most: capped,
                tried: 0,
            };
        }
        (best, exact)
    }

    /// Fish after a move: the sum over the parts it leaves.
    fn after(&mut self, part: &SoloRegion<N>, step: Step, floor: i32, depth: usize) -> (i32, bool) {
        let mut floes = part.floes;
        floes.remove(step.to.into());
        let mut penguins = [0; PENGUINS];
        penguins[..part.count].copy_from_slice(part.penguins());
        let penguins = &mut penguins[..part.count];
        for at in penguins.iter_mut().filter(|at| **at == step.from) {
            *at = step.to;
        }
        let Some(parts) = self.parts(&floes, penguins) else {
            return (0, false);
        };
        if let [only] = &parts[..] {
            return self.search(only, floor, depth + 1);
        }
        let bounds: i32 = parts.iter().map(|part| self.most(part)).sum();
        let (mut left, mut sum, mut exact) = (bounds, 0, true);
        for part in &parts {
            // Even the most of the others does not help if this one yields too little.
            let bound = self.most(part);
            left -= bound;
            if sum + bound + left <= floor {
                return (sum + bound + left, true);
            }
            let (value, proven) = self.search(part, floor - sum - left, depth + 1);
            sum += value;
            exact &= proven;
        }
        (sum, exact)
    }

    /// The lower, the earlier a move is tried: short slides to floes with few ways on.
    #[inline(always)]
    fn promise(&self, floes: &FieldSet<N>, from: usize, to: usize) -> i32 {
        let stride = self.board.stride();
        let has =
            |at: Option<usize>| i32::from(at.is_some_and(|at| at < N * 64 && floes.contains(at)));
        let ways = has(Some(to + 1))
            + has(Some(to + stride))
            + has(to.checked_sub(1))
            + has(to.checked_sub(stride));
        let apart = from.abs_diff(to);
        let is_step = apart == 1 || apart == stride;
        // A floe without ways on is an end: the last choice.
        let ways = if ways == 0 { 5 } else { ways };
        4 * ways + if is_step { 0 } else { 6 } - self.board.fish(to)
    }
}
