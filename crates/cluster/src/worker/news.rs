//! What a worker reports to its caller.

use std::fmt;
use std::time::Duration;

use floe_arena::speed::Speeds;

use crate::link::Lost;

/// A worker's messages to its caller; a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Something programs are kept from, or not.
    Layer {
        /// Its name.
        name: &'static str,
        /// Why it is missing, if it is.
        missing: Option<String>,
    },
    /// Its capabilities.
    Ready {
        /// Its name.
        name: String,
        /// Cores it plays on.
        cores: usize,
        /// The level of its sandbox.
        sandbox: u8,
        /// Its speed.
        speeds: Speeds,
    },
    /// It measured again how fast it is.
    Measured {
        /// The measured speed.
        speeds: Speeds,
    },
    /// It is connected and waits for work.
    Waiting,
    /// There is no organiser yet.
    NoOrganiser,
    /// The first batch of a run.
    Plays {
        /// The run.
        run: String,
    },
    /// The machine failed.
    Trouble {
        /// What happened.
        cause: String,
        /// Length of the pause.
        pause: Duration,
    },
    /// The server takes no results; they are tried again.
    NotTaken {
        /// What happened.
        cause: String,
    },
    /// It does not play a batch.
    Refuses {
        /// Why.
        cause: String,
    },
    /// It takes the organiser's binary, and starts it after the games in progress.
    Updates {
        /// The version.
        version: String,
    },
    /// It does not take the organiser's binary.
    NotUpdated {
        /// The version.
        version: String,
        /// Why not.
        cause: String,
    },
    /// The connection is lost; it is tried again.
    Lost {
        /// Why.
        why: Lost,
    },
    /// The connection is there again.
    Connected,
    /// It takes no more work.
    Leaving,
    /// It breaks off the games it plays, for others to play.
    HandingBack,
    /// It is gone.
    Left {
        /// Games it played.
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
            News::Trouble { cause, pause } => {
                write!(f, "trouble: {cause}; pausing {} s", pause.as_secs())
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
