//! The events of a league.

use floe_arena::checkup::CheckReport;
use floe_arena::tournament::Format;
use serde::{Deserialize, Serialize};

use crate::token::TokenHash;
use crate::versions::VersionId;

/// Something that happened, as a line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When, in seconds since 1970.
    pub at: u64,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// An event of a league.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A person was invited, or got a new token, which replaces the one before.
    Invited {
        /// The person.
        person: String,
        /// Their entrant: their team, or themselves.
        entrant: String,
        /// The hash of their token.
        token: TokenHash,
    },
    /// A person left: their token ends.
    Removed {
        /// The person.
        person: String,
    },
    /// A person got another name; their token stays.
    Renamed {
        /// The person, by the old name.
        person: String,
        /// The name from now on.
        name: String,
        /// Their entrant from now on.
        entrant: String,
    },
    /// A person moved to another entrant; their token stays.
    Moved {
        /// The person.
        person: String,
        /// Their entrant from now on.
        entrant: String,
    },
    /// The organiser has a link that lasts; the one before ends.
    OrganiserLink {
        /// The hash of its token.
        token: TokenHash,
    },
    /// A program was sent. It is in its folder before this is written.
    Submitted {
        /// Which version it is.
        version: VersionId,
        /// The person who sent it.
        by: String,
        /// The name of the file.
        file: String,
        /// SHA-256 of what was sent, in hexadecimal.
        sha256: String,
        /// Its size, in bytes.
        bytes: u64,
        /// A word about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        word: Option<String>,
        /// Its protocol, if not the league's default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<String>,
        /// Which file of an archive is the program, where its author was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        main: Option<String>,
    },
    /// A remote program connected: nothing of it is stored here.
    Connected {
        /// Which version it is.
        version: VersionId,
        /// The person who connected it.
        by: String,
        /// Its name; another name is another version.
        word: String,
    },
    /// A version was judged.
    Judged {
        /// Which one.
        version: VersionId,
        /// The verdict.
        verdict: Judgement,
        /// What to fix, if it is refused.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
        /// The seat's word that starts it from its folder, if it is accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
        /// The output of the build and the conformance check: for its author and the organiser
        /// alone.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        log: String,
        /// Time of building and checking, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_ms: Option<u64>,
        /// The report of the conformance check, if there is one: for the same readers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report: Option<Box<CheckReport>>,
    },
    /// The machine could not judge a version, which stays in the queue.
    PutOff {
        /// Which one.
        version: VersionId,
        /// The reason, for its author and the organiser.
        why: String,
    },
    /// A version was withdrawn by the organiser or its entrant.
    #[serde(rename = "pulled")]
    Withdrawn {
        /// Which one.
        version: VersionId,
        /// The reason.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
    /// A version was suspended for its faults.
    #[serde(rename = "benched")]
    Suspended {
        /// Which one.
        version: VersionId,
        /// The reason, for its author.
        why: String,
    },
    /// A version that was withdrawn or suspended may play again.
    Reinstated {
        /// Which one.
        version: VersionId,
    },
    /// Submissions are paused, or no game of the ladder is started, until the organiser resumes it.
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
        /// Which one, from 0.
        unit: u64,
        /// The reason.
        why: String,
    },
    /// The versions of finals are fixed, and their seed is drawn.
    Frozen(Freeze),
    /// The organiser started or stopped the finals that the server plays in the background.
    FinalsWanted {
        /// Whether they are wanted.
        is_so: bool,
    },
    /// Finals are being played, and the ladder is paused, or not any more.
    FinalsUnderWay {
        /// Whether they are.
        is_so: bool,
    },
}

/// The versions in finals, and the seed of their boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    /// Which finals, from 1.
    pub number: u32,
    /// The seed of their boards and draws: see [`finals`](crate::finals).
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
    /// Which one.
    pub version: VersionId,
    /// SHA-256 of what was sent, in hexadecimal.
    pub sha256: String,
}

/// The verdict on a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// It may play.
    Accepted,
    /// It may play, and something about it is odd.
    AcceptedWithRemarks,
    /// It may not.
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
