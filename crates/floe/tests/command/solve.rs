use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::{finished, floe, transcript};

/// What a machine reads, and the exit code.
fn json(arguments: &str, folder: &Path) -> (Value, i32) {
    let mut command = floe(&format!("{arguments} --json"));
    let output = command.current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let code = output.status.code().unwrap();
    (serde_json::from_str(&text).unwrap(), code)
}

const BOARD: &str = "gamma 4x3,areas=2";

#[test]
fn a_small_board_is_proven_with_its_best_line() {
    let folder = tempdir().unwrap();
    for arguments in [BOARD, "flood 6x6", "penguins 4x4,penguins=1 --seed 2"] {
        let (proof, code) = json(&format!("solve {arguments}"), folder.path());
        assert_eq!((code, &proof["proven"]), (0, &true.into()), "{proof}");
        assert_eq!(proof["lower"], proof["upper"]);
        assert_eq!(proof["line"][0], proof["move"]);
        let scores: Vec<i64> = serde_json::from_value(proof["scores"].clone()).unwrap();
        assert_eq!(scores[0] - scores[1], proof["lower"].as_i64().unwrap());
    }
    let seen = transcript(&format!("solve {BOARD}"), folder.path(), "");
    assert!(
        seen.contains("player 1") && seen.contains("proven"),
        "{seen}"
    );
}

#[test]
fn a_table_continues_a_proof_and_hints_know_it() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let (whole, _) = json(&format!("solve {BOARD}"), folder);
    let nodes = whole["nodes"].as_u64().unwrap() / 3;
    let part = format!("solve {BOARD} --table t.proof --nodes {}", nodes.max(1));
    let (first, code) = json(&part, folder);
    assert_eq!((code, &first["proven"]), (1, &false.into()), "{first}");
    let seen = transcript(&format!("{part} --seed 1"), folder, "");
    assert!(
        seen.contains("continues from t.proof") || seen.contains("proven"),
        "{seen}"
    );
    let (last, code) = json(&format!("solve {BOARD} --table t.proof"), folder);
    assert_eq!(code, 0);
    assert_eq!(last["scores"], whole["scores"]);

    let (start, _) = json("new gamma --setup 4x3,areas=2", folder);
    fs::write(folder.join("b.txt"), start["position"].as_str().unwrap()).unwrap();
    let (plain, _) = json("hint gamma b.txt --nodes 10 --limit 1", folder);
    assert_eq!(plain["moves"][0]["proven"], false);
    let hint = "hint gamma b.txt --nodes 10 --table t.proof";
    let (hint, _) = json(hint, folder);
    assert_eq!(hint["moves"][0]["proven"], true);
    assert_eq!(hint["moves"][0]["lead"], whole["lower"]);
    // The same from a file.
    let (again, _) = json("solve gamma --file b.txt --table t.proof", folder);
    assert_eq!(again["lower"], whole["lower"]);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_writes_the_table() {
    use std::process::{Command, Stdio};
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("floe"));
    command
        .args(["solve", "gamma", "9x9", "--table", "t.proof"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Until the process catches interrupts, the second signal.
    let caught = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        u64::from_str_radix(mask.unwrap_or("0").trim(), 16).unwrap() & 0b10 != 0
    };
    while !caught() {
        std::thread::yield_now();
    }
    assert!(child.try_wait().unwrap().is_none());
    let id = child.id().to_string();
    let interrupt = Command::new("kill").args(["-INT", &id]).status();
    assert!(interrupt.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("continues from t.proof"), "{said}");
    let table = fs::read_to_string(folder.join("t.proof")).unwrap();
    assert!(table.starts_with("floe-proofs-1 gamma "), "{table}");
}

#[test]
fn what_cannot_be_proven_is_explained() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let (_, code) = json("solve flood 4x4 --table t.proof", folder);
    assert_eq!(code, 0);
    fs::write(folder.join("over.txt"), finished("gamma")).unwrap();
    for (arguments, why) in [
        ("solve gamma", "SETUP"),
        ("solve gamma 4x4,players=3", "one or two players"),
        (
            "solve gamma 3x3 --table t.proof",
            "a table of flood, not of gamma",
        ),
        ("solve gamma 3x3 --file b.txt", "cannot be used with"),
        ("solve gamma --file over.txt", "the game is over"),
        ("hint gamma over.txt --table none.proof", "--- exit 1"),
        ("solve gamma 3x3 --table over.txt", "not a table"),
    ] {
        let seen = transcript(arguments, folder, "");
        assert!(seen.contains(why), "{seen}");
        assert!(
            seen.ends_with("--- exit 2\n") || why == "--- exit 1",
            "{seen}"
        );
    }
}
