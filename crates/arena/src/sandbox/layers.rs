//! Which layers there are, and which of them this machine can give.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::process::{Outcome, Plan, Trouble, run};

/// The layers to close around a program, above those that every program gets: its own process
/// group and working directory, a clean environment, limits, a watchdog, and a sweep at the end.
///
/// ```
/// use floe_arena::sandbox::Layers;
/// assert_eq!(Layers::NONE.level(), 0);
/// assert_eq!(Layers { landlock: true, seccomp: true, ..Layers::NONE }.level(), 1);
/// assert_eq!(Layers { cgroup: false, ..Layers::ALL }.level(), 2);
/// assert_eq!(Layers::ALL.level(), 3);
/// assert_eq!(Layers::up_to(1).to_string(), "level 1 (landlock, seccomp)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layers {
    /// Files can be reached only in the few places a program needs. Part of level 1.
    pub landlock: bool,
    /// System calls no player needs are refused. Part of level 1.
    pub seccomp: bool,
    /// A world of its own: processes, mounts, names. Level 2.
    pub namespaces: bool,
    /// A control group: the kernel counts memory and processes of all of it together. Level 3.
    pub cgroup: bool,
}

impl Layers {
    /// Only what every program gets.
    pub const NONE: Layers = Layers::up_to(0);
    /// Everything there is.
    pub const ALL: Layers = Layers::up_to(3);

    /// All layers of a level and of those below it.
    pub const fn up_to(level: u8) -> Layers {
        Layers {
            landlock: level >= 1,
            seccomp: level >= 1,
            namespaces: level >= 2,
            cgroup: level >= 3,
        }
    }

    /// The level reached: a level counts only with all below it.
    pub fn level(self) -> u8 {
        (1..=3)
            .take_while(|&level| self.and(Layers::up_to(level)) == Layers::up_to(level))
            .last()
            .unwrap_or(0)
    }

    /// The layers that both have: what is wanted, as far as it can be had.
    ///
    /// ```
    /// use floe_arena::sandbox::Layers;
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

/// Why a layer cannot be had, and what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What was tried and how it ended.
    pub why: String,
    /// What the owner of the machine can do.
    pub fix: &'static str,
}

/// What this machine can give, found out by trying.
#[derive(Clone, Debug)]
pub struct Support {
    /// Starting and ending programs at all.
    pub base: Result<(), Missing>,
    /// The limits, watchdog and sweep of level 0.
    pub limits: Result<(), Missing>,
    /// Landlock, part of level 1.
    pub landlock: Result<(), Missing>,
    /// System call filters, part of level 1.
    pub seccomp: Result<(), Missing>,
    /// Namespaces and a minimal root, level 2.
    pub namespaces: Result<(), Missing>,
    /// Control groups, level 3.
    pub cgroup: Result<(), Missing>,
}

impl Support {
    /// Tries every layer on a shell that does nothing; a few milliseconds each. `helper` is the
    /// binary to use as in [`Plan::helper`].
    #[cfg(target_os = "linux")]
    pub fn probe(helper: &Path) -> Support {
        let only = |switch: fn(&mut Layers)| {
            let mut layers = Layers::NONE;
            switch(&mut layers);
            layers
        };
        let attempt = |layers, fix| attempt(helper, layers, fix);
        let base = attempt(Layers::NONE, "check that programs can be started at all");
        Support {
            limits: base.clone(),
            base,
            landlock: attempt(
                only(|layers| layers.landlock = true),
                "use Linux 5.13 or newer with landlock in its list of security modules (lsm=)",
            ),
            seccomp: attempt(
                only(|layers| layers.seccomp = true),
                "use a kernel built with seccomp filters, and a container that allows them",
            ),
            namespaces: attempt(
                only(|layers| layers.namespaces = true),
                "allow user namespaces (user.max_user_namespaces above 0, \
                 kernel.apparmor_restrict_unprivileged_userns=0), or in a container allow \
                 unshare, mount and pivot_root and an unmasked /proc",
            ),
            cgroup: attempt(
                only(|layers| layers.cgroup = true),
                "delegate a version 2 control group with the memory and pids controllers, \
                 for instance with systemd-run --user --scope -p Delegate=yes",
            ),
        }
    }

    /// Tries to start a program; there are no layers on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn probe(helper: &Path) -> Support {
        let missing = |why: &str| {
            Err(Missing {
                why: format!("{why} on this system"),
                fix: "run programs of people you do not trust on Linux only",
            })
        };
        Support {
            base: attempt(
                helper,
                Layers::NONE,
                "check that programs can be started at all",
            ),
            limits: missing(
                "a program can use any memory, write any file and leave processes behind",
            ),
            landlock: missing("there is no Landlock"),
            seccomp: missing("there are no system call filters"),
            namespaces: missing("there are no namespaces"),
            cgroup: missing("there are no control groups"),
        }
    }

    /// The layers that can be had.
    pub fn layers(&self) -> Layers {
        Layers {
            landlock: self.landlock.is_ok(),
            seccomp: self.seccomp.is_ok(),
            namespaces: self.namespaces.is_ok(),
            cgroup: self.cgroup.is_ok(),
        }
    }
}

fn attempt(helper: &Path, layers: Layers, fix: &'static str) -> Result<(), Missing> {
    let shell = if cfg!(windows) {
        ["cmd", "/C", "exit 7"]
    } else {
        ["/bin/sh", "-c", "exit 7"]
    };
    let plan = Plan {
        layers,
        helper: helper.to_owned(),
        ..Plan::of(shell)
    };
    let why = match run(plan, b"", Duration::from_secs(10)) {
        Ok(report) if report.outcome == Outcome::Exited(7) => return Ok(()),
        Ok(report) => format!("a shell in it {}", report.outcome),
        Err(Trouble::Sandbox(why)) => why,
        Err(trouble) => trouble.to_string(),
    };
    Err(Missing { why, fix })
}
