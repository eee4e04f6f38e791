//! A game nobody here has heard of, in every command: this binary is `floe` with the toy game
//! registered when [`AS_FLOE`] is set, and otherwise starts itself so and looks at what is said.

#[allow(dead_code)]
#[path = "../../games/tests/shy/mod.rs"]
mod shy;
#[cfg(unix)]
mod tmux;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, ExitCode};

use floe_games::GameEntry;
use floe_search::Roster;
use shy::Shy;
use tempfile::{TempDir, tempdir};

static SHY: GameEntry<Shy> = GameEntry(Roster::generic());

/// Says that this process is the command.
const AS_FLOE: &str = "FLOE_WITH_A_FOURTH_GAME";

fn main() -> ExitCode {
    // Programs are started by a copy of this binary.
    floe_sandbox::helper_main();
    if std::env::var_os(AS_FLOE).is_some() {
        if let Err(error) = floe_games::register(&SHY) {
            panic!("{error}");
        }
        return floe::run(std::env::args_os());
    }
    check_all()
}

/// What is checked, by name.
const CHECKS: [(&str, fn()); 8] = [
    ("positions_are_made_drawn_and_checked", positions),
    ("moves_are_hinted_at_and_counted", thinking),
    ("a_match_is_played_and_looked_at", a_match),
    ("a_program_is_put_through_its_paces", a_program),
    ("a_tournament_is_held", a_tournament),
    ("it_is_in_help_and_overview", help),
    ("an_unknown_game_is_told_with_it", unknown),
    ("it_is_played_on_the_screen", screen),
];

/// Runs every check, as the usual harness would.
#[allow(clippy::print_stdout)]
fn check_all() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        CHECKS.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    // Only those that are asked for by a part of their name.
    let wanted: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.contains(*w));
    let (mut passed, mut failed) = (0, 0);
    for (name, check) in CHECKS.iter().filter(|(name, _)| is_wanted(name)) {
        let is_fine = catch_unwind(check).is_ok();
        println!("test {name} ... {}", if is_fine { "ok" } else { "FAILED" });
        *(if is_fine { &mut passed } else { &mut failed }) += 1;
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {passed} passed; {failed} failed");
    ExitCode::from(u8::from(failed > 0))
}

fn floe(arguments: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments.split_whitespace());
    command
        .current_dir(folder)
        .env(AS_FLOE, "1")
        .env("NO_COLOR", "1");
    command
}

/// What the command prints, which must go well.
fn told(arguments: &str, folder: &Path) -> String {
    let output = floe(arguments, folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}:\n{text}\n{errors}");
    text
}

fn has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word} in:\n{text}");
    }
}

/// A folder with a position in it.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let position = told("new shy --setup 4x3,players=2", folder.path());
    assert_eq!(position, "2 1\n....\n....\n....\n");
    fs::write(folder.path().join("hall.txt"), position).unwrap();
    folder
}

fn positions() {
    let folder = folder();
    has(&told("show shy hall.txt", folder.path()), &["Shy", "4"]);
    told("check shy hall.txt", folder.path());
    fs::write(folder.path().join("bad.txt"), "2 1\n..x.\n").unwrap();
    let output = floe("check shy bad.txt", folder.path()).output().unwrap();
    assert!(!output.status.success());
    let said = output
        .stdout
        .iter()
        .chain(&output.stderr)
        .copied()
        .collect();
    has(
        &String::from_utf8(said).unwrap(),
        &["expected `.` or a player"],
    );
}

fn thinking() {
    let folder = folder();
    let hint = told("hint shy hall.txt --engine greedy --json", folder.path());
    has(&hint, &["\"move\":\"a1\""]);
    has(
        &told("hint shy hall.txt --depth 2", folder.path()),
        &["player 1"],
    );
    has(
        &told("perft shy 2 --setup 3x2,players=2", folder.path()),
        &["30"],
    );
}

fn a_match() {
    let folder = folder();
    let here = folder.path();
    let played = told(
        "match shy greedy random --setup 4x3 --pairs 2 --records games.jsonl",
        here,
    );
    has(&played, &["greedy", "random"]);
    has(&told("verify games.jsonl", here), &["ok, 4 games"]);
    has(&told("games games.jsonl", here), &["greedy", "random"]);
    has(&told("standings games.jsonl", here), &["greedy", "random"]);
    has(&told("replay games.jsonl --game 1 --list", here), &["a1"]);
    has(&told("replay games.jsonl --game 1 --at 1", here), &["Shy"]);
    has(
        &told("export games.jsonl --game 1 --at 1", here),
        &["2 2\n"],
    );
}

/// Sits down on the first field that is free and not next to one of its own.
const BOT: &str = r#"
import sys
seat, rows = "", []
for line in sys.stdin:
    line = line.rstrip("\n")
    if line.startswith("floe"):
        seat = line.split("seat=")[1].split()[0]
        print("ok Shy", flush=True)
    elif line == "position":
        rows = []
    elif line.startswith("go"):
        board = rows[1:-1][::-1]
        at = lambda x, y: 0 <= y < len(board) and 0 <= x < len(board[0]) and board[y][x]
        near = lambda x, y: [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)]
        free = [(x, y) for y in range(len(board)) for x in range(len(board[0]))
                if board[y][x] == "." and seat not in near(x, y)]
        print(f"move {chr(97 + free[0][0])}{free[0][1] + 1}", flush=True)
    elif line.startswith("end"):
        break
    else:
        rows.append(line)
"#;

fn a_program() {
    if !cfg!(target_os = "linux") || Command::new("python3").arg("-V").output().is_err() {
        return;
    }
    let folder = folder();
    fs::write(folder.path().join("bot.py"), BOT).unwrap();
    let mut check = floe("check program shy", folder.path());
    let output = check
        .args(["line:python3 bot.py", "--time", "60s"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
}

fn a_tournament() {
    let folder = folder();
    let cup = "game = 'shy'\n[boards]\nsetup = '4x3'\n[entrants]\n\
               hungry = 'greedy:seed=1'\nlucky = 'random:seed=2'\n";
    fs::write(folder.path().join("cup.toml"), cup).unwrap();
    let text = told("tournament cup.toml", folder.path());
    has(&text, &["hungry", "lucky"]);
    told("verify cup.jsonl", folder.path());
    has(&told("standings cup.toml", folder.path()), &["hungry"]);
}

fn help() {
    let folder = tempdir().unwrap();
    has(&told("", folder.path()), &["shy"]);
    has(&told("new --help", folder.path()), &["shy", "players=1..9"]);
}

fn unknown() {
    let folder = tempdir().unwrap();
    let output = floe("new chess", folder.path()).output().unwrap();
    has(&String::from_utf8_lossy(&output.stderr), &["shy"]);
}

#[cfg(unix)]
fn screen() {
    let Some(terminal) = tmux::Terminal::open() else {
        return;
    };
    let binary = std::env::current_exe().unwrap();
    let words = "play shy --setup 3x3 --seats human,greedy --ascii";
    terminal.shell(&format!("clear; {AS_FLOE}=1 {} {words}", binary.display()));
    terminal.see_all(&["turn 1", "Shy"]);
    terminal.press(&["Enter"]);
    terminal.wait("an answer", |screen| {
        ["turn 3", "b2"].iter().all(|text| screen.contains(text)) && !screen.contains("is thinking")
    });
    terminal.press(&["Enter"]);
    terminal.see("There is no move to b2.");
    terminal.press(&["u"]);
    terminal.see("undone");
    terminal.press(&["q", "y"]);
    terminal.see("ready>");
}

#[cfg(not(unix))]
fn screen() {}
