//! Ten thousand requests of somebody who means ill: seeded, so that what fails once fails again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::BodyExt;
use serde_json::json;

use crate::{Browser, Place};

const REQUESTS: u64 = 10_000;
/// What a program of the league wrote to standard error, which is not for everybody.
const SECRET: &str = "weights-are-hidden-here";

const TEXTS: [&str; 28] = [
    "",
    "0",
    "-1",
    "1",
    "18446744073709551616",
    "1e309",
    "NaN",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "'; DROP TABLE games; --",
    "../../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd",
    "cup",
    "cup.toml",
    "cup.jsonl",
    "cup.sqlite",
    "games",
    "gamma",
    "penguins",
    "flood",
    "a1",
    "floe:hard",
    "\u{202e}\u{2028}\u{0}\u{7}\u{1b}[31m",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "gamma 4 4 2 3\nturn 1 golden 1 2\n....\n....\n....\n....\n",
    "J\n@#\n+@\n",
];

const PATHS: [&str; 40] = [
    "/",
    "/{}",
    "/play/{}",
    "/play/gamma?position={}",
    "/play/flood",
    "/game/{}",
    "/game/{id}",
    "/my",
    "/analysis/{}",
    "/analysis/gamma?position={}&moves={}",
    "/leagues",
    "/league/{}",
    "/league/{}/games?of={}&faulty={}",
    "/league/cup/games?of={}",
    "/league/cup/game/{}",
    "/league/cup/game/1",
    "/league/cup/entrant/{}",
    "/league/{}/projector",
    "/learn/{}",
    "/enter/{}",
    "/metrics",
    "/assets/{}",
    "/live/{}",
    "/live?game={}&tables={}",
    "/live?game={id}",
    "/api/v1/games/{id}",
    "/api/v1/games/{id}/{}",
    "/api/v1/games/{id}/moves?ply={}",
    "/api/v1/games/{}/course",
    "/api/v1/games/{id}?version={}",
    "/api/v1/games/{id}/choices?ply={}",
    "/api/v1/games/{id}/ply?ply={}&from={}&version={}",
    "/api/v1/games/{id}/start",
    "/api/v1/positions",
    "/api/v1/paint",
    "/api/v1/thoughts",
    "/api/v1/leagues/{}",
    "/api/v1/leagues/cup/games/{}",
    "/api/v1/leagues/cup/games/{}/evaluation?done={}",
    "/league/cup/game/{}/evaluation",
];

const ACTS: [&str; 7] = ["move", "give-up", "take-back", "resign", "rematch", "x", ""];

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// One of the texts, perhaps cut, doubled, or with something strange in it.
    fn text(&mut self) -> String {
        let text = self.of(&TEXTS);
        match self.below(6) {
            0 => text.repeat(1 + self.below(40)),
            1 => {
                let at = self.below(text.chars().count() + 1);
                let strange = ['<', '"', '\'', '\0', '%', '\u{feff}', '🐧', '/', '\n'];
                let strange = strange[self.below(strange.len())];
                let mut chars: Vec<char> = text.chars().collect();
                chars.insert(at, strange);
                chars.into_iter().collect()
            }
            2 => text.chars().take(self.below(10)).collect(),
            _ => text.to_owned(),
        }
    }

    fn path(&mut self, id: &str) -> String {
        let mut path = self.of(&PATHS).replace("{id}", id);
        while let Some(at) = path.find("{}") {
            let text = self.text();
            let encoded: String = match self.below(8) {
                // As it is, where an address may have that.
                0 => text
                    .chars()
                    .filter(|c| c.is_ascii_graphic() && !"{}<>\"\\^`#?".contains(*c))
                    .collect(),
                // Bytes that are no text.
                1 => "%ff%c0%ae%".to_owned(),
                _ => text.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            };
            path.replace_range(at..at + 2, &encoded);
        }
        path.truncate(6000);
        path
    }

    fn body(&mut self) -> (Vec<u8>, &'static str) {
        let (json_kind, form) = ("application/json", "application/x-www-form-urlencoded");
        match self.below(6) {
            0 => (self.text().into_bytes(), json_kind),
            1 => (
                (0..self.below(300))
                    .map(|_| self.below(256) as u8)
                    .collect(),
                json_kind,
            ),
            2 => {
                let fields = [
                    "opponent", "side", "size", "players", "clock", "position", "name", "areas",
                ];
                let pairs: Vec<String> = (0..self.below(9))
                    .map(|_| {
                        let encoded: String =
                            (self.text().bytes().map(|byte| format!("%{byte:02X}"))).collect();
                        format!("{}={encoded}", self.of(&fields))
                    })
                    .collect();
                (pairs.join("&").into_bytes(), form)
            }
            3 => (
                format!("opponent=here&clock=none&size=4x4&name={}", self.below(10)).into_bytes(),
                form,
            ),
            4 => ("[".repeat(self.below(5000)).into_bytes(), json_kind),
            _ => {
                let body = json!({
                    "game": self.text(), "position": self.text(), "moves": [self.text(), self.text()],
                    "setup": self.text(), "seed": self.below(9), "ms": 1, "top": self.below(99),
                    "ply": self.below(3), "move": self.text(), "name": self.text(),
                    "brush": self.text(), "square": self.text(),
                });
                (body.to_string().into_bytes(), json_kind)
            }
        }
    }
}

#[tokio::test]
async fn ten_thousand_hostile_requests_break_nothing_and_read_nothing() {
    let place = Place::behind_proxy();
    write_league(&place);
    let mut victim = Browser::default();
    let form = "opponent=here&clock=none&size=4x4&name=victim";
    let id = victim.begin(&place, "gamma", form).await;
    let before = victim.game(&place, &id).await;
    let panics = Arc::new(AtomicUsize::new(0));
    let (usual, counted) = (std::panic::take_hook(), Arc::clone(&panics));
    std::panic::set_hook(Box::new(move |info| {
        counted.fetch_add(1, Ordering::SeqCst);
        usual(info);
    }));
    let mut dice = Dice(2026);
    for number in 0..REQUESTS {
        let methods = [
            Method::GET,
            Method::GET,
            Method::POST,
            Method::POST,
            Method::HEAD,
            Method::PUT,
            Method::DELETE,
            Method::OPTIONS,
        ];
        let method = methods[dice.below(methods.len())].clone();
        let mut path = dice.path(&id);
        if method == Method::POST && dice.below(4) == 0 {
            path = format!("/api/v1/games/{id}/{}", dice.of(&ACTS));
        }
        let (body, kind) = dice.body();
        let mut request = Request::builder().method(method.clone()).uri(&path);
        request = request.header(header::CONTENT_TYPE, kind);
        request = request.header(
            "x-forwarded-for",
            format!("10.0.{}.{}", number / 250 % 250, number % 250),
        );
        for name in [
            "cookie",
            "last-event-id",
            "accept-encoding",
            "if-none-match",
            "origin",
            "x-forwarded-for",
        ] {
            let value = dice.text();
            if dice.below(8) == 0 && header::HeaderValue::from_str(&value).is_ok() {
                request = request.header(name, value);
            }
        }
        // What no address can be does not come this far.
        let Ok(request) = request.body(Body::from(body)) else {
            continue;
        };
        let response = place.send(request).await;
        let status = response.status().as_u16();
        assert!(status < 500, "{number}: {method} {path}: {status}");
        let kind = response.headers().get(header::CONTENT_TYPE);
        let kind = kind
            .map_or("", |kind| kind.to_str().unwrap_or(""))
            .to_owned();
        if kind.starts_with("text/event-stream") {
            continue;
        }
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(SECRET), "{number}: {method} {path}");
        assert!(!text.contains("root:x:0"), "{number}: {method} {path}");
        assert!(!text.contains("[entrants]"), "{number}: {method} {path}");
        if kind.starts_with("text/html") {
            for script in ["<script>alert", "<img src=x"] {
                assert!(!text.contains(script), "{number}: {method} {path}: {text}");
            }
        }
    }
    drop(std::panic::take_hook());
    assert_eq!(panics.load(Ordering::SeqCst), 0);
    let after = victim.game(&place, &id).await;
    assert_eq!(after["state"], before["state"]);
    assert_eq!(after["seats"], before["seats"]);
}

/// A league whose program wrote something to standard error.
fn write_league(place: &Place) {
    use floe_arena::tournament::Description;
    let text = "game = \"gamma\"\n[boards]\nsetup = \"3x3\"\nseed = 1\ncount = 1\n\
                [entrants]\ngreedy = \"greedy\"\n\"<script>alert(1)</script>\" = \"random\"\n";
    let file = place.folder().join("cup.toml");
    std::fs::write(&file, text).unwrap();
    crate::pages::play(Description::load(&file).unwrap());
    // The same, as a program would have made it.
    let records = place.folder().join("cup.jsonl");
    let mut changed = Vec::new();
    for record in floe_arena::journal::read_file(&records).unwrap() {
        let mut record = record.unwrap();
        for event in &mut record.events {
            if let floe_games::record::Event::Move(made) = event {
                made.stderr = SECRET.to_owned();
            }
        }
        record.write(&mut changed).unwrap();
    }
    std::fs::write(&records, changed).unwrap();
    let index = place.folder().join("cup.sqlite");
    std::fs::remove_file(index).unwrap();
}
