//! Keys for organisers and workers, and a server configuration that knows them.
//!
//! A worker's key may have a name: its holder works under that name, and the server refuses
//! messages from it under another one. A key without a name may be used under any name that no key
//! has, by any number of workers; those can act for each other.

mod edited;
mod keys;
mod roster;
mod servers;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::edited::EditedConfigs;
pub(crate) use self::keys::read_public_key;
use self::keys::{Access, new_key, write_file};
pub use self::keys::{Key, read_key};
use self::roster::{KeyOfWorker, Roster};
pub(crate) use self::roster::{inbox_of, is_name};
pub use self::servers::COPIES;
use self::servers::{ServerFiles, Servers};
use crate::ClusterError;

const ORGANISER_KEY: &str = "organiser.nk";
const UPDATE_KEY: &str = "organiser.pub";

/// The configuration to write.
#[derive(Debug, Clone)]
pub struct ConfigOptions {
    /// The folder of the configuration; created if missing.
    pub folder: PathBuf,
    /// The workers who get a key with their name.
    pub named: Vec<String>,
    /// Number of further keys without a name.
    pub workers: usize,
    /// The server's address, as `HOST:PORT`.
    pub listen: String,
    /// The folder of the server's streams.
    pub store: PathBuf,
    /// The hosts of the servers, [`COPIES`] of them, each with its port if that differs from
    /// `listen`. Empty for a single server.
    pub hosts: Vec<String>,
}

impl ConfigOptions {
    /// One server on the default port, and no workers yet.
    pub fn new(folder: &Path) -> ConfigOptions {
        ConfigOptions {
            folder: folder.to_owned(),
            named: Vec::new(),
            workers: 0,
            listen: "0.0.0.0:4232".into(),
            store: folder.join("jetstream"),
            hosts: Vec::new(),
        }
    }
}

/// The files written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The servers' configurations.
    pub configs: Vec<PathBuf>,
    /// The organiser's key.
    pub organiser: PathBuf,
    /// The public half of the key by which the organiser signs updates.
    pub updates: PathBuf,
    /// The workers' keys.
    pub workers: Vec<PathBuf>,
    /// The address of several servers for organisers and workers.
    pub url: Option<String>,
}

/// Makes keys, and server configurations that know them. Overwrites nothing.
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
    let servers = Servers::new(&options.listen, &options.store, &options.hosts)?;
    let files = ServerFiles::of(options.hosts.len());
    let configs = files.iter().map(|one| one.config(folder));
    let written = Written {
        configs: configs.collect(),
        organiser: folder.join(ORGANISER_KEY),
        updates: folder.join(UPDATE_KEY),
        workers: names.clone().map(|name| key_file(folder, name)).collect(),
        url: servers.url(),
    };
    let own = [&written.organiser, &written.updates];
    let all = written.configs.iter().chain(own);
    for path in all.chain(&written.workers) {
        if path.exists() {
            return Err(ClusterError::Exists(path.clone()));
        }
    }
    let mut roster = Roster {
        organiser: new_key(&written.organiser, None)?,
        workers: Vec::new(),
    };
    write_update_key(&written.organiser, &written.updates)?;
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
    let access = match servers.have_secret() {
        true => Access::Owner,
        false => Access::Everybody,
    };
    for one in files {
        let text = servers.text(one, folder)? + &roster.to_string();
        write_file(&one.config(folder), &text, access, false)?;
    }
    Ok(written)
}

/// Writes the public half of the key by which an organiser signs updates.
fn write_update_key(organiser: &Path, path: &Path) -> Result<(), ClusterError> {
    let public = read_key(organiser)?.for_updates()?.public_key() + "\n";
    write_file(path, &public, Access::Everybody, false)
}

fn key_file(folder: &Path, label: &str) -> PathBuf {
    folder.join(format!("{label}.nk"))
}

/// Makes a key for one more worker and adds it to the servers' configurations. Returns the key's
/// file. A folder of an older version also gets the organiser's public key, which workers need for
/// updates.
pub fn add(folder: &Path, name: &str) -> Result<PathBuf, ClusterError> {
    let configs = EditedConfigs::read(folder)?;
    if !is_name(name) || configs.has(name) {
        return Err(ClusterError::Name(name.to_owned()));
    }
    let path = key_file(folder, name);
    if path.exists() {
        return Err(ClusterError::Exists(path));
    }
    let key = KeyOfWorker {
        label: name.to_owned(),
        is_named: true,
        key: new_key(&path, Some(name))?,
    };
    if let Err(error) = configs.change(|workers| workers.push(key.clone())) {
        // A key that no server knows is of no use.
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    let (organiser, updates) = (folder.join(ORGANISER_KEY), folder.join(UPDATE_KEY));
    if organiser.exists() && !updates.exists() {
        write_update_key(&organiser, &updates)?;
    }
    Ok(path)
}

/// Lets a worker's key in no more, and deletes the key's file.
pub fn remove(folder: &Path, name: &str) -> Result<(), ClusterError> {
    let configs = EditedConfigs::read(folder)?;
    if !configs.has(name) {
        return Err(ClusterError::NoWorker {
            path: configs.path().to_owned(),
            name: name.to_owned(),
        });
    }
    configs.change(|workers| workers.retain(|one| one.label != name))?;
    let path = key_file(folder, name);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ClusterError::file(&path, error))
        }
        _ => Ok(()),
    }
}

/// The names of the keys of workers that the servers in a folder admit; none if no configuration of
/// Floe's is there.
pub fn keys_of(folder: &Path) -> BTreeSet<String> {
    EditedConfigs::read(folder).map_or_else(|_| BTreeSet::new(), |configs| configs.labels())
}

/// The configurations in a folder, each with its server's process ID if the server runs here.
pub fn servers_of(folder: &Path) -> Vec<(PathBuf, Option<u32>)> {
    let found = ServerFiles::found(folder).into_iter();
    found
        .map(|one| (one.config(folder), one.running(folder)))
        .collect()
}

#[cfg(test)]
mod tests {
    use nkeys::KeyPair;

    use super::*;

    #[test]
    fn keys_are_their_owners_and_nothing_is_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let options = ConfigOptions {
            named: vec!["lab-7".into()],
            workers: 2,
            ..ConfigOptions::new(&home.path().join("cluster"))
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
        let text = fs::read_to_string(&written.configs[0]).unwrap();
        assert!(text.contains(&public), "{text}");
        // What a server has signed when the organiser connects is no update.
        let updates = read_public_key(&written.updates).unwrap().public_key();
        assert!(updates != public && updates == key.for_updates().unwrap().public_key());
        assert!(matches!(
            read_public_key(&written.organiser),
            Err(ClusterError::PublicKey(_))
        ));
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
        assert_eq!(fs::read_to_string(&written.configs[0]).unwrap(), text);
        assert!(matches!(
            read_key(&written.configs[0]),
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
                named: named.iter().map(|&name| name.to_owned()).collect(),
                workers: 1,
                ..ConfigOptions::new(&folder)
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
            named: vec!["lab-7".into()],
            workers: 1,
            ..ConfigOptions::new(folder)
        };
        let written = write(&options).unwrap();
        let text = || fs::read_to_string(&written.configs[0]).unwrap();
        let first = text() + "# of the operator\n";
        fs::write(&written.configs[0], &first).unwrap();

        // As older versions left it.
        let updates = fs::read_to_string(&written.updates).unwrap();
        fs::remove_file(&written.updates).unwrap();
        let key = add(folder, "lab-8").unwrap();
        assert_eq!(fs::read_to_string(&written.updates).unwrap(), updates);
        assert_eq!(read_key(&key).unwrap().worker(), Some("lab-8"));
        let configs = EditedConfigs::read(folder).unwrap();
        assert!(["lab-7", "worker-1", "lab-8"].map(|name| configs.has(name)) == [true; 3]);
        let seed = read_key(&key).unwrap().seed();
        let public = KeyPair::from_seed(&seed).unwrap().public_key();
        assert!(text().contains(&public));
        // Keys without a name do not speak for it.
        assert!(text().contains("deny = [\"floe.results.*.*.lab-7.*\", \"floe.worker.lab-7\", \"floe.results.*.*.lab-8.*\""));
        assert!(matches!(add(folder, "lab-8"), Err(ClusterError::Name(_))));
        assert!(matches!(add(folder, "a b"), Err(ClusterError::Name(_))));

        remove(folder, "lab-8").unwrap();
        assert!(!key.exists());
        assert_eq!(text(), first);
        let gone = remove(folder, "lab-8");
        assert!(matches!(gone, Err(ClusterError::NoWorker { .. })));
        fs::write(&written.configs[0], "listen: 1\n").unwrap();
        let error = add(folder, "lab-9").unwrap_err().to_string();
        assert!(
            error.contains("floe-nats.conf") && error.contains("authorization"),
            "{error}"
        );
        assert!(!folder.join("lab-9.nk").exists());
    }

    #[test]
    fn three_servers_know_each_other_and_the_same_keys() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        let options = |hosts: &[&str]| ConfigOptions {
            named: vec!["lab-7".into()],
            store: "/var/lib/floe-nats".into(),
            hosts: hosts.iter().map(|&host| host.to_owned()).collect(),
            ..ConfigOptions::new(folder)
        };
        for wrong in ["", "a b", "a\"", "a:x", "a:65000", ":4232"] {
            let written = write(&options(&["a", "b", wrong]));
            assert!(matches!(written, Err(ClusterError::Host(_))), "{wrong}");
            assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
        }
        let written = write(&options(&["a", "b:4300", "[::1]"])).unwrap();
        let url = "nats://a:4232,nats://b:4300,nats://[::1]:4232";
        assert_eq!(written.url.as_deref(), Some(url));
        let texts = || {
            written
                .configs
                .iter()
                .map(|path| fs::read_to_string(path).unwrap())
        };
        for (text, number) in texts().zip(1..) {
            assert!(
                text.contains(&format!("server_name: \"floe-{number}\"")),
                "{text}"
            );
            assert!(
                text.contains(&format!("/var/lib/floe-nats-{number}")),
                "{text}"
            );
            for route in ["@a:6232", "@b:6300", "@[::1]:6232"] {
                assert!(text.contains(route), "{text}");
            }
        }
        assert!(texts().nth(1).unwrap().contains("listen: \"0.0.0.0:4300\""));
        add(folder, "lab-8").unwrap();
        assert!(texts().all(|text| text.contains("# lab-8\n")));
        #[cfg(unix)]
        for path in &written.configs {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "the servers' secret is in it");
        }
        remove(folder, "lab-8").unwrap();
        assert!(texts().all(|text| !text.contains("lab-8")));
        let ids = servers_of(folder);
        assert!(ids.len() == COPIES && ids.iter().all(|(_, id)| id.is_none()));
    }
}
