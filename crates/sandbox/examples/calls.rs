//! Runs a command behind the filters for system calls and prints those that were not allowed.
//!
//! ```text
//! cargo run -p floe-sandbox --example calls -- python3 bot.py
//! ```
#![allow(clippy::print_stderr)]

use floe_sandbox::{CallAnswer, helper_main, trace_calls};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    helper_main();
    let command: Vec<String> = std::env::args().skip(1).collect();
    let trace = trace_calls("".as_ref(), &command, &std::env::current_dir()?)?;
    for call in &trace.calls {
        if call.answer != CallAnswer::Allowed {
            let first: Vec<String> = call.arguments.iter().map(|a| format!("{a:x}")).collect();
            eprintln!(
                "{} x{} {:?} {}",
                call.name,
                call.times,
                call.answer,
                first.join(" ")
            );
        }
    }
    eprintln!("{} kinds of calls, {:?}", trace.calls.len(), trace.end);
    Ok(())
}
