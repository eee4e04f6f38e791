use floe_arena::Boards;
use floe_arena::tournament::parts::{Wrong, wrong};
use floe_games::AnyGame;
use serde::Deserialize;
use toml::Spanned;

/// Longest place of finals, in characters.
const LONGEST_PLACE: usize = 100;

/// Default settings of finals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalsSettings {
    /// The setup of the boards, if not the ladder's.
    pub setup: Option<String>,
    /// Boards of a meeting.
    pub boards: u64,
    /// The place of the finals, for the report.
    pub place: Option<String>,
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct FinalsText {
    setup: Option<Spanned<String>>,
    boards: Option<Spanned<u64>>,
    place: Option<Spanned<String>>,
}

impl FinalsText {
    pub(super) fn read(
        &self,
        game: &'static dyn AnyGame,
        table: usize,
    ) -> Result<FinalsSettings, Wrong> {
        if let Some(setup) = &self.setup {
            let boards = Boards::made_for(game, setup.get_ref(), 1, table);
            boards.map_err(|error| wrong(setup.span(), error.to_string(), ""))?;
        }
        let boards = match &self.boards {
            Some(said) if !(1..=100_000).contains(said.get_ref()) => {
                return Err(wrong(said.span(), "boards are 1 to 100000", ""));
            }
            said => said.as_ref().map_or(10, |said| *said.get_ref()),
        };
        let place = self.place.as_ref();
        if let Some(said) = place.filter(|said| said.get_ref().chars().count() > LONGEST_PLACE) {
            let help = "name a room and a town";
            return Err(wrong(
                said.span(),
                "a place has at most 100 characters",
                help,
            ));
        }
        Ok(FinalsSettings {
            place: place.map(|place| place.get_ref().trim().to_owned()),
            setup: self.setup.as_ref().map(|setup| setup.get_ref().clone()),
            boards,
        })
    }
}
