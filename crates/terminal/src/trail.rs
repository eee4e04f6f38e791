//! A game at any of its turns, without storing every position of a long one.
//!
//! It stores the positions after every `stride` turns, and all those of the stretch that was looked
//! at last. With as many stretches as turns in each, a walk from one end to the other costs every
//! move twice and stores twice the square root of all positions.

use floe_games::Play;

use crate::session::Session;

/// The game before its first turn and after every turn.
#[derive(Debug, Clone)]
pub struct Trail {
    /// Turns of a stretch.
    stride: usize,
    /// The game before the first turn of every stretch.
    starts: Vec<Play>,
    /// The last stretch used: the game before and after each of its turns.
    stretch: (usize, Vec<Play>),
    turns: usize,
}

impl Trail {
    /// Costs every move of the game.
    pub fn new(session: &Session) -> Self {
        let turns = session.turns().len();
        let stride = turns.isqrt().max(16);
        let mut starts = Vec::new();
        let mut play = session.play_at(0);
        for turn in 0..=turns {
            if turn % stride == 0 {
                starts.push(play.clone());
            }
            session.play_turn(&mut play, turn);
        }
        Trail {
            stride,
            starts,
            stretch: (usize::MAX, Vec::new()),
            turns,
        }
    }

    /// The game after this many turns, or at its end if there are fewer. Costs the moves of a
    /// stretch, unless it is the last one used.
    pub fn at(&mut self, session: &Session, turn: usize) -> &Play {
        let turn = turn.min(self.turns);
        let (stretch, offset) = (turn / self.stride, turn % self.stride);
        if self.stretch.0 != stretch {
            let mut play = self.starts[stretch].clone();
            let mut plays = vec![play.clone()];
            let first = stretch * self.stride;
            for turn in first..(first + self.stride - 1).min(self.turns) {
                session.play_turn(&mut play, turn);
                plays.push(play.clone());
            }
            self.stretch = (stretch, plays);
        }
        &self.stretch.1[offset]
    }

    #[cfg(test)]
    pub(crate) fn turns(&self) -> usize {
        self.turns
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::played;
    use super::*;

    #[test]
    fn every_turn_is_found_from_every_other() {
        let session = played("gamma", "9x9", "greedy", 99);
        let turns = session.turns().len();
        assert!(turns > 60, "{turns}");
        let mut trail = Trail::new(&session);
        assert_eq!(trail.turns(), turns);
        let orders = (0..=turns).rev().chain(0..=turns);
        for turn in orders.chain([3, 70, 16, 15, 17, turns, 0]) {
            let found = trail.at(&session, turn).position().write();
            assert_eq!(found, session.play_at(turn).position().write(), "{turn}");
        }
        let end = trail.at(&session, usize::MAX).position().write();
        assert_eq!(end, session.position().write());
    }

    #[test]
    fn a_long_game_keeps_few_positions() {
        let session = played("gamma", "20x20", "random", 300);
        let mut trail = Trail::new(&session);
        let turns = trail.turns();
        let mut most = 0;
        for turn in (0..=turns).rev() {
            trail.at(&session, turn);
            most = most.max(trail.starts.len() + trail.stretch.1.len());
        }
        assert!(most <= 2 * turns.isqrt() + 3, "{most} of {turns}");
    }
}
