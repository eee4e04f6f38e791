//! Three servers, of which any one may fail.

use std::fs::File;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use floe_cluster::link::{Address, Link};
use floe_cluster::wire::JOBS;
use serde_json::Value;
use tempfile::TempDir;

use crate::cups::HeldCup;
use crate::house::{Server, Worker, floe, wait_until};
use crate::keys::runtime;
use crate::ports::free_port;

/// Three servers with configurations that `floe cluster config` wrote.
struct Trio {
    folder: TempDir,
    ports: Vec<u16>,
    servers: Vec<Option<Child>>,
}

impl Trio {
    /// Starts them; nothing where nats-server is not installed.
    fn start(worker: &str) -> Option<Trio> {
        drop(Server::start()?);
        let folder = tempfile::tempdir().unwrap();
        let ports = vec![free_port(), free_port(), free_port()];
        let mut command = floe();
        command
            .args(["cluster", "config", ".", "--servers", "3"])
            .args(["--listen", "127.0.0.1:4232", "--worker", worker])
            .current_dir(folder.path());
        for port in &ports {
            command.args(["--host", &format!("127.0.0.1:{port}")]);
        }
        let done = command.output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{told}");
        let mut trio = Trio {
            folder,
            ports,
            servers: vec![None, None, None],
        };
        let told = String::from_utf8_lossy(&done.stdout);
        assert!(told.contains(&trio.url()), "{told}");
        (0..3).for_each(|number| trio.start_one(number));
        trio.are_ready();
        Some(trio)
    }

    fn start_one(&mut self, number: usize) {
        let name = format!("floe-nats-{}.conf", number + 1);
        let log = self.folder.path().join(format!("log-{number}"));
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(self.folder.path().join(name))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::options().create(true).append(true).open(log).unwrap())
            .spawn();
        self.servers[number] = Some(child.unwrap());
        wait_until("the server answers", || {
            TcpStream::connect(("127.0.0.1", self.ports[number])).is_ok()
        });
    }

    fn kill(&mut self, number: usize) {
        let mut server = self.servers[number].take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
    }

    /// The addresses of all.
    fn url(&self) -> String {
        let urls: Vec<String> = (self.ports.iter())
            .map(|port| format!("nats://127.0.0.1:{port}"))
            .collect();
        urls.join(",")
    }

    fn address(&self) -> Address {
        Address {
            url: self.url(),
            key: Some(self.folder.path().join("organiser.nk")),
        }
    }

    /// Waits until they have found each other, and all have all copies.
    fn are_ready(&self) {
        let address = self.address();
        wait_until("all servers have copies", || {
            runtime().block_on(async {
                let Ok(link) = Link::connect(&address).await else {
                    return false;
                };
                let _ = link.prepare().await;
                let Ok(Some(jobs)) = link.find(JOBS).await else {
                    return false;
                };
                let info = jobs.cached_info();
                let Some(cluster) = &info.cluster else {
                    return false;
                };
                let are_current = cluster.replicas.iter().all(|peer| peer.current);
                info.config.num_replicas == 3 && cluster.replicas.len() == 2 && are_current
            })
        });
    }

    fn worker(&self, name: &str) -> Worker {
        Worker::at(&self.url(), name, |command| {
            command.arg("--key");
            command.arg(self.folder.path().join(format!("{name}.nk")));
        })
    }

    /// The servers that `floe cluster status` calls away; nothing but "" if it does not list three.
    fn away(&self) -> Vec<String> {
        let told = floe()
            .args(["cluster", "status", &self.url(), "--json", "--key"])
            .arg(self.folder.path().join("organiser.nk"))
            .output()
            .unwrap();
        let told: Value = serde_json::from_slice(&told.stdout).unwrap_or_default();
        let servers = told["servers"].as_array().cloned().unwrap_or_default();
        if servers.len() != 3 {
            return vec![String::new()];
        }
        let away = servers.iter().filter(|one| one["is_away"] == true);
        away.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Trio {
    fn drop(&mut self) {
        for server in self.servers.iter_mut().flatten() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

#[test]
fn any_of_three_servers_is_killed() {
    let Some(mut trio) = Trio::start("one") else {
        return;
    };
    let _one = trio.worker("one");
    // All servers learn of a new key.
    let added = floe()
        .args(["cluster", "add", "two", "--folder", "."])
        .current_dir(trio.folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&added.stderr);
    assert_eq!(told.matches("the server has read ").count(), 3, "{told}");
    let _two = trio.worker("two");
    let cup = HeldCup::long_at(trio.ports[0]);
    let organiser = cup.cup.organise_at(&trio.url(), |command| {
        command.arg("--key");
        command.arg(trio.folder.path().join("organiser.nk"));
    });
    for number in 0..3 {
        cup.let_games_pass(3);
        cup.wait_for_a_game();
        trio.kill(number);
        cup.let_games_pass(3);
        let name = format!("floe-{}", number + 1);
        wait_until("the others say that it is away", || {
            trio.away() == [name.as_str()]
        });
        trio.start_one(number);
        trio.are_ready();
        wait_until("none is away", || trio.away().is_empty());
    }
    cup.finish(organiser);
    cup.is_as_at_home();
}
