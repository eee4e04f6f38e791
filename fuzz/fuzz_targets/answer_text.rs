//! Any text as a program's answer in any dialect: it stands for a legal move or is refused. The
//! first bytes choose the game, the dialect, the position, and how an honest answer is damaged.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_fuzz::fuzz_target;

fuzz_target!(|data: (u8, u8, u8, u8, Vec<(u16, u8)>, String)| {
    let (game, dialect, moves, kind, damage, text) = data;
    let games = floe_games::games();
    let game = games[usize::from(game) % games.len()];
    let dialects = game.dialects();
    if dialects.is_empty() {
        return;
    }
    let dialect = dialects[usize::from(dialect) % dialects.len()];
    let mut position = game
        .start(&game.default_setup(), u64::from(kind / 2))
        .expect("it starts");
    for step in 0..moves {
        let all = position.moves();
        let Some(mv) = all.get(usize::from(step) * 7 % all.len().max(1)) else {
            return;
        };
        position.play(mv).expect("a listed move is legal");
    }
    if position.turn().is_none() {
        return;
    }
    let Ok(dialect) = position.dialect(dialect) else {
        return;
    };
    let answer = if kind % 2 == 0 {
        text
    } else {
        let mv = position.moves().swap_remove(0);
        let reply = dialect.reply(None, &mv).expect("a listed move is legal");
        let mut bytes = reply.into_bytes();
        for (at, byte) in damage {
            let length = bytes.len().max(1);
            if let Some(place) = bytes.get_mut(usize::from(at) % length) {
                *place = byte;
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    if let Ok(answer) = dialect.answer(None, &answer) {
        position
            .check(&answer.mv)
            .expect("an accepted answer is a legal move");
    }
});
