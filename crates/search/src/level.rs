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
///
/// The levels aim at 200 Elo, a score of 76 %, from one to the next, with `max` the engine's full
/// strength at a second a move. They were found with the example `duel`, whose `--hold` and
/// `--hold2` hold an engine back to `NODES:DEPTH:MARGIN:CHOICES`. What was measured (intervals of
/// 95 %; nothing between 10 and 30 pairs of games says more than the rough place):
///
/// | game | command after `duel GAME floe floe` | games (+ = −) | Elo |
/// |---|---|---|---|
/// | Penguins | `--setup 10x10,penguins=3 --hold2 20000:5:0:1 --pairs 10 --time 1s` | +18 =1 −1 | +436 [+264, …] |
/// | Penguins | `… --hold 100000:30:0:1 --hold2 20000:5:0:1 --pairs 12` | +20 =0 −4 | +280 [+107, …] |
/// | Penguins | `… --hold 20000:5:0:1 --hold2 10000:3:1:2 --pairs 25` | +36 =0 −14 | +164 [+75, +281] |
/// | Penguins | `… --hold 20000:5:0:1 --hold2 5000:3:2:3 --pairs 25` | +41 =0 −9 | +263 [+168, +415] |
/// | Penguins | `… --hold 20000:4:0:1 --hold2 10000:3:0:1 --pairs 20` | +27 =2 −11 | +147 [+45, +283] |
/// | Penguins | `… --hold 10000:3:0:1 --hold2 3000:2:0:1 --pairs 30` | +44 =0 −16 | +176 [+93, +282] |
/// | Penguins | `… --hold 3000:2:0:1 --hold2 1000:1:0:1 --pairs 40` | +58 =3 −19 | +185 [+103, +293] |
/// | Gamma | `--setup 10x10,players=2 --hold 20000:3:0:1 --hold2 5000:2:0:1 --pairs 20` | +21 =6 −13 | +70 [+12, +133] |
/// | Gamma | `… --hold 5000:2:0:1 --hold2 1000:1:0:1 --pairs 30` | +36 =10 −14 | +134 [+59, +223] |
/// | Gamma | `… --hold 5000:2:0:1 --hold2 2000:1:1:2 --pairs 30` | +47 =5 −8 | +269 [+182, +402] |
/// | Gamma | `… --hold 1000:1:0:1 --hold2 1000:1:3:4 --pairs 30` | +48 =1 −11 | +250 [+165, +373] |
/// | Gamma | `… --hold 2000:1:0:1 --hold2 1000:1:2:3 --pairs 25` | +33 =6 −11 | +164 [+89, +258] |
/// | Flood | `--hold 10000:4:0:1 --hold2 10000:2:2:2 --pairs 25` | +27 =0 −23 | +28 [−50, +109] |
/// | Flood | `… --hold 10000:2:2:2 --hold2 10000:1:8:3 --pairs 25` | +28 =3 −19 | +63 [+7, +123] |
///
/// So the levels of Penguins and Gamma stand where these put them, mostly between the rows, and
/// were not all played against each other as they are; Flood's are too near to each other. (The rows of
/// Penguins are older than the pruning near its horizon, which makes all of them stronger.)
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
