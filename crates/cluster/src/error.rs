use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Default port of a cluster's server. Not NATS's own port: Debian's package starts a server there.
pub(crate) const PORT: u16 = 4232;

/// The reason why a cluster cannot be used.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// The server does not answer, or refuses us.
    #[error(
        "cannot reach {url}: {cause}; is nats-server running there with the configuration of `floe \
         cluster config`, and is the key (--key) one of its? An address without a port means {}",
        PORT
    )]
    Connect {
        /// The server.
        url: String,
        /// The error.
        cause: String,
    },
    /// The server refused a request.
    #[error("the server did not {what}: {cause}")]
    Server {
        /// The request, such as `make the stream of jobs`.
        what: &'static str,
        /// The server's error.
        cause: String,
    },
    /// The server names a stream and does not answer for it, or not for its consumers.
    #[error("the server did not answer for the stream {stream}: {cause}; is its disk full?")]
    Silent {
        /// The stream's name.
        stream: String,
        /// The server's error.
        cause: String,
    },
    /// The cluster speaks another version of the protocol.
    #[error(
        "this cluster speaks protocol {theirs} and this floe protocol {ours}: install the floe that \
         its organiser has, and start it again; from the organiser's machine: scp \"$(command -v \
         floe)\" THIS-MACHINE:"
    )]
    Protocol {
        /// The cluster's.
        theirs: u32,
        /// Ours.
        ours: u32,
    },
    /// A message cannot be read.
    #[error("a message cannot be read: {0}")]
    Message(String),
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: String,
    },
    /// A key is none.
    #[error("{}: not a key for a cluster; `floe cluster config` makes keys", .0.display())]
    Key(PathBuf),
    /// A public key is none.
    #[error(
        "{}: not the public key of an organiser; `floe cluster config` writes it to organiser.pub",
        .0.display()
    )]
    PublicKey(PathBuf),
    /// The name does not suit a worker.
    #[error(
        "{} is no name for a worker: write up to 64 letters, digits, - and _, each name once, and \
         neither organiser nor all", floe_rules::text::quoted(.0)
    )]
    Name(String),
    /// The address does not suit a server.
    #[error(
        "{} is no address for a server: write HOST or HOST:PORT, with a port of at most 63535",
        floe_rules::text::quoted(.0)
    )]
    Host(String),
    /// A program cannot be fetched, or differs from the one in the job.
    #[error("program {object}: {cause}")]
    Program {
        /// The name of the program's object.
        object: String,
        /// The cause.
        cause: String,
    },
    /// The store lacks a program, or its copy is damaged.
    #[error("program {object} is missing from the store or damaged: {cause}")]
    Missing {
        /// The name of the program's object.
        object: String,
        /// The cause.
        cause: String,
    },
    /// The configuration has no such worker.
    #[error("{}: no worker there is called {}", path.display(), floe_rules::text::quoted(name))]
    NoWorker {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// The key is no organiser's.
    #[error(
        "this is a worker's key, which may not list workers: use the organiser's (--key \
         organiser.nk)"
    )]
    NotOrganiser,
    /// The configuration was not written by this program.
    #[error(
        "{}: {cause}; `floe cluster config` did not write it like this, so change the keys there by hand", path.display()
    )]
    Config {
        /// The file.
        path: PathBuf,
        /// The unexpected part.
        cause: String,
    },
    /// The files exist already, and stay as they are.
    #[error("{} is there already; choose another folder, or move it away", .0.display())]
    Exists(PathBuf),
    /// Threads cannot be started.
    #[error("cannot start: {0}")]
    Start(#[from] std::io::Error),
}

impl ClusterError {
    pub(crate) fn file(path: &Path, cause: impl fmt::Display) -> ClusterError {
        ClusterError::File {
            path: path.to_owned(),
            cause: cause.to_string(),
        }
    }
}

/// An error for a refusal of the server.
pub(crate) fn refused<E: fmt::Display>(what: &'static str) -> impl FnOnce(E) -> ClusterError {
    move |cause| ClusterError::Server {
        what,
        cause: cause.to_string(),
    }
}

/// An error for a stream that the server names and does not answer for.
pub(crate) fn silent<E: fmt::Display>(stream: String) -> impl FnOnce(E) -> ClusterError {
    move |cause| ClusterError::Silent {
        stream,
        cause: cause.to_string(),
    }
}
