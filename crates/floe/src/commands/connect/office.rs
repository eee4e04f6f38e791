//! The league, as it is reached over HTTP.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use floe_league::Token;
use floe_league::remote::{Hello, News, NumberedNews, Reply, Welcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How long an answer may take: the league lets readers wait for ten seconds.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long to rest before trying again, at first and at most.
const REST: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

/// What is heard while one plays.
pub(super) enum Heard {
    /// The league says something.
    News(News),
    /// The league is not reached.
    Lost(String),
    /// There is a new connection.
    Back(Welcome),
    /// The league does not want us.
    Refused(String),
    /// A program wrote a line.
    Line { program: u64, line: String },
    /// A program ended, or closed its output.
    Ended { program: u64 },
}

/// Why something could not be asked.
enum Failure {
    /// Nobody answers.
    Lost(String),
    /// The answer is no.
    Refused { status: u16, why: String },
}

/// The league, as it is reached over HTTP.
pub(super) struct Office {
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
struct Told {
    news: Vec<NumberedNews>,
}

impl Office {
    pub(super) fn new(address: &str, token: &Token, word: &str) -> Office {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE));
        Office {
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
            Err(Failure::Refused { why, .. }) => bail!("{why}"),
        }
    }

    fn greet(&self) -> Result<Welcome, Failure> {
        let word = self.word.clone();
        let welcome: Welcome = self.post(&self.address, &Hello { word })?;
        self.lock().clone_from(&welcome.connection);
        Ok(welcome)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, String> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of the connection.
    fn here(&self) -> String {
        format!("{}/{}", self.address, self.lock())
    }

    /// Says something; whoever does not hear it finds out by themselves.
    pub(super) fn say(&self, reply: &Reply) {
        let _ = self.try_to_say(reply);
    }

    /// Says something, once more if the league is not reached; why it was not taken otherwise.
    pub(super) fn try_to_say(&self, reply: &Reply) -> Result<(), String> {
        let here = self.here();
        let say = || self.post::<serde_json::Value>(&here, reply);
        let said = match say() {
            Err(Failure::Lost(_)) => say(),
            said => said,
        };
        match said {
            Ok(_) => Ok(()),
            Err(Failure::Lost(why) | Failure::Refused { why, .. }) => Err(why),
        }
    }

    /// Says goodbye.
    pub(super) fn leave(&self) {
        let request = self.agent.delete(self.here());
        let _ = request.header("Authorization", &self.bearer).call();
    }

    /// Listens in a thread of its own until the league ends it, and connects again if need be.
    pub(super) fn listen(self: Arc<Self>, mut connection: String, tell: Sender<Heard>) {
        thread::spawn(move || {
            let (mut after, mut rest) = (0, REST.0);
            loop {
                let address = format!("{}/{connection}?after={after}", self.address);
                let request = self.agent.get(&address);
                let request = request.header("Authorization", &self.bearer);
                let heard = match read::<Told>(request.call()) {
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
                    // A connection that is not known any more: a new one.
                    Err(Failure::Refused { status: 404, .. }) => match self.greet() {
                        Ok(welcome) => {
                            after = 0;
                            connection.clone_from(&welcome.connection);
                            Heard::Back(welcome)
                        }
                        Err(Failure::Lost(why)) => Heard::Lost(why),
                        Err(Failure::Refused { why, .. }) => Heard::Refused(why),
                    },
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
        let request = self.agent.post(address);
        let request = request
            .header("Authorization", &self.bearer)
            .header("Content-Type", "application/json");
        read(request.send(&text))
    }
}

/// What an answer says.
fn read<T: DeserializeOwned>(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<T, Failure> {
    let lost = |error: ureq::Error| Failure::Lost(format!("the league is not reached: {error}"));
    let mut answer = answer.map_err(lost)?;
    let status = answer.status();
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
    Err(Failure::Refused { status, why })
}
