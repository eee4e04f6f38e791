//! One game to be played, as a value.
//!
//! A [`Job`] says everything that decides a game: which one, from which position, who sits where
//! (words, with the hashes of programs), and what they are allowed. It can be written down, carried
//! to another machine, played there and answered with a [`Record`]. [`Job::play`] is the only way
//! a scheduled game is played, here or elsewhere.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use floe_games::record::{Interpreter, Opening, Record, RecordLine};
use floe_games::{AnyGame, Unknown, find};
use floe_rules::ParseError;
use floe_rules::text::quoted;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracing::debug;

use crate::live::Broadcast;
use crate::referee::{self, NoRecord};
use crate::seat::{Sandbox, Seat, SeatDriver, SeatError};

/// One game to be played.
///
/// ```
/// use floe_arena::{Boards, job::Job, seat::Sandbox};
/// use floe_games::record::Entrant;
/// let game = floe_games::find("flood")?;
/// let (_, mut opening) = Boards::made(game, "5x5", 7)?.open(0)?;
/// opening.id = "1".into();
/// opening.seats = ["greedy", "random"]
///     .map(|word| Entrant { name: word.into(), seat: word.into(), sha256: None })
///     .to_vec();
/// let job = Job { opening, dice: 64 };
/// let carried: Job = serde_json::from_str(&serde_json::to_string(&job)?)?;
/// let seats = carried.find_seats(".".as_ref())?;
/// let record = carried.play(&seats, &Sandbox::none(), &Default::default(), &Default::default())?;
/// assert_eq!(record.opening.id, "1");
/// record.verify()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The first line of the record: the game, its ID, the position, the seats and the limits. The
    /// machine that plays the game adds the level of the sandbox and the time.
    pub opening: Opening,
    /// Engines with dice and without a seed of their own take their seeds from here on, one number
    /// per seat, so that games differ and each can be repeated.
    pub dice: u64,
}

/// The reason why no machine can play a job.
#[derive(Debug, Error)]
pub enum JobError {
    /// The game is unknown.
    #[error(transparent)]
    Game(#[from] Unknown),
    /// The position cannot be read.
    #[error("the position cannot be read: {0}")]
    Position(#[from] ParseError),
    /// A seat spec names no player here.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The program here differs from the job's.
    #[error(
        "{}: its file is not the one the job names; its SHA-256 is {found}, not {wanted}",
        quoted(word)
    )]
    OtherProgram {
        /// The word that names it.
        word: String,
        /// The hash of the program here.
        found: String,
        /// The hash in the job.
        wanted: String,
    },
    /// The job names more or fewer seats than the position has.
    #[error("{given} seats are given, and the game has {wanted}")]
    Seats {
        /// Number of seats in the job.
        given: usize,
        /// Seats needed.
        wanted: u32,
    },
    /// The job names a person, who cannot be asked here.
    #[error("`human` plays with `floe play`; a match is for programs and engines")]
    Human,
    /// The game has no record.
    #[error(transparent)]
    NoRecord(#[from] NoRecord),
}

impl Job {
    /// The seats that the job names; paths are relative to `folder`. Fails if a program's hash
    /// differs from the job's.
    pub fn find_seats(&self, folder: &Path) -> Result<Vec<Seat>, JobError> {
        let game = self.game()?;
        let mut seats = Vec::new();
        for entrant in &self.opening.seats {
            let seat = Seat::read(&entrant.seat, game, folder)?;
            if let Some(wanted) = &entrant.sha256 {
                let found = seat.entrant("").sha256.unwrap_or_default();
                if found != *wanted {
                    return Err(JobError::OtherProgram {
                        word: entrant.seat.clone(),
                        found,
                        wanted: wanted.clone(),
                    });
                }
            }
            seats.push(seat);
        }
        Ok(seats)
    }

    /// Plays the game once. `seats` come from [`find_seats`](Job::find_seats). `live` receives all
    /// events.
    pub fn play(
        &self,
        seats: &[Seat],
        sandbox: &Sandbox,
        stop: &Arc<AtomicBool>,
        live: &Broadcast,
    ) -> Result<Record, JobError> {
        let game = self.game()?;
        let position = game.read(&self.opening.start)?;
        let wanted = position.players();
        if seats.len() != wanted as usize || self.opening.seats.len() != wanted as usize {
            let given = seats.len();
            return Err(JobError::Seats { given, wanted });
        }
        let table = seats.iter().zip(sandbox.at_table(seats));
        let drivers = table.enumerate().map(|(seat, (who, sandbox))| {
            let dice = self.dice.wrapping_add(seat as u64 + 1);
            who.driver(game, &sandbox, dice)
        });
        let drivers: Option<Vec<Box<dyn SeatDriver>>> = drivers.collect();
        let mut drivers = drivers.ok_or(JobError::Human)?;
        let mut opening = self.opening.clone();
        opening.began = now();
        if seats.iter().any(Seat::is_program) {
            opening.sandbox = Some(sandbox.layers().level());
        }
        let named = (1..).zip(seats);
        opening.interpreters = named
            .filter_map(|(seat, who)| {
                let name = who.interpreter()?.to_owned();
                Some(Interpreter { seat, name })
            })
            .collect();
        let id = opening.id.clone();
        let published = live.game(&id);
        debug!(
            game = id,
            seats = ?opening.seats.iter().map(|one| &one.name).collect::<Vec<_>>(),
            sandbox = ?opening.sandbox,
            "a game begins"
        );
        published.publish(|| RecordLine::Game(Box::new(opening.clone())));
        let mut watch =
            |event: &floe_games::record::Event| published.publish(|| event.clone().into());
        let played = referee::play(position, &mut drivers, opening.clone(), stop, &mut watch);
        match &played {
            Ok(record) => {
                if let Some(end) = &record.end {
                    debug!(game = id, scores = ?end.scores, reason = ?end.reason, "the game is over");
                    published.publish(|| RecordLine::End(end.clone()));
                }
            }
            Err(error) => published.abandon(error),
        }
        Ok(played?)
    }

    fn game(&self) -> Result<&'static dyn AnyGame, Unknown> {
        find(&self.opening.game)
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs())
}
