//! `--sandbox LEVEL`: whole games at every level that this machine reaches, with programs that report
//! what they can do there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::floe;

/// What a program can do at each level: open a file of another user, make a network socket, see the
/// process of its referee, open the terminal of its referee, and escape the kernel's count.
const CAN: [[bool; 5]; 4] = [
    [true, true, true, false, true],
    [false, false, true, false, true],
    [false, false, false, false, true],
    [false, false, false, false, false],
];

/// A Python program and one in C, with the same report before they play.
fn write_spies(folder: &Path, outside: &Path) {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let bot = fs::read_to_string(bots.join("line.py")).unwrap();
    let python = format!(
        r#"import os, socket, sys
def can(deed):
    try: deed()
    except OSError: return 0
    return 1
sees = lambda: os.stat("/proc/{referee}")
tty = lambda: open("/dev/tty", "rb+", 0)
counted = lambda: "/floe-" in open("/proc/self/cgroup").read()
print("can", can(lambda: open("{outside}")), can(socket.socket), can(sees), can(tty), int(not counted()),
      "session", int(os.getsid(0) == os.getpgid(0)), file=sys.stderr, flush=True)
{bot}"#,
        referee = std::process::id(),
        outside = outside.display(),
    );
    fs::write(folder.join("spy.py"), python).unwrap();
    let c = format!(
        r#"#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
__attribute__((constructor)) static void spy(void) {{
    static char text[4096];
    int file = open("/proc/self/cgroup", O_RDONLY);
    int counted = read(file, text, sizeof text - 1) > 0 && strstr(text, "/floe-");
    close(file);
    fprintf(stderr, "can %d %d %d %d %d session %d\n", open("{outside}", O_RDONLY) >= 0,
        socket(AF_INET, SOCK_STREAM, 0) >= 0, access("/proc/{referee}", F_OK) == 0,
        open("/dev/tty", O_RDWR) >= 0, !counted, getsid(0) == getpgid(0));
}}
"#,
        referee = std::process::id(),
        outside = outside.display(),
    );
    fs::write(folder.join("spy.c"), c).unwrap();
    let built = Command::new("cc")
        .args(["-O1", "-w", "-o", "spy", "spy.c"])
        .arg(bots.join("flood.c"))
        .current_dir(folder)
        .status();
    assert!(built.unwrap().success());
}

/// The level that this machine reaches.
fn reached() -> usize {
    let told = floe("doctor --json").output().unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    told["level"].as_u64().unwrap().try_into().unwrap()
}

#[test]
fn programs_play_at_the_level_that_was_chosen() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::set_permissions(here, fs::Permissions::from_mode(0o755)).unwrap();
    let outside = tempdir().unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let file = outside.path().join("notes");
    fs::write(&file, "x").unwrap();
    write_spies(here, &file);
    // At a terminal, which no program may have.
    let at_a_terminal = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    let reached = reached();
    for (level, can) in CAN.iter().enumerate() {
        let records = here.join(format!("level-{level}.jsonl"));
        let floe = floe(&format!(
            "match flood --setup 4x4 --pairs 1 --time 60s --start 60s --sandbox {level} --records"
        ));
        let mut command = Command::new("python3");
        command
            .args(["-c", at_a_terminal])
            .arg(floe.get_program())
            .args(floe.get_args())
            .arg(&records)
            .args(["line:/usr/bin/python3 spy.py", "./spy"])
            .current_dir(here);
        for (name, value) in floe.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let output = command.output().unwrap();
        let seen = String::from_utf8_lossy(&output.stdout);
        if level > reached {
            assert!(seen.contains("is required"), "{seen}");
            assert!(!records.exists());
            continue;
        }
        assert!(output.status.success(), "level {level}: {seen}");
        assert!(seen.contains(&format!("sandbox level {level}")), "{seen}");
        assert_eq!(
            seen.contains("programs run almost as you"),
            level == 0,
            "{seen}"
        );
        let text = fs::read_to_string(&records).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let openings: Vec<&Value> = lines
            .iter()
            .filter(|line| !line["seats"].is_null())
            .collect();
        assert_eq!(openings.len(), 2, "{text}");
        assert!(
            openings.iter().all(|line| line["sandbox"] == level),
            "{text}"
        );
        assert!(!text.contains("\"fault\""), "{text}");
        let [files, network, sees, tty, escapes] = can.map(u8::from);
        let told = format!("can {files} {network} {sees} {tty} {escapes} session 1");
        let reports = lines.iter().filter_map(|line| line["stderr"].as_str());
        let reports: Vec<&str> = reports.filter(|report| !report.is_empty()).collect();
        assert!(reports.len() > 4, "{text}");
        for report in reports {
            assert_eq!(report.trim_end(), told, "level {level}");
        }
    }
}

#[test]
fn a_level_is_chosen_for_this_machine_alone() {
    let folder = tempdir().unwrap();
    let text = "game = 'flood'\n[boards]\nsetup = '4x4'\n[entrants]\na = 'greedy'\nb = 'random'\n";
    fs::write(folder.path().join("cup.toml"), text).unwrap();
    for words in [
        "match flood greedy random --setup 4x4",
        "tournament cup.toml",
    ] {
        let words = format!("{words} --sandbox 1 --cluster nats://127.0.0.1:1");
        let output = floe(&words).current_dir(folder.path()).output().unwrap();
        let seen = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{seen}");
        assert!(seen.contains("use --require-sandbox LEVEL"), "{seen}");
    }
}
