//! Flood Wars as numbers: a move is the number of its colour.

use super::{Colour, FloodPosition, Move};
use crate::encoding::{Planes, around, byte, seat_plane};
use crate::{Encoding, Player, Position};

/// The seats' territories, the colours and the moves made.
const BEFORE_TURN: u64 = 8;
const SEATS: u32 = 2;

pub(super) fn encoding(position: &FloodPosition) -> Encoding {
    let graph = position.graph();
    Encoding {
        width: graph.width(),
        height: graph.height(),
        planes: BEFORE_TURN + u64::from(SEATS),
        actions: Colour::ALL.len() as u64,
    }
}

pub(super) fn plane_name(plane: u64) -> String {
    match plane {
        0 | 1 => seat_plane(&["territory"], plane, SEATS),
        7 => "moves made".to_owned(),
        2..7 => format!("colour {}", Colour::ALL[plane as usize - 2]),
        plane => seat_plane(&["turn"], plane - BEFORE_TURN, SEATS),
    }
}

pub(super) fn observe(position: &FloodPosition, seat: Player, into: &mut [u8]) {
    let graph = position.graph();
    let mut planes = Planes::new(into, graph.squares().len());
    let of_seat = [planes.next(), planes.next()];
    let of_colour = [(); 5].map(|()| planes.next());
    let made = planes.next();
    // A component's state: its colour, and in higher bits its owner.
    const OWNER: u8 = 8;
    let colours = graph.components().map(|it| graph.colour(it).index() as u8);
    let mut shown: Vec<u8> = colours.collect();
    for (owner, side) in (1..).zip([seat, seat.next(SEATS)]) {
        let colour = position.colour(side).index() as u8;
        for component in position.territory(side).iter() {
            shown[component.index()] = owner * OWNER + colour;
        }
    }
    // First square by square, then plane by plane, many squares at once.
    for (square, component) in made.iter_mut().zip(graph.squares()) {
        *square = shown[component.index()];
    }
    for (owner, plane) in (1..).zip(of_seat) {
        for (field, &square) in plane.iter_mut().zip(&*made) {
            *field = u8::from(square / OWNER == owner);
        }
    }
    for (colour, plane) in (0..).zip(of_colour) {
        for (field, &square) in plane.iter_mut().zip(&*made) {
            *field = u8::from(square % OWNER == colour);
        }
    }
    made.fill(byte(position.moves_made().into()));
    planes.turn(around(seat, SEATS), position.turn());
}

pub(super) fn action(mv: Move) -> Option<u64> {
    Some(mv.0.index() as u64)
}

pub(super) fn action_move(action: u64) -> Option<Move> {
    let colour = Colour::ALL.get(usize::try_from(action).ok()?);
    colour.copied().map(Move)
}

pub(super) fn mask(position: &FloodPosition, into: &mut [i8]) {
    into.fill(0);
    if position.end().is_none() {
        for colour in position.choices() {
            into[colour.index()] = 1;
        }
    }
}
