//! The organiser: pairings in, records out, played by workers.
//!
//! It is a runner like that of one machine. Games go out in batches of whole units, about ten
//! seconds' worth each. Only enough batches are out that every worker has one and another waits:
//! schedules stay lazy. When a game comes back, the organiser judges it, passes it on to be written
//! to the file of records, and only then acknowledges its message. The file alone decides what is
//! done: a game that comes twice, from whatever run, is dropped.
//!
//! Lost batches are found: batches that are neither in the queue nor answered are published again,
//! and so are those that a worker holds for far longer than others needed.

mod batches;
mod game_feed;
mod here;
mod inbox;
mod queue;
mod run;
mod shares;
mod streams;
mod updates;
mod workers;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::runner::{
    FailedGame, GameSource, NamedSeat, NextGame, Played, PlaysGames, Runner, RunnerError,
};
use floe_arena::schedule::Pairing;
use floe_arena::seat::Sandbox;
use floe_arena::speed::Speeds;
use floe_games::record::Record;
use parking_lot::Mutex;
use tokio::runtime::Runtime;

use self::game_feed::{GameFeed, Giver};
use self::shares::Shares;
use self::streams::{Generations, Prepared};
use self::workers::Workers;
use crate::beside::{Ban, Bans, RunId};
use crate::error::ClusterError;
use crate::link::{Address, Link};
use crate::programs;
use crate::wire::{PackedProgram, SpeedRule, program_key, random_id};

/// Games that were passed in and not requested yet.
const GIVEN: usize = 64;

/// Time during which reports of a missing program are ignored after it was uploaded again.
const UPLOADED: Duration = Duration::from_secs(5);

/// The options of an organiser.
#[derive(Debug, Clone)]
pub struct OrganiserOptions {
    /// The cluster's address.
    pub address: Address,
    /// The file of the records. The ID of the run and the banned workers are stored next to it, so
    /// that a resuming organiser receives what was played since. `None` without a file.
    pub records: Option<PathBuf>,
    /// Whether the contest has games already; if not, earlier jobs are discarded.
    pub goes_on: bool,
    /// The least level of the sandbox for programs.
    pub sandbox: u8,
    /// Worker timeout: silence after which a worker's games go to another one.
    pub patience: Duration,
    /// Playing time of a batch.
    pub batch: Duration,
    /// Spot checks per thousand games, among games that play alike on every machine.
    pub again_per_mille: u32,
    /// The required machine speed, if any.
    pub speed: Option<SpeedRule>,
    /// Contests of a higher priority get workers first.
    pub priority: u8,
    /// Share of the workers among contests of the same priority.
    pub weight: u32,
}

/// Priority of most contests.
pub const PRIORITY: u8 = 5;
/// Priority of finals.
pub const PRIORITY_OF_FINALS: u8 = 9;

impl OrganiserOptions {
    /// Worker timeout 30 s, batches of 10 s, 1.5 % spot checks.
    pub fn new(address: Address) -> OrganiserOptions {
        OrganiserOptions {
            address,
            records: None,
            goes_on: false,
            sandbox: 0,
            patience: Duration::from_secs(30),
            batch: Duration::from_secs(10),
            again_per_mille: 15,
            speed: None,
            priority: PRIORITY,
            weight: 1,
        }
    }

    /// The name of the contest: that of its records file.
    fn name(&self) -> String {
        let records = self.records.as_ref().and_then(|path| path.file_stem());
        records.map_or("a match".to_owned(), |stem| {
            stem.to_string_lossy().into_owned()
        })
    }
}

/// The progress of an organiser's games.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunStatus {
    /// Workers that are present and take work.
    pub workers: usize,
    /// The cores of these workers.
    pub cores: usize,
    /// Games received since the organiser started.
    pub games: u64,
    /// Games per second since the organiser started.
    pub games_per_second: f64,
    /// Games requested and not received yet.
    pub out: usize,
    /// Remarks about workers, a line each.
    pub remarks: Vec<String>,
}

/// Plays the games of a runner on the machines of a cluster.
#[derive(Debug)]
pub struct Organiser {
    runner: Runner,
    options: OrganiserOptions,
    runtime: Runtime,
    link: Link,
    streams: Arc<Generations>,
    run: String,
    /// The ID of this process in its batches.
    session: String,
    /// Decides which games are spot-checked; workers do not know it.
    secret: [u8; 16],
    /// The programs in the store, by [`program_key`].
    programs: Mutex<BTreeMap<String, PackedProgram>>,
    /// Uploaded programs, by the names of their objects.
    uploads: Mutex<BTreeMap<String, Upload>>,
    workers: Arc<Mutex<Workers>>,
    /// The announcements of other organisers.
    shares: Arc<Mutex<Shares>>,
    /// The sandbox of this machine, if it suffices for the programs.
    sandbox: OnceLock<Option<Sandbox>>,
    /// Held while a game is played here, one at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// A program that was uploaded.
#[derive(Debug)]
struct Upload {
    player: NamedSeat,
    /// The latest upload.
    last: Option<Instant>,
}

impl Organiser {
    /// Connects to a cluster, makes missing streams, and uploads the programs of the runner's
    /// seats.
    pub fn connect(runner: Runner, options: OrganiserOptions) -> Result<Organiser, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let connecting = streams::connect(&options.address, options.patience);
        let Prepared {
            link,
            streams,
            remarks,
        } = runtime.block_on(connecting)?;
        let (run, leftover) = match &options.records {
            Some(records) => {
                let (id, leftover) = RunId::open(records, options.goes_on)?;
                (id.run, leftover)
            }
            None => (random_id()?, None),
        };
        let organiser = Organiser {
            runner,
            options,
            runtime,
            link,
            streams: Arc::new(streams),
            run,
            session: random_id()?,
            secret: chance_bytes()?,
            programs: Mutex::default(),
            uploads: Mutex::default(),
            workers: Arc::default(),
            shares: Arc::default(),
            sandbox: OnceLock::new(),
            turn: Arc::default(),
        };
        let signature = Speeds::measure().signature;
        {
            let mut workers = organiser.workers.lock();
            workers.signature = signature;
            remarks.into_iter().for_each(|line| workers.remark(line));
        }
        if let Some(records) = &organiser.options.records {
            let bans = Bans::beside(records);
            organiser.workers.lock().store_bans(bans)?;
        }
        organiser.carry_programs(&organiser.runner.entrants)?;
        organiser.tidy_store();
        organiser.listen()?;
        if let Some(leftover) = leftover {
            organiser.clear(&leftover);
        }
        Ok(organiser)
    }

    /// Uploads the programs of these players that the store lacks.
    fn carry_programs(&self, players: &[NamedSeat]) -> Result<(), ClusterError> {
        if players.iter().any(|player| player.seat.is_program()) {
            self.workers.lock().sandbox = self.options.sandbox;
        }
        let is_new = |player: &&NamedSeat| {
            let key = program_key(&player.seat.entrant(""));
            key.is_some_and(|key| !self.programs.lock().contains_key(&key))
        };
        let new: Vec<NamedSeat> = players.iter().filter(is_new).cloned().collect();
        if new.is_empty() {
            return Ok(());
        }
        let game = self.runner.boards.game();
        let carried = programs::upload(&self.link, game, &new, false);
        let carried = self.runtime.block_on(carried)?;
        let mut uploads = self.uploads.lock();
        for player in new {
            let key = program_key(&player.seat.entrant(""));
            let packed = key.and_then(|key| carried.get(&key));
            if let Some(packed) = packed {
                let upload = Upload { player, last: None };
                uploads.insert(packed.object.clone(), upload);
            }
        }
        self.programs.lock().extend(carried);
        Ok(())
    }

    /// Removes programs that no contest has used for long from the store.
    fn tidy_store(&self) {
        let (link, workers) = (self.link.clone(), Arc::clone(&self.workers));
        self.runtime.spawn(async move {
            match programs::evict_from_store(&link, &programs::UNUSED).await {
                Ok(0) => {}
                Ok(removed) => workers.lock().remark(format!(
                    "removed {removed} programs from the store that no contest had used for long"
                )),
                Err(error) => tracing::debug!(%error, "the store is not tidied"),
            }
        });
    }

    /// Uploads a program again if the store has lost it, unless that was just done. `false` if the
    /// program is not this organiser's.
    fn carry_again(&self, object: &str) -> bool {
        let mut uploads = self.uploads.lock();
        let Some(upload) = uploads.get_mut(object) else {
            return false;
        };
        if upload.last.is_some_and(|when| when.elapsed() < UPLOADED) {
            return true;
        }
        upload.last = Some(Instant::now());
        let players = [upload.player.clone()];
        drop(uploads);
        let (link, game) = (self.link.clone(), self.runner.boards.game());
        let workers = Arc::clone(&self.workers);
        let name = players[0].name.clone();
        self.runtime.spawn(async move {
            let uploaded = match link.prepare_store().await {
                Ok(()) => programs::upload(&link, game, &players, true)
                    .await
                    .map(drop),
                Err(error) => Err(error),
            };
            workers.lock().remark(match uploaded {
                Ok(()) => format!("the store had lost the program of {name}: uploaded again"),
                Err(error) => {
                    format!(
                        "the store has lost the program of {name}, and refuses a new copy: {error}"
                    )
                }
            });
        });
        true
    }

    /// The ID of the run in the cluster.
    pub fn run_id(&self) -> &str {
        &self.run
    }

    /// The progress.
    pub fn status(&self) -> RunStatus {
        let known = self.workers.lock();
        let workers = || known.at_work();
        let seconds = known
            .began
            .map_or(0.0, |began| began.elapsed().as_secs_f64());
        RunStatus {
            workers: workers().count(),
            cores: workers().map(|worker| worker.cores).sum(),
            games: known.games,
            games_per_second: known.games as f64 / seconds.max(0.001),
            out: known.out,
            remarks: known.remarks().to_vec(),
        }
    }

    /// Sends all remarks about workers, one line each and each once: earlier ones now, later ones
    /// as they happen. The callback must not call the organiser.
    pub fn send_remarks_to(&self, tell: impl Fn(&str) + Send + 'static) {
        self.workers.lock().send_remarks_to(Box::new(tell));
    }

    /// Bytes received and sent since the connection was made.
    pub fn traffic(&self) -> (u64, u64) {
        let counted = self.link.client.statistics();
        let read = counted.in_bytes.load(Ordering::Relaxed);
        (read, counted.out_bytes.load(Ordering::Relaxed))
    }

    /// Banned workers, with the reasons.
    pub fn banned(&self) -> BTreeMap<String, Ban> {
        self.workers.lock().banned().clone()
    }
}

impl PlaysGames for Organiser {
    fn entrants(&self) -> &[NamedSeat] {
        &self.runner.entrants
    }

    fn play_pairings(
        &self,
        games: &mut (dyn Iterator<Item = Pairing> + Send),
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let length = games.size_hint().1.map(|games| games as u64);
        let feed = GameFeed::new(Giver::Schedule(games, &self.runner.entrants), length);
        self.play(feed, stop, &mut |played| match played {
            Played::Game(pairing, record) => done(pairing, *record),
            Played::Not(..) => ControlFlow::Continue(()),
        })
    }

    fn play_games(
        &self,
        games: GameSource<NextGame<'_>>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let GameSource { next, length, .. } = games;
        let halt = AtomicBool::new(false);
        let (give, given) = mpsc::sync_channel(GIVEN);
        thread::scope(|scope| {
            let halt = &halt;
            let asking = move || {
                while let Some(game) = next(halt) {
                    if give.send(game).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .name("games".to_owned())
                .spawn_scoped(scope, asking)?;
            let feed = GameFeed::new(Giver::Somebody(given), length);
            let result = self.play(feed, stop, done);
            halt.store(true, Ordering::Relaxed);
            result
        })
    }
}

impl Organiser {
    fn play(
        &self,
        feed: GameFeed<'_>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        self.workers.lock().began.get_or_insert_with(Instant::now);
        let inbox = self.open_inbox();
        let result = run::Run::new(self, feed, &inbox, stop).play(done);
        inbox.is_over.store(true, Ordering::Relaxed);
        self.workers.lock().sum_up();
        self.announce_run(&self.news(0));
        // Unwanted jobs need not be played.
        self.clear(&self.run);
        result
    }
}

/// Random, unguessable bytes.
fn chance_bytes() -> Result<[u8; 16], ClusterError> {
    let mut bytes = [0; 16];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|e| ClusterError::Start(std::io::Error::other(e.to_string())))?;
    Ok(bytes)
}
