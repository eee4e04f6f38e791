//! Control groups: the kernel counts memory and processes of a program and all it starts, holds them
//! still and ends them in one stroke.
//!
//! Both versions are used, and both at once where a machine has some controllers in version 1.
//! Programs' groups lie below the referee's own. A group of version 2 that shares out its controllers
//! may hold no processes itself, so the referee first moves into a group beside them, which it can do
//! if it is alone there: started in a scope of its own. Root can make a group at the top instead.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
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
const REFEREE: &str = "floe-referee";
const TOP: &str = "floe";
/// What a program's group is called, before the number of its keeper.
const PREFIX: &str = "floe-";
/// How long an emptied group may take to become removable.
const EMPTYING: Duration = Duration::from_secs(2);

/// The two versions of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// A folder of groups in one hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    version: Version,
    path: PathBuf,
}

impl Place {
    /// As an argument of the keeper.
    fn word(&self) -> OsString {
        let mut word = match self.version {
            Version::One => b"1".to_vec(),
            Version::Two => b"2".to_vec(),
        };
        word.extend_from_slice(self.path.as_os_str().as_bytes());
        OsString::from_vec(word)
    }

    fn read(word: &OsStr) -> Option<Place> {
        let (version, path) = word.as_bytes().split_first()?;
        let version = match version {
            b'1' => Version::One,
            b'2' => Version::Two,
            _ => return None,
        };
        let path = PathBuf::from(OsStr::from_bytes(path));
        Some(Place { version, path })
    }

    fn join(&self, name: &str) -> Place {
        Place {
            version: self.version,
            path: self.path.join(name),
        }
    }
}

/// Where programs' groups are made, for each of [`THINGS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Home([Place; 4]);

/// What groups do, by the controllers of version 1, in the order of [`Home`].
const THINGS: [&str; 4] = ["memory", "pids", "freezer", "cpuacct"];
/// Those that are controllers in version 2 as well; the others every group of version 2 has.
const SHARED_OUT: [&str; 2] = ["memory", "pids"];

impl Home {
    /// As arguments of the keeper.
    pub(crate) fn words(&self) -> [OsString; 4] {
        self.0.each_ref().map(Place::word)
    }

    pub(super) fn read(words: impl Iterator<Item = OsString>) -> Option<Home> {
        let places: Option<Vec<Place>> = words.map(|word| Place::read(&word)).collect();
        Some(Home(places?.try_into().ok()?))
    }

    fn find() -> Result<Home, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|e| format!("{path}: {e}"));
        let groups = read("/proc/self/cgroup")?;
        let mounts = read("/proc/self/mountinfo")?;
        let two = own_place(&groups, &mounts, None);
        let one = THINGS.map(|thing| own_place(&groups, &mounts, Some(thing)));
        let mut wanted = SHARED_OUT.to_vec();
        wanted.retain(|need| {
            THINGS
                .iter()
                .zip(&one)
                .any(|(t, one)| t == need && one.is_none())
        });
        let two = match two {
            Some((top, own)) if one.iter().any(Option::is_none) => Some(share(&top, own, &wanted)?),
            _ => None,
        };
        let mut places = Vec::new();
        for (thing, one) in THINGS.iter().zip(one) {
            places.push(match (one, &two) {
                (Some((_, path)), _) => Place {
                    version: Version::One,
                    path,
                },
                (None, Some(path)) => Place {
                    version: Version::Two,
                    path: path.clone(),
                },
                (None, None) => return Err(format!("no control groups for {thing} are mounted")),
            });
        }
        let places = places
            .try_into()
            .map_err(|_| "control groups are missing")?;
        let home = Home(places);
        home.sweep();
        Ok(home)
    }

    /// Removes the groups of keepers that were killed, and so could not.
    fn sweep(&self) {
        for place in &self.0 {
            for entry in fs::read_dir(&place.path).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let keeper = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
                let keeper = keeper.and_then(|keeper| keeper.parse::<u32>().ok());
                if keeper.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
                    let _ = fs::remove_dir(entry.path());
                }
            }
        }
    }
}

/// Where the hierarchy with a controller of version 1, or that of version 2, is mounted, and the
/// group of this process there.
fn own_place(groups: &str, mounts: &str, controller: Option<&str>) -> Option<(PathBuf, PathBuf)> {
    let has = |list: &str| match controller {
        Some(wanted) => list.split(',').any(|name| name == wanted),
        None => list.is_empty(),
    };
    let own = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        (parts.next().is_some_and(has)).then(|| parts.next())?
    })?;
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let is_it = match controller {
            Some(_) => kind.next() == Some("cgroup") && kind.nth(1).is_some_and(has),
            None => kind.next() == Some("cgroup2"),
        };
        let mut place = place.split(' ').skip(3).take(2);
        let (root, top) = (place.next()?, PathBuf::from(place.next()?));
        // A container shows a part of the hierarchy.
        let below = Path::new(own).strip_prefix(root);
        let below = below.unwrap_or_else(|_| Path::new(own.trim_start_matches('/')));
        is_it.then(|| (top.clone(), top.join(below)))
    })
}

/// A group of version 2 that shares out these controllers to those below it: the referee's own or,
/// for root, one at the top.
fn share(top: &Path, own: PathBuf, wanted: &[&str]) -> Result<PathBuf, String> {
    let me = std::process::id();
    let mut mine = process_tree::descendants(me);
    mine.push(me);
    let refused = match settle(&own, &mine, wanted) {
        Ok(()) => return Ok(own),
        Err(why) => why,
    };
    if !rustix::process::geteuid().is_root() || own == top {
        return Err(refused);
    }
    let group = top.join(TOP);
    let at_the_top = || -> Result<(), String> {
        settle(top, &[], wanted)?;
        make(&group)?;
        settle(&group, &[], wanted)
    };
    at_the_top().map_err(|why| format!("{refused}; {why}"))?;
    Ok(group)
}

/// Makes a group if there is none.
fn make(group: &Path) -> Result<(), String> {
    match fs::create_dir(group) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
            Err(format!("make the control group {}: {e}", group.display()))
        }
        _ => Ok(()),
    }
}

/// Where programs' groups are made, or why they cannot be. Found, and the referee moved, at the
/// first call.
fn home() -> Result<&'static Home, &'static str> {
    static HOME: OnceLock<Result<Home, String>> = OnceLock::new();
    let home = HOME.get_or_init(Home::find);
    home.as_ref().map_err(String::as_str)
}

/// [`home`], if a control group is among the layers.
pub(crate) fn home_if(layers: Layers) -> Result<Option<&'static Home>, &'static str> {
    match layers.cgroup {
        true => home().map(Some),
        false => Ok(None),
    }
}

fn words_of(file: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Makes a group share out these controllers, moving these processes out of the way.
fn settle(group: &Path, mine: &[u32], wanted: &[&str]) -> Result<(), String> {
    let name = group.display();
    let offered = words_of(&group.join("cgroup.controllers"))?;
    if let Some(missing) = wanted
        .iter()
        .find(|&need| !offered.iter().any(|o| o == need))
    {
        return Err(format!("{name} offers no {missing} controller"));
    }
    let switch = group.join("cgroup.subtree_control");
    let shared = words_of(&switch)?;
    if wanted.iter().all(|need| shared.iter().any(|s| s == need)) {
        return Ok(());
    }
    let all: Vec<String> = wanted.iter().map(|need| format!("+{need}")).collect();
    let all = all.join(" ");
    if write(&switch, &all).is_ok() {
        return Ok(());
    }
    let inside = words_of(&group.join("cgroup.procs"))?;
    let mine: Vec<String> = mine.iter().map(u32::to_string).collect();
    if !inside.iter().all(|pid| mine.contains(pid)) {
        return Err(format!("other processes live in {name} too"));
    }
    let aside = group.join(REFEREE);
    make(&aside)?;
    for pid in inside {
        write(&aside.join("cgroup.procs"), &pid)?;
    }
    write(&switch, &all)
}

/// The group of one program, in each hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct ProgramGroup(Home);

impl ProgramGroup {
    /// The group that a keeper makes, seen from the referee.
    pub(crate) fn of_keeper(home: &Home, keeper: u32) -> ProgramGroup {
        let name = format!("{PREFIX}{keeper}");
        ProgramGroup(Home(home.0.each_ref().map(|place| place.join(&name))))
    }

    pub(super) fn create(home: &Home) -> Result<ProgramGroup, String> {
        let group = ProgramGroup::of_keeper(home, std::process::id());
        for folder in group.folders() {
            // One that is left of somebody with the same number has counted already.
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

    /// The file for a thing, which has another name in each version.
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
        // Not every kernel has swap, nor the other switch; without it the largest process dies first.
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

    /// Puts a process into the group.
    pub(super) fn add(&self, pid: i32) -> Result<(), String> {
        let mut folders = self.folders().into_iter();
        folders.try_for_each(|folder| write(&folder.join("cgroup.procs"), &pid.to_string()))
    }

    /// The switch that holds everybody in the group still, if it can be used. That of version 1 has the
    /// kernel change its own code, which takes longer than a move may: signals are quicker there.
    pub(crate) fn freezer(&self) -> Option<Freezer> {
        let place = &self.0.0[2];
        if place.version == Version::One {
            return None;
        }
        let path = place.path.join("cgroup.freeze");
        let switch = OpenOptions::new().write(true).open(path).ok()?;
        Some(Freezer(switch))
    }

    /// The processor time all of the group has used so far.
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

    /// Ends everybody in the group at once.
    pub(crate) fn kill(&self) {
        let place = &self.0.0[2];
        // Version 1 has no such switch, nor had version 2 before Linux 5.14: the sweep has to do.
        if place.version == Version::Two {
            let _ = fs::write(place.path.join("cgroup.kill"), "1");
        }
        self.freezer().inspect(Freezer::thaw);
    }

    /// Whether the kernel ended somebody for want of memory.
    pub(super) fn ran_out(&self) -> bool {
        let events = self.memory("memory.oom_control", "memory.events");
        let events = fs::read_to_string(events).unwrap_or_default();
        events
            .lines()
            .filter_map(|line| line.strip_prefix("oom_kill "))
            .any(|count| count != "0")
    }

    /// The most memory the group has had, in bytes, files that were read included; none in version 2
    /// before Linux 5.19.
    pub(super) fn peak(&self) -> Option<u64> {
        let peak = self.memory("memory.max_usage_in_bytes", "memory.peak");
        fs::read_to_string(peak).ok()?.trim().parse().ok()
    }

    /// Removes the group as soon as it is empty.
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

/// Holds everybody in a group still, which no process in it can do anything about.
#[derive(Debug)]
pub(crate) struct Freezer(File);

impl Freezer {
    /// Holds them still; false if the kernel refuses.
    pub(crate) fn freeze(&self) -> bool {
        self.0.write_all_at(b"1", 0).is_ok()
    }

    /// Lets them go on.
    pub(crate) fn thaw(&self) {
        let _ = self.0.write_all_at(b"0", 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
30 20 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
31 20 0:27 /part /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
32 20 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
33 20 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    const GROUPS: &str =
        "4:memory:/a/b\n3:pids:/part/c\n2:cpu,cpuacct:/\n1:name=systemd:/x\n0::/d\n";

    #[test]
    fn the_own_group_is_found_in_each_hierarchy() {
        let place = |controller| own_place(GROUPS, MOUNTS, controller).map(|place| place.1);
        let path = |text: &str| Some(PathBuf::from("/sys/fs/cgroup").join(text));
        assert_eq!(place(Some("memory")), path("memory/a/b"));
        assert_eq!(place(Some("pids")), path("pids/c"));
        assert_eq!(place(Some("cpuacct")), path("cpu,cpuacct/"));
        assert_eq!(place(Some("freezer")), None);
        assert_eq!(place(None), path("unified/d"));
    }

    /// Files in place of the kernel's: they show what is written, not what comes of it.
    #[test]
    fn a_group_is_settled_only_if_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let group = folder.path();
        let put = |name: &str, text: &str| fs::write(group.join(name), text).unwrap();
        let shared = || fs::read_to_string(group.join("cgroup.subtree_control")).unwrap();
        let settle = || settle(group, &[], &SHARED_OUT);
        assert!(settle().is_err());
        put("cgroup.controllers", "cpu pids\n");
        assert!(settle().unwrap_err().contains("no memory controller"));
        put("cgroup.controllers", "cpu memory pids\n");
        put("cgroup.subtree_control", "");
        settle().unwrap();
        assert_eq!(shared(), "+memory +pids");
        put("cgroup.subtree_control", "memory pids io\n");
        settle().unwrap();
        assert_eq!(shared(), "memory pids io\n");
    }

    fn home(version: Version, path: &Path) -> Home {
        let path = path.to_owned();
        Home([(); 4].map(|()| Place {
            version,
            path: path.clone(),
        }))
    }

    #[test]
    fn a_home_survives_the_command_line() {
        let home = home(Version::One, Path::new("/sys/fs/cgroup/x y"));
        assert_eq!(Home::read(home.words().into_iter()), Some(home));
        assert_eq!(Home::read(["3/x".into()].into_iter()), None);
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
