//! A game outside the registry, written against the traits alone, does all that the games in it
//! do: a fourth game is a folder in `rules`, a row in the registry and a perft file.

mod shy;
mod suite;

use floe_arena::{AnyGame, Entry, MoveError, StartError};
use floe_search::Roster;
use shy::Shy;
use suite::contract::contract;
use suite::perft::{blocks, check_block};

/// Its row, had it one in the registry.
static SHY: Entry<Shy> = Entry(Roster::generic());

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
    let mut table = game.start("3x1,players=2", 0).unwrap();
    assert_eq!(table.moves(), ["a1", "b1", "c1"]);
    table.play("b1").unwrap();

    let error = table.play("b").unwrap_err();
    assert!(matches!(error, MoveError::Unreadable(_)));
    assert_eq!(error.to_string(), "expected a row number");
    let error = table.play("b1").unwrap_err();
    assert!(matches!(error, MoveError::Illegal(_)));
    assert_eq!(error.to_string(), "somebody sits on b1");

    table.play("a1").unwrap();
    assert_eq!(
        table.turn().unwrap().number(),
        2,
        "the first player has no seat left"
    );
    table.play("c1").unwrap();
    assert_eq!(table.outcome().unwrap().places(), [2, 1]);
    assert_eq!(table.write(), "2 -\n212\n");
    assert_eq!(
        table
            .speech("whole")
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

#[cfg(target_os = "linux")]
#[test]
fn its_programs_are_checked_like_any_others() {
    use floe_arena::checkup::{self, Verdict};
    use floe_arena::record::Terms;
    use floe_arena::seat::{Ground, Seat};
    let game: &'static dyn AnyGame = &SHY;
    let helper = env!("CARGO_BIN_EXE_floe-keeper");
    let ground = Ground::find(helper.as_ref(), 0, 0).unwrap();
    let terms = Terms {
        move_ms: 60_000,
        ..Terms::default()
    };
    // It says the position over again, and never sits down.
    for word in ["/bin/cat", "line:/bin/cat"] {
        let Seat::Program(program) = Seat::read(word, game, ".".as_ref()).unwrap() else {
            panic!("{word} is a program");
        };
        let mut findings = Vec::new();
        let mut tell = |finding| findings.push(finding);
        checkup::check(game, &program, &ground, &terms, &mut tell).unwrap();
        let is_failed = |finding: &checkup::Finding| finding.verdict == Verdict::Failed;
        assert!(findings.iter().all(is_failed), "{findings:?}");
        let sizes = ["12x1", "1x12", "20x20"].map(|size| {
            findings
                .iter()
                .any(|finding| finding.case.starts_with(size))
        });
        assert_eq!(sizes, [word == "/bin/cat"; 3]);
    }
}
