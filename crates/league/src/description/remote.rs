use std::time::Duration;

use floe_arena::amount::milliseconds;
use floe_arena::tournament::parts::{Wrong, wrong};
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// How games of remote programs are rated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RemoteRating {
    /// Remote programs are not allowed.
    No,
    /// Remote programs have a table of their own.
    #[default]
    Apart,
    /// Remote programs play in the ladder.
    Ladder,
}

/// The limits of remote programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteSettings {
    /// How games of remote programs are rated.
    pub rated: RemoteRating,
    /// Latency allowance: the time an answer may take beyond the time limit.
    pub latency_allowance: Duration,
    /// Disconnect timeout: silence after which a program counts as ended.
    pub disconnect_timeout: Duration,
}

impl Default for RemoteSettings {
    fn default() -> Self {
        RemoteSettings {
            rated: RemoteRating::default(),
            latency_allowance: Duration::from_millis(500),
            disconnect_timeout: Duration::from_secs(10),
        }
    }
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RemoteText {
    #[serde(default)]
    rated: RemoteRating,
    #[serde(alias = "way")]
    latency_allowance: Option<Spanned<String>>,
    #[serde(alias = "grace")]
    disconnect_timeout: Option<Spanned<String>>,
}

impl RemoteText {
    pub(super) fn read(&self) -> Result<RemoteSettings, Wrong> {
        let default = RemoteSettings::default();
        Ok(RemoteSettings {
            rated: self.rated,
            latency_allowance: time(self.latency_allowance.as_ref(), default.latency_allowance)?,
            disconnect_timeout: time(self.disconnect_timeout.as_ref(), default.disconnect_timeout)?,
        })
    }
}

fn time(said: Option<&Spanned<String>>, default: Duration) -> Result<Duration, Wrong> {
    let Some(said) = said else {
        return Ok(default);
    };
    match milliseconds(said.get_ref()) {
        Some(ms @ 1..=600_000) => Ok(Duration::from_millis(ms)),
        _ => Err(wrong(
            said.span(),
            "not a time from 1ms to 10min",
            "such as \"500ms\" or \"10s\"",
        )),
    }
}
