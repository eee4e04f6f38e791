use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::is_zero;
use crate::reason::Reason;
use crate::{Fault, IS_WHOLE};

/// The version of the format; others are refused.
pub const VERSION: u32 = 1;

/// An event in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum Event {
    /// A move.
    Move(PlayedMove),
    /// A number of moves were undone.
    Back(Back),
    /// A fault.
    Fault(Box<Fault>),
}

/// One line of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum RecordLine {
    /// A game starts.
    Game(Box<Opening>),
    /// A move is made.
    Move(PlayedMove),
    /// People undo moves, in games for pleasure.
    Back(Back),
    /// A program was disqualified.
    Fault(Box<Fault>),
    /// The game is over.
    End(End),
}

impl RecordLine {
    /// Reads a line. A module for browsers has one parser of JSON.
    pub(super) fn read(bytes: &[u8]) -> serde_json::Result<Self> {
        match IS_WHOLE {
            true => serde_json::from_slice(bytes),
            false => Self::of(&serde_json::from_slice(bytes)?),
        }
    }

    /// The line of JSON that is parsed already. The derived reader would copy the line first, by code
    /// that a module for browsers can do without.
    pub fn of(line: &Value) -> serde_json::Result<Self> {
        Ok(match Kinded::deserialize(line)?.line {
            LineKind::Game => RecordLine::Game(Deserialize::deserialize(line)?),
            LineKind::Move => RecordLine::Move(Deserialize::deserialize(line)?),
            LineKind::Back => RecordLine::Back(Deserialize::deserialize(line)?),
            LineKind::Fault => RecordLine::Fault(Deserialize::deserialize(line)?),
            LineKind::End => RecordLine::End(Deserialize::deserialize(line)?),
        })
    }

    /// The event of a line in the middle of a record.
    pub fn into_event(self) -> Option<Event> {
        match self {
            RecordLine::Move(made) => Some(Event::Move(made)),
            RecordLine::Back(back) => Some(Event::Back(back)),
            RecordLine::Fault(fault) => Some(Event::Fault(fault)),
            RecordLine::Game(_) | RecordLine::End(_) => None,
        }
    }
}

/// A line of any kind.
#[derive(Deserialize)]
#[serde(expecting = "a line of a record")]
struct Kinded {
    line: LineKind,
}

/// The kinds of lines.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum LineKind {
    Game,
    Move,
    Back,
    Fault,
    End,
}

impl From<Event> for RecordLine {
    fn from(event: Event) -> Self {
        match event {
            Event::Move(made) => RecordLine::Move(made),
            Event::Back(back) => RecordLine::Back(back),
            Event::Fault(fault) => RecordLine::Fault(fault),
        }
    }
}

/// Writes lines of records one after the other; the `end` of a game gets a check over all of it.
///
/// ```
/// use floe_games::record::{LineWriter, Opening, Record, RecordLine, read};
/// use floe_games::{Reason, record::End};
/// let mut text = Vec::new();
/// let mut writer = LineWriter::default();
/// let opening = Opening { floe: 1, id: "7".into(), ..Opening::default() };
/// writer.write(&RecordLine::Game(Box::new(opening)), &mut text)?;
/// let end = End { scores: vec![2, 1], places: vec![1, 2], reason: Reason::Finished };
/// writer.write(&RecordLine::End(end), &mut text)?;
/// assert!(read(&text[..]).next().unwrap().is_ok());
/// let changed = String::from_utf8(text).unwrap().replace("[2,1]", "[3,1]");
/// let error = read(changed.as_bytes()).next().unwrap().unwrap_err();
/// assert!(error.to_string().starts_with("1: game 7 is damaged"), "{error}");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LineWriter {
    /// Check sum of the open game's bytes so far, if its `game` line was written by this writer.
    check: Option<crc32fast::Hasher>,
}

/// The text between a game's last checked byte and its check sum.
pub(super) const BEFORE_CHECK: &str = ",\"check\":\"";
/// The text after the check.
pub(super) const AFTER_CHECK: &str = "\"}";

impl LineWriter {
    /// Appends the line and a newline.
    pub fn write(&mut self, line: &RecordLine, to: &mut Vec<u8>) -> std::io::Result<()> {
        let start = to.len();
        serde_json::to_writer(&mut *to, line)?;
        if matches!(line, RecordLine::Game(_)) {
            self.check = Some(crc32fast::Hasher::new());
        }
        let is_end = matches!(line, RecordLine::End(_));
        if let Some(mut check) = self.check.take_if(|_| is_end) {
            // The closing brace comes after the check sum.
            to.pop();
            check.update(&to[start..]);
            let check = format!("{BEFORE_CHECK}{:08x}{AFTER_CHECK}", check.finalize());
            to.extend_from_slice(check.as_bytes());
        }
        to.push(b'\n');
        if let Some(check) = &mut self.check {
            check.update(&to[start..]);
        }
        Ok(())
    }
}

/// The start of a game: position, players and limits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The version of the format: [`VERSION`].
    pub floe: u32,
    /// The game's name.
    pub game: String,
    /// Identifies the game in its match or tournament.
    pub id: String,
    /// The game's unit: one board, played once in every rotation of the seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<u64>,
    /// The players by seat.
    pub seats: Vec<Entrant>,
    /// The position after the opening, in the game's own text.
    pub start: String,
    /// The opening: moves before the players' first, which no player chose, so that boards begin
    /// differently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The position before the opening, in the game's own text, if it does not follow from setup
    /// and seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_from: Option<String>,
    /// The setup of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The seed of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The file of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The limits of all players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<MoveLimits>,
    /// Limits of single seats: handicaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_limits: Vec<OwnLimits>,
    /// The level of the sandbox, if a program plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<u8>,
    /// The time control for people, as `floe play --clock` reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// When the game started, in seconds since 1970.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub began: u64,
    /// The interpreters of seats that name one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interpreters: Vec<Interpreter>,
    /// The machine that played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

/// The interpreter of a seat's program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The seat, from 1.
    pub seat: u32,
    /// The interpreter's name, such as `Python 3.12 in .venv`.
    pub name: String,
}

/// The machine that a game was played on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The machine class, for its speed: architecture and processor.
    pub class: String,
    /// The worker's name; empty if the organiser's own machine played.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub worker: String,
    /// The time limit on that machine, in percent of the regular one, if it was scaled by the
    /// machine's speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_percent: Option<u32>,
    /// The machine's overload during the game, if any: times are then unreliable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overload: Option<Overload>,
}

/// Other processes' load on a machine during a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overload {
    /// The share of the time in which a process waited for a core, in percent.
    pub pressure_percent: u32,
    /// The share of its cores' time that other guests of the same host had, in percent.
    pub steal_percent: u32,
}

impl Opening {
    /// The limits of a seat, by its number from 1.
    pub fn limits_of(&self, seat: u32) -> MoveLimits {
        let mut own = self.own_limits.iter();
        let own = own.find(|own| own.seat == seat).map(|own| &own.limits);
        own.or(self.limits.as_ref()).cloned().unwrap_or_default()
    }
}

/// The limits of one seat, if they differ from the common ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnLimits {
    /// The seat, from 1.
    pub seat: u32,
    /// The seat's limits.
    pub limits: MoveLimits,
}

/// The player in a seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The entrant's name in tables.
    pub name: String,
    /// The entrant's seat argument: `./bot`, `line:./bot`, `floe:hard`, `human`.
    pub seat: String,
    /// SHA-256 of the program's file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// The common limits of a game's players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimits {
    /// Wall time for a move, in milliseconds.
    pub move_ms: u64,
    /// The grace period after the time limit; each use costs a strike.
    pub margin_ms: u64,
    /// Strikes allowed per seat; one more is a timeout.
    pub strikes: u32,
    /// Wall-time limit until a line-protocol program says `ok`, and for a program to give its name.
    pub start_ms: u64,
    /// Resident memory, in MiB.
    pub memory_mib: u64,
    /// Address-space limit of each process, in MiB, if a contest sets one: node and Java reserve
    /// gigabytes that they never use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address_space_mib: Option<u64>,
}

impl Default for MoveLimits {
    /// 1 s per move with a grace period of 50 ms, 10 s to start, 256 MiB.
    fn default() -> Self {
        MoveLimits {
            move_ms: 1000,
            margin_ms: 50,
            strikes: 3,
            start_ms: 10_000,
            memory_mib: 256,
            address_space_mib: None,
        }
    }
}

/// The notation of a pass, in games where people may pass.
pub const GIVEN_UP: &str = "-";

/// A move in a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// The seat that moved, from 1.
    pub seat: u32,
    /// The move in the game's notation; [`GIVEN_UP`] for a pass.
    #[serde(rename = "move")]
    pub mv: String,
    /// Wall time in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wall_us: u64,
    /// Processor time in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cpu_us: u64,
    /// The most memory the program had, in KiB.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub peak_kib: u64,
    /// The player's remark, such as `depth 9 score +3`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether the move came in the grace period after the time limit.
    #[serde(default, skip_serializing_if = "is_false")]
    pub strike: bool,
    /// The last lines of the program's standard error since its previous move. With its last move,
    /// also later output. At most 64 KiB are stored per game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The program's own name, if the contest's files name players, with the first move after it is
    /// known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Moves are undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Back {
    /// Number of moves.
    pub moves: u32,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Final scores, by seat.
    pub scores: Vec<i64>,
    /// Places, by seat, from 1.
    pub places: Vec<u32>,
    /// The reason for the end.
    pub reason: Reason,
}
