//! Snapshots: each screen in colour, without, and in ASCII where that differs.

use floe_rules::Square;
use floe_search::Thought;
use ratatui::crossterm::event::KeyCode;

use super::super::screen::Marks;
use super::super::seat::PlayerSeat;
use super::super::stage::Stage;
use super::{ASCII, DARK, Input, PLAIN, Skin, Stand, Theme, after, coloured, plain, played};

/// The same screen in colour and without.
fn both(name: &str, make: impl Fn(Skin) -> Stand) {
    insta::assert_snapshot!(format!("{name}_colour"), coloured(&make(DARK).buffer()));
    insta::assert_snapshot!(format!("{name}_plain"), plain(&make(PLAIN).buffer()));
}

fn thought(best: &str, scores: &[i64], proven: bool) -> Thought<String> {
    Thought {
        best: best.to_owned(),
        scores: scores.to_vec(),
        depth: 11,
        nodes: 1000,
        line: vec![best.to_owned(), "b1".to_owned()],
        proven,
    }
}

#[test]
fn the_form() {
    let make = |skin| {
        let mut stand = Stand::new(skin, (80, 24));
        if let Stage::NewGame(form) = &mut stand.app.stage {
            form.seed = 5;
        }
        // Gamma's board is the same for every seed.
        stand.press(KeyCode::Right);
        stand.press(KeyCode::Down);
        stand
    };
    both("form", make);
    let mut stand = make(ASCII);
    stand.press(KeyCode::Down);
    stand.press(KeyCode::Down);
    stand.text("9by9");
    insta::assert_snapshot!("form_typed_ascii", stand.shown());
    stand.press(KeyCode::Enter);
    insta::assert_snapshot!("form_refused_ascii", stand.shown());
    stand.resize((40, 12));
    insta::assert_snapshot!("form_small_ascii", stand.shown());
}

#[test]
fn penguins() {
    both("penguins_placement", |skin| {
        let session = played("penguins", "6x5,penguins=2", "human,floe:medium", 2);
        Stand::game(skin, (100, 30), session)
    });
    let make = |skin| {
        let session = played("penguins", "6x5,penguins=2", "human,floe:medium", 4);
        let mut stand = Stand::game(skin, (100, 30), session);
        stand.press(KeyCode::Tab);
        stand.press(KeyCode::Enter);
        stand
    };
    both("penguins_lifted", make);
    insta::assert_snapshot!("penguins_lifted_ascii", make(ASCII).shown());
    for (name, theme) in [
        ("light", Theme::Light),
        ("colour_blind", Theme::ColourBlind),
        ("contrast", Theme::Contrast),
    ] {
        let skin = Skin {
            theme,
            unicode: true,
            before: None,
        };
        insta::assert_snapshot!(format!("penguins_{name}"), coloured(&make(skin).buffer()));
    }
}

#[test]
fn gamma_at_the_limit_with_golden_moves() {
    let make = |skin| {
        let moves = "c2 f4 c3 f3 d3 e4 d2 g3 b3 f5 d4 f2";
        let session = after("gamma", "7x5,areas=1", "human,floe:medium", moves);
        let mut stand = Stand::game(skin, (80, 24), session);
        let screen = stand.screen();
        screen.evaluation.is_shown = true;
        screen.evaluation.thought = Some(thought("c3", &[20, 15], false));
        stand
    };
    both("gamma", make);
    let mut stand = make(PLAIN);
    stand.press(KeyCode::Char('m'));
    assert_eq!(stand.screen().marks, Marks::Special);
    insta::assert_snapshot!("gamma_golden_plain", stand.shown());
}

#[test]
fn flood() {
    let make = |skin| {
        let session = played("flood", "8x6", "human,floe:medium", 10);
        let mut stand = Stand::game(skin, (100, 30), session);
        let screen = stand.screen();
        screen.hint = Some(screen.choices[1].notation.clone());
        screen.evaluation.is_shown = true;
        screen.evaluation.thought = Some(thought("@", &[25, 23], true));
        stand
    };
    both("flood", make);
    insta::assert_snapshot!("flood_ascii", make(ASCII).shown());
    let mut stand = make(PLAIN);
    stand.resize((40, 15));
    insta::assert_snapshot!("flood_narrow_plain", stand.shown());
}

#[test]
fn a_board_that_does_not_fit_scrolls_under_the_cursor() {
    both("scrolled", |skin| {
        let session = played("gamma", "50x50", "human,floe:medium", 40);
        let mut stand = Stand::game(skin, (80, 24), session);
        stand.screen().cursor = Square::new(40, 44);
        stand
    });
    let session = played("gamma", "50x50", "human,human,human", 9);
    let mut stand = Stand::game(ASCII, (40, 15), session);
    stand.press(KeyCode::Char('+'));
    insta::assert_snapshot!("scrolled_narrow_ascii", stand.shown());
}

#[test]
fn a_program_without_a_sandbox_is_warned_of() {
    // Nothing is started: it is not the program's turn.
    let make = |skin, size| {
        let mut session = played("gamma", "6x5,areas=2", "human,human", 2);
        session.seat(1, PlayerSeat::Gone("./bot".to_owned()));
        let mut stand = Stand::game(skin, size, session);
        stand.app.input(Input::Sandbox(0));
        stand
    };
    both("exposed", |skin| make(skin, (80, 24)));
    let mut stand = make(ASCII, (40, 15));
    insta::assert_snapshot!("exposed_narrow_ascii", stand.shown());
    // The words go with the next key, the mark beside the seat stays.
    stand.press(KeyCode::Left);
    assert!(!stand.shown().contains("your files"), "{}", stand.shown());
    assert!(stand.shown().contains("no sandbox!"), "{}", stand.shown());
    // Once is enough, and a sandbox is nothing to speak of.
    stand.app.input(Input::Sandbox(0));
    assert!(!stand.shown().contains("your files"), "{}", stand.shown());
    let mut stand = make(ASCII, (80, 24));
    stand.screen().is_exposed = false;
    stand.screen().message = None;
    stand.app.input(Input::Sandbox(1));
    assert!(!stand.shown().contains("sandbox"), "{}", stand.shown());
}

#[test]
fn a_terminal_that_is_too_small_says_what_is_needed() {
    both("too_small", |skin| {
        let session = played("gamma", "5x5", "human", 0);
        Stand::game(skin, (30, 8), session)
    });
}

#[test]
fn help_and_questions() {
    let game = |skin, size| {
        let session = played("flood", "6x4", "human,floe:medium", 2);
        Stand::game(skin, size, session)
    };
    let press = |code: KeyCode| {
        move |skin| {
            let mut stand = game(skin, (80, 40));
            stand.press(code);
            stand
        }
    };
    both("help", press(KeyCode::F(1)));
    both("quit", press(KeyCode::Char('q')));
    both("new", press(KeyCode::Char('n')));
    both("save", press(KeyCode::Char('s')));
    both("export", press(KeyCode::Char('X')));
    both("move", press(KeyCode::Char(':')));
    both("refusal", press(KeyCode::Char('9')));
    let mut small = game(ASCII, (40, 15));
    small.press(KeyCode::F(1));
    small.press(KeyCode::Down);
    insta::assert_snapshot!("help_small_ascii", small.shown());
}

/// A finished game in which the engine has thought about everything.
fn finished(skin: Skin, size: (u16, u16)) -> Stand {
    let session = played("gamma", "3x3,areas=1", "human,floe:medium", 99);
    let steps = session.turns().len();
    let mut stand = Stand::game(skin, size, session);
    for turn in 0..steps {
        let lead = if turn < 3 { 0 } else { 2 };
        let thought = thought("b2", &[4 + lead, 4], turn > 3);
        stand.screen().analysis.note(turn, thought);
    }
    stand
}

#[test]
fn the_end_and_the_look_back() {
    both("result", |skin| finished(skin, (80, 30)));
    insta::assert_snapshot!("result_small_ascii", finished(ASCII, (40, 15)).shown());
    let review = |skin| {
        let mut stand = finished(skin, (80, 24));
        stand.press(KeyCode::Char('r'));
        stand.press(KeyCode::End);
        stand.press(KeyCode::Left);
        stand.press(KeyCode::Left);
        stand
    };
    both("review", review);
    let mut stand = review(ASCII);
    stand.press(KeyCode::Char('E'));
    stand.press(KeyCode::Home);
    insta::assert_snapshot!("review_start_ascii", stand.shown());
    stand.press(KeyCode::F(1));
    insta::assert_snapshot!("review_help_ascii", stand.shown());
    stand.press(KeyCode::Esc);
    stand.press(KeyCode::Char('q'));
    assert!(
        stand.shown().contains("game over after"),
        "{}",
        stand.shown()
    );
}

#[test]
fn a_review_plays_the_better_line_on_the_board() {
    let session = after("gamma", "3x3", "human,human", "a1 c3 a2 b3");
    let mut stand = Stand::game(PLAIN, (80, 24), session);
    stand
        .app
        .review(after("gamma", "3x3", "human,human", "a1 c3 a2 b3"));
    let Stage::Review(review) = &mut stand.app.stage else {
        panic!("no review");
    };
    review.analysis.stop();
    let expected = ["b2", "b1", "b3"].map(str::to_owned).to_vec();
    let better = Thought {
        line: expected,
        ..thought("b2", &[4, 5], false)
    };
    review.analysis.note(1, better);
    review.analysis.note(2, thought("a2", &[6, 3], false));
    review.go(2);
    let shown = stand.shown();
    assert!(shown.contains("v plays the line after b2 here."), "{shown}");
    let board = |stand: &Stand| {
        stand
            .shown()
            .lines()
            .take(10)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let before = board(&stand);
    stand.text("v");
    let shown = stand.shown();
    let sentence = "Line after b2, move 1 of 3: b2. v plays on, Esc ends it.";
    assert!(shown.contains(sentence), "{shown}");
    assert_ne!(board(&stand), before);
    stand.text("vvv");
    let shown = stand.shown();
    let sentence = "Line after b2, move 3 of 3: b3. Esc ends it.";
    assert!(shown.contains(sentence), "{shown}");
    stand.press(KeyCode::Esc);
    assert_eq!(board(&stand), before);
    // Back before the first move, the game is shown again; without a line, Floe says so.
    stand.text("v");
    stand.press(KeyCode::Left);
    assert_eq!(board(&stand), before);
    stand.press(KeyCode::Home);
    stand.text("v");
    let shown = stand.shown();
    assert!(shown.contains("No better line is known here."), "{shown}");
}

#[test]
fn many_players_fit() {
    let session = played(
        "penguins",
        "10x10,players=9,penguins=1",
        "human,floe:easy",
        9,
    );
    let stand = Stand::game(PLAIN, (80, 24), session);
    insta::assert_snapshot!("nine_players_plain", stand.shown());
}

#[test]
fn an_ascii_terminal_gets_ascii() {
    for game in floe_games::games() {
        let session = played(game.name(), "9x8", "human,floe:medium", 4);
        let mut stand = Stand::game(ASCII, (100, 40), session);
        for code in [KeyCode::F(1), KeyCode::Char('q'), KeyCode::Char('e')] {
            assert!(stand.shown().is_ascii(), "{}", stand.shown());
            stand.press(code);
            assert!(stand.shown().is_ascii(), "{}", stand.shown());
            stand.press(KeyCode::Esc);
        }
    }
}

#[test]
fn nothing_breaks_at_any_size() {
    for game in floe_games::games() {
        for moves in [0, 6, 999] {
            let session = played(game.name(), "7x6", "human,floe:medium", moves - moves % 2);
            let mut stand = Stand::game(DARK, (80, 24), session);
            for width in (1..140).step_by(13) {
                for height in 1..45 {
                    stand.resize((width, height));
                    stand.buffer();
                }
            }
        }
    }
}
