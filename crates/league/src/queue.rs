//! Who is judged next.

use crate::standing::Standing;
use crate::versions::VersionId;

impl Standing {
    /// The version that is judged next: of those with which the machine `failed` least, of the
    /// entrant whose last verdict is the oldest, so that
    /// nobody who sends much holds up the others; among these, what was sent first.
    pub fn next_to_judge(&self, failed: impl Fn(&VersionId) -> u32) -> Option<&VersionId> {
        let last_verdict = |id: &VersionId| {
            let versions = self.versions.of(&id.entrant).iter();
            versions.filter_map(|version| version.verdict).max()
        };
        let in_order = self.waiting.iter().enumerate();
        in_order
            .min_by_key(|(place, id)| (failed(id), last_verdict(id), *place))
            .map(|(_, id)| id)
    }
}
