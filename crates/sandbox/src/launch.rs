//! The program to start, and its conditions.

use std::ffi::OsString;
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;
use std::time::Duration;

use crate::layers::Layers;
use crate::limits::ResourceLimits;
use crate::supervisor_pool::SupervisorPool;

/// The command to start, its place, and its limits.
///
/// ```standalone_crate
/// use floe_sandbox::{Launch, ProgramFiles, ResourceLimits, Support, helper_main, run};
/// use std::time::Duration;
///
/// helper_main();
/// let bots = tempfile::tempdir()?;
/// std::fs::write(bots.path().join("bot.sh"), "echo $SIDE")?;
/// # #[cfg(unix)] // an untrusted program may run as another user
/// # std::fs::set_permissions(bots.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
/// let launch = Launch {
///     environment: vec![("SIDE".into(), "left".into())],
///     limits: ResourceLimits { memory: 64 << 20, ..ResourceLimits::default() },
///     layers: Support::probe("".as_ref()).layers(),
///     // The command, and its folder as readable.
///     ..ProgramFiles::find(["sh", "bot.sh"], bots.path()).into()
/// };
/// assert_eq!(run(launch, b"", Duration::from_secs(5))?.output, b"left\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments. A name without a slash is looked for on
    /// [`SEARCH_PATH`](crate::SEARCH_PATH).
    pub command: Vec<OsString>,
    /// Files and folders it may read and run from besides the system's: its own folder. Full
    /// paths without links, as [`ProgramFiles::find`](crate::ProgramFiles::find) gives them.
    pub readable: Vec<PathBuf>,
    /// The directory it starts in and may change. A full path without links. None makes a
    /// private one and removes it at the end. Started by root, the directory and what lies in it change owner.
    pub work: Option<PathBuf>,
    /// Whether the files the program leaves in `work` are copied back there when it has ended, if
    /// it worked in a file system of its own. Otherwise [`RunReport::left`](crate::RunReport::left)
    /// has them.
    pub brings_back: bool,
    /// Variables on top of the clean environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Its resource limits.
    pub limits: ResourceLimits,
    /// The layers to close around it; each must succeed, or the program is not started.
    pub layers: Layers,
    /// Whether it may think while an opponent is to move, in spite of
    /// [`Program::freeze`](crate::Program::freeze). It should then have cores of its own.
    pub ponders: bool,
    /// The processor cores it may run on, counted from 0; none for all of them.
    pub cores: Vec<usize>,
    /// The binary that calls [`helper_main`](crate::helper_main) first; empty for the
    /// one that is running.
    pub helper: PathBuf,
    /// Helpers that are started already, if there are any. Theirs is the binary then.
    pub pool: Option<SupervisorPool>,
    /// A terminal to be its standard input, output and error in place of pipes, which then stay empty.
    #[cfg(unix)]
    pub terminal: Option<Arc<OwnedFd>>,
    /// Time limit of the start, which is the machine's time, not the program's.
    pub patience: Duration,
}

impl Launch {
    /// A launch for a command as it stands, with default limits and no layers.
    pub fn of<W: Into<OsString>>(command: impl IntoIterator<Item = W>) -> Launch {
        Launch {
            command: command.into_iter().map(Into::into).collect(),
            readable: Vec::new(),
            work: None,
            brings_back: true,
            environment: Vec::new(),
            limits: ResourceLimits::default(),
            layers: Layers::NONE,
            ponders: false,
            cores: Vec::new(),
            helper: PathBuf::new(),
            pool: None,
            #[cfg(unix)]
            terminal: None,
            patience: Duration::from_secs(20),
        }
    }
}
