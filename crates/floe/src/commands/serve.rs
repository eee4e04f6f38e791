//! `floe serve`: the pages.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use floe_league::finals::FinalsFailure;
use floe_web::{App, MachineSource, Settings};
use tokio::net::TcpListener;

use super::module::ModuleArgs;
use crate::terminal::{COMMAND, FAINT, STRONG, Terminal};
use crate::{Answer, cli, log};
use floe_terminal::home_folder;

/// Serve pages: play, watch, replay and analyse in the browser
///
/// People who open the address play engines and each other, watch games, replay those of the
/// tournaments in the folder, and analyse positions. Games are stored in the folder as they are
/// played: stopping or killing the server loses none. A league's folder (see `floe league`) also
/// has pages to submit programs, and this server judges submissions.
#[derive(clap::Args, Clone)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder of games and tournaments; or one tournament's description in it
    ///
    /// [default: a folder of this user]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Address to listen on
    ///
    /// An address of this machine and a port, or a port alone; 0 takes any that is free. Others
    /// reach the pages only if the address is not 127.0.0.1.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4860", value_parser = address)]
    listen: SocketAddr,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Trust a reverse proxy: take client addresses from it; mark cookies Secure
    #[arg(long)]
    behind_proxy: bool,

    /// Answer to this host name too; repeatable
    ///
    /// IP addresses and localhost are always answered. Other names are refused, so that a foreign page
    /// cannot read this server through a name of its own. With --behind-proxy and no --host, every name
    /// the proxy passes on is answered.
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
    hosts: Vec<String>,

    /// Concurrent engines [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    engines: Option<u16>,

    #[command(flatten)]
    module: ModuleArgs,
}

const EXAMPLES: &str = "\
floe serve --open
floe serve contest --listen 0.0.0.0:8080
floe serve contest --listen 0.0.0.0:80 --host floe.example.org
floe serve contest/cup.toml --behind-proxy";

fn address(text: &str) -> Result<SocketAddr, String> {
    let port = |text: &str| text.parse().ok();
    let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
    (text.parse().ok())
        .or_else(|| Some(SocketAddr::new(local, port(text)?)))
        .or_else(|| {
            Some(SocketAddr::new(
                local,
                port(text.strip_prefix("localhost:")?)?,
            ))
        })
        .ok_or_else(|| "an address is like 127.0.0.1:8080, 0.0.0.0:80 or 8080".to_owned())
}

fn host(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    match !text.is_empty() && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("a host name is like floe.example.org, without scheme and port".to_owned()),
    }
}

impl Args {
    /// The folder to serve.
    pub(crate) fn folder(&self) -> Result<PathBuf> {
        folder(self.folder.as_deref())
    }

    /// The same arguments, with the current folder if none is named.
    pub(crate) fn or_here(mut self) -> Args {
        self.folder.get_or_insert_with(|| PathBuf::from("."));
        self
    }
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    begin(args, None, None, terminal)
}

/// The same with finals in the background, whose failure the pages show, and with a cluster's
/// machines if it plays the games.
pub(crate) fn run_with_finals(
    args: &Args,
    trouble: FinalsFailure,
    machines: Option<MachineSource>,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    begin(args, Some(trouble), machines, terminal)
}

fn begin(
    args: &Args,
    finals: Option<FinalsFailure>,
    machines: Option<MachineSource>,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    log::begin_serving()?;
    args.module.apply()?;
    let folder = args.folder()?;
    let mut settings = Settings::new(&folder);
    settings.is_behind_proxy = args.behind_proxy;
    settings.hosts.clone_from(&args.hosts);
    settings.finals = finals;
    settings.machines = machines;
    if let Some(engines) = args.engines {
        settings.engines = usize::from(engines);
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(serve(args, &settings, terminal))?;
    Ok(Answer::Yes)
}

/// The folder to serve.
fn folder(said: Option<&Path>) -> Result<PathBuf> {
    let folder = match said {
        Some(path) if path.is_file() => {
            let parent = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            parent.unwrap_or(Path::new(".")).to_owned()
        }
        Some(path) => path.to_owned(),
        None => home_folder("pages").context("name a folder: this user has no home folder")?,
    };
    if said.is_some() && !folder.is_dir() {
        bail!(
            "{0} is no folder; create it first: mkdir {0}",
            crate::quoting::shown(&folder)
        );
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

async fn serve(args: &Args, settings: &Settings, terminal: &mut Terminal<'_>) -> Result<()> {
    let folder = &settings.folder;
    let (app, token) =
        App::open(settings).with_context(|| format!("cannot serve {}", folder.display()))?;
    let listener = TcpListener::bind(args.listen)
        .await
        .with_context(|| format!("cannot listen on {}", args.listen))?;
    let address = listener.local_addr()?;
    let page = format!("http://{}/", reachable(address));
    writeln!(terminal.out, "Floe is at {STRONG}{page}{STRONG:#}")?;
    writeln!(
        terminal.out,
        "The organiser's link is {COMMAND}{page}enter/{token}{COMMAND:#}"
    )?;
    if address.ip().is_unspecified() {
        writeln!(
            terminal.out,
            "{FAINT}The server listens on every address of this machine; this is one of them.{FAINT:#}"
        )?;
    }
    writeln!(
        terminal.out,
        "{FAINT}Games are stored in {}. Ctrl-C stops the server; nothing is lost.{FAINT:#}",
        folder.display()
    )?;
    terminal.out.flush()?;
    if args.open && !open(&page) {
        writeln!(
            terminal.err,
            "No browser was found; open the address above."
        )?;
    }
    floe_web::serve(listener, app, interrupted()).await?;
    Ok(())
}

/// The address to open: if the server listens on all addresses, one by which others reach this
/// machine, else the loopback address.
fn reachable(address: SocketAddr) -> SocketAddr {
    let own = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => {
            let elsewhere = Ipv4Addr::new(192, 0, 2, 1);
            own_address(elsewhere.into()).unwrap_or(Ipv4Addr::LOCALHOST.into())
        }
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => {
            let elsewhere = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
            own_address(elsewhere.into()).unwrap_or(Ipv6Addr::LOCALHOST.into())
        }
        own => own,
    };
    SocketAddr::new(own, address.port())
}

/// This machine's address for connections to `elsewhere`. Only asks the system: nothing is sent.
fn own_address(elsewhere: IpAddr) -> Option<IpAddr> {
    let any: IpAddr = match elsewhere {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((elsewhere, 9)).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified()).then_some(own)
}

/// Done on Ctrl-C, or when the system ends the process.
pub(super) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut ended) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = ended.recv() => {}
            }
            return;
        }
    }
    // Without a handler, the signal ends the process, which loses no data either.
    let _ = tokio::signal::ctrl_c().await;
}

/// Opens the page in a browser; returns whether a browser started.
pub(super) fn open(page: &str) -> bool {
    let openers: [(&str, &[&str]); 3] =
        [("xdg-open", &[]), ("open", &[]), ("cmd", &["/C", "start"])];
    openers.into_iter().any(|(program, words)| {
        let mut command = Command::new(program);
        command.args(words).arg(page);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).spawn().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_a_port_alone() {
        assert_eq!(address("8080").unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(
            address("localhost:8080").unwrap().to_string(),
            "127.0.0.1:8080"
        );
        assert_eq!(address("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert!(address("here").is_err());
    }

    #[test]
    fn the_address_to_open_is_one_that_can_be_opened() {
        for listened in ["127.0.0.1:80", "192.0.2.7:8080", "[::1]:80"] {
            let listened: SocketAddr = listened.parse().unwrap();
            assert_eq!(reachable(listened), listened);
        }
        for every in ["0.0.0.0:8080", "[::]:8080"] {
            let every: SocketAddr = every.parse().unwrap();
            let own = reachable(every);
            assert!(!own.ip().is_unspecified(), "{own}");
            assert_eq!((own.is_ipv4(), own.port()), (every.is_ipv4(), 8080));
        }
    }
}
