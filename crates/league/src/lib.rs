//! Leagues: people submit programs, see at once whether they work, climb a ladder and meet in
//! finals.
//!
//! A [`League`] is a folder. The organiser writes its [`Description`]; every change is an [`Event`]
//! in its journal, which is appended to and never changed. Records of games and the journal are the
//! truth: everything else about a league is computed from them.
//!
//! The modules, each built on those above it:
//!
//! | module | content |
//! |---|---|
//! | `archive` | uploads, unpacked with suspicion |
//! | `recipe` | how source becomes a program, and which languages are accepted |
//! | `description` | `league.toml`, and its errors |
//! | `paths` | texts without this machine's paths |
//! | `token`, `people` | participants and their tokens |
//! | `versions` | submitted versions, and which of them play |
//! | `event`, `journal` | all events, stored so that a kill loses nothing |
//! | `standing` | the state after all events |
//! | `folder` | the folder, and changes to it by several processes at once |
//! | `invitation`, `membership` | inviting people; leaving, other names and teams |
//! | `build_sandbox`, `build` | the sandbox for untrusted programs, and building in it |
//! | `programs` | uploads and programs, by content |
//! | `submission`, `queue`, `judge` | accepting uploads, their order, and verdicts |
//! | `ladder` | choosing and playing meetings, standings, suspensions |
//! | `remote` | remote programs |
//! | `finals` | the freeze, its seed and the games |

pub mod archive;
pub mod build;
mod build_sandbox;
pub mod description;
pub mod event;
pub mod finals;
pub mod folder;
pub mod invitation;
pub mod journal;
pub mod judge;
pub mod ladder;
pub mod membership;
pub mod paths;
pub mod people;
pub mod programs;
pub mod queue;
pub mod recipe;
pub mod remote;
pub mod starter;
pub mod state;
pub mod submission;
pub mod time;
mod token;
pub mod versions;

pub use build_sandbox::BuildSandbox;
pub use description::Description;
pub use event::{Entry, Event};
pub use folder::{League, LeagueError};
pub use judge::{Judge, JudgeError, JudgeEvent};
pub use recipe::{Recipe, Recipes};
pub use state::LeagueState;
pub use submission::{Submission, SubmitError};
pub use token::{Token, TokenHash};
pub use versions::{Version, VersionId, VersionState, Versions};
