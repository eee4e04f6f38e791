//! Finals: frozen, drawn, played through kills, and checked.

#![cfg(unix)]

mod leagues;

use std::fs;

use floe_arena::seat::Sandbox;
use floe_arena::tournament::Ended;
use floe_league::finals::{self, FinalsError, FinalsFormat};

use leagues::{league, submit};

const FLOOD: &str = "game = 'flood'\nsandbox = 0\n[boards]\nsetup = '4x4'\n[finals]\nboards = 2\n";

#[test]
fn a_freeze_is_played_to_its_end_and_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), FLOOD);
    let few = finals::freeze(&league, FinalsFormat::RoundRobin, None).unwrap_err();
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
    let freeze = finals::freeze(&league, FinalsFormat::RoundRobin, None).unwrap();
    let other = finals::freeze(&league, FinalsFormat::Knockout, Some(1)).unwrap();
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
    let results = tournament.results();
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
    let freeze = finals::freeze(&league, FinalsFormat::RoundRobin, Some(1)).unwrap();
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
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        finals::freeze_gauntlet(&league, &names, Some(1))
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
    let results = tournament.results();
    let games = results
        .rows
        .iter()
        .map(|row| (row.name.as_str(), row.games));
    let mut games: Vec<(&str, u64)> = games.collect();
    games.sort_unstable();
    assert_eq!(games, [("bats#1", 2), ("cats#1", 2), ("owls#1", 4)]);
    assert_eq!(finals::check(&league, &freeze).unwrap(), [""; 0]);
}
