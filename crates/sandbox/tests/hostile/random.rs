//! System calls at random: whatever they are, nothing outside changes and the next program plays.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::PoisonError;

use floe_sandbox::{KeeperPool, Launch, ProgramEnd, run};
use rustix::process::{Resource, getpriority_process, getrlimit};

use crate::support::*;

/// Children with 40 calls each.
const CHILDREN: &str = "60";

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

#[test]
fn calls_at_random_change_nothing_outside() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    let outside = tempfile::tempdir().unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "x").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o666)).unwrap();
    let before = (picture(outside.path()), limits());
    for layers in confined() {
        let pool = KeeperPool::new(&helper(), layers, 1).unwrap();
        for seed in 1..=6 {
            let (mark, seed) = (mark(), seed.to_string());
            let words = ["random", &seed, secret.to_str().unwrap(), CHILDREN];
            let random = Launch {
                pool: Some(pool.clone()),
                ..launch(layers, &mark, &words)
            };
            // It may end in any way, but never as trouble of the machine.
            let report = run(random, b"", LONG).unwrap();
            assert_eq!(running(&mark), 0, "seed {seed}, {layers}");
            let after = (picture(outside.path()), limits());
            assert_eq!(before, after, "seed {seed}, {layers}: {}", report.outcome);
            let honest = Launch {
                pool: Some(pool.clone()),
                ..launch(layers, &mark, &["exit", "7"])
            };
            let outcome = run(honest, b"", LONG).unwrap().outcome;
            assert_eq!(outcome, ProgramEnd::Exited(7), "seed {seed}, {layers}");
        }
    }
}
