//! Contests of seats with known strengths, to see how often what is said about them is true. The
//! tests count a few of them, and `examples/simulate.rs` prints the tables of `docs/statistics.md`.

pub(crate) mod coverage;
pub(crate) mod sprt;

#[path = "../chance/mod.rs"]
pub(crate) mod chance;

use floe_rating::Ending::{self, Draw, Loss, Win};

use self::chance::Chance;

/// Elo of a natural unit of strength where nothing is drawn.
pub(crate) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The chances of loss, draw and win for the seat that leads by `lead` natural units, where equals
/// draw this often: Davidson's model.
pub(crate) fn chances(lead: f64, draw_rate: f64) -> [f64; 3] {
    let weights = [
        (-lead / 2.0).exp(),
        2.0 * draw_rate / (1.0 - draw_rate),
        (lead / 2.0).exp(),
    ];
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// A game with these chances of loss, draw and win.
pub(crate) fn game(chances: [f64; 3], chance: &mut Chance) -> Ending {
    let drawn = chance.uniform();
    match drawn {
        _ if drawn < chances[0] => Loss,
        _ if drawn < chances[0] + chances[1] => Draw,
        _ => Win,
    }
}
