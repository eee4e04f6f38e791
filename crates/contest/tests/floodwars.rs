//! The contest program of Flood Wars, run as the contest runs it.

use std::process::Command as Process;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use floe_rules::flood::{Flood, FloodPosition, Setup};
use floe_rules::{Dialect, Game, Position};

const BOARD: &str = "\
J
.#+#.*.@.@
@.+*@.+*#+
**#++@**#@
#@#@.@@+@#
++@++@#.@.
**##*@*#++
#@@*.+*.*+
";

fn floodwars() -> Command {
    cargo_bin_cmd!("floodwars")
}

fn strict() -> &'static dyn Dialect<FloodPosition> {
    let mut dialects = Flood::dialects().iter();
    *dialects.find(|d| d.name() == "strict").unwrap()
}

/// Runs the program on this input; gives what it printed, with nothing on standard error.
fn answer(mut program: Command, input: impl Into<Vec<u8>>) -> String {
    let run = program.write_stdin(input).assert().success().stderr("");
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// Runs the program on this input; gives what it said, with nothing on standard output.
fn refusal(input: impl Into<Vec<u8>>) -> String {
    let run = floodwars().write_stdin(input).assert().code(2).stdout("");
    String::from_utf8(run.get_output().stderr.clone()).unwrap()
}

#[test]
fn it_prints_the_other_letter_and_the_board_after_its_move_and_nothing_else() {
    for text in [BOARD.to_owned(), BOARD.replacen('J', "S", 1)] {
        let position = Flood::read(&text).unwrap();
        let printed = answer(floodwars(), text);
        let mv = strict().answer(&position, None, &printed);
        position.check(mv.unwrap().mv).unwrap();
    }
}

#[test]
fn the_same_board_is_answered_alike() {
    assert_eq!(answer(floodwars(), BOARD), answer(floodwars(), BOARD));
}

#[test]
fn it_reads_leniently_and_writes_exactly() {
    let expected = answer(floodwars(), BOARD);
    for text in [
        BOARD.trim_end().to_owned(),
        BOARD.replace('\n', "\r\n"),
        format!("{BOARD}\n\n"),
        BOARD.replacen('J', "J 0", 1),
    ] {
        assert_eq!(answer(floodwars(), text), expected);
    }
    // A number of moves in the question is not repeated in the answer.
    assert!(answer(floodwars(), BOARD.replacen('J', "J 36", 1)).starts_with("S\n"));
}

#[test]
fn wrong_input_is_explained_with_line_and_column() {
    assert_eq!(
        refusal(BOARD.replacen("*@*#++", "*@x#++", 1)),
        "\
<stdin>:7:7: `x` is no colour
  | **##*@x#++
  |       ^
  = the colours are @ # + . *
"
    );
    for (input, start) in [
        ("", "<stdin>:1:1: the text is empty\n"),
        ("X\n@#\n", "<stdin>:1:1: expected `J` or `S`, not `X`\n"),
        ("J\n", "<stdin>:2:1: there is no board\n"),
        (
            "J\n@#\n@\n",
            "<stdin>:3:2: the row is 1 long, the first one 2\n",
        ),
        (
            "J\n@#\n@#.\n",
            "<stdin>:3:3: the row is 3 long, the first one 2\n",
        ),
        (
            "J\n+#\n#+\n",
            "<stdin>:3:1: the bottom-left and the top-right corner are both `#`\n",
        ),
        (
            "J\n@\n",
            "<stdin>:2:1: a board of one square has no two corners\n",
        ),
        (
            "J\n@#\n\nend\n",
            "<stdin>:4:1: text after the end of the board\n",
        ),
    ] {
        let said = refusal(input);
        assert!(said.starts_with(start), "{input:?}\n{said}");
    }
}

#[test]
fn errors_are_told_in_the_order_of_the_text_and_only_so_many() {
    let said = refusal(format!("x\n{}", "@#\n@#?\n".repeat(20)));
    assert!(said.starts_with("<stdin>:1:1: "), "{said}");
    assert_eq!(said.matches("<stdin>:").count(), 10);
    assert!(said.ends_with("and 31 more errors\n"), "{said}");
}

#[test]
fn bytes_that_are_no_text_are_located() {
    let said = refusal(b"J\n@\xff#\n".to_vec());
    assert!(
        said.starts_with("<stdin>:2:2: byte 0xff is not UTF-8 text\n"),
        "{said}"
    );
}

#[test]
fn input_without_end_is_refused() {
    let said = refusal(vec![b'@'; (16 << 20) + 1]);
    let place = "<stdin>:1:16777217: the text is longer than 16777216 bytes\n  | …@@@";
    assert!(said.starts_with(place), "{said}");
}

#[test]
fn the_time_may_be_given() {
    let mut program = floodwars();
    program.arg("time=40");
    let position = Flood::read(BOARD).unwrap();
    assert!(
        strict()
            .answer(&position, None, &answer(program, BOARD))
            .is_ok()
    );
}

#[test]
fn wrong_arguments_are_explained_with_the_usage() {
    for argument in ["time=", "time=-1", "time=0", "-x", "board.txt"] {
        let run = floodwars().arg(argument).assert();
        let run = run.code(2).stdout("");
        let said = String::from_utf8_lossy(&run.get_output().stderr);
        assert!(said.starts_with("floodwars: "), "{said}");
        assert!(
            said.contains(argument.trim_start_matches("time=")),
            "{said}"
        );
        assert!(said.contains("usage: floodwars [time=MS]"), "{said}");
    }
}

#[test]
fn help_is_given_on_request() {
    for word in ["help", "--help", "-h"] {
        let run = floodwars().arg(word).assert().success().stderr("");
        let said = String::from_utf8_lossy(&run.get_output().stdout);
        assert!(said.starts_with("usage: floodwars [time=MS]"), "{said}");
    }
}

/// Only two colours are left, but three may be chosen all the same.
#[test]
fn a_board_that_is_over_is_answered_too() {
    assert_eq!(
        answer(floodwars(), "J\n@#@#\n#@#@\n@#@#\n"),
        "S\n@#@#\n#@#@\n+#@#\n"
    );
    assert_eq!(answer(floodwars(), "S\n@#\n@@\n"), "J\n@+\n@@\n");
}

#[test]
fn a_board_of_two_squares_is_the_smallest() {
    assert_eq!(answer(floodwars(), "J\n@\n#\n"), "S\n@\n+\n");
}

#[test]
fn two_copies_play_whole_games() {
    for (setup, seed) in [("10x7", 1), ("12x12,style=fair", 2), ("1x9", 3)] {
        let setup: Setup = setup.parse().unwrap();
        let mut position = Flood::start(&setup, seed).unwrap();
        while position.turn().is_some() {
            let mut program = floodwars();
            program.arg("time=30");
            let asked = strict().request(&position, None);
            assert_eq!((asked.arguments.len(), asked.file), (0, None));
            let printed = answer(program, asked.input);
            let mv = strict().answer(&position, None, &printed);
            position
                .play(mv.unwrap_or_else(|e| panic!("{e}\n{printed}")).mv)
                .unwrap();
        }
        assert!(position.outcome().is_some());
    }
}

/// Whether a shell here can limit the address space, as the contest's does.
fn can_limit() -> bool {
    let status = Process::new("sh").args(["-c", "ulimit -v 131072"]).status();
    status.is_ok_and(|status| status.success())
}

#[test]
fn it_stays_within_128_megabytes_of_address_space() {
    if !can_limit() {
        return;
    }
    for setup in ["20x20", "50x50,style=fair", "500x500"] {
        let setup: Setup = setup.parse().unwrap();
        let position = Flood::start(&setup, 7).unwrap();
        let mut program = Command::new("sh");
        program.args(["-c", "ulimit -v 131072; exec \"$0\" time=100"]);
        program.arg(env!("CARGO_BIN_EXE_floodwars"));
        let printed = answer(program, Flood::board(&position));
        assert!(strict().answer(&position, None, &printed).is_ok());
    }
}

#[test]
fn an_answer_that_nobody_takes_is_a_failure() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        return;
    };
    let mut program = Process::new(env!("CARGO_BIN_EXE_floodwars"));
    let run = program.arg("help").stdout(full).output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&run.stderr).starts_with("floodwars: cannot write"));
}
