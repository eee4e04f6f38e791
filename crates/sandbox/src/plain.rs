//! Programs without a sandbox, for systems other than Linux.
//!
//! A thread for each of the three pipes, a clock, and at the end a kill: of the whole process
//! group on Unix, of the tree as far as Windows knows it. A program that means harm can get out
//! of this, use any memory and write any file.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::environment::clean_environment;
use crate::launch::Launch;
use crate::layers::Layers;
use crate::output::LeftFiles;
use crate::report::{MachineFailure, NextLine, ProgramEnd, RunReport, take_line};
use crate::ring::Ring;
use crate::work_folder::WorkFolder;

/// Bytes of standard error to store.
const ERRORS: usize = 64 << 10;
/// How long the pipes may stay open after the program's end: only an escaped process can hold them.
const DRAIN: Duration = Duration::from_millis(200);
/// Interval between checks whether the program has ended.
const LOOK: Duration = Duration::from_millis(1);

/// State shared by the caller and the threads that read the pipes.
#[derive(Debug)]
struct Heard {
    said: Vec<u8>,
    most: usize,
    output_open: bool,
    errors_open: bool,
    ring: Ring,
}

impl Heard {
    fn flooded(&self) -> bool {
        self.said.len() > self.most
    }
}

#[derive(Debug)]
struct Ears {
    heard: Mutex<Heard>,
    changed: Condvar,
}

impl Ears {
    fn lock(&self) -> MutexGuard<'_, Heard> {
        // No holder of the lock leaves a half-done change.
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, heard: MutexGuard<'a, Heard>, time: Duration) -> MutexGuard<'a, Heard> {
        let waited = self.changed.wait_timeout(heard, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// A running program; see the same type for Linux.
#[derive(Debug)]
pub struct Program {
    child: Child,
    ended: Option<ExitStatus>,
    input: Option<Sender<Vec<u8>>>,
    ears: Arc<Ears>,
    asked: Instant,
    work: WorkFolder,
}

/// Runs a program once: sends all input, and collects output and exit. At the deadline, counted
/// from the writing of the input, it is ended.
pub fn run(launch: Launch, input: &[u8], limit: Duration) -> Result<RunReport, MachineFailure> {
    let mut program = Program::start(launch)?;
    program.send(input);
    program.close_and_wait(limit)
}

impl Program {
    /// Starts a program. This system has no layers: asking for one is a [`MachineFailure`].
    #[allow(clippy::needless_pass_by_value)] // the same face as on Linux
    pub fn start(launch: Launch) -> Result<Program, MachineFailure> {
        if launch.layers != Layers::NONE {
            let why = "there is no sandbox on this system";
            return Err(MachineFailure::Sandbox(why.to_owned()));
        }
        let work = match launch.work {
            Some(path) => WorkFolder::given(path),
            None => WorkFolder::private()?,
        };
        let [program, arguments @ ..] = launch.command.as_slice() else {
            return Err(MachineFailure::Sandbox("no program is named".to_owned()));
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(clean_environment(work.path()))
            .current_dir(work.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Without this variable, most Windows programs do not even load.
        if let Some(system) = std::env::var_os("SystemRoot").filter(|_| cfg!(windows)) {
            command.env("SystemRoot", system).env("TEMP", work.path());
        }
        command.envs(launch.environment.iter().map(|(name, value)| (name, value)));
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let name = program.display();
        let mut child = command
            .spawn()
            .map_err(|error| MachineFailure::Sandbox(format!("start {name}: {error}")))?;
        let ears = Arc::new(Ears {
            heard: Mutex::new(Heard {
                said: Vec::new(),
                most: launch.limits.output,
                output_open: true,
                errors_open: true,
                ring: Ring::new(ERRORS),
            }),
            changed: Condvar::new(),
        });
        let input = child.stdin.take().map(write_in_background);
        if let Some(output) = child.stdout.take() {
            listen(output, Arc::clone(&ears), |heard, bytes| match bytes {
                Some(bytes) => {
                    let room = heard.most.saturating_add(1) - heard.said.len();
                    heard
                        .said
                        .extend_from_slice(&bytes[..bytes.len().min(room)]);
                }
                None => heard.output_open = false,
            });
        }
        if let Some(errors) = child.stderr.take() {
            listen(errors, Arc::clone(&ears), |heard, bytes| match bytes {
                Some(bytes) => heard.ring.push(bytes),
                None => heard.errors_open = false,
            });
        }
        Ok(Program {
            child,
            ended: None,
            input,
            ears,
            asked: Instant::now(),
            work,
        })
    }

    /// The directory the program works in.
    pub fn work(&self) -> &Path {
        self.work.path()
    }

    /// The layers the program runs in: none.
    pub fn layers(&self) -> Layers {
        Layers::NONE
    }

    /// Writes a request to the program and starts the clock. Never waits.
    pub fn send(&mut self, request: &[u8]) {
        self.asked = Instant::now();
        if let Some(input) = &self.input {
            // A program that has closed its input commits no fault.
            let _ = input.send(request.to_vec());
        }
    }

    /// Does nothing: on this system, a program may run during its opponent's turn.
    pub fn freeze(&mut self) {}

    /// Waits for the next line of the program's output, until this long after the last request. A
    /// buffered line is returned even if the time is over.
    pub fn read_line(&mut self, limit: Duration) -> Result<NextLine, MachineFailure> {
        let deadline = self.asked + limit;
        let mut heard = self.ears.lock();
        loop {
            if let Some(line) = take_line(&mut heard.said, 0) {
                return Ok(line);
            }
            if heard.flooded() {
                return Ok(NextLine::TooMuch);
            }
            if !heard.output_open {
                let rest = std::mem::take(&mut heard.said);
                return Ok(match rest.is_empty() {
                    true => NextLine::End,
                    false => NextLine::Line(rest),
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(NextLine::Late);
            }
            heard = self.ears.wait(heard, left);
        }
    }

    /// A buffered line; never blocks. Before a request, such a line is unexpected output.
    pub fn try_read_line(&mut self) -> Result<Option<Vec<u8>>, MachineFailure> {
        match take_line(&mut self.ears.lock().said, 0) {
            Some(NextLine::Line(line)) => Ok(Some(line)),
            _ => Ok(None),
        }
    }

    /// The last 64 KiB of the program's standard error so far.
    pub fn errors(&mut self) -> Result<Vec<u8>, MachineFailure> {
        Ok(self.ears.lock().ring.to_vec())
    }

    /// Total bytes written to standard error so far.
    pub fn errors_total(&self) -> u64 {
        self.ears.lock().ring.total()
    }

    /// Standard error after its first `first` bytes, within the last 64 KiB.
    pub fn errors_after(&self, first: u64) -> Vec<u8> {
        self.ears.lock().ring.after(first)
    }

    /// Time since the last request was written.
    pub fn wall(&self) -> Duration {
        self.asked.elapsed()
    }

    /// A running program's processor time is unknown on this system.
    pub fn cpu(&self) -> Duration {
        Duration::ZERO
    }

    /// Closes the program's input, waits for its end until this long after the last request, and
    /// then ends it.
    pub fn close_and_wait(self, limit: Duration) -> Result<RunReport, MachineFailure> {
        let deadline = self.asked + limit;
        self.conclude(Some(deadline))
    }

    /// Ends the program at once.
    pub fn stop(self) -> Result<RunReport, MachineFailure> {
        self.conclude(None)
    }

    fn conclude(mut self, deadline: Option<Instant>) -> Result<RunReport, MachineFailure> {
        self.input = None;
        let outcome = loop {
            if self.ears.lock().flooded() {
                break ProgramEnd::TooMuchOutput;
            }
            let Some(deadline) = deadline else {
                break ProgramEnd::Stopped;
            };
            if let Some(status) = self.child.try_wait()? {
                self.ended = Some(status);
                break describe(status);
            }
            if Instant::now() >= deadline {
                break ProgramEnd::TimedOut;
            }
            drop(self.ears.wait(self.ears.lock(), LOOK));
        };
        let wall = self.asked.elapsed();
        self.kill()?;
        let drained = Instant::now() + DRAIN;
        let mut heard = self.ears.lock();
        while heard.output_open || heard.errors_open {
            let left = drained.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            heard = self.ears.wait(heard, left);
        }
        let flooded = heard.flooded() && matches!(outcome, ProgramEnd::Exited(_));
        let outcome = if flooded {
            ProgramEnd::TooMuchOutput
        } else {
            outcome
        };
        let mut output = std::mem::take(&mut heard.said);
        output.truncate(heard.most);
        Ok(RunReport {
            outcome,
            output,
            errors: heard.ring.to_vec(),
            errors_total: heard.ring.total(),
            wall,
            cpu: Duration::ZERO,
            peak_kib: 0,
            layers: Layers::NONE,
            left: LeftFiles::in_folder(self.work.path()),
        })
    }

    /// Ends the program with its child processes, and waits for the end.
    fn kill(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // Fails only if the group is empty.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(windows)]
        if self.ended.is_none() {
            let mut command = Command::new("taskkill");
            command.args(["/T", "/F", "/PID", &self.child.id().to_string()]);
            let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
        if self.ended.is_none() {
            let _ = self.child.kill();
            self.ended = Some(self.child.wait()?);
        }
        Ok(())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.ended.is_none() {
            let _ = self.kill();
        }
    }
}

fn describe(status: ExitStatus) -> ProgramEnd {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return ProgramEnd::Signalled(signal);
    }
    ProgramEnd::Exited(status.code().unwrap_or(-1))
}

/// Writes everything sent until the sender is dropped or the program closes the pipe.
fn write_in_background(mut pipe: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

/// Forwards the output of a pipe, and finally its end.
fn listen(
    mut pipe: impl Read + Send + 'static,
    ears: Arc<Ears>,
    hear: fn(&mut Heard, Option<&[u8]>),
) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let bytes = match pipe.read(&mut buffer) {
                Ok(0) => None,
                Ok(n) => Some(&buffer[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => None,
            };
            hear(&mut ears.lock(), bytes);
            ears.changed.notify_all();
            if bytes.is_none() {
                break;
            }
        }
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(100);

    fn shell(script: &str) -> Launch {
        Launch::of(["/bin/sh", "-c", script])
    }

    #[test]
    fn ends_are_told_apart() {
        for (script, limit, outcome) in [
            ("exit 0", LONG, ProgramEnd::Exited(0)),
            ("exit 42", LONG, ProgramEnd::Exited(42)),
            ("kill -SEGV $$", LONG, ProgramEnd::Signalled(11)),
            ("sleep 1000", SHORT, ProgramEnd::TimedOut),
            ("sleep 1000 & wait", SHORT, ProgramEnd::TimedOut),
            ("exec >&- 2>&-; sleep 1000", SHORT, ProgramEnd::TimedOut),
            (
                "while :; do echo xxxxxxxxxxxxxxxx; done",
                LONG,
                ProgramEnd::TooMuchOutput,
            ),
        ] {
            let mut launch = shell(script);
            launch.limits.output = 10_000;
            let report = run(launch, b"", limit).unwrap();
            assert_eq!(report.outcome, outcome, "{script}");
            assert!(report.output.len() <= 10_000);
        }
    }

    #[test]
    fn input_and_output_pass_and_errors_are_kept() {
        let input = vec![b'x'; 300_000];
        let report = run(shell("cat; echo oops >&2"), &input, LONG).unwrap();
        assert_eq!(report.outcome, ProgramEnd::Exited(0));
        assert_eq!(report.output, input);
        assert_eq!(report.errors, b"oops\n");
        let report = run(shell("exit 3"), &input, LONG).unwrap();
        assert_eq!(report.outcome, ProgramEnd::Exited(3));
    }

    #[test]
    fn the_world_is_clean_and_passes_away() {
        let report = run(shell("pwd; echo x > file; env"), b"", LONG).unwrap();
        let text = String::from_utf8(report.output).unwrap();
        let work = Path::new(text.lines().next().unwrap());
        assert!(!work.exists());
        let names = text
            .lines()
            .skip(1)
            .filter_map(|line| Some(line.split_once('=')?.0));
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        // The shell adds the last two itself.
        names.retain(|name| !["PWD", "_", "SHLVL", "OLDPWD"].contains(name));
        assert_eq!(names, ["HOME", "LANG", "PATH", "TMPDIR"]);
    }

    #[test]
    fn a_program_that_stays_answers_line_by_line() {
        let script = "while read x; do test $x = hush || echo you said $x; done; printf bye";
        let mut program = Program::start(shell(script)).unwrap();
        for word in ["a", "b", "c"] {
            program.send(format!("{word}\n").as_bytes());
            let line = format!("you said {word}").into_bytes();
            assert_eq!(program.read_line(LONG).unwrap(), NextLine::Line(line));
        }
        program.send(b"hush\n");
        assert_eq!(program.read_line(SHORT).unwrap(), NextLine::Late);
        assert_eq!(program.layers(), Layers::NONE);
        assert!(program.work().exists() && program.wall() >= SHORT);
        assert_eq!(program.cpu(), Duration::ZERO);
        let report = program.close_and_wait(LONG).unwrap();
        assert_eq!(
            (report.outcome, report.output),
            (ProgramEnd::Exited(0), b"bye".to_vec())
        );

        let mut program = Program::start(shell("echo a; printf b")).unwrap();
        for answer in [
            NextLine::Line(b"a".to_vec()),
            NextLine::Line(b"b".to_vec()),
            NextLine::End,
        ] {
            assert_eq!(program.read_line(LONG).unwrap(), answer);
        }
        assert_eq!(program.stop().unwrap().outcome, ProgramEnd::Stopped);
    }

    #[test]
    fn what_cannot_start_is_trouble() {
        assert!(run(Launch::of(["/nowhere/bot"]), b"", LONG).is_err());
        assert!(run(Launch::of(Vec::<String>::new()), b"", LONG).is_err());
        let layers = Layers::up_to(1);
        let launch = Launch {
            layers,
            ..shell("exit 0")
        };
        assert!(matches!(
            run(launch, b"", LONG),
            Err(MachineFailure::Sandbox(_))
        ));
    }

    #[test]
    fn dropping_it_ends_it() {
        let program = Program::start(shell("sleep 1000")).unwrap();
        let ears = Arc::clone(&program.ears);
        drop(program);
        let mut heard = ears.lock();
        while heard.output_open {
            heard = ears.wait(heard, LONG);
        }
    }
}
