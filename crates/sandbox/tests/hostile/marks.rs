//! Words by which a test finds the processes it started, and whatever they started.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

/// A word that no other process carries on its command line: digits alone, so that it can also be a
/// length of sleep.
pub(crate) fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("7{:08}{number:04}", std::process::id())
}

/// The processes that carry a mark on their command line.
pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let found = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let is_marked = line.windows(mark.len()).any(|part| part == mark.as_bytes());
        entry
            .file_name()
            .to_str()?
            .parse()
            .ok()
            .filter(|_| is_marked)
    };
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(found).collect()
}

/// How many there are.
pub(crate) fn running(mark: &str) -> usize {
    marked(mark).len()
}
