//! Penguins as numbers.
//!
//! Moves: a placement for every field; then, for every field a penguin may stand on, the other
//! fields of its row from the left and those of its column from the top. So what one penguin can
//! reach is two runs of numbers.

use super::{Bits, Move, PenguinsPosition, Phase, Shape, Spot};
use crate::encoding::{Planes, around, byte, seat_plane};
use crate::{Encoding, Player, Position};

/// Planes that belong to no seat: one, two and three fish, and whether the phase is placement.
const COMMON: u64 = 4;
const EACH: [&str; 3] = ["penguins", "fish", "turn"];

pub(super) fn encoding(position: &PenguinsPosition) -> Encoding {
    let shape = position.shape();
    let fields = shape.fields() as u64;
    Encoding {
        width: shape.columns(),
        height: shape.rows(),
        planes: COMMON + EACH.len() as u64 * u64::from(position.players()),
        actions: fields + fields * slides(shape) as u64,
    }
}

pub(super) fn plane_name(plane: u64, players: u32) -> String {
    match plane {
        0 => "one fish".to_owned(),
        1 => "two fish".to_owned(),
        2 => "three fish".to_owned(),
        3 => "placement".to_owned(),
        plane => seat_plane(&EACH, plane - COMMON, players),
    }
}

pub(super) fn observe(position: &PenguinsPosition, seat: Player, into: &mut [u8]) {
    let shape = position.shape();
    let mut planes = Planes::new(into, shape.fields());
    let [one, two, three] = [planes.next(), planes.next(), planes.next()];
    let columns = shape.columns() as usize;
    let sets = [position.free(), position.two(), position.three()].map(Bits::words);
    let rows = (one.chunks_exact_mut(columns).rev())
        .zip(two.chunks_exact_mut(columns).rev())
        .zip(three.chunks_exact_mut(columns).rev());
    for (row, ((one, two), three)) in rows.enumerate() {
        let cells = (one.chunks_mut(8).zip(two.chunks_mut(8))).zip(three.chunks_mut(8));
        let mut index = row * shape.stride();
        for ((one, two), three) in cells {
            let [free, more, most] = sets.map(|words| byte_at(words, index));
            spread(free & !more, one);
            spread(free & more & !most, two);
            spread(free & most, three);
            index += 8;
        }
    }
    planes.fill(u8::from(
        position.phase() == Phase::Placement && position.turn().is_some(),
    ));
    let seats = around(seat, position.players());
    for seat in seats.clone() {
        let plane = planes.next();
        for &spot in position.penguins(seat) {
            plane[field(shape, spot)] = 1;
        }
    }
    for seat in seats.clone() {
        planes.fill(byte(position.score(seat)));
    }
    planes.turn(seats, position.turn());
}

/// The eight bits from this index on.
#[inline]
fn byte_at(words: &[u64], index: usize) -> u8 {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    let (at, shift) = (index / 64, index % 64);
    let low = (word(at) >> shift) as u8;
    match shift > 56 {
        true => low | (word(at + 1) << (64 - shift)) as u8,
        false => low,
    }
}

/// Writes a byte for each bit, up to eight, all at once.
#[inline]
fn spread(bits: u8, into: &mut [u8]) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Byte `i` keeps only bit `i`; adding 127 moves any bit to the top.
    let alone = u64::from(bits).wrapping_mul(EACH) & 0x8040_2010_0804_0201;
    let bytes = ((alone + 0x7f * EACH) >> 7 & EACH).to_le_bytes();
    match <&mut [u8; 8]>::try_from(&mut *into) {
        Ok(all) => *all = bytes,
        Err(_) => into.copy_from_slice(&bytes[..into.len()]),
    }
}

/// The index of a field in a plane.
#[inline]
fn field(shape: Shape, spot: Spot) -> usize {
    from_top(shape, spot) * shape.columns() as usize + usize::from(spot.column)
}

#[inline]
fn from_top(shape: Shape, spot: Spot) -> usize {
    shape.rows() as usize - 1 - usize::from(spot.row)
}

/// Number of action numbers for slides from one field.
#[inline]
fn slides(shape: Shape) -> usize {
    (shape.columns() + shape.rows()) as usize - 2
}

/// The first number of the slides from a field.
#[inline]
fn first_slide(shape: Shape, from: Spot) -> usize {
    shape.fields() + field(shape, from) * slides(shape)
}

pub(super) fn action(shape: Shape, mv: Move) -> Option<u64> {
    let number = match mv {
        Move::Place { to } if shape.contains(to) => field(shape, to),
        Move::Slide { from, to } if shape.contains(from) && shape.contains(to) => {
            // The penguin's own field has no number.
            let without = |at: usize, own: usize| at - usize::from(at > own);
            let (column, row) = (usize::from(to.column), from_top(shape, to));
            first_slide(shape, from)
                + match (from.row == to.row, from.column == to.column) {
                    (true, false) => without(column, from.column.into()),
                    (false, true) => {
                        shape.columns() as usize - 1 + without(row, from_top(shape, from))
                    }
                    _ => return None,
                }
        }
        _ => return None,
    };
    Some(number as u64)
}

pub(super) fn action_move(shape: Shape, action: u64) -> Option<Move> {
    let (fields, slides) = (shape.fields(), slides(shape));
    let spot = |field: usize| {
        let columns = shape.columns() as usize;
        let row = shape.rows() as usize - 1 - field / columns;
        Spot::new((field % columns) as u8, row as u8)
    };
    let action = usize::try_from(action).ok()?;
    let Some(slide) = action.checked_sub(fields) else {
        return Some(Move::Place { to: spot(action) });
    };
    let from = slide.checked_div(slides).filter(|&from| from < fields)?;
    let (from, step) = (spot(from), slide % slides);
    let with = |at: usize, own: usize| at + usize::from(at >= own);
    let to = match step.checked_sub(shape.columns() as usize - 1) {
        None => Spot::new(with(step, from.column.into()) as u8, from.row),
        Some(step) => {
            let row = shape.rows() as usize - 1 - with(step, from_top(shape, from));
            Spot::new(from.column, row as u8)
        }
    };
    Some(Move::Slide { from, to })
}

pub(super) fn mask(position: &PenguinsPosition, into: &mut [i8]) {
    into.fill(0);
    let Some(mover) = position.turn() else { return };
    let shape = position.shape();
    match position.phase() {
        Phase::Placement => {
            for index in &position.ones() {
                into[field(shape, shape.spot(index))] = 1;
            }
        }
        Phase::Movement => {
            for &from in position.penguins(mover) {
                let [right, up, left, down] = position.runs(from);
                let first = first_slide(shape, from);
                let here = first + usize::from(from.column);
                into[here - left..here + right].fill(1);
                let here = first + shape.columns() as usize - 1 + from_top(shape, from);
                into[here - up..here + down].fill(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_bytes() {
        let words = [0x8000_0000_0000_0001, 0b101];
        for index in 0..128 {
            let bit = |at: usize| words.get(at / 64).map_or(0, |word| word >> (at % 64) & 1) as u8;
            let byte = byte_at(&words, index);
            for length in 0..=8 {
                let mut bytes = vec![9; length];
                spread(byte, &mut bytes);
                let right: Vec<u8> = (index..index + length).map(bit).collect();
                assert_eq!(bytes, right, "from {index}");
            }
        }
    }
}
