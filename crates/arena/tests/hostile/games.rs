//! Hostile programs at the table: after each the right fault in the record, told in a sentence,
//! with the program's own last words, nothing left running and the next game unharmed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{OnceLock, PoisonError};

use floe_arena::record::{Opening, Record, Terms, VERSION};
use floe_arena::referee::{self, NoRecord};
use floe_arena::sandbox::Layers;
use floe_arena::seat::{Ground, Seat, fence};
use floe_arena::{Fault, FaultKind, Reason, find};
use floe_rules::Player;

use crate::ground::*;

/// Says that this process is a referee whose machine is in trouble.
const IN_TROUBLE: &str = "FLOE_HOSTILE_IN_TROUBLE";

/// The program that knows the rules, compiled once, beside the other.
pub(crate) fn rogue() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = hostile().with_file_name("rogue");
        match std::env::var_os(AS_USER) {
            Some(_) => path,
            None => compile("rogue.c", &path),
        }
    })
}

/// The best this machine has, with a helper ready: shared, so that what one game leaves behind
/// the next one meets.
fn ground() -> &'static Ground {
    static GROUND: OnceLock<Ground> = OnceLock::new();
    GROUND.get_or_init(|| Ground::find(&helper(), 0, 1).unwrap())
}

/// Long enough for a busy machine.
fn patient() -> Terms {
    Terms {
        move_ms: 60_000,
        start_ms: 60_000,
        memory_mib: 64,
        ..Terms::default()
    }
}

/// For programs that never answer.
fn short() -> Terms {
    Terms {
        move_ms: 200,
        ..patient()
    }
}

/// Which way a program is spoken to.
#[derive(Clone, Copy, Debug)]
enum Way {
    Penguins,
    Flood,
    Line,
}

impl Way {
    fn game(self) -> (&'static str, &'static str) {
        match self {
            Way::Penguins => ("penguins", "4x4,penguins=1,water=0"),
            Way::Flood | Way::Line => ("flood", "4x4"),
        }
    }

    fn word(self, deed: &str, mark: &str) -> String {
        let manner = if matches!(self, Way::Line) {
            "line:"
        } else {
            ""
        };
        format!("{manner}{} {deed} {mark}", rogue().display())
    }
}

fn referee(
    game: &str,
    setup: &str,
    words: &[&str],
    terms: Terms,
    ground: &Ground,
) -> Result<Record, NoRecord> {
    let game = find(game).unwrap();
    let table = game.start(setup, 1).unwrap();
    let mut seats: Vec<Seat> = words
        .iter()
        .map(|word| Seat::read(word, game, ".".as_ref()).unwrap())
        .collect();
    fence(&mut seats);
    let mut sitters: Vec<_> = seats
        .iter()
        .map(|seat| seat.sitter(game, ground, 1).unwrap())
        .collect();
    let opening = Opening {
        floe: VERSION,
        game: game.name().into(),
        seats: seats.iter().map(|seat| seat.sitting("x")).collect(),
        start: table.write(),
        limits: Some(terms),
        sandbox: Some(ground.layers().level()),
        ..Opening::default()
    };
    referee::play(
        table,
        &mut sitters,
        opening,
        &Default::default(),
        &mut |_| {},
    )
}

/// The record of a game of a program that does this, and what is true of every such game.
#[track_caller]
fn meet(way: Way, deed: &str, terms: Terms) -> Record {
    let (game, setup) = way.game();
    let mark = mark();
    let record = referee(
        game,
        setup,
        &[&way.word(deed, &mark), "greedy"],
        terms,
        ground(),
    );
    let record = record.unwrap();
    assert_eq!(running(&mark), 0, "{deed} left something running");
    record.verify().unwrap();
    let next = [&way.word("honest", &mark), "greedy"];
    let next = referee(game, setup, &next, patient(), ground()).unwrap();
    let faults: Vec<&Fault> = next.faults().collect();
    assert!(faults.is_empty(), "after {deed}: {faults:?}");
    record
}

/// The one fault of a program that does this.
#[track_caller]
fn fault(way: Way, deed: &str, terms: Terms) -> Fault {
    let record = meet(way, deed, terms);
    let faults: Vec<&Fault> = record.faults().collect();
    let [fault] = faults[..] else {
        panic!("{way:?} {deed}: {faults:?}");
    };
    assert_eq!(fault.seat, 1);
    assert_eq!(record.end.as_ref().unwrap().reason, Reason::Forfeit);
    assert_eq!(record.end.as_ref().unwrap().places, [2, 1]);
    fault.clone()
}

#[track_caller]
fn expect(way: Way, deed: &str, terms: Terms, kind: FaultKind, message: &str) -> Fault {
    let fault = fault(way, deed, terms);
    assert_eq!(fault.kind, kind, "{way:?} {deed}: {fault:?}");
    assert!(fault.message.contains(message), "{way:?} {deed}: {fault:?}");
    fault
}

const WAYS: [Way; 3] = [Way::Penguins, Way::Flood, Way::Line];

fn last_words(fault: &Fault, deed: &str) {
    assert!(
        fault.stderr.contains(&format!("about to {deed}")),
        "{fault:?}"
    );
}

#[test]
fn silence_is_a_timeout() {
    for way in WAYS {
        let told = "a move has 200 ms and a margin of 50 ms";
        let fault = expect(way, "hang", short(), FaultKind::Timeout, told);
        assert!(fault.message.starts_with("no answer after "), "{fault:?}");
        assert!(fault.wall_us >= 250_000, "{fault:?}");
        last_words(&fault, "hang");
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
        let mut terms = Terms {
            margin_ms: 60_000,
            strikes: 1000,
            ..short()
        };
        let record = meet(way, "sleep=230", terms.clone());
        assert_eq!(record.faults().count(), 0, "{record:?}");
        let mine: Vec<bool> = record
            .moves()
            .iter()
            .filter(|made| made.seat == 1)
            .map(|made| made.strike)
            .collect();
        let first = usize::from(matches!(way, Way::Line));
        assert!(mine.len() > first && mine[first..].iter().all(|&strike| strike));
        if matches!(way, Way::Penguins) {
            terms.strikes = 1;
            let told = "a move has 200 ms, and the margin was used 1 times before";
            expect(way, "sleep=230", terms, FaultKind::Timeout, told);
        }
        expect(
            way,
            "sleep=500",
            short(),
            FaultKind::Timeout,
            "no answer after",
        );
    }
}

#[test]
fn ends_are_told_apart() {
    for way in WAYS {
        let told = "it ended with exit code 7";
        let fault = expect(way, "exit=7", patient(), FaultKind::Crash, told);
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
    expect(Way::Penguins, "exit=1", patient(), FaultKind::Crash, told);
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

#[test]
fn processes_memory_and_output_are_counted() {
    let _all = PROCESSES.write().unwrap_or_else(PoisonError::into_inner);
    for way in WAYS {
        let bomb = fault(way, "forkbomb", short());
        let kinds = [FaultKind::ForbiddenAccess, FaultKind::Timeout];
        assert!(kinds.contains(&bomb.kind), "{bomb:?}");
        let record = meet(way, "orphan", patient());
        assert_eq!(record.faults().count(), 0);
        for deed in ["malloc", "family"] {
            let told = "it used more than 64 MiB of memory";
            expect(way, deed, patient(), FaultKind::TooMuchMemory, told);
        }
        let shared = fault(way, "shared", patient());
        match ground().layers().seccomp {
            true => assert_eq!(
                (shared.kind, shared.message.contains("exit code 9")),
                (FaultKind::Crash, true)
            ),
            false => assert_eq!(shared.kind, FaultKind::TooMuchMemory),
        }
        let told = "it wrote more than it may to standard output";
        expect(way, "babble", patient(), FaultKind::TooMuchOutput, told);
    }
}

#[test]
fn of_a_gigabyte_on_standard_error_the_end_is_kept() {
    let record = meet(
        Way::Penguins,
        "gigabyte",
        Terms {
            move_ms: 600_000,
            ..patient()
        },
    );
    assert_eq!(record.faults().count(), 0);
    let stderr = &record.moves()[0].stderr;
    assert!(
        stderr.ends_with("the end") && stderr.len() <= 4096,
        "{stderr}"
    );
}

#[test]
fn answers_that_cannot_be_read_are_shown_with_their_place() {
    for way in WAYS {
        for (deed, told) in [
            ("nul", "the answer has a NUL byte in it"),
            ("utf8", "the answer is not text in UTF-8"),
        ] {
            let fault = expect(way, deed, patient(), FaultKind::UnreadableAnswer, told);
            assert!(fault.at.is_some(), "{fault:?}");
            last_words(&fault, deed);
        }
    }
    let half = fault(Way::Flood, "half", patient());
    assert_eq!(half.kind, FaultKind::UnreadableAnswer);
    assert!(
        half.expected.contains("4 lines of 4 characters"),
        "{half:?}"
    );
    assert!(half.answer.starts_with("S\n"), "{half:?}");
    let half = fault(Way::Penguins, "half", patient());
    assert_eq!(
        (half.kind, half.at.is_some()),
        (FaultKind::UnreadableAnswer, true)
    );
    let told = "the answer goes on after the last of 4 rows";
    let fault = expect(
        Way::Flood,
        "garbage",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    assert_eq!(fault.at, Some((6, 1)));
    let fault = expect(
        Way::Penguins,
        "garbage",
        patient(),
        FaultKind::UnreadableAnswer,
        "",
    );
    assert_eq!(fault.at.map(|at| at.0), Some(7), "{fault:?}");
    let fault = expect(
        Way::Line,
        "garbage",
        patient(),
        FaultKind::UnreadableAnswer,
        "by the way",
    );
    assert!(fault.at.is_some(), "{fault:?}");
    let told = "without being asked";
    expect(
        Way::Line,
        "twice",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    let told = "it answered the greeting with `hello`";
    let fault = expect(
        Way::Line,
        "rude",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    assert_eq!(fault.expected, "a line `ok`, or `ok` and its name");
}

#[test]
fn whoever_moves_for_others_or_counts_wrong_is_found_out() {
    for (deed, kind, told) in [
        (
            "seat",
            FaultKind::UnreadableAnswer,
            "player 2, whose penguin this is, has no line",
        ),
        (
            "steal",
            FaultKind::FileTampering,
            "expected `10` here, not `02`",
        ),
        (
            "score",
            FaultKind::FileTampering,
            "the score is 1 now, not 6",
        ),
        ("field", FaultKind::FileTampering, "not `30`"),
        (
            "link",
            FaultKind::FileTampering,
            "out.txt is not a plain, readable file",
        ),
        ("input", FaultKind::FileTampering, "in.txt is not as it was"),
    ] {
        let fault = expect(Way::Penguins, deed, patient(), kind, told);
        let is_in_the_answer = !["link", "input"].contains(&deed);
        assert_eq!(fault.at.is_some(), is_in_the_answer, "{fault:?}");
        last_words(&fault, deed);
    }
    // Whoever finds a rival's line before the first move sits second.
    let (game, setup) = Way::Penguins.game();
    let words = ["greedy", &Way::Penguins.word("foreign", &mark())];
    let record = referee(game, setup, &words, patient(), ground()).unwrap();
    let fault = record.faults().next().unwrap();
    assert_eq!((fault.seat, fault.kind), (2, FaultKind::FileTampering));
    assert_eq!(fault.message, "player 1's score stays 1");

    let told = "expected the letter `S` alone, not `J`";
    expect(
        Way::Flood,
        "seat",
        patient(),
        FaultKind::UnreadableAnswer,
        told,
    );
    let fault = expect(
        Way::Flood,
        "square",
        patient(),
        FaultKind::FileTampering,
        "expected",
    );
    assert_eq!(fault.at, Some((2, 3)));
    assert!(fault.expected.contains("from the flood"), "{fault:?}");
    let told = "it wrote a file it was not asked for: `notes`";
    expect(
        Way::Flood,
        "here",
        patient(),
        FaultKind::FileTampering,
        told,
    );
    let fault = expect(
        Way::Line,
        "seat",
        patient(),
        FaultKind::IllegalMove,
        "is the opponent's colour",
    );
    assert_eq!(fault.answer.len(), 1);
    last_words(&fault, "seat");
}

#[test]
fn nobody_gets_at_what_is_not_theirs() {
    if ground().layers().level() == 0 {
        return;
    }
    let outside = tempfile::tempdir().unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let new = outside.path().join("new");
    // The opponent's program lies right beside this one's.
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["mine", "theirs"] {
        fs::copy(rogue(), home.path().join(name)).unwrap();
    }
    let theirs = home.path().join("theirs");
    for way in WAYS {
        let (game, setup) = way.game();
        for deed in [
            format!("read={}", theirs.display()),
            "read=/etc/passwd".to_owned(),
            format!("write={}", new.display()),
            format!("write={}", home.path().join("mine").display()),
        ] {
            let mark = mark();
            let word = |name: &str, deed: &str| {
                way.word(deed, &mark).replace(
                    rogue().to_str().unwrap(),
                    home.path().join(name).to_str().unwrap(),
                )
            };
            let words = [&*word("mine", &deed), &*word("theirs", "honest")];
            let record = referee(game, setup, &words, patient(), ground()).unwrap();
            assert_eq!(record.faults().count(), 0, "{:?}", record.faults().next());
            assert_eq!(running(&mark), 0);
            if !matches!(way, Way::Line) {
                let stderr = &record.moves()[0].stderr;
                assert!(
                    stderr.contains("refused") && !stderr.contains("done"),
                    "{deed}: {stderr}"
                );
            }
        }
    }
    assert!(!new.exists());
    assert_eq!(
        fs::read(home.path().join("mine")).unwrap(),
        fs::read(rogue()).unwrap()
    );
}

#[test]
fn forbidden_calls_are_forbidden_access() {
    if ground().layers().level() == 0 {
        return;
    }
    for way in WAYS {
        for deed in ["socket", "parent"] {
            let told = "a system call that programs may not make";
            let fault = expect(way, deed, patient(), FaultKind::ForbiddenAccess, told);
            last_words(&fault, deed);
        }
    }
}

#[test]
fn others_play_on_without_an_offender() {
    let mark = mark();
    let rogue = Way::Penguins.word("exit=7", &mark);
    for seat in 0..3 {
        let mut words = ["greedy", "greedy", "greedy"];
        words[seat] = &rogue;
        let setup = "6x6,players=3,penguins=2";
        let record = referee("penguins", setup, &words, patient(), ground()).unwrap();
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
    let record = referee("penguins", setup, &words, patient(), ground()).unwrap();
    let fault = record.faults().next().unwrap();
    assert_eq!((fault.seat, fault.kind), (2, FaultKind::FileTampering));
    let play = record.verify().unwrap();
    assert_eq!(play.out(), [Player::new(1)]);
    let board = play.table().board();
    assert_eq!(board.matches("02").count(), 2, "{board}");

    let rogue = "line:/bin/cat";
    let words = ["greedy", rogue, "greedy"];
    let record = referee("gamma", "5x5,players=3", &words, patient(), ground()).unwrap();
    let end = record.end.as_ref().unwrap();
    assert_eq!((end.reason, end.places[1]), (Reason::Finished, 3));
    assert_eq!(record.faults().count(), 1);
    record.verify().unwrap();
    // Two of three: the third has won.
    let words = [rogue, "greedy", rogue];
    let record = referee("gamma", "5x5,players=3", &words, patient(), ground()).unwrap();
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
            let ground = Ground::with_layers(helper.as_ref(), Layers::NONE);
            let none = referee(game, setup, &[&word, "greedy"], patient(), &ground);
            assert!(matches!(none, Err(NoRecord::Trouble(_))), "{none:?}");
        }
    }
    // A disk on which no file can grow, and one that is not there.
    let me = std::env::current_exe().unwrap();
    for (limit, folder) in [("ulimit -f 0", "/tmp"), ("true", "/nowhere")] {
        let script =
            format!("trap '' XFSZ; {limit}; exec \"$0\" --exact games::a_machine_in_trouble");
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
    let ground = Ground::with_layers(&helper(), Layers::NONE);
    let none = referee(game, setup, &[&word, "greedy"], patient(), &ground);
    assert!(matches!(none, Err(NoRecord::Trouble(_))), "{none:?}");
}
