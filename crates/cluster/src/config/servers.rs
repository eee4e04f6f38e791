//! The configurations of a cluster's servers: one server, or three that hold copies of everything.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ClusterError;
use crate::wire::random_id;

/// The name of a single server's configuration.
const CONFIG: &str = "floe-nats.conf";
/// Difference between the servers' own port and the port of clients.
const ROUTE_PORT: u16 = 2000;
/// Number of servers that hold copies, if there are several.
pub const COPIES: usize = 3;

/// The files of a server's configuration, numbered if there are several servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ServerFiles(Option<usize>);

impl ServerFiles {
    /// The files of this many servers.
    pub(super) fn of(servers: usize) -> Vec<ServerFiles> {
        match servers {
            0 | 1 => vec![ServerFiles(None)],
            many => (1..=many).map(|n| ServerFiles(Some(n))).collect(),
        }
    }

    /// The server files found in a folder; those of one server if there are none.
    pub(super) fn found(folder: &Path) -> Vec<ServerFiles> {
        let several = ServerFiles::of(COPIES);
        let has_several = several.iter().any(|one| one.config(folder).exists());
        match has_several && !folder.join(CONFIG).exists() {
            true => several,
            false => ServerFiles::of(1),
        }
    }

    pub(super) fn config(self, folder: &Path) -> PathBuf {
        folder.join(self.numbered("floe-nats", ".conf"))
    }

    /// The file with the server's process ID.
    fn pid(self, folder: &Path) -> PathBuf {
        folder.join(self.numbered("nats-server", ".pid"))
    }

    fn numbered(self, stem: &str, end: &str) -> String {
        match self.0 {
            None => format!("{stem}{end}"),
            Some(number) => format!("{stem}-{number}{end}"),
        }
    }

    /// The process ID of the server with this configuration, if it is running.
    pub(super) fn running(self, folder: &Path) -> Option<u32> {
        let text = fs::read_to_string(self.pid(folder)).ok()?;
        let id: u32 = text.trim().parse().ok()?;
        let name = fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
        (name.trim() == "nats-server").then_some(id)
    }
}

/// The servers' addresses and stream folders, and how they reach each other.
#[derive(Debug)]
pub(super) struct Servers {
    listen: String,
    store: PathBuf,
    /// `None` for a single server.
    routes: Option<Routes>,
}

/// How servers reach each other.
#[derive(Debug)]
struct Routes {
    hosts: Vec<(String, u16)>,
    /// Only servers that know the password join.
    password: String,
}

impl Servers {
    /// Servers at these hosts, `HOST` or `HOST:PORT`; a single one if the list is empty.
    pub(super) fn new(
        listen: &str,
        store: &Path,
        hosts: &[String],
    ) -> Result<Servers, ClusterError> {
        let routes = match hosts {
            [] => None,
            hosts => {
                let (_, usual) = host_and_port(listen, 0)?;
                let hosts = hosts.iter().map(|host| host_and_port(host, usual));
                Some(Routes {
                    hosts: hosts.collect::<Result<_, _>>()?,
                    password: random_id()?,
                })
            }
        };
        Ok(Servers {
            listen: listen.to_owned(),
            store: store.to_owned(),
            routes,
        })
    }

    /// The servers' addresses for organisers and workers, separated by commas; `None` for a single
    /// server, whose host is unknown.
    pub(super) fn url(&self) -> Option<String> {
        let hosts = self.routes.as_ref()?.hosts.iter();
        let urls: Vec<String> = hosts
            .map(|(host, port)| format!("nats://{host}:{port}"))
            .collect();
        Some(urls.join(","))
    }

    /// Whether the configurations contain a secret.
    pub(super) fn have_secret(&self) -> bool {
        self.routes.is_some()
    }

    /// A server's configuration without the keys.
    pub(super) fn text(&self, files: ServerFiles, folder: &Path) -> Result<String, ClusterError> {
        let pid = files.pid(folder);
        let pid = std::path::absolute(&pid).unwrap_or(pid);
        let config = files.config(folder);
        let config = config.file_name().unwrap_or_default().to_string_lossy();
        let (listen, store, cluster) = match (&self.routes, files.0) {
            (Some(routes), Some(number)) => {
                let (host, _) = host_and_port(&self.listen, 0)?;
                let port = routes.hosts[number - 1].1;
                let store = format!("{}-{number}", self.store.display());
                let listen = format!("{host}:{port}");
                (listen, store, routes.text(&host, number))
            }
            _ => {
                let store = self.store.display().to_string();
                (self.listen.clone(), store, String::new())
            }
        };
        Ok(format!(
            "\
# A NATS server for Floe: nats-server -c {config}
listen: \"{listen}\"
server_name: \"{name}\"
pid_file: \"{pid}\"

# Records of long games with much on standard error are larger than the usual megabyte.
max_payload: 8MB
max_pending: 256MB

jetstream {{
  store_dir: \"{store}\"
}}
{cluster}
# Between machines you do not trust, and over networks you do not own, add TLS; the addresses of
# organisers and workers then begin with tls:// instead of nats://
# tls {{
#   cert_file: \"/etc/floe/server.pem\"
#   key_file: \"/etc/floe/server.key\"
# }}

",
            pid = pid.display(),
            name = files.numbered("floe", ""),
        ))
    }
}

impl Routes {
    /// The part of a server's configuration that names the other servers.
    fn text(&self, host: &str, number: usize) -> String {
        let password = &self.password;
        let routes: Vec<String> = (self.hosts.iter())
            .map(|(host, port)| {
                let port = port + ROUTE_PORT;
                format!("    \"nats-route://floe:{password}@{host}:{port}\"\n")
            })
            .collect();
        format!(
            "
# The servers hold copies of everything: one of three may be away. They reach each other at this port.
cluster {{
  name: \"floe\"
  listen: \"{host}:{port}\"
  authorization: {{ user: \"floe\", password: \"{password}\" }}
  routes: [
{routes}  ]
}}
",
            port = self.hosts[number - 1].1 + ROUTE_PORT,
            routes = routes.concat(),
        )
    }
}

/// Splits `HOST` or `HOST:PORT`; without a port, it uses the default.
fn host_and_port(text: &str, usual: u16) -> Result<(String, u16), ClusterError> {
    let fail = || ClusterError::Host(text.to_owned());
    // The colons of an IPv6 address are within brackets.
    let end_of_host = text.rfind(']').unwrap_or(0);
    let (host, port) = match text[end_of_host..].rfind(':') {
        Some(colon) => {
            let (host, port) = text.split_at(end_of_host + colon);
            (host, port[1..].parse().map_err(|_| fail())?)
        }
        None => (text, usual),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    match host.is_empty() || !host.chars().all(is_plain) || port > u16::MAX - ROUTE_PORT {
        true => Err(fail()),
        false => Ok((host.to_owned(), port)),
    }
}
