//! Leagues: people send programs, learn at once whether they work, climb a ladder and meet in
//! finals.
//!
//! A [`League`] is a folder. What the organiser writes is its [`Description`]; everything that
//! happens is an [`Event`] in its journal, which is appended to and never changed. Records of games
//! and the journal are the truth: whatever else is known about a league is made from them.
//!
//! In the order things stand on each other:
//!
//! | module | what it decides |
//! |---|---|
//! | `archive` | what people send, unpacked with suspicion |
//! | `recipe` | how source becomes something to run, and which is taken |
//! | `description` | what `league.toml` says, and where it is wrong |
//! | `paths` | texts without where things lie on this machine |
//! | `token`, `people` | who takes part, and what they prove it with |
//! | `versions` | what entrants have sent, and which of it plays |
//! | `event`, `journal` | what happened, kept so that a kill loses nothing |
//! | `standing` | what all events together came to |
//! | `folder` | the folder, and changes to it by several processes at once |
//! | `invitation`, `membership` | letting people in; leaving, other names and teams |
//! | `workshop`, `build` | the sandbox for strangers, and building in it |
//! | `programs` | what was sent and built, by content |
//! | `submission`, `queue`, `judge` | taking what is sent, who is next, and what comes of it |
//! | `ladder` | who meets next, playing it, who stands where, and who is benched |
//! | `remote` | programs that play from home |
//! | `finals` | the freeze, its seed and what is played then |

pub mod archive;
pub mod build;
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
pub mod standing;
pub mod starter;
pub mod submission;
pub mod time;
mod token;
pub mod versions;
mod workshop;

pub use description::Description;
pub use event::{Entry, Event};
pub use folder::{League, LeagueError};
pub use judge::{Judge, JudgeError, Progress};
pub use recipe::{Recipe, Recipes};
pub use standing::Standing;
pub use submission::{Submission, SubmitError};
pub use token::{Token, TokenHash};
pub use versions::{Version, VersionId, VersionState, Versions};
pub use workshop::Workshop;
