use std::cmp::Reverse;

use floe_games::{Fault, FaultKind};
use floe_rules::text::count;
use floe_rules::{Occasion, Slip};
use serde::{Deserialize, Serialize};

use super::{Finding, Part, Verdict, guess, picture};
use crate::seat::Protocol;

/// One fault or remark, however often it showed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The error, in a sentence without a full stop.
    pub what: String,
    /// Advice; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
    /// Whether it disqualifies the program.
    pub is_failure: bool,
    /// The fault's kind; `None` for a remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FaultKind>,
    /// Time of the first late answer, in milliseconds; `None` for other causes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
    /// The cases in which the cause showed, in order.
    pub cases: Vec<String>,
    /// Line and column in the first answer, if the cause has a place there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(u32, u32)>,
    /// The right answer in the first case; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// The first answer, shortened, if it is text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// The position of the first case, in the game's own text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The squares of the board that the answer is about, such as `d3`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marked: Vec<String>,
    /// The board as text, with those squares in brackets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub board: String,
    /// The end of standard error in the first case.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The end of standard output, where the answer is a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// A shell command that asks the first question again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
}

impl Cause {
    /// The cause and where it showed, in a sentence without a full stop.
    pub fn headline(&self) -> String {
        let first = self.cases.first().map_or("", String::as_str);
        format!("{first}: {}", self.what)
    }

    /// Further details, each with a label: advice, the answer, the output, the command to repeat
    /// it. Texts may have several lines.
    pub fn details(&self) -> Vec<(&'static str, String)> {
        let tally = self.tally().unwrap_or_default();
        let place = self.at.filter(|_| !self.answer.is_empty());
        let answer = self.answer.strip_suffix('\n').unwrap_or(&self.answer);
        let answer = match place {
            Some((line, column)) => format!("{answer}\n(line {line}, column {column})"),
            None => answer.to_owned(),
        };
        let parts = [
            ("seen", tally),
            ("fix", self.advice.clone()),
            ("expected", self.expected.clone()),
            ("board", self.board.clone()),
            ("answer", shortened(answer)),
            ("stderr", last_of(&self.stderr)),
            ("stdout", last_of(&self.stdout)),
            ("again", self.command.clone()),
        ];
        parts
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect()
    }

    /// Number of occurrences, if more than one: `20 cases, one cause`.
    pub fn tally(&self) -> Option<String> {
        let cases = self.cases.len() as u32;
        (cases > 1).then(|| format!("{}, one cause", count(cases, "case")))
    }
}

/// The findings, each cause once: failures first, then those likeliest to cost games.
pub(super) fn of(findings: Vec<Finding>, protocol: Protocol) -> Vec<Cause> {
    let slip = guess::slip(&findings, protocol);
    let mut groups: Vec<Group> = Vec::new();
    let is_odd = |one: &Finding| matches!(one.verdict, Verdict::Failed | Verdict::Remark);
    for finding in findings.into_iter().filter(is_odd) {
        let key = key(&finding, slip);
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group {
                key,
                findings: vec![finding],
            }),
        }
    }
    groups.sort_by_key(Group::rank);
    groups
        .iter()
        .map(|group| group.cause(protocol, slip))
        .collect()
}

/// Findings with one cause.
struct Group {
    key: (Option<FaultKind>, String),
    findings: Vec<Finding>,
}

impl Group {
    fn is_failure(&self) -> bool {
        let mut verdicts = self.findings.iter().map(|one| one.verdict);
        verdicts.any(|verdict| verdict == Verdict::Failed)
    }

    /// The likeliest to cost games first.
    fn rank(&self) -> (bool, Part, Occasion, Reverse<usize>) {
        let part = self.findings.iter().map(|one| one.part).min();
        let occasion = self.findings.iter().map(|one| one.occasion).min();
        (
            !self.is_failure(),
            part.unwrap_or(Part::Letter),
            occasion.unwrap_or(Occasion::WrongInput),
            Reverse(self.findings.len()),
        )
    }

    fn cause(&self, protocol: Protocol, slip: Option<Slip>) -> Cause {
        let first = &self.findings[0];
        let cause = Cause {
            is_failure: self.is_failure(),
            cases: self.findings.iter().map(|one| one.case.clone()).collect(),
            position: first.position.as_ref().map(|position| position.write()),
            command: first.question.command(),
            ..Cause::default()
        };
        match &first.fault {
            None => Cause {
                what: first.note.clone().unwrap_or_default(),
                ..cause
            },
            Some(fault) => {
                let slip = slip.filter(|_| guess::is_wrong_answer(fault));
                let (marked, board) = match &first.position {
                    Some(position) if guess::is_wrong_answer(fault) => {
                        let squares = guess::squares(&**position, fault, protocol);
                        let board = picture::draw(&position.view(), &squares);
                        (squares.iter().map(ToString::to_string).collect(), board)
                    }
                    _ => (Vec::new(), String::new()),
                };
                Cause {
                    what: match slip {
                        Some(slip) => self.guessed(slip, fault),
                        None => what(fault),
                    },
                    advice: slip.map_or(String::new(), |slip| slip.advice().to_owned()),
                    marked,
                    board,
                    kind: Some(fault.kind),
                    took_ms: took_ms(first, fault),
                    at: fault.at,
                    expected: fault.expected.clone(),
                    answer: fault.answer.clone(),
                    stderr: fault.stderr.clone(),
                    stdout: fault.stdout.clone(),
                    ..cause
                }
            }
        }
    }

    /// The slip as a cause: without it, every wrong answer would be right.
    fn guessed(&self, slip: Slip, fault: &Fault) -> String {
        let answers = match self.findings.len() {
            1 => "apart from that, the wrong answer is right".to_owned(),
            many => format!("apart from that, all {many} wrong answers are right"),
        };
        format!("it {}: {answers} ({})", slip.cause(), fault.message)
    }
}

/// The time of a late move.
fn took_ms(finding: &Finding, fault: &Fault) -> Option<u64> {
    let is_move = fault.kind == FaultKind::Timeout && finding.position.is_some();
    let took = fault.wall_us / 1000;
    (is_move && took > 0).then_some(took)
}

/// The fault in a sentence; an uncaught exception is named.
fn what(fault: &Fault) -> String {
    let last = fault.stderr.lines().next_back().unwrap_or_default().trim();
    let gone = matches!(
        fault.kind,
        FaultKind::Crash | FaultKind::GaveUp | FaultKind::SilentExit
    );
    match last {
        "" => fault.message.clone(),
        last if gone => format!("{}: {last}", fault.message),
        _ => fault.message.clone(),
    }
}

/// The common part of findings with one cause: the message without squares, numbers and quotations.
fn key(finding: &Finding, slip: Option<Slip>) -> (Option<FaultKind>, String) {
    let text = match &finding.fault {
        Some(fault) if slip.is_some() && guess::is_wrong_answer(fault) => {
            return (None, "a slip".to_owned());
        }
        Some(fault) if fault.kind == FaultKind::Timeout => String::new(),
        Some(fault) => what(fault),
        None => finding.note.clone().unwrap_or_default(),
    };
    let mut plain = String::new();
    let mut is_quoted = false;
    for word in text.split(' ') {
        let ticks = word.matches('`').count();
        // Different exit codes are different causes.
        let is_code = plain.ends_with("code ") || plain.ends_with("instead of ");
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        let is_particular = is_quoted || ticks > 0 || (has_digit && !is_code);
        plain.push_str(if is_particular { "_" } else { word });
        plain.push(' ');
        is_quoted ^= ticks % 2 == 1;
    }
    (finding.fault.as_ref().map(|fault| fault.kind), plain)
}

/// Lines shown of a program's output.
const SHOWN: usize = 10;

/// The first lines of a text.
fn shortened(text: String) -> String {
    let lines = text.lines().count();
    if lines <= SHOWN {
        return text;
    }
    let first: Vec<&str> = text.lines().take(SHOWN).collect();
    format!("{}\n… {} more lines", first.join("\n"), lines - SHOWN)
}

/// The last lines of a text.
fn last_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].join("\n")
}
