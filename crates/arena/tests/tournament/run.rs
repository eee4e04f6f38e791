use std::fs;

use floe_arena::journal::read_file;
use floe_arena::schedule::DecidedBy;
use floe_arena::standings::{csv, json, markdown};
use floe_arena::store::verify;
use floe_arena::tournament::{Description, Ended, Tournament, TournamentError};
use insta::assert_snapshot;

use crate::{opened, play, small, timeless, whole};

const FORMATS: [(&str, &str); 4] = [
    ("round_robin", "format = \"round-robin\""),
    (
        "gauntlet",
        "format = \"gauntlet\"\nchallengers = 2\nanchor = \"dull\"",
    ),
    ("swiss", "format = \"swiss\"\nrounds = 4"),
    ("knockout", "format = \"knockout\"\nextra = 1"),
];

#[test]
fn however_often_it_is_stopped_the_table_is_the_same() {
    for (name, format) in FORMATS {
        let text = small(format);
        let (_folder, right) = whole(&text);
        assert!(right.is_finished, "{name}");
        for step in [1, 3, 7] {
            let folder = tempfile::tempdir().unwrap();
            let mut runs = 0;
            loop {
                // Opened anew each time, and at another number of tables.
                let mut tournament = opened(folder.path(), &text);
                runs += 1;
                if play(&mut tournament, 1 + runs % 3, step) == Ended::Finished {
                    assert_eq!(timeless(tournament.standings()), right, "{name} by {step}");
                    break;
                }
                assert!(runs < 1000, "{name} does not end");
            }
            assert!(runs > 1, "{name} by {step}");
            let records = folder.path().join("cup.jsonl");
            let verified = verify(&records, |_| {}).unwrap();
            assert_eq!(verified.problems, Vec::<String>::new(), "{name}");
            assert_eq!(
                (verified.games, verified.repeated),
                (right.games, 0),
                "{name}"
            );
        }
    }
}

#[test]
fn tables_and_exports_stay_as_they_are() {
    for (name, format) in FORMATS {
        let (_folder, results) = whole(&small(format));
        assert_snapshot!(format!("{name}_markdown"), markdown(&results));
        assert_snapshot!(format!("{name}_csv"), csv(&results).replace("\r\n", "\n"));
    }
    let (_folder, results) = whole(&small(FORMATS[2].1));
    assert_snapshot!(
        "swiss_json",
        serde_json::to_string_pretty(&results).unwrap()
    );
}

#[test]
fn three_sit_at_a_table_in_all_rotations() {
    let text = r#"
game = "penguins"
table = 3
[boards]
setup = "5x4,penguins=1"
[entrants]
a = "greedy:seed=1"
b = "random:seed=2"
c = "random:seed=3"
d = "greedy:seed=4"
"#;
    let (folder, results) = whole(text);
    assert_eq!((results.games, results.table), (4 * 3, 3));
    assert!(
        results
            .rows
            .iter()
            .all(|row| row.games == 9 && row.elo.is_some())
    );
    let points: f64 = results.rows.iter().map(|row| row.points).sum();
    assert_eq!(points, results.games as f64 * 1.5);
    // The live table has the same entrants and may be of another opinion.
    let file = folder.path().join("cup.toml");
    let tournament = Tournament::open_read_only(Description::load(&file).unwrap()).unwrap();
    assert_eq!(tournament.standings().rows.len(), 4);
    assert_eq!(timeless(tournament.standings()), results);
}

#[test]
fn records_say_where_a_game_comes_from() {
    let (folder, results) = whole(&small(""));
    let records = read_file(&folder.path().join("cup.jsonl")).unwrap();
    let records: Vec<_> = records.map(Result::unwrap).collect();
    assert_eq!(records.len() as u64, results.games);
    for record in records {
        let opening = &record.opening;
        let number: u64 = opening.id.parse().unwrap();
        assert_eq!(opening.pair, Some((number - 1) / 2 + 1));
        assert!(opening.seed.is_some_and(|seed| (3..5).contains(&seed)));
        let game = floe_games::find("flood").unwrap();
        let start = game
            .start(opening.setup.as_deref().unwrap(), opening.seed.unwrap())
            .unwrap();
        assert_eq!(start.write(), opening.start);
    }
}

#[test]
fn what_has_changed_is_refused_and_named() {
    let before = small("");
    let cases = [
        (
            "greedy:seed=1",
            "greedy:seed=2",
            true,
            "hungry was greedy:seed=1 and is greedy:seed=2 now",
        ),
        (
            "dull =",
            "dumb =",
            true,
            "dull has played and is no longer an entrant",
        ),
        (
            "count = 2",
            "count = 1",
            false,
            "is on a board that is no longer used",
        ),
        ("seed = 3", "seed = 4", false, "the boards have changed"),
        ("5x4", "4x5", false, "the boards have changed"),
        ("[boards]", "seed = 77\n[boards]", true, "has other players"),
        (
            "[entrants]",
            "[limits]\ntime = \"2s\"\n[entrants]",
            true,
            "the limits have changed",
        ),
        ("\"flood\"", "\"gamma\"", false, "they were games of flood"),
        (
            "[boards]",
            "format = \"swiss\"\n[boards]",
            false,
            "has other players",
        ),
    ];
    let (folder, _) = whole(&before);
    for (from, to, is_slight, message) in cases {
        let text = before.replacen(from, to, 1);
        let description = Description::read(&text, &folder.path().join("cup.toml")).unwrap();
        let refused = Tournament::open(description.clone(), false).unwrap_err();
        let TournamentError::Changed { changes } = &refused else {
            panic!("{refused}");
        };
        assert!(refused.to_string().contains(message), "{refused}");
        assert!(
            changes.iter().all(|change| change.is_slight == is_slight),
            "{changes:?}"
        );
        assert_eq!(
            Tournament::open(description, true).is_ok(),
            is_slight,
            "{message}"
        );
    }
    // What does not touch the games may change; so may how many there are, upwards.
    for (from, to) in [
        ("[boards]", "concurrency = 1\nanchor = \"dull\"\n[boards]"),
        ("count = 2", "count = 3"),
    ] {
        let mut tournament = opened(folder.path(), &before.replacen(from, to, 1));
        assert_eq!(play(&mut tournament, 1, u64::MAX), Ended::Finished);
    }
}

#[test]
fn games_that_fail_are_listed_and_the_others_are_played() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    fs::write(&bot, "#!/bin/sh\nexit 3\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    let text = "game = \"flood\"\n[boards]\nsetup = \"4x4\"\n[entrants]\nlost = \"./bot\"\n\
                a = \"random\"\nb = \"greedy\"\nc = \"greedy\"\n";
    let mut tournament = opened(folder.path(), text);
    let helper = std::path::Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    let sandbox = floe_arena::seat::Sandbox::with_layers(helper, floe_sandbox::Layers::NONE);
    let runner = tournament.runner(sandbox, 2, None);
    // Somebody took the file away: nobody at the table did anything wrong.
    fs::remove_file(&bot).unwrap();
    let mut run = || tournament.run(&runner, &Default::default(), |_, _| {});
    assert_eq!(run().unwrap(), Ended::Stopped);
    assert_eq!(tournament.standings().games, 6, "those without it");
    let aside = tournament.failed_games();
    assert_eq!(aside.len(), 6);
    assert!(
        aside
            .iter()
            .all(|game| game.entrants.contains(&"lost".to_owned()))
    );
    let words = aside[0].to_string();
    assert!(
        words.contains("lost against") || words.contains("against lost"),
        "{words}"
    );
    assert!(
        words.contains("could not be played: cannot copy ./bot"),
        "{words}"
    );
}

#[test]
fn a_machine_on_which_nothing_can_be_played_stops_the_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let text = "game = \"flood\"\n[boards]\nsetup = \"4x4\"\n[entrants]\n\
                a = \"/bin/true\"\nb = \"/bin/false\"\nc = \"/bin/cat\"\nd = \"/bin/echo\"\n";
    let mut tournament = opened(folder.path(), text);
    let nowhere = std::path::Path::new("/nowhere/helper");
    let sandbox = floe_arena::seat::Sandbox::with_layers(nowhere, floe_sandbox::Layers::NONE);
    let runner = tournament.runner(sandbox, 2, None);
    let ended = tournament.run(&runner, &Default::default(), |_, _| {});
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("could not be played"), "{error}");
    assert_eq!(tournament.standings().games, 0);
}

#[test]
fn a_rebuilt_program_is_another_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    fs::write(&bot, "#!/bin/sh\nexit 3\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    let text = "game = \"flood\"\n[boards]\nsetup = \"4x4\"\n[entrants]\nours = \"./bot\"\nx = \"random\"\n";
    let file = folder.path().join("cup.toml");
    fs::write(&file, text).unwrap();
    let mut tournament = opened(folder.path(), text);
    // Played on a sandbox without layers, which is enough for a program that only exits.
    let helper = std::path::Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    let sandbox = floe_arena::seat::Sandbox::with_layers(helper, floe_sandbox::Layers::NONE);
    let runner = tournament.runner(sandbox, 1, None);
    let ended = tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap();
    assert_eq!(ended, Ended::Finished);
    let results = tournament.standings();
    let ours = results.rows.iter().find(|row| row.name == "ours").unwrap();
    assert_eq!(ours.faults.values().sum::<u64>(), 2, "{ours:?}");
    drop(tournament);
    fs::write(&bot, "#!/bin/sh\nexit 4\n").unwrap();
    let error = Tournament::open(Description::load(&file).unwrap(), false).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the program of ours has changed"),
        "{error}"
    );
}

#[test]
fn a_fresh_start_keeps_what_was() {
    let text = small("");
    let (folder, results) = whole(&text);
    let file = folder.path().join("cup.toml");
    let description = Description::load(&file).unwrap();
    let aside = Tournament::start_anew(&description).unwrap().unwrap();
    assert_eq!(aside, folder.path().join("cup.1.jsonl"));
    assert_eq!(read_file(&aside).unwrap().count() as u64, results.games);
    let tournament = opened(folder.path(), &text);
    assert_eq!(tournament.store().games().unwrap(), 0);
    let error = Tournament::start_anew(&description)
        .unwrap_err()
        .to_string();
    assert!(error.contains("is in use"), "{error}");
}

#[test]
fn nobody_plays_the_same_tournament_twice_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = small("");
    let running = opened(folder.path(), &text);
    let description = Description::load(&folder.path().join("cup.toml")).unwrap();
    let error = Tournament::open(description.clone(), false).unwrap_err();
    assert!(
        error.to_string().contains("another floe is playing"),
        "{error}"
    );
    // Looking is allowed.
    assert_eq!(
        Tournament::open_read_only(description)
            .unwrap()
            .standings()
            .games,
        0
    );
    drop(running);
}

#[test]
fn trouble_of_the_machine_is_no_result() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    fs::write(&bot, "#!/bin/sh\nexit 3\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    let text = "game = \"flood\"\n[boards]\nsetup = \"4x4\"\n[entrants]\nours = \"./bot\"\nx = \"random\"\n";
    let mut tournament = opened(folder.path(), text);
    let helper = folder.path().join("there is no helper");
    let sandbox = floe_arena::seat::Sandbox::with_layers(&helper, floe_sandbox::Layers::NONE);
    let runner = tournament.runner(sandbox, 1, None);
    let error = tournament
        .run(&runner, &Default::default(), |_, _| {})
        .unwrap_err();
    assert!(matches!(error, TournamentError::Runner(_)), "{error}");
    assert_eq!(tournament.store().games().unwrap(), 0);
    assert_eq!(fs::read(folder.path().join("cup.jsonl")).unwrap(), b"");
}

#[test]
fn an_even_match_of_a_knockout_is_decided_by_margins_where_the_contest_parts_equals_by_them() {
    let mut decisions = Vec::new();
    for seed in 1..=12 {
        let text = format!(
            "game = 'flood'\nformat = 'knockout'\nextra = 0\n[boards]\nsetup = '4x4'\n\
             seed = {seed}\ncount = 1\n[entrants]\nhungry = 'greedy:seed=1'\nlucky = 'random'\n"
        );
        let (_folder, results) = whole(&text);
        let bout = &results.bouts[0];
        let best = results
            .rows
            .iter()
            .max_by_key(|row| row.margin.unwrap().sum);
        let best = best.unwrap();
        let decision = bout.decision.unwrap();
        let is_even = bout.points[0] == bout.points[1];
        let has_margin = best.margin.unwrap().sum != 0;
        let expected = match (is_even, has_margin) {
            (false, _) => DecidedBy::Points,
            (true, true) => DecidedBy::Margins,
            (true, false) => DecidedBy::Coin,
        };
        assert_eq!(decision, expected, "seed {seed}");
        if decision == DecidedBy::Margins {
            assert_eq!(bout.winner.as_ref(), Some(&best.name));
            assert!(markdown(&results).contains(&format!("{} (by margins) |", best.name)));
            assert!(json(&results).contains("\"decision\":\"margins\""));
        }
        decisions.push(decision);
    }
    assert!(decisions.contains(&DecidedBy::Margins), "{decisions:?}");
}

/// Engines that always play alike, in a game that always starts alike.
fn alike(openings: &str) -> String {
    format!(
        "game = \"gamma\"\n[boards]\nsetup = \"5x5\"\ncount = 4\n{openings}\n[entrants]\n\
         one = \"floe:nodes=60\"\ntwo = \"floe:nodes=30\"\nthree = \"floe:nodes=90\"\n"
    )
}

#[test]
fn repeats_are_counted_once_in_ratings_also_after_a_kill() {
    let (_, with) = whole(&alike(""));
    assert_eq!((with.games, with.different), (24, 24));
    assert_eq!(with.progress(), "24 of 24 games");
    let text = alike("openings = \"none\"");
    let (_, without) = whole(&text);
    assert_eq!((without.games, without.different), (24, 6));
    assert_eq!(without.progress(), "24 of 24 games, 6 different");
    assert!(
        without
            .rows
            .iter()
            .all(|row| (row.games, row.different) == (16, 4))
    );
    assert!(markdown(&without).contains("24 games, 6 different."));
    let (_, once) = whole(&text.replace("count = 4", "count = 1"));
    for (row, lone) in without.rows.iter().zip(&once.rows) {
        assert_eq!((&row.name, row.elo), (&lone.name, lone.elo));
        assert_eq!(row.wins, 4 * lone.wins);
    }
    // Stopped after some games and read from its records again.
    let folder = tempfile::tempdir().unwrap();
    let mut tournament = opened(folder.path(), &text);
    play(&mut tournament, 2, 7);
    drop(tournament);
    fs::remove_file(folder.path().join("cup.sqlite")).unwrap();
    let mut tournament = opened(folder.path(), &text);
    assert_eq!(play(&mut tournament, 2, u64::MAX), Ended::Finished);
    assert_eq!(timeless(tournament.standings()), without);
}

#[test]
fn games_without_openings_go_on_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut tournament = opened(folder.path(), &alike("openings = \"none\""));
    play(&mut tournament, 1, 4);
    drop(tournament);
    let file = folder.path().join("cup.toml");
    fs::write(&file, alike("")).unwrap();
    let refused = Tournament::open(Description::load(&file).unwrap(), true).unwrap_err();
    let why = refused.to_string();
    assert!(
        why.contains("to resume, write openings = \"none\" under [boards]"),
        "{why}"
    );
    let mut tournament = opened(folder.path(), &alike("openings = \"none\""));
    assert_eq!(play(&mut tournament, 1, u64::MAX), Ended::Finished);
}

#[test]
fn a_description_says_how_boards_begin() {
    let folder = tempfile::tempdir().unwrap();
    let described = |openings: &str| {
        let file = folder.path().join("cup.toml");
        Description::read(&alike(openings), &file).map_err(|error| error.to_string())
    };
    let moves = |openings: &str| {
        let boards = described(openings).unwrap().boards;
        boards.open(0).unwrap().1.opening.len()
    };
    assert_eq!(
        [
            moves(""),
            moves("openings = \"none\""),
            moves("openings = 3")
        ],
        [2, 0, 3]
    );
    let why = described("openings = 0").unwrap_err();
    assert!(
        why.contains("cup.toml:5:12: openings have 1 to 200 moves"),
        "{why}"
    );
    let why = described("openings = true").unwrap_err();
    assert!(
        why.contains("cup.toml:5:12: openings are \"none\", a number of moves"),
        "{why}"
    );
    let why = described("openings = \"book.txt\"").unwrap_err();
    assert!(why.contains("cup.toml:5:12: book.txt: "), "{why}");
    fs::write(folder.path().join("book.txt"), "a1 b2\na1 a1\n").unwrap();
    let why = described("openings = \"book.txt\"").unwrap_err();
    assert!(why.contains("book.txt:2:4: "), "{why}");
    fs::write(folder.path().join("book.txt"), "a1 b2\nc1 a3\n").unwrap();
    let listed = described("openings = \"book.txt\"").unwrap().boards;
    assert_eq!(listed.count(), Some(2));
}
