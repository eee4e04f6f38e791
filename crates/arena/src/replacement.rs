//! A file that takes the place of another once it is whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file beside another one, in whose place it is put; until then that one is as it was. What is
/// dropped before leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Replacement {
    file: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// Begins an empty one for the file at this path, or where a link there leads: a link stays one.
    pub(crate) fn of(path: &Path) -> io::Result<Replacement> {
        let target = fs::canonicalize(path)?;
        let folder = target.parent().unwrap_or(Path::new("/"));
        Ok(Replacement {
            file: NamedTempFile::new_in(folder)?,
            target,
        })
    }

    /// To be written to.
    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Puts it in the place of the other, with its permissions.
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
