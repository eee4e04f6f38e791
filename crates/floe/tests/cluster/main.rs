//! Tournaments on many machines: a real server and real processes on loopback, and what befalls
//! them. Whatever happens, in the end there are exactly the games of the schedule, and the table is
//! the one that is played at home.

#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

mod cups;
mod failures;
mod following;
mod healing;
mod house;
mod keys;
mod leagues;
mod liar;
mod liars;
mod looking;
mod pages;
mod ports;
mod proxy;
#[path = "../command/docs/reader.rs"]
mod reader;
#[path = "../command/schema.rs"]
mod schema;
mod servers;
mod sharing;
mod statistics;
mod storm;
mod trusting;
mod updating;
mod watching;

use cups::Cup;
use house::{Server, Worker};

#[test]
fn two_workers_play_what_one_machine_would() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let _one = Worker::start(&server, "one");
    let _two = Worker::start(&server, "two");
    let told = cup.organise(&server).finish();
    assert!(told.contains("floe games cup.toml"), "{told}");
    cup.is_as_at_home();
    let machines = cup.machines();
    assert!(
        machines.iter().all(|(_, class)| !class.is_empty()),
        "{machines:?}"
    );
    // The same command again has nothing to do.
    let told = cup.organise(&server).finish();
    assert!(told.contains("were played before"), "{told}");
    cup.is_as_at_home();
}

#[test]
fn rounds_that_depend_on_results_stay_lazy() {
    let Some(server) = Server::start() else {
        return;
    };
    for format in ["format = \"swiss\"\nrounds = 3", "format = \"knockout\""] {
        let cup = Cup::of(format, 2);
        let _one = Worker::start(&server, "one");
        cup.organise(&server).finish();
        cup.is_as_at_home();
    }
}
