use super::{MOST_PLAYERS, Spot};
use crate::Player;

/// Penguins stored inline: with the tag, one cache line.
const INLINE: usize = 31;

/// All players' penguins: one sorted list per player, so that equal flocks are stored equally.
#[derive(Debug)]
pub(super) struct Flock {
    spots: Spots,
    counts: [u16; MOST_PLAYERS],
    /// Capacity per player.
    each: u16,
}

#[derive(Debug, Clone)]
enum Spots {
    Inline([Spot; INLINE]),
    Heap(Box<[Spot]>),
}

impl Flock {
    /// No penguins yet, with space for `each` per player.
    pub(super) fn new(players: u32, each: u16) -> Self {
        let room = players as usize * usize::from(each);
        let spots = if room <= INLINE {
            Spots::Inline([Spot::default(); INLINE])
        } else {
            Spots::Heap(vec![Spot::default(); room].into_boxed_slice())
        };
        Flock {
            spots,
            counts: [0; MOST_PLAYERS],
            each,
        }
    }

    /// Most penguins per player.
    #[inline]
    pub(super) fn each(&self) -> u16 {
        self.each
    }

    #[inline]
    pub(super) fn count(&self, player: Player) -> u16 {
        self.counts[player.index()]
    }

    #[inline]
    pub(super) fn of(&self, player: Player) -> &[Spot] {
        let start = player.index() * usize::from(self.each);
        let end = start + usize::from(self.counts[player.index()]);
        match &self.spots {
            Spots::Inline(spots) => &spots[start..end],
            Spots::Heap(spots) => &spots[start..end],
        }
    }

    /// The player's whole part of the list.
    #[inline]
    fn room(&mut self, player: Player) -> &mut [Spot] {
        let each = usize::from(self.each);
        let start = player.index() * each;
        match &mut self.spots {
            Spots::Inline(spots) => &mut spots[start..start + each],
            Spots::Heap(spots) => &mut spots[start..start + each],
        }
    }

    /// Adds a penguin; there must be space for it.
    pub(super) fn add(&mut self, player: Player, spot: Spot) {
        let count = usize::from(self.count(player));
        let list = &mut self.room(player)[..=count];
        list[count] = spot;
        for i in (1..=count).rev() {
            if list[i - 1] < list[i] {
                break;
            }
            list.swap(i - 1, i);
        }
        self.counts[player.index()] += 1;
    }

    /// Moves the player's penguin from `from`; it must stand there.
    #[inline]
    pub(super) fn shift(&mut self, player: Player, from: Spot, to: Spot) {
        let count = usize::from(self.count(player));
        let list = &mut self.room(player)[..count];
        let mut i = list
            .iter()
            .position(|&s| s == from)
            .expect("a penguin of the mover stands where the slide starts");
        list[i] = to;
        while i > 0 && list[i - 1] > list[i] {
            list.swap(i - 1, i);
            i -= 1;
        }
        while i + 1 < count && list[i + 1] < list[i] {
            list.swap(i, i + 1);
            i += 1;
        }
    }
}

impl Clone for Flock {
    #[inline]
    fn clone(&self) -> Self {
        Flock {
            spots: self.spots.clone(),
            ..*self
        }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (&mut self.spots, &source.spots) {
            (Spots::Inline(mine), Spots::Inline(theirs)) => *mine = *theirs,
            (Spots::Heap(mine), Spots::Heap(theirs)) if mine.len() == theirs.len() => {
                mine.copy_from_slice(theirs);
            }
            (mine, theirs) => *mine = theirs.clone(),
        }
        self.counts = source.counts;
        self.each = source.each;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_sorted() {
        let (one, two) = (Player::new(0), Player::new(1));
        for each in [4, 40] {
            let mut flock = Flock::new(2, each);
            for (column, row) in [(3, 3), (1, 3), (2, 5), (0, 0)] {
                flock.add(one, Spot::new(column, row));
                flock.add(two, Spot::new(row, column));
            }
            flock.shift(one, Spot::new(0, 0), Spot::new(0, 7));
            flock.shift(one, Spot::new(3, 3), Spot::new(3, 0));
            let list: Vec<_> = flock.of(one).iter().map(ToString::to_string).collect();
            assert_eq!(list, ["d1", "b4", "c6", "a8"]);
            assert!(flock.of(two).is_sorted());
            let mut copy = Flock::new(2, each);
            copy.clone_from(&flock);
            assert_eq!((copy.of(one), copy.of(two)), (flock.of(one), flock.of(two)));
        }
    }
}
