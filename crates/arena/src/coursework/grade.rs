//! Grading a folder of submissions: what each got, from reports that are stored as they are made.
//!
//! Every submission's [`WorkReport`]s are one file, named like it and marked with a digest of all that
//! was handed in. So a run that was ended resumes where it was, what was handed in again is checked again,
//! and other points need no new checks.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{GroupResult, WorkReport};

/// Raised when the same submission may get a different report.
const EDITION: u32 = 2;
/// Larger files are only named in the digest.
const MOST_READ: u64 = 64 << 20;

/// Why points cannot be read.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct PointsError(String);

/// Points for each group of checks, by part (such as `library`) and group.
#[derive(Debug, Clone, PartialEq)]
pub struct Points(Vec<GroupPoints>);

/// The points of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupPoints {
    /// The part, such as `library`.
    pub part: String,
    /// The group.
    pub group: String,
    /// The points for all cases of the group.
    pub points: f64,
}

impl Points {
    /// Default points: one for each group.
    pub fn even(parts: &[(&str, Vec<String>)]) -> Points {
        let all = parts.iter().flat_map(|(part, groups)| {
            let group = |group: &String| GroupPoints {
                part: (*part).to_owned(),
                group: group.clone(),
                points: 1.0,
            };
            groups.iter().map(group).collect::<Vec<_>>()
        });
        Points(all.collect())
    }

    /// Reads points: a table for each part, with a number for each group. Groups that are not named
    /// give none.
    ///
    /// ```
    /// use floe_arena::coursework::Points;
    /// let parts = [("library", vec!["moves".to_owned(), "board".to_owned()])];
    /// let points = Points::read("[library]\nmoves = 2.5\n", &parts)?;
    /// assert_eq!(points.total(), 2.5);
    /// let error = Points::read("[library]\nmove = 1\n", &parts).unwrap_err();
    /// assert_eq!(error.to_string(), "2:1: no group `move` in [library]; known: moves, board");
    /// # Ok::<(), floe_arena::coursework::PointsError>(())
    /// ```
    pub fn read(text: &str, parts: &[(&str, Vec<String>)]) -> Result<Points, PointsError> {
        type Table =
            BTreeMap<toml::Spanned<String>, BTreeMap<toml::Spanned<String>, toml::Spanned<f64>>>;
        let place = |at: usize| {
            let before = &text[..at.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            format!("{line}:{column}")
        };
        let table: Table = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            PointsError(format!("{}: {}", place(at), error.message()))
        })?;
        let mut points = Points::even(parts);
        points.0.iter_mut().for_each(|group| group.points = 0.0);
        for (part, groups) in table {
            let known = parts.iter().find(|(name, _)| *name == part.get_ref());
            let Some((_, known)) = known else {
                let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
                return Err(PointsError(format!(
                    "{}: no part [{}]; known: {}",
                    place(part.span().start),
                    part.get_ref(),
                    names.join(", ")
                )));
            };
            for (group, number) in groups {
                let name = group.get_ref();
                if !known.contains(name) {
                    return Err(PointsError(format!(
                        "{}: no group `{name}` in [{}]; known: {}",
                        place(group.span().start),
                        part.get_ref(),
                        known.join(", ")
                    )));
                }
                let value = *number.get_ref();
                if !(0.0..=1e6).contains(&value) {
                    let at = place(number.span().start);
                    return Err(PointsError(format!("{at}: points are from 0 to 1000000")));
                }
                let same = |g: &&mut GroupPoints| g.part == *part.get_ref() && g.group == *name;
                if let Some(group) = points.0.iter_mut().find(same) {
                    group.points = value;
                }
            }
        }
        Ok(points)
    }

    /// All groups, in order.
    pub fn groups(&self) -> &[GroupPoints] {
        &self.0
    }

    /// The points of a submission without a fault.
    pub fn total(&self) -> f64 {
        self.0.iter().map(|group| group.points).sum()
    }

    /// The points of a submission for one group: proportional to its passed cases, rounded to a
    /// hundredth.
    pub fn earned(&self, group: &GroupPoints, work: &Work) -> f64 {
        let parts = work.parts.iter().filter(|part| part.name == group.part);
        let mut results = parts.flat_map(|part| &part.report.groups);
        let result = results.find(|result| result.name == group.group);
        let share = result.map_or(0.0, |GroupResult { passed, total, .. }| {
            *passed as f64 / (*total).max(1) as f64
        });
        (group.points * share * 100.0).round() / 100.0
    }

    /// The points of a submission.
    pub fn sum(&self, work: &Work) -> f64 {
        let sum: f64 = self.0.iter().map(|group| self.earned(group, work)).sum();
        (sum * 100.0).round() / 100.0
    }
}

/// A submission, with its reports.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Work {
    /// The name of the submission: that of its file or folder.
    pub name: String,
    /// A digest of everything that was handed in.
    pub digest: String,
    /// The reports, by part.
    pub parts: Vec<Part>,
}

/// The report on a part of a submission.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    /// The part, such as `library`.
    pub name: String,
    /// The report.
    pub report: WorkReport,
}

/// Why grading stopped.
#[derive(Debug, Error)]
pub enum GradeError {
    /// Files cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The folder has no submissions.
    #[error("no submissions in {0}: put each one there, as a folder or a file")]
    Nothing(PathBuf),
}

fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> GradeError + use<> {
    let path = path.to_owned();
    |error| GradeError::File { path, error }
}

/// The submissions in a folder, by name.
pub fn submissions(folder: &Path) -> Result<Vec<PathBuf>, GradeError> {
    let entries = fs::read_dir(folder).map_err(file_error(folder))?;
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let is_hidden = |path: &PathBuf| name_of(path).starts_with('.');
    all.retain(|path| !is_hidden(path) && (path.is_dir() || path.is_file()));
    all.sort();
    match all.is_empty() {
        true => Err(GradeError::Nothing(folder.to_owned())),
        false => Ok(all),
    }
}

/// The name of a submission.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A digest of a submission and of everything else that affects its reports, such as limits.
pub fn digest(path: &Path, besides: &str) -> Result<String, GradeError> {
    let mut hasher = Sha256::new();
    hasher.update(format!(
        "{EDITION} {} {besides}\n",
        env!("CARGO_PKG_VERSION")
    ));
    digest_into(path, Path::new(""), &mut hasher)?;
    Ok(HEXLOWER.encode(&hasher.finalize()[..16]))
}

fn digest_into(path: &Path, inside: &Path, hasher: &mut Sha256) -> Result<(), GradeError> {
    let data = fs::symlink_metadata(path).map_err(file_error(path))?;
    hasher.update(format!(
        "{} {}\n",
        inside.display(),
        data.len() * u64::from(data.is_file())
    ));
    if data.is_dir() {
        let entries = fs::read_dir(path).map_err(file_error(path))?;
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries {
            digest_into(&entry, &inside.join(name_of(&entry)), hasher)?;
        }
    } else if data.is_file() && data.len() <= MOST_READ {
        hasher.update(fs::read(path).map_err(file_error(path))?);
    }
    Ok(())
}

/// The stored reports of a submission, if the submission is unchanged.
pub fn stored(results: &Path, name: &str, digest: &str) -> Option<Work> {
    let text = fs::read(place(results, name)).ok()?;
    let work: Work = serde_json::from_slice(&text).ok()?;
    (work.digest == digest && work.name == name).then_some(work)
}

/// Stores a submission's reports atomically.
pub fn store(results: &Path, work: &Work) -> Result<(), GradeError> {
    let path = place(results, &work.name);
    let put = || -> std::io::Result<()> {
        fs::create_dir_all(results)?;
        let mut file = tempfile::NamedTempFile::new_in(results)?;
        serde_json::to_writer_pretty(&mut file, work)?;
        file.flush()?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    };
    put().map_err(file_error(&path))
}

fn place(results: &Path, name: &str) -> PathBuf {
    results.join(format!("{name}.json"))
}
