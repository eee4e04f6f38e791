//! Matches between Python functions, engines and programs, by the arena's referee.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use floe_arena::Boards;
use floe_arena::journal::RecordWriter;
use floe_arena::live::Broadcast;
use floe_arena::load::Reading;
use floe_arena::runner::{NamedSeat, Runner};
use floe_arena::schedule::{Pairing, Schedule};
use floe_arena::scoreboard::{EntrantTotals, Scoreboard};
use floe_arena::seat::{Sandbox, Seat};
use floe_arena::store::GameSummary;
use floe_games::{AnyGame, record};
use floe_rating::Estimate;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::engines::seconds;
use crate::errors::wrong;
use crate::functions::Functions;
use crate::position::game;
use crate::record::Record;

/// The time limit of a Python function: one hour per move.
const PATIENT_MS: u64 = 3_600_000;

/// A value with the ends of its 95 % interval.
type Interval = (f64, f64, f64);

/// One seat's result in a match.
#[pyclass(frozen, module = "floe", get_all)]
#[derive(Clone)]
pub(crate) struct Standing {
    /// The seat's name.
    name: String,
    /// Games that count: those of boards that were played in every rotation.
    games: u64,
    /// Games won alone.
    wins: u64,
    /// Games with a shared first place.
    draws: u64,
    /// Games that an opponent won.
    losses: u64,
    /// The share of points, from 0 to 1.
    score: Option<f64>,
    /// The mean score minus the best opponent's.
    margin: Option<f64>,
    /// The 95 % interval of the margin.
    margin_interval: Option<(f64, f64)>,
    /// Milliseconds a move on average.
    ms_per_move: Option<f64>,
    /// The number of faults of each kind.
    faults: BTreeMap<&'static str, u64>,
}

#[pymethods]
impl Standing {
    fn __repr__(&self) -> String {
        let Standing {
            name,
            games,
            wins,
            draws,
            losses,
            ..
        } = self;
        format!("<Standing {name}: {games} games, +{wins} ={draws} -{losses}>")
    }
}

/// The settings of a match: see `floe.play`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Plan {
    game: String,
    /// A name and a function, or a name and a seat argument of `floe match`.
    seats: Vec<(String, Py<PyAny>)>,
    boards: u64,
    setup: String,
    seed: u64,
    time: Option<f64>,
    concurrency: usize,
    records: Option<PathBuf>,
    helper: Option<PathBuf>,
}

/// Plays a match: the standings, the Elo of the first seat over the second with its interval, the
/// chance that it is better, and the records.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub(crate) fn play_match<'py>(py: Python<'py>, plan: Plan) -> PyResult<Bound<'py, PyDict>> {
    let mut functions = Functions::new();
    let runner = plan.runner(py, &mut functions)?;
    let seats = runner.entrants.len();
    let schedule = Schedule::round_robin(seats, seats, plan.boards, 0).map_err(wrong)?;
    let names = runner.entrants.iter().map(|one| one.name.clone());
    let mut played = PlayedMatch {
        scoreboard: Scoreboard::new(names, seats),
        records: Vec::new(),
        journal: None,
        failed: None,
    };
    if let Some(path) = &plan.records {
        played.journal = Some(RecordWriter::open(path).map_err(|error| unwritten(path, &error))?);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let failed_games = thread::scope(|scope| {
        // The player thread never needs the interpreter: functions are called from this thread.
        let player = thread::Builder::new().spawn_scoped(scope, || {
            runner.run(schedule.pairings(), &stop, |pairing, record| {
                played.add(&pairing, record)
            })
        })?;
        let answered = functions.answer(py, &|| player.is_finished());
        if answered.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        let games = py.detach(|| player.join());
        answered?;
        let games = games.map_err(|_| PyRuntimeError::new_err("the match failed"))?;
        games.map_err(wrong)
    })?;
    if let (Some(error), Some(path)) = (&played.failed, &plan.records) {
        return Err(unwritten(path, error));
    }
    if let Some(game) = failed_games.first() {
        return Err(PyRuntimeError::new_err(game.to_string()));
    }
    played.result(py)
}

fn unwritten(path: &Path, error: &io::Error) -> PyErr {
    PyOSError::new_err(format!("{}: {error}", path.display()))
}

impl Plan {
    /// The players, boards and limits.
    fn runner<'py>(&self, py: Python<'py>, functions: &mut Functions<'py>) -> PyResult<Runner> {
        let game = game(&self.game)?;
        let mut limits = game.contest_limits();
        if let Some(time) = self.time {
            limits.move_ms = (seconds(time)?.as_millis() as u64).max(1);
        }
        let mut entrants = Vec::new();
        for (name, who) in &self.seats {
            let who = who.bind(py);
            let (seat, own_limits) = match who.extract::<String>() {
                Ok(word) => (
                    Seat::read(&word, game, Path::new(".")).map_err(wrong)?,
                    None,
                ),
                Err(_) => {
                    let seat = functions.seat(name, who.clone())?;
                    let mut patient = limits.clone();
                    if self.time.is_none() {
                        patient.move_ms = PATIENT_MS;
                    }
                    (seat, Some(patient))
                }
            };
            if matches!(seat, Seat::Human) {
                return Err(wrong(
                    "`human` plays with `floe play`; a match is for functions, engines and programs",
                ));
            }
            entrants.push(NamedSeat {
                name: name.clone(),
                seat,
                limits: own_limits,
            });
        }
        // Functions play one game at a time.
        let tables = if functions.is_empty() {
            self.concurrency.max(1)
        } else {
            1
        };
        Ok(Runner {
            boards: self.boards_for(game, entrants.len())?,
            sandbox: self.sandbox(&entrants, tables)?,
            entrants,
            limits,
            tables,
            cores: None,
            live: Broadcast::default(),
            meter: Reading::now,
        })
    }

    fn boards_for(&self, game: &'static dyn AnyGame, seats: usize) -> PyResult<Boards> {
        let boards = Boards::made_for(game, &self.setup, self.seed, seats).map_err(wrong)?;
        let players = boards.players().unwrap_or_default();
        if players as usize == seats {
            return Ok(boards);
        }
        Err(wrong(format!(
            "the board is for {players} and {seats} seats are given"
        )))
    }

    fn sandbox(&self, entrants: &[NamedSeat], tables: usize) -> PyResult<Sandbox> {
        let programs = entrants.iter().filter(|one| one.seat.is_program()).count();
        match (programs, &self.helper) {
            (0, _) => Ok(Sandbox::none()),
            (_, Some(helper)) => Sandbox::find(helper, 0, programs * tables).map_err(wrong),
            (_, None) => Err(wrong(
                "programs run in the sandbox of the command `floe`, which is not on the PATH; install \
                 it, or name its file in the environment variable FLOE",
            )),
        }
    }
}

/// The played part of a match.
struct PlayedMatch {
    scoreboard: Scoreboard,
    /// The records, with their numbers in the schedule.
    records: Vec<(u64, record::Record)>,
    journal: Option<RecordWriter>,
    /// The reason why records cannot be written any more.
    failed: Option<io::Error>,
}

impl PlayedMatch {
    fn add(&mut self, pairing: &Pairing, record: record::Record) -> ControlFlow<()> {
        if let Some(Err(error)) = self.journal.as_mut().map(|file| file.append(&record)) {
            self.failed = Some(error);
            return ControlFlow::Break(());
        }
        if let Ok(game) = GameSummary::of(&record, 0..0) {
            self.scoreboard.add(&game, &pairing.seats);
        }
        self.records.push((pairing.number, record));
        ControlFlow::Continue(())
    }

    /// The results.
    fn result(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let scoreboard = &self.scoreboard;
        let rows = scoreboard.names().iter().zip(scoreboard.totals());
        let standings: Vec<Standing> = rows.map(|(name, totals)| standing(name, totals)).collect();
        let pairs = scoreboard.pairs(0, 1).sample();
        let is_of_two = scoreboard.seats() == 2;
        self.records.sort_by_key(|(number, _)| *number);
        let records = self.records.into_iter().map(|(_, inner)| Record { inner });
        let out = PyDict::new(py);
        out.set_item("standings", standings)?;
        out.set_item("elo", pairs.elo().ok().filter(|_| is_of_two).map(interval))?;
        out.set_item("better", pairs.los().ok().filter(|_| is_of_two))?;
        out.set_item("records", records.collect::<Vec<_>>())?;
        Ok(out)
    }
}

fn interval(estimate: Estimate) -> Interval {
    (estimate.value, estimate.low, estimate.high)
}

fn standing(name: &str, totals: &EntrantTotals) -> Standing {
    let margin = totals.mean_margin();
    let faults = totals
        .faults
        .iter()
        .map(|(kind, &count)| (kind.name(), count));
    Standing {
        name: name.to_owned(),
        games: totals.games,
        wins: totals.wins,
        draws: totals.draws,
        losses: totals.losses(),
        score: totals.score(),
        margin: margin.map(|(mean, _)| mean),
        margin_interval: margin
            .and_then(|(_, interval)| interval)
            .map(|interval| (interval.low, interval.high)),
        ms_per_move: totals.ms_per_move(),
        faults: faults.collect(),
    }
}
