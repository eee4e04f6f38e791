//! Who reaches what first: the evaluation.
//!
//! A field's distance from a seat is the number of slides its nearest penguin needs to get there
//! over the floes that are free now. The fields each seat reaches in one slide, in two, and so on
//! are found for all its penguins at once: a slide is a fill in four directions, and a fill by
//! doubling takes as many steps as the longest slide has binary digits. A field belongs to the
//! seat that is nearer; what only one seat can ever reach is worth nearly all its fish, what is
//! nearer to one seat more than half, and at equal distance the mover comes first.

use super::board::{Board, SEATS};
use super::set::Set;

/// What one fish in hand is worth.
pub(super) const FISH: i32 = 100;

/// The most doublings of a slide: boards are up to 200 long.
const DOUBLINGS: usize = 8;

/// How many slides are looked at on boards so large that it matters.
const FURTHEST: usize = 8;

/// What fish are worth that nobody has yet, in hundredths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// Nearer to one seat.
    pub(super) nearer: i32,
    /// Out of everybody else's reach.
    pub(super) private: i32,
    /// As near to both: to the mover.
    pub(super) equal: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            nearer: 60,
            private: 90,
            equal: 8,
        }
    }
}

/// The floes two seats share between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares<const N: usize> {
    /// What each can ever reach.
    pub(super) reach: [Set<N>; 2],
    /// What each reaches before the other.
    pub(super) nearer: [Set<N>; 2],
    /// What both reach at the same time.
    pub(super) equal: Set<N>,
    /// Whether that is all, however far away.
    pub(super) complete: bool,
}

/// Slides from sets of fields, over floes that do not change.
#[derive(Debug)]
pub(super) struct Slides<const N: usize, const S: usize> {
    /// By doubling and direction (right, left, up, down): where the last so many fields of a
    /// slide, the field itself included, are all free.
    runs: Box<[[Set<N>; 4]; DOUBLINGS]>,
    stride: usize,
    columns: usize,
    rows: usize,
}

impl<const N: usize, const S: usize> Slides<N, S> {
    pub(super) fn new(board: &Board<N, S>) -> Self {
        let runs = vec![[Set::EMPTY; 4]; DOUBLINGS].into_boxed_slice();
        Slides {
            runs: runs.try_into().expect("it has that many"),
            stride: board.stride(),
            columns: board.columns,
            rows: board.rows,
        }
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        if S > 0 { S } else { self.stride }
    }

    /// How many doublings the longest slide can need.
    #[inline(always)]
    fn doublings(length: usize) -> usize {
        let most = match S {
            1..=16 => 4,
            17..=32 => 5,
            _ => DOUBLINGS,
        };
        let needed = usize::BITS - length.saturating_sub(1).leading_zeros();
        most.min(needed as usize)
    }

    /// Makes ready for slides over these floes.
    #[inline(always)]
    pub(super) fn prepare(&mut self, free: &Set<N>) {
        for (axis, step, length) in [(0, 1, self.columns), (2, self.stride(), self.rows)] {
            let (mut up, mut down) = (*free, *free);
            for k in 0..Self::doublings(length) {
                self.runs[k][axis] = up;
                self.runs[k][axis + 1] = down;
                up.erode_up(step << k);
                down.erode_down(step << k);
            }
        }
    }

    /// The fields one slide from `set` reaches, and `set` itself.
    #[inline(always)]
    pub(super) fn from(&self, set: &Set<N>) -> Set<N> {
        let mut out = *set;
        for (axis, step, length) in [(0, 1, self.columns), (2, self.stride(), self.rows)] {
            let (mut up, mut down) = (*set, *set);
            for k in 0..Self::doublings(length) {
                up.spread_up(&self.runs[k][axis], step << k);
                down.spread_down(&self.runs[k][axis + 1], step << k);
            }
            out = out.or(&up).or(&down);
        }
        out
    }

    /// Who of two seats reaches what first.
    #[inline]
    pub(super) fn shares(&mut self, free: &Set<N>, stand: [&Set<N>; 2]) -> Shares<N> {
        self.prepare(free);
        let mut reach = [*stand[0], *stand[1]];
        let mut edge = reach;
        let mut nearer = [Set::EMPTY; 2];
        let mut equal = Set::EMPTY;
        let mut complete = true;
        let mut level = 0;
        loop {
            for side in 0..2 {
                edge[side] = self.from(&edge[side]).without(&reach[side]);
            }
            let both = edge[0].and(&edge[1]);
            equal = equal.or(&both);
            nearer[0] = nearer[0].or(&edge[0].without(&reach[1]).without(&both));
            nearer[1] = nearer[1].or(&edge[1].without(&reach[0]).without(&both));
            for side in 0..2 {
                reach[side] = reach[side].or(&edge[side]);
            }
            level += 1;
            if edge[0].is_empty() && edge[1].is_empty() {
                break;
            }
            if N > 64 && level >= FURTHEST {
                complete = false;
                break;
            }
        }
        for side in 0..2 {
            reach[side] = reach[side].and(free);
        }
        Shares {
            reach,
            nearer,
            equal,
            complete,
        }
    }

    /// What every seat can expect of the floes, in hundredths of fish, and the floes each can
    /// ever reach: for any number of seats. `false` if there may be more, further away.
    pub(super) fn expect(
        &mut self,
        board: &Board<N, S>,
        weights: &Weights,
        reach: &mut [Set<N>],
    ) -> ([i32; SEATS], bool) {
        let seats = board.seats;
        let mut worth = [0; SEATS];
        self.prepare(&board.free);
        let mut edges: Vec<Set<N>> = (0..seats).map(|seat| board.stand(seat)).collect();
        reach.copy_from_slice(&edges);
        let mut open = board.free;
        let first = usize::from(board.turn.unwrap_or(0));
        let mut level = 0;
        let mut complete = true;
        loop {
            let mut claimed = Set::EMPTY;
            let mut done = true;
            for seat in (first..seats).chain(0..first) {
                let edge = self.from(&edges[seat]).without(&reach[seat]);
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
            if N > 64 && level >= FURTHEST {
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
