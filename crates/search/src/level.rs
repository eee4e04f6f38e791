//! Opponents that people can enjoy.
//!
//! A level is weaker than the engine in two ways, both of which a person can follow. It *looks at
//! fewer positions*. And it *is less exact*: of the moves it looked at it takes any that is nearly
//! as good as the best, the better ones more often. It never takes a move it believes to be bad.
//! What remains are the mistakes of a player who does not see far and does not count to the last
//! point.

use floe_rules::Position;

use crate::{Dice, Engine, Limits, Thought};

/// How a level limits an engine.
///
/// The levels, `beginner` the lowest, aim at 200 Elo, a score of 76 %, from one to the next, with
/// `max` the engine's full strength at a second a move. They were measured with the example `duel`,
/// whose `--hold` and `--hold2` hold an engine back to `NODES:DEPTH:CARELESSNESS:CHOICES`
/// (intervals of 95 %, from pairs of games; a number of nodes stands in for `max`, so that the runs
/// end):
///
/// | level over level | command after `duel` | games (+ = −) | Elo |
/// |---|---|---|---|
/// | Penguins, max over hard | `penguins floe floe --setup 10x10,penguins=3 --hold 2000000:60:0:1 --hold2 20000:7:0:1 --pairs 16 --seed 60` | +26 =2 −4 | +293 [+178, +520] |
/// | hard over medium | `… --hold 20000:7:0:1 --hold2 10000:4:12:2 --pairs 30 --seed 59` | +44 =1 −15 | +183 [+93, +306] |
/// | medium over easy | `… --hold 10000:4:12:2 --hold2 5000:2:12:3 --pairs 30 --seed 60` | +46 =2 −12 | +223 [+130, +359] |
/// | easy over beginner | `floe match penguins floe:easy floe:beginner --setup 10x10,penguins=3 --pairs 40 --seed 7` | +67 =1 −12 | +293 ± 99 |
/// | Gamma, max over hard | `gamma floe floe --setup 10x10,players=2 --hold 400000:60:0:1 --hold2 50000:6:0:1 --pairs 16 --seed 61` | +24 =2 −6 | +221 [+118, +379] |
/// | hard over medium | `… --hold 50000:6:0:1 --hold2 40000:5:5:2 --pairs 30 --seed 61` | +46 =7 −7 | +269 [+179, +409] |
/// | medium over easy | `… --hold 40000:5:5:2 --hold2 20000:3:0:1 --pairs 30 --seed 60` | +44 =6 −10 | +223 [+150, +321] |
/// | easy over beginner | `floe match gamma floe:easy floe:beginner --setup 10x10 --pairs 40 --seed 7` | +54 =20 −6 | +241 ± 67 |
/// | Flood Wars, max over hard | `flood floe floe --size 20x20 --hold 100000:30:0:1 --hold2 10000:1:25:3 --pairs 20 --seed 55` | +31 =0 −9 | +215 [+118, +358] |
/// | hard over medium | `… --hold 10000:1:25:3 --hold2 10000:1:90:3 --pairs 30 --seed 55` | +45 =0 −15 | +191 [+114, +289] |
/// | medium over easy | `… --hold 10000:1:90:3 --hold2 10000:1:160:3 --pairs 30 --seed 56` | +45 =1 −14 | +199 [+109, +322] |
/// | easy over beginner | `… --hold 10000:1:160:3 --hold2 10000:1:350:3 --pairs 30 --seed 56` | +47 =0 −13 | +223 [+132, +355] |
///
/// In Flood Wars the board decides between all players that look one move ahead, so there the
/// levels differ in the lead they ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// Positions it looks at per move.
    pub nodes: u64,
    /// Moves it looks ahead.
    pub depth: u32,
    /// Lead that the level ignores, in thousandths of all points of the game: so a level keeps its
    /// character on boards of all sizes.
    pub carelessness: i64,
    /// Moves among which it chooses.
    pub choices: usize,
}

/// An engine held back to a [`Strength`].
///
/// The same seed, position and limits give the same move.
///
/// ```
/// use floe_rules::{Game, Position, flood::Flood};
/// use floe_search::{AlphaBeta, Engine, Limits, Strength, Weakened};
/// let strength = Strength { nodes: 500, depth: 2, carelessness: 20, choices: 3 };
/// let position = Flood::start(&"6x6".parse()?, 1)?;
/// let thought = Weakened::new(AlphaBeta::new(), strength, 7).think(&position, &Limits::default());
/// assert!(position.check(thought.best).is_ok() && thought.nodes <= 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
            carelessness,
            choices,
        } = self.strength;
        let limits = Limits {
            nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))),
            depth: Some(limits.depth.map_or(depth, |most| most.min(depth))),
            ..limits.clone()
        };
        let mut ranked = self.engine.rank(position, &limits, choices);
        let best = ranked[0].lead(mover);
        let all: i64 = ranked[0].scores.iter().sum();
        let margin = all.max(0).saturating_mul(carelessness) / 1000;
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
