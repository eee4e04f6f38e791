//! What the contest asks of programs besides moves: exit codes, and files as others write them.

use crate::{Argument, Ask, Expect, Trial};

/// A position in which the program, number 2, can move, but for line 1 and its own line.
const OPEN: &str = "10 20 30 10\n00 01 10 02\n10 10 20 10\n";
const OPEN_HEAD: &str = "3 4 players=2 penguins=1 phase=movement turn=2\n";
/// The same without a floe of one fish.
const RICH: &str = "30 20 30 20\n00 01 20 02\n20 30 20 30\n";
/// The program is blocked, the rival is not.
const BLOCKED: &str = "10 20 30 00\n10 01 00 02\n10 10 20 00\n";
/// Nobody can move any more.
const OVER: &str = "10 20 00 00\n00 00 01 02\n10 10 00 00\n";

pub(super) fn trials(name: &str) -> Vec<Trial> {
    let rival = if name == "rival" { "other" } else { "rival" };
    let lines = format!("{rival} 1 4\n{name} 2 3\n");
    let file = |board: &str| format!("3 4\n{board}{lines}");
    let open = file(OPEN);
    let moves = || Expect::Move(format!("{OPEN_HEAD}{OPEN}{lines}"));
    let slide = |file: String| ask(&["phase=movement"], Some(file));
    let place = |penguins: &str, file: String| ask(&["phase=placement", penguins], Some(file));
    let nothing = |file: &str| Expect::Exit {
        code: 1,
        output: Some(file.to_owned()),
    };
    let refused = |code| Expect::Exit { code, output: None };
    let mut in_place = slide(open.clone());
    in_place.arguments.truncate(1);
    in_place
        .arguments
        .extend([Argument::InPlace, Argument::InPlace]);
    let mut turned = slide(open.clone());
    turned.arguments.rotate_left(1);
    let mut elsewhere = slide(open.clone());
    elsewhere.arguments[2] = Argument::Word("no-such-folder/out.txt".into());
    let stranger = format!("3 4\n{OPEN}{rival} 1 4\nsomebody 2 3\n");
    let new = Trial::new;
    vec![
        new(
            "lines that end as on Windows",
            slide(open.replace('\n', "\r\n")),
            moves(),
        ),
        new(
            "no newline at the end of the file",
            slide(open.trim_end().to_owned()),
            moves(),
        ),
        new(
            "spaces at the ends of lines",
            slide(open.replace('\n', "  \n")),
            moves(),
        ),
        new("the same file for input and output", in_place, moves()),
        new("arguments in another order", turned, moves()),
        new(
            "placement, and all its penguins stand",
            place("penguins=1", open.clone()),
            nothing(&open),
        ),
        new(
            "placement, and no floe with one fish is left",
            place("penguins=2", file(RICH)),
            nothing(&file(RICH)),
        ),
        new(
            "movement, and its penguins are blocked",
            slide(file(BLOCKED)),
            nothing(&file(BLOCKED)),
        ),
        new(
            "called again after the end of the game",
            slide(file(OVER)),
            nothing(&file(OVER)),
        ),
        new(
            "movement, and it is not in the file",
            slide(stranger.clone()),
            nothing(&stranger),
        ),
        new(
            "a file with a row missing",
            slide(open.replace("00 01 10 02\n", "")),
            refused(2),
        ),
        new(
            "a file with a field that is none",
            slide(open.replace("30 10", "4x 10")),
            refused(2),
        ),
        new(
            "a file with a number given twice",
            slide(open.replace(&format!("{rival} 1"), &format!("{rival} 2"))),
            refused(2),
        ),
        new("an empty file", slide(String::new()), refused(2)),
        new(
            "no phase= among the arguments",
            ask(&[], Some(open.clone())),
            refused(3),
        ),
        new("penguins=0", place("penguins=0", open.clone()), refused(3)),
        new(
            "no such input file",
            ask(&["phase=movement"], None),
            refused(3),
        ),
        new(
            "an output file that cannot be written",
            elsewhere,
            refused(3),
        ),
    ]
}

fn ask(words: &[&str], file: Option<String>) -> Ask {
    let words = words.iter().map(|&word| Argument::Word(word.into()));
    Ask {
        arguments: words.chain([Argument::Input, Argument::Output]).collect(),
        input: String::new(),
        file,
    }
}
