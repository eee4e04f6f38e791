//! The submitted versions of all entrants, and which of them play.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A version of an entrant's program, written `owls#3`; versions count from 1.
///
/// ```
/// use floe_league::VersionId;
/// let id: VersionId = "night owls#3".parse()?;
/// assert_eq!((id.entrant.as_str(), id.number), ("night owls", 3));
/// assert_eq!(id.to_string(), "night owls#3");
/// # Ok::<(), floe_league::versions::NotAVersion>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VersionId {
    /// The version's entrant.
    pub entrant: String,
    /// The version's number among the entrant's, from 1.
    pub number: u32,
}

/// A text that names no version.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} names no version; write ENTRANT#NUMBER, such as owls#3", floe_rules::text::quoted(.0))]
pub struct NotAVersion(String);

impl FromStr for VersionId {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || NotAVersion(text.to_owned());
        let (entrant, number) = text.rsplit_once('#').ok_or_else(fail)?;
        match number.parse() {
            Ok(number) if number > 0 && !entrant.is_empty() => Ok(VersionId {
                entrant: entrant.to_owned(),
                number,
            }),
            _ => Err(fail()),
        }
    }
}

impl TryFrom<String> for VersionId {
    type Error = NotAVersion;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<VersionId> for String {
    fn from(id: VersionId) -> Self {
        id.to_string()
    }
}

impl fmt::Display for VersionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.entrant, self.number)
    }
}

/// The state of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionState {
    /// The version is not judged yet.
    Waiting,
    /// The version may play.
    Accepted,
    /// The version failed its build or checks, and never plays.
    Refused,
    /// The organiser or the entrant withdrew the version.
    #[serde(rename = "pulled")]
    Withdrawn,
    /// The version had too many faults in its games.
    #[serde(rename = "benched")]
    Suspended,
}

impl VersionState {
    /// Whether the version was withdrawn or suspended, and may be reinstated.
    pub const fn is_out(self) -> bool {
        matches!(self, VersionState::Withdrawn | VersionState::Suspended)
    }

    /// The name of the state.
    pub const fn name(self) -> &'static str {
        match self {
            VersionState::Waiting => "waiting",
            VersionState::Accepted => "accepted",
            VersionState::Refused => "refused",
            VersionState::Withdrawn => "withdrawn",
            VersionState::Suspended => "suspended",
        }
    }
}

/// A version of an entrant's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Version {
    /// The version's name and number.
    pub id: VersionId,
    /// The version's state.
    pub state: VersionState,
    /// Whether the conformance check had remarks.
    pub has_remarks: bool,
    /// Whether the organiser reinstated the version: it is not suspended a second time.
    pub is_forgiven: bool,
    /// Whether it is a remote program: its files are not stored here, and it is not in the ladder's
    /// list.
    #[serde(skip_serializing_if = "is_false")]
    pub is_remote: bool,
    /// SHA-256 of the upload, in hexadecimal; also its folder below `programs`.
    pub sha256: String,
    /// The name of the uploaded file.
    pub file: String,
    /// The person who submitted the version.
    pub by: String,
    /// The author's short description, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// The program's protocol, if not the league's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// The program among the files of its archive, if its author had to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// When the version was submitted, in seconds since 1970.
    pub sent: u64,
    /// When the version was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<u64>,
    /// Why the version is refused, withdrawn or suspended.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The seat argument that starts the program from its folder, once accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The place of the verdict in the journal, in bytes.
    #[serde(skip)]
    pub verdict: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's way
fn is_false(is_so: &bool) -> bool {
    !is_so
}

/// All versions of all entrants.
#[derive(Debug, Clone, Default)]
pub struct Versions {
    by_entrant: BTreeMap<String, Vec<Version>>,
}

impl Versions {
    /// The version with this ID, if it exists.
    pub fn find(&self, id: &VersionId) -> Option<&Version> {
        let all = self.by_entrant.get(&id.entrant)?;
        all.get(id.number.checked_sub(1)? as usize)
    }

    pub(crate) fn find_mut(&mut self, id: &VersionId) -> Option<&mut Version> {
        let all = self.by_entrant.get_mut(&id.entrant)?;
        all.get_mut(id.number.checked_sub(1)? as usize)
    }

    /// All versions of an entrant, oldest first.
    pub fn of(&self, entrant: &str) -> &[Version] {
        self.by_entrant.get(entrant).map_or(&[], Vec::as_slice)
    }

    /// An entrant's current version: the last accepted one that is not withdrawn, suspended or
    /// remote.
    pub fn current(&self, entrant: &str) -> Option<&Version> {
        let mut newest = self.of(entrant).iter().rev();
        newest.find(|version| version.state == VersionState::Accepted && !version.is_remote)
    }

    /// Earlier accepted versions of the same entrant and kind, newest first.
    pub fn before(&self, id: &VersionId) -> impl Iterator<Item = &Version> {
        let is_remote = self.find(id).is_some_and(|version| version.is_remote);
        let older = self.of(&id.entrant).iter().rev();
        let older = older.filter(|version| version.id.number < id.number);
        older.filter(move |version| {
            version.state == VersionState::Accepted && version.is_remote == is_remote
        })
    }

    /// Whether a version is accepted, and neither withdrawn nor suspended.
    pub fn is_accepted(&self, id: &VersionId) -> bool {
        let found = self.find(id);
        found.is_some_and(|version| version.state == VersionState::Accepted)
    }

    /// The entrant's remote version: the last one, unless it is withdrawn.
    pub fn remote(&self, entrant: &str) -> Option<&Version> {
        let mut newest = self.of(entrant).iter().rev();
        let last = newest.find(|version| version.is_remote)?;
        (last.state == VersionState::Accepted).then_some(last)
    }

    /// The current version of every entrant, by the entrants' names.
    pub fn all_current(&self) -> impl Iterator<Item = &Version> {
        (self.by_entrant.keys()).filter_map(|entrant| self.current(entrant))
    }

    /// The current versions, including remote ones.
    pub fn all_playing(&self) -> impl Iterator<Item = &Version> {
        let remote = (self.by_entrant.keys()).filter_map(|entrant| self.remote(entrant));
        self.all_current().chain(remote)
    }

    /// All versions, by entrants' names and then by number.
    pub fn all(&self) -> impl Iterator<Item = &Version> {
        self.by_entrant.values().flatten()
    }

    /// The name of an entrant's next version.
    pub fn next_of(&self, entrant: &str) -> VersionId {
        VersionId {
            entrant: entrant.to_owned(),
            number: self.of(entrant).len() as u32 + 1,
        }
    }

    /// Adds a version; `false` if its number is not the next one.
    pub(crate) fn add(&mut self, version: Version) -> bool {
        let all = self.by_entrant.entry(version.id.entrant.clone());
        let all = all.or_default();
        let is_next = all.len() as u32 + 1 == version.id.number;
        if is_next {
            all.push(version);
        }
        is_next
    }
}
