//! The oracle: every line of play to its end.
//!
//! Nothing is pruned and nothing is judged before the game is over, so what it says is true by
//! definition, and everything cleverer is checked against it. Each mover picks the move after
//! which its lead over the best of the others will be largest, supposing that all who move later
//! do the same; of equal moves the first. For two seats that is minimax of the score difference.
//! For more it is max^n.

use std::collections::HashMap;

use floe_rules::{Player, Position};

use crate::{Budget, Engine, Limits, Thought, lead};

/// The longest game it follows to the end; what lies further is not proven.
const FURTHEST: u32 = 256;
/// The most positions it keeps in mind: few enough that large boards do not fill the memory.
const MEMORY: usize = 1 << 15;

/// Plain minimax, and max^n for more than two seats: exact and slow.
///
/// It keeps every position it has finished in mind, whole, so it owes nothing to keys.
///
/// ```
/// use floe_rules::{Game, gamma::Gamma};
/// use floe_search::{Limits, Minimax};
/// let position = Gamma::start(&"2x1,areas=1".parse()?, 1)?;
/// let (scores, _) = Minimax::new().solve(&position, &Limits::default()).expect("it is small");
/// assert_eq!(scores.iter().sum::<i64>(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Minimax<P: Position> {
    known: HashMap<P, Vec<i64>>,
    budget: Budget,
}

impl<P: Position> Minimax<P> {
    /// An oracle that knows nothing yet.
    pub fn new() -> Self {
        Minimax {
            known: HashMap::new(),
            budget: Budget::new(&Limits::default()),
        }
    }

    /// The final scores of every seat and the best move, if they can be found within the limits;
    /// `None` also if the game is over. Costs the whole tree below.
    pub fn solve(&mut self, position: &P, limits: &Limits) -> Option<(Vec<i64>, P::Move)> {
        self.budget = Budget::new(limits);
        let depth = limits.depth.unwrap_or(FURTHEST).min(FURTHEST);
        let (scores, best) = self.value(position, depth)?;
        Some((scores, best?))
    }

    fn value(&mut self, position: &P, depth: u32) -> Option<(Vec<i64>, Option<P::Move>)> {
        let Some(mover) = position.turn() else {
            return Some((position.scores(), None));
        };
        let depth = depth.checked_sub(1)?;
        let mut best: Option<(Vec<i64>, P::Move)> = None;
        let mut after = position.clone();
        for mv in position.legal_moves() {
            if !self.budget.spend() {
                return None;
            }
            after.clone_from(position);
            after.play_unchecked(mv);
            let scores = match self.known.get(&after) {
                Some(scores) => scores.clone(),
                None => self.value(&after, depth)?.0,
            };
            if (best.as_ref()).is_none_or(|(most, _)| lead(&scores, mover) > lead(most, mover)) {
                best = Some((scores, mv));
            }
        }
        let (scores, mv) = best?;
        if self.known.len() < MEMORY {
            self.known.insert(position.clone(), scores.clone());
        }
        Some((scores, Some(mv)))
    }

    /// The final scores after every legal move, in the position's order; `None` if they cannot be
    /// found within the limits.
    pub fn values(&mut self, position: &P, limits: &Limits) -> Option<Vec<(P::Move, Vec<i64>)>> {
        self.budget = Budget::new(limits);
        let mut values = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            values.push((mv, self.value(&after, FURTHEST)?.0));
        }
        Some(values)
    }

    /// The moves that are as good for the mover as any; `None` as for
    /// [`values`](Minimax::values), and if the game is over.
    pub fn best_moves(&mut self, position: &P, limits: &Limits) -> Option<Vec<P::Move>> {
        let mover: Player = position.turn()?;
        let values = self.values(position, limits)?;
        let most = values.iter().map(|(_, s)| lead(s, mover)).max()?;
        let best = values.into_iter().filter(|(_, s)| lead(s, mover) == most);
        Some(best.map(|(mv, _)| mv).collect())
    }
}

impl<P: Position> Default for Minimax<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Position> Engine<P> for Minimax<P> {
    /// Proven if it comes to the end of everything, and otherwise the first legal move.
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let moves = position.legal_moves();
        assert!(!moves.is_empty(), "the game is over");
        self.known.clear();
        let is_forced = moves.len() == 1 && limits.is_hurried();
        self.budget = Budget::new(limits);
        let solved = match is_forced {
            true => None,
            false => self.solve(position, limits),
        };
        let nodes = self.budget.nodes();
        let Some((scores, best)) = solved else {
            let best = moves[0];
            return Thought {
                best,
                scores: position.scores(),
                depth: 0,
                nodes,
                line: vec![best],
                proven: false,
            };
        };
        // Everything below is known by now unless memory ran out, so the line is cheap to walk.
        let mut line = vec![best];
        let mut here = position.clone();
        here.play_unchecked(best);
        while let Some(mover) = here.turn() {
            let next = here.legal_moves().into_iter().find(|&mv| {
                let mut after = here.clone();
                after.play_unchecked(mv);
                let value = match after.turn() {
                    None => Some(after.scores()),
                    Some(_) => self.known.get(&after).cloned(),
                };
                value.is_some_and(|value| lead(&value, mover) == lead(&scores, mover))
            });
            let Some(mv) = next else { break };
            line.push(mv);
            here.play_unchecked(mv);
        }
        Thought {
            best,
            scores,
            depth: line.len() as u32,
            nodes,
            line,
            proven: true,
        }
    }
}
