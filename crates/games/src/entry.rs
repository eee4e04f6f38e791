use std::ops::RangeInclusive;

use floe_rules::assignment::Assignment;
use floe_rules::random::Random;
use floe_rules::{Brush, Game, ParseError, Position, Report, Setting, SetupError, Square, Step};
#[cfg(not(target_arch = "wasm32"))]
use floe_search::{Informed, ProofTable, Prover};
use floe_search::{Kind, Roster, Spec};

use crate::IS_WHOLE;
use crate::engine::TypedEngine;
use crate::error::StartError;
#[cfg(not(target_arch = "wasm32"))]
use crate::face::AnyProver;
use crate::face::{AnyEngine, AnyGame, AnyPosition, Starter};
use crate::position::{TypedPosition, typed};
#[cfg(not(target_arch = "wasm32"))]
use crate::prover::TypedProver;
use crate::record::MoveLimits;

/// A game's row in the registry: the [`AnyGame`] made of a [`Game`] and its engines.
/// Works for any game, in the registry or not.
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

    fn conformance_setups(&self) -> &'static [&'static str] {
        G::CONFORMANCE_SETUPS
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

    fn unit(&self) -> &'static str {
        G::UNIT
    }

    fn rules(&self) -> &'static str {
        G::RULES
    }

    fn pitch(&self) -> &'static str {
        G::PITCH
    }

    fn puzzles(&self) -> &'static str {
        if IS_WHOLE { G::PUZZLES } else { "" }
    }

    fn lesson(&self) -> &'static [Step] {
        if IS_WHOLE { G::LESSON } else { &[] }
    }

    fn first_setup(&self) -> &'static str {
        G::FIRST_SETUP
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

    fn starter(&'static self, setup: &str) -> Result<Box<dyn Starter>, StartError> {
        let setup: G::Setup = setup.parse()?;
        Ok(Box::new(TypedStarter::<G> { game: self, setup }))
    }

    fn parse(&'static self, text: &str, report: &mut Report) -> Option<Box<dyn AnyPosition>> {
        Some(Box::new(TypedPosition::<G>::new(
            self,
            G::parse(text, report)?,
        )))
    }

    fn read(&'static self, text: &str) -> Result<Box<dyn AnyPosition>, ParseError> {
        Ok(Box::new(TypedPosition::<G>::new(self, G::read(text)?)))
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
        if IS_WHOLE { G::assignment() } else { None }
    }

    fn engines(&self) -> &'static [Kind] {
        Kind::BUILT
    }

    fn engine(&self, spec: &Spec) -> Box<dyn AnyEngine> {
        Box::new(TypedEngine::<G>::new(self.0.engine(spec), *spec))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn informed(&self, spec: &Spec, table: ProofTable) -> Box<dyn AnyEngine> {
        let engine = Informed::new(self.0.engine(spec), table);
        Box::new(TypedEngine::<G>::new(Box::new(engine), *spec))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn prover(&self, table: ProofTable) -> Box<dyn AnyProver> {
        let engine = self.0.engine(&Spec::from(Kind::Floe));
        Box::new(TypedProver::<G>(Prover::new(engine, table)))
    }
}

struct TypedStarter<G: Game> {
    game: &'static GameEntry<G>,
    setup: G::Setup,
}

impl<G: Game> Starter for TypedStarter<G> {
    fn start(&self, seed: u64) -> Result<Box<dyn AnyPosition>, SetupError> {
        let position = G::start(&self.setup, seed)?;
        Ok(Box::new(TypedPosition::<G>::new(self.game, position)))
    }
}
