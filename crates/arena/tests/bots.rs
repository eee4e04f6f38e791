//! The starter bots of `examples/bots`, each really compiled and run, through whole games.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

mod one_game;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use floe_arena::seat::{Sandbox, Seat};
use floe_games::record::{MoveLimits, Record};
use floe_games::{Reason, find};
use tempfile::TempDir;

/// A bot, by the file it is written in.
struct Bot {
    file: &'static str,
    /// Which of the games it plays.
    games: &'static [&'static str],
    is_line: bool,
}

const fn line(file: &'static str, games: &'static [&'static str]) -> Bot {
    Bot {
        file,
        games,
        is_line: true,
    }
}

const fn contest(file: &'static str, games: &'static [&'static str]) -> Bot {
    Bot {
        file,
        games,
        is_line: false,
    }
}

const ALL: &[&str] = &["penguins", "gamma", "flood"];

/// Those whose compilers not every machine has: the league's tests build and play them where they
/// can, and say where not.
const BUILT_IN_LEAGUES: [&str; 3] = ["flood.cpp", "flood.go", "Flood.java"];

const BOTS: [Bot; 12] = [
    line("line.py", ALL),
    line("line.js", ALL),
    line("line_gamma.c", &["gamma"]),
    line("line_gamma.rs", &["gamma"]),
    contest("penguins.py", &["penguins"]),
    contest("penguins.js", &["penguins"]),
    contest("penguins.c", &["penguins"]),
    contest("penguins.rs", &["penguins"]),
    contest("flood.py", &["flood"]),
    contest("flood.js", &["flood"]),
    contest("flood.c", &["flood"]),
    contest("flood.rs", &["flood"]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots")
}

fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| {
        let helper = Path::new(env!("CARGO_BIN_EXE_floe-arena-supervisor"));
        Sandbox::find(helper, 0, 0).unwrap()
    })
}

/// A place for compiled bots; others can reach it, since programs never run as root.
fn bots_folder() -> TempDir {
    let place = tempfile::Builder::new().prefix("floe-bots-").tempdir();
    let place = place.unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // The scripts too: the project may lie where only its owner looks.
    for bot in &BOTS {
        fs::copy(folder().join(bot.file), place.path().join(bot.file)).unwrap();
    }
    place
}

/// The word that names the bot. Without its language the test fails: `./check` installs them all.
fn word(bot: &Bot, place: &Path) -> String {
    let (stem, language) = bot.file.rsplit_once('.').unwrap();
    let tool = match language {
        "py" => "python3",
        "js" => "node",
        "c" => "cc",
        _ => "rustc",
    };
    assert!(
        Command::new(tool).arg("--version").output().is_ok(),
        "{} cannot be tried without {tool}: install it, or run ./check, which does",
        bot.file
    );
    let command = match language {
        "py" | "js" => format!("{tool} {}", bot.file),
        _ => {
            let source = place.join(bot.file);
            let program = format!("{stem}_{language}");
            let made = Command::new(tool)
                .arg("-O")
                .args((language == "c").then_some("-Wall"))
                .args(["-o", &program])
                .arg(source)
                .current_dir(place)
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&made.stderr);
            assert!(made.status.success(), "{errors}");
            assert_eq!(errors, "", "{} compiles without a warning", bot.file);
            format!("./{program}")
        }
    };
    let protocol = if bot.is_line { "line:" } else { "" };
    format!("{protocol}{command}")
}

/// A whole game between these, with time for a busy machine.
fn play(place: &Path, game: &str, setup: &str, seed: u64, words: &[&str]) -> Record {
    let game = find(game).unwrap();
    let position = game.start(setup, seed).unwrap();
    let seats: Vec<Seat> = words
        .iter()
        .map(|word| Seat::read(word, game, place).unwrap())
        .collect();
    let limits = MoveLimits {
        move_ms: 60_000,
        start_ms: 60_000,
        memory_mib: 512,
        ..MoveLimits::default()
    };
    one_game::play(position, &seats, limits, sandbox()).unwrap()
}

fn setups(game: &str, bot: &Bot) -> Vec<&'static str> {
    // One process for every move takes its time.
    match (game, bot.is_line) {
        ("penguins", true) => vec!["8x8", "30x2,penguins=1", "1x9,penguins=1,water=0"],
        ("penguins", false) => vec!["5x5,penguins=2", "1x7,penguins=1,water=0"],
        ("gamma", _) => vec!["8x8", "1x9", "30x2", "5x5,players=2,areas=1"],
        (_, true) => vec!["10x7", "1x6", "6x1", "30x30"],
        _ => vec!["6x4", "1x6", "5x1"],
    }
}

fn bots_in(language: &str) {
    let end = format!(".{language}");
    let bots_folder = bots_folder();
    let place = bots_folder.path();
    for bot in BOTS.iter().filter(|bot| bot.file.ends_with(&end)) {
        let word = word(bot, place);
        for game in bot.games {
            for (number, setup) in setups(game, bot).into_iter().enumerate() {
                let mut words = [word.as_str(), "greedy"];
                words.rotate_left(number % 2);
                let record = play(place, game, setup, number as u64 + 1, &words);
                let case = format!("{word} at {game} {setup}");
                let faults: Vec<_> = record
                    .faults()
                    .map(|f| (f.to_string(), &f.stderr))
                    .collect();
                assert_eq!(faults, [], "{case}");
                let end = record.end.as_ref().expect(&case);
                assert_eq!(end.reason, Reason::Finished, "{case}");
                record.verify().unwrap();
            }
        }
    }
}

#[test]
fn bots_in_python_play_whole_games() {
    bots_in("py");
}

#[test]
fn bots_in_javascript_play_whole_games() {
    bots_in("js");
}

#[test]
fn bots_in_c_play_whole_games() {
    bots_in("c");
}

#[test]
fn bots_in_rust_play_whole_games() {
    bots_in("rs");
}

#[test]
fn bots_of_several_languages_sit_at_one_table() {
    let bots_folder = bots_folder();
    let place = bots_folder.path();
    let bots = ["line.py", "line.js", "line_gamma.c"];
    let bots = bots.map(|file| BOTS.iter().find(|bot| bot.file == file).unwrap());
    let words = bots.map(|bot| word(bot, place));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let record = play(place, "gamma", "7x7,players=3,areas=2", 1, &words);
    assert_eq!(record.faults().count(), 0);
    let many: Vec<&str> = words.iter().copied().cycle().take(10).collect();
    let record = play(place, "gamma", "6x6,players=10,areas=1", 1, &many);
    assert_eq!(record.faults().count(), 0);
    let record = play(
        place,
        "penguins",
        "8x8,players=3,penguins=2",
        1,
        &[words[0], words[1], words[0]],
    );
    assert_eq!(record.faults().count(), 0);
}

#[test]
fn every_bot_is_tested_and_explained_and_short() {
    let readme = fs::read_to_string(folder().join("README.md")).unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name == "README.md" {
            continue;
        }
        let is_tested = BOTS.iter().any(|bot| bot.file == name);
        assert!(is_tested || BUILT_IN_LEAGUES.contains(&&*name), "{name}");
        assert!(readme.contains(&name), "{name}");
        let text = fs::read_to_string(folder().join(&name)).unwrap();
        assert!(text.lines().count() < 95, "{name}");
    }
}
