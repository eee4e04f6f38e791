//! Workers that are slow, lie, or mix things up, with real ones beside them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use floe_arena::runner::RunnerError;
use floe_arena::seat::Sandbox;
use floe_arena::tournament::{Description, Ended, Tournament, TournamentError};
use floe_cluster::OrganiserOptions;
use floe_games::FaultKind;

use crate::cups::Cup;
use crate::house::{Server, Worker, wait_until};
use crate::liar::{Liar, Vice};

#[test]
fn a_slow_worker_holds_up_nobody() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::Slow);
    let organiser = cup.organise(&server);
    liar.wait_for_a_batch();
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
}

#[test]
fn a_game_that_fails_for_one_worker_is_played_by_others() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::of_a_program();
    let handing_back = Liar::start(&server, Vice::HandsBack);
    let organiser = cup.organise(&server);
    // Each of them has come back often, and nobody had any trouble with it.
    handing_back.wait_for_batches(30);
    drop(handing_back);
    let full = Worker::with_full_disk(&server, "full");
    full.wait_for("machine failure: ");
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    assert!(!told.contains("not all could be played"), "{told}");
    cup.is_as_at_home();
}

#[test]
fn a_worker_that_lies_or_mixes_games_up_is_named_and_does_not_count() {
    let Some(server) = Server::start() else {
        return;
    };
    for vice in [Vice::Lies, Vice::Mixes] {
        let cup = Cup::new(4);
        let liar = Liar::start(&server, vice);
        let organiser = cup.organise(&server);
        liar.wait_for_a_batch();
        let _one = Worker::start(&server, "one");
        let told = organiser.finish();
        assert!(told.contains("worker liar: refused"), "{told}");
        cup.is_as_at_home();
        let players = cup.machines();
        assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
    }
}

#[test]
fn a_worker_whose_engines_play_otherwise_plays_no_games_of_engines() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(2);
    let stranger = Liar::start(&server, Vice::IsAStranger);
    let organiser = cup.organise(&server);
    wait_until("the organiser says what is wrong", || {
        let told = organiser.told();
        told.contains("worker liar: its engines do not play as those here")
    });
    stranger.wait_for_a_batch();
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
    let players = cup.machines();
    assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
}

#[test]
fn a_worker_that_lies_gets_no_more_games_although_nobody_else_is_there() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::Lies);
    let organiser = cup.organise(&server);
    wait_until("the organiser says what is wrong", || {
        let told = organiser.told();
        told.contains("worker liar: its results do not count any more")
            && told.contains("no present worker's results count")
    });
    let queued = || -> u64 {
        let status = floe_cluster::status::status(&server.address()).unwrap();
        status
            .queues
            .iter()
            .map(|one| one.waiting + one.taken)
            .sum()
    };
    wait_until("nothing is asked for any more", || queued() == 0);
    // Those that were out when it was found out, each of them a few times at most.
    let taken = liar.taken.load(Ordering::Relaxed);
    assert!(taken < 20, "it was given {taken} batches");
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
}

/// Somebody who has every game played again, so that nothing is left to chance, and does not wait for
/// long.
fn strict(server: &Server) -> OrganiserOptions {
    OrganiserOptions {
        patience: Duration::from_secs(1),
        again_per_mille: 1000,
        ..OrganiserOptions::new(server.address())
    }
}

/// Who could find out stands still, and the liar plays against itself or holds what is to be played
/// again.
#[test]
fn nobody_is_believed_because_others_are_kept_from_playing_again() {
    for vice in [Vice::PlaysForThem, Vice::HoldsChecks] {
        let Some(server) = Server::start() else {
            return;
        };
        let cup = Cup::new(2);
        let _liar = Liar::start(&server, vice);
        let one = Worker::start(&server, "one");
        let file = cup.folder().join("cup.toml");
        let description = Description::load(&file).unwrap();
        let mut tournament = Tournament::open(description, false).unwrap();
        let runner = tournament.runner(Sandbox::none(), 1, None);
        let organiser = floe_cluster::Organiser::connect(runner, strict(&server)).unwrap();
        wait_until("both are there", || organiser.status().workers == 2);
        one.stand_still();
        let ended = tournament.run(&organiser, &Arc::default(), |_, _| {});
        let Err(TournamentError::Runner(RunnerError::Deviates { worker, .. })) = ended else {
            panic!("{vice:?}: {ended:?}");
        };
        assert_eq!(worker, "liar");
    }
}

/// The only one who could find out is a friend of the liar's.
#[test]
fn nobody_is_believed_because_others_say_that_they_cannot_play_again() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(2);
    let _liar = Liar::start(&server, Vice::LeavesChecks);
    let friend = Liar::start(&server, Vice::DodgesChecks);
    let description = Description::load(&cup.folder().join("cup.toml")).unwrap();
    let mut tournament = Tournament::open(description, false).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    // Nothing is played here because it takes too long.
    let options = OrganiserOptions {
        patience: Duration::from_secs(600),
        ..strict(&server)
    };
    let organiser = floe_cluster::Organiser::connect(runner, options).unwrap();
    wait_until("both are there", || organiser.status().workers == 2);
    let ended = tournament.run(&organiser, &Arc::default(), |_, _| {});
    let Err(TournamentError::Runner(RunnerError::Deviates { worker, .. })) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(worker, "liar");
    friend.wait_for_a_batch();
}

#[test]
fn a_worker_that_plays_other_moves_is_found_out_and_its_games_are_played_again() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let liar = Liar::start(&server, Vice::PlaysForThem);
    let _one = Worker::start(&server, "one");
    let stop = Arc::new(AtomicBool::new(false));
    let file = cup.folder().join("cup.toml");
    let description = Description::load(&file).unwrap();
    let mut tournament = Tournament::open(description.clone(), false).unwrap();
    let options = OrganiserOptions {
        records: Some(file.with_extension("jsonl")),
        ..strict(&server)
    };
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let organiser = floe_cluster::Organiser::connect(runner, options).unwrap();
    wait_until("both are there", || organiser.status().workers == 2);
    let error = tournament.run(&organiser, &stop, |_, _| {}).unwrap_err();
    let TournamentError::Runner(RunnerError::Deviates { worker, .. }) = &error else {
        panic!("{error}");
    };
    assert_eq!(worker, "liar");
    drop(tournament);
    Tournament::take_out_games_of(&description, worker).unwrap();
    assert!(cup.machines().iter().all(|(name, _)| name == "one"));
    let mut tournament = Tournament::open(description, false).unwrap();
    let ended = tournament.run(&organiser, &stop, |_, _| {}).unwrap();
    assert_eq!(ended, Ended::Finished);
    drop((tournament, liar));
    cup.is_as_at_home();
}

#[test]
fn rounds_that_were_drawn_by_a_liars_results_are_drawn_and_played_again() {
    let Some(server) = Server::start() else {
        return;
    };
    for format in [
        "",
        "format = \"swiss\"\nrounds = 3",
        "format = \"knockout\"",
    ] {
        let cup = Cup::of(format, 2);
        let liar = Liar::start(&server, Vice::PlaysForThem);
        let organiser = cup.organise_at(&server.url(), |command| {
            command.args(["--again", "100"]);
        });
        liar.wait_for_a_batch();
        let _one = Worker::start(&server, "one");
        let told = organiser.finish();
        assert!(told.contains("worker liar is banned: game "), "{told}");
        let players = cup.machines();
        assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
        cup.is_as_at_home();
    }
}

#[test]
fn a_liar_alone_is_found_out_by_the_organiser() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(2);
    let _liar = Liar::start(&server, Vice::PlaysAlone);
    let organiser = cup.organise_at(&server.url(), |command| {
        command.args(["--again", "100"]);
    });
    organiser.wait_for("had another result when it was played again");
    let _one = Worker::start(&server, "one");
    organiser.finish();
    let players = cup.machines();
    assert!(players.iter().all(|(name, _)| name == "one"), "{players:?}");
    cup.is_as_at_home();
}

/// Whether there is another worker who could see the same fault, or only the organiser.
#[test]
fn faults_that_nobody_else_sees_do_not_count() {
    let Some(server) = Server::start() else {
        return;
    };
    for is_alone in [false, true] {
        let cup = Cup::of_a_program();
        let liar = Liar::start(&server, Vice::InventsFaults);
        let one = (!is_alone).then(|| Worker::start(&server, "one"));
        if let Some(one) = &one {
            one.wait_for("waiting");
        }
        let organiser = cup.organise(&server);
        liar.wait_for_a_batch();
        // The third game shows that it is no accident.
        let _one = one.or_else(|| {
            organiser.wait_for("worker liar is banned: 3 of its games");
            Some(Worker::start(&server, "one"))
        });
        organiser.finish();
        cup.is_as_at_home();
        let invented = cup.records().into_iter().any(|record| {
            let mut faults = record.faults();
            faults.any(|fault| fault.kind == FaultKind::GaveUp)
        });
        assert!(!invented, "an invented fault counts");
    }
}
