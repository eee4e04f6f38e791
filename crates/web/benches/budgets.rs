//! `cargo bench -p floe-web`: what the pages cost, beside what they may cost.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use floe_arena::seat::Sandbox;
use floe_arena::tournament::{Description, Tournament};
use floe_web::{App, Settings};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

const WATCHERS: usize = 2000;
const ENTRANTS: usize = 100;

fn row(what: &str, found: impl Display, most: &str) {
    println!("{what:<58} {found:>14}   at most {most}");
}

/// Resident memory, in KiB.
fn memory() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse::<u64>().ok());
    pages.unwrap_or(0) * 4
}

async fn get(router: &Router, path: &str, cookie: &str) -> (String, axum::http::HeaderMap) {
    let request = Request::get(path)
        .header(header::COOKIE, cookie)
        .body(Body::empty());
    let response = router.clone().oneshot(request.unwrap()).await.unwrap();
    let headers = response.headers().clone();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (String::from_utf8_lossy(&bytes).into_owned(), headers)
}

async fn post(
    router: &Router,
    path: &str,
    cookie: &str,
    kind: &str,
    body: String,
) -> axum::http::HeaderMap {
    let request = Request::post(path)
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, kind)
        .body(Body::from(body));
    let response = router.clone().oneshot(request.unwrap()).await.unwrap();
    let headers = response.headers().clone();
    response.into_body().collect().await.unwrap();
    headers
}

fn packed(bytes: &[u8]) -> usize {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap().len()
}

/// A game against this opponent; gives its address.
async fn begin(router: &Router, cookie: &str, form: &str) -> String {
    let kind = "application/x-www-form-urlencoded";
    let headers = post(router, "/play/gamma", cookie, kind, form.to_owned()).await;
    headers[header::LOCATION].to_str().unwrap().to_owned()
}

async fn make_first_move(router: &Router, cookie: &str, game: &str, ply: u64) {
    let api = format!("/api/v1/games/{}", game.trim_start_matches("/game/"));
    let (moves, _) = get(router, &format!("{api}/moves?ply={ply}"), cookie).await;
    let moves: serde_json::Value = serde_json::from_str(&moves).unwrap();
    let body = serde_json::json!({ "ply": ply, "move": moves["moves"][0]["move"] });
    post(
        router,
        &format!("{api}/move"),
        cookie,
        "application/json",
        body.to_string(),
    )
    .await;
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let (app, _) = App::open(&Settings::new(folder.path())).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = floe_web::app(app.clone());
    tokio::spawn(floe_web::serve(listener, app, std::future::pending()));
    let mut client = TcpStream::connect(address).await.unwrap();
    client
        .write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    let answered = client.read(&mut [0; 512]).await.unwrap();
    assert!(answered > 0);
    row(
        "opening the place to the first answer",
        format!("{:.1} ms", ms(began.elapsed())),
        "150 ms",
    );
    row(
        "memory at rest",
        format!("{:.1} MiB", memory() as f64 / 1024.0),
        "60 MiB",
    );

    let cookie = format!("floe={}", "0123456789abcdef".repeat(2));
    let game = begin(
        &router,
        &cookie,
        "opponent=floe%3Aeasy&clock=none&size=10x10",
    )
    .await;
    let (page, _) = get(&router, &game, &cookie).await;
    let assets = [
        "floe.css",
        "floe.svg",
        "game.js",
        "board.js",
        "common.js",
        "live.js",
        "panel.js",
        "review.js",
        "thoughts.js",
    ];
    let mut bytes = packed(page.as_bytes());
    for asset in assets {
        bytes += packed(
            get(&router, &format!("/assets/{asset}"), &cookie)
                .await
                .0
                .as_bytes(),
        );
    }
    row(
        "the game page, all of it, compressed",
        format!("{:.1} KiB", bytes as f64 / 1024.0),
        "80 KiB",
    );

    let mut slowest = Duration::ZERO;
    for turn in 0..5 {
        let began = Instant::now();
        make_first_move(&router, &cookie, &game, 2 * turn).await;
        while !get(
            &router,
            &format!("/api/v1{}", game.replace("game", "games")),
            &cookie,
        )
        .await
        .0
        .contains(&format!("\"ply\":{}", 2 * turn + 2))
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        slowest = slowest.max(began.elapsed());
    }
    row(
        "a move and the answer of floe:easy, the slowest of five",
        format!("{:.0} ms", ms(slowest)),
        "150 ms",
    );

    watchers(&router, address, &cookie).await;
    standings(&router, folder.path()).await;
    requests(address).await;
}

/// A move reaches everybody who watches.
async fn watchers(router: &Router, address: std::net::SocketAddr, cookie: &str) {
    let game = begin(router, cookie, "opponent=here&clock=none&size=10x10").await;
    let id = game.trim_start_matches("/game/").to_owned();
    let before = memory();
    let (told, mut heard) = tokio::sync::mpsc::channel(WATCHERS);
    let mut streams = Vec::new();
    for _ in 0..WATCHERS {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET /live?game={id} HTTP/1.1\r\nhost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut seen = Vec::new();
        let mut part = [0; 8192];
        while !contains(&seen, b"\"version\":0,") {
            let count = stream.read(&mut part).await.unwrap();
            assert!(count > 0, "{}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&part[..count]);
        }
        streams.push(stream);
    }
    let each = (memory().saturating_sub(before)) as f64 / WATCHERS as f64;
    for mut stream in streams {
        let told = told.clone();
        tokio::spawn(async move {
            let mut seen = Vec::new();
            let mut part = [0; 8192];
            while !contains(&seen, b"\"version\":1,") {
                match stream.read(&mut part).await {
                    Ok(count) if count > 0 => seen.extend_from_slice(&part[..count]),
                    _ => return,
                }
            }
            let _ = told.send(Instant::now()).await;
        });
    }
    let began = Instant::now();
    make_first_move(router, cookie, &game, 0).await;
    let mut times = Vec::new();
    for _ in 0..WATCHERS {
        times.push(heard.recv().await.unwrap().duration_since(began));
    }
    times.sort_unstable();
    row(
        &format!("{WATCHERS} watchers: a move reaches 99 % of them"),
        format!("{:.0} ms", ms(times[WATCHERS * 99 / 100])),
        "100 ms",
    );
    row(
        "memory for each, theirs and ours together",
        format!("{each:.1} KiB"),
        "16 KiB",
    );
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The table of a large tournament.
async fn standings(router: &Router, folder: &std::path::Path) {
    let mut text =
        "game = \"gamma\"\n[boards]\nsetup = \"3x3\"\nseed = 1\ncount = 1\n[entrants]\n".to_owned();
    for entrant in 0..ENTRANTS {
        text += &format!("entrant{entrant} = \"random\"\n");
    }
    fs::write(folder.join("cup.toml"), text).unwrap();
    let description = Description::load(&folder.join("cup.toml")).unwrap();
    let mut tournament = Tournament::open(description, false).unwrap();
    let runner = tournament.runner(Sandbox::none(), 2, None);
    tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap();
    let games = tournament.scoreboard().games();
    drop(tournament);
    get(router, "/league/cup", "").await;
    let began = Instant::now();
    for _ in 0..50 {
        get(router, "/league/cup", "").await;
    }
    row(
        &format!("the standings of {ENTRANTS} entrants and {games} games"),
        format!("{:.1} ms", ms(began.elapsed() / 50)),
        "10 ms",
    );
}

/// Plain pages over a connection that is kept.
async fn requests(address: std::net::SocketAddr) {
    // Under the limit of one address: a burst, timed.
    let mut stream = TcpStream::connect(address).await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let mut part = vec![0; 65536];
    let began = Instant::now();
    const COUNT: u32 = 4000;
    for _ in 0..COUNT {
        stream
            .write_all(b"GET /about HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut seen = Vec::new();
        while !contains(&seen, b"\r\n0\r\n\r\n") && !contains(&seen, b"</html>") {
            let count = stream.read(&mut part).await.unwrap();
            seen.extend_from_slice(&part[..count]);
        }
    }
    let rate = f64::from(COUNT) / began.elapsed().as_secs_f64();
    row(
        "plain pages, one after the other on one connection",
        format!("{rate:.0}/s"),
        "(5000/s wanted)",
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
