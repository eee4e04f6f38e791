//! The files a program may read: found from its seat, identified by a hash, and copied to a folder
//! of their own before the program starts.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use data_encoding::HEXLOWER;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::home::is_home;
use super::interpreter::Interpreter;
use super::options::SeatOptions;
use floe_sandbox::{FolderEntry, ProgramCopy, ProgramFiles, is_of_system, list_folder};

/// Files a seat lets its program read, besides the system's.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnFiles {
    /// The command, with full paths.
    pub(super) command: Vec<OsString>,
    /// The files that the command and `files=` name, with full paths.
    named: Vec<PathBuf>,
    /// Number of files that the command names.
    in_command: usize,
    /// The folder of `dir=`, with its full path and contents.
    folder: Option<PathBuf>,
    entries: Vec<FolderEntry>,
    /// SHA-256 of all files; `None` if there are none.
    pub(super) digest: Option<String>,
    copy: Arc<Mutex<Option<Arc<ProgramCopy>>>>,
}

impl OwnFiles {
    /// Finds the files; paths are relative to `folder`.
    pub(super) fn find(
        command: &[String],
        options: &SeatOptions,
        folder: &Path,
        interpreter: Option<&Interpreter>,
    ) -> Result<OwnFiles, String> {
        let found = match interpreter.filter(|one| !one.readable.is_empty()) {
            None => ProgramFiles::find(command, folder),
            // An interpreter is used where it is installed.
            Some(interpreter) => {
                let rest = command.iter().skip(1).map(OsString::from);
                let mut found =
                    ProgramFiles::find([OsString::from("python")].into_iter().chain(rest), folder);
                found.command[0] = interpreter.word();
                found
            }
        };
        let in_command = found.files.len();
        let mut named = found.files;
        for name in &options.files {
            let path = folder.join(name);
            let data = path
                .metadata()
                .map_err(|e| format!("{name}: {}", reason(&e)))?;
            if !data.is_file() {
                return Err(format!("{name} is no file; dir= names a folder"));
            }
            named.push(in_its_folder(&path).map_err(|cause| format!("{name}: {cause}"))?);
        }
        let mut own = OwnFiles {
            command: found.command,
            named,
            in_command,
            ..OwnFiles::default()
        };
        if let Some(name) = &options.folder {
            let whole = folder.join(name).canonicalize();
            let whole = whole.map_err(|e| format!("dir={name}: {}", reason(&e)))?;
            if !whole.is_dir() {
                return Err(format!("dir={name}: not a folder; files= names files"));
            }
            if !is_of_system(&whole) {
                own.entries = list_folder(&whole).map_err(|e| format!("dir={name}: {e}"))?;
            }
            own.folder = Some(whole);
        }
        own.digest = own.hash(&own.named, None).map_err(|e| reason(&e))?;
        Ok(own)
    }

    /// The hash of the files as they are now, or of their copies. A program of one file has that
    /// file's hash.
    fn hash(&self, named: &[PathBuf], copy: Option<&ProgramCopy>) -> io::Result<Option<String>> {
        if named.is_empty() && self.folder.is_none() {
            return Ok(None);
        }
        let mut hash = Sha256::new();
        for (number, file) in named.iter().enumerate() {
            if number >= self.in_command {
                let name = self.named[number].file_name().unwrap_or_default();
                separate(&mut hash, name);
            }
            hash_file(&mut hash, file)?;
        }
        let top = self.folder.as_deref().unwrap_or(Path::new(""));
        for entry in &self.entries {
            separate(
                &mut hash,
                entry
                    .path
                    .strip_prefix(top)
                    .unwrap_or(&entry.path)
                    .as_os_str(),
            );
            match (&entry.link, copy) {
                (Some(to), _) => hash.update(to.as_os_str().as_encoded_bytes()),
                (None, None) => hash_file(&mut hash, &entry.path)?,
                (None, Some(copy)) => {
                    hash_file(&mut hash, Path::new(&copy.place_of(entry.path.as_os_str())))?;
                }
            }
        }
        Ok(Some(HEXLOWER.encode(&hash.finalize())))
    }

    /// The files in a folder of their own. They are copied once; programs with the same files in
    /// the same places share the copies while any of them uses them.
    pub(super) fn copied(&self) -> io::Result<Arc<ProgramCopy>> {
        /// The current copies, by the originals' hash and places.
        static COPIES: Mutex<Option<HashMap<Key, Weak<ProgramCopy>>>> = Mutex::new(None);
        type Key = (String, Vec<PathBuf>);
        let mut mine = self.copy.lock();
        if let Some(copy) = &*mine {
            return Ok(Arc::clone(copy));
        }
        let mut copies = COPIES.lock();
        let copies = copies.get_or_insert_default();
        copies.retain(|_, copy| copy.strong_count() > 0);
        let digest = self.digest.clone().unwrap_or_else(|| "none".to_owned());
        let key = (digest.clone(), self.places());
        let copy = match copies.get(&key).and_then(Weak::upgrade) {
            Some(copy) => copy,
            None => {
                // A short digest, enough to identify the folder in messages.
                let name = digest.get(..16).unwrap_or(&digest);
                let copy = ProgramCopy::make(name, &self.named, &self.entries)?;
                if self.hash(&copy.places(&self.named), Some(&copy))? != self.digest {
                    return Err(io::Error::other(
                        "its files were changed after this began; start again",
                    ));
                }
                let copy = Arc::new(copy);
                copies.insert(key, Arc::downgrade(&copy));
                copy
            }
        };
        *mine = Some(Arc::clone(&copy));
        Ok(copy)
    }

    fn places(&self) -> Vec<PathBuf> {
        let entries = self.entries.iter().map(|entry| entry.path.clone());
        self.named.iter().cloned().chain(entries).collect()
    }

    /// Warnings about the folder of `dir=`; `others` are files of other programs.
    pub(super) fn remarks(&self, others: &[PathBuf]) -> Vec<String> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let mut remarks = Vec::new();
        if is_home(folder) {
            remarks.push("is a home folder".to_owned());
        }
        let is_foreign = |file: &&PathBuf| file.starts_with(folder) && !self.named.contains(file);
        if let Some(file) = others.iter().find(is_foreign) {
            remarks.push(format!("holds another program, {}", file.display()));
        }
        let kept = self
            .entries
            .iter()
            .find(|entry| is_of_a_contest(&entry.path));
        if let Some(entry) = kept {
            remarks.push(format!("holds a contest's file, {}", entry.path.display()));
        }
        remarks
    }

    /// The files that the command and `files=` name.
    pub(super) fn named(&self) -> &[PathBuf] {
        &self.named
    }

    /// The files that `files=` names.
    pub(super) fn beside_command(&self) -> &[PathBuf] {
        &self.named[self.in_command..]
    }

    /// The folder of `dir=`, and its files.
    pub(super) fn whole_folder(&self) -> Option<(&Path, &[FolderEntry])> {
        Some((self.folder.as_deref()?, &self.entries))
    }
}

/// The reason why a file cannot be used, for its owner.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => error.to_string(),
    }
}

/// The target of a path. A submitted file may be a link: a link out of its folder is not followed,
/// unless to a system file.
fn in_its_folder(path: &Path) -> Result<PathBuf, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = folder.canonicalize().map_err(|e| reason(&e))?;
    let file = path.canonicalize().map_err(|e| reason(&e))?;
    match file.starts_with(&folder) || is_of_system(&file) {
        true => Ok(file),
        false => Err(format!(
            "a link that leads out of its folder, to {}; name that file itself",
            file.display()
        )),
    }
}

/// Whether a file belongs to a contest and not to a program: records, an index, a description.
fn is_of_a_contest(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_description = || {
        let text = fs::read_to_string(file).unwrap_or_default();
        text.lines().any(|line| line.trim() == "[entrants]")
    };
    name.ends_with(".jsonl")
        || name.ends_with(".jsonl.zst")
        || name.ends_with(".sqlite")
        || (name.ends_with(".toml") && is_description())
}

fn separate(hash: &mut Sha256, name: &OsStr) {
    hash.update([0]);
    hash.update(name.as_encoded_bytes());
    hash.update([0]);
}

fn hash_file(hash: &mut Sha256, file: &Path) -> io::Result<()> {
    let mut from = BufReader::new(File::open(file)?);
    loop {
        let block = from.fill_buf()?;
        if block.is_empty() {
            return Ok(());
        }
        hash.update(block);
        let read = block.len();
        from.consume(read);
    }
}
