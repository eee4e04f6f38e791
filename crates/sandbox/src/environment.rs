//! The environment variables of a program.

use std::ffi::OsString;
use std::path::Path;

/// The folders searched for a command without a slash.
pub const SEARCH_PATH: &str = if cfg!(windows) {
    r"C:\Windows\System32;C:\Windows"
} else {
    "/usr/local/bin:/usr/bin:/bin"
};

/// The environment of every program; nothing of its caller's environment.
pub(crate) fn clean_environment(work: &Path) -> Vec<(OsString, OsString)> {
    vec![
        ("PATH".into(), SEARCH_PATH.into()),
        ("LANG".into(), "C.UTF-8".into()),
        ("HOME".into(), work.into()),
        ("TMPDIR".into(), work.into()),
    ]
}
