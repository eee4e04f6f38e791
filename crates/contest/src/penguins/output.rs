//! Writes a file so that a crash never leaves half of it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Puts `bytes` into the file at `path`: whole, or not at all.
///
/// They are written beside it first and then take its place. A file that is there keeps its
/// permissions, and a link to it stays a link.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let found = match fs::metadata(path) {
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if path.is_symlink() {
                let cause = "it is a link to a file that is not there";
                return Err(io::Error::new(io::ErrorKind::NotFound, cause));
            }
            None
        }
        Err(error) => return Err(error),
    };
    let mut target = path.to_owned();
    if let Some(found) = &found {
        // Renaming would replace even a read-only file, so check for that first.
        let mut open = OpenOptions::new().write(true).open(path)?;
        if !found.is_file() {
            // A pipe or a terminal cannot be replaced.
            return open.write_all(bytes);
        }
        target = fs::canonicalize(path)?;
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".penguins-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode of any new file; the user's umask restricts it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    survive_file_size_limit()?;
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(found) = found {
        match file.as_file().set_permissions(found.permissions()) {
            // A sandbox may refuse every change of mode; the file then gets the default mode.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            changed => changed?,
        }
    }
    file.persist(&target).map_err(|e| e.error)?;
    Ok(())
}

/// Turns a violation of the file-size limit into a write error, as with a full disk. Its signal
/// would end the program before it can remove its own file.
#[cfg(unix)]
fn survive_file_size_limit() -> io::Result<()> {
    use signal_hook::consts::SIGXFSZ;
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default()).map(drop)
}

#[cfg(not(unix))]
fn survive_file_size_limit() -> io::Result<()> {
    Ok(())
}
