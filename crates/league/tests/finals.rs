//! Finals: frozen, drawn, played through kills, and checked.

#![cfg(unix)]

mod leagues;

use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use floe_arena::runner::{
    FailedGame, GameSource, NamedSeat, NextGame, Played, PlaysGames, Runner, RunnerError,
};
use floe_arena::seat::Sandbox;
use floe_arena::tournament::{Ended, Format, FormatName};
use floe_league::finals::{self, BackgroundFinals, FinalsError, FinalsRequest, Freeze};
use floe_league::{Event, League};

use leagues::{league, submit};

const FLOOD: &str = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n[finals]\nboards = 2\n";

#[test]
fn a_freeze_is_played_to_its_end_and_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    let few = finals::freeze(&league, Format::RoundRobin, None).unwrap_err();
    assert!(
        matches!(
            few,
            FinalsError::TooFew {
                entrants: 0,
                table: 2
            }
        ),
        "{few}"
    );
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    submit(&league, "bats", "random");
    let freeze = finals::freeze(&league, Format::RoundRobin, None).unwrap();
    let other = finals::freeze(&league, Format::Knockout, Some(1)).unwrap();
    assert_ne!(freeze.seed, other.seed);
    assert_eq!((freeze.number, other.number), (1, 2));
    // What comes after the freeze does not play.
    submit(&league, "cats", "greedy");
    let mut tournament = finals::open(&league, &freeze).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let stop = Default::default();
    let ended = tournament.run(&runner, &stop, |tournament, _| {
        if tournament.played() == 5 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert_eq!(ended.unwrap(), Ended::Stopped);
    drop(tournament);
    let mut tournament = finals::open(&league, &freeze).unwrap();
    let ended = tournament.run(&runner, &Default::default(), |_, _| {});
    assert_eq!(ended.unwrap(), Ended::Finished);
    let results = tournament.standings();
    let names: Vec<&str> = results.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!((results.games, names.contains(&"cats#1")), (12, true));
    assert_eq!(finals::check(&league, &freeze).unwrap(), [""; 0]);
}

#[test]
fn whoever_meddles_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "owls", "greedy");
    submit(&league, "cats", "random");
    let freeze = finals::freeze(&league, Format::RoundRobin, Some(1)).unwrap();
    let mut tournament = finals::open(&league, &freeze).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap();
    drop(tournament);
    let problems = |change: &dyn Fn(&mut finals::Freeze)| {
        let mut freeze = freeze.clone();
        change(&mut freeze);
        finals::check(&league, &freeze).unwrap().join("; ")
    };
    assert_eq!(problems(&|_| {}), "");
    let seed = problems(&|freeze| freeze.seed += 1);
    assert!(seed.contains("the seed should be"), "{seed}");
    assert!(
        seed.contains("was not played on a board of the seed"),
        "{seed}"
    );
    let program = problems(&|freeze| freeze.versions[0].sha256.replace_range(..2, "00"));
    assert!(
        program.contains("was not sent as it was frozen"),
        "{program}"
    );
    let text = fs::read_to_string(league.finals_file(1)).unwrap();
    fs::write(league.finals_file(1), text.replace("owls#1", "dogs#1")).unwrap();
    let who = finals::check(&league, &freeze);
    let who = who.map_or_else(|error| error.to_string(), |found| found.join("; "));
    assert!(
        who.contains("was not frozen") || who.contains("damaged"),
        "{who}"
    );
}

#[test]
fn in_a_gauntlet_challengers_meet_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    for entrant in ["bats", "cats", "owls"] {
        submit(&league, entrant, "random");
    }
    let gauntlet = |names: &[&str]| {
        let request = FinalsRequest {
            format: FormatName::Gauntlet,
            boards: Some(1),
            challengers: names.iter().map(|&name| name.to_owned()).collect(),
            ..FinalsRequest::default()
        };
        request.freeze(&league)
    };
    let nobody = gauntlet(&["dogs"]).unwrap_err();
    assert!(matches!(nobody, FinalsError::Challenger(_)), "{nobody}");
    let all = gauntlet(&["bats", "cats", "owls"]).unwrap_err();
    assert!(matches!(all, FinalsError::Challengers { .. }), "{all}");
    let freeze = gauntlet(&["owls"]).unwrap();
    let mut tournament = finals::open(&league, &freeze).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let ended = tournament.run(&runner, &Default::default(), |_, _| {});
    assert_eq!(ended.unwrap(), Ended::Finished);
    let results = tournament.standings();
    let games = results
        .rows
        .iter()
        .map(|row| (row.name.as_str(), row.games));
    let mut games: Vec<(&str, u64)> = games.collect();
    games.sort_unstable();
    assert_eq!(games, [("bats#1", 2), ("cats#1", 2), ("owls#1", 4)]);
    assert_eq!(finals::check(&league, &freeze).unwrap(), [""; 0]);
}

#[test]
fn what_is_not_said_about_finals_is_as_usual() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    for entrant in ["ants", "bats", "cats", "dogs", "eels"] {
        submit(&league, entrant, "random");
    }
    let wish = |format| FinalsRequest {
        format,
        ..FinalsRequest::default()
    };
    let frozen = |wish: &FinalsRequest| wish.freeze(&league).map(|freeze| freeze.format);
    assert_eq!(
        frozen(&FinalsRequest::default()).unwrap(),
        Format::RoundRobin
    );
    let swiss = wish(FormatName::Swiss);
    assert_eq!(frozen(&swiss).unwrap(), Format::Swiss { rounds: 3 });
    let gauntlet = frozen(&wish(FormatName::Gauntlet)).unwrap();
    assert_eq!(gauntlet, Format::Gauntlet { challengers: 1 });
    let before = league.look(|standing| standing.finals.len()).unwrap();
    for (wrong, why) in [
        (
            FinalsRequest {
                rounds: Some(3),
                ..wish(FormatName::Knockout)
            },
            "only a swiss tournament has rounds",
        ),
        (
            FinalsRequest {
                challengers: vec!["ants".to_owned()],
                ..FinalsRequest::default()
            },
            "only a gauntlet has challengers",
        ),
        (
            FinalsRequest {
                boards: Some(0),
                ..FinalsRequest::default()
            },
            "boards are 1 to 100000",
        ),
    ] {
        assert_eq!(wrong.freeze(&league).unwrap_err().to_string(), why);
    }
    let after = league.look(|standing| standing.finals.len()).unwrap();
    assert_eq!(after, before, "nothing is frozen then");
}

/// Plays so many games and then none until it is stopped.
struct Tired {
    runner: Runner,
    games: usize,
}

impl PlaysGames for Tired {
    fn entrants(&self) -> &[NamedSeat] {
        &self.runner.entrants
    }

    fn play_games(
        &self,
        games: GameSource<NextGame<'_>>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let mut left = self.games;
        (self.runner).play_games(games, stop, &mut |played| {
            let flow = done(played);
            left = left.saturating_sub(1);
            while left == 0 && !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            flow
        })
    }
}

/// Plays finals beside us; the first time only so many games come of it.
fn beside(league: &League, first: usize) -> BackgroundFinals {
    let times = AtomicUsize::new(0);
    let players = move |tournament: &floe_arena::tournament::Tournament| {
        let games = match times.fetch_add(1, Ordering::Relaxed) {
            0 => first,
            _ => usize::MAX,
        };
        let runner = tournament.runner(Sandbox::none(), 1, None);
        Ok(Box::new(Tired { runner, games }) as Box<dyn PlaysGames + Send>)
    };
    BackgroundFinals::start(league, players).unwrap()
}

fn wait(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("{what} never came");
}

fn played(league: &League, freeze: &Freeze) -> usize {
    let text = fs::read_to_string(league.finals_file(freeze.number)).unwrap_or_default();
    text.matches("{\"line\":\"end\"").count()
}

#[test]
fn finals_beside_pages_are_stopped_gone_on_with_and_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    for entrant in ["bats", "cats", "owls"] {
        submit(&league, entrant, "random");
    }
    let freeze = FinalsRequest::default().freeze(&league).unwrap();
    let want = |is_so| league.record(Event::FinalsWanted { is_so }).unwrap();
    let state = || {
        let look = |standing: &floe_league::LeagueState| {
            (standing.are_finals_wanted, standing.has_finals_under_way)
        };
        league.look(look).unwrap()
    };
    let finals = beside(&league, 5);
    assert_eq!((state(), played(&league, &freeze)), ((false, false), 0));
    want(true);
    wait("five games", || played(&league, &freeze) == 5);
    assert_eq!(state(), (true, true), "the ladder stands still");
    assert!(!league.end_abandoned_finals().unwrap(), "somebody plays");
    want(false);
    wait("the stop", || state() == (false, false));
    assert!(played(&league, &freeze) < 12);
    drop(finals);
    // Killed in the middle: the journal still says that they are played.
    let finals = beside(&league, 1);
    want(true);
    wait("one more game", || played(&league, &freeze) > 5);
    drop(finals);
    assert_eq!(state(), (true, false), "they go on when this starts again");
    league
        .record(Event::FinalsUnderWay { is_so: true })
        .unwrap();
    let finals = beside(&league, usize::MAX);
    wait("the end", || state() == (false, false));
    assert_eq!(finals.trouble().now(), None);
    drop(finals);
    assert_eq!(
        played(&league, &freeze),
        12,
        "no game is lost or played twice"
    );
    assert_eq!(finals::check(&league, &freeze).unwrap(), [""; 0]);
    // Other finals are not played before somebody wants them.
    want(true);
    FinalsRequest::default().freeze(&league).unwrap();
    assert_eq!(state(), (false, false));
}

#[test]
fn what_keeps_finals_from_being_played_is_told_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    submit(&league, "cats", "random");
    submit(&league, "owls", "random");
    let freeze = FinalsRequest::default().freeze(&league).unwrap();
    league.record(Event::FinalsWanted { is_so: true }).unwrap();
    // Another process plays them.
    let other = finals::open(&league, &freeze).unwrap();
    let finals = beside(&league, usize::MAX);
    wait("trouble", || finals.trouble().now().is_some());
    let trouble = finals.trouble().now().unwrap();
    assert!(trouble.contains("another floe is playing"), "{trouble}");
    drop(other);
    wait("the end", || played(&league, &freeze) == 4);
    wait("no trouble", || finals.trouble().now().is_none());
}
