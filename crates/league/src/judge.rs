//! Judges a version: unpacks, builds and checks it, and reports what to fix.

mod texts;

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use floe_arena::conformance::{CheckEvent, CheckReport, ConformanceCheck, NamedBoard, Neighbours};
use floe_arena::runner::{CoreLease, CorePool, available_cores};
use floe_arena::seat::{ProgramSeat, Protocol, Sandbox, Seat};
use floe_sandbox::WorkFolder;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::archive::{UploadError, unpack};
use crate::build::{Build, BuildError};
use crate::build_sandbox::BuildSandbox;
use crate::description::Gate;
use crate::event::{Event, Judgement};
use crate::folder::{League, LeagueError};
use crate::paths::without_paths;
use crate::programs::ProgramNote;
use crate::queue::QueuePlace;
use crate::recipe::{Plan, Recipes};
use crate::versions::{Version, VersionId, VersionState};
use texts::{
    Log, at_home, cause_text, command_at_home, is_about_modules, plain_word, refusal, seat_word,
    shown,
};

/// Number of the league's boards on which a program is tested.
const BOARDS: u64 = 2;
/// Attempts to judge a version when the machine fails.
const ATTEMPTS: u32 = 3;
/// Memory a machine must have free to start programs, in bytes.
const ROOM: usize = 1 << 20;
/// The lock file of the judge.
const LOCK: &str = "queue.lock";

/// The reason why a version could not be judged: it stays in the queue.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// The league cannot be read or changed.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The machine failed again and again; the journal records this, and others come first.
    #[error(
        "{version} could not be judged because of this machine, and stays in the queue: {cause}"
    )]
    MachineFailure {
        /// The version.
        version: VersionId,
        /// The machine's error.
        cause: String,
    },
}

/// An event while a version is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", content = "text", rename_all = "kebab-case")]
pub enum JudgeEvent {
    /// The current step.
    Step(String),
    /// Output of the build.
    Said(String),
    /// A cause that the conformance check found.
    Found(String),
    /// The verdict, in a sentence.
    Verdict(Judgement, String),
}

impl League {
    /// The stored events of judging a version, the verdict last; empty before the verdict.
    pub fn judge_events(&self, version: &Version) -> Result<Vec<JudgeEvent>, LeagueError> {
        let log = self.log(version)?;
        let mut lines: Vec<JudgeEvent> = (log.lines())
            .map(|line| JudgeEvent::Said(line.to_owned()))
            .collect();
        let verdict = match (version.state, version.has_remarks) {
            (VersionState::Refused, _) => Judgement::Refused,
            (_, true) => Judgement::AcceptedWithRemarks,
            (_, false) => Judgement::Accepted,
        };
        if let Some(JudgeEvent::Said(last)) = lines.pop() {
            lines.push(JudgeEvent::Verdict(verdict, last));
        }
        Ok(lines)
    }
}

impl JudgeEvent {
    /// The event without this machine's paths.
    fn without(self, folder: &Path) -> JudgeEvent {
        let hide = |text: String| without_paths(&text, folder);
        match self {
            JudgeEvent::Step(text) => JudgeEvent::Step(hide(text)),
            JudgeEvent::Said(text) => JudgeEvent::Said(hide(text)),
            JudgeEvent::Found(text) => JudgeEvent::Found(hide(text)),
            JudgeEvent::Verdict(verdict, text) => JudgeEvent::Verdict(verdict, hide(text)),
        }
    }

    /// The event's text.
    pub fn text(&self) -> &str {
        match self {
            JudgeEvent::Step(text)
            | JudgeEvent::Said(text)
            | JudgeEvent::Found(text)
            | JudgeEvent::Verdict(_, text) => text,
        }
    }
}

/// Judges what waits in the queue of a league; there is one for a league at any time.
///
/// Several threads may judge with it at once, each a version of its own.
#[derive(Debug)]
pub struct Judge {
    league: League,
    build_sandbox: BuildSandbox,
    recipes: Arc<Recipes>,
    state: Mutex<State>,
    /// Held while a program is moved into its folder: versions with the same content share it.
    keeping: Mutex<()>,
    /// The lock, held until dropped.
    _lock: File,
}

#[derive(Debug, Default)]
struct State {
    /// Versions being judged.
    under_way: BTreeSet<VersionId>,
    /// Machine failures of waiting versions.
    failures: HashMap<VersionId, u32>,
}

/// A version that one thread judges; dropping this releases it.
struct Claim<'a> {
    judge: &'a Judge,
    version: Version,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.judge.state.lock().under_way.remove(&self.version.id);
    }
}

/// Default number of concurrent judges: one per core.
pub fn judges() -> usize {
    available_cores().len().max(1)
}

/// Receives the events.
pub type Listener<'a> = &'a mut dyn FnMut(&VersionId, JudgeEvent);

impl Judge {
    /// Takes the league's judge lock; `None` if another judge holds it, in this process or another.
    pub fn take_seat(
        league: &League,
        build_sandbox: &BuildSandbox,
    ) -> Result<Option<Judge>, LeagueError> {
        let path = league.folder().join(LOCK);
        let fail = |cause| LeagueError::File {
            path: path.clone(),
            cause,
        };
        let mut options = fs::OpenOptions::new();
        let lock = options.write(true).create(true).truncate(false).open(&path);
        let lock = lock.map_err(fail)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Ok(None),
            Err(fs::TryLockError::Error(error)) => return Err(fail(error)),
        }
        let recipes = league.recipes()?;
        Ok(Some(Judge {
            league: league.clone(),
            build_sandbox: build_sandbox.clone(),
            recipes: Arc::new(recipes),
            state: Mutex::default(),
            keeping: Mutex::default(),
            _lock: lock,
        }))
    }

    /// Judges the next version and returns it; `None` if none waits. After a machine failure, a
    /// version stays in the queue, behind versions with fewer failures.
    pub fn judge_next(&self, notify: Listener<'_>) -> Result<Option<VersionId>, JudgeError> {
        let Some(claim) = self.claim()? else {
            return Ok(None);
        };
        let version = &claim.version;
        let id = version.id.clone();
        let began = Instant::now();
        let mut log = Log::new(self.league.description().submitting.build.log);
        let mut attempts = 0;
        let outcome = loop {
            let mut hear = |progress: JudgeEvent| {
                let progress = progress.without(self.league.folder());
                log.add(progress.text());
                notify(&id, progress);
            };
            attempts += 1;
            let outcome = self.judge(version, &mut hear);
            match outcome.map_err(|stopped| stopped.without(self.league.folder())) {
                Err(Stopped::MachineFailure(cause) | Stopped::NotStarted(cause))
                    if attempts < ATTEMPTS =>
                {
                    hear(JudgeEvent::Step(format!("trying again: {cause}")));
                }
                outcome => break outcome,
            }
        };
        let (verdict, why, seat, report) = match outcome {
            Ok((verdict, seat, report)) => (verdict, String::new(), Some(seat), Some(report)),
            Err(Stopped::Refused(why, report)) => (Judgement::Refused, why, None, report),
            // Other programs start here, so the fault is this program's.
            Err(Stopped::NotStarted(cause)) if self.starts_others() => {
                let why = format!("it could not be run {ATTEMPTS} times: {cause}");
                (Judgement::Refused, why, None, None)
            }
            Err(Stopped::MachineFailure(cause) | Stopped::NotStarted(cause)) => {
                return Err(self.put_off(version, cause, notify)?);
            }
        };
        self.state.lock().failures.remove(&id);
        let text = match verdict {
            Judgement::Accepted => format!("{id} is accepted and plays from now on"),
            Judgement::AcceptedWithRemarks => {
                format!("{id} is accepted and plays from now on; the remarks are above")
            }
            Judgement::Refused => format!("{id} is refused: {why}"),
        };
        log.conclude(&text);
        self.league.record(Event::Judged {
            version: id.clone(),
            verdict,
            why,
            seat,
            log: log.text,
            took_ms: Some(began.elapsed().as_millis() as u64),
            report,
        })?;
        let is_accepted = self.league.look(|standing| {
            let found = standing.versions.find(&id);
            found.is_some_and(|version| version.state == VersionState::Accepted)
        })?;
        if !is_accepted {
            self.league.forget_program(&version.sha256)?;
        }
        notify(&id, JudgeEvent::Verdict(verdict, text));
        Ok(Some(id))
    }

    /// Takes the next version that no other thread judges.
    fn claim(&self) -> Result<Option<Claim<'_>>, LeagueError> {
        let mut state = self.state.lock();
        let next = self.league.look(|standing| {
            let failed = |id: &VersionId| state.failures.get(id).copied().unwrap_or(0);
            let queue = standing.queue(&state.under_way, failed);
            standing.versions.find(queue.first()?).cloned()
        })?;
        Ok(next.map(|version| {
            state.under_way.insert(version.id.clone());
            let judge = self;
            Claim { judge, version }
        }))
    }

    /// The versions being judged.
    pub fn under_way(&self) -> BTreeSet<VersionId> {
        self.state.lock().under_way.clone()
    }

    /// A version's place in the queue; `None` if it is being judged or was judged.
    pub fn queue_place(&self, id: &VersionId) -> Result<Option<QueuePlace>, LeagueError> {
        let under_way = self.under_way();
        (self.league).look(|standing| standing.queue_place(id, &under_way, judges()))
    }

    /// Whether a system program starts on this machine now.
    fn starts_others(&self) -> bool {
        let Ok(work) = WorkFolder::private() else {
            return false;
        };
        let limits = &self.league.description().submitting.build;
        let command = ["true".to_owned()];
        let room = fs::write(work.path().join("room"), vec![0; ROOM]);
        let mut build = Build::begin(&self.build_sandbox, limits, &[], work.path());
        room.is_ok() && build.run(&command, &mut |_| {}).is_ok()
    }

    /// Leaves a version in the queue, and reports the reason to its author and the organiser.
    fn put_off(
        &self,
        version: &Version,
        cause: String,
        notify: Listener<'_>,
    ) -> Result<JudgeError, LeagueError> {
        let id = &version.id;
        *self.state.lock().failures.entry(id.clone()).or_default() += 1;
        let why = format!(
            "the league's machine failed, not your program: {cause}; the version waits and is tried \
             again, and the organiser sees this"
        );
        if version.why != why {
            self.league.record(Event::PutOff {
                version: id.clone(),
                why: why.clone(),
            })?;
        }
        notify(id, JudgeEvent::Step(why));
        Ok(JudgeError::MachineFailure {
            version: id.clone(),
            cause,
        })
    }

    fn judge(
        &self,
        version: &Version,
        notify: &mut dyn FnMut(JudgeEvent),
    ) -> Result<(Judgement, String, Box<CheckReport>), Stopped> {
        let description = self.league.description();
        let rules = &description.submitting;
        let sent = match self.league.sent(&version.sha256, &version.file) {
            Err(LeagueError::File { cause, .. })
                if cause.kind() == std::io::ErrorKind::NotFound =>
            {
                let why = "the upload is missing; submit it again";
                return Err(Stopped::refused(why.to_owned()));
            }
            sent => sent?,
        };
        let work = WorkFolder::private().map_err(|e| Stopped::MachineFailure(e.to_string()))?;
        notify(JudgeEvent::Step(format!("unpacking {}", version.file)));
        let upload = unpack(&version.file, &sent, rules.unpack_limits(), work.path())?;
        let plan = self.recipes.plan(
            work.path(),
            &version.file,
            upload,
            version.main.as_deref(),
            self.build_sandbox.layers(),
        );
        let plan = plan.map_err(|error| Stopped::refused(error.to_string()))?;
        notify(JudgeEvent::Step(format!("recipe: {}", plan.recipe)));
        // A dedicated core, ahead of all waiting ladder games.
        let lease = CorePool::machine().lease_first(1, &AtomicBool::new(false));
        let cores = lease.as_ref().map(CoreLease::cores).unwrap_or_default();
        let mut build = Build::begin(
            &self.build_sandbox,
            &rules.build,
            &plan.readable,
            work.path(),
        );
        build.keep_to(cores);
        for command in &plan.build {
            notify(JudgeEvent::Step(format!("$ {}", shown(command))));
            let mut modules = Vec::new();
            let mut said = |line: &str| {
                if is_about_modules(line) {
                    modules.push(line.to_owned());
                }
                notify(JudgeEvent::Said(line.to_owned()));
            };
            let built = build.run(command, &mut said);
            match built {
                Err(BuildError::Refused(_)) if !modules.is_empty() => {
                    return Err(Stopped::refused(modules.join("; ")));
                }
                built => built?,
            }
        }
        let plan = plan.with_program(work.path());
        let plan = plan.map_err(|error| Stopped::refused(error.to_string()))?;
        let seat = seat_word(&plan, version, self.league.description().game);
        let built = self.keep(version, &plan, &seat, work.path())?;
        drop(work);
        let program = match Seat::read(&seat, description.game, &built) {
            Ok(Seat::Program(program)) => program,
            Ok(_) => return Err(Stopped::refused(format!("{seat} is no program"))),
            Err(error) => {
                return Err(Stopped::refused(format!("it cannot be started: {error}")));
            }
        };
        let protocol = match program.protocol {
            Protocol::Line => "the line protocol",
            Protocol::Contest(_) => "the contest's dialect",
        };
        notify(JudgeEvent::Step(format!("checking it in {protocol}")));
        // On a dedicated core, ahead of the ladder.
        let sandbox = self.build_sandbox.sandbox().on_cores(cores);
        let neighbours = lease.as_ref().map(|lease| lease as &dyn Neighbours);
        let report = self.check(&program, &sandbox, neighbours, notify);
        let mut report = report.map_err(Stopped::NotStarted)?;
        for cause in &mut report.causes {
            cause.command = at_home(&cause.command, &built);
        }
        self.show(&report, notify);
        if !report.is_passed() {
            let command = command_at_home(&plain_word(&plan, version), description);
            let why = refusal(&report, &command);
            return Err(Stopped::Refused(why, Some(Box::new(report))));
        }
        let verdict = match report.remarks().next() {
            None => Judgement::Accepted,
            Some(_) => Judgement::AcceptedWithRemarks,
        };
        Ok((verdict, seat, Box::new(report)))
    }

    /// Tests the built program.
    fn check(
        &self,
        program: &ProgramSeat,
        sandbox: &Sandbox,
        neighbours: Option<&dyn Neighbours>,
        notify: &mut dyn FnMut(JudgeEvent),
    ) -> Result<CheckReport, String> {
        let description = self.league.description();
        let check = ConformanceCheck {
            game: description.game,
            program,
            sandbox,
            limits: &description.limits,
            boards: self.boards(),
            is_strict: description.submitting.gate == Gate::Contest,
            self_play: description.submitting.self_play,
            only: None,
            neighbours,
        };
        check.run(&mut |event| {
            if let CheckEvent::Begun(case) = event {
                notify(JudgeEvent::Step(case));
            }
        })
    }

    /// Reports the result of the conformance check.
    fn show(&self, report: &CheckReport, notify: &mut dyn FnMut(JudgeEvent)) {
        for cause in &report.causes {
            notify(JudgeEvent::Found(cause_text(cause)));
        }
        notify(JudgeEvent::Step(report.playing()));
        for game in &report.games {
            notify(JudgeEvent::Step(format!(
                "{}: {}",
                game.case,
                game.result()
            )));
        }
        notify(JudgeEvent::Step(report.letter()));
        for why in &report.left_out {
            notify(JudgeEvent::Step(format!("left out: {why}")));
        }
    }

    fn keep(
        &self,
        version: &Version,
        plan: &Plan,
        seat: &str,
        work: &Path,
    ) -> Result<std::path::PathBuf, Stopped> {
        let note = ProgramNote {
            recipe: plan.recipe.clone(),
            build: plan.build.iter().map(|command| shown(command)).collect(),
            seat: seat.to_owned(),
        };
        let alone = self.keeping.lock();
        let kept = self.league.keep_built(&version.sha256, work, &note);
        drop(alone);
        kept.map_err(|error| match error {
            // The build is the only possible cause.
            LeagueError::File { cause, .. }
                if cause.kind() == std::io::ErrorKind::PermissionDenied =>
            {
                Stopped::refused("the build left files that cannot be read".to_owned())
            }
            error => error.into(),
        })
    }

    /// Some boards of the league, with their names.
    fn boards(&self) -> Vec<NamedBoard> {
        let boards = &self.league.description().boards;
        let count = boards.count().unwrap_or(BOARDS).min(BOARDS);
        let open = |number| {
            let (position, _) = boards.open(number).ok()?;
            Some((format!("the league's board {}", number + 1), position))
        };
        (0..count).filter_map(open).collect()
    }
}

/// The reason why judging stopped.
enum Stopped {
    /// What to fix, and the report of the conformance check if there is one.
    Refused(String, Option<Box<CheckReport>>),
    MachineFailure(String),
    /// The conformance check failed to start: a machine failure, or a program that cannot be
    /// started.
    NotStarted(String),
}

impl Stopped {
    fn refused(why: impl Into<String>) -> Self {
        Stopped::Refused(why.into(), None)
    }

    /// The reason without this machine's paths.
    fn without(self, folder: &Path) -> Stopped {
        match self {
            Stopped::Refused(why, report) => Stopped::Refused(without_paths(&why, folder), report),
            Stopped::MachineFailure(cause) => {
                Stopped::MachineFailure(without_paths(&cause, folder))
            }
            Stopped::NotStarted(cause) => Stopped::NotStarted(without_paths(&cause, folder)),
        }
    }
}

impl From<LeagueError> for Stopped {
    fn from(error: LeagueError) -> Self {
        Stopped::MachineFailure(error.to_string())
    }
}

impl From<UploadError> for Stopped {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::Write { .. } => Stopped::MachineFailure(error.to_string()),
            _ => Stopped::refused(error.to_string()),
        }
    }
}

impl From<BuildError> for Stopped {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Refused(why) => Stopped::refused(why),
            BuildError::MachineFailure(trouble) => Stopped::MachineFailure(trouble.to_string()),
        }
    }
}
