//! The board a search walks on: a bit board per player, areas counted as moves are made.
//!
//! A field added to a player's fields joins the areas it touches, and a field taken away from
//! them parts one: both need to know how many areas of his touch the field without it. The ring
//! of eight fields around it answers nearly always (fields next to each other on the ring are
//! connected); if not, a flood does. A move changes two bits and a few numbers, so it is undone
//! from a small record instead of a copy.

use floe_rules::gamma::{self, Move};
use floe_rules::key::mix;
use floe_rules::{Player, Position, Square};

use super::bits::Bits;
use crate::sort::by_number;

/// A move in the search: a field, and whether by the golden move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step(u16);

const GOLDEN: u16 = 1 << 15;

/// Puts the best first; equals stay in their order. Not in what is generic over the size of a board,
/// so that all sizes share the sorting's code.
pub(super) fn sort_best_first(steps: &mut [(i32, Step)]) {
    by_number(steps, |&(worth, _)| -i64::from(worth));
}

impl Step {
    pub(super) fn take(field: usize) -> Self {
        Step(field as u16)
    }

    pub(super) fn golden(field: usize) -> Self {
        Step(field as u16 | GOLDEN)
    }

    #[inline]
    pub(super) fn field(self) -> usize {
        usize::from(self.0 & !GOLDEN)
    }

    #[inline]
    pub(super) fn is_golden(self) -> bool {
        self.0 & GOLDEN != 0
    }

    pub(super) fn code(self) -> u16 {
        self.0
    }

    pub(super) fn from_code(code: u16) -> Self {
        Step(code)
    }
}

/// One player's part of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side<const W: usize> {
    pub(super) own: Bits<W>,
    pub(super) busy: u32,
    pub(super) areas: u32,
    pub(super) golden: bool,
    /// Whether the player was taken out of the game: their fields stay, and they never move.
    pub(super) out: bool,
}

/// A position on bit boards.
#[derive(Debug, Clone)]
pub(super) struct SearchState<const W: usize> {
    pub(super) sides: Vec<Side<W>>,
    pub(super) free: Bits<W>,
    pub(super) full: Bits<W>,
    pub(super) stride: u32,
    pub(super) limit: u32,
    pub(super) turn: Option<usize>,
    pub(super) key: u64,
    width: u32,
    height: u32,
    /// Rows of the board are columns here: the shorter side makes the shorter shifts.
    transposed: bool,
    /// The eight bits around each field, clockwise from above; a bit that is no field for those
    /// off the board.
    rings: Vec<[u16; 8]>,
}

/// The data that undoes a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Undo {
    key: u64,
    mover: usize,
    areas: u32,
    victim: Option<(usize, u32)>,
}

impl<const W: usize> SearchState<W> {
    /// Whether boards of this size fit `W` words.
    pub(super) fn fits(width: u32, height: u32) -> bool {
        let (short, long) = (width.min(height), width.max(height));
        short < 63 && (u64::from(short) + 1) * u64::from(long) <= 64 * W as u64
    }

    /// The same position on bit boards; it must fit. O(n).
    pub(super) fn new(position: &gamma::GammaPosition) -> Self {
        let board = position.board();
        let (width, height) = (board.width(), board.height());
        let transposed = width > height;
        let short = width.min(height);
        let mut state = SearchState {
            sides: Vec::new(),
            free: Bits::EMPTY,
            full: Bits::EMPTY,
            stride: short + 1,
            limit: board.areas(),
            turn: position.turn().map(Player::index),
            key: 0,
            width,
            height,
            transposed,
            rings: Vec::new(),
        };
        for player in Player::all(board.players()) {
            state.sides.push(Side {
                own: Bits::EMPTY,
                busy: board.busy_fields(player) as u32,
                areas: board.area_count(player),
                golden: board.has_golden(player) && !position.out().contains(&player),
                out: position.out().contains(&player),
            });
            if !board.has_golden(player) {
                state.key ^= golden_key(player.index());
            }
        }
        for y in 0..height {
            for x in 0..width {
                let field = state.index(Square::new(x, y));
                state.full.insert(field);
                match board.owner(x, y) {
                    None => state.free.insert(field),
                    Some(owner) => {
                        state.sides[owner.index()].own.insert(field);
                        state.key ^= field_key(field, owner.index());
                    }
                }
            }
        }
        state.make_rings();
        state.key ^= turn_key(state.turn);
        state
    }

    fn make_rings(&mut self) {
        let stride = self.stride as i32;
        let short = stride - 1;
        let long = self.width.max(self.height) as i32;
        for row in 0..long {
            for column in 0..stride {
                let around = [
                    (0, 1),
                    (1, 1),
                    (1, 0),
                    (1, -1),
                    (0, -1),
                    (-1, -1),
                    (-1, 0),
                    (-1, 1),
                ];
                self.rings.push(around.map(|(dx, dy)| {
                    let (x, y) = (column + dx, row + dy);
                    if (0..short).contains(&x) && (0..long).contains(&y) {
                        (y * stride + x) as u16
                    } else {
                        short as u16
                    }
                }));
            }
        }
    }

    fn index(&self, square: Square) -> usize {
        let (column, row) = match self.transposed {
            false => (square.column, square.row),
            true => (square.row, square.column),
        };
        (row * self.stride + column) as usize
    }

    /// The step in the game's own form.
    pub(super) fn to_move(&self, step: Step) -> Move {
        let field = step.field() as u32;
        let (column, row) = (field % self.stride, field / self.stride);
        let to = match self.transposed {
            false => Square::new(column, row),
            true => Square::new(row, column),
        };
        Move {
            to,
            golden: step.is_golden(),
        }
    }

    /// How many areas the player may still found.
    #[inline]
    pub(super) fn spare(&self, player: usize) -> u32 {
        self.limit.saturating_sub(self.sides[player].areas)
    }

    /// The free fields the player may take now.
    #[inline]
    pub(super) fn takes(&self, player: usize) -> Bits<W> {
        if self.sides[player].out {
            Bits::EMPTY
        } else if self.spare(player) > 0 {
            self.free
        } else {
            self.sides[player].own.beside(self.stride) & self.free
        }
    }

    /// Into how many pieces the fields of `own` that touch `field` fall, `field` itself left out.
    #[inline]
    fn pieces(&self, own: &Bits<W>, field: usize) -> u32 {
        let ring = &self.rings[field];
        let mut mask = 0;
        for (i, &at) in ring.iter().enumerate() {
            mask |= usize::from(own.has(usize::from(at))) << i;
        }
        match GROUPS[mask] {
            groups @ 0..=1 => u32::from(groups),
            _ => self.pieces_by_flood(own, field),
        }
    }

    #[inline(never)]
    fn pieces_by_flood(&self, own: &Bits<W>, field: usize) -> u32 {
        let mut within = *own;
        within.remove(field);
        let mut touching = Bits::of(field).beside(self.stride) & within;
        let mut pieces = 0;
        while let Some(start) = touching.first() {
            pieces += 1;
            touching.remove(start);
            let mut reached = Bits::of(start);
            while !touching.is_empty() {
                let next = reached | (reached.beside(self.stride) & within);
                if next == reached {
                    break;
                }
                reached = next;
                touching = touching.without(&reached);
            }
        }
        pieces
    }

    /// The owner of the field.
    #[inline]
    pub(super) fn owner(&self, field: usize) -> Option<usize> {
        self.sides.iter().position(|side| side.own.has(field))
    }

    /// The foreign fields a golden move of this player may be tried on: it does not give him too
    /// many areas himself.
    pub(super) fn golden_targets(&self, player: usize) -> Bits<W> {
        if !self.sides[player].golden {
            return Bits::EMPTY;
        }
        let own = &self.sides[player].own;
        let foreign = self.full.without(&self.free).without(own);
        if self.spare(player) > 0 {
            foreign
        } else {
            foreign & own.beside(self.stride)
        }
    }

    /// Whether the owner of the field stays within the limit of areas without it.
    #[inline]
    pub(super) fn can_lose(&self, field: usize) -> bool {
        self.owner(field).is_some_and(|victim| {
            let side = &self.sides[victim];
            self.limit - side.areas >= 3
                || side.areas - 1 + self.pieces(&side.own, field) <= self.limit
        })
    }

    fn golden_possible(&self, player: usize) -> bool {
        let targets = self.golden_targets(player);
        if self.spare(player) > 0 {
            // Every area has a field whose loss does not part it.
            return !targets.is_empty();
        }
        targets.fields().any(|field| self.can_lose(field))
    }

    #[cfg(test)]
    /// Replaces `into` with the mover's moves: plain ones by field, then golden ones by field.
    pub(super) fn steps(&self, into: &mut Vec<Step>) {
        into.clear();
        let Some(mover) = self.turn else { return };
        into.extend(self.takes(mover).fields().map(Step::take));
        let targets = self.golden_targets(mover).fields();
        into.extend(targets.filter(|&f| self.can_lose(f)).map(Step::golden));
    }

    /// Whether the player to move may make this step.
    pub(super) fn allows(&self, step: Step) -> bool {
        let Some(mover) = self.turn else { return false };
        let field = step.field();
        if field >= self.rings.len() {
            return false;
        }
        if step.is_golden() {
            self.golden_targets(mover).has(field) && self.can_lose(field)
        } else {
            self.takes(mover).has(field)
        }
    }

    /// Makes a legal step of the mover.
    pub(super) fn make(&mut self, step: Step) -> Undo {
        let mover = self.turn.expect("only a mover makes steps");
        let field = step.field();
        let mut undo = Undo {
            key: self.key,
            mover,
            areas: self.sides[mover].areas,
            victim: None,
        };
        if step.is_golden() {
            let victim = self
                .owner(field)
                .expect("a golden move takes from a player");
            let side = &self.sides[victim];
            let pieces = self.pieces(&side.own, field);
            undo.victim = Some((victim, side.areas));
            let side = &mut self.sides[victim];
            side.areas = side.areas + pieces - 1;
            side.busy -= 1;
            side.own.remove(field);
            self.key ^= field_key(field, victim) ^ golden_key(mover);
            self.sides[mover].golden = false;
        } else {
            self.free.remove(field);
        }
        let pieces = self.pieces(&self.sides[mover].own, field);
        let side = &mut self.sides[mover];
        side.areas = side.areas + 1 - pieces;
        side.busy += 1;
        side.own.insert(field);
        self.key ^= field_key(field, mover) ^ turn_key(self.turn);
        self.pass_on(mover);
        self.key ^= turn_key(self.turn);
        undo
    }

    /// Takes the step back that gave this record, the last one made.
    pub(super) fn unmake(&mut self, step: Step, undo: Undo) {
        let field = step.field();
        let side = &mut self.sides[undo.mover];
        side.own.remove(field);
        side.busy -= 1;
        side.areas = undo.areas;
        if let Some((victim, areas)) = undo.victim {
            side.golden = true;
            let side = &mut self.sides[victim];
            side.own.insert(field);
            side.busy += 1;
            side.areas = areas;
        } else {
            self.free.insert(field);
        }
        self.turn = Some(undo.mover);
        self.key = undo.key;
    }

    /// Whether the player has any move.
    fn can_move(&self, player: usize) -> bool {
        !self.takes(player).is_empty() || self.golden_possible(player)
    }

    /// Finds who is next after `player`; he himself comes last.
    fn pass_on(&mut self, player: usize) {
        let mut next = player;
        for _ in 0..self.sides.len() {
            next = if next + 1 == self.sides.len() {
                0
            } else {
                next + 1
            };
            if self.can_move(next) {
                self.turn = Some(next);
                return;
            }
        }
        self.turn = None;
    }
}

fn field_key(field: usize, player: usize) -> u64 {
    mix((field as u64) << 16 | player as u64)
}

fn golden_key(player: usize) -> u64 {
    mix(1 << 40 | player as u64)
}

fn turn_key(turn: Option<usize>) -> u64 {
    turn.map_or(0, |player| mix(2 << 40 | player as u64))
}

/// For each set of fields on a ring of eight, how many runs of neighbours there are among them
/// that hold a field beside the centre (those at even places).
const GROUPS: [u8; 256] = {
    let mut groups = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut count = 0;
        let mut place = 0;
        while place < 8 {
            // A field next to the centre that starts a run, reading clockwise: the field before it
            // is free, or is a corner that no field next to the centre connects.
            let is_in = mask >> place & 1 == 1;
            let before = mask >> ((place + 7) % 8) & 1 == 1;
            let further = mask >> ((place + 6) % 8) & 1 == 1;
            if is_in && place % 2 == 0 && !(before && further) {
                count += 1;
            }
            place += 1;
        }
        // A closed ring has no start.
        groups[mask] = if mask == 255 { 1 } else { count };
        mask += 1;
    }
    groups
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;
    use floe_rules::gamma::Board;

    fn agree<const W: usize>(width: u32, height: u32, players: u32, areas: u32, dice: &mut Dice) {
        let board = Board::new(width, height, players, areas).unwrap();
        let mut position = gamma::GammaPosition::new(board);
        assert!(SearchState::<W>::fits(width, height));
        let mut state = SearchState::<W>::new(&position);
        let (mut steps, mut records) = (Vec::new(), Vec::new());
        loop {
            assert_eq!(state.turn, position.turn().map(Player::index));
            let scores: Vec<i64> = state.sides.iter().map(|s| i64::from(s.busy)).collect();
            assert_eq!(scores, position.scores());
            state.steps(&mut steps);
            let mut moves: Vec<Move> = steps.iter().map(|&s| state.to_move(s)).collect();
            let wanted = position.legal_moves();
            moves.sort_by_key(|mv| (mv.golden, mv.to.row, mv.to.column));
            assert_eq!(moves, wanted, "{position:?}");
            let again = SearchState::<W>::new(&position);
            assert_eq!((again.key, &again.sides), (state.key, &state.sides));
            if steps.is_empty() {
                break;
            }
            let step = steps[dice.index(steps.len())];
            assert!(state.allows(step));
            position.play(state.to_move(step)).unwrap();
            let before = (state.key, state.free, state.sides.clone());
            let undo = state.make(step);
            records.push((step, undo, before));
        }
        while let Some((step, undo, before)) = records.pop() {
            state.unmake(step, undo);
            assert_eq!((state.key, state.free, state.sides.clone()), before);
        }
    }

    #[test]
    fn whole_games_agree_with_the_rules() {
        let mut dice = Dice::seeded(1);
        for round in 0..60 {
            let areas = [1, 2, 3, 7, u32::MAX][round % 5];
            agree::<1>(1 + round as u32 % 5, 4, 2, areas, &mut dice);
            agree::<2>(7, 9, 1 + round as u32 % 5, areas, &mut dice);
            agree::<4>(120, 1, 3, areas, &mut dice);
            agree::<4>(15, 15, 3, areas, &mut dice);
        }
        agree::<16>(20, 43, 2, 3, &mut dice);
        agree::<40>(50, 50, 4, 2, &mut dice);
        agree::<40>(41, 60, 4, 9, &mut dice);
    }

    #[test]
    fn groups_on_a_ring_are_runs_that_touch_the_centre() {
        for (mask, groups) in [
            (0b0000_0000, 0),
            (0b0000_0010, 0),
            (0b0000_0001, 1),
            (0b0000_0101, 2),
            (0b0000_0111, 1),
            (0b0101_0101, 4),
            (0b0111_0101, 3),
            (0b1111_1111, 1),
            (0b1100_0001, 1),
            (0b0111_1111, 1),
            (0b1000_0010, 0),
        ] {
            assert_eq!(GROUPS[mask], groups, "{mask:#b}");
        }
    }
}
