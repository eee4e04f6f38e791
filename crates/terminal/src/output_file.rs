//! Files written at a user's request, completely or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

/// Writes the file completely, or leaves the old one. Pipes and devices are written to, a link
/// stays a link, and an existing file keeps its permissions.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let there = match fs::metadata(path) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return put(&end_of_link(path), bytes, None);
        }
        Err(error) => return Err(error),
    };
    // A user who may not write to the file may not replace it either.
    let mut open = OpenOptions::new().write(true).open(path)?;
    if !there.is_file() {
        return open.write_all(bytes);
    }
    put(&fs::canonicalize(path)?, bytes, Some(there.permissions()))
}

/// The path of the file to make: a link to a missing file is followed.
fn end_of_link(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::read_link(path).map_or_else(|_| path.to_owned(), |to| folder.join(to))
}

/// Makes a new file next to this one, then replaces it.
fn put(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The default mode; the user's umask restricts it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::{Command, Stdio};

    use super::*;

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn links_stay_links_and_permissions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("table"), folder.path().join("link"));
        symlink("table", &link).unwrap();
        write_whole(&link, b"first").unwrap();
        assert_eq!(text(&file), "first");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        write_whole(&link, b"second").unwrap();
        assert_eq!(text(&file), "second");
        assert!(link.is_symlink());
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_no_file_is_written_to_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let mut reader = Command::new("cat");
        let reader = reader.arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
        write_whole(&pipe, b"a table").unwrap();
        let read = reader.wait_with_output().unwrap();
        assert_eq!(read.stdout, b"a table");
        assert!(!pipe.is_file());
        assert!(write_whole(folder.path(), b"").is_err());
    }
}
