//! Games begun by people: opponents, setup and clock, from the form.

use std::collections::HashMap;
use std::sync::Arc;

use floe_games::json::{of_setup, of_text, opponents, person_name, setup_of};
use floe_games::{AnyGame, AnyPosition};

use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::hosted::{Guests, SeatHolder, Table};
use crate::state::App;
use crate::token::fresh_id;

/// The reason why no game was begun.
pub(crate) enum NotBegun {
    /// The error in the form.
    Wrong(String),
    Refused(WebError),
}

/// Begins the game that the form describes.
pub(crate) fn begun(
    app: &App,
    visitor: &Visitor,
    game: &'static dyn AnyGame,
    said: &HashMap<String, String>,
) -> Result<Arc<Table>, NotBegun> {
    if !may(visitor, Permission::Begin) {
        let refusal = WebError::forbidden("You cannot begin games here");
        return Err(NotBegun::Refused(refusal));
    }
    let (start, origin) = asked_start(game, said).map_err(NotBegun::Wrong)?;
    let guests = guests(visitor, start.players(), said).map_err(NotBegun::Wrong)?;
    let table = (app.hosted()).begin(start, origin, guests, visitor.client.clone());
    table.map_err(|error| NotBegun::Refused(WebError::ours(error)))
}

type Start = (Box<dyn AnyPosition>, Option<(String, u64)>);

/// The requested position, and its setup and seed.
fn asked_start(
    game: &'static dyn AnyGame,
    said: &HashMap<String, String>,
) -> Result<Start, String> {
    let position = said
        .get("position")
        .map(|text| text.trim_end())
        .unwrap_or_default();
    let (start, origin) = if position.is_empty() {
        let setup = setup_of(game, |word| said.get(word).map(String::as_str));
        let seed = fresh_seed()?;
        let start = of_setup(game, &setup, seed).map_err(|error| error.to_string())?;
        (start, Some((setup, seed)))
    } else {
        let text = format!("{position}\n");
        let start = of_text(game, &text).map_err(|error| error.to_string())?;
        (start, None)
    };
    if start.turn().is_none() {
        return Err("the game is over in this position".to_owned());
    }
    Ok((start, origin))
}

fn fresh_seed() -> Result<u64, String> {
    let id = fresh_id().map_err(|error| error.to_string())?;
    let number = |seed: u64, byte: u8| seed.wrapping_mul(37).wrapping_add(u64::from(byte));
    // Small enough to type after `--seed`.
    Ok(id.bytes().fold(0, number) % 1_000_000_000)
}

/// The players by seat.
fn guests(
    visitor: &Visitor,
    players: u32,
    said: &HashMap<String, String>,
) -> Result<Guests, String> {
    let text = |key: &str| said.get(key).map(String::as_str).unwrap_or_default();
    let me = SeatHolder::Person {
        who: visitor.hash.clone(),
        name: person_name(text("name")),
    };
    let opponent = match text("opponent") {
        "link" => SeatHolder::Open,
        "here" => me.clone(),
        word => {
            let is_known = opponents(word).iter().any(|known| known.is_chosen);
            if !is_known {
                return Err(format!("there is no opponent {word:?}"));
            }
            SeatHolder::Engine(word.to_owned())
        }
    };
    let mine = match text("side") {
        "last" => players - 1,
        "any" => fresh_seed()? as u32 % players,
        _ => 0,
    };
    let seats = (0..players).map(|seat| match seat == mine {
        true => me.clone(),
        false => opponent.clone(),
    });
    Ok(Guests {
        seats: seats.collect(),
        clock: text("clock").parse().map_err(|error| format!("{error}"))?,
        is_public: said.contains_key("public"),
        is_open: said.contains_key("lobby"),
        has_helper: said.contains_key("thinks"),
        rematch: None,
    })
}
