//! Looking back at a game: what each position was worth, and which moves lost most.
//!
//! The engine thinks about every position. What a move lost is the lead its mover could have
//! expected before it, less what could be expected after it.

use std::time::Duration;

use floe_rules::Player;
use floe_search::{Thought, lead};

use super::session::{Act, Session};

/// All thinking about one game takes about this long.
const WHOLE: Duration = Duration::from_secs(12);
/// Moves that lost less are nobody's turning points.
const LEAST_LOSS: i64 = 1;

/// What is known about a game's positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Analysis {
    /// Whose every turn was; nobody's where it was a fault, by which no move lost anything.
    movers: Vec<Option<Player>>,
    moves: Vec<Option<String>>,
    /// By turn; the last one is the end.
    worths: Vec<Option<Worth>>,
    is_stopped: bool,
    /// The positions from this turn on were asked about.
    asked: usize,
}

/// What a position is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Worth {
    /// What every seat may expect in the end.
    pub(crate) scores: Vec<i64>,
    /// The best move; none at the end.
    pub(crate) best: Option<String>,
    pub(crate) depth: u32,
    pub(crate) proven: bool,
}

/// A move that lost something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turning {
    /// Which turn, from zero.
    pub(crate) turn: usize,
    pub(crate) mover: Player,
    pub(crate) played: String,
    pub(crate) better: String,
    /// How much of the mover's lead it cost.
    pub(crate) loss: i64,
}

impl Analysis {
    /// An analysis of a game that knows only how it ended, if it did.
    pub(crate) fn new(session: &Session) -> Self {
        let steps = session.steps();
        let play = session.play();
        let mut worths = vec![None; steps.len()];
        worths.push(play.turn().is_none().then(|| Worth {
            scores: play.scores(),
            best: None,
            depth: 0,
            proven: true,
        }));
        Analysis {
            movers: (steps.iter())
                .map(|step| Some(step.mover).filter(|_| step.fault().is_none()))
                .collect(),
            moves: (steps.iter())
                .map(|step| match &step.act {
                    Act::Move(notation) => Some(notation.clone()),
                    Act::GiveUp | Act::Out(_) => None,
                })
                .collect(),
            asked: worths.len(),
            worths,
            is_stopped: false,
        }
    }

    /// The next position to think about, by how many turns come before it: from the end, where
    /// most is certain, to the start.
    pub(crate) fn next(&mut self) -> Option<usize> {
        if self.is_stopped {
            return None;
        }
        let next = (0..self.asked)
            .rev()
            .find(|&turn| self.worths[turn].is_none());
        self.asked = next.unwrap_or(0);
        next
    }

    /// How long to think about each position.
    pub(crate) fn effort(&self) -> Duration {
        let share = WHOLE / u32::try_from(self.worths.len().max(1)).unwrap_or(u32::MAX);
        share.clamp(Duration::from_millis(15), Duration::from_millis(400))
    }

    /// Takes in what the engine thought of the position after so many turns.
    pub(crate) fn note(&mut self, turn: usize, thought: Thought<String>) {
        if let Some(worth) = self.worths.get_mut(turn) {
            *worth = Some(Worth {
                scores: thought.scores,
                best: Some(thought.best),
                depth: thought.depth,
                proven: thought.proven,
            });
        }
    }

    /// Nothing more will come.
    pub(crate) fn stop(&mut self) {
        self.is_stopped = true;
    }

    pub(crate) fn worth(&self, turn: usize) -> Option<&Worth> {
        self.worths.get(turn)?.as_ref()
    }

    /// How many positions are known, and how many there are.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.worths.iter().flatten().count(), self.worths.len())
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.is_stopped || self.worths.iter().all(Option::is_some)
    }

    /// What the move of this turn lost, if both sides of it are known; a gain is no loss.
    pub(crate) fn loss(&self, turn: usize) -> Option<i64> {
        let mover = (*self.movers.get(turn)?)?;
        let (before, after) = (self.worth(turn)?, self.worth(turn + 1)?);
        // Whoever plays the best move loses nothing, whatever a deeper look says later.
        if before.best.is_some() && before.best == self.moves[turn] {
            return Some(0);
        }
        Some((lead(&before.scores, mover) - lead(&after.scores, mover)).max(0))
    }

    /// The moves that lost most, the worst first.
    pub(crate) fn turning_points(&self, most: usize) -> Vec<Turning> {
        let turning = |turn: usize| {
            let loss = self.loss(turn)?;
            Some(Turning {
                turn,
                mover: self.movers[turn]?,
                played: self.moves[turn].clone()?,
                better: self.worth(turn)?.best.clone()?,
                loss,
            })
        };
        let mut turnings: Vec<Turning> = (0..self.moves.len()).filter_map(turning).collect();
        turnings.retain(|turning| turning.loss >= LEAST_LOSS);
        turnings.sort_by_key(|turning| (-turning.loss, turning.turn));
        turnings.truncate(most);
        turnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::session::Origin;
    use floe_arena::seat::Seat;

    fn thought(best: &str, scores: &[i64]) -> Thought<String> {
        Thought {
            best: best.to_owned(),
            scores: scores.to_vec(),
            depth: 3,
            nodes: 9,
            line: Vec::new(),
            proven: false,
        }
    }

    #[test]
    fn the_moves_that_lost_most_come_first() {
        let game = floe_games::find("gamma").unwrap();
        let start = game.start("3x3", 0).unwrap();
        let mut session = Session::new(start, Origin::Position, vec![Seat::Human]);
        for mv in ["a1", "c3", "a2"] {
            session.make(mv, Duration::ZERO, String::new()).unwrap();
        }
        let mut analysis = Analysis::new(&session);
        assert_eq!(analysis.progress(), (0, 4));
        let asked: Vec<_> = std::iter::from_fn(|| analysis.next()).collect();
        assert_eq!(asked, [3, 2, 1, 0]);
        analysis.note(0, thought("b2", &[6, 3]));
        analysis.note(1, thought("b2", &[5, 4]));
        analysis.note(2, thought("b2", &[7, 2]));
        analysis.note(3, thought("b2", &[7, 2]));
        assert!(analysis.is_complete());
        let turnings = analysis.turning_points(5);
        let seen: Vec<_> = turnings.iter().map(|t| (t.turn, t.loss)).collect();
        assert_eq!(seen, [(1, 4), (0, 2)]);
        assert_eq!(
            (turnings[0].played.as_str(), turnings[0].better.as_str()),
            ("c3", "b2")
        );
    }

    #[test]
    fn the_best_move_loses_nothing() {
        let game = floe_games::find("gamma").unwrap();
        let start = game.start("3x3", 0).unwrap();
        let mut session = Session::new(start, Origin::Position, vec![Seat::Human]);
        session.make("a1", Duration::ZERO, String::new()).unwrap();
        let mut analysis = Analysis::new(&session);
        analysis.note(0, thought("a1", &[9, 0]));
        analysis.note(1, thought("b1", &[3, 6]));
        assert_eq!(analysis.loss(0), Some(0));
    }
}
