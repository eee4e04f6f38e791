//! Several contests on the same workers.

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
    assert!(meanwhile < 20, "{meanwhile} games");
    finals.is_as_at_home();
    ladder.finish(organiser);
    ladder.is_as_at_home();
}
