//! Helpers that wait ready, so that starting a program costs little more than the program.
//!
//! A supervisor with its launcher takes about as long to start as three programs. Nothing of that
//! depends on the program, so it can be done beforehand: while the other player thinks.

#[cfg(target_os = "linux")]
pub(super) use linux::Supervisor;
#[cfg(target_os = "linux")]
pub use linux::SupervisorPool;
#[cfg(not(target_os = "linux"))]
pub use none::SupervisorPool;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::{self, Sender};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
    use std::thread;

    use crate::helper::{Home, ProgramGroup, SUPERVISOR, home_if};
    use crate::layers::Layers;
    use crate::report::MachineFailure;
    use crate::work_folder::WorkFolder;

    /// A supervisor that waits for an order.
    #[derive(Debug)]
    pub(crate) struct Supervisor {
        pub(crate) child: Child,
        /// The channel for the order. Closing it ends the supervisor.
        pub(crate) control: UnixStream,
    }

    impl Supervisor {
        /// Starts a supervisor: `helper` as in [`Launch::helper`](crate::Launch::helper).
        pub(crate) fn start(helper: &Path, layers: Layers) -> Result<Supervisor, MachineFailure> {
            let (control, theirs) = UnixStream::pair()?;
            let home = home_if(layers);
            let home = home.map_err(|why| MachineFailure::Sandbox(why.to_owned()))?;
            let mut command = match helper.as_os_str().is_empty() {
                true => Command::new(std::env::current_exe()?),
                false => Command::new(helper),
            };
            let child = command
                .arg(SUPERVISOR)
                .arg(layers.bits().to_string())
                .args(home.into_iter().flat_map(Home::words))
                .env_clear()
                .stdin(Stdio::from(OwnedFd::from(theirs)))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()?;
            Ok(Supervisor { child, control })
        }

        /// Ends the supervisor without an order.
        fn end(self) {
            let Supervisor { mut child, control } = self;
            drop(control);
            let _ = child.wait();
        }

        /// Cleans up after a killed supervisor.
        fn bury(self, layers: Layers) {
            let id = self.child.id();
            self.end();
            if let Ok(Some(home)) = home_if(layers) {
                ProgramGroup::of_supervisor(home, id).remove();
            }
        }
    }

    /// Helpers that wait ready, shared by all clones of it.
    ///
    /// Each start takes one, each end has the next made in the background. The same goes for private
    /// working directories, which are also removed there. When the last clone is dropped, helpers that
    /// wait are ended and directories gone.
    ///
    /// ```standalone_crate
    /// use floe_sandbox::{SupervisorPool, Launch, Support, helper_main, run};
    /// use std::time::Duration;
    ///
    /// helper_main();
    /// let layers = Support::probe("".as_ref()).layers();
    /// let pool = SupervisorPool::new("".as_ref(), layers, 2)?;
    /// assert_eq!(pool.waiting(), 2);
    /// for _ in 0..5 {
    ///     let launch = Launch {
    ///         layers,
    ///         pool: Some(pool.clone()),
    ///         ..Launch::of(["/bin/cat"])
    ///     };
    ///     assert_eq!(run(launch, b"hello", Duration::from_secs(5))?.output, b"hello");
    /// }
    /// # Ok::<(), floe_sandbox::MachineFailure>(())
    /// ```
    #[derive(Clone, Debug)]
    pub struct SupervisorPool(Arc<Inner>);

    #[derive(Debug)]
    struct Inner {
        layers: Layers,
        helper: PathBuf,
        waiting: Arc<Mutex<Vec<Supervisor>>>,
        folders: Arc<Mutex<Vec<WorkFolder>>>,
        work: Option<Sender<Ended>>,
        hand: Option<thread::JoinHandle<()>>,
    }

    /// What an ended program leaves to the background.
    enum Ended {
        /// Its supervisor.
        Supervisor(Child),
        /// Its private working directory, and the file system that it was, which the kernel takes time to
        /// give up.
        Folder(WorkFolder, Option<OwnedFd>),
    }

    impl SupervisorPool {
        /// Starts this many helpers for programs in these layers: one for each program that starts
        /// at the same time. `helper` as in [`Launch::helper`](crate::Launch::helper).
        pub fn new(
            helper: &Path,
            layers: Layers,
            size: usize,
        ) -> Result<SupervisorPool, MachineFailure> {
            let helper = match helper.as_os_str().is_empty() {
                true => std::env::current_exe()?,
                false => helper.to_owned(),
            };
            let waiting = Arc::new(Mutex::new(Vec::with_capacity(size)));
            let folders = Arc::new(Mutex::new(Vec::new()));
            let (work, done) = mpsc::channel::<Ended>();
            let (shelf, binary) = (Arc::clone(&waiting), helper.clone());
            let rooms = Arc::clone(&folders);
            let hand = thread::Builder::new()
                .name("pool".to_owned())
                .spawn(move || {
                    for ended in done {
                        match ended {
                            Ended::Supervisor(mut old) => {
                                let _ = old.wait();
                                // If a helper cannot be made now, it is made when needed, and the
                                // error appears there.
                                if lock(&shelf).len() < size
                                    && let Ok(supervisor) = Supervisor::start(&binary, layers)
                                {
                                    lock(&shelf).insert(0, supervisor);
                                }
                            }
                            Ended::Folder(old, room) => {
                                drop((old, room));
                                if lock(&rooms).len() < size
                                    && let Ok(folder) = WorkFolder::private()
                                {
                                    lock(&rooms).push(folder);
                                }
                            }
                        }
                    }
                })?;
            let inner = Inner {
                layers,
                helper,
                waiting,
                folders,
                work: Some(work),
                hand: Some(hand),
            };
            for _ in 0..size {
                let supervisor = Supervisor::start(&inner.helper, layers)?;
                lock(&inner.waiting).push(supervisor);
            }
            Ok(SupervisorPool(Arc::new(inner)))
        }

        /// Number of ready helpers.
        pub fn waiting(&self) -> usize {
            lock(&self.0.waiting).len()
        }

        /// A ready supervisor, or else a new one.
        pub(crate) fn take(&self, layers: Layers) -> Result<Supervisor, MachineFailure> {
            if layers == self.0.layers {
                while let Some(mut supervisor) = self.0.pop() {
                    match supervisor.child.try_wait() {
                        Ok(None) => return Ok(supervisor),
                        _ => supervisor.bury(layers),
                    }
                }
            }
            Supervisor::start(&self.0.helper, layers)
        }

        /// A private working directory. Those made ahead are for programs of this process that may never
        /// come, so the first are not.
        pub(crate) fn folder(&self) -> io::Result<WorkFolder> {
            let ready = lock(&self.0.folders).pop();
            ready.map_or_else(WorkFolder::private, Ok)
        }

        /// Removes a private working directory, and makes another, both in the background.
        pub(crate) fn tidy(&self, folder: WorkFolder, room: Option<OwnedFd>) {
            self.leave(Ended::Folder(folder, room));
        }

        fn leave(&self, ended: Ended) {
            if let Some(work) = &self.0.work {
                // The other end is there as long as this one.
                let _ = work.send(ended);
            }
        }

        /// Waits for a finished supervisor and starts another, both in the background.
        pub(crate) fn replace(&self, layers: Layers, mut old: Child) {
            match layers == self.0.layers {
                true => self.leave(Ended::Supervisor(old)),
                false => {
                    let _ = old.wait();
                }
            }
        }
    }

    impl Inner {
        fn pop(&self) -> Option<Supervisor> {
            lock(&self.waiting).pop()
        }
    }

    impl Drop for Inner {
        fn drop(&mut self) {
            self.work = None;
            if let Some(hand) = self.hand.take() {
                let _ = hand.join();
            }
            while let Some(supervisor) = self.pop() {
                supervisor.end();
            }
        }
    }

    fn lock<T>(shelf: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
        shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use std::path::Path;

    use crate::layers::Layers;
    use crate::report::MachineFailure;

    /// Ready helpers; this system has none and needs none.
    #[derive(Clone, Debug)]
    pub struct SupervisorPool(());

    impl SupervisorPool {
        /// Does nothing on this system.
        pub fn new(_: &Path, _: Layers, _: usize) -> Result<SupervisorPool, MachineFailure> {
            Ok(SupervisorPool(()))
        }

        /// Number of ready helpers.
        pub fn waiting(&self) -> usize {
            0
        }
    }
}
