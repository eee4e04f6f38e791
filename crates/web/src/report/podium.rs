//! The head of a report: the winner, and the contest in a few figures.

use floe_arena::standings::{Row, Standings};
use floe_league::time;

use super::{ReportSettings, ReportedFinals};
use crate::pages::league::expected_share;

/// Number of places on the podium.
const PODIUM: u64 = 3;

/// The head of the report.
pub(super) struct Head {
    /// The game, and when and where the finals were.
    pub(super) about: String,
    /// The winner, in sentences; empty while nothing is decided.
    pub(super) headline: String,
    /// The podium, the winner first; empty while nothing is decided.
    pub(super) podium: Vec<Step>,
    pub(super) facts: Vec<Fact>,
}

pub(super) struct Step {
    pub(super) place: u64,
    pub(super) name: String,
}

/// A number with its label.
pub(super) struct Fact {
    pub(super) number: String,
    pub(super) what: String,
}

impl Head {
    /// The head for the last finals, if there were some; otherwise for the contest.
    pub(super) fn of(results: &Standings, game: &str, settings: &ReportSettings) -> Head {
        let finals = settings.finals.last();
        let decided = finals.map_or(results, |finals| &finals.results);
        let rows: &[Row] = if decided.is_finished {
            &decided.rows
        } else {
            &[]
        };
        let podium = rows.iter().filter(|row| row.place <= PODIUM);
        let podium: Vec<Step> = podium
            .take(PODIUM as usize)
            .map(|row| Step {
                place: row.place,
                name: row.name.clone(),
            })
            .collect();
        Head {
            about: about(game, finals),
            headline: headline(rows),
            // An entrant without opponents has won nothing.
            podium: if rows.len() > 1 { podium } else { Vec::new() },
            facts: facts(results, settings),
        }
    }
}

fn about(game: &str, finals: Option<&ReportedFinals>) -> String {
    let Some(finals) = finals else {
        return game.to_owned();
    };
    let mut text = format!("{game}, finals");
    if let Some(played) = finals.played {
        text += &format!(" of {}", date(played));
    }
    if let Some(place) = &finals.place {
        text += &format!(", {place}");
    }
    text
}

/// The winner and the next ones, and the expected result of a rematch of the first two.
pub(super) fn headline(rows: &[Row]) -> String {
    let named =
        |place: u64| -> Vec<&Row> { rows.iter().filter(|row| row.place == place).collect() };
    let (first, second) = match (&named(1)[..], &named(2)[..], &named(3)[..]) {
        ([], ..) => return String::new(),
        ([first], [second], [third]) => {
            let text = format!(
                "{} wins, ahead of {} and {}.",
                first.name, second.name, third.name
            );
            return text + &rematch(first, second);
        }
        ([first], [second], _) => (*first, *second),
        ([first], ..) => return format!("{} wins.", first.name),
        (firsts, ..) => {
            let names: Vec<&str> = firsts.iter().map(|row| row.name.as_str()).collect();
            return format!("{} share the first place.", names.join(" and "));
        }
    };
    format!("{} wins, ahead of {}.", first.name, second.name) + &rematch(first, second)
}

/// The expected result of two entrants by their ratings; empty if these are unknown.
fn rematch(one: &Row, other: &Row) -> String {
    let (Some(own), Some(others)) = (one.elo, other.elo) else {
        return String::new();
    };
    let points = (expected_share(own.value, others.value) * 100.0).round();
    format!(
        " If they met again, {} would make about {points} of 100 points against {}.",
        one.name, other.name
    )
}

/// The dates of the first and the last game.
pub(super) fn date((first, last): (u64, u64)) -> String {
    let (first, last) = (time::write(first), time::write(last));
    let day = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    match day(&first) == day(&last) {
        true => day(&first),
        false => format!("{} to {}", day(&first), day(&last)),
    }
}

fn facts(results: &Standings, settings: &ReportSettings) -> Vec<Fact> {
    let fact = |number: u64, one: &str, many: &str| Fact {
        number: number.to_string(),
        what: if number == 1 { one } else { many }.to_owned(),
    };
    let finals = settings.finals.iter().map(|finals| &finals.results);
    let all = || finals.clone().chain([results]);
    let games: u64 = all().map(|results| results.games).sum();
    let faults: u64 = all()
        .flat_map(|results| &results.rows)
        .flat_map(|row| row.faults.values())
        .sum();
    // After a short ladder, its table may lack programs of the finals.
    let programs = all().map(|results| results.rows.len() as u64).max();
    let mut facts = vec![fact(programs.unwrap_or(0), "program", "programs")];
    if let Some(people) = settings.people {
        facts.push(fact(people, "person", "people"));
    }
    if let Some(versions) = settings.versions {
        facts.push(fact(versions, "version sent", "versions sent"));
    }
    facts.push(fact(games, "game", "games, each board from every seat"));
    facts.push(fact(
        faults,
        "game lost by a fault",
        "games lost by a fault",
    ));
    facts
}

#[cfg(test)]
mod tests {
    use floe_rating::Estimate;

    use super::*;

    fn row(place: u64, name: &str, elo: Option<f64>) -> Row {
        let elo = elo.map(|value| Estimate {
            value,
            low: value - 50.0,
            high: value + 50.0,
        });
        Row {
            place,
            name: name.to_owned(),
            elo,
            ..Row::default()
        }
    }

    #[test]
    fn the_headline_says_who_won_and_what_a_rematch_would_come_to() {
        let rows = [
            row(1, "puffins", Some(218.0)),
            row(2, "terns", Some(170.0)),
            row(3, "seals", Some(113.0)),
        ];
        assert_eq!(
            headline(&rows),
            "puffins wins, ahead of terns and seals. If they met again, puffins would make about 57 \
             of 100 points against terns."
        );
        assert_eq!(headline(&rows[..1]), "puffins wins.");
        assert_eq!(headline(&[]), "");
        let level = [row(1, "owls", None), row(1, "cats", None)];
        assert_eq!(headline(&level), "owls and cats share the first place.");
        let without = [row(1, "owls", None), row(2, "cats", None)];
        assert_eq!(headline(&without), "owls wins, ahead of cats.");
    }
}
