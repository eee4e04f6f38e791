//! Logging, on request.
//!
//! `FLOE_LOG` selects the messages: `debug` or `trace` for all of Floe, or a part of it, as in
//! `floe_arena::referee=debug`. Without it nothing is logged, except by a server, which logs
//! failures. Messages go to standard error, one line each; while a full screen is drawn on that
//! terminal they are left out.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The environment variable that turns logging on.
const VARIABLE: &str = "FLOE_LOG";
/// Default log level of a server.
const SERVING: &str = "warn";

/// Starts logging, if requested.
pub(crate) fn begin() -> Result<()> {
    if let Some(wanted) = wanted() {
        tell(targets(&wanted)?);
    }
    Ok(())
}

/// Logs a server's failures, unless another level is requested, so that the IDs on its error pages
/// can be found in the log.
pub(crate) fn begin_serving() -> Result<()> {
    if wanted().is_none() {
        tell(targets(SERVING)?);
    }
    Ok(())
}

/// The requested messages, if any.
fn wanted() -> Option<String> {
    let wanted = std::env::var_os(VARIABLE).filter(|wanted| !wanted.is_empty())?;
    Some(wanted.to_string_lossy().into_owned())
}

fn tell(targets: Targets) {
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(|| Stderr)
        .with_ansi(io::stderr().is_terminal());
    let subscriber = tracing_subscriber::registry().with(lines).with(targets);
    // A program that embeds Floe may have a subscriber already.
    let _ = subscriber.try_init();
}

/// The requested targets: a level for all of Floe, or parts with their levels.
fn targets(wanted: &str) -> Result<Targets> {
    if let Ok(level) = wanted.parse::<LevelFilter>() {
        return Ok(Targets::new().with_target("floe", level));
    }
    wanted.parse().with_context(|| {
        format!("{VARIABLE}={wanted}: a level (error, warn, info, debug, trace), or PART=LEVEL such as floe_arena=debug")
    })
}

/// Standard error, unless something is being drawn there.
struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if floe_terminal::has_screen() && io::stderr().is_terminal() {
            return Ok(bytes.len());
        }
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn a_level_is_for_all_of_floe_and_a_part_for_itself() {
        let all = targets("debug").unwrap();
        assert!(all.would_enable("floe_arena::referee", &Level::DEBUG));
        assert!(!all.would_enable("floe_arena::referee", &Level::TRACE));
        assert!(!all.would_enable("somebody_else", &Level::ERROR));
        let part = targets("floe_arena::job=debug").unwrap();
        assert!(part.would_enable("floe_arena::job", &Level::DEBUG));
        assert!(!part.would_enable("floe_arena::referee", &Level::ERROR));
        let serving = targets(SERVING).unwrap();
        assert!(serving.would_enable("floe_web::error", &Level::ERROR));
        assert!(serving.would_enable("floe_web::leagues", &Level::WARN));
        assert!(!serving.would_enable("floe_web::server", &Level::INFO));
        let error = targets("floe=loud").unwrap_err().to_string();
        assert!(error.starts_with("FLOE_LOG=floe=loud: a level"), "{error}");
    }
}
