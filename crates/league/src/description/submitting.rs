use std::path::{Path, PathBuf};
use std::time::Duration;

use floe_arena::amount::{mebibytes, milliseconds};
use floe_arena::conformance::SELF_PLAY;
use floe_arena::tournament::parts::{Wrong, wrong};
use serde::Deserialize;
use toml::Spanned;

use crate::archive::UnpackLimits;
use crate::recipe::{Recipes, Taken};
use crate::time;

/// The rules of submitting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitting {
    /// The deadline of submissions, in seconds since 1970.
    pub until: Option<u64>,
    /// Versions an entrant may submit per day (UTC).
    pub quota: u32,
    /// Size limit of an upload, in bytes.
    pub size: u64,
    /// The most bytes an archive may unpack to.
    pub unpacked: u64,
    /// The most files and folders an archive may hold.
    pub files: usize,
    /// The limits of a build.
    pub build: BuildLimits,
    /// A file of recipes, which come before the default ones.
    pub recipes: Option<PathBuf>,
    /// The accepted languages and kinds of uploads.
    pub takes: Taken,
    /// The checks a version must pass.
    pub gate: Gate,
    /// Games of a version against itself start only within this time.
    pub self_play: Duration,
}

/// The checks a version must pass to be accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Gate {
    /// Whole games.
    #[default]
    Games,
    /// Whole games, and the letter of the contest.
    Contest,
}

/// The limits of building a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildLimits {
    /// Time limit from start to end.
    pub time: Duration,
    /// Memory limit of all processes together, in bytes.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Limit of bytes written to the folder.
    pub disk: u64,
    /// Limit of stored output, in bytes.
    pub log: usize,
}

impl Default for BuildLimits {
    fn default() -> Self {
        BuildLimits {
            time: Duration::from_secs(60),
            memory: 2 << 30,
            processes: 128,
            disk: 512 << 20,
            log: 64 << 10,
        }
    }
}

impl Submitting {
    /// Limits of an archive's contents.
    pub fn unpack_limits(&self) -> UnpackLimits {
        UnpackLimits {
            bytes: self.unpacked,
            files: self.files,
        }
    }
}

impl Default for Submitting {
    fn default() -> Self {
        Submitting {
            until: None,
            quota: 30,
            size: 8 << 20,
            unpacked: 64 << 20,
            files: 1000,
            build: BuildLimits::default(),
            recipes: None,
            takes: Taken::ALL,
            gate: Gate::Games,
            self_play: SELF_PLAY,
        }
    }
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SubmittingText {
    until: Option<Spanned<String>>,
    quota: Option<Spanned<u32>>,
    size: Option<Spanned<String>>,
    unpacked: Option<Spanned<String>>,
    files: Option<usize>,
    recipes: Option<Spanned<String>>,
    takes: Option<Spanned<Vec<Spanned<String>>>>,
    build_time: Option<Spanned<String>>,
    build_memory: Option<Spanned<String>>,
    build_processes: Option<u64>,
    build_disk: Option<Spanned<String>>,
    check: Option<Spanned<String>>,
    self_play: Option<Spanned<String>>,
}

impl SubmittingText {
    pub(super) fn read(&self, folder: &Path) -> Result<Submitting, Wrong> {
        let default = Submitting::default();
        let until = match &self.until {
            None => None,
            Some(said) => Some(time::read(said.get_ref()).ok_or_else(|| {
                let help = "such as \"2026-12-18 20:00\", in UTC";
                wrong(said.span(), "not a date with a time", help)
            })?),
        };
        let time = duration(self.build_time.as_ref(), default.build.time)?;
        let gate = match &self.check {
            None => default.gate,
            Some(said) => match said.get_ref().as_str() {
                "games" => Gate::Games,
                "contest" => Gate::Contest,
                _ => {
                    let help = "\"games\", or \"contest\" to demand its exact form as well";
                    return Err(wrong(said.span(), "not a check", help));
                }
            },
        };
        let recipes = match &self.recipes {
            None => None,
            Some(said) => {
                let path = folder.join(said.get_ref());
                if !path.is_file() {
                    let cause = format!("there is no file {}", path.display());
                    let help = "paths are relative to this file's folder";
                    return Err(wrong(said.span(), cause, help));
                }
                Some(path)
            }
        };
        Ok(Submitting {
            until,
            quota: self.quota.as_ref().map_or(default.quota, |n| *n.get_ref()),
            size: bytes(self.size.as_ref(), default.size)?,
            unpacked: bytes(self.unpacked.as_ref(), default.unpacked)?,
            files: self.files.unwrap_or(default.files),
            build: BuildLimits {
                time,
                memory: bytes(self.build_memory.as_ref(), default.build.memory)?,
                processes: self.build_processes.unwrap_or(default.build.processes),
                disk: bytes(self.build_disk.as_ref(), default.build.disk)?,
                log: default.build.log,
            },
            takes: self.takes(recipes.as_deref())?,
            recipes,
            gate,
            self_play: duration(self.self_play.as_ref(), default.self_play)?,
        })
    }

    /// The accepted recipes, from this file and the defaults.
    fn takes(&self, recipes: Option<&Path>) -> Result<Taken, Wrong> {
        let Some(said) = &self.takes else {
            return Ok(Taken::ALL);
        };
        let names = said.get_ref();
        if names.is_empty() {
            let help = "such as [\"C\", \"Python\"]; without it, everything is accepted";
            return Err(wrong(said.span(), "nothing would be accepted", help));
        }
        let known = match recipes {
            None => Recipes::built_in(),
            Some(file) => Recipes::load(file).map_err(|error| {
                let place = self.recipes.as_ref().map_or(said.span(), Spanned::span);
                wrong(place, error.to_string(), "")
            })?,
        };
        let read = Taken::read(
            names.iter().map(|name| name.get_ref().as_str()),
            known.all(),
        );
        read.map_err(|(at, cause)| wrong(names[at].span(), cause, ""))
    }
}

fn duration(said: Option<&Spanned<String>>, default: Duration) -> Result<Duration, Wrong> {
    match said {
        None => Ok(default),
        Some(said) => match milliseconds(said.get_ref()) {
            Some(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
            _ => Err(wrong(said.span(), "not a time", "such as \"60s\"")),
        },
    }
}

fn bytes(said: Option<&Spanned<String>>, default: u64) -> Result<u64, Wrong> {
    match said {
        None => Ok(default),
        Some(said) => match mebibytes(said.get_ref()) {
            Some(mib) if mib > 0 => Ok(mib << 20),
            _ => Err(wrong(
                said.span(),
                "not an amount of memory",
                "such as \"8MiB\" or \"1GiB\"",
            )),
        },
    }
}
