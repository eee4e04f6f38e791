//! A server, workers, an organiser and a cup, all of which end and leave nothing behind.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use floe_arena::journal::read_file;
use floe_cluster::link::Address;
use floe_games::record::Record;
use serde_json::Value;
use tempfile::TempDir;

use crate::ports::free_port;

/// Nobody waits longer than this for anything, on however slow a machine.
const FOREVER: Duration = Duration::from_secs(300);

/// Waits until something has happened.
pub(crate) fn wait_until(what: &str, mut has_happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !has_happened() {
        assert!(start.elapsed() < FOREVER, "it never happened: {what}");
        thread::sleep(Duration::from_millis(20));
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
        let id = self.id().to_string();
        let told = Command::new("kill").args(["-STOP", &id]).status();
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

/// A tournament of engines that play the same everywhere, and its folder.
pub(crate) struct Cup {
    folder: TempDir,
    /// Whether every worker is believed: no game is played again.
    trusts: bool,
}

const ENTRANTS: &str = "\
deep = \"floe:nodes=500\"
shallow = \"floe:nodes=50\"
lucky = \"random\"
hungry = \"greedy\"
";

/// Those beside a program that is held, which is all that is waited for.
const QUICK: &str = "\
shallow = \"floe:nodes=50\"
lucky = \"random\"
hungry = \"greedy\"
";

impl Cup {
    /// A round-robin with so many boards for each meeting of the four.
    pub(crate) fn new(boards: u32) -> Cup {
        Cup::of("", boards)
    }

    /// The same, which takes so long that something can happen meanwhile.
    pub(crate) fn slow(boards: u32) -> Cup {
        let entrants = ENTRANTS.replace("nodes=500", "nodes=3k");
        Cup::with("", boards, &entrants)
    }

    pub(crate) fn of(format: &str, boards: u32) -> Cup {
        Cup::with(format, boards, ENTRANTS)
    }

    /// One in which a program plays in every game: those of engines alone need no disk. It takes
    /// nothing it is given, which is a fault and a result like any other, the same everywhere.
    pub(crate) fn of_a_program() -> Cup {
        let cup = Cup::with("", 3, "a = \"line:python3 bot.py\"\nb = \"greedy\"\n");
        let bot = "print('ok', flush=True)\n";
        fs::write(cup.folder().join("bot.py"), bot).unwrap();
        cup
    }

    pub(crate) fn with(format: &str, boards: u32, entrants: &str) -> Cup {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "game = \"flood\"\n{format}\n[boards]\nsetup = \"9x9\"\ncount = {boards}\n\
             [entrants]\n{entrants}"
        );
        fs::write(folder.path().join("cup.toml"), text).unwrap();
        Cup {
            folder,
            trusts: false,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The ID of its run, once an organiser has begun it.
    pub(crate) fn run_id(&self) -> String {
        let path = self.folder.path().join("cup.cluster.json");
        let mut id = None;
        wait_until("the run has an ID", || {
            let text = fs::read(&path).unwrap_or_default();
            let told: Option<Value> = serde_json::from_slice(&text).ok();
            id = told.and_then(|told| Some(told["run"].as_str()?.to_owned()));
            id.is_some()
        });
        id.unwrap()
    }

    /// Starts the tournament on a cluster.
    pub(crate) fn organise(&self, server: &Server) -> Organiser {
        self.organise_at(&server.url(), |_| {})
    }

    /// The same by this address, with the command changed.
    pub(crate) fn organise_at(&self, url: &str, change: impl FnOnce(&mut Command)) -> Organiser {
        let mut command = floe();
        command
            .args(["tournament", "cup.toml", "--patience", "1s", "--cluster"])
            .arg(url)
            .current_dir(self.folder.path());
        if self.trusts {
            command.args(["--again", "0"]);
        }
        change(&mut command);
        Organiser::start(command)
    }

    /// The finished games there are.
    pub(crate) fn records(&self) -> Vec<Record> {
        let path = self.folder.path().join("cup.jsonl");
        if !path.exists() {
            return Vec::new();
        }
        let records = read_file(&path).unwrap().map_while(Result::ok);
        records.filter(|record| record.end.is_some()).collect()
    }

    /// The workers that played, with what their machines are.
    pub(crate) fn machines(&self) -> BTreeSet<(String, String)> {
        let machines = self
            .records()
            .into_iter()
            .filter_map(|one| one.opening.machine);
        machines.map(|one| (one.worker, one.class)).collect()
    }

    /// Plays the same at home and compares: every game of the schedule once, and the same table byte
    /// for byte.
    pub(crate) fn is_as_at_home(&self) {
        self.is_as_at_home_while(|| {});
    }

    /// The same, and something is done again and again while it is played at home.
    fn is_as_at_home_while(&self, meanwhile: impl Fn()) {
        let home = tempfile::tempdir().unwrap();
        for file in fs::read_dir(self.folder.path()).unwrap().flatten() {
            let name = file.file_name();
            if !name.to_string_lossy().starts_with("cup.") || name == "cup.toml" {
                fs::copy(file.path(), home.path().join(&name)).unwrap();
            }
        }
        let mut command = floe();
        command
            .args(["tournament", "cup.toml", "--quiet", "--concurrency", "1"])
            .current_dir(home.path());
        Organiser::start(command).finish_while(meanwhile);
        let ids = |folder: &Path| -> Vec<u64> {
            let records = read_file(&folder.join("cup.jsonl")).unwrap();
            let records = records.map(|record| record.unwrap());
            let records = records.filter(|record| record.end.is_some());
            let mut ids: Vec<u64> = records.map(|one| one.opening.id.parse().unwrap()).collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(ids(self.folder.path()), ids(home.path()));
        assert_eq!(table(self.folder.path()), table(home.path()));
    }
}

/// A cup with a program that says nothing until it is let go on: it cannot end before that. The
/// program ends then, which is a fault and a result like any other.
pub(crate) struct HeldCup {
    pub(crate) cup: Cup,
    /// What the program is called: nothing else on this machine is.
    name: String,
}

impl HeldCup {
    /// One of two games, both of them held.
    pub(crate) fn new(server: &Server) -> HeldCup {
        HeldCup::with(server.port, 1, "b = \"greedy\"\n")
    }

    /// One of many games, of which some are held, from the first rounds to the last.
    pub(crate) fn long(server: &Server) -> HeldCup {
        HeldCup::with(server.port, 2, QUICK)
    }

    /// One for the server at this port that outlasts six waits for games.
    pub(crate) fn long_at(port: u16) -> HeldCup {
        HeldCup::with(port, 6, QUICK)
    }

    fn with(port: u16, boards: u32, others: &str) -> HeldCup {
        let name = format!("held-{port}.py");
        let entrants =
            format!("held = \"line:python3 -S {name}\"\n{others}[limits]\ntime = \"5min\"\n");
        let mut cup = Cup::with("", boards, &entrants);
        // A game that is played again would be held as well.
        cup.trusts = true;
        let program = "import os, signal\n\
            print('ok', flush=True)\n\
            signal.signal(signal.SIGUSR1, lambda *_: os._exit(0))\n\
            while True:\n\
            \x20   signal.pause()\n";
        fs::write(cup.folder().join(&name), program).unwrap();
        HeldCup { cup, name }
    }

    /// Waits until a game is held.
    pub(crate) fn wait_for_a_game(&self) {
        wait_until("the program waits", || !self.programs().is_empty());
    }

    /// Lets held games go on, those of a moment at a time, until so many more games are finished.
    pub(crate) fn let_games_pass(&self, games: usize) {
        let wanted = self.cup.records().len() + games;
        let is_enough = || self.cup.records().len() >= wanted;
        while !is_enough() {
            let mut held = Vec::new();
            wait_until("games are played", || {
                held = self.programs();
                !held.is_empty() || is_enough()
            });
            wait_until("they go on", || {
                let waiting = self.programs();
                held.retain(|one| waiting.contains(one));
                end(&held);
                held.is_empty()
            });
        }
    }

    /// Waits until no game is held: whoever held one was killed.
    pub(crate) fn wait_for_no_game(&self) {
        wait_until("no program waits", || self.programs().is_empty());
    }

    /// Lets every game go on until the tournament ends, and gives what was said.
    pub(crate) fn finish(&self, organiser: Organiser) -> String {
        organiser.finish_while(|| self.let_go_on())
    }

    /// As [`Cup::is_as_at_home`].
    pub(crate) fn is_as_at_home(&self) {
        self.cup.is_as_at_home_while(|| self.let_go_on());
    }

    /// Ends the programs that wait now.
    pub(crate) fn let_go_on(&self) {
        end(&self.programs());
    }

    /// The processes that are the program and wait for the signal.
    pub(crate) fn programs(&self) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let processes = processes.filter(|process| {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).into_owned();
            let mut words = words.split('\0');
            let is_python = words.next().is_some_and(|word| word.contains("python"));
            is_python
                && words.any(|word| word.ends_with(&self.name))
                && waits_for_a_signal(&process.path())
        });
        let ids = processes.map(|process| process.file_name().to_string_lossy().into_owned());
        ids.collect()
    }
}

/// Ends programs that wait.
fn end(programs: &[String]) {
    for id in programs {
        let _ = Command::new("kill").args(["-USR1", id]).status();
    }
}

/// Whether a process waits for SIGUSR1, by its folder in /proc. One that does not yet would die of it.
fn waits_for_a_signal(process: &Path) -> bool {
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    let mut lines = status.lines();
    let caught = lines.find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & (1 << 9) != 0)
}

/// The table as it is printed for machines, without what the clock says.
fn table(folder: &Path) -> String {
    let output = floe()
        .args(["standings", "cup.toml", "--json"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success());
    let mut table: Value = serde_json::from_slice(&output.stdout).unwrap();
    for row in table["rows"].as_array_mut().unwrap() {
        row["ms_per_move"] = Value::Null;
        row["slowest_ms"] = Value::Null;
    }
    table.to_string()
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
    fn finish_while(mut self, meanwhile: impl Fn()) -> String {
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
