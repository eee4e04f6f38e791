//! `floe league final`: freezes versions and plays a tournament of them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::value_parser;
use floe_arena::tournament::{Ended, Format, FormatName, Tournament};
use floe_league::League;
use floe_league::event::Freeze;
use floe_league::finals::{self, FinalsError, FinalsRequest};
use floe_league::ladder::LadderRunner;
use serde::Serialize;

use super::run::runner;
use crate::cluster_args::{self, ClusterArgs, ClusterRequest, Players, Priority};
use crate::contest::print_notices;
use crate::quoting::shown;
use crate::standing::{self, Exports, count};
use crate::stopping::stop_flag;
use crate::terminal::{COMMAND, FAINT, REMARK, STRONG, Terminal};
use crate::{Answer, cli, progress};

/// Freeze the accepted versions and play finals
///
/// Freezes the current version of every entrant, and draws the seed of unseen boards; both are
/// stored in the league's journal. Games are stored in FOLDER/finals-1.jsonl. After an
/// interruption, the same command resumes them; the ladder is paused while finals are played.
///
/// The exit code is 0 once all games are played, and 1 if some are missing or a check fails.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder of the league
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Tournament format [default: round-robin]
    #[arg(long, value_parser = formats(), value_name = "FORMAT")]
    format: Option<FormatName>,

    /// Boards of a meeting, each played in every rotation of the seats [default: as in league.toml]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=100_000))]
    boards: Option<u64>,

    /// Rounds of a Swiss tournament [default: as many as a knockout would have]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=10_000))]
    rounds: Option<u64>,

    /// Challenger, who meets all others in a gauntlet; may be repeated [default: the first of the
    /// ladder]
    #[arg(long, value_name = "ENTRANT")]
    challenger: Vec<String>,

    /// Start new finals, with the versions accepted by now
    #[arg(long)]
    new: bool,

    /// Verify the last finals: seed, boards, versions and moves
    ///
    /// With --json, "problems" lists the errors.
    #[arg(
        long,
        conflicts_with_all = ["new", "format", "boards", "rounds", "challenger", "csv", "markdown"]
    )]
    check: bool,

    /// Show no progress
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    exports: Exports,

    // Last, because what follows stands under its heading.
    #[command(flatten)]
    cluster: ClusterArgs,
}

const EXAMPLES: &str = "\
floe league final cup
floe league final cup --format swiss --rounds 7 --boards 20
floe league final cup --format gauntlet --challenger owls
floe league final cup --cluster nats://host --key organiser.nk
floe league final cup --check
floe league final cup --check --json";

/// The formats as words of the command line.
fn formats() -> impl TypedValueParser<Value = FormatName> {
    let value = |name: FormatName| PossibleValue::new(name.name()).help(name.about());
    let named = |word: String| FormatName::ALL.into_iter().find(|name| name.name() == word);
    PossibleValuesParser::new(FormatName::ALL.map(value))
        .map(move |word| named(word).unwrap_or_default())
}

impl Args {
    /// Whether these options contradict the frozen finals. The same options resume them.
    fn contradict(&self, freeze: &Freeze) -> bool {
        let is_format = |format: FormatName| freeze.format.name() == format;
        let has_rounds = |rounds| freeze.format == Format::Swiss { rounds };
        let first = freeze.versions.iter().map(|one| &one.version.entrant);
        self.format.is_some_and(|format| !is_format(format))
            || self.rounds.is_some_and(|rounds| !has_rounds(rounds))
            || self.boards.is_some_and(|boards| boards != freeze.boards)
            || !self.challenger.iter().eq(first.take(self.challenger.len()))
    }
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = League::open(&args.folder)?;
    let last = league.look(|standing| standing.finals.last().cloned())?;
    let folder = shown(&args.folder);
    if args.check {
        let Some(freeze) = last else {
            bail!("there are no finals yet; `floe league final {folder}` begins them");
        };
        return check(args, &league, &freeze, terminal);
    }
    let freeze = match last {
        Some(freeze) if !args.new => {
            if args.contradict(&freeze) {
                bail!(
                    "finals {} are frozen and continue; --new starts other finals",
                    freeze.number
                );
            }
            freeze
        }
        _ => {
            let freeze = freeze(args, &league)?;
            announce(&freeze, &folder, terminal)?;
            freeze
        }
    };
    let tournament = finals::open(&league, &freeze)?;
    let stop = stop_flag()?;
    let (tournament, ended) = play(args, &league, tournament, &stop, terminal)?;
    print_notices(tournament.store(), terminal)?;
    match ended {
        Ended::Finished => {
            args.exports.write(&tournament.standings(), terminal)?;
            if !args.quiet {
                writeln!(
                    terminal.err,
                    "\nverify them with {COMMAND}floe league final {folder} \
                     --check{COMMAND:#}; {COMMAND}--new{COMMAND:#} starts other finals"
                )?;
            }
            Ok(Answer::Yes)
        }
        Ended::Stopped => {
            args.exports.write(&tournament.standings(), terminal)?;
            writeln!(
                terminal.err,
                "\n{REMARK}stopped{REMARK:#}; resume with {COMMAND}floe league final {folder}{}{COMMAND:#}",
                args.cluster.words()
            )?;
            Ok(Answer::No)
        }
    }
}

/// Freezes the finals that the arguments describe.
fn freeze(args: &Args, league: &League) -> Result<Freeze> {
    if args.format != Some(FormatName::Gauntlet) && !args.challenger.is_empty() {
        bail!("only a gauntlet has challengers; add --format gauntlet");
    }
    if args.format != Some(FormatName::Swiss) && args.rounds.is_some() {
        bail!("only a swiss tournament has rounds; add --format swiss");
    }
    let wish = FinalsRequest {
        format: args.format.unwrap_or_default(),
        boards: args.boards,
        rounds: args.rounds,
        challengers: args.challenger.clone(),
        number: None,
    };
    Ok(wish.freeze(league)?)
}

/// Prints what was frozen, and how to compute the seed from it.
fn announce(freeze: &Freeze, folder: &str, terminal: &mut Terminal<'_>) -> Result<()> {
    writeln!(
        terminal.err,
        "{STRONG}Finals {}{STRONG:#}: {} are frozen, the seed is {STRONG}{}{STRONG:#}",
        freeze.number,
        count(freeze.versions.len() as u64, "version"),
        freeze.seed
    )?;
    writeln!(
        terminal.err,
        "{FAINT}The seed is the first twelve digits, in hexadecimal, of the SHA-256 of this: the random draw {} on a line, then a line `VERSION HASH` for each version, as the journal has them. \
         `floe league final {folder} --check` computes it.{FAINT:#}\n",
        freeze.lot
    )?;
    Ok(())
}

/// Plays the missing games, while the ladder is paused.
fn play(
    args: &Args,
    league: &League,
    mut tournament: Tournament,
    stop: &Arc<AtomicBool>,
    terminal: &mut Terminal<'_>,
) -> Result<(Tournament, Ended)> {
    if finals::are_over(&tournament) {
        finals::note_end(league)?;
        return Ok((tournament, Ended::Finished));
    }
    let here = runner(league, None, &args.cluster, terminal)?;
    let players = players(&args.cluster, &here, &tournament)?;
    let bar = progress::of_games(tournament.length(), terminal.is_watched && !args.quiet);
    bar.set_position(tournament.played());
    players.send_remarks_to(&bar);
    let ended = loop {
        let pairings = players.as_dyn();
        let ended = finals::play(league, &mut tournament, pairings, stop, || bar.inc(1));
        let Some(worker) = ended.as_ref().err().and_then(FinalsError::deviating_worker) else {
            break ended;
        };
        // The worker's games do not count, so other workers play them again.
        let taken;
        (tournament, taken) = tournament.without_games_of(worker, false)?;
        bar.suspend(|| cluster_args::report_taken_out(worker, &taken, terminal))?;
        bar.set_position(tournament.played());
    };
    bar.finish_and_clear();
    match ended {
        Ok(ended) => Ok((tournament, ended)),
        Err(error) => {
            print_notices(tournament.store(), terminal)?;
            bail!(
                "{error}\n  = no finished game is lost; fix this, then resume with \
                 `floe league final {}{}`",
                shown(&args.folder),
                args.cluster.words()
            )
        }
    }
}

/// The runner of finals: this machine's, or a cluster's.
pub(super) fn players(
    elsewhere: &ClusterArgs,
    here: &LadderRunner,
    tournament: &Tournament,
) -> Result<Players> {
    let description = tournament.description();
    let tables = description.concurrency.unwrap_or(here.tables);
    let tables = tournament.runner(here.sandbox.clone(), tables, here.cores.clone());
    if !elsewhere.is_wanted() {
        return Ok(Players::Here(Box::new(tables)));
    }
    elsewhere.players(ClusterRequest {
        runner: tables,
        name: Some(description.records.clone()),
        goes_on: tournament.played() > 0,
        sandbox: description.sandbox,
        speed: description.machine_speed.clone(),
        priority: Priority::High,
    })
}

/// The result of checking finals, as JSON.
#[derive(Serialize)]
struct Checked<'a> {
    finals: u32,
    seed: u64,
    versions: usize,
    /// Empty if everything matches.
    problems: &'a [String],
}

fn check(
    args: &Args,
    league: &League,
    freeze: &Freeze,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let problems = finals::check(league, freeze)?;
    if let Some(path) = args.exports.json() {
        let checked = Checked {
            finals: freeze.number,
            seed: freeze.seed,
            versions: freeze.versions.len(),
            problems: &problems,
        };
        let text = serde_json::to_string(&checked)? + "\n";
        standing::write_export(path, &text, terminal)?;
        return Ok(match problems.is_empty() {
            true => Answer::Yes,
            false => Answer::No,
        });
    }
    for problem in &problems {
        writeln!(terminal.out, "{problem}")?;
    }
    if !problems.is_empty() {
        return Ok(Answer::No);
    }
    writeln!(
        terminal.out,
        "Finals {} are valid: the seed {} is that of the random draw and the {}, and every game was played by \
         them, on a board of the seed, by the rules.",
        freeze.number,
        freeze.seed,
        standing::count(freeze.versions.len() as u64, "frozen version")
    )?;
    Ok(Answer::Yes)
}
