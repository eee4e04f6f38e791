//! A position in the search: copied and changed, never unmade.
//!
//! Three sets are the whole of it: what is free and the two frontiers. A move takes the components
//! of its colour out of the mover's frontier and draws in their free neighbours, a few operations
//! on each word and each component gained.

use floe_rules::flood::MOST_MOVES;
use floe_rules::key::mix;

use super::field::{Field, Set};

/// A position on a [`Field`].
#[derive(Clone, Copy)]
pub(super) struct State<const W: usize> {
    /// What nobody owns.
    pub(super) free: Set<W>,
    /// By side, what touches its territory and is free.
    pub(super) fronts: [Set<W>; 2],
    /// By side, what it owns.
    pub(super) squares: [u32; 2],
    /// Free squares by colour, of the whole board.
    pub(super) left: [u32; 5],
    pub(super) colours: [u8; 2],
    /// Moves made since the game began.
    pub(super) made: u32,
    /// Of the components absorbed since the search began. The colours and who moves are added when
    /// a table is asked.
    pub(super) key: u64,
}

impl<const W: usize> State<W> {
    /// Who moves: 0 for J, 1 for S.
    #[inline]
    pub(super) fn side(&self) -> usize {
        (self.made % 2) as usize
    }

    /// The three colours that may be chosen.
    #[inline]
    pub(super) fn choices(&self) -> [u8; 3] {
        let [a, b] = self.colours;
        let (low, high) = (a.min(b), a.max(b));
        // The numbers 0, 1, 2 moved past the two that are taken.
        [0, 1, 2].map(|i| {
            let i = i + u8::from(i >= low);
            i + u8::from(i >= high)
        })
    }

    /// What the mover gains by a colour.
    #[inline]
    pub(super) fn gained<const N: usize>(&self, field: &Field<W, N>, colour: u8) -> Set<W> {
        let class = field.class(colour);
        let front = &self.fronts[self.side()];
        let mut gained = [0; W];
        for i in 0..W {
            gained[i] = front[i] & class[i];
        }
        gained
    }

    /// The position after a colour is chosen, written over `after`.
    #[inline]
    pub(super) fn play_into<const N: usize>(
        &self,
        field: &Field<W, N>,
        colour: u8,
        after: &mut Self,
    ) {
        let side = self.side();
        let gained = self.gained(field, colour);
        let mut next = [0; W];
        let size = field.spread(&gained, &mut next);
        for i in 0..W {
            let free = self.free[i] & !gained[i];
            after.free[i] = free;
            after.fronts[side][i] = (self.fronts[side][i] | next[i]) & free;
            after.fronts[1 - side][i] = self.fronts[1 - side][i] & free;
        }
        after.squares = self.squares;
        after.squares[side] += size;
        after.left = self.left;
        after.left[colour as usize] -= size;
        after.colours = self.colours;
        after.colours[side] = colour;
        after.made = self.made + 1;
        after.key = self.key ^ field.key(&gained, side);
    }

    /// Whether the game is over: two colours are left, or the last move was made.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.made >= MOST_MOVES || self.choices().iter().all(|&c| self.left[c as usize] == 0)
    }

    /// The key for a table; `is_numbered` says whether the number of moves is part of it.
    #[inline]
    pub(super) fn table_key(&self, is_numbered: bool) -> u64 {
        let [j, s] = self.colours;
        let number = if is_numbered {
            self.made
        } else {
            self.made % 2
        };
        self.key ^ mix(1 << 40 | u64::from(j) << 32 | u64::from(s) << 24 | u64::from(number))
    }

    /// Both scores if the game were over now: a player's is all that the opponent neither owns nor
    /// can reach. Costs the components of the field.
    pub(super) fn scores<const N: usize>(&self, field: &Field<W, N>) -> [i64; 2] {
        let total = self.squares[0] + self.squares[1] + field.size(&self.free);
        [1, 0].map(|opponent: usize| {
            let mut reached = self.fronts[opponent];
            let mut wave = reached;
            let mut size = 0;
            while wave.iter().any(|&w| w != 0) {
                let mut next = [0; W];
                size += field.spread(&wave, &mut next);
                for i in 0..W {
                    wave[i] = next[i] & self.free[i] & !reached[i];
                    reached[i] |= wave[i];
                }
            }
            i64::from(total - self.squares[opponent] - size)
        })
    }
}

#[cfg(test)]
mod tests {
    use floe_rules::flood::{Colour, Flood, J, Move, Position, S};
    use floe_rules::random::Random;
    use floe_rules::{Game, Position as _};

    use super::super::field::Ground;

    /// Plays random games and compares every position with that of the rules.
    fn compare<const W: usize, const N: usize>(setup: &str, seed: u64) {
        let mut random = Random::seeded(seed);
        let setup = setup.parse().expect("a setup");
        let mut position: Position = Flood::start(&setup, seed).expect("a board");
        for _ in 0..random.below(12) {
            let colour = position.choices()[random.index(3)];
            position.play_unchecked(Move(colour));
        }
        let mut ground = Ground::default();
        ground.survey(&position);
        assert!(ground.words() <= W);
        let (field, mut state) = ground.field::<W, N>(&position);
        loop {
            let front = |side: usize| field.size(&state.fronts[side]);
            for (side, player) in [J, S].into_iter().enumerate() {
                let expected = position.graph().squares_in(position.frontier(player));
                assert_eq!(front(side), expected);
                assert_eq!(state.squares[side], position.squares(player));
            }
            assert_eq!(state.scores(&field).to_vec(), position.scores());
            assert_eq!(state.is_over(), position.turn().is_none());
            let choices = state.choices().map(|c| Colour::ALL[c as usize]);
            assert_eq!(choices, position.choices());
            let worth = state.worth(&field);
            let scores = position.scores();
            let is_settled = scores[0] + scores[1] == i64::from(position.graph().area());
            assert_eq!(worth.is_proven, is_settled || state.is_over());
            if position.turn().is_none() {
                return;
            }
            let colour = state.choices()[random.index(3)];
            let mut after = state;
            state.play_into(&field, colour, &mut after);
            state = after;
            position.play_unchecked(Move(Colour::ALL[colour as usize]));
        }
    }

    #[test]
    fn it_is_the_position_of_the_rules() {
        for seed in 0..20 {
            compare::<1, 1>("7x7", seed);
            compare::<5, 5>("18x18", seed);
            // Narrow windows, so that many neighbours are far.
            compare::<8, 1>("20x20", seed);
            compare::<8, 3>("40x10", seed);
        }
        compare::<28, 5>("46x50", 1);
    }
}
