//! A real terminal: tmux presses the keys and looks at the screen.

#![allow(dead_code, reason = "not everybody who uses it uses all of it")]

use std::fs;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long anything may take to show.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
/// How often to look.
pub(crate) const LOOK: Duration = Duration::from_millis(40);

/// A terminal of its own, with a shell in it; gone with everything in it when dropped.
pub(crate) struct Terminal {
    pub(crate) folder: TempDir,
}

impl Terminal {
    /// `None`, with a word about it, where there is no tmux.
    pub(crate) fn open() -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            #[allow(clippy::print_stderr)]
            {
                eprintln!("skipped: tmux is not installed");
            }
            return None;
        }
        let terminal = Terminal {
            folder: tempfile::tempdir().unwrap(),
        };
        terminal.start();
        Some(terminal)
    }

    fn start(&self) {
        let shell = "env PS1='ready> ' sh";
        let words = [
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "100",
            "-y",
            "34",
            shell,
        ];
        let start = Instant::now();
        // A server that is just going away takes no session.
        while !self.tmux(&words).status.success() {
            assert!(start.elapsed() < PATIENCE, "tmux does not start");
            sleep(LOOK);
        }
        self.see("ready>");
    }

    /// Closes the terminal with everything in it and opens another.
    pub(crate) fn reopen(&self) {
        self.tmux(&["kill-server"]);
        self.start();
    }

    pub(crate) fn tmux(&self, words: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.folder.path().join("tmux"));
        command.args(words);
        // What the user of this machine prefers must not matter.
        for variable in [
            "NO_COLOR",
            "TMUX",
            "FLOE_HOME",
            "LC_CTYPE",
            "LANG",
            "ENV",
            "COLORFGBG",
        ] {
            command.env_remove(variable);
        }
        command
            .env("LC_ALL", "C.UTF-8")
            .env("FLOE_HOME", self.folder.path().join("home"))
            // A terminal that is closed takes along what runs in it, but not its folders.
            .env("TMPDIR", self.folder.path())
            .current_dir(self.folder.path());
        command.output().unwrap()
    }

    /// The characters on the screen.
    pub(crate) fn screen(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p"]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn press(&self, keys: &[&str]) {
        let mut words = vec!["send-keys"];
        words.extend(keys);
        self.tmux(&words);
    }

    /// Types a line into the shell.
    pub(crate) fn shell(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.press(&["Enter"]);
    }

    /// Waits until the screen is as wanted; fails with what is seen instead.
    pub(crate) fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "no {what}:\n{screen}");
            sleep(LOOK);
        }
    }

    pub(crate) fn see(&self, text: &str) -> String {
        self.see_all(&[text])
    }

    /// Waits until all of this is on the screen. A screen may be looked at half drawn: what has to
    /// be there together is waited for together.
    pub(crate) fn see_all(&self, texts: &[&str]) -> String {
        self.wait(&texts.join(", "), |screen| {
            texts.iter().all(|text| screen.contains(text))
        })
    }

    pub(crate) fn resize(&self, width: &str, height: &str) {
        self.tmux(&["resize-window", "-x", width, "-y", height]);
    }

    /// What the shell's terminal is set to.
    pub(crate) fn settings(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        self.shell(&format!("clear; stty -a > {name}; echo 'written'"));
        self.see("written\n");
        fs::read_to_string(&path).unwrap_or_default()
    }

    /// Waits until a program has the whole screen, the mouse and no cursor; or has given all of
    /// them back.
    pub(crate) fn see_taken(&self, is_taken: bool) {
        let flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag}";
        let wanted = if is_taken { "1 1 0" } else { "0 0 1" };
        let start = Instant::now();
        loop {
            let output = self.tmux(&["display-message", "-p", flags]);
            let found = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            if found == wanted {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{found}:\n{}", self.screen());
            sleep(LOOK);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
