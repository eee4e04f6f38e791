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
//! | `description` | what `league.toml` says, and where it is wrong |
//! | `token`, `people` | who takes part, and what they prove it with |
//! | `versions` | what entrants have sent, and which of it plays |
//! | `event`, `journal` | what happened, kept so that a kill loses nothing |
//! | `standing` | what all events together came to |
//! | `folder` | the folder, and changes to it by several processes at once |
//! | `ladder` | who meets next, playing it, who stands where, and who is benched |
//! | `finals` | the freeze, its seed and what is played then |

pub mod description;
pub mod event;
pub mod finals;
pub mod folder;
pub mod journal;
pub mod ladder;
pub mod people;
pub mod standing;
pub mod time;
mod token;
pub mod versions;

pub use description::Description;
pub use event::{Entry, Event};
pub use folder::{League, LeagueError};
pub use standing::Standing;
pub use token::{Token, TokenHash};
pub use versions::{Version, VersionId, VersionState, Versions};
