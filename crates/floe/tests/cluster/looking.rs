//! Setting up, looking at a cluster, and who may do what.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use floe_arena::runner::available_cores;
use floe_cluster::link::{KNOWN_SERVERS, Link};
use floe_cluster::wire::{JOBS, Order, PROTOCOL};
use floe_cluster::worker::{self, Ending, News, WorkerOptions};
use futures_util::StreamExt as _;
use serde_json::Value;

use crate::cups::Cup;
use crate::house::{Server, Worker, floe, wait_until};

#[test]
fn the_status_tells_who_works() {
    let Some(server) = Server::start() else {
        return;
    };
    let one = Worker::start(&server, "one");
    one.wait_for("no organiser");
    let status = || -> Value {
        let told = floe()
            .args(["cluster", "status", &server.url(), "--json"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&told.stdout);
        crate::schema::check_lines("cluster status", &text, true);
        serde_json::from_str(&text).unwrap()
    };
    let mut told = Value::Null;
    wait_until("the worker is there", || {
        told = status();
        told["workers"].as_array().unwrap().len() == 1
    });
    let worker = &told["workers"][0];
    assert_eq!(
        (worker["name"].as_str(), worker["cores"].as_u64()),
        (Some("one"), Some(1))
    );
    let bench = floe().args(["bench", "--json"]).output().unwrap();
    let bench: Value = serde_json::from_slice(&bench.stdout).unwrap();
    assert_eq!(worker["speeds"]["signature"], bench["signature"]);
    wait_until("the status is told in words too", || {
        let told = floe()
            .args(["cluster", "status", &server.url()])
            .output()
            .unwrap();
        String::from_utf8_lossy(&told.stdout).starts_with("1 worker, 1 core; ")
    });
    let drained = floe()
        .args(["cluster", "drain", &server.url(), "nobody"])
        .output()
        .unwrap();
    assert_eq!(drained.status.code(), Some(1));
}

/// A port that leads to a server, which calls itself of this release there; for one connection.
fn as_release(server: &Server, release: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, to) = (listener.local_addr().unwrap().port(), server.port);
    thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(("127.0.0.1", to)).unwrap();
        let mut asked = (client.try_clone().unwrap(), server.try_clone().unwrap());
        thread::spawn(move || io::copy(&mut asked.0, &mut asked.1));
        let mut server = BufReader::new(server);
        let mut first = String::new();
        server.read_line(&mut first).unwrap();
        let mut info: Value = serde_json::from_str(first.strip_prefix("INFO ").unwrap()).unwrap();
        info["version"] = release.into();
        write!(client, "INFO {info}\r\n").unwrap();
        let _ = io::copy(&mut server, &mut client);
    });
    port
}

#[test]
fn the_status_warns_of_servers_that_were_not_tested() {
    let Some(server) = Server::start() else {
        return;
    };
    for (release, is_known) in [(KNOWN_SERVERS[0], true), ("2.99.1", false)] {
        let status = |words: &[&str]| {
            let url = format!("nats://127.0.0.1:{}", as_release(&server, release));
            let mut command = floe();
            command.args(["cluster", "status", &url]).args(words);
            command.output().unwrap()
        };
        let told = status(&[]);
        assert!(told.status.success());
        let warning = String::from_utf8_lossy(&told.stderr).into_owned();
        let wanted =
            "warning: nats-server 2.99.1 was not tested with this floe; known to work: 2.9.10";
        assert_eq!(warning.contains(wanted), !is_known, "{warning}");
        let told: Value = serde_json::from_slice(&status(&["--json"]).stdout).unwrap();
        assert_eq!(
            (&told["server"], &told["is_known_server"]),
            (&release.into(), &is_known.into())
        );
    }
}

#[test]
fn a_worker_that_does_not_answer_is_told_to_leave_all_the_same() {
    let Some(server) = Server::start() else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut orders = runtime.block_on(async {
        let link = Link::connect(&server.address()).await.unwrap();
        let orders = link.client.subscribe("floe.control.busy").await.unwrap();
        link.client.flush().await.unwrap();
        orders
    });
    let drained = floe()
        .args(["cluster", "drain", &server.url(), "busy"])
        .output()
        .unwrap();
    assert_eq!(drained.status.code(), Some(1));
    let told = String::from_utf8(drained.stderr).unwrap();
    assert!(told.contains("did not confirm"), "{told}");
    let order = runtime.block_on(async {
        let order = tokio::time::timeout(Duration::from_secs(60), orders.next()).await;
        order.unwrap().unwrap()
    });
    let order: Order = serde_json::from_slice(&order.payload).unwrap();
    assert_eq!(order, Order::Leave);
}

#[test]
fn a_worker_of_another_version_is_told_so_and_takes_no_work() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(1);
    let _one = Worker::start(&server, "one");
    cup.organise(&server).finish();
    drop(_one);
    let address = server.address();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let link = Link::connect(&address).await.unwrap();
        let stream = link.find(JOBS).await.unwrap().unwrap();
        let mut config = stream.cached_info().config.clone();
        config.description = Some(format!("floe protocol {}", PROTOCOL + 1));
        link.streams.update_stream(config).await.unwrap();
    });
    let mut old = Worker::start(&server, "old");
    assert_eq!(old.ended(), Some(2));
    // Its last line may be read after its end.
    old.wait_for("THIS-MACHINE:");
    let told = old.told();
    assert!(
        told.contains(&format!(
            "speaks protocol {} and this floe protocol {PROTOCOL}",
            PROTOCOL + 1
        )),
        "{told}"
    );
    assert!(
        told.contains("scp \"$(command -v floe)\" THIS-MACHINE:"),
        "{told}"
    );
    let told = Cup::new(1).organise(&server).fail();
    assert!(
        told.contains("install the floe that its organiser has"),
        "{told}"
    );
}

#[test]
fn an_organiser_says_who_speaks_another_version() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(1);
    let organiser = cup.organise(&server);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let link = runtime.block_on(Link::connect(&server.address())).unwrap();
    wait_until("the organiser tells it", || {
        let payload = r#"{"protocol": 99, "name": "old"}"#;
        let sent = link.client.publish("floe.worker.old", payload.into());
        runtime.block_on(sent).unwrap();
        runtime.block_on(link.client.flush()).unwrap();
        organiser
            .told()
            .contains("worker old: it speaks protocol 99")
    });
    let _one = Worker::start(&server, "one");
    organiser.finish();
    cup.is_as_at_home();
}

#[test]
fn machines_that_are_too_slow_play_no_games_with_time_limits() {
    let Some(server) = Server::start() else {
        return;
    };
    let entrants = "a = \"floe:time=5ms\"\nb = \"greedy\"\n";
    let pace = |text: &str| format!("[pace]\nreference = 1000000000000\n{text}");
    let cup = Cup::with("", 1, &format!("{entrants}{}", pace("within = \"10%\"")));
    let one = Worker::start(&server, "one");
    let mut organiser = cup.organise(&server);
    one.wait_for("takes no such games");
    organiser.kill();
    assert!(cup.records().is_empty());

    // Where time is scaled it plays, and the record says by how much.
    let cup = Cup::with("", 1, &format!("{entrants}{}", pace("scale = true")));
    cup.organise(&server).finish();
    let machines = cup
        .records()
        .into_iter()
        .map(|one| one.opening.machine.unwrap());
    for machine in machines {
        assert_eq!(machine.time_percent, Some(10_000));
    }
}

#[test]
fn an_address_where_nobody_is_is_told() {
    let told = floe()
        .args(["worker", "nats://127.0.0.1:1"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(told.status.code(), Some(2));
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(told.contains("cannot reach nats://127.0.0.1:1"), "{told}");
}

#[test]
fn a_match_tells_what_its_workers_enforce() {
    let Some(server) = Server::start() else {
        return;
    };
    let _one = Worker::start(&server, "one");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bot.sh"), "echo ok\n").unwrap();
    let played = floe()
        .args(["match", "flood", "line:sh bot.sh", "greedy"])
        .args(["--pairs", "1", "--records", "m.jsonl", "--cluster"])
        .arg(server.url())
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8(played.stdout).unwrap();
    let records = floe_arena::journal::read_file(&folder.path().join("m.jsonl")).unwrap();
    let levels = records.map(|record| record.unwrap().opening.sandbox.unwrap());
    let level = levels.min().unwrap();
    let heading = told.lines().next().unwrap();
    assert!(
        heading.ends_with(&format!("sandbox level {level}")),
        "{told}"
    );
}

#[test]
fn a_worker_measures_its_speed_also_while_it_plays() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::new(4);
    let ending = Ending::default();
    let measured = Arc::new(AtomicU64::new(0));
    let options = WorkerOptions {
        address: server.address(),
        name: "one".into(),
        cores: available_cores()[..1].to_vec(),
        cache: cup.folder().join("cup.programs"),
        helper: assert_cmd::cargo::cargo_bin!("floe").to_owned(),
        measured_every: Duration::ZERO,
        update_key: None,
        left: Vec::new(),
    };
    let (until, count) = (ending.clone(), Arc::clone(&measured));
    let worker = thread::spawn(move || {
        worker::run(&options, &until, move |news| {
            if let News::Measured { speeds } = news {
                assert!(!speeds.games.is_empty());
                count.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    cup.organise(&server).finish();
    ending.leave.store(true, Ordering::Relaxed);
    worker.join().unwrap().unwrap();
    assert!(measured.load(Ordering::Relaxed) > 0);
    cup.is_as_at_home();
}
