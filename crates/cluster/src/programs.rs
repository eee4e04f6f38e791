//! Programs as objects: packed by the organiser, fetched once by a worker, checked before every use.
//!
//! An object is a compressed archive of a program's files and is named by the SHA-256 of its bytes.
//! It is unpacked to a folder of that name. What is then used is checked by the hash of its files,
//! which the job names: a folder in which anything was changed is fetched again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use floe_arena::job::Job;
use floe_arena::runner::NamedSeat;
use floe_arena::seat::{Bundle, Seat};
use floe_games::AnyGame;
use tokio::io::AsyncReadExt as _;

use crate::error::{ClusterError, refused};
use crate::link::Link;
use crate::wire::{PROGRAMS, PackedProgram, program_key, sha256};

/// The largest program, unpacked; as much as a seat may name.
const MOST_BYTES: u64 = 3 << 30;
/// Programs are packed once and carried often.
const COMPRESSION: i32 = 6;

/// Time to fetch a program: the largest one over a slow network.
const FETCHING: Duration = Duration::from_secs(600);

/// A program's files as one object.
#[derive(Debug, Clone)]
pub struct Packed {
    /// Where it will be found.
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

/// Packs the programs of these seats and uploads those that are not in the store. Returns where
/// they are, by [`program_key`]. With `anew`, also those that seem to be there.
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
        if anew || store.info(object).await.is_err() {
            let put = store.put(object, &mut &packed.bytes[..]).await;
            put.map_err(refused("take a program"))?;
        }
        programs.insert(key, packed.program);
    }
    Ok(programs)
}

/// The programs a worker has fetched.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Programs are kept in this folder, which is made when the first one comes.
    pub fn new(folder: &Path) -> Cache {
        Cache {
            folder: folder.to_owned(),
        }
    }

    /// Makes sure that a program is there, and returns its folder.
    pub async fn fetch(&self, link: &Link, object: &str) -> Result<PathBuf, ClusterError> {
        let fail = |cause: String| ClusterError::Program {
            object: object.to_owned(),
            cause,
        };
        if object.len() != 64 || !object.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(fail("its name is no SHA-256".to_owned()));
        }
        let place = self.folder.join(object);
        if place.is_dir() {
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
        let read = read.map_err(|_| missing("it does not come".to_owned()))?;
        read.map_err(|e| missing(e.to_string()))?;
        if sha256(&bytes) != object {
            return Err(missing("its bytes are not those of its name".to_owned()));
        }
        self.unpack(object, &bytes)
            .map_err(|e| fail(format!("{}: {e}", self.folder.display())))
    }

    /// Unpacks an object into a folder that is there whole or not at all.
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
            // Another worker of this machine was quicker.
            Err(_) if place.is_dir() => Ok(place),
            Err(error) => Err(error),
            Ok(()) => Ok(place),
        }
    }

    /// Forgets a program, so that it is fetched again.
    pub fn forget(&self, object: &str) {
        let _ = fs::remove_dir_all(self.folder.join(object));
    }

    /// The seats of a job, from its programs as they are here. Every file is looked at: a program
    /// that is not the one the job names is refused.
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
pub fn usual_cache() -> PathBuf {
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
    fn an_archive_cannot_write_elsewhere() {
        let mut archive = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        header.set_mode(0o644);
        // `set_path` refuses such a name; a liar would write it all the same.
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
