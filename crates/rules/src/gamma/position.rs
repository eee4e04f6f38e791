//! A board and whose turn it is.

use std::hash::{Hash, Hasher};

use thiserror::Error;

use super::{Board, Move, Refusal};
use crate::key::mix;
use crate::{Player, Square};

/// A Gamma game in progress. Players move in turn. A player who can make neither a move nor a
/// golden move is skipped, and returns when a golden move makes one possible again.
///
/// [`moves`](crate::Position::moves) gives the plain moves row by row from the bottom-left, then the golden moves in the same order.
///
/// ```
/// use floe_rules::{Player, Position};
/// use floe_rules::gamma::{Board, GammaPosition};
/// let mut position = GammaPosition::new(Board::new(2, 1, 2, 1)?);
/// position.play("a1".parse()?)?;
/// position.play("b1".parse()?)?;
/// // The board is full, but golden moves are left.
/// assert_eq!(position.turn(), Some(Player::new(0)));
/// position.play("b1!".parse()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GammaPosition {
    board: Board,
    turn: Option<Player>,
    /// Players taken out, in the order of the seats.
    out: Vec<Player>,
    /// The part of the key that is not the turn.
    key: u64,
}

/// Why a move is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The board refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl GammaPosition {
    /// The position with player 1 to move, or the first after him who can.
    pub fn new(board: Board) -> Self {
        let mut position = GammaPosition::waiting(board);
        let last = Player::new(position.board.players() - 1);
        position.pass_on(last);
        position
    }

    /// The position with this player to move, or with none. Fails, and gives the position with the
    /// right player to move, if that player cannot move, or if none is named and one can.
    pub(super) fn with_turn(
        board: Board,
        turn: Option<Player>,
        out: Vec<Player>,
    ) -> Result<Self, Option<Player>> {
        let mut position = GammaPosition::waiting(board);
        position.key ^= out.iter().fold(0, |key, &player| key ^ out_key(player));
        position.out = out;
        match turn {
            Some(player) if position.can_move(player) => {
                position.turn = turn;
                Ok(position)
            }
            _ => {
                let last = Player::new(position.board.players() - 1);
                position.pass_on(turn.unwrap_or(last));
                if turn == position.turn {
                    Ok(position)
                } else {
                    Err(position.turn)
                }
            }
        }
    }

    fn waiting(board: Board) -> Self {
        let mut key = 0;
        for y in 0..board.height() {
            for x in 0..board.width() {
                key ^= board.owner(x, y).map_or(0, |owner| field_key(x, y, owner));
            }
        }
        key ^= board
            .golden_used()
            .into_iter()
            .map(golden_key)
            .fold(0, |a, b| a ^ b);
        GammaPosition {
            board,
            turn: None,
            out: Vec::new(),
            key,
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Players taken out of the game, in the order of their seats.
    pub fn out(&self) -> &[Player] {
        &self.out
    }

    /// Whether the player has a move or a golden move, whether or not it is their turn. Cost as
    /// [`Board::golden_possible`].
    fn can_move(&mut self, player: Player) -> bool {
        if self.out.binary_search(&player).is_ok() {
            return false;
        }
        self.board.free_fields(player) > 0 || self.board.golden_possible(player)
    }

    /// The position after the player to move passes, as people may agree to; `None` if no other
    /// player could move.
    pub fn given_up(&self) -> Option<Self> {
        let mover = self.turn?;
        let mut after = self.clone();
        after.pass_on(mover);
        (after.turn != Some(mover)).then_some(after)
    }

    /// Finds who is next after `player`; he himself comes last.
    fn pass_on(&mut self, player: Player) {
        let players = self.board.players();
        let mut next = player;
        self.turn = None;
        for _ in 0..players {
            next = next.next(players);
            if self.can_move(next) {
                self.turn = Some(next);
                return;
            }
        }
    }
}

fn field_key(x: u32, y: u32, owner: Player) -> u64 {
    mix(mix(u64::from(y) << 32 | u64::from(x)) ^ u64::from(owner.number()))
}

fn golden_key(player: Player) -> u64 {
    mix(1 << 40 | u64::from(player.number()))
}

fn out_key(player: Player) -> u64 {
    mix(3 << 40 | u64::from(player.number()))
}

fn turn_key(player: Player) -> u64 {
    mix(2 << 40 | u64::from(player.number()))
}

impl crate::Position for GammaPosition {
    type Move = Move;
    type Illegal = Illegal;

    fn players(&self) -> u32 {
        self.board.players()
    }

    fn turn(&self) -> Option<Player> {
        self.turn
    }

    /// O(n).
    fn moves(&self, into: &mut Vec<Move>) {
        into.clear();
        let Some(player) = self.turn else { return };
        self.board.each_take(player, |x, y| {
            into.push(Move {
                to: Square::new(x, y),
                golden: false,
            });
        });
        self.board.each_golden(player, |x, y| {
            into.push(Move {
                to: Square::new(x, y),
                golden: true,
            });
        });
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        let player = self.turn.ok_or(Illegal::Over)?;
        let Square { column: x, row: y } = mv.to;
        let verdict = if mv.golden {
            self.board.check_golden(player, x, y)
        } else {
            self.board.check_take(player, x, y)
        };
        Ok(verdict?)
    }

    /// Costs what the board does, and what it takes to find who can move next.
    fn play_unchecked(&mut self, mv: Move) {
        let Some(player) = self.turn else { return };
        let Square { column: x, row: y } = mv.to;
        let before = self.board.owner(x, y);
        let made = if mv.golden {
            self.board.take_golden(player, x, y)
        } else {
            self.board.take(player, x, y)
        };
        if made.is_err() {
            return;
        }
        self.key ^= before.map_or(0, |owner| field_key(x, y, owner)) ^ field_key(x, y, player);
        if mv.golden {
            self.key ^= golden_key(player);
        }
        self.pass_on(player);
    }

    /// The player's fields stay theirs until another player takes them by a golden move.
    fn retire(&mut self, player: Player) -> bool {
        if let Some(turn) = self.turn
            && player.index() < self.board.players() as usize
            && let Err(at) = self.out.binary_search(&player)
        {
            self.out.insert(at, player);
            self.key ^= out_key(player);
            if turn == player {
                self.pass_on(player);
            }
        }
        true
    }

    fn score(&self, player: Player) -> i64 {
        i64::try_from(self.board.busy_fields(player)).unwrap_or(i64::MAX)
    }

    fn key(&self) -> u64 {
        self.key ^ self.turn.map_or(0, turn_key)
    }

    /// The least key of all mirror images, with players counted from the one to move.
    fn proof_key(&self) -> u64 {
        let board = &self.board;
        let (width, height, players) = (board.width(), board.height(), board.players());
        let mover = self.turn.map_or(0, |player| player.index() as u32);
        let seat =
            |player: Player| Player::new((player.index() as u32 + players - mover) % players);
        let images = if width == height { 8 } else { 4 };
        let mut keys = [0; 8];
        for y in 0..height {
            for x in 0..width {
                let Some(owner) = board.owner(x, y) else {
                    continue;
                };
                for (image, key) in keys.iter_mut().enumerate().take(images) {
                    let x = if image & 1 == 0 { x } else { width - 1 - x };
                    let y = if image & 2 == 0 { y } else { height - 1 - y };
                    let (x, y) = if image & 4 == 0 { (x, y) } else { (y, x) };
                    *key ^= field_key(x, y, seat(owner));
                }
            }
        }
        let least = keys.into_iter().take(images).min().unwrap_or(0);
        let golden = board.golden_used().into_iter();
        let golden = golden.fold(0, |key, player| key ^ golden_key(seat(player)));
        let out = (self.out.iter()).fold(0, |key, &player| key ^ out_key(seat(player)));
        let settings = [width, height, players, board.areas()];
        let settings = (settings.iter()).fold(0, |key, &word| mix(key ^ u64::from(word)));
        least ^ golden ^ out ^ settings
    }
}

impl Clone for GammaPosition {
    fn clone(&self) -> Self {
        GammaPosition {
            board: self.board.clone(),
            out: self.out.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.board.clone_from(&source.board);
        self.turn = source.turn;
        self.out.clone_from(&source.out);
        self.key = source.key;
    }
}

impl PartialEq for GammaPosition {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.turn == other.turn
            && self.out == other.out
            && self.board == other.board
    }
}

impl Eq for GammaPosition {}

impl Hash for GammaPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        crate::Position::key(self).hash(state);
    }
}
