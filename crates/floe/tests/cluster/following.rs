//! The first steps of docs/cluster.md, as they stand. That the commands of the other parts are accepted is
//! tested with those of all documents.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Stdio};

use floe_arena::journal::read_file;

use crate::house::{Server, Worker, wait_until};
use crate::ports::free_port;
use crate::reader::Reader;

/// A process that ends with this value.
struct Background(Child);

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn three_machines_in_ten_minutes_end_with_a_played_tournament() {
    if Server::start().is_none() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/cluster.md")).unwrap();
    let (_, steps) = text.split_once("## Three machines in ten minutes").unwrap();
    let (steps, _) = steps.split_once("\n## ").unwrap();
    let lines = steps.lines().filter_map(|line| line.strip_prefix("    "));
    let lines: Vec<&str> = lines
        .map(|line| line.split("  #").next().unwrap_or_default().trim())
        .collect();
    let [
        install,
        config,
        server,
        worker,
        description,
        tournament,
        status,
    ] = lines[..]
    else {
        panic!("other steps than these: {lines:#?}");
    };
    assert_eq!(install, "sudo apt-get install nats-server");
    let mut reader = Reader::new();
    let port = free_port();
    reader.replace("nats://host", format!("nats://127.0.0.1:{port}"));
    reader.type_in(&format!("{config} --listen 127.0.0.1:{port}"), "");
    // The shell becomes the command, so that it is what is ended.
    let in_place = |line: &str| reader.shell(&format!("exec {line}"));
    let mut command = in_place(server);
    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let _server = Background(command.spawn().unwrap());
    wait_until("the server answers", || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    // The other machine is a folder, and the copy a link.
    assert!(steps.contains("`scp \"$(command -v floe)\" cluster/lab-1.nk lab-1:`"));
    let here = reader.here();
    let other = here.join("lab-1");
    fs::create_dir(&other).unwrap();
    symlink(assert_cmd::cargo::cargo_bin!("floe"), other.join("floe")).unwrap();
    fs::copy(here.join("cluster/lab-1.nk"), other.join("lab-1.nk")).unwrap();
    let mut command = in_place(worker);
    command.current_dir(&other).stdin(Stdio::null());
    let worker = Worker::of(command);
    worker.wait_for("no organiser");

    reader.run(description, "");
    reader.run(tournament, "");
    let records = read_file(&here.join("league.jsonl")).unwrap();
    let records = records.map(|record| record.unwrap());
    let players = records.map(|record| record.opening.machine.unwrap().worker);
    let players: Vec<String> = players.collect();
    assert_eq!(players.len(), 24);
    assert!(players.iter().all(|name| name == "lab-1"), "{players:?}");
    let status = reader.run(status, "");
    assert!(status.starts_with("1 worker, "), "{status}");
}
