//! Watching games that are played elsewhere.

use std::time::Duration;

use floe_arena::live::{LiveEvent, LiveReader};
use floe_cluster::link::Link;
use floe_games::record::RecordLine;
use futures_util::StreamExt as _;

use crate::cups::{Cup, HeldCup};
use crate::house::{Server, Worker, wait_until};

#[test]
fn moves_of_games_elsewhere_are_told_on_a_plain_subject_and_beside_the_records() {
    let Some(server) = Server::start() else {
        return;
    };
    // Games that last a while: whoever comes late to a short one sees nothing of it.
    let entrants = "a = \"floe:nodes=20k\"\nb = \"floe:nodes=10k\"\n";
    let cup = Cup::with("", 8, entrants);
    let _one = Worker::start(&server, "one");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    // Whoever is at the server hears every game, with no other word to anybody.
    let mut events = runtime.block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        let events = link.client.subscribe("floe.event.*").await.unwrap();
        link.client.flush().await.unwrap();
        events
    });
    let organiser = cup.organise(&server);
    // And whoever is in the organiser's folder sees them as if they were played there.
    let socket = cup.folder().join("cup.live");
    wait_until("there is a socket", || socket.exists());
    let reader = LiveReader::connect(&socket).unwrap();
    let is_move = |event: &LiveEvent| {
        matches!(
            event,
            LiveEvent::Line {
                line: RecordLine::Move(_),
                ..
            }
        )
    };
    let mut seen = reader.into_iter();
    assert!(
        seen.any(|event| is_move(&event)),
        "no move was seen at home"
    );
    let heard = runtime.block_on(async {
        loop {
            let event = tokio::time::timeout(Duration::from_secs(60), events.next()).await;
            let message = event.unwrap().unwrap();
            let event: LiveEvent = serde_json::from_slice(&message.payload).unwrap();
            if is_move(&event) {
                return true;
            }
        }
    });
    assert!(heard);
    organiser.finish();
    cup.is_as_at_home();
}

#[test]
fn what_nobody_watches_is_not_sent_and_whoever_comes_late_sees_the_whole_game() {
    let Some(server) = Server::start() else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let _one = Worker::start(&server, "one");
    let (link, mut events) = runtime.block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        let events = link.client.subscribe("floe.event.*").await.unwrap();
        link.client.flush().await.unwrap();
        (link, events)
    });
    Cup::new(1).organise(&server).finish();
    // Whatever was sent has come before the answer to this.
    let mut heard = runtime.block_on(async {
        link.client
            .publish("floe.event.end", "".into())
            .await
            .unwrap();
        events.next().await.unwrap()
    });
    assert_eq!(heard.subject.as_str(), "floe.event.end");

    let held = HeldCup::new(&server);
    let organiser = held.cup.organise(&server);
    held.wait_for_a_game();
    let socket = held.cup.folder().join("cup.live");
    let reader = LiveReader::connect(&socket).unwrap();
    let mut seen = reader.into_iter();
    let begins = |event: LiveEvent| {
        let LiveEvent::Line { line, .. } = event else {
            return false;
        };
        matches!(line, RecordLine::Game(_))
    };
    assert!(
        seen.any(begins),
        "a game under way was not seen from its beginning"
    );
    heard = runtime.block_on(async { events.next().await.unwrap() });
    assert_ne!(heard.subject.as_str(), "floe.event.end");
    held.finish(organiser);
}
