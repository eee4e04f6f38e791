//! What the learned evaluation looks at: counts of a position from the view of one player.
//!
//! *Cells* first: the free fields that the player reaches in one step, in two, three, more or never,
//! and the opponents in one, two, three, more or never, however far they grow. Then come borders,
//! rooms and stones, and what each may still found or take. All opponents together count as one.
//! None of the counts depends on the board's size.

use super::bits::Bits;
use super::state::SearchState;
use crate::network::{FEATURES, Features, add_counts};

/// Kinds of distances: one step, two, three, more, never.
const KINDS: usize = 5;

/// Pairs of distances.
const CELLS: usize = KINDS * KINDS;

/// Sets that are counted.
const SETS: usize = 48;

/// Phases: whether the player may found an area, and whether an opponent may; of these there are
/// as many for two seats as for more.
pub(super) const PHASES: usize = 8;

/// How a player grows over the free fields, whatever the others do.
#[derive(Debug, Clone, Copy)]
struct Growth<const W: usize> {
    /// The fields reached in one step, in two and in three.
    within: [Bits<W>; 3],
    reached: Bits<W>,
    /// Where the last step led.
    front: Bits<W>,
    /// The fields that no opponent reaches as soon, and those that one reaches as soon and none
    /// sooner.
    first: Bits<W>,
    tied: Bits<W>,
}

impl<const W: usize> Growth<W> {
    const NONE: Self = Growth {
        within: [Bits::EMPTY; 3],
        reached: Bits::EMPTY,
        front: Bits::EMPTY,
        first: Bits::EMPTY,
        tied: Bits::EMPTY,
    };
}

/// Looks at positions; keeps the memory it needs.
#[derive(Debug)]
pub(super) struct Lens<const W: usize> {
    growths: Vec<Growth<W>>,
    /// The fields that any player reaches.
    claimed: Bits<W>,
    fields: i32,
}

impl<const W: usize> Lens<W> {
    pub(super) fn new(players: usize, fields: i32) -> Self {
        Lens {
            growths: vec![Growth::NONE; players],
            claimed: Bits::EMPTY,
            fields,
        }
    }

    /// Lets all players grow.
    #[inline(never)] // one copy for two and for more
    pub(super) fn look(&mut self, state: &SearchState<W>) {
        for (growth, side) in self.growths.iter_mut().zip(&state.sides) {
            *growth = Growth::NONE;
            growth.front = side.own;
        }
        self.claimed = Bits::EMPTY;
        for step in 0.. {
            let (mut once, mut twice) = (Bits::EMPTY, Bits::EMPTY);
            for growth in &mut self.growths {
                growth.front =
                    (growth.front.beside(state.stride) & state.free).without(&growth.reached);
                growth.reached |= growth.front;
                twice |= once & growth.front;
                once |= growth.front;
                if step < 3 {
                    growth.within[step..].fill(growth.reached);
                }
            }
            if once.is_empty() {
                break;
            }
            for growth in &mut self.growths {
                let fresh = growth.front.without(&self.claimed);
                growth.first |= fresh.without(&twice);
                growth.tied |= fresh & twice;
            }
            self.claimed |= once;
        }
    }

    /// The counts from the view of a player, and the phase; all players must have grown.
    #[inline(never)]
    pub(super) fn features(&self, state: &SearchState<W>, player: usize) -> (usize, Features) {
        let mine = &self.growths[player];
        let mut theirs = Growth::NONE;
        let mut stones = Bits::EMPTY;
        let (mut goldens, mut founders, mut spare, mut areas) = (0, 0, 0, 0);
        let (mut most_first, mut most_stones) = (0, 0);
        let seats = state.sides.len();
        for (other, side) in state.sides.iter().enumerate().filter(|&(p, _)| p != player) {
            let growth = &self.growths[other];
            for (all, within) in theirs.within.iter_mut().zip(&growth.within) {
                *all |= *within;
            }
            theirs.reached |= growth.reached;
            stones |= side.own;
            goldens += i16::from(side.golden);
            let more = state.spare(other).min(3) as i16;
            founders += i16::from(more > 0);
            spare = spare.max(more);
            areas += side.areas.min(20) as i16;
            most_stones = most_stones.max(side.busy as i16);
            if seats > 2 {
                most_first = most_first.max(growth.first.count() as i16);
            }
        }
        theirs.first = self.claimed.without(&mine.first).without(&mine.tied);
        theirs.tied = mine.tied;
        let own = &state.sides[player];
        let mut features = [0; FEATURES];
        self.count(state, (mine, &own.own), (&theirs, &stones), &mut features);
        let own_spare = state.spare(player).min(3) as i16;
        let free = features[43];
        let turn = state.turn.unwrap_or(player);
        let scalars = [
            i16::from(own.golden),
            goldens,
            own_spare,
            spare,
            founders,
            (64 * i32::from(free) / self.fields) as i16,
            self.fields as i16,
            free & 1,
            ((player + seats - turn) % seats) as i16,
            seats as i16,
            own.areas.min(20) as i16,
            areas,
            most_first,
            most_stones,
        ];
        features[SETS..SETS + scalars.len()].copy_from_slice(&scalars);
        let phase = usize::from(own_spare > 0)
            + 2 * usize::from(spare > 0)
            + if seats > 2 { PHASES / 2 } else { 0 };
        (phase, features)
    }

    fn count(
        &self,
        state: &SearchState<W>,
        (mine, own): (&Growth<W>, &Bits<W>),
        (theirs, stones): (&Growth<W>, &Bits<W>),
        features: &mut Features,
    ) {
        let (stride, free) = (state.stride, &state.free);
        let layers = |growth: &Growth<W>| {
            let [one, two, three] = growth.within;
            [
                one,
                two.without(&one),
                three.without(&two),
                growth.reached.without(&three),
                free.without(&growth.reached),
            ]
        };
        let (my_layers, their_layers) = (layers(mine), layers(theirs));
        let my_contact = (theirs.first | mine.tied).beside(stride);
        let their_contact = (mine.first | mine.tied).beside(stride);
        let (my_around, their_around) = (own.around(stride), stones.around(stride));
        let free_around = free.beside(stride);
        let my_room = self.deep(state, &mine.first, own);
        let their_room = self.deep(state, &theirs.first, stones);
        let my_deep = self.deep(state, &my_room, own);
        let their_deep = self.deep(state, &their_room, stones);
        // Rooms that the other cannot grow into, and the stones in between.
        let my_closed = mine.reached.without(&theirs.reached);
        let their_closed = theirs.reached.without(&mine.reached);
        let my_doors = my_closed.beside(stride) & *own & (their_around[0] | my_contact);
        let their_doors = their_closed.beside(stride) & *stones & (my_around[0] | their_contact);
        let mut counts = [0; SETS];
        for word in 0..W {
            let at = |set: &Bits<W>| set.word(word);
            let mut sets = [0; SETS];
            let (my, their) = (
                my_layers.each_ref().map(at),
                their_layers.each_ref().map(at),
            );
            for (i, set) in sets[..CELLS].iter_mut().enumerate() {
                *set = my[i / KINDS] & their[i % KINDS];
            }
            let far = my[3] & their[3];
            let (mine_first, theirs_first) = (at(&mine.first), at(&theirs.first));
            let rest = [
                far & mine_first,
                far & theirs_first,
                mine_first & at(&my_contact),
                theirs_first & at(&their_contact),
                at(free) & at(&my_around[1]),
                at(free) & at(&my_around[2]),
                at(free) & at(&their_around[1]),
                at(free) & at(&their_around[2]),
                at(own) & at(&free_around),
                at(stones) & at(&free_around),
                at(own) & at(&their_around[0]),
                at(stones) & at(&my_around[0]),
                at(&my_room),
                at(&their_room),
                at(&my_deep),
                at(&their_deep),
                at(own),
                at(stones),
                at(free),
                at(&my_doors),
                at(&their_doors),
            ];
            sets[CELLS..CELLS + rest.len()].copy_from_slice(&rest);
            add_counts(&mut counts, &sets, u64::MAX);
        }
        for (feature, count) in features.iter_mut().zip(counts) {
            *feature = count as i16;
        }
    }

    /// The fields of the set all of whose neighbours are in it or are stones of its owner.
    #[inline]
    fn deep(&self, state: &SearchState<W>, set: &Bits<W>, own: &Bits<W>) -> Bits<W> {
        let outside = state.full.without(set).without(own);
        set.without(&outside.beside(state.stride))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use floe_rules::Game;
    use floe_rules::gamma::Gamma;

    fn features(text: &str, player: usize) -> (usize, Features) {
        let position = Gamma::read(text).expect("a good position");
        let state = SearchState::<1>::new(&position);
        let mut lens = Lens::new(state.sides.len(), state.full.count() as i32);
        lens.look(&state);
        lens.features(&state, player)
    }

    #[test]
    fn every_free_field_is_in_one_cell() {
        let (phase, features) = features("gamma 7 1 2 1\nturn 1 golden 1\n.1...2.\n", 0);
        assert_eq!(phase, 0);
        // Two fields are in one step of the player alone, of which one is out of the other's reach.
        assert_eq!(
            (features[4], features[KINDS * 4], features[CELLS - 1]),
            (1, 1, 0)
        );
        assert_eq!(
            (features[2], features[KINDS + 1], features[2 * KINDS]),
            (1, 1, 1)
        );
        assert_eq!(features[..CELLS].iter().sum::<i16>(), 5);
        assert_eq!((features[41], features[42], features[43]), (1, 1, 5));
    }

    #[test]
    fn a_mirrored_position_looks_the_same_to_the_other() {
        let one = "gamma 5 3 2 2\nturn 1 golden 1\n1..2.\n.1...\n....2\n";
        let two = "gamma 5 3 2 2\nturn 2 golden 2\n.1..2\n...2.\n1....\n";
        assert_eq!(features(one, 0), features(two, 1));
        assert_eq!(features(one, 1), features(two, 0));
    }
}
