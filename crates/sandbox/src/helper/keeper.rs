//! The keeper: starts the airlock, waits for an order, watches what comes of it, ends it, and
//! reports. It keeps one program and no more, so that nothing of one can reach another.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, WaitStatus};
use rustix::thread::CpuSet;

use super::airlock::{self, Outline};
use super::cgroup::ProgramGroup;
use super::disk::Disk;
use super::hold::Hold;
use super::message::{AirlockMessage, Done, EndCause, KeeperMessage, messages, word};
use super::wire::{self, AIRLOCK, Order};
use super::{namespaces, process_tree};
use crate::layers::Layers;

/// How often memory and processes are looked at.
const WATCH: Duration = Duration::from_millis(10);
/// Descriptors, which take longer, are looked at once in so many times.
const SOCKETS_EVERY: u64 = 4;
/// How long the last process may take to die before it counts as left behind.
const SWEEP: Duration = Duration::from_secs(10);
/// Users nobody has: far above those that are handed out, and a range for containers that map
/// only 16 bits. The process number keeps programs that run at the same time apart.
const SPARE: u32 = 0x6000_0000;
const SPARE_SHORT: std::ops::Range<u32> = 61_184..65_520;

/// Words: the layers as bits and, if a control group is among them, where to make it.
pub(super) fn main(mut words: impl Iterator<Item = OsString>) -> ! {
    let layers = words.next().and_then(|word| word.to_str()?.parse().ok());
    let home = words.next().map(PathBuf::from);
    let code = match (layers, wire::own_socket()) {
        (Some(bits), Ok(mut control)) => {
            if let Err(trouble) = keep(Layers::from_bits(bits), home.as_deref(), &mut control) {
                let _ = say(&mut control, &KeeperMessage::Trouble(trouble));
            }
            0
        }
        _ => 2,
    };
    std::process::exit(code)
}

fn say(control: &mut UnixStream, message: &KeeperMessage) -> io::Result<()> {
    control.write_all(format!("{message}\n").as_bytes())
}

fn keep(layers: Layers, home: Option<&Path>, control: &mut UnixStream) -> Result<(), String> {
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
    let airlock = Airlock::start(&Outline {
        layers,
        spare_user: root,
        protected,
    });
    let result = match airlock {
        Ok(mut airlock) => {
            let result = airlock.serve(root, group.as_ref(), control);
            // Reported or not: the airlock ends now at the latest.
            drop(airlock.channel);
            if result.is_err() {
                let _ = rustix::process::kill_process(airlock.main, Signal::KILL);
            }
            // Whoever could not be killed is not waited for.
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

/// An airlock, waiting for an order.
struct Airlock {
    channel: UnixStream,
    main: Pid,
}

impl Airlock {
    fn start(outline: &Outline) -> Result<Airlock, String> {
        let (channel, theirs) = UnixStream::pair().map_err(|e| format!("channel: {e}"))?;
        let child = Command::new("/proc/self/exe")
            .arg(AIRLOCK)
            .args(outline.words())
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
        Ok(Airlock { channel, main })
    }

    /// Waits for the order, has the airlock carry it out, and reports. Returns how many processes
    /// could not be ended.
    fn serve(
        &mut self,
        root: bool,
        group: Option<&ProgramGroup>,
        control: &mut UnixStream,
    ) -> Result<usize, String> {
        let order = wire::receive(control).map_err(|e| format!("order: {e}"))?;
        let Some((mut order, pipes)) = order else {
            return Ok(0); // the referee has no use for this keeper any more
        };
        if root {
            let number = self.main.as_raw_pid().cast_unsigned();
            let uid = give_away(&order.work, number);
            order.uid = Some(uid.map_err(|e| format!("find a spare user: {e}"))?);
        }
        pin(self.main, &order.cores)?;
        if let Some(group) = group {
            group.limit(&order.limits)?;
            group.add(self.main.as_raw_pid())?;
        }
        let starting = KeeperMessage::Starting(self.main.as_raw_pid());
        if say(control, &starting).is_err() {
            return Ok(0);
        }
        // An airlock that has failed cannot take it, and has said why.
        let handed = wire::hand_over(&self.channel, &order, pipes.each_ref().map(AsFd::as_fd));
        drop(pipes);
        let set = self.channel.set_nonblocking(true);
        set.map_err(|e| format!("channel: {e}"))?;
        let mut watch = Watch {
            order: &order,
            group,
            channel: &self.channel,
            said: Vec::new(),
            channel_open: true,
            main: self.main,
            // Without it the loop looks every ten milliseconds, which is later but still right.
            main_fd: rustix::process::pidfd_open(self.main, PidfdFlags::empty()).ok(),
            ended: None,
            announced: false,
            peak: 0,
            looks: 0,
            disk: Disk::new(&order.work, &order.limits),
            hold: None,
        };
        let stop = watch.run(control);
        let left = match watch.last_words() {
            Some(end) if end.is_alone && stop.is_none() => 0,
            _ => watch.sweep(),
        };
        watch.listen();
        let report = watch.report(stop, left);
        if order.is_returned && report.is_ok() {
            watch.disk.bring_out()?;
        }
        let report = report.map_err(|trouble| match &handed {
            Err(error) if watch.said.is_empty() => format!("order for the airlock: {error}"),
            _ => trouble,
        })?;
        // A referee that is gone does not want it.
        let _ = say(control, &KeeperMessage::Done(report));
        Ok(left)
    }
}

/// How the airlock says the program ended, in a pid namespace.
struct LastWords {
    cause: EndCause,
    cpu_micros: u64,
    peak_kib: u64,
    /// Whether nobody else was left.
    is_alone: bool,
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

struct Watch<'a> {
    order: &'a Order,
    group: Option<&'a ProgramGroup>,
    channel: &'a UnixStream,
    said: Vec<u8>,
    channel_open: bool,
    main: Pid,
    main_fd: Option<OwnedFd>,
    ended: Option<WaitStatus>,
    announced: bool,
    peak: u64,
    looks: u64,
    disk: Disk,
    /// There while the program is to stand still.
    hold: Option<Hold>,
}

impl Watch<'_> {
    /// Watches until the program has ended or has to.
    fn run(&mut self, control: &mut UnixStream) -> Option<EndCause> {
        let mut next = Instant::now() + WATCH;
        loop {
            let mut asked = false;
            let mut said = false;
            {
                let mut fds = vec![PollFd::new(&*control, PollFlags::IN)];
                if self.channel_open {
                    fds.push(PollFd::new(self.channel, PollFlags::IN));
                }
                if let Some(fd) = &self.main_fd {
                    fds.push(PollFd::new(fd, PollFlags::IN));
                }
                let wait = next.saturating_duration_since(Instant::now());
                let wait = Timespec::try_from(wait).unwrap_or_default();
                if rustix::event::poll(&mut fds, Some(&wait)).is_ok() {
                    asked = !fds[0].revents().is_empty();
                    said = self.channel_open && !fds[1].revents().is_empty();
                }
            }
            if said {
                self.listen();
            }
            self.reap();
            if self.ended.is_some() {
                // It may have said something between the poll and its end.
                self.listen();
            }
            if self.announce(control).is_err() {
                return Some(EndCause::Asked);
            }
            if self.ended.is_some() || self.last_words().is_some_and(|end| end.is_alone) {
                return None;
            }
            if asked && self.obey(control) {
                return Some(EndCause::Asked);
            }
            if Instant::now() >= next {
                next = Instant::now() + WATCH;
                if let Some(stop) = self.look(control) {
                    return Some(stop);
                }
            }
        }
    }

    /// Does what the referee has told; whether that is to end the program.
    fn obey(&mut self, control: &UnixStream) -> bool {
        let mut words = [0; 64];
        let (_, told) = match rustix::net::recv(control, &mut words, RecvFlags::DONTWAIT) {
            Ok((_, 0)) => return true,
            Ok(told) => told,
            Err(Errno::AGAIN | Errno::INTR) => return false,
            Err(_) => return true,
        };
        for told in &words[..told] {
            match *told {
                word::FREEZE => {
                    let mut hold = Hold::default();
                    if !self.order.layers.seccomp {
                        hold.stop_all(std::process::id(), self.watcher());
                    }
                    self.hold = Some(hold);
                }
                word::THAW => {
                    if let Some(hold) = self.hold.take() {
                        hold.release(std::process::id());
                    }
                }
                _ => return true,
            }
        }
        false
    }

    /// The airlock, while it is not the program itself.
    fn watcher(&self) -> Option<u32> {
        let stays = self.order.layers.namespaces || !self.announced;
        stays.then(|| self.main.as_raw_pid().cast_unsigned())
    }

    /// Tells the referee when the program runs.
    fn announce(&mut self, control: &mut UnixStream) -> io::Result<()> {
        if !self.announced && self.started() {
            self.announced = true;
            say(control, &KeeperMessage::Started)?;
        }
        Ok(())
    }

    /// Takes in what the airlock has said so far.
    fn listen(&mut self) {
        let mut buffer = [0; 4096];
        while self.channel_open {
            match wire::receive_with(self.channel, &mut buffer) {
                Ok((0, _)) => self.channel_open = false,
                Ok((n, room)) => {
                    self.said.extend_from_slice(&buffer[..n]);
                    if let Some(room) = room {
                        self.disk.measure(room);
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.channel_open = false,
            }
        }
    }

    /// What the airlock has said so far.
    fn messages(&self) -> impl Iterator<Item = AirlockMessage> + '_ {
        messages(str::from_utf8(&self.said).unwrap_or_default())
    }

    fn has_said(&self, wanted: &AirlockMessage) -> bool {
        self.messages().any(|message| message == *wanted)
    }

    fn failure(&self) -> Option<String> {
        self.messages().find_map(|message| match message {
            AirlockMessage::Failed(why) => Some(why),
            _ => None,
        })
    }

    fn last_words(&self) -> Option<LastWords> {
        self.messages().find_map(|message| match message {
            AirlockMessage::Ended {
                cause,
                cpu_micros,
                peak_kib,
                is_alone,
            } => Some(LastWords {
                cause,
                cpu_micros,
                peak_kib,
                is_alone,
            }),
            _ => None,
        })
    }

    /// Whether the program runs: the airlock says so or, once it was ready, is no more.
    fn started(&self) -> bool {
        if self.has_said(&AirlockMessage::Running) {
            return true;
        }
        let gone = self.has_said(&AirlockMessage::Ready) && !self.channel_open;
        gone && self.failure().is_none()
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

    fn look(&mut self, control: &UnixStream) -> Option<EndCause> {
        let mut pids = process_tree::descendants(std::process::id());
        let watcher = self.watcher();
        pids.retain(|&pid| Some(pid) != watcher);
        if let Some(hold) = &mut self.hold
            && !hold.check(&pids)
        {
            // The referee says that it lets the program go on before it does so: without a word of
            // it, nobody but the program did.
            let mut word = [0];
            let peek = RecvFlags::DONTWAIT | RecvFlags::PEEK;
            if rustix::net::recv(control, &mut word, peek) == Err(Errno::AGAIN) {
                return Some(EndCause::OutOfTurn);
            }
        }
        let limits = &self.order.limits;
        let mut bytes = process_tree::resident(&pids);
        if bytes > limits.memory && pids.len() > 1 {
            bytes = process_tree::proportional(&pids);
        }
        self.looks += 1;
        if self.looks.is_multiple_of(SOCKETS_EVERY) {
            bytes = bytes.saturating_add(process_tree::in_sockets(&pids));
        }
        self.peak = self.peak.max(bytes);
        if bytes > limits.memory {
            return Some(EndCause::Memory);
        }
        if pids.len() as u64 > limits.processes {
            return Some(EndCause::Processes);
        }
        self.disk.is_full_by_now(&pids).then_some(EndCause::Files)
    }

    /// Kills and takes in everybody below; returns how many would not die.
    fn sweep(&mut self) -> usize {
        let end = Instant::now() + SWEEP;
        if let Some(group) = self.group {
            group.kill();
        }
        loop {
            // Orphans are adopted at once, so without children there are no descendants either.
            if !self.reap() {
                return 0;
            }
            let pids = process_tree::descendants(std::process::id());
            let group = self.main.as_raw_pid().cast_unsigned();
            // Once the group is empty its number may belong to somebody else.
            if pids.iter().any(|&pid| process_tree::in_group(pid, group)) {
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

    fn report(&self, stop: Option<EndCause>, left: usize) -> Result<Done, String> {
        if !self.started() {
            if let Some(why) = self.failure() {
                return Err(why);
            }
            if stop.is_none() {
                return Err("the airlock died before the program was started".to_owned());
            }
        }
        let end = self.last_words();
        let ran_out = self.group.is_some_and(ProgramGroup::ran_out);
        let cause = match stop {
            _ if ran_out => EndCause::Memory,
            Some(
                found @ (EndCause::Memory
                | EndCause::Processes
                | EndCause::Files
                | EndCause::OutOfTurn),
            ) => found,
            // It may have been quicker than the look.
            _ if self.disk.is_full(&[]) => EndCause::Files,
            Some(asked) => asked,
            // The first process of the namespace tells how the program ended, unless it was made
            // to end before, and nobody else was there to do that.
            None if self.order.layers.namespaces => {
                end.as_ref().map_or(EndCause::Keeper, |end| end.cause)
            }
            None => match self.ended {
                Some(status) => airlock::cause_of(status),
                None => return Err("nobody knows how the program ended".to_owned()),
            },
        };
        let (cpu_micros, kib) = match end {
            Some(end) if end.is_alone => (end.cpu_micros, end.peak_kib),
            _ => airlock::usage()?,
        };
        let group = self.group.and_then(ProgramGroup::peak);
        let peak_kib = group.map_or(kib.max(self.peak / 1024), |bytes| bytes / 1024);
        Ok(Done {
            cause,
            cpu_micros,
            peak_kib,
            left,
        })
    }
}
