//! Penguins and Flood Wars line by line, played by scripts through pipes.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use floe_contest::dialogue::Dialogue;
use floe_rules::penguins::{Move, Penguins, Phase, Spot};
use floe_rules::random::Random;
use floe_rules::{Game, Outcome, Position, flood};
use proptest::prelude::*;

/// Runs a program on a script; gives what it printed, with nothing on standard error.
fn played(mut program: Command, arguments: &[&str], script: impl Into<Vec<u8>>) -> String {
    let program = program.args(arguments).write_stdin(script);
    let run = program.assert().success().stderr("");
    String::from_utf8(run.get_output().stdout.clone()).expect("text")
}

fn penguins(seed: u64, script: &str) -> String {
    let seed = format!("seed={seed}");
    played(cargo_bin_cmd!("penguins"), &["play", &seed], script)
}

fn floodwars(seed: u64, script: &str) -> String {
    let seed = format!("seed={seed}");
    played(cargo_bin_cmd!("floodwars"), &["play", &seed], script)
}

/// A dialogue with wrong answers at every question, to the letter.
#[test]
fn every_question_of_penguins() {
    let text = penguins(
        3,
        "?\n1\nten\n10\n2\nrobot\n\np\n0\n6\n1\n3 9\nbig\n4\n\
         9\n1 1\n4 0\n0 0\nx=2, y=0\n(0;2)\n0 2\n\
         0 2\n2 0\n2 3\n\n2 0 1 1\n2 0\n1 1\n1 0\n\
         quit\n",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn every_question_of_flood_wars() {
    let text = floodwars(
        2,
        "me\nrobot\nperson\n1\n4 3\nodd\nf\n0\n*\n+\nblue\n?\n@\n*\n\n2\n3\n1\n1\n2\n2\n1\n2\n",
    );
    insta::assert_snapshot!(text);
}

/// Plays a whole game with the rules at hand; gives the script and the final scores.
fn penguins_script(setup: &str, seed: u64) -> (String, Vec<i64>) {
    let mut position = Penguins::start(&setup.parse().expect("a setup"), seed).expect("a board");
    let mut random = Random::seeded(seed);
    let mut script = String::new();
    let rows = position.shape().rows();
    let xy = |spot: Spot| format!("{} {}", spot.column, rows - 1 - u32::from(spot.row));
    while position.turn().is_some() {
        let moves = position.legal_moves();
        let mv = moves[random.index(moves.len())];
        script += &match mv {
            Move::Place { to } => format!("{}\n", xy(to)),
            // All the ways to say it.
            Move::Slide { from, to } => match random.below(3) {
                0 => format!("{}\n{}\n", xy(from), xy(to)),
                1 => format!("{} {}\n", xy(from), xy(to)),
                _ => format!("{} -> {}\n", xy(from), xy(to)),
            },
        };
        position.play(mv).expect("a legal move");
    }
    assert_eq!(position.phase(), Phase::Movement);
    (script, position.scores())
}

#[test]
fn whole_games_of_penguins_end_with_the_scores_of_the_rules() {
    for (players, each, columns, rows, seed) in [
        (2, 2, 6, 5, 1),
        (3, 1, 4, 7, 2),
        (9, 5, 20, 20, 3),
        (4, 3, 10, 12, 4),
    ] {
        let setup = format!("{columns}x{rows},players={players},penguins={each}");
        let (moves, scores) = penguins_script(&setup, seed);
        let people = "person\n".repeat(players);
        let script = format!("{players}\n{people}{each}\n{columns} {rows}\n{moves}");
        let text = penguins(seed, &script);
        let (_, end) = text
            .split_once("No player can move: the game is over")
            .unwrap_or_else(|| panic!("{text}"));
        for (letter, score) in ('A'..).zip(&scores) {
            assert!(
                end.contains(&format!(". {letter:<12} {score:>3} fish\n")),
                "{end}"
            );
        }
        let outcome = Outcome::from_scores(scores);
        match outcome.winner() {
            Some(winner) => {
                let letter = char::from(b'A' + winner.index() as u8);
                assert!(end.ends_with(&format!("{letter} wins.\n")), "{end}");
            }
            None => assert!(end.ends_with("share the first place.\n"), "{end}"),
        }
    }
}

#[test]
fn engines_play_penguins_among_themselves_and_against_a_person() {
    let text = penguins(5, "3\neasy\nm\nhard\n1\n5 5\n");
    assert!(
        text.contains("No player can move: the game is over"),
        "{text}"
    );
    assert!(text.contains("C (hard) slides"), "{text}");
    // A person's wrong move is told, and the end of the script ends with the standing.
    let text = penguins(5, "\n\neasy\n1\n5 5\n7 7\n");
    assert!(text.contains("7 7 is off the board"), "{text}");
    assert!(
        text.contains("The game ends here. The standing:\n  1. A "),
        "{text}"
    );
    assert_eq!(
        text,
        penguins(5, "\n\neasy\n1\n5 5\n7 7"),
        "and does so again"
    );
}

#[test]
fn penguins_needs_neither_a_word_nor_a_seed() {
    let text = played(cargo_bin_cmd!("penguins"), &[], "2\ne\ne\n1\n4 4\n");
    assert!(text.contains("the game is over"), "{text}");
    let text = played(cargo_bin_cmd!("penguins"), &["play"], "");
    assert!(text.ends_with("No game was started.\n"), "{text}");
}

#[test]
fn a_board_too_small_for_all_penguins_is_asked_for_again_and_nothing_else() {
    let people = "p\n".repeat(9);
    let text = penguins(1, &format!("9\n{people}5\n4 4\n7x7\n8 8\n"));
    assert!(
        text.contains("9 players with 5 penguins each need 45 floes"),
        "{text}"
    );
    assert!(text.contains("A, place penguin 1 of 5"), "{text}");
    assert_eq!(text.matches("How many players").count(), 1);
}

#[test]
fn whole_games_of_flood_wars_end_with_the_scores_of_the_rules() {
    for (size, seed) in [("6x5", 1), ("13x10", 2), ("2x2", 3), ("30x3", 4)] {
        let setup = format!("{size},style=uniform").parse().expect("a setup");
        let mut position = flood::Flood::start(&setup, seed).expect("a board");
        let mut random = Random::seeded(seed);
        let mut script = format!("p\np\n{size}\nuniform\n");
        while position.turn().is_some() {
            let choice = random.index(3);
            let mv = position.legal_moves()[choice];
            script += &match random.below(2) {
                0 => format!("{}\n", choice + 1),
                _ => format!("{mv}\n"),
            };
            position.play(mv).expect("a legal move");
        }
        let text = floodwars(seed, &script);
        let (_, end) = text
            .split_once("The game is over")
            .unwrap_or_else(|| panic!("{text}"));
        let [j, s] = position.scores()[..] else {
            panic!("two players");
        };
        assert!(end.contains(&format!("and {j:>4} points: ")), "{end}");
        assert!(end.contains(&format!("and {s:>4} points: ")), "{end}");
        let last = match j - s {
            0 => "It is a draw.\n".to_owned(),
            1.. => format!("J wins by {}.\n", j - s),
            _ => format!("S wins by {}.\n", s - j),
        };
        assert!(end.ends_with(&last), "{end}");
    }
}

/// Two people who only wait: the move cap ends it.
#[test]
fn a_hundred_and_fifty_moves_end_flood_wars() {
    let text = floodwars(7, &format!("p\np\n50\nuniform\n{}", "1\n".repeat(150)));
    assert!(
        text.contains("Move 150 of at most 150: the end is near."),
        "{text}"
    );
    assert!(
        text.contains("The game is over: 150 moves are made."),
        "{text}"
    );
}

#[test]
fn engines_play_flood_wars() {
    let text = floodwars(7, "easy\nhard\n8 8\n\n");
    assert!(text.contains("S (hard) takes"), "{text}");
    assert!(
        text.contains("The game is over: only two colours are left."),
        "{text}"
    );
}

#[test]
fn flood_wars_without_a_word_is_the_contest_program_as_ever() {
    let board = "J\n@+#\n.*+\n";
    let text = played(cargo_bin_cmd!("floodwars"), &[], board);
    assert!(text.starts_with("S\n"), "{text}");
}

/// Numbers and words at random, through the library: it ends, and says where the game stands.
fn survives(play: fn(&mut Dialogue<'_>, u64) -> std::io::Result<()>, script: &[u8], seed: u64) {
    let mut input = script;
    let mut output = Vec::new();
    play(&mut Dialogue::new(&mut input, &mut output), seed).expect("nothing fails");
    let text = String::from_utf8(output).expect("text");
    let ends = [
        "fish\n",
        "No game was started.\n",
        "wins.\n",
        "first place.\n",
        "reach\n",
        "owned\n",
        "draw.\n",
    ];
    let is_end = |end: &&str| text.ends_with(*end);
    assert!(
        ends.iter().any(is_end) || text.contains(" wins by "),
        "{text}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_lines_are_survived(
        lines in proptest::collection::vec("[0-9]{1,2}( [0-9]){0,3}|[a-z?@#+.*-]{0,4}", 0..120),
        seed in 0_u64..1000,
    ) {
        // Mostly small games of people, so that there is something to play.
        let script = lines.join("\n");
        survives(floe_contest::penguins::play, script.as_bytes(), seed);
        let begun = format!("2\np\np\n2\n5 5\n{script}");
        survives(floe_contest::penguins::play, begun.as_bytes(), seed);
        survives(floe_contest::floodwars::play, script.as_bytes(), seed);
        survives(floe_contest::floodwars::play, format!("p\np\n6\n\n{script}").as_bytes(), seed);
    }

    #[test]
    fn any_bytes_are_survived(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        seed in 0_u64..1000,
    ) {
        survives(floe_contest::penguins::play, &bytes, seed);
        survives(floe_contest::floodwars::play, &bytes, seed);
    }
}
