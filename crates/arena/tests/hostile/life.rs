//! The life of a program: starting, talking, ending, in every language and for every user.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;
use std::time::Duration;

use floe_arena::process::{Answer, Limits, Outcome, Plan, Program, Trouble, run};
use floe_arena::sandbox::{Layers, Support};

use crate::ground::*;

#[test]
fn what_cannot_start_is_trouble_and_not_an_outcome() {
    for layers in every_layer() {
        for command in ["/nowhere/bot", "no-such-program", "/etc/localtime"] {
            let plan = Plan {
                layers,
                helper: helper(),
                ..Plan::of([command])
            };
            let trouble = run(plan, b"", LONG).unwrap_err();
            assert!(
                matches!(trouble, Trouble::Sandbox(_)),
                "{command}, {layers}: {trouble}"
            );
            assert!(trouble.to_string().contains(command), "{trouble}");
        }
    }
    let plan = Plan {
        helper: "/nowhere/helper".into(),
        ..Plan::of(["true"])
    };
    assert!(matches!(run(plan, b"", LONG), Err(Trouble::Prepare(_))));
    let plan = Plan {
        helper: "/bin/false".into(),
        ..Plan::of(["true"])
    };
    assert!(run(plan, b"", LONG).is_err());
}

#[test]
fn a_program_that_stays_answers_line_by_line() {
    for layers in every_layer() {
        let mark = mark();
        let mut program = Program::start(plan(layers, &mark, &["lines"])).unwrap();
        for n in 0..50 {
            program.ask(format!("{n}\n").as_bytes());
            let expected = format!("you said {n}").into_bytes();
            assert_eq!(program.line(LONG).unwrap(), Answer::Line(expected));
        }
        program.ask(b"crlf\n");
        assert_eq!(program.line(LONG).unwrap(), Answer::Line(b"yes".to_vec()));
        program.ask(b"hush\n");
        assert_eq!(
            program.line(Duration::from_millis(30)).unwrap(),
            Answer::Late
        );
        program.ask(b"a\nb\n");
        assert_eq!(
            program.line(LONG).unwrap(),
            Answer::Line(b"you said a".to_vec())
        );
        assert_eq!(
            program.line(LONG).unwrap(),
            Answer::Line(b"you said b".to_vec())
        );
        await_running(&mark);
        let report = program.finish(LONG).unwrap();
        assert_eq!(
            (report.outcome, report.output),
            (Outcome::Exited(0), b"bye".to_vec())
        );

        let mut program = Program::start(plan(layers, &mark, &["lines"])).unwrap();
        program.ask(b"die\n");
        assert_eq!(program.line(LONG).unwrap(), Answer::End);
        assert_eq!(program.finish(LONG).unwrap().outcome, Outcome::Signalled(6));

        let mut program = Program::start(plan(layers, &mark, &["half"])).unwrap();
        program.ask(b"go\n");
        assert_eq!(program.line(SHORT).unwrap(), Answer::Late);
        assert_eq!(program.stop().unwrap().outcome, Outcome::Stopped);

        let mut program = Program::start(plan(layers, &mark, &["babble"])).unwrap();
        program.ask(b"go\n");
        assert_eq!(program.line(LONG).unwrap(), Answer::TooMuch);
        assert_eq!(
            program.finish(LONG).unwrap().outcome,
            Outcome::TooMuchOutput
        );
        assert_eq!(running(&mark), 0);
    }
}

#[test]
fn input_that_nobody_reads_holds_nobody_up() {
    let input = vec![b'x'; 4 << 20];
    for layers in every_layer() {
        let mark = mark();
        let report = run(plan(layers, &mark, &["exit", "1"]), &input, LONG).unwrap();
        assert_eq!(report.outcome, Outcome::Exited(1));
        let report = run(plan(layers, &mark, &["sleep"]), &input, SHORT).unwrap();
        assert_eq!(report.outcome, Outcome::TimedOut);
        let plan = Plan {
            layers,
            helper: helper(),
            ..Plan::of(["wc", "-c"])
        };
        assert_eq!(run(plan, &input, LONG).unwrap().output, b"4194304\n");
    }
}

#[test]
fn dropping_a_program_ends_it_and_its_children() {
    for layers in every_layer() {
        let mark = mark();
        let program = Program::start(plan(layers, &mark, &["hang"])).unwrap();
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
    let plan = plan(layers, &mark, &["family"]);
    let plan = Plan {
        limits: Limits {
            memory: 1 << 30,
            ..plan.limits.clone()
        },
        ..plan
    };
    let program = Program::start(plan).unwrap();
    fs::create_dir_all(program.work().join("a/b")).unwrap();
    symlink("/etc/passwd", program.work().join("a/b/link")).unwrap();
    std::thread::sleep(LONG);
}

/// Not a test of its own: the referee that is started after the one that was killed.
#[test]
fn a_referee_to_sweep() {
    if std::env::var_os(SWEEPER).is_some() {
        let report = run(plan(Layers::NONE, &mark(), &["exit", "0"]), b"", LONG);
        assert_eq!(report.unwrap().outcome, Outcome::Exited(0));
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
            let plan = Plan {
                layers,
                helper: helper(),
                ..Plan::of([interpreter, flag, script])
            };
            let report = run(plan, b"", LONG).unwrap();
            let errors = String::from_utf8_lossy(&report.errors);
            assert_eq!(
                report.outcome,
                Outcome::Exited(0),
                "{interpreter}, {layers}: {errors}"
            );
            assert_eq!(report.output, b"42\n");
        }
    }
}

#[test]
fn a_rust_program_runs_in_all_layers() {
    // Without its secret word the helper is a program like any other, and gives up.
    for layers in every_layer() {
        let plan = Plan {
            layers,
            helper: helper(),
            ..Plan::typed([helper()], Path::new("/"))
        };
        let outcome = run(plan, b"", LONG).unwrap().outcome;
        assert_eq!(outcome, Outcome::Exited(2), "{layers}");
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
        let mut plan = Plan {
            layers,
            helper: helper(),
            ..Plan::typed(command, folder.path())
        };
        plan.limits.data = 2 << 30;
        let report = run(plan, b"", LONG).unwrap();
        let errors = String::from_utf8_lossy(&report.errors);
        assert_eq!(report.outcome, Outcome::Exited(0), "{layers}: {errors}");
        assert_eq!(report.output, b"42\n", "{layers}: {errors}");
    }
}

#[test]
fn commands_are_understood_as_they_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    fs::write(home.join("bot.py"), "print(42)").unwrap();
    fs::write(home.join("python3"), "").unwrap();
    let plan = Plan::typed(["python3", "bot.py", "--fast", "7"], &home);
    let script = home.join("bot.py").into_os_string();
    assert_eq!(
        plan.command,
        [
            "python3".into(),
            script.clone(),
            "--fast".into(),
            "7".into()
        ]
    );
    assert_eq!(plan.readable, std::slice::from_ref(&home));
    assert_eq!(Plan::typed(["./bot.py"], &home).command, [script]);
    assert_eq!(Plan::typed(["./missing"], &home).command, ["./missing"]);
    let nothing = Plan {
        helper: helper(),
        ..Plan::typed(Vec::<String>::new(), &home)
    };
    assert!(matches!(run(nothing, b"", LONG), Err(Trouble::Sandbox(_))));
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

/// Everything above once more as an ordinary user, if this is root and the binaries are where
/// such a user can reach them.
#[test]
fn all_of_it_as_an_ordinary_user() {
    if std::env::var_os(AS_USER).is_some() || !rustix::process::geteuid().is_root() {
        return;
    }
    let user = || {
        let mut command = Command::new("setpriv");
        command.args([
            "--reuid",
            "65534",
            "--regid",
            "65534",
            "--clear-groups",
            "--",
        ]);
        command
    };
    let me = std::env::current_exe().unwrap();
    let reach = |path: &Path| {
        user()
            .args(["test", "-x"])
            .arg(path)
            .status()
            .is_ok_and(|status| status.success())
    };
    let rogue = crate::games::rogue();
    if !reach(&me) || !reach(&helper()) || !reach(hostile()) || !reach(rogue) {
        return skip("all of it as an ordinary user, who cannot reach the binaries");
    }
    let output = user()
        .arg(&me)
        .args(["--test-threads", "2"])
        .env(AS_USER, hostile())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
}
