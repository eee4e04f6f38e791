//! What programs leave in their working directory besides their answer.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use floe_sandbox::{
    Forbidden, Launch, Layers, NextLine, OutputError, Program, ProgramEnd, RunReport, run,
};

use crate::support::*;

fn play_in(work: &Path, layers: Layers, words: &[&str], brings_back: bool) -> RunReport {
    let mark = mark();
    let launch = Launch {
        work: Some(work.to_owned()),
        brings_back,
        ..launch(layers, &mark, words)
    };
    let report = run(launch, b"", LONG).unwrap();
    assert_eq!(running(&mark), 0);
    report
}

/// A working directory with a file in it, as the referee makes it. It is removed with this value even
/// if a program closed it or a folder in it.
struct Work(tempfile::TempDir);

impl Work {
    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        for closed in [self.path(), &self.path().join("empty")] {
            let _ = fs::set_permissions(closed, fs::Permissions::from_mode(0o700));
        }
    }
}

fn work() -> Work {
    let work = tempfile::tempdir().unwrap();
    fs::write(work.path().join("state"), "old\n").unwrap();
    Work(work)
}

#[test]
fn only_the_answer_counts_whatever_lies_beside_it() {
    for layers in every_layer() {
        for brings_back in [false, true] {
            let work = work();
            let report = play_in(work.path(), layers, &["odd"], brings_back);
            assert_eq!(report.outcome, ProgramEnd::Exited(0), "{layers}");
            assert_eq!(
                report.left.read("state", 100).unwrap(),
                b"new\n",
                "{layers}"
            );
            let names = report.left.names();
            assert!(names.contains(&"long".to_owned()), "{names:?}, {layers}");
        }
        // Where modes can be changed, at least of one's own folder.
        let work = work();
        let report = play_in(work.path(), layers, &["odd", "shut"], false);
        assert_eq!(report.outcome, ProgramEnd::Exited(0), "{layers}");
        let read = report.left.read("state", 100);
        if layers.namespaces || layers == Layers::NONE {
            assert!(matches!(read, Err(OutputError::NotAFile(_))), "{read:?}");
            assert!(report.left.names().is_empty(), "{layers}");
        } else {
            assert_eq!(read.unwrap(), b"new\n", "{layers}");
        }
    }
}

/// A small file system, as long as this value lives.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=256k", "floe-test"]);
        let is_there = mount.arg(folder.path()).output();
        let is_there = is_there.is_ok_and(|output| output.status.success());
        is_there.then(|| SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn more_than_fits_elsewhere_is_nobodys_trouble() {
    let Some(disk) = SmallDisk::mount() else {
        return skip("a small disk, which only root can mount");
    };
    fs::set_permissions(disk.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for layers in every_layer().into_iter().filter(|layers| layers.namespaces) {
        for (brings_back, expected) in [
            (false, ProgramEnd::Exited(0)),
            (true, ProgramEnd::Forbidden(Forbidden::Files)),
        ] {
            let work = disk.0.path().join("work");
            fs::create_dir(&work).unwrap();
            fs::write(work.join("state"), "old\n").unwrap();
            let report = play_in(&work, layers, &["pile"], brings_back);
            assert_eq!(report.outcome, expected, "{layers}");
            assert_eq!(report.left.read("state", 100).unwrap(), b"new\n");
            drop(report);
            fs::remove_dir_all(&work).unwrap();
        }
    }
}

#[test]
fn too_many_files_are_seen_at_every_answer() {
    for layers in every_layer() {
        for (many, is_too_many) in [("100", false), ("101", true), ("115", true)] {
            for _ in 0..3 {
                let mark = mark();
                let mut launch = launch(layers, &mark, &["many", many]);
                launch.limits.entries = 100;
                let mut program = Program::start(launch).unwrap();
                program.send(b"now\n");
                // Without a file system of its own the supervisor may be the first to see it.
                match program.read_line(LONG).unwrap() {
                    NextLine::Line(line) => {
                        assert_eq!(line, b"you said now");
                        assert_eq!(program.is_overfull(), is_too_many, "{many}, {layers}");
                    }
                    other => assert!(is_too_many && !layers.namespaces, "{other:?}"),
                }
                let outcome = program.stop().unwrap().outcome;
                let expected = match is_too_many {
                    true => ProgramEnd::Forbidden(Forbidden::Files),
                    false => ProgramEnd::Stopped,
                };
                assert_eq!(outcome, expected, "{many}, {layers}");
            }
        }
    }
}
