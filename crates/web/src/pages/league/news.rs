//! What happened on a ladder lately, for its public page: who was accepted, and who was taken out.

use floe_league::{Version, VersionId, VersionState, time};

use crate::state::App;

/// How many events the page shows.
const SHOWN: usize = 6;

/// A version that changed what plays on the ladder.
#[derive(Debug, PartialEq)]
pub(super) struct News {
    pub(super) version: VersionId,
    /// The sign before it, and its tone.
    pub(super) sign: &'static str,
    pub(super) tone: &'static str,
    pub(super) what: String,
    /// When it was judged: `11-18 14:02`.
    pub(super) at: String,
}

impl News {
    /// The newest events of the ladder. Versions that are refused or wait are their team's affair.
    pub(super) fn of(app: &App) -> Vec<News> {
        let Some(service) = app.league_service() else {
            return Vec::new();
        };
        let listed = service.league().look(|standing| {
            let mut all: Vec<&Version> = standing.versions.all().collect();
            all.sort_by_key(|version| std::cmp::Reverse(version.judged));
            let listed = all.into_iter().filter_map(News::about);
            listed.take(SHOWN).collect()
        });
        listed.unwrap_or_default()
    }

    fn about(version: &Version) -> Option<News> {
        let judged = version.judged?;
        let why = |word: &str| match version.why.as_str() {
            "" => word.to_owned(),
            why => format!("{word}: {why}"),
        };
        let (sign, tone, what) = match version.state {
            VersionState::Accepted if version.has_remarks => {
                ("✓", "good", "accepted with a remark".to_owned())
            }
            VersionState::Accepted => ("✓", "good", "accepted".to_owned()),
            VersionState::Suspended => ("!", "look", why("suspended")),
            VersionState::Withdrawn => ("!", "look", why("withdrawn")),
            VersionState::Refused | VersionState::Waiting => return None,
        };
        // The year is this one.
        let at = time::write(judged);
        Some(News {
            version: version.id.clone(),
            sign,
            tone,
            what,
            at: at
                .split_once('-')
                .map_or(at.clone(), |(_, day)| day.to_owned()),
        })
    }
}
