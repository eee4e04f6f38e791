use std::sync::{LazyLock, PoisonError, RwLock};

use floe_rules::Game;
use floe_rules::flood::Flood;
use floe_rules::gamma::Gamma;
use floe_rules::penguins::Penguins;
use floe_search::{FLOOD, GAMMA, PENGUINS};
use thiserror::Error;

use crate::entry::GameEntry;
use crate::error::Unknown;
use crate::face::AnyGame;

/// Shows every game there is to `visitor`, in the order people see them: the one list of games.
///
/// Most callers want [`games`], which is made from this. Code that needs the games' own types
/// (tests, benchmarks) comes here. A row is a game and the [`Roster`](floe_search::Roster) of its
/// engines; a game without engines of its own has `Roster::generic()`.
pub fn each_game(visitor: &mut impl GameVisitor) {
    visitor.visit::<Penguins>(const { &GameEntry(PENGUINS) });
    visitor.visit::<Gamma>(const { &GameEntry(GAMMA) });
    visitor.visit::<Flood>(const { &GameEntry(FLOOD) });
}

/// An operation on every game's own type.
///
/// ```
/// use floe_games::{GameEntry, GameVisitor, each_game};
/// use floe_rules::Game;
/// struct Names(Vec<&'static str>);
/// impl GameVisitor for Names {
///     fn visit<G: Game>(&mut self, _: &'static GameEntry<G>) {
///         self.0.push(G::NAME);
///     }
/// }
/// let mut names = Names(Vec::new());
/// each_game(&mut names);
/// assert_eq!(names.0.len(), floe_games::games().len());
/// ```
pub trait GameVisitor {
    /// Called with one game.
    fn visit<G: Game>(&mut self, row: &'static GameEntry<G>);
}

/// The built-in games, then registered ones.
static GAMES: LazyLock<RwLock<Vec<&'static dyn AnyGame>>> = LazyLock::new(|| {
    let mut erased = Erase(Vec::new());
    each_game(&mut erased);
    RwLock::new(erased.0)
});

/// All games: the built-in ones, then [registered](register) ones in order.
pub fn games() -> Vec<&'static dyn AnyGame> {
    // Adding a game never leaves the list incomplete, so a poisoned lock is harmless.
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds a game to the built-in ones, for as long as the process runs. From then on [`games`] and
/// [`find`] know it, and with them every front end. Costs nothing later.
///
/// ```
/// use floe_games::{AnyGame, GameEntry, find, games, register};
/// use floe_rules::flood::Flood;
/// use floe_search::Roster;
/// static TWIN: GameEntry<Flood> = GameEntry(Roster::generic());
/// // Its name must be new.
/// let before = games().len();
/// let error = register(&TWIN).unwrap_err();
/// assert_eq!(error.to_string(), "there is a game named flood already");
/// assert_eq!(games().len(), before);
/// ```
pub fn register(game: &'static dyn AnyGame) -> Result<(), NameTaken> {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    if games.iter().any(|known| known.name() == game.name()) {
        return Err(NameTaken(game.name()));
    }
    games.push(game);
    Ok(())
}

/// The name of a game that exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there is a game named {0} already")]
pub struct NameTaken(pub &'static str);

struct Erase(Vec<&'static dyn AnyGame>);

impl GameVisitor for Erase {
    fn visit<G: Game>(&mut self, row: &'static GameEntry<G>) {
        self.0.push(row);
    }
}

/// The game with this name.
///
/// ```
/// let error = floe_games::find("chess").unwrap_err();
/// assert!(error.to_string().starts_with("unknown game `chess`; known: "));
/// ```
pub fn find(name: &str) -> Result<&'static dyn AnyGame, Unknown> {
    let known = games();
    let found = known.iter().copied().find(|game| game.name() == name);
    found.ok_or_else(|| Unknown::new("game", name, known.iter().map(|game| game.name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_found_by_its_name_and_no_two_share_one() {
        let games = games();
        for (i, game) in games.iter().enumerate() {
            assert_eq!(find(game.name()).unwrap().name(), game.name());
            let same = games.iter().filter(|other| other.name() == game.name());
            assert_eq!(same.count(), 1, "game {i}");
        }
    }
}
