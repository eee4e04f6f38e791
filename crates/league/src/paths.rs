//! Removes this machine's paths from texts.

use std::path::Path;

/// The text without the folders of this machine that it names: files in a league's folder are named
/// from there, and files in folders for work by their own names.
///
/// ```
/// use floe_league::paths::without_paths;
/// let text = without_paths("cannot read /srv/cup/programs/ab: no such file", "/srv/cup".as_ref());
/// assert_eq!(text, "cannot read programs/ab: no such file");
/// // A folder that is named by a sign that is everywhere says nothing.
/// assert_eq!(without_paths("bot.c:1:2: error", ".".as_ref()), "bot.c:1:2: error");
/// ```
pub fn without_paths(text: &str, folder: &Path) -> String {
    let mut shown = text.to_owned();
    let full = folder.canonicalize().ok();
    for folder in full.as_deref().into_iter().chain([folder]) {
        shown = without(&shown, folder);
    }
    for temporary in [std::env::temp_dir(), "/tmp".into(), "/dev/shm".into()] {
        shown = without_entries(&shown, &temporary);
    }
    shown
}

/// The text, with paths in this folder made relative.
fn without(text: &str, folder: &Path) -> String {
    let path = folder.to_string_lossy();
    // A shorter path may be part of many words.
    if !folder.is_absolute() || path.len() < 2 {
        return text.to_owned();
    }
    let inside = format!("{}/", path.trim_end_matches('/'));
    text.replace(&inside, "")
}

/// The text without paths in this temporary folder.
fn without_entries(text: &str, folder: &Path) -> String {
    let path = format!("{}/", folder.to_string_lossy().trim_end_matches('/'));
    if !folder.is_absolute() || path.len() < 2 {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&path) {
        shown.push_str(&rest[..at]);
        let after = &rest[at + path.len()..];
        let is_part = |c: char| c.is_alphanumeric() || "._-".contains(c);
        let entry = after.find(|c| !is_part(c)).unwrap_or(after.len());
        rest = &after[entry..];
        match rest.strip_prefix('/') {
            Some(inside) => rest = inside,
            None => shown.push('.'),
        }
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_for_work_are_not_shown() {
        let hide = |text: &str| without_paths(text, "/srv/cup".as_ref());
        let made = "make[1]: Entering directory '/tmp/.floe-x1/src'";
        assert_eq!(hide(made), "make[1]: Entering directory 'src'");
        assert_eq!(hide("in '/tmp/.floe-x1'"), "in '.'");
        assert_eq!(hide("/srv/cup/a and /srv/cup/b"), "a and b");
        assert_eq!(hide("/srv/cupboard/a"), "/srv/cupboard/a");
        assert_eq!(hide("nothing"), "nothing");
    }
}
