//! Real hostile programs: after each the right outcome, nothing left running, nothing written.
#![cfg(target_os = "linux")]

mod compare;
mod files;
mod frozen;
mod hoards;
mod leftovers;
mod life;
mod random;
mod supervisors;
mod support;
mod warm;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

use floe_sandbox::Layers;
use floe_sandbox::{Forbidden, Launch, MachineFailure, Program, ProgramEnd, ResourceLimits, run};

use support::*;

#[test]
fn programs_that_do_not_end_are_ended() {
    for what in ["hang", "sleep", "half", "mute"] {
        expect(&every_layer(), &[what], SHORT, &ProgramEnd::TimedOut);
    }
    // Time enough to be started and to say half of it.
    let limit = Duration::from_secs(3);
    let report = play(every_layer()[0], &["half"], limit);
    assert_eq!(report.output, b"half");
    assert!(report.wall >= limit);
}

#[test]
fn ends_of_their_own_are_told_apart() {
    expect(&every_layer(), &["exit", "0"], LONG, &ProgramEnd::Exited(0));
    expect(
        &every_layer(),
        &["exit", "42"],
        LONG,
        &ProgramEnd::Exited(42),
    );
    expect(
        &every_layer(),
        &["segfault"],
        LONG,
        &ProgramEnd::Signalled(11),
    );
    expect(&every_layer(), &["abort"], LONG, &ProgramEnd::Signalled(6));
    expect(&every_layer(), &["group"], LONG, &ProgramEnd::Signalled(9));
}

#[test]
fn a_fork_bomb_goes_off_in_a_box() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    for layers in every_layer() {
        let outcome = play(layers, &["forkbomb"], SHORT).outcome;
        let stopped = [
            ProgramEnd::TimedOut,
            ProgramEnd::Forbidden(Forbidden::Processes),
        ]
        .contains(&outcome);
        assert!(stopped, "{outcome:?}, {layers}");
    }
}

#[test]
fn one_process_too_many_is_the_same_for_every_user() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    // 32 are allowed, with the program itself.
    expect(
        &every_layer(),
        &["crowd", "31"],
        LONG,
        &ProgramEnd::Exited(0),
    );
    let too_many = ProgramEnd::Forbidden(Forbidden::Processes);
    expect(&every_layer(), &["crowd", "32"], LONG, &too_many);
}

#[test]
fn orphans_do_not_outlive_the_program() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(&every_layer(), &["orphan"], LONG, &ProgramEnd::Exited(0));
}

#[test]
fn memory_is_counted_however_it_is_taken() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(
        &every_layer(),
        &["malloc"],
        LONG,
        &ProgramEnd::TooMuchMemory,
    );
    expect(
        &every_layer(),
        &["family"],
        LONG,
        &ProgramEnd::TooMuchMemory,
    );
    expect(
        &[Layers::NONE],
        &["shared"],
        LONG,
        &ProgramEnd::TooMuchMemory,
    );
    expect(&confined(), &["shared"], LONG, &ProgramEnd::Exited(3));
    for hidden in ["tables", "mail"] {
        expect(&every_layer(), &[hidden], LONG, &ProgramEnd::TooMuchMemory);
    }
}

#[test]
fn pages_in_common_are_counted_once() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(&every_layer(), &["cousins"], LONG, &ProgramEnd::Exited(0));
}

#[test]
fn endless_output_is_cut_off() {
    for layers in every_layer() {
        let report = play(layers, &["babble"], LONG);
        assert_eq!(report.outcome, ProgramEnd::TooMuchOutput, "{layers}");
        assert_eq!(report.output.len(), ResourceLimits::default().output);
    }
}

#[test]
fn of_a_gigabyte_of_errors_the_end_is_kept() {
    let report = play(*every_layer().last().unwrap(), &["gigabyte"], LONG);
    assert_eq!(report.outcome, ProgramEnd::Exited(0));
    assert_eq!(report.errors_total, (1 << 30) + 7);
    assert_eq!(report.errors.len(), 64 << 10);
    assert!(report.errors.ends_with(b"eeethe end"));
}

#[test]
fn bytes_arrive_as_they_are() {
    for layers in every_layer() {
        let report = play(layers, &["nul"], LONG);
        assert_eq!(
            (report.outcome, report.output),
            (ProgramEnd::Exited(0), vec![0; 100])
        );
        let report = play(layers, &["bytes"], LONG);
        assert_eq!(report.output, b"\xff\xfe\xc0\x80\xed\xa0\x80\n");
        let report = play(layers, &["exit", "0"], LONG);
        assert_eq!(
            (report.outcome, report.output),
            (ProgramEnd::Exited(0), vec![])
        );
    }
}

#[test]
fn foreign_files_can_be_neither_read_nor_written() {
    let outside = tempfile::tempdir().unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "x").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o666)).unwrap();
    let refused = ProgramEnd::Exited(5);
    expect(&confined(), &["read", "/etc/passwd"], LONG, &refused);
    expect(
        &confined(),
        &["read", secret.to_str().unwrap()],
        LONG,
        &refused,
    );
    expect(
        &confined(),
        &["write", secret.to_str().unwrap()],
        LONG,
        &refused,
    );
    let new = outside.path().join("new");
    expect(
        &confined(),
        &["write", new.to_str().unwrap()],
        LONG,
        &refused,
    );
    expect(
        &confined(),
        &["write", hostile().to_str().unwrap()],
        LONG,
        &refused,
    );
    expect(
        &confined(),
        &["write", "/dev/shm/floe-hostile"],
        LONG,
        &refused,
    );
    assert!(!new.exists());
    assert_eq!(fs::read(&secret).unwrap(), b"x");
    assert!(!Path::new("/dev/shm/floe-hostile").exists());
    // What it needs it has.
    for path in ["/dev/null", "/dev/urandom", "/proc/self/status", "/usr/bin"] {
        expect(&confined(), &["read", path], LONG, &ProgramEnd::Exited(0));
    }
    expect(
        &every_layer(),
        &["write", "/dev/null"],
        LONG,
        &ProgramEnd::Exited(0),
    );
}

#[test]
fn the_working_directory_is_private_and_passes_away() {
    for layers in every_layer() {
        let mark = mark();
        for words in [&["write", "here"][..], &["cave"], &["nest"]] {
            let program = Program::start(launch(layers, &mark, words)).unwrap();
            let work = program.work().to_owned();
            assert!(work.exists());
            assert_eq!(
                program.close_and_wait(LONG).unwrap().outcome,
                ProgramEnd::Exited(0),
                "{layers}"
            );
            assert!(!work.exists());
        }

        let own = tempfile::tempdir().unwrap();
        fs::write(own.path().join("state"), "old").unwrap();
        let path = own.path().join("state");
        let words = ["write", path.to_str().unwrap()];
        let launch = Launch {
            work: Some(own.path().to_owned()),
            ..launch(layers, &mark, &words)
        };
        assert_eq!(
            run(launch, b"", LONG).unwrap().outcome,
            ProgramEnd::Exited(0),
            "{layers}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"xld");
    }
}

#[test]
fn files_do_not_grow_for_ever() {
    expect(&every_layer(), &["fill"], LONG, &ProgramEnd::Signalled(25));
}

#[test]
fn processor_time_runs_out() {
    let layers = *every_layer().last().unwrap();
    let mut launch = launch(layers, &mark(), &["hang"]);
    launch.limits.cpu_seconds = 1;
    let report = run(launch, b"", LONG).unwrap();
    assert_eq!(report.outcome, ProgramEnd::TimedOut);
    // The kernel's two ways to count differ on a busy machine; both count.
    assert!(report.cpu >= Duration::from_millis(300), "{:?}", report.cpu);
}

#[test]
fn forbidden_calls_are_faults() {
    let forbidden = ProgramEnd::Forbidden(Forbidden::SystemCall);
    expect(&confined(), &["socket"], LONG, &forbidden);
    expect(&confined(), &["ptrace"], LONG, &forbidden);
    expect(&confined(), &["parent"], LONG, &forbidden);
    expect(&confined(), &["kill", "-1"], LONG, &forbidden);
    // Only asking is refused and no fault: some languages ask without being told to.
    expect(&confined(), &["knock"], LONG, &ProgramEnd::Exited(5));
    expect(&confined(), &["local"], LONG, &ProgramEnd::Exited(5));
    expect(&confined(), &["pair"], LONG, &ProgramEnd::Exited(0));
    // In a pid namespace the referee's number means nobody.
    let me = std::process::id().to_string();
    for layers in confined() {
        let outcome = play(layers, &["kill", &me], LONG).outcome;
        let expected = if layers.namespaces {
            ProgramEnd::Exited(5)
        } else {
            forbidden.clone()
        };
        assert_eq!(outcome, expected, "{layers}");
    }
}

#[test]
fn even_without_layers_the_supervisor_is_safe_or_its_end_is_a_fault() {
    let outcome = play(Layers::NONE, &["parent"], LONG).outcome;
    let root = rustix::process::geteuid().is_root();
    let expected = if root {
        ProgramEnd::Exited(5)
    } else {
        ProgramEnd::Forbidden(Forbidden::Supervisor)
    };
    assert_eq!(outcome, expected);
}

#[test]
fn nobody_runs_as_root_or_with_foreign_descriptors() {
    expect(&every_layer(), &["fds"], LONG, &ProgramEnd::Exited(0));
    if rustix::process::geteuid().is_root() {
        expect(&every_layer(), &["who"], LONG, &ProgramEnd::Exited(0));
    }
}

#[test]
fn programs_run_on_the_cores_they_are_given() {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap();
    let cores = (0..64).filter(|&core| allowed.is_set(core));
    for core in cores {
        for layers in every_layer() {
            let mut launch = launch(layers, &mark(), &["cores"]);
            launch.cores = vec![core];
            let outcome = run(launch, b"", LONG).unwrap().outcome;
            assert_eq!(outcome, ProgramEnd::Exited(i32::try_from(core).unwrap()));
        }
    }
    let mut launch = launch(Layers::NONE, &mark(), &["cores"]);
    launch.cores = vec![1 << 20];
    assert!(matches!(
        run(launch, b"", LONG),
        Err(MachineFailure::Sandbox(_))
    ));
}

#[test]
fn the_environment_is_clean() {
    for layers in every_layer() {
        let mut launch = Launch {
            layers,
            helper: helper(),
            ..Launch::of(["env"])
        };
        launch.environment.push(("EXTRA".into(), "1".into()));
        let report = run(launch, b"", LONG).unwrap();
        assert_eq!(report.outcome, ProgramEnd::Exited(0), "{layers}");
        let text = String::from_utf8(report.output).unwrap();
        let mut names: Vec<&str> = text
            .lines()
            .filter_map(|line| Some(line.split_once('=')?.0))
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["EXTRA", "HOME", "LANG", "PATH", "TMPDIR"]);
    }
}

#[test]
fn limits_and_priorities_of_the_supervisor_are_out_of_reach() {
    let refused = ProgramEnd::Exited(5);
    expect(&confined(), &["blind"], LONG, &refused);
    expect(&confined(), &["survive"], LONG, &refused);
    // Its own are its own.
    expect(&every_layer(), &["modest"], LONG, &ProgramEnd::Exited(0));
}
