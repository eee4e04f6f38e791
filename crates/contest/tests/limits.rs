//! The programs with input that does not end, output that cannot be written, and texts from other
//! systems; under limits on memory and file sizes as a shell sets them.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// Runs a line of shell in `folder`, with the programs' paths in `$penguins`, `$floodwars` and
/// `$gamma` and 100 MB of memory.
fn shell(folder: &Path, line: &str) -> Output {
    Command::new("timeout")
        .args(["30", "bash", "-c"])
        .arg(format!("ulimit -v 100000; {line}"))
        .env("penguins", cargo_bin!("penguins"))
        .env("floodwars", cargo_bin!("floodwars"))
        .env("gamma", cargo_bin!("gamma"))
        .current_dir(folder)
        .output()
        .expect("bash runs")
}

/// Exit code, standard output, standard error.
#[track_caller]
fn expect(line: &str, code: i32, out: &str, err: &str) {
    let folder = TempDir::new().expect("a folder");
    let output = shell(folder.path(), line);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&output.stderr), err, "{line}");
    assert_eq!(text(&output.stdout), out, "{line}");
    assert_eq!(output.status.code(), Some(code), "{line}");
    let left: Vec<_> = fs::read_dir(folder.path()).expect("it is there").collect();
    assert!(left.is_empty(), "{line} leaves {left:?}");
}

#[test]
fn input_without_an_end_is_refused_where_it_stops_being_a_text() {
    let zero = "byte 0x00 is not text";
    expect(
        "$penguins phase=movement /dev/zero out",
        2,
        "",
        &format!("/dev/zero:1:1: {zero}\n"),
    );
    expect(
        "$floodwars < /dev/zero",
        2,
        "",
        &format!("<stdin>:1:1: {zero}\n"),
    );
    expect(
        "$gamma < /dev/zero",
        1,
        "",
        "ERROR 1\ngamma: line 1 does not end: a line may have 16777216 bytes besides comments and blanks\n",
    );
    expect(
        "(echo B 1 1 1 1; cat /dev/zero) | $gamma",
        1,
        "OK 1\n",
        "ERROR 2\ngamma: line 2 does not end: a line may have 16777216 bytes besides comments and blanks\n",
    );
    expect(
        "$penguins play < /dev/zero | tail -n 1; exit ${PIPESTATUS[0]}",
        3,
        "How many players (2-9)? [2] ",
        "penguins: a line of the input has more than 1048576 bytes\n",
    );
}

#[test]
fn comments_and_blanks_of_any_length_are_skipped() {
    let long = "head -c 40000000 /dev/zero | tr '\\0'";
    expect(
        &format!("(echo B 1 1 1 1; printf '#'; {long} x; echo; echo b 1) | $gamma"),
        0,
        "OK 1\n0\n",
        "",
    );
    expect(
        &format!(
            "(echo B 1 1 1 1; printf b; {long} ' '; echo 1; {long} ' '; echo; echo f 1) | $gamma"
        ),
        0,
        "OK 1\n0\n1\n",
        "ERROR 3\n",
    );
}

#[test]
fn a_pipe_without_an_end_is_refused_where_it_is_too_long() {
    expect(
        "yes '1 1' | $penguins phase=movement /dev/stdin out",
        2,
        "",
        "/dev/stdin:262145:1: the text is longer than 1048576 bytes\n",
    );
    expect(
        "yes '@#' | $floodwars",
        2,
        "",
        "<stdin>:5592406:2: the text is longer than 16777216 bytes\n  | @\n  |  ^\n",
    );
    // The line itself is shown from a little before the place.
    let folder = TempDir::new().expect("a folder");
    let output = shell(
        folder.path(),
        "yes | tr -d '\\n' | $penguins phase=movement /dev/stdin out",
    );
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = "/dev/stdin:1:1048577: the text is longer than 1048576 bytes\n  | …yyy";
    assert!(told.starts_with(first), "{told}");
}

#[test]
fn every_program_tells_its_version() {
    let version = env!("CARGO_PKG_VERSION");
    for name in ["penguins", "floodwars", "gamma"] {
        for flag in ["--version", "-V"] {
            let said = format!("{name} {version}\n");
            expect(&format!("${name} {flag}"), 0, &said, "");
        }
        let full = shell(Path::new("/"), &format!("${name} --version > /dev/full"));
        assert!(!full.status.success(), "{name}: {full:?}");
        let told = String::from_utf8_lossy(&full.stderr).into_owned();
        assert!(told.contains("No space left"), "{name}: {told}");
    }
}

/// The game master looks at the exit code, and may have closed the rest.
#[test]
fn exit_codes_are_the_same_where_nobody_hears_the_reason() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("wrong"), "1 3\n10 20\n").expect("room");
    fs::write(folder.path().join("water"), "1 3\n00 00 00\n").expect("room");
    for (state, code) in [("wrong", 2), ("water", 1), ("missing", 3)] {
        for nowhere in ["2> /dev/full", "2>&-"] {
            let line = format!("$penguins phase=placement penguins=1 {state} out {nowhere}");
            let output = shell(folder.path(), &line);
            assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
        }
    }
}

#[test]
fn a_file_that_may_not_grow_leaves_nothing_behind() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("in"), "1 3\n10 20 30\n").expect("room");
    let line = "ulimit -f 0; $penguins phase=placement penguins=1 in out";
    let output = shell(folder.path(), line);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.starts_with("penguins: cannot write out: File too large"),
        "{told}"
    );
    let left = fs::read_dir(folder.path()).expect("it is there").count();
    assert_eq!(left, 1, "only the input");
}

#[test]
fn a_link_to_nowhere_is_not_replaced() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("in"), "1 3\n10 20 30\n").expect("room");
    let line = "ln -s nowhere out; $penguins phase=placement penguins=1 in out";
    let output = shell(folder.path(), line);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert_eq!(
        told,
        "penguins: cannot write out: it is a link to a file that is not there\n"
    );
    assert!(folder.path().join("out").is_symlink());
}

#[test]
fn a_byte_order_mark_is_read_over() {
    let board = "printf '\\xef\\xbb\\xbf1 3\\r\\n10 20 30\\r\\n' > in; \
                 $penguins phase=placement penguins=1 in out && cat out; rm -f in out";
    expect(board, 0, "1 3\n01 20 30\nfloe 1 1\n", "");
    expect(
        "printf '\\xef\\xbb\\xbfJ\\r\\n@+#\\r\\n.*+\\r\\n' | $floodwars time=50 | head -n 1",
        0,
        "S\n",
        "",
    );
    expect(
        "printf '\\xef\\xbb\\xbfB 1 1 1 1\\r\\nm 1 0 0\\r\\n' | $gamma",
        0,
        "OK 1\n1\n",
        "",
    );
    // In pieces, cut short, and where it has no business.
    expect(
        "(printf '\\xef'; sleep 0.1; printf '\\xbb\\xbfB 1 1 1 1\\n') | $gamma",
        0,
        "OK 1\n",
        "",
    );
    expect("printf '\\xef\\xbb' | $gamma", 0, "", "ERROR 1\n");
    expect(
        "printf '\\xef\\xbbB 1 1 1 1\\nB 1 1 1 1\\n\\xef\\xbb\\xbfp\\n' | $gamma",
        0,
        "OK 2\n",
        "ERROR 1\nERROR 3\n",
    );
    expect(
        "printf '\\xef\\xbb\\xbfquit\\n' | $penguins play | tail -n 1",
        0,
        "No game was started.\n",
        "",
    );
}

#[test]
fn lines_that_end_in_carriage_returns_alone_are_told_apart() {
    let alone = "a line ends in a carriage return alone";
    let help = "  = save the file with the line ends of Unix (LF) or Windows (CR LF)\n";
    let folder = TempDir::new().expect("a folder");
    for (line, place) in [
        (
            "printf '1 1\\r10\\r' | $penguins phase=movement /dev/stdin out",
            "/dev/stdin:1:4",
        ),
        ("printf 'J\\r@+#\\r.*+\\r' | $floodwars", "<stdin>:1:2"),
    ] {
        let output = shell(folder.path(), line);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.starts_with(&format!("{place}: {alone}\n")), "{told}");
        assert!(told.ends_with(help), "{told}");
        assert_eq!(output.status.code(), Some(2));
    }
    expect(
        "printf 'B 1 1 1 1\\rm 1 0 0\\r' | $gamma",
        0,
        "",
        "ERROR 1\ngamma: line 1 has carriage returns and no newline: a line must end in a \
         newline, alone (Unix) or after a carriage return (Windows)\n",
    );
    expect("printf 'B 1 1 1 1\\r' | $gamma", 0, "", "ERROR 1\n");
}
