//! Alpha-beta over [`SearchState`]: deeper and deeper, judged by [`Surveyor`] where it ends.
//!
//! The mover at the root plays for his lead, and the other against it. Moves are tried in the
//! order table, killers, history and the claims they touch; after the first each must prove with a
//! null window that it is better, and late ones at a reduced depth first. Every value knows whether
//! a judgement went into it: one made of final scores alone is proven, and once the root's is, the
//! search ends.

mod root;

use floe_rules::gamma::Move;

use super::LARGEST_LEARNED;
use super::features::Lens;
use super::settled::settle;
use super::state::{SearchState, Step};
use super::territory::{PARTS, Surveyor};
use crate::network::Network;
use crate::table::TO_THE_END;
use crate::{Bound, Budget, TableEntry, TranspositionTable};

/// Beyond every value.
const INFINITE: i32 = i32::MAX / 2;
/// Limit of the history counts.
const HISTORY_MOST: i32 = 1 << 14;
/// No line is followed further.
const FURTHEST: usize = 120;

/// A search in progress.
pub(super) struct Tree<'a, const W: usize> {
    state: SearchState<W>,
    root: usize,
    surveyor: Surveyor<W>,
    lens: Lens<W>,
    network: Option<&'a Network>,
    scores: Vec<i32>,
    table: &'a TranspositionTable,
    budget: &'a mut Budget,
    killers: Vec<[Option<Step>; 2]>,
    /// How often a step was the best: for the player at the root, and for the opponent.
    history: [Vec<i32>; 2],
    lists: Vec<Vec<(i32, Step)>>,
    /// Whether all values since the flag was last set came from final scores.
    proven: bool,
}

/// Where golden steps start in a history.
fn slot<const W: usize>(step: Step) -> usize {
    step.field() + if step.is_golden() { 64 * W } else { 0 }
}

impl<'a, const W: usize> Tree<'a, W> {
    /// A search from this state of an unfinished game.
    pub(super) fn new(
        state: SearchState<W>,
        network: Option<&'a Network>,
        table: &'a TranspositionTable,
        budget: &'a mut Budget,
    ) -> Self {
        let (players, fields) = (state.sides.len(), state.full.count() as i32);
        Tree {
            root: state.turn.expect("the game is not over"),
            surveyor: Surveyor::new(players, fields),
            lens: Lens::new(players, fields),
            network,
            scores: vec![0; players],
            table,
            budget,
            killers: vec![[None; 2]; FURTHEST + 1],
            history: [vec![0; 128 * W], vec![0; 128 * W]],
            lists: vec![Vec::new(); FURTHEST + 1],
            proven: true,
            state,
        }
    }

    /// The step in the game's own form.
    pub(super) fn to_move(&self, step: Step) -> Move {
        self.state.to_move(step)
    }

    /// The value of a step for the player to move: the `nth` tried in a position to be searched to
    /// `depth`. `None` if the budget ended. `proven` is about this value afterwards.
    fn attempt(
        &mut self,
        step: Step,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
        nth: usize,
    ) -> Option<i32> {
        if !self.budget.spend() {
            return None;
        }
        let side = self.state.turn == Some(self.root);
        let undo = self.state.make(step);
        let value = if nth == 0 {
            self.descend(side, alpha, beta, depth - 1, ply)
        } else {
            self.doubt(side, alpha, beta, depth, ply, nth)
        };
        self.state.unmake(step, undo);
        value
    }

    /// A step after the first is believed to be no better, and looked at in full only if a
    /// narrow window says otherwise.
    fn doubt(
        &mut self,
        side: bool,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
        nth: usize,
    ) -> Option<i32> {
        let reduction = match nth {
            _ if depth < 3 => 0,
            0..4 => 0,
            4..12 => 1,
            _ => 2,
        };
        let shallow = (depth - 1).saturating_sub(reduction);
        let mut value = self.descend(side, alpha, alpha + 1, shallow, ply)?;
        if value > alpha && shallow < depth - 1 {
            value = self.descend(side, alpha, alpha + 1, depth - 1, ply)?;
        }
        if value > alpha && value < beta {
            value = self.descend(side, alpha, beta, depth - 1, ply)?;
        }
        Some(value)
    }

    /// The value, for `side`, of the state after a step of his.
    fn descend(
        &mut self,
        side: bool,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
    ) -> Option<i32> {
        let next = self.state.turn.map_or(side, |player| player == self.root);
        if next == side {
            self.search(next, alpha, beta, depth, ply + 1)
        } else {
            let value = self.search(next, -beta, -alpha, depth, ply + 1)?;
            Some(-value)
        }
    }

    /// The value for `side` (the root's player, or all others), who is to move or has just ended
    /// the game.
    fn search(
        &mut self,
        side: bool,
        mut alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
    ) -> Option<i32> {
        self.proven = true;
        if self.state.turn.is_none() || settle(&self.state, &mut self.scores) {
            return Some(self.final_lead(side));
        }
        if depth == 0 || ply >= FURTHEST {
            self.proven = false;
            return Some(self.judge(side));
        }
        let known = self.table.probe(self.state.key);
        if let Some(entry) = known {
            let is_deep = entry.depth == TO_THE_END || u32::from(entry.depth) >= depth;
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if is_deep && decides {
                self.proven = entry.depth == TO_THE_END;
                return Some(entry.value);
            }
        }
        let mut ranked = std::mem::take(&mut self.lists[ply]);
        self.surveyor.survey(&self.state);
        self.rank(&mut ranked, known.and_then(|entry| entry.best), ply);
        let mut all_proven = true;
        let mut best = (-INFINITE, None);
        let mut bound = Bound::Upper;
        let mut nth = 0;
        for i in 0..ranked.len() {
            bring_best(&mut ranked[i..]);
            let step = ranked[i].1;
            if step.is_golden() && !self.state.can_lose(step.field()) {
                continue;
            }
            let value = self.attempt(step, alpha, beta, depth, ply, nth)?;
            nth += 1;
            all_proven &= self.proven;
            if value > best.0 {
                best = (value, Some(step));
            }
            if value > alpha {
                alpha = value;
                bound = Bound::Exact;
                if value >= beta {
                    bound = Bound::Lower;
                    all_proven = self.proven;
                    self.praise(step, &ranked[..i], side, depth, ply);
                    break;
                }
            }
        }
        self.lists[ply] = ranked;
        self.remember(best.0, bound, depth, all_proven, best.1);
        self.proven = all_proven;
        Some(best.0)
    }

    fn remember(&mut self, value: i32, bound: Bound, depth: u32, proven: bool, best: Option<Step>) {
        let entry = TableEntry {
            value,
            bound,
            depth: if proven {
                TO_THE_END
            } else {
                depth.min(250) as u8
            },
            best: best.map(Step::code),
        };
        self.table.store(self.state.key, entry);
    }

    /// A step was too good: try it early from now on, and those before it later.
    fn praise(&mut self, step: Step, before: &[(i32, Step)], side: bool, depth: u32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(step) {
            *killers = [Some(step), killers[0]];
        }
        let history = &mut self.history[usize::from(side)];
        let weight = (depth * depth) as i32;
        for (step, gain) in (before.iter().map(|&(_, step)| (step, -weight)))
            .chain(std::iter::once((step, 4 * weight)))
        {
            let worth = &mut history[slot::<W>(step)];
            *worth += gain - *worth * gain.abs() / HISTORY_MOST;
        }
    }

    /// The mover's steps, each with how soon to try it. Golden steps may be against the rules:
    /// few are ever tried, so whether the victim can spare the field is asked then.
    fn rank(&mut self, ranked: &mut Vec<(i32, Step)>, known: Option<u16>, ply: usize) {
        ranked.clear();
        let Some(mover) = self.state.turn else { return };
        let hints = self.surveyor.hints(&self.state, mover);
        let history = &self.history[usize::from(mover == self.root)];
        let known = known.map(Step::from_code);
        let killers = self.killers[ply];
        let mut add = |step: Step, hint: i32| {
            let worth = if known == Some(step) {
                1 << 30
            } else if killers.contains(&Some(step)) {
                1 << 20
            } else {
                hint + history[slot::<W>(step)]
            };
            ranked.push((worth, step));
        };
        for field in self.state.takes(mover).fields() {
            add(Step::take(field), hints.take(field));
        }
        for field in self.state.golden_targets(mover).fields() {
            add(Step::golden(field), hints.golden(field));
        }
    }

    /// The judgement of this state for `side`.
    fn judge(&mut self, side: bool) -> i32 {
        if let Some(network) = self.network.filter(|_| W <= LARGEST_LEARNED) {
            // The side is on move.
            let mover = if side { self.root } else { 1 - self.root };
            self.lens.look(&self.state);
            let (phase, features) = self.lens.features(&self.state, mover);
            let [one, two] = [mover, 1 - mover].map(|p| self.state.sides[p].busy as i32);
            return PARTS * (one - two) + PARTS * network.value(phase, &features) / 100;
        }
        self.surveyor.expect(&self.state);
        let lead = lead(&self.surveyor.expected, self.root);
        if side { lead } else { -lead }
    }

    /// The lead by the final scores, for `side`: those just settled, or of a game that is over.
    fn final_lead(&mut self, side: bool) -> i32 {
        if self.state.turn.is_none() {
            for (score, player) in self.scores.iter_mut().zip(&self.state.sides) {
                *score = player.busy as i32;
            }
        }
        let lead = PARTS * lead(&self.scores, self.root);
        if side { lead } else { -lead }
    }
}

/// By how much `player` is ahead of the best of the others.
pub(super) fn lead(values: &[i32], player: usize) -> i32 {
    let mut others = None;
    for (p, &value) in values.iter().enumerate() {
        if p != player {
            others = others.max(Some(value));
        }
    }
    values[player] - others.unwrap_or(0)
}

/// Swaps the step most worth trying to the front.
fn bring_best(ranked: &mut [(i32, Step)]) {
    let mut most = 0;
    for i in 1..ranked.len() {
        if ranked[i].0 > ranked[most].0 {
            most = i;
        }
    }
    ranked.swap(0, most);
}
