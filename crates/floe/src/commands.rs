//! One module for each word after `floe`.

mod archive;
mod bench;
mod check;
mod cluster;
mod completions;
mod config;
mod connect;
mod doctor;
mod export;
mod games;
mod hint;
mod league;
mod man;
mod matches;
mod new;
pub(crate) mod overview;
mod perft;
pub(crate) mod play;
mod replay;
mod report;
mod review;
mod rules;
mod serve;
mod show;
mod standings;
mod submit;
mod tournament;
mod verify;
mod watch;
mod worker;

use clap::Subcommand;

use crate::Answer;
use crate::terminal::Terminal;

#[derive(Subcommand)]
pub(crate) enum Command {
    Play(play::Args),
    Rules(rules::Args),
    New(new::Args),
    Show(show::Args),
    Check(check::Args),
    Hint(hint::Args),
    Match(Box<matches::Args>),
    Tournament(Box<tournament::Args>),
    Standings(standings::Args),
    Games(games::Args),
    Replay(replay::Args),
    Review(review::Args),
    Watch(watch::Args),
    Verify(verify::Args),
    Export(export::Args),
    Archive(archive::Args),
    Report(report::Args),
    Serve(serve::Args),
    League(league::Args),
    Submit(submit::Args),
    Connect(connect::Args),
    Worker(worker::Args),
    Cluster(cluster::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Config(config::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Answer> {
        match self {
            Command::Play(args) => play::run(args, terminal),
            Command::Rules(args) => rules::run(args, terminal),
            Command::New(args) => new::run(args, terminal),
            Command::Show(args) => show::run(args, terminal),
            Command::Check(args) => check::run(args, terminal),
            Command::Hint(args) => hint::run(args, terminal),
            Command::Match(args) => matches::run(args, terminal),
            Command::Tournament(args) => tournament::run(args, terminal),
            Command::Standings(args) => standings::run(args, terminal),
            Command::Games(args) => games::run(args, terminal),
            Command::Replay(args) => replay::run(args, terminal),
            Command::Review(args) => review::run(args, terminal),
            Command::Watch(args) => watch::run(args, terminal),
            Command::Verify(args) => verify::run(args, terminal),
            Command::Export(args) => export::run(args, terminal),
            Command::Archive(args) => archive::run(args, terminal),
            Command::Report(args) => report::run(args, terminal),
            Command::Serve(args) => serve::run(args, terminal),
            Command::League(args) => league::run(args, terminal),
            Command::Submit(args) => submit::run(args, terminal),
            Command::Connect(args) => connect::run(args, terminal),
            Command::Worker(args) => worker::run(args, terminal),
            Command::Cluster(args) => cluster::run(args, terminal),
            Command::Perft(args) => perft::run(args, terminal),
            Command::Bench(args) => bench::run(args, terminal),
            Command::Config(args) => config::run(args, terminal),
            Command::Doctor(args) => doctor::run(args, terminal),
            Command::Completions(args) => completions::run(args, terminal),
            Command::Man(args) => man::run(args, terminal),
        }
    }
}
