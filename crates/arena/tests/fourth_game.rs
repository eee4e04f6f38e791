//! A game outside the registry goes through the arena as the games in it do.

#[allow(dead_code)]
#[path = "../../games/tests/shy/mod.rs"]
mod shy;

use floe_games::{AnyGame, GameEntry};
use floe_search::Roster;
use shy::Shy;

/// Its row, had it one in the registry.
static SHY: GameEntry<Shy> = GameEntry(Roster::generic());

#[cfg(target_os = "linux")]
#[test]
fn its_programs_are_checked_like_any_others() {
    use floe_arena::conformance::{self, CheckEvent, ConformanceCheck, Verdict};
    use floe_arena::seat::{Sandbox, Seat};
    use floe_games::record::MoveLimits;
    let game: &'static dyn AnyGame = &SHY;
    let helper = env!("CARGO_BIN_EXE_floe-arena-supervisor");
    let sandbox = Sandbox::find(helper.as_ref(), 0, 0).unwrap();
    let limits = MoveLimits {
        move_ms: 60_000,
        ..MoveLimits::default()
    };
    // It says the position over again, and never sits down.
    for word in ["/bin/cat", "line:/bin/cat"] {
        let Seat::Program(program) = Seat::read(word, game, ".".as_ref()).unwrap() else {
            panic!("{word} is a program");
        };
        let mut findings = Vec::new();
        let mut tell = |event| {
            if let CheckEvent::Found(finding) = event {
                findings.push(finding);
            }
        };
        let check = ConformanceCheck {
            game,
            program: &program,
            sandbox: &sandbox,
            limits: &limits,
            boards: Vec::new(),
            is_strict: true,
            self_play: conformance::SELF_PLAY,
            only: None,
            neighbours: None,
        };
        let report = check.run(&mut tell).unwrap();
        assert!(!report.plays && report.to_the_letter == Some(false));
        let mut all = findings.iter();
        assert!(
            all.all(|finding| finding.verdict == Verdict::Failed),
            "{findings:?}"
        );
        let sizes = ["12x1", "1x12", "20x20"].map(|size| {
            findings
                .iter()
                .any(|finding| finding.case.starts_with(size))
        });
        assert_eq!(sizes, [word == "/bin/cat"; 3]);
    }
}
