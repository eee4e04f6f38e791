//! Keys for organisers and workers, and a configuration of the server that knows them.
//!
//! A worker's key may have a name: whoever has it works under that name, and the server takes nothing
//! from them that says another. One without a name may be used under any name that no key has, by as
//! many workers as one likes; those can speak for each other.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;

use crate::ClusterError;
use crate::wire::{
    CONTROL_ALL, JOBS, PROGRAMS, control_subject, is_word, result_subject, worker_subject,
};

/// What is to be written.
#[derive(Debug, Clone)]
pub struct ConfigOptions {
    /// Where, a folder that is made if it is not there.
    pub folder: PathBuf,
    /// The workers who get a key with their name.
    pub named: Vec<String>,
    /// How many keys without a name there are besides.
    pub workers: usize,
    /// Where the server listens, as `HOST:PORT`.
    pub listen: String,
    /// Where the server keeps its streams.
    pub store: PathBuf,
}

/// What was written.
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
        if !is_word(name) || is_taken || ["organiser", "all"].contains(&name.as_str()) {
            return Err(ClusterError::Name(name.clone()));
        }
    }
    let names = options.named.iter().chain(&unnamed);
    let written = Written {
        config: folder.join("floe-nats.conf"),
        organiser: folder.join("organiser.nk"),
        workers: names
            .map(|name| folder.join(format!("{name}.nk")))
            .collect(),
    };
    let all = [&written.config, &written.organiser];
    for path in all.into_iter().chain(&written.workers) {
        if path.exists() {
            return Err(ClusterError::Exists(path.clone()));
        }
    }
    let organiser = new_key(&written.organiser, None)?;
    let mut workers = String::new();
    for (number, path) in written.workers.iter().enumerate() {
        let name = options.named.get(number).map(String::as_str);
        let key = new_key(path, name)?;
        workers += &match name {
            Some(name) => {
                let rights = WorkerRights::of(name);
                format!("    {{ nkey: {key}, permissions = {rights} }} # {name}\n")
            }
            None => {
                let number = number - options.named.len() + 1;
                format!("    {{ nkey: {key}, permissions = $WORKER }} # worker-{number}\n")
            }
        };
    }
    let text = server_config(options, &organiser, &workers);
    write_new(&written.config, &text, false)?;
    Ok(written)
}

/// Writes a new key to a file that only its owner can read, with the name of its worker if it has one,
/// and gives its public half.
fn new_key(path: &Path, worker: Option<&str>) -> Result<String, ClusterError> {
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|e| ClusterError::file(path, e))?;
    let name = worker.map_or(String::new(), |name| format!("{OF_WORKER}{name}\n"));
    write_new(path, &format!("{seed}\n{name}"), true)?;
    Ok(key.public_key())
}

/// Writes a file that is there whole or not at all.
fn write_new(path: &Path, text: &str, is_secret: bool) -> Result<(), ClusterError> {
    let told = |e: std::io::Error| ClusterError::file(path, e);
    let folder = path.parent().unwrap_or(Path::new("."));
    // Such files are their owner's alone.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(told)?;
    file.write_all(text.as_bytes()).map_err(told)?;
    #[cfg(unix)]
    if !is_secret {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(mode).map_err(told)?;
    }
    let kept = file.persist_noclobber(path);
    kept.map_err(|error| told(error.error))?;
    Ok(())
}

/// What stands before the name of a worker, on the second line of its key.
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

/// What a worker may say and hear: results, what it is and does, and the few questions to the server
/// that taking a job and fetching a program need.
struct WorkerRights {
    publish: Vec<String>,
    /// What it may not say of all that.
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

/// What a worker says in its name.
fn said_by(name: &str) -> Vec<String> {
    vec![result_subject("*", name, "*"), worker_subject(name)]
}

fn questions() -> Vec<String> {
    let object = format!("OBJ_{PROGRAMS}");
    vec![
        "floe.event.*".to_owned(),
        format!("$JS.API.STREAM.INFO.{JOBS}"),
        format!("$JS.API.CONSUMER.INFO.{JOBS}.*"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{JOBS}.*"),
        format!("$JS.ACK.{JOBS}.>"),
        format!("$JS.API.STREAM.INFO.{object}"),
        format!("$JS.API.STREAM.MSG.GET.{object}"),
        format!("$JS.API.DIRECT.GET.{object}"),
        format!("$JS.API.DIRECT.GET.{object}.>"),
        format!("$JS.API.CONSUMER.CREATE.{object}"),
        format!("$JS.API.CONSUMER.CREATE.{object}.>"),
        format!("$JS.API.CONSUMER.DELETE.{object}.>"),
        format!("$JS.FC.{object}.>"),
    ]
}

fn server_config(options: &ConfigOptions, organiser: &str, workers: &str) -> String {
    let shared = match options.workers {
        0 => String::new(),
        _ => format!("  WORKER = {}\n", WorkerRights::of_any_but(&options.named)),
    };
    format!(
        "\
# A NATS server for Floe: nats-server -c floe-nats.conf
listen: \"{listen}\"
server_name: \"floe\"

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

authorization {{
{shared}  users = [
    # The organiser: everything of Floe's, and the streams.
    {{ nkey: {organiser}, permissions = {{
        publish = [\"floe.>\", \"$JS.API.>\", \"$JS.ACK.>\", \"$JS.FC.>\", \"$O.{PROGRAMS}.>\"]
        subscribe = [\"_INBOX.>\", \"floe.>\"] }} }}
    # A key for each worker; without its lines a worker is not let in any more (then: nats-server
    # --signal reload).
{workers}  ]
}}
",
        listen = options.listen,
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
            listen: "0.0.0.0:4222".into(),
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
                listen: "0.0.0.0:4222".into(),
                store: "/var/lib/floe-nats".into(),
            });
            assert!(matches!(written, Err(ClusterError::Name(_))), "{named:?}");
            assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
        }
    }
}
