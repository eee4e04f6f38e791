//! Holding a program while an opponent is to move.
//!
//! The caller stops the program's process group itself, by one system call. That reaches all
//! processes if filters keep them in the group and forbid them to resume each other. The supervisor
//! verifies it: it stops processes that left the group, and ends a program that resumed itself, for
//! instance by a timer.

use std::collections::HashMap;

use rustix::process::{Pid, Signal, kill_process};

use super::process_tree::{self, Stat, StopState};

/// Processor time that all held processes together may use, in clock ticks.
const SLACK: u64 = 3;
/// Rounds in which the supervisor stops new processes before it returns to other work.
const ROUNDS: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Hold {
    /// The processes being held; `None` before the first check.
    held: Option<HashMap<u32, Held>>,
    /// Whether the supervisor itself stopped processes, and so must resume them.
    stopped_some: bool,
}

/// A process that must stay stopped.
#[derive(Debug)]
struct Held {
    /// Whether the process was stopped at the last look.
    is_still: bool,
    /// Processor time used by then, in clock ticks: time until the stop does not count.
    ticks: u64,
}

/// The result of one look at a process.
#[derive(Debug, Clone, Copy)]
struct Look {
    pid: u32,
    state: StopState,
    ticks: u64,
}

impl Hold {
    /// Stops all descendants of this process, including those started in the meantime.
    pub(super) fn stop_all(&mut self, root: u32, spared: Option<u32>) {
        for _ in 0..ROUNDS {
            let mut pids = process_tree::descendants(root);
            pids.retain(|&pid| Some(pid) != spared);
            if self.stop(&pids) == 0 {
                break;
            }
        }
    }

    /// Stops the running ones among these processes; returns their number.
    fn stop(&mut self, pids: &[u32]) -> usize {
        let running = pids.iter().filter(|&&pid| can_run(pid));
        let stopped = running.filter(|&&pid| send(pid, Signal::STOP)).count();
        self.stopped_some |= stopped > 0;
        stopped
    }

    /// Makes sure that these processes are stopped. False if one of them resumed itself.
    ///
    /// Costs a read for each that was still before, and one more for each thread of the others.
    pub(super) fn check(&mut self, pids: &[u32]) -> bool {
        let looks: Vec<Look> = pids.iter().map(|&pid| self.look(pid)).collect();
        let others = looks.iter().filter(|look| look.state != StopState::Still);
        self.stop(&others.map(|look| look.pid).collect::<Vec<_>>());
        self.judge(&looks)
    }

    fn look(&self, pid: u32) -> Look {
        let held = self.held.as_ref().and_then(|held| held.get(&pid));
        let before = match held {
            Some(held) if held.is_still => None,
            _ => Some(process_tree::stop_state(pid)),
        };
        // Read after the state: time used before the stop does not count against the process.
        let stat = Stat::of(pid);
        let state = before.unwrap_or(match stat.as_ref().is_some_and(Stat::can_run) {
            // A resumed process resumes all its threads.
            true => StopState::Runs,
            false => StopState::Still,
        });
        let ticks = stat.map_or(0, |stat| stat.ticks());
        Look { pid, state, ticks }
    }

    /// Whether no process resumed itself, according to these looks.
    fn judge(&mut self, looks: &[Look]) -> bool {
        let is_first = self.held.is_none();
        let all = self.held.get_or_insert_default();
        let (mut has_escaped, mut used) = (false, 0);
        for look in looks {
            let is_born = !is_first && !all.contains_key(&look.pid);
            let held = all.entry(look.pid).or_insert(Held {
                is_still: false,
                // A stopped process starts no others.
                ticks: if is_born { 0 } else { look.ticks },
            });
            match look.state {
                StopState::Runs => has_escaped |= held.is_still,
                StopState::OnTheWay => held.ticks = look.ticks,
                StopState::Still if !held.is_still => {
                    held.is_still = true;
                    if !is_born {
                        held.ticks = look.ticks;
                    }
                }
                StopState::Still => {}
            }
            used += look.ticks.saturating_sub(held.ticks);
        }
        !has_escaped && used <= SLACK
    }

    /// The same for another turn: processes that the supervisor stopped may still need to be
    /// resumed.
    pub(super) fn again(self) -> Hold {
        Hold {
            stopped_some: self.stopped_some,
            ..Hold::default()
        }
    }

    /// Resumes all descendants of this process that [`check`](Hold::check) or
    /// [`stop_all`](Hold::stop_all) stopped.
    pub(super) fn release(self, root: u32) {
        if self.stopped_some {
            for pid in process_tree::descendants(root) {
                send(pid, Signal::CONT);
            }
        }
    }
}

fn can_run(pid: u32) -> bool {
    Stat::of(pid).is_some_and(|stat| stat.can_run())
}

fn send(pid: u32, signal: Signal) -> bool {
    let pid = Pid::from_raw(pid.cast_signed());
    pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(state: StopState, ticks: u64) -> Look {
        Look {
            pid: 7,
            state,
            ticks,
        }
    }

    /// Its processor is away, and all that time seems to be the program's.
    #[test]
    fn who_cannot_stop_yet_has_let_nobody_go_on() {
        use StopState::{OnTheWay, Runs, Still};
        let way = [
            (Runs, 10),
            (OnTheWay, 20),
            (OnTheWay, 40),
            (Still, 60),
            (Still, 60 + SLACK),
        ];
        let mut hold = Hold::default();
        for (state, ticks) in way {
            assert!(hold.judge(&[look(state, ticks)]), "{state:?} at {ticks}");
        }
        assert!(!hold.judge(&[look(Still, 61 + SLACK)]), "it used time");
        let mut hold = hold.again();
        assert!(hold.judge(&[look(Still, 100)]), "another turn");
        assert!(!hold.judge(&[look(Runs, 100)]), "it went on");
    }

    #[test]
    fn who_goes_on_before_it_is_seen_standing_still_is_found_by_its_time() {
        let mut hold = Hold::default();
        assert!(hold.judge(&[look(StopState::Runs, 10)]));
        assert!(hold.judge(&[look(StopState::Runs, 10 + SLACK)]));
        assert!(!hold.judge(&[look(StopState::Runs, 11 + SLACK)]));
    }

    #[test]
    fn who_is_born_among_those_who_stand_still_counts_from_its_birth() {
        let mut hold = Hold::default();
        assert!(hold.judge(&[look(StopState::Still, 10)]));
        let born = Look {
            pid: 8,
            ..look(StopState::Still, 1 + SLACK)
        };
        assert!(!hold.judge(&[look(StopState::Still, 10), born]));
    }

    #[test]
    fn who_goes_on_by_itself_is_told_from_who_stands_still() {
        let mut child = process_tree::small_family();
        let mut pids = process_tree::descendants(child.id());
        let mut hold = Hold::default();
        hold.stop_all(child.id(), None);
        pids.push(child.id());
        // The first look stops the shell as well; from then on all processes are stopped.
        assert!(hold.check(&pids));
        while pids.iter().any(|&pid| can_run(pid)) {
            std::thread::yield_now();
        }
        assert!(hold.check(&pids));
        send(pids[0], Signal::CONT);
        while !can_run(pids[0]) {
            std::thread::yield_now();
        }
        assert!(!hold.check(&pids));
        hold.release(child.id());
        while !can_run(pids[0]) {
            std::thread::yield_now();
        }
        for pid in pids {
            send(pid, Signal::KILL);
        }
        child.wait().unwrap();
    }
}
