//! Who takes part in a league.

use serde::Serialize;

use crate::token::{Token, TokenHash};

/// Somebody who was let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Participant {
    /// Who.
    pub name: String,
    /// What they play as: their team, or they alone.
    pub entrant: String,
    /// What their token must hash to.
    #[serde(skip)]
    pub token: TokenHash,
    /// When they got it, in seconds since 1970.
    pub invited: u64,
}

/// Everybody who was let in.
#[derive(Debug, Clone, Default)]
pub struct People(Vec<Participant>);

impl People {
    /// Lets somebody in; who is there already gets the new token, and the old one ends.
    pub(crate) fn invite(&mut self, person: Participant) {
        match self.0.iter_mut().find(|known| known.name == person.name) {
            Some(known) => *known = person,
            None => self.0.push(person),
        }
    }

    /// Everybody, in the order in which they were first let in.
    pub fn all(&self) -> &[Participant] {
        &self.0
    }

    /// Somebody by name.
    pub fn named(&self, name: &str) -> Option<&Participant> {
        self.0.iter().find(|person| person.name == name)
    }

    /// Whose token this is.
    pub fn holder(&self, token: &Token) -> Option<&Participant> {
        let hash = token.hash();
        self.0.iter().find(|person| person.token == hash)
    }

    /// The names of all entrants, each once, in the order in which they came.
    pub fn entrants(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for person in &self.0 {
            if !names.contains(&person.entrant.as_str()) {
                names.push(&person.entrant);
            }
        }
        names
    }
}
