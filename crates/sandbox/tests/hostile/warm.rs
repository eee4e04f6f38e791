//! Helpers that wait ready, and whether one program's doings reach the next.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::PoisonError;
use std::time::Duration;

use floe_sandbox::Layers;
use floe_sandbox::{Launch, MachineFailure, Program, ProgramEnd, SupervisorPool, run};

use crate::support::*;

#[test]
fn whatever_one_program_does_the_next_is_unharmed() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    let worst: &[&[&str]] = &[
        &["hang"],
        &["sleep"],
        &["segfault"],
        &["abort"],
        &["forkbomb"],
        &["orphan"],
        &["malloc"],
        &["family"],
        &["babble"],
        &["half"],
        &["mute"],
        &["litter"],
        &["cave"],
        &["parent"],
        &["kill", "-1"],
        &["group"],
        &["ptrace"],
        &["socket"],
    ];
    for layers in every_layer() {
        let pool = SupervisorPool::new(&helper(), layers, 2).unwrap();
        for words in worst {
            // Without layers a user's program may do what its user may, and that is not tried.
            if layers == Layers::NONE && words[0] == "kill" {
                continue;
            }
            let mark = mark();
            for (words, limit) in [(*words, SHORT), (&["exit", "7"], LONG)] {
                let launch = Launch {
                    pool: Some(pool.clone()),
                    ..launch(layers, &mark, words)
                };
                let report = run(launch, b"", limit).unwrap();
                assert_eq!(running(&mark), 0, "{words:?}, {layers}");
                assert_eq!(report.layers, layers);
                if limit == LONG {
                    assert_eq!(report.outcome, ProgramEnd::Exited(7), "{layers}");
                }
            }
        }
    }
}

#[test]
fn a_stable_fills_up_again_and_passes_away() {
    for layers in every_layer() {
        let pool = SupervisorPool::new(&helper(), layers, 2).unwrap();
        assert_eq!(pool.waiting(), 2);
        let launch = |layers| Launch {
            pool: Some(pool.clone()),
            ..launch(layers, &mark(), &["lines"])
        };
        let programs: Vec<Program> = (0..3)
            .map(|_| Program::start(launch(layers)).unwrap())
            .collect();
        assert_eq!(pool.waiting(), 0);
        for program in programs {
            assert_eq!(
                program.close_and_wait(LONG).unwrap().outcome,
                ProgramEnd::Exited(0)
            );
        }
        while pool.waiting() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Other layers than it has are made as they are needed.
        let other = Layers::up_to(u8::from(layers.level() == 0));
        if every_layer().contains(&other) {
            let report = run(launch(other), b"", LONG).unwrap();
            assert_eq!(
                (report.outcome, report.layers),
                (ProgramEnd::Exited(0), other)
            );
        }
    }
}

#[test]
fn every_program_has_a_directory_of_its_own_that_goes_with_the_stable() {
    for layers in every_layer() {
        let pool = SupervisorPool::new(&helper(), layers, 2).unwrap();
        let mut folders = Vec::new();
        for _ in 0..6 {
            let launch = Launch {
                pool: Some(pool.clone()),
                ..launch(layers, &mark(), &["lines"])
            };
            let program = Program::start(launch).unwrap();
            let folder = program.work().to_owned();
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{layers}");
            assert!(!folders.contains(&folder));
            fs::write(folder.join("note"), "x").unwrap();
            folders.push(folder);
            program.close_and_wait(LONG).unwrap();
        }
        drop(pool);
        let rooms = folders.iter().filter_map(|folder| folder.parent());
        assert!(rooms.into_iter().all(|room| !room.exists()), "{layers}");
    }
}

#[test]
fn a_helper_that_died_waiting_is_nobodys_fault() {
    let layers = *every_layer().last().unwrap();
    // A helper by a name that no other has.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let name = mark();
    let copy = folder.path().join(&name);
    fs::copy(helper(), &copy).unwrap();
    let pool = SupervisorPool::new(&copy, layers, 1).unwrap();
    // Its own child has the same command line for a moment, so it is known by its parent too.
    let me = format!(") S {} ", std::process::id());
    let is_helper = |entry: &fs::DirEntry| {
        let read = |file: &str| fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        read("cmdline").contains(&name) && read("stat").contains(&me)
    };
    let victim = loop {
        let mut processes = fs::read_dir("/proc").unwrap().flatten();
        match processes.find(is_helper) {
            Some(found) => break found,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let pid = victim.file_name().to_str().unwrap().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    while !fs::read_to_string(victim.path().join("stat"))
        .unwrap()
        .contains(") Z ")
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    let launch = Launch {
        pool: Some(pool),
        ..launch(layers, &mark(), &["exit", "3"])
    };
    assert_eq!(
        run(launch, b"", LONG).unwrap().outcome,
        ProgramEnd::Exited(3)
    );
}

#[test]
fn a_stable_without_a_helper_is_trouble() {
    let nowhere = SupervisorPool::new("/nowhere/helper".as_ref(), Layers::NONE, 1);
    assert!(matches!(nowhere, Err(MachineFailure::Prepare(_))));
    // This one starts, and is no helper.
    let pool = SupervisorPool::new("/bin/true".as_ref(), Layers::NONE, 1).unwrap();
    let launch = Launch {
        pool: Some(pool),
        ..launch(Layers::NONE, &mark(), &["exit", "0"])
    };
    assert!(run(launch, b"", LONG).is_err());
}
