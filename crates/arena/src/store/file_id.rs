//! The identity of a file, to notice that it was replaced.

use std::fs::{self, Metadata};
use std::path::Path;

/// Two files that exist at the same time have different identities.
pub(super) type FileId = (u64, u64);

#[cfg(unix)]
pub(super) fn file_id(data: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (data.dev(), data.ino())
}

#[cfg(not(unix))]
pub(super) fn file_id(data: &Metadata) -> FileId {
    let made = data.created().ok();
    let made = made.and_then(|made| made.duration_since(std::time::UNIX_EPOCH).ok());
    (0, made.map_or(0, |made| made.as_nanos() as u64))
}

/// The file at this path now; if there is none, an identity that no file has.
pub(super) fn id_of(path: &Path) -> FileId {
    fs::metadata(path).map_or((0, 0), |data| file_id(&data))
}
