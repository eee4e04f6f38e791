//! The program `gamma` from outside: bytes on standard input, results, errors and the exit code.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::cargo_bin;

struct Ran {
    output: String,
    errors: String,
    code: Option<i32>,
}

fn gamma() -> Command {
    Command::new(cargo_bin!("gamma"))
}

fn run(input: impl AsRef<[u8]>) -> Ran {
    let output = assert_cmd::Command::from_std(gamma())
        .write_stdin(input.as_ref())
        .output()
        .expect("the program runs");
    Ran {
        output: String::from_utf8(output.stdout).expect("text"),
        errors: String::from_utf8(output.stderr).expect("text"),
        code: output.status.code(),
    }
}

/// Runs the lines and compares everything.
#[track_caller]
fn expect(input: impl AsRef<[u8]>, output: &str, errors: &str) {
    let ran = run(input);
    assert_eq!(ran.output, output, "results");
    assert_eq!(ran.errors, errors, "errors");
    assert_eq!(ran.code, Some(0), "exit code");
}

#[test]
fn a_game_with_every_command() {
    expect(
        "B 4 3 2 1\nm 1 0 0\nm 1 1 0\nm 1 3 2\nm 2 2 0\nb 1\nf 1\nf 2\nq 1\nq 2\ng 2 0 0\n\
         g 2 1 0\ng 2 0 0\np\n",
        "OK 1\n1\n1\n0\n1\n2\n2\n2\n1\n1\n0\n1\n0\n....\n....\n122.\n",
        "",
    );
}

#[test]
fn ten_players_are_drawn_in_columns() {
    expect(
        "B 2 2 10 1\nm 10 1 0\nm 1 0 1\np\n",
        "OK 1\n1\n1\n 1  .\n . 10\n",
        "",
    );
}

#[test]
fn nothing_in_nothing_out() {
    expect("", "", "");
    expect("\n\n# only a comment", "", "");
}

#[test]
fn lines_count_from_one_whatever_they_are() {
    expect(
        "# one\n\nB 1 1 1 1\n\n#\nx\n\np\n \np",
        "OK 3\n.\n",
        "ERROR 6\nERROR 9\nERROR 10\n",
    );
}

#[test]
fn numbers_off_the_board_are_not_errors() {
    expect(
        "B 2 2 2 2\nm 0 0 0\nm 3 0 0\nm 1 2 0\nm 1 0 2\nm 4294967295 0 0\nm 1 4294967295 0\n\
         g 0 0 0\ng 3 0 0\nb 0\nb 3\nf 0\nf 3\nf 4294967295\nq 0\nq 3\nf 1\n",
        &format!("OK 1\n{}4\n", "0\n".repeat(15)),
        "",
    );
    expect(
        "B 2 2 2 2\nm 1 4294967296 0\nb 99999999999999999999\n",
        "OK 1\n",
        "ERROR 2\nERROR 3\n",
    );
}

#[test]
fn before_the_game_only_a_good_b_will_do() {
    expect(
        "p\nm 1 0 0\nB 0 1 1 1\nB 1 0 1 1\nB 1 1 0 1\nB 1 1 1 0\n\
         B 4294967295 4294967295 4294967295 4294967295\nB 1 1 1\nb 1\nB 2 1 1 1\np\n",
        "OK 10\n..\n",
        &(1..10)
            .map(|line| format!("ERROR {line}\n"))
            .collect::<String>(),
    );
}

#[test]
fn a_second_game_is_an_error() {
    expect(
        "B 2 1 1 1\nm 1 0 0\nB 3 3 3 3\nI 3 3 3 3\np\n",
        "OK 1\n1\n1.\n",
        "ERROR 3\nERROR 4\n",
    );
}

#[test]
fn the_interactive_game_takes_keys_from_the_same_input() {
    expect(
        "I 3 2 2 1\n \x1b[C ",
        "...\n12.\nPLAYER 1 1\nPLAYER 2 1\n",
        "",
    );
    // Wrong lines before it count; after it there are no lines.
    expect(
        "# a comment\nI 0 1 1 1\nI 1 1 1 1 1\nI 2 1 1 1\nB 3 3 3 3\np\n ",
        "1.\nPLAYER 1 1\n",
        "ERROR 2\nERROR 3\n",
    );
    expect("I 1 1 1 1", "", "ERROR 1\n");
}

#[test]
fn an_interactive_game_ends_by_itself_with_control_d_and_with_the_input() {
    let empty = "..\n..\nPLAYER 1 0\n";
    // The end of the input ends it, also before the first key and where nobody can see it.
    expect("I 2 2 1 4\n", empty, "");
    expect("I 2 2 1 4\n\x04    ", empty, "");
    expect("I 2 2 1 4\n\x1b\x1b\x1b[\x04  ", empty, "");
    let full = "11\n11\nPLAYER 1 4\n";
    expect("I 2 2 1 4\n \x1b[C \x1b[A \x1b[D  g c \x1b[B", full, "");
    // A board full of golden moves: 1, 2, then each takes the other's field.
    expect("I 2 1 2 1\n \x1b[C Gg", "12\nPLAYER 1 1\nPLAYER 2 1\n", "");
}

#[test]
fn passing_over_giving_up_and_wrong_actions() {
    // 1 gives up; 2 takes a field, tries it again; 1 takes the other; both golden moves are made.
    expect(
        "I 2 1 2 1\nc  cc\x1b[C g\x1b[Dg",
        "12\nPLAYER 1 1\nPLAYER 2 1\n",
        "",
    );
    expect(
        b"I 3 1 12 1\nx\0\xff \x1b[C\x1bOC \x04",
        " 1  .  2\nPLAYER 1 1\nPLAYER 2 1\nPLAYER 3 0\nPLAYER 4 0\nPLAYER 5 0\nPLAYER 6 0\n\
         PLAYER 7 0\nPLAYER 8 0\nPLAYER 9 0\nPLAYER 10 0\nPLAYER 11 0\nPLAYER 12 0\n",
        "",
    );
}

#[test]
fn a_hundred_thousand_escapes_and_long_boards() {
    let mut input = b"I 300 300 2 1\n".to_vec();
    input.extend([0x1b; 100_000]);
    input.extend(b"[A ");
    input.extend(b"\x1b[C".repeat(100_000));
    input.extend(b" ");
    let ran = run(&input);
    assert_eq!(ran.code, Some(0));
    let rows: Vec<&str> = ran.output.lines().collect();
    assert_eq!(rows[298], format!("1{}2", ".".repeat(298)));
    assert_eq!(rows[300..], ["PLAYER 1 1", "PLAYER 2 1"]);
}

/// The first line may come long before the keys, and the keys one by one.
#[test]
fn keys_may_come_late_and_in_pieces() {
    let mut child = start();
    let mut to = child.stdin.take().expect("a pipe");
    for bytes in [
        &b"I 2"[..],
        b" 1 2 1",
        b"\n",
        b" ",
        b"\x1b",
        b"[",
        b"C",
        b" ",
    ] {
        to.write_all(bytes).expect("it reads");
        to.flush().expect("it reads");
        std::thread::yield_now();
    }
    drop(to);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "12\nPLAYER 1 1\nPLAYER 2 1\n"
    );
}

#[test]
fn carriage_returns_nul_bytes_and_foreign_letters() {
    expect(
        b"B 2 1 1 1\r\nm 1 0 0\r\n\r\n#\0\xff\xfe\nm 1 \0 0\np\0\nm 1 1 0\xff\n\xc5\x82\np\r\n",
        "OK 1\n1\n1.\n",
        "ERROR 3\nERROR 5\nERROR 6\nERROR 7\nERROR 8\n",
    );
}

#[test]
fn the_last_line_needs_its_newline() {
    expect("B 1 1 1 1", "", "ERROR 1\n");
    expect("B 1 1 1 1\np", "OK 1\n", "ERROR 2\n");
    expect("B 1 1 1 1\n# p", "OK 1\n", "");
    expect("B 1 1 1 1\nx", "OK 1\n", "ERROR 2\n");
}

#[test]
fn lines_of_megabytes_work() {
    let many = 3 << 20;
    let blanks = " ".repeat(many);
    let zeros = "0".repeat(many);
    let noise = "x".repeat(many);
    let nines = "9".repeat(many);
    expect(
        format!(
            "#{noise}\nB{blanks}2 {zeros}1 1{blanks}1{blanks}\nm 1 {zeros}1 0\nm 1 {nines} 0\n\
             {noise}\n{blanks}\np{blanks}\nm 1 1 0{noise}"
        ),
        "OK 2\n1\n.1\n",
        "ERROR 4\nERROR 5\nERROR 6\nERROR 8\n",
    );
}

/// Blocks of input and output are 64 KiB; nothing may be lost or doubled around their borders.
#[test]
fn long_input_and_output_keep_their_order() {
    let mut input = String::from("B 300 200 1 60000\n");
    let mut output = String::from("OK 1\n");
    let mut errors = String::new();
    let mut line = 1;
    for i in 0..60_000_u32 {
        input += &format!("m 1 {} {}\nb 1\n", i % 300, i / 300);
        output += &format!("1\n{}\n", i + 1);
        line += 2;
        if i % 3 == 0 {
            input += "wrong\n";
            line += 1;
            errors += &format!("ERROR {line}\n");
        }
        if i % 10_000 == 0 {
            input += "p\n";
            line += 1;
            for y in (0..200).rev() {
                output.extend((0..300).map(|x| if y * 300 + x <= i { '1' } else { '.' }));
                output.push('\n');
            }
        }
    }
    let ran = run(&input);
    assert!(ran.output == output, "results");
    assert!(ran.errors == errors, "errors");
    assert_eq!(ran.code, Some(0));
}

fn start() -> Child {
    gamma()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

/// Somebody who types a line at a time is answered at once.
#[test]
fn answers_come_before_the_next_question() {
    let mut child = start();
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut wrong = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut answer = |question: &str, from: &mut dyn BufRead| {
        to.write_all(question.as_bytes()).expect("it reads");
        let mut line = String::new();
        from.read_line(&mut line).expect("it answers");
        line
    };
    assert_eq!(answer("B 3 1 1 1\n", &mut from), "OK 1\n");
    assert_eq!(answer("m 1 1 0\n", &mut from), "1\n");
    assert_eq!(answer("nonsense\n", &mut wrong), "ERROR 3\n");
    assert_eq!(
        answer(
            "# cut in the middle of the next line\nf",
            &mut std::io::empty()
        ),
        ""
    );
    assert_eq!(answer(" 1\n", &mut from), "2\n");
    drop(to);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let mut child = start();
    drop(child.stdout.take());
    let mut to = child.stdin.take().expect("a pipe");
    // It may be gone before it has read everything.
    let _ = to.write_all(b"B 100 100 1 1\n");
    let _ = to.write_all(&b"p\n".repeat(1000));
    drop(to);
    let mut errors = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut errors)
        .expect("text");
    assert_eq!(errors, "");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_critical() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("a full device");
    let mut child = gamma()
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"B 1 1 1 1\n");
    let mut errors = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut errors)
        .expect("text");
    assert!(
        errors.starts_with("gamma: cannot write the results"),
        "{errors}"
    );
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

/// With a limit on its memory: a board that can be made, but not drawn.
#[cfg(target_os = "linux")]
#[test]
fn memory_gone_in_mid_game_is_critical() {
    let limited = "ulimit -v 300000 && exec \"$0\"";
    let output = assert_cmd::Command::new("sh")
        .args(["-c", limited])
        .arg(cargo_bin!("gamma"))
        .write_stdin("B 6000 6000 255 3\nm 1 0 0\np\nm 1 0 1\n")
        .output()
        .expect("sh runs");
    assert!(
        output.stdout == b"OK 1\n1\n",
        "{} bytes of results",
        output.stdout.len()
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        errors,
        "gamma: line 3: out of memory; use a smaller board or more memory\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn arguments() {
    for help in ["--help", "-h"] {
        let output = gamma().arg(help).output().expect("it runs");
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("Usage: gamma"));
    }
    for wrong in [&["game.txt"][..], &["--fast"], &["--help", "me"]] {
        let output = gamma().args(wrong).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(output.stdout, b"");
        assert!(String::from_utf8_lossy(&output.stderr).contains("unexpected argument"));
    }
}
