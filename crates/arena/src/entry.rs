use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use floe_rules::{Game, ParseError, Report, SetupError};
use thiserror::Error;

use crate::engine::{self, Erased};
use crate::table::Seated;
use crate::{AnyEngine, EngineInfo, Table, Unknown};

/// A game as a front end sees it: [`Game`] without its types.
///
/// Setups and positions go in as text and positions come out as [`Table`]s.
pub trait AnyGame: Send + Sync {
    /// The word for the game on the command line and in files.
    fn name(&self) -> &'static str;

    /// The game's name for people.
    fn title(&self) -> &'static str;

    /// How many may sit at the table.
    fn seats(&self) -> RangeInclusive<u32>;

    /// The words a setup may contain, one line each.
    fn setup_help(&self) -> &'static str;

    /// The setup of a game nobody said anything about, written out.
    fn default_setup(&self) -> String;

    /// The same setup, written out in full; or what is wrong with it.
    fn setup(&self, text: &str) -> Result<String, ParseError>;

    /// The starting position of a setup and a seed.
    fn start(&self, setup: &str, seed: u64) -> Result<Box<dyn Table>, StartError>;

    /// Reads a position and notes all that is wrong with it: see [`Game::parse`].
    fn parse(&self, text: &str, report: &mut Report) -> Option<Box<dyn Table>>;

    /// Reads a position, or says what is wrong at the earliest wrong place.
    fn read(&self, text: &str) -> Result<Box<dyn Table>, ParseError>;

    /// The names of the dialects programs may speak; the first one is the contest's own.
    fn dialects(&self) -> Vec<&'static str>;

    /// The engines that play this game.
    fn engines(&self) -> Vec<EngineInfo>;

    /// A new engine. Two of the same name and seed play alike.
    fn engine(&self, name: &str, seed: u64) -> Result<Box<dyn AnyEngine>, Unknown>;
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A game's row in the registry: the [`AnyGame`] made of a [`Game`].
pub struct Entry<G>(PhantomData<fn() -> G>);

impl<G: Game> Entry<G> {
    /// The game without its type. Works for any game, in the registry or not.
    pub const fn face() -> &'static dyn AnyGame {
        const { &Entry::<G>(PhantomData) }
    }
}

impl<G: Game> AnyGame for Entry<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn seats(&self) -> RangeInclusive<u32> {
        G::SEATS
    }

    fn setup_help(&self) -> &'static str {
        G::SETUP_HELP
    }

    fn default_setup(&self) -> String {
        G::Setup::default().to_string()
    }

    fn setup(&self, text: &str) -> Result<String, ParseError> {
        Ok(text.parse::<G::Setup>()?.to_string())
    }

    fn start(&self, setup: &str, seed: u64) -> Result<Box<dyn Table>, StartError> {
        let setup: G::Setup = setup.parse()?;
        Ok(Box::new(Seated::<G>(G::start(&setup, seed)?)))
    }

    fn parse(&self, text: &str, report: &mut Report) -> Option<Box<dyn Table>> {
        Some(Box::new(Seated::<G>(G::parse(text, report)?)))
    }

    fn read(&self, text: &str) -> Result<Box<dyn Table>, ParseError> {
        Ok(Box::new(Seated::<G>(G::read(text)?)))
    }

    fn dialects(&self) -> Vec<&'static str> {
        G::dialects().iter().map(|dialect| dialect.name()).collect()
    }

    fn engines(&self) -> Vec<EngineInfo> {
        engine::every::<G::Position>().map(|kind| kind.info).into()
    }

    fn engine(&self, name: &str, seed: u64) -> Result<Box<dyn AnyEngine>, Unknown> {
        let kinds = engine::every::<G::Position>();
        match kinds.iter().find(|kind| kind.info.name == name) {
            Some(kind) => Ok(Box::new(Erased::<G>((kind.make)(seed)))),
            None => Err(Unknown::new(
                "engine",
                name,
                kinds.iter().map(|kind| kind.info.name),
            )),
        }
    }
}

/// Why a game did not start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StartError {
    /// The setup cannot be read; line and column speak of the setup's text.
    #[error("setup: {0}")]
    Unreadable(#[from] ParseError),
    /// The setup can be read, but no position can be made from it.
    #[error(transparent)]
    Impossible(#[from] SetupError),
}
