//! Where the control groups of programs are made, in both versions.
//!
//! Programs' groups lie below the referee's own. A group of version 2 that shares out its controllers
//! may hold no processes itself, so the referee first moves into a group beside them, which it can do
//! if it is alone there: started in a scope of its own. Root can make a group at the top instead.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::process_tree;
use crate::layers::Layers;

const REFEREE: &str = "floe-referee";
const TOP: &str = "floe";
/// Prefix of a group's name; the supervisor's process number follows.
const PREFIX: &str = "floe-";

/// The two versions of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A folder of groups in one hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) version: Version,
    pub(super) path: PathBuf,
}

impl Place {
    /// The argument for the supervisor.
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

    /// The group of a supervisor's program.
    pub(super) fn of_supervisor(&self, supervisor: u32) -> Place {
        Place {
            version: self.version,
            path: self.path.join(format!("{PREFIX}{supervisor}")),
        }
    }
}

/// The groups for programs, for each of [`THINGS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Home(pub(super) [Place; 4]);

/// The controllers of version 1 that groups need, in the order of [`Home`].
const THINGS: [&str; 4] = ["memory", "pids", "freezer", "cpuacct"];
/// Controllers of version 2 too; every group of version 2 has the others.
const SHARED_OUT: [&str; 2] = ["memory", "pids"];

impl Home {
    /// The arguments for the supervisor.
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
        let me = std::process::id();
        let mut mine = process_tree::descendants(me);
        mine.push(me);
        let mover = Mover {
            mine,
            is_root: rustix::process::geteuid().is_root(),
            write,
        };
        Home::find_in(&groups, &mounts, &mover)
    }

    /// Finds the groups from the kernel's lists of groups and mounts.
    fn find_in(groups: &str, mounts: &str, mover: &Mover) -> Result<Home, String> {
        let two = own_place(groups, mounts, None);
        let one = THINGS.map(|thing| own_place(groups, mounts, Some(thing)));
        let mut wanted = SHARED_OUT.to_vec();
        wanted.retain(|need| {
            THINGS
                .iter()
                .zip(&one)
                .any(|(t, one)| t == need && one.is_none())
        });
        let two = match two {
            Some((top, own)) if one.iter().any(Option::is_none) => {
                Some(mover.share(&top, own, &wanted)?)
            }
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

    /// Removes the groups of killed supervisors, which could not do this themselves.
    fn sweep(&self) {
        for place in &self.0 {
            for entry in fs::read_dir(&place.path).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let supervisor = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
                let supervisor = supervisor.and_then(|supervisor| supervisor.parse::<u32>().ok());
                if supervisor.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
                    let _ = fs::remove_dir(entry.path());
                }
            }
        }
    }
}

/// The mount point of the hierarchy with a version 1 controller, or of version 2, and this
/// process's group there.
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

/// Makes groups of version 2 delegate controllers.
struct Mover {
    /// The referee and its helpers.
    mine: Vec<u32>,
    is_root: bool,
    /// Writes a file of the kernel.
    write: fn(&Path, &str) -> Result<(), String>,
}

impl Mover {
    /// A group that delegates these controllers to its subgroups: the referee's own or, for root,
    /// one at the top.
    fn share(&self, top: &Path, own: PathBuf, wanted: &[&str]) -> Result<PathBuf, String> {
        let refused = match self.settle(&own, &self.mine, wanted) {
            Ok(()) => return Ok(own),
            Err(why) => why,
        };
        if !self.is_root || own == top {
            return Err(refused);
        }
        let group = top.join(TOP);
        let at_the_top = || -> Result<(), String> {
            self.settle(top, &[], wanted)?;
            make(&group)?;
            self.settle(&group, &[], wanted)
        };
        at_the_top().map_err(|why| format!("{refused}; {why}"))?;
        Ok(group)
    }

    /// Makes a group delegate these controllers, and moves these processes out of the way.
    fn settle(&self, group: &Path, mine: &[u32], wanted: &[&str]) -> Result<(), String> {
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
        if (self.write)(&switch, &all).is_ok() {
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
            (self.write)(&aside.join("cgroup.procs"), &pid)?;
        }
        (self.write)(&switch, &all)
    }
}

/// Makes a group if it does not exist.
pub(super) fn make(group: &Path) -> Result<(), String> {
    match fs::create_dir(group) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
            Err(format!("make the control group {}: {e}", group.display()))
        }
        _ => Ok(()),
    }
}

/// The folder for programs' groups, or why there is none. Found, and the referee moved, at the
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

pub(super) fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
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

    #[test]
    fn a_home_survives_the_command_line() {
        let place = Place {
            version: Version::One,
            path: "/sys/fs/cgroup/x y".into(),
        };
        let home = Home([(); 4].map(|()| place.clone()));
        assert_eq!(Home::read(home.words().into_iter()), Some(home));
        assert_eq!(Home::read(["3/x".into()].into_iter()), None);
    }

    /// Writes as the kernel does: a group with processes shares out nothing, and a process that is
    /// written into one group leaves the one above.
    fn write_like_the_kernel(file: &Path, text: &str) -> Result<(), String> {
        let group = file.parent().unwrap();
        let procs = |group: &Path| words_of(&group.join("cgroup.procs")).unwrap_or_default();
        if file.ends_with("cgroup.subtree_control") && !procs(group).is_empty() {
            return Err("device or resource busy".to_owned());
        }
        if !file.ends_with("cgroup.procs") {
            return write(file, text);
        }
        let mut inside = procs(group);
        inside.push(text.to_owned());
        write(file, &inside.join("\n"))?;
        let above = group.parent().unwrap();
        let mut left = procs(above);
        left.retain(|pid| pid != text);
        write(&above.join("cgroup.procs"), &left.join("\n"))
    }

    /// A made-up hierarchy of version 2, and the group of the referee in it.
    struct Hierarchy {
        folder: tempfile::TempDir,
        own: PathBuf,
    }

    impl Hierarchy {
        const OWN: &str = "user.slice/user@1000.service/app.slice/run-r1.scope";

        fn new(offered: &str, inside: &str) -> Hierarchy {
            let folder = tempfile::tempdir().unwrap();
            let own = folder.path().join(Hierarchy::OWN);
            fs::create_dir_all(&own).unwrap();
            let hierarchy = Hierarchy { folder, own };
            for group in [hierarchy.folder.path(), &hierarchy.own] {
                write(&group.join("cgroup.controllers"), offered).unwrap();
                write(&group.join("cgroup.subtree_control"), "").unwrap();
                write(&group.join("cgroup.procs"), "").unwrap();
            }
            write(&hierarchy.own.join("cgroup.procs"), inside).unwrap();
            hierarchy
        }

        fn find(&self, is_root: bool) -> Result<Home, String> {
            let top = self.folder.path().display();
            let mounts = format!("33 20 0:29 / {top} rw - cgroup2 cgroup2 rw\n");
            let mover = Mover {
                mine: vec![41, 42],
                is_root,
                write: write_like_the_kernel,
            };
            Home::find_in(&format!("0::/{}\n", Hierarchy::OWN), &mounts, &mover)
        }
    }

    #[test]
    fn a_user_has_the_groups_of_a_scope_that_is_hers() {
        let hierarchy = Hierarchy::new("cpu memory pids", "41\n42\n");
        let own = &hierarchy.own;
        // Of a supervisor that was killed: no process has such a number.
        fs::create_dir(own.join("floe-4294967295")).unwrap();
        let home = hierarchy.find(false).unwrap();
        let expected = Place {
            version: Version::Two,
            path: own.clone(),
        };
        assert_eq!(home, Home([(); 4].map(|()| expected.clone())));
        let read = |name: &str| fs::read_to_string(own.join(name)).unwrap();
        assert_eq!(read("cgroup.subtree_control"), "+memory +pids");
        assert_eq!(read("cgroup.procs"), "");
        assert_eq!(read("floe-referee/cgroup.procs"), "41\n42");
        assert!(!own.join("floe-4294967295").exists());
        // Found once more, nothing is left to do.
        write(&own.join("cgroup.subtree_control"), "memory pids io").unwrap();
        assert_eq!(hierarchy.find(false).unwrap(), home);
        assert_eq!(read("cgroup.subtree_control"), "memory pids io");
    }

    #[test]
    fn a_scope_that_is_shared_or_lacks_controllers_is_refused() {
        let shared = Hierarchy::new("memory pids", "41\n77\n");
        let why = shared.find(false).unwrap_err();
        assert!(why.starts_with("other processes live in "), "{why}");
        let poor = Hierarchy::new("cpu pids", "41\n");
        let why = poor.find(false).unwrap_err();
        assert!(why.ends_with("offers no memory controller"), "{why}");
        assert!(!poor.own.join(REFEREE).exists());
        // Root has a group at the top instead, which shares out in its turn.
        let top = shared.folder.path();
        let group = top.join(TOP);
        fs::create_dir(&group).unwrap();
        write(&group.join("cgroup.controllers"), "memory pids").unwrap();
        write(&group.join("cgroup.subtree_control"), "").unwrap();
        let home = shared.find(true).unwrap();
        assert!(home.0.iter().all(|place| place.path == group));
    }
}
