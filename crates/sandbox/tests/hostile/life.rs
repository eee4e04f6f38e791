//! The life of a program: starting, talking, ending, in every language and for every user.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;
use std::time::Duration;

use floe_sandbox::{
    Launch, MachineFailure, NextLine, Program, ProgramEnd, ProgramFiles, ResourceLimits, run,
};
use floe_sandbox::{Layers, Support};

use crate::support::*;

#[test]
fn what_cannot_start_is_trouble_and_not_an_outcome() {
    for layers in every_layer() {
        for command in ["/nowhere/bot", "no-such-program", "/etc/localtime"] {
            let launch = Launch {
                layers,
                helper: helper(),
                ..Launch::of([command])
            };
            let trouble = run(launch, b"", LONG).unwrap_err();
            assert!(
                matches!(trouble, MachineFailure::Sandbox(_)),
                "{command}, {layers}: {trouble}"
            );
            assert!(trouble.to_string().contains(command), "{trouble}");
        }
    }
    let launch = Launch {
        helper: "/nowhere/helper".into(),
        ..Launch::of(["true"])
    };
    assert!(matches!(
        run(launch, b"", LONG),
        Err(MachineFailure::Prepare(_))
    ));
    let launch = Launch {
        helper: "/bin/false".into(),
        ..Launch::of(["true"])
    };
    assert!(run(launch, b"", LONG).is_err());
}

/// Root starts programs as another user, whom a closed home keeps out.
#[test]
fn a_closed_folder_on_the_way_to_a_program_is_named() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let program = home.path().join("true");
    fs::copy("/bin/true", &program).unwrap();
    let open = every_layer().into_iter().filter(|l| !l.namespaces);
    for layers in open {
        let launch = Launch {
            layers,
            helper: helper(),
            ..Launch::of([&program])
        };
        let trouble = run(launch, b"", LONG).unwrap_err().to_string();
        let closed = format!("may not enter {};", home.path().display());
        assert!(trouble.contains(&closed), "{layers}: {trouble}");
    }
}

#[test]
fn a_program_that_stays_answers_line_by_line() {
    for layers in every_layer() {
        let mark = mark();
        let mut program = Program::start(launch(layers, &mark, &["lines"])).unwrap();
        for n in 0..50 {
            program.send(format!("{n}\n").as_bytes());
            let expected = format!("you said {n}").into_bytes();
            assert_eq!(program.read_line(LONG).unwrap(), NextLine::Line(expected));
        }
        program.send(b"crlf\n");
        assert_eq!(
            program.read_line(LONG).unwrap(),
            NextLine::Line(b"yes".to_vec())
        );
        program.send(b"hush\n");
        assert_eq!(
            program.read_line(Duration::from_millis(30)).unwrap(),
            NextLine::Late
        );
        program.send(b"a\nb\n");
        assert_eq!(
            program.read_line(LONG).unwrap(),
            NextLine::Line(b"you said a".to_vec())
        );
        assert_eq!(
            program.read_line(LONG).unwrap(),
            NextLine::Line(b"you said b".to_vec())
        );
        await_running(&mark);
        let report = program.close_and_wait(LONG).unwrap();
        assert_eq!(
            (report.outcome, report.output),
            (ProgramEnd::Exited(0), b"bye".to_vec())
        );

        let mut program = Program::start(launch(layers, &mark, &["lines"])).unwrap();
        program.send(b"die\n");
        assert_eq!(program.read_line(LONG).unwrap(), NextLine::End);
        assert_eq!(
            program.close_and_wait(LONG).unwrap().outcome,
            ProgramEnd::Signalled(6)
        );

        let mut program = Program::start(launch(layers, &mark, &["half"])).unwrap();
        program.send(b"go\n");
        assert_eq!(program.read_line(SHORT).unwrap(), NextLine::Late);
        assert_eq!(program.stop().unwrap().outcome, ProgramEnd::Stopped);

        let mut program = Program::start(launch(layers, &mark, &["babble"])).unwrap();
        program.send(b"go\n");
        assert_eq!(program.read_line(LONG).unwrap(), NextLine::TooMuch);
        assert_eq!(
            program.close_and_wait(LONG).unwrap().outcome,
            ProgramEnd::TooMuchOutput
        );
        assert_eq!(running(&mark), 0);
    }
}

#[test]
fn input_that_nobody_reads_holds_nobody_up() {
    let input = vec![b'x'; 4 << 20];
    for layers in every_layer() {
        let mark = mark();
        let report = run(launch(layers, &mark, &["exit", "1"]), &input, LONG).unwrap();
        assert_eq!(report.outcome, ProgramEnd::Exited(1));
        let report = run(launch(layers, &mark, &["sleep"]), &input, SHORT).unwrap();
        assert_eq!(report.outcome, ProgramEnd::TimedOut);
        let launch = Launch {
            layers,
            helper: helper(),
            ..Launch::of(["wc", "-c"])
        };
        assert_eq!(run(launch, &input, LONG).unwrap().output, b"4194304\n");
    }
}

#[test]
fn dropping_a_program_ends_it_and_its_children() {
    for layers in every_layer() {
        let mark = mark();
        let program = Program::start(launch(layers, &mark, &["hang"])).unwrap();
        await_running(&mark);
        drop(program);
        assert_eq!(running(&mark), 0);
    }
}

/// Not a test of its own: the referee that the next test kills.
#[test]
fn a_referee_to_be_killed() {
    let Ok(mark) = std::env::var(VICTIM) else {
        return;
    };
    let layers = Layers::up_to(mark.as_bytes()[0] - b'0');
    let launch = launch(layers, &mark, &["family"]);
    let launch = Launch {
        limits: ResourceLimits {
            memory: 1 << 30,
            ..launch.limits.clone()
        },
        ..launch
    };
    let program = Program::start(launch).unwrap();
    fs::create_dir_all(program.work().join("a/b")).unwrap();
    symlink("/etc/passwd", program.work().join("a/b/link")).unwrap();
    std::thread::sleep(LONG);
}

/// Not a test of its own: the referee that is started after the one that was killed.
#[test]
fn a_referee_to_sweep() {
    if std::env::var_os(SWEEPER).is_some() {
        let report = run(launch(Layers::NONE, &mark(), &["exit", "0"]), b"", LONG);
        assert_eq!(report.unwrap().outcome, ProgramEnd::Exited(0));
    }
}

#[test]
fn a_killed_referee_takes_its_programs_along_and_the_next_its_folders() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    for layers in every_layer() {
        let mark = format!("{}{}", layers.level(), mark());
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let test = |name: &str| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command
                .args(["--exact", name])
                .env("TMPDIR", place.path())
                .env(AS_USER, hostile())
                .stdout(std::process::Stdio::null());
            command
        };
        let left = || fs::read_dir(place.path()).unwrap().count();
        let mut referee = test("life::a_referee_to_be_killed")
            .env(VICTIM, &mark)
            .spawn()
            .unwrap();
        while running(&mark) < 9 {
            std::thread::sleep(Duration::from_millis(1));
            assert!(referee.try_wait().unwrap().is_none());
        }
        // The living keep theirs.
        let mut sweeper = test("life::a_referee_to_sweep");
        sweeper.env(SWEEPER, "1");
        assert!(sweeper.status().unwrap().success());
        assert_eq!(left(), 1, "{layers}");
        referee.kill().unwrap();
        referee.wait().unwrap();
        while running(&mark) > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(left(), 1, "{layers}");
        assert!(sweeper.status().unwrap().success());
        assert_eq!(left(), 0, "{layers}");
    }
}

#[test]
fn interpreters_run_in_all_layers() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    let scripts = [
        ("/bin/sh", "-c", "echo $((6*7))"),
        (
            "/usr/bin/python3",
            "-c",
            "import json,random,threading; print(6*7)",
        ),
        ("/usr/bin/perl", "-e", "print 6*7, qq(\\n)"),
        ("/usr/bin/node", "-e", "console.log(6*7)"),
    ];
    for (interpreter, flag, script) in scripts {
        if !Path::new(interpreter).exists() {
            skip(interpreter);
            continue;
        }
        for layers in every_layer() {
            let launch = Launch {
                layers,
                helper: helper(),
                ..Launch::of([interpreter, flag, script])
            };
            let report = run(launch, b"", LONG).unwrap();
            let errors = String::from_utf8_lossy(&report.errors);
            assert_eq!(
                report.outcome,
                ProgramEnd::Exited(0),
                "{interpreter}, {layers}: {errors}"
            );
            assert_eq!(report.output, b"42\n");
        }
    }
}

#[test]
fn a_rust_program_runs_in_all_layers() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // Without its secret word the helper is a program like any other, and gives up.
    let program = folder.path().join("program");
    fs::copy(helper(), &program).unwrap();
    for layers in every_layer() {
        let launch = Launch {
            layers,
            helper: helper(),
            ..Launch::from(ProgramFiles::find([&program], Path::new("/")))
        };
        let outcome = run(launch, b"", LONG).unwrap().outcome;
        assert_eq!(outcome, ProgramEnd::Exited(2), "{layers}");
    }
}

#[test]
fn java_runs_in_all_layers() {
    if !Path::new("/usr/bin/java").exists() {
        return skip("Java");
    }
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let source = "class Bot { public static void main(String[] a) { \
                  System.out.println(6 * 7 + 0 * new java.security.SecureRandom().nextInt()); } }";
    fs::write(folder.path().join("Bot.java"), source).unwrap();
    for layers in every_layer() {
        // Without its statistics, which it would leave in the system's temporary folder.
        let command = [
            "java",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xmx128m",
            "Bot.java",
        ];
        let mut launch = Launch {
            layers,
            helper: helper(),
            ..Launch::from(ProgramFiles::find(command, folder.path()))
        };
        launch.limits.data = 2 << 30;
        let report = run(launch, b"", LONG).unwrap();
        let errors = String::from_utf8_lossy(&report.errors);
        assert_eq!(report.outcome, ProgramEnd::Exited(0), "{layers}: {errors}");
        assert_eq!(report.output, b"42\n", "{layers}: {errors}");
    }
}

#[test]
fn commands_are_understood_as_they_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    fs::write(home.join("bot.py"), "print(42)").unwrap();
    fs::write(home.join("python3"), "").unwrap();
    let launch = Launch::from(ProgramFiles::find(
        ["python3", "bot.py", "--fast", "7"],
        &home,
    ));
    let script = home.join("bot.py").into_os_string();
    assert_eq!(
        launch.command,
        [
            "python3".into(),
            script.clone(),
            "--fast".into(),
            "7".into()
        ]
    );
    assert_eq!(launch.readable, std::slice::from_ref(&home));
    assert_eq!(
        Launch::from(ProgramFiles::find(["./bot.py"], &home)).command,
        [script]
    );
    assert_eq!(
        Launch::from(ProgramFiles::find(["./missing"], &home)).command,
        ["./missing"]
    );
    let nothing = Launch {
        helper: helper(),
        ..Launch::from(ProgramFiles::find(Vec::<String>::new(), &home))
    };
    assert!(matches!(
        run(nothing, b"", LONG),
        Err(MachineFailure::Sandbox(_))
    ));
}

#[test]
fn the_probe_says_what_is_missing_and_what_would_help() {
    let support = Support::probe(&helper());
    assert!(support.base.is_ok(), "{:?}", support.base);
    let layers = [
        &support.landlock,
        &support.seccomp,
        &support.namespaces,
        &support.cgroup,
    ];
    for missing in layers.into_iter().filter_map(|layer| layer.as_ref().err()) {
        assert!(!missing.why.is_empty() && !missing.fix.is_empty());
    }
    let support = Support::probe(Path::new("/nowhere"));
    assert_eq!(support.layers(), Layers::NONE);
    assert!(support.base.is_err());
}

/// Everything above once more as an ordinary user.
#[test]
fn all_of_it_as_an_ordinary_user() {
    run_all_as_user(&[]);
}
