//! Translations of the games' texts: rules, lessons, tasks, notes and refusals.

use std::sync::LazyLock;

use crate::{Catalogue, Language};

/// The texts of the games; see [`Catalogue::translate`].
pub fn games() -> &'static Catalogue {
    static TEXTS: LazyLock<Catalogue> = LazyLock::new(|| {
        Catalogue::new(&[
            (Language::Polish, include_str!("../texts/games.pl.txt")),
            (Language::Romanian, include_str!("../texts/games.ro.txt")),
        ])
    });
    &TEXTS
}
