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
    use crate::report::Trouble;

    /// A supervisor that waits for its order.
    #[derive(Debug)]
    pub(crate) struct Supervisor {
        pub(crate) child: Child,
        /// Where the order goes. Closing it ends the supervisor.
        pub(crate) control: UnixStream,
    }

    impl Supervisor {
        /// Starts one: `helper` as in [`Launch::helper`](crate::Launch::helper).
        pub(crate) fn start(helper: &Path, layers: Layers) -> Result<Supervisor, Trouble> {
            let (control, theirs) = UnixStream::pair()?;
            let home = home_if(layers);
            let home = home.map_err(|why| Trouble::Sandbox(why.to_owned()))?;
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

        /// Lets it go without an order.
        fn end(self) {
            let Supervisor { mut child, control } = self;
            drop(control);
            let _ = child.wait();
        }

        /// Cleans up after a supervisor that was killed.
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
    /// Each start takes one, each end has the next made in the background. When the last clone is
    /// dropped, those that wait are ended.
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
    /// # Ok::<(), floe_sandbox::Trouble>(())
    /// ```
    #[derive(Clone, Debug)]
    pub struct SupervisorPool(Arc<Inner>);

    #[derive(Debug)]
    struct Inner {
        layers: Layers,
        helper: PathBuf,
        waiting: Arc<Mutex<Vec<Supervisor>>>,
        work: Option<Sender<Child>>,
        hand: Option<thread::JoinHandle<()>>,
    }

    impl SupervisorPool {
        /// Starts this many helpers for programs in these layers: one for each program that is to
        /// be started at the same time. `helper` as in [`Launch::helper`](crate::Launch::helper).
        pub fn new(helper: &Path, layers: Layers, size: usize) -> Result<SupervisorPool, Trouble> {
            let helper = match helper.as_os_str().is_empty() {
                true => std::env::current_exe()?,
                false => helper.to_owned(),
            };
            let waiting = Arc::new(Mutex::new(Vec::with_capacity(size)));
            let (work, done) = mpsc::channel::<Child>();
            let (shelf, binary) = (Arc::clone(&waiting), helper.clone());
            let hand = thread::Builder::new()
                .name("pool".to_owned())
                .spawn(move || {
                    for mut old in done {
                        let _ = old.wait();
                        // If a helper cannot be made now, it is made when needed, and the error
                        // appears there.
                        if lock(&shelf).len() < size
                            && let Ok(supervisor) = Supervisor::start(&binary, layers)
                        {
                            lock(&shelf).insert(0, supervisor);
                        }
                    }
                })?;
            let inner = Inner {
                layers,
                helper,
                waiting,
                work: Some(work),
                hand: Some(hand),
            };
            for _ in 0..size {
                let supervisor = Supervisor::start(&inner.helper, layers)?;
                lock(&inner.waiting).push(supervisor);
            }
            Ok(SupervisorPool(Arc::new(inner)))
        }

        /// Helpers waiting at this moment.
        pub fn waiting(&self) -> usize {
            lock(&self.0.waiting).len()
        }

        /// One that has waited, or else a new one.
        pub(crate) fn take(&self, layers: Layers) -> Result<Supervisor, Trouble> {
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

        /// Waits for one that is done and makes another, both in the background.
        pub(crate) fn replace(&self, layers: Layers, mut old: Child) {
            match &self.0.work {
                Some(work) if layers == self.0.layers => {
                    // The other end is there as long as this one.
                    let _ = work.send(old);
                }
                _ => {
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

    fn lock(shelf: &Mutex<Vec<Supervisor>>) -> MutexGuard<'_, Vec<Supervisor>> {
        shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use std::path::Path;

    use crate::layers::Layers;
    use crate::report::Trouble;

    /// Helpers that wait ready; there are none on this system, and none are needed.
    #[derive(Clone, Debug)]
    pub struct SupervisorPool(());

    impl SupervisorPool {
        /// Does nothing here.
        pub fn new(_: &Path, _: Layers, _: usize) -> Result<SupervisorPool, Trouble> {
            Ok(SupervisorPool(()))
        }

        /// Helpers waiting at this moment.
        pub fn waiting(&self) -> usize {
            0
        }
    }
}
