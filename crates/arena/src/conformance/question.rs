use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use floe_rules::{Argument, Player, Request};

use crate::seat::line::{greeting, request};
use crate::seat::{ProgramSeat, Protocol, compat};
use floe_games::AnyPosition;
use floe_games::record::MoveLimits;

const INPUT: &str = "in.txt";
const OUTPUT: &str = "out.txt";

/// The input of a program, for repeating a question by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramInput {
    /// The command line of the program.
    words: Vec<String>,
    /// The standard input of the program.
    input: String,
    /// Contents of the program's input file, if it has one.
    file: Option<String>,
    answers_in_file: bool,
    /// Seconds for which the input stays open after the last line; `None` if it is closed.
    open_for: Option<u64>,
}

impl ProgramInput {
    pub(super) fn new(command: &[OsString], ask: &Request) -> ProgramInput {
        let program = command
            .iter()
            .map(|word| word.to_string_lossy().into_owned());
        let arguments = ask.arguments.iter().map(|argument| match argument {
            Argument::Word(word) => word.clone(),
            Argument::Input | Argument::InPlace => INPUT.to_owned(),
            Argument::Output => OUTPUT.to_owned(),
        });
        ProgramInput {
            words: program.chain(arguments).collect(),
            input: ask.input.clone(),
            file: ask.file.clone(),
            answers_in_file: ask.arguments.contains(&Argument::Output),
            open_for: None,
        }
    }

    /// The question in the form this program reads.
    pub(super) fn of(program: &ProgramSeat, ask: &Request) -> ProgramInput {
        ProgramInput::new(program.command(), &program.adapted(ask))
    }

    /// The input that asks a program of this name for a move in a position; `None` if the game is
    /// over.
    pub fn for_move(
        program: &ProgramSeat,
        position: &dyn AnyPosition,
        name: Option<&str>,
        milliseconds: u64,
    ) -> Option<ProgramInput> {
        let ask = asked(program.word(), position, name, milliseconds)?;
        Some(ProgramInput::new(program.command(), &ask))
    }

    /// The input of a line-protocol program for a game that starts here: the greeting, and a
    /// request for each of these positions. The input stays open as long as answering may take.
    pub(super) fn of_game(
        program: &ProgramSeat,
        start: &dyn AnyPosition,
        player: Player,
        asked: &[&dyn AnyPosition],
        limits: &MoveLimits,
    ) -> ProgramInput {
        let mut input = greeting(start, player);
        for &position in asked {
            input += &request(position, limits.move_ms);
        }
        let ask = Request {
            input,
            ..Request::default()
        };
        let milliseconds = match asked {
            [] => limits.start_ms,
            _ => limits.move_ms + limits.margin_ms,
        };
        ProgramInput {
            open_for: Some(milliseconds.div_ceil(1000) + 1),
            ..ProgramInput::of(program, &ask)
        }
    }

    /// The command line, quoted for a shell.
    pub(super) fn arguments(&self) -> String {
        shell_words::join(&self.words)
    }

    /// A POSIX shell command that asks the question again: it writes the files to a new folder,
    /// starts the program outside the sandbox, and shows its output, files and exit code.
    pub fn command(&self) -> String {
        let mut script = String::new();
        if let Some(file) = &self.file {
            let _ = write!(script, "{} > {INPUT}; ", printed(file));
        }
        if !self.input.is_empty() {
            let input = self.kept_open(&printed(&self.input));
            let _ = write!(script, "{input} | ");
        }
        format!("(cd \"$(mktemp -d)\"; {script}{})", self.call())
    }

    /// The same, with the files written to this folder, which is created if missing.
    pub fn keep(&self, folder: &Path) -> io::Result<String> {
        fs::create_dir_all(folder)?;
        let (mut before, mut from) = (String::new(), String::new());
        if let Some(file) = &self.file {
            fs::write(folder.join(INPUT), file)?;
        } else if !self.input.is_empty() {
            fs::write(folder.join(INPUT), &self.input)?;
            match self.open_for {
                None => from = format!(" < {INPUT}"),
                Some(_) => before = self.kept_open(&format!("cat {INPUT}")) + " | ",
            }
        }
        let folder = folder.canonicalize()?;
        let folder = shell_words::quote(&folder.to_string_lossy()).into_owned();
        let words = self.started();
        let shown = self.shown();
        Ok(format!(
            "(cd {folder}; {before}{words}{from}; echo \"exit code $?\"{shown})"
        ))
    }

    /// The command that writes the input, and keeps it open if it stays open in a game.
    fn kept_open(&self, input: &str) -> String {
        match self.open_for {
            None => input.to_owned(),
            Some(seconds) => format!("{{ {input}; sleep {}; }}", seconds + 1),
        }
    }

    /// The shell command that starts the program, and stops it if it does not read to the end.
    fn started(&self) -> String {
        let words = shell_words::join(&self.words);
        match self.open_for {
            None => words,
            Some(seconds) => format!("timeout {seconds} {words}"),
        }
    }

    fn call(&self) -> String {
        let words = self.started();
        format!("{words}; echo \"exit code $?\"{}", self.shown())
    }

    fn shown(&self) -> String {
        match self.answers_in_file {
            true => format!("; cat {OUTPUT}"),
            false => String::new(),
        }
    }
}

/// The input that asks the program of a seat spec for a move in a position, with this name; `None`
/// if the game is over. Works without the program.
pub fn asked(
    word: &str,
    position: &dyn AnyPosition,
    name: Option<&str>,
    milliseconds: u64,
) -> Option<Request> {
    let player = position.turn()?;
    let (protocol, command) = Protocol::of(word, position.game());
    let words = shell_words::split(command).unwrap_or_default();
    let compat = compat::split(words).map_or_else(|_| Default::default(), |(compat, _)| compat);
    let ask = match protocol {
        Protocol::Contest(dialect) => {
            let name = name.or(compat.id.as_deref());
            position.dialect(dialect).ok()?.request(name)
        }
        Protocol::Line => Request {
            input: greeting(position, player) + &request(position, milliseconds),
            ..Request::default()
        },
    };
    Some(compat.adapted(&ask))
}

/// A shell command that prints exactly this text.
fn printed(text: &str) -> String {
    // If all lines end alike, one `printf` format suits all.
    for (end, format) in [("\r\n", "%s\\r\\n"), ("\n", "%s\\n")] {
        let Some(body) = text.strip_suffix(end) else {
            continue;
        };
        let lines: Vec<&str> = body.split(end).collect();
        if lines.iter().any(|line| line.contains(['\r', '\n'])) {
            continue;
        }
        let lines: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
        return format!("printf '{format}' {}", lines.join(" "));
    }
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\\' => escaped.push_str("\\\\"),
            '%' => escaped.push_str("%%"),
            '\'' => escaped.push_str("'\\''"),
            other => escaped.push(other),
        }
    }
    format!("printf '{escaped}'")
}

fn quoted(line: &str) -> String {
    format!("'{}'", line.replace('\'', "'\\''"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    fn shell(script: &str) -> String {
        let place = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("TMPDIR", place.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    #[test]
    fn any_text_is_printed_as_it_is() {
        for text in [
            "",
            "J\n@#\n+.\n",
            "a\r\nb\r\n",
            "a\nb",
            "a\r\nb\n",
            "it's 100% \\n $HOME `ls`\n",
            "\n\n",
            "-n\n-e\n",
        ] {
            assert_eq!(shell(&printed(text)), text, "{}", printed(text));
        }
    }

    #[test]
    fn commands_ask_again() {
        let ask = Request {
            arguments: vec![Argument::Input, Argument::Output],
            input: String::new(),
            file: Some("J\r\n@#".into()),
        };
        let question = ProgramInput::new(&["cp".into()], &ask);
        let seen = "exit code 0\nJ\r\n@#";
        assert_eq!(shell(&question.command()), seen);
        let folder = tempfile::tempdir().unwrap();
        let kept = question.keep(&folder.path().join("a b")).unwrap();
        assert_eq!(shell(&kept), seen);
        let ask = Request {
            input: "x\ny\n".into(),
            ..Request::default()
        };
        let question = ProgramInput::new(&["wc".into(), "-l".into()], &ask);
        let kept = question.keep(folder.path()).unwrap();
        for command in [question.command(), kept] {
            let seen = shell(&command);
            assert_eq!(
                seen.split_whitespace().collect::<Vec<_>>(),
                ["2", "exit", "code", "0"]
            );
        }
    }
}
