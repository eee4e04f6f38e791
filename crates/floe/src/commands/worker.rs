//! `floe worker`: plays games for organisers elsewhere.

use std::path::PathBuf;

use anyhow::Result;
use clap::value_parser;

use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Play games for tournaments on other machines
///
/// Reports this machine's sandbox layers and speed, then takes games from the cluster at this
/// address, plays them as `floe match` does, and returns their records. Programs come from the
/// organiser, run in the sandbox, and are checked before every use. Games that need a higher
/// sandbox level than this machine has go to other workers.
///
/// The first Ctrl-C finishes the games in progress, about ten seconds' worth, and leaves; the
/// second returns them at once. Killing a worker loses nothing: other workers play its games.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub(crate) struct Args {
    /// Server of the cluster, such as nats://host
    url: String,

    /// Key of this worker, from `floe cluster config`
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// Cores to play on [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    cores: Option<u32>,

    /// Name of this worker [default: the key's name, or the hostname and a random number]
    #[arg(long)]
    name: Option<String>,

    /// Folder for programs [default: in the user's cache]
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,

    /// Replace this floe by the organiser's if they differ: the organiser's public key,
    /// organiser.pub from `floe cluster config`
    ///
    /// The worker accepts only binaries that this key signed for its kind of machine. It finishes
    /// its games, stores the binary in the folder for programs, and starts it with the same
    /// arguments.
    #[arg(long, value_name = "FILE")]
    exec_update: Option<PathBuf>,
}

const EXAMPLES: &str = "\
floe worker nats://host --key lab-7.nk
floe worker nats://host --key worker-1.nk --cores 2 --name lab-7
floe worker nats://host --key lab-7.nk --exec-update organiser.pub";

#[cfg(not(feature = "cluster"))]
pub(crate) fn run(_: &Args, _: &mut Terminal<'_>) -> Result<Answer> {
    Err(crate::cluster_args::not_built())
}

#[cfg(feature = "cluster")]
pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    use std::sync::atomic::Ordering;

    use anyhow::{Context, bail};
    use floe_arena::runner::available_cores;
    use floe_cluster::config::{Key, read_key};
    use floe_cluster::link::Address;
    use floe_cluster::programs::default_cache;
    use floe_cluster::update;
    use floe_cluster::wire::is_word;
    use floe_cluster::worker::{
        self, Ending, HeldCores, MEASURED_EVERY, WorkerOptions, default_name,
    };
    use signal_hook::consts::{SIGINT, SIGTERM};

    use crate::progress;
    use crate::standing::count;
    use crate::terminal::REMARK;

    let key = args.key.as_deref().map(read_key).transpose()?;
    let name = match (&args.name, key.as_ref().and_then(Key::worker)) {
        (Some(name), Some(own)) if name != own => bail!(
            "--name: this is the key of worker {own}, and the server takes nothing in another name; \
             leave --name out"
        ),
        (_, Some(own)) => own.to_owned(),
        (Some(name), None) => name.clone(),
        (None, None) => default_name(),
    };
    if !is_word(&name) {
        bail!("--name: a worker's name is up to 64 letters, digits, - and _");
    }
    let available = available_cores();
    let wanted = args.cores.map_or(available.len(), |cores| cores as usize);
    if wanted > available.len() {
        bail!("--cores: this machine has {}", available.len());
    }
    let held = HeldCores::take("floe-core", available, wanted);
    if held.shared > 0 {
        progress::print(format_args!(
            "{REMARK}warning:{REMARK:#} another worker of this machine plays on {} of these {}, so that \
             times are not worth much; give each fewer (--cores)",
            held.shared,
            count(wanted as u64, "core")
        ));
    }
    let options = WorkerOptions {
        address: Address {
            url: args.url.clone(),
            key: args.key.clone(),
        },
        name,
        cores: held.cores.clone(),
        cache: args.programs.clone().unwrap_or_else(default_cache),
        helper: PathBuf::new(),
        measured_every: MEASURED_EVERY,
        update_key: args.exec_update.clone(),
        left: update::left(),
    };
    let ending = Ending::default();
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let told = ending.clone();
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if told.leave.swap(true, Ordering::Relaxed) {
                told.hand_back.store(true, Ordering::Relaxed);
            }
        }
    });
    terminal.out.flush()?;
    let ended = worker::run(&options, &ending, |news| {
        let news = news.to_string();
        progress::print(floe_rules::text::visible(&news));
    })?;
    if let Some(update) = ended.update {
        // The new process takes the cores again.
        drop(held);
        let error = update::exec(&update.path, &update.left);
        return Err(error).with_context(|| format!("cannot start {}", update.path.display()));
    }
    Ok(Answer::Yes)
}
