//! The limits of programs, as command-line options.

use std::path::Path;

use anyhow::{Result, ensure};
use floe_arena::amount::{mebibytes, milliseconds};
use floe_arena::seat::Sandbox;
use floe_games::record::MoveLimits;

use crate::terminal::{REMARK, Terminal};

/// Limits of a whole game, and the sandbox level.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    each: ProgramLimitArgs,

    /// Strikes allowed per seat; one more is a timeout
    #[arg(long, value_name = "N", default_value_t = 3)]
    strikes: u32,
}

/// Limits of every move, and the sandbox level.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct ProgramLimitArgs {
    /// Time limit per move, such as 200ms or 1.5s [default: the contest's limit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<u64>,

    /// Grace period; each use costs a strike [default: 50ms]
    #[arg(long, value_name = "TIME", value_parser = margin)]
    margin: Option<u64>,

    /// Startup time limit, until `ok` or a name [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    start: Option<u64>,

    /// Memory limit of a program, such as 256MiB or 1GiB [default: the contest's limit]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,

    /// Address-space limit of each process of a program [default: none, since node and Java reserve
    /// gigabytes]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    address_space: Option<u64>,

    /// Require at least this sandbox level, from 0 to 3
    #[arg(long, value_name = "LEVEL", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    require_sandbox: u8,

    /// Run programs at exactly this sandbox level, from 0 to 3, to measure and compare [default:
    /// this machine's highest level]
    #[arg(long, value_name = "LEVEL", conflicts_with = "require_sandbox")]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    sandbox: Option<u8>,
}

/// The sandbox of exactly one level, or the best that reaches the required level. Warns if it is
/// weak.
pub(crate) fn find_sandbox(
    exactly: Option<u8>,
    required: u8,
    programs: usize,
    terminal: &mut Terminal<'_>,
) -> Result<Sandbox> {
    let sandbox = match exactly {
        Some(level) => Sandbox::at_level(Path::new(""), level, programs)?,
        None => Sandbox::find(Path::new(""), required, programs)?,
    };
    if sandbox.layers().level() == 0 {
        let why = match exactly {
            Some(_) => "--sandbox 0 asks for that",
            None => "`floe doctor` says why",
        };
        writeln!(
            terminal.err,
            "{REMARK}warning:{REMARK:#} programs run almost as you here: nothing keeps them from \
             your files or the network; {why}"
        )?;
    }
    Ok(sandbox)
}

/// The least sandbox level of workers. Each worker plays at its highest level, so an exact level is
/// refused.
pub(crate) fn level_of_workers(exactly: Option<u8>, required: u8) -> Result<u8> {
    ensure!(
        exactly.is_none(),
        "--sandbox chooses the level of this machine, not of workers; with --cluster, use \
         --require-sandbox LEVEL"
    );
    Ok(required)
}

impl LimitArgs {
    /// The limits of a game.
    pub(crate) fn limits(&self, default: &MoveLimits) -> MoveLimits {
        MoveLimits {
            strikes: self.strikes,
            ..self.each.limits(default)
        }
    }

    /// The least level of workers' sandboxes.
    pub(crate) fn required_sandbox(&self) -> Result<u8> {
        level_of_workers(self.each.sandbox, self.each.require_sandbox)
    }

    /// See [`ProgramLimitArgs::sandbox`].
    pub(crate) fn sandbox(&self, programs: usize, terminal: &mut Terminal<'_>) -> Result<Sandbox> {
        self.each.sandbox(programs, terminal)
    }
}

impl ProgramLimitArgs {
    /// The limits of a move: the given ones, with defaults for the rest.
    pub(crate) fn limits(&self, default: &MoveLimits) -> MoveLimits {
        MoveLimits {
            move_ms: self.time.unwrap_or(default.move_ms),
            margin_ms: self.margin.unwrap_or(default.margin_ms),
            start_ms: self.start.unwrap_or(default.start_ms),
            memory_mib: self.memory.unwrap_or(default.memory_mib),
            address_space_mib: self.address_space.or(default.address_space_mib),
            ..default.clone()
        }
    }

    /// The sandbox for `programs` programs at once, or the reason why there is none. Warns if it is
    /// weak.
    pub(crate) fn sandbox(&self, programs: usize, terminal: &mut Terminal<'_>) -> Result<Sandbox> {
        find_sandbox(self.sandbox, self.require_sandbox, programs, terminal)
    }
}

/// A time with its unit.
fn time(text: &str) -> Result<u64, String> {
    let longest = 3_600_000;
    if text.parse::<f64>().is_ok() {
        return Err(format!("a time needs a unit; write {text}s or {text}ms"));
    }
    let time = milliseconds(text).filter(|time| (1..=longest).contains(time));
    time.ok_or_else(|| "write a time up to an hour, such as 200ms, 1.5s or 2min".to_owned())
}

/// A time with its unit, or 0.
fn margin(text: &str) -> Result<u64, String> {
    match milliseconds(text) == Some(0) || text == "0" {
        true => Ok(0),
        false => time(text),
    }
}

/// An amount of memory; a number alone is of MiB.
fn memory(text: &str) -> Result<u64, String> {
    let most = 1 << 20;
    let memory = text.parse().ok().or_else(|| mebibytes(text));
    let memory = memory.filter(|&memory: &u64| (1..=most).contains(&memory));
    memory.ok_or_else(|| "write an amount up to 1024GiB, such as 256MiB or 1GiB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_memory_are_written_in_one_way_everywhere() {
        assert_eq!(
            [time("200ms"), time("1.5s"), time("2min")],
            [Ok(200), Ok(1500), Ok(120_000)]
        );
        assert_eq!(
            time("5"),
            Err("a time needs a unit; write 5s or 5ms".to_owned())
        );
        assert_eq!(
            [memory("256MiB"), memory("1GiB"), memory("64")],
            [Ok(256), Ok(1024), Ok(64)]
        );
        assert_eq!(
            [margin("0ms"), margin("0"), margin("20ms")],
            [Ok(0), Ok(0), Ok(20)]
        );
        for wrong in ["", "soon", "0", "-1s", "2h", "99999999s"] {
            assert!(time(wrong).is_err(), "{wrong}");
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
