//! What programs do with files: the moves they write, and everything else they can think of.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use floe_sandbox::Layers;
use floe_sandbox::{Forbidden, Launch, OutputError, ProgramEnd, read_output, run};
use tempfile::TempDir;

use crate::support::*;

/// Long enough to fill a small disk on a busy machine.
const FILLING: Duration = Duration::from_secs(3);

/// A working directory with a file in it, as the referee makes it.
fn work() -> TempDir {
    let work = tempfile::tempdir().unwrap();
    fs::write(work.path().join("state"), "old\n").unwrap();
    work
}

fn play_in(work: &Path, layers: Layers, words: &[&str]) -> ProgramEnd {
    let mark = mark();
    let launch = Launch {
        work: Some(work.to_owned()),
        ..launch(layers, &mark, words)
    };
    let outcome = run(launch, b"", LONG).unwrap().outcome;
    assert_eq!(running(&mark), 0);
    outcome
}

#[test]
fn a_contest_program_writes_its_move_to_a_file() {
    for layers in every_layer() {
        let work = work();
        let path = |name: &str| work.path().join(name).to_str().unwrap().to_owned();
        let rounds = [
            ("state", "out", "old\nmoved\n"),
            ("out", "out", "old\nmoved\nmoved\n"),
            ("state", "state", "old\nmoved\n"),
        ];
        for (from, to, text) in rounds {
            // By the full path, and as the working directory is where it starts, by the name.
            let _ = fs::remove_file(work.path().join("again"));
            fs::copy(path(from), path("again")).unwrap();
            let words = ["copy", "again", "again"];
            assert_eq!(play_in(work.path(), layers, &words), ProgramEnd::Exited(0));
            let read = |name| read_output(work.path(), name, 1000).unwrap();
            assert_eq!(read("again"), text.as_bytes(), "{layers}");
            let words = ["copy", &path(from), &path(to)];
            assert_eq!(play_in(work.path(), layers, &words), ProgramEnd::Exited(0));
            assert_eq!(read(to), text.as_bytes(), "{layers}");
        }
    }
}

#[test]
fn what_is_put_in_the_place_of_the_state_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let secret = secret.to_str().unwrap();
    for layers in every_layer() {
        for words in [
            &["link", secret][..],
            &["link", "/dev/zero"],
            &["link", "/etc/passwd"],
            &["link", "state"],
            &["pipe"],
            &["folder"],
        ] {
            let work = work();
            let outcome = play_in(work.path(), layers, words);
            assert_eq!(outcome, ProgramEnd::Exited(0), "{words:?}, {layers}");
            let read = read_output(work.path(), "state", 1000);
            assert!(
                matches!(read, Err(OutputError::NotAFile(_))),
                "{words:?}: {read:?}"
            );
        }
        // A second name for a foreign file, where the machine lets it have one.
        let work = work();
        play_in(work.path(), layers, &["twin", secret]);
        assert!(read_output(work.path(), "state", 1000).is_err(), "{layers}");
    }
    assert_eq!(fs::read(secret).unwrap(), b"secret");
}

#[test]
fn a_file_too_large_or_closed_is_the_programs_fault() {
    for layers in every_layer() {
        let work = work();
        assert_eq!(
            play_in(work.path(), layers, &["huge"]),
            ProgramEnd::Exited(0)
        );
        let read = read_output(work.path(), "state", 1000);
        assert!(matches!(read, Err(OutputError::TooLong { .. })), "{read:?}");
        assert_eq!(
            play_in(work.path(), layers, &["closed"]),
            ProgramEnd::Exited(0)
        );
        let read = read_output(work.path(), "state", 1000);
        // For root as for everybody else.
        assert!(matches!(read, Err(OutputError::NotAFile(_))), "{read:?}");
    }
}

#[test]
fn marks_of_foreign_files_cannot_be_changed() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let file = home.path().join("book");
    fs::write(&file, "x").unwrap();
    let before = fs::metadata(&file).unwrap();
    for layers in confined() {
        for is_its_own in [false, true] {
            let mut launch = launch(layers, &mark(), &["mark", file.to_str().unwrap()]);
            if is_its_own {
                launch.readable.push(home.path().to_owned());
            }
            let outcome = run(launch, b"", LONG).unwrap().outcome;
            assert_eq!(outcome, ProgramEnd::Exited(5), "{is_its_own}, {layers}");
        }
    }
    let after = fs::metadata(&file).unwrap();
    assert_eq!(before.permissions(), after.permissions());
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    expect(&confined(), &["watch"], LONG, &ProgramEnd::Exited(5));
}

/// Where the program could change foreign files, these calls do nothing, but they do not fail.
#[test]
fn builders_can_set_modes_and_times() {
    expect(&every_layer(), &["tidy"], LONG, &ProgramEnd::Exited(0));
}

/// CMake is called twice in one folder; each call may have a user of its own.
#[test]
fn a_second_program_owns_what_the_first_has_made() {
    for layers in every_layer() {
        let work = tempfile::tempdir().unwrap();
        fs::set_permissions(work.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for mode in ["rooms", "furnish"] {
            let outcome = play_in(work.path(), layers, &[mode]);
            assert_eq!(outcome, ProgramEnd::Exited(0), "{mode}, {layers}");
        }
        assert!(work.path().join("deep/er/file").is_file(), "{layers}");
    }
}

#[test]
fn network_tables_of_the_machine_are_not_there() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!(":{:04X} ", listener.local_addr().unwrap().port());
    assert!(fs::read_to_string("/proc/net/tcp").unwrap().contains(&port));
    let mut walled = every_layer();
    walled.retain(|layers| layers.namespaces);
    expect(
        &walled,
        &["connections", &port],
        LONG,
        &ProgramEnd::Exited(5),
    );
}

#[test]
fn the_working_directory_does_not_fill_up() {
    for layers in every_layer() {
        for words in [
            &["litter"][..],
            &["litter", "end"],
            &["blocks"],
            &["nameless"],
        ] {
            let mark = mark();
            let mut launch = launch(layers, &mark, words);
            launch.limits.entries = 100;
            launch.limits.disk = 4 << 20;
            // In a file system of its own it can fill what it has, and is found out at its end.
            let limit = if layers.namespaces { FILLING } else { LONG };
            let outcome = run(launch, b"", limit).unwrap().outcome;
            assert_eq!(
                outcome,
                ProgramEnd::Forbidden(Forbidden::Files),
                "{words:?}, {layers}"
            );
            assert_eq!(running(&mark), 0);
        }
        assert_eq!(
            play(layers, &["litter", "end"], LONG).outcome,
            ProgramEnd::Exited(0)
        );
    }
}

#[test]
fn room_that_is_hidden_from_every_look_is_bounded() {
    for layers in confined() {
        let mark = mark();
        let mut launch = launch(layers, &mark, &["reserve"]);
        launch.limits.disk = 4 << 20;
        let limit = if layers.namespaces { FILLING } else { LONG };
        let outcome = run(launch, b"", limit).unwrap().outcome;
        let expected = match layers.namespaces {
            true => ProgramEnd::Forbidden(Forbidden::Files),
            false => ProgramEnd::Exited(5),
        };
        assert_eq!(outcome, expected, "{layers}");
        assert_eq!(running(&mark), 0);
    }
}

#[test]
fn a_program_reads_its_own_folder_and_not_the_opponents() {
    let home = tempfile::tempdir().unwrap();
    let folder = |name: &str| {
        let path = home.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("book"), name).unwrap();
        for path in [home.path(), &path] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        path
    };
    let (own, other) = (folder("own"), folder("other"));
    for layers in confined() {
        for (path, code) in [(&own, 0), (&other, 5)] {
            for book in [path.clone(), path.join("book")] {
                let mut launch = launch(layers, &mark(), &["read", book.to_str().unwrap()]);
                launch.readable.push(own.clone());
                let outcome = run(launch, b"", LONG).unwrap().outcome;
                assert_eq!(
                    outcome,
                    ProgramEnd::Exited(code),
                    "{}, {layers}",
                    book.display()
                );
            }
        }
        // Reading it does not mean changing it.
        let book = own.join("book");
        let mut launch = launch(layers, &mark(), &["write", book.to_str().unwrap()]);
        launch.readable.push(own.clone());
        assert_eq!(
            run(launch, b"", LONG).unwrap().outcome,
            ProgramEnd::Exited(5)
        );
    }
}
