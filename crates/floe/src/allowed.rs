//! What programs are allowed, as words of the command line.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use floe_arena::seat::Sandbox;
use floe_games::record::MoveLimits;
use floe_search::Spec;

use crate::terminal::{REMARK, Terminal};

/// Limits, and how well programs must be shut in.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Allowed {
    /// Wall time for a move, such as 200ms
    #[arg(long, value_name = "TIME", default_value = "1s")]
    pub(crate) time: String,

    /// How much later an answer may come, at the price of a strike
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: String,

    /// How many strikes a game has; one more is a timeout
    #[arg(long, value_name = "N", default_value_t = 3)]
    strikes: u32,

    /// Wall time until a program of the line protocol says ok
    #[arg(long, value_name = "TIME", default_value = "10s")]
    start: String,

    /// Memory of a program, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: u64,

    /// Do not play unless the sandbox reaches this level
    #[arg(long, value_name = "LEVEL", default_value_t = 0)]
    require_sandbox: u8,
}

impl Allowed {
    /// The limits of a game.
    pub(crate) fn limits(&self) -> Result<MoveLimits> {
        Ok(MoveLimits {
            move_ms: millis("--time", &self.time)?,
            margin_ms: millis("--margin", &self.margin)?,
            strikes: self.strikes,
            start_ms: millis("--start", &self.start)?,
            memory_mib: self.memory,
        })
    }

    /// The sandbox for so many programs at once, or why there is none. Says so where it is weak.
    pub(crate) fn sandbox(&self, programs: usize, terminal: &mut Terminal<'_>) -> Result<Sandbox> {
        let sandbox = Sandbox::find(Path::new(""), self.require_sandbox, programs)?;
        if sandbox.layers().level() == 0 {
            writeln!(
                terminal.err,
                "{REMARK}warning:{REMARK:#} programs run almost as you here: nothing keeps them from \
                 your files or the network; `floe doctor` says why"
            )?;
        }
        Ok(sandbox)
    }
}

/// A time, as engines' specs have it.
fn millis(option: &str, text: &str) -> Result<u64> {
    let spec: Spec = format!("floe:time={text}")
        .parse()
        .ok()
        .with_context(|| format!("{option}: `{text}` is no time; write 200ms or 1s"))?;
    let time: Duration = spec.time.unwrap_or_default();
    Ok(time.as_millis() as u64)
}
