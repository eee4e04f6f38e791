use crate::record::Opening;
use crate::{AnyGame, Table};

/// What is played on: starting positions that follow from a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boards {
    /// Where they come from.
    pub starts: Starts,
    /// How many a meeting has, each played in every order of the seats: in a round-robin or
    /// gauntlet how often the same meet, in a swiss tournament the boards of a table in one
    /// round, in a knockout the boards of a match.
    pub count: u64,
}

/// Where starting positions come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Starts {
    /// The board of number `n` is made from the seed plus `n`.
    Made {
        /// The setup, written out.
        setup: String,
        /// The seed of the first.
        seed: u64,
    },
    /// Names and positions, taken in turn.
    Files(Vec<(String, String)>),
}

impl Boards {
    /// The position of this number, and an opening that says where it comes from.
    pub(super) fn start(
        &self,
        game: &'static dyn AnyGame,
        number: u64,
    ) -> Result<(Box<dyn Table>, Opening), String> {
        let mut opening = Opening::default();
        let table = match &self.starts {
            Starts::Made { setup, seed } => {
                let seed = seed.wrapping_add(number);
                opening.setup = Some(setup.clone());
                opening.seed = Some(seed);
                game.start(setup, seed).map_err(|error| error.to_string())?
            }
            Starts::Files(files) => {
                let (name, text) = &files[(number % files.len() as u64) as usize];
                opening.board = Some(name.clone());
                game.read(text).map_err(|error| error.to_string())?
            }
        };
        opening.start = table.write();
        Ok((table, opening))
    }
}
