//! What front ends see of a game: the traits, without the types behind them.

use std::any::Any;
use std::fmt;
use std::ops::RangeInclusive;

use floe_rules::assignment::Assignment;
use floe_rules::random::Random;
use floe_rules::{
    Answer, Brush, Choice, ConformanceCase, DialectError, Encoding, Outcome, ParseError, Player,
    Report, Request, Setting, SetupError, Slip, Square, Step, View,
};
#[cfg(doc)]
use floe_rules::{Dialect, Game, Position, perft};
#[cfg(doc)]
use floe_search::Engine;
use floe_search::{Kind, Limits, Spec, Thought};
#[cfg(not(target_arch = "wasm32"))]
use floe_search::{ProofTable, Proving};

use crate::error::{MoveError, StartError, ThinkError, Unknown};
use crate::record::MoveLimits;

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

    /// The possible numbers of players.
    fn seats(&self) -> RangeInclusive<u32>;

    /// The words a setup may contain, one line each.
    fn setup_help(&self) -> &'static str;

    /// The settings of a setup, besides the size, that a form asks for.
    fn settings(&self) -> &'static [Setting];

    /// The setup with this number of players; `None` if the setup names one already, or cannot.
    fn setup_for(&self, setup: &str, players: u32) -> Option<String>;

    /// The setups in which a conformance check tries programs: see [`Game::CONFORMANCE_SETUPS`].
    fn conformance_setups(&self) -> &'static [&'static str];

    /// The contest's limits of programs, with the default grace period, strikes and startup time.
    fn contest_limits(&self) -> MoveLimits;

    /// Whether equal points are parted by the sum of margins: see [`Game::MARGINS_PART_EQUALS`].
    fn margins_part_equals(&self) -> bool;

    /// The name of the special kind of move, if there is one: see [`Game::SPECIAL_MOVE`].
    fn special_move(&self) -> Option<&'static str>;

    /// The unit of scores, in the plural: see [`Game::UNIT`].
    fn unit(&self) -> &'static str;

    /// The rules for new players, a sentence per line.
    fn rules(&self) -> &'static str;

    /// The game in a sentence or two: see [`floe_rules::Game::PITCH`].
    fn pitch(&self) -> &'static str;

    /// The puzzles that come with the game, as [`puzzle::read`](crate::puzzle::read) reads them.
    fn puzzles(&self) -> &'static str;

    /// The steps of a lesson on the rules: see [`Game::LESSON`].
    fn lesson(&self) -> &'static [Step];

    /// The setup of a first game: see [`Game::FIRST_SETUP`].
    fn first_setup(&self) -> &'static str;

    /// The default setup, written out.
    fn default_setup(&self) -> String;

    /// The same setup, written out in full, or the error in it.
    fn setup(&self, text: &str) -> Result<String, ParseError>;

    /// The starting position of a setup and a seed.
    fn start(&'static self, setup: &str, seed: u64) -> Result<Box<dyn AnyPosition>, StartError>;

    /// A source of games with the same setup, which is read once.
    fn starter(&'static self, setup: &str) -> Result<Box<dyn Starter>, StartError>;

    /// Reads a position and reports all errors: see [`Game::parse`].
    fn parse(&'static self, text: &str, report: &mut Report) -> Option<Box<dyn AnyPosition>>;

    /// Reads a position, or returns the error at the earliest wrong place.
    fn read(&'static self, text: &str) -> Result<Box<dyn AnyPosition>, ParseError>;

    /// The text of a position, with settings of a setup that it leaves open: see
    /// [`Game::complete`].
    fn complete(&self, text: &str, words: &str) -> Result<String, String>;

    /// The brushes an editor offers for a board: see [`Game::brushes`].
    fn brushes(&self, text: &str) -> Vec<Brush>;

    /// The text with one change painted: see [`Game::paint`].
    fn paint(&self, text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError>;

    /// Number of opening moves that suit this start: see [`Game::opening_moves`]. `None` if starts
    /// differ, or the position belongs to another game.
    fn opening_moves(&self, start: &dyn AnyPosition) -> Option<u32>;

    /// A random opening move: see [`Game::opening_move`]. `None` if the game is over, or the
    /// position belongs to another game.
    fn opening_move(&self, position: &dyn AnyPosition, random: &mut Random) -> Option<String>;

    /// The names of the dialects for programs; the first is the contest's own.
    fn dialects(&self) -> Vec<&'static str>;

    /// The game's course assignment, if it has one: see [`Game::assignment`].
    fn assignment(&self) -> Option<&'static dyn Assignment>;

    /// The engines that play this game, strongest first, roughly.
    fn engines(&self) -> &'static [Kind];

    /// The engine a spec names. Two of the same spec play alike, as long as nodes are counted
    /// and not seconds. Time, nodes and depth in the spec limit each thought that is asked for
    /// without limits of its own; see [`Spec::limits`].
    ///
    /// ```
    /// let game = floe_games::find("gamma")?;
    /// let mut engine = game.engine(&"floe:nodes=2k".parse()?);
    /// let thought = engine.think(&*game.start("8x8", 1)?, &Default::default())?;
    /// assert!(thought.nodes <= 2_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn engine(&self, spec: &Spec) -> Box<dyn AnyEngine>;

    /// The engine a spec names, with a table of proven positions: see
    /// [`Informed`](floe_search::Informed).
    #[cfg(not(target_arch = "wasm32"))]
    fn informed(&self, spec: &Spec, table: ProofTable) -> Box<dyn AnyEngine>;

    /// Proves positions with the game's best engine, from this table on.
    #[cfg(not(target_arch = "wasm32"))]
    fn prover(&self, table: ProofTable) -> Box<dyn AnyProver>;
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Starts game after game of one setup: see [`AnyGame::starter`].
///
/// ```
/// let starter = floe_games::find("flood")?.starter("5x5")?;
/// assert!(*starter.start(1)? == *floe_games::find("flood")?.start("5x5", 1)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Starter: Send + Sync {
    /// The starting position of a seed.
    fn start(&self, seed: u64) -> Result<Box<dyn AnyPosition>, SetupError>;
}

/// One position of any game, with moves as text.
///
/// Made by [`AnyGame::start`] and [`AnyGame::read`]. Cloned by [`Clone`] on the box; two positions
/// are equal when they are of one game and their positions are equal.
///
/// ```
/// let game = floe_games::find("gamma")?;
/// let mut position = game.start("3x3", 1)?;
/// position.play("b2")?;
/// let error = position.play("b2").unwrap_err();
/// println!("b2: {error}");
/// assert_eq!(position.scores(), [1, 0]);
/// assert_eq!(position.turn().unwrap().number(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyPosition: Any + Send + Sync {
    /// The game of this position.
    fn game(&self) -> &'static dyn AnyGame;

    /// Number of seats.
    fn players(&self) -> u32;

    /// The player to move; `None` once the game is over.
    fn turn(&self) -> Option<Player>;

    /// The legal moves, in the game's fixed order; none once the game is over.
    fn moves(&self) -> Vec<String>;

    /// Whether the player to move may make this move, or why not.
    fn check(&self, mv: &str) -> Result<(), MoveError>;

    /// Makes a move; an illegal move returns an error and changes nothing.
    fn play(&mut self, mv: &str) -> Result<(), MoveError>;

    /// The legal moves as steps of a user at a board: see [`Game::choices`].
    fn choices(&self) -> Vec<Choice>;

    /// Why the player to move has no choice at this square, in words: see [`Game::refusal`].
    fn refusal(&self, from: Option<Square>, at: Square, is_special: bool) -> String;

    /// The position after the player to move passes, if the rules allow it: see [`Game::give_up`].
    fn give_up(&self) -> Option<Box<dyn AnyPosition>>;

    /// Every seat's score.
    fn scores(&self) -> Vec<i64>;

    /// The largest lead the rules allow, if they bound it: see [`Position::largest_margin`].
    fn largest_margin(&self) -> Option<i64>;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The picture for a screen.
    fn view(&self) -> View;

    /// The whole position as text that [`AnyGame::read`] reads.
    fn write(&self) -> String;

    /// The whole position with nothing left to be inferred: see [`Game::spell`].
    fn spell(&self) -> String;

    /// The board alone, in the contest's format: see [`Game::board`].
    fn board(&self) -> String;

    /// A hash: equal positions have equal keys, different positions hardly ever.
    fn key(&self) -> u64;

    /// Number of move sequences of length `depth`: see [`perft`].
    fn perft(&self, depth: u32) -> u64;

    /// [`perft`](AnyPosition::perft) split by the first move, in the order of the moves; `depth`
    /// counts that move, and 0 is the same as 1.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Final scores when a player has lost by a fault: see [`Game::forfeit`].
    fn forfeit(&self, loser: Player) -> Vec<i64>;

    /// Removes a player for good, if the game can continue without one: see
    /// [`Position::retire`].
    fn retire(&mut self, player: Player) -> bool;

    /// The dialect of this name, applied to the position.
    fn dialect(&self, dialect: &str) -> Result<Box<dyn BoundDialect + '_>, Unknown>;

    /// The numbers of planes and of moves for learners: see [`Game::encoding`].
    fn encoding(&self) -> Encoding;

    /// The meaning of an observation's plane: see [`Game::plane_name`].
    fn plane_name(&self, plane: u64) -> String;

    /// A seat's observation, in as many bytes as [`Encoding::size`] gives: see [`Game::observe`].
    fn observe(&self, seat: Player, into: &mut [u8]);

    /// For each action number, whether it is a legal move: see [`Game::mask`].
    fn mask(&self, into: &mut [i8]);

    /// The number of a legal move.
    fn action(&self, mv: &str) -> Result<u64, MoveError>;

    /// The move of an action number, which need not be legal: see [`Game::action_move`].
    fn action_move(&self, action: u64) -> Option<String>;

    /// Whether the player to move may make the move with this number, or why not.
    fn check_action(&self, action: u64) -> Result<(), MoveError>;

    /// Makes the move with this number; an illegal move returns an error and changes nothing.
    fn play_action(&mut self, action: u64) -> Result<(), MoveError>;

    /// A copy of the position.
    fn clone_position(&self) -> Box<dyn AnyPosition>;

    /// Whether both are the same position of the same game.
    fn is_same(&self, other: &dyn AnyPosition) -> bool;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        (**self).clone_position()
    }
}

impl fmt::Debug for dyn AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:\n{}", self.game().name(), self.write())
    }
}

impl PartialEq for dyn AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl Eq for dyn AnyPosition {}

/// A position and a dialect to speak about it in: [`Dialect`] without its types, with moves as
/// text. Made by [`AnyPosition::dialect`].
///
/// ```
/// let game = floe_games::find("flood")?;
/// let position = game.start("4x4", 1)?;
/// let dialect = position.dialect(game.dialects()[0])?;
/// let mv = position.moves().swap_remove(0);
/// let honest = dialect.reply(None, &mv)?;
/// assert_eq!(dialect.answer(None, &honest)?.mv, mv);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BoundDialect {
    /// The input for the program of the player to move: see [`Dialect::request`].
    fn request(&self, name: Option<&str>) -> Request;

    /// The move in a program's answer: see [`Dialect::answer`].
    fn answer(&self, name: Option<&str>, text: &str) -> Result<Answer<String>, DialectError>;

    /// The correct answer for this move: see [`Dialect::reply`].
    fn reply(&self, name: Option<&str>, mv: &str) -> Result<String, MoveError>;

    /// The questions for a program's name, if the dialect needs it: see [`Dialect::introductions`].
    fn introductions(&self) -> Vec<Request>;

    /// The name in the answer to that question: see [`Dialect::introduced`].
    fn introduced(&self, text: &str) -> Result<String, ParseError>;

    /// Cases that programs often get wrong: see [`Dialect::trials`].
    fn trials(&self, name: Option<&str>) -> Vec<ConformanceCase>;

    /// The calls without a move before this turn: see [`Dialect::extra_calls`].
    fn extra_calls(&self, name: Option<&str>) -> Vec<ConformanceCase>;

    /// Likely causes of a wrong answer: see [`Dialect::slips`].
    fn slips(&self, name: Option<&str>, text: &str) -> Vec<Slip>;

    /// The square at a place of an answer: see [`Dialect::square_at`].
    fn square_at(&self, line: u32, column: u32) -> Option<Square>;

    /// The meaning of an exit code: see [`Dialect::exit`].
    fn exit(&self, code: i32) -> Option<&'static str>;
}

/// An engine of some game: [`Engine`] without its types, with moves as text.
///
/// ```
/// use floe_search::Limits;
/// let game = floe_games::find("flood")?;
/// let position = game.start("6x6", 1)?;
/// let mut engine = game.engine(&"floe".parse()?);
/// let thoughts = engine.rank(&*position, &Limits::nodes(5_000), 2)?;
/// println!("{} leads by {}", thoughts[0].best, thoughts[0].lead(position.turn().unwrap()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyEngine: Send {
    /// Searches a position that is not over.
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
    ) -> Result<Thought<String>, ThinkError>;

    /// Whether one engine may play many games: see [`Engine::is_forgetful`].
    fn is_forgetful(&self) -> bool;

    /// Searches the `top` best moves of a position that is not over, best first. At least one, at
    /// most `top` (0 is the same as 1), fewer if time runs out: see [`Engine::rank`].
    fn rank(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        top: usize,
    ) -> Result<Vec<Thought<String>>, ThinkError>;
}

/// A prover of some game: [`Prover`](floe_search::Prover) without its types, with moves as text.
///
/// ```
/// use floe_search::{Limits, ProofTable};
/// let game = floe_games::find("flood")?;
/// let mut prover = game.prover(ProofTable::with_bytes(1 << 20));
/// let position = game.start("4x4", 1)?;
/// let proof = prover.prove(&*position, &Limits::default(), &mut |_| {})?;
/// assert!(proof.is_some_and(|thought| thought.proven));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub trait AnyProver {
    /// The proven value of a position with at most two seats; `None` if the limits are reached
    /// first: see [`Prover::prove`](floe_search::Prover::prove).
    fn prove(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        watch: &mut dyn FnMut(&Proving<'_>),
    ) -> Result<Option<Thought<String>>, ThinkError>;

    /// What is proven so far.
    fn table(&self) -> &ProofTable;
}
