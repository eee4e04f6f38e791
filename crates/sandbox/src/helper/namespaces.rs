//! Namespaces: separate process numbers, and a root with little more than readable files.

use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{lchown, symlink};
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use rustix::fs::{Mode, OFlags, StatVfsMountFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::thread::CapabilitySet;

use super::disk::{MORE_ENTRIES, MORE_ROOM};
use super::landlock::{DEVICES, SYSTEM, settings};
use super::returned;
use super::wire::Order;

const OLD: &str = "/old";
const ROOM: &str = "/room";
/// The kernel's `ST_RELATIME`; rustix names it only for glibc.
const RELATIME: StatVfsMountFlags = StatVfsMountFlags::from_bits_retain(0x1000);

/// The supervisor's part: its next child is the first process of new namespaces. `alone` states
/// that this process is root and needs no user namespace.
pub(super) fn leave(alone: bool) -> Result<(), String> {
    if alone {
        return unshare(CloneFlags::CLONE_NEWPID).map_err(|e| format!("pid namespace: {e}"));
    }
    let uid = rustix::process::getuid().as_raw();
    let gid = rustix::process::getgid().as_raw();
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID)
        .map_err(|e| format!("user namespace: {e}"))?;
    let write = |name: &str, text: String| {
        fs::write(format!("/proc/self/{name}"), text).map_err(|e| format!("{name}: {e}"))
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{uid} {uid} 1"))?;
    write("gid_map", format!("{gid} {gid} 1"))?;
    // The launcher must mount, and only ambient capabilities survive `exec`.
    let ambient = || -> rustix::io::Result<()> {
        let mut sets = rustix::thread::capabilities(None)?;
        sets.inheritable |= CapabilitySet::SYS_ADMIN;
        rustix::thread::set_capabilities(None, sets)?;
        rustix::thread::configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)
    };
    ambient().map_err(|e| format!("capabilities in the user namespace: {e}"))
}

/// The launcher's first part: a new root with what every program needs. The old root stays
/// reachable until [`complete`].
pub(super) fn prepare() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS)
        .map_err(|e| format!("mount, ipc, uts namespaces: {e}"))?;
    // No program has a socket anyway: this namespace is for `/proc/net`, on machines that support
    // it.
    let _ = unshare(CloneFlags::CLONE_NEWNET);
    build().map_err(|(what, error)| format!("{what}: {error}"))
}

/// The launcher's second part: what this program needs, all read-only except its working directory,
/// a separate file system, which is returned.
pub(super) fn complete(order: &Order) -> Result<OwnedFd, String> {
    seal(order).map_err(|(what, error)| format!("{what}: {error}"))
}

const QUIET: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

fn build() -> Result<(), (String, io::Error)> {
    // A file system mounted outside from now on may still hold a program's folder.
    let follow = MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC;
    step(
        "cut off the mounts",
        rustix::mount::mount_change("/", follow),
    )?;
    // Any folder will do: the tmpfs leaves it as soon as it becomes the root.
    let base = if Path::new("/tmp").is_dir() {
        "/tmp"
    } else {
        "/usr"
    };
    let small = c"mode=755,size=1m";
    step(
        "mount a tmpfs",
        rustix::mount::mount("tmpfs", base, "tmpfs", QUIET, Some(small)),
    )?;
    let old = format!("{base}{OLD}");
    step("make the old root's mount point", fs::create_dir(&old))?;
    step(
        "change the root",
        rustix::process::pivot_root(base, old.as_str()),
    )?;
    step("go to the new root", std::env::set_current_dir("/"))?;

    for path in SYSTEM.iter().map(Path::new) {
        match fs::read_link(under_old(path)) {
            Ok(target) => step("link", symlink(target, path))?,
            Err(_) => bind(path, QUIET)?,
        }
    }
    for path in settings(&under_old(Path::new("/etc"))) {
        bind(&path, QUIET)?;
    }
    for path in DEVICES.iter().map(Path::new) {
        bind(path, MountFlags::NOSUID)?;
    }
    step("make /proc", fs::create_dir("/proc"))?;
    let flags = QUIET | MountFlags::NOEXEC;
    step(
        "mount /proc",
        rustix::mount::mount("proc", "/proc", "proc", flags, None),
    )?;
    // The program's working directory; its size is set later.
    step("make a room", fs::create_dir(ROOM))?;
    let small = c"mode=700,size=1m,nr_inodes=1000";
    step(
        "mount a room",
        rustix::mount::mount("tmpfs", ROOM, "tmpfs", QUIET, Some(small)),
    )
}

/// The working directory: a little larger than the limits, so that a program that fills it exceeds
/// them visibly.
fn furnish(order: &Order) -> Result<OwnedFd, (String, io::Error)> {
    let work = order.work.as_path();
    let name = work.display();
    let limits = &order.limits;
    let bytes = limits.disk.saturating_add(MORE_ROOM);
    let entries = limits.entries.saturating_add(MORE_ENTRIES);
    let options = format!("size={bytes},nr_inodes={entries}");
    let options = step("name the options", CString::new(options))?;
    step(format!("make {name}"), fs::create_dir_all(work))?;
    step(
        format!("mount a file system at {name}"),
        rustix::mount::mount_move(ROOM, work),
    )?;
    step("remove the mount point", fs::remove_dir(ROOM))?;
    step(
        format!("limit {name}"),
        rustix::mount::mount_remount(work, QUIET, &*options),
    )?;
    if order.uid.is_some() {
        let given = lchown(work, order.uid, order.uid);
        step(format!("change the owner of {name}"), given)?;
    }
    let filled = returned::bring_in(&under_old(work), work, order.uid);
    step(format!("fill {name}"), filled)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    step(
        format!("open {name}"),
        rustix::fs::open(work, flags, Mode::empty()),
    )
}

fn seal(order: &Order) -> Result<OwnedFd, (String, io::Error)> {
    let work = order.work.as_path();
    let mut more: Vec<&Path> = order.readable.iter().map(PathBuf::as_path).collect();
    more.sort();
    for path in more {
        let there = SYSTEM.iter().any(|system| path.starts_with(system));
        if !there && !path.starts_with(work) {
            bind(path, QUIET)?;
        }
    }
    let room = furnish(order)?;
    step(
        "leave the old root",
        rustix::mount::unmount(OLD, UnmountFlags::DETACH),
    )?;
    step("remove the old root's mount point", fs::remove_dir(OLD))?;
    let sealed = MountFlags::BIND | MountFlags::RDONLY | QUIET;
    step(
        "make the root read-only",
        rustix::mount::mount_remount("/", sealed, c""),
    )?;
    Ok(room)
}

fn under_old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

/// Mounts a path of the old root at the same place in the new one, read-only; a missing path stays
/// missing.
fn bind(path: &Path, flags: MountFlags) -> Result<(), (String, io::Error)> {
    let name = path.display();
    let source = under_old(path);
    let Ok(kind) = fs::metadata(&source) else {
        return Ok(());
    };
    if kind.is_dir() {
        step(format!("make {name}"), fs::create_dir_all(path))?;
    } else {
        if let Some(parent) = path.parent() {
            step(
                format!("make the folder of {name}"),
                fs::create_dir_all(parent),
            )?;
        }
        if !path.exists() {
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(path);
            step(format!("make {name}"), file)?;
        }
    }
    step(
        format!("bind {name}"),
        rustix::mount::mount_bind_recursive(&source, path),
    )?;
    // A user namespace may not drop restrictions of the mount, so they are repeated.
    let kept = step(format!("look at {name}"), rustix::fs::statvfs(path))?.f_flag;
    let mut all = flags | MountFlags::BIND | MountFlags::RDONLY;
    for (has, flag) in [
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (RELATIME, MountFlags::RELATIME),
    ] {
        if kept.contains(has) {
            all |= flag;
        }
    }
    step(
        format!("seal {name}"),
        rustix::mount::mount_remount(path, all, c""),
    )
}

fn step<T, E: Into<io::Error>>(
    what: impl Into<String>,
    result: Result<T, E>,
) -> Result<T, (String, io::Error)> {
    result.map_err(|error| (what.into(), error.into()))
}
