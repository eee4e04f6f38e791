//! Seats: programs, engines and people, each named by one argument.
//!
//! A seat spec such as `./bot`, `"python3 bot.py"`, `line:./bot`, `floe:hard` or `human` names a
//! [`Seat`]. A [`SeatDriver`] plays in that seat during one game: it starts programs in the
//! contest's dialects for every move and programs of the line protocol once per game, lets engines
//! think in the referee's own thread, and asks remote players through a channel. Programs run in a
//! [`Sandbox`]: the layers that this machine supports, probed once.

mod bundle;
pub(crate) mod compat;
mod engine;
mod home;
mod interpreter;
pub(crate) mod line;
mod options;
pub(crate) mod per_move;
mod program;
mod program_files;
mod protocol;
mod remote;
mod sandbox;
mod silence;

pub use bundle::{Bundle, BundledFile};
pub use line::{greeting as line_greeting, request as line_request};
pub use sandbox::{Sandbox, SandboxError};

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use floe_rules::Player;
use floe_search::{Kind, Spec};
use thiserror::Error;

use floe_games::record::{Entrant, MoveLimits};
use floe_games::{AnyGame, AnyPosition, Fault};
use floe_sandbox::MachineFailure;

pub use program::{ProgramSeat, folder_warnings};
pub(crate) use program::{cpu_time, fault_of, last_lines, milliseconds};
pub use protocol::Protocol;
pub use remote::{RemoteAnswer, RemotePlayer, RemoteRequest, RemoteSeat, remote_seat};

/// The player in a seat.
///
/// ```
/// use floe_arena::seat::Seat;
/// let game = floe_games::find("gamma")?;
/// let here = std::path::Path::new(".");
/// assert!(matches!(Seat::read("floe:hard", game, here)?, Seat::Engine(_)));
/// assert!(matches!(Seat::read("human", game, here)?, Seat::Human));
/// let error = Seat::read("flow", game, here).unwrap_err().to_string();
/// assert!(error.starts_with("`flow` is neither an engine nor a program"), "{error}");
/// let error = Seat::read("gredy", game, here).unwrap_err().to_string();
/// assert!(error.contains("nor a program (did you mean `greedy`?); engines are "), "{error}");
/// let error = Seat::read("floe:hrad", game, here).unwrap_err().to_string();
/// assert!(error.contains("unknown level `hrad`; write a level (beginner, easy, medium, hard, max)"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum Seat {
    /// A program.
    Program(ProgramSeat),
    /// One of Floe's engines.
    Engine(Spec),
    /// The person at this terminal, for `floe play`.
    Human,
    /// A player who answers through a channel: see [`remote_seat`].
    Remote(RemoteSeat),
}

/// The reason why a seat spec names no player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SeatError {
    /// No engine or program has this name.
    #[error(
        "{} is neither an engine nor a program{}; engines are {}, and a program in this folder is \
         written ./{name}",
        floe_rules::text::quoted(name),
        meant(name),
        engines()
    )]
    Unknown {
        /// The argument.
        name: String,
    },
    /// An engine's setting has an impossible value.
    #[error("{word}: {cause}")]
    Engine {
        /// The argument.
        word: String,
        /// The error.
        cause: String,
    },
    /// A program is missing or cannot be run.
    #[error("{word}: {cause}")]
    Program {
        /// The argument.
        word: String,
        /// The error.
        cause: String,
    },
}

fn engines() -> String {
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    names.join(", ")
}

/// A question about the engine whose name is nearly this one; empty if there is none.
fn meant(name: &str) -> String {
    let names = Kind::ALL.iter().map(|kind| kind.name());
    let near = names.map(|known| (distance(name, known), known)).min();
    match near {
        Some((1..=2, known)) if name.len() > 3 => format!(" (did you mean `{known}`?)"),
        _ => String::new(),
    }
}

/// The number of letters to add, remove or replace to get from one word to another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, known) in other.iter().enumerate() {
            let replaced = before + usize::from(letter != *known);
            before = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(before + 1);
        }
    }
    row[other.len()]
}

impl Seat {
    /// Reads a seat spec. Paths are relative to `folder`.
    pub fn read(word: &str, game: &dyn AnyGame, folder: &Path) -> Result<Seat, SeatError> {
        Seat::read_as(word, game, folder, false)
    }

    /// The same for the user's own seat: `python bot.py` and `.venv/bin/python bot.py` use the
    /// interpreter that the user's shell would start, with read access to its installation.
    pub fn read_own(word: &str, game: &dyn AnyGame, folder: &Path) -> Result<Seat, SeatError> {
        Seat::read_as(word, game, folder, true)
    }

    fn read_as(
        word: &str,
        game: &dyn AnyGame,
        folder: &Path,
        is_own: bool,
    ) -> Result<Seat, SeatError> {
        let word = word.trim();
        if word == "human" {
            return Ok(Seat::Human);
        }
        let head = word.split(':').next().unwrap_or_default();
        if Kind::ALL.iter().any(|kind| kind.name() == head) {
            return match word.parse() {
                Ok(spec) => Ok(Seat::Engine(spec)),
                Err(error) => Err(SeatError::Engine {
                    word: word.to_owned(),
                    cause: match error.help.is_empty() {
                        true => error.cause.to_string(),
                        false => format!("{}; {}", error.cause, error.help),
                    },
                }),
            };
        }
        ProgramSeat::read(word, game, folder, is_own).map(Seat::Program)
    }

    /// Whether it is a program, which needs a [`Sandbox`].
    pub fn is_program(&self) -> bool {
        matches!(self, Seat::Program(_))
    }

    /// Whether the play depends on the machine's speed: true except for engines without a time
    /// limit.
    pub fn is_timed(&self) -> bool {
        match self {
            Seat::Engine(spec) => spec.is_timed(),
            _ => true,
        }
    }

    /// The interpreter that runs it, in a few words, if it is a script.
    pub fn interpreter(&self) -> Option<&str> {
        match self {
            Seat::Program(program) => program.interpreter(),
            _ => None,
        }
    }

    /// Whether the seat is a program that may think during an opponent's turn.
    pub(crate) fn ponders(&self) -> bool {
        matches!(self, Seat::Program(program) if program.ponders())
    }

    /// The seat as records name it, with the entrant's name.
    pub fn entrant(&self, name: impl Into<String>) -> Entrant {
        Entrant {
            name: name.into(),
            seat: self.to_string(),
            sha256: match self {
                Seat::Program(program) => program.digest().map(str::to_owned),
                _ => None,
            },
        }
    }

    /// A driver for one game of `game`; `None` for a person, who needs a screen. A random engine
    /// takes `dice` as its seed if its spec sets none.
    pub fn driver(
        &self,
        game: &'static dyn AnyGame,
        sandbox: &Sandbox,
        dice: u64,
    ) -> Option<Box<dyn SeatDriver>> {
        match self {
            Seat::Human => None,
            Seat::Remote(remote) => Some(Box::new(remote.driver())),
            Seat::Engine(spec) => {
                let mut spec = *spec;
                let rolls = matches!(spec.kind, Kind::Random | Kind::Greedy | Kind::Mcts);
                if rolls || spec.level.is_some() {
                    spec.seed.get_or_insert(dice);
                }
                Some(Box::new(engine::EngineDriver::new(game, spec)))
            }
            Seat::Program(program) => Some(match program.protocol {
                Protocol::Line => {
                    Box::new(line::LineProgram::new(program.clone(), sandbox.clone()))
                }
                Protocol::Contest(dialect) => {
                    let sandbox = sandbox.clone();
                    Box::new(per_move::PerMoveProgram::new(
                        program.clone(),
                        dialect,
                        sandbox,
                    ))
                }
            }),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Program(program) => f.write_str(program.word()),
            Seat::Engine(spec) => spec.fmt(f),
            Seat::Human => f.write_str("human"),
            Seat::Remote(remote) => f.write_str(remote.word()),
        }
    }
}

/// Plays one game in one seat.
///
/// ```
/// use floe_arena::seat::{TimedMove, Failure, SeatDriver, TurnContext};
/// /// Always makes the last of its moves.
/// struct Last;
/// impl SeatDriver for Last {
///     fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
///         let mv = at.position.moves().pop().unwrap_or_default();
///         Ok(TimedMove { mv, ..TimedMove::default() })
///     }
/// }
/// let position = floe_games::find("gamma").unwrap().start("3x3", 1).unwrap();
/// let at = TurnContext {
///     position: &*position,
///     player: position.turn().unwrap(),
///     limits: &Default::default(),
///     stop: &Default::default(),
/// };
/// assert_eq!(Last.decide(&at).unwrap().mv, "c3");
/// ```
pub trait SeatDriver {
    /// Takes the seat, before the first move of the game.
    fn sit(&mut self, _at: &TurnContext<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Chooses a move. The move need not be legal: the referee checks it.
    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure>;

    /// The last lines of standard error, for a fault that a decision without them turns out to be.
    fn last_words(&mut self) -> String {
        String::new()
    }

    /// Ends the driver's part when the game is over, or its seat is disqualified. Returns the last
    /// lines of standard error that belong to no decision.
    fn leave(&mut self, _scores: &[i64]) -> String {
        String::new()
    }
}

/// The state of the game that a driver sees.
#[derive(Clone, Copy)]
pub struct TurnContext<'a> {
    /// The position.
    pub position: &'a dyn AnyPosition,
    /// The seat.
    pub player: Player,
    /// The limits.
    pub limits: &'a MoveLimits,
    /// Set when the game is to be broken off.
    pub stop: &'a Arc<AtomicBool>,
}

/// A move, with the time it took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimedMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// Wall time.
    pub wall: Duration,
    /// Processor time.
    pub cpu: Duration,
    /// Peak memory, in KiB; 0 if not measured.
    pub peak_kib: u64,
    /// The player's remark on the move.
    pub note: String,
    /// The last lines of standard error since the decision before.
    pub stderr: String,
    /// The name the program gave itself, with the first decision after it is known.
    pub id: Option<String>,
    /// Whether the time limit applies to this seat, as for programs.
    pub is_timed: bool,
}

/// The reason why a seat made no move.
#[derive(Debug)]
pub enum Failure {
    /// The program's doing.
    Fault(Box<Fault>),
    /// The machine's doing: the game is to be repeated, not scored.
    MachineFailure(String),
    /// The game is broken off.
    Stopped,
}

impl From<MachineFailure> for Failure {
    fn from(trouble: MachineFailure) -> Self {
        Failure::MachineFailure(trouble.to_string())
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Fault(Box::new(fault))
    }
}
