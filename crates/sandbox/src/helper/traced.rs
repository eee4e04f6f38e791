//! A program whose system calls are watched: see [`trace_calls`](crate::trace_calls).
//!
//! The traced process is this binary once more. It lets itself be traced, lays the filters on itself
//! and becomes the program, so that a refused call fails as it would in a game and what the program
//! then does instead is seen, too. The kernel stops it before the filters see a call.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::calls::{self, Verdict};
use super::landlock;
use super::system_calls::{self, Circumstances, Seal};
use crate::environment::clean_environment;

/// The first argument that turns a binary with `helper_main` into a traced program.
pub(super) const TRACED: &str = "--floe-sandbox-traced";
/// Exit code of a process that failed to start the program.
const FAILED: i32 = 126;

/// The verdicts that apply in a file system of the program's own: they refuse the fewest calls.
const AROUND: Circumstances<'static> = Circumstances {
    protected: &[],
    own_mounts: true,
};

/// A system call of the program, with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) number: i64,
    pub(crate) verdict: Verdict,
    pub(crate) times: u64,
    /// The arguments of the first call with this number and verdict.
    pub(crate) arguments: [u64; 6],
}

impl Seen {
    pub(crate) fn name(&self) -> String {
        let known = calls::find(self.number).map(calls::Call::name);
        known.map_or_else(|| format!("call {}", self.number), str::to_owned)
    }

    pub(crate) fn why(&self) -> &'static str {
        let known = calls::find(self.number).map(|call| call.why);
        known.unwrap_or("not in the table of calls")
    }
}

/// Arguments: the working directory, the number of readable folders, these folders, and the
/// command.
pub(super) fn main(words: impl Iterator<Item = OsString>) -> ! {
    let error = become_traced(words);
    let _ = io::Write::write_all(&mut io::stderr(), format!("floe: {error}\n").as_bytes());
    std::process::exit(FAILED)
}

fn become_traced(mut words: impl Iterator<Item = OsString>) -> String {
    let mut prepare = || -> Result<(PathBuf, OsString), String> {
        ptrace::traceme().map_err(|e| format!("cannot be traced: {e}"))?;
        nix::sys::signal::raise(Signal::SIGSTOP).map_err(|e| format!("cannot stop: {e}"))?;
        let work = PathBuf::from(words.next().ok_or("no working directory")?);
        let many = words.next().and_then(|word| word.to_str()?.parse().ok());
        let readable: Vec<PathBuf> = (&mut words)
            .take(many.unwrap_or(0))
            .map(Into::into)
            .collect();
        let program = words.next().ok_or("no program is named")?;
        let rules = landlock::Rules::new(false);
        rustix::thread::set_no_new_privs(true).map_err(|e| format!("no-new-privs: {e}"))?;
        system_calls::apply(AROUND)?;
        std::env::set_current_dir(&work).map_err(|e| format!("{}: {e}", work.display()))?;
        // Files do not matter here: without Landlock, all calls can be seen too.
        if let Ok(rules) = rules {
            let _ = rules.apply(&readable, &work);
        }
        Seal::new(AROUND)?.lay()?;
        Ok((work, program))
    };
    let (work, program) = match prepare() {
        Ok(prepared) => prepared,
        Err(error) => return error,
    };
    let mut command = Command::new(&program);
    command
        .args(words)
        .env_clear()
        .envs(clean_environment(&work));
    format!("start {}: {}", program.display(), command.exec())
}

/// Runs a command, with read access to these folders, to its end; it uses the caller's standard
/// input, output and error. Returns its calls by number, and its exit code or signal.
pub(crate) fn trace(
    helper: &Path,
    command: &[OsString],
    readable: &[PathBuf],
    work: &Path,
) -> io::Result<(Vec<Seen>, Result<i32, i32>)> {
    let child = Command::new(helper)
        .arg(TRACED)
        .arg(work)
        .arg(readable.len().to_string())
        .args(readable)
        .args(command)
        .spawn()?;
    let main = Pid::from_raw(child.id().cast_signed());
    let mut tracer = Tracer {
        main,
        has_started: false,
        inside: HashSet::new(),
        seen: BTreeMap::new(),
    };
    let end = tracer.follow()?;
    Ok((tracer.seen.into_values().collect(), end))
}

struct Tracer {
    main: Pid,
    /// Whether the first process has become the program.
    has_started: bool,
    /// Processes inside a call.
    inside: HashSet<Pid>,
    seen: BTreeMap<(i64, u8), Seen>,
}

impl Tracer {
    fn follow(&mut self) -> io::Result<Result<i32, i32>> {
        let options = Options::PTRACE_O_TRACESYSGOOD
            | Options::PTRACE_O_TRACEFORK
            | Options::PTRACE_O_TRACEVFORK
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEEXEC
            | Options::PTRACE_O_EXITKILL;
        let mut is_new = true;
        loop {
            let status = match waitpid(None, Some(WaitPidFlag::__WALL)) {
                Err(nix::errno::Errno::EINTR) => continue,
                status => status?,
            };
            match status {
                WaitStatus::Exited(pid, code) if pid == self.main => return Ok(Ok(code)),
                WaitStatus::Signaled(pid, signal, _) if pid == self.main => {
                    return Ok(Err(signal as i32));
                }
                WaitStatus::Stopped(pid, signal) => {
                    if pid == self.main && std::mem::take(&mut is_new) {
                        ptrace::setoptions(pid, options)?;
                        let _ = ptrace::syscall(pid, None);
                        continue;
                    }
                    // A new thread starts with a stop signal from the kernel.
                    let is_first = signal == Signal::SIGSTOP;
                    let _ = ptrace::syscall(pid, (!is_first).then_some(signal));
                }
                WaitStatus::PtraceSyscall(pid) => {
                    self.call(pid);
                    let _ = ptrace::syscall(pid, None);
                }
                WaitStatus::PtraceEvent(pid, _, event) => {
                    self.has_started |= pid == self.main && event == libc::PTRACE_EVENT_EXEC;
                    let _ = ptrace::syscall(pid, None);
                }
                _ => {}
            }
        }
    }

    /// A process enters or leaves a system call.
    fn call(&mut self, pid: Pid) {
        if self.inside.remove(&pid) {
            return;
        }
        self.inside.insert(pid);
        let text = fs::read_to_string(format!("/proc/{pid}/syscall")).unwrap_or_default();
        let Some((number, arguments)) = read_call(&text).filter(|_| self.has_started) else {
            return;
        };
        let verdict = AROUND.verdict(number, arguments);
        let kind = match verdict {
            Verdict::Allow => 0,
            Verdict::Refuse(_) => 1,
            Verdict::Fault => 2,
        };
        let seen = self.seen.entry((number, kind)).or_insert(Seen {
            number,
            verdict,
            times: 0,
            arguments,
        });
        seen.times += 1;
    }
}

/// The number and the arguments in `/proc/PID/syscall`.
fn read_call(text: &str) -> Option<(i64, [u64; 6])> {
    let mut words = text.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        let digits = words.next()?.strip_prefix("0x")?;
        *argument = u64::from_str_radix(digits, 16).ok()?;
    }
    Some((number, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_for_a_call_are_read() {
        let text = "0 0x3 0x55 0x1000 0x0 0xffffffffffffffff 0x7 0x7ffd 0x7f00\n";
        let expected = [3, 0x55, 0x1000, 0, u64::MAX, 7];
        assert_eq!(read_call(text), Some((0, expected)));
        assert_eq!(read_call("running\n"), None);
        assert_eq!(read_call("-1 0x7ffd 0x7f00\n"), None);
    }
}
