//! What happens, as server-sent events.
//!
//! A page has one stream, whatever it shows: it names its topics in the address, and every event
//! says which one it is about. The id of an event is how far the reader is in all of them, so that
//! a browser that comes back says what it has seen and gets exactly the rest.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{self, Stream};
use serde_json::json;
use tokio::sync::watch;

use crate::access::Visitor;
use crate::error::WebError;
use crate::hall::Table;
use crate::state::App;

/// How many topics a page may have.
const TOPICS: usize = 32;
/// How often an idle stream shows that it is alive.
const BEAT: Duration = Duration::from_secs(20);

/// One game on a page.
struct Topic {
    table: Arc<Table>,
    changes: watch::Receiver<u64>,
    /// The newest version the reader has.
    seen: Option<usize>,
}

struct Reader {
    app: App,
    visitor: Visitor,
    topics: BTreeMap<String, Topic>,
    ready: Vec<Event>,
    listing: Option<watch::Receiver<u64>>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.app.metrics().watcher_left();
    }
}

/// `/live?game=ID&game=ID&listing`: everything about these games from now on, or from where the
/// reader was; `listing` also tells when public games begin and end.
pub(crate) async fn live(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, WebError> {
    let query = query.unwrap_or_default();
    let seen = headers.get("last-event-id");
    let seen = seen.and_then(|value| value.to_str().ok());
    let seen = seen.map(read_id).unwrap_or_default();
    let mut topics = BTreeMap::new();
    let mut listing = None;
    for pair in query.split('&').take(TOPICS) {
        match pair.split_once('=') {
            Some(("game", id)) => {
                let table = app.hall().find(id).map_err(WebError::ours)?;
                let Some(table) = table else {
                    return Err(WebError::not_found("game").for_script());
                };
                let mut changes = table.changes();
                changes.mark_changed();
                let seen = seen.get(id).copied();
                let topic = Topic {
                    table,
                    changes,
                    seen,
                };
                topics.insert(id.to_owned(), topic);
            }
            None if pair == "listing" => listing = Some(app.hall().listing()),
            _ => {}
        }
    }
    app.metrics().watcher_came();
    let reader = Reader {
        app,
        visitor,
        topics,
        ready: Vec::new(),
        listing,
    };
    let events = stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT)))
}

/// How far somebody is, from an event's id: `GAME-3.GAME-7`.
fn read_id(text: &str) -> BTreeMap<String, usize> {
    (text.split('.'))
        .filter_map(|part| part.split_once('-'))
        .filter_map(|(topic, version)| Some((topic.to_owned(), version.parse().ok()?)))
        .take(TOPICS)
        .collect()
}

impl Reader {
    /// The next event, as soon as there is one.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop() {
                return Some(event);
            }
            if self.topics.is_empty() && self.listing.is_none() {
                std::future::pending::<()>().await;
            }
            let Reader {
                topics, listing, ..
            } = self;
            let changed: Vec<_> = (topics.iter_mut())
                .map(|(id, topic)| {
                    let id = id.clone();
                    Box::pin(async move { (topic.changes.changed().await.is_ok(), id) })
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
                    if !is_there {
                        self.topics.remove(&id);
                        continue;
                    }
                    self.gather(&id);
                }
                is_there = listed => {
                    if !is_there {
                        return None;
                    }
                    self.ready.push(Event::default().event("listing").data("{}"));
                }
            }
        }
    }

    /// Makes the events a reader has not had, the first one last.
    fn gather(&mut self, id: &str) {
        let Some(topic) = self.topics.get_mut(id) else {
            return;
        };
        topic.changes.borrow_and_update();
        let labels = topic.table.labels(Some(&self.visitor.hash));
        let rematch = topic.table.guests().rematch;
        let seats = json!({ "game": id, "seats": labels, "rematch": rematch });
        let states = topic.table.states_after(topic.seen);
        let mut events = vec![Event::default().event("seats").data(seats.to_string())];
        for (version, state) in states {
            if let Some(topic) = self.topics.get_mut(id) {
                topic.seen = Some(version);
            }
            let place = self.place();
            // The state is JSON, so it has no line breaks.
            let data = format!("{{\"game\":\"{id}\",\"state\":{state}}}");
            events.push(Event::default().event("state").id(place).data(data));
        }
        events.reverse();
        self.ready = events;
    }

    /// How far the reader is, as an event's id.
    fn place(&self) -> String {
        let parts: Vec<String> = (self.topics.iter())
            .filter_map(|(id, topic)| Some(format!("{id}-{}", topic.seen?)))
            .collect();
        parts.join(".")
    }
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
