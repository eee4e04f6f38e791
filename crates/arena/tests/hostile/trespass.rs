//! Programs that reach for what is not theirs.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use floe_games::FaultKind;

use super::*;
use crate::support::{mark, running};

#[test]
fn nobody_gets_at_what_is_not_theirs() {
    if sandbox().layers().level() == 0 {
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
            let record = referee(game, setup, &words, patient(), sandbox()).unwrap();
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
    if sandbox().layers().level() == 0 {
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
