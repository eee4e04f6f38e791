//! Changes of participants: leaving, renaming, changing teams, and the organiser's own link.

use crate::event::Event;
use crate::folder::{League, LeagueError};
use crate::people::check_name;
use crate::state::LeagueState;
use crate::token::Token;
use crate::versions::VersionState;

/// The change of a person's entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The person's new entrant; `None` if the person left.
    pub entrant: Option<String>,
    /// Versions withdrawn because their entrant has no people left.
    pub withdrawn: Vec<String>,
}

impl League {
    /// Removes a person, whose token is then invalid. If the entrant has no people left, its
    /// versions are withdrawn; played games stay.
    pub fn remove_person(&self, name: &str) -> Result<Changed, LeagueError> {
        self.change(|standing| {
            let entrant = entrant_of(standing, name)?;
            let mut events = vec![Event::Removed {
                person: name.to_owned(),
            }];
            let why = format!("{name} left, and no other person plays as {entrant}");
            let withdrawn = leave(standing, name, &entrant, &why, &mut events);
            let changed = Changed {
                entrant: None,
                withdrawn,
            };
            Ok((events, changed))
        })
    }

    /// Renames a person; the token stays valid. If the person plays alone and has submitted nothing
    /// yet, the entrant is renamed too; otherwise the entrant's name stays, since records contain
    /// it.
    pub fn rename_person(&self, name: &str, new: &str) -> Result<Changed, LeagueError> {
        check_name(new).map_err(LeagueError::Refused)?;
        self.change(|standing| {
            let entrant = entrant_of(standing, name)?;
            if standing.people.named(new).is_some() {
                return Err(LeagueError::Refused(format!("there is a {new} already")));
            }
            let is_alone = entrant == name && standing.versions.of(&entrant).is_empty();
            let is_taken =
                standing.people.entrants().contains(&new) || !standing.versions.of(new).is_empty();
            let entrant = if is_alone && !is_taken {
                new.to_owned()
            } else {
                entrant
            };
            let events = vec![Event::Renamed {
                person: name.to_owned(),
                name: new.to_owned(),
                entrant: entrant.clone(),
            }];
            let changed = Changed {
                entrant: Some(entrant),
                withdrawn: Vec::new(),
            };
            Ok((events, changed))
        })
    }

    /// Moves a person to another team, or to an entrant of their own if the name is theirs; the
    /// token stays valid. If the former entrant has no people left, its versions are withdrawn.
    pub fn move_person(&self, name: &str, team: &str) -> Result<Changed, LeagueError> {
        check_name(team).map_err(LeagueError::Refused)?;
        self.change(|standing| {
            let entrant = entrant_of(standing, name)?;
            if entrant == team {
                return Err(LeagueError::Refused(format!(
                    "{name} plays as {team} already"
                )));
            }
            let mut events = vec![Event::Moved {
                person: name.to_owned(),
                entrant: team.to_owned(),
            }];
            let why = format!("{name} plays as {team} now, and no other person as {entrant}");
            let withdrawn = leave(standing, name, &entrant, &why, &mut events);
            let changed = Changed {
                entrant: Some(team.to_owned()),
                withdrawn,
            };
            Ok((events, changed))
        })
    }

    /// A link for the organiser that is valid until the next one is made; Floe stores only its
    /// hash.
    pub fn new_organiser(&self) -> Result<Token, LeagueError> {
        let token = Token::fresh().map_err(|error| {
            LeagueError::Refused(format!("the system provides no random numbers: {error}"))
        })?;
        self.record(Event::OrganiserLink {
            token: token.hash(),
        })?;
        Ok(token)
    }

    /// Whether this is the token of the organiser's permanent link.
    pub fn is_organiser(&self, token: &Token) -> Result<bool, LeagueError> {
        let hash = token.hash();
        self.look(|standing| standing.organiser.as_ref() == Some(&hash))
    }
}

/// A person's entrant.
fn entrant_of(standing: &LeagueState, name: &str) -> Result<String, LeagueError> {
    let person = standing.people.named(name);
    let entrant = person.map(|person| person.entrant.clone());
    entrant.ok_or_else(|| {
        LeagueError::Refused(format!(
            "no participant is called {name}; `floe league people` lists them"
        ))
    })
}

/// Withdraws an entrant's current versions if this was its last person.
fn leave(
    standing: &LeagueState,
    name: &str,
    entrant: &str,
    why: &str,
    events: &mut Vec<Event>,
) -> Vec<String> {
    let mut people = standing.people.all().iter();
    let has_others = people.any(|one| one.entrant == entrant && one.name != name);
    if has_others {
        return Vec::new();
    }
    let plays = |state| matches!(state, VersionState::Accepted | VersionState::Waiting);
    let versions = standing.versions.of(entrant).iter();
    let versions = versions.filter(|version| plays(version.state));
    let mut withdrawn = Vec::new();
    for version in versions {
        withdrawn.push(version.id.to_string());
        events.push(Event::Withdrawn {
            version: version.id.clone(),
            why: why.to_owned(),
        });
    }
    withdrawn
}
