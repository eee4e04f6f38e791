//! A file that replaces another in one step, once it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A new file that replaces another one; until then, the old one is unchanged. Dropped before that,
/// it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Replacement {
    file: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// Begins an empty replacement of the file at this path. If the path is a link, its target is
    /// replaced.
    pub(crate) fn of(path: &Path) -> io::Result<Replacement> {
        let target = fs::canonicalize(path)?;
        let folder = target.parent().unwrap_or(Path::new("/"));
        Ok(Replacement {
            file: NamedTempFile::new_in(folder)?,
            target,
        })
    }

    /// The new file, for writing.
    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Replaces the other file, and keeps that file's permissions.
    pub(crate) fn put_in_place(self) -> io::Result<()> {
        let file = self.file.as_file();
        file.set_permissions(fs::metadata(&self.target)?.permissions())?;
        file.sync_all()?;
        self.file
            .persist(&self.target)
            .map_err(|error| error.error)?;
        Ok(())
    }
}
