//! The machine's speed: one fixed search in every game.
//!
//! The search is limited by positions looked at, so that every machine finds the same moves: the
//! [signature](Speeds::signature) of these moves is equal everywhere. If it is not, engines play differently there and results cannot be compared. Only the time differs.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use floe_games::AnyGame;
use floe_search::{Kind, Spec};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Node limit per move.
const NODES: u64 = 2_000;
/// Moves searched in each game.
const MOVES: usize = 6;

/// The search speed of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// The game.
    pub game: String,
    /// Positions searched per second.
    pub nodes_per_second: u64,
}

/// The speed of a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speeds {
    /// Speeds by game, in the order of the registry.
    pub games: Vec<Speed>,
    /// A hash of the moves found, in hexadecimal; equal on every machine.
    pub signature: String,
}

impl Speeds {
    /// Measures this machine with the games of the registry. Takes some tens of milliseconds in a
    /// release build.
    ///
    /// ```
    /// use floe_arena::speed::Speeds;
    /// let (one, other) = (Speeds::measure(), Speeds::measure());
    /// assert_eq!(one.signature, other.signature);
    /// assert!(one.of("flood").is_some_and(|nodes_per_second| nodes_per_second > 0));
    /// ```
    pub fn measure() -> Speeds {
        let mut hash = Sha256::new();
        let games = floe_games::games().into_iter();
        let games = games.filter_map(|game| measure(game, &mut hash)).collect();
        let signature = HEXLOWER.encode(&hash.finalize()[..8]);
        Speeds { games, signature }
    }

    /// Positions searched per second in this game, if measured.
    pub fn of(&self, game: &str) -> Option<u64> {
        let mut games = self.games.iter();
        let found = games.find(|speed| speed.game == game)?;
        Some(found.nodes_per_second)
    }
}

/// Searches the first moves of one game on its default board.
fn measure(game: &'static dyn AnyGame, hash: &mut Sha256) -> Option<Speed> {
    let mut position = game.start("", 1).ok()?;
    let spec = Spec {
        nodes: Some(NODES),
        seed: Some(1),
        ..Spec::from(Kind::Floe)
    };
    let mut engine = game.engine(&spec);
    let limits = spec.limits(Duration::ZERO);
    hash.update(game.name());
    let (mut nodes, mut took) = (0, Duration::ZERO);
    for _ in 0..MOVES {
        if position.turn().is_none() {
            break;
        }
        let start = Instant::now();
        let thought = engine.think(&*position, &limits).ok()?;
        took += start.elapsed();
        nodes += thought.nodes;
        hash.update([b' ']);
        hash.update(&thought.best);
        position.play(&thought.best).ok()?;
    }
    let per_second = nodes as f64 / took.as_secs_f64().max(1e-9);
    Some(Speed {
        game: game.name().to_owned(),
        nodes_per_second: per_second as u64,
    })
}

/// Identifies machines of equal speed: the architecture and the processor's name. Looked up once.
pub fn machine_class() -> String {
    static CLASS: LazyLock<String> = LazyLock::new(find_class);
    CLASS.clone()
}

fn find_class() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = |line: &str| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    };
    let words = text.lines().find_map(named).unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    match words.is_empty() {
        true => std::env::consts::ARCH.to_owned(),
        false => format!("{} {}", std::env::consts::ARCH, words.join(" ")),
    }
}
