//! Best-first max^n: the search for three and more seats.
//!
//! Opponents may combine against any player, but the search does not assume it: every seat plays for
//! its own result (max^n). The tree grows by one position per round. A round walks down the moves
//! that are good for their player or little tried, to a position whose moves are not in the tree yet.
//! It evaluates the position after each of these moves for every seat, and adds them. The new values
//! then go back up the path in two forms: the scores after the best move of each player, and the mean
//! of the results that rounds brought. A move's share of the rounds grows with its static value, so a
//! bad move costs one evaluation and no more. Where a position has many moves, only those that were
//! good elsewhere are evaluated at first, and the others once rounds come by often.
//!
//! The tree knows no game. A [`Ground`] plays and evaluates; steps are numbers that only the ground
//! understands, so one compiled tree serves boards of all sizes.
//!
//! All arithmetic is exact in the sense of IEEE 754: the same nodes give the same tree on every
//! machine.

use crate::sort::{by_number, falling};
use crate::{Budget, Limits};

/// Memory limit of the tree.
const TREE_BYTES: usize = 64 << 20;
/// Rounds when the limits do not say how many.
const ENOUGH: u32 = 10_000;
/// Visits for each move in the tree before more moves of a position are evaluated.
const WIDEN: f64 = 2.0;

/// A position that can be played on and evaluated.
pub(crate) trait Ground {
    /// Number of seats.
    fn seats(&self) -> usize;

    /// The player to move; `None` if the game is over.
    fn turn(&self) -> Option<usize>;

    /// Replaces `into` with the moves of the player to move: all of them at the root, elsewhere
    /// those worth an evaluation. Returns whether these are all.
    fn list(&mut self, is_root: bool, into: &mut Vec<u32>) -> bool;

    /// A number for moves that are alike wherever they are made, below [`slots`](Ground::slots).
    fn slot(&self, step: u32) -> usize;

    /// How many such numbers there are.
    fn slots(&self) -> usize;

    /// Makes a listed move.
    fn make(&mut self, step: u32);

    /// Undoes the last move made.
    fn unmake(&mut self);

    /// Writes the expected final score of every seat, in parts of a point; returns whether these
    /// are proven. The scores are meaningless if the budget ends meanwhile.
    fn judge(&mut self, budget: &mut Budget, scores: &mut [i32]) -> bool;
}

/// How a tree weighs what it sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// The lead that counts as half of the largest result, in parts of a point.
    pub(crate) half_lead: f64,
    /// How much less a move may promise and still get half the rounds of the best, in parts.
    pub(crate) half_share: f64,
    /// Weight of moves that do not look best.
    pub(crate) explore: f64,
    /// Weight of the best line against the mean of all rounds, from 0 to 1.
    pub(crate) best_line: f64,
    /// Moves evaluated below the root when a position comes into the tree.
    pub(crate) width: usize,
}

/// A move in the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Meaningless at the root, as is `by`.
    step: u32,
    by: u32,
    visits: u32,
    /// The sum of its player's results.
    total: f64,
    /// Its player's result if all play their best moves in the tree.
    worth: f64,
    /// Its player's lead by its first evaluation.
    lead: i32,
    /// Its share of the rounds, by that lead.
    share: f64,
    /// Where the moves after this one start; 0 before they are in the tree.
    first: u32,
    count: u32,
    /// Whether all moves after this one are in the tree.
    is_whole: bool,
    /// Whether there are moves after this one that were listed and not evaluated yet.
    has_more: bool,
    /// Whether its scores are final: nothing below can change them.
    is_known: bool,
}

/// A root move and its expected result.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) line: Vec<u32>,
    /// By seat, in parts of a point.
    pub(crate) scores: Vec<i32>,
}

/// A tree that grows.
pub(crate) struct BestFirst<'a> {
    ground: &'a mut dyn Ground,
    budget: &'a mut Budget,
    style: Style,
    seats: usize,
    nodes: Vec<Node>,
    /// By node and seat: the scores after everybody's best moves.
    values: Vec<i32>,
    path: Vec<usize>,
    steps: Vec<u32>,
    /// Scores of the position at hand, or of the round.
    scores: Vec<i32>,
    /// By seat and slot: how good moves were next to the best one of their position, summed up, and
    /// how many they were.
    history: Vec<(f64, f64)>,
    slots: usize,
}

impl<'a> BestFirst<'a> {
    /// A tree whose root is the ground's position, which must not be over.
    pub(crate) fn new(ground: &'a mut dyn Ground, budget: &'a mut Budget, style: Style) -> Self {
        let seats = ground.seats();
        let slots = ground.slots();
        BestFirst {
            history: vec![(0.0, 0.0); slots * seats],
            slots,
            ground,
            budget,
            style,
            seats,
            nodes: vec![Node {
                step: 0,
                by: 0,
                visits: 0,
                total: 0.0,
                worth: 0.0,
                lead: 0,
                share: 1.0,
                first: 0,
                count: 0,
                is_whole: false,
                has_more: false,
                is_known: false,
            }],
            values: vec![0; seats],
            path: Vec::new(),
            steps: Vec::new(),
            scores: vec![0; seats],
        }
    }

    /// Grows the tree until the budget for these limits is spent or all scores are final; for long
    /// enough if the limits name no end. If `is_hurried`, a forced move is evaluated once.
    pub(crate) fn grow(&mut self, limits: &Limits, is_hurried: bool) {
        let has_end = limits.nodes.is_some() || limits.deadline.is_some() || limits.stop.is_some();
        let rounds = if has_end { u32::MAX } else { ENOUGH };
        for _ in 0..rounds {
            if !self.round() {
                break;
            }
            let is_forced = is_hurried && self.nodes[0].count == 1;
            if is_forced || self.nodes[0].is_known || !self.budget.allows_depth(2) {
                break;
            }
        }
    }

    /// Whether all games from the root on end inside the tree.
    pub(crate) fn is_known(&self) -> bool {
        self.nodes[0].is_known
    }

    /// The `top` best moves of the root, the best first.
    pub(crate) fn best(&self, top: usize) -> Vec<Expected> {
        let mut roots: Vec<usize> = self.children(0).collect();
        if self.is_known() {
            by_number(&mut roots, |&root| falling(self.nodes[root].worth));
        } else {
            by_number(&mut roots, |&root| falling(self.promise(root)));
            by_number(&mut roots, |&root| -i64::from(self.nodes[root].visits));
        }
        roots.truncate(top.max(1));
        roots.into_iter().map(|root| self.expected(root)).collect()
    }

    fn expected(&self, root: usize) -> Expected {
        let mut line = Vec::new();
        let mut at = root;
        loop {
            line.push(self.nodes[at].step);
            let next = self.children(at).max_by_key(|&i| self.nodes[i].visits);
            match next.filter(|&i| self.nodes[i].visits > 1) {
                Some(next) => at = next,
                None => break,
            }
        }
        Expected {
            line,
            scores: self.scores_of(root).to_vec(),
        }
    }

    fn scores_of(&self, at: usize) -> &[i32] {
        &self.values[at * self.seats..][..self.seats]
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.nodes[at].first as usize;
        first..first + self.nodes[at].count as usize
    }

    /// One round; `false` if the budget ended in it.
    fn round(&mut self) -> bool {
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.nodes[at].count > 0 && !self.nodes[at].is_known && !self.is_narrow(at) {
            at = self.choose(at);
            self.ground.make(self.nodes[at].step);
            self.path.push(at);
        }
        // The expanded position is looked at one move further.
        let is_far = at > 0 && !self.budget.allows_depth(self.path.len() as u32);
        let is_done = if self.nodes[at].is_known || is_far || !self.fits() {
            self.budget.spend()
        } else {
            self.expand(at)
        };
        if is_done {
            let scores = &self.values[at * self.seats..][..self.seats];
            self.scores.copy_from_slice(scores);
        }
        for i in (0..self.path.len()).rev() {
            if i > 0 {
                self.ground.unmake();
            }
            if is_done {
                self.credit(self.path[i], self.path[i] != at);
            }
        }
        is_done
    }

    /// Credits the round's scores to a node; first updates it from its children if they changed.
    fn credit(&mut self, at: usize, is_changed: bool) {
        if is_changed {
            self.take_best(at);
        }
        let by = self.nodes[at].by as usize;
        let worth = result(self.scores_of(at), by, self.style.half_lead);
        let result = result(&self.scores, by, self.style.half_lead);
        let node = &mut self.nodes[at];
        node.visits += 1;
        node.total += result;
        node.worth = worth;
    }

    fn fits(&self) -> bool {
        self.nodes.len() < TREE_BYTES / (size_of::<Node>() + self.seats * size_of::<i32>())
    }

    /// What a move promises its player, from 0 to 1.
    fn promise(&self, at: usize) -> f64 {
        let node = &self.nodes[at];
        let mean = node.total / f64::from(node.visits.max(1));
        mean + self.style.best_line * (node.worth - mean)
    }

    /// The move after `at` to try next: one whose scores are final only if all are.
    fn choose(&self, at: usize) -> usize {
        let tries = self.style.explore * f64::from(self.nodes[at].visits).sqrt();
        let mut best = (true, f64::NEG_INFINITY, 0);
        for i in self.children(at) {
            let node = &self.nodes[i];
            let value = self.promise(i) + tries * node.share / f64::from(node.visits);
            if !node.is_known && best.0 || node.is_known == best.0 && value > best.1 {
                best = (node.is_known, value, i);
            }
        }
        best.2
    }

    /// Whether a node was visited so often that more of its moves are due.
    fn is_narrow(&self, at: usize) -> bool {
        let node = &self.nodes[at];
        node.has_more && f64::from(node.visits) >= WIDEN * f64::from(node.count)
    }

    /// Evaluates moves after `at`, where the ground is, and puts them into the tree: at first the
    /// most promising, later as many again. `false` if the budget ends, with no moves added except
    /// at the root.
    fn expand(&mut self, at: usize) -> bool {
        let Some(mover) = self.ground.turn() else {
            // Only a root that is over gets here: others are known since they were evaluated.
            return false;
        };
        let mut steps = std::mem::take(&mut self.steps);
        let is_whole = self.ground.list(at == 0, &mut steps);
        if at > 0 {
            let (from, slots) = (mover * self.slots, &self.history);
            let ground = &*self.ground;
            let value = |step: u32| {
                let (sum, count) = slots[from + ground.slot(step)];
                (sum + 0.5) / (count + 1.0)
            };
            if steps.len() > self.style.width {
                by_number(&mut steps, |&step| falling(value(step)));
            }
        }
        let before = self.children(at);
        let all = steps.len();
        if !before.is_empty() {
            steps.retain(|step| {
                self.nodes[before.clone()]
                    .iter()
                    .all(|node| node.step != *step)
            });
        }
        if at > 0 {
            steps.truncate(before.len().max(self.style.width));
        }
        let first = self.nodes.len();
        // Siblings lie next to each other.
        self.nodes.extend_from_within(before.clone());
        self.values
            .extend_from_within(before.start * self.seats..before.end * self.seats);
        let mut is_done = true;
        for &step in &steps {
            if !self.budget.spend() {
                is_done = false;
                break;
            }
            self.ground.make(step);
            let is_known = self.ground.judge(self.budget, &mut self.scores);
            self.ground.unmake();
            if self.budget.is_spent() {
                is_done = false;
                break;
            }
            self.add(step, mover, is_known);
        }
        if !is_done && at > 0 {
            self.nodes.truncate(first);
            self.values.truncate(first * self.seats);
        } else if self.nodes.len() == first {
            // Not even one could be evaluated: the first one.
            let step = steps[0];
            self.ground.judge(self.budget, &mut self.scores);
            self.add(step, mover, false);
        }
        self.steps = steps;
        if is_done || at == 0 {
            self.share(first, before.len(), mover);
            self.nodes[at].first = first as u32;
            let count = self.nodes.len() - first;
            self.nodes[at].count = count as u32;
            self.nodes[at].has_more = count < all;
            self.nodes[at].is_whole = is_done && is_whole && count == all;
            self.take_best(at);
        }
        is_done
    }

    /// Adds a move with the scores just found.
    fn add(&mut self, step: u32, mover: usize, is_known: bool) {
        let worth = result(&self.scores, mover, self.style.half_lead);
        self.values.extend_from_slice(&self.scores);
        self.nodes.push(Node {
            step,
            by: mover as u32,
            visits: 1,
            total: worth,
            worth,
            lead: lead(&self.scores, mover),
            share: 0.0,
            first: 0,
            count: 0,
            is_whole: false,
            has_more: false,
            is_known,
        });
    }

    /// Gives a node the scores of its best child, which are final if all children's are.
    fn take_best(&mut self, at: usize) {
        let mut best = self.nodes[at].first as usize;
        let mut is_known = self.nodes[at].is_whole;
        for i in self.children(at) {
            is_known &= self.nodes[i].is_known;
            if self.nodes[i].worth > self.nodes[best].worth {
                best = i;
            }
        }
        let from = best * self.seats;
        self.values
            .copy_within(from..from + self.seats, at * self.seats);
        self.nodes[at].is_known = is_known;
    }

    /// Turns the leads of the moves from `first` on into shares of the rounds; all after the first
    /// `known` are new.
    fn share(&mut self, first: usize, known: usize, mover: usize) {
        let moves = &mut self.nodes[first..];
        let most = moves.iter().map(|node| node.lead).max().unwrap_or(0);
        let mut sum = 0.0;
        for (i, node) in moves.iter_mut().enumerate() {
            let less = f64::from(most - node.lead) / self.style.half_share;
            node.share = 1.0 / (1.0 + less * less);
            sum += node.share;
            if i >= known {
                let past = &mut self.history[mover * self.slots + self.ground.slot(node.step)];
                past.0 += node.share;
                past.1 += 1.0;
            }
        }
        for node in moves {
            node.share /= sum;
        }
    }
}

/// By how much a seat is ahead of the best opponent.
fn lead(scores: &[i32], seat: usize) -> i32 {
    let others = scores
        .iter()
        .enumerate()
        .filter(|&(other, _)| other != seat);
    scores[seat] - others.map(|(_, &score)| score).max().unwrap_or(0)
}

/// A seat's result, from 0 to 1: against each opponent, and against the best one.
fn result(scores: &[i32], seat: usize, half_lead: f64) -> f64 {
    let squeeze = |parts: i32| {
        let parts = f64::from(parts);
        parts / (half_lead + parts.abs())
    };
    let others = (0..scores.len()).filter(|&other| other != seat);
    let each: f64 = others
        .map(|other| squeeze(scores[seat] - scores[other]))
        .sum();
    let mean = each / (scores.len() - 1).max(1) as f64;
    0.5 + 0.25 * (mean + squeeze(lead(scores, seat)))
}

#[cfg(test)]
mod tests;
