//! Archives from hostile hands: each ends as a clear refusal, with nothing outside its folder.

use std::io::{Cursor, Write};
use std::path::Path;

use floe_league::archive::{UnpackLimits, Upload, UploadError, check_name, unpack};
use tar::{EntryType, Header};
use zip::write::SimpleFileOptions;

const LIMITS: UnpackLimits = UnpackLimits {
    bytes: 1 << 20,
    files: 50,
};

/// Unpacks into a folder in a folder: what comes of it, and what is in the outer one afterwards.
fn unpacked(name: &str, bytes: &[u8]) -> (Result<Upload, UploadError>, Vec<String>) {
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

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(6);
    options.set_check_sum_type(lzma_rust2::CheckType::Crc64);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A tar archive in every way it may be packed.
fn packed(bytes: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    [
        ("x.tar", bytes.to_vec()),
        ("x.tar.gz", gz(bytes)),
        ("x.tar.xz", xz(bytes)),
        ("x.tar.bz2", bz2(bytes)),
    ]
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
    let tarred = tar(&[
        ("./", EntryType::Directory, b""),
        ("./bot.c", FILE, b"int main(void) { return 0; }"),
        ("./data/weights", FILE, b"1 2 3"),
    ]);
    let entries: &[(&str, &[u8])] = &[("bot.c", b"int main(void)"), ("data/weights", b"1 2 3")];
    let files = ["inner/bot.c", "inner/data/weights"];
    for (name, bytes, kind) in [
        ("bot.tar", tarred.clone(), Upload::Tar),
        ("bot.tar.gz", gz(&tarred), Upload::TarGz),
        ("bot.tar.xz", xz(&tarred), Upload::TarXz),
        ("bot.tar.bz2", bz2(&tarred), Upload::TarBz2),
        ("bot.zip", zip(entries), Upload::Zip),
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
        (Upload::Zip, vec!["inner/bot.c".to_owned()])
    );
    let (result, found) = unpacked("bot.py", b"print(1)");
    assert_eq!(
        (result.unwrap(), found),
        (Upload::Source, vec!["inner/bot.py".to_owned()])
    );
    let (result, _) = unpacked("bot", b"\x7fELF...");
    assert_eq!(result.unwrap(), Upload::Program);
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
    for name in [
        "../stolen",
        "a/../../stolen",
        "/tmp/stolen",
        "a/..",
        "..",
        "..\\stolen",
        "a\\..\\..\\stolen",
        "C:\\stolen",
        "\\stolen",
    ] {
        for (file, bytes) in packed(&tar(&[(name, FILE, b"x")])) {
            let told = refusal(file, &bytes);
            assert!(
                told.contains("cannot be a file's name here"),
                "{file} {name}: {told}"
            );
        }
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
        for (file, bytes) in packed(&tar(&[("odd", kind, b"")])) {
            let said = refusal(file, &bytes);
            assert!(
                said.contains(told) || said.contains("cannot be read"),
                "{file} {kind:?}: {said}"
            );
        }
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
    let told = "unpacks to more than 1 MiB";
    let tarred = tar(&[("zeros", FILE, &zeros)]);
    for (name, bytes) in [
        ("x.tar.gz", gz(&tarred)),
        ("x.tar.xz", xz(&tarred)),
        ("x.tar.bz2", bz2(&tarred)),
        // Streams one after another are one archive.
        (
            "x.tar.xz",
            [xz(&tarred[..512]), xz(&tarred[512..])].concat(),
        ),
        (
            "x.tar.bz2",
            [bz2(&tarred[..512]), bz2(&tarred[512..])].concat(),
        ),
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
    for (file, bytes) in packed(&long).into_iter().skip(1) {
        let said = refusal(file, &bytes);
        assert!(said.contains(told), "{file}: {said}");
    }
    let names: Vec<String> = (0..60).map(|n| format!("file{n}")).collect();
    let many: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), FILE, &b""[..]))
        .collect();
    for (file, bytes) in packed(&tar(&many)) {
        let said = refusal(file, &bytes);
        assert!(said.contains("more than 50 files"), "{file}: {said}");
    }
}

/// What a header asks for is not given before anything is unpacked: 4 GiB of memory.
#[test]
fn an_archive_that_wants_much_memory_is_refused() {
    let mut bytes = xz(&tar(&[("bot.c", FILE, b"int main(void) {}")]));
    // The block's header follows the stream's: its size, flags, filter, and one byte of properties.
    let header = 12..12 + 4 * (usize::from(bytes[12]) + 1);
    assert_eq!((bytes[14], bytes[15]), (0x21, 1), "one filter: LZMA2");
    bytes[16] = 40;
    let mut crc = flate2::Crc::new();
    crc.update(&bytes[header.start..header.end - 4]);
    bytes[header.end - 4..header.end].copy_from_slice(&crc.sum().to_le_bytes());
    let said = refusal("x.tar.xz", &bytes);
    assert!(
        said.contains("cannot be read") && said.contains("mem"),
        "{said}"
    );
}

#[test]
fn archives_that_are_not_taken_are_named_with_what_to_send() {
    for (bytes, told) in [
        (
            &b"7z\xbc\xaf\x27\x1c\x00\x04"[..],
            "a 7z archive is not supported; pack it as .zip",
        ),
        (
            b"Rar!\x1a\x07\x01\x00",
            "a rar archive is not supported; pack it as .zip",
        ),
        (b"Rar!\x1a\x07\x00\xcf", "a rar archive is not supported"),
        (
            b"\x28\xb5\x2f\xfd\x04\x00",
            "a zstd archive is not supported",
        ),
        (
            b"MZ\x90\x00\x03\x00\x00\x00",
            "a program for Windows is not supported; send its source",
        ),
    ] {
        let said = refusal("bot.zip", bytes);
        assert!(said.contains(told), "{said}");
    }
    // Source may begin with the same letters.
    assert_eq!(Upload::of(b"MZERO = 0\nprint(MZERO)\n"), Upload::Source);
}

/// As archivers of Windows wrote names before there was UTF-8 in archives, and with backslashes.
#[test]
fn archives_of_old_windows_are_unpacked() {
    for (raw, name) in [
        (&b"src\\g\xa9\x98.c"[..], "inner/src/gęś.c"),
        (b"src\\za\xbf\xf3.c", "inner/src/zażó.c"),
        (b"src\\ma\xa4na.c", "inner/src/mañna.c"),
    ] {
        // The library writes UTF-8 alone: a name of as many plain bytes is replaced by the raw one.
        let plain = "x".repeat(raw.len());
        let mut bytes = zip(&[(&plain, b"int x;"), ("y.c", b"int y;")]);
        while let Some(at) = find(&bytes, plain.as_bytes()) {
            bytes[at..at + raw.len()].copy_from_slice(raw);
        }
        let (result, found) = unpacked("bot.zip", &bytes);
        result.unwrap();
        assert_eq!(found, [name, "inner/y.c"]);
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

#[test]
fn an_archive_with_a_password_is_told_so() {
    let mut bytes = zip(&[("bot.c", b"int main(void) {}")]);
    // The flag of an encrypted file, in both of its headers.
    bytes[6] |= 1;
    let central = find(&bytes, b"PK\x01\x02").unwrap();
    bytes[central + 8] |= 1;
    let said = refusal("x.zip", &bytes);
    assert!(said.contains("without a password"), "{said}");
}

#[test]
fn damaged_and_odd_archives_are_told_apart_from_good_ones() {
    let good = tar(&[("bot.c", FILE, b"int main(void) {}")]);
    for (file, bytes) in packed(&good).into_iter().skip(1) {
        let said = refusal(file, &bytes[..bytes.len() / 2]);
        assert!(said.contains("cannot be read"), "{file}: {said}");
    }
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
