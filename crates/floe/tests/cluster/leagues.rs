//! Leagues whose games are played elsewhere.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use floe_arena::journal::read_file;
use floe_league::{Event, League};
use tempfile::TempDir;

use crate::house::{Server, Worker, floe, wait_until};
use crate::liar::{Liar, Vice};

/// How many games are played.
const GAMES: usize = 24;

/// A league of entrants that play the same everywhere: two engines and two programs, which have the
/// same name and are not the same.
pub(crate) fn league() -> TempDir {
    let program = "line:sh bot.sh";
    league_of(["floe:nodes=500", "greedy", program, program])
}

/// A league of these.
fn league_of(seats: [&str; 4]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "game = \"flood\"\nsandbox = 1\n[boards]\nsetup = \"7x7\"\n\
         [limits]\ntime = \"20s\"\nstart = \"20s\"\n[ladder]\nahead = 4\n";
    fs::write(folder.path().join("league.toml"), text).unwrap();
    let league = League::open(folder.path()).unwrap();
    let entrants = ["owls", "cats", "bees", "elks"].into_iter();
    for (number, (entrant, seat)) in entrants.zip(seats).enumerate() {
        let hash = format!("{number}").repeat(64);
        if seat.starts_with("line:") {
            let built = league.program_folder(&hash).join("built");
            fs::create_dir_all(&built).unwrap();
            fs::write(built.join("bot.sh"), program(number)).unwrap();
        }
        let version = format!("{entrant}#1");
        for event in [
            serde_json::json!({
                "event": "submitted", "version": version, "by": entrant, "file": "bot",
                "sha256": hash, "bytes": 1,
            }),
            serde_json::json!({
                "event": "judged", "version": version, "verdict": "accepted", "seat": seat,
            }),
        ] {
            let event: Event = serde_json::from_value(event).unwrap();
            league.record(event).unwrap();
        }
    }
    folder
}

/// A program that tries one colour after the other, from one of its own.
fn program(number: usize) -> String {
    format!("turn={number}\n{TRIES_COLOURS}")
}

const TRIES_COLOURS: &str = r#"
while read -r line; do
  case $line in
    floe*) echo ok ;;
    go*)
      case $((turn % 5)) in 0) colour=@ ;; 1) colour='#' ;; 2) colour=+ ;; 3) colour=. ;; *) colour='*' ;; esac
      echo "move $colour"
      turn=$((turn + 1)) ;;
    end*) exit ;;
  esac
done
"#;

/// What does not depend on the clock or the machine: a game's number, who sat where, the moves, the
/// places.
type Game = (u64, Vec<String>, Vec<String>, Vec<u32>);

/// The games of a file, by number.
fn games(file: &Path) -> Vec<Game> {
    if !file.exists() {
        return Vec::new();
    }
    let mut games = Vec::new();
    for record in read_file(file).unwrap().map_while(Result::ok) {
        let moves = record.moves().into_iter().map(|made| made.mv.clone());
        let moves = moves.collect();
        let Some(end) = record.end else { continue };
        let names = record.opening.seats.into_iter().map(|one| one.name);
        let number = record.opening.id.parse().unwrap();
        games.push((number, names.collect(), moves, end.places));
    }
    games.sort();
    games
}

fn workers_of(file: &Path) -> Vec<String> {
    let records = read_file(file).unwrap().map_while(Result::ok);
    let machines = records.filter_map(|record| record.opening.machine);
    let mut workers: Vec<String> = machines.map(|machine| machine.worker).collect();
    workers.sort();
    workers.dedup();
    workers
}

/// A league's process that ends with this value.
struct Run(Child);

impl Run {
    fn start(folder: &Path, words: &[&str], url: &str) -> Run {
        let mut command = floe();
        command
            .arg("league")
            .args(words)
            .arg(folder)
            .args(["--quiet", "--patience", "1s", "--cluster", url])
            .stdout(Stdio::null())
            .stderr(Stdio::inherit());
        Run(command.spawn().unwrap())
    }

    fn finish(mut self) {
        let mut code = None;
        wait_until("the league's games are played", || {
            code = self.0.try_wait().unwrap();
            code.is_some()
        });
        assert!(code.unwrap().success());
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn at_home(folder: &Path, words: &[&str]) {
    let mut command = floe();
    command.arg("league").args(words).arg(folder).arg("--quiet");
    let done = command.output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn a_ladder_is_the_same_elsewhere_although_worker_and_league_are_killed() {
    let Some(server) = Server::start() else {
        return;
    };
    let (home, folder) = (league(), league());
    let file = folder.path().join("ladder.jsonl");
    at_home(
        home.path(),
        &["run", "--games", &GAMES.to_string(), "--concurrency", "1"],
    );
    let mut one = Worker::start(&server, "one");
    let left = |file: &Path| (GAMES - games(file).len()).to_string();
    let run = || {
        Run::start(
            folder.path(),
            &["run", "--games", &left(&file)],
            &server.url(),
        )
    };
    let first = run();
    wait_until("games are played", || games(&file).len() >= 4);
    one.kill();
    let _two = Worker::start(&server, "two");
    wait_until("games are played by another", || games(&file).len() >= 10);
    // Killed, as dropping it does.
    drop(first);
    if games(&file).len() < GAMES {
        run().finish();
    }
    assert_eq!(games(&file), games(&home.path().join("ladder.jsonl")));
    assert_eq!(workers_of(&file), ["one", "two"]);
}

#[test]
fn finals_are_played_elsewhere() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = league();
    let _one = Worker::start(&server, "one");
    let words = ["final", "--boards", "1"];
    Run::start(folder.path(), &words, &server.url()).finish();
    let file = folder.path().join("finals-1.jsonl");
    // Everybody meets everybody on a board in both orders.
    assert_eq!(games(&file).len(), 12);
    assert_eq!(workers_of(&file), ["one"]);
    at_home(folder.path(), &["final", "--check"]);
}

/// A league of engines whose games come out the same wherever they are played.
fn league_of_engines() -> TempDir {
    league_of(["floe:nodes=500", "greedy", "floe:nodes=50", "random"])
}

/// Has a league's games played, with every one played again, by a liar at first and then by `one` too.
fn play_with_a_liar(server: &Server, folder: &Path, words: &[&str]) {
    let liar = Liar::start(server, Vice::PlaysForThem);
    let words = [words, &["--again", "100"]].concat();
    let run = Run::start(folder, &words, &server.url());
    liar.wait_for_a_batch();
    let _one = Worker::start(server, "one");
    run.finish();
}

#[test]
fn a_liars_games_are_taken_out_of_finals_and_played_again() {
    let Some(server) = Server::start() else {
        return;
    };
    for format in ["round-robin", "swiss"] {
        let folder = league_of_engines();
        let words = ["final", "--boards", "2", "--format", format];
        play_with_a_liar(&server, folder.path(), &words);
        let file = folder.path().join("finals-1.jsonl");
        let played = games(&file);
        assert_eq!(workers_of(&file), ["one"], "{format}");
        let taken_out = workers_of(&folder.path().join("finals-1.taken-out.jsonl"));
        assert!(taken_out.contains(&"liar".to_owned()), "{taken_out:?}");
        at_home(folder.path(), &["final", "--check"]);
        // The same finals at home.
        for name in ["finals-1.jsonl", "finals-1.sqlite"] {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        at_home(folder.path(), &["final"]);
        assert_eq!(games(&file), played, "{format}");
    }
}

#[test]
fn a_liars_games_are_taken_out_of_the_ladder() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = league_of_engines();
    let words = ["run", "--games", &GAMES.to_string()];
    play_with_a_liar(&server, folder.path(), &words);
    let file = folder.path().join("ladder.jsonl");
    assert_eq!(workers_of(&file), ["one"]);
    let numbers: Vec<u64> = games(&file).into_iter().map(|game| game.0).collect();
    assert_eq!(numbers, (1..=GAMES as u64).collect::<Vec<u64>>());
    let taken_out = workers_of(&folder.path().join("ladder.taken-out.jsonl"));
    assert_eq!(taken_out, ["liar"]);
}

#[test]
fn a_league_scales_time_where_its_description_says_so() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = league();
    let file = folder.path().join("league.toml");
    let text = fs::read_to_string(&file).unwrap();
    let pace = "[pace]\nreference = 1000000000000\nscale = true\n";
    fs::write(&file, format!("{text}{pace}")).unwrap();
    let _one = Worker::start(&server, "one");
    for (words, records) in [
        (["final", "--boards", "1"], "finals-1.jsonl"),
        (["run", "--games", "6"], "ladder.jsonl"),
    ] {
        Run::start(folder.path(), &words, &server.url()).finish();
        let records = read_file(&folder.path().join(records)).unwrap();
        let machines = records.map(|record| record.unwrap().opening.machine.unwrap());
        // Only where everybody is an engine without a clock every machine will do.
        let scaled = machines.filter(|machine| machine.time_percent == Some(10_000));
        assert!(scaled.count() > 0);
    }
}
