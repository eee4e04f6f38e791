use std::any::Any;
use std::error::Error;
use std::fmt;

use floe_rules::{
    Choice, Encoding, Game, Outcome, ParseError, Player, Position, SetupError, Square, View, perft,
};
use thiserror::Error;

use crate::dialect::TypedDialect;
use crate::{AnyGame, BoundDialect, GameEntry, Unknown};

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
    /// The game that is played here.
    fn game(&self) -> &'static dyn AnyGame;

    /// How many seats there are.
    fn players(&self) -> u32;

    /// Who moves now; `None` once the game is over.
    fn turn(&self) -> Option<Player>;

    /// The mover's legal moves, in the game's fixed order; none once the game is over.
    fn moves(&self) -> Vec<String>;

    /// Whether the mover may make this move, or why not.
    fn check(&self, mv: &str) -> Result<(), MoveError>;

    /// Makes a move, or says why it cannot be made and changes nothing.
    fn play(&mut self, mv: &str) -> Result<(), MoveError>;

    /// The mover's legal moves as somebody at a board makes them: see [`Game::choices`].
    fn choices(&self) -> Vec<Choice>;

    /// Why the mover has no choice at this square, in words: see [`Game::refusal`].
    fn refusal(&self, from: Option<Square>, at: Square, is_special: bool) -> String;

    /// The position after the mover gave up the turn, where the rules let him: see
    /// [`Game::give_up`].
    fn give_up(&self) -> Option<Box<dyn AnyPosition>>;

    /// Every seat's score.
    fn scores(&self) -> Vec<i64>;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// What a screen draws.
    fn view(&self) -> View;

    /// The whole position as text that [`AnyGame::read`] reads.
    fn write(&self) -> String;

    /// The whole position with nothing left to be inferred: see [`Game::spell`].
    fn spell(&self) -> String;

    /// The board alone, as the contest's files have it: see [`Game::board`].
    fn board(&self) -> String;

    /// A number that is equal for equal positions and hardly ever for others.
    fn key(&self) -> u64;

    /// How many sequences of `depth` moves there are: see [`perft`].
    fn perft(&self, depth: u32) -> u64;

    /// [`perft`](AnyPosition::perft) split by the first move, in the order of the moves; `depth`
    /// counts that move, and 0 is the same as 1.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Final scores when a player has lost by a fault: see [`Game::forfeit`].
    fn forfeit(&self, loser: Player) -> Vec<i64>;

    /// Takes a player out for good, if the game can go on without one: see
    /// [`Position::retire`].
    fn retire(&mut self, player: Player) -> bool;

    /// How a program that speaks this dialect is spoken to about the position.
    fn dialect(&self, dialect: &str) -> Result<Box<dyn BoundDialect + '_>, Unknown>;

    /// How many planes and numbers of moves learners have: see [`Game::encoding`].
    fn encoding(&self) -> Encoding;

    /// What a plane of an observation shows: see [`Game::plane_name`].
    fn plane_name(&self, plane: u64) -> String;

    /// What a seat sees, in as many bytes as [`Encoding::size`] says: see [`Game::observe`].
    fn observe(&self, seat: Player, into: &mut [u8]);

    /// Which numbers are legal moves, by number: see [`Game::mask`].
    fn mask(&self, into: &mut [i8]);

    /// The number of a legal move.
    fn action(&self, mv: &str) -> Result<u64, MoveError>;

    /// The move of a number, which need not be legal: see [`Game::action_move`].
    fn action_move(&self, action: u64) -> Option<String>;

    /// Whether the player to move may make the move of a number, or why not.
    fn check_action(&self, action: u64) -> Result<(), MoveError>;

    /// Makes the move of a number, or says why it cannot be made and changes nothing.
    fn play_action(&mut self, action: u64) -> Result<(), MoveError>;

    /// Another position with the same position.
    fn clone_position(&self) -> Box<dyn AnyPosition>;

    /// Whether the other position is of the same game and has an equal position.
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

/// The [`AnyPosition`] made of a position with its type.
pub(crate) struct TypedPosition<G: Game> {
    entry: &'static GameEntry<G>,
    position: G::Position,
}

/// The position with its type, if it is one of game `G`.
pub(crate) fn typed<G: Game>(position: &dyn AnyPosition) -> Option<&G::Position> {
    let position: &dyn Any = position;
    position
        .downcast_ref::<TypedPosition<G>>()
        .map(|seated| &seated.position)
}

impl<G: Game> TypedPosition<G> {
    pub(crate) fn new(entry: &'static GameEntry<G>, position: G::Position) -> Self {
        TypedPosition { entry, position }
    }

    fn read_move(&self, text: &str) -> Result<Move<G>, MoveError> {
        Ok(text.parse::<Move<G>>()?)
    }
}

type Move<G> = <<G as Game>::Position as Position>::Move;

impl<G: Game> AnyPosition for TypedPosition<G> {
    fn game(&self) -> &'static dyn AnyGame {
        self.entry
    }

    fn players(&self) -> u32 {
        self.position.players()
    }

    fn turn(&self) -> Option<Player> {
        self.position.turn()
    }

    fn moves(&self) -> Vec<String> {
        let moves = self.position.legal_moves();
        moves.iter().map(ToString::to_string).collect()
    }

    fn check(&self, mv: &str) -> Result<(), MoveError> {
        let mv = self.read_move(mv)?;
        self.position.check(mv).map_err(MoveError::illegal)
    }

    fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        let mv = self.read_move(mv)?;
        self.position.play(mv).map_err(MoveError::illegal)
    }

    fn choices(&self) -> Vec<Choice> {
        G::choices(&self.position)
    }

    fn refusal(&self, from: Option<Square>, at: Square, is_special: bool) -> String {
        G::refusal(&self.position, from, at, is_special)
    }

    fn give_up(&self) -> Option<Box<dyn AnyPosition>> {
        let position = G::give_up(&self.position)?;
        Some(Box::new(TypedPosition::new(self.entry, position)))
    }

    fn scores(&self) -> Vec<i64> {
        self.position.scores()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn view(&self) -> View {
        G::view(&self.position)
    }

    fn write(&self) -> String {
        G::write(&self.position)
    }

    fn spell(&self) -> String {
        G::spell(&self.position)
    }

    fn board(&self) -> String {
        G::board(&self.position)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut after = self.position.clone();
        let moves = self.position.legal_moves().into_iter();
        moves
            .map(|mv| {
                after.clone_from(&self.position);
                after.play_unchecked(mv);
                (mv.to_string(), perft(&after, depth.saturating_sub(1)))
            })
            .collect()
    }

    fn forfeit(&self, loser: Player) -> Vec<i64> {
        G::forfeit(&self.position, loser)
    }

    fn retire(&mut self, player: Player) -> bool {
        self.position.retire(player)
    }

    fn dialect(&self, dialect: &str) -> Result<Box<dyn BoundDialect + '_>, Unknown> {
        let mut dialects = G::dialects().iter();
        let found = dialects.find(|known| known.name() == dialect).copied();
        let dialect = found.ok_or_else(|| {
            let known = G::dialects().iter().map(|known| known.name());
            Unknown::new("dialect", dialect, known)
        })?;
        let position = &self.position;
        Ok(Box::new(TypedDialect::<G> { position, dialect }))
    }

    fn encoding(&self) -> Encoding {
        G::encoding(&self.position)
    }

    fn plane_name(&self, plane: u64) -> String {
        G::plane_name(&self.position, plane)
    }

    fn observe(&self, seat: Player, into: &mut [u8]) {
        G::observe(&self.position, seat, into);
    }

    fn mask(&self, into: &mut [i8]) {
        G::mask(&self.position, into);
    }

    fn action(&self, mv: &str) -> Result<u64, MoveError> {
        let mv = self.read_move(mv)?;
        self.position.check(mv).map_err(MoveError::illegal)?;
        G::action(&self.position, mv).ok_or(MoveError::NoNumber)
    }

    fn action_move(&self, action: u64) -> Option<String> {
        G::action_move(&self.position, action).map(|mv| mv.to_string())
    }

    fn check_action(&self, action: u64) -> Result<(), MoveError> {
        let mv = G::action_move(&self.position, action).ok_or(MoveError::NoMove(action))?;
        self.position.check(mv).map_err(MoveError::illegal)
    }

    fn play_action(&mut self, action: u64) -> Result<(), MoveError> {
        let mv = G::action_move(&self.position, action).ok_or(MoveError::NoMove(action))?;
        self.position.play(mv).map_err(MoveError::illegal)
    }

    fn clone_position(&self) -> Box<dyn AnyPosition> {
        Box::new(TypedPosition::new(self.entry, self.position.clone()))
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        typed::<G>(other).is_some_and(|other| *other == self.position)
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

pub(crate) struct TypedStarter<G: Game> {
    pub(crate) entry: &'static GameEntry<G>,
    pub(crate) setup: G::Setup,
}

impl<G: Game> Starter for TypedStarter<G> {
    fn start(&self, seed: u64) -> Result<Box<dyn AnyPosition>, SetupError> {
        let position = G::start(&self.setup, seed)?;
        Ok(Box::new(TypedPosition::new(self.entry, position)))
    }
}

/// Why a move given as text was not made.
#[derive(Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MoveError {
    /// It is not written as the game's moves are; line and column speak of the move's text.
    #[error("{}", .0.cause)]
    Unreadable(#[from] ParseError),
    /// It is a move, but the rules forbid it now.
    #[error("{0}")]
    Illegal(
        #[source]
        #[cfg_attr(feature = "serde", serde(serialize_with = "as_text"))]
        Box<dyn Error + Send + Sync>,
    ),
    /// A number that is no move here.
    #[error("no move has the number {0}")]
    NoMove(u64),
    /// A move without a number: there are more than a game without numbers of its own has.
    #[error("the move has no number")]
    NoNumber,
}

/// An error of a game's own type is its words.
#[cfg(feature = "serde")]
#[allow(clippy::borrowed_box)] // serde hands over the field as it is
fn as_text<S: serde::Serializer>(
    error: &Box<dyn Error + Send + Sync>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

impl MoveError {
    pub(crate) fn illegal(reason: impl Error + Send + Sync + 'static) -> Self {
        MoveError::Illegal(Box::new(reason))
    }
}
