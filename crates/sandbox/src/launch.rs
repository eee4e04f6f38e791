//! The program to start, and its limits.

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
    /// Files and folders the program may read and run besides the system's: its own folder. Full
    /// paths with links resolved, as [`ProgramFiles::find`](crate::ProgramFiles::find) returns
    /// them.
    pub readable: Vec<PathBuf>,
    /// The directory in which the program starts, and which it may change. A full path with links
    /// resolved. `None` makes a private one and removes it at the end. If root starts the program,
    /// the directory and its contents change owner.
    pub work: Option<PathBuf>,
    /// Whether to copy the program's files back to `work` after its end, if it worked in a separate
    /// file system. Otherwise, [`RunReport::left`](crate::RunReport::left) has them.
    pub brings_back: bool,
    /// Variables on top of the clean environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The program's resource limits.
    pub limits: ResourceLimits,
    /// The layers of the sandbox; if one fails, the program is not started.
    pub layers: Layers,
    /// Whether the program may think during an opponent's turn, despite
    /// [`Program::freeze`](crate::Program::freeze). It should then have its own cores.
    pub ponders: bool,
    /// The program's processor cores, counted from 0; all cores if empty.
    pub cores: Vec<usize>,
    /// The binary that calls [`helper_main`](crate::helper_main) first; empty for the running
    /// binary.
    pub helper: PathBuf,
    /// Helpers that are started already; their binary is then used.
    pub pool: Option<SupervisorPool>,
    /// A terminal as its standard input, output and error in place of pipes, which then stay empty.
    #[cfg(unix)]
    pub terminal: Option<Arc<OwnedFd>>,
    /// Time limit of the start, which depends on the machine and not on the program.
    pub patience: Duration,
}

impl Launch {
    /// A launch for a command, with default limits and no layers.
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
