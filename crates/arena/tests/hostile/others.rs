//! What becomes of the others at a table, and of a game when the machine fails it.

use std::process::Command;

use floe_arena::referee::NoRecord;
use floe_arena::seat::Sandbox;
use floe_games::{Fault, FaultKind, Reason};
use floe_rules::Player;
use floe_sandbox::Layers;

use super::*;
use crate::support::{AS_USER, helper, hostile, mark};

/// Says that this process is a referee whose machine is in trouble.
const IN_TROUBLE: &str = "FLOE_HOSTILE_IN_TROUBLE";

#[test]
fn others_play_on_without_an_offender() {
    let mark = mark();
    let rogue = Way::Penguins.word("exit=7", &mark);
    for seat in 0..3 {
        let mut words = ["greedy", "greedy", "greedy"];
        words[seat] = &rogue;
        let setup = "6x6,players=3,penguins=2";
        let record = referee("penguins", setup, &words, patient(), sandbox()).unwrap();
        let faults: Vec<&Fault> = record.faults().collect();
        assert_eq!((faults.len(), faults[0].seat), (1, seat as u32 + 1));
        let end = record.end.as_ref().unwrap();
        assert_eq!((end.reason, end.places[seat]), (Reason::Finished, 3));
        let others = record
            .moves()
            .iter()
            .filter(|made| made.seat != faults[0].seat)
            .count();
        assert!(others > 6, "{others}");
        record.verify().unwrap();
    }
    // Out in the middle: what it has placed stays where it is.
    let rogue = Way::Penguins.word("steal", &mark);
    let words = ["greedy", &rogue, "greedy"];
    let setup = "6x6,players=3,penguins=2,water=0";
    let record = referee("penguins", setup, &words, patient(), sandbox()).unwrap();
    let fault = record.faults().next().unwrap();
    assert_eq!((fault.seat, fault.kind), (2, FaultKind::FileTampering));
    let play = record.verify().unwrap();
    assert_eq!(play.out(), [Player::new(1)]);
    let board = play.position().board();
    assert_eq!(board.matches("02").count(), 2, "{board}");

    let rogue = "line:/bin/cat";
    let words = ["greedy", rogue, "greedy"];
    let record = referee("gamma", "5x5,players=3", &words, patient(), sandbox()).unwrap();
    let end = record.end.as_ref().unwrap();
    assert_eq!((end.reason, end.places[1]), (Reason::Finished, 3));
    assert_eq!(record.faults().count(), 1);
    record.verify().unwrap();
    // Two of three: the third has won.
    let words = [rogue, "greedy", rogue];
    let record = referee("gamma", "5x5,players=3", &words, patient(), sandbox()).unwrap();
    let end = record.end.as_ref().unwrap();
    assert_eq!(
        (end.reason, &end.places[..]),
        (Reason::Forfeit, &[3, 1, 2][..])
    );
}

#[test]
fn trouble_of_the_machine_is_never_scored() {
    let mark = mark();
    for way in WAYS {
        let (game, setup) = way.game();
        let word = way.word("honest", &mark);
        for helper in ["/nowhere/helper", "/bin/false"] {
            let sandbox = Sandbox::with_layers(helper.as_ref(), Layers::NONE);
            let none = referee(game, setup, &[&word, "greedy"], patient(), &sandbox);
            assert!(matches!(none, Err(NoRecord::MachineFailure(_))), "{none:?}");
        }
    }
    // A disk on which no file can grow, and one that is not there.
    let me = std::env::current_exe().unwrap();
    for (limit, folder) in [("ulimit -f 0", "/tmp"), ("true", "/nowhere")] {
        let script =
            format!("trap '' XFSZ; {limit}; exec \"$0\" --exact others::a_machine_in_trouble");
        let output = Command::new("sh")
            .args(["-c", &script])
            .arg(&me)
            .env(IN_TROUBLE, "1")
            .env("TMPDIR", folder)
            .env(AS_USER, hostile())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{folder}: {text}"
        );
    }
}

/// Not a test of its own: the referee that the test above puts in trouble.
#[test]
fn a_machine_in_trouble() {
    if std::env::var_os(IN_TROUBLE).is_none() {
        return;
    }
    let (game, setup) = Way::Penguins.game();
    let word = Way::Penguins.word("honest", "trouble");
    let sandbox = Sandbox::with_layers(&helper(), Layers::NONE);
    let none = referee(game, setup, &[&word, "greedy"], patient(), &sandbox);
    assert!(matches!(none, Err(NoRecord::MachineFailure(_))), "{none:?}");
}
