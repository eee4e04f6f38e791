//! What can happen in a league.

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
    /// What.
    #[serde(flatten)]
    pub event: Event,
}

/// What can happen in a league.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// Somebody is let in, or gets a new token, which ends the one before.
    Invited {
        /// Who.
        person: String,
        /// What they play as: their team, or they alone.
        entrant: String,
        /// What their token must hash to.
        token: TokenHash,
    },
    /// Somebody takes part no more: their token ends.
    Removed {
        /// Who.
        person: String,
    },
    /// Somebody has another name; their token stays.
    Renamed {
        /// Who, by the name before.
        person: String,
        /// The name from now on.
        name: String,
        /// What they play as from now on.
        entrant: String,
    },
    /// Somebody plays as another entrant; their token stays.
    Moved {
        /// Who.
        person: String,
        /// What they play as from now on.
        entrant: String,
    },
    /// The organiser has a link that lasts; the one before ends.
    OrganiserLink {
        /// What its token must hash to.
        token: TokenHash,
    },
    /// A program was sent. It is in its folder before this is written.
    Submitted {
        /// Which version it is.
        version: VersionId,
        /// Who sent it.
        by: String,
        /// The name of the file.
        file: String,
        /// SHA-256 of what was sent, in hexadecimal.
        sha256: String,
        /// How large it is.
        bytes: u64,
        /// A word about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        word: Option<String>,
        /// How it is spoken to, if not as usual in the league.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<String>,
        /// Which file of an archive is the program, where its author was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        main: Option<String>,
    },
    /// A program plays from home from now on: nothing of it is here.
    Connected {
        /// Which version it is.
        version: VersionId,
        /// Who connected it.
        by: String,
        /// What they call it; another word is another version.
        word: String,
    },
    /// A version was judged.
    Judged {
        /// Which one.
        version: VersionId,
        /// What came of it.
        verdict: Judgement,
        /// What to fix, if it is refused.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
        /// The seat's word that starts it from its folder, if it is accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
        /// What the build and the checkup said: for its author and the organiser alone.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        log: String,
        /// How long building and checking took, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_ms: Option<u64>,
        /// What the checkup came to, if it came to one: for the same readers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report: Option<Box<CheckReport>>,
    },
    /// The machine could not judge a version, which stays in the queue.
    PutOff {
        /// Which one.
        version: VersionId,
        /// Why, for its author and the organiser.
        why: String,
    },
    /// The organiser took a version out.
    Pulled {
        /// Which one.
        version: VersionId,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
    /// A version did too much wrong in its games, and plays no more.
    Benched {
        /// Which one.
        version: VersionId,
        /// Why, for its author.
        why: String,
    },
    /// A version that was pulled or benched may play again.
    Reinstated {
        /// Which one.
        version: VersionId,
    },
    /// Nobody may submit, or no game of the ladder is begun, until it goes on.
    Paused {
        /// What stands still.
        what: Activity,
    },
    /// It goes on.
    Resumed {
        /// What goes on.
        what: Activity,
    },
    /// A meeting of the ladder could not be played, or shall not be: it counts for nobody.
    GivenUp {
        /// Which one, from 0.
        unit: u64,
        /// Why.
        why: String,
    },
    /// The versions of finals are fixed, and their seed is drawn.
    Frozen(Freeze),
    /// The organiser wants the last finals played beside the pages, or not any more.
    FinalsWanted {
        /// Whether they are wanted.
        is_so: bool,
    },
    /// Finals are being played, and the ladder stands still, or not any more.
    FinalsUnderWay {
        /// Whether they are.
        is_so: bool,
    },
}

/// Who plays in finals, and what decides their boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    /// Which finals, from 1.
    pub number: u32,
    /// What decides their boards and lots: see [`finals`](crate::finals).
    pub seed: u64,
    /// What was drawn by lot at the freeze, in hexadecimal.
    pub lot: String,
    /// Who plays.
    pub versions: Vec<FrozenVersion>,
    /// Who meets whom.
    pub format: Format,
    /// What boards are made from.
    pub setup: String,
    /// How many boards a meeting has.
    pub boards: u64,
    /// How many random moves begin each board.
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

/// What came of judging a version.
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

/// What an organiser can let stand still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    /// Taking submissions.
    Submitting,
    /// Beginning games of the ladder.
    Ladder,
}
