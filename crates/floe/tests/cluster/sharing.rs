//! Several contests on the same workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use floe_arena::seat::Sandbox;
use floe_arena::tournament::{Description, Tournament};
use floe_cluster::{Organiser, OrganiserOptions};
use serde_json::Value;

use crate::house::{Cup, HeldCup, Server, Worker, floe, wait_until};

#[test]
fn a_contest_of_a_higher_priority_is_played_first() {
    let Some(server) = Server::start() else {
        return;
    };
    let _one = Worker::start(&server, "one");
    let ladder = HeldCup::long(&server);
    let organiser = ladder.cup.organise(&server);
    ladder.let_games_pass(4);
    ladder.wait_for_a_game();
    let finals = Cup::new(2);
    let last = finals.organise_at(&server.url(), |command| {
        command.args(["--priority", "high", "--weight", "2"]);
    });
    organiser.wait_for("waiting for cup, which has a higher priority");
    let mut contests = Value::Null;
    wait_until("the status has both", || {
        let told = floe()
            .args(["cluster", "status", &server.url(), "--json"])
            .output()
            .unwrap();
        let told: Value = serde_json::from_slice(&told.stdout).unwrap_or_default();
        contests = told["runs"].clone();
        contests.as_array().is_some_and(|runs| runs.len() == 2)
    });
    assert_eq!(contests[0]["run"], finals.run_id().as_str());
    assert_eq!(contests[0]["weight"], 2);
    // Only what the worker held already is played before.
    let before = ladder.cup.records().len();
    ladder.finish(last);
    let meanwhile = ladder.cup.records().len() - before;
    assert!(meanwhile < 12, "{meanwhile} games");
    finals.is_as_at_home();
    ladder.finish(organiser);
    ladder.is_as_at_home();
}

/// How many games the contest of the larger weight has while both are looked at.
const GAMES: u64 = 120;

#[test]
#[ignore = "quick games sometimes come nearly in turn; how shares are reckoned has unit tests"]
fn contests_of_the_same_priority_share_workers_by_weight() {
    let Some(server) = Server::start() else {
        return;
    };
    let _workers = ["one", "two"].map(|name| {
        let worker = Worker::start(&server, name);
        worker.wait_for("no organiser");
        worker
    });
    let cups = [3, 1].map(|weight| (weight, Cup::new(40)));
    let begun = AtomicU64::new(0);
    // How many games of the second had come by the first and the last game of the first that count.
    let played = [AtomicU64::new(0), AtomicU64::new(0)];
    let marks = [AtomicU64::new(0), AtomicU64::new(0)];
    let stop = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        for (at, (weight, cup)) in cups.iter().enumerate() {
            let (begun, played, marks, stop) = (&begun, &played, &marks, &stop);
            let options = OrganiserOptions {
                weight: *weight,
                again_per_mille: 0,
                // A unit is a batch: shares are exact from the first game to the last.
                batch: Duration::ZERO,
                ..OrganiserOptions::new(server.address())
            };
            scope.spawn(move || {
                let description = Description::load(&cup.folder().join("cup.toml")).unwrap();
                let mut tournament = Tournament::open(description, false).unwrap();
                let runner = tournament.runner(Sandbox::none(), 1, None);
                let organiser = Organiser::connect(runner, options).unwrap();
                wait_until("both workers are there", || organiser.status().workers == 2);
                let mut first = 0;
                let ended = tournament.run(&organiser, stop, |_, _| {
                    let games = played[at].fetch_add(1, Ordering::Relaxed) + 1;
                    // Both know of each other some time after both have begun.
                    if games == 20 {
                        begun.fetch_add(1, Ordering::Relaxed);
                    }
                    if at == 0 && begun.load(Ordering::Relaxed) == 2 {
                        let of_other = played[1].load(Ordering::Relaxed);
                        if first == 0 {
                            first = games;
                            marks[0].store(of_other, Ordering::Relaxed);
                        } else if games == first + GAMES {
                            marks[1].store(of_other, Ordering::Relaxed);
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                });
                ended.unwrap();
            });
        }
    });
    let [first, last] = marks.map(|mark| mark.load(Ordering::Relaxed));
    assert!(last > first, "the contest of the larger weight ended first");
    let of_other = last - first;
    // A third of them, if both were exact.
    assert!(
        (GAMES / 6..=GAMES * 2 / 3).contains(&of_other),
        "{of_other} games of weight 1 beside {GAMES} of weight 3"
    );
}
