//! The features that make up a key.

use super::Spot;
use crate::Player;
use crate::key::mix;

pub(super) const PLAYERS: u64 = 1 << 32;
pub(super) const PLACING: u64 = 2 << 32;
const TURN: u64 = 3 << 32;
const FLOE: u64 = 4 << 32;
const PENGUIN: u64 = 5 << 32;
const OUT: u64 = 6 << 32;

#[inline]
fn at(spot: Spot) -> u64 {
    u64::from(spot.row) << 8 | u64::from(spot.column)
}

#[inline]
pub(super) fn floe(spot: Spot, fish: u8) -> u64 {
    mix(FLOE | u64::from(fish) << 16 | at(spot))
}

#[inline]
pub(super) fn penguin(player: Player, spot: Spot) -> u64 {
    mix(PENGUIN | (player.index() as u64) << 16 | at(spot))
}

#[inline]
pub(super) fn turn(player: Option<Player>) -> u64 {
    mix(TURN | player.map_or(0, |p| u64::from(p.number())))
}

#[inline]
pub(super) fn out(player: Player) -> u64 {
    mix(OUT | player.index() as u64)
}
