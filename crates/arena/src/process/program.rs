//! A running program, seen from the referee.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::pipes::Pipes;
use super::stable::{Keeper, Stable};
use super::work::Work;
use super::{Answer, Forbidden, Limits, Outcome, Plan, Report, Trouble, take_line};
use crate::sandbox::{self, Group, Layers, Order};

/// How long the keeper may take to end everything: longer than it gives itself.
const ENDING: Duration = Duration::from_secs(15);
const SIGSYS: i32 = Signal::SYS.as_raw();
const SIGXCPU: i32 = Signal::XCPU.as_raw();

/// A program that runs, with everything it may start.
///
/// ```no_run
/// use floe_arena::process::{Answer, Plan, Program};
/// use std::time::Duration;
///
/// let mut program = Program::start(Plan::of(["./bot"]))?;
/// program.ask(b"floe 1 gamma seat=1 seats=2\n");
/// if let Answer::Line(line) = program.line(Duration::from_secs(1))? {
///     assert_eq!(line, b"ok");
/// }
/// let report = program.finish(Duration::from_millis(100))?;
/// # Ok::<(), floe_arena::process::Trouble>(())
/// ```
///
/// Dropping it ends it too, without a report.
#[derive(Debug)]
pub struct Program {
    /// None once it is waited for or handed over.
    keeper: Option<Child>,
    keeper_id: u32,
    stable: Option<Stable>,
    pipes: Pipes,
    limits: Limits,
    layers: Layers,
    asked: Instant,
    group: Option<Pid>,
    /// Dropped after the program's end: a private one is then removed.
    work: Work,
}

/// Runs a program once: all input, then the end of it; all output; the exit. At the deadline,
/// counted from the write of the input, it is ended.
///
/// ```no_run
/// use floe_arena::process::{Outcome, Plan, run};
/// let report = run(Plan::of(["/bin/cat"]), b"hello", std::time::Duration::from_secs(1))?;
/// assert_eq!(report.outcome, Outcome::Exited(0));
/// assert_eq!(report.output, b"hello");
/// # Ok::<(), floe_arena::process::Trouble>(())
/// ```
pub fn run(plan: Plan, input: &[u8], limit: Duration) -> Result<Report, Trouble> {
    let mut program = Program::start(plan)?;
    program.ask(input);
    program.finish(limit)
}

impl Program {
    /// Starts a program. Returns when it runs, so that setting up is not on its clock.
    pub fn start(plan: Plan) -> Result<Program, Trouble> {
        let work = Work::new(plan.work.as_deref())?;
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), Plan::PATH.into()),
            ("LANG".into(), "C.UTF-8".into()),
            ("HOME".into(), work.path().into()),
            ("TMPDIR".into(), work.path().into()),
        ];
        environment.extend(plan.environment);
        let order = Order {
            command: plan.command,
            environment,
            work: work.path().to_owned(),
            readable: plan
                .readable
                .iter()
                .filter_map(|path| path.canonicalize().ok())
                .collect(),
            layers: plan.layers,
            limits: plan.limits.clone(),
            cores: plan.cores,
            uid: None,
        };

        let (stdin, input) = io::pipe()?;
        let (output, stdout) = io::pipe()?;
        let (errors, stderr) = io::pipe()?;
        let pipes = Pipes::new(input, output, errors, plan.limits.output)?;
        let Keeper { child, control } = match &plan.stable {
            Some(stable) => stable.take(plan.layers)?,
            None => Keeper::start(&plan.helper, plan.layers)?,
        };
        // From here on the keeper is ended by `drop`, whatever fails.
        let mut program = Program {
            keeper_id: child.id(),
            keeper: Some(child),
            stable: plan.stable,
            pipes,
            limits: plan.limits,
            layers: plan.layers,
            asked: Instant::now(),
            group: None,
            work,
        };
        let theirs = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        let handed = sandbox::hand_over(&control, &order, theirs);
        drop((stdin, stdout, stderr));
        program.pipes.attend(control)?;
        // A keeper that failed early cannot take the order, but has said why.
        match program.await_start(plan.patience) {
            Err(Trouble::Lost) => Err(handed.err().map_or(Trouble::Lost, Trouble::Prepare)),
            Err(trouble) => Err(trouble),
            Ok(()) => Ok(program),
        }
    }

    fn await_start(&mut self, patience: Duration) -> Result<(), Trouble> {
        let deadline = Instant::now() + patience;
        loop {
            let gone = self.pipes.control.is_none();
            if let Some(why) = self.word(sandbox::TROUBLE) {
                return Err(Trouble::Sandbox(why.to_owned()));
            }
            if let Some(group) = self.word(sandbox::STARTING) {
                self.group = group.parse().ok().and_then(Pid::from_raw);
                // A program may be quick enough to kill the keeper before its next word, and is
                // then still a program that has run.
                if gone || self.word(sandbox::STARTED).is_some() {
                    self.asked = Instant::now();
                    return Ok(());
                }
            } else if gone {
                return Err(Trouble::Lost);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Trouble::Silent);
            }
            self.pipes.turn(left)?;
        }
    }

    /// The rest of the keeper's line that starts with this letter, if it is complete.
    fn word(&self, letter: char) -> Option<&str> {
        let lines = self.pipes.word.split_inclusive('\n');
        lines
            .filter_map(|line| line.strip_suffix('\n')?.strip_prefix(letter))
            .next()
    }

    /// The directory the program works in.
    pub fn work(&self) -> &Path {
        self.work.path()
    }

    /// The layers the program runs in.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// Writes a request to the program and starts the clock. Never waits: what does not fit is
    /// written while an answer is awaited.
    pub fn ask(&mut self, request: &[u8]) {
        self.asked = Instant::now();
        self.pipes.write(request);
    }

    /// Waits for the next line of the program's output, until this long after the last request.
    /// A line that is there already is taken even if the time is over.
    pub fn line(&mut self, limit: Duration) -> Result<Answer, Trouble> {
        let deadline = self.asked + limit;
        let mut seen = 0;
        loop {
            let said = &mut self.pipes.said;
            if let Some(line) = take_line(said, seen) {
                return Ok(line);
            }
            seen = said.len();
            if self.pipes.flooded() {
                return Ok(Answer::TooMuch);
            }
            if self.pipes.silent() {
                let rest = std::mem::take(&mut self.pipes.said);
                return Ok(if rest.is_empty() {
                    Answer::End
                } else {
                    Answer::Line(rest)
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Answer::Late);
            }
            self.pipes.turn(left)?;
        }
    }

    /// A line that the program has said already, without waiting for one: before a request, what
    /// it said unasked.
    pub fn overhear(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        self.pipes.turn(Duration::ZERO)?;
        match take_line(&mut self.pipes.said, 0) {
            Some(Answer::Line(line)) => Ok(Some(line)),
            _ => Ok(None),
        }
    }

    /// The last 64 KiB of what the program has written to standard error so far.
    pub fn errors(&mut self) -> Result<Vec<u8>, Trouble> {
        self.pipes.turn(Duration::ZERO)?;
        Ok(self.pipes.ring.to_vec())
    }

    /// How much the program has written to standard error, as far as it was read on the way: what
    /// it wrote before a line is read before the line.
    pub fn errors_total(&self) -> u64 {
        self.pipes.ring.total()
    }

    /// What the program has written to standard error after the first so many bytes, of the last
    /// 64 KiB. Asks nobody: see [`errors_total`](Program::errors_total).
    pub fn errors_after(&self, first: u64) -> Vec<u8> {
        self.pipes.ring.after(first)
    }

    /// How long ago the last request was written.
    pub fn wall(&self) -> Duration {
        self.asked.elapsed()
    }

    /// The processor time all its processes have used so far, in steps of a clock tick (10 ms).
    pub fn cpu(&self) -> Duration {
        let ticks = sandbox::ticks(&sandbox::descendants(self.keeper_id));
        Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
    }

    /// Closes the program's input, lets it come to its end until this long after the last
    /// request, and then ends it. Nothing of it runs when this returns a report.
    pub fn finish(self, limit: Duration) -> Result<Report, Trouble> {
        let deadline = self.asked + limit;
        self.conclude(Some(deadline))
    }

    /// Ends the program at once.
    pub fn stop(self) -> Result<Report, Trouble> {
        self.conclude(None)
    }

    fn conclude(mut self, deadline: Option<Instant>) -> Result<Report, Trouble> {
        self.pipes.close();
        let mut ended_by = None;
        let done = |program: &Program| {
            program.word(sandbox::DONE).is_some() || program.pipes.control.is_none()
        };
        while !done(&self) && ended_by.is_none() {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            match left {
                _ if self.pipes.flooded() => ended_by = Some(Outcome::TooMuchOutput),
                None => ended_by = Some(Outcome::Stopped),
                Some(Duration::ZERO) => ended_by = Some(Outcome::TimedOut),
                Some(left) => self.pipes.turn(left)?,
            }
        }
        let wall = self.asked.elapsed();
        if ended_by.is_some()
            && let Some(mut control) = self.pipes.control.as_ref()
        {
            // If it cannot be written the keeper is gone, which shows below.
            let _ = control.write_all(b"k");
        }
        // Everybody who holds the other ends dies, so all pipes come to an end.
        let end = Instant::now() + ENDING;
        while !(done(&self) && (self.pipes.drained() || self.pipes.flooded())) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            if self.pipes.flooded() {
                ended_by = ended_by.or(Some(Outcome::TooMuchOutput));
                self.pipes.ignore_output();
            }
            self.pipes.turn(left)?;
        }
        let status = self.end_keeper();
        let Some(done) = self.word(sandbox::DONE).and_then(Done::read) else {
            let status = status.ok_or(Trouble::Left(1))?;
            return match status.signal() {
                // Nobody but the program, which is of the same user, has a reason to do that.
                Some(_) => Ok(self.report(
                    Outcome::Forbidden(Forbidden::Keeper),
                    wall,
                    &Done::default(),
                )),
                None => match self.word(sandbox::TROUBLE) {
                    Some(why) => Err(Trouble::Sandbox(why.to_owned())),
                    None => Err(Trouble::Lost),
                },
            };
        };
        if done.left > 0 {
            return Err(Trouble::Left(done.left));
        }
        let outcome = match (ended_by, done.how) {
            // A program that fails after outgrowing its memory fails because of it.
            (_, 'M') => Outcome::TooMuchMemory,
            (_, 'E' | 'S')
                if done.peak_kib > self.limits.memory / 1024
                    && (done.how, done.value) != ('E', 0) =>
            {
                Outcome::TooMuchMemory
            }
            (_, 'N') => Outcome::Forbidden(Forbidden::Processes),
            (_, 'W') => Outcome::Forbidden(Forbidden::Files),
            (Some(Outcome::TooMuchOutput), _) => Outcome::TooMuchOutput,
            (_, 'S') if done.value == SIGSYS => Outcome::Forbidden(Forbidden::SystemCall),
            (_, 'S') if done.value == SIGXCPU => Outcome::TimedOut,
            (Some(reason), _) => reason,
            (None, 'E') => Outcome::Exited(done.value),
            (None, 'S') => Outcome::Signalled(done.value),
            (None, _) => return Err(Trouble::Lost),
        };
        Ok(self.report(outcome, wall, &done))
    }

    fn report(&mut self, outcome: Outcome, wall: Duration, done: &Done) -> Report {
        let mut output = std::mem::take(&mut self.pipes.said);
        output.truncate(self.limits.output);
        Report {
            outcome,
            output,
            errors: self.pipes.ring.to_vec(),
            errors_total: self.pipes.ring.total(),
            wall,
            cpu: Duration::from_micros(done.cpu_micros),
            peak_kib: done.peak_kib,
            layers: self.layers,
        }
    }

    /// Lets the keeper go, and anything it may have left with it. None if it took force, or if
    /// nobody has to know how it ended.
    fn end_keeper(&mut self) -> Option<ExitStatus> {
        let mut keeper = self.keeper.take()?;
        let reported = self.word(sandbox::DONE).is_some() || self.word(sandbox::TROUBLE).is_some();
        // Closing the control socket is an order to end everything.
        self.pipes.control = None;
        if reported {
            return match &self.stable {
                Some(stable) => {
                    stable.replace(self.layers, keeper);
                    None
                }
                None => keeper.wait().ok(),
            };
        }
        let end = Instant::now() + ENDING;
        let mut status = None;
        while status.is_none() && Instant::now() < end {
            status = keeper.try_wait().ok().flatten();
            if status.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        if status.is_none() {
            let _ = keeper.kill();
            let _ = keeper.wait();
        }
        self.kill_group();
        if let Some(stable) = &self.stable {
            stable.replace(self.layers, keeper);
        }
        status
    }

    /// What the keeper would have done, had it lived.
    fn kill_group(&self) {
        if let Ok(Some(home)) = sandbox::group_home_if(self.layers) {
            let group = Group::of_keeper(home, self.keeper_id);
            group.kill();
            group.remove();
        }
        if let Some(group) = self.group {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.pipes.ignore_output();
        self.end_keeper();
    }
}

/// The keeper's last word.
#[derive(Debug, Default)]
struct Done {
    how: char,
    value: i32,
    cpu_micros: u64,
    peak_kib: u64,
    left: usize,
}

impl Done {
    fn read(line: &str) -> Option<Done> {
        let mut words = line.split(' ');
        let mut how = words.next()?.chars();
        let letter = how.next()?;
        Some(Done {
            how: letter,
            value: how.as_str().parse().ok()?,
            cpu_micros: words.next()?.parse().ok()?,
            peak_kib: words.next()?.parse().ok()?,
            left: words.next()?.parse().ok()?,
        })
    }
}
