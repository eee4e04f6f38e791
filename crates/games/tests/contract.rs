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
