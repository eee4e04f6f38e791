//! Tournaments to be played on a cluster, and what they come to at home.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use floe_arena::journal::read_file;
use floe_games::record::Record;
use serde_json::Value;
use tempfile::TempDir;

use crate::house::{Organiser, Server, floe, wait_until};

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

/// The only one beside such a program.
const ONE: &str = "b = \"greedy\"\n";

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
        let cup = Cup::with("", 3, "a = \"line:sh bot.sh\"\nb = \"greedy\"\n");
        fs::write(cup.folder().join("bot.sh"), "echo ok\n").unwrap();
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
        HeldCup::named("held", server.port, 1, ONE)
    }

    /// One whose games are all held, two on each board, with a name of its own.
    pub(crate) fn of_boards(server: &Server, name: &str, boards: u32) -> HeldCup {
        HeldCup::named(name, server.port, boards, ONE)
    }

    /// One of many games, of which some are held, from the first rounds to the last.
    pub(crate) fn long(server: &Server) -> HeldCup {
        HeldCup::named("held", server.port, 2, QUICK)
    }

    /// One for the server at this port that outlasts six waits for games.
    pub(crate) fn long_at(port: u16) -> HeldCup {
        HeldCup::named("held", port, 6, QUICK)
    }

    fn named(name: &str, port: u16, boards: u32, others: &str) -> HeldCup {
        let name = format!("{name}-{port}.sh");
        let entrants = format!("held = \"line:sh {name}\"\n{others}[limits]\ntime = \"5min\"\n");
        let mut cup = Cup::with("", boards, &entrants);
        // A game that is played again would be held as well.
        cup.trusts = true;
        // A shell starts in a millisecond, and there is one for every game.
        let program = "trap 'exit 0' USR1\necho ok\nwhile read -r line; do :; done\n";
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
            wait_until("games are played", || {
                !self.programs().is_empty() || is_enough()
            });
            self.end_held();
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

    /// Ends the programs that wait now, and waits until they are gone.
    pub(crate) fn end_held(&self) {
        let mut held = self.programs();
        wait_until("they go on", || {
            let waiting = self.programs();
            held.retain(|one| waiting.contains(one));
            end(&held);
            held.is_empty()
        });
    }

    /// Ends the programs that wait now.
    pub(crate) fn let_go_on(&self) {
        end(&self.programs());
    }

    /// The processes that are the program and wait for the signal.
    pub(crate) fn programs(&self) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let processes = processes.filter(|process| {
            let read = |name: &str| fs::read(process.path().join(name)).unwrap_or_default();
            // Asked first: it takes little, and every process is asked many times a second.
            if !read("comm").ends_with(b"sh\n") {
                return false;
            }
            let words = read("cmdline");
            let mut words = words.split(|&byte| byte == 0);
            words.any(|word| word.ends_with(self.name.as_bytes()))
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
