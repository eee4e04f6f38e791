//! The root: deeper and deeper, until a limit is reached or everything is known.
//!
//! If the caller asks for several moves, the search for the best one comes first; see `lines`.

use super::super::board::{SearchBoard, Step};
use super::super::set::FieldSet;
use super::super::solo_solver::SoloSolver;
use super::super::territory::FISH;
use super::judge::are_apart;
use super::{BEAM, Candidate, INFINITE, LONGEST, Search, sort_candidates};
use crate::lines::BestValues;
use crate::sort::by_number;
use crate::threads::Pace;
use crate::{Budget, Limits};

/// Node limit for the opponents' regions once those of the player to move are separate.
const PLAN: u32 = 20_000;

/// A move of the root, and its result.
#[derive(Debug, Clone)]
pub(in super::super) struct Found {
    pub(in super::super) line: Vec<Step>,
    /// The lead of the root's mover in the end, in hundredths of fish.
    pub(in super::super) value: i32,
    pub(in super::super) depth: u32,
    pub(in super::super) proven: bool,
}

/// Puts the best first. Boards of all sizes share this code.
fn sort_found(found: &mut [Found]) {
    by_number(found, |found| -i64::from(found.value));
}

impl<const N: usize, const S: usize> Search<'_, N, S> {
    /// Searches deeper and deeper until a limit is reached or all is proven. Gives the `top` best
    /// moves, the best first, but none that were not reached in time; the first is proven only if
    /// it is proven to be the best.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub(in super::super) fn run(
        &mut self,
        limits: &Limits,
        top: usize,
        is_hurried: bool,
    ) -> Vec<Found> {
        let mut roots = self.roots();
        let mut found = vec![self.unsearched(&roots)];
        // Where there is no choice, there is nothing to think about.
        let deepest = match roots.len() {
            1 if is_hurried => 2,
            _ => LONGEST,
        };
        if top > 1 {
            self.budget.extend(&limits.for_first_line());
        }
        if deepest == LONGEST && self.plan(&roots, limits, top, &mut found) {
            return found;
        }
        let mut values = BestValues::default();
        let mut order = roots.clone();
        self.deepen(&mut order, deepest, 1, &mut values, &mut found, Pace::EVERY);
        let best = &found[0];
        roots.retain(|root| root.step != best.line[0]);
        if top > 1 && !roots.is_empty() {
            values.end(best.value);
            let limits = limits.for_all_lines(self.budget.nodes(), best.proven);
            self.budget.extend(&limits);
            let deepest = match best.proven {
                true => LONGEST,
                false => best.depth.max(1) as usize + 1,
            };
            let mut others = Vec::new();
            let pace = Pace::EVERY;
            self.deepen(&mut roots, deepest, top - 1, &mut values, &mut others, pace);
            for other in &mut others {
                (other.value, other.proven) =
                    values.compare(other.depth, other.value, other.proven);
            }
            sort_found(&mut others);
            found.append(&mut others);
        }
        found
    }

    /// Searches for what the table keeps, beside the thread that decides; gives the nodes it took.
    pub(in super::super) fn help(&mut self, pace: Pace) -> u64 {
        let mut roots = self.roots();
        let mut found = vec![self.unsearched(&roots)];
        let mut values = BestValues::default();
        self.deepen(&mut roots, LONGEST, 1, &mut values, &mut found, pace);
        self.nodes()
    }

    /// What is known before the first round.
    fn unsearched(&self, roots: &[Candidate]) -> Found {
        let first = roots.first().expect("the game is over").step;
        Found {
            line: vec![first],
            value: FISH * self.board.lead(self.me.into()),
            depth: 0,
            proven: false,
        }
    }

    /// Searches deeper and deeper, up to the depth before `deepest`: for the best move, whose values
    /// are noted, or for others once these are all known.
    fn deepen(
        &mut self,
        roots: &mut Vec<Candidate>,
        deepest: usize,
        top: usize,
        values: &mut BestValues,
        found: &mut Vec<Found>,
        pace: Pace,
    ) {
        let is_first = !found.is_empty();
        let unplaced = self.board.unplaced();
        let mut rounds = 0;
        for depth in 1..deepest {
            if !self.budget.allows_depth(depth as u32) && depth > 1 {
                break;
            }
            // While penguins are placed, only equal numbers of them compare.
            let is_odd = |depth: usize| {
                depth < unplaced && !(unplaced - depth).is_multiple_of(self.board.seats)
            };
            if depth > 1 && is_odd(depth) {
                continue;
            }
            rounds += 1;
            if !pace.takes(rounds) {
                continue;
            }
            if self.board.placing && depth > 2 {
                let kept = if depth > unplaced { BEAM } else { 2 * BEAM };
                roots.truncate(kept.max(top));
            }
            let ceiling = (!is_first).then(|| values.at(depth as u32));
            let is_done = self.pass(roots, depth as i32, ceiling, top, found);
            if is_first && is_done.is_some() {
                values.note(depth as u32, found[0].value);
            }
            if is_done != Some(false) {
                break;
            }
        }
    }

    /// The `top` best moves if no opponent can reach the regions of the player to move: then only
    /// that player's own order of moves matters. A forced move is not looked at in a hurry.
    pub(in super::super) fn run_alone(
        &mut self,
        limits: &Limits,
        top: usize,
        is_hurried: bool,
    ) -> Option<Vec<Found>> {
        let roots = self.roots();
        let mut found = Vec::new();
        if is_hurried && roots.len() == 1 {
            return None;
        }
        if top > 1 {
            self.budget.extend(&limits.for_first_line());
        }
        if self.plan(&roots, limits, top, &mut found) {
            return Some(found);
        }
        if top > 1 {
            self.budget.extend(limits);
        }
        None
    }

    /// The board and the rest of the budget, for another search.
    pub(in super::super) fn into_parts(self) -> (SearchBoard<N, S>, Budget) {
        (self.board, self.budget)
    }

    /// The moves; those with fish and room to move on come first.
    fn roots(&mut self) -> Vec<Candidate> {
        let mut steps = Vec::new();
        self.board.moves(&mut steps);
        let mut roots: Vec<Candidate> = steps
            .iter()
            .map(|&step| {
                let mut order = 3 * self.board.fish(step.to.into());
                self.board.for_each_target(step.to.into(), |_| order += 1);
                Candidate { step, order }
            })
            .collect();
        sort_candidates(&mut roots);
        roots
    }

    /// Solves the regions of the player to move if no opponent can reach them; `false` if one can,
    /// or if no solution was found.
    fn plan(
        &mut self,
        roots: &[Candidate],
        limits: &Limits,
        top: usize,
        found: &mut Vec<Found>,
    ) -> bool {
        let (board, me) = (&self.board, usize::from(self.me));
        if board.placing || !self.budget.check() {
            return false;
        }
        let mut reach = vec![FieldSet::EMPTY; board.seats];
        let (mut worth, complete) = self.slides.expect(board, &self.weights, &mut reach);
        let is_mine = |seat: usize| seat == me || !reach[seat].intersects(&reach[me]);
        if !complete || !(0..board.seats).all(is_mine) {
            return false;
        }
        let mut others_proven = are_apart(&reach);
        for seat in (0..self.board.seats).filter(|&seat| seat != me) {
            let settled = self.settle(seat, &reach[seat], PLAN);
            worth[seat] = settled.0;
            others_proven &= settled.1;
        }
        let end = |seat: usize| FISH * self.board.scores[seat] + worth[seat];
        let others = (0..self.board.seats).filter(|&seat| seat != me).map(end);
        let others = others.max().unwrap_or(0);
        let so_far = FISH * self.board.scores[me];
        let mut solver = SoloSolver::new(&self.board, self.solo_memory, &mut self.budget);
        let (step, known) = solver.plan(me, &reach[me], u32::MAX);
        let Some(step) = step else { return false };
        let found_at = |step: Step, fish: i32, proven: bool| Found {
            line: vec![step],
            value: so_far + FISH * fish - others,
            depth: 1,
            proven,
        };
        *found = vec![found_at(
            step,
            known.least,
            others_proven && known.is_exact(),
        )];
        if top > 1 {
            let limits = limits.for_all_lines(self.budget.nodes(), found[0].proven);
            self.budget.extend(&limits);
            let mut rest = Vec::new();
            for root in roots.iter().filter(|root| root.step != step) {
                let Some((undo, _)) = self.play(root.step) else {
                    break;
                };
                let fish = self.board.scores[me] - so_far / FISH;
                let mut floes = reach[me];
                floes.remove(root.step.to.into());
                let mut solver = SoloSolver::new(&self.board, self.solo_memory, &mut self.budget);
                let after = solver.pick(me, &floes, PLAN);
                self.board.take_back(root.step, undo);
                let proven = others_proven && after.is_exact();
                rest.push(found_at(root.step, fish + after.least, proven));
            }
            sort_found(&mut rest);
            // Where the plan was cut short, another move may have turned out better.
            if rest
                .first()
                .is_some_and(|other| other.value > found[0].value)
            {
                rest.append(found);
                sort_found(&mut rest);
                rest[0].proven = false;
            }
            found.append(&mut rest);
            found.truncate(top);
        }
        true
    }

    /// Searches the root's moves to one depth, best first: whether all is proven, or `None` if a
    /// limit came first. Then what was found counts only if it is better than what was known.
    fn pass(
        &mut self,
        roots: &mut [Candidate],
        depth: i32,
        ceiling: Option<i32>,
        top: usize,
        found: &mut Vec<Found>,
    ) -> Option<bool> {
        let mut tried: Vec<Found> = Vec::with_capacity(top + 1);
        let mut all_proven = true;
        for (i, root) in roots.iter_mut().enumerate() {
            // The value a move must beat to be among the best.
            let floor = match tried.get(top - 1) {
                Some(last) => last.value,
                None => -INFINITE,
            };
            let most = ceiling.map_or(INFINITE, |ceiling| ceiling + 1);
            if floor >= most - 1 {
                // Enough moves are as good as the best.
                root.order = -INFINITE;
                continue;
            }
            let mut value = self.try_root(root.step, i, depth, (floor, most), top);
            if self.budget.is_spent() {
                // The best move known was tried first, so better ones are better than it is now.
                let is_news = top == 1 || found.first().is_none_or(|found| found.depth == 0);
                if !tried.is_empty() && is_news {
                    tried[0].proven = false;
                    *found = tried;
                }
                return None;
            }
            if value >= most {
                value = most - 1;
                self.proven = false;
            }
            all_proven &= self.proven;
            // One move ahead a value is exact whatever it is compared with.
            root.order = if depth <= 1 { value } else { -INFINITE };
            if value > floor {
                let mut line = vec![root.step];
                line.extend_from_slice(&self.lines[1]);
                let at = tried.partition_point(|other| other.value >= value);
                let known = Found {
                    line,
                    value,
                    depth: depth as u32,
                    proven: self.proven,
                };
                tried.insert(at, known);
                tried.truncate(top);
            }
        }
        // The best go first, the others stay in the order that served so far; after the first
        // round every move has a value of its own to go by.
        if depth > 1 {
            for (i, root) in roots.iter_mut().enumerate() {
                let place = tried.iter().position(|known| known.line[0] == root.step);
                root.order = -(place.unwrap_or(top + i) as i32);
            }
        }
        sort_candidates(roots);
        // Only the best of all moves has to be proven to be the best.
        if ceiling.is_none() {
            tried[0].proven = all_proven;
        }
        *found = tried;
        Some(all_proven)
    }

    /// The value of the `i`th move, if it is between `floor` and `most`; otherwise something beyond
    /// the same end.
    fn try_root(
        &mut self,
        step: Step,
        i: usize,
        depth: i32,
        (floor, most): (i32, i32),
        top: usize,
    ) -> i32 {
        let Some((undo, sign)) = self.play(step) else {
            return -INFINITE;
        };
        let mut value;
        if i < top || depth <= 1 {
            value = self.child(sign, depth - 1, floor, most, 1);
        } else {
            let late = i32::from(i >= top + 3 && depth >= 3 && !self.board.placing);
            value = self.child(sign, depth - 1 - late, floor, floor + 1, 1);
            if value > floor && (late > 0 || value < most) && !self.budget.is_spent() {
                value = self.child(sign, depth - 1, floor, most, 1);
            }
        }
        self.board.take_back(step, undo);
        value
    }

    /// Nodes used.
    pub(in super::super) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// Fish every seat will still collect: the evaluation at the end of the line, adjusted to the
    /// lead the search found.
    pub(in super::super) fn scores(&mut self, found: &Found) -> Vec<i64> {
        let mut made = Vec::new();
        for &step in &found.line {
            made.push((step, self.board.play(step)));
        }
        let (seats, me) = (self.board.seats, usize::from(self.me));
        let mut reach = vec![FieldSet::EMPTY; seats];
        let (mut worth, complete) = self.slides.expect(&self.board, &self.weights, &mut reach);
        if complete && !self.board.placing && are_apart(&reach) {
            for seat in 0..seats {
                worth[seat] = self.settle(seat, &reach[seat], PLAN).0;
            }
        }
        let mut scores: Vec<i64> = (0..seats)
            .map(|seat| {
                let hundredths = FISH * self.board.scores[seat] + worth[seat];
                i64::from((hundredths + FISH / 2).div_euclid(FISH))
            })
            .collect();
        for (step, undo) in made.into_iter().rev() {
            self.board.take_back(step, undo);
        }
        let value = i64::from((found.value + FISH / 2).div_euclid(FISH));
        let others = (0..seats).filter(|&seat| seat != me);
        let Some(best) = others.map(|seat| scores[seat]).max() else {
            return vec![value];
        };
        // The search found the lead by looking further than this. Both sides share the difference,
        // but no seat gets less than it has now.
        let now = |seat: usize| i64::from(self.board.scores[seat]);
        let off = value - (scores[me] - best);
        let others = (0..seats).filter(|&seat| seat != me);
        let least = others.map(now).max().unwrap_or(0) + value;
        scores[me] = (scores[me] + off.div_euclid(2)).max(now(me)).max(least);
        let rival = scores[me] - value;
        for seat in (0..seats).filter(|&seat| seat != me) {
            if scores[seat] == best {
                scores[seat] = rival;
            }
            scores[seat] = scores[seat].min(rival);
        }
        (0..seats).map(|seat| scores[seat] - now(seat)).collect()
    }
}
