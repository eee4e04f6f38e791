//! A game outside the registry, written against the traits alone, does all that the games in it
//! do: a fourth game is a folder in `rules`, a row in the registry and a perft file.

mod shy;
mod suite;

use floe_games::{AnyGame, GameEntry, MoveError, StartError};
use floe_search::Roster;
use shy::Shy;
use suite::contract::contract;
use suite::perft::{blocks, check_block};

/// Its row, had it one in the registry.
static SHY: GameEntry<Shy> = GameEntry(Roster::generic());

const PERFT: &str = "
setup 3x3,players=1 seed 0
1 9 # anywhere
2 48 # two of nine fields, but for the twelve pairs of neighbours, in either order

setup 3x2,players=2 seed 0
1 6
2 30

setup 2x2,players=3 seed 1
1 4
2 12
3 24
4 24
5 24
";

#[test]
fn it_keeps_the_contract() {
    contract(&SHY, PERFT);
}

#[test]
fn it_has_a_perft_file() {
    for block in blocks(PERFT) {
        check_block(&SHY, &block);
    }
}

#[test]
fn it_is_played_as_text() {
    let game: &'static dyn AnyGame = &SHY;
    let mut position = game.start("3x1,players=2", 0).unwrap();
    assert_eq!(position.moves(), ["a1", "b1", "c1"]);
    position.play("b1").unwrap();

    let error = position.play("b").unwrap_err();
    assert!(matches!(error, MoveError::Unreadable(_)));
    assert_eq!(error.to_string(), "expected a row number");
    let error = position.play("b1").unwrap_err();
    assert!(matches!(error, MoveError::Illegal(_)));
    assert_eq!(error.to_string(), "somebody sits on b1");

    position.play("a1").unwrap();
    assert_eq!(
        position.turn().unwrap().number(),
        2,
        "the first player has no seat left"
    );
    position.play("c1").unwrap();
    assert_eq!(position.outcome().unwrap().places(), [2, 1]);
    assert_eq!(position.write(), "2 -\n212\n");
    assert_eq!(
        position
            .dialect("whole")
            .unwrap()
            .answer(None, "2 -\n212\n")
            .unwrap_err()
            .to_string(),
        "2:1: nobody sat down"
    );
}

#[test]
fn a_bad_setup_is_told_apart_from_an_impossible_one() {
    let game: &'static dyn AnyGame = &SHY;
    let error = game.start("4x4,colour=red", 0).err().unwrap();
    assert!(
        matches!(&error, StartError::Unreadable(e) if e.column == 5),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "setup: 1:5: unknown setting `colour=red`"
    );
    let error = game.start("0x4", 0).err().unwrap();
    assert_eq!(error.to_string(), "a side is 1 to 100 fields long");
}
