//! Tournaments: many entrants, described by a file, played to the end through any interruption.
//!
//! A [`Description`] says who plays what, how, and under which limits. A [`Tournament`] binds it
//! to its results: a file of records and a [`Store`] beside it. What is to be played next is a
//! function of the description and of the games that are finished, never of the order in which
//! they came or of the clock: a tournament that is killed at any moment and started again plays
//! exactly the games that are missing. Rounds that depend on results, as in swiss tournaments and
//! knockouts, are drawn from whole rounds only.
//!
//! Only whole units (a board in every rotation of the seats) count in its
//! [`Standings`](crate::standings::Standings).
//!
//! ```
//! use floe_arena::seat::Sandbox;
//! use floe_arena::standings::markdown;
//! use floe_arena::tournament::{Description, Ended, Tournament};
//! let folder = tempfile::tempdir()?;
//! let text = "game = 'flood'\n[boards]\nsetup = '4x4'\n[entrants]\na = 'greedy'\nb = 'random'\n";
//! let description = Description::read(text, &folder.path().join("cup.toml"))?;
//! let mut tournament = Tournament::open(description, false)?;
//! let runner = tournament.runner(Sandbox::none(), 1, None);
//! let ended = tournament.run(&runner, &Default::default(), |_, record| {
//!     println!("game {} is over", record.opening.id);
//! })?;
//! assert_eq!(ended, Ended::Finished);
//! println!("{}", markdown(&tournament.standings()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod counting;
mod description;
mod format;
pub mod parts;
mod plan;
mod playing;
mod ranking;
mod repair;
mod taking_out;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use self::counting::{Seen, Unit};
use self::plan::Plan;
use self::repair::ScheduleRepair;
use crate::BoardsError;
use crate::live::Broadcast;
use crate::load::Reading;
use crate::runner::{CorePool, FailedGame, Runner, RunnerError};
use crate::schedule::{KnockoutError, ScheduleError};
use crate::scoreboard::Scoreboard;
use crate::seat::Sandbox;
use crate::store::{Store, StoreError, index_path};

pub use change::Change;
pub use description::{Description, EXTRA_BOARDS};
pub use format::{Format, FormatName};
pub use parts::{DescriptionError, MachineSpeed};

/// The reason why a tournament cannot be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// No schedule can be made.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// No knockout can be made.
    #[error(transparent)]
    Knockout(#[from] KnockoutError),
    /// No board can be made.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// The results cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The results were played under a different description.
    #[error("{}", change::message(changes))]
    Changed {
        /// The changes.
        changes: Vec<Change>,
    },
    /// The games cannot be played.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}

/// A tournament and its results.
#[derive(Debug)]
pub struct Tournament {
    description: Description,
    plan: Plan,
    store: Store,
    scoreboard: Scoreboard,
    /// The index of each stored entrant in the description.
    numbers: Vec<usize>,
    /// Whole units, where the plan depends on results.
    units: BTreeMap<u64, Unit>,
    /// Stored games of a schedule that was changed after they were played.
    mended: Option<ScheduleRepair>,
    seen: Seen,
    live: Broadcast,
    /// Games that failed in this run.
    failed_games: Vec<FailedGame>,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All games are played.
    Finished,
    /// The tournament was stopped; the next run resumes it.
    Stopped,
}

impl Tournament {
    /// Opens the results of a tournament, or starts it. Fails if the description changed since
    /// games were played, unless the changes are slight and `accepts_changes` is set. In a
    /// round-robin or gauntlet, entrants may join or leave: games of entrants that left do not
    /// count, and missing games of the others are played.
    pub fn open(
        description: Description,
        accepts_changes: bool,
    ) -> Result<Tournament, TournamentError> {
        let plan = Plan::new(&description)?;
        if let Some(folder) = description.records.parent() {
            let made = fs::create_dir_all(folder);
            made.map_err(|cause| StoreError::File {
                path: folder.to_owned(),
                cause,
            })?;
        }
        let store = Store::open(&description.records)?;
        let tournament = Tournament::new(description, plan, store)?;
        let mut changes = tournament.changes()?;
        if accepts_changes {
            changes.retain(|change| !change.is_slight);
        }
        match changes.is_empty() {
            true => Ok(tournament),
            false => Err(TournamentError::Changed { changes }),
        }
    }

    /// Opens the results read-only; another process may be playing.
    pub fn open_read_only(description: Description) -> Result<Tournament, TournamentError> {
        let plan = Plan::new(&description)?;
        let store = Store::open_read_only(&description.records)?;
        Tournament::new(description, plan, store)
    }

    fn new(
        description: Description,
        plan: Plan,
        store: Store,
    ) -> Result<Tournament, TournamentError> {
        let names = description
            .entrants
            .iter()
            .map(|entrant| entrant.name.clone());
        let mut tournament = Tournament {
            scoreboard: Scoreboard::new(names, description.table),
            description,
            plan,
            store,
            numbers: Vec::new(),
            units: BTreeMap::new(),
            mended: None,
            seen: Seen::default(),
            live: Broadcast::default(),
            failed_games: Vec::new(),
        };
        tournament.load()?;
        tournament.mend()?;
        Ok(tournament)
    }

    /// The description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The store of its results.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Its results so far.
    pub fn scoreboard(&self) -> &Scoreboard {
        &self.scoreboard
    }

    /// The channel for live events of its games.
    pub fn live(&self) -> &Broadcast {
        &self.live
    }

    /// The failed games of this run. The next run tries them again.
    pub fn failed_games(&self) -> &[FailedGame] {
        &self.failed_games
    }

    /// Games played by the present entrants.
    pub fn played(&self) -> u64 {
        self.seen.counted
    }

    /// Number of games; `None` if it depends on results.
    pub fn length(&self) -> Option<u64> {
        self.plan.length()
    }

    /// Moves the existing results to another file and returns its path; `None` if there are none.
    pub fn start_anew(description: &Description) -> Result<Option<PathBuf>, StoreError> {
        let records = &description.records;
        let fail = |cause: io::Error| StoreError::File {
            path: records.clone(),
            cause,
        };
        if !records.exists() {
            return Ok(None);
        }
        // No process may be playing.
        let store = Store::hold(records)?;
        let aside = (1..).map(|n| records.with_extension(format!("{n}.jsonl")));
        let aside = aside
            .into_iter()
            .find(|path| !path.exists())
            .unwrap_or_default();
        fs::rename(records, &aside).map_err(fail)?;
        match fs::remove_file(index_path(records)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fail(error)),
            _ => {}
        }
        drop(store);
        Ok(Some(aside))
    }

    /// A runner for the entrants, with `tables` concurrent games. Each game leases its cores from
    /// the pool, if there is one.
    pub fn runner(&self, sandbox: Sandbox, tables: usize, cores: Option<CorePool>) -> Runner {
        let description = &self.description;
        Runner {
            entrants: description.entrants.clone(),
            boards: description.boards.clone(),
            limits: description.limits.clone(),
            sandbox,
            tables,
            cores,
            live: self.live.clone(),
            meter: Reading::now,
        }
    }
}
