//! Holding a program still while somebody else is to move.
//!
//! The caller stops the program's process group itself, which is one call and reaches all of it
//! where filters keep everybody in the group and nobody may send the signal that lets a process go
//! on. The keeper makes sure of it: it stops whoever left the group, and ends a program that lets
//! itself go on, for instance by a timer.

use std::collections::HashSet;

use rustix::process::{Pid, Signal, kill_process};

use super::process_tree;

/// How much processor time, in clock ticks, all of them may use on the way to standing still.
const SLACK: u64 = 3;
/// How often whoever is new is stopped before the keeper goes on with its other work.
const ROUNDS: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Hold {
    /// Processor time when it was first looked at.
    ticks: Option<u64>,
    /// Those that were seen standing still.
    still: HashSet<u32>,
    /// Whether the keeper itself stopped somebody, and so has to let them go on.
    stopped_some: bool,
}

impl Hold {
    /// Stops everybody below this process, and those they start meanwhile.
    pub(super) fn stop_all(&mut self, root: u32, spared: Option<u32>) {
        for _ in 0..ROUNDS {
            let mut pids = process_tree::descendants(root);
            pids.retain(|&pid| Some(pid) != spared);
            if self.stop(&pids) == 0 {
                break;
            }
        }
    }

    /// Stops those of them that run; returns how many did.
    fn stop(&mut self, pids: &[u32]) -> usize {
        let running = pids.iter().filter(|&&pid| process_tree::can_run(pid));
        let stopped = running.filter(|&&pid| send(pid, Signal::STOP)).count();
        self.stopped_some |= stopped > 0;
        stopped
    }

    /// Makes sure that these stand still. False if one of them has let itself go on.
    pub(super) fn check(&mut self, pids: &[u32]) -> bool {
        let ticks = process_tree::ticks(pids);
        let base = *self.ticks.get_or_insert(ticks);
        let (running, still): (Vec<u32>, Vec<u32>) =
            pids.iter().partition(|&&pid| process_tree::can_run(pid));
        let escaped = running.iter().any(|pid| self.still.contains(pid));
        self.stop(&running);
        self.still.extend(still);
        !escaped && ticks <= base.saturating_add(SLACK)
    }

    /// The same for another turn: whom the keeper stopped may still have to be let go on.
    pub(super) fn again(self) -> Hold {
        Hold {
            stopped_some: self.stopped_some,
            ..Hold::default()
        }
    }

    /// Lets everybody below this process go on whom [`check`](Hold::check) or
    /// [`stop_all`](Hold::stop_all) stopped.
    pub(super) fn release(self, root: u32) {
        if self.stopped_some {
            for pid in process_tree::descendants(root) {
                send(pid, Signal::CONT);
            }
        }
    }
}

fn send(pid: u32, signal: Signal) -> bool {
    let pid = Pid::from_raw(pid.cast_signed());
    pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_goes_on_by_itself_is_told_from_who_stands_still() {
        let mut child = process_tree::small_family();
        let mut pids = process_tree::descendants(child.id());
        let mut hold = Hold::default();
        hold.stop_all(child.id(), None);
        pids.push(child.id());
        // The first to look stops the shell as well; from then on all of it stands still.
        assert!(hold.check(&pids));
        while pids.iter().any(|&pid| process_tree::can_run(pid)) {
            std::thread::yield_now();
        }
        assert!(hold.check(&pids));
        send(pids[0], Signal::CONT);
        while !process_tree::can_run(pids[0]) {
            std::thread::yield_now();
        }
        assert!(!hold.check(&pids));
        hold.release(child.id());
        while !process_tree::can_run(pids[0]) {
            std::thread::yield_now();
        }
        for pid in pids {
            send(pid, Signal::KILL);
        }
        child.wait().unwrap();
    }
}
