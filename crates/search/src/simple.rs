//! The two reference players: `random`, and `greedy`, which looks one move ahead.

use floe_rules::Position;
use floe_rules::random::Random as Dice;

use crate::evaluate::{largest_lead, lead_now};
use crate::{Engine, Limits, Thought};

/// Picks any legal move, all equally likely.
#[derive(Debug, Clone)]
pub struct Random(Dice);

impl Random {
    /// The player with dice of this seed.
    pub fn seeded(seed: u64) -> Self {
        Random(Dice::seeded(seed))
    }
}

impl<P: Position> Engine<P> for Random {
    fn think(&mut self, position: &P, _: &Limits) -> Thought<P::Move> {
        let moves = position.legal_moves();
        assert!(!moves.is_empty(), "the game is over");
        let best = moves[self.0.index(moves.len())];
        Thought {
            best,
            scores: position.scores(),
            depth: 0,
            nodes: 0,
            line: vec![best],
            proven: false,
        }
    }
}

/// Makes the move after which its score stands best against the best of the others; picks by
/// dice among equals.
///
/// ```
/// use floe_rules::{Game, Position, flood::Flood};
/// use floe_search::{Engine, Limits, Greedy};
/// let position = Flood::start(&"6x6".parse()?, 1)?;
/// let thought = Greedy::seeded(1).think(&position, &Limits::nodes(2_000));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Greedy(Dice);

impl Greedy {
    /// The player with dice of this seed.
    pub fn seeded(seed: u64) -> Self {
        Greedy(Dice::seeded(seed))
    }
}

impl<P: Position> Engine<P> for Greedy {
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let mover = position.turn().expect("the game is over");
        let mut moves = position.legal_moves();
        self.0.shuffle(&mut moves);
        let mut after = position.clone();
        let mut nodes = 0;
        let mut best: Option<(i64, P::Move)> = None;
        let mut are_ends = true;
        for &mv in &moves {
            if best.is_some()
                && (limits.nodes.is_some_and(|most| nodes >= most) || limits.is_over())
            {
                break;
            }
            after.clone_from(position);
            after.play_unchecked(mv);
            nodes += 1;
            are_ends &= after.turn().is_none();
            let lead = lead_now(&after, mover);
            if best.is_none_or(|(most, _)| lead > most) {
                best = Some((lead, mv));
            }
        }
        let (lead, best) = best.expect("a mover has a move");
        // Only a finished game has a known result; an unfinished one may hide a better move.
        let is_whole = are_ends && nodes == moves.len() as u64;
        let is_largest = largest_lead(position, 1).is_some_and(|largest| lead >= largest);
        after.clone_from(position);
        after.play_unchecked(best);
        Thought {
            best,
            scores: after.scores(),
            depth: 1,
            nodes,
            line: vec![best],
            proven: is_whole || is_largest && after.turn().is_none(),
        }
    }
}
