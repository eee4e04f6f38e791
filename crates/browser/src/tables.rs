//! Games that are played on a page without a server.
//!
//! The page keeps the game: its opening and its events, as a record has them. It sends what is new
//! and gets the state that boards are drawn from, as from a server.

use std::cell::RefCell;

use floe_games::json::{
    self, ClockState, GameState, Refused, milliseconds, of_setup, of_text, person_name, picks,
    setup_of,
};
use floe_games::record::{End, Entrant, Event, Opening, RecordLine, VERSION};
use floe_games::{TimeControl, find};
use floe_rules::Player;
use floe_search::Spec;
use serde_json::{Value, json};

use crate::fields::{number, text};

/// The word records have for a person.
const PERSON: &str = "human";
/// How many games are kept ready.
const READY: usize = 4;

/// The opening of a new game, its seats and board: from the form's fields for a game, a random number
/// `seed`, and `began`, seconds since 1970.
pub(crate) fn begin(question: &Value) -> Result<Value, Refused> {
    let game = find(text(question, "game")?)?;
    let seed = number(question, "seed")?;
    let said = |word: &str| question[word].as_str();
    let position = said("position").map(str::trim_end).unwrap_or_default();
    let (start, setup) = if position.is_empty() {
        let setup = setup_of(game, said);
        (of_setup(game, &setup, seed)?, Some(setup))
    } else {
        (of_text(game, &format!("{position}\n"))?, None)
    };
    if start.turn().is_none() {
        return Err(Refused::new("the game is over in this position"));
    }
    let clock: TimeControl = said("clock").unwrap_or("none").parse().map_err(wrong)?;
    let me = Entrant {
        name: match person_name(said("name").unwrap_or_default()) {
            name if name.is_empty() => "guest".to_owned(),
            name => name,
        },
        seat: PERSON.to_owned(),
        sha256: None,
    };
    let opponent = match said("opponent").unwrap_or("floe:easy") {
        "here" => me.clone(),
        word => Entrant {
            name: word.parse::<Spec>().map_err(Refused::from)?.to_string(),
            seat: word.to_owned(),
            sha256: None,
        },
    };
    let players = start.players();
    let mine = match said("side") {
        Some("last") => players - 1,
        Some("any") => (seed % u64::from(players)) as u32,
        _ => 0,
    };
    let opening = Opening {
        floe: VERSION,
        game: game.name().to_owned(),
        id: text(question, "id")?.to_owned(),
        seats: (0..players)
            .map(|seat| if seat == mine { &me } else { &opponent })
            .cloned()
            .collect(),
        start: start.write(),
        seed: setup.is_some().then_some(seed),
        setup,
        began: question["began"].as_u64().unwrap_or(0),
        ..Opening::default()
    };
    Ok(json!({ "opening": opening, "clock": clock.to_string() }))
}

#[allow(clippy::needless_pass_by_value)] // `map_err` hands it over
fn wrong(error: impl ToString) -> Refused {
    Refused::new(error.to_string())
}

/// The opening of a question, which is a line of a record but for the word that says so.
fn opening(question: &Value) -> Result<Opening, Refused> {
    let mut line = question["opening"].clone();
    if let Some(line) = line.as_object_mut() {
        line.insert("line".to_owned(), "game".into());
    }
    match RecordLine::of(&line).map_err(wrong)? {
        RecordLine::Game(opening) => Ok(*opening),
        _ => Err(Refused::new("the question has no opening")),
    }
}

/// The events of a question.
fn events(question: &Value) -> Result<Vec<Event>, Refused> {
    let lines = question["events"].as_array();
    let lines = lines.ok_or_else(|| Refused::new("the question has no list `events`"))?;
    let event = |line: &Value| {
        let event = RecordLine::of(line).map_err(wrong)?.into_event();
        event.ok_or_else(|| Refused::new("only moves, undone moves and faults are events"))
    };
    lines.iter().map(event).collect()
}

/// A game in progress.
struct Table {
    told: GameState,
    /// Number of events in the game.
    count: usize,
}

thread_local! {
    /// The latest games by ID, the most recent at the end.
    static TABLES: RefCell<Vec<(String, Table)>> = const { RefCell::new(Vec::new()) };
}

/// The game after new events, of which it has `from` before them: its state, the moves of the player to
/// move, and the players to wait for. `missing` if earlier events are unknown here: the script then asks
/// again with all events.
pub(crate) fn table(question: &Value) -> Result<Value, Refused> {
    let (opening, events) = (opening(question)?, events(question)?);
    let from = question["from"].as_u64().unwrap_or(0) as usize;
    let clock = question["clock"].as_str().unwrap_or("none");
    TABLES.with_borrow_mut(|tables| {
        let id = &opening.id;
        let known = tables.iter().position(|(known, _)| known == id);
        let known = known.map(|place| tables.remove(place).1);
        let mut table = match known.filter(|table| table.count == from) {
            Some(table) if from > 0 => table,
            _ if from > 0 => return Ok(json!({ "missing": true })),
            _ => Table {
                told: GameState::new(of_text(find(&opening.game)?, &opening.start)?),
                count: 0,
            },
        };
        for event in events {
            // A game with a refused event is forgotten: the page has it whole.
            table.told.apply(event).map_err(wrong)?;
            table.count += 1;
        }
        let answer = table.answer(&opening, clock);
        tables.push((opening.id, table));
        if tables.len() > READY {
            tables.remove(0);
        }
        answer
    })
}

impl Table {
    fn answer(&mut self, opening: &Opening, clock: &str) -> Result<Value, Refused> {
        let told = &mut self.told;
        let clock: TimeControl = clock.parse().map_err(wrong)?;
        let clocks = Player::all(told.start().players()).map(|player| {
            let (moves, used) = told.used(player);
            ClockState {
                used_ms: milliseconds(used),
                left_ms: match clock.left(moves, used) {
                    Some(_) if told.is_out_of_time(player) => Some(0),
                    left => left.map(milliseconds),
                },
            }
        });
        let clocks = clocks.collect();
        let names: Vec<String> = (opening.seats.iter())
            .map(|seat| seat.name.clone())
            .collect();
        let state = told.state(self.count, None, clocks, &names);
        let play = self.told.play();
        let position = play.position();
        let engine = play.turn().and_then(|player| {
            let seat = opening.seats.get(player.index())?;
            (seat.seat != PERSON).then_some(&seat.seat)
        });
        let end = play.outcome().zip(play.reason());
        let end = end.map(|(outcome, reason)| End {
            scores: outcome.scores().to_vec(),
            places: outcome.places().to_vec(),
            reason,
        });
        let picks = play.turn().map(|_| picks(position, &position.view()));
        Ok(json!({
            "state": json::parse(&state)?,
            "moves": picks,
            "engine": engine,
            "position": position.write(),
            "end": end,
        }))
    }
}
