//! The system calls a program may not make.
//!
//! Three answers: what only an attack does ends the process with SIGSYS; what runtimes try and can
//! do without is refused with an error; what has an older way to do it is said not to exist.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Not in the kernel's list for 64-bit programs, but reachable with this bit set in the number.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// End the process: nothing a player needs looks like this.
const FATAL: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_bpf,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_pidfd_getfd,
    // There are no sockets to use these on: whoever still tries is after something.
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_open_by_handle_at,
];

/// As fatal, but the airlock itself needs them when the order has come.
const FATAL_AT_LAST: &[i64] = &[libc::SYS_mount, libc::SYS_umount2];

/// Refuse: memory that no limit counts, leaving the group, and what would disturb other games.
const REFUSED: &[i64] = &[
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // Java asks for a network socket only to see whether it could have one.
    libc::SYS_socket,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sched_setaffinity,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
];

/// Refuse for any process but the caller itself, whose number is 0 in the argument at this place:
/// limits and priorities of keeper and caller, which may be of the same user.
const OWN_ONLY: &[(i64, u8)] = &[
    (libc::SYS_prlimit64, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
];

/// `which` of `setpriority` and `ioprio_set` for a single process.
const ONE_PROCESS: &[(i64, u64)] = &[
    (libc::SYS_setpriority, libc::PRIO_PROCESS as u64),
    (libc::SYS_ioprio_set, 1),
];

/// Refuse to let a stopped process go on, whoever it is: the caller stops programs that are not
/// asked. The signal is the argument at this place.
const SIGNALS: &[(i64, u8)] = &[
    (libc::SYS_kill, 1),
    (libc::SYS_tkill, 1),
    (libc::SYS_tgkill, 2),
];

/// Refuse what makes the kernel send a chosen signal when somebody else uses a file, and what lets
/// a program hold up others who open one.
const FILE_SIGNALS: &[libc::c_int] = &[F_SETSIG, libc::F_SETLEASE, libc::F_NOTIFY];
const F_SETSIG: libc::c_int = 10;

/// Refuse without a mount namespace, in which everything but the working directory is read-only:
/// marks of files, which Landlock does not guard and which a filter cannot tell whose they are.
const MARKS: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // setxattrat, removexattrat, file_setattr: the same numbers everywhere.
    463,
    466,
    469,
];

/// The requests of `ioctl` that do the same: flags of a file, in both widths, and its project.
const MARK_REQUESTS: &[u64] = &[0x4008_6602, 0x4004_6602, 0x401c_5820];

/// Refuse without a file system of limited size: room on the disk that no look at the files sees.
/// With this answer the C library writes zeros instead.
const ROOM: &[i64] = &[libc::SYS_fallocate];

/// Say it does not exist. `clone3` hides its flags from a filter; callers fall back to `clone`.
/// Watching files shows what others do, and its memory is counted nowhere.
const UNKNOWN: &[i64] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_fanotify_init,
];

const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Lays filters on this thread and all it will start that forbid all a program may not do, but
/// not yet what the airlock still has to: [`seal`] does that. `protected` are the processes that
/// the program must not signal; `own_mounts` says that it will see nothing it could change but its
/// working directory, and that of limited size.
///
/// The kernel takes its time to look through long filters, so this is for the time before an
/// order.
pub(super) fn apply(protected: &[u32], own_mounts: bool) -> Result<(), String> {
    lay(&compile(protected, own_mounts).map_err(|error| error.to_string())?)
}

/// Lays on the rest, which is short: the airlock itself needs these calls before.
pub(super) fn seal() -> Result<(), String> {
    lay(&[compile_rest().map_err(|error| error.to_string())?])
}

/// One filter with two answers: the kernel takes as long for a second one as for the first.
fn compile_rest() -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    // Whoever clears its death signal outlives its keeper.
    let mut refused = Rules::new();
    let death_signal = u64::from(libc::PR_SET_PDEATHSIG.unsigned_abs());
    let call = compare(0, SeccompCmpOp::Eq, death_signal)?;
    add(&mut refused, libc::SYS_prctl, call);
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let mut both = filter(refused, refusal, arch)?;
    let fatal = filter(whole(FATAL_AT_LAST), SeccompAction::KillProcess, arch)?;
    // Whatever the first filter has no rule for comes to its last instruction, which allows it, and
    // goes on with the second instead. No call is in both.
    both.pop();
    both.extend(fatal);
    Ok(both)
}

fn lay(programs: &[BpfProgram]) -> Result<(), String> {
    programs.iter().try_for_each(|program| {
        seccompiler::apply_filter(program)
            .map_err(|error| format!("seccomp: {error}: the kernel refuses filters"))
    })
}

fn filter(
    rules: Rules,
    action: SeccompAction,
    arch: TargetArch,
) -> Result<BpfProgram, seccompiler::BackendError> {
    SeccompFilter::new(both_numbers(rules), SeccompAction::Allow, action, arch)?.try_into()
}

fn compile(
    protected: &[u32],
    own_mounts: bool,
) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let mut fatal = whole(FATAL);
    let mut refused = whole(REFUSED);
    // Java needs a pair of stream sockets, which reach nobody else; other kinds can be given an
    // address later.
    let stream = u64::from(libc::SOCK_STREAM.unsigned_abs());
    for kind in (0..16).filter(|&kind| kind != stream) {
        add(
            &mut refused,
            libc::SYS_socketpair,
            compare(1, SeccompCmpOp::MaskedEq(15), kind)?,
        );
    }
    for &(call, place) in OWN_ONLY {
        add(&mut refused, call, compare(place, SeccompCmpOp::Ne, 0)?);
    }
    for &(call, place) in SIGNALS {
        let go_on = u64::from(libc::SIGCONT.unsigned_abs());
        add(&mut refused, call, compare(place, SeccompCmpOp::Eq, go_on)?);
    }
    for command in FILE_SIGNALS {
        let command = u64::from(command.unsigned_abs());
        let rule = compare(1, SeccompCmpOp::Eq, command)?;
        add(&mut refused, libc::SYS_fcntl, rule);
    }
    for &(call, which) in ONE_PROCESS {
        add(&mut refused, call, compare(0, SeccompCmpOp::Ne, which)?);
    }
    for flag in NAMESPACES {
        let flag = u64::from(flag.cast_unsigned());
        add(
            &mut fatal,
            libc::SYS_clone,
            compare(0, SeccompCmpOp::MaskedEq(flag), flag)?,
        );
    }
    for &pid in protected {
        for call in [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill] {
            add(
                &mut fatal,
                call,
                compare(0, SeccompCmpOp::Eq, u64::from(pid))?,
            );
        }
        // A negative number means the group of that process.
        let group = u64::from(pid.wrapping_neg());
        add(
            &mut fatal,
            libc::SYS_kill,
            compare(0, SeccompCmpOp::Eq, group)?,
        );
    }
    let everybody = u64::from(u32::MAX);
    add(
        &mut fatal,
        libc::SYS_kill,
        compare(0, SeccompCmpOp::Eq, everybody)?,
    );
    let anonymous = u64::from(libc::MAP_ANONYMOUS.unsigned_abs());
    let sharing = u64::from(libc::MAP_TYPE.unsigned_abs()) | anonymous;
    for kind in [libc::MAP_SHARED, libc::MAP_SHARED_VALIDATE] {
        let kind = u64::from(kind.unsigned_abs()) | anonymous;
        add(
            &mut refused,
            libc::SYS_mmap,
            compare(3, SeccompCmpOp::MaskedEq(sharing), kind)?,
        );
    }
    let number = |error: libc::c_int| SeccompAction::Errno(error.unsigned_abs());
    let mut filters = vec![
        (whole(UNKNOWN), number(libc::ENOSYS)),
        (refused, number(libc::EPERM)),
        (fatal, SeccompAction::KillProcess),
    ];
    if !own_mounts {
        let mut marks = whole(MARKS);
        for &request in MARK_REQUESTS {
            let rule = compare(1, SeccompCmpOp::Eq, request)?;
            add(&mut marks, libc::SYS_ioctl, rule);
        }
        filters.push((marks, number(libc::EPERM)));
        filters.push((whole(ROOM), number(libc::EOPNOTSUPP)));
    }
    filters
        .into_iter()
        .map(|(rules, action)| filter(rules, action, arch))
        .collect()
}

fn whole(calls: &[i64]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

fn add(rules: &mut Rules, call: i64, rule: SeccompRule) {
    rules.entry(call).or_default().push(rule);
}

fn compare(
    place: u8,
    how: SeccompCmpOp,
    with: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    // These arguments are 32 bits wide; the kernel ignores the upper half, so must the filter.
    SeccompRule::new(vec![SeccompCondition::new(
        place,
        SeccompCmpArgLen::Dword,
        how,
        with,
    )?])
}

fn both_numbers(rules: Rules) -> Rules {
    #[cfg(target_arch = "x86_64")]
    {
        let twins: Rules = rules
            .iter()
            .map(|(&call, rule)| (call | X32, rule.clone()))
            .collect();
        rules.into_iter().chain(twins).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_compile_and_fit() {
        for (own_mounts, many) in [(true, 3), (false, 5)] {
            let programs = compile(&[1, 4711, 815], own_mounts).unwrap();
            assert_eq!(programs.len(), many);
            assert!(programs.iter().all(|program| program.len() < 4096));
        }
    }

    #[test]
    fn the_last_filter_has_both_answers_and_allows_at_its_end() {
        const RETURN: u16 = 0x06;
        let program = compile_rest().unwrap();
        let answers = |wanted: u32| {
            let returns = program.iter().filter(|step| step.code == RETURN);
            returns.filter(|step| step.k == wanted).count()
        };
        let refusal = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
        assert!(answers(refusal) > 0 && answers(libc::SECCOMP_RET_KILL_PROCESS) > 0);
        let last = program.last().unwrap();
        assert_eq!((last.code, last.k), (RETURN, libc::SECCOMP_RET_ALLOW));
    }
}
