//! A running program, as the referee sees it.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::environment::clean_environment;
use crate::helper::{
    Disk, Done, EndCause, Freezer, Order, ProgramGroup, Stat, SupervisorMessage, TurnWriter,
    descendants, hand_over, home_if, messages, word,
};
use crate::launch::Launch;
use crate::layers::Layers;
use crate::limits::ResourceLimits;
use crate::output::LeftFiles;
use crate::pipes::Pipes;
use crate::report::{Forbidden, MachineFailure, NextLine, ProgramEnd, RunReport, take_line};
use crate::supervisor_pool::{Supervisor, SupervisorPool};
use crate::work_folder::WorkFolder;

/// Time limit for the supervisor to end everything: longer than its own limit.
const ENDING: Duration = Duration::from_secs(15);
const SIGSYS: i32 = Signal::SYS.as_raw();
const SIGXCPU: i32 = Signal::XCPU.as_raw();

/// A program that runs, with everything it may start.
///
/// ```standalone_crate
/// use floe_sandbox::{Launch, NextLine, Program, ProgramEnd, helper_main};
/// use std::time::Duration;
///
/// helper_main();
/// let mut program = Program::start(Launch::of(["/bin/cat"]))?;
/// for question in ["first", "second"] {
///     program.send(format!("{question}\n").as_bytes());
///     let answer = program.read_line(Duration::from_secs(5))?;
///     assert_eq!(answer, NextLine::Line(question.into()));
/// }
/// let report = program.close_and_wait(Duration::from_secs(5))?;
/// assert_eq!(report.outcome, ProgramEnd::Exited(0));
/// # Ok::<(), floe_sandbox::MachineFailure>(())
/// ```
///
/// Dropping it ends it too, without a report.
#[derive(Debug)]
pub struct Program {
    /// `None` once it was waited for or handed over.
    supervisor: Option<Child>,
    supervisor_id: u32,
    pool: Option<SupervisorPool>,
    pipes: Pipes,
    limits: ResourceLimits,
    layers: Layers,
    asked: Instant,
    group: Option<Pid>,
    /// The control group, its use before the program started, and its freezer.
    cgroup: Option<ProgramGroup>,
    cpu_before: Duration,
    freezer: Option<Freezer>,
    ponders: bool,
    turn: TurnWriter,
    disk: Disk,
    /// Dropped after the program's end; a private folder is then removed.
    work: WorkFolder,
}

/// Runs a program once: all input, then the end of it; all output; the exit. At the deadline,
/// counted from the write of the input, it is ended.
///
/// ```standalone_crate
/// use floe_sandbox::{Launch, ProgramEnd, helper_main, run};
/// use std::time::Duration;
///
/// helper_main();
/// let report = run(Launch::of(["/bin/cat"]), b"hello", Duration::from_secs(5))?;
/// assert_eq!(report.outcome, ProgramEnd::Exited(0));
/// assert_eq!(report.output, b"hello");
///
/// let report = run(Launch::of(["sleep", "60"]), b"", Duration::from_millis(50))?;
/// assert_eq!(report.outcome, ProgramEnd::TimedOut);
/// # Ok::<(), floe_sandbox::MachineFailure>(())
/// ```
pub fn run(launch: Launch, input: &[u8], limit: Duration) -> Result<RunReport, MachineFailure> {
    let mut program = Program::start(launch)?;
    program.send(input);
    program.close_and_wait(limit)
}

impl Program {
    /// Starts a program. Returns once it runs, so that setting up does not count towards its time.
    pub fn start(launch: Launch) -> Result<Program, MachineFailure> {
        let brings_back = launch.work.is_some() && launch.brings_back;
        let work = match (launch.work, &launch.pool) {
            (Some(path), _) => WorkFolder::given(path),
            (None, Some(pool)) => pool.folder()?,
            (None, None) => WorkFolder::private()?,
        };
        let mut environment = clean_environment(work.path());
        environment.extend(launch.environment);
        let order = Order {
            command: launch.command,
            environment,
            work: work.path().to_owned(),
            brings_back,
            readable: launch.readable,
            layers: launch.layers,
            limits: launch.limits.clone(),
            cores: launch.cores,
            uid: None,
        };

        let (stdin, input) = io::pipe()?;
        let (output, stdout) = io::pipe()?;
        let (errors, stderr) = io::pipe()?;
        let pipes = Pipes::new(input, output, errors, launch.limits.output)?;
        let turn = TurnWriter::new().map_err(io::Error::from)?;
        let Supervisor { child, control } = match &launch.pool {
            Some(pool) => pool.take(launch.layers)?,
            None => Supervisor::start(&launch.helper, launch.layers)?,
        };
        let home = home_if(launch.layers).unwrap_or_default();
        // From here on, dropping this ends the supervisor, whatever fails.
        let mut program = Program {
            cgroup: home.map(|home| ProgramGroup::of_supervisor(home, child.id())),
            cpu_before: Duration::ZERO,
            freezer: None,
            disk: Disk::new(work.path(), &launch.limits),
            supervisor_id: child.id(),
            supervisor: Some(child),
            pool: launch.pool,
            pipes,
            limits: launch.limits,
            layers: launch.layers,
            asked: Instant::now(),
            group: None,
            ponders: launch.ponders,
            turn,
            work,
        };
        let [stdin_fd, stdout_fd, stderr_fd] = match &launch.terminal {
            Some(terminal) => [terminal.as_fd(); 3],
            None => [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()],
        };
        let theirs = [stdin_fd, stdout_fd, stderr_fd, program.turn.as_fd()];
        let handed = hand_over(&control, &order, &theirs);
        drop((stdin, stdout, stderr, launch.terminal));
        program.pipes.attend(control)?;
        // A supervisor that failed early cannot take the order, but has reported why.
        match program.await_start(launch.patience) {
            Err(MachineFailure::Lost) => Err(handed
                .err()
                .map_or(MachineFailure::Lost, MachineFailure::Prepare)),
            Err(trouble) => Err(trouble),
            Ok(()) => {
                program.settle();
                Ok(program)
            }
        }
    }

    /// Opens what the supervisor has made for the program.
    fn settle(&mut self) {
        if let Some(room) = self.pipes.descriptor.take() {
            self.disk.measure(room);
        }
        if let Some(group) = &self.cgroup {
            self.freezer = group.freezer();
            self.cpu_before = group.time().unwrap_or_default();
        }
    }

    fn await_start(&mut self, patience: Duration) -> Result<(), MachineFailure> {
        let deadline = Instant::now() + patience;
        loop {
            let gone = self.pipes.control.is_none();
            let (mut starting, mut has_started) = (None, false);
            for message in self.messages() {
                match message {
                    SupervisorMessage::MachineFailure(why) => {
                        return Err(MachineFailure::Sandbox(why));
                    }
                    SupervisorMessage::Starting(group) => starting = Some(group),
                    SupervisorMessage::Started => has_started = true,
                    SupervisorMessage::Done(_) => {}
                }
            }
            if let Some(group) = starting {
                self.group = Pid::from_raw(group);
                // A program can kill the supervisor before its next message; it still counts as
                // having run.
                if gone || has_started {
                    self.asked = Instant::now();
                    return Ok(());
                }
            } else if gone {
                return Err(MachineFailure::Lost);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(MachineFailure::Silent);
            }
            self.pipes.turn(left)?;
        }
    }

    /// The supervisor's messages so far.
    fn messages(&self) -> impl Iterator<Item = SupervisorMessage> + '_ {
        messages(&self.pipes.supervisor_said)
    }

    /// The supervisor's last message, if it has arrived.
    fn done(&self) -> Option<Done> {
        self.messages().find_map(|message| match message {
            SupervisorMessage::Done(done) => Some(done),
            _ => None,
        })
    }

    /// The failure that kept the program from running, as the supervisor reported it.
    fn trouble(&self) -> Option<String> {
        self.messages().find_map(|message| match message {
            SupervisorMessage::MachineFailure(why) => Some(why),
            _ => None,
        })
    }

    /// The directory the program works in.
    pub fn work(&self) -> &Path {
        self.work.path()
    }

    /// The layers the program runs in.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// Writes a request to the program and starts the clock. Never waits: the rest is written while
    /// an answer is awaited.
    pub fn send(&mut self, request: &[u8]) {
        self.thaw();
        self.asked = Instant::now();
        self.pipes.write(request);
    }

    /// Stops the program and all processes it started until it is asked again or has to finish: for
    /// the time in which an opponent is to move. A program that resumes itself is ended as
    /// [`Forbidden::OutOfTurn`]. Does nothing if the launch sets `ponders`.
    ///
    /// ```standalone_crate
    /// use floe_sandbox::{Launch, NextLine, Program, helper_main};
    /// use std::time::Duration;
    ///
    /// helper_main();
    /// let mut program = Program::start(Launch::of(["/bin/cat"]))?;
    /// program.send(b"one\n");
    /// assert_eq!(program.read_line(Duration::from_secs(5))?, NextLine::Line(b"one".to_vec()));
    /// program.freeze(); // uses no processor from here
    /// program.send(b"two\n"); // to here
    /// assert_eq!(program.read_line(Duration::from_secs(5))?, NextLine::Line(b"two".to_vec()));
    /// # Ok::<(), floe_sandbox::MachineFailure>(())
    /// ```
    ///
    /// Costs two system calls, and as many to resume.
    pub fn freeze(&mut self) {
        if self.ponders || self.turn.is_frozen() || self.done().is_some() {
            return;
        }
        if let Some(freezer) = &self.freezer {
            self.turn.change();
            freezer.freeze();
        } else if let Some(group) = self.group {
            let _ = rustix::process::kill_process_group(group, Signal::STOP);
            self.change_turn();
        }
    }

    /// Resumes a frozen program.
    fn thaw(&mut self) {
        if !self.turn.is_frozen() || self.done().is_some() {
            return;
        }
        if let Some(freezer) = &self.freezer {
            self.turn.change();
            freezer.thaw();
        } else if let Some(group) = self.group {
            // In this order, so that the supervisor knows about the turn when it sees the program
            // run.
            self.change_turn();
            let _ = rustix::process::kill_process_group(group, Signal::CONT);
        }
    }

    /// Notifies the supervisor that the turn has changed. The supervisor polls too, but too rarely
    /// for processes that the signals do not reach.
    fn change_turn(&mut self) {
        self.turn.change();
        if !self.layers.seccomp {
            self.tell(word::LOOK);
        }
    }

    /// Sends a command to the supervisor. A dead supervisor is noticed elsewhere.
    fn tell(&self, word: u8) {
        if let Some(mut control) = self.pipes.control.as_ref() {
            let _ = control.write_all(&[word]);
        }
    }

    /// Waits for the next line of the program's output, until this long after the last request. A
    /// buffered line is returned even if the time is over.
    pub fn read_line(&mut self, limit: Duration) -> Result<NextLine, MachineFailure> {
        let deadline = self.asked + limit;
        let mut seen = 0;
        loop {
            let said = &mut self.pipes.said;
            if let Some(line) = take_line(said, seen) {
                return Ok(line);
            }
            seen = said.len();
            if self.pipes.flooded() {
                return Ok(NextLine::TooMuch);
            }
            if self.pipes.silent() {
                let rest = std::mem::take(&mut self.pipes.said);
                return Ok(if rest.is_empty() {
                    NextLine::End
                } else {
                    NextLine::Line(rest)
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(NextLine::Late);
            }
            self.pipes.turn(left)?;
        }
    }

    /// A buffered line; never blocks. Before a request, such a line is unexpected output.
    pub fn try_read_line(&mut self) -> Result<Option<Vec<u8>>, MachineFailure> {
        self.pipes.turn(Duration::ZERO)?;
        match take_line(&mut self.pipes.said, 0) {
            Some(NextLine::Line(line)) => Ok(Some(line)),
            _ => Ok(None),
        }
    }

    /// The last 64 KiB of the program's standard error so far.
    pub fn errors(&mut self) -> Result<Vec<u8>, MachineFailure> {
        self.pipes.turn(Duration::ZERO)?;
        Ok(self.pipes.ring.to_vec())
    }

    /// Bytes of standard error read so far: output written before a line is read before the line.
    pub fn errors_total(&self) -> u64 {
        self.pipes.ring.total()
    }

    /// Standard error after its first `first` bytes, within the last 64 KiB. Reads nothing new: see
    /// [`errors_total`](Program::errors_total).
    pub fn errors_after(&self, first: u64) -> Vec<u8> {
        self.pipes.ring.after(first)
    }

    /// Time since the last request was written.
    pub fn wall(&self) -> Duration {
        self.asked.elapsed()
    }

    /// Whether its working directory exceeds the limit at this moment. A program ended for that
    /// ends as [`Forbidden::Files`].
    ///
    /// Costs a system call in a file system of its own, and elsewhere a look at each file.
    pub fn is_overfull(&self) -> bool {
        self.disk.is_full(&[])
    }

    /// The processor time of all its processes so far: in steps of a clock tick (10 ms), except in
    /// a control group.
    pub fn cpu(&self) -> Duration {
        if let Some(time) = self.cgroup.as_ref().and_then(ProgramGroup::time) {
            return time.saturating_sub(self.cpu_before);
        }
        let stats = descendants(self.supervisor_id)
            .into_iter()
            .filter_map(Stat::of);
        let ticks: u64 = stats.map(|stat| stat.ticks()).sum();
        Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
    }

    /// Closes the program's input, waits for its end until this long after the last request, and
    /// then ends it. No process of it runs when this returns a report.
    pub fn close_and_wait(self, limit: Duration) -> Result<RunReport, MachineFailure> {
        let deadline = self.asked + limit;
        self.conclude(Some(deadline))
    }

    /// Ends the program at once.
    pub fn stop(self) -> Result<RunReport, MachineFailure> {
        self.conclude(None)
    }

    fn conclude(mut self, deadline: Option<Instant>) -> Result<RunReport, MachineFailure> {
        self.pipes.close();
        if deadline.is_some() {
            self.thaw();
        }
        let mut ended_by = None;
        let is_over =
            |program: &Program| program.pipes.control.is_none() || program.done().is_some();
        while !is_over(&self) && ended_by.is_none() {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            match left {
                _ if self.pipes.flooded() => ended_by = Some(ProgramEnd::TooMuchOutput),
                None => ended_by = Some(ProgramEnd::Stopped),
                Some(Duration::ZERO) => ended_by = Some(ProgramEnd::TimedOut),
                Some(left) => self.pipes.turn(left)?,
            }
        }
        let wall = self.asked.elapsed();
        if ended_by.is_some() {
            self.tell(word::END);
        }
        // All processes with the other ends die, so all pipes end.
        let end = Instant::now() + ENDING;
        while !(is_over(&self) && (self.pipes.drained() || self.pipes.flooded())) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            if self.pipes.flooded() {
                ended_by = ended_by.or(Some(ProgramEnd::TooMuchOutput));
                self.pipes.ignore_output();
            }
            self.pipes.turn(left)?;
        }
        let status = self.end_supervisor();
        let Some(done) = self.done() else {
            if let Some(why) = self.trouble() {
                return Err(MachineFailure::Sandbox(why));
            }
            let status = status.ok_or(MachineFailure::Left(1))?;
            return match status.signal() {
                // Only the program, which runs as the same user, could have killed it.
                Some(_) => {
                    let outcome = ProgramEnd::Forbidden(Forbidden::Supervisor);
                    Ok(self.report(outcome, wall, 0, 0))
                }
                None => Err(MachineFailure::Lost),
            };
        };
        if done.left > 0 {
            return Err(MachineFailure::Left(done.left));
        }
        // In a control group, the kernel reports whether memory ran out.
        let outgrew_memory = !self.layers.cgroup && done.peak_kib > self.limits.memory / 1024;
        let outcome = match (ended_by, done.cause) {
            (_, EndCause::Memory) => ProgramEnd::TooMuchMemory,
            // A program that fails above its memory limit fails because of it.
            (_, EndCause::Exited(_) | EndCause::Signalled(_) | EndCause::Supervisor)
                if outgrew_memory && done.cause != EndCause::Exited(0) =>
            {
                ProgramEnd::TooMuchMemory
            }
            (_, EndCause::Processes) => ProgramEnd::Forbidden(Forbidden::Processes),
            (_, EndCause::Files) => ProgramEnd::Forbidden(Forbidden::Files),
            (_, EndCause::Supervisor) => ProgramEnd::Forbidden(Forbidden::Supervisor),
            (_, EndCause::OutOfTurn) => ProgramEnd::Forbidden(Forbidden::OutOfTurn),
            (_, EndCause::Hiding) => ProgramEnd::Forbidden(Forbidden::Hiding),
            (Some(ProgramEnd::TooMuchOutput), _) => ProgramEnd::TooMuchOutput,
            (_, EndCause::Signalled(SIGSYS)) => ProgramEnd::Forbidden(Forbidden::SystemCall),
            (_, EndCause::Signalled(SIGXCPU)) => ProgramEnd::TimedOut,
            (Some(reason), _) => reason,
            (None, EndCause::Exited(code)) => ProgramEnd::Exited(code),
            (None, EndCause::Signalled(signal)) => ProgramEnd::Signalled(signal),
            (None, EndCause::Asked) => return Err(MachineFailure::Lost),
        };
        Ok(self.report(outcome, wall, done.cpu_micros, done.peak_kib))
    }

    fn report(
        &mut self,
        outcome: ProgramEnd,
        wall: Duration,
        cpu_micros: u64,
        peak_kib: u64,
    ) -> RunReport {
        let mut output = std::mem::take(&mut self.pipes.said);
        output.truncate(self.limits.output);
        RunReport {
            outcome,
            output,
            errors: self.pipes.ring.to_vec(),
            errors_total: self.pipes.ring.total(),
            wall,
            cpu: Duration::from_micros(cpu_micros),
            peak_kib,
            layers: self.layers,
            left: match self.disk.room() {
                Some(room) => LeftFiles::of_room(room),
                None => LeftFiles::in_folder(self.work.path()),
            },
        }
    }

    /// Waits for the supervisor to end, or kills it. `None` if it had to be killed, or if its exit
    /// status does not matter.
    fn end_supervisor(&mut self) -> Option<ExitStatus> {
        let mut supervisor = self.supervisor.take()?;
        let reported = self.done().is_some() || self.trouble().is_some();
        // Closing the control socket tells the supervisor to end everything.
        self.pipes.control = None;
        if reported {
            return match &self.pool {
                Some(pool) => {
                    pool.replace(self.layers, supervisor);
                    None
                }
                None => supervisor.wait().ok(),
            };
        }
        let end = Instant::now() + ENDING;
        let mut status = None;
        while status.is_none() && Instant::now() < end {
            status = supervisor.try_wait().ok().flatten();
            if status.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        if status.is_none() {
            let _ = supervisor.kill();
            let _ = supervisor.wait();
        }
        self.kill_group();
        if let Some(pool) = &self.pool {
            pool.replace(self.layers, supervisor);
        }
        status
    }

    /// Ends the program's processes in place of a dead supervisor.
    fn kill_group(&self) {
        if let Some(group) = self.group {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        if let Some(group) = &self.cgroup {
            group.kill();
            group.remove();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.pipes.ignore_output();
        self.end_supervisor();
        if let Some(pool) = &self.pool
            && let Some(folder) = self.work.take_private()
        {
            pool.tidy(folder, self.disk.room());
        }
    }
}
