//! Which layers there are.

use std::fmt;

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
