use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use floe_rules::{Player, Position};

use crate::sort::by_number;
use crate::{Clock, Deadline, lead};

/// Something that picks moves: one of Floe's own players.
///
/// ```
/// use floe_rules::{Game, Position, gamma::Gamma};
/// use floe_search::{AlphaBeta, Engine, Limits};
/// let position = Gamma::start(&"3x2,areas=1".parse()?, 1)?;
/// let thought = AlphaBeta::new().think(&position, &Limits::nodes(10_000));
/// assert!(position.check(thought.best).is_ok());
/// assert!(thought.proven && thought.nodes <= 10_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine<P: Position>: Send {
    /// Thinks about a position of an unfinished game.
    ///
    /// Always returns a legal move, however tight the limits are. If there is only one, and a
    /// deadline, the engine returns it at once; its scores are then only a first estimate.
    ///
    /// # Panics
    ///
    /// If the game is over.
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move>;

    /// Whether every thought is as if it were the engine's first, so that one engine may play many
    /// games in a row with equal results.
    fn is_forgetful(&self) -> bool {
        false
    }

    /// Thinks about the `top` best moves: at least one of them, the best first, each with what
    /// the mover may expect after it. None promises more than the first, and moves that were not
    /// reached in time are left out.
    ///
    /// Unless an engine knows better, half of the limits go into choosing the first, as
    /// [`think`](Engine::think) does, and half into the positions after all others; values
    /// from such different searches compare only roughly.
    ///
    /// # Panics
    ///
    /// If the game is over.
    ///
    /// ```
    /// use floe_rules::{Game, flood::Flood};
    /// use floe_search::{AlphaBeta, Engine, Limits};
    /// let position = Flood::start(&"6x6".parse()?, 1)?;
    /// let ranked = AlphaBeta::new().rank(&position, &Limits::depth(3), 2);
    /// assert_eq!(ranked.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn rank(&mut self, position: &P, limits: &Limits, top: usize) -> Vec<Thought<P::Move>> {
        if top <= 1 {
            return vec![self.think(position, limits)];
        }
        let mover = position.turn().expect("the game is over");
        let first = self.think(position, &limits.share(2, 0));
        let mut spent = first.nodes;
        let mut rest = Vec::new();
        let mut after = position.clone();
        let mut others = position.legal_moves();
        others.retain(|&mv| mv != first.best);
        for (i, &mv) in others.iter().enumerate() {
            if limits.is_over() || limits.nodes.is_some_and(|most| spent >= most) {
                break;
            }
            after.clone_from(position);
            after.play_unchecked(mv);
            spent += 1;
            let mut thought = if after.turn().is_none() {
                Thought {
                    best: mv,
                    scores: after.scores(),
                    depth: 1,
                    nodes: 1,
                    line: Vec::new(),
                    proven: true,
                }
            } else {
                let share = Limits {
                    depth: limits.depth.map(|depth| depth.saturating_sub(1)),
                    ..limits.share((others.len() - i) as u32, spent)
                };
                let thought = self.think(&after, &share);
                spent += thought.nodes;
                Thought {
                    depth: thought.depth + 1,
                    nodes: thought.nodes + 1,
                    ..thought
                }
            };
            thought.best = mv;
            thought.line.insert(0, mv);
            rest.push(thought);
        }
        by_number(&mut rest, |thought| -thought.lead(mover));
        rest.insert(0, first);
        rest.truncate(top);
        sort_lines(position, &mut rest);
        rest
    }
}

impl<P: Position, E: Engine<P> + ?Sized> Engine<P> for Box<E> {
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move> {
        (**self).think(position, limits)
    }

    fn is_forgetful(&self) -> bool {
        (**self).is_forgetful()
    }

    fn rank(&mut self, position: &P, limits: &Limits, top: usize) -> Vec<Thought<P::Move>> {
        (**self).rank(position, limits, top)
    }
}

/// Node limit of all lines where the first one took next to nothing.
const FEW_NODES: u64 = 5_000;

/// Puts a line first, in place of another one with the same move, and keeps `top` of them.
pub(crate) fn put_first<M: PartialEq>(line: Thought<M>, lines: &mut Vec<Thought<M>>, top: usize) {
    lines.retain(|other| other.best != line.best);
    lines.insert(0, line);
    lines.truncate(top);
}

/// Leaves the first line, which the engine would play, in its place, and sorts the others by their
/// leads. A line that was looked at less may promise more than the first; its lead is lowered then.
pub(crate) fn sort_lines<P: Position>(position: &P, lines: &mut [Thought<P::Move>]) {
    let Some(mover) = position.turn() else { return };
    let Some((first, others)) = lines.split_first_mut() else {
        return;
    };
    let most = first.lead(mover);
    for line in others.iter_mut() {
        let excess = (line.lead(mover) - most).max(0);
        if excess == 0 {
            continue;
        }
        // No player loses what it has; the rest goes to the best opponent.
        let own = &mut line.scores[mover.index()];
        let taken = excess.min((*own - position.score(mover)).max(0));
        *own -= taken;
        let opponents = Player::all(position.players()).filter(|&player| player != mover);
        if let Some(best) = opponents.max_by_key(|player| line.scores[player.index()]) {
            line.scores[best.index()] += excess - taken;
        }
        line.proven = false;
    }
    by_number(others, |line| -line.lead(mover));
}

/// The limits of an engine's thinking; the first one reached ends it. Without any, the engine
/// thinks until it has solved the position.
///
/// An engine keeps to them with a [`Budget`](crate::Budget).
///
/// ```
/// use std::time::Duration;
/// use floe_search::Limits;
/// let limits = Limits { depth: Some(6), ..Limits::time(Duration::from_secs(60)) };
/// assert!(!limits.is_over());
/// assert!(Limits::time(Duration::ZERO).is_over());
/// assert!(!Limits::nodes(10).is_over(), "nodes are counted by the engine");
/// ```
#[derive(Clone, Default)]
pub struct Limits {
    /// When to have answered. In the past: answer at once, with any legal move. Without one, no
    /// clock is ever read.
    pub deadline: Option<Deadline>,
    /// How many positions to look at, each made by playing a move. In one thread, the same position,
    /// limit and seed give the same thought on every machine, whatever the engine thought about before.
    pub nodes: Option<u64>,
    /// How many moves to look ahead.
    pub depth: Option<u32>,
    /// How many threads to think in, which share the nodes; 0 and 1 are one thread. With more than
    /// one, the same limits may give different thoughts. Floe's engines for two seats use them.
    pub threads: u32,
    /// Set by another thread to end the thinking at once.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Think for this long, from now, by the system's clock.
    pub fn time(time: Duration) -> Self {
        Self::time_by(Clock::SYSTEM, time)
    }

    /// Think for this long, from now, by this clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use floe_search::{Clock, Limits};
    /// let clock = Clock::new(|| Duration::from_secs(7));
    /// let limits = Limits::time_by(clock, Duration::from_secs(1));
    /// assert!(!limits.is_over());
    /// ```
    pub fn time_by(clock: Clock, time: Duration) -> Self {
        Limits {
            deadline: Some(Deadline::after(clock, time)),
            ..Self::default()
        }
    }

    /// Look at this many positions: the same move on every machine.
    pub fn nodes(nodes: u64) -> Self {
        Limits {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Look this many moves ahead.
    pub fn depth(depth: u32) -> Self {
        Limits {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// One of `parts` equal shares of what is left now that `spent` nodes are; the depth stays.
    #[must_use]
    pub fn share(&self, parts: u32, spent: u64) -> Self {
        let parts = parts.max(1);
        Limits {
            deadline: self.deadline.map(|deadline| deadline.share(parts)),
            nodes: (self.nodes).map(|n| n.saturating_sub(spent) / u64::from(parts)),
            ..self.clone()
        }
    }

    /// The limits of each thread.
    pub(crate) fn for_thread(&self) -> Self {
        let threads = u64::from(self.threads.max(1));
        Limits {
            nodes: self.nodes.map(|nodes| nodes / threads),
            threads: 1,
            ..self.clone()
        }
    }

    /// The limits of the first line of several: five eighths of the nodes and of the time.
    pub(crate) fn for_first_line(&self) -> Self {
        Limits {
            deadline: self.deadline.map(|deadline| deadline.part(5, 8)),
            nodes: self.nodes.map(|nodes| nodes - nodes / 8 * 3),
            ..self.clone()
        }
    }

    /// The limits of all lines once the first one took this many nodes: 1.6 times as many, but
    /// enough for small positions. If the first is proven and no depth ends the others, they may
    /// use all that is left, since a proof of them is worth more than time saved.
    pub(crate) fn for_all_lines(&self, first: u64, is_proven: bool) -> Self {
        if is_proven && self.depth.is_none() {
            return self.clone();
        }
        let most = (first + first / 5 * 3).max(FEW_NODES);
        Limits {
            nodes: Some(self.nodes.map_or(most, |nodes| nodes.min(most))),
            ..self.clone()
        }
    }

    /// Whether a player waits for the move, so that thinking about an only move wastes time. With
    /// limits of nodes or depth, or none, the caller wants the move's value.
    pub(crate) fn is_hurried(&self) -> bool {
        self.deadline.is_some()
    }

    /// Whether the deadline has passed or the stop flag is set. Reads the deadline's clock.
    pub fn is_over(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(Deadline::is_past)
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("deadline", &self.deadline)
            .field("nodes", &self.nodes)
            .field("depth", &self.depth)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// The result of an engine's thinking.
///
/// ```
/// use floe_rules::Player;
/// use floe_search::Thought;
/// let thought = Thought {
///     best: "a1",
///     scores: vec![5, 7, 4],
///     depth: 3,
///     nodes: 120,
///     line: vec!["a1", "b1"],
///     proven: false,
/// };
/// assert_eq!(thought.lead(Player::new(1)), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Thought<M> {
    /// The move it would make.
    pub best: M,
    /// Expected final score of every seat. Engines search for the lead of the player to move over
    /// the best opponent; only that lead is reliable.
    pub scores: Vec<i64>,
    /// Moves it looked ahead everywhere; along some lines it may have looked further.
    pub depth: u32,
    /// Positions it looked at.
    pub nodes: u64,
    /// The moves it expects, its own first.
    pub line: Vec<M>,
    /// Whether this is proven: the move is a best one, and the lead of the player to move will be
    /// the one in `scores` if all play for their own lead (for two seats: as near to it as the
    /// opponent can keep it).
    pub proven: bool,
}

impl<M> Thought<M> {
    /// By how much it expects `player` to be ahead of the best of the others in the end.
    pub fn lead(&self, player: Player) -> i64 {
        lead(&self.scores, player)
    }
}
