//! Tests of the arguments of system calls, with a reason for each.

use libc::c_int;

use Verdict::{Allow, Fault, Refuse};

/// The answer to a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The call is allowed.
    Allow,
    /// The call fails with this error.
    Refuse(c_int),
    /// The call ends the process with SIGSYS.
    Fault,
}

/// A test of an argument. Only its lower half counts: these arguments are 32 bits wide, and the
/// kernel ignores the rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) argument: u8,
    pub(crate) mask: u32,
    pub(crate) value: u32,
    /// Whether the masked argument must equal this value, or must differ.
    pub(crate) is_equal: bool,
    pub(crate) then: Verdict,
}

const fn is(argument: u8, value: c_int, then: Verdict) -> Test {
    masked(argument, u32::MAX, value, then)
}

const fn masked(argument: u8, mask: u32, value: c_int, then: Verdict) -> Test {
    Test {
        argument,
        mask,
        value: value.cast_unsigned(),
        is_equal: true,
        then,
    }
}

const fn is_not(argument: u8, value: c_int, then: Verdict) -> Test {
    Test {
        is_equal: false,
        ..is(argument, value, then)
    }
}

const fn has(argument: u8, flag: c_int, then: Verdict) -> Test {
    masked(argument, flag.cast_unsigned(), flag, then)
}

/// A thread with its own file table hides its files from the supervisor. No language makes such
/// threads.
const THREAD_AND_FILES: u32 = (libc::CLONE_THREAD | libc::CLONE_FILES).cast_unsigned();
const CLOSE_RANGE_UNSHARE: c_int = 2;
pub(super) const CLOSE_RANGE: &[Test] = &[has(2, CLOSE_RANGE_UNSHARE, Refuse(libc::EINVAL))];

/// In a namespace of its own, a program could mount and be root.
pub(super) const CLONE: &[Test] = &[
    has(0, libc::CLONE_NEWUSER, Fault),
    has(0, libc::CLONE_NEWPID, Fault),
    has(0, libc::CLONE_NEWNS, Fault),
    has(0, libc::CLONE_NEWNET, Fault),
    has(0, libc::CLONE_NEWIPC, Fault),
    has(0, libc::CLONE_NEWUTS, Fault),
    has(0, libc::CLONE_NEWCGROUP, Fault),
    masked(
        0,
        THREAD_AND_FILES,
        libc::CLONE_THREAD,
        Refuse(libc::EINVAL),
    ),
];

const SHARING: u32 = libc::MAP_TYPE.cast_unsigned() | libc::MAP_ANONYMOUS.cast_unsigned();
/// Excludes memory that belongs to no process, and reserved huge pages: neither counts towards a
/// limit.
pub(super) const MMAP: &[Test] = &[
    masked(
        3,
        SHARING,
        libc::MAP_SHARED | libc::MAP_ANONYMOUS,
        Refuse(libc::EPERM),
    ),
    masked(
        3,
        SHARING,
        libc::MAP_SHARED_VALIDATE | libc::MAP_ANONYMOUS,
        Refuse(libc::EPERM),
    ),
    has(3, libc::MAP_HUGETLB, Refuse(libc::EINVAL)),
];

/// Common operations on descriptors. Excluded: signals about other processes' use of a file; leases
/// and notices, which block other processes; locks on parts of files and larger pipes, which are
/// kernel memory that counts towards no limit.
pub(super) const FCNTL: &[Test] = &[
    is(1, libc::F_GETFL, Allow),
    is(1, libc::F_SETFL, Allow),
    is(1, libc::F_GETFD, Allow),
    is(1, libc::F_SETFD, Allow),
    is(1, libc::F_DUPFD, Allow),
    is(1, libc::F_DUPFD_CLOEXEC, Allow),
    is(1, libc::F_GETOWN, Allow),
    is(1, libc::F_GETPIPE_SZ, Allow),
    is(1, libc::F_SETLK, Refuse(libc::ENOLCK)),
    is(1, libc::F_SETLKW, Refuse(libc::ENOLCK)),
    is(1, libc::F_OFD_SETLK, Refuse(libc::ENOLCK)),
    is(1, libc::F_OFD_SETLKW, Refuse(libc::ENOLCK)),
    is(1, libc::F_SETPIPE_SZ, Refuse(libc::EPERM)),
    is(1, libc::F_SETOWN, Refuse(libc::EPERM)),
    is(1, F_SETSIG, Refuse(libc::EPERM)),
    is(1, libc::F_SETLEASE, Refuse(libc::EPERM)),
    is(1, libc::F_NOTIFY, Refuse(libc::EPERM)),
];
const F_SETSIG: c_int = 10;

/// Queries of terminals and their modes, which fail if the program has no terminal, and flags of a
/// descriptor. Excludes everything else, such as flags of files and typing in another's name.
pub(super) const IOCTL: &[Test] = &[
    is(1, 0x5401, Allow), // TCGETS: is it a terminal?
    is(1, 0x5402, Allow), // TCSETS: read it key by key
    is(1, 0x5403, Allow), // TCSETSW: the same, once all is written
    is(1, 0x5404, Allow), // TCSETSF: the same, and forget what was typed
    is(1, 0x540b, Allow), // TCFLSH: forget what was typed
    is(1, 0x5413, Allow), // TIOCGWINSZ: and how large?
    is(1, 0x540f, Allow), // TIOCGPGRP: and whose is it? shells
    is(1, 0x541b, Allow), // FIONREAD: how much waits to be read?
    is(1, 0x5421, Allow), // FIONBIO: do not wait
    is(1, 0x5450, Allow), // FIONCLEX: keep it open in a program that is started
    is(1, 0x5451, Allow), // FIOCLEX: do not
];

/// Settings of a process. Excluded: surviving its supervisor, hiding from it, being traced, and
/// filtering its own calls.
pub(super) const PRCTL: &[Test] = &[
    is(0, libc::PR_SET_NAME, Allow),
    is(0, libc::PR_GET_NAME, Allow),
    is(0, PR_SET_VMA, Allow), // names for mappings: glibc, musl and Go
    is(0, libc::PR_GET_DUMPABLE, Allow),
    is(0, libc::PR_GET_PDEATHSIG, Allow),
    is(0, libc::PR_GET_NO_NEW_PRIVS, Allow),
    is(0, libc::PR_SET_NO_NEW_PRIVS, Allow), // it has it already
    is(0, libc::PR_CAPBSET_READ, Allow),
    is(0, libc::PR_GET_TIMERSLACK, Allow),
    is(0, libc::PR_SET_TIMERSLACK, Allow),
    is(0, libc::PR_SET_THP_DISABLE, Allow), // Go, for its heap
    is(0, libc::PR_GET_THP_DISABLE, Allow),
    is(0, libc::PR_SET_PDEATHSIG, Refuse(libc::EPERM)),
    is(0, libc::PR_SET_DUMPABLE, Refuse(libc::EPERM)),
];
const PR_SET_VMA: c_int = 0x5356_4d41;

/// Java needs a pair of stream sockets, and Rust a pair of sequenced packets, which reach no other
/// process; other kinds could be given an address later.
pub(super) const SOCKETPAIR: &[Test] = &[
    masked(1, 15, libc::SOCK_STREAM, Allow),
    masked(1, 15, libc::SOCK_SEQPACKET, Allow),
];

const FILE_KIND: u32 = libc::S_IFMT;
const FIFO: c_int = libc::S_IFIFO.cast_signed();
const REGULAR: c_int = libc::S_IFREG.cast_signed();
/// Files and pipes with a name; no devices.
#[cfg(target_arch = "x86_64")]
pub(super) const MKNOD: &[Test] = &[
    masked(1, FILE_KIND, FIFO, Allow),
    masked(1, FILE_KIND, REGULAR, Allow),
    masked(1, FILE_KIND, 0, Allow),
];
pub(super) const MKNODAT: &[Test] = &[
    masked(2, FILE_KIND, FIFO, Allow),
    masked(2, FILE_KIND, REGULAR, Allow),
    masked(2, FILE_KIND, 0, Allow),
];

/// Limits and priorities only of the caller itself, whose number is 0, because the supervisor may
/// run as the same user.
pub(super) const FIRST_OWN: &[Test] = &[is_not(0, 0, Refuse(libc::EPERM))];
pub(super) const OWN_PRIORITY: &[Test] = &[
    is_not(0, libc::PRIO_PROCESS.cast_signed(), Refuse(libc::EPERM)),
    is_not(1, 0, Refuse(libc::EPERM)),
];
pub(super) const OWN_IO_PRIORITY: &[Test] = &[
    is_not(0, 1, Refuse(libc::EPERM)),
    is_not(1, 0, Refuse(libc::EPERM)),
];
