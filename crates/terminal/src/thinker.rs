//! Engines and programs in the background, each in its own thread, with a flag to stop it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::seat::{Failure, Sandbox, Seat, SeatDriver, TurnContext};
use floe_games::{AnyEngine, AnyGame, AnyPosition, Fault};
use floe_search::{Limits, Spec, available_threads};

use crate::input::{Answer, Input, Purpose, ThinkReport};

/// Default time limit of an engine, per move.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The kind of a thinker.
#[derive(Debug, Clone)]
pub(crate) enum Mind {
    /// An engine that hints, evaluates and reviews.
    Adviser(Spec),
    /// A seat of the game, to move.
    Seat(Box<Seat>),
}

/// The limit of a job.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effort {
    /// As the engine's spec says.
    Default,
    For(Duration),
}

struct ThinkRequest {
    id: u64,
    purpose: Purpose,
    position: Box<dyn AnyPosition>,
    effort: Effort,
    /// The least time before the answer.
    pace: Duration,
    stop: Arc<AtomicBool>,
}

/// An engine in a thread of its own. Dropping it stops the thinking and ends the thread.
pub(crate) struct Thinker {
    jobs: Sender<ThinkRequest>,
    stop: Arc<AtomicBool>,
    next: u64,
}

impl Thinker {
    /// A thinker that reports to `inbox`. Costs a thread, which makes the engine or starts the
    /// program.
    pub(crate) fn new(game: &'static dyn AnyGame, mind: Mind, inbox: Sender<Input>) -> Self {
        let (jobs, orders) = channel();
        // If no thread can be started, the job is never answered: the system has no resources left.
        let _ = thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || work(game, &mind, &orders, &inbox));
        Thinker {
            jobs,
            stop: Arc::new(AtomicBool::new(false)),
            next: 0,
        }
    }

    /// Queues a job, and returns its number.
    pub(crate) fn think(
        &mut self,
        purpose: Purpose,
        position: Box<dyn AnyPosition>,
        effort: Effort,
        pace: Duration,
    ) -> u64 {
        self.next += 1;
        let job = ThinkRequest {
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

    /// Stops the current job, and removes waiting jobs.
    pub(crate) fn cancel(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::new(AtomicBool::new(false));
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Lowers this thread's priority below the drawing thread's: a key must show at once, however many
/// engines think.
#[cfg(target_os = "linux")]
fn step_back() {
    // Without a process ID, Linux applies this only to the thread. If it is refused, only
    // smoothness suffers.
    let _ = rustix::process::setpriority_process(None, 10);
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}

fn work(
    game: &'static dyn AnyGame,
    mind: &Mind,
    orders: &Receiver<ThinkRequest>,
    inbox: &Sender<Input>,
) {
    step_back();
    let mut sitting: Option<Sitting> = None;
    for job in orders {
        if job.stop.load(Ordering::Relaxed) {
            continue;
        }
        let began = Instant::now();
        let ready = match &mut sitting {
            Some(sitting) => Ok(sitting),
            none => Sitting::new(game, mind, inbox).map(|sitting| none.insert(sitting)),
        };
        let answer = ready.and_then(|sitting| sitting.answer(mind, &job));
        if answer.is_err() {
            // A seat that failed is started again.
            sitting = None;
        }
        while began.elapsed() < job.pace && !job.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        if job.stop.load(Ordering::Relaxed) {
            continue;
        }
        let report = ThinkReport {
            id: job.id,
            purpose: job.purpose,
            time: began.elapsed(),
            answer,
        };
        if inbox.send(Input::Report(report)).is_err() {
            break;
        }
    }
    if let Some(Sitting::Seat(mut driver, true)) = sitting {
        driver.leave(&[]);
    }
}

/// A seat in play, until it fails.
enum Sitting {
    Adviser(Spec, Box<dyn AnyEngine>),
    /// A program or engine, and whether it has started.
    Seat(Box<dyn SeatDriver>, bool),
}

impl Sitting {
    fn new(
        game: &'static dyn AnyGame,
        mind: &Mind,
        inbox: &Sender<Input>,
    ) -> Result<Self, Failure> {
        let seat = match mind {
            Mind::Adviser(spec) => return Ok(Sitting::Adviser(*spec, game.engine(spec))),
            Mind::Seat(seat) => match **seat {
                Seat::Engine(spec) => &Seat::Engine(spec.on_all_cores()),
                _ => &**seat,
            },
        };
        let sandbox = match seat.is_program() {
            true => {
                let sandbox = Sandbox::find(Path::new(""), 0, 1);
                let sandbox =
                    sandbox.map_err(|error| Failure::MachineFailure(error.to_string()))?;
                // Without a receiver, no warning is needed.
                let _ = inbox.send(Input::Sandbox(sandbox.layers().level()));
                sandbox
            }
            false => Sandbox::none(),
        };
        match seat.driver(game, &sandbox, 0) {
            Some(driver) => Ok(Sitting::Seat(driver, false)),
            None => Err(Failure::MachineFailure(format!("{seat} cannot start"))),
        }
    }

    /// Does the job. A panic is a machine failure, no seat's fault.
    fn answer(&mut self, mind: &Mind, job: &ThinkRequest) -> Result<Answer, Failure> {
        let answer = catch_unwind(AssertUnwindSafe(|| match self {
            Sitting::Adviser(spec, engine) => advise(*spec, &mut **engine, job),
            Sitting::Seat(driver, has_sat) => decide(&mut **driver, has_sat, job),
        }));
        answer.unwrap_or_else(|_| {
            let who = match mind {
                Mind::Adviser(spec) => spec.to_string(),
                Mind::Seat(seat) => seat.to_string(),
            };
            Err(Failure::MachineFailure(format!("{who} stopped working")))
        })
    }
}

fn advise(spec: Spec, engine: &mut dyn AnyEngine, job: &ThinkRequest) -> Result<Answer, Failure> {
    let limits = match job.effort {
        Effort::Default => spec.on_all_cores().limits(DEFAULT_TIME),
        Effort::For(time) => Limits {
            threads: available_threads(),
            ..Limits::time(time)
        },
    };
    let limits = Limits {
        stop: Some(Arc::clone(&job.stop)),
        ..limits
    };
    match engine.think(&*job.position, &limits) {
        Ok(thought) => Ok(Answer::Thought(thought)),
        Err(error) => Err(Failure::MachineFailure(error.to_string())),
    }
}

/// Asks for a move. An illegal one is a fault, as with the referee.
fn decide(
    driver: &mut dyn SeatDriver,
    has_sat: &mut bool,
    job: &ThinkRequest,
) -> Result<Answer, Failure> {
    let Some(player) = job.position.turn() else {
        return Err(Failure::MachineFailure("the game is over".to_owned()));
    };
    let at = TurnContext {
        position: &*job.position,
        player,
        limits: &job.position.game().contest_limits(),
        stop: &job.stop,
    };
    if !*has_sat {
        driver.sit(&at)?;
        *has_sat = true;
    }
    let decision = driver.decide(&at)?;
    match job.position.check(&decision.mv) {
        Ok(()) => Ok(Answer::Move(decision)),
        Err(error) => {
            let mut fault = Fault::of_move(player, &decision.mv, &error);
            fault.wall_us = u64::try_from(decision.wall.as_micros()).unwrap_or(u64::MAX);
            fault.stderr = match decision.stderr.is_empty() {
                true => driver.last_words(),
                false => decision.stderr,
            };
            driver.leave(&job.position.scores());
            Err(fault.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinker(spec: &str) -> (Thinker, Receiver<Input>, Box<dyn AnyPosition>) {
        let (inbox, reports) = channel();
        let game = floe_games::find("flood").unwrap();
        let thinker = Thinker::new(
            game,
            Mind::Seat(Box::new(Seat::Engine(spec.parse().unwrap()))),
            inbox,
        );
        (thinker, reports, game.start("9x9", 1).unwrap())
    }

    fn report(input: Input) -> ThinkReport {
        match input {
            Input::Report(report) => report,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_job_is_answered() {
        let (mut thinker, reports, position) = thinker("greedy");
        let id = thinker.think(
            Purpose::Move,
            position.clone(),
            Effort::Default,
            Duration::ZERO,
        );
        let report = report(reports.recv().unwrap());
        assert_eq!((report.id, report.purpose), (id, Purpose::Move));
        match report.answer {
            Ok(Answer::Move(decision)) => assert!(position.check(&decision.mv).is_ok()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_cancelled_is_never_answered_and_does_not_hold_up_the_next() {
        let (mut thinker, reports, position) = thinker("floe:time=3600s");
        thinker.think(
            Purpose::Move,
            position.clone(),
            Effort::Default,
            Duration::ZERO,
        );
        thinker.think(
            Purpose::Move,
            position.clone(),
            Effort::Default,
            Duration::ZERO,
        );
        thinker.cancel();
        let brief = Effort::For(Duration::from_millis(1));
        let id = thinker.think(Purpose::Hint, position, brief, Duration::ZERO);
        assert_eq!(report(reports.recv().unwrap()).id, id);
        assert!(reports.try_recv().is_err());
    }

    #[test]
    fn a_finished_game_is_a_failure_in_words() {
        let (mut thinker, reports, mut position) = thinker("greedy");
        while let Some(mv) = position.moves().first() {
            position.play(mv).unwrap();
        }
        thinker.think(Purpose::Move, position, Effort::Default, Duration::ZERO);
        let report = report(reports.recv().unwrap());
        assert!(
            matches!(&report.answer, Err(Failure::MachineFailure(why)) if why == "the game is over"),
            "{report:?}"
        );
    }
}
