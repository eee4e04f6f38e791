//! Monte Carlo tree search: it judges a move by games played out at random after it.
//!
//! Every round walks down the tree of positions met so far, at each of them to the move that is
//! promising or little tried (UCT: its mean result plus a share of the root of "log of all tries
//! over its own"); adds the moves of the position it arrives at; plays at random to the end of the
//! game, or for a while and then evaluates; and credits each seat's result to the moves that seat
//! made. Each seat counts its own result, so the search works for any number of seats.
//!
//! If the rules bound the lead ([`Position::largest_margin`]), as in games that are only won or
//! lost, the search marks a winning move as *decided* and tries it no more. So it does with a
//! position if the player to move has a decided move there, or if all moves are decided for the
//! same other seat. Moves that are decided for another seat are tried only if no others are left.
//!
//! All arithmetic is exact in the sense of IEEE 754, with a logarithm of our own: the same seed and
//! nodes give the same tree on every machine.

use std::cmp::Ordering;

use floe_rules::{Player, Position};

use crate::engine::sort_lines;
use crate::evaluate::largest_lead;
use crate::{Budget, Dice, Engine, Evaluate, Limits, Scores, Thought};

/// Memory limit of the tree.
const TREE_BYTES: usize = 64 << 20;
/// Rounds when the limits do not say how many.
const ENOUGH: u32 = 10_000;
/// The lead in points that counts as half of a decisive win.
const HALF_LEAD: f64 = 10.0;
/// The part of a result that is the lead; the rest is the place.
const LEAD_SHARE: f64 = 0.2;

/// Monte Carlo tree search. What it says is proven only where the rules bound the lead.
///
/// ```
/// use floe_rules::{Game, Position, flood::Flood};
/// use floe_search::{Engine, Limits, Mcts};
/// let position = Flood::start(&"6x6".parse()?, 1)?;
/// let thought = Mcts::seeded(1).think(&position, &Limits::nodes(2_000));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Mcts<P: Position, E = Scores> {
    evaluate: E,
    /// Moves of a playout before the judgement is asked; `None` plays to the end.
    playout: Option<u32>,
    explore: f64,
    seed: u64,
    nodes: Vec<Node<P::Move>>,
    path: Vec<u32>,
    moves: Vec<P::Move>,
    results: Vec<f64>,
    scores: Vec<i64>,
    /// The lead that decides a game; `None` if the rules name none.
    largest: Option<i64>,
}

/// A move in the tree and its results.
#[derive(Debug, Clone, Copy)]
struct Node<M> {
    /// `None` at the root.
    mv: Option<M>,
    /// The seat that made it.
    by: u32,
    visits: u32,
    /// The sum of that seat's results.
    total: f64,
    /// Where the moves after this one start; 0 before they are in the tree.
    first: u32,
    count: u32,
    /// The seat proven to get the largest lead after it.
    winner: Option<u32>,
}

impl<P: Position> Mcts<P, Scores> {
    /// A search with playouts to the end and dice of this seed.
    pub fn seeded(seed: u64) -> Self {
        Mcts::with(Scores, None, seed)
    }
}

impl<P: Position, E: Evaluate<P>> Mcts<P, E> {
    /// A search whose playouts end after `playout` moves and are then evaluated; 0 evaluates
    /// without playing at all, `None` plays to the end of the game.
    pub fn with(evaluate: E, playout: Option<u32>, seed: u64) -> Self {
        Mcts {
            evaluate,
            playout,
            explore: 0.7,
            seed,
            nodes: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            results: Vec::new(),
            scores: Vec::new(),
            largest: None,
        }
    }

    /// One round; `None` if the budget ended in it. `here` is at the root, and anywhere after.
    fn round(&mut self, here: &mut P, dice: &mut Dice, budget: &mut Budget) -> Option<()> {
        self.path.clear();
        let mut at = 0;
        self.path.push(0);
        while self.nodes[at].winner.is_none() {
            if self.nodes[at].count == 0 {
                // A position is worth its moves in the tree once it came up a second time.
                let is_new = self.nodes[at].visits == 0 && at != 0;
                if is_new || !self.expand(at, here, dice) {
                    break;
                }
            }
            at = self.choose(at);
            if !budget.spend() {
                return None;
            }
            here.play_unchecked(self.nodes[at].mv.expect("only the root has no move"));
            self.path.push(at as u32);
        }
        let mut played = 0;
        let is_known = self.nodes[at].winner.is_some();
        while !is_known && here.turn().is_some() && self.playout.is_none_or(|most| played < most) {
            if !budget.spend() {
                return None;
            }
            here.moves(&mut self.moves);
            here.play_unchecked(self.moves[dice.index(self.moves.len())]);
            played += 1;
        }
        match (self.nodes[at].winner, self.largest) {
            (Some(winner), Some(largest)) => {
                self.scores.clear();
                self.scores.resize(here.players() as usize, 0);
                self.scores[winner as usize] = largest;
                self.judge(1);
            }
            _ => {
                let parts = self.expect(here);
                self.judge(parts);
                if played == 0 && here.turn().is_none() {
                    self.decide(at);
                }
            }
        }
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.total += self.results[node.by as usize];
        }
        Some(())
    }

    /// Puts the moves after `at` into the tree, in random order; whether there are any and they
    /// fit.
    fn expand(&mut self, at: usize, here: &P, dice: &mut Dice) -> bool {
        let Some(mover) = here.turn() else {
            return false;
        };
        here.moves(&mut self.moves);
        let fitting = TREE_BYTES / size_of::<Node<P::Move>>();
        if self.nodes.len() + self.moves.len() > fitting.max(self.moves.len() + 1) {
            return false;
        }
        dice.shuffle(&mut self.moves);
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].count = self.moves.len() as u32;
        self.nodes.extend(self.moves.iter().map(|&mv| Node {
            mv: Some(mv),
            by: mover.index() as u32,
            visits: 0,
            total: 0.0,
            first: 0,
            count: 0,
            winner: None,
        }));
        true
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.nodes[at].first as usize;
        first..first + self.nodes[at].count as usize
    }

    /// The move to try after `at`: one never tried, or the best by UCT; a decided one only if all
    /// are.
    fn choose(&self, at: usize) -> usize {
        let log = ln(self.nodes[at].visits.max(1));
        let mut best = (f64::NEG_INFINITY, self.nodes[at].first as usize);
        for i in self.children(at) {
            let node = &self.nodes[i];
            if node.visits == 0 {
                return i;
            }
            if node.winner.is_some() {
                continue;
            }
            let visits = f64::from(node.visits);
            let promise = node.total / visits + self.explore * (log / visits).sqrt();
            if promise > best.0 {
                best = (promise, i);
            }
        }
        best.1
    }

    /// Finds the final or expected scores of all seats; returns the units per point.
    fn expect(&mut self, here: &P) -> i64 {
        self.scores.resize(here.players() as usize, 0);
        if here.turn().is_none() {
            Scores.expect(here, &mut self.scores);
            return 1;
        }
        self.evaluate.expect(here, &mut self.scores);
        self.evaluate.parts()
    }

    /// The results of all seats by the scores, from 0 to 1.
    fn judge(&mut self, parts: i64) {
        let seats = self.scores.len();
        self.results.resize(seats, 0.0);
        for seat in 0..seats {
            let lead = crate::lead(&self.scores, Player::new(seat as u32));
            let points = lead as f64 / parts as f64;
            let squeezed = points / (HALF_LEAD + points.abs());
            let place = f64::from(lead.signum() as i32);
            let result = (1.0 - LEAD_SHARE) * place + LEAD_SHARE * squeezed;
            self.results[seat] = 0.5 + 0.5 * result;
        }
    }

    /// Notes that the game is over after `at`, at the end of the path, and whatever that decides
    /// further up.
    fn decide(&mut self, at: usize) {
        let Some(largest) = self.largest else { return };
        let mut seats = 0..self.scores.len() as u32;
        let winner = seats.find(|&seat| crate::lead(&self.scores, Player::new(seat)) >= largest);
        self.nodes[at].winner = winner;
        for i in (0..self.path.len() - 1).rev() {
            let above = self.path[i] as usize;
            self.nodes[above].winner = self.decided(above);
            if self.nodes[above].winner.is_none() {
                break;
            }
        }
    }

    /// The seat proven to win by the moves after `at`: the player to move if any of them wins,
    /// another seat if all are decided for it.
    fn decided(&self, at: usize) -> Option<u32> {
        let mut nodes = self.nodes[self.children(at)].iter();
        if let Some(won) = nodes.clone().find(|node| node.winner == Some(node.by)) {
            return won.winner;
        }
        let winner = nodes.next()?.winner;
        winner.filter(|_| nodes.all(|node| node.winner == winner))
    }

    /// The better of two moves of one seat: one that is proven to win, one that is not proven to
    /// lose, the one that was tried more, the one with the better results.
    fn compare(&self, a: usize, b: usize) -> Ordering {
        let (a, b) = (&self.nodes[a], &self.nodes[b]);
        let class = |node: &Node<P::Move>| match node.winner {
            Some(winner) if winner == node.by => 2,
            Some(_) => 0,
            None => 1,
        };
        (class(a).cmp(&class(b)))
            .then(a.visits.cmp(&b.visits))
            .then(a.total.total_cmp(&b.total))
    }

    /// The best move after `at` of those that were tried.
    fn favourite(&self, at: usize) -> Option<usize> {
        self.children(at)
            .filter(|&i| self.nodes[i].visits > 0)
            .max_by(|&a, &b| self.compare(a, b))
    }
}

impl<P: Position, E: Evaluate<P>> Mcts<P, E> {
    /// Grows a tree under the position; in a hurry, only as long as there is something to choose.
    /// How many nodes it took.
    fn grow(&mut self, position: &P, limits: &Limits, is_hurried: bool) -> u64 {
        let mut budget = Budget::new(limits);
        let mut dice = Dice::seeded(self.seed ^ position.key());
        self.nodes.clear();
        self.nodes.push(Node {
            mv: None,
            by: 0,
            visits: 0,
            total: 0.0,
            first: 0,
            count: 0,
            winner: None,
        });
        self.largest = largest_lead(position, 1);
        let mut here = position.clone();
        let is_bounded = limits.nodes.is_some() || limits.deadline.is_some();
        let rounds = if is_bounded { u32::MAX } else { ENOUGH };
        while self.nodes[0].visits < rounds && self.nodes[0].winner.is_none() {
            here.clone_from(position);
            let is_over = self.round(&mut here, &mut dice, &mut budget).is_none();
            if is_over || is_hurried && self.nodes[0].count == 1 {
                break;
            }
        }
        budget.nodes()
    }

    /// The result of the move at `root`, and the most visited line.
    fn thought(&self, position: &P, root: usize, nodes: u64) -> Thought<P::Move> {
        let mut here = position.clone();
        let mut line = Vec::new();
        let mut next = Some(root);
        while let Some(at) = next {
            let mv = self.nodes[at].mv.expect("only the root has no move");
            line.push(mv);
            here.play_unchecked(mv);
            next = self.favourite(at);
        }
        Thought {
            best: line[0],
            scores: here.scores(),
            depth: line.len() as u32,
            nodes,
            line,
            proven: self.nodes[root].winner.is_some(),
        }
    }

    /// The thought if the time allowed no playout at all.
    fn blank(position: &P, nodes: u64) -> Thought<P::Move> {
        let best = position.legal_moves()[0];
        let mut here = position.clone();
        here.play_unchecked(best);
        Thought {
            best,
            scores: here.scores(),
            depth: 1,
            nodes,
            line: vec![best],
            proven: false,
        }
    }
}

impl<P: Position, E: Evaluate<P>> Engine<P> for Mcts<P, E> {
    /// Without a limit of time or nodes it plays ten thousand games; a limit of depth is not for
    /// it. The depth it gives is that of the most visited line.
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        assert!(position.turn().is_some(), "the game is over");
        let nodes = self.grow(position, limits, limits.is_hurried());
        match self.favourite(0) {
            Some(root) => self.thought(position, root, nodes),
            None => Self::blank(position, nodes),
        }
    }

    /// The moves tried most, from one tree.
    fn rank(&mut self, position: &P, limits: &Limits, top: usize) -> Vec<Thought<P::Move>> {
        assert!(position.turn().is_some(), "the game is over");
        let nodes = self.grow(position, limits, false);
        let tried = self.children(0).filter(|&i| self.nodes[i].visits > 0);
        let mut tried: Vec<usize> = tried.collect();
        tried.sort_by(|&a, &b| self.compare(b, a));
        if tried.is_empty() {
            return vec![Self::blank(position, nodes)];
        }
        let ranked = tried.iter().take(top.max(1));
        let mut ranked: Vec<_> = ranked
            .map(|&root| self.thought(position, root, nodes))
            .collect();
        sort_lines(position, &mut ranked);
        ranked
    }
}

/// The natural logarithm, good to seven digits, by nothing but additions, multiplications and
/// divisions, so that every machine finds the same.
fn ln(n: u32) -> f64 {
    let power = n.ilog2();
    // n = 2^power * (1 + t) / (1 - t), with t at most a third.
    let m = f64::from(n) / f64::from(1u32 << power);
    let t = (m - 1.0) / (m + 1.0);
    let tt = t * t;
    let series =
        1.0 + tt * (1.0 / 3.0 + tt * (0.2 + tt * (1.0 / 7.0 + tt * (1.0 / 9.0 + tt / 11.0))));
    f64::from(power) * std::f64::consts::LN_2 + 2.0 * t * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_one() {
        for n in (1..2000).chain([1 << 31, u32::MAX]) {
            let error = (ln(n) - f64::from(n).ln()).abs();
            assert!(error < 2e-6, "{n}: off by {error}");
        }
    }
}
