//! The tour line by line.

use std::io::{BufRead, Write};
use std::time::Duration;

use floe_games::{AnyGame, AnyPosition};
use floe_search::Limits;

use super::{Contest, Row, Stop, adviser, result, session};
use crate::draw::{in_ascii, wrapped};
use crate::error::TerminalError;
use crate::look::Look;
use crate::picture::Picture;
use crate::session::Session;
use crate::texts::{of_game, t, tn};

/// Longest line.
const WIDEST: usize = 78;
/// Node limit of a hint.
const HINT: u64 = 20_000;

/// The end of a step.
#[derive(PartialEq)]
enum Ended {
    Done,
    Left,
}

/// Runs the tour until its end, or until the user quits or the input ends.
pub(crate) fn run(
    game: &'static dyn AnyGame,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    look: Look,
) -> Result<(), TerminalError> {
    let stops = Stop::all(game);
    let all = stops.len();
    let mut guide = Guide { input, out, look };
    let title = of_game(game.title());
    guide.say(&t!("A tour of {title}, in {all} steps.", title, all))?;
    guide.say(&t!("Type the moves you are asked for; quit ends the tour."))?;
    for (number, &stop) in (1..).zip(&stops) {
        writeln!(guide.out)?;
        let title = stop.title();
        guide.say(&t!("Step {number} of {all}. {title}.", number, all, title))?;
        guide.say(&stop.text())?;
        if guide.step(game, stop)? == Ended::Left {
            return guide.say(&t!("The tour ends here. To take it again: floe tour."));
        }
    }
    let name = game.name();
    writeln!(guide.out)?;
    guide.say(&t!(
        "That was the tour. To play a first game: floe play {name} --lines.",
        name
    ))
}

struct Guide<'a> {
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
    look: Look,
}

impl Guide<'_> {
    fn say(&mut self, text: &str) -> Result<(), TerminalError> {
        let text = match self.look.unicode {
            true => text.to_owned(),
            false => in_ascii(text),
        };
        for line in wrapped(&text, WIDEST) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn step(&mut self, game: &'static dyn AnyGame, stop: Stop) -> Result<Ended, TerminalError> {
        let mut session = session(game, stop)?;
        match stop {
            Stop::Lesson(step) => {
                self.board(&session)?;
                self.say(&of_game(step.task))?;
                self.until(&session, |mv| step.solutions.contains(&mv))
            }
            Stop::Hint => {
                self.board(&session)?;
                self.hint(game, session.position())?;
                self.say(&t!("Make that move, or any other."))?;
                self.until(&session, |_| true)
            }
            Stop::Match => {
                self.watch(game, &mut session)?;
                Ok(Ended::Done)
            }
            Stop::Table => {
                self.table(&Contest::whole(game))?;
                Ok(Ended::Done)
            }
        }
        .and_then(|ended| {
            if ended == Ended::Done && !stop.done().is_empty() && stop != Stop::Match {
                self.say(&stop.done())?;
            }
            Ok(ended)
        })
    }

    /// Reads moves until the expected one.
    fn until(
        &mut self,
        session: &Session,
        is_asked_for: impl Fn(&str) -> bool,
    ) -> Result<Ended, TerminalError> {
        loop {
            write!(self.out, "{} ", t!("Your move:"))?;
            self.out.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(Ended::Left);
            }
            let position = session.position();
            match line.trim() {
                "" => {}
                "quit" | "q" => return Ok(Ended::Left),
                "board" => self.board(session)?,
                "moves" | "help" | "?" => {
                    let moves = position.moves().join(" ");
                    self.say(&t!("Type one of these moves: {moves}", moves))?;
                }
                mv => match position.check(mv) {
                    Ok(()) if is_asked_for(mv) => return Ok(Ended::Done),
                    Ok(()) => {
                        self.say(&t!(
                            "{mv} is a legal move, but not the one that is asked for. Try again.",
                            mv
                        ))?;
                    }
                    Err(error) => {
                        let error = of_game(&error.to_string());
                        self.say(&t!(
                            "{mv}: {error}. Type moves to list all moves.",
                            mv,
                            error
                        ))?;
                    }
                },
            }
        }
    }

    fn hint(
        &mut self,
        game: &'static dyn AnyGame,
        position: &dyn AnyPosition,
    ) -> Result<(), TerminalError> {
        match game
            .engine(&adviser())
            .think(position, &Limits::nodes(HINT))
        {
            Ok(thought) => self.say(&t!("Floe's best move is {best}.", best = thought.best)),
            Err(_) => self.say(&t!("There is no hint.")),
        }
    }

    /// Lets a session's engines play, and prints their moves.
    fn watch(
        &mut self,
        game: &'static dyn AnyGame,
        session: &mut Session,
    ) -> Result<(), TerminalError> {
        let specs = super::WATCHED.map(str::parse);
        let mut engines = Vec::new();
        for spec in specs.into_iter().flatten() {
            engines.push(game.engine(&spec));
        }
        let mut moves = Vec::new();
        while let Some(turn) = session.turn() {
            let Some(engine) = engines.get_mut(turn.index()) else {
                break;
            };
            let Ok(thought) = engine.think(session.position(), &Limits::default()) else {
                break;
            };
            session.make(&thought.best, Duration::ZERO, String::new())?;
            moves.push(thought.best);
        }
        self.say(&t!("The moves: {moves}.", moves = moves.join(" ")))?;
        self.board(session)?;
        self.say(&result(session))
    }

    fn table(&mut self, rows: &[Row]) -> Result<(), TerminalError> {
        for (place, row) in (1..).zip(rows) {
            let (name, score) = (row.name, row.score());
            self.say(&tn!(
                "Place {place}: {name}, {score} percent of {n} game.",
                "Place {place}: {name}, {score} percent of {n} games.",
                row.games,
                place,
                name,
                score
            ))?;
        }
        Ok(())
    }

    fn board(&mut self, session: &Session) -> Result<(), TerminalError> {
        let view = session.position().view();
        let picture = Picture {
            title: session.game().title(),
            view: &view,
            turn: session.turn(),
            outcome: session.play().outcome(),
        };
        let text = anstream::adapter::strip_str(&picture.draw(self.look)).to_string();
        writeln!(self.out, "\n{text}")?;
        Ok(())
    }
}
