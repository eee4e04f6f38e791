//! Opponents that people can enjoy.
//!
//! A level is weaker than the engine in ways that a person knows. It *looks at fewer positions* and
//! fewer moves ahead. It *overlooks moves*, even good ones: of the moves that it sees it takes the
//! best. And the weakest levels *blunder*: now and then they take the worst move for the best.

use floe_rules::Position;

use crate::{Dice, Engine, Limits, Thought};

/// How a level limits an engine, at one size of table.
///
/// `docs/strength.md` in the repository has a table of the levels' Elo, with the command that
/// measures it. The example `duel` can hold an engine back to any strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// Positions it looks at per move.
    pub nodes: u64,
    /// Moves it looks ahead.
    pub depth: u32,
    /// Chance that it sees a move at all, in percent. If it sees none, it takes any.
    pub sees: u32,
    /// Chance that it takes the worst move for the best, in percent.
    pub blunders: u32,
}

/// An engine held back to a [`Strength`], or to one for each size of table.
///
/// The same seed, position and limits give the same move.
///
/// ```
/// use floe_rules::{Game, Position, flood::Flood};
/// use floe_search::{AlphaBeta, Engine, Limits, Strength, Weakened};
/// let strength = Strength { nodes: 500, depth: 2, sees: 60, blunders: 5 };
/// let position = Flood::start(&"6x6".parse()?, 1)?;
/// let thought = Weakened::new(AlphaBeta::new(), strength, 7).think(&position, &Limits::default());
/// assert!(position.check(thought.best).is_ok() && thought.nodes <= 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Weakened<E> {
    engine: E,
    strengths: [Strength; 3],
    seed: u64,
}

impl<E> Weakened<E> {
    /// The engine held back, with dice of this seed for what it overlooks.
    pub fn new(engine: E, strength: Strength, seed: u64) -> Self {
        Self::by_seats(engine, [strength; 3], seed)
    }

    /// The engine held back to one strength at tables of two, to another at tables of three, and to
    /// a third one at larger tables.
    pub fn by_seats(engine: E, strengths: [Strength; 3], seed: u64) -> Self {
        Weakened {
            engine,
            strengths,
            seed,
        }
    }
}

impl<P: Position, E: Engine<P>> Engine<P> for Weakened<E> {
    /// Never proven but by the engine's own proof that the move is a best one.
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let mover = position.turn().expect("the game is over");
        let seats = position.players().clamp(2, 4) as usize;
        let strength = self.strengths[seats - 2];
        let (nodes, depth) = (strength.nodes, strength.depth);
        let limits = Limits {
            nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))),
            depth: Some(limits.depth.map_or(depth, |most| most.min(depth))),
            threads: 1,
            ..limits.clone()
        };
        let moves = position.legal_moves();
        let mut dice = Dice::seeded(self.seed ^ position.key());
        let overlooked = if dice.below(100) < u64::from(strength.blunders) {
            moves.len() - 1
        } else {
            let is_seen = |dice: &mut Dice| dice.below(100) < u64::from(strength.sees);
            let unseen = moves.iter().take_while(|_| !is_seen(&mut dice));
            unseen.count()
        };
        if overlooked == moves.len() {
            return any_move(position, moves[dice.index(moves.len())]);
        }
        let mut ranked = self.engine.rank(position, &limits, overlooked + 1);
        let is_proven = ranked[0].proven;
        let best = ranked[0].lead(mover);
        let mut thought = ranked.swap_remove(overlooked.min(ranked.len() - 1));
        thought.proven = is_proven && thought.lead(mover) >= best;
        thought
    }
}

/// A move without thinking.
fn any_move<P: Position>(position: &P, mv: P::Move) -> Thought<P::Move> {
    let mut after = position.clone();
    after.play_unchecked(mv);
    Thought {
        best: mv,
        scores: after.scores(),
        depth: 1,
        nodes: 1,
        line: vec![mv],
        proven: false,
    }
}
