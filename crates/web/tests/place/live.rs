//! Tables of other processes, as they are told.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use floe_arena::live::{Broadcast, LiveEvent, LiveSocket};
use floe_games::Play;
use floe_games::record::{End, Entrant, Opening, PlayedMove, RecordLine, VERSION};
use http_body_util::BodyExt;
use serde_json::Value;

use crate::{Browser, Place};

/// A process that plays one game in a place's folder, as far as a page can tell.
struct Process {
    broadcast: Broadcast,
    _socket: LiveSocket,
    game: String,
    play: Play,
}

impl Process {
    fn begin(place: &Place, file: &str, game: &str, names: [&str; 2]) -> Process {
        let broadcast = Broadcast::default();
        let path = place.folder().join(file);
        let socket = LiveSocket::open(&path, &broadcast).unwrap();
        let start = floe_games::find("gamma").unwrap().start("5x5", 1).unwrap();
        let seats = names.map(|name| Entrant {
            name: name.to_owned(),
            seat: "greedy".to_owned(),
            sha256: None,
        });
        let opening = Opening {
            floe: VERSION,
            game: "gamma".to_owned(),
            id: game.to_owned(),
            seats: seats.to_vec(),
            start: start.write(),
            ..Opening::default()
        };
        let process = Process {
            broadcast,
            _socket: socket,
            game: game.to_owned(),
            play: Play::new(start),
        };
        process.tell(RecordLine::Game(Box::new(opening)));
        process
    }

    fn tell(&self, line: RecordLine) {
        let game = self.game.clone();
        self.broadcast.publish(|| LiveEvent::Line { game, line });
    }

    /// Makes the first move there is; at the end, ends the game.
    fn go_on(&mut self) -> String {
        let seat = self.play.turn().unwrap().number();
        let mv = self.play.position().moves()[0].clone();
        self.play.make(&mv).unwrap();
        self.tell(RecordLine::Move(PlayedMove {
            seat,
            mv: mv.clone(),
            stderr: "secret of a program".to_owned(),
            ..PlayedMove::default()
        }));
        if let (Some(outcome), Some(reason)) = (self.play.outcome(), self.play.reason()) {
            self.tell(RecordLine::End(End {
                scores: outcome.scores().to_vec(),
                places: outcome.places().to_vec(),
                reason,
            }));
        }
        mv
    }
}

/// A stream of events, event by event.
struct Stream {
    body: Body,
    text: String,
}

impl Stream {
    async fn open(place: &Place, topics: &str, seen: Option<&str>) -> Stream {
        let mut request = Request::get(format!("/live?{topics}"));
        if let Some(seen) = seen {
            request = request.header("last-event-id", seen);
        }
        let response = place.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        Stream {
            body: response.into_body(),
            text: String::new(),
        }
    }

    /// The next event of this kind: its data and its id.
    async fn next(&mut self, kind: &str) -> (Value, String) {
        self.next_of(&[kind]).await
    }

    /// The next event of one of these kinds.
    async fn next_of(&mut self, kinds: &[&str]) -> (Value, String) {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
                };
                let found = (field("event").is_some_and(|kind| kinds.contains(&kind))).then(|| {
                    let data = serde_json::from_str(field("data").unwrap()).unwrap();
                    (data, field("id").unwrap_or_default().to_owned())
                });
                self.text = rest.to_owned();
                if let Some(found) = found {
                    return found;
                }
            }
            let frame = self
                .body
                .frame()
                .await
                .expect("the stream goes on")
                .unwrap();
            let data = frame.into_data().unwrap();
            self.text += std::str::from_utf8(&data).unwrap();
        }
    }

    /// Waits until so many tables are played.
    async fn tables(&mut self, count: usize) -> Value {
        loop {
            let (list, _) = self.next("tables").await;
            if list["tables"].as_array().unwrap().len() == count {
                return list["tables"].clone();
            }
        }
    }

    /// Waits until a game has come so far: the state, or the change that led there.
    async fn ply(&mut self, ply: u64) -> (Value, String) {
        loop {
            let (event, id) = self.next_of(&["state", "change"]).await;
            let now = ["state", "change"].map(|kind| event[kind]["ply"].as_u64());
            if now.into_iter().flatten().any(|now| now >= ply) {
                return (event, id);
            }
        }
    }
}

#[tokio::test]
async fn every_table_of_another_process_is_shown_as_it_is_played() {
    let place = Place::new();
    let mut browser = Browser::default();
    let mut stream = Stream::open(&place, "tables", None).await;
    stream.tables(0).await;
    let mut process = Process::begin(&place, "cup.live", "7", ["<b>odd", "b"]);
    let tables = stream.tables(1).await;
    let (id, href) = (
        tables[0]["id"].as_str().unwrap(),
        tables[0]["href"].as_str().unwrap(),
    );
    assert_eq!(tables[0]["of"], "cup");
    let first = process.go_on();
    let (state, _) = stream.ply(1).await;
    assert_eq!(state["game"], id);
    let told = [&state["state"]["moves"][0], &state["change"]["made"][0]];
    assert!(
        told.into_iter().any(|turn| turn["text"] == first),
        "{state}"
    );
    // On the front page, on a page of its own, and for machines; what programs say is not theirs.
    for path in ["/", href, "/api/v1/tables"] {
        let page = browser.get(&place, path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(page.text.contains(id), "{path}: {}", page.text);
        assert!(page.text.contains("odd"), "{path}");
        let is_json = path.starts_with("/api");
        assert!(is_json || !page.text.contains("<b>odd"), "{path}");
        assert!(!page.text.contains("secret"), "{path}");
    }
    // To the end, and then it is gone from the list.
    while process.play.turn().is_some() {
        process.go_on();
    }
    loop {
        let (last, _) = stream.next_of(&["state", "change"]).await;
        if ["state", "change"]
            .into_iter()
            .any(|kind| !last[kind]["over"].is_null())
        {
            break;
        }
    }
    stream.tables(0).await;
}

#[tokio::test]
async fn a_reader_who_comes_back_gets_what_was_missed_and_a_league_its_own_tables() {
    let place = Place::new();
    let mut process = Process::begin(&place, "cup.live", "1", ["a", "b"]);
    let _other = Process::begin(&place, "other cup.live", "1", ["c", "d"]);
    let mut all = Stream::open(&place, "tables", None).await;
    all.tables(2).await;
    let mut stream = Stream::open(&place, "tables=other%20cup", None).await;
    assert_eq!(stream.tables(1).await[0]["players"][0], "c");
    let mut stream = Stream::open(&place, "tables=cup", None).await;
    stream.tables(1).await;
    process.go_on();
    let (_, seen) = stream.ply(1).await;
    drop(stream);
    process.go_on();
    process.go_on();
    let mut again = Stream::open(&place, "tables=cup", Some(&seen)).await;
    let (missed, now) = again.ply(3).await;
    let missed = &missed["change"];
    assert_eq!((&missed["from"], &missed["kept"]), (&1.into(), &1.into()));
    assert_eq!(missed["made"].as_array().unwrap().len(), 2);
    // Whoever has seen everything is told nothing twice.
    let mut again = Stream::open(&place, "tables=cup", Some(&now)).await;
    process.go_on();
    let next = again.next_of(&["state", "change"]).await.0;
    assert_eq!(
        (&next["change"]["from"], &next["change"]["ply"]),
        (&3.into(), &4.into())
    );
}

#[tokio::test]
async fn a_process_that_dies_or_lies_takes_its_tables_along() {
    let place = Place::new();
    let mut stream = Stream::open(&place, "tables", None).await;
    let mut process = Process::begin(&place, "cup.live", "1", ["a", "b"]);
    stream.tables(1).await;
    // A move that cannot be.
    process.tell(RecordLine::Move(PlayedMove {
        seat: 2,
        mv: "a1".to_owned(),
        ..PlayedMove::default()
    }));
    stream.tables(0).await;
    process.game = "2".to_owned();
    // Moves of a game that never began are nobody's.
    process.go_on();
    drop(process);
    let next = Process::begin(&place, "cup.live", "3", ["a", "b"]);
    let tables = stream.tables(1).await;
    let id = tables[0]["id"].as_str().unwrap();
    let mut own = Stream::open(&place, &format!("game={id}"), None).await;
    own.ply(0).await;
    drop(next);
    own.next("over").await;
    stream.tables(0).await;
    let gone = Browser::default().get(&place, &format!("/live/{id}")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    // What is no socket, and one that nobody answers, disturb nobody.
    std::fs::write(place.folder().join("text.live"), "hello").unwrap();
    let left = std::os::unix::net::UnixListener::bind(place.folder().join("left.live"));
    drop(left.unwrap());
    assert_eq!(
        Browser::default().get(&place, "/").await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn the_projector_reads_without_a_script() {
    let place = Place::new();
    let mut browser = Browser::default();
    let page = browser.get(&place, "/projector").await;
    assert!(page.text.contains("Nothing is played yet"));
    let missing = browser.get(&place, "/league/none/projector").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    let text = "game = \"gamma\"\n[boards]\nsetup = \"3x3\"\nseed = 1\ncount = 1\n\
                [entrants]\ngreedy = \"greedy\"\n\"<b>odd\" = \"random\"\n";
    let file = place.folder().join("cup.toml");
    std::fs::write(&file, text).unwrap();
    crate::pages::play(floe_arena::tournament::Description::load(&file).unwrap());
    for path in ["/projector", "/league/cup/projector"] {
        let page = browser.get(&place, path).await;
        assert!(page.text.contains("&#60;b&#62;odd"), "{}", page.text);
        assert!(page.text.contains("2 of 2 games") && !page.text.contains("<b>odd"));
    }
}
