//! The search: alpha-beta on the mover's lead, deeper and deeper.
//!
//! For one seat or two. Values are hundredths of fish by which a seat will be ahead. Moves are
//! searched with a window of nothing around the best value so far and again only if they are better
//! (principal variation search); late ones less deeply at first, and positions near the horizon that
//! are judged far outside the window not at all. A value is *proven* if it was found without any
//! judgement: all leaves below were ends of the game, or divided so that every region could be
//! solved.

mod judge;
mod root;

pub(super) use root::Found;

use super::board::{SearchBoard, Step};
use super::solo_solver::SoloMemory;
use super::territory::{FISH, Slides, Weights};
use crate::network::Network;
use crate::sort::by_number;
use crate::table::TO_THE_END;
use crate::{Bound, Budget, Limits, TableEntry, TranspositionTable};

/// More than any value.
pub(super) const INFINITE: i32 = 1_000_000_000;

/// The longest line of play that is followed.
const LONGEST: usize = 120;

/// Placements looked at below the root.
const BEAM: usize = 8;

/// The same if moves after the last placement are looked at as well.
const NARROW_BEAM: usize = 5;

/// A move and what speaks for looking at it early.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    step: Step,
    order: i32,
}

/// Puts those first that most speaks for. Not in `Search`, so that boards of all sizes share the
/// sorting's code.
fn sort_candidates(candidates: &mut [Candidate]) {
    by_number(candidates, |candidate| -i64::from(candidate.order));
}

/// One thought.
pub(super) struct Search<'a, const N: usize, const S: usize> {
    pub(super) board: SearchBoard<N, S>,
    slides: Slides<N, S>,
    weights: Weights,
    network: Option<&'a Network>,
    table: &'a TranspositionTable,
    solo_memory: &'a mut SoloMemory,
    budget: Budget,
    me: u8,
    /// Whether the last value returned is proven.
    proven: bool,
    killers: Vec<[Option<Step>; 2]>,
    /// By side and target: how often a move there was good enough.
    history: [Vec<i32>; 2],
    moves: Vec<Vec<Candidate>>,
    steps: Vec<Step>,
    lines: Vec<Vec<Step>>,
}

impl<'a, const N: usize, const S: usize> Search<'a, N, S> {
    /// A search from this position. The table knows nothing yet, or what other threads of the same
    /// thought found out.
    pub(super) fn new(
        board: SearchBoard<N, S>,
        table: &'a TranspositionTable,
        solo_memory: &'a mut SoloMemory,
        network: Option<&'a Network>,
        limits: &Limits,
    ) -> Self {
        solo_memory.forget();
        Search {
            slides: Slides::new(&board),
            weights: Weights::default(),
            network,
            table,
            solo_memory,
            budget: Budget::new(limits),
            me: board.turn.unwrap_or(0),
            proven: false,
            killers: vec![[None; 2]; LONGEST + 1],
            history: [vec![0; N * 64], vec![0; N * 64]],
            moves: vec![Vec::new(); LONGEST + 1],
            steps: Vec::new(),
            lines: vec![Vec::new(); LONGEST + 2],
            board,
        }
    }

    /// Makes a move; whether the value below it is seen from the other side. `None` if a limit
    /// is reached.
    #[inline(always)]
    fn play(&mut self, step: Step) -> Option<(super::board::Undo, i32)> {
        if !self.budget.spend() {
            return None;
        }
        let mover = self.board.turn;
        let undo = self.board.play(step);
        let same = match (mover, self.board.turn) {
            (Some(a), Some(b)) => (a == self.me) == (b == self.me),
            // The end is seen from the root's mover.
            (Some(a), None) => a == self.me,
            _ => true,
        };
        Some((undo, if same { 1 } else { -1 }))
    }

    /// The value of the position after a move, seen from the side that made it.
    #[inline(always)]
    fn child(&mut self, sign: i32, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        if sign > 0 {
            self.search(depth, alpha, beta, ply)
        } else {
            -self.search(depth, -beta, -alpha, ply)
        }
    }

    /// The value of the position, seen from the mover's side (the root's mover's at the end of
    /// the game). Meaningless once the budget is spent.
    fn search(&mut self, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        self.lines[ply].clear();
        let Some(turn) = self.board.turn else {
            self.proven = true;
            return FISH * self.board.lead(self.me.into());
        };
        if depth <= 0 || ply >= LONGEST {
            return self.judge(turn);
        }
        let (key, base) = self.identity(turn);
        let mut tag = None;
        if let Some(entry) = self.table.probe(key) {
            let value = entry.value + base;
            tag = entry.best;
            let fits = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            let is_open = beta - alpha > 1 && entry.depth != TO_THE_END;
            if fits && !is_open && i32::from(entry.depth) >= depth {
                self.proven = entry.depth == TO_THE_END;
                return value;
            }
        }
        let is_narrow = beta - alpha == 1 && self.board.seats == 2;
        if !self.board.placing && (depth >= 2 || is_narrow) {
            let value = self.judge(turn);
            if self.proven {
                return value;
            }
            if let Some(value) = prune(value, depth, alpha, beta).filter(|_| is_narrow) {
                return value;
            }
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        let complete = self.list(turn, depth, ply, tag, &mut moves);
        let value = self.search_moves(&mut moves, depth, alpha, beta, ply, key, base, complete);
        self.moves[ply] = moves;
        value
    }

    #[allow(clippy::too_many_arguments)] // what a node knows
    #[inline(always)]
    fn search_moves(
        &mut self,
        moves: &mut [Candidate],
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        key: u64,
        base: i32,
        complete: bool,
    ) -> i32 {
        let floor = alpha;
        let mut best = -INFINITE;
        let mut best_step = None;
        let mut all_proven = complete;
        let side = usize::from(self.board.turn != Some(self.me));
        for i in 0..moves.len() {
            // One step of a selection sort: most nodes look at few of their moves.
            let mut top = i;
            for j in i + 1..moves.len() {
                if moves[j].order > moves[top].order {
                    top = j;
                }
            }
            moves.swap(i, top);
            let step = moves[i].step;
            let Some((undo, sign)) = self.play(step) else {
                return 0;
            };
            let mut value;
            if i == 0 {
                value = self.child(sign, depth - 1, alpha, beta, ply + 1);
            } else {
                let late = late(depth, i);
                value = self.child(sign, depth - 1 - late, alpha, alpha + 1, ply + 1);
                if late > 0 && value > alpha && !self.proven && !self.budget.is_spent() {
                    value = self.child(sign, depth - 1, alpha, alpha + 1, ply + 1);
                }
                if value > alpha && value < beta && !self.budget.is_spent() {
                    value = self.child(sign, depth - 1, alpha, beta, ply + 1);
                }
            }
            self.board.take_back(step, undo);
            if self.budget.is_spent() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_step = Some(step);
                    alpha = value;
                    if beta - floor > 1 {
                        let (here, below) = self.lines.split_at_mut(ply + 1);
                        here[ply].clear();
                        here[ply].push(step);
                        here[ply].extend_from_slice(&below[0]);
                    }
                }
                if value >= beta {
                    all_proven = self.proven;
                    self.reward(step, side, depth, ply);
                    break;
                }
            }
            all_proven &= self.proven;
        }
        self.proven = all_proven;
        let bound = if best >= beta {
            Bound::Lower
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TableEntry {
            value: best - base,
            bound,
            depth: if all_proven { TO_THE_END } else { depth as u8 },
            best: best_step.map(Step::tag),
        };
        self.table.store(key, entry);
        best
    }

    /// The key of a position in the table, and the amount to add to its value there.
    ///
    /// The rest of the game does not depend on the scores, so the table stores a value less the
    /// lead so far.
    #[inline(always)]
    fn identity(&self, turn: u8) -> (u64, i32) {
        (self.board.key, FISH * self.board.lead(turn.into()))
    }

    /// Lists the moves with what speaks for them; `false` if some were left out.
    #[inline(always)]
    fn list(
        &mut self,
        turn: u8,
        depth: i32,
        ply: usize,
        tag: Option<u16>,
        moves: &mut Vec<Candidate>,
    ) -> bool {
        self.board.moves(&mut self.steps);
        moves.clear();
        let side = usize::from(turn != self.me);
        let killers = self.killers[ply];
        for &step in &self.steps {
            let mut order = self.history[side][usize::from(step.to)];
            order += self.board.fish(step.to.into()) * 8;
            if killers.contains(&Some(step)) {
                order += 1 << 20;
            }
            if tag == Some(step.tag()) {
                order += 1 << 24;
            }
            moves.push(Candidate { step, order });
        }
        let is_far = depth as usize > self.board.unplaced();
        let beam = if is_far { NARROW_BEAM } else { BEAM };
        if !self.board.placing || depth < 2 || moves.len() <= beam {
            return true;
        }
        for candidate in moves.iter_mut() {
            let Some((undo, sign)) = self.play(candidate.step) else {
                break;
            };
            candidate.order = self.child(sign, 0, -INFINITE, INFINITE, ply + 1);
            self.board.take_back(candidate.step, undo);
            if tag == Some(candidate.step.tag()) {
                candidate.order += 1 << 24;
            }
        }
        sort_candidates(moves);
        moves.truncate(beam);
        false
    }

    /// Remembers that a move was good enough.
    fn reward(&mut self, step: Step, side: usize, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(step) {
            killers[1] = killers[0];
            killers[0] = Some(step);
        }
        let history = &mut self.history[side];
        let worth = &mut history[usize::from(step.to)];
        *worth += depth * depth;
        if *worth > 1 << 18 {
            history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }
}

/// A value for a position so far outside the window that a search is unlikely to change the verdict:
/// a few moves before the horizon, an opponent can do little about a large lead, and a single move
/// gains little.
#[inline(always)]
fn prune(value: i32, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
    let lost = match depth {
        1 => 150,
        2..=4 => 200 * depth,
        _ => return None,
    };
    if value - lost >= beta {
        return Some(value - lost);
    }
    let gained = 600;
    (depth == 1 && value + gained <= alpha).then_some(value + gained)
}

/// By how much less the `i`th move is looked at first.
#[inline(always)]
fn late(depth: i32, i: usize) -> i32 {
    if depth < 3 || i < 2 {
        return i32::from(depth == 2 && i >= 8);
    }
    match i {
        2..6 => 1,
        6..15 => 2,
        _ => 2 + i32::from(depth > 4),
    }
}
