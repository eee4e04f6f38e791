//! The same attacks under bubblewrap and here: a table for SECURITY.md.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::PoisonError;
use std::time::Duration;

use floe_sandbox::{Layers, ProgramEnd};

use crate::support::*;

/// What each attack is, as a person would say it, and its deed.
const ATTACKS: &[(&str, &[&str])] = &[
    ("reads `/etc/passwd`", &["read", "/etc/passwd"]),
    ("asks for a network socket", &["knock"]),
    ("connects to this machine", &["socket"]),
    ("traces its parent", &["ptrace"]),
    ("kills its parent", &["parent"]),
    ("hides its open files", &["hide"]),
    ("watches files", &["watch"]),
    ("gives pages to pipes (vmsplice)", &["gift"]),
    ("makes Landlock rules", &["rules"]),
    ("locks parts of files", &["locks"]),
    ("takes 2 GB of memory", &["malloc"]),
    ("fills page tables", &["tables"]),
    ("fills sockets", &["mail"]),
    ("fills pipes", &["pipes"]),
    ("makes 480,000 mappings", &["quilt"]),
    ("starts 512 processes", &["forkbomb"]),
    ("computes for ever", &["hang"]),
    ("writes without end", &["babble"]),
    ("writes 24 MB to its folder of 4 MB", &["blocks"]),
];

const TIME: Duration = Duration::from_secs(4);

/// Under bubblewrap, with so much address space and so many processes that the machine survives it.
fn under_bubblewrap(words: &[&str]) -> String {
    let shell = "ulimit -v 3000000 2>/dev/null; ulimit -u 2000 2>/dev/null; exec timeout -s KILL 4 bwrap \
                 --unshare-all --unshare-user --uid 65534 --gid 65534 --die-with-parent --new-session --clearenv \
                 --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib \
                 --symlink usr/lib64 /lib64 --proc /proc --dev /dev --size 4194304 --tmpfs /work \
                 --chdir /work --ro-bind \"$0\" /hostile /hostile \"$@\" >/dev/null 2>&1";
    let status = Command::new("sh")
        .args(["-c", shell])
        .arg(hostile())
        .args([words[0], &mark()])
        .args(&words[1..])
        .status()
        .unwrap();
    match (status.code(), status.signal()) {
        (Some(5), _) => "refused".to_owned(),
        (Some(137 | 124), _) | (None, Some(9)) => "goes on".to_owned(),
        (code, _) => format!("goes through ({})", code.unwrap_or(-1)),
    }
}

fn here(layers: Layers, words: &[&str]) -> String {
    let mut launch = launch(layers, &mark(), words);
    launch.limits.disk = 4 << 20;
    match floe_sandbox::run(launch, b"", TIME).unwrap().outcome {
        ProgramEnd::Exited(5) => "refused".to_owned(),
        ProgramEnd::TimedOut if words[0] == "hang" => "ended".to_owned(),
        ProgramEnd::TimedOut => "goes on".to_owned(),
        ProgramEnd::Exited(code) => format!("goes through ({code})"),
        _ => "ended".to_owned(),
    }
}

/// By hand: `cargo test -p floe-sandbox --test hostile -- --ignored --nocapture compare`.
#[test]
#[ignore = "prints a table, and needs bubblewrap"]
#[allow(clippy::print_stdout)]
fn the_same_attacks_elsewhere() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    if !fs::exists("/usr/bin/bwrap").unwrap() {
        return skip("bubblewrap");
    }
    let names: Vec<String> = confined()
        .iter()
        .map(|l| format!("level {}", l.level()))
        .collect();
    println!("| attack | bubblewrap | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    for (name, words) in ATTACKS {
        let ours: Vec<String> = confined().iter().map(|&l| here(l, words)).collect();
        println!(
            "| {name} | {} | {} |",
            under_bubblewrap(words),
            ours.join(" | ")
        );
    }
}
