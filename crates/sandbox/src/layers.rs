//! The layers of the sandbox.

use std::fmt;
use std::path::{Path, PathBuf};

/// The layers to close around a program, above those that every program gets: its own process
/// group and working directory, a clean environment, limits, a watchdog, and a sweep at the end.
///
/// ```
/// use floe_sandbox::Layers;
/// assert_eq!(Layers::NONE.level(), 0);
/// assert_eq!(Layers { landlock: true, seccomp: true, ..Layers::NONE }.level(), 1);
/// assert_eq!(Layers { cgroup: false, ..Layers::ALL }.level(), 2);
/// assert_eq!(Layers::ALL.level(), 3);
/// assert_eq!(Layers::up_to(1).to_string(), "level 1 (landlock, seccomp)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layers {
    /// The program reaches files only in the few places it needs. Part of level 1.
    pub landlock: bool,
    /// System calls no player needs are refused. Part of level 1.
    pub seccomp: bool,
    /// Separate namespaces: processes, mounts, host names. Level 2.
    pub namespaces: bool,
    /// A control group: the kernel counts memory and processes of the whole group. Level 3.
    pub cgroup: bool,
}

impl Layers {
    /// Only the restrictions of every program.
    pub const NONE: Layers = Layers::up_to(0);
    /// Every layer.
    pub const ALL: Layers = Layers::up_to(3);

    /// The least level for untrusted programs, as in an open league.
    ///
    /// ```
    /// use floe_sandbox::Layers;
    /// assert!(Layers::up_to(1).level() < Layers::FOR_UNTRUSTED);
    /// ```
    pub const FOR_UNTRUSTED: u8 = 2;

    /// Actions these layers do not prevent, one per line.
    ///
    /// ```
    /// use floe_sandbox::Layers;
    /// let gaps = Layers::up_to(1).gaps();
    /// assert!(gaps.iter().any(|gap| gap.contains("names, sizes and times of files")));
    /// assert_eq!(Layers::ALL.gaps().len(), 1);
    /// ```
    pub fn gaps(self) -> &'static [&'static str] {
        match self.level() {
            0 => &[
                "read and change all files of its user",
                "use the network",
                "send signals to processes of its user",
                "take memory that the watchdog does not see",
            ],
            1 => &[
                "see the names, sizes and times of files",
                "see the numbers of running processes, and the machine's network tables",
                "send messages to other programs by locking files that both may read",
                "before Linux 6.12: send signals to other processes of its user",
                "fill the disk for the 20 ms between two checks of its working directory, and keep nameless files by mapping them",
                "if it runs as your user: use up your number of processes",
            ],
            2 => &[
                "exceed its limits of memory and processes for the 10 ms between two checks",
                "send messages to other programs by locking files that both may read",
                "see the machine's network tables, where the kernel has no network namespaces",
            ],
            _ => &["send messages to other programs by locking files that both may read"],
        }
    }

    /// The outermost folder on the way to a path that a program in these layers may not enter,
    /// because root starts programs as another user. A program with a file system of its own can
    /// enter whatever was mounted there; callers other than root start programs as themselves.
    ///
    /// ```
    /// use floe_sandbox::Layers;
    /// assert_eq!(Layers::up_to(1).closed_folder("/usr/bin".as_ref()), None);
    /// assert_eq!(Layers::up_to(2).closed_folder("/root".as_ref()), None);
    /// ```
    pub fn closed_folder(self, path: &Path) -> Option<PathBuf> {
        match self.namespaces {
            true => None,
            false => closed_to_others(path),
        }
    }

    /// All layers of this level and below.
    pub const fn up_to(level: u8) -> Layers {
        Layers {
            landlock: level >= 1,
            seccomp: level >= 1,
            namespaces: level >= 2,
            cgroup: level >= 3,
        }
    }

    /// The level reached: it needs all layers up to it.
    pub fn level(self) -> u8 {
        (1..=3)
            .take_while(|&level| self.and(Layers::up_to(level)) == Layers::up_to(level))
            .last()
            .unwrap_or(0)
    }

    /// The layers that both have: those requested, as far as available.
    ///
    /// ```
    /// use floe_sandbox::Layers;
    /// assert_eq!(Layers::ALL.and(Layers::up_to(2)).level(), 2);
    /// ```
    #[must_use]
    pub fn and(self, other: Layers) -> Layers {
        Layers {
            landlock: self.landlock && other.landlock,
            seccomp: self.seccomp && other.seccomp,
            namespaces: self.namespaces && other.namespaces,
            cgroup: self.cgroup && other.cgroup,
        }
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn bits(self) -> u8 {
        let bits = [self.landlock, self.seccomp, self.namespaces, self.cgroup];
        bits.iter()
            .rev()
            .fold(0, |all, &bit| all << 1 | u8::from(bit))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn from_bits(bits: u8) -> Layers {
        Layers {
            landlock: bits & 1 != 0,
            seccomp: bits & 2 != 0,
            namespaces: bits & 4 != 0,
            cgroup: bits & 8 != 0,
        }
    }
}

#[cfg(target_os = "linux")]
fn closed_to_others(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let is_closed = |folder: &&Path| {
        let data = folder.metadata();
        data.is_ok_and(|data| data.is_dir() && data.permissions().mode() & 0o001 == 0)
    };
    let is_root = rustix::process::geteuid().is_root();
    let closed = path.ancestors().filter(is_closed).last();
    closed.filter(|_| is_root).map(Path::to_owned)
}

/// Programs run as the current user.
#[cfg(not(target_os = "linux"))]
fn closed_to_others(_: &Path) -> Option<PathBuf> {
    None
}

impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {}", self.level())?;
        let parts = [
            (self.landlock, "landlock"),
            (self.seccomp, "seccomp"),
            (self.namespaces, "namespaces"),
            (self.cgroup, "control group"),
        ];
        let names: Vec<&str> = parts
            .into_iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect();
        if names.is_empty() {
            Ok(())
        } else {
            write!(f, " ({})", names.join(", "))
        }
    }
}
