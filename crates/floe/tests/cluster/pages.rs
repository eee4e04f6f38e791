//! The page of machines.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use crate::house::{Server, Worker, floe, wait_until};
use crate::keys::server_with_keys;
use crate::leagues::league;

/// A league's pages, which end with this value.
struct Pages {
    child: Child,
    /// Open as long as it writes.
    _output: BufReader<ChildStdout>,
    address: String,
    /// What makes a browser the organiser's.
    cookie: String,
}

impl Pages {
    fn of(folder: &Path, server: &Server, key: Option<&Path>) -> Pages {
        let mut command = floe();
        command.args(["league", "serve", "--listen", "127.0.0.1:0", "--cluster"]);
        command.arg(server.url()).arg(folder);
        if let Some(key) = key {
            command.arg("--key").arg(key);
        }
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let lines = output.by_ref().lines().map_while(Result::ok);
        let enter = { lines }.find(|line| line.contains("/enter/")).unwrap();
        let link = enter.split_once("http://").unwrap().1;
        let (address, path) = link.trim().split_once('/').unwrap();
        let mut pages = Pages {
            child,
            _output: output,
            address: address.to_owned(),
            cookie: String::new(),
        };
        let entered = pages.answer(&format!("/{path}"), "");
        let cookies = entered.lines().filter_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let is_cookie = name.eq_ignore_ascii_case("set-cookie");
            is_cookie.then(|| value.split(';').next().unwrap_or_default().to_owned())
        });
        pages.cookie = cookies.collect::<Vec<_>>().join("; ");
        pages
    }

    /// The answer to the organiser's request.
    fn get(&self, path: &str) -> String {
        self.answer(path, &self.cookie)
    }

    /// The answer to a button of the page of machines.
    fn press(&self, button: &str, form: &str) -> String {
        let head = "Content-Type: application/x-www-form-urlencoded\r\n";
        let path = format!("/cluster/{button}");
        self.exchange("POST", &path, &self.cookie, head, form)
    }

    /// The answer to a request with this cookie, with its head.
    fn answer(&self, path: &str, cookie: &str) -> String {
        self.exchange("GET", path, cookie, "", "")
    }

    fn exchange(&self, method: &str, path: &str, cookie: &str, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n{head}\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_organiser_sees_the_machines() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = league();
    let banned = floe()
        .args(["cluster", "ban"])
        .arg(folder.path())
        .args(["two", "--reason", "its fan is broken"])
        .output()
        .unwrap();
    assert!(banned.status.success());
    let _one = Worker::start(&server, "one");
    let _two = Worker::start(&server, "two");
    let pages = Pages::of(folder.path(), &server, None);
    let mut page = String::new();
    wait_until("the page shows both workers and the ladder", || {
        page = pages.get("/cluster");
        let is_there = |text: &str| page.contains(text);
        is_there("<b>one</b>")
            && is_there("its fan is broken")
            && is_there("<b>ladder</b>")
            && is_there("<td>normal</td>")
    });
    let version = env!("CARGO_PKG_VERSION");
    assert!(page.contains(&format!("<td>{version}</td>")), "{page}");
    let desk = pages.get("/desk");
    assert!(desk.contains("href=\"/cluster\""), "{desk}");
    let stranger = pages.answer("/cluster", "");
    assert!(stranger.starts_with("HTTP/1.1 403"), "{stranger}");
}

#[test]
fn the_organiser_bans_drains_and_removes_workers_by_buttons() {
    let Some(server) = server_with_keys(&["--worker", "one", "--worker", "two"]) else {
        return;
    };
    let worker = |name: &str| {
        let key = server.folder().join(format!("{name}.nk"));
        Worker::at(&server.url(), name, |command| {
            command.arg("--key").arg(key);
        })
    };
    let mut one = worker("one");
    let two = worker("two");
    let folder = league();
    let key = server.folder().join("organiser.nk");
    let pages = Pages::of(folder.path(), &server, Some(&key));
    let row = |name: &str| {
        let page = pages.get("/cluster");
        let mut rows = page.split("<tr>").map(str::to_owned);
        rows.find(|row| row.contains(&format!("<b>{name}</b>")))
            .unwrap_or_default()
    };
    wait_until("both workers are on the page", || {
        row("one").contains("/cluster/drain") && row("two").contains("/cluster/drain")
    });
    // The ladder that runs beside the pages hears of it.
    let answer = pages.press("ban", "worker=two&reason=its+fan+is+broken");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(
        answer.contains("two is banned: its fan is broken."),
        "{answer}"
    );
    assert!(row("two").contains("its fan is broken") && row("two").contains("/cluster/unban"));
    let bans = || {
        let mut command = floe();
        command.args(["cluster", "bans"]).arg(folder.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(bans().contains("its fan is broken"), "{}", bans());
    let answer = pages.press("unban", "worker=two");
    assert!(answer.contains("two is no longer banned."), "{answer}");
    assert!(bans().contains("no worker is banned"), "{}", bans());
    // Somebody who was never there.
    pages.press("ban", "worker=three");
    assert!(
        row("three").contains("banned by the organiser"),
        "{}",
        row("three")
    );
    for (button, worker) in [("ban", "a b"), ("drain", "*"), ("remove", "three")] {
        let answer = pages.press(button, &format!("worker={worker}"));
        assert!(
            answer.starts_with("HTTP/1.1 422"),
            "{button} {worker}: {answer}"
        );
    }

    let answer = pages.press("drain", "worker=one");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(one.ended(), Some(0));
    assert!(row("two").contains("/cluster/remove"));
    let answer = pages.press("remove", "worker=two");
    assert!(
        answer.contains("The key of two is removed; the server has read"),
        "{answer}"
    );
    two.wait_for("does not know this key any more");
    assert!(!server.folder().join("two.nk").exists());
    assert!(!row("two").contains("/cluster/remove"));
}
