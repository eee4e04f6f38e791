//! Tournaments: many entrants, described by a file, played to the end through any interruption.
//!
//! A [`Description`] says who plays what, how, and under which limits. A [`Tournament`] binds it
//! to its results: a file of records and a [`Store`] beside it. What is to be played next is a
//! function of the description and of the games that are finished, never of the order in which
//! they came or of the clock: a tournament that is killed at any moment and started again plays
//! exactly the games that are missing. Rounds that depend on results, as in swiss tournaments and
//! knockouts, are drawn from whole rounds only.
//!
//! Only whole units (a board in every rotation of the seats) count in [`Results`].
//!
//! ```
//! use floe_arena::seat::Sandbox;
//! use floe_arena::tournament::{Description, Ended, Tournament, markdown};
//! let folder = tempfile::tempdir()?;
//! let text = "game = 'flood'\n[boards]\nsetup = '4x4'\n[entrants]\na = 'greedy'\nb = 'random'\n";
//! let description = Description::read(text, &folder.path().join("cup.toml"))?;
//! let mut tournament = Tournament::open(description, false)?;
//! let runner = tournament.runner(Sandbox::none(), 1, None);
//! let ended = tournament.run(&runner, &Default::default(), |_, record| {
//!     println!("game {} is over", record.opening.id);
//! })?;
//! assert_eq!(ended, Ended::Finished);
//! println!("{}", markdown(&tournament.results()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod description;
mod export;
mod mended;
pub mod parts;
mod plan;
mod results;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;
use tracing::debug;

use self::mended::{Mended, Misfit};
use self::plan::{Plan, Stage};
use crate::BoardsError;
use crate::journal::take_out;
use crate::live::{Broadcast, Latest};
use crate::runner::{CorePool, PlaysPairings, Runner, RunnerError, SetAside};
use crate::schedule::{KnockoutError, Pairing, ScheduleError};
use crate::scoreboard::{Scoreboard, half_points_of};
use crate::seat::Sandbox;
use crate::store::{Filter, Followed, GameSummary, Store, StoreError, index_path};
use floe_games::record::Record;

pub use change::Change;
pub use description::{Description, Format, Pace};
pub use export::{csv, csv_line, json, markdown};
pub use parts::DescriptionError;
pub use results::{Bout, Margin, Meeting, Results, Row};

/// How often what was played is made lasting.
const COMMIT: Duration = Duration::from_millis(300);

/// Why a tournament cannot be played.
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
    /// The results there are were played under another description.
    #[error("{}", change::tell(changes))]
    Changed {
        /// What has changed.
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
    /// Where the store's entrants stand in the description.
    numbers: Vec<usize>,
    /// Whole units, where the plan depends on results.
    units: BTreeMap<u64, Unit>,
    /// Which games of the schedule are there, where others played some of them.
    mended: Option<Mended>,
    seen: Seen,
    live: Broadcast,
    snapshots: Latest<Results>,
    /// Games of this run that could not be played.
    set_aside: Vec<SetAside>,
}

/// What was noticed on the way through the games there were.
#[derive(Debug, Default)]
struct Seen {
    /// The games that were played first and last.
    first: Option<GameSummary>,
    last: Option<GameSummary>,
    /// Where the game stands that each entrant played last, and its number: by the store's numbers.
    last_of: BTreeMap<usize, (u64, u64)>,
    /// The number of a game that is not in the plan.
    misfit: Option<u64>,
    /// The number of a game on a board that is not played any more.
    lost_board: Option<u64>,
    /// Games of those who are entrants now.
    counted: u64,
}

/// What a whole unit of two came to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unit {
    /// Who played, in the order of its first game.
    seats: Vec<usize>,
    half_points: Vec<u64>,
    /// What each scored above the other, over its games.
    margins: Vec<i64>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything is played.
    Finished,
    /// It was stopped; it goes on when it is run again.
    Stopped,
}

impl Tournament {
    /// Opens the results of a tournament, or starts it. Whatever changed since games were played
    /// is an error, unless it is slight and `accepts_changes`. In a round-robin or gauntlet it is
    /// slight if entrants join or leave: games of those who left do not count, and what is missing
    /// among the others is played.
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

    /// Looks at the results of a tournament, which may be running.
    pub fn look(description: Description) -> Result<Tournament, TournamentError> {
        let plan = Plan::new(&description)?;
        let store = Store::look(&description.records)?;
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
            snapshots: Latest::default(),
            set_aside: Vec::new(),
        };
        tournament.load()?;
        tournament.mend()?;
        Ok(tournament)
    }

    /// Counts what is in the store.
    fn load(&mut self) -> Result<(), StoreError> {
        let Tournament {
            description,
            plan,
            store,
            scoreboard,
            numbers,
            units,
            seen,
            ..
        } = self;
        number_entrants(description, store, numbers);
        if store
            .table()
            .is_some_and(|table| table != description.table)
        {
            return Ok(());
        }
        let is_fixed = !plan.needs_results();
        let take_in = |game: GameSummary| {
            count(&game, numbers, plan, scoreboard, units);
            seen.counted += u64::from(!seats(&game, numbers).contains(&usize::MAX));
            if is_fixed && seen.misfit.is_none() && !plan.has(&game, &seats(&game, numbers)) {
                seen.misfit = Some(game.number);
            }
            let start = game.place.start;
            for part in &game.seats {
                let last = seen.last_of.entry(part.entrant).or_default();
                *last = (*last).max((start, game.number));
            }
            if seen
                .first
                .as_ref()
                .is_none_or(|first| start < first.place.start)
            {
                seen.first = Some(game.clone());
            }
            if seen
                .last
                .as_ref()
                .is_none_or(|last| start > last.place.start)
            {
                seen.last = Some(game);
            }
        };
        match store.is_looked_at() {
            true => store.follow(take_in).map(|_| ())?,
            false => store.each(&Filter::default(), take_in)?,
        }
        if !is_fixed {
            // What is in the plan is known only now that all results are.
            let drawn = plan.drawn(units);
            store.each(&Filter::default(), |game| {
                if drawn.get(&game.number) != Some(&seats(&game, numbers)) {
                    seen.misfit.get_or_insert(game.number);
                }
            })?;
        }
        Ok(())
    }

    /// Takes in the games that somebody else has played since this was opened or last called, and
    /// reads nothing else. For tournaments that are [looked](Self::look) at.
    pub fn follow(&mut self) -> Result<Followed, TournamentError> {
        let mut games = Vec::new();
        let followed = self.store.follow(|game| games.push(game))?;
        let table = self.store.table();
        if table.is_none_or(|table| table == self.description.table) {
            games.iter().for_each(|game| self.count(game));
        }
        Ok(followed)
    }

    /// Brings the schedule and the games that are there together, if they are not anyway.
    fn mend(&mut self) -> Result<(), StoreError> {
        self.mended = None;
        let (Some(schedule), Some(_)) = (self.plan.schedule(), self.seen.misfit) else {
            return Ok(());
        };
        let known = |game: &GameSummary| {
            let seats = seats(game, &self.numbers);
            (!seats.contains(&usize::MAX)).then_some(seats)
        };
        match Mended::find(&self.store, known, schedule, &self.description.boards) {
            Ok(mended) => self.mended = Some(mended),
            Err(Misfit::Board(number)) => self.seen.lost_board = Some(number),
            Err(Misfit::Store(error)) => return Err(error),
        }
        Ok(())
    }

    /// The description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The store of its results.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// What it has come to.
    pub fn scoreboard(&self) -> &Scoreboard {
        &self.scoreboard
    }

    /// Where everything that happens in its games is told.
    pub fn live(&self) -> &Broadcast {
        &self.live
    }

    /// Its results as they come in: while it runs the quick ones, several times a second as long
    /// as anybody holds the series, and at the end of a run those with error bars.
    pub fn snapshots(&self) -> Latest<Results> {
        self.snapshots.clone()
    }

    /// The games that could not be played in this run, through no fault of those who were to play
    /// them. They are tried again when it is run again.
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// How many games there are of those who are entrants now.
    pub fn played(&self) -> u64 {
        self.seen.counted
    }

    /// How many games it has; `None` where that depends on results.
    pub fn length(&self) -> Option<u64> {
        self.plan.length()
    }

    /// Moves the results there are out of the way and returns where the records are now; nothing if
    /// there are none.
    pub fn start_anew(description: &Description) -> Result<Option<PathBuf>, StoreError> {
        let records = &description.records;
        let fail = |cause: io::Error| StoreError::File {
            path: records.clone(),
            cause,
        };
        if !records.exists() {
            return Ok(None);
        }
        // Nobody may be playing.
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

    /// Takes the games that a worker of a cluster played out of the records, as [`take_out`] does,
    /// and returns how many there were and where they are now. Nobody may be playing.
    pub fn take_out_games_of(
        description: &Description,
        worker: &str,
    ) -> Result<(u64, PathBuf), StoreError> {
        let records = &description.records;
        let fail = |cause: io::Error| StoreError::File {
            path: records.clone(),
            cause,
        };
        let lock = Store::hold(records)?;
        let aside = records.with_extension("taken-out.jsonl");
        let games =
            take_out(records, &aside, |record| is_of_worker(record, worker)).map_err(fail)?;
        match fs::remove_file(index_path(records)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fail(error)),
            _ => {}
        }
        drop(lock);
        Ok((games, aside))
    }

    /// Everybody and everything that plays it, at so many tables at once.
    /// Each game gets cores of its own from the pool, if there is one.
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
        }
    }

    /// Plays what is missing, until nothing is or somebody sets `stop`. Games under way are then
    /// broken off. `watch` sees the tournament after every game.
    ///
    /// The runner must be made by [`runner`](Self::runner), of seats that may have been fenced, or
    /// play elsewhere what that one would play here.
    pub fn run(
        &mut self,
        runner: &dyn PlaysPairings,
        stop: &Arc<AtomicBool>,
        mut watch: impl FnMut(&Tournament, &Record),
    ) -> Result<Ended, TournamentError> {
        let ended = self.play_stages(runner, stop, &mut watch);
        self.store.commit()?;
        if self.snapshots.is_watched() {
            self.snapshots.publish(self.results());
        }
        debug!(
            name = self.description.name,
            ?ended,
            "the tournament pauses or is over"
        );
        ended
    }

    fn play_stages(
        &mut self,
        runner: &dyn PlaysPairings,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(&Tournament, &Record),
    ) -> Result<Ended, TournamentError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            let before = self.store.games()?;
            match self.plan.stage(&self.units)? {
                None => return Ok(Ended::Finished),
                Some(Stage::Games(games)) => {
                    let mut missing = Vec::new();
                    for game in games {
                        if !self.store.has(game.number)? {
                            missing.push(game);
                        }
                    }
                    self.play(runner, missing.into_iter(), stop, watch)?;
                }
                Some(Stage::All(schedule)) if self.mended.is_some() => {
                    let missing = |mended: Option<Mended>| {
                        let mended = mended.into_iter();
                        mended.flat_map(|mended| mended.missing(&schedule))
                    };
                    self.play(runner, missing(self.mended.clone()), stop, watch)?;
                    self.mend()?;
                    return Ok(match missing(self.mended.clone()).next() {
                        None => Ended::Finished,
                        Some(_) => Ended::Stopped,
                    });
                }
                Some(Stage::All(schedule)) => {
                    let gaps = gaps(&mut self.store, schedule.len())?;
                    let games = gaps.into_iter().flatten();
                    let games = games.filter_map(move |number| schedule.pairing(number));
                    self.play(runner, games, stop, watch)?;
                    let is_whole = self.store.games()? >= self.plan.length().unwrap_or(0);
                    return Ok(if is_whole {
                        Ended::Finished
                    } else {
                        Ended::Stopped
                    });
                }
            }
            if self.store.games()? == before {
                // Nothing came of it: whoever stopped us, there is no point in trying again.
                return Ok(Ended::Stopped);
            }
        }
    }

    fn play(
        &mut self,
        runner: &dyn PlaysPairings,
        mut games: impl Iterator<Item = Pairing> + Send,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(&Tournament, &Record),
    ) -> Result<(), TournamentError> {
        let mut failed = None;
        let mut committed = Instant::now();
        let played = runner.play_pairings(&mut games, stop, &mut |_, record| {
            let added = self.add(&record).and_then(|()| {
                if committed.elapsed() > COMMIT {
                    self.store.commit()?;
                    if self.snapshots.is_watched() {
                        self.snapshots.publish(self.live_results());
                    }
                    committed = Instant::now();
                }
                Ok(())
            });
            match added {
                Ok(()) => {
                    watch(self, &record);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match failed {
            Some(error) => Err(error.into()),
            None => {
                // A round that is drawn again tries its games again.
                let asides = played?;
                self.set_aside
                    .retain(|old| asides.iter().all(|new| new.id != old.id));
                self.set_aside.extend(asides);
                Ok(())
            }
        }
    }

    fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        if let Some(game) = self.store.add(record)? {
            self.count(&game);
        }
        Ok(())
    }

    /// Counts a game that is in the store now.
    fn count(&mut self, game: &GameSummary) {
        let Tournament {
            description,
            plan,
            store,
            scoreboard,
            numbers,
            units,
            ..
        } = self;
        if store.entrants().len() > numbers.len() {
            number_entrants(description, store, numbers);
        }
        count(game, numbers, plan, scoreboard, units);
        self.seen.counted += u64::from(!seats(game, numbers).contains(&usize::MAX));
    }

    /// The table, with error bars. Takes some milliseconds to some seconds.
    pub fn results(&self) -> Results {
        Results::of(self, 200)
    }

    /// The table as it is wanted while games are played: soon.
    pub fn live_results(&self) -> Results {
        Results::of(self, 0)
    }
}

/// Whether a worker of a cluster played this game.
pub fn is_of_worker(record: &Record, worker: &str) -> bool {
    let machine = record.opening.machine.as_ref();
    machine.is_some_and(|machine| machine.worker == worker)
}

/// Where the store's entrants stand in the description; past its end if nowhere.
fn number_entrants(description: &Description, store: &Store, numbers: &mut Vec<usize>) {
    let number = |name: &String| {
        let mut entrants = description.entrants.iter();
        entrants
            .position(|entrant| entrant.name == *name)
            .unwrap_or(usize::MAX)
    };
    numbers.clear();
    numbers.extend(store.entrants().iter().map(|entrant| number(&entrant.name)));
}

fn seats(game: &GameSummary, numbers: &[usize]) -> Vec<usize> {
    let number = |entrant: usize| numbers.get(entrant).copied().unwrap_or(usize::MAX);
    game.seats.iter().map(|part| number(part.entrant)).collect()
}

fn count(
    game: &GameSummary,
    numbers: &[usize],
    plan: &Plan,
    scoreboard: &mut Scoreboard,
    units: &mut BTreeMap<u64, Unit>,
) {
    let whole = scoreboard.add(game, &seats(game, numbers));
    if let (true, Some(games)) = (plan.needs_results(), whole) {
        // The first game of the unit names the order.
        let Some(seats) = games.first().map(|first| first.seats.clone()) else {
            return;
        };
        let mut half_points = vec![0; seats.len()];
        let mut margins = vec![0; seats.len()];
        for game in &games {
            for (seat, half) in half_points_of(&game.places).into_iter().enumerate() {
                if let Some(at) = (seats.iter()).position(|&entrant| entrant == game.seats[seat]) {
                    half_points[at] += half;
                    margins[at] += game.margins[seat];
                }
            }
        }
        let unit = Unit {
            seats,
            half_points,
            margins,
        };
        units.insert(game.unit(), unit);
    }
}

/// The numbers below `length` of which there is no game, as ranges. Reads the numbers beyond the
/// first that is missing; memory grows with the gaps, which are few.
fn gaps(store: &mut Store, length: u64) -> Result<Vec<std::ops::Range<u64>>, StoreError> {
    const STEP: usize = 4096;
    let mut next = store.first_open()?;
    let mut gaps = Vec::new();
    loop {
        let numbers = store.numbers(next, STEP)?;
        for &number in &numbers {
            if number > next {
                gaps.push(next..number.min(length));
            }
            next = number + 1;
        }
        if numbers.len() < STEP {
            gaps.push(next..length.max(next));
            return Ok(gaps);
        }
    }
}
