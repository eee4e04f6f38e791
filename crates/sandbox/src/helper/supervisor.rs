//! The supervisor: starts the launcher, waits for an order, watches the program, ends it, and reports.
//! It keeps one program and no more, so that no program can reach another.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions};
use rustix::thread::CpuSet;

use super::cgroup::ProgramGroup;
use super::group_home::Home;
use super::launcher::Outline;
use super::message::SupervisorMessage;
use super::namespaces;
use super::turn::TurnReader;
use super::watch::{Watch, say};
use super::wire::{self, LAUNCHER};
use crate::layers::Layers;

/// User IDs that no account has: far above those in use, and a range for containers that map only
/// 16 bits. The process number separates programs that run at the same time.
const SPARE: u32 = 0x6000_0000;
const SPARE_SHORT: std::ops::Range<u32> = 61_184..65_520;

/// Words: the layers as bits and, if a control group is among them, where to make it.
pub(super) fn main(mut words: impl Iterator<Item = OsString>) -> ! {
    let layers = words.next().and_then(|word| word.to_str()?.parse().ok());
    let home = Home::read(words);
    let code = match (layers, wire::own_socket()) {
        (Some(bits), Ok(mut control)) => {
            if let Err(trouble) = keep(Layers::from_bits(bits), home.as_ref(), &mut control) {
                let _ = say(&mut control, &SupervisorMessage::Trouble(trouble));
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
    // Now, since it takes the kernel longer to move a process than to limit a group.
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
            let some_left = matches!(result, Ok(1..));
            while !some_left
                && !matches!(
                    rustix::process::wait(WaitOptions::empty()),
                    Err(Errno::CHILD)
                )
            {}
            result.map(drop)
        }
        Err(error) => Err(error),
    };
    if let Some(group) = group {
        group.remove();
    }
    result
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
        // A process of the same user could otherwise write into this one's memory.
        let shut = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
        shut.map_err(|e| format!("not dumpable: {e}"))?;
        Ok(Launcher { channel, main })
    }

    /// Waits for the order, has the launcher carry it out, and reports. Returns how many processes
    /// could not be ended.
    fn serve(
        &mut self,
        root: bool,
        group: Option<&ProgramGroup>,
        control: &mut UnixStream,
    ) -> Result<usize, String> {
        let order = wire::receive(control).map_err(|e| format!("order: {e}"))?;
        let Some((mut order, [stdin, stdout, stderr, turn])) = order else {
            return Ok(0); // the referee has no use for this supervisor any more
        };
        if root {
            let number = self.main.as_raw_pid().cast_unsigned();
            let uid = give_away(&order.work, number);
            order.uid = Some(uid.map_err(|e| format!("find a spare user: {e}"))?);
        }
        pin(self.main, &order.cores)?;
        if let Some(group) = group {
            group.limit(&order.limits)?;
        }
        let starting = SupervisorMessage::Starting(self.main.as_raw_pid());
        if say(control, &starting).is_err() {
            return Ok(0);
        }
        // A launcher that has failed cannot take it, and has said why.
        let pipes = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        let handed = wire::hand_over(&self.channel, &order, &pipes);
        drop((stdin, stdout, stderr));
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
        // A referee that is gone does not want it.
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

/// Makes a user who owns nothing else the owner of the working directory and what lies in it.
fn give_away(work: &Path, pid: u32) -> io::Result<u32> {
    let short = SPARE_SHORT.start + pid % (SPARE_SHORT.end - SPARE_SHORT.start);
    let mut uid = SPARE + pid;
    if let Err(error) = lchown(work, Some(uid), Some(uid)) {
        if error.raw_os_error() != Some(libc::EINVAL) {
            return Err(error);
        }
        uid = short;
        lchown(work, Some(uid), Some(uid))?;
    }
    for entry in fs::read_dir(work)? {
        lchown(entry?.path(), Some(uid), Some(uid))?;
    }
    Ok(uid)
}
