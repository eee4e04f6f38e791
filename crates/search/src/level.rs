//! Opponents people can enjoy.
//!
//! A level is weaker than the engine in two ways, both of which a person at the table can follow.
//! It *thinks less*: it looks at a few positions only. And it *is not so particular*: of the moves
//! it looked at it takes any that is nearly as good as the best it saw, the better ones more
//! often. It never takes a move it believes to be bad. What is left are the mistakes of somebody
//! who does not see far and does not count to the last point.

use floe_rules::Position;

use crate::{Dice, Engine, Limits, Thought};

/// How much less than an engine can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// How many positions it looks at for a move.
    pub nodes: u64,
    /// How many moves it looks ahead.
    pub depth: u32,
    /// How many points of its lead it does not care about.
    pub margin: i64,
    /// How many moves it hesitates between.
    pub choices: usize,
}

/// An engine held back to a [`Strength`].
///
/// The same seed, position and limits give the same move.
#[derive(Debug)]
pub struct Weakened<E> {
    engine: E,
    strength: Strength,
    seed: u64,
}

impl<E> Weakened<E> {
    /// The engine held back, with dice of this seed for what it hesitates between.
    pub fn new(engine: E, strength: Strength, seed: u64) -> Self {
        Weakened {
            engine,
            strength,
            seed,
        }
    }
}

impl<P: Position, E: Engine<P>> Engine<P> for Weakened<E> {
    /// Never proven but by the engine's own proof that the move is a best one.
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        let mover = position.turn().expect("the game is over");
        let Strength {
            nodes,
            depth,
            margin,
            choices,
        } = self.strength;
        let limits = Limits {
            nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))),
            depth: Some(limits.depth.map_or(depth, |most| most.min(depth))),
            ..limits.clone()
        };
        let mut ranked = self.engine.rank(position, &limits, choices);
        let best = ranked[0].lead(mover);
        // Squares of what is left of the margin: whole numbers, the same on every machine.
        let weight = |thought: &Thought<P::Move>| {
            let loss = (best - thought.lead(mover)).max(0);
            let left = (margin + 1 - loss).clamp(0, 1 << 20) as u64;
            left * left
        };
        let weights: Vec<u64> = ranked.iter().map(weight).collect();
        let mut dice = Dice::seeded(self.seed ^ position.key());
        let mut left = dice.below(weights.iter().sum());
        let mut chosen = 0;
        for (i, &weight) in weights.iter().enumerate() {
            if left < weight {
                chosen = i;
                break;
            }
            left -= weight;
        }
        let is_best = ranked[chosen].lead(mover) >= best;
        let proven = ranked[0].proven && is_best;
        let mut thought = ranked.swap_remove(chosen);
        thought.proven = proven;
        thought
    }
}
