//! A server in a process of its own, and as much of a browser as asking it takes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What makes this program the server of a folder.
pub(crate) const SERVE: &str = "--serve";

/// A server, which ends with this.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
    /// How long it took from being started to its first answer.
    pub(crate) start: Duration,
}

impl Server {
    pub(crate) async fn start(folder: &Path) -> Server {
        let began = Instant::now();
        let mut process = Command::new(std::env::current_exe().unwrap())
            .arg(SERVE)
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(process.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        let address = line.trim().parse().unwrap();
        let mut client = Client::connect(address, "").await;
        client.get("/").await;
        Server {
            process,
            address,
            start: began.elapsed(),
        }
    }

    /// Resident memory, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|rest| rest.split_whitespace().next());
        number.unwrap().parse().unwrap()
    }

    /// The time it has kept cores busy, to a hundredth of a second.
    pub(crate) fn busy(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        // The name before the last bracket may have spaces in it.
        let (_, rest) = stat.rsplit_once(')').unwrap();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // In user mode and in the system.
        let ticks: u64 = (fields[11..13].iter())
            .map(|ticks| ticks.parse::<u64>().unwrap())
            .sum();
        Duration::from_millis(10 * ticks)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that is kept.
pub(crate) struct Client {
    stream: TcpStream,
    cookie: String,
    /// Who a proxy would say asks: the rate of each is limited.
    pub(crate) who: u32,
    seen: Vec<u8>,
}

pub(crate) struct Answer {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr, cookie: &str) -> Client {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Client {
            stream,
            cookie: cookie.to_owned(),
            who: 0,
            seen: Vec::new(),
        }
    }

    async fn ask(&mut self, method: &str, path: &str, more: &str, body: &str) {
        let [_, a, b, c] = self.who.to_be_bytes();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 10.{a}.{b}.{c}\r\n\
             cookie: {}\r\ncontent-length: {}\r\n{more}\r\n{body}",
            self.cookie,
            body.len(),
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, "", "").await;
        self.answer().await
    }

    /// The same, packed as browsers want it.
    pub(crate) async fn get_packed(&mut self, path: &str) -> Answer {
        let more = "accept-encoding: gzip, deflate, br, zstd\r\n";
        self.ask("GET", path, more, "").await;
        self.answer().await
    }

    pub(crate) async fn post(&mut self, path: &str, kind: &str, body: &str) -> Answer {
        let more = format!("content-type: {kind}\r\n");
        self.ask("POST", path, &more, body).await;
        self.answer().await
    }

    /// Asks for events, which [`read_until`](Self::read_until) reads.
    pub(crate) async fn follow(&mut self, path: &str) {
        self.ask("GET", path, "", "").await;
    }

    /// Reads on until this has come.
    pub(crate) async fn read_until(&mut self, mark: &[u8]) {
        while self.find(mark, 0).is_none() {
            // What is looked for may have come in part.
            let keep = self.seen.len().min(mark.len());
            self.seen.drain(..self.seen.len() - keep);
            self.read().await;
        }
        self.seen.clear();
    }

    fn find(&self, mark: &[u8], from: usize) -> Option<usize> {
        let mut windows = self.seen[from..].windows(mark.len());
        Some(from + windows.position(|window| window == mark)?)
    }

    async fn read(&mut self) {
        // Those who wait hold nothing.
        self.stream.readable().await.unwrap();
        let mut part = [0; 16384];
        let count = self.stream.read(&mut part).await.unwrap();
        let seen = String::from_utf8_lossy(&self.seen);
        assert!(count > 0, "the connection was closed after {seen}");
        self.seen.extend_from_slice(&part[..count]);
    }

    async fn until(&mut self, mark: &[u8], from: usize) -> usize {
        loop {
            match self.find(mark, from) {
                Some(at) => return at,
                None => self.read().await,
            }
        }
    }

    async fn answer(&mut self) -> Answer {
        let end = self.until(b"\r\n\r\n", 0).await + 4;
        let head = String::from_utf8_lossy(&self.seen[..end]).to_lowercase();
        let status = head.split_whitespace().nth(1).unwrap();
        assert!(
            status.starts_with(['2', '3']),
            "{head}{}",
            String::from_utf8_lossy(&self.seen[end..])
        );
        let length = (head.lines()).find_map(|line| line.strip_prefix("content-length: "));
        let mut body = Vec::new();
        let mut at = end;
        match length.map(|length| length.parse::<usize>().unwrap()) {
            Some(length) => {
                while self.seen.len() < end + length {
                    self.read().await;
                }
                body.extend_from_slice(&self.seen[end..end + length]);
                at += length;
            }
            None => loop {
                let line = self.until(b"\r\n", at).await;
                let length = std::str::from_utf8(&self.seen[at..line]).unwrap();
                let length = usize::from_str_radix(length, 16).unwrap();
                let from = line + 2;
                while self.seen.len() < from + length + 2 {
                    self.read().await;
                }
                body.extend_from_slice(&self.seen[from..from + length]);
                at = from + length + 2;
                if length == 0 {
                    break;
                }
            },
        }
        self.seen.drain(..at);
        Answer { head, body }
    }
}
