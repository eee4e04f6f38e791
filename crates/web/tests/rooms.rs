//! What a game on the largest board costs: bytes of answers, and memory, counted by the allocator.

use std::alloc::System;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use cap::Cap;
use floe_games::{AnyPosition, find};
use floe_web::{App, Settings};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// How many moves are made.
const MOVES: usize = 400;
/// The most memory they may take.
const MORE: usize = 10 * 1024 * 1024;
/// The most bytes an answer may have, but for those who join.
const ANSWER: usize = 10_000;
/// How often the moves there are and an earlier position are asked for.
const LOOK: usize = 50;

/// A visitor and the place.
struct Visitor {
    router: Router,
    cookie: String,
    /// Requests so far: a client may not ask too often, so it is another one now and then.
    count: usize,
}

impl Visitor {
    async fn ask(&mut self, method: Method, path: &str, body: Option<(&str, String)>) -> Vec<u8> {
        self.count += 1;
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::COOKIE, &self.cookie)
            .header("x-forwarded-for", format!("10.0.0.{}", 1 + self.count / 40));
        if let Some((kind, _)) = &body {
            request = request.header(header::CONTENT_TYPE, *kind);
        }
        let body = body.map_or_else(Body::empty, |(_, text)| Body::from(text));
        let response = self.router.clone().oneshot(request.body(body).unwrap());
        let response = response.await.unwrap();
        if let Some(cookie) = response.headers().get(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next();
            self.cookie = cookie.unwrap().to_owned();
        }
        if let Some(place) = response.headers().get(header::LOCATION) {
            return place.as_bytes().to_vec();
        }
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let bytes = response.into_body().collect().await.unwrap();
        bytes.to_bytes().to_vec()
    }

    /// The answer to a question that must be short.
    async fn short(&mut self, path: &str) -> Value {
        let answer = self.ask(Method::GET, path, None).await;
        assert!(answer.len() <= ANSWER, "{path}: {}", answer.len());
        serde_json::from_slice(&answer).unwrap()
    }

    /// The first position of a game as text.
    async fn start(&mut self, path: &str) -> String {
        let answer = self.ask(Method::GET, &format!("{path}/start"), None).await;
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        answer["position"].as_str().unwrap().to_owned()
    }

    async fn act(&mut self, path: &str, body: &Value) -> Value {
        let body = ("application/json", body.to_string());
        let answer = self.ask(Method::POST, path, Some(body)).await;
        assert!(answer.len() <= ANSWER, "{path}: {}", answer.len());
        serde_json::from_slice(&answer).unwrap()
    }
}

/// Legal moves of a game, without a list of all of them for every turn.
struct Moves {
    position: Box<dyn AnyPosition>,
    found: Vec<String>,
    next: usize,
}

impl Moves {
    fn next(&mut self) -> Option<String> {
        self.position.turn()?;
        loop {
            // Strides, so that moves are all over the board.
            for _ in 0..self.found.len() {
                self.next += 7919;
                let mv = &self.found[self.next % self.found.len()];
                if self.position.check(mv).is_ok() {
                    let mv = mv.clone();
                    self.position.play(&mv).unwrap();
                    return Some(mv);
                }
            }
            self.found = self.position.moves();
        }
    }
}

/// A stream of events, as far as its bytes go.
async fn next_event(body: &mut Body) -> String {
    let frame = body.frame().await.unwrap().unwrap();
    String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap()
}

async fn play(game: &str, form: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.engines = 1;
    settings.is_behind_proxy = true;
    let (app, _) = App::open(&settings).unwrap();
    let mut visitor = Visitor {
        router: floe_web::app(app),
        cookie: String::new(),
        count: 0,
    };
    let kind = "application/x-www-form-urlencoded";
    let form = format!("opponent=here&clock=none&{form}");
    let place = visitor
        .ask(Method::POST, &format!("/play/{game}"), Some((kind, form)))
        .await;
    let place = String::from_utf8(place).unwrap();
    let path = format!("/api/v1/games/{}", place.strip_prefix("/game/").unwrap());
    let id = path.rsplit('/').next().unwrap().to_owned();
    // Whoever joins gets it whole, by the page or by the stream.
    let joined = visitor.ask(Method::GET, &path, None).await;
    let joined: Value = serde_json::from_slice(&joined).unwrap();
    assert_eq!(joined["state"]["picture"]["width"], 200);
    let start = visitor.start(&path).await;
    let mut moves = Moves {
        position: find(game).unwrap().read(&start).unwrap(),
        found: Vec::new(),
        next: 0,
    };
    let request = Request::get(format!("/live?game={id}&seen={id}-0"));
    let stream = visitor
        .router
        .clone()
        .oneshot(request.body(Body::empty()).unwrap());
    let mut stream = stream.await.unwrap().into_body();
    let before = MEMORY.allocated();
    let mut most = 0;
    for ply in 0..MOVES {
        if ply % LOOK == 0 {
            visitor.short(&format!("{path}/choices?ply={ply}")).await;
            let back = format!("{path}/ply?ply={}&from={ply}&version={ply}", ply / 2);
            assert_eq!(visitor.short(&back).await["ply"], ply / 2);
        }
        let Some(mv) = moves.next() else { break };
        let body = json!({ "ply": ply, "version": ply, "move": mv });
        let answer = visitor.act(&format!("{path}/move"), &body).await;
        assert_eq!(answer["changes"][0]["version"], ply + 1, "{game}");
        // Seats, and then the change.
        while !next_event(&mut stream).await.contains("event: change") {}
        most = most.max(answer.to_string().len());
    }
    let after = MEMORY.allocated();
    assert!(
        after <= before + MORE,
        "{game}: {before} bytes at first, {after} after {MOVES} moves"
    );
    assert!(most <= ANSWER);
}

/// One test, since the allocator counts for the whole process.
#[tokio::test]
async fn a_long_game_on_the_largest_board_needs_little_memory_and_short_answers() {
    play("gamma", "size=200x200&areas=99").await;
    play("penguins", "size=200x200&penguins=9").await;
    play("flood", "size=200x200").await;
}
