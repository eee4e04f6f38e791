//! The control group of a program: the kernel counts memory and processes of it and all it starts,
//! holds them still and ends them in one stroke.
//!
//! Both versions are used, and both at once where a machine has some controllers in version 1.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::group_home::{Home, Version, make, write};
use crate::limits::ResourceLimits;

/// Memory of the kernel and the launcher in a group: not the program's.
const OWN: u64 = 8 << 20;
/// The launcher, and the one process too many for which the supervisor ends a program.
const OWN_PROCESSES: u64 = 2;
/// How long an emptied group may take to become removable.
const EMPTYING: Duration = Duration::from_secs(2);

/// The group of one program, in each hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct ProgramGroup(Home);

impl ProgramGroup {
    /// The group of a supervisor, as the referee sees it.
    pub(crate) fn of_supervisor(home: &Home, supervisor: u32) -> ProgramGroup {
        let places = home.0.each_ref();
        ProgramGroup(Home(places.map(|place| place.of_supervisor(supervisor))))
    }

    pub(super) fn create(home: &Home) -> Result<ProgramGroup, String> {
        let group = ProgramGroup::of_supervisor(home, std::process::id());
        for folder in group.folders() {
            // A group left by an earlier process with the same number has old counts.
            let _ = fs::remove_dir(folder);
            make(folder)?;
        }
        Ok(group)
    }

    fn folders(&self) -> Vec<&Path> {
        let mut folders: Vec<&Path> = self.0.0.iter().map(|place| &*place.path).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// The file for a controller, whose name depends on the cgroup version.
    fn file(&self, thing: usize, one: &str, two: &str) -> PathBuf {
        let place = &self.0.0[thing];
        place.path.join(match place.version {
            Version::One => one,
            Version::Two => two,
        })
    }

    fn memory(&self, one: &str, two: &str) -> PathBuf {
        self.file(0, one, two)
    }

    pub(super) fn limit(&self, limits: &ResourceLimits) -> Result<(), String> {
        let bytes = limits.memory.saturating_add(OWN).to_string();
        write(&self.memory("memory.limit_in_bytes", "memory.max"), &bytes)?;
        let tasks = limits.threads.max(limits.processes);
        let tasks = tasks.saturating_add(OWN_PROCESSES).to_string();
        write(&self.file(1, "pids.max", "pids.max"), &tasks)?;
        // Not every kernel has swap or this switch; without the switch, the largest process dies
        // first.
        match self.0.0[0].version {
            Version::One => {
                let _ = write(&self.memory("memory.memsw.limit_in_bytes", ""), &bytes);
            }
            Version::Two => {
                let _ = write(&self.memory("", "memory.swap.max"), "0");
                let _ = write(&self.memory("", "memory.oom.group"), "1");
            }
        }
        Ok(())
    }

    /// Moves a process into the group.
    pub(super) fn add(&self, pid: i32) -> Result<(), String> {
        let mut folders = self.folders().into_iter();
        folders.try_for_each(|folder| write(&folder.join("cgroup.procs"), &pid.to_string()))
    }

    /// The switch that freezes all processes of the group, if usable. With version 1, the kernel
    /// patches its own code for it, which takes longer than a move may: signals are faster there.
    pub(crate) fn freezer(&self) -> Option<Freezer> {
        let place = &self.0.0[2];
        if place.version == Version::One {
            return None;
        }
        let path = place.path.join("cgroup.freeze");
        let switch = OpenOptions::new().write(true).open(path).ok()?;
        Some(Freezer(switch))
    }

    /// The group's processor time so far.
    pub(crate) fn time(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.file(3, "cpuacct.usage", "cpu.stat")).ok()?;
        match self.0.0[3].version {
            Version::One => text.trim().parse().ok().map(Duration::from_nanos),
            Version::Two => {
                let mut lines = text.lines();
                let micros = lines.find_map(|line| line.strip_prefix("usage_usec "))?;
                micros.parse().ok().map(Duration::from_micros)
            }
        }
    }

    /// Ends all processes of the group at once.
    pub(crate) fn kill(&self) {
        let place = &self.0.0[2];
        // Version 1 has no such switch, and version 2 had none before Linux 5.14: then processes
        // are killed one by one.
        if place.version == Version::Two {
            let _ = fs::write(place.path.join("cgroup.kill"), "1");
        }
        self.freezer().inspect(Freezer::thaw);
    }

    /// Whether the kernel ended a process because memory ran out.
    pub(super) fn ran_out(&self) -> bool {
        let events = self.memory("memory.oom_control", "memory.events");
        let events = fs::read_to_string(events).unwrap_or_default();
        events
            .lines()
            .filter_map(|line| line.strip_prefix("oom_kill "))
            .any(|count| count != "0")
    }

    /// The peak memory of the group in bytes, including cached file data; `None` for version 2
    /// before Linux 5.19.
    pub(super) fn peak(&self) -> Option<u64> {
        let peak = self.memory("memory.max_usage_in_bytes", "memory.peak");
        fs::read_to_string(peak).ok()?.trim().parse().ok()
    }

    /// Removes the group once it is empty.
    pub(crate) fn remove(&self) {
        let end = Instant::now() + EMPTYING;
        for folder in self.folders() {
            while let Err(error) = fs::remove_dir(folder) {
                let busy = error.kind() == io::ErrorKind::ResourceBusy;
                if !busy || Instant::now() > end {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Freezes all processes of a group; no process in it can prevent that.
#[derive(Debug)]
pub(crate) struct Freezer(File);

impl Freezer {
    /// Freezes the processes; `false` if the kernel refuses.
    pub(crate) fn freeze(&self) -> bool {
        self.0.write_all_at(b"1", 0).is_ok()
    }

    /// Lets the processes run again.
    pub(crate) fn thaw(&self) {
        let _ = self.0.write_all_at(b"0", 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::group_home::Place;
    use super::*;

    fn home(version: Version, path: &Path) -> Home {
        let path = path.to_owned();
        Home([(); 4].map(|()| Place {
            version,
            path: path.clone(),
        }))
    }

    #[test]
    fn limits_and_counts_are_in_the_kernels_files() {
        for (version, names) in [
            (
                Version::One,
                [
                    "memory.limit_in_bytes",
                    "memory.oom_control",
                    "memory.max_usage_in_bytes",
                    "freezer.state",
                ],
            ),
            (
                Version::Two,
                [
                    "memory.max",
                    "memory.events",
                    "memory.peak",
                    "cgroup.freeze",
                ],
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let group = ProgramGroup::create(&home(version, folder.path())).unwrap();
            let path = group.folders()[0].to_owned();
            let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
            let put = |name: &str, text: &str| fs::write(path.join(name), text).unwrap();
            group.limit(&ResourceLimits::default()).unwrap();
            group.add(77).unwrap();
            assert_eq!(read(names[0]), (264 << 20).to_string());
            assert_eq!(
                (read("pids.max"), read("cgroup.procs")),
                ("66".into(), "77".into())
            );
            assert!(!group.ran_out() && group.peak().is_none() && group.time().is_none());
            put(names[1], "under_oom 0\noom_kill 0\n");
            assert!(!group.ran_out());
            put(names[1], "oom 3\noom_kill 2\n");
            put(names[2], "4096\n");
            assert!(group.ran_out() && group.peak() == Some(4096));
            assert!(group.freezer().is_none());
            put(names[3], "");
            put("cpu.stat", "usage_usec 5000\nuser_usec 1\n");
            put("cpuacct.usage", "5000000\n");
            assert_eq!(group.time(), Some(Duration::from_millis(5)));
            match version {
                Version::One => assert!(group.freezer().is_none()),
                Version::Two => assert!(group.freezer().unwrap().freeze() && read(names[3]) == "1"),
            }
        }
    }
}
