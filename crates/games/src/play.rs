use floe_rules::{Outcome, Player};

use crate::error::MoveError;
use crate::face::AnyPosition;
use crate::reason::Reason;

/// A game in progress: the position, and the players disqualified for a fault.
///
/// The cost of a fault is decided here and nowhere else. With two seats, or in a game that cannot
/// continue without a player, the game is over and the offender has lost. With more seats the
/// offender is placed behind all remaining players, who play on until only one is left or the game
/// is over. Of several disqualified players, the last one is placed best.
///
/// ```
/// use floe_games::{Play, Reason};
/// let position = floe_games::find("penguins")?.start("6x6,players=3,penguins=1", 7)?;
/// let mut play = Play::new(position);
/// let first = play.position().turn().unwrap();
/// play.expel(first);
/// assert_ne!(play.turn(), Some(first));
/// let second = play.turn().unwrap();
/// play.expel(second);
/// assert_eq!((play.turn(), play.reason()), (None, Some(Reason::Forfeit)));
/// assert_eq!(play.outcome().unwrap().places(), [3, 2, 1]);
/// assert_eq!(play.scores(), play.outcome().unwrap().scores());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Play {
    position: Box<dyn AnyPosition>,
    /// Disqualified players, in order.
    out: Vec<Player>,
    forfeit: bool,
}

impl Play {
    /// A game that starts or resumes at this position.
    pub fn new(position: Box<dyn AnyPosition>) -> Self {
        Play {
            position,
            out: Vec::new(),
            forfeit: false,
        }
    }

    /// The position.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// The player to move; `None` once the game is over.
    pub fn turn(&self) -> Option<Player> {
        match self.forfeit {
            true => None,
            false => self.position.turn(),
        }
    }

    /// Makes the move of the player to move; an illegal move returns an error and changes nothing.
    pub fn make(&mut self, mv: &str) -> Result<(), MoveError> {
        self.position.play(mv)
    }

    /// Passes for the player to move; `false`, without a change, if the rules forbid it: see
    /// [`Game::give_up`](floe_rules::Game::give_up).
    pub fn give_up(&mut self) -> bool {
        match self.turn().and_then(|_| self.position.give_up()) {
            Some(after) => {
                self.position = after;
                true
            }
            None => false,
        }
    }

    /// Disqualifies a player for a fault.
    pub fn expel(&mut self, player: Player) {
        if self.out.contains(&player) || self.turn().is_none() {
            return;
        }
        let left = self.position.players() as usize - self.out.len() - 1;
        self.out.push(player);
        if left < 2 || !self.position.retire(player) {
            self.forfeit = true;
        }
    }

    /// The disqualified players, in order.
    pub fn out(&self) -> &[Player] {
        &self.out
    }

    /// The reason for the end, once the game is over.
    pub fn reason(&self) -> Option<Reason> {
        match (self.forfeit, self.position.turn()) {
            (true, _) => Some(Reason::Forfeit),
            (false, None) => Some(Reason::Finished),
            (false, Some(_)) => None,
        }
    }

    /// Every seat's score: the result's once the game is over, before that the position's.
    pub fn scores(&self) -> Vec<i64> {
        match self.outcome() {
            Some(outcome) => outcome.scores().to_vec(),
            None => self.position.scores(),
        }
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.reason()?;
        let scores = match (self.forfeit, self.out.last()) {
            (true, Some(&last)) => self.position.forfeit(last),
            _ => self.position.scores(),
        };
        Some(Outcome::behind(scores, &self.out))
    }
}
