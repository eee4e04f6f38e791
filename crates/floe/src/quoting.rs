//! Words and paths, quoted for a shell.

use std::borrow::Cow;
use std::path::Path;

/// A path, quoted for a shell.
pub(crate) fn shown(path: &Path) -> String {
    quoted(&path.display().to_string()).into_owned()
}

/// A word, quoted for a shell.
pub(crate) fn quoted(word: &str) -> Cow<'_, str> {
    match word.contains(|c: char| c.is_whitespace() || "'\"\\$&;()<>|*?`".contains(c)) {
        true => format!("'{}'", word.replace('\'', "'\\''")).into(),
        false => word.into(),
    }
}
