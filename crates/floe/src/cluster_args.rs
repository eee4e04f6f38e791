//! Cluster options of the command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::value_parser;
use floe_arena::amount::milliseconds;
use floe_arena::runner::{PlaysGames, Runner};
use floe_arena::store::TakenOut;
use floe_arena::tournament::MachineSpeed;
use indicatif::ProgressBar;

use crate::quoting::{quoted, shown};
use crate::standing::count;
use crate::terminal::{REMARK, Terminal};

/// The cluster that plays the games, if any.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Other machines")]
pub(crate) struct ClusterArgs {
    /// Play on the workers of the cluster at this address; see `floe worker --help`
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,

    /// Key of the organiser, from `floe cluster config`
    #[arg(long, value_name = "FILE", requires = "cluster")]
    key: Option<PathBuf>,

    /// Time a worker may be silent before its games go to another one
    #[arg(long, alias = "patience", value_name = "TIME", requires = "cluster", default_value = "30s", value_parser = timeout)]
    worker_timeout: Duration,

    /// Percentage of games to repeat as a spot check, of those with equal results on every machine;
    /// 0 trusts every worker, also in faults of programs
    #[arg(long, alias = "again", value_name = "PERCENT", requires = "cluster", default_value = "1.5", value_parser = per_mille)]
    spot_check: u32,

    /// Priority over other contests that use the same workers [default: high for finals, else normal]
    #[arg(long, value_name = "PRIORITY", requires = "cluster", value_enum)]
    priority: Option<Priority>,

    /// Share of the workers next to contests of the same priority: one of weight 2 gets twice as many
    /// as one of weight 1
    #[arg(long, value_name = "N", requires = "cluster", default_value = "1", value_parser = value_parser!(u32).range(1..=1000))]
    weight: u32,
}

/// Which contest gets workers first.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub(crate) enum Priority {
    Low,
    Normal,
    High,
}

/// Default worker timeout.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Default rate of spot checks, in thousandths of the games.
const DEFAULT_SPOT_CHECKS: u32 = 15;

/// Everything that is wanted of a cluster.
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub(crate) struct ClusterRequest {
    pub(crate) runner: Runner,
    /// The file of the records.
    pub(crate) name: Option<PathBuf>,
    /// Whether the contest has games already.
    pub(crate) goes_on: bool,
    /// The least level of the sandbox.
    pub(crate) sandbox: u8,
    pub(crate) speed: Option<MachineSpeed>,
    /// The priority if the user names none.
    pub(crate) priority: Priority,
}

/// The players of the games.
pub(crate) enum Players {
    Here(Box<Runner>),
    #[cfg(feature = "cluster")]
    There(Box<floe_cluster::Organiser>),
}

impl ClusterArgs {
    /// Whether a cluster is named.
    pub(crate) fn is_wanted(&self) -> bool {
        self.cluster.is_some()
    }

    /// The options that name the same cluster again, after a space; empty if games are played here.
    pub(crate) fn words(&self) -> String {
        let Some(url) = &self.cluster else {
            return String::new();
        };
        let mut words = format!(" --cluster {}", quoted(url));
        if let Some(key) = &self.key {
            words += &format!(" --key {}", shown(key));
        }
        if self.worker_timeout != DEFAULT_TIMEOUT {
            words += &format!(" --worker-timeout {}ms", self.worker_timeout.as_millis());
        }
        if self.spot_check != DEFAULT_SPOT_CHECKS {
            words += &format!(" --spot-check {}", f64::from(self.spot_check) / 10.0);
        }
        if let Some(priority) = self.priority {
            words += &format!(" --priority {}", format!("{priority:?}").to_lowercase());
        }
        if self.weight != 1 {
            words += &format!(" --weight {}", self.weight);
        }
        words
    }

    /// The runner on the cluster.
    #[cfg(feature = "cluster")]
    pub(crate) fn players(&self, wanted: ClusterRequest) -> Result<Players> {
        use floe_cluster::link::Address;
        use floe_cluster::wire::{OtherMachines, SpeedRule};
        use floe_cluster::{Organiser, OrganiserOptions, PRIORITY, PRIORITY_OF_FINALS};
        let address = Address {
            url: self.cluster.clone().unwrap_or_default(),
            key: self.key.clone(),
        };
        let options = OrganiserOptions {
            records: wanted.name,
            goes_on: wanted.goes_on,
            sandbox: wanted.sandbox,
            patience: self.worker_timeout,
            again_per_mille: self.spot_check,
            speed: wanted.speed.map(|speed| SpeedRule {
                reference: speed.reference,
                others: match speed.within_percent {
                    Some(percent) => OtherMachines::WithinPercent(percent),
                    None => OtherMachines::ScaleTime,
                },
            }),
            priority: match self.priority.unwrap_or(wanted.priority) {
                Priority::Low => PRIORITY / 2,
                Priority::Normal => PRIORITY,
                Priority::High => PRIORITY_OF_FINALS,
            },
            weight: self.weight,
            ..OrganiserOptions::new(address)
        };
        let organiser = Organiser::connect(wanted.runner, options)?;
        Ok(Players::There(Box::new(organiser)))
    }

    /// The cluster's machines for the pages of a contest's folder, if a cluster is named.
    #[cfg(feature = "cluster")]
    pub(crate) fn machines(&self, contest: &Path) -> Result<Option<floe_web::MachineSource>> {
        let Some(url) = &self.cluster else {
            return Ok(None);
        };
        let address = floe_cluster::link::Address {
            url: url.clone(),
            key: self.key.clone(),
        };
        crate::machines::watch(address, contest).map(Some)
    }

    /// A build without clusters has no machines.
    #[cfg(not(feature = "cluster"))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    pub(crate) fn machines(&self, _: &Path) -> Result<Option<floe_web::MachineSource>> {
        Ok(None)
    }

    /// Returns the error that says how to get clusters.
    #[cfg(not(feature = "cluster"))]
    pub(crate) fn players(&self, _: ClusterRequest) -> Result<Players> {
        let _ = (
            &self.key,
            self.worker_timeout,
            self.spot_check,
            self.priority,
            self.weight,
        );
        Err(not_built())
    }
}

impl Players {
    pub(crate) fn as_dyn(&self) -> &dyn PlaysGames {
        match self {
            Players::Here(runner) => &**runner,
            #[cfg(feature = "cluster")]
            Players::There(organiser) => &**organiser,
        }
    }

    pub(crate) fn into_dyn(self) -> Box<dyn PlaysGames + Send> {
        match self {
            Players::Here(runner) => runner,
            #[cfg(feature = "cluster")]
            Players::There(organiser) => organiser,
        }
    }

    /// A live table, with a line about the workers above it if a cluster plays.
    pub(crate) fn with_line(&self, table: String) -> String {
        match self {
            Players::Here(_) => table,
            #[cfg(feature = "cluster")]
            Players::There(organiser) => {
                let status = organiser.status();
                format!(
                    "{}, {}, {:.1} games/s\n{table}",
                    count(status.workers as u64, "worker"),
                    count(status.cores as u64, "core"),
                    status.games_per_second
                )
            }
        }
    }

    /// The status in one line, for output without a terminal.
    pub(crate) fn status_line(&self, left: Duration) -> String {
        match self {
            Players::Here(_) => {
                let _ = left;
                String::new()
            }
            #[cfg(feature = "cluster")]
            Players::There(organiser) => {
                let status = organiser.status();
                format!(
                    "; {}, {:.1} games/s, {} s left",
                    count(status.workers as u64, "worker"),
                    status.games_per_second,
                    left.as_secs()
                )
            }
        }
    }

    /// Prints remarks about workers, as they come, above a progress bar.
    pub(crate) fn send_remarks_to(&self, bar: &ProgressBar) {
        match self {
            Players::Here(_) => {
                let _ = bar;
            }
            #[cfg(feature = "cluster")]
            Players::There(organiser) => {
                let bar = bar.clone();
                organiser.send_remarks_to(move |remark| {
                    let remark = floe_rules::text::visible(remark);
                    let remark = format!("{REMARK}warning:{REMARK:#} {remark}");
                    bar.suspend(|| crate::progress::print(remark));
                });
            }
        }
    }
}

/// Reports the file to which a worker's games were moved.
pub(crate) fn report_taken_out(
    worker: &str,
    taken: &TakenOut,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let (games, aside) = (count(taken.games, "game"), taken.aside.display());
    let worker = floe_rules::text::visible(worker);
    writeln!(
        terminal.err,
        "{REMARK}warning:{REMARK:#} the games of worker {worker}, and the games drawn from their results, are in {aside} \
         now ({games}) and are played again"
    )?;
    Ok(())
}

/// The error of a build without this feature, with the command that adds it.
#[cfg(not(feature = "cluster"))]
pub(crate) fn not_built() -> anyhow::Error {
    anyhow::anyhow!(
        "this floe was built without clusters\n  = build one with `cargo build --release \
         --features cluster`, or take one of the releases, which have it"
    )
}

fn timeout(text: &str) -> Result<Duration, String> {
    let time = milliseconds(text).filter(|time| (500..=3_600_000).contains(time));
    let time = time.ok_or_else(|| "write a time from 500ms to an hour, such as 30s".to_owned())?;
    Ok(Duration::from_millis(time))
}

fn per_mille(text: &str) -> Result<u32, String> {
    let percent: Option<f64> = text.trim_end_matches('%').parse().ok();
    let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
    let percent = percent.ok_or_else(|| "write a number from 0 to 100, such as 1.5".to_owned())?;
    Ok((percent * 10.0).round() as u32)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        cluster: ClusterArgs,
    }

    #[test]
    fn what_goes_on_with_games_names_the_cluster() {
        let words = |line: &str| {
            let words = line.split(' ').filter(|word| !word.is_empty());
            let words = std::iter::once("floe").chain(words);
            Command::parse_from(words).cluster.words()
        };
        assert_eq!(words(""), "");
        for line in [
            " --cluster nats://host",
            " --cluster nats://host --key organiser.nk --worker-timeout 1500ms",
            " --cluster nats://host --spot-check 2.5",
        ] {
            assert_eq!(words(line), line);
        }
    }
}
