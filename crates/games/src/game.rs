use std::fmt;
use std::ops::RangeInclusive;

use floe_rules::assignment::Assignment;
use floe_rules::random::Random;
use floe_rules::{Brush, Game, ParseError, Position, Report, Setting, SetupError, Square};
use floe_search::{Kind, Roster, Spec};
use thiserror::Error;

use crate::engine::TypedEngine;
use crate::position::{TypedPosition, typed};
use crate::record::MoveLimits;
use crate::{AnyEngine, AnyPosition};

/// A game as a front end sees it: [`Game`] without its types.
///
/// Setups and positions go in as text and positions come out as [`AnyPosition`]s.
///
/// ```
/// for game in floe_games::games() {
///     let position = game.start(&game.default_setup(), 7)?;
///     assert!(game.seats().contains(&position.players()));
///     assert_eq!(*game.read(&position.write())?, *position);
///     println!("{}: {}", game.title(), game.rules().lines().next().unwrap_or_default());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyGame: Send + Sync {
    /// The word for the game on the command line and in files.
    fn name(&self) -> &'static str;

    /// The game's name for people.
    fn title(&self) -> &'static str;

    /// How many may sit at the table.
    fn seats(&self) -> RangeInclusive<u32>;

    /// The words a setup may contain, one line each.
    fn setup_help(&self) -> &'static str;

    /// The words of a setup beside the size that a form asks for.
    fn settings(&self) -> &'static [Setting];

    /// The same setup for so many players, where the setup can say that and does not yet.
    fn setup_for(&self, setup: &str, players: u32) -> Option<String>;

    /// The setups in which a checkup tries programs: see [`Game::CHECKUP_SETUPS`].
    fn checkup_setups(&self) -> &'static [&'static str];

    /// What the contest allows programs, with our usual margin, strikes and time to start.
    fn contest_limits(&self) -> MoveLimits;

    /// Whether equal points are parted by the sum of margins: see [`Game::MARGINS_PART_EQUALS`].
    fn margins_part_equals(&self) -> bool;

    /// What the special kind of move is called, if there is one: see [`Game::SPECIAL_MOVE`].
    fn special_move(&self) -> Option<&'static str>;

    /// The rules for somebody new, a sentence a line.
    fn rules(&self) -> &'static str;

    /// The setup of a game nobody said anything about, written out.
    fn default_setup(&self) -> String;

    /// The same setup, written out in full; or what is wrong with it.
    fn setup(&self, text: &str) -> Result<String, ParseError>;

    /// The starting position of a setup and a seed.
    fn start(&'static self, setup: &str, seed: u64) -> Result<Box<dyn AnyPosition>, StartError>;

    /// What starts game after game of a setup, which is read once.
    fn starter(&'static self, setup: &str) -> Result<Box<dyn crate::Starter>, StartError>;

    /// Reads a position and notes all that is wrong with it: see [`Game::parse`].
    fn parse(&'static self, text: &str, report: &mut Report) -> Option<Box<dyn AnyPosition>>;

    /// Reads a position, or says what is wrong at the earliest wrong place.
    fn read(&'static self, text: &str) -> Result<Box<dyn AnyPosition>, ParseError>;

    /// The text of a position with words of a setup that it leaves open: see [`Game::complete`].
    fn complete(&self, text: &str, words: &str) -> Result<String, String>;

    /// What an editor can paint on the board of a text: see [`Game::brushes`].
    fn brushes(&self, text: &str) -> Vec<Brush>;

    /// The text with one thing painted: see [`Game::paint`].
    fn paint(&self, text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError>;

    /// How many opening moves suit this start: see [`Game::opening_moves`]. `None` where starts
    /// differ, or if the position is of another game.
    fn opening_moves(&self, start: &dyn AnyPosition) -> Option<u32>;

    /// A random move of an opening: see [`Game::opening_move`]. `None` if the game is over, or the
    /// position is of another game.
    fn opening_move(&self, position: &dyn AnyPosition, random: &mut Random) -> Option<String>;

    /// The names of the dialects programs may speak; the first one is the contest's own.
    fn dialects(&self) -> Vec<&'static str>;

    /// What a course on this game has students hand in: see [`Game::assignment`].
    fn assignment(&self) -> Option<&'static dyn Assignment>;

    /// The engines that play this game, strongest first, roughly.
    fn engines(&self) -> &'static [Kind];

    /// The engine a spec names. Two of the same spec play alike, as long as nodes are counted
    /// and not seconds. What the spec says about time, nodes and depth is not the engine's but
    /// every move's: see [`Spec::limits`].
    fn engine(&self, spec: &Spec) -> Box<dyn AnyEngine>;
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A game's row in the registry: the [`AnyGame`] made of a [`Game`] and of those who play it for
/// the house. Works for any game, in the registry or not.
///
/// ```
/// use floe_games::{AnyGame, GameEntry};
/// use floe_rules::flood::Flood;
/// use floe_search::Roster;
/// static PLAIN: GameEntry<Flood> = GameEntry(Roster::generic());
/// let game: &dyn AnyGame = &PLAIN;
/// assert_eq!(game.name(), "flood");
/// ```
pub struct GameEntry<G: Game>(pub Roster<G::Position>);

impl<G: Game> AnyGame for GameEntry<G> {
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

    fn settings(&self) -> &'static [Setting] {
        G::SETTINGS
    }

    fn setup_for(&self, setup: &str, players: u32) -> Option<String> {
        let word = G::PLAYERS_SETTING?;
        let says = |part: &str| {
            let rest = part.trim().strip_prefix(word);
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        if setup.split(',').any(says) {
            return None;
        }
        let gap = if setup.trim().is_empty() { "" } else { "," };
        Some(format!("{setup}{gap}{word}={players}"))
    }

    fn checkup_setups(&self) -> &'static [&'static str] {
        G::CHECKUP_SETUPS
    }

    fn contest_limits(&self) -> MoveLimits {
        MoveLimits {
            move_ms: G::MOVE_MS,
            memory_mib: G::MEMORY_MIB,
            ..MoveLimits::default()
        }
    }

    fn margins_part_equals(&self) -> bool {
        G::MARGINS_PART_EQUALS
    }

    fn special_move(&self) -> Option<&'static str> {
        G::SPECIAL_MOVE
    }

    fn rules(&self) -> &'static str {
        G::RULES
    }

    fn default_setup(&self) -> String {
        G::Setup::default().to_string()
    }

    fn setup(&self, text: &str) -> Result<String, ParseError> {
        Ok(text.parse::<G::Setup>()?.to_string())
    }

    fn start(&'static self, setup: &str, seed: u64) -> Result<Box<dyn AnyPosition>, StartError> {
        Ok(self.starter(setup)?.start(seed)?)
    }

    fn starter(&'static self, setup: &str) -> Result<Box<dyn crate::Starter>, StartError> {
        let setup: G::Setup = setup.parse()?;
        Ok(Box::new(crate::position::TypedStarter {
            entry: self,
            setup,
        }))
    }

    fn parse(&'static self, text: &str, report: &mut Report) -> Option<Box<dyn AnyPosition>> {
        Some(Box::new(TypedPosition::new(self, G::parse(text, report)?)))
    }

    fn read(&'static self, text: &str) -> Result<Box<dyn AnyPosition>, ParseError> {
        Ok(Box::new(TypedPosition::new(self, G::read(text)?)))
    }

    fn complete(&self, text: &str, words: &str) -> Result<String, String> {
        G::complete(text, words)
    }

    fn brushes(&self, text: &str) -> Vec<Brush> {
        G::brushes(text)
    }

    fn paint(&self, text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
        G::paint(text, square, word)
    }

    fn opening_moves(&self, start: &dyn AnyPosition) -> Option<u32> {
        G::opening_moves(typed::<G>(start)?)
    }

    fn opening_move(&self, position: &dyn AnyPosition, random: &mut Random) -> Option<String> {
        let position = typed::<G>(position)?;
        position.turn()?;
        Some(G::opening_move(position, random).to_string())
    }

    fn dialects(&self) -> Vec<&'static str> {
        G::dialects().iter().map(|dialect| dialect.name()).collect()
    }

    fn assignment(&self) -> Option<&'static dyn Assignment> {
        G::assignment()
    }

    fn engines(&self) -> &'static [Kind] {
        &Kind::ALL
    }

    fn engine(&self, spec: &Spec) -> Box<dyn AnyEngine> {
        Box::new(TypedEngine::<G>(self.0.engine(spec)))
    }
}

/// Why a game did not start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StartError {
    /// The setup cannot be read; line and column speak of the setup's text.
    #[error("setup: {0}")]
    Unreadable(#[from] ParseError),
    /// The setup can be read, but no position can be made from it.
    #[error(transparent)]
    Impossible(#[from] SetupError),
}
