//! System calls at random: whatever they are, nothing outside changes and the next program plays.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::PoisonError;
use std::time::Duration;

use floe_sandbox::{Launch, NextLine, Program, ProgramEnd, SupervisorPool, run};
use rustix::process::{Resource, getpriority_process, getrlimit};

use crate::support::*;

/// The limit of 64 MiB, and what the kernel and a look every 10 ms leave beyond it.
const PEAK_KIB: u64 = 96 << 10;

/// All that can be seen of a folder and what lies in it.
fn picture(folder: &Path) -> Vec<String> {
    let mut lines: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| {
            let data = entry.path().symlink_metadata().unwrap();
            let (mode, owner, size) = (data.mode(), data.uid(), data.len());
            let (changed, text) = (data.ctime_nsec(), fs::read(entry.path()));
            let name = entry.file_name();
            format!("{name:?} {mode} {owner} {size} {changed} {text:?}")
        })
        .collect();
    lines.sort();
    lines.push(format!("{}", folder.metadata().unwrap().mode()));
    lines
}

/// What this process may use, and how it is favoured.
fn limits() -> String {
    let all = [
        Resource::Cpu,
        Resource::Fsize,
        Resource::Nofile,
        Resource::Nproc,
        Resource::As,
    ];
    let limits: Vec<_> = all.into_iter().map(getrlimit).collect();
    format!("{limits:?} {:?}", getpriority_process(None))
}

/// What the machine has for all: its names, mounts and, of the user whom programs run as, objects that
/// outlive processes. A user who plays as herself may have some from elsewhere.
fn machine(user: u32) -> Vec<String> {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let files = [
        "/proc/sys/kernel/hostname",
        "/proc/sys/kernel/domainname",
        "/proc/self/mountinfo",
    ];
    let mut all: Vec<String> = files.iter().map(|file| read(file)).collect();
    if user == rustix::process::geteuid().as_raw() {
        return all;
    }
    for kind in ["shm", "msg", "sem"] {
        let table = read(&format!("/proc/sysvipc/{kind}"));
        let mut lines = table.lines().map(str::split_ascii_whitespace);
        let owner = lines
            .next()
            .and_then(|mut names| names.position(|name| name == "uid"));
        let own = owner.map(|owner| {
            let number = user.to_string();
            lines
                .filter(|line| line.clone().nth(owner) == Some(&number))
                .count()
        });
        all.push(format!("{kind}: {own:?}"));
    }
    let shared = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    let own = shared.filter(|entry| entry.metadata().is_ok_and(|data| data.uid() == user));
    all.extend(own.map(|entry| format!("{:?}", entry.path())));
    all
}

/// A process of the user who plays, outside of every sandbox: ended when dropped.
struct Bystander(Child);

impl Bystander {
    fn start() -> Bystander {
        let sleep = Command::new("sleep").arg("100000").spawn();
        let bystander = Bystander(sleep.unwrap());
        // Until it has become what it is to be.
        while !bystander.picture().contains("sleep") {
            std::thread::sleep(Duration::from_millis(1));
        }
        bystander
    }

    /// Its state, limits, cores and order of precedence.
    fn picture(&self) -> String {
        let pid = self.0.id();
        let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}"));
        let status = read("status").unwrap_or_default();
        let told = ["Name:", "Uid:", "SigIgn:", "Cpus_allowed:"];
        let told = (status.lines()).filter(|line| told.iter().any(|name| line.starts_with(name)));
        let told: Vec<&str> = told.collect();
        let is_stopped = stat(&pid.to_string())
            .first()
            .is_none_or(|state| ["T", "Z"].contains(&&**state));
        let nice = stat(&pid.to_string()).get(16).cloned();
        let limits = read("limits").unwrap_or_default();
        format!("stopped: {is_stopped}, nice: {nice:?}, {told:?}\n{limits}")
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How many calls a program says it made.
fn made(output: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(output);
    let lines = text.lines().rev();
    let mut counts = lines.filter_map(|line| line.strip_prefix("made ")?.parse().ok());
    counts.next().unwrap_or(0)
}

/// Programs that make calls at random, until each seed has made so many: nothing outside changes, and
/// the next program plays. A program that is ended for what it did is followed by another.
fn play_at_random(seeds: std::ops::RangeInclusive<u64>, calls: u64) {
    let outside = tempfile::tempdir().unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "x").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o666)).unwrap();
    let bystander = Bystander::start();
    let around = |user| {
        let files = picture(outside.path());
        (files, limits(), machine(user), bystander.picture())
    };
    for layers in confined() {
        let pool = SupervisorPool::new(&helper(), layers, 1).unwrap();
        // An opponent, which programs of root have the user in common with.
        let opponent_mark = mark();
        let mut opponent = Program::start(launch(layers, &opponent_mark, &["lines"])).unwrap();
        await_running(&opponent_mark);
        let process = format!("/proc/{}", marked(&opponent_mark)[0]);
        let user = fs::metadata(process).unwrap().uid();
        let before = around(user);
        for seed in seeds.clone() {
            let (mut done, mut tries) = (0, 0);
            while done < calls && tries < 2000 {
                let (mark, again) = (mark(), (seed + 1000 * tries).to_string());
                tries += 1;
                let wanted = (calls - done).to_string();
                let words = ["random", &again, secret.to_str().unwrap(), &wanted];
                let random = Launch {
                    pool: Some(pool.clone()),
                    ..launch(layers, &mark, &words)
                };
                // It may end in any way, but never as machine failure.
                let report = run(random, b"", LONG).unwrap();
                done += made(&report.output);
                assert_eq!(running(&mark), 0, "seed {again}, {layers}");
                assert_eq!(
                    before,
                    around(user),
                    "seed {again}, {layers}: {}",
                    report.outcome
                );
                assert!(
                    report.peak_kib < PEAK_KIB,
                    "seed {again}, {layers}: {report:?}"
                );
                opponent.send(b"still there?\n");
                let line = opponent.read_line(LONG).unwrap();
                let expected = NextLine::Line(b"you said still there?".to_vec());
                assert_eq!(line, expected, "seed {again}, {layers}");
                let honest = Launch {
                    pool: Some(pool.clone()),
                    ..launch(layers, &mark, &["exit", "7"])
                };
                let outcome = run(honest, b"", LONG).unwrap().outcome;
                assert_eq!(outcome, ProgramEnd::Exited(7), "seed {again}, {layers}");
            }
            assert!(done >= calls, "{done} calls in {tries} programs, {layers}");
            print(&format!(
                "seed {seed}: {done} calls in {tries} programs, {layers}"
            ));
        }
        assert_eq!(opponent.stop().unwrap().outcome, ProgramEnd::Stopped);
        assert_eq!(running(&opponent_mark), 0, "{layers}");
    }
}

#[test]
fn calls_at_random_change_nothing_outside() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    play_at_random(1..=3, 3000);
}

/// By hand: `cargo test -p floe-sandbox --test hostile -- --ignored --nocapture a_million`.
#[test]
#[ignore = "takes minutes"]
fn a_million_calls_of_ten_seeds_change_nothing_outside() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    play_at_random(1..=10, 1_000_000);
}
