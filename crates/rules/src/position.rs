use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::key::mix;
use crate::{Outcome, ParseError, Player};

/// A state of an open, deterministic game for one or more seats: all that a search needs.
///
/// A mover always has a move. Skipping, dropping out and coming back live behind [`turn`] and
/// nowhere else.
///
/// [`turn`]: Position::turn
///
/// ```
/// use floe_rules::{Game, Player, Position, gamma::Gamma};
/// let mut position = Gamma::start(&"2x1,areas=1".parse()?, 1)?;
/// assert_eq!(position.turn(), Some(Player::new(0)));
/// assert_eq!(position.legal_moves().len(), 2);
/// position.play("a1".parse()?)?;
/// assert!(position.play("a1".parse()?).is_err(), "the field is taken");
/// assert_eq!(position.scores(), [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// One move; it prints and parses in the game's notation.
    type Move: Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync;
    /// The reason why a move is not allowed.
    type Illegal: Error + Send + Sync + 'static;

    /// Number of seats in the game.
    fn players(&self) -> u32;

    /// The player to move; `None` once the game is over.
    fn turn(&self) -> Option<Player>;

    /// Replaces the contents of `into` with the legal moves, in the game's fixed, documented order;
    /// with none when the game is over.
    fn moves(&self, into: &mut Vec<Self::Move>);

    /// Checks whether the player to move may make this move.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Makes a move that [`check`](Position::check) allows.
    ///
    /// An illegal one leaves a wrong position behind or panics; it is never undefined behaviour.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// The player's score so far; the final score once the game is over.
    fn score(&self, player: Player) -> i64;

    /// A Zobrist key of everything that affects the rest of the game.
    fn key(&self) -> u64;

    /// A key of everything that decides the points still to be made, for proven values that are
    /// kept in files: the board and its settings included, and equal for positions that are
    /// mirror images of each other, seen from the player to move.
    ///
    /// The default is for games whose [`key`](Position::key) says all that but the number of seats.
    fn proof_key(&self) -> u64 {
        mix(self.key() ^ u64::from(self.players()))
    }

    /// Takes a player out for good: their pieces stay where they are, and they never move again.
    ///
    /// If the game cannot continue without a player, changes nothing and returns `false`; that is
    /// the default.
    fn retire(&mut self, _player: Player) -> bool {
        false
    }

    /// By how much the final scores of two seats can differ at most, if the rules say: 1 where a
    /// win is all there is. `None` for every game that says nothing else.
    ///
    /// A search that has found a lead as large as this need not look for a larger one.
    fn largest_margin(&self) -> Option<i64> {
        None
    }

    /// Makes a move; an illegal move returns an error and changes nothing.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::Illegal> {
        self.check(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// The legal moves in a new vector.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }

    /// Every seat's score.
    fn scores(&self) -> Vec<i64> {
        Player::all(self.players()).map(|p| self.score(p)).collect()
    }

    /// The result, once the game is over.
    ///
    /// ```
    /// use floe_rules::{Game, Position, flood::Flood};
    /// let over = Flood::read("J\n@#\n@#\n")?;
    /// assert_eq!(over.outcome().map(|o| o.scores().to_vec()), Some(vec![2, 2]));
    /// # Ok::<(), floe_rules::ParseError>(())
    /// ```
    fn outcome(&self) -> Option<Outcome> {
        self.turn()
            .is_none()
            .then(|| Outcome::from_scores(self.scores()))
    }
}

/// How many sequences of `depth` moves there are; a game that ends earlier counts once.
///
/// The standard check of a rules implementation against another: equal counts at several depths
/// leave little room for a rule to differ. Costs the number it returns, in moves made.
///
/// ```
/// use floe_rules::{Game, gamma::Gamma, perft};
/// let start = Gamma::start(&"2x2".parse()?, 1)?;
/// assert_eq!(perft(&start, 1), 4);
/// // Each of the three other fields, or the first player's by a golden move.
/// assert_eq!(perft(&start, 2), 4 * 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let mut frames = vec![(position.clone(), Vec::new()); depth as usize + 1];
    descend(&mut frames)
}

fn descend<P: Position>(frames: &mut [(P, Vec<P::Move>)]) -> u64 {
    let [(here, moves), rest @ ..] = frames else {
        return 1;
    };
    if rest.is_empty() || here.turn().is_none() {
        return 1;
    }
    here.moves(moves);
    if rest.len() == 1 {
        return moves.len() as u64;
    }
    let mut count = 0;
    for &mv in &*moves {
        rest[0].0.clone_from(here);
        rest[0].0.play_unchecked(mv);
        count += descend(rest);
    }
    count
}
