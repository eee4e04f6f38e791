//! Folders too private to be readable as a whole.

use std::path::{Path, PathBuf};

/// Whether a folder looks like a user's home, or is the whole system.
pub(super) fn is_home(folder: &Path) -> bool {
    let own = std::env::var_os("HOME").map(PathBuf::from);
    let own = own.and_then(|home| home.canonicalize().ok());
    own.as_deref() == Some(folder)
        || folder == Path::new("/")
        || folder.parent() == Some(Path::new("/home"))
        || [".ssh", ".bashrc", ".profile"]
            .iter()
            .any(|name| folder.join(name).exists())
}
