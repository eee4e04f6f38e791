use floe_rules::key::mix;
use floe_rules::{Player, Position};

/// An evaluation: the expected scores at the leaves of a search.
///
/// Any `FnMut(&P, &mut [i64])` that writes every seat's expected score, in whole points, is one.
///
/// ```
/// use floe_rules::{Game, Position, gamma::{Gamma, GammaPosition}};
/// use floe_search::{AlphaBeta, Engine, Limits};
/// // Fields held, and nothing for what may come.
/// let judge = |position: &GammaPosition, scores: &mut [i64]| {
///     scores.copy_from_slice(&position.scores());
/// };
/// let position = Gamma::start(&"4x4".parse()?, 1)?;
/// let thought = AlphaBeta::with(judge).think(&position, &Limits::depth(2));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluate<P: Position>: Send {
    /// Writes what each seat may expect to have in the end, in [parts](Evaluate::parts) of a
    /// point. `scores` has a place for every seat. The game is not over.
    fn expect(&mut self, position: &P, scores: &mut [i64]);

    /// Units per point: more than one for evaluations finer than whole points.
    fn parts(&self) -> i64 {
        1
    }

    /// By how much `player` may expect to be ahead of the best of the others, in parts.
    fn lead(&mut self, position: &P, player: Player) -> i64 {
        let mut few = [0; 8];
        let mut many;
        let seats = position.players() as usize;
        let scores = match few.get_mut(..seats) {
            Some(few) => few,
            None => {
                many = vec![0; seats];
                &mut many
            }
        };
        self.expect(position, scores);
        lead(scores, player)
    }

    /// A key of everything that decides the *final scores*, for a search's tables.
    ///
    /// [`Position::key`] need not separate positions that differ only in the points made so far, so the points are mixed in. If a game's key separates them already, override this method to save the time.
    fn key(&self, position: &P) -> u64 {
        Player::all(position.players()).fold(position.key(), |key, player| {
            mix(key ^ position.score(player) as u64)
        })
    }
}

/// The simplest evaluation: all players keep their points and get no more.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scores;

impl<P: Position> Evaluate<P> for Scores {
    fn expect(&mut self, position: &P, scores: &mut [i64]) {
        for (player, score) in Player::all(position.players()).zip(scores) {
            *score = position.score(player);
        }
    }
}

impl<P: Position, F: FnMut(&P, &mut [i64]) + Send> Evaluate<P> for F {
    fn expect(&mut self, position: &P, scores: &mut [i64]) {
        self(position, scores);
    }
}

/// By how much `player` is ahead of the best of the others; alone at the table, the score.
///
/// ```
/// use floe_rules::Player;
/// assert_eq!(floe_search::lead(&[7, 9, 4], Player::new(0)), -2);
/// ```
pub fn lead(scores: &[i64], player: Player) -> i64 {
    let mut best = None;
    for (seat, &score) in scores.iter().enumerate() {
        if seat != player.index() {
            best = best.max(Some(score));
        }
    }
    scores[player.index()] - best.unwrap_or(0)
}

/// The largest lead there can be in the end, in parts of a point, if the rules say.
pub(crate) fn largest_lead<P: Position>(position: &P, parts: i64) -> Option<i64> {
    let margin = position
        .largest_margin()
        .filter(|_| position.players() > 1)?;
    Some(margin.saturating_mul(parts))
}

/// By how much `player` is ahead of the best of the others by the scores so far.
pub(crate) fn lead_now<P: Position>(position: &P, player: Player) -> i64 {
    let others = Player::all(position.players()).filter(|&p| p != player);
    position.score(player) - others.map(|p| position.score(p)).max().unwrap_or(0)
}
