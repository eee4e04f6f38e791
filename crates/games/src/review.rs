//! Reviewing a game: the value of every position, the loss of every move, and which moves were
//! slips and blunders.
//!
//! The caller supplies the values of positions, in any order; nothing here thinks. A move's loss is
//! the lead its player could expect before it, less the lead after it; the game's [`LeadScale`] decides
//! how bad that is.

use floe_rules::Player;
use floe_search::{Thought, lead};
use serde::Serialize;

use crate::{LeadScale, Turn};

/// Loss, as a share of the game, from which on a move is a slip.
const SLIP: f64 = 0.08;
/// Loss, as a share of the game, from which on a move is a blunder.
const BLUNDER: f64 = 0.2;

/// One turn of a game, for a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedTurn {
    /// The player of the turn.
    pub mover: Player,
    /// The move; `None` if the turn was a pass or a fault.
    pub mv: Option<String>,
    /// Whether the turn was a fault, which loses nothing by a move.
    pub is_fault: bool,
}

impl From<&Turn> for ReviewedTurn {
    fn from(turn: &Turn) -> Self {
        ReviewedTurn {
            mover: turn.player,
            mv: turn.mv().map(str::to_owned),
            is_fault: turn.fault().is_some(),
        }
    }
}

/// The value of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// Expected final scores of every seat.
    pub scores: Vec<i64>,
    /// The best move; none at the end.
    pub best: Option<String>,
    /// Depth of the search, in moves.
    pub depth: u32,
    /// Whether the value is proven.
    pub proven: bool,
}

impl From<Thought<String>> for Worth {
    fn from(thought: Thought<String>) -> Self {
        Worth {
            scores: thought.scores,
            best: Some(thought.best),
            depth: thought.depth,
            proven: thought.proven,
        }
    }
}

/// The quality of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// The move lost nothing that matters.
    Fine,
    /// The move lost a little.
    Slip,
    /// The move lost much.
    Blunder,
}

impl Grade {
    /// The grade's mark after a move; empty for a good move.
    pub const fn sign(self) -> &'static str {
        match self {
            Grade::Fine => "",
            Grade::Slip => "?",
            Grade::Blunder => "??",
        }
    }

    /// The grade's name.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Fine => "fine",
            Grade::Slip => "slip",
            Grade::Blunder => "blunder",
        }
    }
}

/// A move that lost something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurningPoint {
    /// The turn's index, from zero.
    pub turn: usize,
    /// The player of the turn.
    pub mover: Player,
    /// The played move.
    pub played: String,
    /// The better move.
    pub better: String,
    /// The lead that the move lost.
    pub loss: i64,
    /// The move's grade.
    pub grade: Grade,
}

/// The known values of a game's positions.
///
/// ```
/// use floe_games::review::{Grade, Review, ReviewedTurn, Worth};
/// use floe_games::LeadScale;
/// use floe_rules::Player;
/// let start = floe_games::find("gamma")?.start("4x4", 1)?;
/// let turn = ReviewedTurn { mover: Player::new(0), mv: Some("a1".to_owned()), is_fault: false };
/// let mut review = Review::new(vec![turn], LeadScale::of(&*start), None);
/// let worth = |scores: [i64; 2], best: &str| Worth {
///     scores: scores.to_vec(),
///     best: Some(best.to_owned()),
///     depth: 4,
///     proven: false,
/// };
/// review.note(0, worth([9, 7], "b2"));
/// review.note(1, worth([7, 9], "c3"));
/// assert_eq!((review.loss(0), review.grade(0)), (Some(4), Some(Grade::Blunder)));
/// assert_eq!(review.turning_points(3)[0].better, "b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Review {
    turns: Vec<ReviewedTurn>,
    /// The values by turn; the last one is the end.
    worths: Vec<Option<Worth>>,
    scale: LeadScale,
}

impl Review {
    /// A review that knows only the final scores, if the game is over.
    pub fn new(turns: Vec<ReviewedTurn>, scale: LeadScale, end: Option<Vec<i64>>) -> Self {
        let mut worths = vec![None; turns.len()];
        worths.push(end.map(|scores| Worth {
            scores,
            best: None,
            depth: 0,
            proven: true,
        }));
        Review {
            turns,
            worths,
            scale,
        }
    }

    /// Adds the value of the position after `turn` turns; ignored if there is no such position.
    pub fn note(&mut self, turn: usize, worth: impl Into<Worth>) {
        if let Some(place) = self.worths.get_mut(turn) {
            *place = Some(worth.into());
        }
    }

    /// The value of the position after `turn` turns, if known.
    pub fn worth(&self, turn: usize) -> Option<&Worth> {
        self.worths.get(turn)?.as_ref()
    }

    /// Number of positions: one more than turns.
    pub fn positions(&self) -> usize {
        self.worths.len()
    }

    /// Number of positions with a known value.
    pub fn known(&self) -> usize {
        self.worths.iter().flatten().count()
    }

    /// Each seat's share of the game after `turn` turns, if known.
    pub fn shares(&self, turn: usize) -> Option<Vec<f64>> {
        Some(self.scale.shares(&self.worth(turn)?.scores))
    }

    /// The loss of this turn's move, if the values before and after are known; a gain counts as 0.
    pub fn loss(&self, turn: usize) -> Option<i64> {
        let made = self.turns.get(turn).filter(|made| !made.is_fault)?;
        let (before, after) = (self.worth(turn)?, self.worth(turn + 1)?);
        // The best move loses nothing, whatever a deeper search finds.
        if before.best.is_some() && before.best == made.mv {
            return Some(0);
        }
        Some((lead(&before.scores, made.mover) - lead(&after.scores, made.mover)).max(0))
    }

    /// The grade of this turn's move, if the values before and after are known.
    pub fn grade(&self, turn: usize) -> Option<Grade> {
        if self.loss(turn)? == 0 {
            return Some(Grade::Fine);
        }
        let mover = self.turns.get(turn)?.mover;
        let share = |turn: usize| Some(self.scale.share(&self.worth(turn)?.scores, mover));
        let lost = share(turn)? - share(turn + 1)?;
        Some(match lost {
            lost if lost >= BLUNDER => Grade::Blunder,
            lost if lost >= SLIP => Grade::Slip,
            _ => Grade::Fine,
        })
    }

    /// The moves that lost most, worst first.
    pub fn turning_points(&self, most: usize) -> Vec<TurningPoint> {
        let turning = |turn: usize| {
            Some(TurningPoint {
                turn,
                mover: self.turns[turn].mover,
                played: self.turns[turn].mv.clone()?,
                better: self.worth(turn)?.best.clone()?,
                loss: self.loss(turn).filter(|&loss| loss > 0)?,
                grade: self.grade(turn)?,
            })
        };
        let mut turnings: Vec<TurningPoint> = (0..self.turns.len()).filter_map(turning).collect();
        turnings.sort_by_key(|turning| (-turning.loss, turning.turn));
        turnings.truncate(most);
        turnings
    }
}
