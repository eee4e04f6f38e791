//! The page of machines.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};

use crate::house::{Server, Worker, floe, wait_until};
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
    fn of(folder: &std::path::Path, server: &Server) -> Pages {
        let mut child = floe()
            .args(["league", "serve", "--listen", "127.0.0.1:0", "--cluster"])
            .arg(server.url())
            .arg(folder)
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

    /// The answer to a request with this cookie, with its head.
    fn answer(&self, path: &str, cookie: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
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
    let pages = Pages::of(folder.path(), &server);
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
