//! Which cores there are, and who keeps to which.

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

/// How many games of so many seats can be played at once without sharing cores; at least one.
pub fn tables_for(seats: usize) -> usize {
    (available_cores().len() / seats.max(1)).max(1)
}

/// Cores for each of `tables`; none for anybody (which means all for everybody) if there are
/// fewer than one for each.
pub(super) fn shares(tables: usize, seats: usize) -> Vec<Vec<usize>> {
    let cores = available_cores();
    let each = (cores.len() / tables).min(seats.max(1));
    if each == 0 {
        return vec![Vec::new(); tables];
    }
    cores
        .chunks(each)
        .take(tables)
        .map(<[usize]>::to_vec)
        .collect()
}

/// Keeps this thread to these cores; does nothing if there are none or the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn keep_to(cores: &[usize]) {
    if cores.is_empty() {
        return;
    }
    let mut set = rustix::thread::CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    // Where it is refused the scheduler decides, as it always did.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn keep_to(_: &[usize]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tables_share_a_core() {
        let all = available_cores();
        assert!(!all.is_empty());
        for tables in 1..=all.len() {
            let shares = shares(tables, 2);
            assert_eq!(shares.len(), tables);
            let mut used: Vec<usize> = shares.concat();
            let cores = used.len();
            used.sort_unstable();
            used.dedup();
            assert_eq!(used.len(), cores);
        }
        assert!(shares(all.len() + 1, 2).iter().all(Vec::is_empty));
        assert!(tables_for(all.len() * 2) == 1);
    }
}
