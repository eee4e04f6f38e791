//! The rules of the language as a table, and a naive twin.

use proptest::prelude::*;

use super::*;

/// What the line says when it arrives whole.
fn read(line: &[u8]) -> BatchLine {
    let bytes = [line, b"\n"].concat();
    let (whole, rest) = Reader::new().line(&bytes).expect("it ends in a newline");
    assert_eq!(rest, b"");
    // With more lines after it, it may be read in another way.
    let bytes = [line, b"\nm 1 2 3\nm 1 2 3\n"].concat();
    let (first, rest) = Reader::new().line(&bytes).expect("it ends in a newline");
    assert_eq!((first, rest), (whole, &b"m 1 2 3\nm 1 2 3\n"[..]));
    whole
}

/// The language as its rules say it, on whole lines; slow and plain.
fn naive(line: &[u8]) -> BatchLine {
    if line.is_empty() || line[0] == b'#' {
        return BatchLine::Nothing;
    }
    let is_white = |byte: &u8| b" \t\x0b\x0c\r".contains(byte);
    if line.len() > 1 && !is_white(&line[1]) {
        return BatchLine::Wrong;
    }
    let words: Vec<&[u8]> = line[1..]
        .split(is_white)
        .filter(|w| !w.is_empty())
        .collect();
    let mut numbers = Vec::new();
    for word in words {
        let digits = word.iter().all(u8::is_ascii_digit);
        let number = str::from_utf8(word).ok().filter(|_| digits);
        match number.and_then(|number| number.parse().ok()) {
            Some(number) => numbers.push(number),
            None => return BatchLine::Wrong,
        }
    }
    BatchLine::Command(match (line[0], numbers[..].as_ref()) {
        (b'm', &[player, x, y]) => Command::Move(Taking { player, x, y }),
        (b'g', &[player, x, y]) => Command::Golden(Taking { player, x, y }),
        (b'b', &[player]) => Command::Busy { player },
        (b'f', &[player]) => Command::Free { player },
        (b'q', &[player]) => Command::GoldenPossible { player },
        (b'p', &[]) => Command::Print,
        (b'B' | b'I', &[width, height, players, areas]) => {
            let sizes = Sizes {
                width,
                height,
                players,
                areas,
            };
            if line[0] == b'B' {
                Command::Batch(sizes)
            } else {
                Command::Interactive(sizes)
            }
        }
        _ => return BatchLine::Wrong,
    })
}

const MOVE: BatchLine = BatchLine::Command(Command::Move(Taking {
    player: 1,
    x: 2,
    y: 3,
}));
const PRINT: BatchLine = BatchLine::Command(Command::Print);

#[test]
fn every_rule_of_the_language() {
    let size = Sizes {
        width: 1,
        height: 2,
        players: 3,
        areas: 4,
    };
    let at = Taking {
        player: 1,
        x: 2,
        y: 3,
    };
    let most = |x| BatchLine::Command(Command::Move(Taking { player: 1, x, y: 0 }));
    let rows: &[(&[u8], BatchLine)] = &[
        // Every command.
        (b"B 1 2 3 4", BatchLine::Command(Command::Batch(size))),
        (b"I 1 2 3 4", BatchLine::Command(Command::Interactive(size))),
        (b"m 1 2 3", MOVE),
        (b"g 1 2 3", BatchLine::Command(Command::Golden(at))),
        (b"b 1", BatchLine::Command(Command::Busy { player: 1 })),
        (b"f 1", BatchLine::Command(Command::Free { player: 1 })),
        (
            b"q 1",
            BatchLine::Command(Command::GoldenPossible { player: 1 }),
        ),
        (b"p", PRINT),
        // Nothing.
        (b"", BatchLine::Nothing),
        (b"#", BatchLine::Nothing),
        (b"# m 1 2 3", BatchLine::Nothing),
        (b"#\0\xff\xc5\x82", BatchLine::Nothing),
        // The letter is the first character.
        (b" m 1 2 3", BatchLine::Wrong),
        (b"\tp", BatchLine::Wrong),
        (b" # comment", BatchLine::Wrong),
        (b" ", BatchLine::Wrong),
        (b" \t ", BatchLine::Wrong),
        (b"\r", BatchLine::Wrong),
        (b"1", BatchLine::Wrong),
        (b"x", BatchLine::Wrong),
        (b"x 1", BatchLine::Wrong),
        (b"M 1 2 3", BatchLine::Wrong),
        (b"P", BatchLine::Wrong),
        (b"i 1 2 3 4", BatchLine::Wrong),
        // White space.
        (b"m\t1\x0b2\x0c3", MOVE),
        (b"m\r1\r2\r3", MOVE),
        (b"m  \t 1 \x0b\x0c\r 2   3  \t\r", MOVE),
        (b"m 1 2 3\r", MOVE),
        (b"p ", PRINT),
        (b"p\r", PRINT),
        (b"p \t\x0b\x0c\r", PRINT),
        (b"m1 2 3", BatchLine::Wrong),
        (b"m,1,2,3", BatchLine::Wrong),
        (b"m 1,2,3", BatchLine::Wrong),
        (b"m\xa01 2 3", BatchLine::Wrong),
        (b"m\x851 2 3", BatchLine::Wrong),
        (b"m\x1c1 2 3", BatchLine::Wrong),
        // How many numbers.
        (b"m", BatchLine::Wrong),
        (b"m ", BatchLine::Wrong),
        (b"m 1 2", BatchLine::Wrong),
        (b"m 1 2 3 4", BatchLine::Wrong),
        (b"B 1 2 3", BatchLine::Wrong),
        (b"B 1 2 3 4 5", BatchLine::Wrong),
        (b"I 1 2 3", BatchLine::Wrong),
        (b"b", BatchLine::Wrong),
        (b"b 1 1", BatchLine::Wrong),
        (b"f 1 1", BatchLine::Wrong),
        (b"q", BatchLine::Wrong),
        (b"p 1", BatchLine::Wrong),
        (b"pp", BatchLine::Wrong),
        (b"p p", BatchLine::Wrong),
        // What a number is.
        (b"m 0001 00002 3", MOVE),
        (b"m 00000000000000000000000000000000001 2 3", MOVE),
        (b"m 1 4294967295 0", most(u32::MAX)),
        (b"m 1 00000004294967295 0", most(u32::MAX)),
        (b"m 1 4294967296 0", BatchLine::Wrong),
        (b"m 1 4294967300 0", BatchLine::Wrong),
        (b"m 1 42949672950 0", BatchLine::Wrong),
        (b"m 1 18446744073709551617 0", BatchLine::Wrong),
        (
            b"m 1 2 99999999999999999999999999999999999999999",
            BatchLine::Wrong,
        ),
        (b"m 1 2 4294967296", BatchLine::Wrong),
        (b"m +1 2 3", BatchLine::Wrong),
        (b"m -0 2 3", BatchLine::Wrong),
        (b"m 1 2 -3", BatchLine::Wrong),
        (b"m 0x1 2 3", BatchLine::Wrong),
        (b"m 1.0 2 3", BatchLine::Wrong),
        (b"m 1e0 2 3", BatchLine::Wrong),
        (b"m one 2 3", BatchLine::Wrong),
        // Text after the command.
        (b"m 1 2 3 x", BatchLine::Wrong),
        (b"m 1 2 3x", BatchLine::Wrong),
        (b"m 1 2 3 # comment", BatchLine::Wrong),
        (b"p # comment", BatchLine::Wrong),
        // NUL bytes and bytes outside ASCII.
        (b"\0", BatchLine::Wrong),
        (b"m\0 1 2 3", BatchLine::Wrong),
        (b"m 1 2 3\0", BatchLine::Wrong),
        (b"m 1 2 3 \0", BatchLine::Wrong),
        (b"p\0", BatchLine::Wrong),
        (b"m 1 2 \xd9\xa3", BatchLine::Wrong),
        (b"\xff", BatchLine::Wrong),
        (b"\xef\xbb\xbfp", BatchLine::Wrong),
    ];
    for &(line, expected) in rows {
        assert_eq!(read(line), expected, "{}", line.escape_ascii());
        assert_eq!(
            naive(line),
            expected,
            "the naive twin: {}",
            line.escape_ascii()
        );
    }
}

#[test]
fn a_number_is_wrong_exactly_from_2_to_the_32() {
    for number in (1 << 32) - 1000..(1_u64 << 32) + 1000 {
        let line = format!("b {number}");
        let fits = read(line.as_bytes()) != BatchLine::Wrong;
        assert_eq!(fits, number < 1 << 32, "{number}");
    }
}

#[test]
fn a_command_at_the_end_of_input_is_wrong_and_a_comment_is_not() {
    let end = |bytes: &[u8]| {
        let mut reader = Reader::new();
        assert_eq!(reader.line(bytes), None);
        reader.end()
    };
    for wrong in [
        &b"p"[..],
        b"p ",
        b"m 1 2 3",
        b"m 1",
        b"m",
        b" ",
        b"x",
        b"b 4294967296",
    ] {
        assert_eq!(end(wrong), BatchLine::Wrong, "{}", wrong.escape_ascii());
    }
    for nothing in [&b""[..], b"#", b"# p"] {
        assert_eq!(
            end(nothing),
            BatchLine::Nothing,
            "{}",
            nothing.escape_ascii()
        );
    }
}

/// Lines that are nearly right: pieces of the language put together at random.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(b"mgbfqpBI# \t\r\x0b\x0c\n".to_vec()).prop_map(|b| vec![b]),
        4 => (0_u32..30).prop_map(|n| format!(" {n}").into_bytes()),
        2 => Just(b" 4294967295".to_vec()),
        1 => Just(b" 4294967296".to_vec()),
        1 => any::<u8>().prop_map(|b| vec![b]),
        4 => Just(b"\nm 1 2 3\n".to_vec()),
        2 => Just(b"\nB 10 2 3 4\n".to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lines_cut_anywhere_read_as_the_naive_twin_reads_them_whole(
        bytes in prop_oneof![nearly(), prop::collection::vec(any::<u8>(), 0..60)],
        piece in 1_usize..80,
    ) {
        let mut reader = Reader::new();
        let mut found = Vec::new();
        for mut bytes in bytes.chunks(piece) {
            while let Some((line, rest)) = reader.line(bytes) {
                found.push(line);
                bytes = rest;
            }
        }
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let last = lines.pop().unwrap_or_default();
        let expected: Vec<BatchLine> = lines.iter().map(|line| naive(line)).collect();
        prop_assert_eq!(found, expected);
        let ends_well = last.is_empty() || last[0] == b'#';
        prop_assert_eq!(reader.end(), if ends_well { BatchLine::Nothing } else { BatchLine::Wrong });
    }
}
