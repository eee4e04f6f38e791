//! Keys for organisers and workers, and a configuration of the server that knows them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;

use crate::ClusterError;
use crate::wire::{JOBS, PROGRAMS};

/// What is to be written.
#[derive(Debug, Clone)]
pub struct ConfigOptions {
    /// Where, a folder that is made if it is not there.
    pub folder: PathBuf,
    /// How many workers get a key of their own.
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
    let written = Written {
        config: folder.join("floe-nats.conf"),
        organiser: folder.join("organiser.nk"),
        workers: (1..=options.workers)
            .map(|number| folder.join(format!("worker-{number}.nk")))
            .collect(),
    };
    let all = [&written.config, &written.organiser];
    for path in all.into_iter().chain(&written.workers) {
        if path.exists() {
            return Err(ClusterError::Exists(path.clone()));
        }
    }
    let organiser = new_key(&written.organiser)?;
    let workers = written.workers.iter().map(|path| new_key(path));
    let workers: Vec<String> = workers.collect::<Result<_, _>>()?;
    let text = server_config(options, &organiser, &workers);
    write_new(&written.config, &text, false)?;
    Ok(written)
}

/// Writes a new key to a file that only its owner can read, and gives its public half.
fn new_key(path: &Path) -> Result<String, ClusterError> {
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|e| ClusterError::file(path, e))?;
    write_new(path, &format!("{seed}\n"), true)?;
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

/// Reads the seed of a key.
pub fn read_key(path: &Path) -> Result<String, ClusterError> {
    let text = fs::read_to_string(path).map_err(|e| ClusterError::file(path, e))?;
    let seed = text.trim();
    match KeyPair::from_seed(seed) {
        Ok(_) => Ok(seed.to_owned()),
        Err(_) => Err(ClusterError::Key(path.to_owned())),
    }
}

/// What a worker may say: results, what it is and does, and the few questions to the server that
/// taking a job and fetching a program need.
fn worker_may_publish() -> Vec<String> {
    let object = format!("OBJ_{PROGRAMS}");
    vec![
        "floe.result.>".to_owned(),
        "floe.worker.*".to_owned(),
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

fn server_config(options: &ConfigOptions, organiser: &str, workers: &[String]) -> String {
    let quoted = |words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        words.join(", ")
    };
    let mut text = format!(
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
  WORKER = {{
    publish = [{may_publish}]
    subscribe = [\"_INBOX.>\", \"floe.control.>\"]
  }}
  users = [
    # The organiser: everything of Floe's, and the streams.
    {{ nkey: {organiser}, permissions = {{
        publish = [\"floe.>\", \"$JS.API.>\", \"$JS.ACK.>\", \"$JS.FC.>\", \"$O.{PROGRAMS}.>\"]
        subscribe = [\"_INBOX.>\", \"floe.>\"] }} }}
    # A key for each worker; without its line a worker is not let in any more (then: nats-server
    # --signal reload).
",
        listen = options.listen,
        store = options.store.display(),
        may_publish = quoted(&worker_may_publish()),
    );
    for (number, key) in (1..).zip(workers) {
        text.push_str(&format!(
            "    {{ nkey: {key}, permissions = $WORKER }} # worker-{number}\n"
        ));
    }
    text.push_str("  ]\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_their_owners_and_nothing_is_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let options = ConfigOptions {
            folder: home.path().join("cluster"),
            workers: 2,
            listen: "0.0.0.0:4222".into(),
            store: "/var/lib/floe-nats".into(),
        };
        let written = write(&options).unwrap();
        assert_eq!(written.workers.len(), 2);
        let seed = read_key(&written.organiser).unwrap();
        let public = KeyPair::from_seed(&seed).unwrap().public_key();
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
}
