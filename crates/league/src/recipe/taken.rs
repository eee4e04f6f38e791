//! The kinds of uploads a league accepts.

use floe_rules::text::quoted;
use thiserror::Error;

use super::{OWN, Recipe};

/// The name for executable uploads.
pub const READY_MADE: &str = "ready-made";

/// The kinds of uploads a league accepts: names of recipes, [`OWN`] and [`READY_MADE`]. All by
/// default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken(Option<Vec<String>>);

/// The upload's kind is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what} not taken in this league; taken {}", listed(taken))]
pub struct NotTaken {
    /// The kind, and `is` or `are`.
    what: String,
    taken: Vec<String>,
}

impl Taken {
    /// Every kind is accepted.
    pub const ALL: Taken = Taken(None);

    /// Reads these names, ignoring case. Returns the first unknown one, with a sentence that lists
    /// the known ones.
    pub fn read<'a>(
        names: impl IntoIterator<Item = &'a str>,
        recipes: &[Recipe],
    ) -> Result<Taken, (usize, String)> {
        let recipes = recipes.iter().map(|recipe| recipe.name.as_str());
        let mut known: Vec<&str> = Vec::new();
        for name in recipes.chain([OWN, READY_MADE]) {
            if !known.contains(&name) {
                known.push(name);
            }
        }
        let mut taken: Vec<String> = Vec::new();
        for (at, name) in names.into_iter().enumerate() {
            let mut alike = known.iter().filter(|one| one.eq_ignore_ascii_case(name));
            match alike.next() {
                Some(one) if taken.iter().any(|known| known == one) => {}
                Some(&one) => taken.push(one.to_owned()),
                None => {
                    let known = known.join(", ");
                    let cause = format!("there is no recipe {}; there are {known}", quoted(name));
                    return Err((at, cause));
                }
            }
        }
        Ok(Taken(Some(taken)))
    }

    /// Whether all kinds are accepted.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Whether this name is accepted.
    pub fn has(&self, name: &str) -> bool {
        match &self.0 {
            None => true,
            Some(taken) => taken.iter().any(|one| one == name),
        }
    }

    /// The accepted names; empty if everything is accepted.
    pub fn names(&self) -> &[String] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Refuses a kind that is not accepted.
    pub(super) fn check(&self, name: &str) -> Result<(), NotTaken> {
        match self.has(name) {
            true => Ok(()),
            false => Err(self.refusal(match name {
                READY_MADE => "programs that are ready to run are".to_owned(),
                name => format!("{name} is"),
            })),
        }
    }

    /// The error for a kind that is not accepted.
    pub(super) fn refusal(&self, what: String) -> NotTaken {
        let taken = self.names().to_vec();
        NotTaken { what, taken }
    }
}

fn listed(taken: &[String]) -> String {
    match taken {
        [only] => format!("is {only}"),
        several => format!("are {}", several.join(", ")),
    }
}
