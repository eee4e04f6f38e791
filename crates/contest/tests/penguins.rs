//! The contest's Penguins program as the game master sees it: arguments, files and exit codes.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder of its own for one test.
struct Table(TempDir);

/// How a call ended: exit code, standard output, standard error.
struct Call {
    code: i32,
    out: String,
    err: String,
}

impl Table {
    fn new() -> Self {
        Table(TempDir::new().unwrap())
    }

    fn with(state: &str) -> Self {
        let table = Table::new();
        table.put("in", state);
        table
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, state: impl AsRef<[u8]>) {
        fs::write(self.path(name), state).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn call(&self, arguments: &str) -> Call {
        let mut command = Command::new(env!("CARGO_BIN_EXE_penguins"));
        command.current_dir(self.0.path());
        command.args(arguments.split(' ').filter(|a| !a.is_empty()));
        let output = command.output().unwrap();
        Call {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The names of all files, to see that none is left behind.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A call that must end with this code and leave `out` as it was.
    fn refused(&self, arguments: &str, code: i32) -> String {
        let before = self.files();
        let out = fs::read(self.path("out")).ok();
        let call = self.call(arguments);
        assert_eq!(call.code, code, "{arguments}\n{}", call.err);
        assert_eq!(call.out, "");
        assert_eq!(fs::read(self.path("out")).ok(), out, "out was touched");
        assert_eq!(self.files(), before, "a file was left behind");
        call.err
    }
}

#[test]
fn the_name_is_printed_alone() {
    let table = Table::new();
    for (arguments, name) in [
        ("name", "floe\n"),
        ("id", "floe\n"),
        ("phase=movement name missing missing", "floe\n"),
        ("phase=nonsense id", "floe\n"),
        ("name=Ala name", "Ala\n"),
    ] {
        let call = table.call(arguments);
        assert_eq!(
            (call.code, call.out.as_str(), call.err.as_str()),
            (0, name, "")
        );
    }
    let name = table.call("name").out;
    assert!(name.trim_end().chars().all(|c| c.is_ascii_alphabetic()) && name.trim_end().len() <= 9);
    assert!(table.files().is_empty());
}

#[test]
fn a_first_placement_appends_a_line_with_the_lowest_free_number() {
    let table = Table::with("1 3\n10 20 30");
    let call = table.call("phase=placement penguins=1 in out");
    assert_eq!(
        (call.code, call.out.as_str(), call.err.as_str()),
        (0, "", "")
    );
    assert_eq!(table.text("out"), "1 3\n01 20 30\nfloe 1 1\n");
    assert_eq!(table.text("in"), "1 3\n10 20 30");
    table.put("in", "1 3\n10 20 03\n\"odd\"  3\t007 \r\nab 1 2");
    assert_eq!(table.call("phase=placement penguins=1 in out").code, 0);
    assert_eq!(
        table.text("out"),
        "1 3\n02 20 03\n\"odd\"  3\t007 \nab 1 2\nfloe 2 1\n",
        "other players' lines stay as they are"
    );
}

#[test]
fn a_later_placement_counts_in_our_line() {
    let table = Table::with("1 4\n10 20 01 02\nfloe 1 1\nx 2 1\n");
    assert_eq!(table.call("phase=placement penguins=2 in out").code, 0);
    assert_eq!(table.text("out"), "1 4\n01 20 01 02\nfloe 1 2\nx 2 1\n");
}

#[test]
fn a_movement_moves_our_penguin_and_nothing_else() {
    let table = Table::with("2 3\n02 00 21\n20 00 30\nfloe 1 3\nother 2 9\n");
    assert_eq!(table.call("phase=movement in out").code, 0);
    // The penguin stood on fish that are not there to collect.
    assert_eq!(
        table.text("out"),
        "2 3\n02 00 00\n20 00 01\nfloe 1 6\nother 2 9\n"
    );
    // Another's penguin on fish is not ours to tidy up.
    table.put("in", "2 3\n22 00 01\n20 00 30\nfloe 1 3\nother 2 9\n");
    assert_eq!(table.call("phase=movement in out").code, 0);
    assert_eq!(
        table.text("out"),
        "2 3\n22 00 00\n20 00 01\nfloe 1 6\nother 2 9\n"
    );
}

#[test]
fn it_is_always_our_turn() {
    // A player who is behind, or in front, or has not come yet is no reason not to move.
    let table = Table::with("1 6\n02 10 10 01 01 10\na 1 2\nfloe 2 1\n");
    assert_eq!(table.call("phase=placement penguins=2 in out").code, 0);
    assert_eq!(
        table.call("phase=placement penguins=2 name=a in out").code,
        1
    );
    assert_eq!(table.call("phase=movement in out").code, 0);
    assert_eq!(table.call("phase=movement name=a in out").code, 0);
}

#[test]
fn arguments_come_in_any_order() {
    let table = Table::with("1 2\n10 20\n");
    for arguments in [
        "in penguins=1 out phase=placement",
        "time=100 in out penguins=1 phase=placement",
        "phase=placement in name=floe out penguins=1",
    ] {
        assert_eq!(table.call(arguments).code, 0, "{arguments}");
        assert_eq!(table.text("out"), "1 2\n01 20\nfloe 1 1\n");
    }
}

#[test]
fn in_and_out_may_be_the_same_file() {
    let table = Table::with("1 2\n10 30\n");
    assert_eq!(table.call("phase=placement penguins=1 in in").code, 0);
    assert_eq!(table.text("in"), "1 2\n01 30\nfloe 1 1\n");
    assert_eq!(table.call("phase=movement in in").code, 0);
    assert_eq!(table.text("in"), "1 2\n00 01\nfloe 1 4\n");
    assert_eq!(table.call("phase=movement in in").code, 1);
    assert_eq!(table.text("in"), "1 2\n00 01\nfloe 1 4\n");
    assert_eq!(table.files(), ["in"]);
}

#[test]
fn with_nothing_to_do_the_state_arrives_unchanged() {
    for (state, arguments, why) in [
        (
            "1 2\n01 10\nfloe 1 1",
            "phase=placement penguins=1",
            "all our penguins stand",
        ),
        (
            "1 2\r\n01 20\r\nfloe 1 1\r\n",
            "phase=placement penguins=2",
            "no floe with one fish is left",
        ),
        (
            "1 2\n20 30  \n",
            "phase=placement penguins=2",
            "no floe with one fish is left",
        ),
        (
            "1 3\n01 00 10\nfloe  1 1\n\n",
            "phase=movement",
            "all our penguins are blocked",
        ),
        (
            "1 2\n01 10\nother 1 1\n",
            "phase=movement",
            "our ID is not in the file",
        ),
        (
            "1 2\n10 10\n",
            "phase=movement",
            "our ID is not in the file",
        ),
    ] {
        let table = Table::with(state);
        for _ in 0..2 {
            let call = table.call(&format!("{arguments} in out"));
            assert_eq!(call.code, 1, "{state:?}");
            assert_eq!(call.err, format!("penguins: nothing to do: {why}\n"));
            assert_eq!(table.text("out"), state, "byte for byte");
        }
        assert_eq!(table.files(), ["in", "out"]);
    }
}

#[test]
fn a_wrong_state_is_told_with_its_place() {
    let table = Table::with("1 3\n10 1x 40\nfloe 1 1\n");
    table.put("out", "old");
    assert_eq!(
        table.refused("phase=movement in out", 2),
        "\
in:2:4: `1x` is not two digits
  | 10 1x 40
  |    ^^
  = a field is two digits: fish from 0 to 3, then the player from 0 to 9
in:2:7: 4 fish are more than a floe holds
  | 10 1x 40
  |       ^
  = a field is two digits: fish from 0 to 3, then the player from 0 to 9
"
    );
    for (state, arguments, told) in [
        ("", "phase=movement", "in:1:1: the board size is missing"),
        (
            "2 2\n10 10\n",
            "phase=movement",
            "in:3:1: row 2 of 2 is missing",
        ),
        (
            "1 1\n10\nfloe 1 x\n",
            "phase=movement",
            "in:3:8: the score `x` is not a number",
        ),
        (
            "1 1\n02\nfloe 1 1\n",
            "phase=movement",
            "in:2:1: player 2, whose penguin this is, has no line",
        ),
        (
            "1 1\n10\na 1 0\na 2 0\n",
            "phase=movement",
            "in:4:1: the ID `a` is given twice",
        ),
        (
            "1 4\n02 02 10 02\na 2 3\n",
            "phase=placement penguins=2",
            "in:2:10: player 2 has more penguins than penguins=2",
        ),
        (
            "1 1\n10\na 1 0\nb 2 0\nc 3 0\nd 4 0\ne 5 0\nf 6 0\ng 7 0\nh 8 0\ni 9 0\n",
            "phase=placement penguins=2",
            "in:12:1: `floe` would be a tenth player",
        ),
    ] {
        table.put("in", state);
        let err = table.refused(&format!("{arguments} in out"), 2);
        assert_eq!(err.lines().next(), Some(told));
    }
}

#[test]
fn a_file_full_of_errors_is_told_briefly() {
    let table = Table::with(&format!("1 30\n{}\n", "xx ".repeat(30)));
    let err = table.refused("phase=movement in out", 2);
    assert_eq!(err.matches("is not two digits").count(), 20);
    assert!(err.ends_with("in: 10 more errors\n"), "{err}");
}

#[test]
fn bytes_that_are_no_text_are_a_wrong_state() {
    let table = Table::new();
    table.put("in", b"1 1\n10\nfl\xffe 1 1\n");
    let err = table.refused("phase=movement in out", 2);
    assert_eq!(
        err.lines().next(),
        Some("in:3:3: byte 0xff is not UTF-8 text")
    );
}

#[test]
fn bad_arguments_are_code_3() {
    let table = Table::with("1 1\n10\n");
    table.put("out", "old");
    for arguments in [
        "",
        "in out",
        "phase=flying in out",
        "phase=placement in out",
        "phase=placement penguins=0 in out",
        "phase=placement penguins=-2 in out",
        "phase=placement penguins=two in out",
        "phase=movement in",
        "phase=movement",
        "phase=movement in out out",
        "phase=movement colour=red in out",
        "phase=movement time=soon in out",
        "phase=movement name= in out",
    ] {
        let err = table.refused(arguments, 3);
        assert!(err.contains("usage: penguins phase=placement"), "{err}");
    }
    assert!(table.refused("", 3).contains("no arguments"));
}

#[test]
fn files_that_cannot_be_used_are_code_3() {
    let table = Table::with("1 1\n10\n");
    fs::create_dir(table.path("folder")).unwrap();
    let placement = "phase=placement penguins=1";
    assert!(
        table
            .refused(&format!("{placement} missing out"), 3)
            .contains("cannot read missing")
    );
    assert!(
        table
            .refused(&format!("{placement} folder out"), 3)
            .contains("cannot read folder")
    );
    assert!(
        table
            .refused(&format!("{placement} in folder"), 3)
            .contains("cannot write folder")
    );
    assert!(
        table
            .refused(&format!("{placement} in no/such"), 3)
            .contains("cannot write no/such")
    );
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let table = Table::with("1 1\n10\n");
    table.put("out", "old");
    let mode = |name| fs::metadata(table.path(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(table.path("out"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("out", table.path("link")).unwrap();
    assert_eq!(table.call("phase=placement penguins=1 in link").code, 0);
    assert!(
        fs::symlink_metadata(table.path("link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(table.text("out"), "1 1\n01\nfloe 1 1\n");
    assert_eq!(mode("out"), 0o640);
    // A new file is like any other new file.
    assert_eq!(table.call("phase=placement penguins=1 in new").code, 0);
    assert_eq!(mode("new"), mode("in"));
    assert_eq!(
        table.call("phase=placement penguins=1 in /dev/null").code,
        0
    );
}

const ISLAND: &str = "\
6 7
00 00 10 20 10 00 00
00 10 20 10 30 10 00
10 20 10 10 10 20 10
10 10 30 10 20 10 20
00 20 10 10 10 10 00
00 00 10 30 10 00 00";

/// Plays one phase as the game master does: numbered files, everybody in every round, until all
/// codes of a round are 1. Gives the number of moves made.
fn master(table: &Table, names: &[&str], phase: &str, file: &mut u32) -> u32 {
    let mut moves = 0;
    loop {
        let mut idle = 0;
        for name in names {
            let next = *file + 1;
            let call = table.call(&format!("{phase} name={name} state{file} state{next}"));
            match call.code {
                0 => moves += 1,
                1 => {
                    assert_eq!(
                        table.text(&format!("state{next}")),
                        table.text(&format!("state{file}"))
                    );
                    idle += 1;
                }
                code => panic!("code {code}: {}", call.err),
            }
            *file = next;
        }
        if idle == names.len() {
            return moves;
        }
    }
}

#[test]
fn a_game_masters_loop_plays_to_the_end() {
    let table = Table::new();
    table.put("state0", ISLAND);
    let names = ["Ala", "Ola"];
    let mut file = 0;
    assert_eq!(
        master(&table, &names, "phase=placement penguins=2", &mut file),
        4
    );
    let placed = table.text(&format!("state{file}"));
    assert!(placed.ends_with("\nAla 1 2\nOla 2 2\n"), "{placed}");
    assert!(master(&table, &names, "phase=movement", &mut file) > 4);
    let end = table.text(&format!("state{file}"));
    assert_eq!(end.lines().count(), 1 + 6 + 2);
    assert_eq!(end.matches("01").count(), 2, "{end}");
    assert_eq!(end.matches("02").count(), 2, "{end}");
    // The fish on the board and in the scores are never more than there were.
    let fish = |text: &str| -> u32 {
        let fields = text.lines().skip(1).take(6).flat_map(|l| l.split(' '));
        fields.map(|f| u32::from(f.as_bytes()[0] - b'0')).sum()
    };
    let scores: Vec<u32> = end
        .lines()
        .skip(7)
        .map(|l| l.rsplit(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(scores.iter().all(|&s| s > 2));
    assert!(scores.iter().sum::<u32>() + fish(&end) <= fish(ISLAND));
}
