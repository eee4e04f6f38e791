//! The launcher: closes the layers around itself, the outermost first, and becomes the program.
//!
//! In a pid namespace the launcher stays as the first process and starts the program as the second.
//! The kernel withholds most signals from a first process, so a program in that place could not
//! even abort properly; and the first process has to reap orphans.
//!
//! Work that is the same for all programs is done before the order arrives, so that a launcher that
//! was started early has little left to do.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use rustix::fs::Access;
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, WaitOptions, set_dumpable_behavior, setrlimit,
};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::message::{EndCause, LauncherMessage};
use super::system_calls::{Circumstances, Seal};
use super::wire::{self, Order};
use super::{landlock, namespaces, process_tree, system_calls};
use crate::environment::SEARCH_PATH;
use crate::layers::Layers;

/// Number of processes by which the user's other work may grow while a program runs.
const HEADROOM: u64 = 200;

/// Most pending signals and timers.
const SIGNALS: u64 = 1024;
/// Bytes that may be locked in memory.
const LOCKED: u64 = 1 << 20;

/// The part of an order that is the same for every program.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    pub(super) layers: Layers,
    /// Whether the program runs as a spare user, so that the kernel counts only that user's
    /// processes.
    pub(super) spare_user: bool,
    /// Processes the program must not signal, by the numbers it would see.
    pub(super) protected: Vec<u32>,
}

impl Outline {
    /// The launcher's command-line arguments.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![
            self.layers.bits().to_string(),
            u8::from(self.spare_user).to_string(),
        ];
        words.extend(self.protected.iter().map(u32::to_string));
        words
    }

    fn read(words: impl IntoIterator<Item = OsString>) -> Option<Outline> {
        let mut numbers = words
            .into_iter()
            .map(|word| word.to_str()?.parse::<u32>().ok());
        Some(Outline {
            layers: Layers::from_bits(u8::try_from(numbers.next()??).ok()?),
            spare_user: numbers.next()?? != 0,
            protected: numbers.collect::<Option<_>>()?,
        })
    }
}

pub(super) fn main(words: impl IntoIterator<Item = OsString>) -> ! {
    let code = match (Outline::read(words), wire::own_socket()) {
        (Some(outline), Ok(mut channel)) => {
            let error = run(&outline, &mut channel).err();
            let failed = error.is_some();
            if let Some(error) = error {
                let _ = say(&mut channel, &LauncherMessage::Failed(error));
            }
            u8::from(failed)
        }
        _ => 2,
    };
    std::process::exit(i32::from(code))
}

fn run(outline: &Outline, channel: &mut UnixStream) -> Result<(), String> {
    let layers = outline.layers;
    let around = Circumstances {
        protected: &outline.protected,
        own_mounts: layers.namespaces,
    };
    let null = OpenOptions::new().read(true).write(true).open("/dev/null");
    let null = null.map_err(|e| format!("/dev/null: {e}"))?;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    // A new session has no terminal, and its group has the number of this process.
    rustix::process::setsid().map_err(|e| format!("session: {e}"))?;
    if layers.namespaces {
        namespaces::prepare()?;
    }
    let rules = match layers.landlock {
        true => Some(landlock::Rules::new(layers.namespaces)?),
        false => None,
    };
    if layers.landlock || layers.seccomp {
        let nothing_new = rustix::thread::set_no_new_privs(true);
        nothing_new.map_err(|e| format!("no-new-privs: {e}"))?;
    }
    let seal = match layers.seccomp {
        true => {
            system_calls::apply(around)?;
            Some(Seal::new(around)?)
        }
        false => None,
    };
    // Other processes that count for the program's user: in a namespace its first process, and the
    // supervisor if it runs as the same user.
    let others = match (outline.spare_user, layers.namespaces) {
        (true, false) => 0,
        (true, true) => 1,
        (false, true) => 2,
        // Here the kernel counts all of the user's processes, which change for many reasons: this
        // only slows a fork bomb down until the supervisor, which counts exactly, ends it.
        (false, false) => {
            2 + process_tree::threads_of(rustix::process::getuid().as_raw()) + HEADROOM
        }
    };
    // One more than allowed: the supervisor ends a program that has it, the same for every user.
    let other_processes = others + 1;

    let order = wire::receive(channel).map_err(|e| format!("order: {e}"))?;
    let Some((order, [stdin, stdout, stderr])) = order else {
        return Ok(()); // nobody needs this launcher
    };
    let room = match layers.namespaces {
        true => Some(namespaces::complete(&order)?),
        false => None,
    };
    if !wire::await_leave(channel).map_err(|e| format!("order: {e}"))? {
        return Ok(()); // the supervisor has failed
    }
    become_nobody(&order)?;
    let died = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    died.map_err(|e| format!("signal at the parent's death: {e}"))?;
    set_limits(&order, other_processes)?;
    let work = order.work.display();
    std::env::set_current_dir(&order.work).map_err(|e| format!("go to {work}: {e}"))?;
    if let Some(rules) = rules {
        rules.apply(&order.readable, &order.work)?;
    }
    if layers.namespaces {
        let shut = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        shut.map_err(|e| format!("not dumpable: {e}"))?;
    }
    if let Some(room) = room {
        // An empty line, because descriptors can be sent only with data.
        let sent = wire::send_with(channel, b"\n", room.as_fd());
        sent.map_err(|e| format!("channel: {e}"))?;
    }
    if let Some(seal) = seal {
        seal.lay()?;
    }

    let [program, arguments @ ..] = order.command.as_slice() else {
        return Err("no program is named".to_owned());
    };
    let found = find(program, &order).ok_or_else(|| {
        let name = program.display();
        format!("start {name}: no such program on the path {SEARCH_PATH}")
    })?;
    let mut command = Command::new(found);
    command.args(arguments).env_clear();
    command.envs(order.environment.iter().map(|(name, value)| (name, value)));
    let refused = |e: io::Error| {
        let denied = e.kind() == io::ErrorKind::PermissionDenied;
        let closed = denied.then(|| closed_folder(program)).flatten();
        let why = closed.map_or_else(
            || e.to_string(),
            |folder| {
                format!(
                    "the user that programs run as may not enter {}; move it elsewhere, or use \
                     sandbox level 2",
                    folder.display()
                )
            },
        );
        format!("start {}: {why}", program.display())
    };
    let standard = rustix::stdio::dup2_stdin(&stdin)
        .and_then(|()| rustix::stdio::dup2_stdout(&stdout))
        .and_then(|()| rustix::stdio::dup2_stderr(&stderr));
    standard.map_err(|e| format!("receive the pipes: {e}"))?;
    drop((stdin, stdout, stderr));
    // If this process ends after this message without reporting a failure, the program ended it.
    say(channel, &LauncherMessage::Ready)?;
    if layers.namespaces {
        let child = while_busy(|| command.spawn()).map_err(refused)?;
        say(channel, &LauncherMessage::Running)?;
        watch(channel, child.id(), &null)
    } else {
        // The channel closes by the exec.
        while_busy(|| Err(command.exec())).map_err(refused)
    }
}

/// Retries for a second to start a program whose file is busy: another thread that is just starting
/// a process may still hold it open for writing.
fn while_busy<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..200 {
        match start() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(5));
            }
            started => return started,
        }
    }
    start()
}

/// The outermost folder on the path of a program that this process may not enter.
fn closed_folder(program: &OsStr) -> Option<&Path> {
    let folders = Path::new(program).ancestors().skip(1);
    let named = folders.filter(|folder| !folder.as_os_str().is_empty());
    let closed = named.filter(|folder| rustix::fs::access(*folder, Access::EXEC_OK).is_err());
    closed.last()
}

/// The program's file. The standard library's search on another path would need a plain fork and a
/// socket, which the filter forbids.
fn find(program: &OsStr, order: &Order) -> Option<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Some(program.into());
    }
    let path = order
        .environment
        .iter()
        .rev()
        .find(|(name, _)| name == "PATH");
    let path = path.map_or(OsStr::new(SEARCH_PATH), |(_, value)| value);
    std::env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|file| rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok())
}

fn say(channel: &mut UnixStream, message: &LauncherMessage) -> Result<(), String> {
    channel
        .write_all(format!("{message}\n").as_bytes())
        .map_err(|e| format!("channel: {e}"))
}

/// Reaps orphans until the program ends, then reports how it ended, what it used, and whether it
/// was the last process. When this process ends, so does every other process in the namespace.
fn watch(channel: &mut UnixStream, child: u32, null: &File) -> Result<(), String> {
    let child = i32::try_from(child).ok().and_then(Pid::from_raw);
    release_standard(null).map_err(|e| format!("close the pipes: {e}"))?;
    loop {
        let (pid, status) = match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some(ended)) => ended,
            Ok(None) | Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(format!("wait: {error}")),
        };
        if Some(pid) == child {
            // Orphans become children of this process; without children, no process is left.
            let alone = loop {
                match rustix::process::wait(WaitOptions::NOHANG) {
                    Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
                    Ok(None) => break false,
                    Err(_) => break true,
                }
            };
            let (cpu_micros, peak_kib) = usage()?;
            let ended = LauncherMessage::Ended {
                cause: cause_of(status),
                cpu_micros,
                peak_kib,
                is_alone: alone,
            };
            return say(channel, &ended);
        }
    }
}

/// Processor time in microseconds, and the largest size in KiB, of all reaped processes.
pub(super) fn usage() -> Result<(u64, u64), String> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("usage: {e}"))?;
    let (user, system) = (used.user_time(), used.system_time());
    let seconds = user.tv_sec() + system.tv_sec();
    let micros = seconds * 1_000_000 + user.tv_usec() + system.tv_usec();
    let number = |n: i64| u64::try_from(n).unwrap_or(0);
    Ok((number(micros), number(used.max_rss())))
}

/// The cause of a process's end.
pub(super) fn cause_of(status: rustix::process::WaitStatus) -> EndCause {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => EndCause::Exited(code),
        (None, signal) => EndCause::Signalled(signal.unwrap_or(0)),
    }
}

/// Closes this process's copies of the program's pipes, so that only the program holds them open.
fn release_standard(null: &File) -> rustix::io::Result<()> {
    rustix::stdio::dup2_stdin(null)?;
    rustix::stdio::dup2_stdout(null)?;
    rustix::stdio::dup2_stderr(null)
}

fn become_nobody(order: &Order) -> Result<(), String> {
    let drop = || -> rustix::io::Result<()> {
        if let Some(id) = order.uid {
            let gid = rustix::fs::Gid::from_raw(id);
            let uid = rustix::fs::Uid::from_raw(id);
            rustix::thread::set_thread_groups(&[])?;
            rustix::thread::set_thread_res_gid(gid, gid, gid)?;
            rustix::thread::set_thread_res_uid(uid, uid, uid)?;
        } else if order.layers.namespaces {
            rustix::thread::clear_ambient_capability_set()?;
            let none = CapabilitySet::empty();
            let sets = CapabilitySets {
                effective: none,
                permitted: none,
                inheritable: none,
            };
            rustix::thread::set_capabilities(None, sets)?;
        }
        Ok(())
    };
    drop().map_err(|e| format!("become an ordinary user: {e}"))
}

fn set_limits(order: &Order, other_processes: u64) -> Result<(), String> {
    let limits = &order.limits;
    let mut wanted = vec![
        (Resource::Data, limits.data, limits.data),
        // A CPU limit that sends a catchable signal, and one second later a fatal one.
        (
            Resource::Cpu,
            limits.cpu_seconds,
            limits.cpu_seconds.saturating_add(1),
        ),
        (Resource::Fsize, limits.file_size, limits.file_size),
        (Resource::Nofile, limits.files, limits.files),
        (Resource::Core, 0, 0),
        // Other kernel memory of a program: timers and signals, messages, locked pages.
        (Resource::Sigpending, SIGNALS, SIGNALS),
        (Resource::Msgqueue, 0, 0),
        (Resource::Memlock, LOCKED, LOCKED),
    ];
    if let Some(bytes) = limits.address_space {
        wanted.push((Resource::As, bytes, bytes));
    }
    let most = limits.threads.max(limits.processes);
    let most = most.saturating_add(other_processes);
    wanted.push((Resource::Nproc, most, most));
    for (resource, soft, hard) in wanted {
        let ceiling = rustix::process::getrlimit(resource)
            .maximum
            .unwrap_or(u64::MAX);
        let limit = Rlimit {
            current: Some(soft.min(ceiling)),
            maximum: Some(hard.min(ceiling)),
        };
        setrlimit(resource, limit).map_err(|e| format!("limit {resource:?}: {e}"))?;
    }
    Ok(())
}
