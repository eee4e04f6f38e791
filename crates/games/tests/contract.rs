//! Every game of the registry keeps its promises.

mod suite;

use floe_games::{GameEntry, GameVisitor, each_game};
use floe_rules::Game;
use floe_search::Kind;

#[test]
fn every_game_keeps_the_contract() {
    struct Contract;
    impl GameVisitor for Contract {
        fn visit<G: Game>(&mut self, row: &'static GameEntry<G>) {
            let file = format!("../rules/tests/perft/{}.txt", G::NAME);
            let perft_file = std::fs::read_to_string(file).unwrap_or_default();
            suite::contract::contract(row, &perft_file);
        }
    }
    each_game(&mut Contract);
}

#[test]
fn every_game_tells_people_what_they_need() {
    for game in floe_games::games() {
        let name = game.name();
        assert!(name.bytes().all(|b| b.is_ascii_lowercase()), "{name}");
        assert!(!game.title().is_empty());
        assert!(*game.seats().start() >= 1 && !game.seats().is_empty());
        assert!(!game.setup_help().trim().is_empty(), "{name}");
        assert_eq!(game.setup("").unwrap(), game.default_setup());
    }
}

#[test]
fn an_engine_refuses_a_table_of_another_game() {
    let games = floe_games::games();
    for engine in &games {
        for table in games.iter().filter(|game| game.name() != engine.name()) {
            let mut thinker = engine.engine(&Kind::Random.into());
            let table = table.start("", 1).unwrap();
            let error = thinker.think(&*table, &Default::default()).unwrap_err();
            assert!(error.to_string().contains(engine.name()), "{error}");
            let ranked = thinker.rank(&*table, &Default::default(), 3);
            assert_eq!(ranked.unwrap_err(), error);
        }
    }
}

/// Whatever is painted reads back as painted, or is an error with a place in the text.
#[test]
fn every_board_can_be_painted() {
    for game in floe_games::games() {
        let mut position = game.start("", 3).unwrap();
        for _ in 0..20 {
            let text = position.write();
            let brushes = game.brushes(&text);
            // A game need not have an editor; one that has paints fields.
            let has_fields = brushes.iter().any(|brush| brush.is_on_field);
            assert!(has_fields || brushes.is_empty(), "{}", game.name());
            for (i, brush) in brushes.iter().enumerate() {
                let view = position.view();
                let square = floe_rules::Square::new(
                    (i as u32 * 3 + 1) % view.width,
                    (i as u32 * 5 + 2) % view.height,
                );
                let at = brush.is_on_field.then_some(square);
                let painted = game.paint(&text, at, &brush.word).unwrap();
                let mut report = floe_rules::Report::new();
                match game.parse(&painted, &mut report) {
                    Some(read) => {
                        let view = read.view();
                        let cell = view.cell(square).unwrap();
                        let is_shown = brush.shade.is_none_or(|shade| shade == cell.shade);
                        // A corner may be somebody's home whatever is painted on it.
                        let is_owned = brush.owner.is_none() || brush.owner == cell.owner;
                        assert!(
                            !brush.is_on_field || (is_shown && is_owned),
                            "{painted}{brush:?}"
                        );
                        assert_eq!(*game.read(&read.write()).unwrap(), *read);
                    }
                    None => {
                        let error = &report.errors[0];
                        let lines = painted.lines().count() as u32 + 1;
                        assert!((1..=lines).contains(&error.line), "{painted}{error:?}");
                    }
                }
                if brush.is_on_field {
                    let again = game.paint(&painted, at, &brush.word).unwrap();
                    assert_eq!(again, painted);
                    let off = floe_rules::Square::new(view.width, view.height);
                    assert!(game.paint(&text, Some(off), &brush.word).is_err());
                    assert!(game.paint(&text, None, &brush.word).is_err());
                }
            }
            for word in ["", "turn=99", "\u{202e}", "99", "golden="] {
                assert!(game.paint(&text, None, word).is_err(), "{word}");
            }
            for wrong in ["", "\n\n", "99999999999 1 2\n", "x", "\u{1f427}\n1"] {
                let brushes = game.brushes(wrong);
                for word in brushes.iter().map(|brush| brush.word.as_str()) {
                    let _ = game.paint(wrong, Some(floe_rules::Square::new(0, 0)), word);
                }
            }
            let moves = position.moves();
            let Some(mv) = moves.get(moves.len() / 2) else {
                break;
            };
            position.play(mv).unwrap();
        }
    }
}
