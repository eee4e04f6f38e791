//! The pages of Floe: play, watch, replay and analyse in a browser.
//!
//! [`app`] is the whole site as a router, so that tests need no socket; [`serve`] listens on one.
//! Pages can be read without a script. Scripts draw boards to play on, from the JSON that the same
//! functions serve under `/api/v1`. No game is named here: boards are drawn from
//! [`View`](floe_rules::View), moves are made from [`Choice`](floe_rules::Choice)s.
//!
//! | module | what it decides |
//! |---|---|
//! | `token`, `client`, `access`, `guard` | clients, their permissions, and requests refused before any page |
//! | `begin` | games that people begin |
//! | `engine_pool`, `round_robin` | engines in threads of their own, fairly shared |
//! | `evaluations` | recorded games that engines evaluate, once for all visitors |
//! | `hosted` | games of people: clocks, records |
//! | `contests` | contests of the folder, opened once and followed |
//! | `tables` | games in progress: of people here, and of other processes |
//! | `league_service` | the league of the folder: submissions, and judging them |
//! | `qr` | addresses as QR codes |
//! | `plots` | figures as pages draw them; boards, games and answers as JSON are `floe_games::json` |
//! | `report`, `site` | a report as one page; the pages that need no server, as a folder |
//! | `feed`, `live` | games for watchers: first the state, then changes; live events |
//! | `language` | the language of a page, and its texts in it |
//! | `machines` | workers of a cluster, supplied by the program that serves the pages |
//! | `pages`, `api`, `assets`, `embedded`, `shrink`, `starters`, `error`, `refusals` | the answers |
//! | `server` | the socket |

mod access;
mod api;
mod assets;
mod begin;
mod client;
mod contests;
mod embedded;
mod engine_pool;
mod error;
mod evaluations;
mod feed;
mod guard;
mod hosted;
mod language;
mod league_service;
mod live;
mod machines;
mod pages;
mod plots;
mod qr;
mod rates;
mod refusals;
mod report;
mod round_robin;
mod routes;
mod server;
mod shrink;
mod site;
mod starters;
mod state;
mod tables;
mod token;

pub use assets::{has_module, use_module};
pub use machines::{
    ContestShare, MachineAction, MachineSource, Machines, WorkerLine, WorkerSpeed, WorkerState,
};
pub use report::{ReportError, ReportSettings, ReportedFinals, report};
pub use routes::app;
pub use server::serve;
pub use site::{SiteError, SiteFile, host as host_site, site};
pub use state::{App, Settings};
