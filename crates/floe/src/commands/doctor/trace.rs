//! `floe doctor --trace-calls`.

use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use floe_sandbox::{CallAnswer, CallTrace, TracedCall, trace_calls};
use serde::Serialize;

use crate::Answer;
use crate::terminal::{ERROR, FAINT, REMARK, STRONG, Terminal};

#[derive(Serialize)]
struct Json<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    calls: Vec<JsonCall<'a>>,
}

#[derive(Serialize)]
struct JsonCall<'a> {
    name: &'a str,
    number: i64,
    times: u64,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    arguments: [String; 6],
    why: &'a str,
}

/// Runs a command and prints its system calls.
pub(super) fn run(
    command: &[String],
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let here = std::env::current_dir().context("cannot find the current directory")?;
    terminal.out.flush()?;
    let trace = trace_calls(Path::new(""), command, &here)?;
    if is_json {
        serde_json::to_writer(&mut terminal.out, &json(&trace))?;
        writeln!(terminal.out)?;
    } else {
        print(&trace, terminal)?;
    }
    Ok(match is_faultless(&trace) {
        true => Answer::Yes,
        false => Answer::No,
    })
}

fn is_faultless(trace: &CallTrace) -> bool {
    trace
        .calls
        .iter()
        .all(|call| call.answer != CallAnswer::Fault)
}

fn json(trace: &CallTrace) -> Json<'_> {
    Json {
        ok: is_faultless(trace),
        code: trace.end.ok(),
        signal: trace.end.err(),
        calls: trace.calls.iter().map(json_call).collect(),
    }
}

fn json_call(call: &TracedCall) -> JsonCall<'_> {
    let (answer, error) = match call.answer {
        CallAnswer::Allowed => ("allowed", None),
        CallAnswer::Refused(error) => ("refused", Some(error_name(error))),
        CallAnswer::Fault => ("fault", None),
    };
    JsonCall {
        name: &call.name,
        number: call.number,
        times: call.times,
        answer,
        error,
        arguments: call.arguments.map(|argument| format!("{argument:#x}")),
        why: call.why,
    }
}

fn print(trace: &CallTrace, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let out = &mut terminal.out;
    let end = match trace.end {
        Ok(code) => format!("exited with code {code}"),
        Err(signal) => format!("was ended by signal {signal}"),
    };
    let made: u64 = trace.calls.iter().map(|call| call.times).sum();
    writeln!(out, "\n{STRONG}System calls{STRONG:#}")?;
    writeln!(out, "The program made {made} calls and {end}.")?;
    let all = || trace.calls.iter();
    for call in all().filter(|call| call.answer != CallAnswer::Allowed) {
        let answer = match call.answer {
            CallAnswer::Refused(error) => format!("{REMARK}{}{REMARK:#}", error_name(error)),
            _ => format!("{ERROR}fault{ERROR:#}"),
        };
        let (name, times, why) = (&call.name, call.times, call.why);
        writeln!(
            out,
            "  {name:<24} {times:>8}x  {answer}  {FAINT}{why}{FAINT:#}"
        )?;
        let arguments = call.arguments.map(|argument| format!("{argument:#x}"));
        writeln!(
            out,
            "  {FAINT}  first with {}{FAINT:#}",
            arguments.join(", ")
        )?;
    }
    let allowed: Vec<&str> = all()
        .filter(|call| call.answer == CallAnswer::Allowed)
        .map(|call| call.name.as_str())
        .collect();
    match all().any(|call| call.answer != CallAnswer::Allowed) {
        true => writeln!(out, "Everything else was allowed: {}.", allowed.join(", "))?,
        false => writeln!(out, "All of them are allowed: {}.", allowed.join(", "))?,
    }
    if !is_faultless(trace) {
        writeln!(
            out,
            "{ERROR}A call marked as a fault loses the game: remove it from the program.{ERROR:#}"
        )?;
    }
    Ok(())
}

/// An error of the system by its name in C, or by its number.
fn error_name(error: i32) -> String {
    let known = [
        (1, "EPERM"),
        (22, "EINVAL"),
        (25, "ENOTTY"),
        (37, "ENOLCK"),
        (38, "ENOSYS"),
        (95, "EOPNOTSUPP"),
    ];
    let name = known.iter().find(|known| known.0 == error);
    name.map_or_else(|| format!("error {error}"), |name| name.1.to_owned())
}
