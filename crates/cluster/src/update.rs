//! The organiser's own binary for workers that take it: offered by its hash, with a signature.
//!
//! A worker runs whatever binary it takes, so it takes only what the organiser has signed. The server
//! that carries offers and binaries cannot sign: the signing key is derived from the organiser's secret
//! key and never used to connect. A signature covers version, kind of machine and SHA-256, and stays
//! valid; new keys (`floe cluster config`) withdraw all earlier ones.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use data_encoding::HEXLOWER;
use nkeys::KeyPair;
use tokio::io::AsyncReadExt as _;

use crate::config::{Key, read_public_key};
use crate::error::{ClusterError, refused};
use crate::link::Link;
use crate::wire::{Offer, PROGRAMS, sha256};

/// The version of this floe.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Time to fetch a binary over a slow network.
const FETCHING: Duration = Duration::from_secs(600);
/// The largest binary: no floe is larger.
const MOST_BYTES: u64 = 2 << 30;
/// Number of tries to start a file that is still open elsewhere, and the pause between them.
const BUSY_TRIES: u32 = 100;
const BUSY: Duration = Duration::from_millis(20);
/// The environment variable that lists the binaries a worker was updated from.
const LEFT: &str = "FLOE_UPDATED_FROM";
/// Bytes of an ed25519 signature.
const SIGNATURE: usize = 64;

/// The kind of machine that this binary runs on: processor, system and C library.
///
/// ```
/// assert_eq!(floe_cluster::update::machine().split('-').count(), 3);
/// ```
pub fn machine() -> String {
    let library = if cfg!(target_env = "gnu") {
        "gnu"
    } else if cfg!(target_env = "musl") {
        "musl"
    } else {
        "other"
    };
    let (processor, system) = (std::env::consts::ARCH, std::env::consts::OS);
    format!("{processor}-{system}-{library}")
}

/// The bytes of the running binary, even if its file was replaced or deleted.
pub fn own_binary() -> io::Result<Vec<u8>> {
    fs::read("/proc/self/exe").or_else(|_| fs::read(std::env::current_exe()?))
}

/// The text to sign.
fn signed_text(version: &str, machine: &str, sha256: &str) -> String {
    format!("floe update\nversion {version}\nmachine {machine}\nsha256 {sha256}\n")
}

/// Signs an offer of this version for this kind of machine.
pub fn sign(key: &Key, version: &str, machine: &str, binary: &[u8]) -> Result<Offer, ClusterError> {
    let sha256 = sha256(binary);
    let text = signed_text(version, machine, &sha256);
    let signature = key.for_updates()?.sign(text.as_bytes());
    let signature = signature.map_err(|e| ClusterError::Message(e.to_string()))?;
    Ok(Offer {
        version: version.to_owned(),
        machine: machine.to_owned(),
        sha256,
        signature: HEXLOWER.encode(&signature),
    })
}

/// The reason why a worker does not take an offered binary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The signature is not the organiser's.
    #[error(
        "its signature is not by the key of --exec-update; does that file belong to this cluster?"
    )]
    Signature,
    /// The binary is for another kind of machine.
    #[error(
        "it is for {theirs}, and this machine is {}; install a floe for this machine",
        machine()
    )]
    Machine {
        /// The binary's kind of machine.
        theirs: String,
    },
    /// The bytes differ from the signed ones.
    #[error("the bytes in the store are not those that the organiser signed")]
    Bytes,
    /// This worker was updated from this binary before.
    #[error(
        "this worker was updated from it before; organisers of different versions use this cluster: give \
         them the same one, then start this worker again"
    )]
    Left,
    /// The binary does not start here, or has another version.
    #[error("it does not work on this machine: {0}")]
    Start(String),
}

/// The organiser's public key, by which a worker checks offers.
pub struct UpdateKey(KeyPair);

impl fmt::Debug for UpdateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UpdateKey")
            .field(&self.0.public_key())
            .finish()
    }
}

impl UpdateKey {
    /// Reads `organiser.pub`.
    pub fn read(path: &Path) -> Result<UpdateKey, ClusterError> {
        read_public_key(path).map(UpdateKey)
    }

    /// Checks that the organiser has signed an offer, and that it is for this kind of machine.
    pub fn check(&self, offer: &Offer) -> Result<(), Refusal> {
        let text = signed_text(&offer.version, &offer.machine, &offer.sha256);
        let signature = HEXLOWER.decode(offer.signature.as_bytes());
        let signature = signature.ok().filter(|bytes| bytes.len() == SIGNATURE);
        let signature = signature.ok_or(Refusal::Signature)?;
        let checked = self.0.verify(text.as_bytes(), &signature);
        checked.map_err(|_| Refusal::Signature)?;
        match offer.machine == machine() {
            true => Ok(()),
            false => Err(Refusal::Machine {
                theirs: offer.machine.clone(),
            }),
        }
    }
}

/// Uploads a binary if the store lacks it.
pub async fn upload(link: &Link, offer: &Offer, binary: &[u8]) -> Result<(), ClusterError> {
    link.prepare_store().await?;
    let store = link.streams.get_object_store(PROGRAMS).await;
    let store = store.map_err(refused("open the store of programs"))?;
    if store.info(offer.sha256.as_str()).await.is_err() {
        let put = store.put(offer.sha256.as_str(), &mut &binary[..]).await;
        put.map_err(refused("take a binary for workers"))?;
    }
    Ok(())
}

/// Fetches an offered binary; its bytes are not checked yet.
pub async fn fetch(link: &Link, offer: &Offer) -> Result<Vec<u8>, ClusterError> {
    let missing = |cause: String| ClusterError::Missing {
        object: offer.sha256.clone(),
        cause,
    };
    let store = link.streams.get_object_store(PROGRAMS).await;
    let store = store.map_err(refused("open the store of programs"))?;
    let found = store.get(offer.sha256.as_str()).await;
    let found = found.map_err(|e| missing(e.to_string()))?;
    let mut bytes = Vec::new();
    let mut found = found.take(MOST_BYTES);
    let read = tokio::time::timeout(FETCHING, found.read_to_end(&mut bytes)).await;
    let read = read.map_err(|_| missing("it does not arrive".to_owned()))?;
    read.map_err(|e| missing(e.to_string()))?;
    Ok(bytes)
}

/// The path of an offered binary in a folder.
pub fn place(folder: &Path, offer: &Offer) -> PathBuf {
    folder.join(format!("floe-{}", offer.sha256))
}

/// Whether a file has the offered bytes.
pub fn is_there(path: &Path, offer: &Offer) -> bool {
    fs::read(path).is_ok_and(|bytes| sha256(&bytes) == offer.sha256)
}

/// Writes a binary to a file atomically. An existing file stays, because a worker may be running
/// it.
pub fn write(path: &Path, binary: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(binary)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o755);
        file.as_file().set_permissions(mode)?;
    }
    file.as_file().sync_all()?;
    // A file that is still open for writing cannot be started.
    let half = file.into_temp_path();
    match half.persist_noclobber(path) {
        Err(_) if path.exists() => Ok(()),
        kept => kept.map_err(|error| error.error),
    }
}

/// Starts a binary once, to check that it works here and has the right version.
pub fn check_start(path: &Path, version: &str) -> Result<(), Refusal> {
    let failed = |cause: String| Refusal::Start(cause);
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null());
    let mut started = command.output();
    for _ in 0..BUSY_TRIES {
        match &started {
            // A process that was just started may still have the written file open.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(BUSY);
                started = command.output();
            }
            _ => break,
        }
    }
    let output = started.map_err(|e| failed(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true if text.split_whitespace().any(|word| word == version) => Ok(()),
        true => Err(failed(format!("it is not version {version}"))),
        false => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let first = text.lines().next().unwrap_or_default();
            Err(failed(format!("{}: {first}", output.status)))
        }
    }
}

/// The binaries that this worker was updated from since it was started, by their SHA-256.
pub fn left() -> Vec<String> {
    let left = std::env::var(LEFT).unwrap_or_default();
    left.split_whitespace().map(str::to_owned).collect()
}

/// Replaces this process with another binary and the same arguments; `left` lists the earlier
/// binaries. Returns only if that fails.
#[cfg(unix)]
pub fn exec(path: &Path, left: &[String]) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    let arguments = std::env::args_os().skip(1);
    Command::new(path)
        .args(arguments)
        .env(LEFT, left.join(" "))
        .exec()
}

/// Elsewhere no process can be replaced.
#[cfg(not(unix))]
pub fn exec(_: &Path, _: &[String]) -> io::Error {
    io::Error::from(io::ErrorKind::Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, ConfigOptions, read_key};

    /// The key of a new organiser, and its public half.
    fn keys(folder: &Path) -> (Key, UpdateKey) {
        let written = config::write(&ConfigOptions::new(folder));
        let written = written.unwrap();
        let public = UpdateKey::read(&written.updates).unwrap();
        (read_key(&written.organiser).unwrap(), public)
    }

    #[test]
    fn only_what_the_organiser_signed_for_this_machine_is_taken() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (key, public) = keys(one.path());
        let (stranger, _) = keys(two.path());
        let here = machine();
        let offer = sign(&key, "1.2.3", &here, b"binary").unwrap();
        assert_eq!(public.check(&offer), Ok(()));
        let of_stranger = sign(&stranger, "1.2.3", &here, b"binary").unwrap();
        let refused = Err(Refusal::Signature);
        assert_eq!(public.check(&of_stranger), refused);
        type Change = fn(&mut Offer);
        let changes: [Change; 5] = [
            |offer| offer.version = "1.2.4".into(),
            |offer| offer.machine = "pdp11-unix-other".into(),
            |offer| offer.sha256 = sha256(b"other"),
            |offer| offer.signature.truncate(100),
            |offer| offer.signature.clear(),
        ];
        for change in changes {
            let mut changed = offer.clone();
            change(&mut changed);
            assert_eq!(public.check(&changed), refused, "{changed:?}");
        }
        let elsewhere = sign(&key, "1.2.3", "pdp11-unix-other", b"binary").unwrap();
        let error = public.check(&elsewhere).unwrap_err().to_string();
        assert!(
            error.contains("pdp11-unix-other") && error.contains(&here),
            "{error}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_binary_is_tried_before_it_replaces_another() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join("cache").join(name);
        write(&at("good"), b"#!/bin/sh\necho floe 1.2.3\n").unwrap();
        assert_eq!(check_start(&at("good"), "1.2.3"), Ok(()));
        let error = check_start(&at("good"), "1.2").unwrap_err().to_string();
        assert!(error.contains("it is not version 1.2"), "{error}");
        write(
            &at("bad"),
            b"#!/bin/sh\necho no such library >&2\nexit 127\n",
        )
        .unwrap();
        let error = check_start(&at("bad"), "1.2.3").unwrap_err().to_string();
        assert!(error.contains("127: no such library"), "{error}");
        // A worker may be running it.
        write(&at("good"), b"other").unwrap();
        assert!(fs::read(at("good")).unwrap().starts_with(b"#!"));
    }
}
