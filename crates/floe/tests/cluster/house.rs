//! A server, workers and an organiser, all of which end and leave nothing behind.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use floe_cluster::link::Address;
use serde_json::Value;
use tempfile::TempDir;

use crate::ports::free_port;

/// Nobody waits longer than this for anything, on however slow a machine.
pub(crate) const FOREVER: Duration = Duration::from_secs(300);

/// Waits until something has happened.
pub(crate) fn wait_until(what: &str, mut has_happened: impl FnMut() -> bool) {
    let start = Instant::now();
    loop {
        let look = Instant::now();
        if has_happened() {
            return;
        }
        assert!(start.elapsed() < FOREVER, "it never happened: {what}");
        // A look may take a core, as one by a command: whoever is waited for needs it more.
        thread::sleep(look.elapsed().max(Duration::from_millis(20)));
    }
}

/// The command, in a world of its own.
pub(crate) fn floe() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("floe"));
    command.env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "FLOE_LOG"] {
        command.env_remove(variable);
    }
    command
}

/// Whether this user may mount a file system in a namespace of its own.
pub(crate) fn can_mount() -> bool {
    let mut command = Command::new("unshare");
    let tried = command.args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]);
    let can = tried.output().is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("left out: namespaces are forbidden here");
    }
    can
}

/// A nats-server of our own.
pub(crate) struct Server {
    folder: TempDir,
    child: Child,
    pub(crate) port: u16,
}

impl Server {
    /// Starts one on a free port; nothing where it is not installed.
    pub(crate) fn start() -> Option<Server> {
        let folder = tempfile::tempdir().unwrap();
        let ports = folder.path().join("ports");
        fs::create_dir(&ports).unwrap();
        let child = match Server::command(folder.path(), free_port()).spawn() {
            Ok(child) => child,
            Err(error) => {
                let is_check = std::env::var_os("FLOE_CHECK").is_some();
                assert!(
                    !is_check,
                    "nats-server: {error}; install the package nats-server"
                );
                eprintln!("left out: nats-server is not installed ({error})");
                return None;
            }
        };
        Some(Server::ready(folder, child))
    }

    /// Starts one whose disk is small; nothing where no such disk can be had.
    pub(crate) fn on_small_disk() -> Option<Server> {
        drop(Server::start()?);
        if !can_mount() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("ports")).unwrap();
        fs::create_dir(folder.path().join("js")).unwrap();
        let mut command = Command::new("unshare");
        let line = "mount -t tmpfs -o size=16m none \"$0\" && exec \"$@\"";
        command.args(["-rm", "sh", "-c", line]);
        command.arg(folder.path().join("js"));
        let server = Server::command(folder.path(), free_port());
        command.arg(server.get_program()).args(server.get_args());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(File::create(folder.path().join("log")).unwrap());
        let child = command.spawn().unwrap();
        Some(Server::ready(folder, child))
    }

    /// A file on the small disk, as it is seen from outside.
    fn ballast(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.child.id()));
        let disk = self.folder.path().join("js");
        root.join(disk.strip_prefix("/").unwrap()).join("ballast")
    }

    /// Fills the small disk to the last byte.
    pub(crate) fn fill_disk(&self) {
        let mut file = File::create(self.ballast()).unwrap();
        let block = vec![0; 4096];
        while file.write_all(&block).is_ok() {}
    }

    /// Makes room again.
    pub(crate) fn free_disk(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }

    /// Starts one with the configuration in a folder.
    pub(crate) fn with_config(folder: TempDir) -> Server {
        fs::create_dir(folder.path().join("ports")).unwrap();
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(folder.path().join("floe-nats.conf"))
            .arg("--ports_file_dir")
            .arg(folder.path().join("ports"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn();
        Server::ready(folder, child.unwrap())
    }

    /// Waits until it listens.
    fn ready(folder: TempDir, child: Child) -> Server {
        let ports = folder.path().join("ports");
        let mut port = None;
        wait_until("the server says its port", || {
            let files = fs::read_dir(&ports).unwrap().flatten();
            port = files.into_iter().find_map(|file| {
                let text = fs::read_to_string(file.path()).ok()?;
                let told: Value = serde_json::from_str(&text).ok()?;
                let url = told["nats"][0].as_str()?.to_owned();
                url.rsplit(':').next()?.parse().ok()
            });
            port.is_some()
        });
        let server = Server {
            folder,
            child,
            port: port.unwrap(),
        };
        server.is_up();
        server
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn command(folder: &Path, port: u16) -> Command {
        let mut command = Command::new("nats-server");
        command
            .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
            .arg(folder.join("js"))
            .arg("--ports_file_dir")
            .arg(folder.join("ports"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.join("log")).unwrap());
        command
    }

    fn is_up(&self) {
        wait_until("the server answers", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The same for whoever has no key.
    pub(crate) fn address(&self) -> Address {
        Address {
            url: self.url(),
            key: None,
        }
    }

    /// Kills it, and starts it again on an empty disk.
    pub(crate) fn lose_everything(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        fs::remove_dir_all(self.folder.path().join("js")).unwrap();
        self.start_again();
    }

    /// Kills it, and starts it again on its disk.
    pub(crate) fn kill_and_start_again(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.start_again();
    }

    fn start_again(&mut self) {
        let command = Server::command(self.folder.path(), self.port).spawn();
        self.child = command.unwrap();
        self.is_up();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A real worker on one core.
pub(crate) struct Worker {
    child: Child,
    told: Arc<Mutex<String>>,
    _folder: TempDir,
}

impl Worker {
    pub(crate) fn start(server: &Server, name: &str) -> Worker {
        Worker::at(&server.url(), name, |_| {})
    }

    /// Starts one that reaches its server by this address, with its command changed.
    pub(crate) fn at(url: &str, name: &str, change: impl FnOnce(&mut Command)) -> Worker {
        let mut command = floe();
        command.args(["worker", url, "--name", name, "--cores", "1"]);
        change(&mut command);
        Worker::of(command)
    }

    /// Starts one that cannot write to its files: the system says so as it would of a full disk.
    pub(crate) fn with_full_disk(server: &Server, name: &str) -> Worker {
        Worker::by_shell(
            "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"",
            server,
            name,
        )
    }

    /// Starts one by a line of the shell.
    fn by_shell(line: &str, server: &Server, name: &str) -> Worker {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]);
        shell.arg(assert_cmd::cargo::cargo_bin!("floe"));
        shell.args(["worker", &server.url(), "--name", name, "--cores", "1"]);
        Worker::of(shell)
    }

    /// Starts one that can say nothing, as where its terminal is gone.
    pub(crate) fn unheard(server: &Server, name: &str) -> Worker {
        Worker::by_shell("exec \"$0\" \"$@\" 2> /dev/full", server, name)
    }

    /// Starts this command.
    pub(crate) fn of(mut command: Command) -> Worker {
        let folder = tempfile::tempdir().unwrap();
        command
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let told = Arc::new(Mutex::new(String::new()));
        let (lines, to) = (child.stderr.take().unwrap(), Arc::clone(&told));
        thread::spawn(move || {
            for line in BufReader::new(lines).lines().map_while(Result::ok) {
                let mut told = to.lock().unwrap();
                told.push_str(&line);
                told.push('\n');
            }
        });
        Worker {
            child,
            told,
            _folder: folder,
        }
    }

    /// What it has said.
    pub(crate) fn told(&self) -> String {
        self.told.lock().unwrap().clone()
    }

    pub(crate) fn wait_for(&self, words: &str) {
        wait_until(words, || self.told().contains(words));
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it where it is, so that it only seems to be there.
    pub(crate) fn stand_still(&self) {
        self.signal("-STOP");
    }

    /// Lets it continue.
    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let id = self.id().to_string();
        let told = Command::new("kill").args([signal, &id]).status();
        assert!(told.unwrap().success());
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it ends by itself, and gives its exit code.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let mut code = None;
        wait_until("the worker ends", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        code.and_then(|code| code.code())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tournament that is being played on a cluster.
pub(crate) struct Organiser {
    child: Child,
    log: tempfile::NamedTempFile,
}

impl Organiser {
    pub(crate) fn wait_for(&self, words: &str) {
        wait_until(words, || self.told().contains(words));
    }

    pub(crate) fn start(mut command: Command) -> Organiser {
        let log = tempfile::NamedTempFile::new().unwrap();
        command.stdout(Stdio::null()).stderr(log.reopen().unwrap());
        Organiser {
            child: command.spawn().unwrap(),
            log,
        }
    }

    pub(crate) fn told(&self) -> String {
        fs::read_to_string(self.log.path()).unwrap_or_default()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until everything is played, and gives what it said.
    pub(crate) fn finish(self) -> String {
        self.finish_while(|| {})
    }

    /// The same, and something is done again and again meanwhile.
    pub(crate) fn finish_while(mut self, meanwhile: impl Fn()) -> String {
        let mut code = None;
        wait_until("the tournament ends", || {
            meanwhile();
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        let told = self.told();
        assert!(code.unwrap().success(), "{told}");
        told
    }

    /// Waits until it ends without success, and gives what it said.
    pub(crate) fn fail(mut self) -> String {
        let mut code = None;
        wait_until("the tournament ends", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        let told = self.told();
        assert_eq!(code.unwrap().code(), Some(2), "{told}");
        told
    }
}

impl Drop for Organiser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
