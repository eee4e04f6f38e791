//! The contest's demands on programs besides moves: exit codes, and files as other programs write
//! them.

use crate::{Argument, Ask, Expect, Trial};

/// A position in which the program, number 2, can move, but for line 1 and its own line. The rival
/// has slid once, from the water beside it; the program has not moved yet.
const OPEN: &str = "10 20 30 10\n00 01 10 02\n10 10 20 10\n";
const OPEN_HEAD: &str = "3 4 players=2 penguins=1 phase=movement turn=2\n";
/// The same in the placement, where the water was there from the start.
const RICH: &str = "30 20 30 20\n00 01 20 02\n20 30 20 30\n";
/// The placement of two penguins each is over, and there are floes with one fish left.
const PLACED: &str = "10 01 30 10\n00 01 10 02\n10 10 20 02\n";
/// The program is blocked, the rival is not.
const BLOCKED: &str = "10 20 30 00\n10 01 00 02\n10 10 20 00\n";
/// No player can move any more.
const OVER: &str = "10 20 00 00\n00 00 01 02\n10 10 00 00\n";

/// Opponents' IDs: an ID is anything without white space and quotation marks.
const IDS: [(&str, &str); 4] = [
    ("a rival with digits in its ID", "team7"),
    ("a rival with a dash in its ID", "TEAM-E"),
    ("a rival with a dot in its ID", "v1.2"),
    ("a rival with a long ID", "AVeryLongIdentifierOfARival"),
];

pub(super) fn trials(name: &str) -> Vec<Trial> {
    let rival = if name == "rival" { "other" } else { "rival" };
    let lines = format!("{rival} 1 4\n{name} 2 1\n");
    let file = |board: &str| format!("3 4\n{board}{lines}");
    // While penguins are placed, each of them has brought one fish.
    let placing =
        |board: &str, each: u32| format!("3 4\n{board}{rival} 1 {each}\n{name} 2 {each}\n");
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
    let stranger = format!("3 4\n{OPEN}{rival} 1 4\nsomebody 2 1\n");
    let new = Trial::new;
    let strangers = IDS.iter().filter(|(_, id)| *id != name).map(|(case, id)| {
        let lines = lines.replacen(rival, id, 1);
        let expect = Expect::Move(format!("{OPEN_HEAD}{OPEN}{lines}"));
        new(case, slide(format!("3 4\n{OPEN}{lines}")), expect).in_play()
    });
    let mut trials: Vec<Trial> = strangers.collect();
    trials.extend([
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
        new(
            "blank lines at the end of the file",
            slide(format!("{open}\n\n")),
            moves(),
        ),
        new("the same file for input and output", in_place, moves()),
        new("arguments in another order", turned, moves()),
        new(
            "placement, and all its penguins stand",
            place("penguins=1", placing(OPEN, 1)),
            nothing(&placing(OPEN, 1)),
        ),
        new(
            "placement, asked once more after two of two",
            place("penguins=2", placing(PLACED, 2)),
            nothing(&placing(PLACED, 2)),
        ),
        new(
            "placement, and no floe with one fish is left",
            place("penguins=2", placing(RICH, 1)),
            nothing(&placing(RICH, 1)),
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
        new(
            "a file with a row that is too short",
            slide(open.replace("30 10\n", "30\n")),
            refused(2),
        ),
        new(
            "a file with a penguin of a player without a line",
            slide(open.replacen("10", "03", 1)),
            refused(2),
        ),
        new(
            "a file with an ID given twice",
            slide(format!("{open}{rival} 3 0\n")),
            refused(2),
        ),
        new(
            "a file with a player number above 9",
            slide(open.replace(&format!("{rival} 1"), &format!("{rival} 10"))),
            refused(2),
        ),
        new(
            "a file with a score missing",
            slide(open.replace(&format!("{rival} 1 4"), &format!("{rival} 1"))),
            refused(2),
        ),
        new(
            "a file with a board size that is none",
            slide(open.replacen("3 4", "3 x", 1)),
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
            "penguins=abc",
            place("penguins=abc", open.clone()),
            refused(3),
        ),
        new(
            "a phase= that is none",
            ask(&["phase=dancing"], Some(open.clone())),
            refused(3),
        ),
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
    ]);
    trials
}

fn ask(words: &[&str], file: Option<String>) -> Ask {
    let words = words.iter().map(|&word| Argument::Word(word.into()));
    Ask {
        arguments: words.chain([Argument::Input, Argument::Output]).collect(),
        input: String::new(),
        file,
    }
}
