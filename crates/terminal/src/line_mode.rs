//! Games line by line, for dumb terminals and for screen readers.
//!
//! Every line is a sentence, so that a screen reader needs no picture: no boxes, no arrows, no
//! colours. The program asks for moves in the game's own notation and describes events in words.
//! Nothing is overwritten.

mod words;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use floe_arena::seat::{Failure, Seat};
use floe_rules::Player;
use floe_search::{Kind, Spec};

use super::{Begin, default_opponent, random_seed, wrapped};
use crate::error::TerminalError;
use crate::home::{Home, set_home};
use crate::input::{Answer, Input, Purpose, ThinkReport};
use crate::look::Look;
use crate::picture::Picture;
use crate::recorder::{self, GameRecorder};
use crate::seat::{self, PlayerSeat};
use crate::session::{Origin, Session};
use crate::texts::{of_game, t, tn};
use crate::thinker::{Effort, Mind, Thinker};
use crate::tour;

/// Time limit of a hint.
const HINT: Duration = Duration::from_secs(1);
/// Longest line.
const WIDEST: usize = 78;

/// The commands with their effects.
fn help() -> [(String, String); 11] {
    [
        (
            t!("a move"),
            t!("make this move, written as in the list of moves"),
        ),
        ("moves".to_owned(), t!("list the moves you can make")),
        (
            "look b7".to_owned(),
            t!("describe a square, and where the piece on it can go"),
        ),
        ("board".to_owned(), t!("describe the board row by row")),
        ("picture".to_owned(), t!("draw the board")),
        ("hint".to_owned(), t!("say the engine's best move")),
        ("undo".to_owned(), t!("undo your last turn")),
        ("pass".to_owned(), t!("make no move, if the rules allow it")),
        ("rules".to_owned(), t!("say the rules")),
        (
            "save FILE".to_owned(),
            t!("save a copy of the game to a file"),
        ),
        (
            "quit".to_owned(),
            t!("stop playing; it says whether the game is saved"),
        ),
    ]
}

/// Plays line by line until the game is over, the user quits, or the input ends.
pub(crate) fn run(
    begin: Begin,
    home: &Home,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    look: Look,
) -> Result<(), TerminalError> {
    let (session, recorder) = match begin {
        Begin::Play(session) | Begin::Review(session) => (*session, None),
        Begin::Watch(..) => return Err(TerminalError::LinesCannotWatch),
        Begin::Puzzles(_) => return Err(TerminalError::LinesHaveNoPuzzles),
        Begin::Tour(game) => return tour::lines::run(game, input, out, look),
        Begin::Resume => {
            let (session, recorder) = recorder::resume(home)?;
            (session, Some(recorder))
        }
        Begin::Choose => match choose(input, out)? {
            Some(session) => (session, None),
            None => return Ok(()),
        },
    };
    let is_resumed = recorder.is_some();
    let recorder = recorder.unwrap_or_else(|| GameRecorder::new(home, &session));
    let (inbox, reports) = channel();
    let thinkers = (0..session.seats().len()).map(|_| None).collect();
    let mut table = Table {
        session,
        recorder: Some(recorder),
        input,
        out,
        look,
        inbox,
        reports,
        thinkers,
        adviser: None,
    };
    if let (Err(error), false) = (home.check(), is_resumed) {
        table.lose(&error)?;
    }
    table.play()
}

/// Asks which game to play.
fn choose(input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Option<Session>, TerminalError> {
    let games = floe_games::games();
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    loop {
        let text = t!("Which game? {names}, or quit.", names = names.join(", "));
        writeln!(out, "{text}")?;
        out.flush()?;
        let Some(line) = read_line(input)? else {
            return Ok(None);
        };
        match line.as_str() {
            "quit" | "q" => return Ok(None),
            name => match floe_games::find(name) {
                Ok(game) => {
                    let (setup, seed) = (game.default_setup(), random_seed());
                    let start = game.start(&setup, seed)?;
                    let seats = [Seat::Human, default_opponent()];
                    let origin = Origin::Setup { setup, seed };
                    return Ok(Some(Session::new(start, origin, seats)));
                }
                Err(error) => writeln!(out, "{error}.")?,
            },
        }
    }
}

/// The next line, trimmed; empty at the end of the input.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    match input.read_line(&mut line)? {
        0 => Ok(None),
        _ => Ok(Some(line.trim().to_owned())),
    }
}

/// A game with its players.
struct Table<'a> {
    session: Session,
    recorder: Option<GameRecorder>,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
    look: Look,
    inbox: std::sync::mpsc::Sender<Input>,
    reports: Receiver<Input>,
    thinkers: Vec<Option<Thinker>>,
    adviser: Option<Thinker>,
}

impl Table<'_> {
    /// Prints a sentence, or several, in lines.
    fn say(&mut self, text: &str) -> Result<(), TerminalError> {
        for line in wrapped(&self.shown(text), WIDEST) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// The text without characters that this output cannot show.
    fn shown(&self, text: &str) -> String {
        match self.look.unicode {
            true => text.to_owned(),
            false => crate::draw::in_ascii(text),
        }
    }

    fn play(&mut self) -> Result<(), TerminalError> {
        let text = words::opening(&self.session);
        self.say(&text)?;
        let example = self.session.position().moves().into_iter().next();
        if let Some(example) = example {
            let text = t!("Type a move such as {mv}, or help.", mv = example);
            self.say(&text)?;
        }
        let mut is_new = true;
        // When the player to move began to think.
        let mut began = Instant::now();
        while let Some((player, seat)) = self.session.mover() {
            let seat = seat.clone();
            if !seat.is_human() {
                let name = self.session.name(player);
                self.say(&t!("{name} is thinking.", name))?;
                self.out.flush()?;
                self.ask_seat(player, &seat)?;
                is_new = true;
                continue;
            }
            let mut thought = began.elapsed();
            if std::mem::take(&mut is_new) {
                writeln!(self.out)?;
                for line in words::turn(&self.session) {
                    self.say(&line)?;
                }
                began = Instant::now();
                thought = Duration::ZERO;
            }
            let prompt = words::prompt(&self.session, player, thought);
            let prompt = self.shown(&prompt);
            write!(self.out, "{prompt} ")?;
            self.out.flush()?;
            let Some(line) = read_line(self.input)? else {
                writeln!(self.out)?;
                return self.leave();
            };
            // Line mode shows no running clock: time is checked when a line comes.
            let name = self.session.name(player);
            let is_you = self.session.is_you(player);
            if self.session.fall_flag(began.elapsed()).is_some() {
                let text = match is_you {
                    true => t!("Your time is over."),
                    false => t!("The time of {name} is over.", name),
                };
                self.say(&text)?;
                self.keep()?;
                is_new = true;
                continue;
            }
            match line.as_str() {
                "" => {}
                "quit" | "q" => return self.leave(),
                "help" | "?" => self.help()?,
                "moves" => self.moves()?,
                "hint" => self.hint(player)?,
                "board" => self.board()?,
                "picture" => self.picture()?,
                "rules" => self.rules()?,
                "undo" => is_new = self.undo()?,
                "pass" => {
                    is_new = self.session.give_up(began.elapsed());
                    match is_new {
                        true => self.made()?,
                        false => self.say(&t!("You cannot pass: the rules ask for a move."))?,
                    }
                }
                word if word == "look" || word.starts_with("look ") => {
                    self.look_at(word[4..].trim())?;
                }
                word if word == "save" || word.starts_with("save ") => {
                    self.save(word[4..].trim())?;
                }
                mv => match self.session.make(mv, began.elapsed(), String::new()) {
                    Ok(()) => {
                        self.made()?;
                        is_new = true;
                    }
                    Err(error) => {
                        let error = of_game(&error.to_string());
                        // Some reasons name the square themselves.
                        let text = match error.starts_with(mv) {
                            true => t!("{error}. Type moves to list all moves.", error),
                            false => {
                                t!("{mv}: {error}. Type moves to list all moves.", mv, error)
                            }
                        };
                        self.say(&text)?;
                    }
                },
            }
        }
        self.result()
    }

    /// Asks an engine or a program for its move.
    fn ask_seat(&mut self, player: Player, seat: &PlayerSeat) -> Result<(), TerminalError> {
        let seat = match seat {
            PlayerSeat::Here(seat) => seat.clone(),
            PlayerSeat::Gone(word) => seat::read(word, self.session.game())?,
        };
        let (game, inbox) = (self.session.game(), self.inbox.clone());
        let position = self.session.position().clone_position();
        let thinker = self.thinkers[player.index()]
            .get_or_insert_with(|| Thinker::new(game, Mind::Seat(Box::new(seat)), inbox));
        let id = thinker.think(Purpose::Move, position, Effort::Default, Duration::ZERO);
        let report = self.wait_for(Purpose::Move, id)?;
        match report.answer {
            Ok(Answer::Move(decision)) => {
                self.session
                    .make(&decision.mv, report.time, decision.note)?;
                self.made()
            }
            Err(Failure::Fault(fault)) => {
                let name = self.session.name(player);
                let (kind, message) = (fault.kind, &fault.message);
                let text = t!(
                    "{name} is disqualified: {kind}: {message}",
                    name,
                    kind,
                    message
                );
                self.say(&format!("{text}."))?;
                self.session.put_out(*fault);
                self.keep()
            }
            Err(Failure::MachineFailure(reason)) => Err(self.opponent_failed(player, reason)),
            Err(Failure::Stopped) | Ok(Answer::Thought(_)) => {
                Err(self.opponent_failed(player, t!("it made no move")))
            }
        }
    }

    fn opponent_failed(&self, player: Player, reason: String) -> TerminalError {
        TerminalError::Opponent {
            name: self.session.name(player),
            reason,
        }
    }

    fn wait_for(&self, purpose: Purpose, id: u64) -> Result<ThinkReport, TerminalError> {
        loop {
            // `inbox` keeps the channel open.
            let input = self.reports.recv().map_err(io::Error::other)?;
            if let Input::Report(report) = input
                && (report.purpose, report.id) == (purpose, id)
            {
                return Ok(report);
            }
        }
    }

    /// Describes the last turn, and stores it.
    fn made(&mut self) -> Result<(), TerminalError> {
        self.keep()?;
        for line in words::last_turn(&self.session) {
            self.say(&line)?;
        }
        Ok(())
    }

    /// On leaving, prints whether the game is saved.
    fn leave(&mut self) -> Result<(), TerminalError> {
        let is_saved = self.recorder.as_ref().map(GameRecorder::is_begun);
        let words = match is_saved {
            Some(true) => t!("The game is saved: resume it with floe play --resume."),
            _ if self.session.turns().is_empty() => {
                t!("No move was made, so there is no game to save.")
            }
            _ => t!("The game is not saved."),
        };
        self.say(&words)
    }

    /// Stops recording a game that cannot be stored; the game continues.
    fn lose(&mut self, error: &io::Error) -> Result<(), TerminalError> {
        self.recorder = None;
        self.say(&t!("The game is not saved: {error}.", error))?;
        let how = set_home();
        self.say(&t!(
            "To save a copy, type save and a file. To save every game, {how}.",
            how
        ))
    }

    /// Saves a copy of the current game.
    fn save(&mut self, path: &str) -> Result<(), TerminalError> {
        let text = match path {
            "" => t!("Type save and a file, such as save game.jsonl."),
            path => match recorder::save(&self.session, path.as_ref()) {
                Ok(()) => t!("Saved. To look at the game: floe replay {path}.", path),
                Err(error) => t!("{path}: {error}. The game is not saved there.", path, error),
            },
        };
        writeln!(self.out, "{}", self.shown(&text))?;
        Ok(())
    }

    /// Stores the last turn; if that fails, the game continues unsaved.
    fn keep(&mut self) -> Result<(), TerminalError> {
        let (Some(recorder), Some(step)) = (&mut self.recorder, self.session.turns().last()) else {
            return Ok(());
        };
        match recorder.turn(step) {
            Ok(()) => Ok(()),
            Err(error) => self.lose(&error),
        }
    }

    fn undo(&mut self) -> Result<bool, TerminalError> {
        let back = self.session.take_back();
        if back.undone.is_empty() {
            self.say(&t!("There is nothing to undo."))?;
            return Ok(false);
        }
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.back(&back)
        {
            self.lose(&error)?;
        }
        let moves: Vec<&str> = back.undone.iter().map(floe_games::Turn::text).collect();
        let text = t!("Undone: {moves}.", moves = moves.join(", "));
        self.say(&text)?;
        Ok(true)
    }

    fn board(&mut self) -> Result<(), TerminalError> {
        for line in words::board(&self.session) {
            self.say(&line)?;
        }
        Ok(())
    }

    fn look_at(&mut self, square: &str) -> Result<(), TerminalError> {
        let lines = match square.parse() {
            Ok(square) => words::look(&self.session, square),
            Err(_) => vec![t!("Type look and a square, such as look a1.")],
        };
        for line in lines {
            self.say(&line)?;
        }
        Ok(())
    }

    fn picture(&mut self) -> Result<(), TerminalError> {
        let view = self.session.position().view();
        let picture = Picture {
            title: self.session.game().title(),
            view: &view,
            turn: self.session.turn(),
            outcome: self.session.play().outcome(),
        };
        let text = anstream::adapter::strip_str(&picture.draw(self.look)).to_string();
        writeln!(self.out, "\n{text}")?;
        Ok(())
    }

    fn moves(&mut self) -> Result<(), TerminalError> {
        let moves = self.session.position().moves();
        let text = tn!("{n} move:", "{n} moves:", moves.len());
        self.say(&text)?;
        self.say(&moves.join(" "))
    }

    fn hint(&mut self, player: Player) -> Result<(), TerminalError> {
        let (game, inbox) = (self.session.game(), self.inbox.clone());
        let position = self.session.position().clone_position();
        let mind = Mind::Adviser(Spec::from(Kind::Floe));
        let adviser = (self.adviser).get_or_insert_with(|| Thinker::new(game, mind, inbox));
        let id = adviser.think(Purpose::Hint, position, Effort::For(HINT), Duration::ZERO);
        match self.wait_for(Purpose::Hint, id)?.answer {
            Ok(Answer::Thought(thought)) => {
                let best = &thought.best;
                let text = match thought.lead(player) {
                    0 => t!("Hint: {best}; then it is even.", best),
                    n @ 1.. => tn!(
                        "Hint: {best}; then you are {n} ahead.",
                        "Hint: {best}; then you are {n} ahead.",
                        n,
                        best
                    ),
                    n => tn!(
                        "Hint: {best}; then you are {n} behind.",
                        "Hint: {best}; then you are {n} behind.",
                        n.unsigned_abs(),
                        best
                    ),
                };
                self.say(&text)
            }
            _ => self.say(&t!("There is no hint.")),
        }
    }

    fn rules(&mut self) -> Result<(), TerminalError> {
        for rule in self.session.game().rules().lines() {
            self.say(&of_game(rule))?;
        }
        Ok(())
    }

    fn help(&mut self) -> Result<(), TerminalError> {
        for (word, what) in help() {
            self.say(&format!("{word}: {what}."))?;
        }
        Ok(())
    }

    /// Prints the result, and stores it.
    fn result(&mut self) -> Result<(), TerminalError> {
        let Some(text) = words::result(&self.session) else {
            return Ok(());
        };
        writeln!(self.out)?;
        self.say(&t!("The game is over."))?;
        self.say(&text)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.note_end(self.session.play().end());
            if let Err(error) = recorder.close() {
                self.say(&t!("The end of the game is not saved: {error}.", error))?;
            }
        } else {
            self.say(&t!("The game is not saved."))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
