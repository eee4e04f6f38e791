//! The folder of a league.
//!
//! ```text
//! cup/league.toml          the organiser's settings
//! cup/journal.jsonl        everything that happened
//! cup/programs/ab/cdef…/   by content hash: what was sent, what was built, how it is started
//! cup/ladder.jsonl         records of the ladder
//! cup/remote.jsonl         records of games with remote programs
//! cup/finals-1.jsonl       records of finals
//! cup/index.sqlite         made from the records of the ladder
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use floe_arena::conformance::CheckReport;
use floe_arena::seat::{SandboxError, Seat, SeatError};
use floe_arena::store::Store;
use floe_arena::tournament::DescriptionError;
use floe_games::AnyGame;
use parking_lot::Mutex;
use thiserror::Error;

use crate::description::Description;
use crate::event::{Entry, Event};
use crate::journal::{Journal, JournalError};
use crate::recipe::Recipes;
use crate::state::LeagueState;
use crate::time;
use crate::versions::Version;

/// The name of the file the organiser writes.
pub const DESCRIPTION: &str = "league.toml";
const JOURNAL: &str = "journal.jsonl";
const PROGRAMS: &str = "programs";
/// The folder, in a program's folder, with the build that plays.
pub(crate) const BUILT: &str = "built";

/// The reason why a league could not be opened or changed.
#[derive(Debug, Error)]
pub enum LeagueError {
    /// The description is wrong.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file or folder cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The folder contains a league already.
    #[error("{} is there already; a new league needs a folder of its own", .0.display())]
    Exists(PathBuf),
    /// The folder contains no league.
    #[error(
        "{} is no league: it has no {DESCRIPTION}; `floe league new NAME --game GAME` makes one",
        .0.display()
    )]
    NoLeague(PathBuf),
    /// The machine does not reach the sandbox level that the league requires.
    #[error(
        "{error}. For programs of people you know, `sandbox = {reached}` in {DESCRIPTION} accepts this machine"
    )]
    TooWeak {
        /// What is missing.
        error: SandboxError,
        /// The level reached.
        reached: u8,
    },
    /// Programs cannot be run here.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The request was refused.
    #[error("{0}")]
    Refused(String),
}

/// A league. Clones share its state.
#[derive(Debug, Clone)]
pub struct League(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    description: Description,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    journal: Journal,
    standing: LeagueState,
}

impl League {
    /// Makes the folder of a new league and its description, atomically.
    pub fn create(folder: &Path, game: &dyn AnyGame) -> Result<League, LeagueError> {
        let fail = |path: &Path, cause| LeagueError::File {
            path: path.to_owned(),
            cause,
        };
        if folder.join(DESCRIPTION).exists() {
            return Err(LeagueError::Exists(folder.join(DESCRIPTION)));
        }
        fs::create_dir_all(folder).map_err(|e| fail(folder, e))?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| fail(folder, e))?;
        let text = first_description(game);
        let written = file.write_all(text.as_bytes());
        let path = folder.join(DESCRIPTION);
        written.map_err(|e| fail(&path, e))?;
        readable_by_group(file.path()).map_err(|e| fail(&path, e))?;
        let kept = file.persist_noclobber(&path);
        kept.map_err(|e| match e.error.kind() {
            io::ErrorKind::AlreadyExists => LeagueError::Exists(path.clone()),
            _ => fail(&path, e.error),
        })?;
        League::open(folder)
    }

    /// Whether a folder is a league: it has a description and a journal. A description alone may be
    /// a tournament's of the same name.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(DESCRIPTION).is_file() && folder.join(JOURNAL).is_file()
    }

    /// Opens a league.
    pub fn open(folder: &Path) -> Result<League, LeagueError> {
        let file = folder.join(DESCRIPTION);
        if !file.is_file() {
            return Err(LeagueError::NoLeague(folder.to_owned()));
        }
        let description = Description::load(&file)?;
        let folder = (folder.canonicalize()).map_err(|cause| LeagueError::File {
            path: folder.to_owned(),
            cause,
        })?;
        let journal = Journal::open(&folder.join(JOURNAL))?;
        let league = League(Arc::new(Shared {
            folder,
            description,
            inner: Mutex::new(Inner {
                journal,
                standing: LeagueState::default(),
            }),
        }));
        league.0.inner.lock().catch_up()?;
        Ok(league)
    }

    /// The league's folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// The league's description.
    pub fn description(&self) -> &Description {
        &self.0.description
    }

    /// Passes the current state to `look`; it includes changes by other processes.
    pub fn look<T>(&self, look: impl FnOnce(&LeagueState) -> T) -> Result<T, LeagueError> {
        let mut inner = self.0.inner.lock();
        inner.catch_up()?;
        Ok(look(&inner.standing))
    }

    /// A number that grows with every change, by any process.
    pub fn revision(&self) -> Result<u64, LeagueError> {
        let mut inner = self.0.inner.lock();
        inner.catch_up()?;
        Ok(inner.journal.end())
    }

    /// Records an event that depends on all earlier ones: it is on the disk when this returns, and
    /// no other event came in between.
    pub fn change<T>(
        &self,
        decide: impl FnOnce(&LeagueState) -> Result<(Vec<Event>, T), LeagueError>,
    ) -> Result<T, LeagueError> {
        let mut inner = self.0.inner.lock();
        let Inner { journal, standing } = &mut *inner;
        let mut result = None;
        let appended = journal.append(|news| {
            news.iter().for_each(|placed| standing.apply(placed));
            let (events, value) = decide(standing)?;
            result = Some(value);
            let at = time::now();
            let entries = events.into_iter().map(|event| Entry { at, event });
            Ok::<_, LeagueError>(entries.collect())
        })?;
        appended.iter().for_each(|placed| standing.apply(placed));
        result.ok_or_else(|| LeagueError::Refused("nothing was decided".to_owned()))
    }

    /// Records an event.
    pub fn record(&self, event: Event) -> Result<(), LeagueError> {
        self.change(|_| Ok((vec![event], ())))
    }

    /// The output of a version's build and conformance check, for its author and the organiser.
    pub fn log(&self, version: &Version) -> Result<String, LeagueError> {
        let Some(place) = version.verdict else {
            return Ok(String::new());
        };
        match self.0.inner.lock().journal.read_at(place)?.event {
            Event::Judged { log, .. } => Ok(log),
            _ => Ok(String::new()),
        }
    }

    /// The report of a version's conformance check, for the same readers; `None` before it is
    /// judged, or if the build failed.
    pub fn check_report(&self, version: &Version) -> Result<Option<CheckReport>, LeagueError> {
        let Some(place) = version.verdict else {
            return Ok(None);
        };
        match self.0.inner.lock().journal.read_at(place)?.event {
            Event::Judged { report, .. } => Ok(report.map(|report| *report)),
            _ => Ok(None),
        }
    }

    /// The recipes of the league.
    pub fn recipes(&self) -> Result<Recipes, LeagueError> {
        let rules = &self.description().submitting;
        let recipes = match &rules.recipes {
            Some(file) => Recipes::load(file)?,
            None => Recipes::built_in(),
        };
        Ok(recipes.only(rules.takes.clone()))
    }

    /// The folder of a program, by the hash of its upload.
    pub fn program_folder(&self, sha256: &str) -> PathBuf {
        let (first, rest) = sha256.split_at_checked(2).unwrap_or((sha256, ""));
        self.0.folder.join(PROGRAMS).join(first).join(rest)
    }

    /// The seat of an accepted version.
    pub fn seat(&self, version: &Version) -> Result<Seat, SeatError> {
        let word = version.seat.as_deref().unwrap_or_default();
        let built = self.program_folder(&version.sha256).join(BUILT);
        Seat::read(word, self.0.description.game, &built)
    }

    /// The file of the ladder's records.
    pub fn ladder_file(&self) -> PathBuf {
        self.0.folder.join("ladder.jsonl")
    }

    /// The file of the records of games with remote programs.
    pub fn remote_file(&self) -> PathBuf {
        self.0.folder.join("remote.jsonl")
    }

    /// The file of the records of finals.
    pub fn finals_file(&self, number: u32) -> PathBuf {
        self.0.folder.join(format!("finals-{number}.jsonl"))
    }

    /// Whether a living process plays finals.
    pub fn plays_finals(&self) -> Result<bool, LeagueError> {
        let under_way = self.look(finals_under_way)?;
        Ok(under_way.is_some_and(|number| Store::is_held(&self.finals_file(number))))
    }

    /// Records that the last finals are not being played, if no process writes to their records:
    /// their process was killed. Returns whether that was the case.
    pub fn end_abandoned_finals(&self) -> Result<bool, LeagueError> {
        if !self.look(|standing| standing.has_finals_under_way)? {
            return Ok(false);
        }
        // A playing process opens the records before it records its start, and the journal is
        // locked here.
        let is_abandoned = self.change(|standing| {
            let is_abandoned = finals_under_way(standing)
                .is_some_and(|number| !Store::is_held(&self.finals_file(number)));
            let ended = Event::FinalsUnderWay { is_so: false };
            let events = is_abandoned.then_some(ended).into_iter().collect();
            Ok((events, is_abandoned))
        })?;
        Ok(is_abandoned)
    }
}

/// The finals in progress, according to the journal.
fn finals_under_way(standing: &LeagueState) -> Option<u32> {
    let last = standing.finals.last().map(|freeze| freeze.number);
    last.filter(|_| standing.has_finals_under_way)
}

impl Inner {
    fn catch_up(&mut self) -> Result<(), JournalError> {
        for placed in self.journal.catch_up()? {
            self.standing.apply(&placed);
        }
        Ok(())
    }
}

/// Temporary files are private to their owner, but a description is no secret.
#[cfg(unix)]
fn readable_by_group(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_group(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The description a new league starts with.
fn first_description(game: &dyn AnyGame) -> String {
    format!(
        "\
# A league; docs/organisers.md covers a whole term.
game = \"{}\"
public = \"standings\"         # what the public sees: nothing, standings, games, logs

[boards]
setup = \"{}\"
seed = 1

[limits]
time = \"1s\"                  # per move
memory = \"256MiB\"

[submit]
quota = 30                   # versions an entrant may submit per day (UTC)
# until = \"2026-12-18 20:00\" # deadline of submissions, in UTC
# takes = [\"C\", \"Python\"]    # accepted languages; default: all
# check = \"contest\"          # demand the exact form of the contest; default: whole games

[ladder]
# games-a-day = 2000         # default: no limit
suspend = \"25%\"              # a version with faults in more than this share of its games
suspend-after = 8            # games before a version can be suspended

[finals]
boards = 10                  # boards of each meeting, each played in every rotation
# place = \"Room 3180\"        # where they are held, for the report

[remote]
rated = \"apart\"              # games of remote programs: no, apart, ladder
# latency-allowance = \"500ms\"  # time an answer may take beyond the time limit
# disconnect-timeout = \"10s\"  # silence after which a remote program counts as ended
",
        game.name(),
        game.default_setup()
    )
}
