use super::super::tests::played;
use super::*;
use crate::theme::Theme;

const LOOK: Look = Look {
    color: false,
    unicode: false,
    columns: Some(80),
    theme: Theme::None,
};

/// All that is printed when these lines are typed.
fn said(begin: Begin, home: &Home, lines: &str) -> String {
    let mut out = Vec::new();
    run(begin, home, &mut lines.as_bytes(), &mut out, LOOK).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_whole_game_of_every_kind_by_lines() {
    for game in floe_games::games() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        // The first move there is, over and over.
        let mut twin = played(game.name(), "4x3", "human", 0);
        let mut lines = String::new();
        while twin.turn().is_some() {
            let mv = twin.position().moves().swap_remove(0);
            lines.push_str(&format!("{mv}\n"));
            twin.make(&mv, Duration::ZERO, String::new()).unwrap();
        }
        let session = played(game.name(), "4x3", "human", 0);
        let text = said(Begin::Play(Box::new(session)), &home, &lines);
        assert!(text.contains("The game is over.\n"), "{text}");
        assert!(text.is_ascii(), "{text}");
        assert!(recorder::resume(&home).is_err(), "it is kept as finished");
    }
}

#[test]
fn words_are_answered_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let session = played("gamma", "3x2", "human,greedy:seed=1", 0);
    let lines = "help\nmoves\nz9\nnonsense\nundo\na1\nundo\nb1\nhint\npass\nquit\n";
    let text = said(Begin::Play(Box::new(session)), &home, lines);
    for words in [
        "Gamma, 3 by 2. You are player 1. greedy:seed=1 is player 2.",
        "Take a free field, anywhere.",
        "moves: list the moves you can make.",
        "6 moves:\na1 b1 c1 a2 b2 c2\n",
        "Type moves to list all moves.",
        "There is nothing to undo.",
        "Turn 1. You played a1 and took 1 field.",
        "Turn 2. greedy:seed=1 played ",
        "Turn 3. Your turn. You have 0 fields. greedy:seed=1 has 1 field.",
        "Undone: a1, ",
        "You played b1",
        "Hint: ",
        "You passed.",
        "The game is saved",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    // What was played goes on, with everything that was taken back gone.
    let text = said(Begin::Resume, &home, "");
    assert!(text.contains("Your move: "), "{text}");
}

#[test]
fn clocks_run_line_by_line_too_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let clocked = |used: u64| {
        let mut session = played("gamma", "3x2", "human", 0);
        session.set_time_control("60m+10s".parse().unwrap());
        let used = Duration::from_secs(used);
        session.make("a1", used, String::new()).unwrap();
        session.make("c2", used, String::new()).unwrap();
        Begin::Play(Box::new(session))
    };
    // Half an hour used, and ten seconds more for a move.
    let text = said(clocked(1800), &home, "moves\na2\nquit\n");
    assert!(text.contains("Move of player 1 (30:10 left): "), "{text}");
    assert!(text.contains("player 1 played a2"), "{text}");
    // Time is over: the move does not count.
    let text = said(clocked(3700), &home, "a2\nb2\n");
    assert!(text.contains("The time of player 1 is over."), "{text}");
    assert!(!text.contains("played a2"), "{text}");
    // What goes on, goes on with its clocks.
    let mut session = played("gamma", "3x2", "human", 0);
    session.set_time_control("60m+10s".parse().unwrap());
    said(Begin::Play(Box::new(session)), &home, "a1\nquit\n");
    let text = said(Begin::Resume, &home, "");
    assert!(text.contains("Move of player 2 (1:00:00 left): "), "{text}");
}

#[test]
fn a_game_is_asked_for() {
    let home = Home::default();
    let text = said(Begin::Choose, &home, "chess\nflood\nrules\nquit\n");
    for words in [
        "Which game? ",
        "chess",
        "Flood Wars, 20 by 20.",
        "the higher score wins",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert_eq!(
        said(Begin::Choose, &home, "")
            .matches("Which game?")
            .count(),
        1
    );
}

#[test]
fn a_game_is_said_to_be_saved_only_if_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let begin = || Begin::Play(Box::new(played("gamma", "3x2", "human,human", 0)));
    for home in [Home::at(&file), Home::default()] {
        for lines in ["a1\nquit\n", "a1\n"] {
            let text = said(begin(), &home, lines);
            assert!(text.contains("The game is not saved: "), "{text}");
            let words = text.replace('\n', " ");
            assert!(words.contains("set FLOE_HOME to a folder"), "{text}");
            assert!(text.ends_with("The game is not saved.\n"), "{text}");
            assert!(!text.contains("is saved"), "{text}");
        }
        // A copy can be saved all the same.
        let copy = folder.path().join("copy.jsonl");
        let lines = format!("a1\nsave\nsave {}\nquit\n", copy.display());
        let text = said(begin(), &home, &lines);
        assert!(text.contains("Type save and a file"), "{text}");
        assert!(
            text.contains("Saved. To look at the game: floe replay "),
            "{text}"
        );
        assert_eq!(recorder::last_record(&copy).unwrap().moves().len(), 1);
        let text = said(
            begin(),
            &home,
            &format!("save {}/x\nquit\n", file.display()),
        );
        assert!(text.contains("The game is not saved there."), "{text}");
        std::fs::remove_file(copy).unwrap();
    }
    let home = Home::at(folder.path());
    for lines in ["a1\nquit\n", "a1\n"] {
        let text = said(begin(), &home, lines);
        assert!(text.contains("The game is saved: resume it with"), "{text}");
    }
    let text = said(begin(), &home, "quit\n");
    assert!(text.contains("No move was made"), "{text}");
}

#[test]
fn the_tour_goes_by_lines_too() {
    let home = Home::default();
    for game in floe_games::games() {
        let steps = game.lesson().iter().take(3);
        let solutions: Vec<&str> = steps.map(|step| step.solutions[0]).collect();
        let start = game.start(game.first_setup(), 1).unwrap();
        let first = start.moves().swap_remove(0);
        let lines = format!("nonsense\nmoves\n{}\n{first}\n", solutions.join("\n"));
        let text = said(Begin::Tour(game), &home, &lines);
        for words in [
            "in 6 steps",
            "Type one of these moves: ",
            "nonsense: ",
            "Floe's best move is ",
            "The moves: ",
            "Place 1: ",
            "Place 3: ",
            "That was the tour.",
        ] {
            assert!(text.contains(words), "{words}\n{text}");
        }
        let text = said(Begin::Tour(game), &home, "quit\n");
        assert!(text.contains("The tour ends here."), "{text}");
        assert!(said(Begin::Tour(game), &home, "").contains("The tour ends here."));
    }
}
