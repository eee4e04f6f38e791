//! Max^n: all players play for their own lead.
//!
//! The search for games of more than two players. Every player takes the move after which their own
//! lead over the best opponent is largest, and the value of a position is the scores that result.
//! Of equal moves the first in the position's order counts, so the value does not depend on the
//! order of the search, and at full depth it equals the oracle's. Nothing can be pruned safely, but
//! the search stores positions it meets again, and after a move with the largest lead the rules
//! allow it looks at no other.

use floe_rules::Position;

use crate::evaluate::largest_lead;
use crate::{Budget, Engine, Evaluate, Limits, Scores, Thought, lead};

const DEEPEST: u32 = 250;
/// Slots of the memory.
const SLOTS: usize = 1 << 16;
/// Node limit of a proof after another search.
const PROOF_NODES: u64 = 400_000;
/// The depth of what was searched to the ends of all games.
const TO_THE_END: u32 = u32::MAX;

/// Max^n with a judgement `E` of the positions at its horizon.
///
/// ```
/// use floe_rules::{Game, Position, flood::Flood};
/// use floe_search::{Engine, Limits, MaxN};
/// let position = Flood::start(&"6x6".parse()?, 1)?;
/// let thought = MaxN::new().think(&position, &Limits::nodes(2_000));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaxN<P: Position, E = Scores> {
    evaluate: E,
    frames: Vec<Frame<P>>,
    /// Key and depth of each slot; the scores of slot `i` start at `i` times the seats.
    slots: Vec<(u64, u32)>,
    scores: Vec<i64>,
    seats: usize,
    /// The largest lead there can be, in parts; `i64::MAX` if the rules do not say.
    largest: i64,
    budget: Budget,
}

#[derive(Debug)]
struct Frame<P: Position> {
    position: P,
    moves: Vec<P::Move>,
    /// Scores of every seat after the best move so far.
    best: Vec<i64>,
}

impl<P: Position> MaxN<P, Scores> {
    /// A search that judges by the scores so far.
    pub fn new() -> Self {
        MaxN::with(Scores)
    }
}

impl<P: Position> Default for MaxN<P, Scores> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Position, E: Evaluate<P>> MaxN<P, E> {
    /// A search with this judgement.
    pub fn with(evaluate: E) -> Self {
        MaxN {
            evaluate,
            frames: Vec::new(),
            slots: Vec::new(),
            scores: Vec::new(),
            seats: 0,
            largest: i64::MAX,
            budget: Budget::new(&Limits::default()),
        }
    }

    /// Searches the position at `ply`: which of its moves is best, and whether the scores it
    /// leaves in the frame are proven.
    fn search(&mut self, ply: usize, depth: u32) -> Option<(usize, bool)> {
        let mover = self.frames[ply]
            .position
            .turn()
            .expect("the game is not over");
        let frame = &mut self.frames[ply];
        frame.position.moves(&mut frame.moves);
        let mut best: Option<(i64, usize)> = None;
        let mut proven = true;
        for i in 0..self.frames[ply].moves.len() {
            if !self.budget.spend() {
                return None;
            }
            let is_proven = self.visit(ply, i, depth)?;
            proven &= is_proven;
            let (here, there) = self.frames.split_at_mut(ply + 1);
            let lead = lead(&there[0].best, mover);
            if best.is_none_or(|(most, _)| lead > most) {
                best = Some((lead, i));
                here[ply].best.clone_from(&there[0].best);
            }
            if is_proven && lead >= self.largest {
                // No move is better. All opponents are then as far behind as they can be, so all
                // leads are the same after any move as good as this one.
                return Some((i, true));
            }
        }
        Some((best.expect("a mover has a move").1, proven))
    }

    /// Makes the `i`th move at `ply` and finds out what every seat has then; whether that is
    /// proven.
    fn visit(&mut self, ply: usize, i: usize, depth: u32) -> Option<bool> {
        if self.frames.len() <= ply + 1 {
            let frame = Frame::new(&self.frames[ply].position);
            self.frames.push(frame);
        }
        let (here, there) = self.frames.split_at_mut(ply + 1);
        let (here, after) = (&here[ply], &mut there[0]);
        after.position.clone_from(&here.position);
        after.position.play_unchecked(here.moves[i]);
        after.best.resize(self.seats, 0);
        if after.position.turn().is_none() {
            Scores.expect(&after.position, &mut after.best);
            let parts = self.evaluate.parts();
            after
                .best
                .iter_mut()
                .for_each(|s| *s = s.saturating_mul(parts));
            return Some(true);
        }
        if depth <= 1 {
            self.evaluate.expect(&after.position, &mut after.best);
            return Some(false);
        }
        let key = self.evaluate.key(&after.position);
        let slot = key as usize % SLOTS;
        let (known, searched) = self.slots[slot];
        if known == key && searched >= depth {
            let scores = &self.scores[slot * self.seats..][..self.seats];
            after.best.copy_from_slice(scores);
            return Some(searched == TO_THE_END);
        }
        let (_, proven) = self.search(ply + 1, depth - 1)?;
        self.slots[slot] = (key, if proven { TO_THE_END } else { depth });
        self.scores[slot * self.seats..][..self.seats].copy_from_slice(&self.frames[ply + 1].best);
        Some(proven)
    }

    /// The moves expected after `line`, as far as the table goes.
    fn extend(&self, here: &mut P, line: &mut Vec<P::Move>, scores: &[i64]) {
        let mut after = here.clone();
        while here.turn().is_some() && line.len() < DEEPEST as usize {
            let next = here.legal_moves().into_iter().find(|&mv| {
                after.clone_from(here);
                after.play_unchecked(mv);
                let key = self.evaluate.key(&after);
                let slot = key as usize % SLOTS;
                self.slots[slot].0 == key && self.scores[slot * self.seats..].starts_with(scores)
            });
            let Some(mv) = next else { break };
            line.push(mv);
            here.play_unchecked(mv);
        }
    }
}

impl<P: Position> MaxN<P, Scores> {
    /// The proven thought about a position whose ends another search saw all, within these limits
    /// less the nodes it spent; `None` if that is too little.
    pub(crate) fn prove(
        &mut self,
        position: &P,
        limits: &Limits,
        spent: u64,
    ) -> Option<Thought<P::Move>> {
        let left = limits.nodes.map_or(PROOF_NODES, |most| most - spent);
        let limits = Limits {
            nodes: Some(left.min(PROOF_NODES)),
            ..limits.clone()
        };
        let thought = self.think(position, &limits);
        thought.proven.then_some(Thought {
            nodes: thought.nodes + spent,
            ..thought
        })
    }
}

impl<P: Position> Frame<P> {
    fn new(position: &P) -> Self {
        Frame {
            position: position.clone(),
            moves: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl<P: Position, E: Evaluate<P>> Engine<P> for MaxN<P, E> {
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let moves = position.legal_moves();
        let mut best = *moves.first().expect("the game is over");
        let deepest = match moves.len() {
            1 if limits.is_hurried() => 1,
            _ => DEEPEST,
        };
        self.budget = Budget::new(limits);
        self.seats = position.players() as usize;
        self.largest = largest_lead(position, self.evaluate.parts()).unwrap_or(i64::MAX);
        self.slots.clear();
        self.slots.resize(SLOTS, (0, 0));
        self.scores.resize(SLOTS * self.seats, 0);
        if self.frames.is_empty() {
            self.frames.push(Frame::new(position));
        }
        self.frames[0].position.clone_from(position);
        let mut scores = vec![0; self.seats];
        self.evaluate.expect(position, &mut scores);
        let mut done = 0;
        let mut proven = false;
        while !proven && done < deepest && self.budget.allows_depth(done + 1) {
            let Some((chosen, is_whole)) = self.search(0, done + 1) else {
                break;
            };
            done += 1;
            proven = is_whole;
            best = self.frames[0].moves[chosen];
            scores.clone_from(&self.frames[0].best);
        }
        let mut line = vec![best];
        let mut here = position.clone();
        here.play_unchecked(best);
        self.extend(&mut here, &mut line, &scores);
        let parts = self.evaluate.parts();
        scores.iter_mut().for_each(|s| *s = s.div_euclid(parts));
        Thought {
            best,
            scores,
            depth: done,
            nodes: self.budget.nodes(),
            line,
            proven,
        }
    }
}
