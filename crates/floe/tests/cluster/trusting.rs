//! Whom an organiser trusts, and for how long: honest workers are not called liars, and liars are
//! remembered.

use std::fs;
use std::process::Command;

use floe_cluster::link::Link;
use floe_cluster::wire::result_subject;

use crate::cups::{Cup, HeldCup};
use crate::house::{Organiser, Server, Worker, can_mount, floe, wait_until};
use crate::keys::runtime;
use crate::liar::{Liar, Vice};

#[test]
fn results_from_before_a_change_are_no_lies() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = HeldCup::long(&server);
    let _one = Worker::start(&server, "one");
    let mut organiser = cup.cup.organise(&server);
    cup.let_games_pass(4);
    cup.wait_for_a_game();
    organiser.kill();
    let file = cup.cup.folder().join("cup.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("5min", "6min")).unwrap();
    let organiser = cup.cup.organise_at(&server.url(), |command| {
        command.arg("--accept-changes");
    });
    let told = cup.finish(organiser);
    assert!(!told.contains("worker one"), "{told}");
    cup.is_as_at_home();
}

/// Two machines of the same name have a tournament at the same path.
#[test]
fn tournaments_at_the_same_path_do_not_mix() {
    let Some(server) = Server::start() else {
        return;
    };
    if !can_mount() {
        return;
    }
    let cups = [
        Cup::new(4),
        Cup::with(
            "",
            4,
            "deep = \"floe:nodes=2k\"\nlucky = \"random\"\nhungry = \"greedy\"\n",
        ),
    ];
    let place = tempfile::tempdir().unwrap();
    let organise = |cup: &Cup| {
        let mut command = Command::new("unshare");
        let line = "mount --bind \"$0\" \"$1\" && cd \"$1\" && shift && exec \"$@\"";
        command.args(["-rm", "sh", "-c", line]);
        command.arg(cup.folder()).arg(place.path());
        command.arg(floe().get_program());
        command.args(["tournament", "cup.toml", "--patience", "1s", "--cluster"]);
        command.arg(server.url());
        Organiser::start(command)
    };
    let organisers = [organise(&cups[0]), organise(&cups[1])];
    let _workers = ["one", "two"].map(|name| Worker::start(&server, name));
    for organiser in organisers {
        let told = organiser.finish();
        assert!(!told.contains("refused"), "{told}");
    }
    cups.iter().for_each(Cup::is_as_at_home);
}

/// What a command about bans says.
fn about_bans(cup: &Cup, words: &[&str]) -> String {
    let done = floe()
        .args(["cluster", words[0], "cup.toml"])
        .args(&words[1..])
        .current_dir(cup.folder())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{told}");
    told
}

#[test]
fn a_ban_outlasts_the_organiser() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::Lies);
    let mut organiser = cup.organise(&server);
    organiser.wait_for("worker liar: its results do not count any more");
    organiser.kill();
    assert!(about_bans(&cup, &["bans"]).contains("liar"));
    let taken = liar.taken.load(std::sync::atomic::Ordering::Relaxed);
    let organiser = cup.organise(&server);
    organiser.wait_for("worker liar is banned: ");
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    assert!(!told.contains("worker liar: refused: game"), "{told}");
    assert!(liar.taken.load(std::sync::atomic::Ordering::Relaxed) >= taken);
    cup.is_as_at_home();
}

#[test]
fn an_organiser_that_runs_hears_of_bans() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(2);
    let organiser = cup.organise(&server);
    about_bans(&cup, &["ban", "one", "--reason", "too hot"]);
    organiser.wait_for("worker one is banned: too hot");
    let bans = about_bans(&cup, &["bans", "--json"]);
    crate::schema::check_lines("cluster bans", &bans, true);
    let _one = Worker::start(&server, "one");
    let _two = Worker::start(&server, "two");
    organiser.finish();
    assert!(cup.machines().iter().all(|(name, _)| name == "two"));
    about_bans(&cup, &["unban", "one"]);
    assert!(about_bans(&cup, &["bans"]).contains("no worker is banned"));
}

#[test]
fn messages_that_are_no_results_are_named_once_and_counted() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(2);
    let organiser = cup.organise(&server);
    let run = cup.run_id();
    runtime().block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        for number in 0..400 {
            let subject = result_subject(1, &run, "liar", &number.to_string());
            let sent = link.streams.publish(subject, number.to_string().into());
            sent.await.unwrap().await.unwrap();
        }
    });
    organiser.wait_for("worker liar: its results do not count any more");
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    let lines = told.lines().filter(|line| line.contains("warning:"));
    assert_eq!(lines.clone().count(), 3, "{told}");
    assert!(lines.clone().all(|line| line.contains("liar")), "{told}");
    assert!(told.contains("worker liar: 400 results refused"), "{told}");
    cup.is_as_at_home();
}

#[test]
fn the_patience_of_one_organiser_is_not_anothers() {
    let Some(server) = Server::start() else {
        return;
    };
    let patient = HeldCup::new(&server);
    let one = Worker::start(&server, "one");
    let mut command = floe();
    command
        .args(["tournament", "cup.toml", "--patience", "10min"])
        .args(["--again", "0", "--cluster"])
        .arg(server.url())
        .current_dir(patient.cup.folder());
    let first = Organiser::start(command);
    patient.wait_for_a_game();
    one.stand_still();
    let _two = Worker::start(&server, "two");
    // This one waits for a second.
    let hasty = Cup::new(2);
    hasty.organise(&server).finish();
    let held = patient.programs();
    assert_eq!(held.len(), 1, "another worker got the game as well");
    one.resume();
    patient.finish(first);
    assert!(patient.cup.machines().iter().all(|(name, _)| name == "one"));
    wait_until("no program is left", || patient.programs().is_empty());
}
