//! Archives from hostile hands: each ends as a clear refusal, with nothing outside its folder.

use std::io::{Cursor, Write};
use std::path::Path;

use floe_league::archive::{Parcel, ParcelError, UnpackLimits, check_name, unpack};
use tar::{EntryType, Header};
use zip::write::SimpleFileOptions;

const LIMITS: UnpackLimits = UnpackLimits {
    bytes: 1 << 20,
    files: 50,
};

/// Unpacks into a folder in a folder: what comes of it, and what is in the outer one afterwards.
fn unpacked(name: &str, bytes: &[u8]) -> (Result<Parcel, ParcelError>, Vec<String>) {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let result = unpack(name, bytes, LIMITS, &inner);
    let mut found = Vec::new();
    list(outer.path(), outer.path(), &mut found);
    found.sort();
    (result, found)
}

fn list(folder: &Path, top: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            list(&path, top, into);
        } else {
            let name = path.strip_prefix(top).unwrap().to_str().unwrap();
            into.push(name.to_owned());
        }
    }
}

fn refusal(name: &str, bytes: &[u8]) -> String {
    let (result, found) = unpacked(name, bytes);
    let outside = found.iter().find(|name| !name.starts_with("inner/"));
    assert_eq!(outside, None);
    result.unwrap_err().to_string()
}

/// A tar archive of entries, whose names are written as they are.
fn tar(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, bytes) in entries {
        let mut header = Header::new_gnu();
        // The library would refuse what an attacker writes.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if kind.is_symlink() || kind.is_hard_link() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const FILE: EntryType = EntryType::Regular;

#[test]
fn archives_of_every_kind_are_unpacked() {
    let packed = tar(&[
        ("./", EntryType::Directory, b""),
        ("./bot.c", FILE, b"int main(void) { return 0; }"),
        ("./data/weights", FILE, b"1 2 3"),
    ]);
    let entries: &[(&str, &[u8])] = &[("bot.c", b"int main(void)"), ("data/weights", b"1 2 3")];
    let files = ["inner/bot.c", "inner/data/weights"];
    for (name, bytes, kind) in [
        ("bot.tar", packed.clone(), Parcel::Tar),
        ("bot.tar.gz", gz(&packed), Parcel::TarGz),
        ("bot.zip", zip(entries), Parcel::Zip),
    ] {
        let (result, found) = unpacked(name, &bytes);
        assert_eq!(
            (result.unwrap(), found.as_slice()),
            (kind, &files.map(String::from)[..])
        );
    }
    // As macOS packs a folder.
    let (result, found) = unpacked(
        "bot.zip",
        &zip(&[
            ("bot/bot.c", b"int main(void)"),
            ("bot/.DS_Store", b"\0\0\0\x01Bud1"),
            ("__MACOSX/bot/._bot.c", b"\0\x05\x16\x07"),
        ]),
    );
    assert_eq!(
        (result.unwrap(), found),
        (Parcel::Zip, vec!["inner/bot.c".to_owned()])
    );
    let (result, found) = unpacked("bot.py", b"print(1)");
    assert_eq!(
        (result.unwrap(), found),
        (Parcel::Source, vec!["inner/bot.py".to_owned()])
    );
    let (result, _) = unpacked("bot", b"\x7fELF...");
    assert_eq!(result.unwrap(), Parcel::Program);
}

#[test]
fn the_one_folder_of_an_archive_comes_up() {
    let packed = zip(&[("bot-main/bot-main", b"x"), ("bot-main/src/bot.c", b"y")]);
    let (result, found) = unpacked("bot.zip", &packed);
    result.unwrap();
    assert_eq!(found, ["inner/bot-main", "inner/src/bot.c"]);
}

#[test]
fn no_path_leaves_its_folder() {
    for name in ["../stolen", "a/../../stolen", "/tmp/stolen", "a/..", ".."] {
        let told = refusal("x.tar", &tar(&[(name, FILE, b"x")]));
        assert!(
            told.contains("cannot be a file's name here"),
            "{name}: {told}"
        );
        let told = refusal("x.zip", &zip(&[(name, b"x")]));
        assert!(
            told.contains("cannot be a file's name here"),
            "{name}: {told}"
        );
    }
}

#[test]
fn links_and_devices_are_refused_by_name() {
    for (kind, told) in [
        (EntryType::Symlink, "is a link"),
        (EntryType::Link, "is a link"),
        (EntryType::Char, "is a device"),
        (EntryType::Block, "is a device"),
        (EntryType::Fifo, "is a pipe"),
        (EntryType::GNUSparse, "is of a kind"),
    ] {
        let said = refusal("x.tar", &tar(&[("odd", kind, b"")]));
        assert!(
            said.contains(told) || said.contains("cannot be read"),
            "{kind:?}: {said}"
        );
    }
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_symlink("odd", "/etc/passwd", options).unwrap();
    let said = refusal("x.zip", &writer.finish().unwrap().into_inner());
    assert!(said.contains("is a link or a device"), "{said}");
}

#[test]
fn bombs_stop_at_the_limit() {
    let zeros = vec![0; 4 << 20];
    let told = "unpacks to more than 1024 KiB";
    for (name, bytes) in [
        ("x.tar.gz", gz(&tar(&[("zeros", FILE, &zeros)]))),
        ("x.zip", zip(&[("zeros", &zeros)])),
    ] {
        assert!(bytes.len() < 64 << 10);
        let said = refusal(name, &bytes);
        assert!(said.contains(told), "{said}");
    }
    // A name without an end is no file, and takes memory all the same.
    let long = tar(&[(
        "././@LongLink",
        EntryType::GNULongName,
        &vec![b'a'; 8 << 20],
    )]);
    let said = refusal("x.tar.gz", &gz(&long));
    assert!(said.contains(told), "{said}");
    let names: Vec<String> = (0..60).map(|n| format!("file{n}")).collect();
    let many: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), FILE, &b""[..]))
        .collect();
    let said = refusal("x.tar", &tar(&many));
    assert!(said.contains("more than 50 files"), "{said}");
}

#[test]
fn damaged_and_odd_archives_are_told_apart_from_good_ones() {
    let good = tar(&[("bot.c", FILE, b"int main(void) {}")]);
    let packed = gz(&good);
    let said = refusal("x.tar.gz", &packed[..packed.len() / 2]);
    assert!(said.contains("cannot be read"), "{said}");
    let said = refusal("x.zip", b"PK\x03\x04 and nothing more");
    assert!(said.contains("cannot be read"), "{said}");
    let twice = tar(&[("bot.c", FILE, b"1"), ("./bot.c", FILE, b"2")]);
    assert!(refusal("x.tar", &twice).contains("is in the archive twice"));
    let below = tar(&[("bot", FILE, b"1"), ("bot/c", FILE, b"2")]);
    assert!(refusal("x.tar", &below).contains("is in the archive twice"));
    assert!(refusal("x.c", b"").contains("the file is empty"));
}

#[test]
fn odd_names_are_refused_with_a_word() {
    for name in [
        "",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a\nb",
        "a\u{202e}b",
        "-rf",
        " a",
        "a ",
        "c:d",
        "\u{1b}[2J",
    ] {
        let told = check_name(name).unwrap_err().to_string();
        assert!(told.contains("cannot be a file's name here"), "{told}");
        assert!(told.chars().all(|c| !c.is_control()), "{told:?}");
    }
    assert!(check_name(&"a".repeat(101)).is_err());
    check_name("bot v2 (ä).tar.gz").unwrap();
}
