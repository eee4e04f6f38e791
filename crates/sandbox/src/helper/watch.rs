//! The supervisor's watch of one program: until it ends or must end, and then the end of all its
//! processes.

use std::collections::HashSet;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, WaitStatus};

use super::cgroup::ProgramGroup;
use super::disk::Disk;
use super::hold::Hold;
use super::message::{Done, EndCause, LauncherMessage, SupervisorMessage, messages, word};
use super::turn::TurnReader;
use super::wire::{self, Order};
use super::{launcher, process_tree};

/// Interval between checks of memory and processes.
const WATCH: Duration = Duration::from_millis(10);
/// Reading descriptors is slow, so it happens only every so many looks.
const DESCRIPTORS_EVERY: u64 = 4;
/// Least time between two counts of mappings, the slowest check.
const MAPPINGS_PAUSE: Duration = Duration::from_millis(100);
/// How long the last process may take to die before it counts as left behind.
const SWEEP: Duration = Duration::from_secs(10);

/// Sends a message to the caller.
pub(super) fn say(control: &mut UnixStream, message: &SupervisorMessage) -> io::Result<()> {
    control.write_all(format!("{message}\n").as_bytes())
}

/// The launcher's report of the program's end, in a pid namespace.
pub(super) struct LastWords {
    cause: EndCause,
    cpu_micros: u64,
    peak_kib: u64,
    /// Whether no other process was left.
    pub(super) is_alone: bool,
}

pub(super) struct Watch<'a> {
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
    /// Kernel memory at the last check, in bytes.
    in_descriptors: u64,
    in_mappings: u64,
    next_mappings: Instant,
    /// Processes that hid their descriptors at the last look, and at the one before.
    hidden: HashSet<u32>,
    hidden_before: HashSet<u32>,
    disk: Disk,
    /// Whether the directory exceeded its limit when the caller ended the program.
    was_full: bool,
    turn: TurnReader,
    /// Present while the program must stay stopped.
    hold: Option<Hold>,
}

impl<'a> Watch<'a> {
    /// Watches the launcher `main`, which has its order and reports over this channel.
    pub(super) fn new(
        order: &'a Order,
        group: Option<&'a ProgramGroup>,
        channel: &'a UnixStream,
        main: Pid,
        turn: TurnReader,
    ) -> Watch<'a> {
        Watch {
            order,
            group,
            channel,
            said: Vec::new(),
            channel_open: true,
            main,
            // Without it, the loop polls every ten milliseconds, which is slower but still correct.
            main_fd: rustix::process::pidfd_open(main, PidfdFlags::empty()).ok(),
            ended: None,
            announced: false,
            peak: 0,
            looks: 0,
            in_descriptors: 0,
            in_mappings: 0,
            next_mappings: Instant::now(),
            hidden: HashSet::new(),
            hidden_before: HashSet::new(),
            disk: Disk::new(&order.work, &order.limits),
            was_full: false,
            turn,
            hold: None,
        }
    }

    /// Whether the launcher has sent nothing at all.
    pub(super) fn has_heard_nothing(&self) -> bool {
        self.said.is_empty()
    }

    /// Copies the program's files to where the caller expects them. If they do not fit there, that
    /// is the program's fault, as if it had written there itself.
    pub(super) fn bring_out(&self, done: &mut Done) -> Result<(), String> {
        if !self.disk.bring_out()? {
            done.cause = EndCause::Files;
        }
        Ok(())
    }

    /// Watches until the program has ended or has to.
    pub(super) fn run(&mut self, control: &mut UnixStream) -> Option<EndCause> {
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
            // Taking leave of a namespace takes the kernel a while, and the report waits for no more.
            if !self.is_alone() {
                self.reap();
            }
            if self.ended.is_some() {
                // The launcher may have reported something between the poll and its end.
                self.listen();
            }
            if self.announce(control).is_err() {
                return Some(EndCause::Asked);
            }
            if self.ended.is_some() || self.is_alone() {
                return None;
            }
            if asked && self.obey(control) {
                // Checked now, while files without a name still exist.
                self.was_full = self.disk.is_full(&[]);
                return Some(EndCause::Asked);
            }
            if Instant::now() >= next {
                next = Instant::now() + WATCH;
                if let Some(stop) = self.look() {
                    return Some(stop);
                }
            }
        }
    }

    /// Follows the caller's commands; returns whether they end the program.
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
                word::LOOK => self.follow_turn(),
                _ => return true,
            };
        }
        false
    }

    /// Stops or resumes the program according to its turn; returns whether the turn has changed.
    fn follow_turn(&mut self) -> bool {
        let Some(turn) = self.turn.news() else {
            return false;
        };
        // Processes frozen by the kernel need no checks.
        if self.group.is_some_and(|group| group.freezer().is_some()) {
            return true;
        }
        let own = std::process::id();
        match (self.hold.take(), turn.is_frozen()) {
            (before, true) => {
                let mut hold = before.unwrap_or_default().again();
                if !self.order.layers.seccomp {
                    hold.stop_all(own, self.watcher());
                }
                self.hold = Some(hold);
            }
            (Some(hold), false) => hold.release(own),
            (None, false) => {}
        }
        true
    }

    /// The launcher, unless it became the program itself.
    fn watcher(&self) -> Option<u32> {
        let stays = self.order.layers.namespaces || !self.announced;
        stays.then(|| self.main.as_raw_pid().cast_unsigned())
    }

    /// Reports the program's start to the caller.
    fn announce(&mut self, control: &mut UnixStream) -> io::Result<()> {
        if !self.announced && self.started() {
            self.announced = true;
            match self.disk.room() {
                Some(room) => {
                    let started = format!("{}\n", SupervisorMessage::Started);
                    wire::send_with(control, started.as_bytes(), room.as_fd())?;
                }
                None => say(control, &SupervisorMessage::Started)?,
            }
        }
        Ok(())
    }

    /// Reads the launcher's messages.
    pub(super) fn listen(&mut self) {
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

    /// The launcher's messages so far.
    fn messages(&self) -> impl Iterator<Item = LauncherMessage> + '_ {
        messages(str::from_utf8(&self.said).unwrap_or_default())
    }

    fn has_said(&self, wanted: &LauncherMessage) -> bool {
        self.messages().any(|message| message == *wanted)
    }

    fn failure(&self) -> Option<String> {
        self.messages().find_map(|message| match message {
            LauncherMessage::Failed(why) => Some(why),
            _ => None,
        })
    }

    pub(super) fn last_words(&self) -> Option<LastWords> {
        self.messages().find_map(|message| match message {
            LauncherMessage::Ended {
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

    /// Whether the launcher has reported the end of the program and all it started.
    fn is_alone(&self) -> bool {
        self.last_words().is_some_and(|end| end.is_alone)
    }

    /// Whether the program runs: the launcher has reported so or, once ready, has gone.
    fn started(&self) -> bool {
        if self.has_said(&LauncherMessage::Running) {
            return true;
        }
        let gone = self.has_said(&LauncherMessage::Ready) && !self.channel_open;
        gone && self.failure().is_none()
    }

    /// Reaps all processes that have died; false if none is left.
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

    fn look(&mut self) -> Option<EndCause> {
        let mut pids = process_tree::descendants(std::process::id());
        let watcher = self.watcher();
        pids.retain(|&pid| Some(pid) != watcher);
        self.follow_turn();
        if let Some(hold) = &mut self.hold {
            let stands_still = hold.check(&pids);
            // The caller announces a turn before it resumes the program. So if the turn is the
            // same, the program resumed itself. If the turn has changed, resume the processes that
            // the check stopped.
            let has_changed = self.follow_turn();
            if !stands_still && !has_changed {
                return Some(EndCause::OutOfTurn);
            }
        }
        let limits = &self.order.limits;
        let mut bytes = process_tree::resident(&pids);
        if bytes > limits.memory && pids.len() > 1 {
            bytes = process_tree::proportional(&pids);
        }
        bytes = bytes.saturating_add(self.kept_by_kernel(&pids));
        if self.hides_again(&pids) {
            return Some(EndCause::Hiding);
        }
        self.peak = self.peak.max(bytes);
        if bytes > limits.memory || self.group.is_some_and(ProgramGroup::ran_out) {
            return Some(EndCause::Memory);
        }
        if pids.len() as u64 > limits.processes {
            return Some(EndCause::Processes);
        }
        self.disk.is_full_by_now(&pids).then_some(EndCause::Files)
    }

    /// Kernel memory of these processes besides their own, in bytes: checked at intervals, unless
    /// the kernel counts it.
    fn kept_by_kernel(&mut self, pids: &[u32]) -> u64 {
        self.looks += 1;
        if self.group.is_some() || !self.announced {
            return 0;
        }
        if self.looks.is_multiple_of(DESCRIPTORS_EVERY) {
            let seen = process_tree::descriptors(pids);
            self.in_descriptors = seen.bytes;
            self.hidden_before = std::mem::replace(&mut self.hidden, seen.hidden);
        }
        let start = Instant::now();
        if start >= self.next_mappings {
            self.in_mappings = process_tree::in_mappings(pids);
            self.next_mappings = Instant::now() + MAPPINGS_PAUSE.max(start.elapsed() * 20);
        }
        self.in_descriptors.saturating_add(self.in_mappings)
    }

    /// Whether one of these processes hid its descriptors in two checks, and so not just because it
    /// was ending.
    fn hides_again(&mut self, pids: &[u32]) -> bool {
        let is_hidden = |pid| self.hidden.contains(pid) && self.hidden_before.contains(pid);
        pids.iter().any(is_hidden)
    }

    /// Kills and reaps all processes below; returns how many could not be killed.
    pub(super) fn sweep(&mut self) -> usize {
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
            // Once the group is empty, its number may belong to another group.
            if pids.iter().any(|&pid| process_tree::in_group(pid, group)) {
                // All at once, so that no fork escapes; with a pid namespace, that is enough.
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

    pub(super) fn report(&self, stop: Option<EndCause>, left: usize) -> Result<Done, String> {
        if !self.started() {
            if let Some(why) = self.failure() {
                return Err(why);
            }
            if stop.is_none() {
                return Err("the launcher died before the program was started".to_owned());
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
                | EndCause::OutOfTurn
                | EndCause::Hiding),
            ) => found,
            // The program may have ended before the next look.
            _ if self.was_full || self.disk.is_full(&[]) => EndCause::Files,
            Some(asked) => asked,
            // The first process of the namespace reports the program's end. If it did not, and was
            // not ended before, only the program can have ended it.
            None if self.order.layers.namespaces => {
                end.as_ref().map_or(EndCause::Supervisor, |end| end.cause)
            }
            None => match self.ended {
                Some(status) => launcher::cause_of(status),
                None => {
                    return Err(
                        "the supervisor lost track of the program's end; please report this"
                            .to_owned(),
                    );
                }
            },
        };
        let (cpu_micros, kib) = match end {
            Some(end) if end.is_alone => (end.cpu_micros, end.peak_kib),
            _ => launcher::usage()?,
        };
        // The group's own figure includes cached file data.
        let group = self.group.filter(|_| ran_out).and_then(ProgramGroup::peak);
        let peak_kib = kib.max(self.peak / 1024).max(group.unwrap_or(0) / 1024);
        Ok(Done {
            cause,
            cpu_micros,
            peak_kib,
            left,
        })
    }
}
