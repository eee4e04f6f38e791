//! Which cores a worker plays on: if others of this machine work too, not on theirs.
//!
//! A core is held by a lock on a small file, which the system takes back however a worker ends.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Cores that no other worker of this machine takes, for as long as this value lives.
#[derive(Debug)]
pub struct HeldCores {
    /// The cores.
    pub cores: Vec<usize>,
    /// How many of them somebody else holds: there were not enough.
    pub shared: usize,
    _locks: Vec<File>,
}

impl HeldCores {
    /// Takes so many of these cores, those first that nobody holds. The files are in a folder that all
    /// workers of the machine can write to, such as the one for temporary files.
    ///
    /// ```
    /// use floe_cluster::worker::HeldCores;
    /// let folder = std::env::temp_dir();
    /// let held = HeldCores::take(&folder, vec![7000, 7001], 1);
    /// assert_eq!(held.cores, [7000]);
    /// ```
    pub fn take(folder: &Path, available: Vec<usize>, wanted: usize) -> HeldCores {
        let (mut cores, mut others, mut locks) = (Vec::new(), Vec::new(), Vec::new());
        for core in available {
            if cores.len() == wanted {
                break;
            }
            match hold(folder, core) {
                Ok(lock) => {
                    cores.push(core);
                    locks.push(lock);
                }
                // Where no file can be locked nobody holds anything.
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => cores.push(core),
                Err(_) => others.push(core),
            }
        }
        others.truncate(wanted - cores.len());
        let shared = others.len();
        cores.extend(others);
        cores.sort_unstable();
        HeldCores {
            cores,
            shared,
            _locks: locks,
        }
    }
}

/// Locks the file of a core.
fn hold(folder: &Path, core: usize) -> io::Result<File> {
    let path = folder.join(format!("floe-core-{core}.lock"));
    // Another user's can be locked too, and a link that somebody put there is not followed.
    let made = OpenOptions::new().write(true).create_new(true).open(&path);
    let file = match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => File::open(&path)?,
        made => made?,
    };
    file.try_lock()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_of_one_machine_take_cores_of_their_own_while_there_are_enough() {
        let folder = tempfile::tempdir().unwrap();
        let take = |wanted| HeldCores::take(folder.path(), vec![2, 3, 5], wanted);
        let one = take(1);
        assert_eq!((one.cores.as_slice(), one.shared), (&[2][..], 0));
        let two = take(1);
        assert_eq!((two.cores.as_slice(), two.shared), (&[3][..], 0));
        let three = take(2);
        assert_eq!((three.cores.as_slice(), three.shared), (&[2, 5][..], 1));
        drop(two);
        let again = take(1);
        assert_eq!((again.cores.as_slice(), again.shared), (&[3][..], 0));
    }

    #[test]
    fn where_nothing_can_be_written_the_first_cores_are_taken() {
        let held = HeldCores::take("/nonexistent".as_ref(), vec![2, 3], 1);
        assert_eq!((held.cores.as_slice(), held.shared), (&[2][..], 0));
    }
}
