//! The machine's cores, and which games hold them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// Interval at which a thread that waits for cores checks its stop flag.
const LOOK: Duration = Duration::from_millis(20);

/// The cores this process may use.
#[cfg(target_os = "linux")]
pub fn available_cores() -> Vec<usize> {
    match rustix::thread::sched_getaffinity(None) {
        Ok(set) => (0..rustix::thread::CpuSet::MAX_CPU)
            .filter(|&core| set.is_set(core))
            .collect(),
        Err(_) => (0..count()).collect(),
    }
}

/// The cores this process may use.
#[cfg(not(target_os = "linux"))]
pub fn available_cores() -> Vec<usize> {
    (0..count()).collect()
}

fn count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many games with this number of seats can run at once without sharing cores; at least one.
pub fn default_concurrency(seats: usize) -> usize {
    (CorePool::machine().size() / seats.max(1)).max(1)
}

/// Cores that are lent to games, so that no two games that run at the same time share one, however
/// many matches and tournaments a process plays. Clones are the same pool.
///
/// Leases are granted first come, first served, so none starves. Leases with precedence come before
/// all others, for work that people wait for. A lease of no cores is a game that shares all of them;
/// [`CoreLease::alone`] waits for it like for any other.
///
/// ```
/// use floe_arena::runner::CorePool;
/// let pool = CorePool::of(vec![4, 5]);
/// let stop = Default::default();
/// let one = pool.lease(1, &stop).unwrap();
/// let other = pool.lease(1, &stop).unwrap();
/// assert_ne!(one.cores(), other.cores());
/// drop((one, other));
/// assert_eq!(pool.lease(9, &stop).unwrap().cores(), [4, 5]); // there are no more
/// ```
#[derive(Debug, Clone)]
pub struct CorePool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    free: Vec<usize>,
    /// Tickets of waiting threads, first come, first served; those with precedence come first.
    waiting: VecDeque<Ticket>,
    next_ticket: u64,
    /// Leases that are held now.
    held: usize,
    /// Leases with precedence that are held now.
    held_first: usize,
    /// Leases whose holders want to be alone, in order: they wait for their turn.
    alone: VecDeque<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ticket {
    number: u64,
    is_first: bool,
}

impl CorePool {
    /// All cores this process may use: the one pool that all runners share.
    pub fn machine() -> CorePool {
        static MACHINE: OnceLock<CorePool> = OnceLock::new();
        MACHINE
            .get_or_init(|| CorePool::of(available_cores()))
            .clone()
    }

    /// A pool of these cores alone.
    pub fn of(cores: Vec<usize>) -> CorePool {
        CorePool(Arc::new(Shared {
            size: cores.len(),
            state: Mutex::new(State {
                free: cores,
                waiting: VecDeque::new(),
                next_ticket: 0,
                held: 0,
                held_first: 0,
                alone: VecDeque::new(),
            }),
            changed: Condvar::new(),
        }))
    }

    /// Number of cores, leased or free.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Waits for `cores` cores, or for all if there are fewer; `None` if the caller sets `stop`.
    pub fn lease(&self, cores: usize, stop: &AtomicBool) -> Option<CoreLease> {
        self.lease_as(cores, false, stop)
    }

    /// Leases cores before all other waiting threads.
    pub fn lease_first(&self, cores: usize, stop: &AtomicBool) -> Option<CoreLease> {
        self.lease_as(cores, true, stop)
    }

    /// Whether leases with precedence are held or awaited, or a holder wants to be alone: other
    /// work should not begin now.
    pub fn has_precedence(&self) -> bool {
        let state = self.0.state.lock();
        let is_waited_for = || state.waiting.iter().any(|ticket| ticket.is_first);
        state.held_first > 0 || !state.alone.is_empty() || is_waited_for()
    }

    fn lease_as(&self, cores: usize, is_first: bool, stop: &AtomicBool) -> Option<CoreLease> {
        let wanted = cores.min(self.0.size);
        let mut state = self.0.state.lock();
        let number = state.next_ticket;
        state.next_ticket += 1;
        let ticket = Ticket { number, is_first };
        let place = match is_first {
            true => state.waiting.iter().position(|other| !other.is_first),
            false => None,
        };
        let place = place.unwrap_or(state.waiting.len());
        state.waiting.insert(place, ticket);
        loop {
            if stop.load(Ordering::Relaxed) {
                state.waiting.retain(|&other| other != ticket);
                drop(state);
                self.0.changed.notify_all();
                return None;
            }
            let is_next = state.waiting.front() == Some(&ticket) && state.alone.is_empty();
            if is_next && state.free.len() >= wanted {
                state.waiting.pop_front();
                state.held += 1;
                state.held_first += usize::from(is_first);
                state.free.sort_unstable();
                let cores = state.free.drain(..wanted).collect();
                drop(state);
                // The next waiting thread may need fewer cores, so wake it.
                self.0.changed.notify_all();
                return Some(CoreLease {
                    cores,
                    is_first,
                    pool: self.clone(),
                });
            }
            self.0.changed.wait_for(&mut state, LOOK);
        }
    }
}

/// Exclusive cores. Dropping the lease returns them.
#[derive(Debug)]
pub struct CoreLease {
    cores: Vec<usize>,
    is_first: bool,
    pool: CorePool,
}

impl CoreLease {
    /// The numbers of the leased cores, in order.
    pub fn cores(&self) -> &[usize] {
        &self.cores
    }

    /// Runs something while no other lease of the pool is in use: no new one is granted, those
    /// that are held are waited for. Several who want this take turns; until it is theirs, they do
    /// nothing with their cores.
    ///
    /// ```
    /// use floe_arena::runner::CorePool;
    /// let pool = CorePool::of(vec![4, 5]);
    /// let lease = pool.lease_first(1, &Default::default()).unwrap();
    /// assert_eq!(lease.alone(|| "nothing else runs"), "nothing else runs");
    /// ```
    pub fn alone<T>(&self, act: impl FnOnce() -> T) -> T {
        let mut state = self.pool.0.state.lock();
        let number = state.next_ticket;
        state.next_ticket += 1;
        state.alone.push_back(number);
        self.pool.0.changed.notify_all();
        while state.alone.front() != Some(&number) || state.held > state.alone.len() {
            self.pool.0.changed.wait(&mut state);
        }
        drop(state);
        let _turn = Alone(&self.pool, number);
        act()
    }

    /// Pauses while another holder wants to be alone. Holders of long leases call this where they
    /// can pause, so that no one waits for the end of a long lease.
    ///
    /// ```
    /// use floe_arena::runner::CorePool;
    /// let pool = CorePool::of(vec![4, 5]);
    /// let stop = Default::default();
    /// let (one, other) = (pool.lease(1, &stop).unwrap(), pool.lease(1, &stop).unwrap());
    /// std::thread::scope(|scope| {
    ///     let alone = scope.spawn(|| one.alone(|| "nothing else runs"));
    ///     while !alone.is_finished() {
    ///         other.give_way();
    ///     }
    /// });
    /// ```
    pub fn give_way(&self) {
        let mut state = self.pool.0.state.lock();
        if state.alone.is_empty() {
            return;
        }
        state.held -= 1;
        self.pool.0.changed.notify_all();
        while !state.alone.is_empty() {
            self.pool.0.changed.wait(&mut state);
        }
        state.held += 1;
    }
}

/// Exclusive use of the pool, until dropped.
struct Alone<'a>(&'a CorePool, u64);

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        let Alone(pool, number) = self;
        pool.0.state.lock().alone.retain(|other| other != number);
        pool.0.changed.notify_all();
    }
}

impl Drop for CoreLease {
    fn drop(&mut self) {
        let mut state = self.pool.0.state.lock();
        state.free.append(&mut self.cores);
        state.held -= 1;
        state.held_first -= usize::from(self.is_first);
        drop(state);
        self.pool.0.changed.notify_all();
    }
}

/// Pins this thread to these cores; does nothing if the list is empty or the system refuses.
#[cfg(target_os = "linux")]
pub fn keep_to(cores: &[usize]) {
    if cores.is_empty() {
        return;
    }
    let mut set = rustix::thread::CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    // If this fails, the scheduler decides, as without it.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

/// Pins this thread to these cores, on systems that can.
#[cfg(not(target_os = "linux"))]
pub fn keep_to(_: &[usize]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_core_is_lent_twice_and_all_come_back() {
        let pool = CorePool::of(vec![0, 1, 2, 3, 4]);
        let taken = Mutex::new(HashSet::new());
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for seats in [1, 2, 2, 3, 9] {
                let (pool, taken, stop) = (&pool, &taken, &stop);
                scope.spawn(move || {
                    for _ in 0..200 {
                        let lease = pool.lease(seats, stop).unwrap();
                        assert_eq!(lease.cores().len(), seats.min(5));
                        for &core in lease.cores() {
                            assert!(taken.lock().insert(core), "core {core} is lent");
                        }
                        std::thread::yield_now();
                        for core in lease.cores() {
                            taken.lock().remove(core);
                        }
                    }
                });
            }
        });
        assert_eq!(pool.lease(5, &stop).unwrap().cores(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn whoever_wants_many_is_not_passed_over_by_those_who_want_few() {
        let pool = CorePool::of(vec![0, 1]);
        let stop = AtomicBool::new(false);
        let first = pool.lease(1, &stop).unwrap();
        std::thread::scope(|scope| {
            let many = scope.spawn(|| pool.lease(2, &stop).unwrap().cores().len());
            while pool.0.state.lock().waiting.is_empty() {
                std::thread::yield_now();
            }
            // One core is free, but another thread came first.
            let few = scope.spawn(|| pool.lease(1, &stop).unwrap().cores().len());
            while pool.0.state.lock().waiting.len() < 2 {
                std::thread::yield_now();
            }
            assert_eq!(pool.0.state.lock().free.len(), 1);
            drop(first);
            assert_eq!((many.join().unwrap(), few.join().unwrap()), (2, 1));
        });
    }

    #[test]
    fn leases_with_precedence_come_before_all_others() {
        let pool = CorePool::of(vec![0, 1]);
        let stop = AtomicBool::new(false);
        let first = pool.lease(1, &stop).unwrap();
        let (done, order) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let wait_for = |count| {
                while pool.0.state.lock().waiting.len() < count {
                    std::thread::yield_now();
                }
            };
            let (pool, stop) = (&pool, &stop);
            let log = done.clone();
            scope.spawn(move || {
                let lease = pool.lease(2, stop).unwrap();
                log.send("game").unwrap();
                drop(lease);
            });
            wait_for(1);
            assert!(!pool.has_precedence());
            // One core is free, and the game wants two.
            let lease = pool.lease_first(1, stop).unwrap();
            assert!(pool.has_precedence());
            let log = done.clone();
            scope.spawn(move || {
                let lease = pool.lease_first(2, stop).unwrap();
                log.send("judge").unwrap();
                drop(lease);
            });
            wait_for(2);
            drop((first, lease));
        });
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["judge", "game"]);
        assert!(!pool.has_precedence());
    }

    #[test]
    fn who_is_alone_waits_for_all_others_and_keeps_new_ones_back() {
        let pool = CorePool::of(vec![0, 1, 2]);
        let stop = AtomicBool::new(false);
        let sharing = pool.lease(0, &stop).unwrap();
        let game = pool.lease(1, &stop).unwrap();
        let (done, order) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let (pool, stop) = (&pool, &stop);
            // Two judges want to be alone, each with a core: neither waits for the other for ever.
            // Both leases come first: none is granted once a judge waits to be alone.
            let leases = [(); 2].map(|()| pool.lease_first(1, stop).unwrap());
            for lease in leases {
                let log = done.clone();
                scope.spawn(move || {
                    lease.alone(|| {
                        let state = pool.0.state.lock();
                        assert_eq!(state.held, state.alone.len(), "others are at work");
                        drop(state);
                        log.send("alone").unwrap();
                    });
                });
            }
            while pool.0.state.lock().alone.len() < 2 {
                std::thread::yield_now();
            }
            assert!(pool.has_precedence());
            // Cores are not scarce for this one.
            let log = done.clone();
            let late = scope.spawn(move || {
                let lease = pool.lease(0, stop).unwrap();
                log.send("late").unwrap();
                drop(lease);
            });
            while pool.0.state.lock().waiting.is_empty() {
                std::thread::yield_now();
            }
            drop(game);
            assert!(order.try_recv().is_err());
            drop(sharing);
            late.join().unwrap();
        });
        assert_eq!(
            order.try_iter().collect::<Vec<_>>(),
            ["alone", "alone", "late"]
        );
        assert!(!pool.has_precedence());
    }

    #[test]
    fn whoever_is_told_to_stop_waits_no_longer() {
        let pool = CorePool::of(vec![0]);
        let all = pool.lease(1, &AtomicBool::new(false)).unwrap();
        assert!(pool.lease(1, &AtomicBool::new(true)).is_none());
        drop(all);
        assert!(pool.0.state.lock().waiting.is_empty());
        assert!(!available_cores().is_empty());
        assert_eq!(default_concurrency(available_cores().len() * 2), 1);
    }
}
