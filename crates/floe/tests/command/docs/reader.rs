//! A reader who types the commands of a page into a shell, one after the other.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A shell in a clean folder, with `floe` on its PATH and `./floe` beside the examples.
pub(super) struct Reader {
    folder: TempDir,
    here: PathBuf,
    /// Variables the page exports.
    variables: Vec<(String, String)>,
    /// Texts a reader replaces by their own, such as the address of a league.
    own: Vec<(&'static str, String)>,
}

/// A process that is ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Reader {
    pub(super) fn new() -> Reader {
        let folder = tempfile::tempdir().unwrap();
        // Programs run as another user if root runs the tests.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let here = folder.path().join("clone");
        let bin = folder.path().join("bin");
        for made in [&here, &bin] {
            fs::create_dir(made).unwrap();
        }
        let floe = env!("CARGO_BIN_EXE_floe");
        symlink(floe, bin.join("floe")).unwrap();
        symlink(floe, here.join("floe")).unwrap();
        // A browser that opens nothing.
        let browser = bin.join("xdg-open");
        fs::write(&browser, "#!/bin/sh\nexit 0\n").unwrap();
        fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        copy(&root.join("examples/bots"), &here.join("examples/bots"));
        let tournament = "examples/league.toml";
        fs::copy(root.join(tournament), here.join(tournament)).unwrap();
        Reader {
            folder,
            here,
            variables: Vec::new(),
            own: Vec::new(),
        }
    }

    /// The folder the reader is in.
    pub(super) fn here(&self) -> &Path {
        &self.here
    }

    /// Lets the reader replace a text of the page by their own.
    pub(super) fn replace(&mut self, text: &'static str, own: String) {
        self.own.push((text, own));
    }

    /// Types a line of the page; `input` is all that comes on standard input.
    pub(super) fn type_in(&mut self, line: &str, input: &str) {
        let line = self.own_words(line);
        if let Some(folder) = line.strip_prefix("cd ") {
            self.here.push(folder);
            assert!(self.here.is_dir(), "{line}: no such folder");
            return;
        }
        if let Some((name, value)) = line.strip_prefix("export ").and_then(|s| s.split_once('=')) {
            self.variables.push((name.to_owned(), value.to_owned()));
            return;
        }
        let (before, last) = match line.rsplit_once(" && ") {
            Some((before, last)) => (Some(before), last),
            None => (None, line.as_str()),
        };
        let is_server = ["floe serve", "floe league serve"];
        if is_server.iter().any(|words| last.starts_with(words)) {
            if let Some(before) = before {
                self.run(before, "");
            }
            self.serve(last);
        } else {
            self.run(&line, input);
        }
    }

    /// A line of the page with the reader's own texts.
    fn own_words(&self, line: &str) -> String {
        let own = self.own.iter();
        own.fold(line.to_owned(), |line, (text, own)| line.replace(text, own))
    }

    /// A shell that runs a line of the page.
    pub(super) fn shell(&self, line: &str) -> Command {
        let line = self.own_words(line);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = std::iter::once(self.folder.path().join("bin"));
        let path: OsString = std::env::join_paths(own.chain(std::env::split_paths(&path))).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(&self.here);
        shell
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .env("FLOE_HOME", self.folder.path().join("home"))
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "xterm-256color")
            .env_remove("FLOE_TOKEN")
            .env_remove("FLOE_LOG");
        let variables = self.variables.iter();
        shell.envs(variables.map(|(name, value)| (name, value)));
        shell
    }

    /// Runs a line of the page, and gives what it prints.
    pub(super) fn run(&self, line: &str, input: &str) -> String {
        let mut shell = self.shell(line);
        shell.stdin(Stdio::piped());
        shell.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        // A command that reads nothing may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{line}: {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Starts a server at a free port of this machine, asks it for its first page and stops it.
    fn serve(&self, line: &str) {
        let words = shell_words::split(line).unwrap();
        let mut words = words.into_iter();
        let mut kept = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--listen" => drop(words.next()),
                _ => kept.push(word),
            }
        }
        let line = format!("exec {} --listen 127.0.0.1:0", shell_words::join(kept));
        let mut shell = self.shell(&line);
        shell.stdin(Stdio::null()).stdout(Stdio::piped());
        shell.stderr(Stdio::piped());
        let mut server = Server(shell.spawn().unwrap());
        let mut lines = BufReader::new(server.0.stdout.take().unwrap()).lines();
        let Some(first) = lines.next() else {
            // A container may not reach the level for programs of strangers; the error names the way out.
            let mut said = String::new();
            let mut errors = server.0.stderr.take().unwrap();
            errors.read_to_string(&mut said).unwrap();
            let is_too_weak =
                said.contains("the sandbox reaches level 1 here, and level 2 is required");
            let has_way_out = said.contains("`sandbox = 1` in league.toml accepts this machine");
            assert!(is_too_weak && has_way_out, "{line}: {said}");
            return;
        };
        let first = first.unwrap();
        let (_, address) = first.split_once("http://").unwrap();
        let address = address.trim_end_matches('/');
        let mut stream = TcpStream::connect(address).unwrap();
        let asked = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{line}: {answer}");
        let pid = Pid::from_child(&server.0);
        kill_process(pid, Signal::TERM).unwrap();
        let status = server.0.wait().unwrap();
        assert!(status.success(), "{line}: {status}");
    }
}

/// Copies a folder with files alone.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
