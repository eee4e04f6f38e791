//! The state shared by all requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io};

use floe_games::AnyGame;
use floe_games::puzzle::{self, Puzzle};
use floe_league::finals::FinalsFailure;
use tokio::sync::watch;

use crate::contests::Contests;
use crate::engine_pool::EnginePool;
use crate::error::WebError;
use crate::evaluations::Evaluations;
use crate::hosted::HostedGames;
use crate::league_service::LeagueService;
use crate::machines::MachineSource;
use crate::rates::Rates;
use crate::tables::ExternalGames;
use crate::token::{Token, TokenHash};

/// The state behind the pages. Clones share it.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    hosted: HostedGames,
    far: ExternalGames,
    engines: EnginePool,
    evaluations: Evaluations,
    contests: Contests,
    service: Option<Arc<LeagueService>>,
    finals: Option<FinalsFailure>,
    machines: Option<MachineSource>,
    /// Puzzles of the folder's file.
    puzzles: Vec<Puzzle>,
    organiser: TokenHash,
    is_behind_proxy: bool,
    hosts: Vec<String>,
    rates: Rates,
    metrics: Metrics,
    began: Instant,
}

/// Counters since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: AtomicU64,
    refusals: AtomicU64,
    watchers: AtomicU64,
}

impl Metrics {
    pub(crate) fn count_request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_refusal(&self) {
        self.refusals.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn watcher_came(&self) {
        self.watchers.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn watcher_left(&self) {
        self.watchers.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn figures(&self) -> (u64, u64, u64) {
        let read = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        (
            read(&self.requests),
            read(&self.refusals),
            read(&self.watchers),
        )
    }
}

/// The settings of the pages.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder for games of people and descriptions of tournaments.
    pub folder: PathBuf,
    /// Number of concurrent engines.
    pub engines: usize,
    /// Whether a reverse proxy is in front, which gives client addresses and handles TLS.
    pub is_behind_proxy: bool,
    /// Host names of this server, besides its addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The binary that calls `floe_sandbox::helper_main` first; empty for the running binary.
    pub helper: PathBuf,
    /// The reason why the league's finals are not played in the background; `None` if this server plays
    /// no games.
    pub finals: Option<FinalsFailure>,
    /// The cluster's machines, if a cluster plays the games.
    pub machines: Option<MachineSource>,
}

impl Settings {
    /// The settings for this folder, with one engine per core.
    pub fn new(folder: &Path) -> Self {
        let cores = std::thread::available_parallelism();
        Settings {
            folder: folder.to_owned(),
            engines: cores.map_or(1, std::num::NonZero::get),
            is_behind_proxy: false,
            hosts: Vec::new(),
            helper: PathBuf::new(),
            finals: None,
            machines: None,
        }
    }
}

impl App {
    /// The state for these settings, and the organiser's token, which grants every permission. The
    /// token is not stored.
    pub fn open(settings: &Settings) -> io::Result<(App, String)> {
        let engines = EnginePool::new(settings.engines)?;
        let organiser = Token::fresh().map_err(io::Error::other)?;
        let listing = watch::Sender::new(0);
        let games = settings.folder.join("games");
        let service = LeagueService::open(&settings.folder, &settings.helper)?;
        let app = App(Arc::new(Shared {
            hosted: HostedGames::open(&games, engines.clone(), listing.clone())?,
            far: ExternalGames::new(&settings.folder, listing),
            evaluations: Evaluations::new(engines.clone()),
            engines,
            contests: Contests::new(
                &settings.folder,
                service.as_ref().map(|service| service.league().clone()),
            ),
            service,
            finals: settings.finals.clone(),
            machines: settings.machines.clone(),
            puzzles: own_puzzles(&settings.folder)?,
            organiser: organiser.hash(),
            is_behind_proxy: settings.is_behind_proxy,
            hosts: (settings.hosts.iter())
                .map(|host| host.trim_end_matches('.').to_ascii_lowercase())
                .collect(),
            rates: Rates::default(),
            metrics: Metrics::default(),
            began: Instant::now(),
        }));
        Ok((app, organiser.text().to_owned()))
    }

    pub(crate) fn hosted(&self) -> &HostedGames {
        &self.0.hosted
    }

    /// The games of other processes.
    pub(crate) fn far(&self) -> &ExternalGames {
        &self.0.far
    }

    pub(crate) fn engines(&self) -> &EnginePool {
        &self.0.engines
    }

    pub(crate) fn evaluations(&self) -> &Evaluations {
        &self.0.evaluations
    }

    pub(crate) fn contests(&self) -> &Contests {
        &self.0.contests
    }

    /// The league of the folder, if it is one.
    pub(crate) fn league_service(&self) -> Option<&Arc<LeagueService>> {
        self.0.service.as_ref()
    }

    /// The reason why finals are not played in the background; `None` if this server plays no games.
    pub(crate) fn finals(&self) -> Option<&FinalsFailure> {
        self.0.finals.as_ref()
    }

    /// The cluster's machines, if a cluster plays the games.
    pub(crate) fn machines(&self) -> Option<&MachineSource> {
        self.0.machines.as_ref()
    }

    /// The puzzles of a game: built-in ones, then those of the folder.
    pub(crate) fn puzzles(&self, game: &'static dyn AnyGame) -> Result<Vec<Puzzle>, WebError> {
        let mut puzzles = puzzle::shipped(game).map_err(WebError::ours)?;
        let own = (self.0.puzzles.iter()).filter(|puzzle| puzzle.game == game.name());
        puzzles.extend(own.cloned());
        Ok(puzzles)
    }

    pub(crate) fn rates(&self) -> &Rates {
        &self.0.rates
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn is_behind_proxy(&self) -> bool {
        self.0.is_behind_proxy
    }

    /// The host names of this server, in lower case.
    pub(crate) fn hosts(&self) -> &[String] {
        &self.0.hosts
    }

    pub(crate) fn is_organiser(&self, token: &Token) -> bool {
        let is_lasting = |service: &Arc<LeagueService>| service.league().is_organiser(token);
        token.hash() == self.0.organiser
            || (self.0.service.as_ref()).is_some_and(|service| is_lasting(service).unwrap_or(false))
    }

    pub(crate) fn uptime(&self) -> Duration {
        self.0.began.elapsed()
    }
}

/// The name of a folder's own puzzles, written by `floe puzzles`.
const PUZZLES: &str = "puzzles.json";

fn own_puzzles(folder: &Path) -> io::Result<Vec<Puzzle>> {
    let path = folder.join(PUZZLES);
    match fs::read_to_string(&path) {
        Ok(text) => puzzle::read(&text)
            .map_err(|error| io::Error::other(format!("{}:{error}", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("{}: {error}", path.display()),
        )),
    }
}
