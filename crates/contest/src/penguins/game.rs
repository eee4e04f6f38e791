//! The dialogue: asks for players and board, then plays turn after turn.

use std::cmp::Reverse;
use std::io;
use std::ops::RangeInclusive;

use floe_rules::penguins::{Move, Penguins, PenguinsPosition, Phase, Setup, Spot, Style};
use floe_rules::{Game, Outcome, Player, Position};
use floe_search::{Level, PENGUINS};

use super::words::{on_board, refusal};
use super::{board, letter, place};
use crate::dialogue::{Dialogue, Seat, Seats, Stop, listed, number, numbers, range, size};

const PLAYERS: RangeInclusive<u32> = 2..=9;
const PENGUINS_EACH: RangeInclusive<u32> = 1..=5;
const SIDE: RangeInclusive<u32> = 4..=20;

const INTRO: &str = "\
    Penguins. First, players place penguins on floes with 1 fish and catch that fish. Then penguins \
    slide along a row or a column, never over water or another penguin; they catch the fish where \
    they stop, and the floe they leave sinks. You must move if you can. Most fish win. Enter takes the answer in [brackets], ? explains, quit ends.\n";
const PLACE_HELP: &str = "Type x and y of a floe with 1 fish, such as `3 0`: x is the column, \
    counted from the left, y the row, counted from the top, both from 0.";
const PENGUIN_HELP: &str = "Type x and y of your penguin, such as `3 0`, or of the penguin and \
    its target at once, such as `3 0 3 4`. x is the column, counted from the left, y the row, \
    counted from the top, both from 0.";
const TARGET_HELP: &str = "Type x and y of the floe it slides to, in its row or its column. \
    Enter alone takes another penguin.";

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
    let count = ask_number(
        dialogue,
        "How many players",
        PLAYERS,
        2,
        "People and engines together.",
    )?;
    let mut seats = Vec::new();
    for index in 0..count as usize {
        let default = if index == 0 {
            Seat::Person
        } else {
            Seat::Engine(Level::Medium)
        };
        let letter = letter(index);
        seats.push((letter, Seat::ask(dialogue, &letter.to_string(), default)?));
    }
    let penguins = ask_number(
        dialogue,
        "How many penguins each",
        PENGUINS_EACH,
        2,
        "Every player has the same number.",
    )?;
    // Room for all players to move, a quarter of it water.
    let room = 6 * count * penguins;
    let side = (8..*SIDE.end()).find(|side| side * side >= room);
    let side = side.unwrap_or(*SIDE.end());
    let question = format!(
        "Columns and rows of the board ({} each)? [{side} {side}]",
        range(&SIDE)
    );
    let help = "Two numbers; one is enough for a square.";
    let start = dialogue.ask(&question, help, |answer| {
        let size = match answer {
            "" => (side, side),
            answer => size(answer, SIDE)?,
        };
        let setup = Setup {
            style: Style::Uniform { size },
            players: count,
            penguins,
            ..Setup::default()
        };
        Penguins::start(&setup, seed).map_err(|error| {
            let why = error.to_string();
            format!("That is not possible: {why}. Type a larger size.")
        })
    })?;
    dialogue.print(&format!(
        "\nThis is board {seed}: `penguins play seed={seed}` and the same answers give it again."
    ))?;
    Ok(RunningGame {
        position: start,
        seats: Seats::new(seats, &PENGUINS, seed),
        is_out: vec![false; count as usize],
    })
}

fn ask_number(
    dialogue: &mut Dialogue<'_>,
    question: &str,
    numbers: RangeInclusive<u32>,
    default: u32,
    help: &str,
) -> Result<u32, Stop> {
    let question = format!("{question} ({})? [{default}]", range(&numbers));
    dialogue.ask(&question, help, |answer| match answer {
        "" => Ok(default),
        answer => number(answer, numbers.clone()),
    })
}

/// A game in progress.
struct RunningGame {
    position: PenguinsPosition,
    seats: Seats<PenguinsPosition>,
    /// Players whose end was announced.
    is_out: Vec<bool>,
}

impl RunningGame {
    /// Plays to the end, and prints the result.
    fn go_on(&mut self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        let mut phase = Phase::Placement;
        while let Some(player) = self.position.turn() {
            if self.position.phase() != phase {
                phase = self.position.phase();
                dialogue.say("\nAll penguins stand. Now they slide.")?;
            }
            self.say_who_is_out(dialogue)?;
            let before = self.position.clone();
            match self.seats.engine_move(&self.position) {
                Some(mv) => self.position.play_unchecked(mv),
                None => {
                    self.say_board(dialogue)?;
                    let mv = self.ask(dialogue, player)?;
                    self.position.play_unchecked(mv);
                }
            }
            self.say_move(dialogue, &before, player)?;
        }
        dialogue.say("\nNo player can move: the game is over.\n")?;
        dialogue.say(board(&self.position, dialogue.has_colours()))?;
        self.say_standing(dialogue)?;
        self.say_winner(dialogue)
    }

    fn say_board(&self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        let players = Player::all(self.position.players());
        let scores = players.map(|p| format!("{} {}", self.seats.name(p), self.position.score(p)));
        let scores = scores.collect::<Vec<_>>().join(", ");
        dialogue.say(format!(
            "\n{}Fish: {scores}",
            board(&self.position, dialogue.has_colours())
        ))
    }

    fn ask(&self, dialogue: &mut Dialogue<'_>, player: Player) -> Result<Move, Stop> {
        match self.position.phase() {
            Phase::Placement => self.ask_floe(dialogue, player),
            Phase::Movement => self.ask_slide(dialogue, player),
        }
    }

    fn ask_floe(&self, dialogue: &mut Dialogue<'_>, player: Player) -> Result<Move, Stop> {
        let position = &self.position;
        let question = format!(
            "{}, place penguin {} of {} on a floe with 1 fish: x y?",
            self.seats.letter(player),
            position.penguins(player).len() + 1,
            position.penguins_each(),
        );
        dialogue.ask(&question, PLACE_HELP, |answer| {
            let place = on_board(position, &numbers(answer)?)?;
            let to = place.spot(position.shape()).ok_or("off the board")?;
            self.checked(Move::Place { to })
        })
    }

    fn ask_slide(&self, dialogue: &mut Dialogue<'_>, player: Player) -> Result<Move, Stop> {
        let position = &self.position;
        let letter = self.seats.letter(player);
        let (mut mobile, mut blocked): (Vec<Spot>, Vec<Spot>) =
            (position.penguins(player).iter()).partition(|&&spot| position.can_move(spot));
        for penguins in [&mut mobile, &mut blocked] {
            // In reading order: rows from the top, then columns from the left.
            penguins.sort_by_key(|spot| (Reverse(spot.row), spot.column));
        }
        self.say_penguins(dialogue, letter, &mobile, &blocked)?;
        loop {
            let only = match mobile[..] {
                [only] => Some(only),
                _ => None,
            };
            let default = only.map(|spot| format!(" [{}]", place(position.shape(), spot)));
            let question = format!(
                "{letter}, which penguin, x y?{}",
                default.unwrap_or_default()
            );
            let asked = dialogue.ask(&question, PENGUIN_HELP, |answer| {
                match (only, numbers(answer)?.as_slice()) {
                    (Some(only), []) => Ok((only, None)),
                    (_, &[x, y, ref target @ ..]) if target.len() == 2 => {
                        let from = self.penguin(player, &[x, y])?;
                        Ok((from, Some(self.slide(from, target)?)))
                    }
                    (_, numbers) => Ok((self.penguin(player, numbers)?, None)),
                }
            })?;
            let from = match asked {
                (_, Some(mv)) => return Ok(mv),
                (from, None) => from,
            };
            self.say_targets(dialogue, from)?;
            let from_place = place(position.shape(), from);
            let other = match only {
                Some(_) => "",
                None => " (Enter: another penguin)",
            };
            let question = format!("{letter}, {from_place} slides to x y?{other}");
            let mv = dialogue.ask(&question, TARGET_HELP, |answer| {
                match numbers(answer)?.as_slice() {
                    [] => Ok(None),
                    &[x, y, ref target @ ..] if target.len() == 2 => {
                        let from = self.penguin(player, &[x, y])?;
                        self.slide(from, target).map(Some)
                    }
                    numbers => self.slide(from, numbers).map(Some),
                }
            })?;
            if let Some(mv) = mv {
                return Ok(mv);
            }
        }
    }

    /// A penguin of the player to move that can move, or why this is none.
    fn penguin(&self, player: Player, numbers: &[u32]) -> Result<Spot, String> {
        let position = &self.position;
        let named = on_board(position, numbers)?;
        let spot = named.spot(position.shape()).ok_or("off the board")?;
        let is_own = |spot| position.owner(spot) == Some(player) && position.can_move(spot);
        if is_own(spot) {
            return Ok(spot);
        }
        let mut why = match position.owner(spot) {
            None => format!("No penguin stands on {named}."),
            Some(owner) if owner == player => format!("The penguin on {named} is blocked."),
            Some(owner) => {
                format!("The penguin on {named} is {}'s.", letter(owner.index()))
            }
        };
        let meant = named.swapped();
        if meant.spot(position.shape()).is_some_and(is_own) {
            why += &format!(" Did you mean {meant}? x (the column) comes first.");
        }
        Err(why)
    }

    fn slide(&self, from: Spot, numbers: &[u32]) -> Result<Move, String> {
        let shape = self.position.shape();
        let target = on_board(&self.position, numbers)?;
        let to = target.spot(shape).ok_or("off the board")?;
        self.checked(Move::Slide { from, to })
    }

    fn checked(&self, mv: Move) -> Result<Move, String> {
        match self.position.check(mv) {
            Ok(()) => Ok(mv),
            Err(illegal) => Err(refusal(&self.position, mv, illegal)),
        }
    }

    fn say_penguins(
        &self,
        dialogue: &mut Dialogue<'_>,
        letter: char,
        mobile: &[Spot],
        blocked: &[Spot],
    ) -> Result<(), Stop> {
        let shape = self.position.shape();
        let mobile = mobile.iter().map(|&spot| {
            let floes = self.position.runs(spot).iter().sum::<usize>();
            let word = if floes == 1 { "floe" } else { "floes" };
            format!("{} (to {floes} {word})", place(shape, spot))
        });
        let mut text = format!("{letter} can move {}", listed(mobile));
        if !blocked.is_empty() {
            let verb = if blocked.len() == 1 { "is" } else { "are" };
            let blocked = blocked.iter().map(|&spot| place(shape, spot));
            text += &format!("; {} {verb} blocked", listed(blocked));
        }
        dialogue.say(text + ".")
    }

    fn say_targets(&self, dialogue: &mut Dialogue<'_>, from: Spot) -> Result<(), Stop> {
        let shape = self.position.shape();
        let runs = self.position.runs(from);
        let steps = [
            ("right", 1, 0),
            ("up", 0, 1),
            ("left", -1, 0),
            ("down", 0, -1),
        ];
        let mut ways = Vec::new();
        for ((word, dx, dy), run) in steps.into_iter().zip(runs) {
            let targets: Vec<String> = (1..=run as i32)
                .map(|n| {
                    let along = |at: u8, d: i32| (i32::from(at) + d * n) as u8;
                    let to = Spot::new(along(from.column, dx), along(from.row, dy));
                    format!("{} ({})", place(shape, to), self.position.fish(to))
                })
                .collect();
            if !targets.is_empty() {
                ways.push(format!("{word} to {}", targets.join(", ")));
            }
        }
        dialogue.say(format!("Floes and (fish): {}.", ways.join("; ")))
    }

    fn say_move(
        &self,
        dialogue: &mut Dialogue<'_>,
        before: &PenguinsPosition,
        player: Player,
    ) -> Result<(), Stop> {
        let shape = self.position.shape();
        let name = self.seats.name(player);
        let mover = |position: &PenguinsPosition| position.penguins(player).to_vec();
        let (old, new) = (mover(before), mover(&self.position));
        let from = old.iter().find(|spot| !new.contains(spot));
        let to = new.iter().find(|spot| !old.contains(spot));
        let caught = self.position.score(player) - before.score(player);
        match (from, to) {
            (None, Some(&to)) => dialogue.say(format!(
                "{name} places a penguin on {} and catches {caught} fish.",
                place(shape, to)
            )),
            (Some(&from), Some(&to)) => dialogue.say(format!(
                "{name} slides from {} to {} and catches {caught} fish.",
                place(shape, from),
                place(shape, to)
            )),
            _ => Ok(()),
        }
    }

    /// Announces once each player who is skipped from now on.
    fn say_who_is_out(&mut self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        if self.position.phase() == Phase::Placement {
            return Ok(());
        }
        for player in Player::all(self.position.players()) {
            if !self.position.is_mobile(player) && !self.is_out[player.index()] {
                self.is_out[player.index()] = true;
                let name = self.seats.name(player);
                let score = self.position.score(player);
                dialogue.say(format!("{name} is blocked and stays at {score} fish."))?;
            }
        }
        Ok(())
    }

    fn say_standing(&self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        let outcome = Outcome::from_scores(self.position.scores());
        let mut players: Vec<Player> = Player::all(self.position.players()).collect();
        players.sort_by_key(|player| outcome.places()[player.index()]);
        for player in players {
            let place = outcome.places()[player.index()];
            let score = self.position.score(player);
            let name = self.seats.name(player);
            dialogue.say(format!("  {place}. {name:<12} {score:>3} fish"))?;
        }
        Ok(())
    }

    fn say_winner(&self, dialogue: &mut Dialogue<'_>) -> Result<(), Stop> {
        let outcome = Outcome::from_scores(self.position.scores());
        let first = Player::all(self.position.players())
            .filter(|player| outcome.places()[player.index()] == 1);
        let names = listed(first.map(|player| self.seats.name(player)));
        dialogue.say(match outcome.winner() {
            Some(_) => format!("{names} wins."),
            None => format!("{names} share the first place."),
        })
    }
}
