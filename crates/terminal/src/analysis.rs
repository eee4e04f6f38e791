//! Reviews a game: the positions to evaluate, the time for each, and the results.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use floe_games::LeadScale;
use floe_games::review::{Review, ReviewedTurn};
use floe_search::Thought;

use crate::session::Session;

/// Time for thinking about one whole game.
const WHOLE: Duration = Duration::from_secs(12);

/// A review under way.
#[derive(Debug, Clone)]
pub struct Analysis {
    review: Review,
    /// The expected moves from each evaluated position, by the number of turns before it.
    lines: HashMap<usize, Vec<String>>,
    is_stopped: bool,
    /// First turn whose position was requested.
    asked: usize,
}

impl Analysis {
    /// An analysis that knows only the result, if the game is over.
    pub fn new(session: &Session) -> Self {
        let turns = session.turns().iter().map(ReviewedTurn::from).collect();
        let play = session.play();
        let end = play.turn().is_none().then(|| play.scores());
        Self::of(Review::new(turns, session.scale(), end))
    }

    /// An empty analysis, for a game that is not over.
    pub fn none(scale: LeadScale) -> Self {
        let mut analysis = Self::of(Review::new(Vec::new(), scale, None));
        analysis.stop();
        analysis
    }

    fn of(review: Review) -> Self {
        Analysis {
            asked: review.positions(),
            review,
            lines: HashMap::new(),
            is_stopped: false,
        }
    }

    /// Adds the evaluation of the position after `turn` turns.
    pub fn note(&mut self, turn: usize, thought: Thought<String>) {
        let line = match thought.line.is_empty() {
            true => vec![thought.best.clone()],
            false => thought.line.clone(),
        };
        self.lines.insert(turn, line);
        self.review.note(turn, thought);
    }

    /// The expected moves after `turn` turns, the best one first; empty if they are unknown.
    pub fn line(&self, turn: usize) -> &[String] {
        self.lines.get(&turn).map_or(&[], Vec::as_slice)
    }

    /// The next position to evaluate, by the number of turns before it: from the end, where most is
    /// certain, to the start.
    pub fn next_position(&mut self) -> Option<usize> {
        if self.is_stopped {
            return None;
        }
        let is_unknown = |&turn: &usize| self.review.worth(turn).is_none();
        let next = (0..self.asked).rev().find(is_unknown);
        self.asked = next.unwrap_or(0);
        next
    }

    /// Time limit per position.
    pub fn effort(&self) -> Duration {
        let share = WHOLE / u32::try_from(self.positions().max(1)).unwrap_or(u32::MAX);
        share.clamp(Duration::from_millis(15), Duration::from_millis(400))
    }

    /// Ends the analysis.
    pub fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Positions done, and positions in all.
    pub fn progress(&self) -> (usize, usize) {
        (self.known(), self.positions())
    }

    /// Whether every position has been evaluated, or the analysis was stopped.
    pub fn is_complete(&self) -> bool {
        self.is_stopped || self.known() == self.positions()
    }
}

impl Deref for Analysis {
    type Target = Review;

    fn deref(&self) -> &Review {
        &self.review
    }
}

impl DerefMut for Analysis {
    fn deref_mut(&mut self) -> &mut Review {
        &mut self.review
    }
}

#[cfg(test)]
mod tests {
    use floe_games::review::Grade;
    use floe_search::Thought;

    use super::*;
    use crate::tests::after;

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
        let session = after("gamma", "3x3", "human", "a1 c3 a2");
        let mut analysis = Analysis::new(&session);
        assert_eq!(analysis.progress(), (0, 4));
        let asked: Vec<_> = std::iter::from_fn(|| analysis.next_position()).collect();
        assert_eq!(asked, [3, 2, 1, 0]);
        analysis.note(0, thought("b2", &[6, 3]));
        analysis.note(1, thought("b2", &[5, 4]));
        analysis.note(2, thought("b2", &[7, 2]));
        analysis.note(3, thought("b2", &[7, 2]));
        assert!(analysis.is_complete());
        let turnings = analysis.turning_points(5);
        let seen: Vec<_> = turnings.iter().map(|t| (t.turn, t.loss, t.grade)).collect();
        assert_eq!(seen, [(1, 4, Grade::Blunder), (0, 2, Grade::Blunder)]);
        assert_eq!(
            (turnings[0].played.as_str(), turnings[0].better.as_str()),
            ("c3", "b2")
        );
    }

    #[test]
    fn the_best_move_loses_nothing() {
        let session = after("gamma", "3x3", "human", "a1");
        let mut analysis = Analysis::new(&session);
        analysis.note(0, thought("a1", &[9, 0]));
        analysis.note(1, thought("b1", &[3, 6]));
        assert_eq!(analysis.loss(0), Some(0));
        assert_eq!(analysis.grade(0), Some(Grade::Fine));
    }
}
