//! The part of the file system a program may see: the system's libraries and interpreters, its own
//! folder, and its working directory, the only folder it may change.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ::landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};

/// System folders that programs may read and execute.
pub(super) use crate::program_copy::SYSTEM;
/// Settings that some languages need to start.
const SETTINGS: &[&str] = &["ld.so.cache", "alternatives", "ssl", "localtime"];
/// Harmless devices. Without `/dev/random`, Java collects randomness for many seconds.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];

/// The settings that languages need, as paths below `/etc`; `etc` is its current path. Some systems
/// keep parts of Java there, in a folder named after its version.
pub(super) fn settings(etc: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(etc).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let java = names.filter(|name| name.as_encoded_bytes().starts_with(b"java-"));
    let fixed = SETTINGS.iter().map(|&name| name.into());
    fixed
        .chain(java)
        .map(|name: OsString| Path::new("/etc").join(name))
        .collect()
}

/// The rules common to every program, to be completed for one of them.
pub(super) struct Rules(RulesetCreated);

impl Rules {
    /// `whole_proc` states that `/proc` shows only the program's processes.
    pub(super) fn new(whole_proc: bool) -> Result<Rules, String> {
        let abi = ABI::V6;
        let proc = if whole_proc { "/proc" } else { "/proc/self" };
        let settings = settings(Path::new("/etc"));
        let system = SYSTEM.iter().chain(DEVICES).chain([&proc]);
        let paths = system
            .map(Path::new)
            .chain(settings.iter().map(PathBuf::as_path));
        let create = || -> Result<RulesetCreated, Box<dyn std::error::Error>> {
            let mut rules = Ruleset::default()
                .handle_access(AccessFs::from_all(abi))?
                // No rule allows network access: a second barrier behind the filters.
                .handle_access(AccessNet::from_all(abi))?
                .scope(Scope::Signal | Scope::AbstractUnixSocket)?
                .create()?
                .add_rules(path_beneath_rules(paths, AccessFs::from_read(abi)))?;
            if let Ok(null) = PathFd::new("/dev/null") {
                rules = rules.add_rule(PathBeneath::new(null, AccessFs::WriteFile))?;
            }
            Ok(rules)
        };
        create()
            .map(Rules)
            .map_err(|error| format!("Landlock: {error}"))
    }

    /// Confines this process to the system, these paths and its working directory.
    pub(super) fn apply(self, readable: &[PathBuf], work: &Path) -> Result<(), String> {
        let abi = ABI::V6;
        let enforce = || -> Result<RulesetStatus, Box<dyn std::error::Error>> {
            let rules = self
                .0
                .add_rules(path_beneath_rules(readable, AccessFs::from_read(abi)))?
                .add_rules(path_beneath_rules([work], AccessFs::from_all(abi)))?;
            Ok(rules.restrict_self()?.ruleset)
        };
        match enforce() {
            Ok(RulesetStatus::NotEnforced) => Err(
                "Landlock is missing: it needs Linux 5.13 with landlock among its lsm".to_owned(),
            ),
            Ok(_) => Ok(()),
            Err(error) => Err(format!("Landlock: {error}")),
        }
    }
}
