//! Any bytes as a game of any kind: every position keeps its promises, and the game ends.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_fuzz::fuzz_target;

fuzz_target!(|data: (u8, u8, u8, u8, u64, Vec<u8>)| {
    let (game, columns, rows, players, seed, choices) = data;
    let games = floe_games::games();
    let game = games[usize::from(game) % games.len()];
    let seats = game.seats();
    let players = (u32::from(players) % 4 + 1).clamp(*seats.start(), *seats.end());
    let mut setup = format!("{}x{}", columns % 9 + 1, rows % 9 + 1);
    if seats.end() > seats.start() {
        setup = format!("{setup},players={players}");
    }
    let Ok(mut position) = game.start(&setup, seed) else {
        return;
    };
    for choice in choices {
        let all = position.moves();
        assert_eq!(all.is_empty(), position.turn().is_none());
        let Some(mv) = all.get(usize::from(choice) % all.len().max(1)) else {
            break;
        };
        position
            .play(mv)
            .unwrap_or_else(|error| panic!("{mv}: {error}\n{}", position.write()));
        let read = game
            .read(&position.write())
            .expect("what is written can be read");
        assert!(read.is_same(&*position), "{}", position.write());
        assert_eq!(read.moves(), position.moves());
        assert_eq!(read.scores(), position.scores());
    }
});
