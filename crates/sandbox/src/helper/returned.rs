//! Files of a program that works in a file system of its own: in before it starts, out at its end.
//!
//! In a mount namespace the working directory is a small file system in memory. It goes with the
//! namespace, so nothing that was hidden in it has to be found; but what the caller put into the
//! folder has to be there, and what the program leaves has to come back.

use std::ffi::CStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{lchown, symlink};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, SeekFrom};
use rustix::io::Errno;

/// Deepest folder that is copied back, or given to the next program.
pub(super) const DEEPEST: usize = 16;

/// Copies the contents of a folder to an empty one, with this owner.
pub(super) fn bring_in(from: &Path, to: &Path, owner: Option<u32>) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            fs::create_dir(&target)?;
            fs::set_permissions(&target, entry.metadata()?.permissions())?;
            bring_in(&source, &target, owner)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_file() {
            fs::copy(&source, &target)?;
        } else {
            continue;
        }
        if owner.is_some() {
            lchown(&target, owner, owner)?;
        }
    }
    Ok(())
}

/// Copies the contents of a folder, which its program could fill with anything, to another one.
/// Costs the written data, without holes.
pub(super) fn bring_out(from: &OwnedFd, to: &Path) -> rustix::io::Result<()> {
    let to = rustix::fs::open(to, FOLDER, Mode::empty())?;
    bring_out_folder(from, &to, DEEPEST)
}

pub(super) const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);
const CREATE: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::CLOEXEC);

fn bring_out_folder(from: &OwnedFd, to: &OwnedFd, depth: usize) -> rustix::io::Result<()> {
    for entry in Dir::read_from(to)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            match rustix::fs::unlinkat(to, name, AtFlags::empty()) {
                // Folders stay, and missing files are ignored.
                Ok(()) | Err(Errno::ISDIR | Errno::PERM | Errno::NOENT) => {}
                Err(error) => return Err(error),
            }
        }
    }
    // A folder that its owner cannot read is skipped.
    let Ok(entries) = Dir::read_from(from) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        match bring_out_entry(from, to, name, depth) {
            Err(error) if is_the_machines(error) => return Err(error),
            // Entries that cannot be created at the destination are left out.
            _ => {}
        }
    }
    Ok(())
}

/// Whether an error concerns the destination rather than one entry.
fn is_the_machines(error: Errno) -> bool {
    matches!(
        error,
        Errno::NOSPC | Errno::DQUOT | Errno::IO | Errno::ROFS | Errno::NOMEM | Errno::MFILE
    )
}

fn bring_out_entry(
    from: &OwnedFd,
    to: &OwnedFd,
    name: &CStr,
    depth: usize,
) -> rustix::io::Result<()> {
    let stat = rustix::fs::statat(from, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let mode = Mode::from_raw_mode(stat.st_mode) & Mode::from_raw_mode(0o777);
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {
            let target = rustix::fs::openat(to, name, CREATE, mode)?;
            rustix::fs::ftruncate(&target, stat.st_size.cast_unsigned())?;
            // A file that its owner cannot read stays so.
            if mode.contains(Mode::RUSR) {
                let source = rustix::fs::openat(from, name, READ, Mode::empty())?;
                copy_data(&source.into(), &target.into())?;
            }
        }
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(from, name, Vec::new())?;
            rustix::fs::symlinkat(&target, to, name)?;
        }
        FileType::Directory => {
            match rustix::fs::mkdirat(to, name, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
            if depth > 1 {
                let below = rustix::fs::openat(from, name, FOLDER, Mode::empty())?;
                let target = rustix::fs::openat(to, name, FOLDER, Mode::empty())?;
                bring_out_folder(&below, &target, depth - 1)?;
            }
        }
        // A pipe in place of a file must be noticed; devices and sockets have no use here.
        FileType::Fifo => rustix::fs::mknodat(to, name, FileType::Fifo, mode, 0)?,
        _ => {}
    }
    Ok(())
}

/// Copies the data of a file, and keeps its holes.
fn copy_data(from: &File, to: &File) -> rustix::io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    let mut at = 0;
    loop {
        let start = match rustix::fs::seek(from, SeekFrom::Data(at)) {
            Ok(start) => start,
            Err(Errno::NXIO) => return Ok(()),
            Err(error) => return Err(error),
        };
        let end = rustix::fs::seek(from, SeekFrom::Hole(start))?;
        at = start;
        while at < end {
            let most = usize::try_from(end - at).map_or(buffer.len(), |n| n.min(buffer.len()));
            let got = rustix::io::pread(from, &mut buffer[..most], at)?;
            if got == 0 {
                return Ok(());
            }
            let mut written = 0;
            while written < got {
                let place = at + written as u64;
                written += rustix::io::pwrite(to.as_fd(), &buffer[written..got], place)?;
            }
            at += got as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    #[test]
    fn what_is_left_comes_back_and_what_was_taken_away_is_gone() {
        let outer = tempfile::tempdir().unwrap();
        let inner = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("in"), "question").unwrap();
        fs::write(outer.path().join("gone"), "x").unwrap();
        fs::create_dir(outer.path().join("folder")).unwrap();
        fs::write(outer.path().join("folder/book"), "deep").unwrap();
        bring_in(outer.path(), inner.path(), None).unwrap();
        let path = |name: &str| inner.path().join(name);
        assert_eq!(fs::read(path("folder/book")).unwrap(), b"deep");
        fs::remove_file(path("gone")).unwrap();
        fs::write(path("out"), "answer").unwrap();
        fs::write(path("folder/more"), "new").unwrap();
        symlink("/etc/passwd", path("link")).unwrap();
        fs::write(path("closed"), "x").unwrap();
        fs::set_permissions(path("closed"), fs::Permissions::from_mode(0o0)).unwrap();
        // A terabyte that takes no room.
        File::create(path("huge"))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        let folder = rustix::fs::open(inner.path(), FOLDER, Mode::empty()).unwrap();
        bring_out(&folder, outer.path()).unwrap();
        let path = |name: &str| outer.path().join(name);
        assert_eq!(fs::read(path("in")).unwrap(), b"question");
        assert_eq!(fs::read(path("out")).unwrap(), b"answer");
        assert_eq!(fs::read(path("folder/book")).unwrap(), b"deep");
        assert_eq!(fs::read(path("folder/more")).unwrap(), b"new");
        assert!(!path("gone").exists());
        let link = fs::read_link(path("link")).unwrap();
        assert_eq!(link, Path::new("/etc/passwd"));
        assert_eq!(path("closed").metadata().unwrap().mode() & 0o777, 0);
        let huge = path("huge").metadata().unwrap();
        assert_eq!((huge.len(), huge.blocks()), (1 << 40, 0));
    }
}
