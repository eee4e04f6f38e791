//! Keys for organisers and workers, and a server configuration that knows them.
//!
//! A worker's key may have a name: its holder works under that name, and the server refuses
//! messages from it under another one. A key without a name may be used under any name that no key
//! has, by any number of workers; those can act for each other.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use nkeys::KeyPair;

use crate::ClusterError;
use crate::wire::{
    CONTROL_ALL, MOST_LEVEL, PROGRAMS, control_subject, is_word, level_consumer, result_subject,
    worker_subject,
};

/// The configuration to write.
#[derive(Debug, Clone)]
pub struct ConfigOptions {
    /// Where, a folder that is made if it is not there.
    pub folder: PathBuf,
    /// The workers who get a key with their name.
    pub named: Vec<String>,
    /// Number of further keys without a name.
    pub workers: usize,
    /// Where the server listens, as `HOST:PORT`.
    pub listen: String,
    /// Where the server keeps its streams.
    pub store: PathBuf,
}

/// The files written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The server's configuration.
    pub config: PathBuf,
    /// The organiser's key.
    pub organiser: PathBuf,
    /// The workers' keys.
    pub workers: Vec<PathBuf>,
}

/// Makes keys, and a configuration of the server that knows them. Nothing that is there is
/// overwritten.
pub fn write(options: &ConfigOptions) -> Result<Written, ClusterError> {
    let folder = &options.folder;
    fs::create_dir_all(folder).map_err(|e| ClusterError::file(folder, e))?;
    let unnamed: Vec<String> = (1..=options.workers)
        .map(|n| format!("worker-{n}"))
        .collect();
    for (at, name) in options.named.iter().enumerate() {
        let is_taken = options.named[..at].contains(name) || unnamed.contains(name);
        if !is_name(name) || is_taken {
            return Err(ClusterError::Name(name.clone()));
        }
    }
    let names = options.named.iter().chain(&unnamed);
    let written = Written {
        config: folder.join(CONFIG),
        organiser: folder.join("organiser.nk"),
        workers: names.clone().map(|name| key_file(folder, name)).collect(),
    };
    let all = [&written.config, &written.organiser];
    for path in all.into_iter().chain(&written.workers) {
        if path.exists() {
            return Err(ClusterError::Exists(path.clone()));
        }
    }
    let mut roster = Roster {
        organiser: new_key(&written.organiser, None)?,
        workers: Vec::new(),
    };
    for (number, label) in names.enumerate() {
        let is_named = number < options.named.len();
        let name = is_named.then_some(label.as_str());
        let key = new_key(&key_file(folder, label), name)?;
        roster.workers.push(KeyOfWorker {
            label: label.clone(),
            is_named,
            key,
        });
    }
    let pid = std::path::absolute(folder.join(PID)).unwrap_or_else(|_| folder.join(PID));
    let text = server_config(options, &pid) + &roster.to_string();
    write_file(&written.config, &text, Access::Everybody, false)?;
    Ok(written)
}

/// The name of the server's configuration.
const CONFIG: &str = "floe-nats.conf";
/// Where the server writes its process ID.
const PID: &str = "nats-server.pid";

fn key_file(folder: &Path, label: &str) -> PathBuf {
    folder.join(format!("{label}.nk"))
}

fn is_name(name: &str) -> bool {
    is_word(name) && !["organiser", "all"].contains(&name)
}

/// Makes a key for one more worker and lets the server's configuration know it. Returns the key's file.
pub fn add(folder: &Path, name: &str) -> Result<PathBuf, ClusterError> {
    let mut config = EditedConfig::read(folder)?;
    let is_taken = config.roster.workers.iter().any(|one| one.label == name);
    if !is_name(name) || is_taken {
        return Err(ClusterError::Name(name.to_owned()));
    }
    let path = key_file(folder, name);
    if path.exists() {
        return Err(ClusterError::Exists(path));
    }
    let key = new_key(&path, Some(name))?;
    config.roster.workers.push(KeyOfWorker {
        label: name.to_owned(),
        is_named: true,
        key,
    });
    if let Err(error) = config.write() {
        // A key that no server knows is of no use.
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    Ok(path)
}

/// Lets a worker's key in no more, and deletes the key's file.
pub fn remove(folder: &Path, name: &str) -> Result<(), ClusterError> {
    let mut config = EditedConfig::read(folder)?;
    let before = config.roster.workers.len();
    config.roster.workers.retain(|one| one.label != name);
    if config.roster.workers.len() == before {
        return Err(ClusterError::NoWorker {
            path: config.path,
            name: name.to_owned(),
        });
    }
    config.write()?;
    let path = key_file(folder, name);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ClusterError::file(&path, error))
        }
        _ => Ok(()),
    }
}

/// The process ID of the server that was started with the configuration in a folder, if it runs.
pub fn running_server(folder: &Path) -> Option<u32> {
    let text = fs::read_to_string(folder.join(PID)).ok()?;
    let id: u32 = text.trim().parse().ok()?;
    let name = fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
    (name.trim() == "nats-server").then_some(id)
}

/// The keys that a server lets in.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Roster {
    organiser: String,
    workers: Vec<KeyOfWorker>,
}

/// The public half of a worker's key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KeyOfWorker {
    /// The name of its file, without the end.
    label: String,
    /// Whether that is the name its worker has to have.
    is_named: bool,
    key: String,
}

/// How the part of a configuration begins that has the keys.
const AUTHORIZATION: &str = "authorization {";

/// A configuration whose keys are changed; all else in it stays as it is.
struct EditedConfig {
    path: PathBuf,
    before: String,
    roster: Roster,
    after: String,
}

impl EditedConfig {
    fn read(folder: &Path) -> Result<EditedConfig, ClusterError> {
        let path = folder.join(CONFIG);
        let text = fs::read_to_string(&path).map_err(|e| ClusterError::file(&path, e))?;
        let fail = |cause: &str| ClusterError::Config {
            path: path.clone(),
            cause: cause.to_owned(),
        };
        let begin = text.find(&format!("\n{AUTHORIZATION}\n"));
        let begin = begin.ok_or_else(|| fail("there is no line `authorization {`"))? + 1;
        let end = text[begin..].find("\n}\n");
        let end = begin + end.ok_or_else(|| fail("the authorization has no end"))? + 3;
        let roster = Roster::read(&text[begin..end]).map_err(|cause| fail(&cause))?;
        Ok(EditedConfig {
            before: text[..begin].to_owned(),
            after: text[end..].to_owned(),
            roster,
            path,
        })
    }

    fn write(&self) -> Result<(), ClusterError> {
        let text = format!("{}{}{}", self.before, self.roster, self.after);
        write_file(&self.path, &text, Access::Everybody, true)
    }
}

impl Roster {
    /// Reads what its [`Display`](fmt::Display) wrote.
    fn read(text: &str) -> Result<Roster, String> {
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

/// Writes a new key to a file that only its owner can read, with the name of its worker if it has one,
/// and gives its public half.
fn new_key(path: &Path, worker: Option<&str>) -> Result<String, ClusterError> {
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|e| ClusterError::file(path, e))?;
    let name = worker.map_or(String::new(), |name| format!("{OF_WORKER}{name}\n"));
    write_file(path, &format!("{seed}\n{name}"), Access::Owner, false)?;
    Ok(key.public_key())
}

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Owner,
    Everybody,
}

/// Writes a file that is there whole or not at all; one that is there stays, unless it is replaced.
fn write_file(path: &Path, text: &str, access: Access, replaces: bool) -> Result<(), ClusterError> {
    let named = |e: io::Error| ClusterError::file(path, e);
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    // Such files are their owner's alone.
    let mut file =
        tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(named)?;
    file.write_all(text.as_bytes()).map_err(named)?;
    #[cfg(unix)]
    if access == Access::Everybody {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(mode).map_err(named)?;
    }
    let kept = match replaces {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    kept.map_err(|error| named(error.error))?;
    Ok(())
}

/// The text before a worker's name, on the second line of its key.
const OF_WORKER: &str = "worker ";

/// A key, as its file has it.
pub struct Key {
    seed: String,
    worker: Option<String>,
}

impl Key {
    /// The secret half.
    pub fn seed(&self) -> String {
        self.seed.clone()
    }

    /// The name its worker has to have, if it is of one.
    pub fn worker(&self) -> Option<&str> {
        self.worker.as_deref()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("worker", &self.worker)
            .finish_non_exhaustive()
    }
}

/// Reads a key.
pub fn read_key(path: &Path) -> Result<Key, ClusterError> {
    let text = fs::read_to_string(path).map_err(|e| ClusterError::file(path, e))?;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let seed = lines.next().unwrap_or_default();
    let name = lines.next().map(|line| line.strip_prefix(OF_WORKER));
    let is_key = KeyPair::from_seed(seed).is_ok() && lines.next().is_none();
    match name {
        Some(name) if !is_key || !name.is_some_and(is_word) => {
            Err(ClusterError::Key(path.to_owned()))
        }
        None if !is_key => Err(ClusterError::Key(path.to_owned())),
        name => Ok(Key {
            seed: seed.to_owned(),
            worker: name.flatten().map(str::to_owned),
        }),
    }
}

/// Where answers to a worker come whose key has this name.
pub(crate) fn inbox_of(worker: &str) -> String {
    format!("_INBOX.{worker}")
}

/// A worker's permissions: results, its own state, and the few requests to the server that taking a
/// job and fetching a program need.
struct WorkerRights {
    publish: Vec<String>,
    /// Exceptions from that.
    not: Vec<String>,
    subscribe: Vec<String>,
}

impl WorkerRights {
    /// Those of the worker with this name.
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

    /// Those of workers that may have any name but these.
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

/// Subjects under which a worker publishes.
fn said_by(name: &str) -> Vec<String> {
    vec![result_subject("*", "*", name, "*"), worker_subject(name)]
}

fn questions() -> Vec<String> {
    let object = format!("OBJ_{PROGRAMS}");
    // Only streams of jobs have consumers of these names, whatever their generation.
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

/// All of a configuration but its keys.
fn server_config(options: &ConfigOptions, pid: &Path) -> String {
    format!(
        "\
# A NATS server for Floe: nats-server -c floe-nats.conf
listen: \"{listen}\"
server_name: \"floe\"
pid_file: \"{pid}\"

# Records of long games with much on standard error are larger than the usual megabyte.
max_payload: 8MB
max_pending: 256MB

jetstream {{
  store_dir: \"{store}\"
}}

# Between machines you do not trust, and over networks you do not own, add TLS; the addresses of
# organisers and workers then begin with tls:// instead of nats://
# tls {{
#   cert_file: \"/etc/floe/server.pem\"
#   key_file: \"/etc/floe/server.key\"
# }}

",
        listen = options.listen,
        pid = pid.display(),
        store = options.store.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_their_owners_and_nothing_is_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let options = ConfigOptions {
            folder: home.path().join("cluster"),
            named: vec!["lab-7".into()],
            workers: 2,
            listen: "0.0.0.0:4232".into(),
            store: "/var/lib/floe-nats".into(),
        };
        let written = write(&options).unwrap();
        let names = written.workers.iter().map(|path| path.file_name().unwrap());
        let names: Vec<_> = names.collect();
        assert_eq!(names, ["lab-7.nk", "worker-1.nk", "worker-2.nk"]);
        assert_eq!(
            read_key(&written.workers[0]).unwrap().worker(),
            Some("lab-7")
        );
        assert_eq!(read_key(&written.workers[1]).unwrap().worker(), None);
        let key = read_key(&written.organiser).unwrap();
        assert_eq!(key.worker(), None);
        assert!(!format!("{key:?}").contains(&key.seed()));
        let public = KeyPair::from_seed(&key.seed()).unwrap().public_key();
        let text = fs::read_to_string(&written.config).unwrap();
        assert!(text.contains(&public), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&written.organiser)
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(matches!(write(&options), Err(ClusterError::Exists(_))));
        assert_eq!(fs::read_to_string(&written.config).unwrap(), text);
        assert!(matches!(
            read_key(&written.config),
            Err(ClusterError::Key(_))
        ));
    }
    #[test]
    fn a_name_is_one_workers() {
        let home = tempfile::tempdir().unwrap();
        for named in [
            &["lab 7"][..],
            &["lab.7"],
            &["*"],
            &[""],
            &["all"],
            &["organiser"],
            &["worker-1"],
            &["lab-7", "lab-7"],
        ] {
            let folder = home.path().join("cluster");
            let written = write(&ConfigOptions {
                folder: folder.clone(),
                named: named.iter().map(|&name| name.to_owned()).collect(),
                workers: 1,
                listen: "0.0.0.0:4232".into(),
                store: "/var/lib/floe-nats".into(),
            });
            assert!(matches!(written, Err(ClusterError::Name(_))), "{named:?}");
            assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
        }
    }

    #[test]
    fn workers_are_added_and_removed_and_all_else_stays() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        let options = ConfigOptions {
            folder: folder.to_owned(),
            named: vec!["lab-7".into()],
            workers: 1,
            listen: "0.0.0.0:4232".into(),
            store: "/var/lib/floe-nats".into(),
        };
        let written = write(&options).unwrap();
        let text = || fs::read_to_string(&written.config).unwrap();
        let first = text() + "# of the operator\n";
        fs::write(&written.config, &first).unwrap();

        let key = add(folder, "lab-8").unwrap();
        assert_eq!(read_key(&key).unwrap().worker(), Some("lab-8"));
        let config = EditedConfig::read(folder).unwrap();
        let labels = config.roster.workers.iter().map(|one| one.label.as_str());
        assert_eq!(labels.collect::<Vec<_>>(), ["lab-7", "worker-1", "lab-8"]);
        let seed = read_key(&key).unwrap().seed();
        let public = KeyPair::from_seed(&seed).unwrap().public_key();
        assert_eq!(config.roster.workers[2].key, public);
        // Keys without a name do not speak for it.
        assert!(text().contains("deny = [\"floe.results.*.*.lab-7.*\", \"floe.worker.lab-7\", \"floe.results.*.*.lab-8.*\""));
        assert!(matches!(add(folder, "lab-8"), Err(ClusterError::Name(_))));
        assert!(matches!(add(folder, "a b"), Err(ClusterError::Name(_))));

        remove(folder, "lab-8").unwrap();
        assert!(!key.exists());
        assert_eq!(text(), first);
        let gone = remove(folder, "lab-8");
        assert!(matches!(gone, Err(ClusterError::NoWorker { .. })));
        fs::write(&written.config, "listen: 1\n").unwrap();
        let error = add(folder, "lab-9").unwrap_err().to_string();
        assert!(
            error.contains("floe-nats.conf") && error.contains("authorization"),
            "{error}"
        );
        assert!(!folder.join("lab-9.nk").exists());
    }
}
