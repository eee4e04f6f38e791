//! The evaluation: which player gets to which free field first.
//!
//! All players grow over the free fields at once, a step at a time from all their areas. The first
//! to reach a field will probably own it; if several reach it in the same step, they share it. If
//! players with spare areas may still land, nothing is safe: a spare area is worth a part of what
//! opponents claim, and a golden move more than the field it takes. The weights started from a fit
//! to the final scores of games the engine played against itself on boards of 8x8 to 10x10. Each
//! was then changed by itself where that won matches.

use super::bits::Bits;
use super::state::SearchState;

/// Parts of a point.
pub(super) const PARTS: i32 = 128;

/// Countable features of one player's prospects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Prospect {
    /// Fields held.
    pub(super) busy: i32,
    /// Free fields only he comes to first.
    pub(super) claimed: i32,
    /// Free fields he and others come to first.
    pub(super) shared: i32,
    /// Claimed fields next to what others claim.
    pub(super) contact: i32,
    /// Areas he may still found, no more than two.
    pub(super) spare: i32,
    /// 1 if the player has the golden move, else 0.
    pub(super) golden: i32,
    /// Free fields beside his own.
    pub(super) border: i32,
}

/// Judges positions; keeps the memory it needs.
#[derive(Debug)]
pub(super) struct Surveyor<const W: usize> {
    fronts: Vec<Bits<W>>,
    borders: Vec<i32>,
    claims: Vec<Bits<W>>,
    shares: Vec<Bits<W>>,
    pub(super) prospects: Vec<Prospect>,
    pub(super) expected: Vec<i32>,
    fields: i32,
}

impl<const W: usize> Surveyor<W> {
    pub(super) fn new(players: usize, fields: i32) -> Self {
        Surveyor {
            fronts: vec![Bits::EMPTY; players],
            borders: vec![0; players],
            claims: vec![Bits::EMPTY; players],
            shares: vec![Bits::EMPTY; players],
            prospects: vec![Prospect::default(); players],
            expected: vec![0; players],
            fields,
        }
    }

    /// Fills `prospects`; returns the number of free fields that no player reaches by growing.
    pub(super) fn survey(&mut self, state: &SearchState<W>) -> i32 {
        let players = state.sides.len();
        for (p, side) in state.sides.iter().enumerate() {
            self.fronts[p] = side.own;
            self.claims[p] = Bits::EMPTY;
            self.shares[p] = Bits::EMPTY;
        }
        let mut left = state.free;
        let mut is_first = true;
        loop {
            let (mut once, mut twice) = (Bits::EMPTY, Bits::EMPTY);
            for front in &mut self.fronts {
                *front = front.beside(state.stride) & left;
                twice |= once & *front;
                once |= *front;
            }
            if is_first {
                is_first = false;
                for p in 0..players {
                    self.borders[p] = self.fronts[p].count() as i32;
                }
            }
            if once.is_empty() {
                break;
            }
            for p in 0..players {
                self.claims[p] |= self.fronts[p].without(&twice);
                self.shares[p] |= self.fronts[p] & twice;
            }
            left = left.without(&once);
        }
        for (p, side) in state.sides.iter().enumerate() {
            let mut others = self.shares[p];
            for q in 0..players {
                if q != p {
                    others |= self.claims[q] | self.shares[q];
                }
            }
            self.prospects[p] = Prospect {
                busy: side.busy as i32,
                claimed: self.claims[p].count() as i32,
                shared: self.shares[p].count() as i32,
                contact: (others.beside(state.stride) & self.claims[p]).count() as i32,
                spare: state.spare(p).min(2) as i32,
                golden: i32::from(side.golden),
                border: self.borders[p],
            };
        }
        left.count() as i32
    }

    /// Fills `expected` with what each player may expect to have in the end, in parts.
    pub(super) fn expect(&mut self, state: &SearchState<W>) {
        let unclaimed = self.survey(state);
        let others = (state.sides.len() as i32 - 1).max(1);
        let free = state.free.count() as i32;
        let landers = self.prospects.iter().filter(|p| p.spare > 0).count() as i32;
        let all_claimed: i32 = self.prospects.iter().map(|p| p.claimed).sum();
        let goldens: i32 = self.prospects.iter().map(|p| p.golden).sum();
        let claim = (CLAIM - CLAIM_FADES * free / self.fields).min(CLAIM_MOST);
        let border = BORDER + BORDER_FREE * free / self.fields;
        let golden = GOLDEN + (GOLDEN_FREE * free / 8).min(2 * GOLDEN_FREE);
        for (p, prospect) in self.prospects.iter().enumerate() {
            let mut worth = PARTS * prospect.busy
                + claim * prospect.claimed
                + SHARED * prospect.shared
                + border * prospect.border
                - CONTACT * prospect.contact;
            if prospect.spare > 0 {
                worth += PARTS * unclaimed / landers;
                worth += (SPARE + SPARE_SECOND * (prospect.spare - 1))
                    * (all_claimed - prospect.claimed)
                    / others;
                worth += SPARE_ITSELF * prospect.spare;
            }
            let rivals = landers - i32::from(prospect.spare > 0);
            worth -= SPARE * prospect.claimed * rivals / others;
            worth += golden * (prospect.golden * (others + 1) - goldens) / others;
            if state.turn == Some(p) {
                worth += TEMPO + TEMPO_FREE * free / 16;
            }
            self.expected[p] = worth;
        }
    }
}

/// A claimed field when the board is full, ...
const CLAIM: i32 = 154;
/// ... how much less when it is empty: early claims are often disputed, ...
const CLAIM_FADES: i32 = 120;
/// ... and the most it is ever worth.
const CLAIM_MOST: i32 = 125;
/// A field several come to first.
const SHARED: i32 = 64;
/// Deduction for a claimed field next to opponents' claims.
const CONTACT: i32 = 20;
/// Gain of a spare area per field that opponents claim; they lose as much.
const SPARE: i32 = 13;
/// Gain of a second spare area, on top of that.
const SPARE_SECOND: i32 = 4;
/// Value of a spare area by itself.
const SPARE_ITSELF: i32 = 32;
/// The golden move at the end, for the owner and against the others; ...
const GOLDEN: i32 = 200;
/// ... twice this more while 16 fields or more are free, for it breaks into closed rooms: played
/// early it wins a field or two and leaves a player who has kept his at an advantage.
const GOLDEN_FREE: i32 = 100;
/// A free field beside one's own when the board is full: rooms that are all border are thin.
const BORDER: i32 = -20;
/// The same on an empty board, on top of that: early, many directions to grow in are good.
const BORDER_FREE: i32 = 60;
/// To be on move, ...
const TEMPO: i32 = 40;
/// ... and more for every 16 free fields.
const TEMPO_FREE: i32 = 16;

/// Move ordering: how soon to try a step, by what it touches.
#[derive(Debug)]
pub(super) struct Hints<const W: usize> {
    contested: Bits<W>,
    foreign: Bits<W>,
    frontier: Bits<W>,
}

impl<const W: usize> Hints<W> {
    pub(super) fn take(&self, field: usize) -> i32 {
        800 * i32::from(self.contested.has(field))
            + 400 * i32::from(self.foreign.has(field))
            + 200 * i32::from(self.frontier.has(field))
    }

    pub(super) fn golden(&self, field: usize) -> i32 {
        300 * i32::from(self.foreign.has(field)) - 300
    }
}

impl<const W: usize> Surveyor<W> {
    /// Hints for the steps of this player, by the latest survey, which must be of this state.
    pub(super) fn hints(&self, state: &SearchState<W>, player: usize) -> Hints<W> {
        let mut foreign = Bits::EMPTY;
        for q in 0..state.sides.len() {
            if q != player {
                foreign |= self.claims[q];
            }
        }
        let shared = self.shares[player];
        let near = foreign.beside(state.stride);
        Hints {
            contested: shared | (self.claims[player] & (foreign | shared).beside(state.stride)),
            foreign: foreign | near,
            frontier: state.sides[player].own.beside(state.stride),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use floe_rules::Game;
    use floe_rules::gamma::Gamma;

    fn survey(text: &str) -> (Surveyor<1>, i32) {
        let position = Gamma::read(text).expect("a good position");
        let state = SearchState::new(&position);
        let mut surveyor = Surveyor::new(state.sides.len(), state.full.count() as i32);
        let unclaimed = surveyor.survey(&state);
        surveyor.expect(&state);
        (surveyor, unclaimed)
    }

    #[test]
    fn who_comes_first_claims_and_ties_are_shared() {
        let (surveyor, unclaimed) = survey("gamma 7 1 2 1\nturn 1 golden 1\n.1...2.\n");
        assert_eq!(unclaimed, 0);
        let [one, two] = surveyor.prospects[..] else {
            panic!("two players");
        };
        assert_eq!(
            (one.claimed, one.shared, one.contact, one.border),
            (2, 1, 1, 2)
        );
        assert_eq!(
            (two.claimed, two.shared, two.contact, two.border),
            (2, 1, 1, 2)
        );
        assert_eq!((one.golden, two.golden, one.spare), (1, 0, 0));
    }

    #[test]
    fn what_nobody_grows_into_is_unclaimed() {
        let (surveyor, unclaimed) = survey("gamma 3 3 2 2\nturn 1 golden 1 2\n...\n...\n...\n");
        assert_eq!(unclaimed, 9);
        let shares: Vec<i32> = surveyor.expected.clone();
        assert_eq!(shares[0] - shares[1], TEMPO + TEMPO_FREE * 9 / 16);
    }

    #[test]
    fn a_mirrored_position_promises_the_same() {
        let (one, _) = survey("gamma 5 3 2 2\nturn 1 golden 1\n1..2.\n.1...\n....2\n");
        let (two, _) = survey("gamma 5 3 2 2\nturn 2 golden 2\n.1..2\n...2.\n1....\n");
        assert_eq!(one.expected[0], two.expected[1]);
        assert_eq!(one.expected[1], two.expected[0]);
    }
}
