use crate::Player;

/// How a finished game ended: scores, and the places they give.
///
/// Equal scores share a place, and the next place is counted past them (1, 1, 3).
///
/// ```
/// use floe_rules::{Outcome, Player};
/// let outcome = Outcome::from_scores(vec![7, 12, 7]);
/// assert_eq!(outcome.places(), [2, 1, 2]);
/// assert_eq!(outcome.winner(), Some(Player::new(1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Outcome {
    scores: Vec<i64>,
    places: Vec<u32>,
}

impl Outcome {
    /// The outcome of a game that ended with these scores, by seat. O(n log n).
    pub fn from_scores(scores: Vec<i64>) -> Self {
        let ranked = falling(scores.clone());
        let place = |s: &i64| ranked.partition_point(|r| r > s) as u32 + 1;
        let places = scores.iter().map(place).collect();
        Outcome { scores, places }
    }

    /// The outcome of a game that the players of `left` had to leave, in this order. They are
    /// placed behind all who stayed, whatever their scores; the last to leave comes first among
    /// them.
    ///
    /// ```
    /// use floe_rules::{Outcome, Player};
    /// let outcome = Outcome::behind(vec![7, 12, 9, 1], &[Player::new(1), Player::new(0)]);
    /// assert_eq!(outcome.places(), [3, 4, 1, 2]);
    /// ```
    pub fn behind(scores: Vec<i64>, left: &[Player]) -> Self {
        let gone = |seat: usize| left.iter().rposition(|player| player.index() == seat);
        let stayed = (0..scores.len()).filter(|&seat| gone(seat).is_none());
        let ranked = falling(stayed.map(|seat| scores[seat]).collect());
        let place = |(seat, score): (usize, &i64)| match gone(seat) {
            None => ranked.partition_point(|r| r > score) as u32 + 1,
            Some(at) => (scores.len() - at) as u32,
        };
        let places = scores.iter().enumerate().map(place).collect();
        Outcome { scores, places }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_parts(scores: Vec<i64>, places: Vec<u32>) -> Self {
        Outcome { scores, places }
    }

    /// The scores, by seat.
    pub fn scores(&self) -> &[i64] {
        &self.scores
    }

    /// The places, by seat, from 1.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// The sole winner; `None` when the first place is shared.
    pub fn winner(&self) -> Option<Player> {
        let mut first = (0u32..).zip(&self.places).filter(|&(_, &place)| place == 1);
        match (first.next(), first.next()) {
            (Some((seat, _)), None) => Some(Player::new(seat)),
            _ => None,
        }
    }
}

/// The highest first.
fn falling(mut scores: Vec<i64>) -> Vec<i64> {
    scores.sort_unstable_by(|a, b| b.cmp(a));
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_first_place_has_no_winner() {
        let outcome = Outcome::from_scores(vec![5, 3, 5]);
        assert_eq!(outcome.places(), [1, 3, 1]);
        assert_eq!(outcome.winner(), None);
    }

    #[test]
    fn one_seat_always_wins() {
        assert_eq!(Outcome::from_scores(vec![0]).winner(), Some(Player::new(0)));
    }
}
