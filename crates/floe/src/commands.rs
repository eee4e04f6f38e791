//! The command line: one module for each subcommand of `floe`.

mod archive;
mod bench;
mod check;
mod cluster;
mod completions;
mod config;
mod connect;
mod demo;
mod doctor;
mod export;
mod games;
mod grade;
mod hint;
mod league;
mod man;
mod matches;
mod module;
mod new;
mod overview;
mod perft;
mod play;
mod puzzle;
mod puzzles;
mod replay;
mod report;
mod review;
mod rules;
mod serve;
mod show;
mod site;
mod solve;
mod standings;
mod starter;
mod submit;
mod tour;
mod tournament;
mod verify;
mod watch;
mod worker;

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use clap_complete::CompleteEnv;

use crate::Answer;
use crate::cli::STYLES;
use crate::completing;
use crate::terminal::Terminal;

/// Play, referee and rank programs at grid games
#[derive(Parser)]
#[command(name = "floe", version, styles = STYLES, max_term_width = 100)]
#[command(
    after_help = "Without a command, floe lets you choose a game and play, in a terminal; elsewhere it shows what it \
                          can do, with an example each. A game's name alone, such as `floe gamma`, plays it."
)]
pub(crate) struct Cli {
    /// When to use colours
    ///
    /// `auto` uses them in a terminal, unless the variable NO_COLOR is set.
    #[arg(
        long,
        value_enum,
        global = true,
        display_order = 900,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    command: Option<Command>,
}

impl Cli {
    pub(crate) fn run(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Answer> {
        match &self.command {
            Some(command) => command.run(terminal),
            None if is_terminal() => play::run(&play::Args::default(), terminal),
            None => overview::run(&Cli::command(), terminal),
        }
    }
}

/// Answers a shell that asks how a command line continues; whether one asked.
pub(crate) fn complete(words: &[OsString]) -> clap::error::Result<bool> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(Cli::command)
        .var(completing::VARIABLE)
        .try_complete(words.iter().cloned(), folder.as_deref())
}

/// Whether a user sits at a terminal.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Tour(tour::Args),
    Puzzle(puzzle::Args),
    Rules(rules::Args),
    New(new::Args),
    Show(show::Args),
    Starter(starter::Args),
    Check(check::Args),
    Grade(grade::Args),
    Hint(hint::Args),
    Match(Box<matches::Args>),
    Tournament(Box<tournament::Args>),
    Standings(standings::Args),
    Games(games::Args),
    Replay(replay::Args),
    Review(review::Args),
    Puzzles(puzzles::Args),
    Watch(watch::Args),
    Verify(verify::Args),
    Export(export::Args),
    Archive(archive::Args),
    Report(report::Args),
    Serve(serve::Args),
    Site(site::Args),
    Demo(demo::Args),
    League(league::Args),
    Submit(submit::Args),
    Connect(connect::Args),
    Worker(worker::Args),
    Cluster(cluster::Args),
    Solve(solve::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Config(config::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Answer> {
        match self {
            Command::Play(args) => play::run(args, terminal),
            Command::Tour(args) => tour::run(args, terminal),
            Command::Puzzle(args) => puzzle::run(args, terminal),
            Command::Rules(args) => rules::run(args, terminal),
            Command::New(args) => new::run(args, terminal),
            Command::Show(args) => show::run(args, terminal),
            Command::Starter(args) => starter::run(args, terminal),
            Command::Check(args) => check::run(args, terminal),
            Command::Grade(args) => grade::run(args, terminal),
            Command::Hint(args) => hint::run(args, terminal),
            Command::Match(args) => matches::run(args, terminal),
            Command::Tournament(args) => tournament::run(args, terminal),
            Command::Standings(args) => standings::run(args, terminal),
            Command::Games(args) => games::run(args, terminal),
            Command::Replay(args) => replay::run(args, terminal),
            Command::Review(args) => review::run(args, terminal),
            Command::Puzzles(args) => puzzles::run(args, terminal),
            Command::Watch(args) => watch::run(args, terminal),
            Command::Verify(args) => verify::run(args, terminal),
            Command::Export(args) => export::run(args, terminal),
            Command::Archive(args) => archive::run(args, terminal),
            Command::Report(args) => report::run(args, terminal),
            Command::Serve(args) => serve::run(args, terminal),
            Command::Site(args) => site::run(args, terminal),
            Command::Demo(args) => demo::run(args, terminal),
            Command::League(args) => league::run(args, terminal),
            Command::Submit(args) => submit::run(args, terminal),
            Command::Connect(args) => connect::run(args, terminal),
            Command::Worker(args) => worker::run(args, terminal),
            Command::Cluster(args) => cluster::run(args, terminal),
            Command::Solve(args) => solve::run(args, terminal),
            Command::Perft(args) => perft::run(args, terminal),
            Command::Bench(args) => bench::run(args, terminal),
            Command::Config(args) => config::run(args, terminal),
            Command::Doctor(args) => doctor::run(args, terminal),
            Command::Completions(args) => completions::run(args, terminal),
            Command::Man(args) => man::run(args, Cli::command(), terminal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Look;

    #[test]
    fn a_command_runs_on_any_terminal() {
        let cli = Cli::try_parse_from(["floe", "perft", "flood", "1", "--divide"]).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut terminal = Terminal {
            out: &mut out,
            err: &mut err,
            look: Look {
                color: false,
                unicode: false,
                columns: Some(80),
                theme: floe_terminal::theme::Theme::Dark,
            },
            is_watched: false,
        };
        assert_eq!(cli.run(&mut terminal).unwrap(), Answer::Yes);
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("3 moves, 3 sequences")
        );
        assert!(err.is_empty());
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// Commands without `--json`, and why.
    const NO_FACTS: [(&str, &str); 16] = [
        ("play", "a game with a person"),
        ("tour", "a tour with a person"),
        ("puzzle", "puzzles with a person"),
        ("watch", "a screen"),
        ("serve", "runs until it is stopped"),
        ("league serve", "runs until it is stopped"),
        ("connect", "runs until it is stopped"),
        ("worker", "runs until it is stopped"),
        ("completions", "a script"),
        ("man", "manual pages"),
        ("cluster config", "writes files of a server"),
        ("cluster add", "writes files of a server"),
        ("cluster remove", "writes files of a server"),
        ("cluster ban", "a change, which `cluster bans` lists"),
        ("cluster unban", "a change, which `cluster bans` lists"),
        ("cluster drain", "a request to a worker"),
    ];

    /// Every command that does something itself, with the words that call it.
    fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
        let is_own =
            command.get_subcommands().next().is_none() || !command.is_subcommand_required_set();
        if is_own && !words.is_empty() {
            found.push((words.to_owned(), command.clone()));
        }
        for inner in command.get_subcommands() {
            let words = format!("{words} {}", inner.get_name());
            leaves(inner, words.trim(), found);
        }
    }

    #[test]
    fn every_command_that_prints_facts_prints_them_as_json() {
        let mut found = Vec::new();
        leaves(&Cli::command(), "", &mut found);
        assert!(found.len() > 40, "{}", found.len());
        let docs = include_str!("../../../docs/json.md");
        for (words, command) in &found {
            let takes_json = command.get_arguments().any(|arg| arg.get_id() == "json")
                || words.starts_with("config ");
            let is_excused = NO_FACTS.iter().any(|(name, _)| name == words);
            assert_ne!(takes_json, is_excused, "{words}");
            let is_described = docs.contains(&format!("`floe {words}`"));
            assert!(
                is_described || is_excused,
                "docs/json.md says nothing about {words}"
            );
        }
    }

    #[test]
    fn every_command_has_examples_that_are_understood() {
        for command in Cli::command().get_subcommands() {
            let examples = overview::examples(command);
            assert!(!examples.is_empty(), "{}", command.get_name());
            for example in examples {
                for call in example
                    .split('|')
                    .map(str::trim)
                    .filter(|c| c.starts_with("floe "))
                {
                    let call = call.split(" > ").next().unwrap_or(call);
                    let words = shell_words::split(call).expect("a line of a shell");
                    if let Err(error) = Cli::try_parse_from(words) {
                        panic!("{call}: {error}");
                    }
                }
            }
        }
    }
}
