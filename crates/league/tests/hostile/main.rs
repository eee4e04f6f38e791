//! Hostile archives, names and builds: each ends as a clear refusal, with nothing running, nothing written outside and
//! nothing left behind, as root and as an ordinary user.
#![cfg(target_os = "linux")]

mod archives;
#[path = "../../../sandbox/tests/hostile/marks.rs"]
mod marks;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use floe_league::invitation::Invite;
use floe_league::people::Guest;
use floe_league::{BuildSandbox, Judge, League, Submission, Version, VersionState};
use floe_sandbox::Support;
use marks::{mark, running};

/// Says that this is the run as an ordinary user.
const AS_USER: &str = "FLOE_HOSTILE_AS_USER";

fn helper() -> PathBuf {
    env!("CARGO_BIN_EXE_floe-league-supervisor").into()
}

/// Whether this machine can hold strangers at all; says so if it cannot.
#[allow(clippy::print_stderr)]
fn build_sandbox() -> Option<BuildSandbox> {
    let level = Support::probe(&helper()).layers().level();
    if level == 0 {
        eprintln!("not tried here: hostile builds, since there is no sandbox");
        return None;
    }
    Some(BuildSandbox::find(&helper(), 1).unwrap())
}

struct Place {
    folder: tempfile::TempDir,
    league: League,
    judge: Judge,
}

/// For builds that end by something else than the clock, on any machine.
const LONG_ENOUGH: &str = "2min";

impl Place {
    /// A league in a folder that strangers could enter, whose builds have so much time.
    fn new(build_sandbox: &BuildSandbox, build_time: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let text = format!(
            "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '4x4'\n[limits]\ntime = '20s'\n[submit]\n\
             build-time = '{build_time}'\nbuild-processes = 20\nbuild-memory = '256MiB'\n\
             build-disk = '32MiB'\n"
        );
        fs::write(folder.path().join("league.toml"), text).unwrap();
        let league = League::open(folder.path()).unwrap();
        let guests = ["one", "two"].map(|name| Guest {
            name: name.to_owned(),
            entrant: name.to_owned(),
        });
        league.invite(&guests, Invite::New).unwrap();
        let judge = Judge::take_seat(&league, build_sandbox).unwrap().unwrap();
        Place {
            folder,
            league,
            judge,
        }
    }

    fn send(&self, entrant: &str, file: &str, bytes: &[u8]) -> (Version, String) {
        let by = self.league.look(|s| s.people.named(entrant).cloned());
        let by = by.unwrap().unwrap();
        let submission = Submission {
            file: file.to_owned(),
            bytes: bytes.to_vec(),
            ..Submission::default()
        };
        let id = self.league.submit(&by, &submission).unwrap();
        let judged = self.judge.judge_next(&mut |_, _| {}).unwrap();
        assert_eq!(judged.as_ref(), Some(&id));
        let found = self.league.look(|s| s.versions.find(&id).cloned());
        let found = found.unwrap().unwrap();
        let log = self.league.log(&found).unwrap();
        (found, log)
    }

    /// Builds by a Makefile with these lines as its only rule; the log, if it is refused as it
    /// should be, with nothing left behind.
    #[track_caller]
    fn refused(&self, rule: &str) -> String {
        // The run as an ordinary user sends the same rules, beside this one.
        let process = std::process::id();
        let makefile = format!("# from process {process}\nall:\n\t{rule}\n");
        let (version, log) = self.send("one", "Makefile", makefile.as_bytes());
        assert_eq!(version.state, VersionState::Refused, "{rule}: {log}");
        assert!(!self.league.program_folder(&version.sha256).exists());
        assert_eq!(rooms_with(&makefile), Vec::<PathBuf>::new(), "{rule}");
        log
    }
}

/// The private folders in which this is built; tests beside this one have others.
fn rooms_with(makefile: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let built = fs::read_to_string(path.join("work/Makefile"));
            name.starts_with("floe-room-") && built.is_ok_and(|built| built == makefile)
        })
        .collect()
}

#[test]
fn hostile_builds_are_refused_and_leave_nothing() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let place = Place::new(&build_sandbox, "5s");

    // Never ending.
    let sleep = mark();
    let log = place.refused(&format!("sleep {sleep}"));
    assert!(log.contains("the build took longer than 5 s"), "{log}");
    assert_eq!(running(&sleep), 0);

    // Forks.
    let sleep = mark();
    let log = place.refused(&format!(
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 \
         30; do sleep {sleep} & done; wait"
    ));
    let told = ["more than 20 processes", "the build failed", "took longer"];
    assert!(told.iter().any(|told| log.contains(told)), "{log}");
    assert_eq!(running(&sleep), 0);

    // What it leaves in the background goes with it.
    let sleep = mark();
    let log = place.refused(&format!("(setsid sleep {sleep} >/dev/null 2>&1 &) ; true"));
    assert!(log.contains("is refused"), "{log}");
    assert_eq!(running(&sleep), 0);

    // Endless output, also where it is slow to come.
    let place = Place::new(&build_sandbox, LONG_ENOUGH);
    let log = place.refused("cat /dev/zero | tr '\\000' 'x'");
    assert!(log.contains("wrote more than 16 MiB of messages"), "{log}");
    let log = place.refused("yes 'a line of some length, again and again and again and again'");
    assert!(log.contains("wrote more than 16 MiB of messages"), "{log}");
    assert!(log.len() < 80 << 10, "{}", log.len());

    // A full disk.
    let log = place.refused("cat /dev/zero > big");
    let told = ["more than 32 MiB", "the build failed"];
    assert!(told.iter().any(|told| log.contains(told)), "{log}");

    // Memory.
    let log = place.refused("tail -c 1000000000 /dev/zero | tail");
    let told = ["256 MiB of memory", "the build failed", "took longer"];
    assert!(told.iter().any(|told| log.contains(told)), "{log}");
}

#[test]
fn a_build_reaches_nobody_elses_files_and_no_network() {
    let Some(build_sandbox) = build_sandbox() else {
        return;
    };
    let place = Place::new(&build_sandbox, LONG_ENOUGH);
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/flood.py");
    let starter = fs::read(starter).unwrap();
    let (theirs, log) = place.send("two", "bot.py", &starter);
    assert_eq!(theirs.state, VersionState::Accepted, "{log}");

    // Reading other people's programs, the journal, and who is on this machine.
    let program = place.league.program_folder(&theirs.sha256);
    for secret in [
        program.join("sent/bot.py"),
        program.join("built/bot.py"),
        place.folder.path().join("journal.jsonl"),
        place.folder.path().join("league.toml"),
        "/etc/passwd".into(),
    ] {
        let log = place.refused(&format!("cat {}", secret.display()));
        assert!(log.contains("the build failed"), "{log}");
        for leak in ["import", "check", "setup", "root:"] {
            let said: Vec<&str> = log
                .lines()
                .filter(|line| !line.starts_with("cat "))
                .collect();
            assert!(!said.join("\n").contains(leak), "{secret:?}: {log}");
        }
    }

    // Writing outside.
    let outside = place.folder.path().join("planted");
    fs::create_dir(&outside).unwrap();
    fs::set_permissions(&outside, fs::Permissions::from_mode(0o777)).unwrap();
    let log = place.refused(&format!("echo x > {}/file", outside.display()));
    assert!(log.contains("the build failed"), "{log}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);

    // A link to a secret, in place of the program.
    let log = place.refused(&format!(
        "ln -s {} bot",
        program.join("sent/bot.py").display()
    ));
    assert!(log.contains("the build made no program"), "{log}");

    // The network.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let code = format!("import socket; socket.create_connection((\"127.0.0.1\", {port}), 2)");
    let log = place.refused(&format!("python3 -c '{code}'"));
    assert!(log.contains("the build failed"), "{log}");
    assert!(listener.accept().is_err());

    // Theirs still plays.
    let current = place.league.look(|s| s.versions.current("two").cloned());
    assert_eq!(current.unwrap().unwrap().id, theirs.id);
}

/// Everything here once more as an ordinary user.
#[test]
#[allow(clippy::print_stderr)]
fn all_of_it_as_an_ordinary_user() {
    let is_root = fs::metadata("/proc/self").is_ok_and(|data| {
        use std::os::unix::fs::MetadataExt;
        data.uid() == 0
    });
    if std::env::var_os(AS_USER).is_some() || !is_root {
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
        let status = user().args(["test", "-x"]).arg(path).status();
        status.is_ok_and(|status| status.success())
    };
    if !reach(&me) || !reach(&helper()) {
        eprintln!("not tried here: all of it as an ordinary user, who cannot reach the binaries");
        return;
    }
    let output = user().arg(&me).env(AS_USER, "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
}
