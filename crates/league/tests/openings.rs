//! Openings in ladders and finals, and repeats in their tables.

#![cfg(unix)]

mod leagues;

use std::collections::{BTreeMap, BTreeSet};

use floe_arena::journal::read_file;
use floe_arena::seat::Sandbox;
use floe_arena::tournament::Format;
use floe_games::is_candidate;
use floe_games::record::Record;
use floe_league::League;
use floe_league::finals;
#[cfg(target_os = "linux")]
use floe_league::invitation::Invite;
use floe_league::ladder::RunEnd;
#[cfg(target_os = "linux")]
use floe_league::people::Guest;
#[cfg(target_os = "linux")]
use floe_league::{BuildSandbox, Judge, Submission};

use leagues::{league, play, submit, table};

const GAMMA: &str = "game = 'gamma'\nsandbox = 0\n[boards]\nsetup = '5x5'\n";
const WITHOUT: &str = "game = 'gamma'\nsandbox = 0\n[boards]\nsetup = '5x5'\nopenings = 'none'\n";
/// Engines that always play alike.
const ENGINES: [(&str, &str); 2] = [("owls", "floe:nodes=60"), ("cats", "floe:nodes=30")];

#[test]
fn a_ladder_of_engines_repeats_games_only_without_openings() {
    for (description, different) in [(GAMMA, 20), (WITHOUT, 2)] {
        let folder = tempfile::tempdir().unwrap();
        let league = league(folder.path(), description);
        for (entrant, seat) in ENGINES {
            submit(&league, entrant, seat);
        }
        assert_eq!(play(&league, 12, 2), RunEnd::Played);
        assert_eq!(play(&league, 8, 1), RunEnd::Played);
        let standings = table(&league).standings;
        assert_eq!((standings.games, standings.different), (20, different));
        assert_eq!(standings.rows[0].different, different);
        // All rotations of a unit begin alike.
        let mut starts: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for record in read_file(&league.ladder_file()).unwrap() {
            let record = record.unwrap();
            record.verify().unwrap();
            let unit = record.opening.pair.unwrap();
            starts.entry(unit).or_default().insert(record.opening.start);
        }
        assert_eq!(starts.len(), 10);
        assert!(starts.values().all(|starts| starts.len() == 1));
    }
}

/// A line program that answers every question with a field that no board has.
#[cfg(target_os = "linux")]
const WRONG: &str = "import sys\nfor line in sys.stdin:\n    if line.startswith('floe'):\n        \
                     print('ok wrong', flush=True)\n    if line.startswith('go'):\n        \
                     print('move zz99', flush=True)\n";

/// Where a program that is judged is asked for its first move.
#[cfg(target_os = "linux")]
fn first_question(league: &League) -> String {
    let helper = std::path::Path::new(env!("CARGO_BIN_EXE_floe-league-supervisor"));
    let build_sandbox = BuildSandbox::find(helper, 0).unwrap();
    let guest = Guest {
        name: "ada".to_owned(),
        entrant: "owls".to_owned(),
    };
    league.invite(&[guest], Invite::New).unwrap();
    let by = league.look(|s| s.people.named("ada").cloned()).unwrap();
    let submission = Submission {
        file: "bot.py".to_owned(),
        bytes: WRONG.as_bytes().to_vec(),
        ..Submission::default()
    };
    let id = league.submit(&by.unwrap(), &submission).unwrap();
    let judge = Judge::take_seat(league, &build_sandbox).unwrap().unwrap();
    judge.judge_next(&mut |_, _| {}).unwrap();
    let version = league.look(|s| s.versions.find(&id).cloned()).unwrap();
    let report = league.check_report(&version.unwrap()).unwrap().unwrap();
    assert!(!report.plays, "{report:#?}");
    report.causes[0].position.clone().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn the_gates_games_begin_as_the_ladders_do() {
    let empty = floe_games::find("gamma").unwrap().start("5x5", 1).unwrap();
    for (description, has_opening) in [(GAMMA, true), (WITHOUT, false)] {
        let folder = tempfile::tempdir().unwrap();
        let league = league(
            folder.path(),
            &format!("{description}[limits]\ntime = '60s'\n"),
        );
        let asked = first_question(&league);
        let (start, opening) = league.description().boards.open(0).unwrap();
        assert_eq!(asked, start.write());
        assert_eq!(!opening.opening.is_empty(), has_opening, "{asked}");
        assert_eq!(asked != empty.write(), has_opening, "{asked}");
    }
}

#[test]
fn finals_begin_with_openings_of_their_seed() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), GAMMA);
    for (entrant, seat) in ENGINES {
        submit(&league, entrant, seat);
    }
    let freeze = finals::freeze(&league, Format::RoundRobin, Some(4)).unwrap();
    assert_eq!(freeze.openings, 2);
    let mut tournament = finals::open(&league, &freeze).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap();
    let results = tournament.standings();
    assert_eq!((results.games, results.different), (8, 8));
    drop(tournament);
    assert_eq!(finals::check(&league, &freeze).unwrap(), [""; 0]);
    // An opening that the seed does not allow is no opening of these finals.
    let file = league.finals_file(1);
    let mut records: Vec<Record> = read_file(&file).unwrap().map(Result::unwrap).collect();
    let changed = &mut records[0].opening;
    let (moves, start) = opening_of_no_board(&league, &freeze.setup, changed.seed.unwrap());
    changed.opening = moves;
    changed.start = start;
    records[0].events.clear();
    records[0].end = None;
    let mut text = Vec::new();
    for record in &records {
        record.write(&mut text).unwrap();
    }
    std::fs::write(&file, text).unwrap();
    let problems = finals::check(&league, &freeze).unwrap();
    assert_eq!(problems, ["game 1 was not played on a board of the seed"]);
}

/// Two moves that no board of this seed begins with, and the position after them.
fn opening_of_no_board(league: &League, setup: &str, seed: u64) -> (Vec<String>, String) {
    let game = league.description().game;
    let start = game.start(setup, seed).unwrap();
    for first in start.moves() {
        let mut after = start.clone_position();
        after.play(&first).unwrap();
        let moves = vec![first, after.moves()[0].clone()];
        if !is_candidate(game, &*start, seed, &moves) {
            after.play(&moves[1]).unwrap();
            return (moves, after.write());
        }
    }
    panic!("a seed allows few openings");
}

#[test]
fn finals_frozen_before_there_were_openings_have_none() {
    let frozen = r#"{"number":1,"seed":5,"lot":"00","versions":[],"format":"round-robin",
        "setup":"5x5,players=2,areas=3","boards":1}"#;
    let freeze: finals::Freeze = serde_json::from_str(frozen).unwrap();
    assert_eq!(freeze.openings, 0);
    assert!(!serde_json::to_string(&freeze).unwrap().contains("openings"));
}
