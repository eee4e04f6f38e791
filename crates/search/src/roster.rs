//! Rosters: from a game and a [`Spec`] to an engine.
//!
//! Every game has a [`Roster`]. A game without engines of its own takes [`Roster::generic`], so a
//! new game needs nothing in this crate. A game with engines defines a constant next to them, and
//! the arena's registry names that constant in the game's row.

use floe_rules::{Position, flood, gamma, penguins};

use crate::{
    AlphaBeta, EVERY_SIZE, Engine, Greedy, Kind, Level, Limits, MaxN, Mcts, Minimax, Random, Spec,
    Strength, Thought, Weakened,
};

/// The engine `floe` of one game, and the limits of its levels.
#[derive(Debug, Clone, Copy)]
pub struct Roster<P: Position> {
    /// Makes the best engine for the game; the number is the seed of its dice.
    pub floe: fn(u64) -> Box<dyn Engine<P>>,
    /// `beginner`, `easy`, `medium` and `hard`, each at tables of two, of three and of more seats.
    pub strengths: [[Strength; 3]; 4],
}

impl<P: Position> Roster<P> {
    /// The roster of a game that has no engines of its own: alpha-beta for two seats, Monte
    /// Carlo tree search for more.
    pub const fn generic() -> Self {
        Roster {
            floe: |seed| Box::new(GenericEngine::seeded(seed)),
            strengths: GENERIC,
        }
    }

    /// The engine a spec names. Its limits of time, nodes and depth are not the engine's but
    /// those of every move: see [`Spec::limits`]. An engine that is not of this build
    /// ([`Kind::BUILT`]) is replaced by the best there is.
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
                let strengths = self.strengths[level as usize];
                Box::new(Weakened::by_seats((self.floe)(seed), strengths, seed))
            }
            (Kind::AlphaBeta, _) if EVERY_SIZE => Box::new(AlphaBeta::new()),
            (Kind::MaxN, _) => Box::new(MaxN::new()),
            (Kind::Mcts, _) if EVERY_SIZE => Box::new(Mcts::seeded(seed)),
            (Kind::Minimax, _) if EVERY_SIZE => Box::new(Minimax::new()),
            (Kind::Greedy, _) => Box::new(Greedy::seeded(seed)),
            (Kind::Random, _) => Box::new(Random::seeded(seed)),
            (Kind::AlphaBeta | Kind::Mcts | Kind::Minimax, _) => (self.floe)(seed),
        }
    }
}

/// For games whose levels were never measured.
const GENERIC: [[Strength; 3]; 4] = [
    [strength(500, 1, 10, 0); 3],
    [strength(1_000, 1, 100, 0); 3],
    [strength(10_000, 2, 100, 0); 3],
    [strength(10_000, 4, 100, 0); 3],
];

const fn strength(nodes: u64, depth: u32, sees: u32, blunders: u32) -> Strength {
    Strength {
        nodes,
        depth,
        sees,
        blunders,
    }
}

/// Flood Wars' roster.
pub const FLOOD: Roster<flood::FloodPosition> = Roster {
    strengths: [
        [strength(10_000, 1, 54, 0); 3],
        [strength(10_000, 1, 76, 0); 3],
        [strength(10_000, 1, 90, 0); 3],
        [strength(10_000, 3, 98, 0); 3],
    ],
    floe: |_| Box::new(crate::flood::Searcher::new()),
};

/// Gamma's roster.
pub const GAMMA: Roster<gamma::GammaPosition> = Roster {
    floe: |seed| Box::new(crate::gamma::GammaEngine::seeded(seed)),
    strengths: [
        [
            strength(2_000, 1, 0, 32),
            strength(2_000, 1, 0, 62),
            strength(2_000, 1, 0, 72),
        ],
        [strength(2_000, 1, 1, 0); 3],
        [
            strength(10_000, 3, 21, 0),
            strength(10_000, 3, 15, 0),
            strength(10_000, 3, 20, 0),
        ],
        [
            strength(20_000, 5, 45, 0),
            strength(20_000, 5, 34, 0),
            strength(20_000, 5, 64, 0),
        ],
    ],
};

/// Penguins' roster.
pub const PENGUINS: Roster<penguins::PenguinsPosition> = Roster {
    floe: |_| Box::new(crate::penguins::Searcher::new()),
    strengths: [
        [
            strength(1_000, 1, 0, 3),
            strength(1_000, 1, 0, 7),
            strength(1_000, 1, 0, 11),
        ],
        [
            strength(1_000, 1, 12, 0),
            strength(1_000, 1, 14, 0),
            strength(1_000, 1, 16, 0),
        ],
        [
            strength(3_000, 3, 42, 0),
            strength(3_000, 3, 45, 0),
            strength(3_000, 3, 50, 0),
        ],
        [
            strength(20_000, 10, 92, 0),
            strength(10_000, 6, 84, 0),
            strength(10_000, 6, 85, 0),
        ],
    ],
};

/// Alpha-beta for up to two players, else MCTS.
struct GenericEngine<P: Position> {
    two: AlphaBeta<P>,
    more: Mcts<P>,
}

impl<P: Position> GenericEngine<P> {
    fn seeded(seed: u64) -> Self {
        GenericEngine {
            two: AlphaBeta::new(),
            more: Mcts::seeded(seed),
        }
    }
}

impl<P: Position> Engine<P> for GenericEngine<P> {
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
