//! Any text as a setup and as a move of any game: what is accepted prints as itself.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in floe_arena::games() {
        if let Ok(setup) = game.setup(text) {
            assert_eq!(game.setup(&setup).as_ref(), Ok(&setup));
        }
        let mut table = game
            .start(&game.default_setup(), 1)
            .expect("the default can be started");
        let before = table.clone_table();
        match table.check(text) {
            Ok(()) => {
                assert!(table.moves().iter().any(|mv| mv == text), "{text}");
                table.play(text).expect("it was checked");
            }
            Err(_) => {
                table.play(text).expect_err("it was refused");
                assert!(table.is_same(&*before));
            }
        }
    }
});
