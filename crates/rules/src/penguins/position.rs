use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::feature;
use super::flock::Flock;
use super::ids::Ids;
use super::{Bits, HIGHEST_SCORE, Illegal, MOST_PLAYERS, Move, Phase, Shape, Spot};
use crate::key::mix;
use crate::{Player, Position};

/// A state of the game: the free floes, the penguins, the scores and the player to move.
///
/// Boards of up to 20 by 20 and 31 penguins in all lie in the value itself: less than five cache
/// lines, copied without touching the heap. The fish and the players' IDs never change and are
/// shared. Larger boards use the heap, and `clone_from` reuses it.
///
/// Two positions are equal when the same moves lead to the same scores from them: the same floes,
/// fish, penguins, phase, turn and scores. The players' IDs and the fish that are gone do not
/// count, nor does the number of penguins each once all are placed.
///
/// The [`key`](crate::Position::key) leaves the scores out: they decide who wins, but not what can
/// still happen.
///
/// Moves are listed in this order: placements by floe from left to right, the bottom row first;
/// slides by penguin in the same order, each penguin's to the right, upwards, to the left and
/// downwards, nearest first.
#[derive(Debug)]
pub struct PenguinsPosition {
    free: Bits,
    /// The free floes with rows and columns exchanged, so that columns are runs too.
    tall: Bits,
    flock: Flock,
    scores: [u32; MOST_PLAYERS],
    players: u8,
    /// A bit for every retired player.
    out: u16,
    turn: Option<Player>,
    phase: Phase,
    key: u64,
    board: Arc<FixedBoard>,
}

/// The part of a position that no move changes.
#[derive(Debug)]
struct FixedBoard {
    shape: Shape,
    /// Fields with two fish or more at the start.
    two: Bits,
    /// Fields with three fish at the start.
    three: Bits,
    ids: Ids,
}

/// The contents of a position, in plain lists.
pub(super) struct PositionParts {
    pub(super) shape: Shape,
    /// Fish by field, in the order of [`Shape::spots`]; 0 without a free floe.
    pub(super) fish: Vec<u8>,
    pub(super) penguins: Vec<(Player, Spot)>,
    pub(super) ids: Ids,
    pub(super) scores: [u32; MOST_PLAYERS],
    /// Number of players, at least one.
    pub(super) players: u32,
    /// Penguins per player; at least the most that any player has.
    pub(super) each: u32,
    /// Whether the movement phase has begun although a player could still place.
    pub(super) moving: bool,
    /// The player to move, if that player can move.
    pub(super) turn: Option<Player>,
    /// Retired players.
    pub(super) out: Vec<Player>,
}

impl PenguinsPosition {
    pub(super) fn assemble(parts: PositionParts) -> Self {
        let PositionParts { shape, players, .. } = parts;
        let mut free = shape.empty();
        let mut tall = shape.transposed().empty();
        let (mut two, mut three) = (shape.empty(), shape.empty());
        let mut key = mix(feature::PLAYERS | u64::from(players));
        for (spot, &fish) in shape.spots().zip(&parts.fish) {
            let index = shape.index(spot);
            if fish > 0 {
                free.insert(index);
                tall.insert(across(shape, spot));
                key ^= feature::floe(spot, fish);
            }
            if fish > 1 {
                two.insert(index);
            }
            if fish > 2 {
                three.insert(index);
            }
        }
        // There can never be more penguins than fields.
        let each = parts.each.min(shape.fields() as u32) as u16;
        let mut flock = Flock::new(players, each);
        for &(player, spot) in &parts.penguins {
            flock.add(player, spot);
            key ^= feature::penguin(player, spot);
        }
        let mut position = PenguinsPosition {
            free,
            tall,
            flock,
            scores: parts.scores,
            players: players as u8,
            out: 0,
            turn: None,
            phase: Phase::Movement,
            key,
            board: Arc::new(FixedBoard {
                shape,
                two,
                three,
                ids: parts.ids,
            }),
        };
        for player in parts.out {
            position.out |= 1 << player.index();
            position.key ^= feature::out(player);
        }
        if !parts.moving && position.can_anybody_place() {
            position.phase = Phase::Placement;
            position.key ^= position.placing();
        }
        let first = parts.turn.unwrap_or_else(|| match position.phase {
            // `min_by_key` gives the first of several.
            Phase::Placement => Player::all(players)
                .min_by_key(|&p| position.flock.count(p))
                .unwrap_or(Player::new(0)),
            Phase::Movement => Player::new(0),
        });
        position.pass_to(first);
        position
    }

    /// Placement or movement; movement once the game is over.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The board's size, and the fields of its sets.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.board.shape
    }

    /// The floes without a penguin.
    #[inline]
    pub fn free(&self) -> &Bits {
        &self.free
    }

    /// The free floes in the set of the board with rows and columns exchanged
    /// ([`Shape::transposed`]).
    #[inline]
    pub fn free_transposed(&self) -> &Bits {
        &self.tall
    }

    /// Fields with two fish or more at the start; only the free ones still matter.
    #[inline]
    pub fn two(&self) -> &Bits {
        &self.board.two
    }

    /// Fields with three fish at the start; only the free ones still matter.
    #[inline]
    pub fn three(&self) -> &Bits {
        &self.board.three
    }

    /// The free floes with exactly one fish, where penguins can be placed.
    pub fn ones(&self) -> Bits {
        let mut ones = self.free.clone();
        ones -= &self.board.two;
        ones
    }

    /// Number of fish on a field; 0 for water or a penguin.
    #[inline]
    pub fn fish(&self, spot: Spot) -> u8 {
        let index = self.board.shape.index(spot);
        if !self.board.shape.contains(spot) || !self.free.contains(index) {
            return 0;
        }
        self.fish_at(index)
    }

    #[inline]
    fn fish_at(&self, index: usize) -> u8 {
        1 + u8::from(self.board.two.contains(index)) + u8::from(self.board.three.contains(index))
    }

    /// Number of fish on some of the free floes; every field of `floes` must be one.
    #[inline]
    pub fn fish_on(&self, floes: &Bits) -> u32 {
        floes.count() + floes.count_and(&self.board.two) + floes.count_and(&self.board.three)
    }

    /// The penguins of a player, from left to right, bottom row first.
    #[inline]
    pub fn penguins(&self, player: Player) -> &[Spot] {
        self.flock.of(player)
    }

    /// Number of penguins that every player places. After the placement, at least as many as any
    /// player has.
    #[inline]
    pub fn penguins_each(&self) -> u32 {
        self.flock.each().into()
    }

    /// The owner of the penguin on a field. Searches all penguins.
    pub fn owner(&self, spot: Spot) -> Option<Player> {
        Player::all(self.players()).find(|&p| self.penguins(p).contains(&spot))
    }

    /// The player's ID in the contest's files.
    pub fn id(&self, player: Player) -> &str {
        self.board.ids.name(player)
    }

    pub(super) fn ids(&self) -> &Ids {
        &self.board.ids
    }

    /// The same position with these IDs, by seat.
    ///
    /// `None` unless there is one for every player, all different, and none of them is empty or
    /// has white space or quotation marks in it.
    pub fn with_ids<S: AsRef<str>>(&self, ids: &[S]) -> Option<Self> {
        let ids = Ids::named(self.players(), ids)?;
        let mut out = self.clone();
        out.board = Arc::new(FixedBoard {
            shape: self.board.shape,
            two: self.board.two.clone(),
            three: self.board.three.clone(),
            ids,
        });
        Some(out)
    }

    /// How far a penguin on a field can slide: right, up, left and down. Four runs of bits.
    #[inline]
    pub fn runs(&self, spot: Spot) -> [usize; 4] {
        let index = self.board.shape.index(spot);
        let across = across(self.board.shape, spot);
        [
            self.free.run_after(index),
            self.tall.run_after(across),
            self.free.run_before(index),
            self.tall.run_before(across),
        ]
    }

    /// The floes a penguin on a field can slide to.
    pub fn targets(&self, spot: Spot) -> Bits {
        let mut targets = self.free.empty_like();
        let shape = self.board.shape;
        for_each_target(self.runs(spot), spot, |to| targets.insert(shape.index(to)));
        targets
    }

    /// Whether a penguin on this field has a free neighbour. Four bits.
    #[inline]
    pub fn can_move(&self, spot: Spot) -> bool {
        let index = self.board.shape.index(spot);
        let stride = self.board.shape.stride();
        let free = |index: Option<usize>| index.is_some_and(|i| self.free.contains(i));
        free(Some(index + 1))
            || free(index.checked_sub(1))
            || free(Some(index + stride))
            || free(index.checked_sub(stride))
    }

    /// Whether a player has a penguin that can move. Costs the player's penguins.
    #[inline]
    pub fn is_mobile(&self, player: Player) -> bool {
        self.penguins(player)
            .iter()
            .any(|&spot| self.can_move(spot))
    }

    /// The free floes connected to a field through free floes: everything that a penguin there
    /// could ever reach.
    pub fn region(&self, spot: Spot) -> Bits {
        let shape = self.board.shape;
        shape.flood(&shape.set([spot]), &self.free)
    }

    /// The free floes within one slide of any of these fields.
    pub fn reach(&self, from: &Bits) -> Bits {
        self.board.shape.slides(from, &self.free)
    }

    /// Whether a player was retired.
    #[inline]
    pub fn is_out(&self, player: Player) -> bool {
        self.out >> player.index() & 1 != 0
    }

    /// The retired players.
    pub fn out(&self) -> impl Iterator<Item = Player> {
        Player::all(self.players()).filter(|&player| self.is_out(player))
    }

    fn has_to_place(&self, player: Player) -> bool {
        self.flock.count(player) < self.flock.each() && !self.is_out(player)
    }

    fn can_anybody_place(&self) -> bool {
        Player::all(self.players()).any(|player| self.has_to_place(player))
            && self.free.exceeds(&self.board.two)
    }

    /// Passes the turn to the first player from `player` on, around the table, who can move.
    fn pass_to(&mut self, player: Player) {
        let players = self.players();
        let mut next = player;
        self.turn = loop {
            let can = match self.phase {
                Phase::Placement => self.has_to_place(next),
                Phase::Movement => self.is_mobile(next) && !self.is_out(next),
            };
            if can {
                break Some(next);
            }
            next = next.next(players);
            if next == player {
                break None;
            }
        };
        self.key ^= feature::turn(self.turn);
    }

    /// After a placement or a retirement: starts the movement phase once no player can place a
    /// penguin.
    fn go_on_from(&mut self, next: Player) {
        if self.phase == Phase::Placement && !self.can_anybody_place() {
            self.key ^= self.placing();
            self.phase = Phase::Movement;
            self.pass_to(Player::new(0));
        } else {
            self.pass_to(next);
        }
    }

    /// The key's part for the placement phase.
    fn placing(&self) -> u64 {
        mix(feature::PLACING | u64::from(self.flock.each()))
    }

    /// Puts the player's penguin on a free floe and collects its fish.
    #[inline]
    fn land(&mut self, player: Player, to: Spot) {
        let index = self.board.shape.index(to);
        let fish = self.fish_at(index);
        self.free.remove(index);
        self.tall.remove(across(self.board.shape, to));
        let score = &mut self.scores[player.index()];
        *score = (*score + u32::from(fish)).min(HIGHEST_SCORE);
        self.key ^= feature::floe(to, fish) ^ feature::penguin(player, to);
    }
}

impl crate::Position for PenguinsPosition {
    type Move = Move;
    type Illegal = Illegal;

    #[inline]
    fn players(&self) -> u32 {
        self.players.into()
    }

    #[inline]
    fn turn(&self) -> Option<Player> {
        self.turn
    }

    fn moves(&self, into: &mut Vec<Move>) {
        into.clear();
        let Some(mover) = self.turn else { return };
        let shape = self.board.shape;
        match self.phase {
            Phase::Placement => {
                let ones = self.ones();
                into.extend(ones.iter().map(|i| Move::Place { to: shape.spot(i) }));
            }
            Phase::Movement => {
                for &from in self.flock.of(mover) {
                    for_each_target(self.runs(from), from, |to| {
                        into.push(Move::Slide { from, to });
                    });
                }
            }
        }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        self.check_move(mv)
    }

    fn play_unchecked(&mut self, mv: Move) {
        let mover = self.turn.expect("the game is over");
        self.key ^= feature::turn(self.turn);
        match mv {
            Move::Place { to } => {
                self.flock.add(mover, to);
                self.land(mover, to);
                self.go_on_from(mover.next(self.players()));
            }
            Move::Slide { from, to } => {
                self.flock.shift(mover, from, to);
                self.key ^= feature::penguin(mover, from);
                self.land(mover, to);
                self.pass_to(mover.next(self.players()));
            }
        }
    }

    /// The player's penguins stay on the board, and the player keeps the fish.
    fn retire(&mut self, player: Player) -> bool {
        if let Some(turn) = self.turn
            && player.index() < self.players() as usize
            && !self.is_out(player)
        {
            self.out |= 1 << player.index();
            self.key ^= feature::out(player) ^ feature::turn(self.turn);
            self.go_on_from(turn);
        }
        true
    }

    #[inline]
    fn score(&self, player: Player) -> i64 {
        self.scores[player.index()].into()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl Clone for PenguinsPosition {
    #[inline]
    fn clone(&self) -> Self {
        PenguinsPosition {
            free: self.free.clone(),
            tall: self.tall.clone(),
            flock: self.flock.clone(),
            board: Arc::clone(&self.board),
            ..*self
        }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.free.clone_from(&source.free);
        self.tall.clone_from(&source.tall);
        self.flock.clone_from(&source.flock);
        self.scores = source.scores;
        self.players = source.players;
        self.out = source.out;
        self.turn = source.turn;
        self.phase = source.phase;
        self.key = source.key;
        // A shared counter is left untouched, so that threads in one game do not compete for it.
        if !Arc::ptr_eq(&self.board, &source.board) {
            self.board = Arc::clone(&source.board);
        }
    }
}

impl PartialEq for PenguinsPosition {
    fn eq(&self, other: &Self) -> bool {
        let same_fish = || {
            let (a, b) = (&*self.board, &*other.board);
            let differ = |x: &Bits, y: &Bits| {
                let mut z = x.clone();
                z ^= y;
                z.intersects(&self.free)
            };
            Arc::ptr_eq(&self.board, &other.board)
                || a.shape == b.shape && !differ(&a.two, &b.two) && !differ(&a.three, &b.three)
        };
        self.key == other.key
            && self.players == other.players
            && self.out == other.out
            && self.turn == other.turn
            && self.phase == other.phase
            && self.scores == other.scores
            && (self.phase == Phase::Movement || self.flock.each() == other.flock.each())
            && self.free == other.free
            && Player::all(self.players()).all(|p| self.penguins(p) == other.penguins(p))
            && same_fish()
    }
}

impl Eq for PenguinsPosition {}

impl Hash for PenguinsPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
        self.scores.hash(state);
    }
}

/// The bit of a field in the set with rows and columns exchanged.
#[inline]
fn across(shape: Shape, spot: Spot) -> usize {
    shape.transposed().index(Spot::new(spot.row, spot.column))
}

/// Visits the floes in the runs to the right, up, left and down, nearest first.
#[inline]
fn for_each_target(runs: [usize; 4], from: Spot, mut visit: impl FnMut(Spot)) {
    // Runs end at the edge of the board, so these neither wrap nor leave it.
    let [right, up, left, down] = runs.map(|run| run as u8);
    (1..=right).for_each(|k| visit(Spot::new(from.column + k, from.row)));
    (1..=up).for_each(|k| visit(Spot::new(from.column, from.row + k)));
    (1..=left).for_each(|k| visit(Spot::new(from.column - k, from.row)));
    (1..=down).for_each(|k| visit(Spot::new(from.column, from.row - k)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_position_is_less_than_five_cache_lines() {
        assert!(
            size_of::<PenguinsPosition>() < 5 * 64,
            "{}",
            size_of::<PenguinsPosition>()
        );
    }
}
