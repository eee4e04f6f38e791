//! Workers that take the organiser's binary, and those that do not.

use std::fs;
use std::path::Path;

use floe_cluster::config::{Key, read_key};
use floe_cluster::link::Link;
use floe_cluster::update::{self, UpdateKey, machine};
use floe_cluster::wire::{
    Announcement, Offer, Order, PROGRAMS, PROTOCOL, control_subject, sha256, worker_subject,
};
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::runtime::Runtime;

use crate::cups::{Cup, HeldCup};
use crate::house::{Server, Worker, floe, wait_until};
use crate::keys::{address, runtime, server_with_keys};

/// A floe of another version, which says that it starts and is this one otherwise.
const OTHER: &str = "#!/bin/sh
if [ \"$1\" = --version ]; then echo floe 9.9.9; exit; fi
echo \"another floe starts: $*\" >&2
";

/// An organiser that only makes offers.
struct Offerer {
    runtime: Runtime,
    link: Link,
}

impl Offerer {
    fn at(server: &Server) -> Offerer {
        let runtime = runtime();
        let link = runtime.block_on(async {
            let link = Link::connect(&address(server, "organiser.nk")).await;
            let link = link.unwrap();
            link.prepare().await.unwrap();
            link
        });
        Offerer { runtime, link }
    }

    fn offer(&self, offer: &Offer) {
        let order = serde_json::to_vec(&Order::Update(offer.clone())).unwrap();
        self.runtime.block_on(async {
            let sent = self
                .link
                .client
                .publish(control_subject("one"), order.into());
            sent.await.unwrap();
            self.link.client.flush().await.unwrap();
        });
    }

    /// Puts bytes into the store under a name of ours.
    fn store(&self, name: &str, bytes: &[u8]) {
        self.runtime.block_on(async {
            let store = self.link.streams.get_object_store(PROGRAMS).await.unwrap();
            store.put(name, &mut &bytes[..]).await.unwrap();
        });
    }
}

fn organisers_key(folder: &Path) -> Key {
    read_key(&folder.join("organiser.nk")).unwrap()
}

/// Keys of another cluster.
fn other_keys() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut command = floe();
    command.args(["cluster", "config"]).arg(folder.path());
    assert!(command.output().unwrap().status.success());
    folder
}

#[test]
fn a_worker_takes_only_what_the_organiser_has_signed_and_finishes_its_games_before() {
    let Some(server) = server_with_keys(&["--worker", "one"]) else {
        return;
    };
    let offerer = Offerer::at(&server);
    let home = tempfile::tempdir().unwrap();
    let key = |name: &str| server.folder().join(name);
    let mut command = floe();
    command.args(["worker", &server.url(), "--cores", "1", "--key"]);
    command.arg(key("one.nk")).arg("--exec-update");
    command.arg(key("organiser.pub")).arg("--programs");
    command.arg(home.path().join("programs"));
    let one = Worker::of(command);
    let cup = HeldCup::new(&server);
    let organiser = cup.cup.organise_at(&server.url(), |command| {
        command.arg("--key").arg(key("organiser.nk"));
    });
    cup.wait_for_a_game();

    let own = organisers_key(server.folder());
    let binary = assert_cmd::cargo::cargo_bin!("floe");
    let other = format!("{OTHER}exec '{}' \"$@\"\n", binary.display()).into_bytes();
    let sign = |key: &Key, machine: &str, binary: &[u8]| {
        update::sign(key, "9.9.9", machine, binary).unwrap()
    };
    let stranger = other_keys();
    let forged = sign(&organisers_key(stranger.path()), &machine(), &other);
    let elsewhere = sign(&own, "pdp11-unix-other", &other);
    let swapped = sign(&own, &machine(), b"what was signed");
    offerer.store(&swapped.sha256, b"what the store has");
    // The binary that runs is not fetched: the store does not have it.
    let running = sign(&own, &machine(), &fs::read(binary).unwrap());
    for (offer, words) in [
        (&forged, "its signature is not by the key"),
        (&elsewhere, "it is for pdp11-unix-other"),
        (&swapped, "are not those that the organiser signed"),
    ] {
        offerer.offer(&running);
        // An offer that comes while another is looked at is not heard.
        wait_until(words, || {
            offerer.offer(offer);
            one.told().contains(words)
        });
        offerer.offer(offer);
    }
    let is_binary = |name: &str| name.starts_with("floe-");
    let binaries = || {
        let files = fs::read_dir(home.path().join("programs"))
            .unwrap()
            .flatten();
        let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        names.filter(|name| is_binary(name)).count()
    };
    assert_eq!(binaries(), 0);

    let offer = sign(&own, &machine(), &other);
    offerer.store(&offer.sha256, &other);
    let words = "floe 9.9.9 of the organiser starts after the games in progress";
    wait_until(words, || {
        offerer.offer(&offer);
        one.told().contains(words)
    });
    assert_eq!(binaries(), 1);
    assert!(
        !one.told().contains("another floe starts"),
        "{}",
        one.told()
    );
    let id = one.id();
    cup.finish(organiser);
    one.wait_for(&format!("another floe starts: worker {}", server.url()));
    assert_eq!(one.id(), id);
    cup.is_as_at_home();
    let told = one.told();
    for words in ["is not by the key", "pdp11-unix-other", "are not those"] {
        assert_eq!(told.matches(words).count(), 1, "{told}");
    }
    assert!(!told.contains("is missing from the store"), "{told}");

    // The new one plays.
    let cup = Cup::new(1);
    let organiser = cup.organise_at(&server.url(), |command| {
        command.arg("--key").arg(key("organiser.nk"));
    });
    organiser.finish();
    assert!(cup.machines().iter().all(|(name, _)| name == "one"));
    cup.is_as_at_home();
}

#[test]
fn an_organiser_offers_its_own_binary() {
    let Some(server) = server_with_keys(&["--worker", "one"]) else {
        return;
    };
    let cup = Cup::new(1);
    let organiser = cup.organise_at(&server.url(), |command| {
        let key = server.folder().join("organiser.nk");
        command.arg("--key").arg(key);
    });
    let announcement = Announcement {
        protocol: PROTOCOL,
        name: "one".into(),
        floe: "0.0.1".into(),
        cores: 1,
        sandbox: 0,
        class: "of its own".into(),
        speeds: Default::default(),
        games: 0,
        up_s: 0,
        playing: Vec::new(),
        holds: Vec::new(),
        is_leaving: false,
        trouble: None,
        updates: Some(machine()),
    };
    let announcement = serde_json::to_vec(&announcement).unwrap();
    let runtime = runtime();
    let key = address(&server, "one.nk");
    let link = runtime.block_on(Link::connect(&key)).unwrap();
    let orders = runtime.block_on(link.client.subscribe(control_subject("one")));
    let mut orders = orders.unwrap();
    let mut offer = None;
    wait_until("an offer comes", || {
        runtime.block_on(async {
            let subject = worker_subject("one");
            let said = link.client.publish(subject, announcement.clone().into());
            said.await.unwrap();
            link.client.flush().await.unwrap();
        });
        while let Some(Some(message)) = orders.next().now_or_never() {
            if let Ok(Order::Update(one)) = serde_json::from_slice(&message.payload) {
                offer = Some(one);
            }
        }
        offer.is_some()
    });
    let offer = offer.unwrap();
    let public = UpdateKey::read(&server.folder().join("organiser.pub")).unwrap();
    assert_eq!(public.check(&offer), Ok(()));
    assert_eq!(offer.version, update::VERSION);
    let own = fs::read(assert_cmd::cargo::cargo_bin!("floe")).unwrap();
    assert_eq!(offer.sha256, sha256(&own));
    let stored = runtime.block_on(update::fetch(&link, &offer)).unwrap();
    assert!(stored == own, "the store has another binary");
    organiser.wait_for("worker one: it has floe `0.0.1`");
    organiser.wait_for("it is offered this one");
}

#[test]
fn a_worker_needs_a_public_key_for_updates() {
    let keys = other_keys();
    let mut command = floe();
    command.args(["worker", "nats://127.0.0.1:1", "--exec-update"]);
    let refused = command.arg(keys.path().join("organiser.nk")).output();
    let refused = refused.unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("writes it to organiser.pub"), "{told}");
}
