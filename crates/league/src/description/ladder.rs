use floe_arena::tournament::parts::{Wrong, wrong};
use serde::Deserialize;
use toml::Spanned;

/// When a version is suspended: after this many games, if it had faults in more than this share of
/// them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuspensionRule {
    /// The share of games, from 0 to 1.
    pub share: f64,
    /// Games before faults can suspend a version.
    pub least: u32,
}

impl Default for SuspensionRule {
    fn default() -> Self {
        SuspensionRule {
            share: 0.25,
            least: 8,
        }
    }
}

/// The settings of the ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderSettings {
    /// The most games started per day (UTC).
    pub games_a_day: Option<u64>,
    /// The rule for suspending a version.
    pub suspension: SuspensionRule,
    /// Most meetings in progress. Each choice is based on results that are this many meetings old.
    pub ahead: usize,
    /// Concurrent games; by default as many as the cores allow.
    pub concurrency: Option<usize>,
}

impl Default for LadderSettings {
    fn default() -> Self {
        LadderSettings {
            games_a_day: None,
            suspension: SuspensionRule::default(),
            ahead: 8,
            concurrency: None,
        }
    }
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LadderText {
    games_a_day: Option<u64>,
    #[serde(alias = "bench")]
    suspend: Option<Spanned<String>>,
    #[serde(alias = "bench-after")]
    suspend_after: Option<u32>,
    ahead: Option<Spanned<usize>>,
    #[serde(alias = "tables")]
    concurrency: Option<Spanned<usize>>,
}

impl LadderText {
    pub(super) fn read(&self) -> Result<LadderSettings, Wrong> {
        let default = LadderSettings::default();
        let share = match &self.suspend {
            None => default.suspension.share,
            Some(said) => share(said.get_ref()).ok_or_else(|| {
                let help = "such as \"25%\"; \"100%\" suspends no version";
                wrong(said.span(), "not a share of games", help)
            })?,
        };
        let number = |said: &Option<Spanned<usize>>, what: &str| match said {
            Some(said) if !(1..=1024).contains(said.get_ref()) => {
                Err(wrong(said.span(), format!("{what} are 1 to 1024"), ""))
            }
            said => Ok(said.as_ref().map(|said| *said.get_ref())),
        };
        Ok(LadderSettings {
            games_a_day: self.games_a_day,
            suspension: SuspensionRule {
                share,
                least: self.suspend_after.unwrap_or(default.suspension.least),
            },
            ahead: number(&self.ahead, "meetings ahead")?.unwrap_or(default.ahead),
            concurrency: number(&self.concurrency, "concurrent games")?,
        })
    }
}

/// Reads `25%` as 0.25.
fn share(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        assert_eq!(share("25%"), Some(0.25));
        assert_eq!(share(" 7.5 % "), Some(0.075));
        for wrong in ["", "25", "-1%", "101%", "nan%", "many%"] {
            assert_eq!(share(wrong), None, "{wrong}");
        }
    }
}
