//! Keys, and what they allow.

use std::fs;

use floe_cluster::link::{Address, Link};
use floe_cluster::wire::{RESULTS, result_subject, worker_subject};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;

use crate::cups::Cup;
use crate::house::{Server, Worker, floe, wait_until};
use crate::liar::{Liar, Vice};

/// A server with a configuration of ours, made with these words; nothing where it is not installed.
pub(crate) fn server_with_keys(words: &[&str]) -> Option<Server> {
    drop(Server::start()?);
    let folder = tempfile::tempdir().unwrap();
    let done = floe()
        .args(["cluster", "config", ".", "--listen", "127.0.0.1:-1"])
        .args(words)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{told}");
    Some(Server::with_config(folder))
}

/// Who has this key at a server.
pub(crate) fn address(server: &Server, key: &str) -> Address {
    Address {
        url: server.url(),
        key: Some(server.folder().join(key)),
    }
}

pub(crate) fn runtime() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

#[test]
fn whoever_has_a_key_may_do_what_they_need_and_nobody_else_anything() {
    let Some(server) = server_with_keys(&["--workers", "1"]) else {
        return;
    };
    let key = |name: &str| server.folder().join(name);
    let stranger = floe().args(["worker", &server.url()]).output().unwrap();
    assert_eq!(stranger.status.code(), Some(2));

    // A program too: it is fetched with the worker's key.
    let bot = "echo ok\nwhile read -r line; do :; done\n";
    let cup = Cup::with("", 1, "a = \"line:sh bot.sh\"\nb = \"greedy\"\n");
    fs::write(cup.folder().join("bot.sh"), bot).unwrap();
    let text = fs::read_to_string(cup.folder().join("cup.toml")).unwrap();
    let limits = text.replace("[entrants]", "[limits]\ntime = \"100ms\"\n[entrants]");
    fs::write(cup.folder().join("cup.toml"), limits).unwrap();
    let _one = Worker::at(&server.url(), "one", |command| {
        command.arg("--key").arg(key("worker-1.nk"));
    });
    let organised = cup.organise_at(&server.url(), |command| {
        command.arg("--key").arg(key("organiser.nk"));
    });
    organised.finish();
    cup.is_as_at_home();
    // A worker's key makes nobody an organiser.
    let cup = Cup::new(1);
    let refused = cup.organise_at(&server.url(), |command| {
        command.arg("--key").arg(key("worker-1.nk"));
    });
    let told = refused.fail();
    assert!(told.contains("the server did not"), "{told}");
}

#[test]
fn a_key_with_a_name_speaks_for_nobody_else() {
    let words = ["--worker", "one", "--worker", "two", "--workers", "1"];
    let Some(server) = server_with_keys(&words) else {
        return;
    };
    runtime().block_on(async {
        let organiser = Link::connect(&address(&server, "organiser.nk"))
            .await
            .unwrap();
        organiser.prepare().await.unwrap();
        let mut heard = organiser.client.subscribe("floe.worker.*").await.unwrap();
        organiser.client.flush().await.unwrap();
        for (key, own) in [("two.nk", "two"), ("worker-1.nk", "three")] {
            let link = Link::connect(&address(&server, key)).await.unwrap();
            // The second of each arrives, so the first was refused.
            for name in ["one", own] {
                for subject in [worker_subject(name), result_subject(1, "r", name, "1")] {
                    let sent = link.client.publish(subject, "".into()).await;
                    sent.unwrap();
                }
            }
            link.client.flush().await.unwrap();
            let first = heard.next().await.unwrap();
            assert_eq!(first.subject.as_str(), worker_subject(own));
        }
    });
    let stored = || -> Vec<String> {
        runtime().block_on(async {
            let link = Link::connect(&address(&server, "organiser.nk"))
                .await
                .unwrap();
            let results = link.find(RESULTS).await.unwrap().unwrap();
            let subjects = results
                .info_with_subjects("floe.results.1.r.>")
                .await
                .unwrap();
            let mut subjects: Vec<String> = subjects.map(|one| one.unwrap().0).collect().await;
            subjects.sort();
            subjects
        })
    };
    let wanted = [
        result_subject(1, "r", "three", "1"),
        result_subject(1, "r", "two", "1"),
    ];
    wait_until("the server has their own results", || stored().len() >= 2);
    assert_eq!(stored(), wanted);

    // The worker has its key's name, and no other.
    let key = server.folder().join("two.nk");
    let refused = floe()
        .args(["worker", &server.url(), "--name", "one", "--key"])
        .arg(&key)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("this is the key of worker two"), "{told}");
    let mut command = floe();
    command.args(["worker", &server.url(), "--cores", "1", "--key"]);
    command.arg(&key);
    let two = Worker::of(command);
    let cup = Cup::of_a_program();
    let organised = cup.organise_at(&server.url(), |command| {
        command
            .arg("--key")
            .arg(server.folder().join("organiser.nk"));
    });
    organised.finish();
    assert!(two.told().contains("two: 1 core"), "{}", two.told());
    assert!(cup.machines().iter().all(|(name, _)| name == "two"));
    cup.is_as_at_home();
}

#[test]
fn a_worker_that_names_somebody_else_is_found_out_by_its_key() {
    let words = ["--worker", "one", "--worker", "liar"];
    let Some(server) = server_with_keys(&words) else {
        return;
    };
    let cup = Cup::new(2);
    let organiser = cup.organise_at(&server.url(), |command| {
        command
            .arg("--key")
            .arg(server.folder().join("organiser.nk"));
    });
    let liar = Liar::at(address(&server, "liar.nk"), Vice::Impersonates);
    wait_until("the organiser says who it is", || {
        let told = organiser.told();
        told.contains("worker liar: refused: a result in the name of one")
            && told.contains("worker liar: its results do not count any more")
    });
    let _one = Worker::at(&server.url(), "one", |command| {
        command.arg("--key").arg(server.folder().join("one.nk"));
    });
    let told = organiser.finish();
    assert!(!told.contains("worker one"), "{told}");
    drop(liar);
    cup.is_as_at_home();
    assert!(cup.machines().iter().all(|(name, _)| name == "one"));
}

#[test]
fn workers_are_let_in_and_out_while_the_server_runs() {
    let Some(server) = server_with_keys(&["--worker", "one"]) else {
        return;
    };
    let change = |words: &[&str]| {
        let done = floe()
            .args(["cluster"])
            .args(words)
            .arg("--folder")
            .arg(server.folder())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        (done.status.code(), told)
    };
    let worker = |name: &str| {
        let mut command = floe();
        command.args(["worker", &server.url(), "--cores", "1", "--key"]);
        command.arg(server.folder().join(format!("{name}.nk")));
        Worker::of(command)
    };
    let one = worker("one");
    one.wait_for("no organiser");
    let (code, told) = change(&["add", "two"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("the server has read "), "{told}");
    let mut two = worker("two");
    two.wait_for("no organiser");
    assert_eq!(change(&["add", "two"]).0, Some(2));

    let (code, told) = change(&["remove", "two"]);
    assert_eq!(code, Some(0), "{told}");
    two.wait_for("does not know this key any more");
    assert!(!two.has_ended() && !server.folder().join("two.nk").exists());
    assert_eq!(change(&["remove", "two"]).0, Some(2));
    assert!(!one.told().contains("this key"), "{}", one.told());
    // The one that is left plays.
    let cup = Cup::new(1);
    let organised = cup.organise_at(&server.url(), |command| {
        let key = server.folder().join("organiser.nk");
        command.arg("--key").arg(key);
    });
    organised.finish();
    assert!(cup.machines().iter().all(|(name, _)| name == "one"));
}

#[test]
fn a_workers_key_is_not_told_that_nobody_works() {
    let Some(server) = server_with_keys(&["--worker", "one", "--workers", "1"]) else {
        return;
    };
    let status = |key: &str| {
        let done = floe()
            .args(["cluster", "status", &server.url(), "--key"])
            .arg(server.folder().join(key))
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        (done.status.code(), told)
    };
    for key in ["one.nk", "worker-1.nk"] {
        let (code, told) = status(key);
        assert_eq!(code, Some(2), "{key}: {told}");
        assert!(told.contains("this is a worker's key"), "{told}");
    }
    let (code, told) = status("organiser.nk");
    assert_eq!(code, Some(0), "{told}");
}
