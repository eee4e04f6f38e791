//! The league, as it is reached over HTTP.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use floe_league::Token;
use floe_league::remote::{Hello, News, NumberedNews, Reply, Welcome};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Time limit of a request: the league holds requests for up to ten seconds.
const PATIENCE: Duration = Duration::from_secs(25);
/// Pause before the next attempt, at first and at most.
const REST: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));
/// The longest wait that an answer may demand, and the number of repetitions after it.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const REPEATS: u32 = 10;

/// A message during a game.
pub(super) enum Heard {
    /// A message from the league.
    News(News),
    /// The league is not reached.
    Lost(String),
    /// There is a new connection.
    Back(Welcome),
    /// The league refuses the connection.
    Refused(String),
    /// A program wrote a line.
    Line { program: u64, line: String },
    /// A program ended, or closed its output.
    Ended { program: u64 },
}

/// The reason why a request failed.
enum Failure {
    /// No answer.
    Lost(String),
    /// The answer is no.
    Refused { status: u16, why: String },
    /// The league, or a proxy in front of it, asks to wait.
    Busy { wait: Duration, why: String },
}

/// The league, as it is reached over HTTP.
pub(super) struct LeagueClient {
    agent: ureq::Agent,
    address: String,
    bearer: String,
    word: String,
    connection: Mutex<String>,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    #[serde(default)]
    help: String,
}

#[derive(Deserialize)]
struct GameState {
    news: Vec<NumberedNews>,
}

impl LeagueClient {
    pub(super) fn new(address: &str, token: &Token, word: &str) -> LeagueClient {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE));
        LeagueClient {
            agent: ureq::Agent::new_with_config(config.build()),
            address: format!("{}/api/v1/remote", address.trim_end_matches('/')),
            bearer: format!("Bearer {}", token.text()),
            word: word.to_owned(),
            connection: Mutex::default(),
        }
    }

    /// Connects for the first time.
    pub(super) fn connect(&self) -> Result<Welcome> {
        match self.greet() {
            Ok(welcome) => Ok(welcome),
            Err(Failure::Lost(why)) => bail!("cannot reach the league: {why}"),
            Err(Failure::Refused { why, .. } | Failure::Busy { why, .. }) => bail!("{why}"),
        }
    }

    fn greet(&self) -> Result<Welcome, Failure> {
        let word = self.word.clone();
        let welcome: Welcome = self.post(&self.address, &Hello { word })?;
        self.connection.lock().clone_from(&welcome.connection);
        Ok(welcome)
    }

    /// The address of the connection.
    fn here(&self) -> String {
        format!("{}/{}", self.address, self.connection.lock())
    }

    /// Sends a reply; errors show with the next request.
    pub(super) fn say(&self, reply: &Reply) {
        let _ = self.try_to_say(reply);
    }

    /// Sends a message, and repeats it once if the league cannot be reached; returns the reason of
    /// a refusal.
    pub(super) fn try_to_say(&self, reply: &Reply) -> Result<(), String> {
        let here = self.here();
        let say = || self.post::<serde_json::Value>(&here, reply);
        let said = match say() {
            Err(Failure::Lost(_)) => say(),
            said => said,
        };
        match said {
            Ok(_) => Ok(()),
            Err(Failure::Lost(why) | Failure::Refused { why, .. } | Failure::Busy { why, .. }) => {
                Err(why)
            }
        }
    }

    /// Disconnects from the league.
    pub(super) fn leave(&self) {
        let request = self.agent.delete(self.here());
        let _ = request.header("Authorization", &self.bearer).call();
    }

    /// Listens in its own thread until the league ends the connection, and reconnects if needed.
    pub(super) fn listen(self: Arc<Self>, mut connection: String, tell: Sender<Heard>) {
        thread::spawn(move || {
            let (mut after, mut rest) = (0, REST.0);
            loop {
                let address = format!("{}/{connection}?after={after}", self.address);
                let request = self.agent.get(&address);
                let request = request.header("Authorization", &self.bearer);
                let heard = match read::<GameState>(request.call()) {
                    Ok(told) => {
                        rest = REST.0;
                        for NumberedNews { number, news } in told.news {
                            after = number;
                            if tell.send(Heard::News(news)).is_err() {
                                return;
                            }
                        }
                        continue;
                    }
                    // The league does not know the connection any more, so make a new one.
                    Err(Failure::Refused { status: 404, .. }) => match self.greet() {
                        Ok(welcome) => {
                            after = 0;
                            connection.clone_from(&welcome.connection);
                            Heard::Back(welcome)
                        }
                        Err(Failure::Lost(why) | Failure::Busy { why, .. }) => Heard::Lost(why),
                        Err(Failure::Refused { why, .. }) => Heard::Refused(why),
                    },
                    Err(Failure::Busy { wait, .. }) => {
                        thread::sleep(wait);
                        continue;
                    }
                    Err(Failure::Refused { status, why }) if status < 500 => Heard::Refused(why),
                    Err(Failure::Lost(why) | Failure::Refused { why, .. }) => Heard::Lost(why),
                };
                let is_lost = matches!(heard, Heard::Lost(_));
                if tell.send(heard).is_err() {
                    return;
                }
                if is_lost {
                    thread::sleep(rest);
                    rest = (rest * 2).min(REST.1);
                }
            }
        });
    }

    fn post<T: DeserializeOwned>(
        &self,
        address: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let text = serde_json::to_string(body).map_err(|error| Failure::Lost(error.to_string()))?;
        let post = || {
            let request = self.agent.post(address);
            let request = request
                .header("Authorization", &self.bearer)
                .header("Content-Type", "application/json");
            read(request.send(&text))
        };
        obeying(post)
    }
}

/// Reads an answer.
fn read<T: DeserializeOwned>(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<T, Failure> {
    let lost = |error: ureq::Error| Failure::Lost(format!("cannot reach the league: {error}"));
    let mut answer = answer.map_err(lost)?;
    let status = answer.status();
    let wait = wait_of(&answer);
    let text = answer.body_mut().read_to_string().map_err(lost)?;
    if status.is_success() {
        return serde_json::from_str(&text)
            .map_err(|_| Failure::Lost("the league's answer cannot be read".to_owned()));
    }
    let why = match serde_json::from_str(&text) {
        Ok(Refusal { error, help }) if help.is_empty() => error,
        Ok(Refusal { error, help }) => format!("{error}. {help}"),
        Err(_) => format!("the answer is {status}; is this the address of a league?"),
    };
    let status = status.as_u16();
    match wait {
        Some(wait) => Err(Failure::Busy { wait, why }),
        None => Err(Failure::Refused { status, why }),
    }
}

/// The wait that an answer demands before the request is repeated: `Retry-After` in seconds, or one
/// second if a busy server gives none. A longer wait, as after too many versions in a day, is a
/// refusal.
fn wait_of(answer: &ureq::http::Response<ureq::Body>) -> Option<Duration> {
    let status = answer.status().as_u16();
    let said = answer.headers().get("retry-after");
    let said = said.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let wait = match (status, said) {
        (429, said) => Duration::from_secs(said.unwrap_or(1)),
        (503, Some(said)) => Duration::from_secs(said),
        _ => return None,
    };
    (wait <= LONGEST_WAIT).then_some(wait)
}

/// Sends a request, and again after each wait that the answer demands.
fn obeying<T>(ask: impl Fn() -> Result<T, Failure>) -> Result<T, Failure> {
    for _ in 0..REPEATS {
        match ask() {
            Err(Failure::Busy { wait, .. }) => thread::sleep(wait),
            answered => return answered,
        }
    }
    ask()
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// A server that gives these answers, one to each connection, and the bodies it was sent.
    fn server(answers: &'static [&'static str]) -> (String, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let served = thread::spawn(move || {
            let serve = |answer: &&str| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).unwrap();
                    let line = line.trim().to_ascii_lowercase();
                    if let Some(said) = line.strip_prefix("content-length:") {
                        length = said.trim().parse().unwrap();
                    }
                    if line.is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
                String::from_utf8(body).unwrap()
            };
            answers.iter().map(serve).collect()
        });
        (address, served)
    }

    fn client(address: &str) -> LeagueClient {
        LeagueClient::new(address, &Token::fresh().unwrap(), "test")
    }

    fn ready() -> Reply {
        Reply::Ready {
            game: "7".to_owned(),
        }
    }

    #[test]
    fn a_client_waits_as_it_is_told_and_says_the_same_again() {
        let (address, served) = server(&[
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nConnection: close\r\n\
             Content-Length: 0\r\n\r\n",
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nConnection: close\r\n\
             Content-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
        ]);
        assert_eq!(client(&address).try_to_say(&ready()), Ok(()));
        let bodies = served.join().unwrap();
        assert_eq!(bodies.len(), 3);
        assert!(
            bodies.iter().all(|body| body.contains("ready")),
            "{bodies:?}"
        );
    }

    #[test]
    fn a_wait_until_tomorrow_is_a_refusal() {
        let (address, served) = server(&[
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30000\r\nConnection: close\r\n\
             Content-Length: 25\r\n\r\n{\"error\":\"30 of 30 sent\"}",
        ]);
        let refused = client(&address).try_to_say(&ready());
        assert_eq!(refused, Err("30 of 30 sent".to_owned()));
        served.join().unwrap();
    }
}
