//! Checks of file names in archives, for all operating systems.

use encoding_rs::WINDOWS_1250;
use floe_rules::text;
use oem_cp::code_table::{DECODING_TABLE_CP437, DECODING_TABLE_CP852};

use super::UploadError;

/// Deepest nesting of folders.
pub(super) const DEPTH: usize = 16;
/// The longest name of a file or folder, in bytes.
const NAME: usize = 100;

/// Checks the name of an uploaded file, or of a part of a path in an archive.
pub fn check_name(name: &str) -> Result<(), UploadError> {
    let fail = |cause| {
        Err(UploadError::Name {
            name: name.chars().take(NAME).collect(),
            cause,
        })
    };
    if name.is_empty() || name.len() > NAME {
        return fail("names have 1 to 100 bytes");
    }
    if name == "." || name == ".." {
        return fail("it leads to another folder");
    }
    if name.contains(['/', '\\', ':']) || name.contains('\0') {
        return fail("it contains a folder separator");
    }
    if !name.chars().all(text::is_visible) || name.trim() != name {
        return fail("it has invisible characters, or a blank at an end");
    }
    if name.starts_with('-') {
        return fail("it begins with a dash, and compilers take it for an option");
    }
    Ok(())
}

/// Checks the path of a file in an archive.
pub fn check_path(path: &str) -> Result<(), UploadError> {
    parts(path).map(|_| ())
}

/// The path of an archive's entry as text: UTF-8, or an old code page of old archivers, with
/// slashes between folders.
pub(super) fn path_of(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => old_text(bytes),
    };
    // Archivers on Windows have written paths with backslashes.
    text.replace('\\', "/")
}

/// A text in the code page that gives the most plausible name: letters, without capitals inside a
/// word.
fn old_text(bytes: &[u8]) -> String {
    let table = |table: &[char; 128]| -> String {
        let decode = |&byte: &u8| match byte {
            0..=0x7f => char::from(byte),
            _ => table[usize::from(byte) - 128],
        };
        bytes.iter().map(decode).collect()
    };
    let (windows, _, _) = WINDOWS_1250.decode(bytes);
    let central = table(&DECODING_TABLE_CP852);
    let western = table(&DECODING_TABLE_CP437);
    let readings = [central, windows.into_owned(), western];
    let best = readings.into_iter().min_by_key(|text| oddities(text));
    best.unwrap_or_default()
}

/// A measure of how odd a text is as a name.
fn oddities(text: &str) -> u32 {
    let mut before = ' ';
    let mut odd = 0;
    for c in text.chars() {
        if !c.is_ascii() {
            odd += match c.is_alphabetic() {
                false => 4,
                true => u32::from(c.is_uppercase() && before.is_lowercase()),
            };
        }
        before = c;
    }
    odd
}

/// Whether macOS added the file to an archive: metadata in separate files.
pub(super) fn is_of_finder(name: &str) -> bool {
    let mut parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.any(|part| part == "__MACOSX" || part == ".DS_Store" || part.starts_with("._"))
}

/// The parts of a path in an archive.
pub(super) fn parts(name: &str) -> Result<Vec<String>, UploadError> {
    let fail = |cause| {
        Err(UploadError::Name {
            name: name.chars().take(NAME).collect(),
            cause,
        })
    };
    if name.starts_with('/') {
        return fail("it is a full path");
    }
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return fail("its encoding is unknown; name it with plain letters");
    }
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<String> = parts.map(str::to_owned).collect();
    if parts.len() > DEPTH {
        return fail("its folders are nested too deeply");
    }
    if parts.iter().any(|part| part == "..") {
        return fail("it leads out of its folder");
    }
    parts.iter().try_for_each(|part| check_name(part))?;
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_code_pages_are_told_apart() {
        for (bytes, name) in [
            (&b"za\xbe\xa2\x88\x86/g\xa9\x98l.c"[..], "zażółć/gęśl.c"), // CP852
            (b"za\xbf\xf3\xb3\xe6.c", "zażółć.c"),                      // CP1250
            (b"espa\xa4ol.py", "español.py"),                           // CP437
            (b"\x81bung.c", "übung.c"),                                 // all old ones
            ("zażółć.c".as_bytes(), "zażółć.c"),
            (b"src\\bot.c", "src/bot.c"),
        ] {
            assert_eq!(path_of(bytes), name);
        }
    }

    #[test]
    fn a_way_out_stays_one_however_it_is_written() {
        for bytes in [
            &b"..\\..\\etc\\passwd"[..],
            b"a/..\\..\\b",
            b"C:\\bot.c",
            b"\\\\host\\share\\bot.c",
            b"\\bot.c",
        ] {
            let path = path_of(bytes);
            assert!(parts(&path).is_err(), "{path}");
        }
    }
}
