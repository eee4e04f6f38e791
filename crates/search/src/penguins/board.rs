//! The board the search plays on: one that changes in place and can be taken back.
//!
//! It is made once from the rules' position. A move changes a few bits, one entry in the list of
//! penguins and a score, and an [`Undo`] of a few words takes it back, so a line of play costs no
//! copies however large the board is. Fields are numbered as in the rules' sets, but with a
//! stride the compiler knows for the sizes that matter.

use floe_rules::key::mix;
use floe_rules::penguins::{Move, PenguinsPosition, Phase, Spot};
use floe_rules::{Player, Position};

use super::set::FieldSet;

/// Scores further apart than this are as good as this far apart: no board has as many fish.
const FURTHEST_APART: i64 = 1_000_000;

/// Most seats at a table.
pub(super) const SEATS: usize = 9;

/// A move. A placement comes from where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: u16,
    pub(super) to: u16,
}

impl Step {
    /// Sixteen bits that nearly always identify a move of a position.
    #[inline(always)]
    pub(super) fn tag(self) -> u16 {
        // The table keeps no tag of all ones.
        (self.from.wrapping_mul(0x9e37).rotate_left(5) ^ self.to) & 0x7fff
    }
}

/// The data that undoes a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Undo {
    key: u64,
    slot: u32,
    fish: u8,
    turn: Option<u8>,
    placing: bool,
}

/// How the fields of a board lie in sets. Keys depend on it, so it decides which results a full table
/// gives up: boards in larger sets than they need find the same moves, since they keep their layout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Words of the smallest sets that have room.
    pub(super) words: usize,
    pub(super) stride: usize,
}

impl Layout {
    /// Words of sets, and the strides of their boards; 0 is one more than the columns.
    const SIZES: [(usize, usize); 6] = [(2, 11), (4, 16), (8, 21), (32, 0), (128, 0), (640, 0)];

    pub(super) fn of(columns: usize, rows: usize) -> Self {
        let layout = |(words, stride)| Layout {
            words,
            stride: if stride > 0 { stride } else { columns + 1 },
        };
        let fits =
            |layout: &Self| columns < layout.stride && rows * layout.stride <= layout.words * 64;
        let mut layouts = Self::SIZES.into_iter().map(layout);
        layouts.find(fits).expect("no board is larger than 200x200")
    }
}

/// A position; `S` is the stride if the compiler knows it, and 0 if not. Where it does, the sets have the
/// words of the layout; otherwise they may have more.
#[derive(Debug, Clone)]
pub(super) struct SearchBoard<const N: usize, const S: usize> {
    layout: Layout,
    /// The floes without a penguin.
    pub(super) free: FieldSet<N>,
    /// Where there were one fish or three at the start.
    pub(super) odd: FieldSet<N>,
    /// Where there were two fish or three.
    pub(super) many: FieldSet<N>,
    pub(super) seats: usize,
    penguins: Vec<u16>,
    each: usize,
    counts: [u16; SEATS],
    /// Penguins a seat places in all: 0 if it was taken out of the game.
    quota: [u16; SEATS],
    /// Fish, less those the root's mover had at the root.
    pub(super) scores: [i32; SEATS],
    pub(super) turn: Option<u8>,
    pub(super) placing: bool,
    /// Zero at the root; identifies the positions below it, but not their scores.
    pub(super) key: u64,
}

impl<const N: usize, const S: usize> SearchBoard<N, S> {
    /// The same position. Costs the fields of the board once.
    pub(super) fn new(position: &PenguinsPosition) -> Self {
        let shape = position.shape();
        let layout = Layout::of(shape.columns() as usize, shape.rows() as usize);
        assert!(layout.words <= N && (S == 0 || (layout.words, layout.stride) == (N, S)));
        let seats = position.players() as usize;
        let each = position.penguins_each() as usize;
        let mover = position.turn().map_or(0, Player::index);
        let base = position.score(Player::new(mover as u32));
        let mut board = SearchBoard {
            layout,
            free: FieldSet::EMPTY,
            odd: FieldSet::EMPTY,
            many: FieldSet::EMPTY,
            seats,
            penguins: vec![0; each * seats],
            each,
            counts: [0; SEATS],
            quota: [0; SEATS],
            scores: [0; SEATS],
            turn: position.turn().map(|p| p.index() as u8),
            placing: position.phase() == Phase::Placement,
            key: 0,
        };
        for index in position.free() {
            let spot = shape.spot(index);
            let (at, fish) = (board.field(spot), position.fish(spot));
            board.free.insert(at);
            if fish != 2 {
                board.odd.insert(at);
            }
            if fish > 1 {
                board.many.insert(at);
            }
        }
        for player in Player::all(position.players()) {
            let seat = player.index();
            let apart = (position.score(player) - base).clamp(-FURTHEST_APART, FURTHEST_APART);
            board.scores[seat] = apart as i32;
            if position.is_out(player) {
                // Its penguins only stand in the way, as water does.
                continue;
            }
            board.quota[seat] = each as u16;
            for &spot in position.penguins(player) {
                let slot = board.each * seat + usize::from(board.counts[seat]);
                board.penguins[slot] = board.field(spot) as u16;
                board.counts[seat] += 1;
            }
        }
        board
    }

    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        if S > 0 { S } else { self.layout.stride }
    }

    /// Words of sets that may have members.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        if S > 0 { N } else { self.layout.words }
    }

    /// The number of a field.
    fn field(&self, spot: Spot) -> usize {
        usize::from(spot.row) * self.stride() + usize::from(spot.column)
    }

    fn spot(&self, at: u16) -> Spot {
        let (row, column) = (
            usize::from(at) / self.stride(),
            usize::from(at) % self.stride(),
        );
        Spot::new(column as u8, row as u8)
    }

    /// The move in the words of the rules.
    pub(super) fn as_move(&self, step: Step) -> Move {
        let to = self.spot(step.to);
        if step.from == step.to {
            return Move::Place { to };
        }
        Move::Slide {
            from: self.spot(step.from),
            to,
        }
    }

    /// A seat's penguins.
    #[inline(always)]
    pub(super) fn penguins(&self, seat: usize) -> &[u16] {
        let start = seat * self.each;
        &self.penguins[start..start + usize::from(self.counts[seat])]
    }

    /// Where a seat's penguins stand.
    #[inline(always)]
    pub(super) fn stand(&self, seat: usize) -> FieldSet<N> {
        let mut set = FieldSet::EMPTY;
        for &at in self.penguins(seat) {
            set.insert(at.into());
        }
        set
    }

    /// How many penguins of all players are still to be placed.
    pub(super) fn unplaced(&self) -> usize {
        if !self.placing {
            return 0;
        }
        let all = |numbers: &[u16; SEATS]| numbers.iter().map(|&n| usize::from(n)).sum::<usize>();
        all(&self.quota).saturating_sub(all(&self.counts))
    }

    /// How many penguins of a seat are still to be placed.
    pub(super) fn unplaced_by(&self, seat: usize) -> u32 {
        let left = self.quota[seat].saturating_sub(self.counts[seat]);
        if self.placing { left.into() } else { 0 }
    }

    /// The fish on a free floe.
    #[inline(always)]
    pub(super) fn fish(&self, at: usize) -> i32 {
        i32::from(self.odd.contains(at)) + 2 * i32::from(self.many.contains(at))
    }

    /// The fish on some free floes.
    #[inline(always)]
    pub(super) fn fish_on(&self, floes: &FieldSet<N>) -> i32 {
        (floes.count_and(&self.odd) + 2 * floes.count_and(&self.many)) as i32
    }

    /// Whether a penguin on a field has a free floe next to it.
    #[inline(always)]
    pub(super) fn can_move(&self, at: usize) -> bool {
        let stride = self.stride();
        let has = |at: usize| at < N * 64 && self.free.contains(at);
        has(at + 1) || has(at + stride) || at > 0 && has(at - 1) || at >= stride && has(at - stride)
    }

    /// Whether a seat has a penguin that can move.
    #[inline(always)]
    pub(super) fn is_mobile(&self, seat: usize) -> bool {
        let mut penguins = self.penguins(seat).iter();
        penguins.any(|&at| self.can_move(at.into()))
    }

    /// Calls `visit` with each floe a penguin on a field can slide to: right, up, left and down,
    /// nearest first.
    #[inline(always)]
    pub(super) fn for_each_target(&self, from: usize, visit: impl FnMut(usize)) {
        self.for_each_target_in(&self.free, from, visit);
    }

    /// The same, when these floes alone are free.
    #[inline(always)]
    pub(super) fn for_each_target_in(
        &self,
        free: &FieldSet<N>,
        from: usize,
        mut visit: impl FnMut(usize),
    ) {
        let stride = self.stride();
        for step in [1, stride] {
            let mut to = from + step;
            while to < N * 64 && free.contains(to) {
                visit(to);
                to += step;
            }
        }
        for step in [1, stride] {
            let mut to = from;
            while to >= step && free.contains(to - step) {
                to -= step;
                visit(to);
            }
        }
    }

    /// Replaces the contents of `into` with the mover's moves.
    #[inline]
    pub(super) fn moves(&self, into: &mut Vec<Step>) {
        into.clear();
        let Some(mover) = self.turn else { return };
        if self.placing {
            let ones = self.free.without(&self.many);
            into.extend(ones.iter().map(|at| Step {
                from: at as u16,
                to: at as u16,
            }));
            return;
        }
        for &from in self.penguins(mover.into()) {
            self.for_each_target(from.into(), |to| {
                into.push(Step {
                    from,
                    to: to as u16,
                });
            });
        }
    }

    /// Makes a move of the mover's.
    #[inline]
    pub(super) fn play(&mut self, step: Step) -> Undo {
        let mover = self.turn.unwrap_or(0);
        let seat = usize::from(mover);
        let to = usize::from(step.to);
        let fish = self.fish(to);
        let start = seat * self.each;
        let mut undo = Undo {
            key: self.key,
            slot: 0,
            fish: fish as u8,
            turn: self.turn,
            placing: self.placing,
        };
        self.free.remove(to);
        self.scores[seat] += fish;
        let owner = (u64::from(mover) + 1) << 32;
        // A floe and the penguin on it are one feature: the floe goes as the penguin comes.
        self.key ^= mix(owner | u64::from(step.to)) ^ turn_key(self.turn);
        if self.placing {
            undo.slot = (start + usize::from(self.counts[seat])) as u32;
            self.penguins[undo.slot as usize] = step.to;
            self.counts[seat] += 1;
            let anybody = self.unplaced() > 0 && !self.free.without(&self.many).is_empty();
            if anybody {
                self.pass_to(seat + 1);
            } else {
                self.placing = false;
                self.pass_to(0);
            }
        } else {
            let mine = self.penguins(seat);
            let slot = start + mine.iter().position(|&at| at == step.from).unwrap_or(0);
            undo.slot = slot as u32;
            self.penguins[slot] = step.to;
            self.key ^= mix(owner | u64::from(step.from)) ^ mix(u64::from(step.from));
            self.pass_to(seat + 1);
        }
        self.key ^= turn_key(self.turn);
        undo
    }

    /// Takes back the last move.
    #[inline]
    pub(super) fn take_back(&mut self, step: Step, undo: Undo) {
        let seat = usize::from(undo.turn.unwrap_or(0));
        self.key = undo.key;
        self.turn = undo.turn;
        self.placing = undo.placing;
        self.free.insert(step.to.into());
        self.scores[seat] -= i32::from(undo.fish);
        if undo.placing {
            self.counts[seat] -= 1;
        } else {
            self.penguins[undo.slot as usize] = step.from;
        }
    }

    /// Gives the turn to the first from `seat` on, around the table, who can move.
    #[inline(always)]
    fn pass_to(&mut self, seat: usize) {
        let mut next = seat;
        for _ in 0..self.seats {
            if next >= self.seats {
                next -= self.seats;
            }
            let can = if self.placing {
                self.counts[next] < self.quota[next]
            } else {
                self.is_mobile(next)
            };
            if can {
                self.turn = Some(next as u8);
                return;
            }
            next += 1;
        }
        self.turn = None;
    }

    /// By how much a seat is ahead of the best of the others; alone at the table, of what it
    /// had at the root.
    #[inline(always)]
    pub(super) fn lead(&self, seat: usize) -> i32 {
        let others = (0..self.seats).filter(|&other| other != seat);
        let best = others.map(|other| self.scores[other]).max();
        self.scores[seat] - best.unwrap_or(0)
    }
}

#[inline(always)]
fn turn_key(turn: Option<u8>) -> u64 {
    mix(u64::from(turn.map_or(0, |seat| seat + 1)) << 40)
}
