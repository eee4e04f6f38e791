//! Source as people have it: every shape is taken, and the same with one fatal defect is refused by a
//! message that names the defect.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use floe_league::invitation::Invite;
use floe_league::people::read_list;
use floe_league::{BuildSandbox, Judge, League, Submission, SubmitError, VersionState};
use floe_sandbox::Support;
use zip::write::SimpleFileOptions;

struct Place {
    league: League,
    judge: Judge,
    _folder: tempfile::TempDir,
}

impl Place {
    fn open() -> Option<Place> {
        let helper: PathBuf = env!("CARGO_BIN_EXE_floe-league-supervisor").into();
        if Support::probe(&helper).layers().level() == 0 {
            eprintln!("not tried here: building, since there is no sandbox");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let text = "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '5x4'\n[limits]\n\
                    time = '20s'\nstart = '20s'\n[submit]\nquota = 1000\nsize = '1MiB'\n";
        fs::write(folder.path().join("league.toml"), text).unwrap();
        let league = League::open(folder.path()).unwrap();
        let guests = read_list("Ada\n").unwrap();
        league.invite(&guests, Invite::New).unwrap();
        let build_sandbox = BuildSandbox::find(&helper, 1).unwrap();
        let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
        Some(Place {
            league,
            judge,
            _folder: folder,
        })
    }

    /// Sends something: how it begins to be told what came of it, and everything that was told.
    fn send(&self, file: &str, bytes: &[u8], main: Option<&str>) -> Result<(), String> {
        let by = self.league.look(|s| s.people.named("Ada").cloned());
        let submission = Submission {
            file: file.to_owned(),
            bytes: bytes.to_vec(),
            main: main.map(str::to_owned),
            ..Submission::default()
        };
        let sent = self.league.submit(&by.unwrap().unwrap(), &submission);
        let id = sent.map_err(|error| error.to_string())?;
        self.judge.judge_next(&mut |_, _| {}).unwrap();
        let version = self.league.look(|s| s.versions.find(&id).cloned());
        let version = version.unwrap().unwrap();
        let log = self.league.log(&version).unwrap();
        match version.state {
            VersionState::Accepted => Ok(()),
            _ => Err(log),
        }
    }
}

fn starter(name: &str) -> String {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    fs::read_to_string(bots.join(name)).unwrap()
}

fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, name, text.as_bytes())
            .unwrap();
    }
    builder.into_inner().unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn has(command: &str) -> bool {
    let has = Command::new(command).arg("--version").output().is_ok();
    if !has {
        assert!(
            std::env::var_os("FLOE_CHECK").is_none(),
            "{command} is missing"
        );
        eprintln!("not tried here: {command} is missing");
    }
    has
}

/// Two sources and a header, and the first with a syntax error.
fn parts() -> (String, String, String) {
    let main = format!("#include \"parts.h\"\n{}", starter("flood.c"));
    let broken = format!("#include \"parts.h\"\nint x = ;\n{}", starter("flood.c"));
    let helper = "#include \"parts.h\"\nint parts(void) { return PARTS; }\n".to_owned();
    (main, broken, helper)
}

const HEADER: &str = "#define PARTS 2\nint parts(void);\n";

/// Sends it in this shape and with its defect.
fn both(place: &Place, shape: &str, good: (&str, &[u8]), bad: (&str, &[u8]), told: &str) {
    if let Err(log) = place.send(good.0, good.1, None) {
        panic!("{shape}: {log}");
    }
    let log = place.send(bad.0, bad.1, None).unwrap_err();
    assert!(log.contains(told), "{shape}: {log}");
    // Nobody learns where things lie here.
    for secret in [place.league.folder().to_str().unwrap(), "/tmp/"] {
        assert!(!log.contains(secret), "{shape}: {log}");
    }
}

#[test]
fn sources_of_c_come_in_every_shape() {
    let Some(place) = Place::open() else { return };
    let (main, broken, helper) = parts();
    let error = |file: &str| format!("{file}:2:9: error: expected expression before");
    for folder in ["", "flood/", "my flood bot/", "flood-main/flood/"] {
        let named = |main: &str| {
            let name = |file: &str| format!("{folder}{file}");
            let names = [
                name("my bot.c"),
                name("parts.c"),
                name("parts.h"),
                name("README.md"),
            ];
            let texts = [main, &helper, HEADER, "# int main(void) {}\n"];
            let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts).collect();
            (tar(&files), zip(&files))
        };
        let ((tar, zip), (bad_tar, bad_zip)) = (named(&main), named(&broken));
        let told = error("my bot.c");
        both(
            &place,
            folder,
            ("b.tar.gz", &gz(&tar)),
            ("b.tar.gz", &gz(&bad_tar)),
            &told,
        );
        both(&place, folder, ("b.zip", &zip), ("b.zip", &bad_zip), &told);
    }
    // Sources and headers in folders of their own.
    let shape = |main: &str| {
        zip(&[
            ("src/flood.c", main),
            ("src/util/parts.c", &helper),
            ("include/parts.h", HEADER),
            (
                "tests/test.c",
                "#include \"parts.h\"\nint main(void) { return parts(); }\n",
            ),
            ("build/old.c", "this is no C"),
        ])
    };
    let told = error("src/flood.c");
    both(
        &place,
        "src",
        ("b.zip", &shape(&main)),
        ("b.zip", &shape(&broken)),
        &told,
    );
}

#[test]
fn archives_of_every_kind_and_system_are_taken() {
    let Some(place) = Place::open() else { return };
    let (main, broken, helper) = parts();
    let files = |main| tar(&[("flood.c", main), ("parts.c", &helper), ("parts.h", HEADER)]);
    let (good, bad) = (files(&main), files(&broken));
    let told = "flood.c:2:9: error: expected expression before";
    both(
        &place,
        "xz",
        ("b.tar.xz", &xz(&good)),
        ("b.tar.xz", &xz(&bad)),
        told,
    );
    both(
        &place,
        "bzip2",
        ("b.tar.bz2", &bz2(&good)),
        ("b.tar.bz2", &bz2(&bad)),
        told,
    );
    let cut = xz(&good);
    let cut = cut[..cut.len() / 2].to_vec();
    let log = place.send("b.tar.xz", &cut, None).unwrap_err();
    assert!(log.contains("the archive cannot be read"), "{log}");
    // Of Windows: backslashes. Of macOS: notes on files.
    let windows = |main: &str| {
        zip(&[
            ("flood\\src\\flood.c", main),
            ("flood\\src\\parts.c", &helper),
            ("flood\\src\\parts.h", HEADER),
        ])
    };
    let told = "flood.c:2:9: error: expected expression before";
    both(
        &place,
        "Windows",
        ("b.zip", &windows(&main)),
        ("b.zip", &windows(&broken)),
        told,
    );
    let out = zip(&[("flood\\..\\..\\flood.c", &main)]);
    let log = place.send("b.zip", &out, None).unwrap_err();
    assert!(log.contains("it leads out of its folder"), "{log}");
    let mac = |main: &str| {
        zip(&[
            ("flood/flood.c", main),
            ("flood/parts.c", &helper),
            ("flood/parts.h", HEADER),
            ("flood/.DS_Store", "\0\0\0\u{1}Bud1"),
            ("__MACOSX/flood/._flood.c", "\0\u{5}\u{16}\u{7}"),
        ])
    };
    let told = "flood.c:2:9: error: expected expression before";
    both(
        &place,
        "macOS",
        ("b.zip", &mac(&main)),
        ("b.zip", &mac(&broken)),
        told,
    );
    for (bytes, told) in [
        (
            &b"7z\xbc\xaf\x27\x1c\x00\x04"[..],
            "a 7z archive is not supported; pack it as .zip",
        ),
        (
            b"Rar!\x1a\x07\x01\x00",
            "a rar archive is not supported; pack it as .zip",
        ),
    ] {
        let log = place.send("bot.7z", bytes, None).unwrap_err();
        assert!(log.starts_with(told), "{log}");
    }
    let large = vec![b'x'; 3 << 20];
    let log = place.send("large.c", &large, None).unwrap_err();
    assert!(
        log.starts_with("large.c has 3 MiB; 1 MiB is the most."),
        "{log}"
    );
}

#[test]
fn projects_say_how_they_are_built() {
    let Some(place) = Place::open().filter(|_| has("make")) else {
        return;
    };
    let (main, _, helper) = parts();
    // A program that is not called bot, one folder down, beside papers.
    let make = "flood: flood.c parts.c\n\tcc -O1 -o $@ flood.c parts.c\n";
    let project = |make: &str| {
        zip(&[
            ("README.md", "A bot.\n"),
            ("code/Makefile", make),
            ("code/flood.c", &main),
            ("code/parts.c", &helper),
            ("code/parts.h", HEADER),
        ])
    };
    let lost = make.replace("parts.c\n\t", "lost.c\n\t");
    let told = "No rule to make target 'lost.c'";
    both(
        &place,
        "make",
        ("b.zip", &project(make)),
        ("b.zip", &project(&lost)),
        told,
    );
    let two = format!("all: flood other\n{make}other: parts.c\n\tcc -o $@ flood.c parts.c\n");
    let log = place.send("b.zip", &project(&two), None).unwrap_err();
    assert!(
        log.contains("the build made code/flood, code/other, and it is not clear"),
        "{log}"
    );
    place
        .send("b.zip", &project(&two), Some("code/other"))
        .unwrap();
    let log = place
        .send("b.zip", &project(&two), Some("none"))
        .unwrap_err();
    assert!(
        log.contains("the build did not make none, but code/flood, code/other"),
        "{log}"
    );
    if !has("cmake") {
        return;
    }
    let cmake = "cmake_minimum_required(VERSION 3.10)\nproject(flood C)\n\
                 add_executable(flood src/flood.c src/parts.c)\n";
    let project = |cmake: &str| {
        tar(&[
            ("flood/CMakeLists.txt", cmake),
            ("flood/Makefile", "all:\n\tfalse\n"),
            ("flood/src/flood.c", &main),
            ("flood/src/parts.c", &helper),
            ("flood/src/parts.h", HEADER),
        ])
    };
    let lost = cmake.replace("parts.c", "lost.c");
    let (good, bad) = (gz(&project(cmake)), gz(&project(&lost)));
    both(
        &place,
        "cmake",
        ("b.tgz", &good),
        ("b.tgz", &bad),
        "src/lost.c",
    );
}

#[test]
fn of_several_programs_the_author_names_one() {
    let Some(place) = Place::open() else { return };
    let bot = starter("flood.py");
    let several = zip(&[("old/a.py", &bot), ("new/b.py", &bot), ("new/b.txt", "")]);
    let log = place.send("b.zip", &several, None).unwrap_err();
    let told = "new/b.py or old/a.py could be the program; send it again and say which, by --main \
                new/b.py, or call yours main.py or bot.py";
    assert!(log.starts_with(told), "{log}");
    // It is no version, and counts for no quota.
    let sent = place
        .league
        .look(|standing| standing.versions.all().count());
    assert_eq!(sent.unwrap(), 0);
    place.send("b.zip", &several, Some("new/b.py")).unwrap();
    place.send("b.zip", &several, Some("./old/a.py")).unwrap();
    let log = place.send("b.zip", &several, Some("c.py")).unwrap_err();
    assert!(log.starts_with("the upload has no c.py"), "{log}");
    // Of C, each program with what belongs to it.
    let c = starter("flood.c");
    let broken = "int main(void) { return x; }\n";
    let several = zip(&[("top/one.c", c.as_str()), ("top/two.c", broken)]);
    let log = place.send("b.zip", &several, None).unwrap_err();
    assert!(
        log.starts_with("one.c or two.c could be the program"),
        "{log}"
    );
    place.send("b.zip", &several, Some("top/one.c")).unwrap();
    let log = place.send("b.zip", &several, Some("two.c")).unwrap_err();
    assert!(log.contains("two.c:1:25: error"), "{log}");
    assert!(place.league.look(|s| s.versions.all().count()).unwrap() == 4);
    let by = place
        .league
        .look(|s| s.people.named("Ada").cloned())
        .unwrap();
    let out = Submission {
        file: "b.zip".to_owned(),
        bytes: several,
        main: Some("../one.c".to_owned()),
        ..Submission::default()
    };
    let refused = place.league.submit(&by.unwrap(), &out).unwrap_err();
    assert!(matches!(refused, SubmitError::Upload(_)), "{refused}");
}

#[test]
fn python_in_folders_finds_its_own_modules_and_misses_others_by_name() {
    let Some(place) = Place::open() else { return };
    let main = format!("import helper\n{}", starter("flood.py"));
    let missing = format!("import nosuchmodule.part\n{main}");
    let optional = format!("try:\n    import nosuchmodule\nexcept ImportError:\n    pass\n{main}");
    let shape = |main: &str| {
        zip(&[
            ("flood/src/main.py", main),
            ("flood/src/helper.py", "import os, sys\nPARTS = 2\n"),
            ("flood/venv/lib/python3/broken.py", "def ("),
            ("flood/requirements.txt", "nosuchmodule\n"),
        ])
    };
    let told = "Ada#2 is refused: src/main.py:1: the module nosuchmodule is not installed here; \
                installed besides Python's own:";
    both(
        &place,
        "Python",
        ("b.zip", &shape(&main)),
        ("b.zip", &shape(&missing)),
        told,
    );
    place.send("b.zip", &shape(&optional), None).unwrap();
}
