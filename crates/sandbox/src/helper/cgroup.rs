//! Control groups, version 2: the kernel counts memory and processes of a program and all it
//! starts, and ends them in one stroke.
//!
//! Programs' groups lie below the referee's own. A group that shares out its controllers may hold
//! no processes itself, so the referee first moves into a group beside them, which it can do if it
//! is alone there: started in a scope of its own, or by root.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::process_tree;
use crate::layers::Layers;
use crate::limits::ResourceLimits;

/// What the kernel needs for itself in a group, and the airlock: not the program's.
const OWN: u64 = 8 << 20;
/// The airlock, and the one process too many for which the keeper ends a program.
const OWN_PROCESSES: u64 = 2;
const NEEDED: [&str; 2] = ["memory", "pids"];
const REFEREE: &str = "floe-referee";
/// How long an emptied group may take to become removable.
const EMPTYING: Duration = Duration::from_secs(2);

/// Where programs' groups are made, or why they cannot be. Found, and the referee moved, at the
/// first call.
fn home() -> Result<&'static Path, &'static str> {
    static HOME: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let home = HOME.get_or_init(|| {
        let own = own_group()?;
        let me = std::process::id();
        let mut mine = process_tree::descendants(me);
        mine.push(me);
        settle(&own, &mine)?;
        Ok(own)
    });
    home.as_deref().map_err(String::as_str)
}

/// [`home`], if a control group is among the layers.
pub(crate) fn home_if(layers: Layers) -> Result<Option<&'static Path>, &'static str> {
    match layers.cgroup {
        true => home().map(Some),
        false => Ok(None),
    }
}

fn own_group() -> Result<PathBuf, String> {
    let read = |path: &str| fs::read_to_string(path).map_err(|e| format!("{path}: {e}"));
    let groups = read("/proc/self/cgroup")?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"));
    let own = own.ok_or("no version 2 control groups")?;
    let mounts = read("/proc/self/mountinfo")?;
    let place = mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        kind.starts_with("cgroup2 ")
            .then(|| place.split(' ').nth(4))?
    });
    let place = place.ok_or("no version 2 control groups are mounted")?;
    Ok(Path::new(place).join(own.trim_start_matches('/')))
}

fn words_of(file: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Makes a group share out its controllers, moving these processes out of the way.
fn settle(group: &Path, mine: &[u32]) -> Result<(), String> {
    let name = group.display();
    let offered = words_of(&group.join("cgroup.controllers"))?;
    if let Some(missing) = NEEDED
        .iter()
        .find(|&need| !offered.iter().any(|o| o == need))
    {
        return Err(format!("{name} offers no {missing} controller"));
    }
    let switch = group.join("cgroup.subtree_control");
    let shared = words_of(&switch)?;
    if NEEDED.iter().all(|need| shared.iter().any(|s| s == need)) {
        return Ok(());
    }
    let wanted = "+memory +pids";
    if write(&switch, wanted).is_ok() {
        return Ok(());
    }
    let inside = words_of(&group.join("cgroup.procs"))?;
    let mine: Vec<String> = mine.iter().map(u32::to_string).collect();
    if !inside.iter().all(|pid| mine.contains(pid)) {
        return Err(format!("other processes live in {name} too"));
    }
    let aside = group.join(REFEREE);
    match fs::create_dir(&aside) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
            return Err(format!("make a group in {name}: {e}"));
        }
        _ => {}
    }
    for pid in inside {
        write(&aside.join("cgroup.procs"), &pid)?;
    }
    write(&switch, wanted)
}

/// The group of one program.
#[derive(Debug)]
pub(crate) struct ProgramGroup {
    path: PathBuf,
}

impl ProgramGroup {
    /// The group that a keeper makes, seen from the referee.
    pub(crate) fn of_keeper(home: &Path, keeper: u32) -> ProgramGroup {
        ProgramGroup {
            path: home.join(format!("floe-{keeper}")),
        }
    }

    pub(super) fn create(home: &Path) -> Result<ProgramGroup, String> {
        let group = ProgramGroup::of_keeper(home, std::process::id());
        let name = group.path.display();
        fs::create_dir(&group.path).map_err(|e| format!("make the control group {name}: {e}"))?;
        Ok(group)
    }

    pub(super) fn limit(&self, limits: &ResourceLimits) -> Result<(), String> {
        let set = |file: &str, text: String| write(&self.path.join(file), &text);
        set("memory.max", limits.memory.saturating_add(OWN).to_string())?;
        let processes = limits.processes.saturating_add(OWN_PROCESSES);
        set("pids.max", processes.to_string())?;
        // Not every kernel has swap, nor this switch; without it the largest process dies first.
        let _ = set("memory.swap.max", "0".to_owned());
        let _ = set("memory.oom.group", "1".to_owned());
        Ok(())
    }

    pub(super) fn add(&self, pid: i32) -> Result<(), String> {
        write(&self.path.join("cgroup.procs"), &pid.to_string())
    }

    /// Ends everybody in the group at once.
    pub(crate) fn kill(&self) {
        // Before Linux 5.14 the keeper's sweep has to do.
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
    }

    /// Whether the kernel ended somebody for want of memory.
    pub(super) fn ran_out(&self) -> bool {
        let Ok(events) = fs::read_to_string(self.path.join("memory.events")) else {
            return false;
        };
        events
            .lines()
            .filter_map(|line| line.strip_prefix("oom_kill "))
            .any(|count| count != "0")
    }

    /// The most memory the group has had, in bytes; none before Linux 5.19.
    pub(super) fn peak(&self) -> Option<u64> {
        let text = fs::read_to_string(self.path.join("memory.peak")).ok()?;
        text.trim().parse().ok()
    }

    /// Removes the group as soon as it is empty.
    pub(crate) fn remove(&self) {
        let end = Instant::now() + EMPTYING;
        while let Err(error) = fs::remove_dir(&self.path) {
            let busy = error.kind() == io::ErrorKind::ResourceBusy;
            if !busy || Instant::now() > end {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files in place of the kernel's: they show what is written, not what comes of it.
    #[test]
    fn a_group_is_settled_only_if_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let group = folder.path();
        let put = |name: &str, text: &str| fs::write(group.join(name), text).unwrap();
        let shared = || fs::read_to_string(group.join("cgroup.subtree_control")).unwrap();
        assert!(settle(group, &[]).is_err());
        put("cgroup.controllers", "cpu pids\n");
        assert!(
            settle(group, &[])
                .unwrap_err()
                .contains("no memory controller")
        );
        put("cgroup.controllers", "cpu memory pids\n");
        put("cgroup.subtree_control", "");
        settle(group, &[]).unwrap();
        assert_eq!(shared(), "+memory +pids");
        put("cgroup.subtree_control", "memory pids io\n");
        settle(group, &[]).unwrap();
        assert_eq!(shared(), "memory pids io\n");
    }

    #[test]
    fn limits_and_counts_are_in_the_kernels_files() {
        let home = tempfile::tempdir().unwrap();
        let group = ProgramGroup::create(home.path()).unwrap();
        group.limit(&ResourceLimits::default()).unwrap();
        group.add(77).unwrap();
        let read = |name: &str| fs::read_to_string(group.path.join(name)).unwrap();
        assert_eq!(read("memory.max"), (264 << 20).to_string());
        assert_eq!(
            (read("pids.max"), read("cgroup.procs")),
            ("66".into(), "77".into())
        );
        assert!(!group.ran_out() && group.peak().is_none());
        fs::write(group.path.join("memory.events"), "oom 3\noom_kill 0\n").unwrap();
        assert!(!group.ran_out());
        fs::write(group.path.join("memory.events"), "oom 3\noom_kill 2\n").unwrap();
        fs::write(group.path.join("memory.peak"), "4096\n").unwrap();
        assert!(group.ran_out() && group.peak() == Some(4096));
    }
}
