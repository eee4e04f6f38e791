//! The organiser's request for finals; missing parts get defaults.

use floe_arena::tournament::{Format, FormatName};

use super::{FinalsError, Freeze, freeze_with};
use crate::folder::{League, LeagueError};
use crate::ladder::LadderTable;

/// The most boards of a meeting, and the most rounds.
const BOARDS: u64 = 100_000;
const ROUNDS: u64 = 10_000;

/// The organiser's request for finals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FinalsRequest {
    /// The tournament format.
    pub format: FormatName,
    /// Boards of a meeting; default: as the league's description states.
    pub boards: Option<u64>,
    /// Rounds of a Swiss tournament; default: as many as a knockout would have.
    pub rounds: Option<u64>,
    /// The challengers, who meet all others in a gauntlet; default: the first of the ladder.
    pub challengers: Vec<String>,
    /// The expected number of the finals, so that a repeated request starts only one.
    pub number: Option<u32>,
}

impl FinalsRequest {
    /// Freezes the requested finals: see [`freeze`](super::freeze).
    pub fn freeze(&self, league: &League) -> Result<Freeze, FinalsError> {
        for (what, said, most) in [
            ("boards", self.boards, BOARDS),
            ("rounds", self.rounds, ROUNDS),
        ] {
            if said.is_some_and(|said| !(1..=most).contains(&said)) {
                return Err(FinalsError::Range { what, most });
            }
        }
        if self.rounds.is_some() && self.format != FormatName::Swiss {
            return Err(FinalsError::Rounds);
        }
        if !self.challengers.is_empty() && self.format != FormatName::Gauntlet {
            return Err(FinalsError::NoGauntlet);
        }
        let mut first = self.challengers.clone();
        let format = match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Knockout => Format::Knockout,
            FormatName::Swiss => Format::Swiss {
                rounds: match self.rounds {
                    Some(rounds) => rounds,
                    None => default_rounds(league)?,
                },
            },
            FormatName::Gauntlet => {
                if first.is_empty() {
                    first.extend(leader(league)?);
                }
                let challengers = first.len();
                Format::Gauntlet { challengers }
            }
        };
        freeze_with(league, format, self.boards, &first, self.number)
    }
}

/// The number of rounds of a knockout between the present entrants.
fn default_rounds(league: &League) -> Result<u64, LeagueError> {
    let entrants = league.look(|standing| standing.versions.all_current().count())?;
    Ok(u64::from(entrants.next_power_of_two().ilog2()).max(1))
}

/// The first entrant of the ladder whose program is on this machine.
fn leader(league: &League) -> Result<Option<String>, LeagueError> {
    let table = LadderTable::open_read_only(league)?;
    let first = table.current().find(|version| !version.is_remote);
    Ok(first.map(|version| version.id.entrant.clone()))
}
