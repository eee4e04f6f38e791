//! Which layers there are, and which of them this machine can give.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::process::{Outcome, Plan, Trouble, run};

/// The layers to close around a program, above those that every program gets: its own process
/// group and working directory, a clean environment, limits, a watchdog, and a sweep at the end.
///
/// ```
/// use floe_arena::sandbox::Layers;
/// assert_eq!(Layers::NONE.level(), 0);
/// assert_eq!(Layers { landlock: true, seccomp: true, namespaces: false }.level(), 1);
/// assert_eq!(Layers::ALL.level(), 2);
/// assert_eq!(Layers::ALL.to_string(), "level 2 (landlock, seccomp, namespaces)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layers {
    /// Files can be reached only in the few places a program needs. Part of level 1.
    pub landlock: bool,
    /// System calls no player needs are refused. Part of level 1.
    pub seccomp: bool,
    /// A world of its own: processes, mounts, names. Level 2.
    pub namespaces: bool,
}

impl Layers {
    /// Only what every program gets.
    pub const NONE: Layers = Layers {
        landlock: false,
        seccomp: false,
        namespaces: false,
    };
    /// Everything there is.
    pub const ALL: Layers = Layers {
        landlock: true,
        seccomp: true,
        namespaces: true,
    };

    /// The level reached: a level counts only with all below it.
    pub fn level(self) -> u8 {
        match (self.landlock && self.seccomp, self.namespaces) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        }
    }

    pub(super) fn bits(self) -> u8 {
        u8::from(self.landlock) | u8::from(self.seccomp) << 1 | u8::from(self.namespaces) << 2
    }

    pub(super) fn from_bits(bits: u8) -> Layers {
        Layers {
            landlock: bits & 1 != 0,
            seccomp: bits & 2 != 0,
            namespaces: bits & 4 != 0,
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
    /// The limits, watchdog and sweep of level 0.
    pub base: Result<(), Missing>,
    /// Landlock, part of level 1.
    pub landlock: Result<(), Missing>,
    /// System call filters, part of level 1.
    pub seccomp: Result<(), Missing>,
    /// Namespaces and a minimal root, level 2.
    pub namespaces: Result<(), Missing>,
    /// Control groups, level 3. Looked for, not yet used.
    pub cgroup: Result<(), Missing>,
}

impl Support {
    /// Tries every layer on a shell that does nothing; a few milliseconds each. `helper` is the
    /// binary to use as in [`Plan::helper`].
    pub fn probe(helper: &Path) -> Support {
        let attempt = |layers: Layers, fix: &'static str| {
            let plan = Plan {
                layers,
                helper: helper.to_owned(),
                ..Plan::of(["/bin/sh", "-c", "exit 7"])
            };
            let why = match run(plan, b"", Duration::from_secs(10)) {
                Ok(report) if report.outcome == Outcome::Exited(7) => return Ok(()),
                Ok(report) => format!("a shell in it {}", report.outcome),
                Err(Trouble::Sandbox(why)) => why,
                Err(trouble) => trouble.to_string(),
            };
            Err(Missing { why, fix })
        };
        Support {
            base: attempt(Layers::NONE, "check that programs can be started at all"),
            landlock: attempt(
                Layers {
                    landlock: true,
                    ..Layers::NONE
                },
                "use Linux 5.13 or newer with landlock in its list of security modules (lsm=)",
            ),
            seccomp: attempt(
                Layers {
                    seccomp: true,
                    ..Layers::NONE
                },
                "use a kernel built with seccomp filters, and a container that allows them",
            ),
            namespaces: attempt(
                Layers {
                    namespaces: true,
                    ..Layers::NONE
                },
                "allow user namespaces (user.max_user_namespaces above 0, \
                 kernel.apparmor_restrict_unprivileged_userns=0), or in a container allow \
                 unshare, mount and pivot_root and an unmasked /proc",
            ),
            cgroup: cgroup().map_err(|why| Missing {
                why,
                fix: "delegate a version 2 control group with the memory and pids controllers, \
                      for instance with systemd-run --user --scope -p Delegate=yes",
            }),
        }
    }

    /// The layers that can be had.
    pub fn layers(&self) -> Layers {
        Layers {
            landlock: self.landlock.is_ok(),
            seccomp: self.seccomp.is_ok(),
            namespaces: self.namespaces.is_ok(),
        }
    }
}

/// Whether this process could make a group below its own and limit it.
fn cgroup() -> Result<(), String> {
    let groups = fs::read_to_string("/proc/self/cgroup").map_err(|e| format!("/proc: {e}"))?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"));
    let own = own.ok_or("no version 2 control groups")?;
    let folder = Path::new("/sys/fs/cgroup").join(own.trim_start_matches('/'));
    let name = folder.display();
    let offered = fs::read_to_string(folder.join("cgroup.controllers"))
        .map_err(|e| format!("no version 2 control group at {name}: {e}"))?;
    for needed in ["memory", "pids"] {
        if !offered
            .split_ascii_whitespace()
            .any(|offer| offer == needed)
        {
            return Err(format!("{name} offers no {needed} controller"));
        }
    }
    let probe = tempfile::Builder::new()
        .prefix("floe-probe-")
        .tempdir_in(&folder);
    let probe = probe.map_err(|e| format!("make a group in {name}: {e}"))?;
    // A group's files cannot be removed, only the group: the usual clean-up would fail.
    fs::remove_dir(probe.keep()).map_err(|e| format!("remove a group in {name}: {e}"))
}
