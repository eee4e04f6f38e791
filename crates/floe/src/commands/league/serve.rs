//! `floe league serve`: the pages, with the ladder beside them.

use anyhow::Result;
use floe_arena::runner::RunnerError;
use floe_league::League;
use floe_league::finals::BackgroundFinals;
use floe_league::ladder::BackgroundLadder;
use indicatif::ProgressBar;

use super::{finals, run as ladder};
use crate::cluster_args::ClusterArgs;
use crate::commands::serve;
use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Serve a league's pages and play its ladder
///
/// The same as `floe serve FOLDER` and `floe league run FOLDER` at once, in one process that shares
/// the cores between games; finals that the organiser starts on the pages are played here, too.
/// Stopping or killing it loses nothing.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
// A group with this name, for the pages' options, exists already.
#[group(skip)]
pub(crate) struct Args {
    #[command(flatten)]
    pages: serve::Args,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    cluster: ClusterArgs,
}

const EXAMPLES: &str = "\
floe league serve cup
floe league serve cup --listen 0.0.0.0:8080
floe league serve cup --cluster nats://host --key organiser.nk";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let pages = args.pages.clone().or_here();
    let league = League::open(&pages.folder()?)?;
    let runner = ladder::runner(&league, None, &args.cluster, terminal)?;
    let failed = |error: anyhow::Error| RunnerError::Elsewhere(error.into());
    let (elsewhere, here) = (args.cluster.clone(), runner.clone());
    let finals = BackgroundFinals::start(&league, move |tournament| {
        let players = finals::players(&elsewhere, &here, tournament).map_err(failed)?;
        players.send_remarks_to(&ProgressBar::hidden());
        Ok(players.into_dyn())
    })?;
    let _ladder = BackgroundLadder::start_with(&league, runner, |tables, opened| {
        let players = ladder::players(&args.cluster, tables, opened).map_err(failed)?;
        players.send_remarks_to(&ProgressBar::hidden());
        Ok(players.into_dyn())
    })?;
    let machines = args.cluster.machines(league.folder())?;
    serve::run_with_finals(&pages, finals.trouble(), machines, terminal)
}
