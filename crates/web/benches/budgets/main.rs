//! `cargo bench -p floe-web`: what the pages cost, beside what they may cost.
//!
//! The server is a process of its own, this program once more, so that its memory and the time it
//! keeps cores busy are its own. Times on the clock are those of an idle machine only; what is said to
//! be busy time is the same under load. `-- watchers` measures that part alone; others are `game`,
//! `visitors`, `standings` and `plain`.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

mod client;
mod contest;
mod visitors;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use std::time::{Duration, Instant};

use floe_web::{App, Settings};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use client::{Client, SERVE, Server};
use contest::Contest;

const WATCHERS: usize = 2000;
const COOKIE: &str = "floe=0123456789abcdef0123456789abcdef";
const FORM: &str = "application/x-www-form-urlencoded";

fn main() {
    let mut words = std::env::args().skip(1);
    let is_server = words.next().is_some_and(|word| word == SERVE);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    match is_server {
        true => runtime.block_on(serve(Path::new(&words.next().unwrap()))),
        false => runtime.block_on(measure()),
    }
}

/// What `floe serve` does, behind a proxy that says who asks.
async fn serve(folder: &Path) {
    let mut settings = Settings::new(folder);
    settings.is_behind_proxy = true;
    let (app, _) = App::open(&settings).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    floe_web::serve(listener, app, std::future::pending())
        .await
        .unwrap();
}

fn row(what: &str, measured: impl Display, most: &str) {
    println!("{what:<66} {measured:>12}   {most}");
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

async fn measure() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut parts = words.iter().filter(|word| !word.starts_with('-'));
    let part = parts.next();
    let is_wanted = |name: &str| part.is_none_or(|part| part == name);
    row("what", "measured", "wanted");
    let folder = tempfile::tempdir().unwrap();
    let mut starts = Vec::new();
    for _ in 0..5 {
        starts.push(Server::start(folder.path()).await.start);
    }
    starts.sort_unstable();
    let what = "start of the server to the first page, median of five";
    row(what, format!("{:.0} ms", ms(starts[2])), "at most 150 ms");

    let server = Server::start(folder.path()).await;
    let memory = server.memory() as f64 / 1024.0;
    row(
        "memory at rest",
        format!("{memory:.1} MiB"),
        "at most 60 MiB",
    );

    let mut client = Client::connect(server.address, COOKIE).await;
    if is_wanted("game") {
        game_page(&mut client).await;
        moves(&server, &mut client).await;
    }
    if is_wanted("watchers") {
        watchers(&server, &mut client).await;
    }
    if is_wanted("visitors") {
        visitors::play(&server).await;
    }
    if is_wanted("standings") {
        standings().await;
    }
    if is_wanted("plain") {
        plain_pages(&server).await;
    }
}

/// A game on 10x10 against this opponent; gives its id.
async fn begin(client: &mut Client, opponent: &str) -> String {
    let form = format!("opponent={opponent}&clock=none&size=10x10");
    let answer = client.post("/play/gamma", FORM, &form).await;
    let place = answer.head.split_once("location: /game/").unwrap().1;
    place.lines().next().unwrap().to_owned()
}

/// Makes the first move there is.
async fn make_first_move(client: &mut Client, game: &str, ply: usize) {
    let moves = client
        .get(&format!("/api/v1/games/{game}/moves?ply={ply}"))
        .await;
    let moves: Value = serde_json::from_str(moves.text()).unwrap();
    let body = json!({ "ply": ply, "move": moves["moves"][0]["move"] });
    let path = format!("/api/v1/games/{game}/move");
    client
        .post(&path, "application/json", &body.to_string())
        .await;
}

/// Follows whatever a page loads, as a browser does.
async fn game_page(client: &mut Client) {
    let game = begin(client, "floe%3Aeasy").await;
    let path = format!("/game/{game}");
    let page = client.get(&path).await;
    let mut bytes = client.get_packed(&path).await.body.len();
    let mut open: Vec<String> = addresses(page.text(), "=\"/assets/", "/assets/");
    let elsewhere = page.text().matches("=\"http").count();
    let mut known = BTreeSet::new();
    while let Some(address) = open.pop() {
        if !known.insert(address.clone()) {
            continue;
        }
        let asset = client.get(&address).await;
        open.extend(addresses(asset.text(), "from \"./", "/assets/"));
        open.extend(addresses(asset.text(), "import \"./", "/assets/"));
        bytes += client.get_packed(&address).await.body.len();
    }
    assert_eq!(elsewhere, 0);
    let what = format!("game page with its {} files, compressed", known.len());
    let kib = bytes as f64 / 1024.0;
    row(&what, format!("{kib:.1} KiB"), "at most 80 KiB");
}

/// What follows this mark in a text, as addresses.
fn addresses(text: &str, mark: &str, folder: &str) -> Vec<String> {
    let ends = text.split(mark).skip(1);
    ends.map(|end| format!("{folder}{}", end.split('"').next().unwrap()))
        .collect()
}

/// From the request that moves to the event with the answer.
async fn moves(server: &Server, client: &mut Client) {
    let game = begin(client, "floe%3Aeasy").await;
    let mut events = Client::connect(server.address, COOKIE).await;
    events.follow(&format!("/live?game={game}")).await;
    events.read_until(b"\"version\":0,").await;
    let mut times = Vec::new();
    for turn in 0..9 {
        let began = Instant::now();
        make_first_move(client, &game, 2 * turn).await;
        let mark = format!("\"version\":{},", 2 * turn + 2);
        events.read_until(mark.as_bytes()).await;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    let found = format!("{:.0} ms", ms(times[8]));
    let what = "a move to the event with the answer of floe:easy, slowest of nine";
    row(what, found, "at most 150 ms");
}

/// A move reaches everybody who watches.
async fn watchers(server: &Server, client: &mut Client) {
    const MOVES: usize = 5;
    let game = begin(client, "here").await;
    let before = server.memory();
    let mut all = Vec::new();
    for who in 0..WATCHERS {
        let mut watcher = Client::connect(server.address, "").await;
        watcher.who = 1 + who as u32;
        watcher.follow(&format!("/live?game={game}")).await;
        watcher.read_until(b"\"version\":0,").await;
        all.push(watcher);
    }
    let each = server.memory().saturating_sub(before) as f64 / WATCHERS as f64;
    let (told, mut heard) = tokio::sync::mpsc::channel(WATCHERS);
    for mut watcher in all {
        let told = told.clone();
        tokio::spawn(async move {
            for version in 1..=MOVES {
                let mark = format!("\"version\":{version},");
                watcher.read_until(mark.as_bytes()).await;
                told.send(Instant::now()).await.unwrap();
            }
        });
    }
    let mut slow = Vec::new();
    let busy = server.busy();
    for ply in 0..MOVES {
        let began = Instant::now();
        make_first_move(client, &game, ply).await;
        let mut times = Vec::new();
        for _ in 0..WATCHERS {
            times.push(heard.recv().await.unwrap().duration_since(began));
        }
        times.sort_unstable();
        slow.push(times[WATCHERS * 99 / 100]);
    }
    slow.sort_unstable();
    let busy = (server.busy() - busy) / MOVES as u32;
    let found = format!("{:.0} ms", ms(slow[MOVES / 2]));
    let what = format!("a move reaches 99 % of {WATCHERS} watchers, median of {MOVES}");
    row(&what, found, "at most 100 ms");
    let what = "  of which the server is busy";
    row(what, format!("{:.0} ms", ms(busy)), "");
    let now = server.memory().saturating_sub(before) as f64 / WATCHERS as f64;
    row(
        "memory for each of them",
        format!("{each:.1} KiB"),
        "at most 16 KiB",
    );
    row("  after the moves", format!("{now:.1} KiB"), "");
}

/// The table of large tournaments.
async fn standings() {
    for rounds in [1, 10] {
        let folder = tempfile::tempdir().unwrap();
        let contest = Contest::write(folder.path(), rounds);
        let games = contest.games();
        println!("100 entrants, {games} games, busy time of the server:");
        let server = Server::start(folder.path()).await;
        let what = "  opening it, once, for the first page";
        let clock = format!("({:.0} ms on the clock)", ms(server.start));
        row(what, format!("{:.0} ms", ms(server.busy())), &clock);
        let mut client = Client::connect(server.address, COOKIE).await;
        // Made and packed once.
        client.get_packed("/league/cup").await;
        let mut most = "at most 10 ms ";
        for (path, times) in [
            ("/league/cup", 100),
            ("/league/cup/games", 100),
            ("/league/cup/games?of=entrant7&faulty=on", 100),
            ("/league/cup/entrant/entrant7", 100),
            ("/league/cup/game/4711", 100),
        ] {
            let (began, busy) = (Instant::now(), server.busy());
            for _ in 0..times {
                client.get_packed(path).await;
            }
            let busy = (server.busy() - busy) / times;
            let clock = ms(began.elapsed()) / f64::from(times);
            let what = format!("  {path}");
            let found = format!("{:.1} ms", ms(busy));
            row(&what, found, &format!("{most}({clock:.1} ms on the clock)"));
            most = "";
        }
        grown(&server, &mut client, contest).await;
    }
}

/// The table after one more unit, again and again.
async fn grown(server: &Server, client: &mut Client, mut contest: Contest) {
    const TIMES: u32 = 20;
    let busy = server.busy();
    for _ in 0..TIMES {
        contest.play_on();
        client.get_packed("/league/cup").await;
    }
    let busy = (server.busy() - busy) / TIMES;
    let what = "  /league/cup after two more games";
    row(what, format!("{:.1} ms", ms(busy)), "");
}

/// Plain pages over connections that are kept.
async fn plain_pages(server: &Server) {
    const COUNT: u32 = 20_000;
    for path in ["/about", "/"] {
        let mut client = Client::connect(server.address, COOKIE).await;
        let (began, busy) = (Instant::now(), server.busy());
        for count in 0..COUNT {
            // Each may ask so often.
            client.who = 10_000 + count / 1000;
            client.get(path).await;
        }
        let busy = (server.busy() - busy).as_secs_f64();
        let rate = f64::from(COUNT) / busy;
        let clock = f64::from(COUNT) / began.elapsed().as_secs_f64();
        let what = format!("{path}, requests for each second a core is busy");
        let wanted = format!("at least 5000/s ({clock:.0}/s one after the other)");
        row(&what, format!("{rate:.0}/s"), &wanted);
    }
}
