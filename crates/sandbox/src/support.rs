//! The available layers of this machine, found by trying them.

use std::path::Path;
use std::time::Duration;

use crate::launch::Launch;
use crate::layers::Layers;
#[cfg(not(target_os = "linux"))]
use crate::plain::run;
#[cfg(target_os = "linux")]
use crate::program::run;
use crate::report::{MachineFailure, ProgramEnd};

/// Why a layer is not available, and how to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The failed attempt, and its result.
    pub why: String,
    /// Advice for the machine's administrator.
    pub fix: &'static str,
}

/// The layers this machine supports, found by trying.
///
/// ```standalone_crate
/// use floe_sandbox::{Support, helper_main};
///
/// helper_main();
/// let support = Support::probe("".as_ref());
/// assert!(support.base.is_ok());
/// println!("{}", support.layers());
/// if let Err(missing) = &support.landlock {
///     println!("no Landlock: {}; {}", missing.why, missing.fix);
/// }
/// ```
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
    /// Tries every layer with a shell that does nothing; a few milliseconds each. `helper` is the
    /// binary to use as in [`Launch::helper`].
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
                "allow user namespaces: sudo sysctl -w user.max_user_namespaces=15000, and where \
                 AppArmor restricts them kernel.apparmor_restrict_unprivileged_userns=0; a container \
                 has to allow unshare, mount and pivot_root and an unmasked /proc: docker run \
                 --security-opt seccomp=unconfined --security-opt systempaths=unconfined",
            ),
            cgroup: attempt(
                only(|layers| layers.cgroup = true),
                "start Floe in a control group of its own: systemd-run --user --scope -p Delegate=yes \
                 floe ...; without systemd, start it as root, or have root make a group for you in each \
                 hierarchy of /sys/fs/cgroup with memory, pids, freezer and cpuacct, give you its folder \
                 and cgroup.procs, and put your shell there",
            ),
        }
    }

    /// Tries to start a program; this system has no layers.
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

    /// The available layers.
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
    let launch = Launch {
        layers,
        helper: helper.to_owned(),
        ..Launch::of(shell)
    };
    let why = match run(launch, b"", Duration::from_secs(10)) {
        Ok(report) if report.outcome == ProgramEnd::Exited(7) => return Ok(()),
        Ok(report) => format!("a shell in it {}", report.outcome),
        Err(MachineFailure::Sandbox(why)) => why,
        Err(trouble) => trouble.to_string(),
    };
    Err(Missing { why, fix })
}
