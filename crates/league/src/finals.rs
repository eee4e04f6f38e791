//! Finals: the accepted versions, frozen, in a tournament on unseen boards.
//!
//! At the freeze the league draws a random number, and writes it into the journal with the versions
//! that play and the hashes of their files. The seed of the boards follows from both: it is the
//! first twelve digits of the SHA-256 of the number and of a line `VERSION HASH` for each version,
//! in their order. So the boards are unknown before the freeze, no version can be exchanged after
//! it, and any reader of the journal can compute the seed and verify the boards.
//!
//! The finals are an ordinary tournament with records of its own, `finals-1.jsonl`.
//!
//! | module | content |
//! |---|---|
//! | `wish` | the organiser's request, and its defaults |
//! | `playing` | playing, while the ladder is paused |
//! | `beside` | the same in a thread of its own, at the organiser's request |

mod background;
mod playing;
mod request;

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use floe_arena::runner::{NamedSeat, RunnerError};
use floe_arena::schedule::Stay;
use floe_arena::standings::Standings;
use floe_arena::tournament::{Description, EXTRA_BOARDS, Format, Tournament, TournamentError};
use floe_arena::{Boards, BoardsError, journal};
use floe_games::record::ReadError;
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use self::background::{BackgroundFinals, FinalsFailure};
pub use self::playing::{are_over, note_end, play};
pub use self::request::FinalsRequest;
pub use crate::event::{Freeze, FrozenVersion};

use crate::description::Description as LeagueDescription;
use crate::event::Event;
use crate::folder::{League, LeagueError};
use crate::ladder::seat_of;

/// Hexadecimal digits of the seed: few enough for every number type in which a program may store
/// it.
const SEED_DIGITS: usize = 12;
/// Bytes of the lot.
const LOT: usize = 16;

/// The reason why finals cannot be played or checked.
#[derive(Debug, Error)]
pub enum FinalsError {
    /// The league cannot be read or written.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// Too few take part.
    #[error(
        "finals need at least {table} entrants with an accepted version, and there are {entrants}"
    )]
    TooFew {
        /// Entrants.
        entrants: usize,
        /// Seats per game.
        table: usize,
    },
    /// The boards of the ladder are files.
    #[error(
        "the boards of this league are files, which are public; name the setup of new ones \
         in league.toml: [finals] setup = \"…\""
    )]
    SeenBoards,
    /// A named challenger has no version to freeze.
    #[error("{} has no current version, so it cannot be a challenger", floe_rules::text::quoted(.0))]
    Challenger(String),
    /// Too many challengers.
    #[error(
        "{challengers} challengers of {entrants} entrants are too many: their opponents must fill the other seats"
    )]
    Challengers {
        /// Entrants.
        entrants: usize,
        /// Number of challengers among these entrants.
        challengers: usize,
    },
    /// Swiss tournaments and knockouts are for two.
    #[error("swiss tournaments and knockouts need two seats per game, and this league has {0}")]
    Table(usize),
    /// Finals with this number are frozen already.
    #[error("finals {0} are frozen already: look at them before others begin")]
    Frozen(u32),
    /// The format has no rounds.
    #[error("only a swiss tournament has rounds")]
    Rounds,
    /// The format has no challengers.
    #[error("only a gauntlet has challengers")]
    NoGauntlet,
    /// Too few or too many.
    #[error("{what} are 1 to {most}")]
    Range {
        /// The missing thing.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// The system gives no lot.
    #[error("cannot draw a random seed: {0}")]
    Lot(String),
    /// A program is missing.
    #[error("{0} cannot be started: its program is not in the league's folder any more")]
    NoProgram(String),
    /// No boards can be made.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// The tournament cannot be played.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The games cannot be played.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// The records cannot be read.
    #[error("{file}:{cause}")]
    Records {
        /// The file.
        file: String,
        /// The reason.
        cause: ReadError,
    },
}

impl FinalsError {
    /// The worker whose spot checks failed, if that is the error.
    pub fn deviating_worker(&self) -> Option<&str> {
        let (FinalsError::Runner(error) | FinalsError::Tournament(TournamentError::Runner(error))) =
            self
        else {
            return None;
        };
        match error {
            RunnerError::Deviates { worker, .. } => Some(worker),
            _ => None,
        }
    }
}

/// Fixes the versions and draws the seed; both are in the journal when this returns.
pub fn freeze(league: &League, format: Format, boards: Option<u64>) -> Result<Freeze, FinalsError> {
    freeze_with(league, format, boards, &[], None)
}

/// Freezes these entrants before all others, if the finals get this number.
fn freeze_with(
    league: &League,
    format: Format,
    boards: Option<u64>,
    first: &[String],
    number: Option<u32>,
) -> Result<Freeze, FinalsError> {
    let description = league.description();
    let table = description.table;
    if table != 2 && matches!(format, Format::Swiss { .. } | Format::Knockout) {
        return Err(FinalsError::Table(table));
    }
    let settings = &description.finals;
    let setup = settings.setup.as_deref().or(description.boards.setup());
    let setup = setup.ok_or(FinalsError::SeenBoards)?.to_owned();
    let openings = opening_moves(description, &setup)?;
    let mut bytes = [0; LOT];
    getrandom::fill(&mut bytes).map_err(|error| FinalsError::Lot(error.to_string()))?;
    let lot = HEXLOWER.encode(&bytes);
    league.change(|standing| {
        let current = standing.versions.all_current();
        let mut versions: Vec<FrozenVersion> = current
            .map(|version| FrozenVersion {
                version: version.id.clone(),
                sha256: version.sha256.clone(),
            })
            .collect();
        let refuse = |error| Ok((Vec::new(), Err(error)));
        let next = standing.finals.len() as u32 + 1;
        if number.is_some_and(|number| number != next) {
            return refuse(FinalsError::Frozen(next - 1));
        }
        let entrants = versions.len();
        if entrants < table {
            return refuse(FinalsError::TooFew { entrants, table });
        }
        for name in first {
            if !versions.iter().any(|one| one.version.entrant == *name) {
                return refuse(FinalsError::Challenger(name.clone()));
            }
        }
        if let Format::Gauntlet { challengers } = format
            && (challengers == 0 || challengers + table - 1 > entrants)
        {
            return refuse(FinalsError::Challengers {
                entrants,
                challengers,
            });
        }
        versions.sort_by_key(|one| {
            let place = first.iter().position(|name| one.version.entrant == *name);
            place.unwrap_or(first.len())
        });
        let freeze = Freeze {
            number: next,
            seed: seed(&lot, &versions),
            lot,
            versions,
            format,
            setup,
            boards: boards.unwrap_or(settings.boards),
            openings,
        };
        Ok((vec![Event::Frozen(freeze.clone())], Ok(freeze)))
    })?
}

/// The text that the seed is computed from: the random number, then a line for every version.
pub fn drawn_from(lot: &str, versions: &[FrozenVersion]) -> String {
    let mut text = format!("{lot}\n");
    for FrozenVersion { version, sha256 } in versions {
        let _ = writeln!(text, "{version} {sha256}");
    }
    text
}

/// The seed of a random number and the versions that play.
///
/// ```
/// use floe_league::finals::{FrozenVersion, seed};
/// let owls = FrozenVersion { version: "owls#3".parse()?, sha256: "ab12".into() };
/// // printf '00ff\nowls#3 ab12\n' | sha256sum | cut -c1-12
/// assert_eq!(format!("{:012x}", seed("00ff", &[owls])), "08f25229e001");
/// # Ok::<(), floe_league::versions::NotAVersion>(())
/// ```
pub fn seed(lot: &str, versions: &[FrozenVersion]) -> u64 {
    let digest = HEXLOWER.encode(&Sha256::digest(drawn_from(lot, versions)));
    u64::from_str_radix(&digest[..SEED_DIGITS], 16).unwrap_or_default()
}

/// The description of the finals' tournament.
pub fn description(league: &League, freeze: &Freeze) -> Result<Description, FinalsError> {
    let described = league.description();
    let mut entrants: Vec<NamedSeat> = Vec::new();
    for FrozenVersion { version, .. } in &freeze.versions {
        let found = league.look(|standing| standing.versions.find(version).cloned())?;
        let seat = found.and_then(|found| seat_of(league, &found));
        entrants.push(seat.ok_or_else(|| FinalsError::NoProgram(version.to_string()))?);
    }
    Ok(Description {
        name: format!("finals-{}", freeze.number),
        file: described.file.clone(),
        game: described.game,
        format: freeze.format,
        extra: EXTRA_BOARDS,
        table: described.table,
        seed: freeze.seed,
        stays: vec![Stay::default(); entrants.len()],
        entrants,
        boards: boards(league, freeze)?,
        count: freeze.boards,
        limits: described.limits.clone(),
        sandbox: described.sandbox,
        machine_speed: described.machine_speed.clone(),
        concurrency: described.ladder.concurrency,
        anchor: None,
        records: league.finals_file(freeze.number),
    })
}

fn boards(league: &League, freeze: &Freeze) -> Result<Boards, BoardsError> {
    let described = league.description();
    let boards = Boards::made_for(described.game, &freeze.setup, freeze.seed, described.table)?;
    Ok(boards.with_drawn_openings(freeze.openings))
}

/// Number of random opening moves for boards of finals. A league's file of openings is public, so
/// the number is the one that suits the game.
fn opening_moves(described: &LeagueDescription, setup: &str) -> Result<u32, BoardsError> {
    let boards = Boards::made_for(described.game, setup, 1, described.table)?;
    let (start, _) = boards.open(0)?;
    let openings = described.boards.openings();
    Ok(openings.drawn_moves(described.game, &*start))
}

/// Opens finals to play, or to resume.
pub fn open(league: &League, freeze: &Freeze) -> Result<Tournament, FinalsError> {
    Ok(Tournament::open(description(league, freeze)?, false)?)
}

/// The results of finals, even while they are played.
pub fn results(league: &League, freeze: &Freeze) -> Result<Standings, FinalsError> {
    Ok(Tournament::open_read_only(description(league, freeze)?)?.standings())
}

/// The errors of finals, in sentences. Checks that the seed follows from the random number and the
/// versions, that every game was played on a board of the seed by frozen versions, and that every
/// move was legal. Needs the journal and the records, not the programs.
pub fn check(league: &League, freeze: &Freeze) -> Result<Vec<String>, FinalsError> {
    let mut problems = Vec::new();
    let computed = seed(&freeze.lot, &freeze.versions);
    if computed != freeze.seed {
        problems.push(format!(
            "the seed should be {computed}, and the journal says {}",
            freeze.seed
        ));
    }
    league.look(|standing| {
        for FrozenVersion { version, sha256 } in &freeze.versions {
            let sent = standing.versions.find(version);
            if sent.is_none_or(|sent| sent.sha256 != *sha256) {
                problems.push(format!("{version} was not sent as it was frozen"));
            }
        }
    })?;
    let file = league.finals_file(freeze.number);
    let boards = boards(league, freeze)?;
    let failed = |cause: ReadError| FinalsError::Records {
        file: file.display().to_string(),
        cause,
    };
    if !file.exists() {
        return Ok(problems);
    }
    for record in journal::read_file(&file).map_err(|e| failed(ReadError::File(e)))? {
        let record = record.map_err(failed)?;
        let id = &record.opening.id;
        if let Err(mismatch) = record.verify() {
            problems.push(format!("game {id}: {mismatch}"));
        }
        let number = record
            .opening
            .seed
            .and_then(|seed| seed.checked_sub(freeze.seed));
        let is_of_seed = number.map(|number| boards.is_of_board(number, &record.opening));
        if !is_of_seed.transpose()?.unwrap_or(false) {
            problems.push(format!("game {id} was not played on a board of the seed"));
        }
        let names: Vec<String> = (freeze.versions.iter())
            .map(|frozen| frozen.version.to_string())
            .collect();
        for entrant in &record.opening.seats {
            if !names.contains(&entrant.name) {
                problems.push(format!("game {id}: {} was not frozen", entrant.name));
            }
        }
    }
    Ok(problems)
}
