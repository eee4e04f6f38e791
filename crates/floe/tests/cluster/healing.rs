//! A server that loses what it had, hands out nothing, or has no room.

use std::time::Duration;

use floe_cluster::link::Link;
use floe_cluster::programs::{Limits, UNUSED, evict_from_store};
use floe_cluster::wire::{JOBS, RESULTS, level_consumer, run_subject};
use futures_util::StreamExt as _;

use crate::cups::{Cup, HeldCup};
use crate::house::{FOREVER, Server, Worker};
use crate::keys::runtime;
use crate::proxy::{NOWHERE, Proxy};

#[test]
fn programs_that_the_server_lost_are_uploaded_again() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let cup = HeldCup::long(&server);
    let mut one = Worker::start(&server, "one");
    let organiser = cup.cup.organise(&server);
    cup.let_games_pass(4);
    cup.wait_for_a_game();
    one.kill();
    server.lose_everything();
    // It has no programs yet.
    let _two = Worker::start(&server, "two");
    let told = cup.finish(organiser);
    assert!(told.contains("uploaded again"), "{told}");
    cup.is_as_at_home();
}

#[test]
fn programs_that_no_contest_uses_are_removed_from_the_store() {
    let Some(server) = Server::start() else {
        return;
    };
    let one = Worker::start(&server, "one");
    Cup::of_a_program().organise(&server).finish();
    drop(one);
    let evict = |age: Duration| {
        runtime().block_on(async {
            let link = Link::connect(&server.address()).await.unwrap();
            let limits = Limits { age, ..UNUSED };
            evict_from_store(&link, &limits).await.unwrap()
        })
    };
    assert_eq!(evict(UNUSED.age), 0, "it was used just now");
    assert_eq!(evict(Duration::ZERO), 1);
    assert_eq!(evict(Duration::ZERO), 0);
    // Who needs it again uploads it; this worker does not have it yet.
    let _two = Worker::start(&server, "two");
    let cup = Cup::of_a_program();
    cup.organise(&server).finish();
    cup.is_as_at_home();
}

#[test]
fn a_queue_that_hands_out_nothing_is_replaced() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let organiser = cup.organise(&server);
    runtime().block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        loop {
            if let Ok(Some(jobs)) = link.find(JOBS).await
                && jobs.cached_info().state.messages >= 4
            {
                jobs.delete_consumer(&level_consumer(0)).await.unwrap();
                return;
            }
        }
    });
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    assert!(told.contains("hands out no games"), "{told}");
    cup.is_as_at_home();
}

/// As after a full disk: the server names the stream, and never again answers for it.
#[test]
fn a_new_organiser_replaces_a_stream_that_does_not_answer() {
    let Some(server) = Server::start() else {
        return;
    };
    let proxy = Proxy::to(server.port);
    let runtime = runtime();
    let _nowhere = runtime.block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        link.prepare().await.unwrap();
        let heard = link.client.subscribe(format!("{NOWHERE}>")).await.unwrap();
        link.client.flush().await.unwrap();
        heard
    });
    for (kind, request) in [
        (JOBS, "$JS.API.STREAM.INFO.FLOE_JOBS_1"),
        (RESULTS, "$JS.API.STREAM.INFO.FLOE_RESULTS_1"),
    ] {
        proxy.leave_unanswered(request);
        let cup = Cup::new(2);
        let one = Worker::start(&server, "one");
        let told = cup.organise_at(&proxy.url(), |_| {}).finish();
        drop(one);
        assert!(
            told.contains(&format!("the stream {} replaces it", kind.stream(2))),
            "{told}"
        );
        cup.is_as_at_home();
    }
}

/// As after a full disk: the server reads a connection no more, and goes on sending on it.
#[test]
fn a_connection_that_the_server_does_not_read_is_replaced() {
    let Some(server) = Server::start() else {
        return;
    };
    let proxy = Proxy::to(server.port);
    let cup = HeldCup::new(&server);
    // It says what it holds several times in a second.
    let _one = Worker::start(&server, "one");
    let organiser = cup.cup.organise_at(&proxy.url(), |_| {});
    cup.wait_for_a_game();
    let subject = run_subject(&cup.cup.run_id());
    runtime().block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        proxy.leave_unread();
        let mut heard = link.client.subscribe(subject).await.unwrap();
        // What was on its way may come first.
        for _ in 0..3 {
            let news = tokio::time::timeout(FOREVER, heard.next()).await;
            assert!(news.unwrap().is_some());
        }
    });
    cup.finish(organiser);
    cup.is_as_at_home();
}

#[test]
fn a_server_without_room_is_told_and_heals() {
    let Some(server) = Server::on_small_disk() else {
        return;
    };
    let cup = HeldCup::long(&server);
    let _one = Worker::start(&server, "one");
    let organiser = cup.cup.organise(&server);
    cup.let_games_pass(4);
    cup.wait_for_a_game();
    server.fill_disk();
    cup.let_go_on();
    organiser.wait_for("disk full?");
    server.free_disk();
    cup.finish(organiser);
    cup.is_as_at_home();
}
