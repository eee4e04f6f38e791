//! The programs in a real terminal, by way of tmux: what a person sees, and that the terminal is
//! given back on every way out. Without tmux there is nothing to see, and the tests say so.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// When to give up hope that something appears; a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a shell command in it.
struct Terminal {
    /// Where tmux has its socket, which it does not take away itself.
    folder: TempDir,
}

impl Terminal {
    /// Runs a shell command in a terminal of this size; `None` where there is no tmux.
    fn run(command: &str, columns: u32, rows: u32) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: there is no tmux to show a terminal");
            return None;
        }
        let terminal = Terminal {
            folder: TempDir::new().expect("a folder"),
        };
        let size = [columns.to_string(), rows.to_string()];
        // The shell outlives the program, whatever ends that, and says how the terminal is.
        let script = format!(
            "trap : INT QUIT; stty -a > /dev/null; {command}; code=$?; echo \"code $code\"; \
             case $(stty -a) in *-icanon*|*-echo' '*) echo raw;; *) echo cooked;; esac; \
             echo done; exec cat > /dev/null"
        );
        let mut tmux = terminal.tmux();
        tmux.args(["-f", "/dev/null", "new-session", "-d"]);
        tmux.args(["-x", &size[0], "-y", &size[1], "sh", "-c", &script]);
        let output = tmux.output().expect("tmux runs");
        assert!(output.status.success(), "{output:?}");
        Some(terminal)
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.arg("-S").arg(self.folder.path().join("tmux"));
        tmux.env_remove("TMUX");
        tmux
    }

    fn tell(&self, arguments: &[&str]) -> Output {
        self.tmux().args(arguments).output().expect("tmux runs")
    }

    /// Types keys, named as tmux names them; anything else letter by letter.
    fn keys(&self, keys: &[&str]) {
        self.tell(&[&["send-keys"], keys].concat());
    }

    fn resize(&self, columns: u32, rows: u32) {
        let size = [columns.to_string(), rows.to_string()];
        self.tell(&["resize-window", "-x", &size[0], "-y", &size[1]]);
    }

    /// What can be seen, without blanks at the ends of lines.
    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tell(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// What tmux knows about the terminal.
    fn state(&self, format: &str) -> String {
        let output = self.tell(&["display-message", "-p", format]);
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Waits until `is_there` is true of the screen.
    #[track_caller]
    fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "no {what} on:\n{screen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn see(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Waits for the end of the program: the terminal is as it was.
    #[track_caller]
    fn end(&self, code: u32) -> String {
        let screen = self.see("done");
        assert!(screen.contains(&format!("code {code}\n")), "{screen}");
        assert!(screen.contains("cooked\n"), "{screen}");
        let state = self.state("#{alternate_on} #{cursor_flag}");
        assert_eq!(state, "0 1", "the normal screen with a cursor");
        screen
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tell(&["kill-server"]);
    }
}

fn gamma() -> String {
    format!("'{}'", cargo_bin!("gamma").display())
}

/// The first line is typed, then the keys: a whole game with wrong keys and other sizes.
#[test]
fn gamma_is_played_at_the_keyboard() {
    let Some(terminal) = Terminal::run(&gamma(), 70, 20) else {
        return;
    };
    terminal.keys(&["I 3 2 2 1", "Enter"]);
    let screen = terminal.see("PLAYER 1 0 6");
    assert!(screen.starts_with("...\n...\nPLAYER 1 0 6\n"), "{screen}");
    assert_eq!(terminal.state("#{alternate_on} #{cursor_flag}"), "1 0");
    terminal.keys(&["x", "Escape", "Space"]);
    terminal.see("PLAYER 2 0 5 G");
    let looks = terminal.tell(&["capture-pane", "-p", "-e"]).stdout;
    let looks = String::from_utf8_lossy(&looks);
    let has = |code: &str| {
        ["[", ";"]
            .iter()
            .any(|c| looks.contains(&format!("{c}{code}m")))
    };
    assert!(has("7"), "the cursor inverts: {looks:?}");
    assert!(has("4"), "the mover stands out: {looks:?}");
    terminal.keys(&["Space"]);
    terminal.see("player 1 holds it: only the golden move (G) takes it");
    terminal.keys(&["Right", "Right", "Right", "Space"]);
    let screen = terminal.see("PLAYER 1 1 2\n");
    assert!(screen.starts_with("...\n1.2\n"), "{screen}");
    terminal.resize(40, 15);
    terminal.see("passes  Ctrl-D ends");
    terminal.resize(15, 2);
    terminal.see("20x3 is needed");
    terminal.resize(8, 3);
    terminal.wait("the size", |s| s.starts_with("20x3\n"));
    terminal.resize(21, 3);
    terminal.wait("one row", |s| {
        s.starts_with("1.2\nPLAYER 1 1 2\ncolumns 0-2")
    });
    terminal.resize(70, 20);
    terminal.wait("all rows", |s| s.starts_with("...\n1.2\nPLAYER 1 1 2\n"));
    // 1 gives up, 2 closes the way above, 1 goes on below and above, 2 is skipped.
    terminal.keys(&["c"]);
    terminal.see("player 1 passes");
    terminal.keys(&["Up", "Space"]);
    terminal.see("PLAYER 1 1 2\n");
    terminal.keys(&["Left", "Down", "Space"]);
    terminal.see("PLAYER 2 2 1 G");
    terminal.keys(&["C-d"]);
    let screen = terminal.end(0);
    assert!(
        screen.contains("I 3 2 2 1\n..2\n112\nPLAYER 1 2\nPLAYER 2 2\nplayers 1 and 2 share the win with 2 fields each\n"),
        "{screen}"
    );
}

/// A pipe brings the first line, the terminal the keys.
#[test]
fn gamma_takes_keys_from_the_terminal_when_a_pipe_only_brings_the_first_line() {
    let Some(terminal) = Terminal::run(&format!("echo I 2 1 1 1 | {}", gamma()), 60, 10) else {
        return;
    };
    terminal.see("PLAYER 1 0 2");
    terminal.keys(&["Right", "Space"]);
    terminal.see("PLAYER 1 1 1");
    terminal.keys(&["Left", "Space"]);
    let screen = terminal.end(0);
    assert!(
        screen.starts_with("11\nPLAYER 1 2\nplayer 1 wins with 2 fields\n"),
        "{screen}"
    );
}

/// A pipe brings everything, and the game is drawn all the same.
#[test]
fn gamma_shows_a_game_that_a_pipe_plays() {
    let command = format!("(echo I 2 1 2 1; printf ' '; read line) | {}", gamma());
    let Some(terminal) = Terminal::run(&command, 60, 10) else {
        return;
    };
    // The pipe stays open until a line is typed, which the game does not see.
    terminal.see("PLAYER 2 0 1 G");
    terminal.keys(&["Space", "C-j"]);
    let screen = terminal.end(0);
    assert!(
        screen.starts_with("1.\nPLAYER 1 1\nPLAYER 2 0\nplayer 1 wins with 1 field\n"),
        "{screen}"
    );
}

#[test]
fn gamma_gives_the_terminal_back_when_it_is_interrupted_or_killed() {
    for (key, code) in [("C-c", 130), ("C-\\", 131)] {
        let Some(terminal) = Terminal::run(&format!("ulimit -c 0; {}", gamma()), 60, 10) else {
            return;
        };
        terminal.keys(&["I 2 1 2 1", "Enter"]);
        terminal.see("PLAYER 1 0 2");
        terminal.keys(&["Space"]);
        terminal.see("PLAYER 2 0 1");
        terminal.keys(&[key]);
        let screen = terminal.end(code);
        // Ctrl-C leaves what Ctrl-D leaves.
        let last = "1.\nPLAYER 1 1\nPLAYER 2 0\nplayer 1 wins with 1 field\n";
        assert_eq!(screen.contains(last), key == "C-c", "{screen}");
    }
    for (signal, code) in [("TERM", 143), ("HUP", 129)] {
        let command = format!("sh -c 'echo pid $$; exec {}'", gamma().replace('\'', "\""));
        let Some(terminal) = Terminal::run(&command, 60, 10) else {
            return;
        };
        let screen = terminal.see("pid ");
        let pid = screen
            .split_whitespace()
            .nth(1)
            .expect("a number")
            .to_owned();
        terminal.keys(&["I 2 1 2 1", "Enter"]);
        terminal.see("PLAYER 1 0 2");
        let kill = Command::new("kill")
            .args([&format!("-{signal}"), &pid])
            .status();
        assert!(kill.expect("kill runs").success());
        terminal.end(code);
    }
}

/// Ctrl-Z gives the terminal back for a while, and the game goes on afterwards.
#[test]
fn gamma_can_be_stopped_and_goes_on() {
    let inner = format!("sh -c 'echo pid $$; exec {}'", gamma().replace('\'', "\""));
    let command = format!("set -m; {inner}; echo stopped; read line; fg > /dev/null");
    let Some(terminal) = Terminal::run(&command, 60, 12) else {
        return;
    };
    terminal.see("pid ");
    terminal.keys(&["I 3 1 2 1", "Enter"]);
    terminal.see("PLAYER 1 0 3");
    terminal.keys(&["Space"]);
    terminal.see("PLAYER 2 0 2");
    terminal.keys(&["C-z"]);
    terminal.see("stopped");
    assert_eq!(terminal.state("#{alternate_on} #{cursor_flag}"), "0 1");
    terminal.keys(&["Enter"]);
    terminal.see("PLAYER 2 0 2");
    terminal.keys(&["C-d"]);
    let screen = terminal.end(0);
    assert!(screen.contains("1..\nPLAYER 1 1\nPLAYER 2 0\n"), "{screen}");
}

#[test]
fn gamma_refuses_a_terminal_too_small_and_one_that_is_not_there() {
    let Some(terminal) = Terminal::run(&gamma(), 19, 20) else {
        return;
    };
    terminal.keys(&["I 2 2 2 2", "Enter"]);
    let screen = terminal.see("ERROR 1\n");
    let (reason, _) = screen.split_once("ERROR 1\n").expect("it is there");
    assert!(reason.contains("gamma: the terminal"), "{screen}");
    terminal.resize(80, 20);
    terminal.keys(&["I 2 2 2 2", "Enter"]);
    terminal.see("PLAYER 1 0 4");
    terminal.keys(&["C-d"]);
    terminal.end(0);

    let Some(terminal) = Terminal::run(&format!("{} > /dev/null", gamma()), 80, 20) else {
        return;
    };
    terminal.keys(&["I 2 2 2 2", "Enter"]);
    terminal.see("gamma: the interactive game needs a terminal on standard output\nERROR 1\n");
    terminal.keys(&["C-d"]);
    terminal.end(0);
}

/// On a low and narrow screen a reason is read whole; the board comes back with the next key.
#[test]
fn gamma_tells_reasons_whole_on_small_screens() {
    let Some(terminal) = Terminal::run(&gamma(), 24, 3) else {
        return;
    };
    terminal.keys(&["I 3 2 2 1", "Enter"]);
    terminal.see("PLAYER 1 0 6");
    terminal.keys(&["Space", "Space"]);
    terminal.wait("whole reason", |screen| {
        let words: Vec<&str> = screen.split_whitespace().collect();
        words
            .join(" ")
            .ends_with("player 1 holds it: only the golden move (G) takes it")
    });
    terminal.keys(&["Up"]);
    terminal.see("PLAYER 2 0 5 G");
    terminal.keys(&["C-d"]);
    // The terminal is too low to show the end of it all.
    terminal.resize(60, 20);
    terminal.end(0);
}

/// Engines play a game, and the scores stay until somebody has read them.
#[test]
fn penguins_is_played_in_a_terminal() {
    let penguins = format!("'{}'", cargo_bin!("penguins").display());
    let Some(terminal) = Terminal::run(&penguins, 90, 60) else {
        return;
    };
    terminal.see("How many players (2-9)? [2]");
    terminal.keys(&["one", "Enter"]);
    terminal.see("`one` is not a number");
    terminal.keys(&["Enter"]);
    terminal.see("Who plays A");
    terminal.keys(&["easy", "Enter"]);
    terminal.see("Who plays B");
    terminal.keys(&["easy", "Enter"]);
    terminal.see("How many penguins each");
    terminal.keys(&["1", "Enter"]);
    terminal.see("Columns and rows");
    terminal.keys(&["4 4", "Enter"]);
    terminal.see("Press Enter to leave.");
    terminal.keys(&["Enter"]);
    terminal.end(0);
}

#[test]
fn penguins_ends_politely_with_control_d() {
    let penguins = format!("'{}' play seed=1", cargo_bin!("penguins").display());
    let Some(terminal) = Terminal::run(&penguins, 90, 60) else {
        return;
    };
    terminal.see("How many players");
    terminal.keys(&["Enter", "Enter", "Enter", "Enter", "Enter"]);
    terminal.see("A, place penguin 1 of 2");
    terminal.keys(&["C-d"]);
    let screen = terminal.end(0);
    assert!(
        screen.contains("The game ends here. The standing:"),
        "{screen}"
    );
}

/// Without arguments a terminal is somebody to play with.
#[test]
fn floodwars_is_played_in_a_terminal() {
    let floodwars = format!("'{}'", cargo_bin!("floodwars").display());
    let Some(terminal) = Terminal::run(&floodwars, 100, 60) else {
        return;
    };
    terminal.see("Who plays J");
    terminal.keys(&["Enter", "easy", "Enter", "5 5", "Enter", "Enter"]);
    terminal.see("J, which colour: 1)");
    // It is soon flooded, whatever is chosen; at most 75 moves are J's.
    let question = |screen: &str| {
        let (_, after) = screen.rsplit_once("Move ")?;
        after.split_whitespace().next().map(str::to_owned)
    };
    for i in 0..75 {
        let screen = terminal.screen();
        if screen.contains("Press Enter to leave.") {
            break;
        }
        let before = question(&screen);
        terminal.keys(&[["1", "2", "3"][i % 3], "Enter"]);
        terminal.wait("next question", |screen| {
            question(screen) != before || screen.contains("Press Enter to leave.")
        });
    }
    terminal.see("The game is over");
    terminal.keys(&["Enter"]);
    terminal.end(0);
}
