//! The contest program `gamma`: plays the commands on standard input.

#[cfg(unix)]
mod terminal;

use std::env;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Read, StdinLock, Write};
use std::process::ExitCode;

use floe_contest::gamma::interactive::InteractiveGame;
use floe_contest::gamma::session::{BLOCK, Critical, Session};
use floe_rules::Player;
use thiserror::Error;

const HELP: &str = "\
Plays Gamma by commands on standard input, a line each.

Usage: gamma < COMMANDS
       gamma --help | --version

  I width height players areas   play on the screen: see below
  B width height players areas   start a game: prints OK and the line's number
  m player x y                   take a free field: prints 1 if done, 0 if not allowed
  g player x y                   take another player's field, once a game: 1 or 0
  b player                       how many fields the player holds
  f player                       how many fields the player could take now
  q player                       whether the player could make a golden move: 1 or 0
  p                              the board, the row y = 0 at the bottom
  # ...                          a comment

Players count from 1, columns x and rows y from 0. A wrong line is answered by ERROR and
its number on standard error. The exit code is 0, 1 if memory runs out in the middle of
a game, a line does not end or the output cannot be written, 2 if the program is called with arguments.

On the screen: arrows move the cursor, space takes the field, G takes another player's
field (the golden move), C passes, Ctrl-D ends the game. Under the board stand
the player's number, the fields he holds, those he could take, and G while a golden move
is possible. Keys are read from standard input after the line; from the terminal if
standard input ends there.

Examples: printf 'B 10 10 2 3\\nm 1 0 0\\np\\n' | gamma
          echo I 10 10 2 3 | gamma
";

/// Reasons why the program ends early.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Critical(#[from] Critical),
    #[error("cannot read the commands: {0}")]
    Input(io::Error),
    #[error("cannot write the results: {0}")]
    Output(io::Error),
    #[error("the terminal fails: {0}")]
    Terminal(io::Error),
    #[error("not enough memory for the final board")]
    Memory,
}

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        (None, _) => {}
        (Some(word), None) if word == "--help" || word == "-h" => {
            return ended(print(HELP));
        }
        (Some(word), None) if word == "--version" || word == "-V" => {
            let version = concat!("gamma ", env!("CARGO_PKG_VERSION"), "\n");
            return ended(print(version));
        }
        (Some(word), _) => {
            let _ = writeln!(
                io::stderr(),
                "gamma: unexpected argument '{}': commands are read from standard input \
                 (--help shows them)",
                word.to_string_lossy()
            );
            return ExitCode::from(2);
        }
    }
    ended(play(io::stdin().lock()))
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::Output)
}

/// Runs all commands of `input`.
fn play(mut input: StdinLock<'_>) -> Result<(), Failure> {
    let mut session = Session::new();
    let mut block = vec![0; BLOCK];
    loop {
        let length = match input.read(&mut block) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Input(error)),
        };
        let mut bytes = &block[..length];
        while !bytes.is_empty() {
            let fed = session.feed(bytes);
            write_out(&mut session)?; // before the reason to stop, if there is one
            bytes = fed?;
            if let Some(board) = session.take_interactive() {
                let mut table = InteractiveGame::new(board);
                let Some(why) = refusal(&table) else {
                    return play_interactively(&mut table, bytes, input);
                };
                session.refuse_interactive(&why);
                write_out(&mut session)?;
            }
        }
        if length == 0 {
            session.end();
            return write_out(&mut session);
        }
    }
}

#[cfg(unix)]
use terminal::refusal;

/// The reason why the game cannot be played, for the user.
#[cfg(not(unix))]
fn refusal(_: &InteractiveGame) -> Option<String> {
    Some("the interactive game needs a terminal of a Unix".to_owned())
}

/// Plays the keys in `first` and then those of `input`, then prints the board and each player's
/// fields.
fn play_interactively(
    table: &mut InteractiveGame,
    first: &[u8],
    input: StdinLock<'_>,
) -> Result<(), Failure> {
    #[cfg(unix)]
    let ended = terminal::play(table, first, input).map_err(Failure::Terminal)?;
    let text = table.final_board().ok_or(Failure::Memory)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut leave = || {
        out.write_all(&text)?;
        for player in Player::all(table.board().players()) {
            writeln!(out, "PLAYER {player} {}", table.board().busy_fields(player))?;
        }
        out.flush()?;
        // A program that reads the results needs no explanation.
        if io::stdout().is_terminal() {
            writeln!(out, "{}", table.winner())?;
        }
        out.flush()
    };
    leave().map_err(Failure::Output)?;
    #[cfg(unix)]
    match ended {
        terminal::Ended::Normally => {}
        terminal::Ended::Interrupted => terminal::end_interrupted().map_err(Failure::Terminal)?,
    }
    Ok(())
}

/// Writes the collected output.
fn write_out(session: &mut Session) -> Result<(), Failure> {
    let write = |stream: &mut dyn Write, bytes: &mut Vec<u8>| {
        if bytes.is_empty() {
            return Ok(());
        }
        stream.write_all(bytes)?;
        bytes.clear();
        stream.flush()
    };
    write(&mut io::stdout().lock(), &mut session.output)
        .and_then(|()| write(&mut io::stderr().lock(), &mut session.errors))
        .map_err(Failure::Output)
}

/// The exit code; prints the error, unless it is a closed pipe.
fn ended(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "gamma: {failure}");
            ExitCode::FAILURE
        }
    }
}
