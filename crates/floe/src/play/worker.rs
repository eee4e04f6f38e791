//! Engines and programs at work in the background: each in a thread of its own, with a flag that
//! stops it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::seat::{Failure, Sandbox, Seat, SeatDriver, TurnContext};
use floe_games::record::MoveLimits;
use floe_games::{AnyEngine, AnyGame, AnyPosition};
use floe_search::{Limits, Spec, Thought};

use super::input::Input;

/// How long an engine thinks about a move if its spec does not say.
const USUAL: Duration = Duration::from_secs(1);

/// What the thinking is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To move.
    Move,
    /// To help.
    Hint,
    /// To say who is ahead.
    Evaluation,
    /// To look back at the position after so many turns.
    Analysis(usize),
}

/// What came of a job.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) id: u64,
    pub(crate) purpose: Purpose,
    pub(crate) time: Duration,
    /// The thought, or why there is none. A program's has nothing but a move.
    pub(crate) thought: Result<Thought<String>, String>,
}

/// Who thinks.
#[derive(Debug, Clone)]
pub(crate) enum Mind {
    Engine(Spec),
    /// Somebody's bot, by the word that names it.
    Program(String),
}

/// How long a job may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effort {
    /// As the engine's spec says.
    Usual,
    For(Duration),
}

struct Job {
    id: u64,
    purpose: Purpose,
    position: Box<dyn AnyPosition>,
    effort: Effort,
    /// The answer does not come before this has passed.
    pace: Duration,
    stop: Arc<AtomicBool>,
}

/// An engine in a thread of its own. Dropping it stops the thinking and ends the thread.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    stop: Arc<AtomicBool>,
    next: u64,
}

impl Worker {
    /// A worker who reports to `inbox`. Costs a thread; the engine is made, or the program
    /// started, there.
    pub(crate) fn new(game: &'static dyn AnyGame, mind: Mind, inbox: Sender<Input>) -> Self {
        let (jobs, orders) = channel();
        // A thread that cannot be had shows as a job that is never answered; the system is out
        // of everything then.
        let _ = thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || work(game, &mind, &orders, &inbox));
        Worker {
            jobs,
            stop: Arc::new(AtomicBool::new(false)),
            next: 0,
        }
    }

    /// Adds a job; it begins when those before it are done. Gives its number.
    pub(crate) fn think(
        &mut self,
        purpose: Purpose,
        position: Box<dyn AnyPosition>,
        effort: Effort,
        pace: Duration,
    ) -> u64 {
        self.next += 1;
        let job = Job {
            id: self.next,
            purpose,
            position,
            effort,
            pace,
            stop: Arc::clone(&self.stop),
        };
        let _ = self.jobs.send(job);
        self.next
    }

    /// Stops what is being thought and forgets all jobs that wait.
    pub(crate) fn cancel(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::new(AtomicBool::new(false));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Steps back behind the thread that draws: a key must be on the screen at once, however many
/// engines think.
#[cfg(target_os = "linux")]
fn step_back() {
    // Without a process, Linux takes this for the thread alone. If it may not, nothing is lost
    // but smoothness.
    let _ = rustix::process::setpriority_process(None, 10);
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}

fn work(game: &'static dyn AnyGame, mind: &Mind, orders: &Receiver<Job>, inbox: &Sender<Input>) {
    step_back();
    let mut sitting: Option<Sitting> = None;
    for job in orders {
        if job.stop.load(Ordering::Relaxed) {
            continue;
        }
        let began = Instant::now();
        let thought = match &mut sitting {
            Some(sitting) => Ok(sitting),
            none => Sitting::new(game, mind, inbox).map(|sitting| none.insert(sitting)),
        };
        let thought = thought.and_then(|sitting| sitting.think(&job));
        if thought.is_err() {
            // Whoever failed starts anew.
            sitting = None;
        }
        while began.elapsed() < job.pace && !job.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        if job.stop.load(Ordering::Relaxed) {
            continue;
        }
        let report = Report {
            id: job.id,
            purpose: job.purpose,
            time: began.elapsed(),
            thought,
        };
        if inbox.send(Input::Report(report)).is_err() {
            break;
        }
    }
    if let Some(Sitting::Program(mut driver, true)) = sitting {
        driver.leave(&[]);
    }
}

/// Somebody who thinks, as long as nothing goes wrong.
enum Sitting {
    Engine(Spec, Box<dyn AnyEngine>),
    /// And whether they have taken their seat.
    Program(Box<dyn SeatDriver>, bool),
}

impl Sitting {
    fn new(game: &'static dyn AnyGame, mind: &Mind, inbox: &Sender<Input>) -> Result<Self, String> {
        match mind {
            Mind::Engine(spec) => Ok(Sitting::Engine(*spec, game.engine(spec))),
            Mind::Program(word) => {
                let seat = Seat::read(word, game, Path::new(".")).map_err(|e| e.to_string())?;
                let sandbox = Sandbox::find(Path::new(""), 0, 1).map_err(|e| e.to_string())?;
                // Whoever listens no longer needs no warning.
                let _ = inbox.send(Input::Sandbox(sandbox.layers().level()));
                let driver = seat.driver(game, &sandbox, 0);
                let driver = driver.ok_or_else(|| format!("{word} cannot sit down"))?;
                Ok(Sitting::Program(driver, false))
            }
        }
    }

    fn think(&mut self, job: &Job) -> Result<Thought<String>, String> {
        match self {
            Sitting::Engine(spec, engine) => {
                let limits = match job.effort {
                    Effort::Usual => spec.limits(USUAL),
                    Effort::For(time) => Limits::time(time),
                };
                let limits = Limits {
                    stop: Some(Arc::clone(&job.stop)),
                    ..limits
                };
                let thought =
                    catch_unwind(AssertUnwindSafe(|| engine.think(&*job.position, &limits)));
                match thought {
                    Ok(thought) => thought.map_err(|error| error.to_string()),
                    Err(_) => Err(format!("{spec} broke down")),
                }
            }
            Sitting::Program(driver, has_sat) => {
                let player = job.position.turn().ok_or("the game is over")?;
                let chair = TurnContext {
                    position: &*job.position,
                    player,
                    limits: &MoveLimits::default(),
                    stop: &job.stop,
                };
                if !*has_sat {
                    driver.sit(&chair).map_err(|failure| tell(&failure))?;
                    *has_sat = true;
                }
                let decision = driver.decide(&chair).map_err(|failure| tell(&failure))?;
                Ok(Thought {
                    best: decision.mv,
                    scores: job.position.scores(),
                    depth: 0,
                    nodes: 0,
                    line: Vec::new(),
                    proven: false,
                })
            }
        }
    }
}

/// What a program did wrong, in words.
fn tell(failure: &Failure) -> String {
    match failure {
        Failure::Fault(fault) => format!("{}: {}", fault.kind, fault.message),
        Failure::Trouble(trouble) => trouble.clone(),
        Failure::Stopped => "it was stopped".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(spec: &str) -> (Worker, Receiver<Input>, Box<dyn AnyPosition>) {
        let (inbox, reports) = channel();
        let game = floe_games::find("flood").unwrap();
        let worker = Worker::new(game, Mind::Engine(spec.parse().unwrap()), inbox);
        (worker, reports, game.start("9x9", 1).unwrap())
    }

    fn report(input: Input) -> Report {
        match input {
            Input::Report(report) => report,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_job_is_answered() {
        let (mut worker, reports, position) = worker("greedy");
        let id = worker.think(
            Purpose::Move,
            position.clone(),
            Effort::Usual,
            Duration::ZERO,
        );
        let report = report(reports.recv().unwrap());
        assert_eq!((report.id, report.purpose), (id, Purpose::Move));
        assert!(position.check(&report.thought.unwrap().best).is_ok());
    }

    #[test]
    fn what_is_cancelled_is_never_answered_and_does_not_hold_up_the_next() {
        let (mut worker, reports, position) = worker("floe:time=3600s");
        worker.think(
            Purpose::Move,
            position.clone(),
            Effort::Usual,
            Duration::ZERO,
        );
        worker.think(
            Purpose::Move,
            position.clone(),
            Effort::Usual,
            Duration::ZERO,
        );
        worker.cancel();
        let brief = Effort::For(Duration::from_millis(1));
        let id = worker.think(Purpose::Hint, position, brief, Duration::ZERO);
        assert_eq!(report(reports.recv().unwrap()).id, id);
        assert!(reports.try_recv().is_err());
    }

    #[test]
    fn a_finished_game_is_a_failure_in_words() {
        let (mut worker, reports, mut position) = worker("greedy");
        while let Some(mv) = position.moves().first() {
            position.play(mv).unwrap();
        }
        worker.think(Purpose::Move, position, Effort::Usual, Duration::ZERO);
        let report = report(reports.recv().unwrap());
        assert_eq!(report.thought.unwrap_err(), "the game is over");
    }
}
