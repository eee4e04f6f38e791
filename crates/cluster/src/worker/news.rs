//! A worker's reports to its caller.

use std::fmt;
use std::time::Duration;

use floe_arena::speed::Speeds;

use crate::link::Lost;

/// A worker's reports to its caller, one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A layer of the sandbox, present or missing.
    Layer {
        /// The layer's name.
        name: &'static str,
        /// Why the layer is missing, if it is.
        missing: Option<String>,
    },
    /// The worker's capabilities.
    Ready {
        /// The worker's name.
        name: String,
        /// Cores the worker plays on.
        cores: usize,
        /// The level of the worker's sandbox.
        sandbox: u8,
        /// The machine's speed.
        speeds: Speeds,
    },
    /// The machine's speed was measured again.
    Measured {
        /// The measured speed.
        speeds: Speeds,
    },
    /// The worker is connected and waits for games.
    Waiting,
    /// There is no organiser yet.
    NoOrganiser,
    /// The first batch of a run.
    Plays {
        /// The run.
        run: String,
    },
    /// The machine failed.
    MachineFailure {
        /// The cause.
        cause: String,
        /// Length of the pause.
        pause: Duration,
    },
    /// The server accepts no results; the worker tries again.
    NotTaken {
        /// The cause.
        cause: String,
    },
    /// The worker refuses a batch.
    Refuses {
        /// The cause.
        cause: String,
    },
    /// The worker accepts the organiser's binary, and starts it after the games in progress.
    Updates {
        /// The version.
        version: String,
    },
    /// The worker refuses the organiser's binary.
    NotUpdated {
        /// The version.
        version: String,
        /// The cause.
        cause: String,
    },
    /// The connection is lost; the worker tries again.
    Lost {
        /// The cause.
        why: Lost,
    },
    /// The connection is restored.
    Connected,
    /// The worker takes no more games.
    Leaving,
    /// The worker cancels its games in progress, so that other workers play them.
    HandingBack,
    /// The worker has left.
    Left {
        /// Games the worker played.
        games: u64,
    },
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Layer {
                name,
                missing: None,
            } => write!(f, "enforces {name}"),
            News::Layer {
                name,
                missing: Some(why),
            } => write!(f, "lacks {name}: {why}"),
            News::Ready {
                name,
                cores,
                sandbox,
                speeds,
            } => {
                let cores = match cores {
                    1 => "1 core".to_owned(),
                    many => format!("{many} cores"),
                };
                write!(f, "{name}: {cores}, sandbox level {sandbox}")?;
                write_speeds(f, speeds)?;
                write!(f, ", signature {}", speeds.signature)
            }
            News::Measured { speeds } => {
                write!(f, "measured again")?;
                write_speeds(f, speeds)
            }
            News::Waiting => write!(f, "waiting for games"),
            News::NoOrganiser => write!(f, "no organiser has been here yet; waiting"),
            News::Plays { run } => write!(f, "plays games of run {run}"),
            News::MachineFailure { cause, pause } => {
                write!(f, "machine failure: {cause}; pausing {} s", pause.as_secs())
            }
            News::NotTaken { cause } => write!(f, "{cause}; trying again until it does"),
            News::Refuses { cause } => write!(f, "takes no such games: {cause}"),
            News::Updates { version } => {
                write!(
                    f,
                    "floe {version} of the organiser starts after the games in progress"
                )
            }
            News::NotUpdated { version, cause } => {
                write!(f, "floe {version} of the organiser is not taken: {cause}")
            }
            News::Lost { why: Lost::Network } => {
                write!(
                    f,
                    "the server cannot be reached; trying again until it answers"
                )
            }
            News::Lost { why: Lost::Key } => write!(
                f,
                "the server does not know this key any more: the organiser has removed it; trying again in \
                 case it is let in again"
            ),
            News::Connected => write!(f, "connected again"),
            News::Leaving => write!(f, "finishing what is being played"),
            News::HandingBack => write!(f, "handing back what is being played"),
            News::Left { games: 1 } => write!(f, "left after 1 game"),
            News::Left { games } => write!(f, "left after {games} games"),
        }
    }
}

fn write_speeds(f: &mut fmt::Formatter<'_>, speeds: &Speeds) -> fmt::Result {
    for speed in &speeds.games {
        write!(f, ", {} {} nodes/s", speed.game, speed.nodes_per_second)?;
    }
    Ok(())
}
