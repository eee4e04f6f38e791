//! A few teams whose C programs are built here and play: one of them looks for what is not its own.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

mod leagues;

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use floe_league::invitation::Invite;
use floe_league::people::read_list;
use floe_league::{BuildSandbox, Judge, League, Submission, Version, VersionState};
use floe_sandbox::Support;

use leagues::{games, play, table};

const DESCRIPTION: &str = "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '4x4'\n\
                           [limits]\ntime = '20s'\n";

/// Sends a C program and has it judged; the version with what was said about it.
fn send(league: &League, judge: &Judge, who: &str, source: &str) -> (Version, String) {
    let by = league.look(|s| s.people.named(who).cloned()).unwrap();
    let submission = Submission {
        file: "bot.c".to_owned(),
        bytes: source.as_bytes().to_vec(),
        ..Submission::default()
    };
    let id = league.submit(&by.unwrap(), &submission).unwrap();
    judge.judge_next(&mut |_, _| {}).unwrap();
    let found = league.look(|s| s.versions.find(&id).cloned());
    let version = found.unwrap().unwrap();
    let log = league.log(&version).unwrap();
    (version, log)
}

/// A program that first tries to read these, and says on standard error what came of it.
fn spy(secrets: &[PathBuf], starter: &str) -> String {
    let mut source = String::from(
        "#include <stdio.h>\n__attribute__((constructor)) static void look(void) {\n\
         const char *all[] = {",
    );
    for secret in secrets {
        let _ = write!(source, "\"{}\", ", secret.display());
    }
    source.push_str(
        "0};\nfor (int i = 0; all[i]; i++) {\nFILE *file = fopen(all[i], \"r\");\n\
         fprintf(stderr, file ? \"COULD READ %s\\n\" : \"could not read %s\\n\", all[i]);\n\
         if (file) fclose(file);\n}\n}\n",
    );
    source + starter
}

#[test]
fn programs_built_here_play_and_read_nothing_of_others() {
    let supervisor = Path::new(env!("CARGO_BIN_EXE_floe-league-supervisor"));
    if Support::probe(supervisor).layers().level() == 0 {
        eprintln!("not tried here: programs of others, since there is no sandbox");
        return;
    }
    let build_sandbox = BuildSandbox::find(supervisor, 1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // In a folder that strangers could enter.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let league = leagues::league(&folder.path().join("cup"), DESCRIPTION);
    let guests = read_list("Ada,owls\nAlan,hawks\nEve,spies\n").unwrap();
    league.invite(&guests, Invite::New).unwrap();
    let judge = Judge::take_seat(&league, &build_sandbox).unwrap().unwrap();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    let starter = fs::read_to_string(bots.join("flood.c")).unwrap();

    let (broken, log) = send(
        &league,
        &judge,
        "Ada",
        "int main(void) { return owl_secret; }\n",
    );
    assert_eq!(broken.state, VersionState::Refused);
    assert!(log.contains("owl_secret"), "{log}");
    let said =
        "__attribute__((constructor)) static void say(void) { fputs(\"owl words\\n\", stderr); }\n";
    let (owls, log) = send(
        &league,
        &judge,
        "Ada",
        &format!("#include <stdio.h>\n{said}{starter}"),
    );
    assert_eq!(owls.state, VersionState::Accepted, "{log}");
    let (hawks, log) = send(&league, &judge, "Alan", &starter);
    assert_eq!(hawks.state, VersionState::Accepted, "{log}");

    let theirs = league.program_folder(&owls.sha256);
    assert!(theirs.join("built/bot").is_file());
    let home = league.folder();
    let secrets = [
        theirs.join("sent/bot.c"),
        theirs.join("built/bot"),
        theirs.join("built/bot.c"),
        theirs,
        home.join("journal.jsonl"),
        home.join("ladder.jsonl"),
        home.join("league.toml"),
        home.join("programs"),
    ];
    let (spies, log) = send(&league, &judge, "Eve", &spy(&secrets, &starter));
    assert_eq!(spies.state, VersionState::Accepted, "{log}");
    assert!(!log.contains("COULD READ"), "{log}");

    play(&league, 24, 1);
    let standings = table(&league).standings;
    let played = (standings.rows)
        .iter()
        .filter(|row| row.games > 0 && row.faults.is_empty());
    assert_eq!(played.count(), 3);
    assert_eq!(games(&league).len(), 24);
    // What they said is in the records, which are the organiser's.
    let records = fs::read_to_string(league.ladder_file()).unwrap();
    assert!(records.contains("owl words"));
    assert!(records.contains("could not read"));
    assert!(!records.contains("COULD READ"), "{records}");
}
