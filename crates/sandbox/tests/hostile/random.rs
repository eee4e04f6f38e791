//! System calls at random: whatever they are, nothing outside changes and the next program plays.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::PoisonError;

use floe_sandbox::{KeeperPool, Launch, ProgramEnd, run};
use rustix::process::{Resource, getpriority_process, getrlimit};

use crate::support::*;

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
    let before = (picture(outside.path()), limits());
    for layers in confined() {
        let pool = KeeperPool::new(&helper(), layers, 1).unwrap();
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
                // It may end in any way, but never as trouble of the machine.
                let report = run(random, b"", LONG).unwrap();
                done += made(&report.output);
                assert_eq!(running(&mark), 0, "seed {again}, {layers}");
                let after = (picture(outside.path()), limits());
                assert_eq!(before, after, "seed {again}, {layers}: {}", report.outcome);
                let honest = Launch {
                    pool: Some(pool.clone()),
                    ..launch(layers, &mark, &["exit", "7"])
                };
                let outcome = run(honest, b"", LONG).unwrap().outcome;
                assert_eq!(outcome, ProgramEnd::Exited(7), "seed {again}, {layers}");
            }
            assert!(done >= calls, "{done} calls in {tries} programs, {layers}");
            said(&format!(
                "seed {seed}: {done} calls in {tries} programs, {layers}"
            ));
        }
    }
}

#[allow(clippy::print_stderr)]
fn said(what: &str) {
    eprintln!("{what}");
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
    play_at_random(1..=10, 100_000);
}
