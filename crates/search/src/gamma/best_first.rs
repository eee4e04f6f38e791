//! Games of more than two players: the most promising moves are followed furthest.
//!
//! Opponents may combine against any player, so each is assumed to play for their own
//! lead (max^n). The tree grows by one position per round: down the moves that are good or little
//! tried, to a position whose moves are not in the tree yet. The search evaluates all of them by
//! territory and adds them, and credits the value of the best one to the moves that led there. A
//! move's share of the tries grows with its value, so bad ones cost one evaluation and no more.
//!
//! All arithmetic is exact in the sense of IEEE 754: the same nodes give the same tree on every
//! machine.

use floe_rules::gamma::Move;

use super::settled::settle;
use super::state::{SearchState, Step, Undo, sort_best_first};
use super::territory::{PARTS, Surveyor};
use super::tree::lead;
use crate::Budget;
use crate::sort::{by_number, falling};

/// Memory limit of the tree.
const TREE_BYTES: usize = 64 << 20;
/// Rounds when the limits do not say how many.
const ENOUGH: u32 = 10_000;
/// The lead in points that counts as half of the largest result.
const HALF_LEAD: f64 = 12.0;
/// By how many points a move may be worse and still get half the tries of the best.
const HALF_SHARE: f64 = 1.0;
/// Weight of moves that do not look best.
const EXPLORE: f64 = 0.6;
/// Moves evaluated below the root even if they touch nothing.
const WIDTH: usize = 12;

/// A move in the tree and its results.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Meaningless at the root.
    step: Step,
    by: u8,
    visits: u32,
    /// The sum of its maker's results.
    total: f64,
    /// Its share of the tries, by judgement alone.
    share: f64,
    /// Where the moves after this one start; 0 before they are in the tree.
    first: u32,
    count: u32,
    /// Whether the final scores are known after it.
    is_end: bool,
}

/// A root move and what is expected after it.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    pub(super) line: Vec<Step>,
    /// In whole fields, by seat.
    pub(super) scores: Vec<i64>,
    /// Whether no further move can change the result.
    pub(super) is_proven: bool,
}

/// A tree that grows.
pub(super) struct BestFirst<'a, const W: usize> {
    state: SearchState<W>,
    surveyor: Surveyor<W>,
    budget: &'a mut Budget,
    nodes: Vec<Node>,
    path: Vec<(usize, Option<Undo>)>,
    steps: Vec<(i32, Step)>,
    /// Expected scores, in parts: of the position at hand, and of the best move of a round.
    scores: Vec<i32>,
    best: Vec<i32>,
    /// By root move and seat: what its tries promised, added up.
    sums: Vec<i64>,
}

impl<'a, const W: usize> BestFirst<'a, W> {
    /// A tree with this state of an unfinished game as its root.
    pub(super) fn new(state: SearchState<W>, budget: &'a mut Budget) -> Self {
        let players = state.sides.len();
        BestFirst {
            surveyor: Surveyor::new(players, state.full.count() as i32),
            budget,
            nodes: vec![Node {
                step: Step::take(0),
                by: 0,
                visits: 0,
                total: 0.0,
                share: 1.0,
                first: 0,
                count: 0,
                is_end: false,
            }],
            path: Vec::new(),
            steps: Vec::new(),
            scores: vec![0; players],
            best: vec![0; players],
            sums: Vec::new(),
            state,
        }
    }

    /// Grows the tree until the budget is spent, or for long enough if it has no end. Gives the
    /// `top` best moves, the best first. In a hurry, a move without alternative is not thought
    /// about.
    pub(super) fn think(
        &mut self,
        top: usize,
        is_hurried: bool,
        is_bounded: bool,
    ) -> Vec<Expected> {
        if settle(&self.state, &mut self.scores) {
            return self.settled(top);
        }
        let rounds = if is_bounded { u32::MAX } else { ENOUGH };
        let mut rounds_made = 0;
        while rounds_made < rounds && self.round() {
            rounds_made += 1;
            let is_forced = is_hurried && self.nodes[0].count == 1;
            if is_forced || !self.budget.allows_depth(2) {
                break;
            }
        }
        let mut roots: Vec<usize> = self.children(0).collect();
        sort_by_visits(&mut roots, &self.nodes);
        roots.truncate(top.max(1));
        roots.into_iter().map(|root| self.expected(root)).collect()
    }

    /// The first `top` moves, of which none is better than another; `scores` are settled.
    fn settled(&mut self, top: usize) -> Vec<Expected> {
        let mover = self.state.turn.expect("the game is not over");
        let scores: Vec<i64> = self.scores.iter().map(|&score| score.into()).collect();
        let fields = self.state.takes(mover).fields().take(top.max(1));
        let expected = fields.map(|field| Expected {
            line: vec![Step::take(field)],
            scores: scores.clone(),
            is_proven: true,
        });
        expected.collect()
    }

    /// How many positions were made.
    pub(super) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The step in the game's own form.
    pub(super) fn to_move(&self, step: Step) -> Move {
        self.state.to_move(step)
    }

    fn expected(&self, root: usize) -> Expected {
        let players = self.state.sides.len();
        let place = (root - self.nodes[0].first as usize) * players;
        let visits = i64::from(self.nodes[root].visits.max(1));
        let sums = &self.sums[place..place + players];
        let whole = visits * i64::from(PARTS);
        let scores = sums
            .iter()
            .map(|sum| (2 * sum + whole).div_euclid(2 * whole).max(0));
        let scores = scores.collect();
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
            scores,
            is_proven: false,
        }
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.nodes[at].first as usize;
        first..first + self.nodes[at].count as usize
    }

    /// One round; `false` if the budget ended in it or there is nothing more to learn.
    fn round(&mut self) -> bool {
        self.path.clear();
        self.path.push((0, None));
        let mut at = 0;
        while self.nodes[at].count > 0 {
            at = self.choose(at);
            let undo = self.state.make(self.nodes[at].step);
            self.path.push((at, Some(undo)));
        }
        // The expanded node is looked at one move further.
        let is_far = at > 0 && !self.budget.allows_depth(self.path.len() as u32);
        let done = if self.nodes[at].is_end || is_far || !self.fits() {
            self.judge();
            self.best.clone_from(&self.scores);
            self.budget.spend()
        } else {
            self.expand(at)
        };
        let first = self.nodes[0].first as usize;
        let players = self.best.len();
        while let Some((at, undo)) = self.path.pop() {
            if done {
                let result = result(&self.best, self.nodes[at].by.into());
                let node = &mut self.nodes[at];
                node.visits += 1;
                node.total += result;
                if self.path.len() == 1 {
                    for (p, &score) in self.best.iter().enumerate() {
                        self.sums[(at - first) * players + p] += i64::from(score);
                    }
                }
            }
            if let Some(undo) = undo {
                self.state.unmake(self.nodes[at].step, undo);
            }
        }
        done
    }

    fn fits(&self) -> bool {
        self.nodes.len() < TREE_BYTES / size_of::<Node>()
    }

    /// The move after `at` to try next.
    fn choose(&self, at: usize) -> usize {
        let tries = EXPLORE * f64::from(self.nodes[at].visits).sqrt();
        let mut best = (f64::NEG_INFINITY, 0);
        for i in self.children(at) {
            let node = &self.nodes[i];
            let visits = f64::from(node.visits);
            let promise = node.total / visits + tries * node.share / visits;
            if promise > best.0 {
                best = (promise, i);
            }
        }
        best.1
    }

    /// Fills `scores` with the expected scores of all players; returns whether they are proven.
    fn judge(&mut self) -> bool {
        if self.state.turn.is_none() {
            for (score, side) in self.scores.iter_mut().zip(&self.state.sides) {
                *score = PARTS * side.busy as i32;
            }
            return true;
        }
        if settle(&self.state, &mut self.scores) {
            self.scores.iter_mut().for_each(|score| *score *= PARTS);
            return true;
        }
        self.surveyor.expect(&self.state);
        self.scores.clone_from(&self.surveyor.expected);
        false
    }

    /// Judges the moves after `at`, where the state is, and puts them into the tree; `best` is
    /// what the best of them promises. `false`, and no moves but at the root, if the budget ends.
    fn expand(&mut self, at: usize) -> bool {
        let Some(mover) = self.state.turn else {
            self.nodes[at].is_end = true;
            self.judge();
            self.best.clone_from(&self.scores);
            return self.budget.spend();
        };
        self.list(mover, at == 0);
        let first = self.nodes.len();
        let mut most = i32::MIN;
        let mut is_whole = true;
        for i in 0..self.steps.len() {
            let (_, step) = self.steps[i];
            if !self.budget.spend() {
                is_whole = false;
                break;
            }
            let undo = self.state.make(step);
            let is_end = self.judge();
            self.state.unmake(step, undo);
            let lead = lead(&self.scores, mover);
            if lead > most {
                most = lead;
                self.best.clone_from(&self.scores);
            }
            if at == 0 {
                self.sums
                    .extend(self.scores.iter().map(|&score| i64::from(score)));
            }
            self.nodes.push(Node {
                step,
                by: mover as u8,
                visits: 1,
                total: result(&self.scores, mover),
                share: f64::from(lead),
                first: 0,
                count: 0,
                is_end,
            });
        }
        if !is_whole && at > 0 {
            self.nodes.truncate(first);
            return false;
        }
        if self.nodes.len() == first {
            // Not even one could be judged: the first legal one.
            let node = Node {
                step: self.steps[0].1,
                by: mover as u8,
                ..self.nodes[0]
            };
            self.nodes.push(node);
            let busy = self.state.sides.iter().map(|side| side.busy);
            self.sums
                .extend(busy.map(|busy| i64::from(PARTS) * i64::from(busy)));
        }
        self.share(first, most);
        self.nodes[at].first = first as u32;
        self.nodes[at].count = (self.nodes.len() - first) as u32;
        is_whole
    }

    /// Gives the moves from `first` on their shares, by how much less than the most they promise.
    fn share(&mut self, first: usize, most: i32) {
        let mut sum = 0.0;
        for node in &mut self.nodes[first..] {
            let less = (f64::from(most) - node.share) / (HALF_SHARE * f64::from(PARTS));
            node.share = 1.0 / (1.0 + less * less);
            sum += node.share;
        }
        for node in &mut self.nodes[first..] {
            node.share /= sum;
        }
    }

    /// Lists the mover's steps; below the root, only those that touch something.
    fn list(&mut self, mover: usize, is_root: bool) {
        self.surveyor.survey(&self.state);
        let hints = self.surveyor.hints(&self.state, mover);
        self.steps.clear();
        for field in self.state.takes(mover).fields() {
            self.steps.push((hints.take(field), Step::take(field)));
        }
        sort_best_first(&mut self.steps);
        if !is_root {
            let touching = self.steps.iter().filter(|(hint, _)| *hint > 0).count();
            self.steps.truncate(touching.max(WIDTH));
        }
        // A golden move waits until there is little else to do, and the root sees when it is due.
        if !is_root && self.steps.len() > WIDTH {
            return;
        }
        for field in self.state.golden_targets(mover).fields() {
            if self.state.can_lose(field) {
                self.steps.push((hints.golden(field), Step::golden(field)));
            }
        }
    }
}

/// A player's result, from 0 to 1: against each opponent, and against the best one.
fn result(scores: &[i32], player: usize) -> f64 {
    let squeeze = |parts: i32| {
        let points = f64::from(parts) / f64::from(PARTS);
        points / (HALF_LEAD + points.abs())
    };
    let others = (0..scores.len()).filter(|&p| p != player);
    let each: f64 = others.map(|p| squeeze(scores[player] - scores[p])).sum();
    let mean = each / (scores.len() - 1).max(1) as f64;
    0.5 + 0.25 * (mean + squeeze(lead(scores, player)))
}

/// Puts those first that were tried most, and of these the better. Boards of all sizes share this
/// code.
fn sort_by_visits(roots: &mut [usize], nodes: &[Node]) {
    let mean = |node: &Node| node.total / f64::from(node.visits.max(1));
    by_number(roots, |&root| falling(mean(&nodes[root])));
    by_number(roots, |&root| -i64::from(nodes[root].visits));
}
