//! Accepts submissions: checks them, stores them, records them in the journal, and queues them.

use floe_arena::amount::shown_bytes;
use floe_arena::seat::Protocol;
use floe_games::AnyGame;
use floe_sandbox::WorkFolder;
use thiserror::Error;

use crate::archive::{Upload, UploadError, check_name, check_path, unpack};
use crate::event::{Activity, Event};
use crate::folder::{League, LeagueError};
use crate::people::Participant;
use crate::recipe::PlanError;
use crate::state::LeagueState;
use crate::time;
use crate::token::Token;
use crate::versions::VersionId;

/// Longest label of a version, in characters.
const WORD: usize = 60;

/// A submission.
#[derive(Debug, Clone, Default)]
pub struct Submission {
    /// The name of the file.
    pub file: String,
    /// The contents of the file.
    pub bytes: Vec<u8>,
    /// The author's short description.
    pub word: Option<String>,
    /// The program's protocol, if not the league's default.
    pub protocol: Option<String>,
    /// The program among the files of an archive, if several are possible.
    pub main: Option<String>,
}

/// The reason why a submission is refused.
#[derive(Debug, Error)]
pub enum SubmitError {
    /// The token is unknown.
    #[error("unknown token; it may have been replaced: ask the organiser for a new one")]
    Stranger,
    /// Submissions are paused.
    #[error("submissions are paused; try again later")]
    Paused,
    /// The deadline has passed.
    #[error("submitting ended on {0} UTC")]
    Late(String),
    /// The day's quota is used up.
    #[error(
        "{quota} of {quota} versions of {entrant} sent today; the next one goes at 00:00 UTC, in {}",
        time::span(*wait_s)
    )]
    Quota {
        /// The entrant.
        entrant: String,
        /// Submissions allowed per day.
        quota: u32,
        /// Seconds until the next day.
        wait_s: u64,
    },
    /// The file is too large.
    #[error("{}", too_large(file, *bytes, *most))]
    TooLarge {
        /// The name of the file.
        file: String,
        /// The size of the file, in bytes.
        bytes: u64,
        /// The limit, in bytes.
        most: u64,
    },
    /// The file's name or format is not accepted.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// The league does not accept such programs.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The short description is not allowed.
    #[error("a label has up to {WORD} visible characters")]
    Word,
    /// An unknown protocol.
    #[error("there is no protocol {said}; there are {known}")]
    Protocol {
        /// The unknown protocol.
        said: String,
        /// The known protocols.
        known: String,
    },
    /// The league cannot be changed.
    #[error(transparent)]
    League(#[from] LeagueError),
}

/// The message for a file that is too large.
fn too_large(file: &str, bytes: u64, most: u64) -> String {
    let (mut has, mut may) = (shown_bytes(bytes), shown_bytes(most));
    if has == may {
        (has, may) = (format!("{bytes} bytes"), format!("{most} bytes"));
    }
    format!("{file} has {has}; {may} is the most. Leave out what the build does not need")
}

impl League {
    /// The participant with this token.
    pub fn participant(&self, token: &Token) -> Result<Participant, SubmitError> {
        let found = self.look(|standing| standing.people.holder(token).cloned())?;
        found.ok_or(SubmitError::Stranger)
    }

    /// Submits a participant's upload. When this returns, it is on the disk and in the queue, as
    /// this version.
    pub fn submit(
        &self,
        by: &Participant,
        submission: &Submission,
    ) -> Result<VersionId, SubmitError> {
        let rules = &self.description().submitting;
        check_name(&submission.file)?;
        let bytes = submission.bytes.len() as u64;
        if bytes > rules.size {
            let most = rules.size;
            let file = submission.file.clone();
            return Err(SubmitError::TooLarge { file, bytes, most });
        }
        if bytes == 0 {
            return Err(UploadError::Empty.into());
        }
        let upload = Upload::of(&submission.bytes);
        upload.check()?;
        if !rules.takes.is_all() {
            self.recipes()?.check_file(&submission.file, upload)?;
        }
        let word = submission.word.as_deref().map(str::trim);
        let word = word.filter(|word| !word.is_empty());
        if word.is_some_and(|word| {
            word.chars().count() > WORD || !word.chars().all(floe_rules::text::is_visible)
        }) {
            return Err(SubmitError::Word);
        }
        let main = submission.main.as_deref().map(str::trim);
        let main = main.filter(|main| !main.is_empty());
        if let Some(main) = main {
            check_path(main)?;
        }
        let protocol = submission
            .protocol
            .as_deref()
            .filter(|said| !said.is_empty());
        if let Some(said) = protocol {
            check_protocol(said, self.description().game)?;
        }
        self.look(|standing| self.may_submit(standing, &by.entrant))??;
        if upload.is_archive() {
            self.check_choice(submission, main)?;
        }
        let sha256 = self.keep_sent(&submission.file, &submission.bytes)?;
        // The second check returns refusals as a value, so that nothing is written.
        let taken = self.change(|standing| {
            if let Err(error) = self.may_submit(standing, &by.entrant) {
                return Ok((Vec::new(), Err(error)));
            }
            // The program is stored already, unless an equal one was just refused and removed.
            self.keep_sent(&submission.file, &submission.bytes)?;
            let version = standing.versions.next_of(&by.entrant);
            let event = Event::Submitted {
                version: version.clone(),
                by: by.name.clone(),
                file: submission.file.clone(),
                sha256: sha256.clone(),
                bytes,
                word: word.map(str::to_owned),
                protocol: protocol.map(str::to_owned),
                main: main.map(str::to_owned),
            };
            Ok((vec![event], Ok(version)))
        })?;
        if taken.is_err() {
            self.forget_program(&sha256)?;
        }
        taken
    }

    /// Asks for the program among an archive's files, if that is not clear: before the submission,
    /// so that it does not count towards the quota.
    fn check_choice(&self, submission: &Submission, main: Option<&str>) -> Result<(), SubmitError> {
        let Ok(work) = WorkFolder::private() else {
            return Ok(());
        };
        // An upload that cannot be unpacked is judged like any other.
        match unpack(
            &submission.file,
            &submission.bytes,
            self.description().submitting.unpack_limits(),
            work.path(),
        ) {
            Ok(_) => Ok(self.recipes()?.check_choice(work.path(), main)?),
            Err(_) => Ok(()),
        }
    }

    pub(crate) fn may_submit(
        &self,
        standing: &LeagueState,
        entrant: &str,
    ) -> Result<(), SubmitError> {
        let rules = &self.description().submitting;
        if standing.is_paused(Activity::Submitting) {
            return Err(SubmitError::Paused);
        }
        let now = time::now();
        if let Some(until) = rules.until.filter(|until| now > *until) {
            return Err(SubmitError::Late(time::write(until)));
        }
        let today = now / time::DAY;
        let versions = standing.versions.of(entrant).iter().rev();
        let sent = versions.take_while(|version| version.sent / time::DAY == today);
        if sent.count() as u64 >= u64::from(rules.quota) {
            return Err(SubmitError::Quota {
                entrant: entrant.to_owned(),
                quota: rules.quota,
                wait_s: time::DAY - now % time::DAY,
            });
        }
        Ok(())
    }
}

/// Checks that a game's programs may use this protocol.
fn check_protocol(said: &str, game: &dyn AnyGame) -> Result<(), SubmitError> {
    let word = format!("{said}:./bot");
    let (protocol, rest) = Protocol::of(&word, game);
    let is_known = rest == "./bot"
        && match protocol {
            Protocol::Line => said == "line",
            Protocol::Contest(dialect) => said == dialect,
        };
    if is_known {
        return Ok(());
    }
    let mut known = vec!["line"];
    known.extend(game.dialects());
    Err(SubmitError::Protocol {
        said: said.to_owned(),
        known: known.join(", "),
    })
}
