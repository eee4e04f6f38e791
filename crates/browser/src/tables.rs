//! Games that are played on a page without a server.
//!
//! The page keeps the game: its opening and its events, as a record has them. It sends what is new
//! and gets the state that boards are drawn from, as from a server.

use std::cell::RefCell;
use std::collections::HashMap;

use floe_games::json::{
    ClockState, GameState, Refused, milliseconds, of_setup, of_text, person_name, picks, setup_of,
};
use floe_games::record::{End, Entrant, Event, Opening, VERSION};
use floe_games::{TimeControl, find};
use floe_rules::Player;
use floe_search::Spec;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The word records have for a person.
const PERSON: &str = "human";
/// How many games are kept ready.
const READY: usize = 4;

/// The form's fields for a game, and the page's other settings.
#[derive(Deserialize)]
pub(crate) struct Beginning {
    game: String,
    id: String,
    /// A random number.
    seed: u64,
    /// Seconds since 1970.
    #[serde(default)]
    began: u64,
    #[serde(flatten)]
    said: HashMap<String, Value>,
}

/// The opening of a new game: its seats and board.
pub(crate) fn begin(beginning: &Beginning) -> Result<Value, Refused> {
    let game = find(&beginning.game)?;
    let said = |word: &str| beginning.said.get(word).and_then(Value::as_str);
    let text = said("position").map(str::trim_end).unwrap_or_default();
    let (start, setup) = if text.is_empty() {
        let setup = setup_of(game, said);
        (of_setup(game, &setup, beginning.seed)?, Some(setup))
    } else {
        (of_text(game, &format!("{text}\n"))?, None)
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
        Some("any") => (beginning.seed % u64::from(players)) as u32,
        _ => 0,
    };
    let opening = Opening {
        floe: VERSION,
        game: beginning.game.clone(),
        id: beginning.id.clone(),
        seats: (0..players)
            .map(|seat| if seat == mine { &me } else { &opponent })
            .cloned()
            .collect(),
        start: start.write(),
        seed: setup.is_some().then_some(beginning.seed),
        setup,
        began: beginning.began,
        ..Opening::default()
    };
    Ok(json!({ "opening": opening, "clock": clock.to_string() }))
}

#[allow(clippy::needless_pass_by_value)] // `map_err` hands it over
fn wrong(error: impl ToString) -> Refused {
    Refused::new(error.to_string())
}

/// A game, and its events after the first `from`.
#[derive(Deserialize)]
pub(crate) struct Asked {
    opening: Opening,
    #[serde(default)]
    from: usize,
    events: Vec<Event>,
    #[serde(default)]
    clock: Option<String>,
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

/// The game after new events: its state, the moves of the player to move, and the players to wait
/// for. `missing` if earlier events are unknown here: the script then asks again with all events.
pub(crate) fn table(asked: Asked) -> Result<Value, Refused> {
    TABLES.with_borrow_mut(|tables| {
        let id = &asked.opening.id;
        let known = tables.iter().position(|(known, _)| known == id);
        let known = known.map(|place| tables.remove(place).1);
        let mut table = match known.filter(|table| table.count == asked.from) {
            Some(table) if asked.from > 0 => table,
            _ if asked.from > 0 => return Ok(json!({ "missing": true })),
            _ => Table {
                told: GameState::new(of_text(find(&asked.opening.game)?, &asked.opening.start)?),
                count: 0,
            },
        };
        for event in asked.events.clone() {
            // A game with a refused event is forgotten: the page has it whole.
            table.told.apply(event).map_err(wrong)?;
            table.count += 1;
        }
        let answer = table.answer(&asked);
        tables.push((asked.opening.id, table));
        if tables.len() > READY {
            tables.remove(0);
        }
        answer
    })
}

impl Table {
    fn answer(&mut self, asked: &Asked) -> Result<Value, Refused> {
        let told = &mut self.told;
        let clock = asked.clock.as_deref().unwrap_or("none");
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
        let names: Vec<String> = (asked.opening.seats.iter())
            .map(|seat| seat.name.clone())
            .collect();
        let state = told.state(self.count, None, clocks, &names);
        let state = RawValue::from_string(state).map_err(wrong)?;
        let play = self.told.play();
        let position = play.position();
        let engine = play.turn().and_then(|player| {
            let seat = asked.opening.seats.get(player.index())?;
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
            "state": serde_json::to_value(state).map_err(wrong)?,
            "moves": picks,
            "engine": engine,
            "position": position.write(),
            "end": end,
        }))
    }
}
