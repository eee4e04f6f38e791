//! The cores a worker plays on, which no other worker of this machine uses.
//!
//! A worker holds a core by binding a socket name that is never used otherwise: it leaves no file,
//! and the system releases it however the worker ends.

use std::io;

/// The hold on a core.
#[cfg(target_os = "linux")]
type Hold = std::os::unix::net::UnixDatagram;
#[cfg(not(target_os = "linux"))]
type Hold = ();

/// Cores that no other worker on this machine takes while this value lives.
#[derive(Debug)]
pub struct HeldCores {
    /// The cores.
    pub cores: Vec<usize>,
    /// Number of these cores that other workers hold too, because there were not enough.
    pub shared: usize,
    _holds: Vec<Hold>,
}

impl HeldCores {
    /// Takes `wanted` of these cores, free ones first. Workers that share a machine use the same
    /// `word`.
    ///
    /// ```
    /// use floe_cluster::worker::HeldCores;
    /// let held = HeldCores::take("floe-example", vec![7000, 7001], 1);
    /// assert_eq!(held.cores, [7000]);
    /// ```
    pub fn take(word: &str, available: Vec<usize>, wanted: usize) -> HeldCores {
        let (mut cores, mut others, mut holds) = (Vec::new(), Vec::new(), Vec::new());
        for core in available {
            if cores.len() == wanted {
                break;
            }
            match hold(word, core) {
                Ok(hold) => {
                    cores.push(core);
                    holds.push(hold);
                }
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => others.push(core),
                // If no name can be bound, no core is held.
                Err(_) => cores.push(core),
            }
        }
        others.truncate(wanted - cores.len());
        let shared = others.len();
        cores.extend(others);
        cores.sort_unstable();
        HeldCores {
            cores,
            shared,
            _holds: holds,
        }
    }
}

#[cfg(target_os = "linux")]
fn hold(word: &str, core: usize) -> io::Result<Hold> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;
    let name = SocketAddr::from_abstract_name(format!("{word}-{core}"))?;
    Hold::bind_addr(&name)
}

/// Other systems cannot hold cores.
#[cfg(not(target_os = "linux"))]
fn hold(_: &str, _: usize) -> io::Result<Hold> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn workers_of_one_machine_take_cores_of_their_own_while_there_are_enough() {
        let word = format!("floe-test-{}", std::process::id());
        let take = |wanted| HeldCores::take(&word, vec![2, 3, 5], wanted);
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
    fn where_no_name_can_be_had_the_first_cores_are_taken() {
        let held = HeldCores::take(&"x".repeat(200), vec![2, 3], 1);
        assert_eq!((held.cores.as_slice(), held.shared), (&[2][..], 0));
    }
}
