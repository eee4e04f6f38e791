//! Colours of players and fields by their numbers: the 256 that nearly every terminal has.
//!
//! Grounds are pale and players are strong, so that players stand out on every ground.

use floe_rules::{Player, Shade};

/// Background and foreground of the players; further players start again.
const PLAYERS: [(u8, u8); 12] = [
    (160, 231), // red
    (27, 231),  // blue
    (28, 231),  // green
    (208, 16),  // orange
    (91, 231),  // purple
    (220, 16),  // yellow
    (30, 231),  // teal
    (205, 16),  // pink
    (94, 231),  // brown
    (240, 231), // grey
    (48, 16),   // mint
    (53, 231),  // plum
];

/// Background and foreground of increasing quantities.
const LEVELS: [(u8, u8); 5] = [(195, 67), (153, 25), (111, 18), (69, 231), (62, 231)];

/// Ground and ink of kinds without order.
const HUES: [(u8, u8); 8] = [
    (218, 89),  // pink
    (151, 22),  // green
    (229, 94),  // yellow
    (153, 24),  // blue
    (180, 58),  // tan
    (189, 60),  // lavender
    (252, 240), // grey
    (158, 29),  // mint
];

const VOID: (u8, u8) = (24, 31);
const PLAIN: (u8, u8) = (254, 242);

/// Background and foreground of a player, as colour numbers.
pub(crate) fn player_colours(player: Player) -> (u8, u8) {
    PLAYERS[player.index() % PLAYERS.len()]
}

/// Background and foreground of an unowned field, as colour numbers.
pub(crate) fn ground_colours(shade: Shade) -> (u8, u8) {
    match shade {
        Shade::Void => VOID,
        Shade::Plain => PLAIN,
        Shade::Level(n) => LEVELS[usize::from(n).clamp(1, LEVELS.len()) - 1],
        Shade::Hue(n) => HUES[usize::from(n) % HUES.len()],
    }
}
