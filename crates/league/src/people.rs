//! Who takes part in a league.

use floe_rules::text;
use serde::Serialize;
use thiserror::Error;

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

/// Somebody to invite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// Who.
    pub name: String,
    /// What they play as: their team, or they alone.
    pub entrant: String,
}

/// What is wrong with a list of people, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}:{column}: {cause}")]
pub struct ListError {
    /// The line, from 1.
    pub line: u64,
    /// The column of the table, from 1.
    pub column: usize,
    /// What is wrong, and what to do about it.
    pub cause: String,
}

/// Reads a list as spreadsheets write it: a name and, if they have one, a team on each line. A
/// first line that says `name,team` is left out.
///
/// ```
/// use floe_league::people::read_list;
/// let guests = read_list("name,team\nAda,owls\n\"Grace, jr.\",owls\nAlan\n")?;
/// let read: Vec<_> = guests.iter().map(|g| (g.name.as_str(), g.entrant.as_str())).collect();
/// assert_eq!(read, [("Ada", "owls"), ("Grace, jr.", "owls"), ("Alan", "Alan")]);
/// let error = read_list("Ada,owls\nAda,hawks\n").unwrap_err();
/// assert_eq!(error.to_string(), "2:1: Ada stands in the list twice");
/// # Ok::<(), floe_league::people::ListError>(())
/// ```
pub fn read_list(text: &str) -> Result<Vec<Guest>, ListError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let mut guests: Vec<Guest> = Vec::new();
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| ListError {
            line: error.position().map_or(1, csv::Position::line),
            column: 1,
            cause: error.to_string(),
        })?;
        let line = row.position().map_or(1, csv::Position::line);
        let fail = |column: usize, cause: String| ListError {
            line,
            column,
            cause,
        };
        let name = row.get(0).unwrap_or_default();
        let team = row.get(1).filter(|team| !team.is_empty());
        let is_heading = number == 0 && name.eq_ignore_ascii_case("name");
        if is_heading || row.iter().all(str::is_empty) {
            continue;
        }
        if row.len() > 2 && row.iter().skip(2).any(|more| !more.is_empty()) {
            let cause = "a line is a name and a team, and this has more".to_owned();
            return Err(fail(3, cause));
        }
        check_name(name).map_err(|cause| fail(1, cause))?;
        let entrant = team.unwrap_or(name);
        check_name(entrant).map_err(|cause| fail(2, cause))?;
        if guests.iter().any(|known| known.name == name) {
            return Err(fail(1, format!("{name} stands in the list twice")));
        }
        guests.push(Guest {
            name: name.to_owned(),
            entrant: entrant.to_owned(),
        });
    }
    Ok(guests)
}

/// Whether people and teams may be called so: pages, tables and commands show these names.
pub fn check_name(name: &str) -> Result<(), String> {
    let count = name.chars().count();
    if !(1..=40).contains(&count) || !name.chars().all(text::is_visible) || name.trim() != name {
        return Err("names have 1 to 40 visible characters, and no blank at the ends".to_owned());
    }
    match name.chars().find(|&c| matches!(c, '#' | '/' | '\\')) {
        Some(sign) => Err(format!(
            "names cannot have {sign} in them: owls#3 is version 3 of owls"
        )),
        None => Ok(()),
    }
}
