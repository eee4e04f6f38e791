//! The events of a league.

use floe_arena::conformance::CheckReport;
use floe_arena::tournament::Format;
use serde::{Deserialize, Serialize};

use crate::token::TokenHash;
use crate::versions::VersionId;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The time, in seconds since 1970.
    pub at: u64,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// An event of a league.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A person was invited, or got a new token that replaces the old one.
    Invited {
        /// The person.
        person: String,
        /// The person's entrant: a team, or the person alone.
        entrant: String,
        /// The hash of the token.
        token: TokenHash,
    },
    /// A person left; the token is now invalid.
    Removed {
        /// The person.
        person: String,
    },
    /// A person was renamed; the token stays valid.
    Renamed {
        /// The person, by the old name.
        person: String,
        /// The name from now on.
        name: String,
        /// The person's new entrant.
        entrant: String,
    },
    /// A person moved to another entrant; the token stays valid.
    Moved {
        /// The person.
        person: String,
        /// The person's new entrant.
        entrant: String,
    },
    /// The organiser got a lasting link; the earlier link is invalid.
    OrganiserLink {
        /// The hash of the link's token.
        token: TokenHash,
    },
    /// A program was submitted. It is in its folder before this line is written.
    Submitted {
        /// The version.
        version: VersionId,
        /// The person who submitted it.
        by: String,
        /// The name of the file.
        file: String,
        /// SHA-256 of the upload, in hexadecimal.
        sha256: String,
        /// The upload's size, in bytes.
        bytes: u64,
        /// The version's short description.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        word: Option<String>,
        /// The program's protocol, if not the league's default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<String>,
        /// The program among the files of an archive, if its author had to choose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        main: Option<String>,
    },
    /// A remote program connected; its files are not stored here.
    Connected {
        /// The version.
        version: VersionId,
        /// The person who connected it.
        by: String,
        /// The program's name; another name is another version.
        word: String,
    },
    /// A version was judged.
    Judged {
        /// The version.
        version: VersionId,
        /// The verdict.
        verdict: Judgement,
        /// What to fix, if the version is refused.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
        /// The seat argument that starts the program from its folder, if it is accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
        /// The output of the build and the conformance check, for the author and the organiser
        /// only.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        log: String,
        /// Time of building and checking, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_ms: Option<u64>,
        /// The report of the conformance check, if any, for the same readers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report: Option<Box<CheckReport>>,
    },
    /// The machine failed to judge a version, which stays in the queue.
    PutOff {
        /// The version.
        version: VersionId,
        /// The reason, for its author and the organiser.
        why: String,
    },
    /// A version was withdrawn by the organiser or its entrant.
    #[serde(rename = "pulled")]
    Withdrawn {
        /// The version.
        version: VersionId,
        /// The reason.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
    /// A version was suspended for its faults.
    #[serde(rename = "benched")]
    Suspended {
        /// The version.
        version: VersionId,
        /// The reason, for its author.
        why: String,
    },
    /// A version that was withdrawn or suspended may play again.
    Reinstated {
        /// The version.
        version: VersionId,
    },
    /// Submissions are paused, or no ladder game starts, until the organiser resumes them.
    Paused {
        /// The paused activity.
        what: Activity,
    },
    /// The activity resumes.
    Resumed {
        /// The resumed activity.
        what: Activity,
    },
    /// A meeting of the ladder was voided: it counts for no version.
    GivenUp {
        /// The meeting's number, from 0.
        unit: u64,
        /// The reason.
        why: String,
    },
    /// Finals were frozen: their versions are fixed, and their seed is drawn.
    Frozen(Freeze),
    /// The organiser started or stopped finals in the background.
    FinalsWanted {
        /// Whether the finals should be played.
        is_so: bool,
    },
    /// Finals are being played, and the ladder is paused, or not any more.
    FinalsUnderWay {
        /// Whether the activity is paused.
        is_so: bool,
    },
}

/// The versions in finals, and the seed of their boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    /// The number of the finals, from 1.
    pub number: u32,
    /// The seed of the finals' boards and draws: see [`finals`](crate::finals).
    pub seed: u64,
    /// The random number drawn at the freeze, in hexadecimal.
    pub lot: String,
    /// The versions.
    pub versions: Vec<FrozenVersion>,
    /// The tournament format.
    pub format: Format,
    /// The setup of the boards.
    pub setup: String,
    /// Boards of a meeting.
    pub boards: u64,
    /// Random moves that begin each board.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub openings: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A version that plays in finals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenVersion {
    /// The version.
    pub version: VersionId,
    /// SHA-256 of the upload, in hexadecimal.
    pub sha256: String,
}

/// The verdict on a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The version may play.
    Accepted,
    /// The version may play, with remarks.
    AcceptedWithRemarks,
    /// The version may not play.
    Refused,
}

/// An activity that an organiser can pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    /// Taking submissions.
    Submitting,
    /// Beginning games of the ladder.
    Ladder,
}
