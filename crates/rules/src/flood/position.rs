use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

use super::graph::members;
use super::{Board, Colour, Component, ComponentSet, Graph, J, MOST_MOVES, Move, S};
use crate::key::mix;
use crate::{Player, Square};

/// A state of a game: the owner of each component, the two colours, and how many moves were made.
///
/// Territories only grow, so the components of the first board are enough for the whole game: an
/// immutable [`Graph`] is shared by all positions of a game, and each of them has four sets of
/// components, the territories and the frontiers. A frontier is the unowned components that touch a
/// territory.
///
/// Two positions are equal when they show the same colours on the same squares after the same
/// number of moves, whatever boards they came from: a territory is always the one-colour component
/// of its corner.
///
/// Copying into a position of the same game (`clone_from`) allocates nothing.
pub struct FloodPosition {
    graph: Arc<Graph>,
    /// Territory of J, territory of S, frontier of J, frontier of S.
    sets: Vec<u64>,
    colours: [Colour; 2],
    squares: [u32; 2],
    /// Unowned squares, by colour.
    free: [u32; 5],
    made: u32,
    /// The key without the number of moves.
    board_key: u64,
}

/// The reason why a colour may not be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The player already has this colour.
    #[error("the player to move has `{0}` already")]
    OwnColour(Colour),
    /// The opponent has this colour.
    #[error("`{0}` is the opponent's colour")]
    OpponentsColour(Colour),
    /// The game is over.
    #[error("the game is over")]
    GameOver,
}

/// The reason why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// Only the two players' colours are left on the board.
    TwoColours,
    /// [`MOST_MOVES`] moves were made.
    MoveCap,
}

impl FloodPosition {
    /// The start of a game on this board: J moves first. Costs the squares of the board.
    pub fn new(board: &Board) -> Self {
        Self::build(board, 0)
    }

    /// The position with this board after `made` moves, of which J made the odd ones; `None` if
    /// `made` exceeds the length of a game. Costs the squares of the board.
    pub fn after(board: &Board, made: u32) -> Option<Self> {
        (made <= MOST_MOVES).then(|| Self::build(board, made))
    }

    fn build(board: &Board, made: u32) -> Self {
        let graph = Arc::new(Graph::new(board));
        let corners = [J, S].map(|player| graph.corner(player));
        let colours = corners.map(|corner| graph.colour(corner));
        let free = Colour::ALL.map(|colour| graph.squares_in(graph.class(colour)));
        let mut board_key = graph.bare_key();
        if made % 2 == 1 {
            board_key ^= turn_key();
        }
        for (side, colour) in colours.into_iter().enumerate() {
            board_key ^= colour_key(side, colour);
        }
        let mut position = FloodPosition {
            sets: vec![0; graph.words() * 4],
            colours,
            squares: [0; 2],
            free,
            made,
            board_key,
            graph,
        };
        // Both corners are owned before either frontier is computed, since the corners may touch.
        for (side, &corner) in corners.iter().enumerate() {
            position.own(corner, side);
        }
        for (side, &corner) in corners.iter().enumerate() {
            position.extend_frontier(corner, side);
        }
        position
    }

    /// The same position on a new graph, in which each territory is one component: smaller sets
    /// speed up a search from here. Costs the squares of the board.
    #[must_use]
    pub fn compacted(&self) -> Self {
        Self::build(&self.to_board(), self.made)
    }

    /// The current colours of the board. Costs its squares.
    pub fn to_board(&self) -> Board {
        let squares = self.graph.squares().iter();
        let squares = squares.map(|&c| self.component_colour(c)).collect();
        Board::new(self.graph.width(), squares).expect("the players' colours differ")
    }

    /// The components of the start board.
    #[inline]
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The components a player owns.
    #[inline]
    pub fn territory(&self, player: Player) -> ComponentSet<'_> {
        self.set(player.index())
    }

    /// The unowned components that touch a player's territory.
    #[inline]
    pub fn frontier(&self, player: Player) -> ComponentSet<'_> {
        self.set(2 + player.index())
    }

    #[inline]
    fn set(&self, index: usize) -> ComponentSet<'_> {
        let words = self.graph.words();
        ComponentSet(&self.sets[index * words..][..words])
    }

    /// The colour a player's territory has now.
    #[inline]
    pub fn colour(&self, player: Player) -> Colour {
        self.colours[player.index()]
    }

    /// Number of squares a player owns, without enclosed ones. O(1).
    #[inline]
    pub fn squares(&self, player: Player) -> u32 {
        self.squares[player.index()]
    }

    /// Number of unowned squares of a colour. O(1).
    #[inline]
    pub fn free(&self, colour: Colour) -> u32 {
        self.free[colour.index()]
    }

    /// Number of squares this player would gain with this colour.
    pub fn gain(&self, player: Player, colour: Colour) -> u32 {
        let gained = self.frontier(player).common(self.graph.class(colour));
        gained.map(|component| self.graph.size(component)).sum()
    }

    /// The owner of a component. O(1).
    #[inline]
    pub fn owner(&self, component: Component) -> Option<Player> {
        [J, S]
            .into_iter()
            .find(|&player| self.territory(player).contains(component))
    }

    /// The colour a component has now. O(1).
    pub fn component_colour(&self, component: Component) -> Colour {
        match self.owner(component) {
            Some(player) => self.colour(player),
            None => self.graph.colour(component),
        }
    }

    /// The colour of a square now; `None` off the board. O(1).
    pub fn colour_at(&self, square: Square) -> Option<Colour> {
        Some(self.component_colour(self.graph.at(square)?))
    }

    /// Number of moves made.
    #[inline]
    pub fn moves_made(&self) -> u32 {
        self.made
    }

    /// The player whose letter the board has: the player to move, even if the game is over.
    #[inline]
    pub fn mover(&self) -> Player {
        Player::new(self.made % 2)
    }

    /// The three colours that neither player has: the legal moves unless the game is over.
    pub fn choices(&self) -> [Colour; 3] {
        let mut others = Colour::ALL
            .into_iter()
            .filter(|colour| !self.colours.contains(colour));
        [(); 3].map(|()| others.next().expect("two of five colours are taken"))
    }

    /// The reason for the end, if the game is over. O(1).
    pub fn end(&self) -> Option<End> {
        let is_open = Colour::ALL
            .into_iter()
            .any(|c| self.free[c.index()] > 0 && !self.colours.contains(&c));
        if !is_open {
            Some(End::TwoColours)
        } else if self.made >= MOST_MOVES {
            Some(End::MoveCap)
        } else {
            None
        }
    }

    /// The key without the number of moves: equal for positions that differ only in that. Whether
    /// they continue alike depends on how near the last move is. O(1).
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// Finds the regions next to a player's territory that only the opponent's walls keep from
    /// being absorbed. Costs the components found and their neighbours.
    pub fn reach_into(&self, player: Player, reach: &mut Reach) {
        let graph = &*self.graph;
        reach.set.clear();
        reach.set.extend_from_slice(self.frontier(player).words());
        reach.squares = 0;
        reach.queue.clear();
        reach.queue.extend(self.frontier(player).iter());
        let [j, s] = [self.territory(J), self.territory(S)];
        while let Some(component) = reach.queue.pop() {
            reach.squares += graph.size(component);
            for &next in graph.neighbours(component) {
                let (word, bit) = (next.index() / 64, 1 << (next.index() % 64));
                if (reach.set[word] | j.words()[word] | s.words()[word]) & bit == 0 {
                    reach.set[word] |= bit;
                    reach.queue.push(next);
                }
            }
        }
    }

    /// Both scores, J's first. Costs the components and their neighbours.
    fn both_scores(&self) -> [i64; 2] {
        let mut reach = Reach::default();
        [J, S].map(|player| self.score_with(player, &mut reach))
    }

    /// The board is connected, so every region touches a territory: a player's score is everything
    /// that the opponent neither owns nor can reach.
    fn score_with(&self, player: Player, reach: &mut Reach) -> i64 {
        let opponent = player.next(2);
        self.reach_into(opponent, reach);
        i64::from(self.graph.area() - self.squares(opponent) - reach.squares)
    }

    /// Gives a free component to a side, but draws no frontier.
    fn own(&mut self, component: Component, side: usize) {
        let words = self.graph.words();
        let (word, bit) = (component.index() / 64, 1 << (component.index() % 64));
        self.sets[side * words + word] |= bit;
        let size = self.graph.size(component);
        self.squares[side] += size;
        self.free[self.graph.colour(component).index()] -= size;
        self.board_key ^= self.graph.absorbed_key(component, side);
    }

    /// Adds the free neighbours of a component to a side's frontier.
    #[inline]
    fn extend_frontier(&mut self, component: Component, side: usize) {
        let words = self.graph.words();
        for &next in self.graph.neighbours(component) {
            let (word, bit) = (next.index() / 64, 1u64 << (next.index() % 64));
            let owned = self.sets[word] | self.sets[words + word];
            self.sets[(2 + side) * words + word] |= bit & !owned;
        }
    }
}

impl crate::Position for FloodPosition {
    type Move = Move;
    type Illegal = Illegal;

    fn players(&self) -> u32 {
        2
    }

    fn turn(&self) -> Option<Player> {
        match self.end() {
            Some(_) => None,
            None => Some(self.mover()),
        }
    }

    /// Always three unless the game is over, in the order `@ # + . *`.
    fn moves(&self, into: &mut Vec<Move>) {
        into.clear();
        if self.end().is_none() {
            into.extend(self.choices().map(Move));
        }
    }

    fn check(&self, Move(colour): Move) -> Result<(), Illegal> {
        if self.end().is_some() {
            Err(Illegal::GameOver)
        } else if colour == self.colour(self.mover()) {
            Err(Illegal::OwnColour(colour))
        } else if colour == self.colour(self.mover().next(2)) {
            Err(Illegal::OpponentsColour(colour))
        } else {
            Ok(())
        }
    }

    /// Costs a few operations per word of a set, and the neighbours of absorbed components. Any of
    /// the three [`choices`](FloodPosition::choices) gives a valid position, even after the end.
    fn play_unchecked(&mut self, Move(colour): Move) {
        let side = self.mover().index();
        let words = self.graph.words();
        for word in 0..words {
            let class = self.graph.class(colour).words()[word];
            let gained = self.sets[(2 + side) * words + word] & class;
            if gained == 0 {
                continue;
            }
            for frontier in [2, 3] {
                self.sets[frontier * words + word] &= !gained;
            }
            // Gained components have no neighbours of their own colour, so the frontier gains
            // nothing that this loop must still absorb.
            for component in members(word, gained) {
                self.own(component, side);
                self.extend_frontier(component, side);
            }
        }
        self.board_key ^=
            turn_key() ^ colour_key(side, self.colours[side]) ^ colour_key(side, colour);
        self.colours[side] = colour;
        self.made += 1;
    }

    /// Own squares, and those of regions that touch only this player's territory. Costs the
    /// components of the board and their neighbours.
    fn score(&self, player: Player) -> i64 {
        self.score_with(player, &mut Reach::default())
    }

    /// The number of moves is part of the key: it decides when the game ends, and since moves may
    /// gain nothing, any position can occur at several numbers. A search that does not look that
    /// far ahead may use [`board_key`](FloodPosition::board_key) instead. O(1).
    fn key(&self) -> u64 {
        self.board_key ^ mix(1 << 60 | u64::from(self.made))
    }

    fn scores(&self) -> Vec<i64> {
        self.both_scores().to_vec()
    }
}

/// The number of "S is to move".
fn turn_key() -> u64 {
    mix(1 << 61)
}

/// The number of a territory's colour.
fn colour_key(side: usize, colour: Colour) -> u64 {
    mix(1 << 59 | (side as u64) << 3 | colour.index() as u64)
}

/// A reusable buffer for [`FloodPosition::reach_into`].
#[derive(Clone, Default)]
pub struct Reach {
    set: Vec<u64>,
    queue: Vec<Component>,
    squares: u32,
}

impl Reach {
    /// The components found.
    pub fn components(&self) -> ComponentSet<'_> {
        ComponentSet(&self.set)
    }

    /// Number of squares of the set.
    pub fn squares(&self) -> u32 {
        self.squares
    }
}

impl fmt::Debug for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reach")
            .field("components", &self.components())
            .field("squares", &self.squares)
            .finish_non_exhaustive()
    }
}

impl Clone for FloodPosition {
    fn clone(&self) -> Self {
        FloodPosition {
            graph: Arc::clone(&self.graph),
            sets: self.sets.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        // Within one game, counting references would take most of a copy's time.
        if !Arc::ptr_eq(&self.graph, &source.graph) {
            self.graph = Arc::clone(&source.graph);
        }
        self.sets.clone_from(&source.sets);
        self.colours = source.colours;
        self.squares = source.squares;
        self.free = source.free;
        self.made = source.made;
        self.board_key = source.board_key;
    }
}

impl PartialEq for FloodPosition {
    fn eq(&self, other: &Self) -> bool {
        if (self.made, self.board_key, self.colours) != (other.made, other.board_key, other.colours)
        {
            return false;
        }
        if Arc::ptr_eq(&self.graph, &other.graph) {
            return [J, S]
                .iter()
                .all(|&player| self.territory(player) == other.territory(player));
        }
        let colours = |p: &FloodPosition, c: &Component| p.component_colour(*c);
        self.graph.width() == other.graph.width()
            && self.graph.height() == other.graph.height()
            && (self.graph.squares().iter().map(|c| colours(self, c))).eq(other
                .graph
                .squares()
                .iter()
                .map(|c| colours(other, c)))
    }
}

impl Eq for FloodPosition {}

impl Hash for FloodPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(crate::Position::key(self));
    }
}
