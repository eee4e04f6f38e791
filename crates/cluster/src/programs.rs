//! Programs as objects: packed by the organiser, fetched once by a worker, checked before every use.
//!
//! An object is a compressed archive of a program's files and is named by the SHA-256 of its bytes.
//! It is unpacked to a folder of that name. What is then used is checked by the hash of its files,
//! which the job names: a folder in which anything was changed is fetched again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use async_nats::jetstream::object_store::ObjectInfo;

use floe_arena::job::Job;
use floe_arena::runner::NamedSeat;
use floe_arena::seat::{Bundle, Seat};
use floe_games::AnyGame;
use futures_util::StreamExt as _;
use tokio::io::AsyncReadExt as _;

use crate::error::{ClusterError, refused};
use crate::link::Link;
use crate::wire::{PROGRAMS, PackedProgram, program_key, sha256};

/// Size limit of an unpacked program; the same as for a seat.
const MOST_BYTES: u64 = 3 << 30;
/// Programs are packed once and carried often.
const COMPRESSION: i32 = 6;

/// Time limit for fetching a program: the largest over a slow network.
const FETCHING: Duration = Duration::from_secs(600);

/// Age after which a stored program is uploaded again, so that it is not evicted.
const REFRESHED: Duration = Duration::from_secs(24 * 3600);

/// A program's files in one object.
#[derive(Debug, Clone)]
pub struct Packed {
    /// The object's name in the store.
    pub program: PackedProgram,
    /// The object.
    pub bytes: Vec<u8>,
}

/// Packs a program's files. The same files give the same object.
pub fn pack(bundle: &Bundle) -> io::Result<Packed> {
    let mut archive = tar::Builder::new(zstd::Encoder::new(Vec::new(), COMPRESSION)?);
    for file in &bundle.files {
        let named =
            |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", file.from.display()));
        let mut header = tar::Header::new_gnu();
        header.set_mtime(0);
        match &file.link {
            Some(link) => {
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_size(0);
                header.set_mode(0o777);
                archive
                    .append_link(&mut header, &file.path, link)
                    .map_err(named)?;
            }
            None => {
                let bytes = fs::read(&file.from).map_err(named)?;
                let can_run = can_run(&fs::metadata(&file.from).map_err(named)?);
                header.set_size(bytes.len() as u64);
                header.set_mode(if can_run { 0o755 } else { 0o644 });
                archive
                    .append_data(&mut header, &file.path, &bytes[..])
                    .map_err(named)?;
            }
        }
    }
    let bytes = archive.into_inner()?.finish()?;
    Ok(Packed {
        program: PackedProgram {
            object: sha256(&bytes),
            word: bundle.word.clone(),
        },
        bytes,
    })
}

#[cfg(unix)]
fn can_run(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn can_run(_: &fs::Metadata) -> bool {
    true
}

/// Packs the programs of these seats, and uploads those that the store lacks. Returns their
/// objects, by [`program_key`]. With `anew`, uploads all of them.
pub async fn upload(
    link: &Link,
    game: &'static dyn AnyGame,
    entrants: &[NamedSeat],
    anew: bool,
) -> Result<BTreeMap<String, PackedProgram>, ClusterError> {
    let mut programs = BTreeMap::new();
    let store = link.streams.get_object_store(PROGRAMS).await;
    let store = store.map_err(refused("open the store of programs"))?;
    for entrant in entrants {
        let Seat::Program(program) = &entrant.seat else {
            continue;
        };
        let Some(key) = program_key(&entrant.seat.entrant("")) else {
            continue;
        };
        if programs.contains_key(&key) {
            continue;
        }
        let packed = pack(&program.bundle(game)).map_err(|e| ClusterError::Program {
            object: program.word().to_owned(),
            cause: e.to_string(),
        })?;
        let object = packed.program.object.as_str();
        let is_there = match store.info(object).await {
            // Uploading again marks the program as used, so it is not evicted.
            Ok(info) => age_of(&info) < REFRESHED,
            Err(_) => false,
        };
        if anew || !is_there {
            let put = store.put(object, &mut &packed.bytes[..]).await;
            put.map_err(refused("take a program"))?;
        }
        programs.insert(key, packed.program);
    }
    Ok(programs)
}

/// Limits on stored programs that no game uses.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Programs unused for longer are removed.
    pub age: Duration,
    /// Above this size, the least recently used programs are removed.
    pub bytes: u64,
    /// Programs used within this time stay.
    pub least: Duration,
}

/// Limits of a worker's programs, and of the store: a month, 10 GiB, an hour.
pub const UNUSED: Limits = Limits {
    age: Duration::from_secs(30 * 24 * 3600),
    bytes: 10 << 30,
    least: Duration::from_secs(3600),
};

/// Whether this is the name of an object: a SHA-256.
fn is_object(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The file whose time is the program's last use. It is not part of the program.
fn used_mark(place: &Path) -> PathBuf {
    place.with_extension("used")
}

fn mark_used(place: &Path) {
    let _ = fs::write(used_mark(place), "");
}

/// Time since a program was used last.
fn unused_for(place: &Path) -> Duration {
    let data = fs::metadata(used_mark(place)).or_else(|_| fs::metadata(place));
    let used = data.and_then(|data| data.modified());
    let unused = used.ok().and_then(|used| used.elapsed().ok());
    unused.unwrap_or_default()
}

/// Bytes of all files in a folder.
fn bytes_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes_of(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Time since an object was uploaded last.
fn age_of(object: &ObjectInfo) -> Duration {
    let uploaded = object.modified.map(SystemTime::from);
    let age = uploaded.and_then(|uploaded| uploaded.elapsed().ok());
    age.unwrap_or_default()
}

/// Removes programs that no contest has used for long from the store, then the least recently used
/// while there are too many bytes. An organiser that still needs one uploads it again. Returns the
/// number removed.
pub async fn evict_from_store(link: &Link, limits: &Limits) -> Result<usize, ClusterError> {
    let store = link.streams.get_object_store(PROGRAMS).await;
    let store = store.map_err(refused("open the store of programs"))?;
    let list = store.list().await;
    let mut list = list.map_err(refused("list the programs"))?;
    let mut found = Vec::new();
    while let Some(object) = list.next().await {
        let object = object.map_err(refused("list the programs"))?;
        found.push((age_of(&object), object.size as u64, object.name));
    }
    found.sort();
    let (mut kept, mut removed) = (0, 0);
    for (unused, bytes, name) in found {
        let is_too_much = kept + bytes > limits.bytes && unused > limits.least;
        if unused > limits.age || is_too_much {
            let deleted = store.delete(&name).await;
            deleted.map_err(refused("remove a program"))?;
            removed += 1;
        } else {
            kept += bytes;
        }
    }
    Ok(removed)
}

/// The programs a worker has fetched.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// A cache in this folder, which is created for the first program.
    pub fn new(folder: &Path) -> Cache {
        Cache {
            folder: folder.to_owned(),
        }
    }

    /// Ensures that a program is in the cache, and returns its folder.
    pub async fn fetch(&self, link: &Link, object: &str) -> Result<PathBuf, ClusterError> {
        let fail = |cause: String| ClusterError::Program {
            object: object.to_owned(),
            cause,
        };
        if !is_object(object) {
            return Err(fail("its name is not a SHA-256".to_owned()));
        }
        let place = self.folder.join(object);
        if place.is_dir() {
            mark_used(&place);
            return Ok(place);
        }
        let missing = |cause: String| ClusterError::Missing {
            object: object.to_owned(),
            cause,
        };
        if !link.has_store().await? {
            return Err(missing("the store is gone".to_owned()));
        }
        let store = link.streams.get_object_store(PROGRAMS).await;
        let store = store.map_err(refused("open the store of programs"))?;
        let found = store.get(object).await;
        let mut found = found.map_err(|e| missing(e.to_string()))?;
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(FETCHING, found.read_to_end(&mut bytes)).await;
        let read = read.map_err(|_| missing("it does not arrive".to_owned()))?;
        read.map_err(|e| missing(e.to_string()))?;
        if sha256(&bytes) != object {
            return Err(missing("its bytes do not match its name".to_owned()));
        }
        let place = self
            .unpack(object, &bytes)
            .map_err(|e| fail(format!("{}: {e}", self.folder.display())))?;
        self.evict(&UNUSED);
        Ok(place)
    }

    /// Removes programs that were not used for long, then the least recently used while there are
    /// too many bytes. Recently used ones stay, whatever their size, because a game may need them.
    pub fn evict(&self, limits: &Limits) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut found: Vec<(Duration, u64, PathBuf)> = entries
            .flatten()
            .filter(|entry| is_object(&entry.file_name().to_string_lossy()))
            .map(|entry| {
                (
                    unused_for(&entry.path()),
                    bytes_of(&entry.path()),
                    entry.path(),
                )
            })
            .collect();
        found.sort();
        let mut kept = 0;
        for (unused, bytes, path) in found {
            let is_old = unused > limits.age;
            let is_too_much = kept + bytes > limits.bytes && unused > limits.least;
            match is_old || is_too_much {
                true => {
                    tracing::debug!(path = %path.display(), "a program is not used any more");
                    let _ = fs::remove_dir_all(&path);
                    let _ = fs::remove_file(used_mark(&path));
                }
                false => kept += bytes,
            }
        }
    }

    /// Unpacks an object into a folder atomically.
    fn unpack(&self, object: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.folder)?;
        let place = self.folder.join(object);
        let half = tempfile::Builder::new()
            .prefix(".half-")
            .tempdir_in(&self.folder)?;
        let files = half.path().join("files");
        fs::create_dir(&files)?;
        let plain = zstd::Decoder::new(bytes)?.take(MOST_BYTES);
        let mut archive = tar::Archive::new(plain);
        archive.set_preserve_mtime(false);
        archive.unpack(&files)?;
        match fs::rename(&files, &place) {
            // Another worker on this machine unpacked it first.
            Err(_) if place.is_dir() => Ok(place),
            Err(error) => Err(error),
            Ok(()) => Ok(place),
        }
    }

    /// Removes a program, so that it is fetched again.
    pub fn forget(&self, object: &str) {
        let _ = fs::remove_dir_all(self.folder.join(object));
    }

    /// The seats of a job, from the programs in this cache. Every file is read: a program whose
    /// hash differs from the job's is refused.
    pub fn seats(
        &self,
        job: &Job,
        programs: &BTreeMap<String, PackedProgram>,
    ) -> Result<Vec<Seat>, ClusterError> {
        let game = floe_games::find(&job.opening.game);
        let game = game.map_err(|e| ClusterError::Message(e.to_string()))?;
        let mut seats = Vec::new();
        for entrant in &job.opening.seats {
            let packed = program_key(entrant).and_then(|key| programs.get(&key));
            let (word, folder) = match packed {
                Some(packed) => (&packed.word, self.folder.join(&packed.object)),
                None => (&entrant.seat, PathBuf::from("/nonexistent")),
            };
            let fail = |cause: String| ClusterError::Program {
                object: entrant.seat.clone(),
                cause,
            };
            let seat = Seat::read(word, game, &folder);
            let seat = seat.map_err(|e| fail(format!("this machine cannot start it: {e}")))?;
            if seat.entrant("").sha256 != entrant.sha256 {
                return Err(fail("its files are not those the job names".to_owned()));
            }
            seats.push(seat);
        }
        Ok(seats)
    }
}

/// Default folder for programs: in the user's cache, or in the folder for temporary files.
pub fn default_cache() -> PathBuf {
    let set = |name: &str| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    match cache {
        Some(cache) => cache.join("floe/programs"),
        None => std::env::temp_dir().join("floe-programs"),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use floe_games::record::{Entrant, Opening};

    use super::*;

    #[test]
    fn a_program_comes_out_as_it_went_in_and_a_changed_one_is_refused() {
        let game = floe_games::find("flood").unwrap();
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("bot"), "#!/bin/sh\necho @\n").unwrap();
        fs::write(home.path().join("book"), "1 2 3").unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(home.path().join("bot"), mode).unwrap();
        let seat = Seat::read("files=book ./bot", game, home.path()).unwrap();
        let Seat::Program(program) = &seat else {
            panic!("it is a program");
        };
        let packed = pack(&program.bundle(game)).unwrap();
        assert_eq!(packed.bytes, pack(&program.bundle(game)).unwrap().bytes);

        let elsewhere = tempfile::tempdir().unwrap();
        let cache = Cache::new(&elsewhere.path().join("programs"));
        let place = cache.unpack(&packed.program.object, &packed.bytes).unwrap();
        let job = Job {
            opening: Opening {
                game: "flood".into(),
                seats: vec![
                    seat.entrant("a"),
                    Entrant {
                        seat: "greedy".into(),
                        ..Default::default()
                    },
                ],
                ..Opening::default()
            },
            dice: 0,
        };
        let key = program_key(&seat.entrant("a")).unwrap();
        let programs = BTreeMap::from([(key, packed.program.clone())]);
        assert_eq!(cache.seats(&job, &programs).unwrap().len(), 2);

        fs::write(place.join("book"), "1 2 4").unwrap();
        let error = cache.seats(&job, &programs).unwrap_err().to_string();
        assert!(error.contains("not those the job names"), "{error}");
        cache.forget(&packed.program.object);
        assert!(!place.exists());
    }

    #[test]
    fn programs_that_no_game_uses_are_removed() {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::new(home.path());
        let hour = Duration::from_secs(3600);
        let place = |letter: &str| home.path().join(letter.repeat(64));
        for (letter, hours) in [("a", 24 * 40), ("b", 3), ("c", 2), ("d", 0)] {
            fs::create_dir(place(letter)).unwrap();
            fs::write(place(letter).join("bot"), [0; 100]).unwrap();
            mark_used(&place(letter));
            let mark = fs::File::options()
                .write(true)
                .open(used_mark(&place(letter)));
            let used = SystemTime::now() - hour * hours;
            mark.unwrap().set_modified(used).unwrap();
        }
        fs::create_dir(home.path().join("other")).unwrap();
        let left = || ["a", "b", "c", "d"].map(|letter| place(letter).exists());
        let limits = |bytes| Limits { bytes, ..UNUSED };
        cache.evict(&limits(1000));
        assert_eq!(left(), [false, true, true, true], "one is too old");
        assert!(!used_mark(&place("a")).exists());
        cache.evict(&limits(250));
        assert_eq!(left(), [false, false, true, true], "they are too large");
        cache.evict(&limits(0));
        assert_eq!(left(), [false, false, false, true], "one was used just now");
        assert!(home.path().join("other").exists());
    }

    #[test]
    fn an_archive_cannot_write_elsewhere() {
        let mut archive = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        header.set_mode(0o644);
        // `set_path` refuses such a name, but a malicious organiser can write it.
        header.as_mut_bytes()[..9].copy_from_slice(b"../escape");
        header.set_cksum();
        archive.append(&header, &b"x"[..]).unwrap();
        let bytes = archive.into_inner().unwrap().finish().unwrap();
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::new(&home.path().join("programs"));
        let _ = cache.unpack(&sha256(&bytes), &bytes);
        let escaped = |name: &str| home.path().join(name).exists();
        assert!(!escaped("escape") && !escaped("programs/escape"));
    }
}
