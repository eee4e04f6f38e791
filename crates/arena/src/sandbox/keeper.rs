//! The keeper: starts the airlock, watches what comes of it, ends it, and reports.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, WaitStatus};

use super::airlock::{self, FAILED, READY, RUNNING};
use super::wire::{self, Order};
use super::{AIRLOCK, root, tree};

/// What the keeper says on the control socket, one letter and a rest in a line.
pub(crate) const STARTING: char = 'Q';
pub(crate) const STARTED: char = 'P';
pub(crate) const TROUBLE: char = 'T';
pub(crate) const DONE: char = 'D';

/// How often memory and processes are looked at.
const WATCH: Duration = Duration::from_millis(10);
/// How long the last process may take to die before it counts as left behind.
const SWEEP: Duration = Duration::from_secs(10);
/// Users nobody has: far above those that are handed out, and a range for containers that map
/// only 16 bits. The process number keeps programs that run at the same time apart.
const SPARE: u32 = 0x6000_0000;
const SPARE_SHORT: std::ops::Range<u32> = 61_184..65_520;

pub(super) fn main() -> ! {
    let code = match wire::own_socket() {
        Ok(mut control) => {
            let line = match keep(&mut control) {
                Ok(line) => line,
                Err(trouble) => format!("{TROUBLE}{}\n", trouble.replace('\n', " ")),
            };
            i32::from(control.write_all(line.as_bytes()).is_err())
        }
        Err(_) => 2,
    };
    std::process::exit(code)
}

/// Why the keeper ended the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Asked,
    Memory,
    Processes,
}

fn keep(control: &mut UnixStream) -> Result<String, String> {
    let (mut order, stdin) = wire::receive(control).map_err(|e| format!("order: {e}"))?;
    let me = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(me)).map_err(|e| format!("subreaper: {e}"))?;
    let root = rustix::process::geteuid().is_root();
    if root {
        let uid = give_away(&order.work).map_err(|e| format!("find a spare user: {e}"))?;
        order.uid = Some(uid);
    }
    if order.layers.cgroup {
        return Err("control groups are not used yet".to_owned());
    }
    if order.layers.namespaces {
        root::leave(root)?;
        order.protected = vec![1];
    } else {
        order.protected.push(std::process::id());
    }

    let mut watch = Watch::start(&order, stdin)?;
    let stop = watch.run(control);
    let left = watch.sweep();
    watch.listen();
    watch.report(stop, left)
}

/// Makes a user who owns nothing else the owner of the working directory and what lies in it.
fn give_away(work: &Path) -> io::Result<u32> {
    let pid = std::process::id();
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

struct Watch<'a> {
    order: &'a Order,
    channel: UnixStream,
    said: Vec<u8>,
    channel_open: bool,
    main: Pid,
    main_fd: Option<OwnedFd>,
    ended: Option<WaitStatus>,
    starting: bool,
    announced: bool,
    peak: u64,
}

impl<'a> Watch<'a> {
    fn start(order: &'a Order, stdin: OwnedFd) -> Result<Self, String> {
        let null = OpenOptions::new().read(true).write(true).open("/dev/null");
        let null = null.map_err(|e| format!("/dev/null: {e}"))?;
        let (channel, theirs) = UnixStream::pair().map_err(|e| format!("channel: {e}"))?;
        let child = Command::new("/proc/self/exe")
            .arg(AIRLOCK)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .process_group(0)
            .spawn()
            .map_err(|e| format!("start the airlock: {e}"))?;
        let main = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let main = main.ok_or("a process without a number")?;
        // A process of the same user could otherwise write into this one's memory.
        let shut = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
        shut.map_err(|e| format!("not dumpable: {e}"))?;
        airlock::release_standard(&null).map_err(|e| format!("let go of the pipes: {e}"))?;
        let handed = wire::hand_over(&channel, order, stdin.as_fd());
        handed.map_err(|e| format!("order for the airlock: {e}"))?;
        drop(stdin);
        channel
            .set_nonblocking(true)
            .map_err(|e| format!("channel: {e}"))?;
        Ok(Watch {
            order,
            channel,
            said: Vec::new(),
            channel_open: true,
            main,
            // Without it the loop looks every ten milliseconds, which is later but still right.
            main_fd: rustix::process::pidfd_open(main, PidfdFlags::empty()).ok(),
            ended: None,
            starting: false,
            announced: false,
            peak: 0,
        })
    }

    /// Watches until the program has ended or has to.
    fn run(&mut self, control: &mut UnixStream) -> Option<Stop> {
        let mut next = Instant::now() + WATCH;
        loop {
            let mut asked = false;
            let mut word = false;
            {
                let mut fds = vec![PollFd::new(&*control, PollFlags::IN)];
                if self.channel_open {
                    fds.push(PollFd::new(&self.channel, PollFlags::IN));
                }
                if let Some(fd) = &self.main_fd {
                    fds.push(PollFd::new(fd, PollFlags::IN));
                }
                let wait = next.saturating_duration_since(Instant::now());
                let wait = Timespec::try_from(wait).unwrap_or_default();
                if rustix::event::poll(&mut fds, Some(&wait)).is_ok() {
                    // Any word from the referee, or its end, means the same: stop.
                    asked = !fds[0].revents().is_empty();
                    word = self.channel_open && !fds[1].revents().is_empty();
                }
            }
            if word {
                self.listen();
            }
            self.reap();
            if self.ended.is_some() {
                // It may have said something between the poll and its end.
                self.listen();
            }
            if self.announce(control).is_err() {
                return Some(Stop::Asked);
            }
            if self.ended.is_some() {
                return None;
            }
            if asked {
                return Some(Stop::Asked);
            }
            if Instant::now() >= next {
                next = Instant::now() + WATCH;
                if let Some(stop) = self.look() {
                    return Some(stop);
                }
            }
        }
    }

    /// Tells the referee how far the start has come.
    fn announce(&mut self, control: &mut UnixStream) -> io::Result<()> {
        if !self.starting && self.line(&[READY]).is_some() {
            self.starting = true;
            control.write_all(format!("{STARTING}{}\n", self.main.as_raw_pid()).as_bytes())?;
            // An airlock that is gone by now shows that in other ways.
            let _ = (&self.channel).write_all(b"g");
        }
        if !self.announced && self.started() {
            self.announced = true;
            control.write_all(format!("{STARTED}\n").as_bytes())?;
        }
        Ok(())
    }

    /// Takes in what the airlock has said so far.
    fn listen(&mut self) {
        let mut buffer = [0; 4096];
        while self.channel_open {
            match self.channel.read(&mut buffer) {
                Ok(0) => self.channel_open = false,
                Ok(n) => self.said.extend_from_slice(&buffer[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.channel_open = false,
            }
        }
    }

    fn line(&self, letters: &[char]) -> Option<String> {
        let text = String::from_utf8_lossy(&self.said);
        text.lines()
            .find(|line| line.starts_with(letters))
            .map(str::to_owned)
    }

    /// Whether the program runs: the airlock says so or, unless it stays, is no more.
    fn started(&self) -> bool {
        let running = match self.order.layers.namespaces {
            true => self.line(&[RUNNING]).is_some(),
            false => self.starting && !self.channel_open,
        };
        running && self.line(&[FAILED]).is_none()
    }

    /// Takes in everybody who has died; false if nobody is left to die.
    fn reap(&mut self) -> bool {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.main => self.ended = Some(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    fn look(&mut self) -> Option<Stop> {
        let mut pids = tree::descendants(std::process::id());
        if self.order.layers.namespaces || !self.announced {
            let airlock = self.main.as_raw_pid().cast_unsigned();
            pids.retain(|&pid| pid != airlock);
        }
        let limits = &self.order.limits;
        let mut bytes = tree::resident(&pids);
        if bytes > limits.memory && pids.len() > 1 {
            bytes = tree::proportional(&pids);
        }
        self.peak = self.peak.max(bytes);
        if bytes > limits.memory {
            return Some(Stop::Memory);
        }
        (pids.len() as u64 > limits.processes).then_some(Stop::Processes)
    }

    /// Kills and takes in everybody below; returns how many would not die.
    fn sweep(&mut self) -> usize {
        let end = Instant::now() + SWEEP;
        loop {
            // Orphans are adopted at once, so without children there are no descendants either.
            if !self.reap() {
                return 0;
            }
            let pids = tree::descendants(std::process::id());
            let group = self.main.as_raw_pid().cast_unsigned();
            // Once the group is empty its number may belong to somebody else.
            if pids.iter().any(|&pid| tree::in_group(pid, group)) {
                // In one stroke, which no fork can slip through; with a pid namespace that is all.
                let _ = rustix::process::kill_process_group(self.main, Signal::KILL);
            }
            if Instant::now() > end {
                return pids.len().max(1);
            }
            for pid in pids
                .into_iter()
                .filter_map(|pid| Pid::from_raw(pid.cast_signed()))
            {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    fn report(&self, stop: Option<Stop>, left: usize) -> Result<String, String> {
        if let Some(line) = self.line(&[FAILED]) {
            return Err(line[FAILED.len_utf8()..].to_owned());
        }
        if !self.started() && stop.is_none() {
            return Err("the airlock died before the program was started".to_owned());
        }
        let how = match stop {
            Some(Stop::Asked) => "A0".to_owned(),
            Some(Stop::Memory) => "M0".to_owned(),
            Some(Stop::Processes) => "N0".to_owned(),
            None if self.order.layers.namespaces => self
                .line(&[airlock::EXITED, airlock::SIGNALLED])
                .ok_or("the first process of the namespace died before the program")?,
            None => self.ended.map(airlock::describe).unwrap_or_default(),
        };
        let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("usage: {e}"))?;
        let (user, system) = (used.user_time(), used.system_time());
        let micros =
            (user.tv_sec() + system.tv_sec()) * 1_000_000 + user.tv_usec() + system.tv_usec();
        let largest = u64::try_from(used.max_rss()).unwrap_or(0);
        let peak = largest.max(self.peak / 1024);
        Ok(format!("{DONE}{} {micros} {peak} {left}\n", how.trim_end()))
    }
}
