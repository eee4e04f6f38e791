//! The supervisor: starts the launcher, waits for an order, watches the program, ends it, and
//! reports. It has only one program, so that no program can reach another.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{AtFlags, Dir, FileType, Gid, Mode, Uid};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions, WaitStatus};
use rustix::thread::CpuSet;

use super::cgroup::ProgramGroup;
use super::group_home::Home;
use super::launcher::Outline;
use super::message::SupervisorMessage;
use super::namespaces;
use super::returned::{DEEPEST, FOLDER};
use super::turn::TurnReader;
use super::watch::{Watch, say};
use super::wire::{self, LAUNCHER};
use crate::layers::Layers;

/// User IDs without an account: far above those in use, and a range for containers that map only 16
/// bits. The process number separates concurrent programs.
const SPARE: u32 = 0x6000_0000;
const SPARE_SHORT: std::ops::Range<u32> = 61_184..65_520;

/// Arguments: the layers as bits and, if a control group is among them, where to make it.
pub(super) fn main(mut words: impl Iterator<Item = OsString>) -> ! {
    let layers = words.next().and_then(|word| word.to_str()?.parse().ok());
    let home = Home::read(words);
    let code = match (layers, wire::own_socket()) {
        (Some(bits), Ok(mut control)) => {
            if let Err(trouble) = keep(Layers::from_bits(bits), home.as_ref(), &mut control) {
                let _ = say(&mut control, &SupervisorMessage::MachineFailure(trouble));
            }
            0
        }
        _ => 2,
    };
    std::process::exit(code)
}

fn keep(layers: Layers, home: Option<&Home>, control: &mut UnixStream) -> Result<(), String> {
    let me = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(me)).map_err(|e| format!("subreaper: {e}"))?;
    let root = rustix::process::geteuid().is_root();
    let group = match (layers.cgroup, home) {
        (true, Some(home)) => Some(ProgramGroup::create(home)?),
        (true, None) => return Err("no place for a control group".to_owned()),
        (false, _) => None,
    };
    let referee = rustix::process::getppid().map_or(1, |pid| pid.as_raw_pid().cast_unsigned());
    let mut protected = vec![referee, std::process::id()];
    if layers.namespaces {
        namespaces::leave(root)?;
        protected = vec![1];
    }
    let launcher = Launcher::start(&Outline {
        layers,
        spare_user: root,
        protected,
    });
    // Done now, since moving a process takes the kernel longer than limiting a group.
    let launcher = launcher.and_then(|launcher| match &group {
        Some(group) => group.add(launcher.main.as_raw_pid()).map(|()| launcher),
        None => Ok(launcher),
    });
    let result = match launcher {
        Ok(mut launcher) => {
            let result = launcher.serve(root, group.as_ref(), control);
            // Reported or not: the launcher ends now at the latest.
            drop(launcher.channel);
            if result.is_err() {
                let _ = rustix::process::kill_process(launcher.main, Signal::KILL);
            }
            // Do not wait for processes that could not be killed.
            if !matches!(result, Ok(1..)) {
                reap_all(rustix::process::wait);
            }
            result.map(drop)
        }
        Err(error) => Err(error),
    };
    if let Some(group) = group {
        group.remove();
    }
    result
}

/// Waits until all children have ended. A launcher that was held after its last message would never end:
/// it is killed.
fn reap_all(wait: impl Fn(WaitOptions) -> rustix::io::Result<Option<(Pid, WaitStatus)>>) {
    loop {
        match wait(WaitOptions::UNTRACED) {
            Ok(Some((pid, status))) if status.stopped() => {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// A launcher, waiting for an order.
struct Launcher {
    channel: UnixStream,
    main: Pid,
}

impl Launcher {
    fn start(outline: &Outline) -> Result<Launcher, String> {
        let (channel, theirs) = UnixStream::pair().map_err(|e| format!("channel: {e}"))?;
        let child = Command::new("/proc/self/exe")
            .arg(LAUNCHER)
            .args(outline.words())
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .spawn()
            .map_err(|e| format!("start the launcher: {e}"))?;
        let main = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let main = main.ok_or("a process without a number")?;
        // Otherwise, a process of the same user could write into this process's memory.
        let shut = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
        shut.map_err(|e| format!("not dumpable: {e}"))?;
        Ok(Launcher { channel, main })
    }

    /// Waits for the order, lets the launcher carry it out, and reports. Returns the number of
    /// processes that could not be ended.
    fn serve(
        &mut self,
        root: bool,
        group: Option<&ProgramGroup>,
        control: &mut UnixStream,
    ) -> Result<usize, String> {
        let spare = root.then(|| spare_user(self.main.as_raw_pid().cast_unsigned()));
        let order = wire::receive(control).map_err(|e| format!("order: {e}"))?;
        let Some((mut order, [stdin, stdout, stderr, turn])) = order else {
            return Ok(0); // the referee has no use for this supervisor any more
        };
        order.uid = spare;
        // A launcher that has failed cannot take it, and has said why.
        let pipes = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        let handed = wire::hand_over(&self.channel, &order, &pipes);
        drop((stdin, stdout, stderr));
        // While the launcher makes the root; it waits for leave before the program.
        if let Some(uid) = spare {
            give_away(&order.work, uid).map_err(|e| format!("find a spare user: {e}"))?;
        }
        pin(self.main, &order.cores)?;
        if let Some(group) = group {
            group.limit(&order.limits)?;
        }
        let starting = SupervisorMessage::Starting(self.main.as_raw_pid());
        if say(control, &starting).is_err() {
            return Ok(0);
        }
        let handed = handed.and_then(|()| wire::give_leave(&self.channel));
        let set = self.channel.set_nonblocking(true);
        set.map_err(|e| format!("channel: {e}"))?;
        let turn = TurnReader::new(turn);
        let mut watch = Watch::new(&order, group, &self.channel, self.main, turn);
        let stop = watch.run(control);
        let left = match watch.last_words() {
            Some(end) if end.is_alone && stop.is_none() => 0,
            _ => watch.sweep(),
        };
        watch.listen();
        let mut report = watch.report(stop, left);
        if order.brings_back
            && let Ok(done) = &mut report
        {
            watch.bring_out(done)?;
        }
        let report = report.map_err(|trouble| match &handed {
            Err(error) if watch.has_heard_nothing() => format!("order for the launcher: {error}"),
            _ => trouble,
        })?;
        // A referee that has exited does not need the message.
        let _ = say(control, &SupervisorMessage::Done(report));
        Ok(left)
    }
}

fn pin(main: Pid, cores: &[usize]) -> Result<(), String> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    for &core in cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
        set.set(core);
    }
    rustix::thread::sched_setaffinity(Some(main), &set)
        .map_err(|e| format!("run on the cores {cores:?}: {e}"))
}

/// A user who owns nothing else.
fn spare_user(pid: u32) -> u32 {
    let is_mapped = |map: &str, id| fs::read_to_string(map).is_ok_and(|map| maps(&map, id));
    let uid = SPARE + pid;
    match is_mapped("/proc/self/uid_map", uid) && is_mapped("/proc/self/gid_map", uid) {
        true => uid,
        false => SPARE_SHORT.start + pid % (SPARE_SHORT.end - SPARE_SHORT.start),
    }
}

/// Whether a user namespace with this map has this number.
fn maps(map: &str, id: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line
            .split_ascii_whitespace()
            .map(|word| word.parse::<u32>().ok());
        let (first, length) = (numbers.next().flatten(), numbers.nth(1).flatten());
        let place = first.and_then(|first| id.checked_sub(first));
        place
            .zip(length)
            .is_some_and(|(place, length)| place < length)
    })
}

/// Makes a user the owner of the working directory and what lies in it.
fn give_away(work: &Path, uid: u32) -> io::Result<()> {
    let owner = (Uid::from_raw(uid), Gid::from_raw(uid));
    let work = rustix::fs::open(work, FOLDER, Mode::empty())?;
    rustix::fs::fchown(&work, Some(owner.0), Some(owner.1))?;
    give_contents(&work, owner, DEEPEST)
}

/// The same for what lies in a folder, which a program before may have made: no link is followed.
fn give_contents(folder: &OwnedFd, owner: (Uid, Gid), depth: usize) -> io::Result<()> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::chownat(folder, name, Some(owner.0), Some(owner.1), flags)?;
        if entry.file_type() == FileType::Directory && depth > 0 {
            let inner = rustix::fs::openat(folder, name, FOLDER, Mode::empty())?;
            give_contents(&inner, owner, depth - 1)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rustix::process::{Pid, waitpid};

    use super::{maps, reap_all};

    #[test]
    fn a_child_that_is_stopped_is_not_waited_for_without_end() {
        let mut child = Command::new("sh")
            .args(["-c", "kill -STOP $$; sleep 600"])
            .spawn()
            .unwrap();
        let pid = Pid::from_child(&child);
        reap_all(|options| waitpid(Some(pid), options));
        assert!(child.wait().is_err(), "it was reaped");
    }

    #[test]
    fn a_spare_user_is_one_that_the_namespace_has() {
        let whole = "         0          0 4294967295\n";
        assert!(maps(whole, 0x6000_0001));
        let container = "0 100000 65536\n65536 1000 1\n";
        assert!(maps(container, 61_184) && maps(container, 65_536));
        assert!(!maps(container, 65_537) && !maps(container, 0x6000_0001));
        assert!(!maps("", 0) && !maps("x y z\n", 0));
    }
}
