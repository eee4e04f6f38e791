//! How boards begin, and what repeats are worth.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use floe_arena::load::Reading;
use floe_arena::runner::{NamedSeat, Runner};
use floe_arena::schedule::Schedule;
use floe_arena::scoreboard::Scoreboard;
use floe_arena::seat::{Sandbox, Seat};
use floe_arena::store::GameSummary;
use floe_arena::{Boards, Openings};
use floe_games::find;

fn boards(game: &str, setup: &str, openings: &str, folder: &Path) -> Result<Boards, String> {
    let boards = Boards::made(find(game).unwrap(), setup, 1).map_err(|e| e.to_string())?;
    let openings = match openings {
        "" => Openings::default(),
        word => Openings::read(word, folder).map_err(|e| e.to_string())?,
    };
    boards.with_openings(openings).map_err(|e| e.to_string())
}

/// Plays so many boards and counts them, last game first if wanted.
fn played(boards: Boards, seats: [&str; 2], units: u64, backwards: bool) -> Scoreboard {
    let entrant = |word: &str| NamedSeat {
        name: word.to_owned(),
        seat: Seat::read(word, boards.game(), ".".as_ref()).unwrap(),
        limits: None,
    };
    let runner = Runner {
        entrants: seats.map(entrant).to_vec(),
        boards,
        limits: Default::default(),
        sandbox: Sandbox::none(),
        tables: 2,
        cores: None,
        live: Default::default(),
        meter: Reading::now,
    };
    let mut games = Vec::new();
    let schedule = Schedule::round_robin(2, 2, units, 0).unwrap();
    let ended = runner.run(
        schedule.pairings(),
        &Default::default(),
        |pairing, record| {
            record.verify().unwrap();
            games.push((GameSummary::of(&record, 0..0).unwrap(), pairing.seats));
            ControlFlow::Continue(())
        },
    );
    ended.unwrap();
    games.sort_by_key(|(game, _)| game.number);
    if backwards {
        games.reverse();
    }
    let mut scoreboard = Scoreboard::new(seats.map(str::to_owned), 2);
    for (game, seats) in &games {
        scoreboard.add(game, seats);
    }
    scoreboard
}

const ENGINES: [&str; 2] = ["floe:nodes=200", "floe:nodes=100"];

#[test]
fn openings_make_the_games_of_engines_different() {
    let here = Path::new(".");
    let without = played(
        boards("gamma", "6x6", "none", here).unwrap(),
        ENGINES,
        20,
        false,
    );
    assert_eq!((without.games(), without.different()), (40, 2));
    let with = played(
        boards("gamma", "6x6", "", here).unwrap(),
        ENGINES,
        20,
        false,
    );
    assert_eq!((with.games(), with.different()), (40, 40));
    assert_eq!(with.repeats_in_a_row(), 0);
}

#[test]
fn repeats_are_one_piece_of_evidence_in_any_order() {
    let here = Path::new(".");
    let none = || boards("gamma", "6x6", "none", here).unwrap();
    let once = played(none(), ENGINES, 1, false);
    for backwards in [false, true] {
        let often = played(none(), ENGINES, 20, backwards);
        assert_eq!(often.totals()[0].games, 40);
        assert_eq!(often.totals()[0].different, 2);
        assert_eq!(often.units(), 20);
        assert_eq!(often.repeats_in_a_row(), 19);
        assert_eq!(often.pairs(0, 1), once.pairs(0, 1));
        let elo = |board: &Scoreboard| board.ratings(None).ratings[0].elo;
        assert_eq!(elo(&often), elo(&once));
        let interval = |board: &Scoreboard| board.totals()[0].mean_margin().unwrap().1;
        assert_eq!(interval(&often), interval(&once));
        assert_eq!(often.met(0, 1).0, 40, "tables count every game");
    }
}

#[test]
fn boards_drawn_twice_are_noticed() {
    for (game, setup) in [("penguins", "3x2,penguins=1"), ("flood", "2x2")] {
        let boards = boards(game, setup, "", Path::new(".")).unwrap();
        assert!(!boards.has_openings());
        let starts: Vec<String> = (0..60).map(|n| boards.open(n).unwrap().1.start).collect();
        let different = starts.iter().collect::<BTreeSet<_>>().len() as u64;
        assert!(different < 60, "{game}: no board came twice");
        let played = played(boards, ENGINES, 60, false);
        assert_eq!(
            (played.games(), played.different()),
            (120, 2 * different),
            "{game}"
        );
    }
}

#[test]
fn all_rotations_play_the_same_opening() {
    let boards = boards("gamma", "6x6,players=3", "", Path::new(".")).unwrap();
    let runner = Runner {
        entrants: ["greedy", "random", "mcts:nodes=10"]
            .map(|word| NamedSeat {
                name: word.to_owned(),
                seat: Seat::read(word, boards.game(), ".".as_ref()).unwrap(),
                limits: None,
            })
            .to_vec(),
        boards,
        limits: Default::default(),
        sandbox: Sandbox::none(),
        tables: 1,
        cores: None,
        live: Default::default(),
        meter: Reading::now,
    };
    let schedule = Schedule::round_robin(3, 3, 4, 0).unwrap();
    let starts: Vec<String> = (schedule.pairings())
        .map(|pairing| runner.job(&pairing).unwrap().opening.start)
        .collect();
    for unit in starts.chunks(3) {
        assert!(unit.iter().all(|start| *start == unit[0]));
    }
    assert_eq!(starts.iter().collect::<BTreeSet<_>>().len(), 4);
}

#[test]
fn openings_come_from_a_file_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    fs::write(&file, "// a1 is a corner\na1 b2\n\nc3 d4 a2 a3\n").unwrap();
    let boards = boards("gamma", "5x5", "openings.txt", folder.path()).unwrap();
    assert_eq!((boards.count(), boards.different()), (Some(2), Some(2)));
    let opening = |number| boards.open(number).unwrap().1.opening.join(" ");
    assert_eq!(
        [opening(0), opening(1), opening(2)],
        ["a1 b2", "c3 d4 a2 a3", "a1 b2"]
    );
    // With boards from files, each is played with every opening.
    let start = find("gamma").unwrap().start("5x5", 1).unwrap();
    for (name, play) in [("one.txt", "e5"), ("two.txt", "e4")] {
        let mut position = start.clone_position();
        position.play(play).unwrap();
        fs::write(folder.path().join(name), position.write()).unwrap();
    }
    let files = ["one.txt", "two.txt"].map(|name| folder.path().join(name));
    let read = Boards::read(find("gamma").unwrap(), &files).unwrap();
    let openings = Openings::read("openings.txt", folder.path()).unwrap();
    let read = read.with_openings(openings).unwrap();
    assert_eq!((read.count(), read.different()), (Some(4), Some(4)));
    let (_, opening) = read.open(3).unwrap();
    assert_eq!(opening.opening.join(" "), "c3 d4 a2 a3");
    assert!(opening.opening_from.unwrap().contains('1'));
}

#[test]
fn what_is_wrong_with_openings_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let fail = |game: &str, text: &str, word: &str| {
        fs::write(folder.path().join("o.txt"), text).unwrap();
        boards(game, "5x5", word, folder.path()).unwrap_err()
    };
    let why = fail("gamma", "a1 b2\n\n a1  a1\n", "o.txt");
    assert!(why.starts_with("o.txt:3:6: `a1`: "), "{why}");
    assert!(why.contains("|  a1  a1\n  |      ^^"), "{why}");
    let why = fail("gamma", "a1 zz99\n", "o.txt");
    assert!(why.starts_with("o.txt:1:4: `zz99`: "), "{why}");
    let why = fail("gamma", "// nothing\n", "o.txt");
    assert!(why.starts_with("o.txt:1:1: there are no openings"), "{why}");
    let why = fail("gamma", "", "0");
    assert!(why.contains("1 to 200 moves, not 0"), "{why}");
    let why = fail("gamma", "", "150");
    assert!(
        why.starts_with("no opening of 150 moves leaves every seat a move"),
        "{why}"
    );
    let why = fail("gamma", "", "missing.txt");
    assert!(why.starts_with("missing.txt: "), "{why}");
    let why = fail("flood", "@\n", "o.txt");
    assert!(
        why.starts_with("Flood Wars draws different boards"),
        "{why}"
    );
    fs::write(folder.path().join("o.txt"), b"a1 \xff\n").unwrap();
    let why = boards("gamma", "5x5", "o.txt", folder.path()).unwrap_err();
    assert!(why.starts_with("o.txt:1:4: byte 0xff"), "{why}");
}

#[test]
fn random_openings_are_for_every_game_that_wants_them() {
    for (game, setup) in [
        ("penguins", "6x6,penguins=1"),
        ("flood", "6x6"),
        ("gamma", "6x6"),
    ] {
        let boards = boards(game, setup, "2", Path::new(".")).unwrap();
        let (position, opening) = boards.open(5).unwrap();
        assert_eq!(opening.opening.len(), 2, "{game}");
        assert_eq!(position.write(), opening.start);
        assert!(boards.is_of_board(5, &opening).unwrap());
        assert!(!boards.is_of_board(6, &opening).unwrap());
    }
}
