//! Programs that play in a league from home.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::submit::{Served, cup, serve, serve_at};
use crate::{floe, transcript};

/// A league with somebody to play against, its pages, and their address. Nobody has to be quick.
fn league(remote: &str) -> (tempfile::TempDir, Served, String) {
    let folder = league_folder(remote);
    let (served, address) = serve(folder.path());
    (folder, served, address)
}

/// The same without its pages.
fn league_folder(remote: &str) -> tempfile::TempDir {
    let folder = cup();
    let here = folder.path();
    let file = here.join("cup/league.toml");
    let text = fs::read_to_string(&file).unwrap();
    let (text, _) = text.split_once("[remote]").unwrap();
    let lines = text.lines().map(|line| match line.starts_with("setup") {
        true => "setup = \"4x4\"",
        false => line,
    });
    let text: Vec<&str> = lines.collect();
    fs::write(&file, format!("{}\n[remote]\n{remote}\n", text.join("\n"))).unwrap();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    fs::copy(bots.join("line.py"), here.join("line.py")).unwrap();
    let seen = transcript("submit cup flood.py --token-file alan.token", here, "");
    assert!(seen.contains("Alan#1 is accepted"), "{seen}");
    folder
}

/// A client of our own, which may lie.
struct Client {
    agent: ureq::Agent,
    bearer: String,
    address: String,
}

impl Client {
    fn new(address: &str, here: &Path, token: &str) -> Client {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let token = fs::read_to_string(here.join(token)).unwrap();
        Client {
            agent: ureq::Agent::new_with_config(config.build()),
            bearer: format!("Bearer {}", token.trim()),
            address: format!("{address}api/v1/remote"),
        }
    }

    /// Sends something; the status and what is answered.
    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.post(format!("{}{path}", self.address));
        let request = request.header("Authorization", &self.bearer);
        let request = request.header("Content-Type", "application/json");
        let mut answer = request.send(&body.to_string()).unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        (answer.status().as_u16(), value)
    }

    /// Connects; the path of the connection.
    fn connect(&self) -> String {
        let (status, welcome) = self.post("", &json!({ "word": "raw" }));
        assert_eq!(status, 200, "{welcome}");
        format!("/{}", welcome["connection"].as_str().unwrap())
    }

    /// Waits for news of this kind, and gives its number as well.
    fn wait_for(&self, connection: &str, what: &str, after: &mut u64) -> Value {
        loop {
            let address = format!("{}{connection}?after={after}", self.address);
            let request = self.agent.get(address);
            let mut answer = request
                .header("Authorization", &self.bearer)
                .call()
                .unwrap();
            let text = answer.body_mut().read_to_string().unwrap();
            let told: Value = serde_json::from_str(&text).unwrap();
            let news = told["news"].as_array().unwrap_or_else(|| panic!("{text}"));
            for one in news {
                *after = one["number"].as_u64().unwrap();
                if one["what"] == what {
                    return one.clone();
                }
            }
        }
    }
}

/// Waits until a file says something.
fn wait_for_text(file: &Path, what: &str) -> String {
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        if text.contains(what) {
            return text;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_program_plays_from_home_and_its_games_are_marked() {
    let (folder, _served, address) = league("");
    let here = folder.path();
    let words = format!("connect {address} --token-file ada.token --games 2 -- python3 line.py");
    let seen = transcript(&words, here, "");
    assert!(
        seen.contains("owls#1 plays flood in cup from here"),
        "{seen}"
    );
    assert!(seen.contains("rated apart"), "{seen}");
    assert!(seen.contains("game 1: owls#1 against Alan#1"), "{seen}");
    assert!(seen.contains("game 2: Alan#1 against owls#1"), "{seen}");
    assert!(!seen.contains("fault"), "{seen}");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    let records = fs::read_to_string(here.join("cup/remote.jsonl")).unwrap();
    assert!(records.contains("\"seat\":\"remote\""), "{records}");
    floe("verify cup/remote.jsonl")
        .current_dir(here)
        .assert()
        .success();
    let seen = transcript("standings cup/remote.jsonl", here, "");
    assert!(seen.contains("owls#1"), "{seen}");
    // The ladder has nobody but those who sent something.
    let seen = transcript("league status cup --json", here, "");
    assert!(!seen.contains("owls"), "{seen}");
    let seen = transcript("league status cup", here, "");
    assert!(seen.contains("floe standings cup/remote.jsonl"), "{seen}");
    // The pages have them beside the ladder, to be opened like all others.
    let page = |path: &str| {
        let mut answer = ureq::get(format!("{address}{path}")).call().unwrap();
        answer.body_mut().read_to_string().unwrap()
    };
    let seen = page("league/cup");
    assert!(seen.contains("Remote programs"), "{seen}");
    let seen: Value = serde_json::from_str(&page("api/v1/leagues/remote")).unwrap();
    assert_eq!(seen["results"]["games"], 2);
}

/// A league of Gamma on small boards with a fast program to play against; `bot` is the same program.
fn fast_league() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("cup")).unwrap();
    let text = "game = 'gamma'\nsandbox = 1\n[boards]\nsetup = '4x3'\n[limits]\ntime = '60s'\n\
                start = '60s'\n[remote]\nway = '60s'\ngrace = '60s'\n";
    fs::write(here.join("cup/league.toml"), text).unwrap();
    fs::write(here.join("class.csv"), "Ada\nAlan\n").unwrap();
    let mut invite = floe("league invite cup class.csv --json");
    let said = invite.current_dir(here).assert().success();
    let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    for (line, file) in said.lines().zip(["ada.token", "alan.token"]) {
        let person: Value = serde_json::from_str(line).unwrap();
        fs::write(here.join(file), person["token"].as_str().unwrap()).unwrap();
    }
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let source = here.join("bot.c");
    fs::copy(bots.join("line_gamma.c"), &source).unwrap();
    let mut compile = Command::new("cc");
    compile
        .args(["-O1", "-o", "bot", "bot.c"])
        .current_dir(here);
    assert!(compile.status().unwrap().success());
    let words = "submit cup bot.c --protocol line --token-file alan.token";
    let seen = transcript(words, here, "");
    assert!(seen.contains("Alan#1 is accepted"), "{seen}");
    folder
}

/// A fast program asks more often than a visitor of the pages may, and loses nothing by it.
#[test]
fn two_hundred_fast_games_lose_none_to_the_limit_on_requests() {
    let folder = fast_league();
    let here = folder.path();
    let (_served, address) = serve(here);
    let words = format!("connect {address} --token-file ada.token --games 200 -- ./bot");
    let seen = transcript(&words, here, "");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    assert!(!seen.contains("fault"), "{seen}");
    assert!(!seen.contains("Too many requests"), "{seen}");
    let records = fs::read_to_string(here.join("cup/remote.jsonl")).unwrap();
    assert_eq!(records.matches("\"line\":\"end\"").count(), 200);
}

#[test]
fn a_cut_connection_loses_that_game_alone() {
    let (folder, _served, address) = league("grace = \"3s\"\nrated = \"ladder\"");
    let here = folder.path();
    let client = Client::new(&address, here, "ada.token");
    let (connection, mut after) = (client.connect(), 0);
    let sit = client.wait_for(&connection, "sit", &mut after);
    client.post(
        &connection,
        &json!({ "what": "ready", "game": sit["game"] }),
    );
    client.wait_for(&connection, "decide", &mut after);
    // Nothing more is heard of it.
    let records = wait_for_text(&here.join("cup/remote.jsonl"), "\"end\"");
    assert!(records.contains("they left the game"), "{records}");
    let words =
        format!("connect {address} --word raw --token-file ada.token --games 1 -- python3 line.py");
    let seen = transcript(&words, here, "");
    assert!(seen.contains("game 2: Alan#1 against owls#1"), "{seen}");
    assert!(seen.contains("rated with all others"), "{seen}");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    let seen = transcript("league status cup", here, "");
    assert!(seen.contains("1 remote"), "{seen}");
}

#[test]
fn a_killed_server_is_found_again_and_played_on() {
    let (folder, served, address) = league("");
    let here = folder.path();
    let mut command = Command::new(env!("CARGO_BIN_EXE_floe"));
    let words = "--token-file ada.token --games 4 -- python3 line.py";
    command.args(["connect", &address]).args(words.split(' '));
    command
        .current_dir(here)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut connected = command.spawn().unwrap();
    let mut said = BufReader::new(connected.stdout.take().unwrap()).lines();
    let begun = said.by_ref().map(Result::unwrap);
    let begun: Vec<String> = begun.take_while(|line| !line.contains("game 2:")).collect();
    assert!(
        begun.iter().any(|line| line.contains("game 1:")),
        "{begun:?}"
    );
    drop(served);
    let listen = address.trim_start_matches("http://").trim_end_matches('/');
    let _served = serve_at(here, listen);
    let rest: Vec<String> = said.map(Result::unwrap).collect();
    let ended = connected.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{rest:?} {told}");
    assert!(told.contains("connected again as owls#1"), "{told}");
    assert!(
        !told.contains("fault") && !rest.join("").contains("fault"),
        "{rest:?} {told}"
    );
}

#[test]
fn a_client_that_lies_harms_nobody() {
    let (folder, _served, address) = league("");
    let here = folder.path();
    let ada = Client::new(&address, here, "ada.token");
    let alan = Client::new(&address, here, "alan.token");
    let (connection, mut after) = (ada.connect(), 0);
    let sit = ada.wait_for(&connection, "sit", &mut after);
    let game = &sit["game"];
    let say = |client: &Client, what: &str, game: &Value, question: u64| {
        let body = json!({ "what": what, "game": game, "question": question, "move": "@" });
        client.post(&connection, &body).0
    };
    // Moves before the game, of another game, and by somebody else.
    assert_eq!(say(&ada, "move", game, 1), 409);
    assert_eq!(say(&ada, "ready", &json!("99"), 0), 409);
    assert_eq!(say(&alan, "ready", game, 0), 404);
    assert_eq!(say(&ada, "ready", game, 0), 200);
    let asked = ada.wait_for(&connection, "decide", &mut after);
    let question = asked["question"].as_u64().unwrap();
    assert_eq!(say(&ada, "move", game, question + 1), 409);
    let nonsense = json!({ "what": "move", "game": game, "question": question, "move": "no move" });
    assert_eq!(ada.post(&connection, &nonsense).0, 200);
    assert_eq!(say(&ada, "move", game, question), 409);
    let over = ada.wait_for(&connection, "over", &mut after);
    let text = over["text"].as_str().unwrap();
    assert!(text.starts_with("lost by a fault"), "{text}");
    // The same goes on with the next game, and others are not touched.
    ada.wait_for(&connection, "sit", &mut after);
    let (status, _) = alan.post("", &json!({ "word": "x".repeat(61) }));
    assert_eq!(status, 422);
    let seen = transcript("league people cup", here, "");
    assert!(seen.contains("Alan (Alan): plays Alan#1"), "{seen}");
}

/// It is heard of all the time, and says nothing when it is asked.
#[test]
fn a_client_that_does_not_answer_in_time_loses_that_game_alone() {
    let folder = league_folder("way = \"50ms\"");
    let here = folder.path();
    let file = here.join("cup/league.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"20s\"", "\"200ms\"")).unwrap();
    let (_served, address) = serve(here);
    let client = Client::new(&address, here, "ada.token");
    let (connection, mut after) = (client.connect(), 0);
    let sit = client.wait_for(&connection, "sit", &mut after);
    let ready = json!({ "what": "ready", "game": sit["game"] });
    assert_eq!(client.post(&connection, &ready).0, 200);
    let asked = client.wait_for(&connection, "decide", &mut after);
    let lines = asked["lines"].as_str().unwrap();
    assert!(lines.contains("go 200\n"), "{lines}");
    let over = client.wait_for(&connection, "over", &mut after);
    let text = over["text"].as_str().unwrap();
    assert!(text.starts_with("lost by a fault: timeout"), "{text}");
    let late = json!({
        "what": "move", "game": sit["game"], "question": asked["question"], "move": "@",
    });
    assert_eq!(client.post(&connection, &late).0, 409);
    let next = client.wait_for(&connection, "sit", &mut after);
    assert_ne!(next["game"], sit["game"]);
    let records = fs::read_to_string(here.join("cup/remote.jsonl")).unwrap();
    assert_eq!(records.matches("\"kind\":\"timeout\"").count(), 1);
}

#[test]
fn games_that_the_machine_cannot_play_are_put_off() {
    let (folder, _served, address) = league("");
    let here = folder.path();
    let programs = here.join("cup/programs");
    let gone = here.join("gone");
    fs::rename(&programs, &gone).unwrap();
    let client = Client::new(&address, here, "ada.token");
    let (connection, mut after) = (client.connect(), 0);
    let end = client.wait_for(&connection, "end", &mut after);
    let why = end["why"].as_str().unwrap();
    assert!(why.contains("the league's machine failed"), "{why}");
    // Nobody lost anything, and once it is put right every game is played.
    let _ = fs::remove_dir_all(&programs);
    fs::rename(&gone, &programs).unwrap();
    let words =
        format!("connect {address} --word raw --token-file ada.token --games 2 -- python3 line.py");
    let seen = transcript(&words, here, "");
    assert!(seen.contains("game 1: owls#1 against Alan#1"), "{seen}");
    assert!(seen.contains("game 2: Alan#1 against owls#1"), "{seen}");
    assert!(!seen.contains("fault"), "{seen}");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
}

#[test]
fn a_paused_league_begins_no_games_from_home() {
    let (folder, _served, address) = league("");
    let here = folder.path();
    let seen = transcript("league pause cup --only ladder", here, "");
    assert!(seen.contains("begins no games;"), "{seen}");
    let client = Client::new(&address, here, "ada.token");
    let (connection, mut after) = (client.connect(), 0);
    // Whoever asks is answered after a while, with nothing.
    let told = format!("{}{connection}", client.address);
    let request = client
        .agent
        .get(told)
        .header("Authorization", &client.bearer);
    let told = request.call().unwrap().body_mut().read_to_string().unwrap();
    assert!(told.contains("\"news\":[]"), "{told}");
    let seen = transcript("league resume cup", here, "");
    assert!(seen.contains("cup runs"), "{seen}");
    client.wait_for(&connection, "sit", &mut after);
}

/// A page that is open follows both files of records.
#[test]
fn games_from_home_show_in_the_ladder_at_once() {
    let folder = league_folder("rated = \"ladder\"");
    let here = folder.path();
    let seen = transcript("submit cup flood.py --token-file ada.token", here, "");
    assert!(seen.contains("owls#1 is accepted"), "{seen}");
    transcript("league run cup --games 2 --quiet", here, "");
    let (_served, address) = serve(here);
    let results = || -> Value {
        let mut answer = ureq::get(format!("{address}api/v1/leagues/cup"))
            .call()
            .unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["results"].clone()
    };
    assert_eq!(results()["games"], 2);
    let words = format!("connect {address} --token-file ada.token --games 2 -- python3 line.py");
    let seen = transcript(&words, here, "");
    assert!(seen.contains("Alan#1 against owls#2"), "{seen}");
    let results = results();
    assert_eq!(results["games"], 4);
    let rows = results["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    assert!(
        names.contains(&"owls#1") && names.contains(&"owls#2"),
        "{names:?}"
    );
}

#[test]
fn wrong_use_of_connecting_is_told() {
    let (folder, _served, address) = league("rated = \"no\"");
    let here = folder.path();
    for (words, told) in [
        ("connect cup -- ./bot", "put your token into FLOE_TOKEN"),
        (
            "connect cup --token-file ada.token -- ./bot",
            "cup is no address",
        ),
        (
            "connect http://127.0.0.1:1 --token-file ada.token -- ./bot",
            "cannot reach the league",
        ),
        (
            &format!("connect {address} --token-file ada.token -- ./bot"),
            "this league accepts no remote programs",
        ),
    ] {
        let seen = transcript(words, here, "");
        assert!(seen.contains(told), "{seen}");
        assert!(seen.ends_with("--- exit 2\n"), "{seen}");
    }
}
