//! The dashboard's data about a league: what needs the organiser, the queue, people and versions.

use std::collections::{BTreeMap, BTreeSet};

use floe_arena::standings::Row;
use floe_league::{LeagueState, Version, VersionId, VersionState, time};

use super::machine::lasting;
use crate::api::submissions::page_of;
use crate::pages::submit::Line;

/// Something the organiser should look at.
pub(super) struct Need {
    /// The event, as a sentence.
    pub(super) what: String,
    /// The consequence.
    pub(super) then: String,
    /// The address of its log.
    pub(super) log: Option<String>,
    /// The version whose games to look at.
    pub(super) games_of: Option<String>,
    /// The version that can be reinstated.
    pub(super) back: Option<String>,
    /// The version that can be withdrawn.
    pub(super) withdraw: Option<String>,
}

/// A version that waits or is being judged.
pub(super) struct Queued {
    pub(super) id: VersionId,
    pub(super) page: String,
    /// `next`, `2nd` and so on; empty while the version is being judged.
    pub(super) place: String,
    /// The current step.
    pub(super) step: String,
    pub(super) has_trouble: bool,
    /// The waiting time so far.
    pub(super) waits: String,
}

/// An entrant with its people.
pub(super) struct Team {
    pub(super) name: String,
    pub(super) people: Vec<Person>,
    pub(super) versions: usize,
    /// The time of the last submission; empty if there was none.
    pub(super) last_sent: String,
}

pub(super) struct Person {
    pub(super) name: String,
    pub(super) invited: String,
}

/// A version with its results.
pub(super) struct Sent {
    pub(super) line: Line,
    pub(super) id: VersionId,
    /// The CSS class of its state.
    pub(super) tag: &'static str,
    pub(super) state: &'static str,
    /// Further facts.
    pub(super) known: String,
}

/// The filters for versions.
pub(super) const FILTERS: [(&str, &str); 5] = [
    ("", "All"),
    ("playing", "Playing"),
    ("refused", "Refused"),
    ("suspended", "Suspended"),
    ("withdrawn", "Withdrawn"),
];

/// Everything that needs the organiser.
pub(super) fn needs(standing: &LeagueState) -> Vec<Need> {
    let mut needs = Vec::new();
    for version in standing.versions.all() {
        match version.state {
            VersionState::Waiting if !version.why.is_empty() => needs.push(Need {
                what: format!("{} could not be judged: {}", version.id, version.why),
                then: "It is not its author’s fault, and its author knows. The server tries again."
                    .to_owned(),
                log: Some(page_of(&version.id)),
                games_of: None,
                back: None,
                withdraw: Some(version.id.to_string()),
            }),
            VersionState::Suspended if is_newest(standing, version) => needs.push(Need {
                what: format!("{} is suspended: {}", version.id, version.why),
                then: instead(standing, version),
                log: None,
                games_of: Some(version.id.to_string()),
                back: Some(version.id.to_string()),
                withdraw: None,
            }),
            _ => {}
        }
    }
    needs
}

/// Whether the entrant has submitted nothing since the accepted version.
fn is_newest(standing: &LeagueState, version: &Version) -> bool {
    let of_entrant = standing.versions.of(&version.id.entrant).iter();
    let newest = of_entrant
        .rev()
        .find(|one| one.state != VersionState::Refused);
    newest.is_some_and(|newest| newest.id == version.id)
}

/// The version that plays instead of a withdrawn or suspended one.
fn instead(standing: &LeagueState, version: &Version) -> String {
    match standing.versions.current(&version.id.entrant) {
        Some(current) => format!("{} plays instead. Its author reads why.", current.id),
        None => "No version of this team plays. Its author reads why.".to_owned(),
    }
}

/// The versions being judged, then the waiting ones in order.
pub(super) fn queue(
    standing: &LeagueState,
    under_way: &BTreeSet<VersionId>,
    step_of: impl Fn(&VersionId) -> Option<String>,
) -> Vec<Queued> {
    let now = time::now();
    let queued = |id: &VersionId, place: String, step: String| {
        let version = standing.versions.find(id)?;
        Some(Queued {
            id: id.clone(),
            page: page_of(id),
            place,
            step,
            has_trouble: !version.why.is_empty(),
            waits: lasting(now.saturating_sub(version.sent)),
        })
    };
    let judged = under_way.iter().filter_map(|id| {
        let step = step_of(id).unwrap_or_else(|| "judging".to_owned());
        queued(id, String::new(), step)
    });
    let order = standing.queue(under_way, |_| 0);
    let waiting = (1..).zip(order);
    let waiting = waiting.filter_map(|(place, id)| queued(id, ordinal(place), String::new()));
    judged.chain(waiting).collect()
}

/// A place in the queue as an ordinal number.
fn ordinal(place: usize) -> String {
    match place {
        1 => "next".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        place => format!("{place}th"),
    }
}

/// All participants, by entrant.
pub(super) fn teams(standing: &LeagueState) -> Vec<Team> {
    let mut people: BTreeMap<&str, Vec<Person>> = BTreeMap::new();
    for person in standing.people.all() {
        people.entry(&person.entrant).or_default().push(Person {
            name: person.name.clone(),
            invited: time::write(person.invited),
        });
    }
    let now = time::now();
    people
        .into_iter()
        .map(|(name, people)| {
            let versions = standing.versions.of(name);
            let last = versions.last();
            Team {
                name: name.to_owned(),
                people,
                versions: versions.len(),
                last_sent: last.map_or_else(String::new, |last| {
                    format!("{} ago", lasting(now.saturating_sub(last.sent)))
                }),
            }
        })
        .collect()
}

/// The versions that pass a filter, newest first.
pub(super) fn versions(standing: &LeagueState, filter: &str, rows: &[Row]) -> Vec<Sent> {
    let mut sent: Vec<&Version> = standing.versions.all().collect();
    sent.sort_by_key(|version| std::cmp::Reverse(version.sent));
    let lines = sent.into_iter().map(|version| {
        let current = standing.versions.current(&version.id.entrant);
        let line = Line::of(version, current.map(|current| &current.id));
        let (tag, state) = tag(version.state, line.is_current);
        let row = rows.iter().find(|row| row.name == line.id);
        Sent {
            known: known(&line, row),
            id: version.id.clone(),
            tag,
            state,
            line,
        }
    });
    let passes = |sent: &Sent| match filter {
        "playing" => sent.line.is_current,
        "refused" | "suspended" | "withdrawn" => sent.line.state == filter,
        _ => true,
    };
    lines.filter(passes).collect()
}

/// The tag of a state: its CSS class and its text.
pub(crate) fn tag(state: VersionState, is_current: bool) -> (&'static str, &'static str) {
    match state {
        VersionState::Accepted if is_current => ("good", "plays now"),
        VersionState::Accepted => ("", "before"),
        VersionState::Waiting => ("on", "waits"),
        VersionState::Refused => ("wrong", "refused"),
        VersionState::Suspended => ("look", "suspended"),
        VersionState::Withdrawn => ("", "withdrawn"),
    }
}

fn known(line: &Line, row: Option<&Row>) -> String {
    if !line.why.is_empty() {
        return line.why.clone();
    }
    let Some(row) = row.filter(|row| row.games > 0) else {
        return line.word.clone();
    };
    let elo = row.elo.as_ref().map_or_else(String::new, |elo| {
        format!("{:+.0} ± {:.0}, ", elo.value, elo.margin()).replace('-', "−")
    });
    let faults: u64 = row.faults.values().sum();
    format!("{elo}{} games, {faults} faults", row.games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_words() {
        assert_eq!(
            [1, 2, 3, 4].map(ordinal),
            ["next", "second", "third", "4th"]
        );
    }

    #[test]
    fn a_quiet_league_needs_nobody() {
        assert!(needs(&LeagueState::default()).is_empty());
        assert!(queue(&LeagueState::default(), &BTreeSet::new(), |_| None).is_empty());
    }
}
