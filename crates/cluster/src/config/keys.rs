//! Keys, and files that are written atomically.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use nkeys::{KeyPair, KeyPairType};
use sha2::{Digest, Sha256};

use crate::ClusterError;
use crate::wire::is_word;

/// Writes a new key to a file that only its owner can read, with the worker's name if it has one,
/// and returns its public half.
pub(super) fn new_key(path: &Path, worker: Option<&str>) -> Result<String, ClusterError> {
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|e| ClusterError::file(path, e))?;
    let name = worker.map_or(String::new(), |name| format!("{OF_WORKER}{name}\n"));
    write_file(path, &format!("{seed}\n{name}"), Access::Owner, false)?;
    Ok(key.public_key())
}

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Owner,
    Everybody,
}

/// Writes a file atomically; an existing one stays, unless it may be replaced.
pub(super) fn write_file(
    path: &Path,
    text: &str,
    access: Access,
    replaces: bool,
) -> Result<(), ClusterError> {
    let named = |e: io::Error| ClusterError::file(path, e);
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    // Only the owner may read such files.
    let mut file =
        tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(named)?;
    file.write_all(text.as_bytes()).map_err(named)?;
    #[cfg(unix)]
    if access == Access::Everybody {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(mode).map_err(named)?;
    }
    let kept = match replaces {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    kept.map_err(|error| named(error.error))?;
    Ok(())
}

/// The text before a worker's name, on the second line of its key.
const OF_WORKER: &str = "worker ";

/// The text before the secret from which the key for updates is derived.
const FOR_UPDATES: &str = "floe updates ";

/// A key, as in its file.
pub struct Key {
    seed: String,
    worker: Option<String>,
}

impl Key {
    /// The secret half.
    pub fn seed(&self) -> String {
        self.seed.clone()
    }

    /// The key that signs updates, derived from the secret half. The key itself signs whatever a server
    /// asks it to when it connects, so a server could have it sign an update.
    pub(crate) fn for_updates(&self) -> Result<KeyPair, ClusterError> {
        let secret = Sha256::new()
            .chain_update(FOR_UPDATES)
            .chain_update(&self.seed)
            .finalize();
        let key = KeyPair::new_from_raw(KeyPairType::User, secret.into());
        key.map_err(|e| ClusterError::Message(e.to_string()))
    }

    /// The worker name that the key belongs to, if any.
    pub fn worker(&self) -> Option<&str> {
        self.worker.as_deref()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("worker", &self.worker)
            .finish_non_exhaustive()
    }
}

/// Reads a key.
pub fn read_key(path: &Path) -> Result<Key, ClusterError> {
    let text = fs::read_to_string(path).map_err(|e| ClusterError::file(path, e))?;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let seed = lines.next().unwrap_or_default();
    let name = lines.next().map(|line| line.strip_prefix(OF_WORKER));
    let is_key = KeyPair::from_seed(seed).is_ok() && lines.next().is_none();
    match name {
        Some(name) if !is_key || !name.is_some_and(is_word) => {
            Err(ClusterError::Key(path.to_owned()))
        }
        None if !is_key => Err(ClusterError::Key(path.to_owned())),
        name => Ok(Key {
            seed: seed.to_owned(),
            worker: name.flatten().map(str::to_owned),
        }),
    }
}

/// Reads the public half of the key that signs updates.
pub(crate) fn read_public_key(path: &Path) -> Result<KeyPair, ClusterError> {
    let text = fs::read_to_string(path).map_err(|e| ClusterError::file(path, e))?;
    let key = KeyPair::from_public_key(text.trim());
    key.map_err(|_| ClusterError::PublicKey(path.to_owned()))
}
