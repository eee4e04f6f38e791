//! Ladders and finals of a league, as an organiser runs them.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use floe_league::{Event, League};

use crate::submit::serve_by;
use crate::{floe, stdout};

/// A league of engines, "submitted" under these names.
fn league(folder: &Path) -> String {
    let cup = folder.join("cup");
    fs::create_dir(&cup).unwrap();
    let description = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n[finals]\nboards = 2\nplace = 'Room 3180'\n";
    fs::write(cup.join("league.toml"), description).unwrap();
    let league = League::open(&cup).unwrap();
    for (entrant, seat) in [("owls", "greedy"), ("cats", "random"), ("bats", "random")] {
        submit(&league, entrant, 1, seat);
    }
    cup.display().to_string()
}

/// Lets a version in that is played by this seat.
fn submit(league: &League, entrant: &str, number: u32, seat: &str) {
    let version = format!("{entrant}#{number}");
    let events = [
        serde_json::json!({
            "event": "submitted", "version": version, "by": entrant, "file": "bot",
            "sha256": "ab".repeat(32), "bytes": 1,
        }),
        serde_json::json!({
            "event": "judged", "version": version, "verdict": "accepted", "seat": seat,
        }),
    ];
    for event in events {
        let event: Event = serde_json::from_value(event).unwrap();
        league.record(event).unwrap();
    }
}

fn ended(cup: &str) -> usize {
    let text = fs::read_to_string(Path::new(cup).join("ladder.jsonl")).unwrap_or_default();
    text.matches("\n{\"line\":\"end\"").count()
}

/// The ladder, played on and on by a process.
fn playing(cup: &str, words: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("floe"));
    command.args(["league", "run", cup, "--quiet"]).args(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    let before = ended(cup);
    while ended(cup) < before + 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_ladder_is_played_looked_at_and_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let cup = league(folder.path());
    let seen = floe(&format!("standings {cup}")).assert().code(2);
    let seen = String::from_utf8_lossy(&seen.get_output().stderr).into_owned();
    assert!(seen.contains("start with `floe league run"), "{seen}");
    let seen = stdout(&format!("league run {cup} --games 40"));
    assert!(
        seen.contains("cup: flood, 40 games counted, 3 entrants"),
        "{seen}"
    );
    assert_eq!(
        stdout(&format!("league status {cup}")).lines().nth(3),
        seen.lines().nth(3)
    );
    let rows = stdout(&format!("standings {cup} --csv"));
    assert!(rows.contains("owls#1"), "{rows}");
    assert!(Path::new(&cup).join("index.sqlite").exists());
    let status: serde_json::Value =
        serde_json::from_str(&stdout(&format!("league status {cup} --json"))).unwrap();
    assert_eq!(status["standings"].as_array().unwrap().len(), 3);
    // The same games have the same ratings and intervals everywhere.
    let standings: serde_json::Value =
        serde_json::from_str(&stdout(&format!("standings {cup} --json"))).unwrap();
    for (row, other) in
        (status["standings"].as_array().unwrap().iter()).zip(standings["rows"].as_array().unwrap())
    {
        assert!(row["elo"]["low"].is_f64(), "{row}");
        assert_eq!(row["elo"], other["elo"], "{row} {other}");
    }
    let table: serde_json::Value =
        serde_json::from_str(&stdout(&format!("league run {cup} --games 2 --json"))).unwrap();
    assert_eq!(table["games"], 42);

    let mut child = playing(&cup, &[]);
    let busy = floe(&format!("league run {cup}")).assert().code(2);
    let busy = String::from_utf8_lossy(&busy.get_output().stderr).into_owned();
    assert!(
        busy.contains("another floe is playing these games"),
        "{busy}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let there = ended(&cup) as u64;
    stdout(&format!("league run {cup} --games {}", 200 - there % 2));
    stdout(&format!("verify {cup}/ladder.jsonl"));

    let mut child = playing(&cup, &[]);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_paused_ladder_begins_nothing_until_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let cup = league(folder.path());
    stdout(&format!("league run {cup} --games 4 --quiet"));
    let seen = stdout(&format!("league pause {cup} --json"));
    assert_eq!(seen, "{\"paused\":[\"submitting\",\"ladder\"]}\n");
    let held = floe(&format!("league run {cup} --games 4"))
        .assert()
        .code(1);
    let held = String::from_utf8_lossy(&held.get_output().stderr).into_owned();
    assert!(held.contains("the ladder is paused"), "{held}");
    assert_eq!(ended(&cup), 4);
    // What is paused twice goes on at once, and what is sent may wait longer.
    stdout(&format!("league pause {cup} --only ladder"));
    let seen = stdout(&format!("league resume {cup} --only ladder"));
    assert!(
        seen.contains("accepts no submissions; its ladder plays"),
        "{seen}"
    );
    stdout(&format!("league run {cup} --games 4 --quiet"));
    assert_eq!(ended(&cup), 8);
    // One that plays already stops beginning games, and says why.
    let mut child = playing(&cup, &["--games", "1000000"]);
    stdout(&format!("league pause {cup}"));
    assert_eq!(child.wait().unwrap().code(), Some(1));
    stdout(&format!("verify {cup}/ladder.jsonl"));
}

#[test]
fn finals_are_frozen_played_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let cup = league(folder.path());
    let none = floe(&format!("league final {cup} --check"))
        .assert()
        .code(2);
    let none = String::from_utf8_lossy(&none.get_output().stderr).into_owned();
    assert!(none.contains("there are no finals yet"), "{none}");
    let rounds = floe(&format!("league final {cup} --rounds 3"))
        .assert()
        .code(2);
    let rounds = String::from_utf8_lossy(&rounds.get_output().stderr).into_owned();
    assert!(
        rounds.contains("only a swiss tournament has rounds"),
        "{rounds}"
    );
    let first = stdout(&format!("league final {cup}"));
    assert!(
        first.contains("finals-1: flood, round-robin, 12 games, finished"),
        "{first}"
    );
    assert_eq!(
        stdout(&format!("league final {cup}")),
        first,
        "nothing is drawn again"
    );
    // How they are played is settled.
    let other = floe(&format!("league final {cup} --format knockout"))
        .assert()
        .code(2);
    let other = String::from_utf8_lossy(&other.get_output().stderr).into_owned();
    assert!(other.contains("finals 1 are frozen"), "{other}");
    let same = format!("league final {cup} --format round-robin --boards 2");
    assert_eq!(stdout(&same), first);
    let check = stdout(&format!("league final {cup} --check"));
    assert!(
        check.starts_with("Finals 1 are valid: the seed "),
        "{check}"
    );
    let check = stdout(&format!("league final {cup} --check --json"));
    let check: serde_json::Value = serde_json::from_str(&check).unwrap();
    assert_eq!(check["finals"], 1);
    assert_eq!(check["problems"], serde_json::json!([]));
    // What would be ignored is refused.
    for word in ["--csv", "--boards 3", "--format swiss"] {
        let refused = floe(&format!("league final {cup} --check {word}"))
            .assert()
            .code(2);
        let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(told.contains("cannot be used with"), "{told}");
    }
    let second = stdout(&format!("league final {cup} --new --format knockout"));
    assert!(second.contains("finals-2: flood, knockout"), "{second}");
    // The ladder goes on afterwards.
    stdout(&format!("league run {cup} --games 2 --quiet"));
    // The report has the finals too, with the matches of the knockout.
    let page = stdout(&format!("report {cup} -o -"));
    assert!(
        page.contains("finals-1 <small>round-robin, 12 of 12 games"),
        "{page}"
    );
    assert!(page.contains("finals-2 <small>knockout"));
    assert!(page.contains("<h3>Matches</h3>"));
    // It begins with the podium of the last finals, their date and their place.
    let (head, _) = page.split_once("finals-1 <small>").unwrap();
    assert!(head.contains("class=\"podium\""), "{head}");
    // The seed decides who wins, or who share the first place.
    let has_winner = head.contains(" wins") || head.contains(" share the first place.");
    assert!(has_winner, "{head}");
    assert!(head.contains("Flood Wars, finals of 20"), "{head}");
    assert!(head.contains(", Room 3180</p>"), "{head}");
    assert!(head.contains("<dt>programs</dt><dd>3</dd>"), "{head}");
    let third = stdout(&format!("league final {cup} --new --format gauntlet"));
    assert!(third.contains("finals-3: flood, gauntlet"), "{third}");
}

/// Games that were played in the first finals.
fn played(cup: &str) -> usize {
    let text = fs::read_to_string(Path::new(cup).join("finals-1.jsonl")).unwrap_or_default();
    text.matches("\n{\"line\":\"end\"").count()
}

/// The organiser's browser, as far as one is needed.
struct Desk {
    agent: ureq::Agent,
    address: String,
    cookies: String,
}

impl Desk {
    fn enter(address: &str, link: &str) -> Desk {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent = ureq::Agent::new_with_config(config.max_redirects(0).build());
        let entered = agent.get(link).call().unwrap();
        let cookies = entered.headers().get_all("set-cookie").iter();
        let cookies = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap());
        Desk {
            cookies: cookies.collect::<Vec<_>>().join("; "),
            address: address.to_owned(),
            agent,
        }
    }

    fn act(&self, act: &str, form: &[(&str, &str)]) {
        let request = self.agent.post(format!("{}desk/{act}", self.address));
        let request = request.header("Cookie", &self.cookies);
        let answer = request.send_form(form.iter().copied()).unwrap();
        assert_eq!(answer.status(), 303, "{act}");
    }
}

#[test]
fn finals_of_the_desk_go_on_after_the_server_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let cup = league(folder.path());
    let words = ["league", "serve", "cup", "--listen", "127.0.0.1:0"];
    let (served, address, link) = serve_by(folder.path(), &words);
    let desk = Desk::enter(&address, &link);
    let freeze = [
        ("format", "round-robin"),
        ("boards", "200"),
        ("number", "1"),
    ];
    desk.act("freeze", &freeze);
    desk.act("play", &[]);
    while played(&cup) < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(served);
    let there = played(&cup);
    assert!(
        there < 1200,
        "all of {there} games were played before the kill"
    );
    let under_way = || {
        let league = League::open(Path::new(&cup)).unwrap();
        (league.look(|standing| standing.has_finals_under_way)).unwrap()
    };
    assert!(under_way(), "the journal knows of no end");
    // Whoever serves again goes on with them, without being told.
    let (served, ..) = serve_by(folder.path(), &words);
    while played(&cup) < 1200 || under_way() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Then the ladder does.
    let ladder = ended(&cup);
    while ended(&cup) < ladder + 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(served);
    let check = stdout(&format!("league final {cup} --check"));
    assert!(
        check.starts_with("Finals 1 are valid: the seed "),
        "{check}"
    );
    let seen = stdout(&format!("league final {cup}"));
    assert!(seen.contains("round-robin, 1200 games, finished"), "{seen}");
}

#[test]
fn a_report_ranks_entrants_by_their_current_version() {
    let folder = tempfile::tempdir().unwrap();
    let cup = league(folder.path());
    stdout(&format!("league run {cup} --games 12 --quiet"));
    submit(
        &League::open(Path::new(&cup)).unwrap(),
        "owls",
        2,
        "floe:nodes=50",
    );
    stdout(&format!("league run {cup} --games 24 --quiet"));
    let page = stdout(&format!("report {cup} -o -"));
    let (_, standings) = page.split_once("<tbody>").unwrap();
    let (standings, _) = standings.split_once("</tbody>").unwrap();
    assert_eq!(standings.matches("<tr").count(), 3, "{standings}");
    assert!(
        standings.contains("owls#2") && !standings.contains("owls#1"),
        "{standings}"
    );
}
