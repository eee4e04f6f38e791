//! The signs of seats and marks: a fact is never shown by colour alone.

use floe_rules::{Player, Shade};

use crate::scene::Scene;

/// The sign of a player.
pub(crate) fn seat(player: Player, unicode: bool) -> char {
    const SIGNS: [char; 4] = ['●', '■', '▲', '◆'];
    match SIGNS.get(player.index()) {
        Some(&sign) if unicode => sign,
        _ => number(player),
    }
}

/// A player's number in one character: digits, then letters, then the same again.
fn number(player: Player) -> char {
    const NUMBERS: &[u8] = b"123456789abcdefghijklmnopqrstuvwxyz";
    char::from(NUMBERS[player.index() % NUMBERS.len()])
}

/// The shading of a player's squares, if the ground is a colour; `None` for more than two players
/// and in ASCII.
pub(crate) fn shading(player: Player, unicode: bool) -> Option<char> {
    let shades = ['▒', '░'];
    shades.get(player.index()).copied().filter(|_| unicode)
}

/// A player's sign as the board has it: `(●)` for pieces, `J ▒` for floods, `●` otherwise.
pub(crate) fn emblem(scene: &Scene, player: Player, unicode: bool) -> String {
    let sign = seat(player, unicode);
    if scene.drawing.piece.is_some() {
        return format!("({sign})");
    }
    if scene.has_hues {
        let name = &scene.seats[player.index()].name;
        let short = if name.chars().count() == 1 { name } else { "" };
        let shade = shading(player, unicode).unwrap_or(sign);
        return format!("{short} {shade}").trim_start().to_owned();
    }
    sign.to_string()
}

/// A short name of a ground's colour.
pub(crate) fn hue_name(shade: Shade) -> Option<String> {
    use crate::texts::t;
    let Shade::Hue(hue) = shade else {
        return None;
    };
    Some(match hue % 8 {
        0 => t!("rose"),
        1 => t!("green"),
        2 => t!("gold"),
        3 => t!("sky"),
        4 => t!("rust"),
        5 => t!("lilac"),
        6 => t!("grey"),
        _ => t!("mint"),
    })
}
