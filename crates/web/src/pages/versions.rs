//! The versions of one team, as the page of a program lists them.

use floe_league::{Version, VersionId, time};

use super::desk::overview::tag;
use super::league::Line;
use crate::api::submissions::page_of;
use crate::contests::Contest;
use crate::state::App;

/// A version, with what is known of it.
pub(super) struct VersionLine {
    pub(super) id: String,
    /// The page of its verdict, for a visitor who may read it.
    pub(super) page: Option<String>,
    /// Its tone and its state in a word.
    pub(super) tag: &'static str,
    pub(super) state: &'static str,
    /// Its rating and games, if it plays now.
    pub(super) rating: String,
    pub(super) margin: String,
    pub(super) games: String,
    /// What its author wrote about it.
    pub(super) word: String,
    pub(super) sent: String,
}

impl VersionLine {
    /// The versions of a team, the newest first: all for the team, and those that played for others.
    pub(super) fn all(
        app: &App,
        league: &Contest,
        team: &str,
        is_own: bool,
        played: &[String],
    ) -> Vec<VersionLine> {
        let Some(service) = app.league_service() else {
            return Vec::new();
        };
        let listed = service.league().look(|standing| {
            let current = standing.versions.current(team).map(|version| &version.id);
            let sent = standing.versions.of(team).iter().rev();
            let shown = sent.filter(|version| is_own || played.contains(&version.id.to_string()));
            let line = |version| VersionLine::of(league, version, current, is_own);
            shown.map(line).collect()
        });
        listed.unwrap_or_default()
    }

    fn of(
        league: &Contest,
        version: &Version,
        current: Option<&VersionId>,
        is_own: bool,
    ) -> VersionLine {
        let id = version.id.to_string();
        let rows = league.results.iter().flat_map(|results| &results.rows);
        let row = rows.into_iter().find(|row| row.name == id);
        let line = row.map(|row| Line::of(row, &[]));
        let known = |part: fn(&Line) -> String| line.as_ref().map_or_else(String::new, part);
        let (tag, state) = tag(version.state, current == Some(&version.id));
        VersionLine {
            page: is_own.then(|| page_of(&version.id)),
            tag,
            state,
            rating: known(|line| line.rating.clone()),
            margin: known(|line| line.margin.clone()),
            games: known(|line| line.games.to_string()),
            // The word is for the team alone.
            word: match is_own {
                true => version.word.clone().unwrap_or_default(),
                false => String::new(),
            },
            sent: time::write(version.sent),
            id,
        }
    }
}
