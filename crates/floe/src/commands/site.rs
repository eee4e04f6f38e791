//! `floe site`: the pages without a server.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_terminal::output_file::write_whole;
use floe_web::{SiteFile, host_site, site};
use serde::Serialize;
use tokio::net::TcpListener;

use super::module::ModuleArgs;
use super::serve;
use crate::quoting::shown;
use crate::terminal::{GOOD, STRONG, Terminal};
use crate::{Answer, cli, json};

/// The file that marks a folder as a site, which may be overwritten.
const MARK: &str = "sw.js";

/// Write the pages as a folder for any static host
///
/// Play every game against Floe's engines or with two at one screen, analyse, learn, and look at
/// records. Rules and engines run in the browser: the folder needs no server, works from a subfolder,
/// and once opened works without a network. Browsers offer to install it as an app. Running the
/// command again on the same folder updates it; open pages then offer the new version.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder to write: a new one, an empty one, or an earlier site
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Open the site in the browser, from this machine, until Ctrl-C
    #[arg(long)]
    open: bool,

    /// Print what was written as one JSON object
    #[arg(long, conflicts_with = "open")]
    json: bool,

    #[command(flatten)]
    module: ModuleArgs,
}

const EXAMPLES: &str = "\
floe site public
floe site public --open";

#[derive(Serialize)]
struct SiteFacts<'a> {
    folder: &'a Path,
    files: usize,
    bytes: usize,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    args.module.apply()?;
    let files = site()?;
    let folder = &args.folder;
    check(folder)?;
    let mut size = 0;
    // The service worker is written last: an open page sees a new version only once it is complete.
    for file in &files {
        let path = folder.join(&file.path);
        let parent = path.parent().unwrap_or(folder);
        let write = || {
            fs::create_dir_all(parent)?;
            write_whole(&path, &file.bytes)
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
        size += file.bytes.len();
    }
    if args.json {
        let facts = SiteFacts {
            folder,
            files: files.len(),
            bytes: size,
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    writeln!(
        terminal.err,
        "{GOOD}written{GOOD:#}: {}, {} files, {} KiB",
        shown(folder),
        files.len(),
        size.div_ceil(1024)
    )?;
    if args.open {
        let runtime = tokio::runtime::Runtime::new().context("cannot start the host's threads")?;
        runtime.block_on(show(files, terminal))?;
    }
    Ok(Answer::Yes)
}

/// Hosts the site on this machine and opens it.
async fn show(files: Vec<SiteFile>, terminal: &mut Terminal<'_>) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let page = format!("http://{}/", listener.local_addr()?);
    writeln!(
        terminal.out,
        "The site is at {STRONG}{page}{STRONG:#}; Ctrl-C ends it"
    )?;
    terminal.out.flush()?;
    if !serve::open(&page) {
        writeln!(
            terminal.err,
            "No browser was found; open the address above."
        )?;
    }
    Ok(host_site(listener, files, serve::interrupted()).await?)
}

/// Refuses a folder with other files in it.
fn check(folder: &Path) -> Result<()> {
    if !folder.exists() || folder.join(MARK).is_file() {
        return Ok(());
    }
    let mut entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    if entries.next().is_some() {
        bail!(
            "{}: the folder has other files in it; name a new folder or an empty one",
            folder.display()
        );
    }
    Ok(())
}
