//! Words and paths as they can be typed.

use std::borrow::Cow;
use std::path::Path;

/// A path as it can be typed.
pub(crate) fn shown(path: &Path) -> String {
    quoted(&path.display().to_string()).into_owned()
}

/// A word as it can be typed.
pub(crate) fn quoted(word: &str) -> Cow<'_, str> {
    match word.contains(|c: char| c.is_whitespace() || "'\"\\$&;()<>|*?`".contains(c)) {
        true => format!("'{}'", word.replace('\'', "'\\''")).into(),
        false => word.into(),
    }
}
