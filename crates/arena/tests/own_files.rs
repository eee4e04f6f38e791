//! What of its organiser's files a program sees: those its seat names, and nothing beside them.
#![cfg(target_os = "linux")]

mod one_game;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use floe_arena::referee::NoRecord;
use floe_arena::seat::{Sandbox, Seat, folder_warnings};
use floe_games::find;
use floe_games::record::{MoveLimits, Record};
use floe_sandbox::Layers;

/// A program that answers every question with the first thing that is legal, and writes what it
/// finds beside itself to standard error.
const BOT: &str = r#"
import os, sys
home = os.path.dirname(os.path.abspath(__file__))
for folder, _, names in sorted(os.walk(home)):
    for name in sorted(names):
        print("sees", os.path.relpath(os.path.join(folder, name), home), file=sys.stderr)
for name in sys.argv[1:]:
    try:
        print("read", open(name).read(), file=sys.stderr)
    except OSError as error:
        print("refused", error, file=sys.stderr)
sys.stderr.flush()
input()
print("ok", flush=True)
while True:
    line = sys.stdin.readline()
    if line.startswith("end") or not line:
        break
    if line.startswith("go"):
        for colour in "@#+.*":
            if colour not in (mine, theirs):
                print("move", colour, flush=True)
                break
    elif len(line.strip()) == 4:
        rows.append(line.strip())
        mine, theirs = rows[-1][0], rows[0][-1]
    else:
        rows = []
"#;

/// A folder that nobody but its owner may enter, with this bot and things that are not its own.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let path = home.path().canonicalize().unwrap();
    fs::write(path.join("bot.py"), BOT).unwrap();
    for name in ["key", "cup.jsonl", "other.py"] {
        fs::write(path.join(name), "secret").unwrap();
        fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
    (home, path)
}

fn play(word: &str, folder: &Path, sandbox: &Sandbox) -> Result<Record, NoRecord> {
    let game = find("flood").unwrap();
    let position = game.start("4x4", 1).unwrap();
    let seats = [word, "greedy"].map(|word| Seat::read(word, game, folder).unwrap());
    one_game::play(position, &seats, patient(), sandbox)
}

/// Time for a busy machine.
fn patient() -> MoveLimits {
    MoveLimits {
        move_ms: 60_000,
        start_ms: 60_000,
        ..MoveLimits::default()
    }
}

fn sandboxes() -> [Sandbox; 2] {
    let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
    let least = Sandbox::with_layers(helper, Layers::NONE);
    [Sandbox::find(helper, 0, 0).unwrap(), least]
}

/// What a bot with this seat wrote to standard error.
#[track_caller]
fn told(word: &str, folder: &Path, sandbox: &Sandbox) -> String {
    let record = play(word, folder, sandbox).unwrap();
    let mut told: Vec<&str> = record.moves().iter().map(|made| &*made.stderr).collect();
    told.extend(record.faults().map(|fault| &*fault.stderr));
    told.concat()
}

#[test]
fn a_program_sees_the_files_its_seat_names_and_nothing_beside_them() {
    let (_home, path) = home();
    for sandbox in sandboxes() {
        let told_alone = told("line:python3 bot.py", &path, &sandbox);
        assert_eq!(told_alone, "sees bot.py");
        let with_a_file = told("line:files=key python3 bot.py", &path, &sandbox);
        assert_eq!(with_a_file, "sees bot.py\nsees key");
        // A word of the command that is a file is its own, and it finds it under that word.
        let in_command = told("line:python3 bot.py key", &path, &sandbox);
        assert_eq!(in_command, "sees bot.py\nsees key\nread secret");
        let whole = told("line:dir=. python3 bot.py", &path, &sandbox);
        assert_eq!(whole.lines().count(), 4, "{whole}");
    }
}

#[test]
fn a_missing_file_of_its_own_is_hinted_at() {
    let (_home, path) = home();
    let bot = "import os\nopen(os.path.join(os.path.dirname(__file__), 'key'))\n";
    fs::write(path.join("reader.py"), bot).unwrap();
    for sandbox in sandboxes() {
        let record = play("line:python3 reader.py", &path, &sandbox).unwrap();
        let fault = record.faults().next().unwrap();
        assert!(fault.stderr.contains("No such file"), "{}", fault.stderr);
        assert!(fault.expected.contains("files="), "{fault:?}");
    }
}

#[test]
fn the_hash_is_of_all_that_a_program_may_read() {
    let (_home, path) = home();
    let game = find("flood").unwrap();
    let hash = |word: &str| {
        let seat = Seat::read(word, game, &path).unwrap();
        seat.entrant("").sha256.unwrap()
    };
    let words = [
        "line:python3 bot.py",
        "line:files=key python3 bot.py",
        "line:dir=. python3 bot.py",
    ];
    let before = words.map(hash);
    fs::write(path.join("key"), "other").unwrap();
    let after = words.map(hash);
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    assert_ne!(before[2], after[2]);
}

#[test]
fn a_program_that_changes_after_its_seat_was_read_is_not_played() {
    let (_home, path) = home();
    let [sandbox, _] = sandboxes();
    let game = find("flood").unwrap();
    let seat = Seat::read("line:python3 bot.py", game, &path).unwrap();
    fs::write(path.join("bot.py"), "print('another')").unwrap();
    let position = game.start("4x4", 1).unwrap();
    let other = Seat::read("greedy", game, &path).unwrap();
    let played = one_game::play(position, &[seat, other], patient(), &sandbox);
    let error = played.unwrap_err().to_string();
    assert!(error.contains("its files were changed"), "{error}");
}

#[test]
fn a_file_that_was_sent_in_is_no_way_to_others() {
    let (_home, path) = home();
    let entry = path.join("alice");
    fs::create_dir(&entry).unwrap();
    fs::write(entry.join("bot.py"), BOT).unwrap();
    symlink("../key", entry.join("weights")).unwrap();
    let game = find("flood").unwrap();
    for word in [
        "line:files=alice/weights python3 alice/bot.py",
        "line:dir=alice python3 alice/bot.py",
    ] {
        let error = Seat::read(word, game, &path).unwrap_err().to_string();
        assert!(error.contains("leads out of"), "{error}");
    }
}

#[test]
fn a_folder_with_others_things_in_it_is_warned_about() {
    let (_home, path) = home();
    let game = find("flood").unwrap();
    let seats = |words: [&str; 2]| words.map(|word| Seat::read(word, game, &path).unwrap());
    let warnings = folder_warnings(&seats([
        "line:dir=. python3 bot.py",
        "line:python3 other.py",
    ]));
    let [program, contest] = warnings.as_slice() else {
        panic!("{warnings:?}")
    };
    assert!(program.contains("holds another program, ") && program.ends_with("other.py"));
    assert!(contest.contains("holds a contest's file, ") && contest.ends_with("cup.jsonl"));
    fs::write(path.join(".bashrc"), "").unwrap();
    let warnings = folder_warnings(&seats(["line:dir=. python3 bot.py", "greedy"]));
    assert!(warnings[0].ends_with("is a home folder"), "{warnings:?}");
    let none = folder_warnings(&seats(["line:files=key python3 bot.py", "greedy"]));
    assert!(none.is_empty(), "{none:?}");
}
