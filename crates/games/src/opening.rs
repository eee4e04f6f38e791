//! Openings: the first moves of a board in a game that always starts alike.
//!
//! Programs and engines that always answer alike would play one game again and again from such a
//! start. So every board of a contest begins with a few random moves. Some candidates are drawn
//! from the board's seed; the first in which every seat can move and a short search finds the
//! seats about even is played, or the most even one. Randomness is seeded and the search counts
//! nodes, so a board has the same opening on every machine.

use floe_rules::random::Random;
use floe_search::{Kind, Limits, Spec};

use crate::{AnyEngine, AnyGame, AnyPosition};

/// Openings considered for a board.
const CANDIDATES: usize = 16;
/// Nodes per position for judging an opening.
const NODES: u64 = 1000;
/// An opening is about even if no two seats expect scores further apart than a fifth of the square
/// root of the number of fields: 2 points on a 10x10 board. This is the square of 5.
const EVENNESS: u128 = 25;

/// Draws openings. Keeps an engine, so one drawer should draw many.
///
/// ```
/// use floe_games::OpeningDrawer;
/// let game = floe_games::find("gamma")?;
/// let start = game.start("10x10", 1)?;
/// let moves = game.opening_moves(&*start).expect("Gamma's board starts empty");
/// let mut drawer = OpeningDrawer::new(game);
/// let opening = drawer.draw(&*start, moves, 7);
/// assert_eq!(opening.len(), 6);
/// assert_eq!(drawer.draw(&*start, moves, 7), opening, "a seed has one opening");
/// assert_ne!(drawer.draw(&*start, moves, 8), opening);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpeningDrawer {
    game: &'static dyn AnyGame,
    engine: Box<dyn AnyEngine>,
}

impl std::fmt::Debug for OpeningDrawer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OpeningDrawer").field(&self.game).finish()
    }
}

impl OpeningDrawer {
    /// A drawer for one game.
    pub fn new(game: &'static dyn AnyGame) -> Self {
        OpeningDrawer {
            game,
            engine: game.engine(&Spec::from(Kind::Floe)),
        }
    }

    /// The opening of a seed, with at most this many moves from `start`. Shorter, or empty, if no
    /// candidate of that length leaves every seat a move.
    pub fn draw(&mut self, start: &dyn AnyPosition, moves: u32, seed: u64) -> Vec<String> {
        let view = start.view();
        let fields = u128::from(view.width) * u128::from(view.height);
        let mut best: Option<(u64, Vec<String>)> = None;
        for (opening, after) in candidates(self.game, start, moves, seed) {
            let spread = self.spread(&*after);
            if EVENNESS * u128::from(spread).pow(2) <= fields {
                return opening;
            }
            if best.as_ref().is_none_or(|(least, _)| spread < *least) {
                best = Some((spread, opening));
            }
        }
        match best {
            Some((_, opening)) => opening,
            None if moves > 0 => self.draw(start, moves - 1, seed),
            None => Vec::new(),
        }
    }

    /// The difference between the seats' expected scores.
    fn spread(&mut self, position: &dyn AnyPosition) -> u64 {
        let thought = self.engine.think(position, &Limits::nodes(NODES));
        let scores = thought.map_or_else(|_| position.scores(), |thought| thought.scores);
        let (least, most) = (scores.iter().min(), scores.iter().max());
        let spread = most.zip(least).map(|(most, least)| most.abs_diff(*least));
        spread.unwrap_or(0)
    }
}

/// Whether a board of this seed could have this opening. Unlike [`OpeningDrawer::draw`], this does
/// not depend on an engine, which later versions may improve.
pub fn is_candidate(
    game: &'static dyn AnyGame,
    start: &dyn AnyPosition,
    seed: u64,
    moves: &[String],
) -> bool {
    candidates(game, start, moves.len() as u32, seed).any(|(opening, _)| opening == moves)
}

/// The openings of a seed after which every seat can move, with their positions.
fn candidates(
    game: &'static dyn AnyGame,
    start: &dyn AnyPosition,
    moves: u32,
    seed: u64,
) -> impl Iterator<Item = (Vec<String>, Box<dyn AnyPosition>)> {
    let mut random = Random::seeded(seed);
    (0..CANDIDATES).filter_map(move |_| {
        let mut position = start.clone_position();
        let mut opening = Vec::new();
        for _ in 0..moves {
            opening.push(next(game, &mut *position, &mut random)?);
        }
        let after = position.clone_position();
        // In the next round, a seat without a move would be skipped.
        for _ in 0..position.players() {
            next(game, &mut *position, &mut random)?;
        }
        Some((opening, after))
    })
}

/// Plays a random move; `None` if the game is over or the next seat has no turn.
fn next(
    game: &'static dyn AnyGame,
    position: &mut dyn AnyPosition,
    random: &mut Random,
) -> Option<String> {
    let mover = position.turn()?;
    let mv = game.opening_move(position, random)?;
    position.play(&mv).ok()?;
    (position.turn()? == mover.next(position.players())).then_some(mv)
}
