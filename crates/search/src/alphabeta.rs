//! Alpha-beta: minimax that does not look where nothing can change the choice.
//!
//! The search deepens move by move until its budget is spent. What it finds about a position goes
//! into a [`TranspositionTable`], and the next, deeper round begins with the best move of the last. Other moves
//! are tried in the order in which they promise to cut: those that cut in sister positions
//! (killers), then those that cut often anywhere (history); near the root, those that a look at
//! the next position likes. After the first move of a position the others are only asked whether
//! they are better at all, with an empty window, and searched in full if they are (principal
//! variation search); the first round of each depth tries a narrow window about the last value
//! (aspiration).
//!
//! Values are leads: the score of the player who thinks less the best of the others. With more
//! than two seats all others play against that lead (the *paranoid* assumption), which makes two
//! sides of any table. A player may move several times in a row.
//!
//! Every value carries whether it is *proven*: reached from ends of games alone. A lower bound is
//! proven by one proven move, all else by proven moves all through. When the root is, the search
//! is over. So it is when a move is proven to give the largest lead that the rules allow
//! ([`Position::largest_margin`]): in a game in which a win is all there is, the first forced win.

mod order;
mod others;

use floe_rules::key::mix;
use floe_rules::{Player, Position};

use self::order::{Frame, History};
use crate::evaluate::{largest_lead, lead_now};
use crate::lines::BestValues;
use crate::sort::by_number;
use crate::table::TO_THE_END;
use crate::{
    Bound, Budget, Engine, Evaluate, Limits, Scores, TableEntry, Thought, TranspositionTable, lead,
};

/// Beyond every value; values are kept a little within it.
const INFINITY: i32 = i32::MAX;
/// The largest value.
const MOST: i64 = 1 << 30;
/// Most moves it looks ahead.
const DEEPEST: u32 = 250;
/// From how many moves before the horizon on moves are ordered by a look at what comes after.
const LOOK: u32 = 3;
/// Default size of the table, in bytes.
const TABLE: usize = 32 << 20;

/// Alpha-beta with an evaluation `E` of the positions at its horizon.
///
/// For two seats its proven thoughts are exact. For more it assumes that all opponents play against
/// it together. It then claims proof only if no opponent had a choice, or if none can prevent the
/// largest lead that the rules allow.
///
/// ```
/// use floe_rules::{Game, Position, flood::Flood};
/// use floe_search::{Engine, Limits, AlphaBeta};
/// let position = Flood::start(&"6x6".parse()?, 1)?;
/// let thought = AlphaBeta::new().think(&position, &Limits::nodes(2_000));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<P: Position, E = Scores> {
    evaluate: E,
    table: TranspositionTable,
    /// One for each move ahead; the first is the position thought about.
    frames: Vec<Frame<P>>,
    history: History,
    me: Player,
    /// The largest value there can be; [`INFINITY`] if the rules do not say.
    largest: i32,
    /// Set apart positions in the table that were searched for another player.
    salt: u64,
    budget: Budget,
    /// Whether an opponent had a choice anywhere, in a game of more than two players.
    is_guess: bool,
}

/// A value from the view of the player to move.
#[derive(Debug, Clone, Copy)]
struct Found {
    value: i32,
    proven: bool,
}

/// A move at the root and what is known of it.
#[derive(Debug, Clone, Copy)]
struct Root<M> {
    mv: M,
    /// `None` if all that is known is that others are better.
    found: Option<Found>,
}

impl<M> Root<M> {
    /// Orders roots: the best first, those of which nothing is known last.
    fn number(&self) -> i64 {
        self.found.map_or(i64::MAX, |found| -i64::from(found.value))
    }
}

impl<P: Position> AlphaBeta<P, Scores> {
    /// A search that judges by the scores so far.
    pub fn new() -> Self {
        AlphaBeta::with(Scores)
    }
}

impl<P: Position> Default for AlphaBeta<P, Scores> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Position, E: Evaluate<P>> AlphaBeta<P, E> {
    /// A search with this judgement.
    pub fn with(evaluate: E) -> Self {
        AlphaBeta {
            evaluate,
            table: TranspositionTable::with_bytes(TABLE),
            frames: Vec::new(),
            history: History::new(),
            me: Player::new(0),
            largest: INFINITY,
            salt: 0,
            budget: Budget::new(&Limits::default()),
            is_guess: false,
        }
    }

    /// The same search with a table of at most `bytes` bytes.
    #[must_use]
    pub fn with_table(mut self, bytes: usize) -> Self {
        self.table = TranspositionTable::with_bytes(bytes);
        self
    }

    fn prepare(&mut self, position: &P, limits: &Limits) {
        self.me = position.turn().expect("the game is over");
        self.budget = Budget::new(limits);
        self.is_guess = false;
        self.largest = largest_lead(position, self.evaluate.parts()).map_or(INFINITY, narrow);
        self.salt = match position.players() {
            2 => 0,
            _ => mix(1 << 62 | self.me.index() as u64),
        };
        if self.frames.is_empty() {
            self.frames.push(Frame::new(position));
        }
        self.frames[0].position.clone_from(position);
        self.frames.iter_mut().for_each(|f| f.killers = [None; 2]);
        // With a node limit, equal questions must get equal answers, so the table starts empty.
        // With a time limit, earlier results help. Values proven against all opponents together
        // hold for this search only.
        if limits.nodes.is_some() || position.players() > 2 {
            self.table.forget();
            self.history.forget();
        } else {
            self.table.advance();
            self.history.fade();
        }
    }

    /// Searches deeper and deeper, to a depth that depends on how many moves there are; gives the
    /// `top` best moves with values and lines.
    fn deepen(
        &mut self,
        position: &P,
        limits: &Limits,
        top: usize,
        deepest: impl Fn(usize) -> u32,
    ) -> Vec<Thought<P::Move>> {
        self.prepare(position, limits);
        if top > 1 {
            self.budget.extend(&limits.for_first_line());
        }
        let mut roots = self.roots();
        let deepest = deepest(roots.len());
        let mut values = BestValues::default();
        let mut done = 0;
        let mut is_whole = false;
        while done < deepest && self.budget.allows_depth(done + 1) {
            let Some(proven) = self.round(&mut roots, done + 1) else {
                break;
            };
            done += 1;
            if let Some(found) = roots[0].found {
                values.note(done, found.value);
            }
            if proven {
                is_whole = true;
                break;
            }
        }
        is_whole |= roots[0].found.is_some_and(|found| self.is_largest(found));
        let best = roots.remove(0);
        let mut thoughts = vec![self.thought(&best, done)];
        thoughts[0].proven &= is_whole;
        if let Some(found) = best.found
            && top > 1
        {
            values.end(found.value);
            let limits = limits.for_all_lines(self.budget.nodes(), thoughts[0].proven);
            self.budget.extend(&limits);
            let deepest = match thoughts[0].proven {
                true => DEEPEST,
                false => done.max(1),
            };
            let (others, depth) = self.others(roots, deepest, top - 1, &values);
            for root in others {
                let thought = self.thought(&root, depth);
                thoughts.push(thought);
            }
        }
        let nodes = self.budget.nodes();
        thoughts
            .iter_mut()
            .for_each(|thought| thought.nodes = nodes);
        thoughts
    }

    /// The legal moves, those first that look best.
    fn roots(&mut self) -> Vec<Root<P::Move>> {
        let is_open = self.list(0) && self.look(0, None).is_some();
        let Frame { moves, order, .. } = &mut self.frames[0];
        if is_open {
            by_number(order, |&(promise, _)| -i64::from(promise));
        }
        let root = |&(_, i): &(i32, u32)| Root {
            mv: moves[i as usize],
            found: None,
        };
        order.iter().map(root).collect()
    }

    /// Searches all moves to one depth, and sorts them by what was found: whether all is proven,
    /// or `None` if the budget ended. Even then the first is the best known.
    fn round(&mut self, roots: &mut Vec<Root<P::Move>>, depth: u32) -> Option<bool> {
        let last = roots[0].found.map(|f| f.value);
        let mut width = (2 * self.evaluate.parts()).min(MOST) as i32;
        let (mut alpha, mut beta) = match last {
            Some(value) if depth > 2 => (value.saturating_sub(width), value.saturating_add(width)),
            _ => (-INFINITY, INFINITY),
        };
        loop {
            let (best, proven) = self.pass(roots, depth, alpha, beta)?;
            if best > alpha && best < beta {
                return Some(proven);
            }
            width = width.saturating_mul(4);
            if best <= alpha {
                alpha = best.saturating_sub(width).max(-INFINITY);
            } else {
                beta = best.saturating_add(width);
            }
        }
    }

    /// Searches all moves within a window: the best value, and whether everything is proven.
    fn pass(
        &mut self,
        roots: &mut Vec<Root<P::Move>>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<(i32, bool)> {
        let mut tried: Vec<Root<P::Move>> = Vec::with_capacity(roots.len());
        let mut best = -INFINITY;
        let mut proven = true;
        for i in 0..roots.len() {
            let floor = alpha.max(best);
            let Some(found) = self.try_move(0, roots[i].mv, depth, floor, beta, i > 0) else {
                // The moves tried so far were the best of the last round, so a better one among
                // them is better than anything known.
                if best > alpha {
                    by_number(&mut tried, Root::number);
                    tried.extend_from_slice(&roots[i..]);
                    tried.iter_mut().skip(1).for_each(|r| r.found = None);
                    *roots = tried;
                }
                return None;
            };
            proven &= found.proven;
            best = best.max(found.value);
            tried.push(Root {
                mv: roots[i].mv,
                found: (found.value > floor).then_some(found),
            });
            let is_won = self.is_largest(found);
            proven |= is_won;
            if found.value >= beta || is_won {
                tried.extend(roots[i + 1..].iter().map(|r| Root { found: None, ..*r }));
                break;
            }
        }
        if best > alpha {
            by_number(&mut tried, Root::number);
            *roots = tried;
        }
        Some((best, proven))
    }

    /// Makes a move at `ply` and searches what comes after: its value for the one who made it.
    /// With `scout`, asks first whether it is more than `alpha` at all.
    fn try_move(
        &mut self,
        ply: usize,
        mv: P::Move,
        depth: u32,
        alpha: i32,
        beta: i32,
        scout: bool,
    ) -> Option<Found> {
        if !self.budget.spend() {
            return None;
        }
        let side = self.side(ply);
        if let Some(ended) = self.step(ply, mv) {
            return Some(Found {
                value: if side { ended } else { -ended },
                proven: true,
            });
        }
        let same = self.side(ply + 1) == side;
        if scout && beta - 1 > alpha {
            let found = self.below(ply, depth, alpha, alpha.saturating_add(1), same)?;
            if found.value <= alpha || found.value >= beta {
                return Some(found);
            }
        }
        self.below(ply, depth, alpha, beta, same)
    }

    fn below(&mut self, ply: usize, depth: u32, a: i32, b: i32, same: bool) -> Option<Found> {
        if same {
            return self.search(ply + 1, depth - 1, a, b);
        }
        let found = self.search(ply + 1, depth - 1, -b, -a)?;
        Some(Found {
            value: -found.value,
            ..found
        })
    }

    /// Whether a value is proven and no move can have a larger one.
    fn is_largest(&self, found: Found) -> bool {
        found.proven && found.value >= self.largest
    }

    /// Whether the player to move at `ply` is the one the engine thinks for.
    fn side(&self, ply: usize) -> bool {
        self.frames[ply].position.turn() == Some(self.me)
    }

    /// Makes a move at `ply`; the lead of the one who thinks if that ends the game.
    fn step(&mut self, ply: usize, mv: P::Move) -> Option<i32> {
        if self.frames.len() <= ply + 1 {
            let frame = Frame::new(&self.frames[ply].position);
            self.frames.push(frame);
        }
        let (here, there) = self.frames.split_at_mut(ply + 1);
        let after = &mut there[0].position;
        after.clone_from(&here[ply].position);
        after.play_unchecked(mv);
        match after.turn() {
            None => {
                let lead = lead_now(after, self.me);
                Some(narrow(lead.saturating_mul(self.evaluate.parts())))
            }
            Some(_) => None,
        }
    }

    /// The value of the position at `ply` for its mover, searched `depth` moves ahead.
    fn search(&mut self, ply: usize, depth: u32, mut alpha: i32, beta: i32) -> Option<Found> {
        let side = self.side(ply);
        let position = &self.frames[ply].position;
        let key = self.evaluate.key(position) ^ self.salt;
        let known = self.table.probe(key);
        if let Some(entry) = known
            && u32::from(entry.depth) >= depth
        {
            let holds = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if holds {
                return Some(Found {
                    value: entry.value,
                    proven: entry.depth == TO_THE_END,
                });
            }
        }
        if depth == 0 {
            let lead = narrow(self.evaluate.lead(position, self.me));
            let value = if side { lead } else { -lead };
            self.table.store(
                key,
                TableEntry {
                    value,
                    bound: Bound::Exact,
                    depth: 0,
                    best: None,
                },
            );
            return Some(Found {
                value,
                proven: false,
            });
        }
        self.list(ply);
        let table_best = known.and_then(|entry| entry.best).map(u32::from);
        if depth >= LOOK && table_best.is_none() {
            self.look(ply, Some(side))?;
        } else {
            self.frames[ply].promise(side, table_best, &self.history);
        }
        let mut best = Found {
            value: -INFINITY,
            proven: true,
        };
        let mut chosen = None;
        let floor = alpha;
        let mut is_first = true;
        while let Some((mv, index)) = self.frames[ply].next() {
            let found = self.try_move(ply, mv, depth, alpha, beta, !is_first)?;
            is_first = false;
            best.proven &= found.proven;
            if found.value > best.value {
                best.value = found.value;
                if found.value > alpha {
                    chosen = Some(index);
                    alpha = found.value;
                }
                if alpha >= beta || self.is_largest(found) {
                    best.proven = found.proven;
                    self.frames[ply].credit(mv);
                    self.history.credit(mv, side, depth);
                    break;
                }
            }
        }
        let bound = if best.value >= beta {
            Bound::Lower
        } else if best.value > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TableEntry {
            value: best.value,
            bound,
            depth: if best.proven { TO_THE_END } else { depth as u8 },
            best: chosen
                .and_then(|i| u16::try_from(i).ok())
                .or(known.and_then(|e| e.best)),
        };
        self.table.store(key, entry);
        Some(best)
    }

    /// Lists the moves at `ply`, in their own order; whether there are any.
    fn list(&mut self, ply: usize) -> bool {
        let players = self.frames[ply].position.players();
        let is_mine = self.side(ply);
        let frame = &mut self.frames[ply];
        frame.list();
        self.is_guess |= players > 2 && !is_mine && frame.moves.len() > 1;
        !frame.moves.is_empty()
    }

    /// Orders the moves at `ply` by the judgement of what comes after each.
    fn look(&mut self, ply: usize, side: Option<bool>) -> Option<()> {
        let side = side.unwrap_or(true);
        for i in 0..self.frames[ply].order.len() {
            if !self.budget.spend() {
                return None;
            }
            let mv = self.frames[ply].moves[i];
            let lead = match self.step(ply, mv) {
                Some(lead) => lead,
                None => narrow(self.evaluate.lead(&self.frames[ply + 1].position, self.me)),
            };
            self.frames[ply].order[i].0 = if side { lead } else { -lead };
        }
        Some(())
    }

    /// A root move as people read it.
    fn thought(&mut self, root: &Root<P::Move>, depth: u32) -> Thought<P::Move> {
        let mut line = vec![root.mv];
        let mut here = self.frames[0].position.clone();
        let mut moves = Vec::new();
        here.play_unchecked(root.mv);
        while here.turn().is_some() && line.len() < DEEPEST as usize {
            let entry = self.table.probe(self.evaluate.key(&here) ^ self.salt);
            let Some(TableEntry {
                best: Some(best),
                bound: Bound::Exact,
                ..
            }) = entry
            else {
                break;
            };
            here.moves(&mut moves);
            let Some(&mv) = moves.get(usize::from(best)) else {
                break;
            };
            line.push(mv);
            here.play_unchecked(mv);
        }
        let mut scores = here.scores();
        if here.turn().is_some() {
            self.evaluate.expect(&here, &mut scores);
            let parts = self.evaluate.parts();
            scores.iter_mut().for_each(|s| *s = rounded(*s, parts));
        }
        if let Some(found) = root.found {
            let value = rounded(found.value.into(), self.evaluate.parts());
            scores[self.me.index()] += value - lead(&scores, self.me);
        }
        Thought {
            best: root.mv,
            scores,
            depth,
            nodes: self.budget.nodes(),
            line,
            // A guess about the others does not matter where they can do nothing about it.
            proven: (root.found)
                .is_some_and(|f| f.proven && (!self.is_guess || self.is_largest(f))),
        }
    }
}

impl<P: Position, E: Evaluate<P>> Engine<P> for AlphaBeta<P, E> {
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let deepest = |moves| match moves {
            1 if limits.is_hurried() => 1,
            _ => DEEPEST,
        };
        self.deepen(position, limits, 1, deepest).swap_remove(0)
    }

    /// The search for the best move comes first; the others follow from the same table.
    fn rank(&mut self, position: &P, limits: &Limits, top: usize) -> Vec<Thought<P::Move>> {
        self.deepen(position, limits, top.max(1), |_| DEEPEST)
    }
}

fn narrow(value: i64) -> i32 {
    value.clamp(-MOST, MOST) as i32
}

/// `value` parts in whole points, to the nearest.
fn rounded(value: i64, parts: i64) -> i64 {
    (2 * value + parts).div_euclid(2 * parts)
}
