//! The system calls a program may make, with a reason for each. All others do not exist for it.
//!
//! Found by running programs and compilers of all languages with `floe doctor --trace-calls`. Four
//! answers: a call is allowed; or refused with an error where runtimes can do without; or ends the
//! process, where nothing a player needs looks like it; or, for all that is not here, does not exist
//! (ENOSYS), which is what a program on an older kernel would see.

mod arguments;

use libc::c_int;

pub(crate) use self::arguments::{Test, Verdict};

#[cfg(target_arch = "x86_64")]
use self::arguments::MKNOD;
use self::arguments::{
    CLONE, CLOSE_RANGE, FCNTL, FIRST_OWN, IOCTL, MKNODAT, MMAP, OWN_IO_PRIORITY, OWN_PRIORITY,
    PRCTL, SOCKETPAIR,
};

/// The verdict on a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// The same verdict, whatever the arguments.
    Always(Verdict),
    /// The verdict of the first test that holds, or else this one.
    Tested(&'static [Test], Verdict),
    /// Allowed where the program sees nothing it could change but a working directory of limited
    /// size; elsewhere it fails with this error, or does nothing if this is 0.
    WithOwnMounts(c_int),
    /// Sends a signal, the argument at this place, to the process in the first argument.
    Signal(u8),
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(super) number: i64,
    name: &'static str,
    pub(super) answer: Answer,
    pub(super) why: &'static str,
}

impl Call {
    pub(super) fn name(&self) -> &'static str {
        self.name.strip_prefix("SYS_").unwrap_or(self.name)
    }
}

use Answer::{Always, Signal, Tested, WithOwnMounts};
use Verdict::{Allow, Fault, Refuse};

const YES: Answer = Always(Allow);
const DENIED: Answer = Always(Refuse(libc::EPERM));
const FATAL: Answer = Always(Fault);
const NONE: Answer = Always(Refuse(libc::ENOSYS));

macro_rules! table {
    ($($(#[$condition:meta])? $name:ident $answer:expr, $why:literal;)*) => {
        &[$($(#[$condition])? Call {
            number: libc::$name,
            name: stringify!($name),
            answer: $answer,
            why: $why,
        },)*]
    };
}

/// Calls that the launcher still makes after it has its order: restricted only just before the
/// program starts.
pub(super) const LATE: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_prctl,
    libc::SYS_seccomp,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_setgroups,
    libc::SYS_capget,
    libc::SYS_capset,
    libc::SYS_recvmsg,
    libc::SYS_sendmsg,
];

/// The table of calls. A test checks that no call is in it twice, since only one entry would count.
pub(super) const TABLE: &[Call] = table! {
    // Reads and writes on open files.
    SYS_read YES, "reads a question";
    SYS_write YES, "answers";
    SYS_readv YES, "reads into several buffers: musl, Node";
    SYS_writev YES, "writes several buffers: musl, Rust, Node";
    SYS_pread64 YES, "reads libraries and archives";
    SYS_pwrite64 YES, "writes objects: linkers";
    SYS_preadv YES, "reads into several buffers at a place";
    SYS_pwritev YES, "writes several buffers at a place";
    SYS_preadv2 YES, "the same with flags: newer libraries";
    SYS_pwritev2 YES, "the same with flags: newer libraries";
    SYS_lseek YES, "moves in a file";
    SYS_close YES, "closes a file";
    SYS_close_range Tested(CLOSE_RANGE, Allow), "closes inherited files: Python, newer runtimes; for all threads";
    SYS_dup YES, "copies a descriptor: shells, Python";
    #[cfg(target_arch = "x86_64")]
    SYS_dup2 YES, "redirects: shells, make";
    SYS_dup3 YES, "redirects: Go, musl";
    #[cfg(target_arch = "x86_64")]
    SYS_pipe YES, "talks to a child: shells";
    SYS_pipe2 YES, "talks to a child, and wakes event loops";
    SYS_fcntl Tested(FCNTL, Refuse(libc::EINVAL)), "flags of descriptors; see the list";
    SYS_ioctl Tested(IOCTL, Refuse(libc::ENOTTY)), "asks for a terminal; see the list";
    SYS_flock YES, "locks caches: Go and cargo; shared with every reader of the same file";
    SYS_fsync YES, "editors and builders write files safely";
    SYS_fdatasync YES, "the same";
    SYS_sync_file_range YES, "the same";
    SYS_fadvise64 YES, "says how a file is read: cat, cp";
    SYS_readahead YES, "the same";
    SYS_sendfile YES, "copies files: Python, Go, Node";
    SYS_copy_file_range YES, "copies files: cp, Rust, Node";
    SYS_ftruncate YES, "sets the length of a file: linkers";
    SYS_truncate YES, "the same by name";
    SYS_fallocate WithOwnMounts(libc::EOPNOTSUPP), "reserves space: linkers; the C library writes zeros instead";

    // Finds, makes and removes files, as far as Landlock allows.
    #[cfg(target_arch = "x86_64")]
    SYS_open YES, "opens a file: musl, Go";
    SYS_openat YES, "opens a file";
    SYS_openat2 YES, "opens a file within a folder: newer runtimes";
    #[cfg(target_arch = "x86_64")]
    SYS_creat YES, "makes a file";
    #[cfg(target_arch = "x86_64")]
    SYS_stat YES, "looks at a file: musl, Java";
    SYS_fstat YES, "looks at an open file";
    #[cfg(target_arch = "x86_64")]
    SYS_lstat YES, "looks at a link: musl, Java";
    SYS_newfstatat YES, "looks at a file";
    SYS_statx YES, "looks at a file: Rust, Node";
    SYS_statfs YES, "asks for free room: Java";
    SYS_fstatfs YES, "the same: linkers";
    #[cfg(target_arch = "x86_64")]
    SYS_access YES, "may I read it?";
    SYS_faccessat YES, "the same";
    SYS_faccessat2 YES, "the same, with flags";
    #[cfg(target_arch = "x86_64")]
    SYS_readlink YES, "follows a link";
    SYS_readlinkat YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_getdents YES, "lists a folder";
    SYS_getdents64 YES, "lists a folder";
    SYS_getcwd YES, "where am I?";
    SYS_chdir YES, "goes to a folder: make, shells";
    SYS_fchdir YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_mkdir YES, "makes a folder";
    SYS_mkdirat YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_rmdir YES, "removes a folder";
    #[cfg(target_arch = "x86_64")]
    SYS_unlink YES, "removes a file";
    SYS_unlinkat YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_rename YES, "puts a file in its place";
    SYS_renameat YES, "the same";
    SYS_renameat2 YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_link YES, "gives a file a second name: cargo";
    SYS_linkat YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_symlink YES, "makes a link: ln";
    SYS_symlinkat YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_mknod Tested(MKNOD, Refuse(libc::EPERM)), "makes a pipe with a name: make; no devices";
    SYS_mknodat Tested(MKNODAT, Refuse(libc::EPERM)), "the same";
    SYS_umask YES, "modes of new files";
    SYS_getxattr YES, "reads an attribute: ls, cp";
    SYS_lgetxattr YES, "the same";
    SYS_fgetxattr YES, "the same";
    SYS_listxattr YES, "the same";
    SYS_llistxattr YES, "the same";
    SYS_flistxattr YES, "the same";

    // Owners, modes and times, which Landlock does not guard; a filter cannot see whose files they
    // change.
    #[cfg(target_arch = "x86_64")]
    SYS_chmod WithOwnMounts(0), "linkers make programs that can be run; at an error CMake ends";
    SYS_fchmod WithOwnMounts(0), "the same";
    SYS_fchmodat WithOwnMounts(0), "the same";
    SYS_fchmodat2 WithOwnMounts(0), "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_chown WithOwnMounts(libc::EPERM), "cp and tar keep owners";
    #[cfg(target_arch = "x86_64")]
    SYS_lchown WithOwnMounts(libc::EPERM), "the same";
    SYS_fchown WithOwnMounts(libc::EPERM), "the same";
    SYS_fchownat WithOwnMounts(libc::EPERM), "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_utime WithOwnMounts(0), "touch and builders set times, and end at an error";
    #[cfg(target_arch = "x86_64")]
    SYS_utimes WithOwnMounts(0), "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_futimesat WithOwnMounts(0), "the same";
    SYS_utimensat WithOwnMounts(0), "the same";
    SYS_setxattr WithOwnMounts(libc::EPERM), "cp keeps attributes";
    SYS_lsetxattr WithOwnMounts(libc::EPERM), "the same";
    SYS_fsetxattr WithOwnMounts(libc::EPERM), "the same";
    SYS_removexattr WithOwnMounts(libc::EPERM), "the same";
    SYS_lremovexattr WithOwnMounts(libc::EPERM), "the same";
    SYS_fremovexattr WithOwnMounts(libc::EPERM), "the same";

    // Memory.
    SYS_mmap Tested(MMAP, Allow), "memory and libraries; see the list";
    SYS_munmap YES, "gives memory back";
    SYS_mprotect YES, "stacks, and machine code of Java and Node";
    SYS_mremap YES, "grows memory";
    SYS_brk YES, "the heap of the C library";
    SYS_madvise YES, "gives pages back";
    SYS_msync YES, "writes a mapped file";
    SYS_mincore YES, "asks what is in memory: Java, Go";
    SYS_mlock YES, "keeps pages from being swapped, within a limit";
    SYS_mlock2 YES, "the same";
    SYS_munlock YES, "the same";
    SYS_membarrier YES, "orders memory between threads: Java, .NET";
    SYS_pkey_alloc YES, "guards machine code: Node";
    SYS_pkey_free YES, "the same";
    SYS_pkey_mprotect YES, "the same";
    SYS_get_mempolicy YES, "asks for memory near a core: Java";
    SYS_remap_file_pages NONE, "nothing needs it since 2014";
    SYS_memfd_create DENIED, "memory that belongs to no process";
    SYS_memfd_secret DENIED, "the same";
    SYS_shmget DENIED, "the same";
    SYS_shmat DENIED, "the same";
    SYS_msgget DENIED, "messages that outlive a program";
    SYS_semget DENIED, "the same";
    SYS_mq_open DENIED, "the same";
    SYS_userfaultfd DENIED, "holds the kernel up for as long as it likes";
    SYS_vmsplice NONE, "pins pages in pipes, where they count towards no limit";
    SYS_splice NONE, "keeps pages of files in pipes; callers copy instead";
    SYS_tee NONE, "the same";

    // Processes and threads.
    SYS_clone Tested(CLONE, Allow), "starts threads and processes; see the list";
    SYS_clone3 NONE, "hides its flags from a filter; callers fall back to clone";
    #[cfg(target_arch = "x86_64")]
    SYS_fork YES, "starts a process";
    #[cfg(target_arch = "x86_64")]
    SYS_vfork YES, "starts a process: gcc, Go";
    SYS_execve YES, "becomes a program";
    SYS_execveat YES, "the same by a descriptor";
    SYS_wait4 YES, "waits for a child";
    SYS_waitid YES, "the same";
    SYS_exit YES, "ends a thread";
    SYS_exit_group YES, "ends a process";
    SYS_set_tid_address YES, "starts a thread: every C library";
    SYS_set_robust_list YES, "the same";
    SYS_get_robust_list YES, "the same";
    SYS_rseq YES, "the same: glibc";
    #[cfg(target_arch = "x86_64")]
    SYS_arch_prctl YES, "thread-local memory: every C library";
    SYS_prctl Tested(PRCTL, Refuse(libc::EINVAL)), "names of threads; see the list";
    SYS_futex YES, "locks between threads";
    SYS_futex_waitv YES, "the same: newer runtimes";
    SYS_sched_yield YES, "lets others run";
    SYS_getpid YES, "who am I?";
    SYS_gettid YES, "the same";
    SYS_getppid YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_getpgrp YES, "the same: shells";
    SYS_getpgid YES, "the same";
    SYS_getsid YES, "the same";
    SYS_getuid YES, "the same";
    SYS_geteuid YES, "the same";
    SYS_getgid YES, "the same";
    SYS_getegid YES, "the same";
    SYS_getresuid YES, "the same";
    SYS_getresgid YES, "the same";
    SYS_getgroups YES, "the same";
    SYS_capget YES, "the same: Node";
    SYS_setuid YES, "becomes who it is already: make";
    SYS_setgid YES, "the same";
    SYS_setreuid YES, "the same";
    SYS_setregid YES, "the same";
    SYS_setresuid YES, "the same";
    SYS_setresgid YES, "the same";
    SYS_setgroups DENIED, "a program's groups stay as they are";
    SYS_capset DENIED, "the same";
    SYS_setsid DENIED, "leaves the group that is stopped and ended";
    SYS_setpgid DENIED, "the same";
    SYS_getcpu YES, "on which core?";
    SYS_sched_getaffinity YES, "how many cores?";
    SYS_sched_setaffinity DENIED, "takes cores of others";
    SYS_sched_getparam YES, "asks for its priority: Java, Python";
    SYS_sched_getscheduler YES, "the same";
    SYS_sched_getattr YES, "the same";
    SYS_sched_get_priority_max YES, "the same";
    SYS_sched_get_priority_min YES, "the same";
    SYS_sched_setparam Tested(FIRST_OWN, Allow), "its own priority";
    SYS_sched_setscheduler Tested(FIRST_OWN, Allow), "the same";
    SYS_sched_setattr Tested(FIRST_OWN, Allow), "the same";
    SYS_getpriority YES, "asks for its priority";
    SYS_setpriority Tested(OWN_PRIORITY, Allow), "its own priority: Java";
    SYS_ioprio_get YES, "asks for its priority";
    SYS_ioprio_set Tested(OWN_IO_PRIORITY, Allow), "its own priority";
    #[cfg(target_arch = "x86_64")]
    SYS_getrlimit YES, "asks for its limits";
    #[cfg(target_arch = "x86_64")]
    SYS_setrlimit YES, "lowers its own limits: Java, Go";
    SYS_prlimit64 Tested(FIRST_OWN, Allow), "the same";
    SYS_getrusage YES, "what have I used?";
    SYS_times YES, "the same";
    SYS_pidfd_open NONE, "callers wait for a child by its number";
    SYS_pidfd_send_signal DENIED, "a signal whose receiver no filter sees";
    SYS_seccomp NONE, "filters of a program are memory that counts nowhere";
    SYS_landlock_create_ruleset NONE, "rules of a program are memory that counts nowhere";
    SYS_landlock_add_rule NONE, "the same";
    SYS_landlock_restrict_self NONE, "the same";

    // Signals and timers.
    SYS_rt_sigaction YES, "handles a signal";
    SYS_rt_sigprocmask YES, "holds signals back";
    SYS_rt_sigreturn YES, "comes back from a handler";
    SYS_rt_sigpending YES, "which signals wait?";
    SYS_rt_sigtimedwait YES, "waits for a signal: Java";
    SYS_rt_sigsuspend YES, "the same: shells, make";
    SYS_sigaltstack YES, "a stack for handlers: Rust, Go, Java";
    SYS_restart_syscall YES, "the kernel resumes a call that a stop interrupted";
    #[cfg(target_arch = "x86_64")]
    SYS_pause YES, "waits for a signal";
    #[cfg(target_arch = "x86_64")]
    SYS_alarm YES, "a timer";
    SYS_setitimer YES, "a timer: Go, Python";
    SYS_getitimer YES, "the same";
    SYS_timer_create YES, "a timer: Go; their number is limited";
    SYS_timer_settime YES, "the same";
    SYS_timer_gettime YES, "the same";
    SYS_timer_getoverrun YES, "the same";
    SYS_timer_delete YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_signalfd YES, "signals as a file";
    SYS_signalfd4 YES, "the same: make";
    SYS_kill Signal(1), "ends a child; not its supervisor, and not to resume a process";
    SYS_tkill Signal(1), "the same for a thread";
    SYS_tgkill Signal(2), "abort, and Go's scheduler";
    SYS_rt_sigqueueinfo DENIED, "a signal whose receiver no filter sees";
    SYS_rt_tgsigqueueinfo DENIED, "the same";

    // Time, chance and the machine.
    SYS_nanosleep YES, "waits";
    SYS_clock_nanosleep YES, "the same";
    SYS_clock_gettime YES, "what time is it?";
    SYS_clock_getres YES, "the same";
    SYS_gettimeofday YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_time YES, "the same";
    SYS_getrandom YES, "random numbers";
    SYS_uname YES, "which system is it?";
    SYS_sysinfo YES, "how much memory is there? Java, Node, gcc";

    // Waits for several events.
    #[cfg(target_arch = "x86_64")]
    SYS_poll YES, "waits for input: Rust, Python";
    SYS_ppoll YES, "the same: Java";
    #[cfg(target_arch = "x86_64")]
    SYS_select YES, "the same: Perl, Python";
    SYS_pselect6 YES, "the same: make";
    #[cfg(target_arch = "x86_64")]
    SYS_epoll_create YES, "an event loop";
    SYS_epoll_create1 YES, "an event loop: Node, Go, Java";
    SYS_epoll_ctl YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_epoll_wait YES, "the same";
    SYS_epoll_pwait YES, "the same";
    SYS_epoll_pwait2 YES, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_eventfd YES, "wakes an event loop";
    SYS_eventfd2 YES, "the same: Node, Go, Java";
    SYS_timerfd_create YES, "a timer as a file";
    SYS_timerfd_settime YES, "the same";
    SYS_timerfd_gettime YES, "the same";
    SYS_io_uring_setup NONE, "calls that no filter sees; callers fall back";
    SYS_io_uring_enter NONE, "the same";
    SYS_io_uring_register NONE, "the same";
    #[cfg(target_arch = "x86_64")]
    SYS_inotify_init NONE, "shows what others do, in memory that counts nowhere";
    SYS_inotify_init1 NONE, "the same";
    SYS_fanotify_init NONE, "the same";

    // Sockets: only a pair within the program.
    SYS_socketpair Tested(SOCKETPAIR, Refuse(libc::EPERM)), "talks to a child: Java, Node, Rust";
    SYS_socket DENIED, "Java asks only to see whether it could have one";
    SYS_sendto YES, "writes to a pair";
    SYS_recvfrom YES, "reads from a pair";
    SYS_recvmsg YES, "reads from a pair: Node";
    SYS_sendmsg NONE, "sends descriptors, which count towards no limit in transit";
    SYS_shutdown YES, "closes one way of a pair";
    SYS_getsockname YES, "what is it? Node";
    SYS_getpeername YES, "the same";
    SYS_getsockopt YES, "the same";
    SYS_setsockopt YES, "flags of a pair: Node";
    SYS_connect FATAL, "there is no socket to use this on, so the attempt is hostile";
    SYS_bind FATAL, "the same";
    SYS_listen FATAL, "the same";
    SYS_accept FATAL, "the same";
    SYS_accept4 FATAL, "the same";

    // Only an attack makes these calls.
    SYS_ptrace FATAL, "reads and changes other processes";
    SYS_process_vm_readv FATAL, "the same";
    SYS_process_vm_writev FATAL, "the same";
    SYS_pidfd_getfd FATAL, "takes descriptors of others";
    SYS_mount FATAL, "changes the world it sees";
    SYS_umount2 FATAL, "the same";
    SYS_pivot_root FATAL, "the same";
    SYS_move_mount FATAL, "the same";
    SYS_open_tree FATAL, "the same";
    SYS_fsopen FATAL, "the same";
    SYS_fsconfig FATAL, "the same";
    SYS_fsmount FATAL, "the same";
    SYS_fspick FATAL, "the same";
    SYS_mount_setattr FATAL, "the same";
    SYS_unshare FATAL, "the same";
    SYS_setns FATAL, "the same";
    SYS_chroot FATAL, "the same";
    SYS_open_by_handle_at FATAL, "opens files without their path";
    SYS_bpf FATAL, "runs code in the kernel";
    SYS_keyctl FATAL, "keys of the system";
    SYS_add_key FATAL, "the same";
    SYS_request_key FATAL, "the same";
    SYS_kexec_load FATAL, "another kernel";
    SYS_init_module FATAL, "the same";
    SYS_finit_module FATAL, "the same";
    SYS_delete_module FATAL, "the same";
    SYS_reboot FATAL, "ends the machine";
    SYS_swapon FATAL, "the machine's memory";
    SYS_swapoff FATAL, "the same";
    SYS_perf_event_open DENIED, "measures others";
};

/// The line of a call.
pub(super) fn find(number: i64) -> Option<&'static Call> {
    TABLE.iter().find(|call| call.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_one_line_and_a_reason() {
        let mut numbers: Vec<i64> = TABLE.iter().map(|call| call.number).collect();
        numbers.sort_unstable();
        let many = numbers.len();
        numbers.dedup();
        assert_eq!(numbers.len(), many);
        assert!(TABLE.iter().all(|call| !call.why.is_empty()));
        assert!(LATE.iter().all(|&number| find(number).is_some()));
    }
}
