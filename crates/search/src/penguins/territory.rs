//! The evaluation: who reaches what first.
//!
//! A field's distance from a seat is the number of slides its nearest penguin needs to get there
//! over the floes that are free now. The search finds the fields that each seat reaches in one
//! slide, in two, and so on for all its penguins at once: a slide is a fill in four directions, and
//! a fill by doubling takes as many steps as the longest slide has binary digits. A field belongs
//! to the nearer seat. Fields that only one seat can ever reach are worth nearly all their fish,
//! fields nearer to one seat more than half; at equal distance the player to move comes first.

use super::board::{SEATS, SearchBoard};
use super::set::FieldSet;

/// Value of one collected fish.
pub(super) const FISH: i32 = 100;

/// The most doublings of a slide: boards are up to 200 long.
const DOUBLINGS: usize = 8;

/// Slides looked at on boards so large that it matters.
pub(super) const FURTHEST: usize = 3;

/// Value of fish not collected yet, in hundredths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// Nearer to one seat.
    pub(super) nearer: i32,
    /// Out of all opponents' reach.
    pub(super) private: i32,
    /// As near to both: to the mover.
    pub(super) equal: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            nearer: 75,
            private: 95,
            equal: 8,
        }
    }
}

/// The floes two seats share between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares<const N: usize> {
    /// Floes each can ever reach.
    pub(super) reach: [FieldSet<N>; 2],
    /// Floes each reaches before the other.
    pub(super) nearer: [FieldSet<N>; 2],
    /// Floes both reach at the same time.
    pub(super) equal: FieldSet<N>,
    /// Whether that covers all distances.
    pub(super) complete: bool,
}

/// The floes two seats share, and how many slides away they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distances<const N: usize> {
    pub(super) shares: Shares<N>,
    /// By seat: the floes one slide away, and those two slides away.
    first: [[FieldSet<N>; 2]; 2],
}

impl<const N: usize> Distances<N> {
    /// A seat's floes by distance: one slide, two, more, never.
    #[inline(always)]
    pub(super) fn layers(&self, seat: usize, free: &FieldSet<N>) -> [FieldSet<N>; 4] {
        let [one, two] = self.first[seat];
        let reach = &self.shares.reach[seat];
        [one, two, reach.without(&one.or(&two)), free.without(reach)]
    }
}

/// Slides from sets of fields, over floes that do not change.
#[derive(Debug)]
pub(super) struct Slides<const N: usize, const S: usize> {
    /// By doubling and direction (right, left, up, down): the fields where the last 2^n fields of a
    /// slide, the field itself included, are all free.
    runs: Box<[[FieldSet<N>; 4]; DOUBLINGS]>,
    /// By axis: how many doublings the longest slide over these floes takes.
    doublings: [usize; 2],
    stride: usize,
    words: usize,
}

impl<const N: usize, const S: usize> Slides<N, S> {
    pub(super) fn new(board: &SearchBoard<N, S>) -> Self {
        let runs = vec![[FieldSet::EMPTY; 4]; DOUBLINGS].into_boxed_slice();
        Slides {
            runs: runs.try_into().expect("it has that many"),
            doublings: [0; 2],
            stride: board.stride(),
            words: board.words(),
        }
    }

    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        if S > 0 { S } else { self.stride }
    }

    /// The most doublings a slide on a board of this layout takes.
    const MOST: usize = match S {
        1..=16 => 4,
        17..=32 => 5,
        _ => DOUBLINGS,
    };

    /// Makes ready for slides over these floes.
    #[inline(always)]
    pub(super) fn prepare(&mut self, free: &FieldSet<N>) {
        // One call per axis, not a loop, so that the compiler knows every distance.
        self.prepare_axis(free, 0, 1);
        self.prepare_axis(free, 1, self.stride());
    }

    #[inline(always)]
    fn prepare_axis(&mut self, free: &FieldSet<N>, axis: usize, step: usize) {
        let mut runs = (*free, *free);
        self.doublings[axis] = Self::MOST;
        let _ = self.erode(axis, step, 0, &mut runs)
            && self.erode(axis, step, 1, &mut runs)
            && self.erode(axis, step, 2, &mut runs)
            && self.erode(axis, step, 3, &mut runs)
            && self.erode(axis, step, 4, &mut runs)
            && (5..DOUBLINGS).all(|k| self.erode(axis, step, k, &mut runs));
    }

    /// One doubling of runs; `false` if there are no longer ones.
    #[inline(always)]
    fn erode(
        &mut self,
        axis: usize,
        step: usize,
        k: usize,
        runs: &mut (FieldSet<N>, FieldSet<N>),
    ) -> bool {
        if k >= Self::MOST {
            return false;
        }
        // Where no run of floes is that long, no slide is either.
        if k > 0 && runs.0.is_empty() {
            self.doublings[axis] = k;
            return false;
        }
        self.runs[k][2 * axis] = runs.0;
        self.runs[k][2 * axis + 1] = runs.1;
        if k + 1 < Self::MOST {
            runs.0.erode_up(step << k);
            runs.1.erode_down(step << k);
        }
        true
    }

    /// The fields one slide from `set` reaches, and `set` itself.
    #[inline(always)]
    pub(super) fn slide(&self, set: &FieldSet<N>) -> FieldSet<N> {
        let along = self.slide_axis(set, 0, 1);
        along.or(&self.slide_axis(set, 1, self.stride()))
    }

    #[inline(always)]
    fn slide_axis(&self, set: &FieldSet<N>, axis: usize, step: usize) -> FieldSet<N> {
        let mut ends = (*set, *set);
        let _ = self.spread(axis, step, 0, &mut ends)
            && self.spread(axis, step, 1, &mut ends)
            && self.spread(axis, step, 2, &mut ends)
            && self.spread(axis, step, 3, &mut ends)
            && self.spread(axis, step, 4, &mut ends)
            && (5..DOUBLINGS).all(|k| self.spread(axis, step, k, &mut ends));
        ends.0.or(&ends.1)
    }

    /// One doubling of slides; `false` if there are no longer ones.
    #[inline(always)]
    fn spread(
        &self,
        axis: usize,
        step: usize,
        k: usize,
        ends: &mut (FieldSet<N>, FieldSet<N>),
    ) -> bool {
        if k >= Self::MOST || k >= self.doublings[axis] {
            return false;
        }
        ends.0.spread_up(&self.runs[k][2 * axis], step << k);
        ends.1.spread_down(&self.runs[k][2 * axis + 1], step << k);
        true
    }

    /// Which of two seats reaches each floe first.
    #[inline]
    pub(super) fn shares(&mut self, free: &FieldSet<N>, stand: [&FieldSet<N>; 2]) -> Shares<N> {
        self.measure(free, stand, |_, _| ())
    }

    /// The same, with the distances themselves.
    #[inline]
    pub(super) fn distances(
        &mut self,
        free: &FieldSet<N>,
        stand: [&FieldSet<N>; 2],
    ) -> Distances<N> {
        let mut first = [[FieldSet::EMPTY; 2]; 2];
        let shares = self.measure(free, stand, |level, edges| {
            if level < 2 {
                first[0][level] = edges[0];
                first[1][level] = edges[1];
            }
        });
        Distances { shares, first }
    }

    /// Which of two seats reaches each floe first. Calls `visit` for every number of slides, with
    /// that number less one and the floes that each seat reaches with it.
    #[inline(always)]
    fn measure(
        &mut self,
        free: &FieldSet<N>,
        stand: [&FieldSet<N>; 2],
        mut visit: impl FnMut(usize, &[FieldSet<N>; 2]),
    ) -> Shares<N> {
        self.prepare(free);
        let mut reach = [*stand[0], *stand[1]];
        let mut edge = reach;
        let mut nearer = [FieldSet::EMPTY; 2];
        let mut equal = FieldSet::EMPTY;
        let mut complete = true;
        let mut level = 0;
        loop {
            for side in 0..2 {
                edge[side] = self.slide(&edge[side]).without(&reach[side]);
            }
            visit(level, &edge);
            let both = edge[0].and(&edge[1]);
            equal = equal.or(&both);
            let mine = edge[0].without(&reach[1]).without(&both);
            let theirs = edge[1].without(&reach[0]).without(&both);
            nearer[0] = nearer[0].or(&mine);
            nearer[1] = nearer[1].or(&theirs);
            for side in 0..2 {
                reach[side] = reach[side].or(&edge[side]);
            }
            level += 1;
            // Once every floe has a nearest seat, later arrivals matter little.
            if mine.or(&theirs).or(&both).is_empty() {
                break;
            }
            if self.words > 64 && level >= FURTHEST {
                complete = false;
                break;
            }
        }
        let reach = reach.map(|reach| reach.and(free));
        Shares {
            reach,
            nearer,
            equal,
            complete,
        }
    }

    /// Whether no floe of one set is in the other or next to one of it.
    #[inline(always)]
    pub(super) fn are_apart(&self, sets: &[FieldSet<N>; 2]) -> bool {
        let (set, stride) = (&sets[0], self.stride());
        let along = set.raised_by(1).or(&set.lowered_by(1));
        let across = set.raised_by(stride).or(&set.lowered_by(stride));
        let grown = set.or(&along).or(&across);
        !grown.intersects(&sets[1])
    }

    /// Every seat's expected fish of the floes, in hundredths, and the floes each can ever reach:
    /// for any number of seats. `false` if floes further away were not counted.
    pub(super) fn expect(
        &mut self,
        board: &SearchBoard<N, S>,
        weights: &Weights,
        reach: &mut [FieldSet<N>],
    ) -> ([i32; SEATS], bool) {
        let seats = board.seats;
        let mut worth = [0; SEATS];
        self.prepare(&board.free);
        let mut edges: Vec<FieldSet<N>> = (0..seats).map(|seat| board.stand(seat)).collect();
        reach.copy_from_slice(&edges);
        let mut open = board.free;
        let first = usize::from(board.turn.unwrap_or(0));
        let mut level = 0;
        let mut complete = true;
        loop {
            let mut claimed = FieldSet::EMPTY;
            let mut done = true;
            for seat in (first..seats).chain(0..first) {
                let edge = self.slide(&edges[seat]).without(&reach[seat]);
                done &= edge.is_empty();
                reach[seat] = reach[seat].or(&edge);
                let mine = edge.and(&open);
                worth[seat] += weights.nearer * board.fish_on(&mine.without(&claimed));
                worth[seat] += weights.equal * board.fish_on(&mine.and(&claimed));
                claimed = claimed.or(&mine);
                edges[seat] = edge;
            }
            open = open.without(&claimed);
            level += 1;
            if done {
                break;
            }
            if self.words > 64 && level >= FURTHEST {
                complete = false;
                break;
            }
        }
        for seat in 0..seats {
            reach[seat] = reach[seat].and(&board.free);
            let others = (0..seats).filter(|&other| other != seat);
            let mut mine = reach[seat];
            others.for_each(|other| mine = mine.without(&reach[other]));
            worth[seat] += (weights.private - weights.nearer) * board.fish_on(&mine);
        }
        (worth, complete)
    }
}
