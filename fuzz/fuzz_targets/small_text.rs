//! Any text as a setup and as a move of any game: what is accepted prints as itself.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    for game in floe_games::games() {
        if let Ok(setup) = game.setup(text) {
            assert_eq!(game.setup(&setup).as_ref(), Ok(&setup));
        }
        let mut position = game
            .start(&game.default_setup(), 1)
            .expect("the default can be started");
        let before = position.clone_position();
        match position.check(text) {
            Ok(()) => {
                assert!(position.moves().iter().any(|mv| mv == text), "{text}");
                position.play(text).expect("it was checked");
            }
            Err(_) => {
                position.play(text).expect_err("it was refused");
                assert!(position.is_same(&*before));
            }
        }
    }
});
