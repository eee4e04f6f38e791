//! Real hostile programs: after each the right outcome, nothing left running, nothing written.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Duration;

use floe_arena::process::{
    Answer, Forbidden, Limits, Outcome, Plan, Program, Report, Trouble, run,
};
use floe_arena::sandbox::{Layers, Support};

const LEVEL_1: Layers = Layers {
    landlock: true,
    seccomp: true,
    namespaces: false,
};
/// Long enough for a busy machine; only programs that never end by themselves get less.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(300);
/// Says that this is the run as an ordinary user, and where the compiled program is.
const AS_USER: &str = "FLOE_HOSTILE_AS_USER";

/// Says that this process is a referee to be killed, and the mark of its program.
const VICTIM: &str = "FLOE_HOSTILE_VICTIM";

/// Where the kernel counts a user's processes as a whole, a bomb leaves none for other tests.
static PROCESSES: RwLock<()> = RwLock::new(());

fn helper() -> PathBuf {
    env!("CARGO_BIN_EXE_floe-keeper").into()
}

/// The hostile program, compiled once.
fn hostile() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(path) = std::env::var_os(AS_USER) {
            return path.into();
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
        fs::create_dir_all(&folder).unwrap();
        let fresh = tempfile::NamedTempFile::new_in(&folder)
            .unwrap()
            .into_temp_path();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/hostile.c");
        let made = Command::new("cc")
            .args(["-O1", "-w", "-o"])
            .arg(&fresh)
            .arg(source)
            .status();
        assert!(made.unwrap().success());
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755)).unwrap();
        let path = folder.join("hostile");
        fresh.persist(&path).unwrap();
        path
    })
}

/// The sets of layers this machine can give.
fn every_layer() -> Vec<Layers> {
    static SUPPORT: OnceLock<Support> = OnceLock::new();
    let there = SUPPORT.get_or_init(|| Support::probe(&helper())).layers();
    let mut sets = vec![Layers::NONE];
    if there.landlock && there.seccomp {
        sets.push(LEVEL_1);
    }
    if there == Layers::ALL {
        sets.push(Layers::ALL);
    }
    sets
}

fn confined() -> Vec<Layers> {
    every_layer()
        .into_iter()
        .filter(|layers| layers.level() > 0)
        .collect()
}

/// A mark that no other process in the world carries on its command line.
fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(
        "mark-{}-{}-",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

fn running(mark: &str) -> usize {
    let found = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        line.windows(mark.len())
            .any(|part| part == mark.as_bytes())
            .then_some(())
    };
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(found)
        .count()
}

/// Waits until a started program shows its command line, which comes a moment after its start.
fn await_running(mark: &str) {
    while running(mark) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(running(mark), 1);
}

fn plan(layers: Layers, mark: &str, words: &[&str]) -> Plan {
    let mut command = vec![
        hostile().as_os_str().to_owned(),
        words[0].into(),
        mark.into(),
    ];
    command.extend(words[1..].iter().map(Into::into));
    let limits = Limits {
        memory: 64 << 20,
        processes: 32,
        ..Limits::default()
    };
    Plan {
        readable: vec![hostile().parent().unwrap().to_owned()],
        limits,
        layers,
        helper: helper(),
        ..Plan::of(command)
    }
}

fn play(layers: Layers, words: &[&str], limit: Duration) -> Report {
    let mark = mark();
    let report = run(plan(layers, &mark, words), b"", limit).unwrap();
    assert_eq!(
        running(&mark),
        0,
        "{words:?} left something running, {layers}"
    );
    assert_eq!(report.layers, layers);
    report
}

#[track_caller]
fn expect(sets: &[Layers], words: &[&str], limit: Duration, outcome: &Outcome) {
    for &layers in sets {
        let report = play(layers, words, limit);
        let errors = String::from_utf8_lossy(&report.errors);
        assert_eq!(report.outcome, *outcome, "{words:?}, {layers}: {errors}");
    }
}

#[test]
fn programs_that_do_not_end_are_ended() {
    for what in ["hang", "sleep", "half", "mute"] {
        expect(&every_layer(), &[what], SHORT, &Outcome::TimedOut);
    }
    let report = play(every_layer()[0], &["half"], SHORT);
    assert_eq!(report.output, b"half");
    assert!(report.wall >= SHORT);
}

#[test]
fn ends_of_their_own_are_told_apart() {
    expect(&every_layer(), &["exit", "0"], LONG, &Outcome::Exited(0));
    expect(&every_layer(), &["exit", "42"], LONG, &Outcome::Exited(42));
    expect(&every_layer(), &["segfault"], LONG, &Outcome::Signalled(11));
    expect(&every_layer(), &["abort"], LONG, &Outcome::Signalled(6));
    expect(&every_layer(), &["group"], LONG, &Outcome::Signalled(9));
}

#[test]
fn a_fork_bomb_goes_off_in_a_box() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    for layers in every_layer() {
        let outcome = play(layers, &["forkbomb"], SHORT).outcome;
        let stopped =
            [Outcome::TimedOut, Outcome::Forbidden(Forbidden::Processes)].contains(&outcome);
        assert!(stopped, "{outcome:?}, {layers}");
    }
}

#[test]
fn orphans_do_not_outlive_the_program() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(&every_layer(), &["orphan"], LONG, &Outcome::Exited(0));
}

#[test]
fn memory_is_counted_however_it_is_taken() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(&every_layer(), &["malloc"], LONG, &Outcome::TooMuchMemory);
    expect(&every_layer(), &["family"], LONG, &Outcome::TooMuchMemory);
    expect(&[Layers::NONE], &["shared"], LONG, &Outcome::TooMuchMemory);
    expect(&confined(), &["shared"], LONG, &Outcome::Exited(3));
}

#[test]
fn pages_in_common_are_counted_once() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(&every_layer(), &["cousins"], LONG, &Outcome::Exited(0));
}

#[test]
fn endless_output_is_cut_off() {
    for layers in every_layer() {
        let report = play(layers, &["babble"], LONG);
        assert_eq!(report.outcome, Outcome::TooMuchOutput, "{layers}");
        assert_eq!(report.output.len(), Limits::default().output);
    }
}

#[test]
fn of_a_gigabyte_of_errors_the_end_is_kept() {
    let report = play(*every_layer().last().unwrap(), &["gigabyte"], LONG);
    assert_eq!(report.outcome, Outcome::Exited(0));
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
            (Outcome::Exited(0), vec![0; 100])
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
    let refused = Outcome::Exited(5);
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
        expect(&confined(), &["read", path], LONG, &Outcome::Exited(0));
    }
    expect(
        &every_layer(),
        &["write", "/dev/null"],
        LONG,
        &Outcome::Exited(0),
    );
}

#[test]
fn the_working_directory_is_private_and_passes_away() {
    for layers in every_layer() {
        let mark = mark();
        for words in [&["write", "here"][..], &["cave"]] {
            let program = Program::start(plan(layers, &mark, words)).unwrap();
            let work = program.work().to_owned();
            assert!(work.exists());
            assert_eq!(
                program.finish(LONG).unwrap().outcome,
                Outcome::Exited(0),
                "{layers}"
            );
            assert!(!work.exists());
        }

        let own = tempfile::tempdir().unwrap();
        fs::write(own.path().join("state"), "old").unwrap();
        let path = own.path().join("state");
        let words = ["write", path.to_str().unwrap()];
        let plan = Plan {
            work: Some(own.path().to_owned()),
            ..plan(layers, &mark, &words)
        };
        assert_eq!(
            run(plan, b"", LONG).unwrap().outcome,
            Outcome::Exited(0),
            "{layers}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"xld");
    }
}

#[test]
fn files_do_not_grow_for_ever() {
    expect(&every_layer(), &["fill"], LONG, &Outcome::Signalled(25));
}

#[test]
fn processor_time_runs_out() {
    let layers = *every_layer().last().unwrap();
    let mut plan = plan(layers, &mark(), &["hang"]);
    plan.limits.cpu_seconds = 1;
    let report = run(plan, b"", LONG).unwrap();
    assert_eq!(report.outcome, Outcome::TimedOut);
    // The kernel's two ways to count differ on a busy machine; both count.
    assert!(report.cpu >= Duration::from_millis(300), "{:?}", report.cpu);
}

#[test]
fn forbidden_calls_are_faults() {
    let forbidden = Outcome::Forbidden(Forbidden::SystemCall);
    expect(&confined(), &["socket"], LONG, &forbidden);
    expect(&confined(), &["ptrace"], LONG, &forbidden);
    expect(&confined(), &["parent"], LONG, &forbidden);
    expect(&confined(), &["kill", "-1"], LONG, &forbidden);
    // Only asking is refused and no fault: some languages ask without being told to.
    expect(&confined(), &["knock"], LONG, &Outcome::Exited(5));
    expect(&confined(), &["local"], LONG, &Outcome::Exited(5));
    expect(&confined(), &["pair"], LONG, &Outcome::Exited(0));
    // In a pid namespace the referee's number means nobody.
    let me = std::process::id().to_string();
    for layers in confined() {
        let outcome = play(layers, &["kill", &me], LONG).outcome;
        let expected = if layers.namespaces {
            Outcome::Exited(5)
        } else {
            forbidden.clone()
        };
        assert_eq!(outcome, expected, "{layers}");
    }
}

#[test]
fn even_without_layers_the_keeper_is_safe_or_its_end_is_a_fault() {
    let outcome = play(Layers::NONE, &["parent"], LONG).outcome;
    let root = rustix::process::geteuid().is_root();
    let expected = if root {
        Outcome::Exited(5)
    } else {
        Outcome::Forbidden(Forbidden::Keeper)
    };
    assert_eq!(outcome, expected);
}

#[test]
fn nobody_runs_as_root_or_with_foreign_descriptors() {
    expect(&every_layer(), &["fds"], LONG, &Outcome::Exited(0));
    if rustix::process::geteuid().is_root() {
        expect(&every_layer(), &["who"], LONG, &Outcome::Exited(0));
    }
}

#[test]
fn the_environment_is_clean() {
    for layers in every_layer() {
        let mut plan = Plan {
            layers,
            helper: helper(),
            ..Plan::of(["env"])
        };
        plan.environment.push(("EXTRA".into(), "1".into()));
        let report = run(plan, b"", LONG).unwrap();
        assert_eq!(report.outcome, Outcome::Exited(0), "{layers}");
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
    let layers = [Layers::NONE, LEVEL_1, Layers::ALL];
    let layers = layers[usize::from(mark.as_bytes()[0] - b'0')];
    let own = PathBuf::from(std::env::var_os("WORK").unwrap());
    let plan = Plan {
        work: Some(own),
        ..plan(layers, &mark, &["family"])
    };
    let plan = Plan {
        limits: Limits {
            memory: 1 << 30,
            ..plan.limits.clone()
        },
        ..plan
    };
    let _program = Program::start(plan).unwrap();
    std::thread::sleep(LONG);
}

#[test]
fn a_killed_referee_takes_its_programs_along() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    for layers in every_layer() {
        let mark = format!("{}{}", layers.level(), mark());
        let work = tempfile::tempdir().unwrap();
        let mut referee = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_referee_to_be_killed"])
            .env(VICTIM, &mark)
            .env("WORK", work.path())
            .env(AS_USER, hostile())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while running(&mark) < 9 {
            std::thread::sleep(Duration::from_millis(1));
            assert!(referee.try_wait().unwrap().is_none());
        }
        referee.kill().unwrap();
        referee.wait().unwrap();
        while running(&mark) > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
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
fn java_runs_in_all_layers() {
    if !Path::new("/usr/bin/java").exists() {
        return;
    }
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let source = "class Bot { public static void main(String[] a) { \
                  System.out.println(6 * 7 + 0 * new java.security.SecureRandom().nextInt()); } }";
    fs::write(folder.path().join("Bot.java"), source).unwrap();
    for layers in every_layer() {
        let command = ["java", "-XX:+UseSerialGC", "-Xmx128m", "Bot.java"];
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
    if !reach(&me) || !reach(&helper()) || !reach(hostile()) {
        return;
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
