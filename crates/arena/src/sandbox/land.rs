//! What of the file system a program may see: the system's libraries and interpreters, its own
//! folder, and its working directory, the only place it may change.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope, path_beneath_rules,
};

/// Folders of the system that may be read and run from.
pub(super) const SYSTEM: &[&str] = &["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin"];
/// Settings without which languages do not start.
pub(super) const SETTINGS: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/ssl",
    "/etc/localtime",
];
/// Devices without effect.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/urandom"];

/// Confines this process to these paths. `whole_proc` says that `/proc` shows no others.
pub(super) fn apply(readable: &[PathBuf], work: &Path, whole_proc: bool) -> Result<(), String> {
    let abi = ABI::V6;
    let proc = if whole_proc { "/proc" } else { "/proc/self" };
    let system = SYSTEM.iter().chain(SETTINGS).chain(DEVICES).chain([&proc]);
    let paths = system
        .map(Path::new)
        .chain(readable.iter().map(PathBuf::as_path));
    let enforce = || -> Result<RulesetStatus, Box<dyn std::error::Error>> {
        let mut rules = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .scope(Scope::Signal)?
            .create()?
            .add_rules(path_beneath_rules(paths, AccessFs::from_read(abi)))?
            .add_rules(path_beneath_rules([work], AccessFs::from_all(abi)))?;
        if let Ok(null) = PathFd::new("/dev/null") {
            rules = rules.add_rule(PathBeneath::new(null, AccessFs::WriteFile))?;
        }
        Ok(rules.restrict_self()?.ruleset)
    };
    match enforce() {
        Ok(RulesetStatus::NotEnforced) => {
            Err("Landlock is not there: it needs Linux 5.13 with landlock among its lsm".to_owned())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}
