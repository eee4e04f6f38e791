//! Games line by line, for dumb terminals and for screen readers.
//!
//! The program prints the board as text, asks for moves in the game's own notation, and describes
//! events in words. Nothing is overwritten.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use floe_arena::seat::{Failure, Seat};
use floe_games::Reason;
use floe_rules::Player;
use floe_search::{Kind, Spec, lead};

use super::{Begin, default_opponent, random_seed, wrapped};
use crate::draw::clock;
use crate::error::TerminalError;
use crate::home::{Home, SET_HOME};
use crate::input::{Answer, Input, Purpose, ThinkReport};
use crate::look::Look;
use crate::picture::Picture;
use crate::recorder::{self, GameRecorder};
use crate::seat::{self, PlayerSeat};
use crate::session::{Origin, Session};
use crate::thinker::{Effort, Mind, Thinker};
use crate::tour;

/// Time limit of a hint.
const HINT: Duration = Duration::from_secs(1);
/// Longest line.
const WIDEST: usize = 78;

const HELP: [(&str, &str); 9] = [
    ("a move", "make it, as the list of moves writes it"),
    ("moves", "list the moves you can make"),
    ("hint", "the engine's best move"),
    ("undo", "take back your last turn"),
    ("pass", "give up the turn, where the rules allow it"),
    ("board", "print the board again"),
    ("rules", "print the rules"),
    ("save FILE", "save a copy of the game to a file"),
    ("quit", "stop playing; it says whether the game is saved"),
];

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

/// Asks which game is to be played.
fn choose(input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Option<Session>, TerminalError> {
    let games = floe_games::games();
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    loop {
        writeln!(out, "Which game? {}, or quit.", names.join(", "))?;
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

/// The next line without blanks around it; nothing at the end of the input.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    match input.read_line(&mut line)? {
        0 => Ok(None),
        _ => Ok(Some(line.trim().to_owned())),
    }
}

/// A game and those at it.
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
    fn play(&mut self) -> Result<(), TerminalError> {
        let title = self.session.game().title();
        writeln!(self.out, "{title}. The word help lists what can be said.")?;
        let mut is_new = true;
        // When the player to move began to think.
        let mut began = Instant::now();
        while let Some((player, seat)) = self.session.mover() {
            let seat = seat.clone();
            if !seat.is_human() {
                self.ask_seat(player, &seat)?;
                is_new = true;
                continue;
            }
            let mut thought = began.elapsed();
            if std::mem::take(&mut is_new) {
                self.board()?;
                began = Instant::now();
                thought = Duration::ZERO;
            }
            match self.session.time_left(player, thought) {
                None => write!(self.out, "Player {player}, your move: ")?,
                Some(left) => {
                    let left = clock(left);
                    write!(self.out, "Player {player}, your move ({left} left): ")?;
                }
            }
            self.out.flush()?;
            let Some(line) = read_line(self.input)? else {
                writeln!(self.out)?;
                return self.leave();
            };
            // Nothing is seen of a clock between two lines: it is looked at when one comes.
            let name = self.session.name(player);
            if self.session.fall_flag(began.elapsed()).is_some() {
                match name.as_str() {
                    "you" => writeln!(self.out, "Your time is over.")?,
                    name => writeln!(self.out, "The time of player {player} ({name}) is over.")?,
                }
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
                "rules" => self.rules()?,
                "undo" => is_new = self.undo()?,
                "pass" => {
                    is_new = self.session.give_up(began.elapsed());
                    match is_new {
                        true => self.made("")?,
                        false => writeln!(self.out, "The turn cannot be given up.")?,
                    }
                }
                word if word.starts_with("save") => self.save(word[4..].trim())?,
                mv => match self.session.make(mv, began.elapsed(), String::new()) {
                    Ok(()) => {
                        self.made(mv)?;
                        is_new = true;
                    }
                    Err(error) => {
                        writeln!(self.out, "{mv}: {error}. The word moves lists all moves.")?;
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
        let id = thinker.think(Purpose::Move, position, Effort::Usual, Duration::ZERO);
        let report = self.wait_for(Purpose::Move, id)?;
        match report.answer {
            Ok(Answer::Move(decision)) => {
                self.session
                    .make(&decision.mv, report.time, decision.note)?;
                self.made(&decision.mv)
            }
            Err(Failure::Fault(fault)) => {
                let name = self.session.name(player);
                writeln!(
                    self.out,
                    "{name} is out: {}: {}.",
                    fault.kind, fault.message
                )?;
                self.session.put_out(*fault);
                self.keep()
            }
            Err(Failure::Trouble(reason)) => Err(self.opponent_failed(player, reason)),
            Err(Failure::Stopped) | Ok(Answer::Thought(_)) => {
                Err(self.opponent_failed(player, "it made no move".to_owned()))
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

    /// Says what the last turn was, and writes it down.
    fn made(&mut self, mv: &str) -> Result<(), TerminalError> {
        self.keep()?;
        let steps = self.session.turns();
        let Some(step) = steps.last() else {
            return Ok(());
        };
        let before = self.session.play_at(steps.len() - 1).scores();
        let after = self.session.play().scores();
        let (mover, index) = (step.player, step.player.index());
        let who = match self.session.name(mover).as_str() {
            "you" => "You".to_owned(),
            name => format!("Player {mover} ({name})"),
        };
        let what = match (mv, who.as_str()) {
            ("", "You") => "give up the turn".to_owned(),
            ("", _) => "gives up the turn".to_owned(),
            (mv, "You") => format!("play {mv}"),
            (mv, _) => format!("plays {mv}"),
        };
        let gain = match after[index] - before[index] {
            0 => String::new(),
            gain => format!(", {gain:+} points"),
        };
        let scores: Vec<String> = after.iter().map(ToString::to_string).collect();
        writeln!(
            self.out,
            "{who} {what}{gain}. Scores: {}.",
            scores.join(" to ")
        )?;
        let players = after.len() as u32;
        let expected = mover.next(players);
        let is_passed_over = self.session.turn().is_some_and(|turn| turn != expected);
        if is_passed_over && !self.session.play().out().contains(&expected) {
            writeln!(
                self.out,
                "Player {expected} cannot move and is passed over."
            )?;
        }
        Ok(())
    }

    /// Says on the way out whether the game is saved.
    fn leave(&mut self) -> Result<(), TerminalError> {
        let is_saved = self.recorder.as_ref().map(GameRecorder::is_begun);
        let words = match is_saved {
            Some(true) => "The game is saved: resume it with floe play --resume.",
            _ if self.session.turns().is_empty() => {
                "No move was made, so there is no game to save."
            }
            _ => "The game is not saved.",
        };
        writeln!(self.out, "{words}")?;
        Ok(())
    }

    /// Stops recording a game that cannot be stored; it is played on.
    fn lose(&mut self, error: &io::Error) -> Result<(), TerminalError> {
        self.recorder = None;
        writeln!(self.out, "The game is not saved: {error}.")?;
        writeln!(
            self.out,
            "To save a copy, type save and a file. To save every game, {SET_HOME}."
        )?;
        Ok(())
    }

    /// Saves a copy of the game as it stands.
    fn save(&mut self, path: &str) -> Result<(), TerminalError> {
        match path {
            "" => writeln!(self.out, "Type save and a file, such as save game.jsonl.")?,
            path => match recorder::save(&self.session, path.as_ref()) {
                Ok(()) => writeln!(self.out, "Saved. To look at the game: floe replay {path}.")?,
                Err(error) => writeln!(self.out, "{path}: {error}. The game is not saved there.")?,
            },
        }
        Ok(())
    }

    /// Writes the last turn down; a game that cannot be kept any more is played on.
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
            writeln!(self.out, "There is nothing to take back.")?;
            return Ok(false);
        }
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.back(&back)
        {
            self.lose(&error)?;
        }
        let moves: Vec<&str> = back.undone.iter().map(floe_games::Turn::text).collect();
        writeln!(self.out, "Taken back: {}.", moves.join(", "))?;
        Ok(true)
    }

    fn board(&mut self) -> Result<(), TerminalError> {
        let view = self.session.position().view();
        let picture = Picture {
            title: self.session.game().title(),
            view: &view,
            turn: self.session.turn(),
            outcome: self.session.play().outcome(),
        };
        let text = anstream::adapter::strip_str(&picture.draw(self.look)).to_string();
        writeln!(self.out, "\n{text}")?;
        if !view.task.is_empty() {
            writeln!(self.out, "To do: {}.", view.task)?;
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), TerminalError> {
        let moves = self.session.position().moves();
        let count = moves.len();
        let all = moves.join(" ");
        writeln!(self.out, "{count} moves:")?;
        for line in wrapped(&all, WIDEST) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn hint(&mut self, player: Player) -> Result<(), TerminalError> {
        let (game, inbox) = (self.session.game(), self.inbox.clone());
        let position = self.session.position().clone_position();
        let mind = Mind::Adviser(Spec::from(Kind::Floe));
        let adviser = (self.adviser).get_or_insert_with(|| Thinker::new(game, mind, inbox));
        let id = adviser.think(Purpose::Hint, position, Effort::For(HINT), Duration::ZERO);
        match self.wait_for(Purpose::Hint, id)?.answer {
            Ok(Answer::Thought(thought)) => {
                let worth = match thought.lead(player) {
                    0 => "then it is even".to_owned(),
                    ahead @ 1.. => format!("then you are {ahead} ahead"),
                    behind => format!("then you are {} behind", behind.unsigned_abs()),
                };
                writeln!(self.out, "Hint: {}; {worth}.", thought.best)?;
            }
            _ => writeln!(self.out, "There is no hint.")?,
        }
        Ok(())
    }

    fn rules(&mut self) -> Result<(), TerminalError> {
        for rule in self.session.game().rules().lines() {
            for line in wrapped(rule, WIDEST) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    fn help(&mut self) -> Result<(), TerminalError> {
        for (word, what) in HELP {
            writeln!(self.out, "{word}: {what}.")?;
        }
        Ok(())
    }

    /// Says how the game ended, and writes it down.
    fn result(&mut self) -> Result<(), TerminalError> {
        self.board()?;
        let Some((outcome, reason)) = self.session.result() else {
            return Ok(());
        };
        let by = match (outcome.winner(), reason) {
            (_, Reason::Forfeit) => " by forfeit".to_owned(),
            (Some(winner), _) => match lead(outcome.scores(), winner) {
                1 => " by 1 point".to_owned(),
                points => format!(" by {points} points"),
            },
            _ => String::new(),
        };
        let text = match outcome.winner() {
            Some(winner) => match self.session.name(winner).as_str() {
                "you" => format!("You win{by}!"),
                name => format!("Player {winner} ({name}) wins{by}."),
            },
            None => "A draw: the first place is shared.".to_owned(),
        };
        writeln!(self.out, "The game is over. {text}")?;
        if let Some(recorder) = &mut self.recorder {
            recorder.note_end(self.session.play().end());
            if let Err(error) = recorder.close() {
                writeln!(self.out, "The end of the game is not saved: {error}.")?;
            }
        } else {
            writeln!(self.out, "The game is not saved.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
