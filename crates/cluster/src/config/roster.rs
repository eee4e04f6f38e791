//! The keys that a server admits, and the rights of each.

use std::fmt;

use nkeys::KeyPair;

use crate::wire::{
    CONTROL_ALL, MOST_LEVEL, PROGRAMS, control_subject, is_word, level_consumer, result_subject,
    worker_subject,
};

/// The keys that a server admits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Roster {
    pub(super) organiser: String,
    pub(super) workers: Vec<KeyOfWorker>,
}

/// The public half of a worker's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyOfWorker {
    /// The name of the key's file, without the extension.
    pub(super) label: String,
    /// Whether only the worker with this name may use the key.
    pub(super) is_named: bool,
    pub(super) key: String,
}

/// The start of the configuration's part with the keys.
pub(super) const AUTHORIZATION: &str = "authorization {";

impl Roster {
    /// Reads the output of [`Display`](fmt::Display).
    pub(super) fn read(text: &str) -> Result<Roster, String> {
        let mut entries = text.split("{ nkey: ").skip(1);
        let key_of = |entry: &str| -> Result<String, String> {
            let key = entry.split(',').next().unwrap_or_default().trim();
            match KeyPair::from_public_key(key) {
                Ok(_) => Ok(key.to_owned()),
                Err(_) => Err(format!(
                    "{} is no public key",
                    floe_rules::text::quoted(key)
                )),
            }
        };
        let organiser = key_of(entries.next().ok_or("there is no key")?)?;
        let mut workers = Vec::new();
        for entry in entries {
            let key = key_of(entry)?;
            let label = entry
                .split("} # ")
                .nth(1)
                .and_then(|rest| rest.lines().next());
            let label = label
                .ok_or_else(|| format!("key {key} has no name"))?
                .trim();
            if !is_name(label) {
                return Err(format!("key {key} has no name"));
            }
            workers.push(KeyOfWorker {
                label: label.to_owned(),
                is_named: !entry.contains("$WORKER"),
                key,
            });
        }
        Ok(Roster { organiser, workers })
    }
}

impl fmt::Display for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{AUTHORIZATION}")?;
        let named = self.workers.iter().filter(|one| one.is_named);
        let named: Vec<String> = named.map(|one| one.label.clone()).collect();
        if named.len() < self.workers.len() {
            writeln!(f, "  WORKER = {}", WorkerRights::of_any_but(&named))?;
        }
        write!(
            f,
            "\
  users = [
    # The organiser: everything of Floe's, and the streams.
    {{ nkey: {organiser}, permissions = {{
        publish = [\"floe.>\", \"$JS.API.>\", \"$JS.ACK.>\", \"$JS.FC.>\", \"$O.{PROGRAMS}.>\"]
        subscribe = [\"_INBOX.>\", \"floe.>\"] }} }}
    # A key for each worker; `floe cluster add` and `floe cluster remove` change them.
",
            organiser = self.organiser
        )?;
        for KeyOfWorker {
            label,
            is_named,
            key,
        } in &self.workers
        {
            match is_named {
                true => {
                    let rights = WorkerRights::of(label);
                    writeln!(f, "    {{ nkey: {key}, permissions = {rights} }} # {label}")?;
                }
                false => writeln!(f, "    {{ nkey: {key}, permissions = $WORKER }} # {label}")?,
            }
        }
        write!(f, "  ]\n}}\n")
    }
}

pub(crate) fn is_name(name: &str) -> bool {
    is_word(name) && !["organiser", "all"].contains(&name)
}

/// The subject of answers to a worker whose key has this name.
pub(crate) fn inbox_of(worker: &str) -> String {
    format!("_INBOX.{worker}")
}

/// A worker's permissions: to send results and its own state, and to make the few requests for jobs
/// and programs.
struct WorkerRights {
    publish: Vec<String>,
    /// Exceptions from the allowed subjects.
    not: Vec<String>,
    subscribe: Vec<String>,
}

impl WorkerRights {
    /// The rights of the worker with this name.
    fn of(name: &str) -> WorkerRights {
        WorkerRights {
            publish: [said_by(name), questions()].concat(),
            not: Vec::new(),
            subscribe: vec![
                format!("{}.>", inbox_of(name)),
                CONTROL_ALL.to_owned(),
                control_subject(name),
            ],
        }
    }

    /// The rights of workers with any name but these.
    fn of_any_but(named: &[String]) -> WorkerRights {
        WorkerRights {
            publish: [said_by("*"), questions()].concat(),
            not: named.iter().flat_map(|name| said_by(name)).collect(),
            subscribe: vec!["_INBOX.>".to_owned(), "floe.control.>".to_owned()],
        }
    }
}

impl fmt::Display for WorkerRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |words: &[String]| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            words.join(", ")
        };
        writeln!(f, "{{")?;
        write!(f, "      publish = {{ allow = [{}]", list(&self.publish))?;
        if !self.not.is_empty() {
            write!(f, ", deny = [{}]", list(&self.not))?;
        }
        writeln!(f, " }}")?;
        writeln!(f, "      subscribe = [{}]", list(&self.subscribe))?;
        write!(f, "    }}")
    }
}

/// Subjects that a worker publishes under.
fn said_by(name: &str) -> Vec<String> {
    vec![result_subject("*", "*", name, "*"), worker_subject(name)]
}

fn questions() -> Vec<String> {
    let object = format!("OBJ_{PROGRAMS}");
    // Only job streams have consumers with these names, in every generation.
    let levels = (0..=MOST_LEVEL).map(level_consumer);
    let queues = levels.flat_map(|level| {
        [
            format!("$JS.API.CONSUMER.INFO.*.{level}"),
            format!("$JS.API.CONSUMER.MSG.NEXT.*.{level}"),
            format!("$JS.ACK.*.{level}.>"),
        ]
    });
    let mut all: Vec<String> = queues.collect();
    all.extend([
        "floe.event.*".to_owned(),
        "$JS.API.STREAM.NAMES".to_owned(),
        "$JS.API.STREAM.INFO.*".to_owned(),
        format!("$JS.API.STREAM.MSG.GET.{object}"),
        format!("$JS.API.DIRECT.GET.{object}"),
        format!("$JS.API.DIRECT.GET.{object}.>"),
        format!("$JS.API.CONSUMER.CREATE.{object}"),
        format!("$JS.API.CONSUMER.CREATE.{object}.>"),
        format!("$JS.API.CONSUMER.DELETE.{object}.>"),
        format!("$JS.FC.{object}.>"),
    ]);
    all
}
