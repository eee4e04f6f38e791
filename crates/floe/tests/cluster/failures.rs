//! What befalls processes, machines and networks.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use floe_cluster::status::status;

use crate::cups::{Cup, HeldCup};
use crate::house::{Organiser, Server, Worker, floe, wait_until};
use crate::proxy::Proxy;

/// How many games pass between two things that happen.
const SOME: usize = 4;

/// A cup is organised and something befalls it while a game is held: whoever is left finishes it, and
/// it is as it would have been at home. What `befalls` returns beside the organiser lives as long. Gives
/// the cup, unless there is no server to play on.
fn is_survived<Others>(
    befalls: impl FnOnce(&mut Server, &HeldCup) -> (Organiser, Others),
) -> Option<HeldCup> {
    let mut server = Server::start()?;
    let cup = HeldCup::long(&server);
    let (organiser, _others) = befalls(&mut server, &cup);
    cup.finish(organiser);
    cup.is_as_at_home();
    Some(cup)
}

/// Lets some games pass, and waits until one is held.
fn play_some(cup: &HeldCup) {
    cup.let_games_pass(SOME);
    cup.wait_for_a_game();
}

#[test]
fn a_worker_is_killed_in_mid_game() {
    let cup = is_survived(|server, cup| {
        let mut one = Worker::start(server, "one");
        let organiser = cup.cup.organise(server);
        play_some(cup);
        one.kill();
        (organiser, Worker::start(server, "two"))
    });
    assert!(cup.is_none_or(|cup| cup.cup.machines().len() == 2));
}

#[test]
fn all_workers_are_killed() {
    is_survived(|server, cup| {
        let mut workers = ["one", "two"].map(|name| Worker::start(server, name));
        let organiser = cup.cup.organise(server);
        for name in ["three", "four"] {
            play_some(cup);
            workers.iter_mut().for_each(Worker::kill);
            cup.wait_for_no_game();
            workers[0] = Worker::start(server, name);
        }
        (organiser, workers)
    });
}

#[test]
fn the_organiser_is_killed_and_goes_on() {
    is_survived(|server, cup| {
        let one = Worker::start(server, "one");
        for _ in 0..2 {
            let mut organiser = cup.cup.organise(server);
            play_some(cup);
            organiser.kill();
        }
        (cup.cup.organise(server), one)
    });
}

#[test]
fn the_server_is_killed_and_keeps_its_disk() {
    is_survived(|server, cup| {
        let one = Worker::start(server, "one");
        let organiser = cup.cup.organise(server);
        for _ in 0..2 {
            play_some(cup);
            server.kill_and_start_again();
        }
        (organiser, one)
    });
}

#[test]
fn the_network_of_a_worker_is_gone_for_a_while() {
    is_survived(|server, cup| {
        let proxy = Proxy::to(server.port);
        let cut_off = Worker::at(&proxy.url(), "cut-off", |_| {});
        let organiser = cup.cup.organise(server);
        play_some(cup);
        proxy.set_gone(true);
        // Its games go to somebody else after a second of silence.
        let one = Worker::start(server, "one");
        cup.let_games_pass(SOME);
        proxy.set_gone(false);
        (organiser, (proxy, cut_off, one))
    });
}

#[test]
fn the_network_of_the_organiser_is_gone_for_a_while() {
    the_network_of_the_organiser_is_gone_for(Duration::ZERO);
}

#[test]
#[ignore = "takes more than a minute"]
fn the_network_of_the_organiser_is_gone_for_a_minute() {
    the_network_of_the_organiser_is_gone_for(Duration::from_secs(60));
}

#[test]
#[ignore = "takes more than a minute"]
fn the_network_of_everybody_is_gone_for_a_minute() {
    is_survived(|server, cup| {
        let proxy = Proxy::to(server.port);
        let workers = ["one", "two"].map(|name| Worker::at(&proxy.url(), name, |_| {}));
        let organiser = cup.cup.organise_at(&proxy.url(), |_| {});
        play_some(cup);
        proxy.set_gone(true);
        thread::sleep(Duration::from_secs(60));
        proxy.set_gone(false);
        (organiser, (proxy, workers))
    });
}

fn the_network_of_the_organiser_is_gone_for(time: Duration) {
    is_survived(|server, cup| {
        let proxy = Proxy::to(server.port);
        let one = Worker::start(server, "one");
        let organiser = cup.cup.organise_at(&proxy.url(), |_| {});
        play_some(cup);
        proxy.set_gone(true);
        // The worker plays on, and its results wait.
        wait_until("a result waits", || {
            cup.let_go_on();
            status(&server.address()).is_ok_and(|status| status.results > 0)
        });
        thread::sleep(time);
        proxy.set_gone(false);
        cup.let_games_pass(1);
        (organiser, (proxy, one))
    });
}

#[test]
fn the_disk_of_a_worker_is_full() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::of_a_program();
    let full = Worker::with_full_disk(&server, "full");
    full.wait_for("no organiser");
    let organiser = cup.organise(&server);
    full.wait_for("machine failure: ");
    wait_until("the organiser is told", || {
        organiser.told().contains("worker full: ")
    });
    wait_until("the status shows it", || {
        let status = floe()
            .args(["cluster", "status", &server.url()])
            .output()
            .unwrap();
        String::from_utf8_lossy(&status.stdout).contains("machine failure: ")
    });
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    assert_eq!(told.matches("worker full: ").count(), 1, "{told}");
    cup.is_as_at_home();
    let players = cup.machines();
    assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
}

#[test]
fn clocks_jump() {
    let preload = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        .map(|arch| format!("/usr/lib/{arch}/faketime/libfaketime.so.1"));
    let Some(preload) = preload
        .iter()
        .find(|path| fs::exists(path).unwrap_or(false))
    else {
        assert!(
            std::env::var_os("FLOE_CHECK").is_none(),
            "install the package faketime"
        );
        eprintln!("left out: faketime is not installed");
        return;
    };
    let cup = is_survived(|server, cup| {
        let clock = cup.cup.folder().join("clock");
        fs::write(&clock, "+0").unwrap();
        let jumps = |command: &mut Command| {
            command
                .env("LD_PRELOAD", preload)
                .env("FAKETIME_TIMESTAMP_FILE", &clock)
                .env("FAKETIME_NO_CACHE", "1")
                // Steady clocks cannot be set.
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        };
        let one = Worker::at(&server.url(), "one", jumps);
        let organiser = cup.cup.organise_at(&server.url(), jumps);
        for jump in ["+400d", "-900d", "+1h"] {
            play_some(cup);
            fs::write(&clock, jump).unwrap();
        }
        (organiser, one)
    });
    let Some(cup) = cup else {
        return;
    };
    let began: Vec<u64> = cup
        .cup
        .records()
        .iter()
        .map(|one| one.opening.began)
        .collect();
    let (least, most) = (began.iter().min().unwrap(), began.iter().max().unwrap());
    assert!(most - least > 300 * 24 * 3600, "the clock did not jump");
}

#[test]
fn two_organisers_do_not_share_a_tournament() {
    is_survived(|server, cup| {
        let one = Worker::start(server, "one");
        let organiser = cup.cup.organise(server);
        play_some(cup);
        let told = cup.cup.organise(server).fail();
        assert!(told.contains("cup.jsonl"), "{told}");
        (organiser, one)
    });
}

/// Tells the worker that is called one to leave.
fn drain_one(server: &Server) {
    wait_until("the worker answers", || {
        let told = floe()
            .args(["cluster", "drain", &server.url(), "one"])
            .output()
            .unwrap();
        told.status.success()
    });
}

/// Its terminal was closed, or whoever read what it said has gone.
#[test]
fn a_worker_to_whom_nobody_listens_plays_on() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = HeldCup::new(&server);
    let mut one = Worker::unheard(&server, "one");
    let organiser = cup.cup.organise(&server);
    cup.wait_for_a_game();
    drain_one(&server);
    wait_until("the worker ends", || {
        cup.let_go_on();
        one.has_ended()
    });
    assert_eq!(one.ended(), Some(0));
    organiser.finish();
    assert_eq!(cup.cup.records().len(), 2);
}

#[test]
fn a_worker_that_is_told_to_leave_finishes_what_is_in_play() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = HeldCup::new(&server);
    let mut one = Worker::start(&server, "one");
    let organiser = cup.cup.organise(&server);
    cup.wait_for_a_game();
    drain_one(&server);
    one.wait_for("finishing what is being played");
    assert!(!one.has_ended() && cup.cup.records().is_empty());
    wait_until("the worker ends", || {
        cup.let_go_on();
        one.has_ended()
    });
    assert_eq!(one.ended(), Some(0));
    assert!(one.told().contains("left after 2 games"), "{}", one.told());
    // Nobody else was there.
    organiser.finish();
    assert_eq!(cup.cup.records().len(), 2);
}

#[test]
fn a_worker_that_is_interrupted_twice_hands_back_what_is_in_play() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = HeldCup::new(&server);
    let mut one = Worker::start(&server, "one");
    let organiser = cup.cup.organise(&server);
    cup.wait_for_a_game();
    let interrupt = |worker: &Worker| {
        let id = worker.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
    };
    interrupt(&one);
    one.wait_for("finishing what is being played");
    // It waits already: nats-server 2.9.10 may hand out nothing after a batch that was handed back is
    // withdrawn, until the stream is replaced.
    let two = Worker::start(&server, "two");
    two.wait_for("waiting for games");
    interrupt(&one);
    one.wait_for("handing back what is being played");
    // A program that thinks is waited for; what it says then is no move any more.
    wait_until("the worker ends", || {
        cup.let_go_on();
        one.has_ended()
    });
    assert_eq!(one.ended(), Some(0));
    assert!(one.told().contains("left after 0 games"), "{}", one.told());
    wait_until("both games are played", || {
        cup.let_go_on();
        cup.cup.records().len() == 2
    });
    organiser.finish();
    assert!(cup.cup.machines().iter().all(|(name, _)| name == "two"));
}
