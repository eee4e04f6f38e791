//! The assignment of the course that the game comes from: a C library, and a program that reads
//! commands.

mod calls;
mod example;
mod inputs;
mod scripts;
mod sessions;

use self::calls::{Call, Reference};
use crate::assignment::{
    Assignment, Input, InputLine, Key, Printed, Script, Session, Shown, WrongAnswer,
};

/// The Gamma library and the program `gamma`.
pub(super) struct Course;

impl Assignment for Course {
    fn header(&self) -> &'static str {
        "gamma.h"
    }

    fn program(&self) -> &'static str {
        "gamma"
    }

    fn harness(&self) -> &'static str {
        include_str!("assignment/harness.c")
    }

    fn groups(&self) -> &'static [&'static str] {
        scripts::GROUPS
    }

    fn scripts(&self) -> Vec<Script> {
        scripts::all()
    }

    fn judge(&self, calls: &[String], answers: &[String]) -> Option<WrongAnswer> {
        let mut reference = Reference::default();
        for (number, call) in calls.iter().enumerate() {
            let call = Call::read(call)?;
            let answer = answers.get(number).map(String::as_str);
            if let Err(expected) = reference.hold(call, answer) {
                return Some(WrongAnswer {
                    call: number,
                    expected,
                });
            }
        }
        None
    }

    fn simpler(&self, calls: &[String]) -> Vec<Vec<String>> {
        example::simpler(calls)
    }

    fn c_program(&self, calls: &[String], wrong: &WrongAnswer, got: &str) -> String {
        example::c_program(calls, wrong, got)
    }

    fn input_of(&self, calls: &[String]) -> Option<String> {
        example::input_of(calls)
    }

    fn picture(&self, calls: &[String]) -> String {
        example::picture(calls)
    }

    fn input_groups(&self) -> &'static [&'static str] {
        inputs::GROUPS
    }

    fn inputs(&self) -> Vec<Input> {
        inputs::all()
    }

    fn printed(&self, input: &Input) -> Printed {
        let mut printed = Printed {
            output: Vec::new(),
            errors: Vec::new(),
        };
        let mut reference = Reference::default();
        let mut has_game = false;
        for (number, line) in (1..).zip(&input.lines) {
            let is_torn = input.is_torn && number == input.lines.len();
            let answer = match line {
                InputLine::Skipped(_) => continue,
                InputLine::Call { call, .. } if !is_torn => {
                    let call = Call::read(call);
                    let is_new = matches!(call, Some(Call::New { .. }));
                    let answer = call.filter(|_| is_new != has_game);
                    let answer = answer.map(|call| reference.answer(call));
                    match (answer, is_new) {
                        (Some(answer), true) if answer == "game" => {
                            has_game = true;
                            Some(format!("OK {number}\n"))
                        }
                        (Some(answer), false) if answer.ends_with('/') => {
                            Some(answer.replace('/', "\n"))
                        }
                        (Some(answer), false) => Some(answer + "\n"),
                        _ => None,
                    }
                }
                InputLine::Call { .. } | InputLine::Wrong(_) => None,
            };
            match answer {
                Some(text) => printed.output.extend_from_slice(text.as_bytes()),
                None => (printed.errors).extend_from_slice(format!("ERROR {number}\n").as_bytes()),
            }
        }
        printed
    }

    fn session_groups(&self) -> &'static [&'static str] {
        sessions::GROUPS
    }

    fn sessions(&self) -> Vec<Session> {
        sessions::all()
    }

    fn end_key(&self) -> Key {
        sessions::CTRL_D
    }

    fn shown(&self, session: &Session) -> Option<Shown> {
        sessions::shown(session)
    }
}
