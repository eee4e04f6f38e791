//! Ladders played for real: by engines and by scripts.

#![cfg(unix)]

mod leagues;

use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use floe_arena::journal::read_file;
use floe_arena::live::LiveEvent;
use floe_arena::runner::{
    FailedGame, GameSource, NamedSeat, NextGame, Played, PlaysGames, Runner, RunnerError,
};
use floe_arena::standings::Row;
use floe_arena::store::Store;
use floe_arena::tournament::Format;
use floe_games::record::RecordLine;
use floe_league::event::Activity;
use floe_league::finals;
use floe_league::ladder::{
    BackgroundLadder, IdleReason, Ladder, LadderRunner, LadderTable, LadderVersion, RunEnd,
};
use floe_league::{Event, VersionState};

use leagues::{games, league, play, play_up_to, sandbox, submit, submit_script, table};

const FLOOD: &str = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n";

#[test]
fn engines_climb_and_everything_follows_from_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    for (entrant, seat) in [
        ("owls", "greedy"),
        ("cats", "random"),
        ("bats", "floe:nodes=200"),
    ] {
        submit(&league, entrant, seat);
    }
    assert_eq!(play(&league, 60, 2), RunEnd::Played);
    let before = table(&league);
    assert_eq!(before.standings.games, 60);
    let cats_before = before.current().last().unwrap();
    assert_eq!(cats_before.id.entrant, "cats");
    // The index can be thrown away.
    let index = folder.path().join("index.sqlite");
    assert!(index.exists() && !folder.path().join("ladder.sqlite").exists());
    fs::remove_file(index).unwrap();
    assert_eq!(table(&league), before);
    // A new version starts from nothing; until it has played, the one before stands for it.
    submit(&league, "cats", "floe:nodes=200");
    let fresh = table(&league);
    let mut current = fresh.current();
    let cats = current.find(|version| version.id.entrant == "cats");
    let cats = cats.unwrap();
    let newest = cats.stands_for.as_ref().unwrap();
    assert_eq!((cats.id.number, newest.number), (1, 2));
    assert_eq!(
        (&cats.results, cats.place),
        (&cats_before.results, cats_before.place)
    );
    assert_eq!(play(&league, 20, 1), RunEnd::Played);
    let after = table(&league);
    let of_cats = |version: u32| {
        let mut versions = after.versions.iter();
        versions
            .find(|row| row.id.entrant == "cats" && row.id.number == version)
            .unwrap()
    };
    let (old, new) = (of_cats(1), of_cats(2));
    assert!(new.results.games > 0, "new versions come first");
    assert!(!old.is_current && new.is_current);
    assert!(after.current().all(|version| version.stands_for.is_none()));
    assert_eq!(
        old.results.games, cats_before.results.games,
        "the old one plays no more"
    );
    assert!(new.results.elo.unwrap().value > old.results.elo.unwrap().value);
}

/// When everybody sends a new version at once, the table stays as it was.
#[test]
fn standings_never_go_empty() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    for entrant in ["owls", "cats", "bats"] {
        submit(&league, entrant, "random");
    }
    assert_eq!(play(&league, 12, 1), RunEnd::Played);
    let mut watch = floe_league::ladder::LadderWatch::open(&league).unwrap();
    let before = table(&league);
    assert_eq!(watch.table().unwrap(), before);
    for entrant in ["owls", "cats", "bats"] {
        submit(&league, entrant, "greedy");
    }
    let after = table(&league);
    for version in after.current() {
        let newest = version.stands_for.as_ref().unwrap();
        assert_eq!(newest.number, 2);
        assert!(version.results.elo.is_some());
    }
    let places = |table: &LadderTable| -> Vec<_> {
        let place = |version: &LadderVersion| (version.place, version.id.clone());
        table.current().map(place).collect()
    };
    assert_eq!(places(&after), places(&before));
    watch.follow().unwrap();
    assert_eq!(watch.table().unwrap(), after);
    // One that was pulled stands for nobody.
    let version = "owls#1".parse().unwrap();
    league
        .record(Event::Withdrawn {
            version,
            why: String::new(),
        })
        .unwrap();
    let after = table(&league);
    let owls = after.current().find(|row| row.id.entrant == "owls");
    let owls = owls.unwrap();
    assert_eq!((owls.id.number, owls.place), (2, None));
}

#[test]
fn the_number_of_tables_and_stops_change_nothing() {
    let play_it = |tables: usize, parts: &[u64]| {
        let folder = tempfile::tempdir().unwrap();
        let league = league(folder.path(), FLOOD);
        for entrant in ["a", "b", "c", "d", "e"] {
            submit(&league, entrant, "random");
        }
        parts.iter().for_each(|&games| {
            play(&league, games, tables);
        });
        games(&league)
    };
    let whole = play_it(1, &[60]);
    assert_eq!(whole.len(), 60);
    assert_eq!(play_it(4, &[60]), whole);
    assert_eq!(play_it(3, &[1, 20, 7, 32]), whole);
}

#[test]
fn a_torn_game_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    for entrant in ["a", "b", "c"] {
        submit(&league, entrant, "random");
    }
    play(&league, 30, 1);
    let (all, text) = (games(&league), fs::read(league.ladder_file()).unwrap());
    for cut in [1, 200, text.len() / 3, text.len() - 5] {
        fs::write(league.ladder_file(), &text[..text.len() - cut]).unwrap();
        play_up_to(&league, 30, 2);
        assert_eq!(games(&league), all, "{cut} bytes were lost");
    }
}

#[test]
fn a_workers_games_are_taken_out_and_what_follows_is_the_same_after_any_kill() {
    let folder = tempfile::tempdir().unwrap();
    let description = format!("{FLOOD}[ladder]\nahead = 3\n");
    let league = league(folder.path(), &description);
    for entrant in ["a", "b", "c", "d", "e"] {
        submit(&league, entrant, "random");
    }
    play(&league, 60, 1);
    // A worker had some of them from the first to the last: whole meetings and halves.
    let is_of_liar = |number: u64| (8..12).contains(&number) || number.is_multiple_of(7);
    let records = read_file(&league.ladder_file()).unwrap();
    let mut text = Vec::new();
    for record in records {
        let mut record = record.unwrap();
        let machine = record.opening.machine.get_or_insert_default();
        let number: u64 = record.opening.id.parse().unwrap();
        machine.worker = match is_of_liar(number - 1) {
            true => "liar".to_owned(),
            false => "one".to_owned(),
        };
        record.write(&mut text).unwrap();
    }
    fs::write(league.ladder_file(), text).unwrap();
    // One of the meetings after them was given up, for which nothing is played.
    let given_up = Event::GivenUp {
        unit: 30,
        why: "it cannot be played".to_owned(),
    };
    league.record(given_up).unwrap();
    let before = games(&league);
    let (ladder, taken) = Ladder::open(&league)
        .unwrap()
        .without_games_of("liar")
        .unwrap();
    let out = (0..60).filter(|&number| is_of_liar(number)).count() as u64;
    assert_eq!((taken.games, ladder.games()), (out, 60 - out));
    drop(ladder);
    let kept = games(&league);
    assert!(kept.iter().all(|game| before.contains(game)));

    let rest = fs::read(league.ladder_file()).unwrap();
    let play_in = |parts: &[u64], tables: usize| {
        fs::write(league.ladder_file(), &rest).unwrap();
        parts.iter().for_each(|&to| {
            play_up_to(&league, to, tables);
        });
        games(&league)
    };
    let whole = play_in(&[70], 1);
    assert!(
        kept.iter().all(|game| whole.contains(game)),
        "no other game is touched"
    );
    // All that was taken out, and the next ones.
    let numbers: Vec<u64> = whole.iter().map(|(number, ..)| *number).collect();
    let wanted: Vec<u64> = (1..=72)
        .filter(|number| ![61, 62].contains(number))
        .collect();
    assert_eq!(numbers, wanted);
    assert_eq!(play_in(&[52, 53, 57, 64, 70], 1), whole);
    assert_eq!(play_in(&[55, 59, 70], 3), whole);
}

#[test]
fn whoever_fails_too_often_is_benched_and_their_next_version_plays() {
    let folder = tempfile::tempdir().unwrap();
    let description = format!("{FLOOD}[ladder]\nbench = '50%'\nbench-after = 4\nahead = 1\n");
    let league = league(folder.path(), &description);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let broken = submit_script(
        &league,
        "newts",
        "#!/bin/sh\necho nothing works >&2\nexit 3\n",
    );
    play(&league, 24, 1);
    let (state, why) = (league.look(|standing| {
        let version = standing.versions.find(&broken).unwrap();
        (version.state, version.why.clone())
    }))
    .unwrap();
    assert_eq!(state, VersionState::Suspended);
    assert_eq!(
        why,
        "it had faults in 4 of 4 games (gave up 4); the limit is 50 %"
    );
    let newts = |row: &&LadderVersion| row.id.entrant == "newts";
    assert!(!table(&league).current().any(|row| newts(&row)));
    let fixed = submit(&league, "newts", "greedy");
    play(&league, 8, 1);
    let after = table(&league);
    let row = after.current().find(newts).unwrap();
    assert_eq!((&row.id, row.results.games > 0), (&fixed, true));
    // Opened again, nobody is benched twice.
    let lines = fs::read_to_string(folder.path().join("journal.jsonl")).unwrap();
    assert_eq!(lines.matches("\"benched\"").count(), 1);
    // The organiser may let the old one play again; it is trusted then.
    league
        .record(Event::Withdrawn {
            version: fixed,
            why: String::new(),
        })
        .unwrap();
    league
        .record(Event::Reinstated {
            version: broken.clone(),
        })
        .unwrap();
    play(&league, 12, 1);
    let state = league.look(|standing| standing.versions.find(&broken).unwrap().state);
    assert_eq!(state.unwrap(), VersionState::Accepted);
}

/// Games of meetings that are still under way are over already, and do not count yet.
#[test]
fn what_somebody_is_benched_for_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let description = format!("{FLOOD}[ladder]\nbench = '50%'\nbench-after = 4\nahead = 6\n");
    let league = league(folder.path(), &description);
    submit(&league, "owls", "greedy");
    let broken = submit_script(&league, "newts", "#!/bin/sh\nexit 3\n");
    play(&league, 40, 2);
    let why = league.look(|standing| standing.versions.find(&broken).unwrap().why.clone());
    assert_eq!(
        why.unwrap(),
        "it had faults in 4 of 4 games (gave up 4); the limit is 50 %"
    );
}

#[test]
fn a_ladder_waits_for_players_for_the_organiser_and_for_tomorrow() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(
        folder.path(),
        &format!("{FLOOD}[ladder]\ngames-a-day = 10\n"),
    );
    submit(&league, "owls", "greedy");
    assert_eq!(play(&league, 10, 1), RunEnd::IdleReason(IdleReason::TooFew));
    submit(&league, "cats", "random");
    let what = Activity::Ladder;
    league.record(Event::Paused { what }).unwrap();
    assert_eq!(play(&league, 10, 1), RunEnd::IdleReason(IdleReason::Paused));
    league.record(Event::Resumed { what }).unwrap();
    league
        .record(Event::FinalsUnderWay { is_so: true })
        .unwrap();
    assert_eq!(play(&league, 10, 1), RunEnd::IdleReason(IdleReason::Finals));
    league
        .record(Event::FinalsUnderWay { is_so: false })
        .unwrap();
    assert_eq!(
        play(&league, 99, 2),
        RunEnd::IdleReason(IdleReason::DayIsFull)
    );
    assert_eq!(games(&league).len(), 10);
    let mut ladder = Ladder::open(&league).unwrap();
    let tomorrow = LadderRunner {
        games: Some(99),
        clock: || floe_league::time::now() + floe_league::time::DAY,
        ..LadderRunner::new(sandbox(), 1)
    };
    let end = tomorrow.run(&mut ladder, &Default::default(), |_| {});
    assert_eq!(end.unwrap(), RunEnd::IdleReason(IdleReason::DayIsFull));
    assert_eq!(ladder.games(), 20);
}

#[test]
fn new_versions_join_while_games_are_played_and_watchers_see_it() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let mut ladder = Ladder::open(&league).unwrap();
    let events = ladder.live().subscribe();
    let stop = Arc::new(AtomicBool::new(false));
    let runner = LadderRunner::new(sandbox(), 2);
    let mut has_joined = false;
    let end = runner.run(&mut ladder, &stop, |ladder| {
        if ladder.games() >= 6 && !has_joined {
            submit(ladder.league(), "bats", "random");
            has_joined = true;
        }
        let is_bat = |row: &Row| row.name == "bats#1" && row.games > 0;
        if ladder.table().unwrap().standings.rows.iter().any(is_bat) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(end.unwrap(), RunEnd::Stopped);
    assert!(events.try_iter().filter(|event| is_end(event)).count() >= 6);
    // Two cannot play one ladder, and whoever looks is not in the way.
    let busy = Ladder::open(&league).unwrap_err().to_string();
    assert!(busy.contains("another floe is playing"), "{busy}");
    assert!(table(&league).standings.games > 0);
}

#[test]
fn a_pulled_version_does_not_sit_down_again() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    let [owls, ..] = ["owls", "cats", "bats"].map(|entrant| submit(&league, entrant, "random"));
    // Half of a meeting is played.
    play(&league, 7, 1);
    league
        .record(Event::Withdrawn {
            version: owls,
            why: "asked for".into(),
        })
        .unwrap();
    let before = games(&league);
    play(&league, 20, 2);
    let after = games(&league);
    let fresh = after.iter().filter(|game| !before.contains(game));
    for (number, seats, _) in fresh {
        assert!(!seats.contains(&"owls#1".to_owned()), "{number}: {seats:?}");
    }
}

#[test]
fn three_at_a_table_are_near_neighbours_in_every_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let description = "game = 'gamma'\ntable = 3\nsandbox = 0\n[boards]\nsetup = '4x4,areas=2'\n";
    let league = league(folder.path(), description);
    for entrant in ["a", "b", "c", "d", "e"] {
        submit(&league, entrant, "random");
    }
    play(&league, 30, 2);
    let games = games(&league);
    for unit in games.chunks(3) {
        let mut firsts: Vec<&String> = unit.iter().map(|(_, seats, _)| &seats[0]).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), 3, "everybody begins once: {unit:?}");
    }
    let rows = table(&league).standings.rows;
    assert!(rows.iter().all(|row| row.games > 0));
}

fn is_end(event: &LiveEvent) -> bool {
    matches!(event, LiveEvent::Line { line, .. } if matches!(line, RecordLine::End(_)))
}

fn wait_for_a_game(ladder: &BackgroundLadder) {
    let events = ladder.live().subscribe();
    let wait = std::time::Duration::from_secs(600);
    while !is_end(&events.recv_timeout(wait).unwrap()) {}
}

#[test]
fn a_ladder_beside_something_else_stops_when_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let beside = BackgroundLadder::start(&league, LadderRunner::new(sandbox(), 1)).unwrap();
    wait_for_a_game(&beside);
    assert!(beside.is_playing());
    drop(beside);
    assert_eq!(
        play(&league, 2, 1),
        RunEnd::Played,
        "nobody holds the records"
    );
}

#[test]
fn finals_that_were_killed_hold_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let freeze = finals::freeze(&league, Format::RoundRobin, None).unwrap();
    let played = Store::hold(&league.finals_file(freeze.number)).unwrap();
    league
        .record(Event::FinalsUnderWay { is_so: true })
        .unwrap();
    assert_eq!(play(&league, 2, 1), RunEnd::IdleReason(IdleReason::Finals));
    // Whoever played them is gone, and has not said so.
    drop(played);
    assert_eq!(play(&league, 2, 1), RunEnd::Played);
    let are_played = league.look(|standing| standing.has_finals_under_way);
    assert!(!are_played.unwrap());
}

#[test]
fn a_version_whose_program_is_gone_is_left_out_until_it_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let newts = submit_script(&league, "newts", "#!/bin/sh\nexit 3\n");
    let version = league.look(|standing| standing.versions.find(&newts).cloned());
    let program = league.program_folder(&version.unwrap().unwrap().sha256);
    let aside = folder.path().join("aside");
    fs::rename(&program, &aside).unwrap();
    assert_eq!(play(&league, 40, 1), RunEnd::Played);
    let journal = || fs::read_to_string(folder.path().join("journal.jsonl")).unwrap();
    let given_up = journal().matches("\"given-up\"").count();
    // No more than were planned before it was noticed.
    assert!((1..=8).contains(&given_up), "{given_up}");
    let met = || {
        let games = games(&league).into_iter();
        games
            .filter(|(_, names, _)| names.contains(&newts.to_string()))
            .count()
    };
    assert_eq!(met(), 0);
    fs::rename(&aside, &program).unwrap();
    play(&league, 40, 1);
    assert!(met() > 0);
}

/// Tables of this machine, which fail the first time.
struct FailsAtFirst(Runner, AtomicBool);

impl PlaysGames for FailsAtFirst {
    fn entrants(&self) -> &[NamedSeat] {
        &self.0.entrants
    }

    fn play_games(
        &self,
        games: GameSource<NextGame<'_>>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        match self.1.swap(true, Ordering::Relaxed) {
            false => Err(RunnerError::Thread(std::io::ErrorKind::OutOfMemory.into())),
            true => self.0.play_games(games, stop, done),
        }
    }
}

#[test]
fn a_ladder_beside_something_else_goes_on_after_trouble_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let runner = LadderRunner::new(sandbox(), 1);
    let beside = BackgroundLadder::start_with(&league, runner, |tables, _| {
        Ok(Box::new(FailsAtFirst(tables, AtomicBool::new(false))))
    });
    let beside = beside.unwrap();
    wait_for_a_game(&beside);
}
