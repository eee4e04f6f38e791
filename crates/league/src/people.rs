//! The participants of a league.

use floe_rules::text;
use serde::Serialize;
use thiserror::Error;

use crate::token::{Token, TokenHash};

/// A participant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Participant {
    /// The person.
    pub name: String,
    /// The person's entrant: a team, or the person alone.
    pub entrant: String,
    /// The hash of the person's token.
    #[serde(skip)]
    pub token: TokenHash,
    /// When the person got the token, in seconds since 1970.
    pub invited: u64,
}

/// All participants.
#[derive(Debug, Clone, Default)]
pub struct People(Vec<Participant>);

impl People {
    /// Adds a person, or gives an existing one a new token, which makes the old one invalid.
    pub(crate) fn invite(&mut self, person: Participant) {
        match self.0.iter_mut().find(|known| known.name == person.name) {
            Some(known) => *known = person,
            None => self.0.push(person),
        }
    }

    /// Removes a person.
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|person| person.name != name);
    }

    /// Gives a person another name, or another entrant.
    pub(crate) fn change(&mut self, person: &str, name: Option<&str>, entrant: &str) {
        if let Some(known) = self.0.iter_mut().find(|known| known.name == person) {
            known.name = name.unwrap_or(person).to_owned();
            known.entrant = entrant.to_owned();
        }
    }

    /// All participants, in the order of their first invitation.
    pub fn all(&self) -> &[Participant] {
        &self.0
    }

    /// A participant by name.
    pub fn named(&self, name: &str) -> Option<&Participant> {
        self.0.iter().find(|person| person.name == name)
    }

    /// The participant with this token.
    pub fn holder(&self, token: &Token) -> Option<&Participant> {
        let hash = token.hash();
        self.0.iter().find(|person| person.token == hash)
    }

    /// The names of all entrants, each once, in order of arrival.
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

/// A person to invite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// The person.
    pub name: String,
    /// The person's entrant: a team, or the person alone.
    pub entrant: String,
}

/// An error in a list of people, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}:{column}: {cause}")]
pub struct ListError {
    /// The line, from 1.
    pub line: u64,
    /// The column of the table, from 1.
    pub column: usize,
    /// The error, and how to fix it.
    pub cause: String,
}

/// The columns of a list.
#[derive(Debug, Clone, Copy)]
struct Columns {
    name: usize,
    team: Option<usize>,
    /// Whether a heading named the columns: unknown columns are then ignored.
    are_said: bool,
}

/// Accepted column names.
const NAMES: [&str; 6] = [
    "name",
    "names",
    "person",
    "participant",
    "student",
    "full name",
];
const TEAMS: [&str; 5] = ["team", "teams", "group", "entrant", "plays as"];

impl Columns {
    /// The columns of a heading; `None` if the row is no heading.
    fn of_heading(row: &csv::StringRecord) -> Option<Columns> {
        let find = |known: &[&str]| {
            let is_it = |cell: &str| known.iter().any(|one| cell.eq_ignore_ascii_case(one));
            row.iter().position(is_it)
        };
        let name = find(&NAMES)?;
        Some(Columns {
            name,
            team: find(&TEAMS).or((name == 0).then_some(1)),
            are_said: true,
        })
    }
}

/// The separator of columns: a tab or a semicolon if the first line with a separator has one, since
/// names may contain commas.
fn delimiter(text: &str) -> u8 {
    let signs = |line: &str| -> Vec<char> {
        let mut is_quoted = false;
        let signs = line.chars().filter(|&c| {
            is_quoted ^= c == '"';
            !is_quoted && matches!(c, ',' | ';' | '\t')
        });
        signs.collect()
    };
    let first = text.lines().map(signs).find(|signs| !signs.is_empty());
    let first = first.unwrap_or_default();
    let has = |sign: &&u8| first.contains(&char::from(**sign));
    b"\t;".iter().find(has).copied().unwrap_or(b',')
}

/// Reads a list as spreadsheets write it: a name and, if they have one, a team on each line, with
/// commas, semicolons or tabs between them. A heading such as `name,team` may say which column has
/// what, and others are left out then.
///
/// ```
/// use floe_league::people::read_list;
/// let read = |text| -> Result<Vec<(String, String)>, floe_league::people::ListError> {
///     Ok(read_list(text)?.into_iter().map(|guest| (guest.name, guest.entrant)).collect())
/// };
/// let pair = |name: &str, team: &str| (name.to_owned(), team.to_owned());
/// let guests = read("name,team\nAda,owls\n\"Grace, jr.\",owls\nAlan\n")?;
/// assert_eq!(guests, [pair("Ada", "owls"), pair("Grace, jr.", "owls"), pair("Alan", "Alan")]);
/// let guests = read("\u{feff}Number;Team;Student\r\n1;owls;Ada\r\n2;;Alan\r\n")?;
/// assert_eq!(guests, [pair("Ada", "owls"), pair("Alan", "Alan")]);
/// assert_eq!(read("Ada\towls\nAlan\n")?, [pair("Ada", "owls"), pair("Alan", "Alan")]);
/// let error = read_list("Ada,owls\nAda,hawks\n").unwrap_err();
/// assert_eq!(error.to_string(), "2:1: Ada stands in the list twice");
/// # Ok::<(), floe_league::people::ListError>(())
/// ```
pub fn read_list(text: &str) -> Result<Vec<Guest>, ListError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut columns = Columns {
        name: 0,
        team: Some(1),
        are_said: false,
    };
    let mut guests: Vec<Guest> = Vec::new();
    let mut is_first = true;
    for row in reader.records() {
        let row = row.map_err(|error| ListError {
            line: error.position().map_or(1, csv::Position::line),
            column: 1,
            cause: error.to_string(),
        })?;
        if row.iter().all(str::is_empty) {
            continue;
        }
        let heading = Columns::of_heading(&row).filter(|_| is_first);
        is_first = false;
        if let Some(said) = heading {
            columns = said;
            continue;
        }
        guests.push(guest(&row, columns, &guests)?);
    }
    Ok(guests)
}

/// The person on a line of a list.
fn guest(row: &csv::StringRecord, columns: Columns, before: &[Guest]) -> Result<Guest, ListError> {
    let line = row.position().map_or(1, csv::Position::line);
    let fail = |column: usize, cause: String| ListError {
        line,
        column,
        cause,
    };
    if !columns.are_said && row.iter().skip(2).any(|more| !more.is_empty()) {
        let cause = "a line is a name and a team, and this has more; a first line such as \
                     name,team says which columns to read";
        return Err(fail(3, cause.to_owned()));
    }
    let name = row.get(columns.name).unwrap_or_default();
    check_name(name).map_err(|cause| fail(columns.name + 1, cause))?;
    let team = columns.team.and_then(|at| Some((at, row.get(at)?)));
    let team = team.filter(|(_, team)| !team.is_empty());
    if let Some((at, team)) = team {
        check_name(team).map_err(|cause| fail(at + 1, cause))?;
    }
    if before.iter().any(|known| known.name == name) {
        let cause = format!("{name} stands in the list twice");
        return Err(fail(columns.name + 1, cause));
    }
    Ok(Guest {
        name: name.to_owned(),
        entrant: team.map_or(name, |(_, team)| team).to_owned(),
    })
}

/// Checks the name of a person or team: pages, tables and commands show these names.
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
