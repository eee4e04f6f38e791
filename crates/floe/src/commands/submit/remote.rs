//! Sending a program to a league's pages.

use std::io::{BufRead, BufReader};

use anyhow::{Context, Result, anyhow, bail};
use floe_league::queue::QueuePlace;
use floe_league::{JudgeEvent, Submission, Token, VersionId};
use serde::Deserialize;

use super::{report_queue_place, report_taken, tell};
use crate::Answer;
use crate::terminal::Terminal;

/// The server's answer to an accepted upload.
#[derive(Deserialize)]
struct Taken {
    version: VersionId,
    /// The address of the version's events.
    events: String,
}

/// The server's message while a version waits.
#[derive(Deserialize)]
struct Queued {
    queue: QueuePlace,
}

/// The server's answer to a refused upload.
#[derive(Deserialize)]
struct Refusal {
    error: String,
    #[serde(default)]
    help: String,
}

pub(super) fn submit(
    league: &str,
    token: &Token,
    submission: &Submission,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let league = league.trim_end_matches('/');
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent = ureq::Agent::new_with_config(config.build());
    let bearer = format!("Bearer {}", token.text());
    let mut request = agent
        .post(format!("{league}/api/v1/submissions"))
        .header("Authorization", &bearer)
        .header("Content-Type", "application/octet-stream")
        .query("file", &submission.file);
    if let Some(word) = &submission.word {
        request = request.query("word", word);
    }
    if let Some(protocol) = &submission.protocol {
        request = request.query("protocol", protocol);
    }
    if let Some(main) = &submission.main {
        request = request.query("main", main);
    }
    let reach = || format!("cannot reach {league}");
    let mut answer = request.send(&submission.bytes[..]).with_context(reach)?;
    let status = answer.status();
    let text = answer.body_mut().read_to_string().with_context(reach)?;
    if !status.is_success() {
        let refusal: Refusal = serde_json::from_str(&text)
            .map_err(|_| anyhow!("{league} answers {status}; is it the address of a league?"))?;
        let Refusal { error, help } = refusal;
        match help.is_empty() {
            true => bail!("{error}"),
            false => bail!("{error}. {help}"),
        }
    }
    let taken: Taken = serde_json::from_str(&text).context("the answer cannot be read")?;
    report_taken(&taken.version.to_string(), is_json, terminal)?;
    let address = format!("{league}{}", taken.events);
    let request = agent.get(&address).header("Authorization", &bearer);
    let events = request.call().with_context(reach)?;
    let events = BufReader::new(events.into_body().into_reader());
    follow(events, &taken.version, is_json, terminal)
}

/// Shows server-sent events until the verdict.
fn follow(
    events: impl BufRead,
    version: &VersionId,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let mut event = String::new();
    for line in events.lines() {
        let line =
            line.context("the connection ended before the verdict; the page of the league has it")?;
        if let Some(name) = line.strip_prefix("event:") {
            name.trim().clone_into(&mut event);
        }
        if line.is_empty() {
            event.clear();
        }
        let Some(data) = line.strip_prefix("data:") else {
            continue;
        };
        match event.as_str() {
            "" => {}
            "queue" => {
                let Queued { queue } = serde_json::from_str(data).context("an event is garbled")?;
                report_queue_place(version, queue, is_json, terminal)?;
                continue;
            }
            // A newer league may send events that this program does not know.
            _ => continue,
        }
        let progress: JudgeEvent =
            serde_json::from_str(data.trim()).context("an event is garbled")?;
        tell(&progress, is_json, terminal)?;
        if let JudgeEvent::Verdict(verdict, _) = progress {
            return Ok(match verdict {
                floe_league::event::Judgement::Refused => Answer::No,
                _ => Answer::Yes,
            });
        }
    }
    bail!("the connection ended before the verdict; the page of the league has it")
}
