//! `floe connect`: plays in a league with a remote program.

mod client;
mod home;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Result, bail};
use floe_league::remote::{News, Reply};

use self::client::{Heard, LeagueClient};
use self::home::HomeProgram;
use super::submit::token;
use crate::stopping::stop_flag;
use crate::terminal::{ERROR, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Play in a league with a remote program, which is never uploaded
///
/// For programs that need what the league's machine lacks, or that must stay secret. The program is
/// started here, once per game, without a sandbox, and uses the line protocol. The league asks for
/// its moves over HTTP(S) and adds a latency allowance. Its games are marked, and rated apart
/// unless the league says otherwise. If the connection is cut, the current game is lost unless the
/// program reconnects in time; other games are not affected.
///
/// The token is the one you were invited with, in the variable FLOE_TOKEN or in a file. Ctrl-C
/// disconnects; the current game is lost. With --games the command ends by itself.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// The league's address
    #[arg(value_name = "URL")]
    league: String,

    /// Program and its arguments
    #[arg(value_name = "PROGRAM", last = true, required = true)]
    program: Vec<String>,

    /// Name of this program; another name is another version with a rating of its own
    #[arg(long, alias = "word", value_name = "TEXT", default_value = "from home")]
    label: String,

    /// Play this many games and disconnect
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// File with your token [default: the variable FLOE_TOKEN]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

const EXAMPLES: &str = "\
floe connect https://floe.example.org -- ./bot
floe connect https://floe.example.org --label \"net 12\" -- python3 bot.py --gpu";

/// Longest delay before Ctrl-C is noticed.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let token = token(args.token_file.as_deref())?;
    if !args.league.starts_with("http://") && !args.league.starts_with("https://") {
        bail!("{} is no address; write http://… or https://…", args.league);
    }
    let stop = stop_flag()?;
    let client = Arc::new(LeagueClient::new(&args.league, &token, &args.label));
    let (tell, hear) = channel();
    let first = client.connect()?;
    writeln!(
        terminal.out,
        "{STRONG}{}{STRONG:#} plays {} in {} from here: {} ms per move plus {} ms latency allowance, {}",
        first.version,
        first.game,
        first.league,
        first.move_ms,
        first.way_ms,
        match first.is_rated_with_ladder {
            true => "rated with all others",
            false => "rated apart",
        }
    )?;
    terminal.out.flush()?;
    let player = Player {
        args,
        client: Arc::clone(&client),
        program: None,
        started: 0,
        games: 0,
    };
    client.listen(first.connection, tell.clone());
    player.play(
        &hear,
        &move |heard| tell.send(heard).is_ok(),
        &stop,
        terminal,
    )
}

/// The client that plays here.
struct Player<'a> {
    args: &'a Args,
    client: Arc<LeagueClient>,
    /// The program of the game under way.
    program: Option<HomeProgram>,
    /// Number of programs started so far.
    started: u64,
    games: u64,
}

impl Player<'_> {
    fn play(
        mut self,
        hear: &Receiver<Heard>,
        tell: &(impl Fn(Heard) -> bool + Clone + Send + 'static),
        stop: &AtomicBool,
        terminal: &mut Terminal<'_>,
    ) -> Result<Answer> {
        loop {
            if stop.load(Ordering::Relaxed) {
                self.client.leave();
                let games = crate::standing::count(self.games, "game");
                writeln!(terminal.err, "{REMARK}disconnected{REMARK:#} after {games}")?;
                return Ok(Answer::Yes);
            }
            let heard = match hear.recv_timeout(LOOK) {
                Ok(heard) => heard,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("the connection's thread ended; connect again")
                }
            };
            match heard {
                Heard::News(news) => {
                    if let Some(answer) = self.take_in(news, tell, terminal)? {
                        return Ok(answer);
                    }
                }
                Heard::Lost(why) => {
                    writeln!(terminal.err, "{REMARK}{why}{REMARK:#}; trying again")?;
                }
                Heard::Back(connection) => {
                    self.program = None;
                    writeln!(terminal.err, "connected again as {}", connection.version)?;
                }
                Heard::Refused(why) => bail!("{why}"),
                Heard::Line { program, line } => self.answer(program, &line, terminal)?,
                Heard::Ended { program } => self.ended(program, terminal)?,
            }
            terminal.out.flush()?;
            terminal.err.flush()?;
        }
    }

    /// Handles a message of the league; the answer once the command is over.
    fn take_in(
        &mut self,
        news: News,
        tell: &(impl Fn(Heard) -> bool + Clone + Send + 'static),
        terminal: &mut Terminal<'_>,
    ) -> Result<Option<Answer>> {
        match news {
            News::Sit { game, seats, lines } => {
                let table = seats.join(" against ");
                writeln!(terminal.out, "{FAINT}game {game}: {table}{FAINT:#}")?;
                self.started += 1;
                let (words, number) = (&self.args.program, self.started);
                match HomeProgram::start(words, number, &game, &lines, tell.clone()) {
                    Ok(program) => self.program = Some(program),
                    Err(error) => {
                        self.client.say(&Reply::Failed { game });
                        self.client.leave();
                        return Err(error);
                    }
                }
            }
            News::Decide {
                game,
                question,
                lines,
            } => {
                if let Some(program) = self.program.as_mut().filter(|one| one.game == game) {
                    program.ask(question, &lines);
                }
            }
            News::Over { game, scores, text } => {
                if let Some(program) = self.program.take_if(|one| one.game == game) {
                    program.finish(&scores);
                }
                self.games += 1;
                let style = if text.contains("fault") { ERROR } else { GOOD };
                let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
                let scores = scores.join(" : ");
                writeln!(terminal.out, "game {game}: {style}{text}{style:#} {scores}")?;
                if self.args.games == Some(self.games) {
                    self.client.leave();
                    return Ok(Some(Answer::Yes));
                }
            }
            News::End { why } => {
                writeln!(
                    terminal.err,
                    "{REMARK}the league ended the connection:{REMARK:#} {why}"
                )?;
                return Ok(Some(Answer::No));
            }
        }
        Ok(None)
    }

    /// Sends the program's line to the league.
    fn answer(&mut self, number: u64, line: &str, terminal: &mut Terminal<'_>) -> Result<()> {
        // Output of an earlier game's program is of no use.
        let Some(program) = self.program.as_mut().filter(|one| one.number == number) else {
            return Ok(());
        };
        let game = program.game.clone();
        let Some(reply) = program.reply(line) else {
            return Ok(());
        };
        if let Err(why) = self.client.try_to_say(&reply) {
            writeln!(terminal.err, "{REMARK}game {game}:{REMARK:#} {why}")?;
        }
        Ok(())
    }

    fn ended(&mut self, number: u64, terminal: &mut Terminal<'_>) -> Result<()> {
        if let Some(program) = self.program.take_if(|one| one.number == number) {
            let game = program.game.clone();
            writeln!(
                terminal.err,
                "{ERROR}game {game}: your program ended, or closed its output{ERROR:#}"
            )?;
            self.client.say(&Reply::Failed { game });
        }
        Ok(())
    }
}
