//! The contest's demands on programs besides moves: exit codes, and files from other programs.

use crate::{Argument, ConformanceCase, Expect, Request};

/// A position in which the program, number 2, can move, without line 1 and the program's own line.
/// The opponent has slid once, from the water next to it; the program has not moved yet.
const OPEN: &str = "10 20 30 10\n00 01 10 02\n10 10 20 10\n";
const OPEN_HEAD: &str = "3 4 players=2 penguins=1 phase=movement turn=2\n";
/// The same in the placement phase, with water from the start.
const RICH: &str = "30 20 30 20\n00 01 20 02\n20 30 20 30\n";
/// Both players have placed two penguins, and floes with one fish are left.
const PLACED: &str = "10 01 30 10\n00 01 10 02\n10 10 20 02\n";
/// The program is blocked, the rival is not.
const BLOCKED: &str = "10 20 30 00\n10 01 00 02\n10 10 20 00\n";
/// No player can move any more.
const OVER: &str = "10 20 00 00\n00 00 01 02\n10 10 00 00\n";

/// Opponents' IDs: an ID has no white space and no quotation marks.
const IDS: [(&str, &str); 4] = [
    ("a rival with digits in its ID", "team7"),
    ("a rival with a dash in its ID", "TEAM-E"),
    ("a rival with a dot in its ID", "v1.2"),
    ("a rival with a long ID", "AVeryLongIdentifierOfARival"),
];

pub(super) fn trials(name: &str) -> Vec<ConformanceCase> {
    let cases = Cases::of(name);
    let mut trials = cases.ids();
    trials.extend(cases.forms());
    trials.extend(cases.idle());
    trials.extend(cases.files());
    trials.extend(cases.arguments());
    trials
}

/// The common parts of one program's cases.
struct Cases<'a> {
    name: &'a str,
    rival: &'static str,
    /// The lines of both players.
    lines: String,
    /// A file with a legal move.
    open: String,
}

impl<'a> Cases<'a> {
    fn of(name: &'a str) -> Self {
        let rival = if name == "rival" { "other" } else { "rival" };
        let lines = format!("{rival} 1 4\n{name} 2 1\n");
        Cases {
            name,
            rival,
            open: format!("3 4\n{OPEN}{lines}"),
            lines,
        }
    }

    fn file(&self, board: &str) -> String {
        format!("3 4\n{board}{}", self.lines)
    }

    /// In the placement phase, each placed penguin has brought one fish.
    fn placing(&self, board: &str, each: u32) -> String {
        let (name, rival) = (self.name, self.rival);
        format!("3 4\n{board}{rival} 1 {each}\n{name} 2 {each}\n")
    }

    fn moves(&self) -> Expect {
        Expect::Move(format!("{OPEN_HEAD}{OPEN}{}", self.lines))
    }

    /// Rivals with unusual IDs.
    fn ids(&self) -> Vec<ConformanceCase> {
        let others = IDS.iter().filter(|(_, id)| *id != self.name);
        let trials = others.map(|(case, id)| {
            let lines = self.lines.replacen(self.rival, id, 1);
            let expect = Expect::Move(format!("{OPEN_HEAD}{OPEN}{lines}"));
            ConformanceCase::new(case, slide(format!("3 4\n{OPEN}{lines}")), expect).in_play()
        });
        trials.collect()
    }

    /// Files and calls in unusual forms.
    fn forms(&self) -> Vec<ConformanceCase> {
        let mut in_place = slide(self.open.clone());
        in_place.arguments.truncate(1);
        in_place
            .arguments
            .extend([Argument::InPlace, Argument::InPlace]);
        let mut turned = slide(self.open.clone());
        turned.arguments.rotate_left(1);
        vec![
            ConformanceCase::new(
                "lines that end as on Windows",
                slide(self.open.replace('\n', "\r\n")),
                self.moves(),
            ),
            ConformanceCase::new(
                "no newline at the end of the file",
                slide(self.open.trim_end().to_owned()),
                self.moves(),
            ),
            ConformanceCase::new(
                "spaces at the ends of lines",
                slide(self.open.replace('\n', "  \n")),
                self.moves(),
            ),
            ConformanceCase::new(
                "blank lines at the end of the file",
                slide(format!("{}\n\n", self.open)),
                self.moves(),
            ),
            ConformanceCase::new("the same file for input and output", in_place, self.moves()),
            ConformanceCase::new("arguments in another order", turned, self.moves()),
        ]
    }

    /// Positions without a legal move.
    fn idle(&self) -> Vec<ConformanceCase> {
        let stranger = format!("3 4\n{OPEN}{} 1 4\nsomebody 2 1\n", self.rival);
        vec![
            ConformanceCase::new(
                "placement, and all its penguins stand",
                place("penguins=1", self.placing(OPEN, 1)),
                nothing(&self.placing(OPEN, 1)),
            ),
            ConformanceCase::new(
                "placement, asked once more after two of two",
                place("penguins=2", self.placing(PLACED, 2)),
                nothing(&self.placing(PLACED, 2)),
            ),
            ConformanceCase::new(
                "placement, and no floe with one fish is left",
                place("penguins=2", self.placing(RICH, 1)),
                nothing(&self.placing(RICH, 1)),
            ),
            ConformanceCase::new(
                "movement, and its penguins are blocked",
                slide(self.file(BLOCKED)),
                nothing(&self.file(BLOCKED)),
            ),
            ConformanceCase::new(
                "called again after the end of the game",
                slide(self.file(OVER)),
                nothing(&self.file(OVER)),
            ),
            ConformanceCase::new(
                "movement, and it is not in the file",
                slide(stranger.clone()),
                nothing(&stranger),
            ),
        ]
    }

    /// Bad files.
    fn files(&self) -> Vec<ConformanceCase> {
        let (rival, open) = (self.rival, &self.open);
        vec![
            ConformanceCase::new(
                "a file with a row missing",
                slide(open.replace("00 01 10 02\n", "")),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a field that is none",
                slide(open.replace("30 10", "4x 10")),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a number given twice",
                slide(open.replace(&format!("{rival} 1"), &format!("{rival} 2"))),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a row that is too short",
                slide(open.replace("30 10\n", "30\n")),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a penguin of a player without a line",
                slide(open.replacen("10", "03", 1)),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with an ID given twice",
                slide(format!("{open}{rival} 3 0\n")),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a player number above 9",
                slide(open.replace(&format!("{rival} 1"), &format!("{rival} 10"))),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a score missing",
                slide(open.replace(&format!("{rival} 1 4"), &format!("{rival} 1"))),
                refused(2),
            ),
            ConformanceCase::new(
                "a file with a board size that is none",
                slide(open.replacen("3 4", "3 x", 1)),
                refused(2),
            ),
            ConformanceCase::new("an empty file", slide(String::new()), refused(2)),
        ]
    }

    /// Bad arguments.
    fn arguments(&self) -> Vec<ConformanceCase> {
        let mut elsewhere = slide(self.open.clone());
        elsewhere.arguments[2] = Argument::Word("no-such-folder/out.txt".into());
        vec![
            ConformanceCase::new(
                "no phase= among the arguments",
                ask(&[], Some(self.open.clone())),
                refused(3),
            ),
            ConformanceCase::new(
                "penguins=0",
                place("penguins=0", self.open.clone()),
                refused(3),
            ),
            ConformanceCase::new(
                "penguins=abc",
                place("penguins=abc", self.open.clone()),
                refused(3),
            ),
            ConformanceCase::new(
                "a phase= that is none",
                ask(&["phase=dancing"], Some(self.open.clone())),
                refused(3),
            ),
            ConformanceCase::new(
                "no such input file",
                ask(&["phase=movement"], None),
                refused(3),
            ),
            ConformanceCase::new(
                "an output file that cannot be written",
                elsewhere,
                refused(3),
            ),
        ]
    }
}

fn slide(file: String) -> Request {
    ask(&["phase=movement"], Some(file))
}

fn place(penguins: &str, file: String) -> Request {
    ask(&["phase=placement", penguins], Some(file))
}

fn nothing(file: &str) -> Expect {
    Expect::Exit {
        code: 1,
        output: Some(file.to_owned()),
    }
}

fn refused(code: i32) -> Expect {
    Expect::Exit { code, output: None }
}

fn ask(words: &[&str], file: Option<String>) -> Request {
    let words = words.iter().map(|&word| Argument::Word(word.into()));
    Request {
        arguments: words.chain([Argument::Input, Argument::Output]).collect(),
        input: String::new(),
        file,
    }
}
