//! Gamma as numbers: a plain move for every field, then a golden move for every field.

use super::{GammaPosition, Move};
use crate::encoding::{Planes, around, byte, seat_plane};
use crate::{Encoding, Player, Position};

const EACH: [&str; 4] = ["fields", "golden move", "areas left", "turn"];

pub(super) fn encoding(position: &GammaPosition) -> Encoding {
    let board = position.board();
    let (width, height) = (board.width(), board.height());
    Encoding {
        width,
        height,
        planes: EACH.len() as u64 * u64::from(board.players()),
        actions: (u64::from(width) * u64::from(height)).saturating_mul(2),
    }
}

pub(super) fn plane_name(plane: u64, players: u32) -> String {
    seat_plane(&EACH, plane, players)
}

pub(super) fn observe(position: &GammaPosition, seat: Player, into: &mut [u8]) {
    let board = position.board();
    let (width, players) = (board.width() as usize, board.players() as usize);
    let fields = width * board.height() as usize;
    let (owners, rest) = into.split_at_mut(fields * players);
    owners.fill(0);
    // Seats from the one that looks on.
    let step = |owner: Player| (owner.index() + players - seat.index() % players) % players;
    for y in 0..board.height() {
        let row = (board.height() - 1 - y) as usize * width;
        for (field, x) in (row..).zip(0..board.width()) {
            if let Some(owner) = board.owner(x, y) {
                owners[step(owner) * fields + field] = 1;
            }
        }
    }
    let mut planes = Planes::new(rest, fields);
    let seats = around(seat, board.players());
    for seat in seats.clone() {
        planes.fill(u8::from(board.has_golden(seat)));
    }
    for seat in seats.clone() {
        let left = board.areas().saturating_sub(board.area_count(seat));
        planes.fill(byte(left.into()));
    }
    planes.turn(seats, position.turn());
}

pub(super) fn action(position: &GammaPosition, mv: Move) -> Option<u64> {
    let encoding = encoding(position);
    let is_there = mv.to.column < encoding.width && mv.to.row < encoding.height;
    let kind = u64::from(mv.golden);
    is_there.then(|| kind * encoding.fields() + encoding.field(mv.to))
}

pub(super) fn action_move(position: &GammaPosition, action: u64) -> Option<Move> {
    let encoding = encoding(position);
    (action < encoding.actions).then(|| Move {
        to: encoding.square(action % encoding.fields()),
        golden: action >= encoding.fields(),
    })
}

pub(super) fn mask(position: &GammaPosition, into: &mut [i8]) {
    into.fill(0);
    let Some(mover) = position.turn() else { return };
    let board = position.board();
    let (width, height) = (board.width() as usize, board.height() as usize);
    let place = |x: u32, y: u32| (height - 1 - y as usize) * width + x as usize;
    let (takes, golden) = into.split_at_mut(width * height);
    board.each_take(mover, |x, y| takes[place(x, y)] = 1);
    board.each_golden(mover, |x, y| golden[place(x, y)] = 1);
}
