//! Whole games in a real terminal: tmux presses the keys and looks at the screen.
//!
//! Nothing here depends on how fast the machine is: every step waits for what it expects to see,
//! for as long as a very slow machine may need. Without tmux the tests say so and pass.

#![cfg(unix)]

mod tmux;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tmux::{LOOK, PATIENCE, Terminal};

/// What only games need.
impl Terminal {
    /// Starts floe with these words.
    fn floe(&self, words: &str) {
        self.shell(&format!("clear; {} {words}", env!("CARGO_BIN_EXE_floe")));
    }

    /// Waits until it is somebody's turn at the keyboard, or the game is over.
    fn my_turn(&self) -> String {
        self.wait("turn", |screen| {
            let is_over = screen.contains("game over after");
            is_over || (!screen.contains("is thinking") && screen.contains("turn "))
        })
    }

    /// Plays on with these keys, a group of them in each turn, until the game is over.
    fn play_to_the_end(&self, groups: &[&[&str]]) {
        let start = Instant::now();
        for keys in groups.iter().cycle() {
            let screen = self.my_turn();
            if screen.contains("game over after") {
                return;
            }
            assert!(
                start.elapsed() < PATIENCE * 4,
                "the game does not end:\n{screen}"
            );
            self.press(keys);
            // Whatever a key did is seen before the next one is pressed.
            let end = Instant::now() + Duration::from_secs(5);
            while self.screen() == screen && Instant::now() < end {
                sleep(LOOK / 4);
            }
        }
    }

    /// The processes whose command is this test's `floe`, by the shell's own job.
    fn kill_floe(&self, signal: &str) {
        let output = self.tmux(&["display-message", "-p", "#{pane_pid}"]);
        let shell = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let children = Command::new("ps")
            .args(["-o", "pid=", "--ppid", &shell])
            .output();
        let children = String::from_utf8_lossy(&children.unwrap().stdout).into_owned();
        let child = children
            .split_whitespace()
            .last()
            .expect("floe runs")
            .to_owned();
        Command::new("kill")
            .args([signal, &child])
            .status()
            .unwrap();
    }
}

/// The number after `turn` in the title.
fn turn(screen: &str) -> u32 {
    let rest = screen.split("turn ").nth(1).unwrap_or_default();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// A whole game with everything on the way: wrong keys, another size, undo, hint, saving, a kill
/// and going on.
fn whole_game(game: &str, setup: &str, groups: &[&[&str]]) {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.floe(&format!(
        "play {game} --setup {setup} --seats human,greedy --seed 3"
    ));
    terminal.see("turn 1");
    // Wrong keys change nothing and say so.
    terminal.press(&["w"]);
    terminal.see("`w` does nothing here");
    terminal.press(&["9", "C-x", "F9", "M-Left"]);
    terminal.see("turn 1");
    // A hint, and a turn.
    terminal.press(&["?"]);
    terminal.see("hint: ");
    for keys in groups.iter().cycle().take(12) {
        if turn(&terminal.my_turn()) >= 3 {
            break;
        }
        terminal.press(keys);
        sleep(LOOK);
    }
    terminal.wait("turn 3", |screen| turn(screen) >= 3);
    // Another size, too small a size, and back.
    terminal.resize("40", "15");
    terminal.wait("narrow screen", |screen| {
        screen.contains("turn ") && screen.lines().all(|line| line.chars().count() <= 40)
    });
    terminal.resize("30", "8");
    terminal.see("floe needs 40 x 12");
    terminal.resize("100", "34");
    let before = turn(&terminal.see("turn "));
    // Undo and redo.
    terminal.press(&["Escape"]);
    terminal.press(&["u"]);
    let after = turn(&terminal.see("undone"));
    assert!(after < before, "{before} {after}");
    terminal.press(&["r"]);
    terminal.wait("the turn again", |screen| turn(screen) == before);
    // Save.
    terminal.press(&["s"]);
    terminal.see("A file for the record");
    terminal.press(&["Enter"]);
    terminal.see("Saved: ");
    let saved = terminal.folder.path().join(format!("{game}.jsonl"));
    assert!(
        fs::read_to_string(saved)
            .unwrap()
            .contains("\"line\":\"move\"")
    );
    // A kill loses nothing.
    terminal.kill_floe("-KILL");
    terminal.reopen();
    terminal.floe("play --resume");
    terminal.see("Game resumed");
    assert_eq!(turn(&terminal.screen()), before);
    terminal.play_to_the_end(groups);
    terminal.wait("the look back", |screen| {
        screen.contains("Turning points") || screen.contains("No move lost")
    });
    // A look back, and out.
    terminal.press(&["r"]);
    terminal.see("Review: ");
    terminal.press(&["Home"]);
    terminal.see("The start of the game");
    terminal.press(&["e"]);
    terminal.see("Exported: floe show");
    assert!(
        terminal
            .folder
            .path()
            .join(format!("{game}-0.txt"))
            .exists()
    );
    terminal.press(&["q"]);
    terminal.see("game over after");
    terminal.press(&["q"]);
    terminal.see("ready>");
    terminal.floe("play --resume");
    terminal.see("no unfinished game to resume");
}

#[test]
fn a_whole_game_of_penguins() {
    whole_game("penguins", "5x5,penguins=2", &[&["Tab", "Enter"]]);
}

#[test]
fn a_whole_game_of_gamma() {
    whole_game("gamma", "4x4,areas=2", &[&["Tab", "Enter"], &["Tab", "g"]]);
}

#[test]
fn a_whole_game_of_flood_wars() {
    whole_game("flood", "5x4", &[&["1"], &["2"], &["3"], &["4"], &["5"]]);
}

#[test]
fn the_form_starts_a_game_and_is_remembered() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.floe("");
    let form = terminal.see_all(&["New game", "q quit"]);
    terminal.press(&["Right"]);
    terminal.wait("another game", |screen| {
        screen.lines().nth(4) != form.lines().nth(4)
    });
    terminal.press(&["Down", "Down", "Down", "4", "x", "3"]);
    terminal.press(&["Enter"]);
    terminal.see("4x3");
    terminal.press(&["Enter"]);
    terminal.see_all(&["4x3", "turn 1"]);
    terminal.press(&["q"]);
    terminal.see("quit?");
    terminal.press(&["Enter"]);
    terminal.see("ready>");
    terminal.floe("");
    terminal.see("4x3");
    terminal.press(&["q"]);
    terminal.see("ready>");
}

/// A program of the line protocol that takes the first free field of Gamma it sees.
const BOT: &str = r#"#!/bin/sh
while read -r line; do
  case $line in
    floe*) echo ok Mimi ;;
    position) rows=0; free= ; height= ;;
    gamma*) set -- $line; height=$3 ;;
    turn*) ;;
    .) ;;
    go*) echo "move $free" ;;
    end*) exit ;;
    *.*)
      if [ -z "$free" ]; then
        before=${line%%.*}
        case ${#before} in 0) column=a ;; 1) column=b ;; 2) column=c ;; *) column=d ;; esac
        free=$column$((height - rows))
      fi
      rows=$((rows + 1)) ;;
    *) rows=$((rows + 1)) ;;
  esac
done
"#;

#[test]
fn a_program_sits_at_the_table() {
    use std::os::unix::fs::PermissionsExt;
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let path = terminal.folder.path().join("bot");
    fs::write(&path, BOT).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    terminal.floe("play gamma --setup 4x4,areas=9 --seats human,line:./bot");
    terminal.see("turn 1");
    terminal.press(&["Enter"]);
    terminal.see_all(&["turn 3", "■ a4"]);
    terminal.press(&["u"]);
    terminal.see("undone");
    terminal.press(&["Enter"]);
    terminal.wait("the program's move again", |screen| turn(screen) == 3);
    terminal.press(&["q", "y"]);
    terminal.see("ready>");
}

#[test]
fn a_program_that_fails_is_put_out_as_the_referee_would() {
    use std::os::unix::fs::PermissionsExt;
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let path = terminal.folder.path().join("bot");
    fs::write(&path, "#!/bin/sh\necho 'no idea' >&2\nexit 3\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    terminal.floe("play flood --setup 6x5 --seats human,line:./bot --seed 3");
    terminal.see("turn 1");
    terminal.press(&["1"]);
    terminal.see_all(&[
        "You win by forfeit.",
        "it ended with exit code 3",
        "stderr: no idea",
    ]);
    // It is asked again, and fails again.
    terminal.press(&["u"]);
    let game = terminal.folder.path().join("home/games/000001.jsonl");
    let faults = || {
        fs::read_to_string(&game)
            .unwrap()
            .matches("\"fault\"")
            .count()
    };
    terminal.wait("another fault", |screen| {
        faults() == 2 && screen.contains("You win by forfeit.")
    });
    terminal.press(&["q"]);
    terminal.see("ready>");
    let mut verify = Command::new(env!("CARGO_BIN_EXE_floe"));
    assert!(verify.arg("verify").arg(&game).status().unwrap().success());
    let record = fs::read_to_string(&game).unwrap();
    assert!(record.contains("\"reason\":\"forfeit\""), "{record}");
}

#[test]
fn the_terminal_is_given_back_on_every_way_out() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let before = terminal.settings("before");
    assert!(before.contains("icanon"), "{before}");
    for (i, signal) in ["-TERM", "-HUP", "-INT", "-QUIT"].into_iter().enumerate() {
        terminal.floe("play flood --seats human,floe:time=3600s");
        terminal.see("turn 1");
        terminal.press(&["Enter"]);
        terminal.see("is thinking");
        terminal.see_taken(true);
        terminal.kill_floe(signal);
        terminal.see("ready>");
        terminal.see_taken(false);
        let after = terminal.settings(&format!("after-{i}"));
        assert_eq!(before, after, "{signal}");
    }
    // A key while an engine thinks on and on.
    terminal.floe("play --resume");
    terminal.see("Game resumed");
    terminal.press(&["q"]);
    terminal.see("quit?");
    terminal.press(&["y"]);
    terminal.see("ready>");
    assert_eq!(terminal.settings("after-q"), before);
}

#[test]
fn whoever_plays_goes_with_the_terminal() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.shell(&format!(
        "clear; sh -c 'echo $$ > player; exec {} play gamma --seats human,greedy'",
        env!("CARGO_BIN_EXE_floe")
    ));
    terminal.see("turn 1");
    let player = std::fs::read_to_string(terminal.folder.path().join("player")).unwrap();
    let player = player.trim();
    let is_there = || {
        let ps = Command::new("ps")
            .args(["-o", "stat=", "-p", player])
            .output();
        let state = ps.unwrap().stdout;
        // Whoever is dead and not buried yet does no harm.
        !state.is_empty() && !state.starts_with(b"Z")
    };
    assert!(is_there());
    terminal.tmux(&["kill-server"]);
    let start = Instant::now();
    while is_there() {
        if start.elapsed() > PATIENCE {
            let _ = Command::new("kill").args(["-9", player]).status();
            panic!("it plays on without a terminal");
        }
        sleep(LOOK);
    }
}

#[test]
fn a_finished_game_is_kept_as_finished_when_the_terminal_goes() {
    finish_a_game_and_close_the_terminal("true");
}

/// A terminal that was started by `nohup` says nothing when it goes.
#[test]
fn a_finished_game_is_kept_as_finished_where_nobody_tells_that_the_terminal_goes() {
    finish_a_game_and_close_the_terminal("trap '' HUP");
}

/// Does something in the shell first.
fn finish_a_game_and_close_the_terminal(first: &str) {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.shell(first);
    terminal.floe("play gamma --setup 2x1,areas=1 --seats human,human");
    terminal.see("turn 1");
    terminal.press(&["Tab", "Enter"]);
    terminal.see("turn 2");
    terminal.press(&["Tab", "Enter"]);
    terminal.see("turn 3");
    let groups: [&[&str]; 2] = [&["Tab", "g"], &["Tab", "Enter"]];
    terminal.play_to_the_end(&groups);
    let game = terminal.folder.path().join("home/games/000001.jsonl");
    let record = || fs::read_to_string(&game).unwrap();
    assert!(
        !record().contains("\"line\":\"end\""),
        "undo would still do"
    );
    terminal.tmux(&["kill-server"]);
    let start = Instant::now();
    while !record().contains("\"line\":\"end\"") {
        assert!(start.elapsed() < PATIENCE, "{}", record());
        sleep(LOOK);
    }
}

#[test]
fn control_z_stops_and_fg_goes_on() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let before = terminal.settings("before");
    terminal.floe("play flood --seats human,floe:time=3600s --seed 3");
    terminal.see("turn 1");
    let stop = |name: &str| {
        terminal.see_taken(true);
        terminal.press(&["C-z"]);
        terminal.see("ready>");
        terminal.see_taken(false);
        assert_eq!(terminal.settings(name), before);
    };
    // On somebody's own turn: the screen comes back as it was.
    terminal.press(&["?"]);
    terminal.see("hint: ");
    stop("first");
    terminal.shell("clear; fg");
    terminal.see("turn 1");
    terminal.see("hint: ");
    terminal.see_taken(true);
    // While an engine thinks: it thinks on, and keys do what they did.
    terminal.press(&["1"]);
    terminal.see("is thinking");
    stop("second");
    terminal.shell("clear; fg");
    terminal.see("is thinking");
    terminal.press(&["u"]);
    terminal.see("undone");
    // Behind another program of the same job, that one stops too.
    terminal.press(&["q", "y"]);
    terminal.see("ready>");
    terminal.shell(&format!(
        "clear; sh -c '{} play --resume; echo and out'",
        env!("CARGO_BIN_EXE_floe")
    ));
    terminal.see("Game resumed");
    stop("third");
    terminal.shell("clear; fg");
    terminal.see("turn 1");
    terminal.press(&["q", "y"]);
    terminal.see("and out");
    terminal.see_taken(false);
    assert_eq!(terminal.settings("after"), before);
}

#[test]
fn no_colour_and_ascii_are_kept_to() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.shell("export NO_COLOR=1 LC_ALL=C");
    terminal.floe("play gamma --setup 5x4 --seats human,greedy");
    terminal.see_all(&["turn 1", "T theme"]);
    let output = terminal.tmux(&["capture-pane", "-p", "-e"]);
    let screen = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(screen.is_ascii(), "{screen}");
    assert!(
        !screen.contains("38;5") && !screen.contains("48;5"),
        "{screen:?}"
    );
    terminal.press(&["T"]);
    terminal.wait("colours", |_| {
        let output = terminal.tmux(&["capture-pane", "-p", "-e"]);
        String::from_utf8_lossy(&output.stdout).contains("38;5")
    });
    terminal.press(&["q", "y"]);
    terminal.see("ready>");
}

#[test]
fn a_light_terminal_gets_dark_letters() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    // The ink of plain text, by its number, in the themes for dark and for light ground.
    let has_ink = |ink: &str| {
        let output = terminal.tmux(&["capture-pane", "-p", "-e"]);
        String::from_utf8_lossy(&output.stdout).contains(&format!("38;5;{ink}m"))
    };
    for (variable, ink) in [("15;0", "255"), ("0;15", "234")] {
        terminal.shell(&format!("export COLORFGBG='{variable}'"));
        terminal.floe("play gamma --setup 5x4 --seats human,greedy");
        terminal.see("turn 1");
        terminal.wait("the ink", |_| has_ink(ink));
        terminal.press(&["q", "y"]);
        terminal.see("ready>");
    }
    // What was chosen comes before what the terminal says.
    terminal.floe("config set theme dark");
    terminal.see("ready>");
    terminal.floe("play gamma --setup 5x4 --seats human,greedy");
    terminal.see("turn 1");
    terminal.wait("the ink", |_| has_ink("255"));
    terminal.press(&["T"]);
    terminal.wait("the other ink", |_| has_ink("234"));
    terminal.press(&["q", "y"]);
    terminal.see("ready>");
    terminal.floe("config get theme");
    terminal.wait("what was chosen", |screen| {
        screen.lines().any(|line| line.trim() == "light")
    });
}

#[test]
fn a_terminal_that_can_do_nothing_gets_lines() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.shell("export TERM=dumb");
    terminal.floe("gamma --setup 3x2 --seats human,human");
    terminal.see("Move of player 1:");
    terminal.see_taken(false);
    terminal.shell("a1");
    terminal.see("player 1 played a1 and took 1 field.");
    terminal.see("Move of player 2:");
    terminal.shell("quit");
    terminal.see("floe play --resume");
    terminal.see("ready>");
}

#[test]
fn games_are_watched_as_they_are_recorded() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    terminal.floe("watch games.jsonl");
    terminal.see("waiting for a game in games.jsonl");
    let mut play = Command::new(env!("CARGO_BIN_EXE_floe"));
    play.args("match gamma greedy greedy --setup 3x3 --pairs 1 --records games.jsonl".split(' '));
    let played = play.current_dir(terminal.folder.path()).output().unwrap();
    assert!(played.status.success());
    terminal.see("Gamma, game ");
    terminal.see_taken(true);
    // It goes on by itself.
    terminal.wait("a turn", |screen| turn(screen) >= 2);
    // Another game is shown after it.
    let shown = terminal.screen();
    let title = shown.lines().next().unwrap_or_default();
    let game = title
        .split("turn")
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned();
    let mut play = Command::new(env!("CARGO_BIN_EXE_floe"));
    let words =
        "match gamma greedy random --setup 2x2 --pairs 1 --seed 9 --append --records games.jsonl";
    let other = play
        .args(words.split(' '))
        .current_dir(terminal.folder.path());
    assert!(other.output().unwrap().status.success());
    terminal.wait("another game", |screen| {
        let title = screen.lines().next().unwrap_or_default();
        title.contains(", game ") && (!title.contains(&game) || screen.contains("random"))
    });
    terminal.press(&["q"]);
    terminal.see("ready>");
}

#[test]
fn without_a_terminal_there_is_an_overview_and_no_game() {
    let home = tempfile::tempdir().unwrap();
    let run = |words: &[&str], home: &Path| {
        let mut command = assert_cmd::Command::cargo_bin("floe").unwrap();
        command.args(words).env("FLOE_HOME", home).output().unwrap()
    };
    let output = run(&[], home.path());
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("Games"));
    let output = run(&["play", "gamma"], home.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs a terminal"));
}

/// The colours on the screen of a terminal with this ground, as they are switched on.
fn colours(terminal: &Terminal, ground: &str, words: &str) -> BTreeSet<String> {
    terminal.reopen();
    terminal.tmux(&["set-option", "-g", "window-style", &format!("bg={ground}")]);
    terminal.floe(&format!(
        "play flood --seed 1 --seats human,human --still {words}"
    ));
    // The keys are in the last line, and so drawn last.
    terminal.see_all(&["turn 1", "T theme"]);
    let output = terminal.tmux(&["capture-pane", "-p", "-e"]);
    let screen = String::from_utf8_lossy(&output.stdout).into_owned();
    let starts = screen.split("\x1b[").skip(1);
    let starts = starts.filter_map(|start| Some(start.split_once('m')?.0.to_owned()));
    starts.collect()
}

/// A terminal that answers decides; one that takes too long on a busy machine is asked again.
#[test]
fn the_terminal_itself_says_whether_it_is_light() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let dark = colours(&terminal, "#101010", "--theme dark");
    let light = colours(&terminal, "#101010", "--theme light");
    assert_ne!(dark, light);
    for (ground, theme) in [("#101010", &dark), ("#fdf6e3", &light)] {
        let is_suited = || colours(&terminal, ground, "") == *theme;
        assert!((0..10).any(|_| is_suited()), "on {ground}");
    }
}

#[test]
fn keys_look_at_a_tournament_and_end_it() {
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let cup = "game = 'flood'\nformat = 'round-robin'\n[boards]\nsetup = '6x6'\ncount = 100000\n\
               [entrants]\nowls = 'greedy'\nauks = 'random'\ngulls = 'greedy:seed=4'\n";
    fs::write(terminal.folder.path().join("cup.toml"), cup).unwrap();
    let before = terminal.settings("before");
    terminal.floe("tournament cup.toml");
    terminal.see_all(&["Latest games", "x crosstable", "s stop after these games"]);
    terminal.press(&["x"]);
    terminal.see_all(&["points/games against", "x standings"]);
    terminal.press(&["f"]);
    terminal.see("No faults so far");
    // The shell has its terminal back while floe is stopped, and floe its keys afterwards.
    terminal.press(&["C-z"]);
    terminal.see("ready>");
    assert_eq!(terminal.settings("stopped"), before);
    terminal.shell("fg");
    terminal.see("f games");
    terminal.press(&["s"]);
    terminal.see("resume with floe tournament cup.toml");
    terminal.see("ready>");
    assert_eq!(terminal.settings("after"), before);
}
