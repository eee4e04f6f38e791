//! Python as people have it: a virtual environment with a package in it, and an interpreter behind a
//! script on the path, as pyenv has it.
#![allow(clippy::print_stderr, reason = "a test says why it was skipped")]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use floe_games::record::Record;
use tempfile::{TempDir, tempdir};

use crate::floe;

/// A line program of Flood Wars that cannot play without a package, and tries to read the file that
/// it is given.
const BOT: &str = r#"
import sys
import colours
print("prefix", sys.prefix, file=sys.stderr)
try:
    print("read", open(SECRET).read(), file=sys.stderr)
except OSError:
    print("refused", file=sys.stderr)
sys.stderr.flush()
input()
print("ok", flush=True)
while True:
    line = sys.stdin.readline()
    if line.startswith("end") or not line:
        break
    if line.startswith("go"):
        print("move", colours.other(*ends), flush=True)
    elif len(line.strip()) == 4:
        rows.append(line.strip())
        ends = rows[-1][0], rows[0][-1]
    else:
        rows = []
"#;

const PACKAGE: &str = "def other(a, b):\n    return next(c for c in '@#+.*' if c not in (a, b))\n";

/// A folder that programs, which never run as root, can reach, with a bot and a secret beside it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let work = folder.path().canonicalize().unwrap().join("work");
    fs::create_dir(&work).unwrap();
    let secret = folder.path().canonicalize().unwrap().join("secret");
    fs::write(&secret, "a secret").unwrap();
    fs::write(
        work.join("bot.py"),
        BOT.replace("SECRET", &format!("{secret:?}")),
    )
    .unwrap();
    (folder, work)
}

/// An interpreter of Python: where it is, and its version such as `3.11`.
fn python(word: &str) -> Option<(PathBuf, String)> {
    let asked = "import sys; print(sys.executable, '%d.%d' % sys.version_info[:2])";
    let said = Command::new(word).args(["-I", "-c", asked]).output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    let (path, version) = said.trim().split_once(' ')?;
    Some((Path::new(path).canonicalize().ok()?, version.to_owned()))
}

/// The record of one game against `greedy`; `path` is where programs are looked for first.
fn played(seat: &str, work: &Path, path: Option<&Path>) -> Record {
    let mut command = floe("match flood greedy");
    let words = "--pairs 1 --setup 4x4 --time 60s --start 60s --records m.jsonl";
    command.arg(seat).args(words.split(' ')).current_dir(work);
    if let Some(first) = path {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let all = [OsString::from(first), others].join(OsStr::new(":"));
        command.env("PATH", all);
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{seat}: {told}");
    let text = fs::read(work.join("m.jsonl")).unwrap();
    let record = floe_games::record::read(&text[..]).next().unwrap().unwrap();
    assert!(record.faults().next().is_none(), "{seat}: {record:#?}");
    record
}

fn told(record: &Record) -> String {
    record
        .moves()
        .iter()
        .map(|made| made.stderr.as_str())
        .collect()
}

#[test]
fn a_virtual_environment_plays_with_its_packages_and_reads_nothing_else() {
    let (_folder, work) = place();
    let made = Command::new("python3")
        .args(["-m", "venv", "--without-pip", ".venv"])
        .current_dir(&work)
        .output();
    let Some((_, version)) =
        python("python3").filter(|_| made.is_ok_and(|made| made.status.success()))
    else {
        eprintln!("skipped: `python3 -m venv` makes no environment here");
        return;
    };
    let packages = work.join(format!(".venv/lib/python{version}/site-packages"));
    fs::create_dir_all(packages.join("colours")).unwrap();
    fs::write(packages.join("colours/__init__.py"), PACKAGE).unwrap();

    let record = played("line:.venv/bin/python bot.py", &work, None);
    let names: Vec<&str> = (record.opening.interpreters.iter())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, [format!("Python {version} in .venv")]);
    let said = told(&record);
    let prefix = format!("prefix {}", work.join(".venv").display());
    assert!(said.contains(&prefix), "{said}");
    // Lower levels do not hide files.
    if record.opening.sandbox == Some(3) {
        assert!(
            said.contains("refused") && !said.contains("a secret"),
            "{said}"
        );
    }

    // The check names it too, and without the environment it names what is missing.
    let words = [
        "check", "program", "flood", "--setup", "4x4", "--time", "60s",
    ];
    let check = |seat: &str| {
        let output = floe("")
            .args(words)
            .arg(seat)
            .current_dir(&work)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let checked = check("line:.venv/bin/python bot.py");
    assert!(
        checked.contains(&format!("Python {version} in .venv")),
        "{checked}"
    );
    let without = check("line:python3 bot.py");
    assert!(without.contains("No module named 'colours'"), "{without}");
}

#[test]
fn an_interpreter_behind_a_script_on_the_path_plays_with_its_packages() {
    let (folder, work) = place();
    let Some((python, version)) = python("/usr/bin/python3") else {
        eprintln!("skipped: this machine has no /usr/bin/python3");
        return;
    };
    let library = Path::new("/usr/lib").join(format!("python{version}"));
    if !library.join("os.py").is_file() {
        eprintln!("skipped: {} has no modules of Python", library.display());
        return;
    }
    // As pyenv lays it out: versions, and scripts of which each finds its program.
    let top = folder.path().canonicalize().unwrap().join("pyenv");
    let prefix = top.join(format!("versions/{version}.9"));
    let own = prefix.join(format!("lib/python{version}"));
    fs::create_dir_all(prefix.join("bin")).unwrap();
    fs::create_dir_all(&own).unwrap();
    for entry in fs::read_dir(&library).unwrap().flatten() {
        let _ = symlink(entry.path(), own.join(entry.file_name()));
    }
    // Systems differ in where packages lie; all look here.
    fs::write(own.join("colours.py"), PACKAGE).unwrap();
    let program = prefix.join(format!("bin/python{version}"));
    fs::copy(&python, &program).unwrap();
    symlink(format!("python{version}"), prefix.join("bin/python")).unwrap();
    fs::create_dir(top.join("shims")).unwrap();
    let shim = top.join("shims/python");
    fs::write(
        &shim,
        format!(
            "#!/bin/sh\nexec {:?} \"$@\"\n",
            program.display().to_string()
        ),
    )
    .unwrap();
    fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).unwrap();

    let record = played("line:python bot.py", &work, Some(&top.join("shims")));
    let names: Vec<&str> = (record.opening.interpreters.iter())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, [format!("Python {version} on the path")]);
    let said = told(&record);
    assert!(
        said.contains(&format!("prefix {}", prefix.display())),
        "{said}"
    );
    if record.opening.sandbox == Some(3) {
        assert!(
            said.contains("refused") && !said.contains("a secret"),
            "{said}"
        );
    }
}
