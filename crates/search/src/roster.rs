//! Rosters: from a game and a [`Spec`] to an engine.
//!
//! Every game has a [`Roster`]. A game without engines of its own takes [`Roster::generic`], so a
//! new game needs nothing in this crate. A game with engines defines a constant next to them, and
//! the arena's registry names that constant in the game's row.

use floe_rules::{Position, flood, gamma, penguins};

use crate::{
    AlphaBeta, Engine, Greedy, Kind, Level, Limits, MaxN, Mcts, Minimax, Random, Spec, Strength,
    Thought, Weakened,
};

/// The engine `floe` of one game, and the limits of its levels.
#[derive(Debug, Clone, Copy)]
pub struct Roster<P: Position> {
    /// Makes the best engine for the game; the number is the seed of its dice.
    pub floe: fn(u64) -> Box<dyn Engine<P>>,
    /// `beginner`, `easy`, `medium` and `hard`.
    pub strengths: [Strength; 4],
}

impl<P: Position> Roster<P> {
    /// The roster of a game that has no engines of its own: alpha-beta for two seats, Monte
    /// Carlo tree search for more.
    pub const fn generic() -> Self {
        Roster {
            floe: |seed| Box::new(House::seeded(seed)),
            strengths: GENERIC,
        }
    }

    /// The engine a spec names. Its limits of time, nodes and depth are not the engine's but
    /// those of every move: see [`Spec::limits`].
    ///
    /// ```
    /// use floe_rules::{Game, flood::Flood};
    /// use floe_search::{Engine, FLOOD, Limits};
    /// let position = Flood::start(&"8x8".parse()?, 1)?;
    /// let mut engine = FLOOD.engine(&"floe:easy,seed=7".parse()?);
    /// println!("{:?}", engine.think(&position, &Limits::default()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn engine(&self, spec: &Spec) -> Box<dyn Engine<P>> {
        let seed = spec.seed.unwrap_or(0);
        match (spec.kind, spec.level) {
            (Kind::Floe, None | Some(Level::Max)) => (self.floe)(seed),
            (Kind::Floe, Some(level)) => {
                let strength = self.strengths[level as usize];
                Box::new(Weakened::new((self.floe)(seed), strength, seed))
            }
            (Kind::AlphaBeta, _) => Box::new(AlphaBeta::new()),
            (Kind::MaxN, _) => Box::new(MaxN::new()),
            (Kind::Mcts, _) => Box::new(Mcts::seeded(seed)),
            (Kind::Minimax, _) => Box::new(Minimax::new()),
            (Kind::Greedy, _) => Box::new(Greedy::seeded(seed)),
            (Kind::Random, _) => Box::new(Random::seeded(seed)),
        }
    }
}

/// For games whose levels were never measured.
const GENERIC: [Strength; 4] = [
    strength(500, 1, 100, 10),
    strength(1_000, 1, 20, 6),
    strength(10_000, 2, 10, 3),
    strength(10_000, 4, 0, 1),
];

const fn strength(nodes: u64, depth: u32, carelessness: i64, choices: usize) -> Strength {
    Strength {
        nodes,
        depth,
        carelessness,
        choices,
    }
}

/// Flood Wars' roster. [`Strength`] describes how its levels were measured.
pub const FLOOD: Roster<flood::FloodPosition> = Roster {
    strengths: [
        strength(10_000, 1, 350, 3),
        strength(10_000, 1, 160, 3),
        strength(10_000, 1, 90, 3),
        strength(10_000, 1, 25, 3),
    ],
    floe: |_| Box::new(crate::flood::Searcher::new()),
};

/// Gamma's roster. [`Strength`] describes how its levels were measured.
pub const GAMMA: Roster<gamma::GammaPosition> = Roster {
    floe: |seed| Box::new(crate::gamma::Settler::seeded(seed)),
    strengths: [
        strength(20_000, 3, 5, 3),
        strength(20_000, 3, 0, 1),
        strength(40_000, 5, 5, 2),
        strength(50_000, 6, 0, 1),
    ],
};

/// Penguins' roster. [`Strength`] describes how its levels were measured.
pub const PENGUINS: Roster<penguins::PenguinsPosition> = Roster {
    floe: |_| Box::new(crate::penguins::Searcher::new()),
    strengths: [
        strength(1_000, 1, 100, 14),
        strength(5_000, 2, 12, 3),
        strength(10_000, 4, 12, 2),
        strength(20_000, 7, 0, 1),
    ],
};

/// The best of the generic engines for however many sit at the table.
struct House<P: Position> {
    two: AlphaBeta<P>,
    more: Mcts<P>,
}

impl<P: Position> House<P> {
    fn seeded(seed: u64) -> Self {
        House {
            two: AlphaBeta::new(),
            more: Mcts::seeded(seed),
        }
    }
}

impl<P: Position> Engine<P> for House<P> {
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        match position.players() {
            0..=2 => self.two.think(position, limits),
            _ => self.more.think(position, limits),
        }
    }

    fn rank(&mut self, position: &P, limits: &Limits, top: usize) -> Vec<Thought<P::Move>> {
        match position.players() {
            0..=2 => self.two.rank(position, limits, top),
            _ => self.more.rank(position, limits, top),
        }
    }
}
