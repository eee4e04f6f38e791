//! The dialogue: asks for players and board, then plays turn after turn.

use std::io;
use std::ops::RangeInclusive;

use floe_rules::flood::{
    Colour, End, Flood, FloodPosition, Illegal, J, MOST_MOVES, Move, S, Setup, Style,
};
use floe_rules::text::quoted;
use floe_rules::{Game, Outcome, Player, Position};
use floe_search::{FLOOD, Level};

use super::board;
use super::picture::{letter, style};
use crate::dialogue::{Dialogue, Seat, Seats, Stop, range, size};

const SIDE: RangeInclusive<u32> = 2..=50;

const INTRO: &str = "\
    Flood Wars. J floods from the bottom-left corner, S from the top-right one. A move names a \
    colour that neither has: your territory takes it and joins every square of it that it \
    touches. It ends when two colours are left, or after 150 moves; most squares win, with those \
    that only you can still reach. Enter takes the answer in [brackets], ? explains, quit ends.\n";
const HELP: &str = "Type 1, 2 or 3, or the character of a colour. J and S on the board are the \
    two territories; a move may gain nothing.";

/// Plays one game; the same seed, answers and engines give the same game. If the input ends or a
/// player quits, prints the scores and stops.
pub fn play(dialogue: &mut Dialogue<'_>, seed: u64) -> io::Result<()> {
    dialogue.play(
        |dialogue| begin(dialogue, seed),
        RunningGame::go_on,
        RunningGame::say_standing,
    )
}

/// The questions before the game.
fn begin(dialogue: &mut Dialogue<'_>, seed: u64) -> Result<RunningGame, Stop> {
    dialogue.print(INTRO)?;
    let j = Seat::ask(dialogue, "J, who begins", Seat::Person)?;
    let s = Seat::ask(dialogue, "S", Seat::Engine(Level::Medium))?;
    let question = format!(
        "Columns and rows of the board ({} each)? [12 10]",
        range(&SIDE)
    );
    let help = "Two numbers; one is enough for a square.";
    let (width, height) = dialogue.ask(&question, help, |answer| match answer {
        "" => Ok((12, 10)),
        answer => size(answer, SIDE),
    })?;
    let question = "Boards: fair (the same for both) or uniform (random)? [fair]";
    let help = "On a fair board half a turn gives the same board for the other side.";
    let style = dialogue.ask(question, help, |answer| match answer {
        "" | "f" | "fair" => Ok(Style::Fair),
        "u" | "uniform" => Ok(Style::Uniform),
        other => Err(format!("{} is not fair or uniform.", quoted(other))),
    })?;
    let setup = Setup {
        width,
        height,
        style,
    };
    let position = Flood::start(&setup, seed).map_err(|error| {
        Stop::Failed(io::Error::other(error.to_string())) // no size asked for is refused
    })?;
    dialogue.print(&format!(
        "\nThis is board {seed}: `floodwars play seed={seed}` and the same answers give it again."
    ))?;
    Ok(RunningGame {
        position,
        seats: Seats::new([(letter(J), j), (letter(S), s)], &FLOOD, seed),
    })
}

/// A game in progress.
struct RunningGame {
    position: FloodPosition,
    seats: Seats<FloodPosition>,
}

impl RunningGame {
    /// Plays to the end, and prints the result.
    fn go_on(&mut self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        while let Some(player) = self.position.turn() {
            let mv = match self.seats.engine_move(&self.position) {
                Some(mv) => mv,
                None => {
                    self.say_board(dialogue)?;
                    self.ask(dialogue, player)?
                }
            };
            let Move(colour) = mv;
            let gain = self.position.gain(player, colour);
            self.position.play_unchecked(mv);
            dialogue.say(format!(
                "{} takes {} and gains {}.",
                self.seats.name(player),
                shown(colour, dialogue),
                squares(gain)
            ))?;
        }
        let why = match self.position.end() {
            Some(End::MoveCap) => format!("{MOST_MOVES} moves are made"),
            _ => "only two colours are left".to_owned(),
        };
        dialogue.say(format!("\nThe game is over: {why}.\n"))?;
        dialogue.say(board(&self.position, dialogue.has_colours()))?;
        self.say_standing(dialogue)?;
        let outcome = Outcome::from_scores(self.position.scores());
        let difference = outcome.scores()[0].abs_diff(outcome.scores()[1]);
        dialogue.say(match outcome.winner() {
            Some(winner) => format!("{} wins by {difference}.", self.seats.name(winner)),
            None => "It is a draw.".to_owned(),
        })
    }

    fn say_board(&self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        let left = MOST_MOVES - self.position.moves_made();
        dialogue.say(format!(
            "\n{}",
            board(&self.position, dialogue.has_colours())
        ))?;
        self.say_standing(dialogue)?;
        dialogue.say(format!(
            "Move {} of at most {MOST_MOVES}{}",
            self.position.moves_made() + 1,
            if left <= 10 {
                ": the end is near."
            } else {
                "."
            }
        ))
    }

    fn say_standing(&self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        for player in [J, S] {
            let owned = i64::from(self.position.squares(player));
            let score = self.position.score(player);
            let walled = match score - owned {
                0 => String::new(),
                more => format!(" + {more} that only {} can reach", letter(player)),
            };
            dialogue.say(format!(
                "  {:<10} has {} and {score:>4} points: {owned} owned{walled}",
                self.seats.name(player),
                shown(self.position.colour(player), dialogue),
            ))?;
        }
        Ok(())
    }

    fn ask(&self, dialogue: &mut Dialogue<'_>, player: Player) -> Result<Move, Stop> {
        let choices = self.position.choices();
        let options = (1..).zip(choices).map(|(number, colour)| {
            let gain = self.position.gain(player, colour);
            format!("{number}) {} +{gain}", shown(colour, dialogue))
        });
        let options = options.collect::<Vec<_>>().join("   ");
        let question = format!("{}, which colour: {options}?", letter(player));
        dialogue.ask(&question, HELP, |answer| self.choice(player, answer))
    }

    /// The move an answer names, or why the answer is no move.
    fn choice(&self, player: Player, answer: &str) -> Result<Move, String> {
        let choices = self.position.choices();
        let [one, two, three] = choices.map(Colour::glyph);
        let expected = format!("Type 1, 2 or 3, or one of {one} {two} {three}.");
        let colour = match answer {
            "1" => choices[0],
            "2" => choices[1],
            "3" => choices[2],
            "" => return Err(expected),
            word => match word.parse() {
                Ok(Move(colour)) => colour,
                Err(_) => return Err(format!("{} is no choice. {expected}", quoted(word))),
            },
        };
        match self.position.check(Move(colour)) {
            Ok(()) => Ok(Move(colour)),
            Err(Illegal::OwnColour(_)) => {
                Err(format!("{colour} is the colour you have. {expected}"))
            }
            Err(Illegal::OpponentsColour(_)) => {
                let other = letter(player.next(2));
                Err(format!("{colour} is the colour {other} has. {expected}"))
            }
            Err(illegal) => Err(format!("This move is refused: {illegal}.")),
        }
    }
}

/// A colour as printed: its character, on a background if the output has colours.
fn shown(colour: Colour, dialogue: &Dialogue<'_>) -> String {
    if !dialogue.has_colours() {
        return colour.to_string();
    }
    let style = style(colour, false);
    format!("{style} {colour} {style:#}")
}

fn squares(count: u32) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "1 square".to_owned(),
        n => format!("{n} squares"),
    }
}
