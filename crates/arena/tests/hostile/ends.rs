//! Programs that are late, silent, or gone.

use floe_games::FaultKind;
use floe_games::record::MoveLimits;

use super::*;

#[test]
fn silence_is_a_timeout() {
    for way in WAYS {
        // Time enough to be started and to say something first.
        let limits = MoveLimits {
            move_ms: 2000,
            ..patient()
        };
        let told = "a move has 2000 ms and a grace period of 50 ms";
        let fault = expect(way, "hang", limits, FaultKind::Timeout, told);
        assert!(fault.message.starts_with("no answer after "), "{fault:?}");
        assert!(fault.wall_us >= 2_050_000, "{fault:?}");
        last_words(&fault, "hang");
        let told = "a move has 200 ms and a grace period of 50 ms";
        expect(way, "half=wait", short(), FaultKind::Timeout, told);
    }
    let told = "no answer after";
    expect(Way::Flood, "mute", short(), FaultKind::Timeout, told);
    let told = "it closed its standard output without an answer";
    expect(Way::Line, "mute", patient(), FaultKind::SilentExit, told);
}

#[test]
fn a_little_late_is_a_strike_and_more_is_a_fault() {
    for way in WAYS {
        // A margin for a busy machine: 30 ms late is late, but never too late.
        let mut limits = MoveLimits {
            margin_ms: 60_000,
            strikes: 1000,
            ..short()
        };
        let record = meet(way, "sleep=230", limits.clone());
        assert_eq!(record.faults().count(), 0, "{record:?}");
        // The clock starts when a program is seen to run; a referee that was away sees it later.
        let moves = record.moves();
        let mine = moves.iter().filter(|made| made.seat == 1);
        let mine = mine.skip(usize::from(matches!(way, Way::Line)));
        assert!(mine.clone().any(|made| made.strike), "{record:?}");
        let limit_us = limits.move_ms * 1000;
        for made in mine {
            assert_eq!(made.strike, made.wall_us > limit_us, "{record:?}");
        }
        if matches!(way, Way::Penguins) {
            limits.strikes = 1;
            let told = "a move has 200 ms, and the grace period was used once before";
            expect(way, "sleep=900", limits, FaultKind::Timeout, told);
        }
        // So long that no referee, however late itself, sees an answer.
        let told = "no answer after";
        expect(way, "sleep=600000", short(), FaultKind::Timeout, told);
    }
}

#[test]
fn ends_are_told_apart() {
    for way in WAYS {
        let told = "it ended with exit code 7";
        let fault = expect(way, "exit=7", patient(), FaultKind::GaveUp, told);
        last_words(&fault, "exit");
        expect(way, "exit=0", patient(), FaultKind::SilentExit, "it ended");
        let told = "signal 11 (segmentation fault: a wrong memory access)";
        let fault = expect(way, "segfault", patient(), FaultKind::Crash, told);
        last_words(&fault, "segfault");
        expect(
            way,
            "abort",
            patient(),
            FaultKind::Crash,
            "signal 6 (abort)",
        );
    }
    let told = "exit code 1: it says that there is nothing to do";
    expect(Way::Penguins, "exit=1", patient(), FaultKind::GaveUp, told);
    let told = "after it ended, there is no file out.txt";
    expect(
        Way::Penguins,
        "exit=0",
        patient(),
        FaultKind::SilentExit,
        told,
    );
    let told = "it ended without an answer";
    expect(
        Way::Penguins,
        "empty",
        patient(),
        FaultKind::SilentExit,
        told,
    );
    expect(Way::Flood, "empty", patient(), FaultKind::SilentExit, told);
    expect(Way::Line, "deaf", patient(), FaultKind::SilentExit, told);
}
