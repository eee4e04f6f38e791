//! Several contests on the same workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use floe_arena::seat::Sandbox;
use floe_arena::tournament::{Description, Tournament};
use floe_cluster::link::Link;
use floe_cluster::wire::{JOBS, RunNews, job_subject, run_subject};
use floe_cluster::{Organiser, OrganiserOptions};
use futures_util::StreamExt as _;
use serde_json::Value;

use crate::cups::{Cup, HeldCup};
use crate::house::{Server, Worker, floe, wait_until};
use crate::keys::runtime;

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

/// How many organisers are announced, one after the other.
const NEWCOMERS: u64 = 40;

#[test]
fn organisers_answer_one_that_they_did_not_know() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(1);
    let _organiser = cup.organise(&server);
    let run = cup.run_id();
    let seconds = runtime().block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        let mut heard = link.client.subscribe(run_subject(&run)).await.unwrap();
        let mut seconds = async || -> u64 {
            let news = tokio::time::timeout(Duration::from_secs(60), heard.next()).await;
            let news: RunNews = serde_json::from_slice(&news.unwrap().unwrap().payload).unwrap();
            news.seconds
        };
        let first = seconds().await;
        let mut last = first;
        for number in 0..NEWCOMERS {
            let news = RunNews {
                run: format!("newcomer-{number}"),
                wants: 1,
                ..RunNews::default()
            };
            let subject = run_subject(&news.run);
            let json = serde_json::to_vec(&news).unwrap();
            link.client.publish(subject, json.into()).await.unwrap();
            last = seconds().await;
        }
        last - first
    });
    // Without a newcomer there is one announcement in a second.
    assert!(seconds < NEWCOMERS / 2, "{seconds} s");
}

/// How many batches two contests of weight 3 and 1 have on two workers of one core each.
const WINDOWS: [usize; 2] = [6, 2];
/// How many games are let go on while games are counted, two for a batch.
const LET_ON: u64 = 80;

/// Every game is held until all batches that are due are on the server, so that no clock decides.
#[test]
fn contests_of_the_same_priority_share_workers_by_weight() {
    let Some(server) = Server::start() else {
        return;
    };
    let _workers = ["one", "two"].map(|name| {
        let worker = Worker::start(&server, name);
        worker.wait_for("no organiser");
        worker
    });
    let cups = ["heavy", "light"].map(|name| HeldCup::of_boards(&server, name, 60));
    let played = [AtomicU64::new(0), AtomicU64::new(0)];
    let stop = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        for ((cup, played), weight) in cups.iter().zip(&played).zip([3, 1]) {
            let (server, stop) = (&server, &stop);
            scope.spawn(move || organise(server, &cup.cup, weight, stop, played));
        }
        let runs = [0, 1].map(|at| cups[at].cup.run_id());
        let windows = || [0, 1].map(|at| batches_of(&server, &runs[at]));
        let is_full = |at: usize| windows()[at] >= WINDOWS[at];
        // One of each worker, so that neither contest is preferred.
        let let_both_go_on = || {
            let held = || -> usize { cups.iter().map(|cup| cup.programs().len()).sum() };
            wait_until(
                "both workers hold a game, and the rest is on the server",
                || held() == 2 && is_full(0) && is_full(1),
            );
            cups.iter().for_each(HeldCup::end_held);
        };
        // Before they knew of each other, one may have had more.
        while windows() != WINDOWS {
            let_both_go_on();
        }
        let before = [0, 1].map(|at| played[at].load(Ordering::Relaxed));
        (0..LET_ON / 2).for_each(|_| let_both_go_on());
        let counted = || [0, 1].map(|at| played[at].load(Ordering::Relaxed) - before[at]);
        wait_until("the games are counted", || {
            counted().iter().sum::<u64>() + 4 >= LET_ON
        });
        let [heavy, light] = counted();
        stop.store(true, Ordering::Relaxed);
        // Batches that were under way at the beginning and at the end may add to either.
        assert!(
            heavy.abs_diff(3 * LET_ON / 4) <= 6 && light.abs_diff(LET_ON / 4) <= 6,
            "{heavy} games of weight 3 and {light} of weight 1"
        );
    });
}

/// Plays a cup until the flag is set, with a batch for each board, and counts its games.
fn organise(server: &Server, cup: &Cup, weight: u32, stop: &Arc<AtomicBool>, played: &AtomicU64) {
    let description = Description::load(&cup.folder().join("cup.toml")).unwrap();
    let mut tournament = Tournament::open(description, false).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let options = OrganiserOptions {
        records: Some(cup.folder().join("cup.jsonl")),
        weight,
        again_per_mille: 0,
        batch: Duration::ZERO,
        ..OrganiserOptions::new(server.address())
    };
    let organiser = Organiser::connect(runner, options).unwrap();
    wait_until("both workers are there", || organiser.status().workers == 2);
    let ended = tournament.run(&organiser, stop, |_, _| {
        played.fetch_add(1, Ordering::Relaxed);
    });
    ended.unwrap();
}

/// How many batches of a run are on the server or held by a worker.
fn batches_of(server: &Server, run: &str) -> usize {
    runtime().block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        let Ok(Some(jobs)) = link.find(JOBS).await else {
            return 0;
        };
        let subjects = job_subject(jobs.generation, "*", run, "*");
        jobs.info_with_subjects(subjects)
            .await
            .unwrap()
            .count()
            .await
    })
}
