//! The pages of Floe: play, watch, replay and analyse in a browser.
//!
//! [`app`] is the whole place as a router, so that tests need no socket; [`serve`] puts it on one.
//! Pages are read without a script; scripts make boards that one can play on, from the JSON that the
//! same functions give under `/api/v1`. No game is named here: boards are drawn from
//! [`View`](floe_rules::View), moves are made from [`Choice`](floe_rules::Choice)s.
//!
//! | module | what it decides |
//! |---|---|
//! | `token`, `asker`, `access`, `guard` | who asks, who may do what, what is refused before any page |
//! | `begin` | games that people begin |
//! | `thoughts`, `turns` | engines in threads of their own, fairly shared |
//! | `evaluations` | recorded games that engines look at, once for everybody |
//! | `hall` | games of people: tables, clocks, records |
//! | `contests` | contests of the folder, opened once and followed |
//! | `tables` | games under way: of people here, and of other processes |
//! | `office` | the league of the folder: what is sent to it, and judging that |
//! | `qr` | addresses as pictures that phones read |
//! | `plots` | figures as pages draw them; boards, games and answers as JSON are `floe_games::json` |
//! | `report`, `site` | one page to keep; all pages that need no server, as a folder |
//! | `feed`, `live` | games as watchers get them: whole, then by changes; events as they happen |
//! | `language` | the language of a page, and its texts in it |
//! | `machines` | workers of a cluster, as the program around the pages gives them |
//! | `pages`, `api`, `assets`, `embedded`, `starters`, `error`, `refusals` | what is answered |
//! | `server` | the socket |

mod access;
mod api;
mod asker;
mod assets;
mod begin;
mod contests;
mod embedded;
mod error;
mod evaluations;
mod feed;
mod guard;
mod hall;
mod language;
mod live;
mod machines;
mod office;
mod pages;
mod plots;
mod qr;
mod rates;
mod refusals;
mod report;
mod routes;
mod server;
mod site;
mod starters;
mod state;
mod tables;
mod thoughts;
mod token;
mod turns;

pub use assets::{has_module, use_module};
pub use machines::{ContestShare, MachineSource, Machines, WorkerLine};
pub use report::{ReportError, ReportSettings, ReportedFinals, report};
pub use routes::app;
pub use server::serve;
pub use site::{SiteError, SiteFile, host as host_site, site};
pub use state::{App, Settings};
