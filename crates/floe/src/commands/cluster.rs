//! `floe cluster`: sets up, inspects and drains a cluster.

#[cfg(feature = "cluster")]
mod trust;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Set up, inspect and drain a cluster
///
/// A cluster is one server (nats-server, with JetStream), any number of workers (`floe worker`) and
/// organisers (`floe match`, `floe tournament` and `floe league` with --cluster). docs/cluster.md
/// sets one up in ten minutes.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
floe cluster config --workers 3
floe cluster config --worker lab-7 --worker lab-8
floe cluster config --servers 3 --host a --host b --host c
floe cluster add lab-9
floe cluster status nats://host --key organiser.nk
floe cluster ban cup.toml lab-7 --reason \"its fan is broken\"
floe cluster drain nats://host lab-7 --key organiser.nk";

#[derive(Subcommand)]
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
enum What {
    /// Write a configuration for nats-server, and keys for the organiser and for workers
    ///
    /// Each key grants only the rights its owner needs. Existing files are not overwritten.
    Config {
        /// Folder to write to; created if missing
        #[arg(default_value = ".", value_name = "FOLDER")]
        folder: PathBuf,

        /// Create a key for the worker of this name, which can act for no other worker; may be
        /// repeated
        #[arg(long, value_name = "NAME")]
        worker: Vec<String>,

        /// Number of keys without a name, each for any number of workers [default: 1 if no worker
        /// is named]
        #[arg(long, value_name = "N")]
        workers: Option<u32>,

        /// Address the server listens on
        #[arg(long, value_name = "HOST:PORT", default_value = "0.0.0.0:4232")]
        listen: String,

        /// Folder for the server's streams [default: jetstream, next to the configuration]
        #[arg(long, value_name = "FOLDER")]
        store: Option<PathBuf>,

        /// Number of servers; three hold copies of everything, so that one of them may fail
        #[arg(long, value_name = "N", default_value = "1", value_parser = ["1", "3"])]
        servers: String,

        /// Host of one of the three servers, as the others and the workers reach it; repeat for each
        /// [default: this machine, with three ports from that of --listen]
        #[arg(long, value_name = "HOST[:PORT]")]
        host: Vec<String>,
    },
    /// Make a key for one more worker, and let the server know it
    ///
    /// Adds the key to floe-nats.conf and, if the server runs on this machine, lets it read that file
    /// again. No worker and no game is disturbed.
    Add {
        /// Name of the worker
        name: String,

        /// Folder of floe-nats.conf
        #[arg(long, value_name = "FOLDER", default_value = ".")]
        folder: PathBuf,
    },
    /// Remove a worker's key, and let the server know
    ///
    /// The server disconnects the worker; other workers play its games.
    Remove {
        /// Name of the worker
        name: String,

        /// Folder of floe-nats.conf
        #[arg(long, value_name = "FOLDER", default_value = ".")]
        folder: PathBuf,
    },
    /// Ban a worker: its results do not count from now on
    ///
    /// The ban is stored next to the records, holds for every contest of that folder, and reaches an
    /// organiser that is running. Games that the worker has played stay.
    Ban {
        /// Tournament description, records, or folder of a league
        contest: PathBuf,

        /// Name of the worker
        worker: String,

        /// Reason, shown wherever the ban is
        #[arg(long, value_name = "TEXT", default_value = "banned by the organiser")]
        reason: String,
    },
    /// End a worker's ban
    Unban {
        /// Tournament description, records, or folder of a league
        contest: PathBuf,

        /// Name of the worker
        worker: String,
    },
    /// List banned workers
    Bans {
        /// Tournament description, records, or folder of a league
        contest: PathBuf,

        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List workers, their speed, the queue and the games in progress
    Status {
        /// The server, such as nats://host
        url: String,

        /// The organiser's key
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,

        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Ask a worker to finish its games and leave
    Drain {
        /// The server, such as nats://host
        url: String,

        /// Name of the worker, as in `floe cluster status`
        worker: String,

        /// The organiser's key
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
    },
}

#[cfg(not(feature = "cluster"))]
pub(crate) fn run(args: &Args, _: &mut Terminal<'_>) -> Result<Answer> {
    let _ = &args.what;
    Err(crate::cluster_args::not_built())
}

#[cfg(feature = "cluster")]
pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    use floe_cluster::link::Address;
    match &args.what {
        What::Config {
            folder,
            worker,
            workers,
            listen,
            store,
            servers,
            host,
        } => {
            let workers = workers.unwrap_or(u32::from(worker.is_empty()));
            let hosts = set_up::hosts(servers == "3", host, listen)?;
            let store = store.as_deref();
            set_up::config(folder, (worker, workers), (listen, hosts), store, terminal)
        }
        What::Status { url, key, json } => {
            let address = Address {
                url: url.clone(),
                key: key.clone(),
            };
            set_up::status(&address, *json, terminal)
        }
        What::Drain { url, worker, key } => {
            let address = Address {
                url: url.clone(),
                key: key.clone(),
            };
            set_up::drain(&address, worker, terminal)
        }
        What::Add { name, folder } => trust::add(folder, name, terminal),
        What::Remove { name, folder } => trust::remove(folder, name, terminal),
        What::Ban {
            contest,
            worker,
            reason,
        } => trust::ban(contest, worker, reason, terminal),
        What::Unban { contest, worker } => trust::unban(contest, worker, terminal),
        What::Bans { contest, json } => trust::bans(contest, *json, terminal),
    }
}

#[cfg(feature = "cluster")]
mod set_up {
    use std::path::{Path, PathBuf, absolute};

    use anyhow::{Context, Result, bail};
    use floe_cluster::config::{self, COPIES, ConfigOptions};
    use floe_cluster::link::{Address, KNOWN_SERVERS};
    use floe_cluster::status::{self, ServerStatus, Status};
    use floe_cluster::wire::{Announcement, PROTOCOL};

    use crate::Answer;
    use crate::columns::{Columns, Side};
    use crate::machines::priority;
    use crate::quoting::shown;
    use crate::standing::count;
    use crate::terminal::{COMMAND, FAINT, REMARK, STRONG, Terminal};

    const PLAIN: anstyle::Style = anstyle::Style::new();

    pub(super) fn config(
        folder: &Path,
        (named, workers): (&[String], u32),
        (listen, hosts): (&str, Vec<String>),
        store: Option<&Path>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Answer> {
        let store = store.map_or_else(|| folder.join("jetstream"), Path::to_owned);
        // The server may be started from anywhere.
        let store = absolute(&store).with_context(|| shown(&store))?;
        let written = config::write(&ConfigOptions {
            folder: folder.to_owned(),
            named: named.to_vec(),
            workers: workers as usize,
            listen: listen.to_owned(),
            store,
            hosts,
        })?;
        let out = &mut terminal.out;
        let line = |path: &PathBuf| shown(path);
        for config in &written.configs {
            writeln!(out, "{STRONG}server{STRONG:#}     {}", line(config))?;
        }
        writeln!(
            out,
            "{STRONG}organiser{STRONG:#}  {}",
            line(&written.organiser)
        )?;
        writeln!(
            out,
            "{STRONG}updates{STRONG:#}    {}",
            line(&written.updates)
        )?;
        for worker in &written.workers {
            writeln!(out, "{STRONG}worker{STRONG:#}     {}", line(worker))?;
        }
        let servers = match written.configs.len() {
            1 => "the server",
            _ => "each server on its machine",
        };
        writeln!(out, "\nstart {servers} with")?;
        for config in &written.configs {
            let config = line(config);
            writeln!(out, "  {COMMAND}nats-server -c {config}{COMMAND:#}")?;
        }
        if let Some(url) = &written.url {
            writeln!(
                out,
                "\nthe address for organisers and workers is {COMMAND}{url}{COMMAND:#}"
            )?;
        }
        Ok(Answer::Yes)
    }

    /// The hosts of three servers; none for one.
    pub(super) fn hosts(are_three: bool, given: &[String], listen: &str) -> Result<Vec<String>> {
        match (are_three, given.len()) {
            (false, 0) => Ok(Vec::new()),
            (true, 0) => {
                let port = listen.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
                let Some(Ok(port)) = port.filter(|port| port.as_ref().is_ok_and(|p| *p < 60_000))
                else {
                    bail!(
                        "--listen {listen}: three servers need HOST:PORT, with a port below 60000"
                    );
                };
                let ports = (port..).take(COPIES);
                Ok(ports.map(|port| format!("127.0.0.1:{port}")).collect())
            }
            (true, COPIES) => Ok(given.to_vec()),
            (true, count) => bail!("--servers 3 needs three --host, or none; there are {count}"),
            (false, _) => bail!("--host is for --servers 3; one server has the host it runs on"),
        }
    }

    pub(super) fn status(
        address: &Address,
        json: bool,
        terminal: &mut Terminal<'_>,
    ) -> Result<Answer> {
        let status = status::status(address)?;
        let out = &mut terminal.out;
        if json {
            serde_json::to_writer(&mut *out, &status)?;
            writeln!(out)?;
            return Ok(Answer::Yes);
        }
        if !status.is_known_server {
            writeln!(
                terminal.err,
                "{REMARK}warning:{REMARK:#} nats-server {} was not tested with this floe; known to work: {}",
                status.server,
                KNOWN_SERVERS.join(", ")
            )?;
        }
        let cores: usize = status.workers.iter().map(|worker| worker.cores).sum();
        let waiting: u64 = status.queues.iter().map(|queue| queue.waiting).sum();
        let taken: u64 = status.queues.iter().map(|queue| queue.taken).sum();
        writeln!(
            out,
            "{}, {}; {} waiting, {taken} being played, {} to be taken in",
            count(status.workers.len() as u64, "worker"),
            count(cores as u64, "core"),
            count(waiting, "batch").replace("batchs", "batches"),
            count(status.results, "result"),
        )?;
        if !status.servers.is_empty() {
            let servers: Vec<String> = status.servers.iter().map(one_server).collect();
            writeln!(out, "copies on {}", servers.join(", "))?;
        }
        if !status.runs.is_empty() {
            write!(out, "\n{}", contests(&status).draw(terminal.look))?;
        }
        if status.workers.is_empty() {
            return Ok(Answer::Yes);
        }
        let workers = &status.workers;
        let mut columns = Columns::new();
        let number = |n: usize| n.to_string();
        columns.add("worker", Side::Left, PLAIN, workers, |one| one.name.clone());
        columns.add("cores", Side::Right, PLAIN, workers, |one| {
            number(one.cores)
        });
        columns.add("sandbox", Side::Right, PLAIN, workers, |one| {
            one.sandbox.to_string()
        });
        columns.add("games", Side::Right, PLAIN, workers, |one| {
            one.games.to_string()
        });
        columns.add("nodes/s", Side::Right, PLAIN, workers, |one| {
            let speeds = one.speeds.games.iter();
            let speeds: Vec<String> = speeds.map(|s| s.nodes_per_second.to_string()).collect();
            speeds.join(" ")
        });
        columns.add("signature", Side::Left, FAINT, workers, |one| {
            one.speeds.signature.clone()
        });
        columns.add("now", Side::Left, PLAIN, workers, now);
        write!(out, "\n{}", columns.draw(terminal.look))?;
        Ok(Answer::Yes)
    }

    /// The contests that are played, with their shares of the workers.
    fn contests(status: &Status) -> Columns {
        let runs = &status.runs;
        let shares = status::shares(status.workers.iter());
        let mut columns = Columns::new();
        columns.add("contest", Side::Left, PLAIN, runs, |one| one.name.clone());
        columns.add("priority", Side::Left, PLAIN, runs, |one| {
            priority(one.priority).to_owned()
        });
        columns.add("weight", Side::Right, PLAIN, runs, |one| {
            one.weight.to_string()
        });
        columns.add("share", Side::Right, PLAIN, runs, |one| {
            format!("{} %", shares.get(&one.run).copied().unwrap_or(0))
        });
        columns.add("games", Side::Right, PLAIN, runs, |one| {
            one.games.to_string()
        });
        columns.add("out", Side::Right, PLAIN, runs, |one| one.out.to_string());
        columns.add("run", Side::Left, FAINT, runs, |one| one.run.clone());
        columns
    }

    /// A server's state, in words.
    fn one_server(server: &ServerStatus) -> String {
        match (server.is_away, server.is_current) {
            (true, _) => format!("{} (away)", server.name),
            (false, false) => format!("{} (catching up)", server.name),
            (false, true) => server.name.clone(),
        }
    }

    /// A worker's present activity, in words.
    fn now(worker: &Announcement) -> String {
        if worker.protocol != PROTOCOL {
            return format!("speaks protocol {}: takes no games", worker.protocol);
        }
        if let Some(trouble) = &worker.trouble {
            return format!("machine failure: {trouble}");
        }
        let games: Vec<String> = worker
            .playing
            .iter()
            .map(|one| format!("{} ({})", one.game, one.seats.join(", ")))
            .collect();
        match (games.is_empty(), worker.is_leaving) {
            (true, true) => "leaving".to_owned(),
            (true, false) => "waiting".to_owned(),
            (false, true) => format!("leaving after {}", games.join(", ")),
            (false, false) => games.join(", "),
        }
    }

    pub(super) fn drain(
        address: &Address,
        worker: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<Answer> {
        if status::drain(address, worker)? {
            writeln!(terminal.out, "{worker} finishes what it plays and leaves")?;
            return Ok(Answer::Yes);
        }
        writeln!(
            terminal.err,
            "{worker} did not confirm that it leaves: it is busy, or no worker has that name; \
             `floe cluster status` lists the workers that answer"
        )?;
        Ok(Answer::No)
    }
}
