//! The processes under a process, from the kernel's `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Most processes to follow; no limit allows as many.
const MOST: usize = 20_000;
/// A page table takes 4 KiB per 2 MiB at least, so smaller processes' tables are under a megabyte.
const WORTH_TABLES: u64 = 512 << 20;
/// Number of sockets and pipes that cost nothing.
const FREE_SOCKETS: usize = 16;
/// Bytes the kernel buffers in one pipe.
const PIPE: u64 = 64 << 10;
/// Kernel memory per mapping, and the number of mappings that cost nothing. Each takes at least a
/// page, so small processes have few.
const MAPPING: u64 = 256;
const FREE_MAPPINGS: u64 = 4096;
const WORTH_MAPPINGS: u64 = 32 << 20;
/// The kernel's flag of an exiting thread, in `/proc/PID/stat`.
const EXITING: u64 = 4;

/// All living descendants of a process, parents before children.
///
/// Costs one read for each thread of each of them; where the kernel does not list children, one
/// read for each process of the machine.
pub(crate) fn descendants(root: u32) -> Vec<u32> {
    if !Path::new(&format!("/proc/{root}/task/{root}/children")).exists() {
        return scan(root);
    }
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(pid) = open.pop() {
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            continue;
        };
        for thread in threads.flatten() {
            let Ok(list) = fs::read_to_string(thread.path().join("children")) else {
                continue;
            };
            let children = list
                .split_ascii_whitespace()
                .filter_map(|word| word.parse().ok());
            for child in children {
                found.push(child);
                open.push(child);
            }
        }
        if found.len() > MOST {
            break;
        }
    }
    found
}

fn scan(root: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        if let Some(parent) = Stat::of(pid)
            .and_then(|stat| stat.number(1))
            .and_then(|parent| u32::try_from(parent).ok())
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = children.remove(&root).unwrap_or_default();
    let mut at = 0;
    while let Some(&pid) = found.get(at) {
        found.extend(children.remove(&pid).unwrap_or_default());
        at += 1;
    }
    found
}

/// The contents of `/proc/PID/stat` for a process or a thread.
///
/// A process may choose any bytes as its name, so this is not text.
pub(crate) struct Stat(Vec<u8>);

impl Stat {
    /// The state of a process, if it exists.
    pub(crate) fn of(pid: u32) -> Option<Stat> {
        Stat::in_folder(Path::new(&format!("/proc/{pid}")))
    }

    fn in_folder(folder: &Path) -> Option<Stat> {
        match fs::read(folder.join("stat")) {
            Ok(bytes) => Some(Stat(bytes)),
            Err(error) if is_gone(&error) => None,
            // The process exists, but cannot be read.
            Err(_) => Some(Stat(Vec::new())),
        }
    }

    /// The words after the name; the first is the state.
    fn words(&self) -> impl Iterator<Item = &str> {
        // The name may contain spaces and brackets; the last bracket ends it.
        let rest = self.0.rsplit(|&byte| byte == b')').next();
        let rest = str::from_utf8(rest.unwrap_or_default()).unwrap_or_default();
        rest.split_ascii_whitespace()
    }

    /// The number at a place, counted from the state as 0.
    fn number(&self, place: usize) -> Option<u64> {
        self.words().nth(place)?.parse().ok()
    }

    fn is_stopped(&self) -> bool {
        self.words().next() == Some("T")
    }

    /// Whether the process is neither stopped nor ended, as far as known; if the state cannot be
    /// read, it counts as running. For a process whose first thread has ended this is false,
    /// whatever its other threads do.
    pub(crate) fn can_run(&self) -> bool {
        let state = self.words().next();
        state.is_none_or(|state| !matches!(state, "T" | "t" | "Z" | "X"))
    }

    /// Whether the process has ended or is about to. It has then released its memory and files, and
    /// the kernel no longer shows them. On a busy machine that state lasts.
    fn is_leaving(&self) -> bool {
        let is_over = matches!(self.words().next(), Some("Z" | "X"));
        is_over || self.number(6).is_some_and(|flags| flags & EXITING != 0)
    }

    /// The processor time of the process and its reaped children, in clock ticks.
    pub(crate) fn ticks(&self) -> u64 {
        let times = self.words().skip(11).take(4);
        times.filter_map(|time| time.parse::<u64>().ok()).sum()
    }
}

/// The folder in which the kernel shows a process's memory and files: its first thread's or, once
/// that has ended, another's.
pub(super) fn folder_of(pid: u32) -> PathBuf {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let stays = |folder: &PathBuf| Stat::in_folder(folder).is_some_and(|stat| !stat.is_leaving());
    if stays(&folder) {
        return folder;
    }
    let threads = fs::read_dir(folder.join("task")).into_iter().flatten();
    let mut threads = threads.flatten().map(|thread| thread.path());
    threads.find(stays).unwrap_or(folder)
}

/// Whether an error means that a process has ended.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(libc::ESRCH)
}

/// The text of `/proc/PID/status`. The process's name in it may be any bytes.
fn status_of(folder: &Path) -> String {
    let bytes = fs::read(folder.join("status")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The progress of a stop signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopState {
    /// No thread of the process runs.
    Still,
    /// The process has not stopped yet: each thread stops when it next gets a processor. On shared
    /// hosts that may take long, and the kernel counts the processor's absence as the thread's own
    /// time until then.
    OnTheWay,
    /// The process runs, and no stop is pending.
    Runs,
}

/// The progress of a stop signal to a process. Costs a read for each of its threads.
pub(crate) fn stop_state(pid: u32) -> StopState {
    // In this order, because a thread that takes the signal stops at once.
    let status = status_of(Path::new(&format!("/proc/{pid}")));
    let (mut has_stopped, mut can_run) = (false, false);
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    for thread in threads.into_iter().flatten().flatten() {
        if let Some(stat) = Stat::in_folder(&thread.path()) {
            has_stopped |= stat.is_stopped();
            can_run |= stat.can_run();
        }
    }
    match can_run {
        false => StopState::Still,
        true if has_stopped || has_stop_before_it(&status) => StopState::OnTheWay,
        true => StopState::Runs,
    }
}

/// Whether this text of `/proc/PID/status` shows a pending stop signal.
fn has_stop_before_it(status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
    let signals = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let stop = 1 << (rustix::process::Signal::STOP.as_raw() - 1);
    signals.is_some_and(|signals| signals & stop != 0)
}

/// Whether a process belongs to a process group.
pub(crate) fn in_group(pid: u32, group: u32) -> bool {
    Stat::of(pid).and_then(|stat| stat.number(2)) == Some(u64::from(group))
}

/// Number of threads of all the user's processes. Reads every process of the machine.
pub(crate) fn threads_of(uid: u32) -> u64 {
    let threads = |entry: fs::DirEntry| -> Option<u64> {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        let status = status_of(&entry.path());
        let field = |name: &str| number_in(&status, name);
        (field("Uid:")? == u64::from(uid)).then(|| field("Threads:").unwrap_or(1))
    };
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(threads)
        .sum()
}

/// The resident memory of these processes in bytes, with shared pages counted for each, and with
/// the kernel's page tables.
pub(crate) fn resident(pids: &[u32]) -> u64 {
    let page = rustix::param::page_size() as u64;
    let of = |pid: &u32| -> Option<u64> {
        let folder = folder_of(*pid);
        let text = fs::read_to_string(folder.join("statm")).ok()?;
        let mut pages = text.split_ascii_whitespace().map(str::parse::<u64>);
        let (size, resident) = (pages.next()?.ok()?, pages.next()?.ok()?);
        Some(resident * page + tables(&folder, size * page))
    };
    pids.iter().filter_map(of).sum()
}

/// The kernel's page tables for a process of this size, in bytes. They appear in no other number: a
/// process that reads one byte of each 2 MiB has nothing but them.
fn tables(folder: &Path, size: u64) -> u64 {
    if size < WORTH_TABLES {
        return 0;
    }
    let status = status_of(folder);
    number_in(&status, "VmPTE:").unwrap_or(0) * 1024
}

/// The first number after a name in the text of `/proc/PID/status`.
fn number_in(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// The resident memory of these processes in bytes, each shared page counted once; the plain sum
/// for processes whose maps are unreadable. Walks their page tables, which is expensive.
pub(crate) fn proportional(pids: &[u32]) -> u64 {
    let share = |pid: &u32| {
        let folder = folder_of(*pid);
        let text = fs::read_to_string(folder.join("smaps_rollup")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
        Some(kib * 1024 + tables(&folder, u64::MAX))
    };
    pids.iter()
        .map(|pid| share(pid).unwrap_or_else(|| resident(&[*pid])))
        .sum()
}

/// The descriptors of some processes.
#[derive(Debug, Default)]
pub(crate) struct Descriptors {
    /// The most memory that their sockets and pipes can hold in bytes, which appears in no other
    /// number. The few that languages make for themselves are free.
    pub(crate) bytes: u64,
    /// Processes whose descriptors cannot be read.
    pub(crate) hidden: HashSet<u32>,
}

/// Examines each descriptor of these processes.
pub(crate) fn descriptors(pids: &[u32]) -> Descriptors {
    let (mut sockets, mut pipes) = (HashSet::new(), HashSet::new());
    let mut hidden = HashSet::new();
    for &pid in pids {
        let folder = folder_of(pid);
        let open = match fs::read_dir(folder.join("fd")) {
            Ok(open) => open,
            Err(error) => {
                // An exiting process may be unreadable, too.
                let stat = Stat::in_folder(&folder).filter(|_| !is_gone(&error));
                let stays = stat.is_some_and(|stat| !stat.is_leaving());
                hidden.extend(stays.then_some(pid));
                continue;
            }
        };
        for file in open.flatten() {
            let name = fs::read_link(file.path()).unwrap_or_default();
            let bytes = name.as_os_str().as_encoded_bytes();
            if bytes.starts_with(b"socket:") {
                sockets.insert(name);
            } else if bytes.starts_with(b"pipe:") {
                pipes.insert(name);
            }
        }
    }
    let many = |all: HashSet<PathBuf>| all.len().saturating_sub(FREE_SOCKETS) as u64;
    Descriptors {
        bytes: many(sockets) * socket_buffer() + many(pipes) * PIPE,
        hidden,
    }
}

/// Kernel memory for the mappings of these processes in bytes, which counts nowhere else. A process
/// of this size has few enough.
///
/// Costs a line for each mapping.
pub(crate) fn in_mappings(pids: &[u32]) -> u64 {
    let of = |folder: PathBuf| {
        let maps = fs::read(folder.join("maps")).unwrap_or_default();
        maps.iter().filter(|&&byte| byte == b'\n').count() as u64
    };
    let folders = pids.iter().map(|&pid| folder_of(pid));
    let large = folders.filter(|folder| size(folder) >= WORTH_MAPPINGS);
    let all: u64 = large.map(of).sum();
    all.saturating_sub(FREE_MAPPINGS) * MAPPING
}

/// The address space of a process in bytes.
fn size(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join("statm")).unwrap_or_default();
    let pages = text
        .split_ascii_whitespace()
        .next()
        .and_then(|n| n.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

/// Bytes the kernel buffers in one socket.
fn socket_buffer() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_max").unwrap_or_default();
        text.trim().parse().unwrap_or(212_992)
    })
}

/// A shell that waits for a child, which exists when this returns.
#[cfg(test)]
pub(super) fn small_family() -> std::process::Child {
    use std::process::{Command, Stdio};
    let mut child = Command::new("/bin/sh")
        .args(["-c", "sleep 1000 & echo; wait"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
    child
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Such a process hides nothing, however long it takes.
    #[test]
    fn who_is_about_to_end_is_told_from_who_hides() {
        let stat = |text: &str| Stat(text.as_bytes().to_vec());
        let way = "1 2 3 4 5";
        assert!(!stat(&format!("7 (a) b) R {way} 4194304 0 0")).is_leaving());
        assert!(stat(&format!("7 (a) b) R {way} 4194308 0 0")).is_leaving());
        assert!(stat(&format!("7 (a) b) Z {way} 4194304 0 0")).is_leaving());
        // An unreadable state may be any.
        assert!(!stat("").is_leaving());
    }

    #[test]
    fn children_and_grandchildren_are_found_both_ways() {
        let mut child = small_family();
        let me = std::process::id();
        let below = descendants(child.id());
        assert_eq!(below.len(), 1);
        assert_eq!(scan(child.id()), below);
        assert!(descendants(me).contains(&child.id()));
        assert!(scan(me).contains(&below[0]));
        assert!(resident(&[child.id()]) > 0);
        assert!(threads_of(rustix::process::getuid().as_raw()) >= 3);
        assert!(proportional(&[child.id()]) <= resident(&[child.id()]) + (1 << 20));
        let pid = |pid: u32| rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
        rustix::process::kill_process(pid(below[0]), rustix::process::Signal::KILL).unwrap();
        child.wait().unwrap();
        assert_eq!(resident(&[child.id()]), 0);
    }
}
