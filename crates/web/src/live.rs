//! What happens, as server-sent events.
//!
//! A page has one stream, whatever it shows: it names its topics in the address, and every event
//! says which one it is about. The id of an event is how far the reader is in all of them, so that
//! a browser that comes back says what it has seen and gets exactly the rest.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Query, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::access::Visitor;
use crate::api::leagues::{may_watch, seen_by};
use crate::error::WebError;
use crate::feed::Update;
use crate::hosted::Onlooker;
use crate::state::App;
use crate::tables::{LiveGame, TableEntry};

/// Most topics per page.
const TOPICS: usize = 32;
/// Interval at which an idle stream shows that it is alive.
const BEAT: Duration = Duration::from_secs(20);

/// Interval between updates of other processes' games, which may be faster than a person can
/// follow.
const PACE: Duration = Duration::from_millis(100);

/// One game on a page.
struct Topic {
    id: String,
    game: LiveGame,
    changes: watch::Receiver<u64>,
    /// The newest version the reader has.
    seen: Option<usize>,
    /// Kept while the reader looks on at a game of others.
    _onlooker: Option<Onlooker>,
}

struct Reader {
    app: App,
    visitor: Visitor,
    /// Only a few entries, so a list is faster and smaller than a map.
    topics: Vec<Topic>,
    /// Events to send next, in order.
    ready: VecDeque<Event>,
    listing: Option<watch::Receiver<u64>>,
    /// Whether the page shows all games, or those of one match or tournament.
    shown: Option<Shown>,
    /// The last events that the reader saw before disconnecting.
    seen: BTreeMap<String, usize>,
    /// Nothing is sent before this time.
    rests_until: Option<Instant>,
}

/// The games on a page.
struct Shown {
    of: Option<String>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.app.metrics().watcher_left();
    }
}

/// `/live?game=ID&game=ID`: these games and their changes; only the changes for a reader who gives
/// a version, by `seen=ID-VERSION` or as browsers do by `Last-Event-ID`. `/live?tables`, or
/// `/live?tables=NAME` for one match or tournament: the same for every game in progress, and the
/// list of these games.
pub(crate) async fn live(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, WebError> {
    let query = query.unwrap_or_default();
    let seen = headers.get("last-event-id");
    let seen = seen.and_then(|value| value.to_str().ok());
    let named = (query.split('&')).find_map(|pair| pair.strip_prefix("seen="));
    let seen = seen.or(named).map(read_id).unwrap_or_default();
    let mut topics: Vec<Topic> = Vec::new();
    let mut shown = None;
    for pair in query.split('&').take(TOPICS) {
        match pair.split_once('=') {
            Some(("game", id)) => {
                let game = find(&app, &visitor, id)?;
                if topics.iter().all(|topic| topic.id != id) {
                    topics.push(Topic::new(
                        id.to_owned(),
                        game,
                        &visitor,
                        seen.get(id).copied(),
                    ));
                }
            }
            Some(("tables", of)) => {
                let of = percent_decoded(of).ok_or_else(|| WebError::not_found("league"))?;
                shown = Some(Shown { of: Some(of) });
            }
            None if pair == "tables" => shown = Some(Shown { of: None }),
            _ => {}
        }
    }
    app.metrics().watcher_came();
    // Boxed, since a stream holds the reader twice.
    let mut reader = Box::new(Reader {
        listing: shown.as_ref().map(|_| app.hosted().listing()),
        app,
        visitor,
        topics,
        ready: VecDeque::new(),
        shown,
        seen,
        rests_until: None,
    });
    reader.app.far().look();
    reader.list();
    let events = stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    });
    // A page without events for a while reconnects: its network may have changed.
    let beat = Event::default().event("beat").data("");
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT).event(beat)))
}

/// A client's progress, from an event's ID: `GAME-3.GAME-7`.
fn read_id(text: &str) -> BTreeMap<String, usize> {
    (text.split('.'))
        .filter_map(|part| part.split_once('-'))
        .filter_map(|(topic, version)| Some((topic.to_owned(), version.parse().ok()?)))
        .take(TOPICS)
        .collect()
}

impl Topic {
    fn new(id: String, game: LiveGame, reader: &Visitor, seen: Option<usize>) -> Topic {
        let mut changes = game.changes();
        changes.mark_changed();
        let onlooker = match &game {
            LiveGame::Here(table) => Onlooker::new(table, &reader.hash),
            LiveGame::Far(_) => None,
        };
        Topic {
            id,
            game,
            changes,
            seen,
            _onlooker: onlooker,
        }
    }
}

/// The game with this ID, of this process or another one.
fn find(app: &App, visitor: &Visitor, id: &str) -> Result<LiveGame, WebError> {
    if let Some(table) = app.hosted().find(id).map_err(WebError::ours)? {
        return Ok(LiveGame::Here(table));
    }
    let far = app.far().find(id);
    let far = far.filter(|game| may_watch(app, visitor, game.source()));
    far.map(LiveGame::Far)
        .ok_or_else(|| WebError::not_found("game").for_script())
}

/// A part of an address as text.
fn percent_decoded(text: &str) -> Option<String> {
    let Query(pairs) =
        Query::<Vec<(String, String)>>::try_from_uri(&format!("/?of={text}").parse().ok()?).ok()?;
    Some(pairs.into_iter().next()?.1)
}

impl Reader {
    /// The next event, once there is one.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            // Thousands may wait here.
            self.ready = VecDeque::new();
            if self.topics.is_empty() && self.listing.is_none() {
                std::future::pending::<()>().await;
            }
            if let Some(rest) = self.rests_until.take() {
                tokio::time::sleep_until(rest).await;
            }
            let Reader {
                topics, listing, ..
            } = self;
            let changed: Vec<_> = (topics.iter_mut())
                .map(|topic| {
                    let Topic { id, changes, .. } = topic;
                    Box::pin(async move { (changes.changed().await.is_ok(), id.clone()) })
                })
                .collect();
            let any = async {
                match changed.is_empty() {
                    true => std::future::pending().await,
                    false => futures_util::future::select_all(changed).await.0,
                }
            };
            let listed = async {
                match listing {
                    Some(listing) => listing.changed().await.is_ok(),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                (is_there, id) = any => {
                    self.gather(&id);
                    if !is_there {
                        self.leave(&id);
                    }
                }
                is_there = listed => {
                    if !is_there {
                        return None;
                    }
                    self.list();
                }
            }
        }
    }

    /// Finds the present games, and sends the list.
    fn list(&mut self) {
        let Some(shown) = &self.shown else { return };
        let games = seen_by(&self.app, &self.visitor, shown.of.as_deref());
        let entries: Vec<TableEntry> = games.iter().map(LiveGame::entry).collect();
        // A finished game is still sent to its end.
        let is_gone = |id: &&String| !entries.iter().any(|entry| entry.id == **id);
        let known = self.topics.iter().map(|topic| &topic.id);
        let gone: Vec<String> = known.filter(is_gone).cloned().collect();
        for id in gone {
            self.gather(&id);
            self.leave(&id);
        }
        let list = json!({ "tables": entries });
        let event = Event::default().event("tables").data(list.to_string());
        self.ready.push_back(event);
        for (game, entry) in games.into_iter().zip(entries) {
            let seen = self.seen.remove(&entry.id);
            if self.topics.iter().all(|topic| topic.id != entry.id) {
                let topic = Topic::new(entry.id, game, &self.visitor, seen);
                self.topics.push(topic);
            }
        }
    }

    /// Stops sending a game.
    fn leave(&mut self, id: &str) {
        self.topics.retain(|topic| topic.id != id);
    }

    /// Collects the events that a reader has not received.
    fn gather(&mut self, id: &str) {
        let Some(at) = self.topics.iter().position(|topic| topic.id == id) else {
            return;
        };
        let topic = &mut self.topics[at];
        topic.changes.borrow_and_update();
        match &topic.game {
            LiveGame::Here(table) => {
                let labels = table.labels(Some(&self.visitor.hash));
                let rematch = table.guests().rematch;
                let seats = json!({ "game": id, "seats": labels, "rematch": rematch });
                let event = Event::default().event("seats").data(seats.to_string());
                self.ready.push_back(event);
            }
            LiveGame::Far(game) => {
                self.rests_until = Some(Instant::now() + PACE);
                if game.is_over() {
                    let over = json!({ "game": id }).to_string();
                    self.ready
                        .push_back(Event::default().event("over").data(over));
                }
            }
        }
        let (updates, turn_ms) = topic.game.updates(topic.seen);
        for update in updates {
            self.topics[at].seen = Some(update.version);
            let place = self.place();
            let Some((kind, data)) = sent(id, &update, turn_ms) else {
                continue;
            };
            let event = Event::default().event(kind).id(place).data(data);
            self.ready.push_back(event);
        }
    }

    /// The reader's progress, as an event ID.
    fn place(&self) -> String {
        let parts: Vec<String> = (self.topics.iter())
            .filter_map(|topic| Some(format!("{}-{}", topic.id, topic.seen?)))
            .collect();
        parts.join(".")
    }
}

/// An event's kind and data.
fn sent(game: &str, update: &Update, turn_ms: Option<u64>) -> Option<(&'static str, String)> {
    #[derive(Serialize)]
    struct Sent<'a> {
        game: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        change: Option<&'a RawValue>,
        /// A whole state contains the time already.
        #[serde(skip_serializing_if = "Option::is_none")]
        turn_ms: Option<u64>,
    }
    let json: &RawValue = serde_json::from_str(&update.text).ok()?;
    let sent = Sent {
        game,
        state: update.is_whole.then_some(json),
        change: (!update.is_whole).then_some(json),
        turn_ms: turn_ms.filter(|_| !update.is_whole),
    };
    let kind = if update.is_whole { "state" } else { "change" };
    Some((kind, serde_json::to_string(&sent).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_says_how_far_a_reader_is_and_any_text_is_borne() {
        let seen = read_id("abc-3.def-7");
        assert_eq!((seen["abc"], seen["def"]), (3, 7));
        for text in [
            "",
            ".",
            "-",
            "abc",
            "abc-x",
            "a-1-2",
            "a-99999999999999999999999",
        ] {
            let _ = read_id(text);
        }
    }
}
