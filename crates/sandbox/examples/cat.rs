//! Runs `/bin/cat` behind every layer that this machine gives, and says what became of it:
//!
//! ```sh
//! echo hello | cargo run -p floe-sandbox --example cat
//! ```

use std::io::{Read, Write};
use std::time::Duration;

use floe_sandbox::{Launch, ProgramEnd, Support, helper_main, run};

#[allow(clippy::print_stderr)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The example's own binary is the sandbox's helper too.
    helper_main();
    let layers = Support::probe("".as_ref()).layers();
    let mut input = Vec::new();
    std::io::stdin().take(1 << 20).read_to_end(&mut input)?;
    let launch = Launch {
        layers,
        ..Launch::of(["/bin/cat"])
    };
    let report = run(launch, &input, Duration::from_secs(5))?;
    std::io::stdout().write_all(&report.output)?;
    eprintln!(
        "cat {} after {:.1} ms, {layers}",
        report.outcome,
        report.wall.as_secs_f64() * 1000.0
    );
    match report.outcome {
        ProgramEnd::Exited(0) => Ok(()),
        other => Err(format!("cat {other}").into()),
    }
}
