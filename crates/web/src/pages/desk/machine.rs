//! The dashboard's part about the machine: memory, disk and load.

use std::path::Path;
use std::time::Duration;

use floe_arena::amount::shown_bytes;

/// Above this percentage of a disk or of memory, the organiser gets a warning.
const FULL: u32 = 90;

/// The dashboard's data about the machine.
#[derive(Default)]
pub(super) struct Machine {
    pub(super) meters: Vec<Meter>,
    /// Further facts: a name and a text.
    pub(super) facts: Vec<(&'static str, String)>,
    /// Whether the disk is nearly full.
    pub(super) is_disk_full: bool,
}

/// The used part of a resource.
pub(super) struct Meter {
    pub(super) name: &'static str,
    /// The used percentage.
    pub(super) used: u32,
    pub(super) text: String,
    pub(super) is_full: bool,
}

impl Meter {
    fn of(name: &'static str, used: u64, all: u64) -> Option<Meter> {
        let percent = u32::try_from((used.min(all) * 100).checked_div(all)?).ok()?;
        Some(Meter {
            name,
            used: percent,
            text: format!("{} of {}", shown_bytes(used), shown_bytes(all)),
            is_full: percent >= FULL,
        })
    }
}

impl Machine {
    /// The machine with a league in this folder. Reads a few small files.
    pub(super) fn of(folder: &Path, programs: u64, languages: &str, up: Duration) -> Machine {
        let disk = disk(folder).and_then(|(used, all)| Meter::of("Disk", used, all));
        let memory = memory().and_then(|(used, all)| Meter::of("Memory", used, all));
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let builds = match languages {
            "" => "nothing".to_owned(),
            languages => languages.to_owned(),
        };
        Machine {
            is_disk_full: disk.as_ref().is_some_and(|disk| disk.is_full),
            meters: memory.into_iter().chain(disk).collect(),
            facts: vec![
                ("Cores", cores.to_string()),
                ("Programs", shown_bytes(programs)),
                ("Builds", builds),
                ("Up", lasting(up.as_secs())),
            ],
        }
    }
}

/// A rough duration.
pub(in crate::pages) fn lasting(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        86_400..172_800 => "1 day".to_owned(),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(unix)]
fn disk(folder: &Path) -> Option<(u64, u64)> {
    let state = rustix::fs::statvfs(folder).ok()?;
    let all = state.f_blocks.saturating_mul(state.f_frsize);
    let free = state.f_bavail.saturating_mul(state.f_frsize);
    Some((all.saturating_sub(free), all))
}

#[cfg(not(unix))]
fn disk(_folder: &Path) -> Option<(u64, u64)> {
    None
}

/// Memory in use and in total, if the system reports it.
fn memory() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |name: &str| -> Option<u64> {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let (all, free) = (kib("MemTotal:")?, kib("MemAvailable:")?);
    Some((all.saturating_sub(free) * 1024, all * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_counts_in_percent_and_warns() {
        let meter = Meter::of("Disk", 116 << 30, 120 << 30).unwrap();
        assert_eq!((meter.used, meter.is_full), (96, true));
        let meter = Meter::of("Disk", 1 << 30, 4 << 30).unwrap();
        assert_eq!((meter.used, meter.is_full), (25, false));
        assert!(Meter::of("Disk", 0, 0).is_none());
    }

    #[test]
    fn times_are_rough() {
        let texts = [59, 60, 7199, 90_000, 90_000 * 2].map(lasting);
        assert_eq!(texts, ["59 s", "1 min", "1 h", "1 day", "2 days"]);
    }
}
