//! The programs of a league, by the hash of what was sent.
//!
//! ```text
//! programs/ab/cdef…/sent/bot.c     what was sent, under the name it came by
//! programs/ab/cdef…/built/         what was built, which is what plays
//! programs/ab/cdef…/program.json   which recipe, and how it is started
//! ```

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::folder::{BUILT, League, LeagueError};

const SENT: &str = "sent";
const NOTE: &str = "program.json";

/// The build of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramNote {
    /// The recipe's name.
    pub recipe: String,
    /// The commands that built the program.
    pub build: Vec<String>,
    /// The seat argument that starts the program.
    pub seat: String,
}

/// SHA-256 of an upload and its name: the same file under another name may be another program.
pub fn content_hash(name: &str, bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update((name.len() as u64).to_be_bytes());
    hash.update(name.as_bytes());
    hash.update(bytes);
    HEXLOWER.encode(&hash.finalize())
}

impl League {
    /// Stores an upload; it is on the disk when this returns.
    pub(crate) fn keep_sent(&self, name: &str, bytes: &[u8]) -> Result<String, LeagueError> {
        let sha256 = content_hash(name, bytes);
        let folder = self.program_folder(&sha256);
        let fail = |cause| LeagueError::File {
            path: folder.clone(),
            cause,
        };
        if folder.join(SENT).join(name).is_file() {
            return Ok(sha256);
        }
        let parent = folder.parent().unwrap_or(self.folder()).to_owned();
        private_folder(&parent).map_err(fail)?;
        let fresh = tempfile::Builder::new()
            .prefix(".sent-")
            .tempdir_in(&parent);
        let fresh = fresh.map_err(fail)?;
        let keep = || -> io::Result<()> {
            let sent = fresh.path().join(SENT);
            fs::create_dir(&sent)?;
            let mut file = File::create_new(sent.join(name))?;
            file.write_all(bytes)?;
            file.sync_all()?;
            File::open(&sent)?.sync_all()?;
            Ok(())
        };
        keep().map_err(fail)?;
        match fs::rename(fresh.path(), &folder) {
            Ok(()) => {
                // The folder was renamed, so the temporary path must not be removed.
                let _ = fresh.keep();
                let synced = File::open(&parent).and_then(|parent| parent.sync_all());
                synced.map_err(fail)?;
            }
            // Another request uploads the same file at the same time.
            Err(_) if folder.join(SENT).join(name).is_file() => {}
            Err(error) => return Err(fail(error)),
        }
        Ok(sha256)
    }

    /// The upload of a version.
    pub fn sent(&self, sha256: &str, name: &str) -> Result<Vec<u8>, LeagueError> {
        let path = self.program_folder(sha256).join(SENT).join(name);
        fs::read(&path).map_err(|cause| LeagueError::File { path, cause })
    }

    /// Stores a build in a folder, atomically, in place of the earlier build. Only regular files
    /// and folders are copied. Returns the path.
    pub(crate) fn keep_built(
        &self,
        sha256: &str,
        from: &Path,
        note: &ProgramNote,
    ) -> Result<PathBuf, LeagueError> {
        let folder = self.program_folder(sha256);
        let fail = |cause| LeagueError::File {
            path: folder.clone(),
            cause,
        };
        let built = folder.join(BUILT);
        // Another version with the same content may be playing from this folder now.
        if built.is_dir() && self.program_note(sha256).as_ref() == Some(note) {
            return Ok(built);
        }
        let fresh = tempfile::Builder::new()
            .prefix(".built-")
            .tempdir_in(&folder);
        let fresh = fresh.map_err(fail)?;
        copy_files(from, fresh.path()).map_err(fail)?;
        let keep = || -> io::Result<()> {
            if built.exists() {
                fs::remove_dir_all(&built)?;
            }
            fs::rename(fresh.path(), &built)?;
            let text = serde_json::to_vec_pretty(note)?;
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            file.write_all(&text)?;
            file.persist(folder.join(NOTE)).map_err(|e| e.error)?;
            Ok(())
        };
        keep().map_err(fail)?;
        let _ = fresh.keep();
        Ok(built)
    }

    /// The note on a program's build.
    pub fn program_note(&self, sha256: &str) -> Option<ProgramNote> {
        let text = fs::read(self.program_folder(sha256).join(NOTE)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Removes a program, unless an unrefused version has it.
    pub(crate) fn forget_program(&self, sha256: &str) -> Result<(), LeagueError> {
        // A concurrent upload of the same file waits for its turn to change the journal.
        self.change(|standing| {
            let refused = crate::versions::VersionState::Refused;
            let mut others = standing.versions.all();
            let is_needed =
                others.any(|version| version.sha256 == sha256 && version.state != refused);
            let folder = self.program_folder(sha256);
            if is_needed || !folder.exists() {
                return Ok((Vec::new(), ()));
            }
            fs::remove_dir_all(&folder).map_err(|cause| LeagueError::File {
                path: folder.clone(),
                cause,
            })?;
            // Succeeds only if the parent folder is empty now.
            if let Some(parent) = folder.parent() {
                let _ = fs::remove_dir(parent);
            }
            Ok((Vec::new(), ()))
        })
    }

    /// Bytes of the league on the disk.
    pub fn disk_use(&self) -> u64 {
        bytes_in(self.folder())
    }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes_in(&entry.path()),
        Ok(data) if data.is_file() => data.len(),
        _ => 0,
    });
    sizes.sum()
}

/// Makes a folder that only its owner may read.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Copies only files and folders. The copies are read-only.
fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let data = entry.metadata()?;
        let name = entry.file_name();
        if name.to_str().is_none_or(|name| name == ".cache") {
            continue;
        }
        let place = to.join(&name);
        if data.is_dir() {
            fs::create_dir(&place)?;
            copy_files(&entry.path(), &place)?;
        } else if data.is_file() {
            fs::copy(entry.path(), &place)?;
            make_executable(&place)?;
        }
    }
    Ok(())
}

/// Makes a file executable if a system could start it: machine code, or a script that names its
/// interpreter. A linker cannot do so where the sandbox refuses changes of mode, and some archives
/// store no modes.
#[cfg(unix)]
fn make_executable(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut head = Vec::new();
    File::open(file)?.take(4).read_to_end(&mut head)?;
    if !head.starts_with(b"\x7fELF") && !head.starts_with(b"#!") {
        return Ok(());
    }
    let mode = fs::metadata(file)?.permissions().mode();
    // Users who may read the file may also execute it.
    let wanted = mode | (mode & 0o444) >> 2;
    match wanted == mode {
        true => Ok(()),
        false => fs::set_permissions(file, fs::Permissions::from_mode(wanted)),
    }
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_can_be_started_is_made_executable() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (name, text, before, after) in [
            ("bot", &b"\x7fELF\x02"[..], 0o640, 0o750),
            ("bot.sh", b"#!/bin/sh\n", 0o644, 0o755),
            ("bot.c", b"int main(void) {}\n", 0o644, 0o644),
            ("empty", b"", 0o644, 0o644),
        ] {
            let file = from.path().join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(before)).unwrap();
            copy_files(from.path(), to.path()).unwrap();
            let mode = fs::metadata(to.path().join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, after, "{name}");
            fs::remove_file(file).unwrap();
        }
    }
}
