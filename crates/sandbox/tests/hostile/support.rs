//! What the tests share: the hostile program, the layers to try it in, and a look at what is left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{OnceLock, RwLock};
use std::time::Duration;

#[path = "marks.rs"]
mod marks;

pub(crate) use marks::{mark, marked, running};

use floe_sandbox::{
    Launch, Layers, ProgramCopy, ProgramEnd, ResourceLimits, RunReport, Support, run,
};

/// Long enough for a busy machine; only programs that never end by themselves get less.
pub(crate) const LONG: Duration = Duration::from_secs(60);
pub(crate) const SHORT: Duration = Duration::from_millis(300);
/// Says that this is the run as an ordinary user, and where the compiled program is.
pub(crate) const AS_USER: &str = "FLOE_HOSTILE_AS_USER";

/// Says that this process is a referee to be killed, and the mark of its program.
pub(crate) const VICTIM: &str = "FLOE_HOSTILE_VICTIM";

/// Says that this process is a referee that starts a program and ends.
pub(crate) const SWEEPER: &str = "FLOE_HOSTILE_SWEEPER";

/// Where the kernel counts a user's processes as a whole, a bomb leaves none for other tests.
pub(crate) static PROCESSES: RwLock<()> = RwLock::new(());

pub(crate) fn helper() -> PathBuf {
    // Each crate that includes this file has a helper of its own.
    let own = option_env!("CARGO_BIN_EXE_floe-supervisor");
    let helper = own.or(option_env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    helper.expect("this crate has a helper").into()
}

/// The hostile program, compiled once.
pub(crate) fn hostile() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(path) = std::env::var_os(AS_USER) {
            return path.into();
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
        fs::create_dir_all(&folder).unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sandbox/tests/hostile");
        reachable(compile(&sources.join("hostile.c"), &folder.join("hostile")))
    })
}

/// The program where somebody else than root may start it, as programs are started by root: a copy,
/// if the folder lies in a home that is closed. The sandbox takes copies away whose process has ended.
fn reachable(program: PathBuf) -> PathBuf {
    static COPY: OnceLock<ProgramCopy> = OnceLock::new();
    if Layers::NONE.closed_folder(&program).is_none() {
        return program;
    }
    let program = program.canonicalize().unwrap();
    let files = [program.clone()];
    let copy = COPY.get_or_init(|| ProgramCopy::make("hostile", &files, &[]).unwrap());
    copy.place_of(program.as_os_str()).into()
}

/// Compiles a program to a path, in one stroke for whoever looks there meanwhile.
pub(crate) fn compile(source: &Path, path: &Path) -> PathBuf {
    let fresh = tempfile::NamedTempFile::new_in(path.parent().unwrap());
    let fresh = fresh.unwrap().into_temp_path();
    let made = Command::new("cc")
        .args(["-O1", "-w", "-pthread", "-o"])
        .arg(&fresh)
        .arg(source)
        .status();
    assert!(made.unwrap().success());
    fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755)).unwrap();
    fresh.persist(path).unwrap();
    path.to_owned()
}

/// The sets of layers this machine can give.
pub(crate) fn every_layer() -> Vec<Layers> {
    static SUPPORT: OnceLock<Support> = OnceLock::new();
    let there = SUPPORT
        .get_or_init(|| {
            let support = Support::probe(&helper());
            let missing = [&support.landlock, &support.seccomp, &support.namespaces];
            let missing = missing.into_iter().chain([&support.cgroup]);
            for missing in missing.filter_map(|layer| layer.as_ref().err()) {
                skip(&format!("a layer: {}", missing.why));
            }
            support
        })
        .layers();
    (0..=there.level()).map(Layers::up_to).collect()
}

/// Says what this machine keeps a test from trying.
pub(crate) fn skip(what: &str) {
    print(&format!("not tried here: {what}"));
}

/// For those who run tests with `--nocapture`.
#[allow(clippy::print_stderr)]
pub(crate) fn print(what: &str) {
    eprintln!("{what}");
}

pub(crate) fn confined() -> Vec<Layers> {
    every_layer()
        .into_iter()
        .filter(|layers| layers.level() > 0)
        .collect()
}

/// The words after the name in `/proc/PID/stat`, the state first; none if it is gone.
pub(crate) fn stat(process: &str) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{process}/stat")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_ascii_whitespace().map(str::to_owned).collect()
}

/// Waits until a started program shows its command line, which comes a moment after its start.
pub(crate) fn await_running(mark: &str) {
    while running(mark) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(running(mark), 1);
}

pub(crate) fn launch(layers: Layers, mark: &str, words: &[&str]) -> Launch {
    let mut command = vec![
        hostile().as_os_str().to_owned(),
        words[0].into(),
        mark.into(),
    ];
    command.extend(words[1..].iter().map(Into::into));
    let limits = ResourceLimits {
        memory: 64 << 20,
        processes: 32,
        ..ResourceLimits::default()
    };
    Launch {
        readable: vec![hostile().parent().unwrap().to_owned()],
        limits,
        layers,
        helper: helper(),
        ..Launch::of(command)
    }
}

pub(crate) fn play(layers: Layers, words: &[&str], limit: Duration) -> RunReport {
    let mark = mark();
    let report = run(launch(layers, &mark, words), b"", limit).unwrap();
    assert_eq!(
        running(&mark),
        0,
        "{words:?} left something running, {layers}"
    );
    assert_eq!(report.layers, layers);
    report
}

#[track_caller]
pub(crate) fn expect(sets: &[Layers], words: &[&str], limit: Duration, outcome: &ProgramEnd) {
    for &layers in sets {
        let report = play(layers, words, limit);
        let errors = String::from_utf8_lossy(&report.errors);
        assert_eq!(report.outcome, *outcome, "{words:?}, {layers}: {errors}");
    }
}

/// Runs all tests of this binary once more as an ordinary user, if this is root and the binaries,
/// these among them, are where such a user can reach them.
pub(crate) fn run_all_as_user(binaries: &[&Path]) {
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
    if !reach(&me) || !reach(&helper()) || !reach(hostile()) || !binaries.iter().all(|b| reach(b)) {
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
