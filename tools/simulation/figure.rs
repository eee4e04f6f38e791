//! What was measured, and what is wanted.

/// Something that was measured.
pub(crate) struct Figure {
    pub(crate) what: &'static str,
    pub(crate) wanted: String,
    pub(crate) measured: String,
    pub(crate) is_met: bool,
}

impl Figure {
    pub(crate) fn at_least(what: &'static str, wanted: f64, measured: f64) -> Figure {
        Figure {
            what,
            wanted: format!("at least {wanted}"),
            measured: format!("{measured:.2}"),
            is_met: measured >= wanted,
        }
    }

    pub(crate) fn at_most(what: &'static str, wanted: f64, measured: f64) -> Figure {
        Figure {
            what,
            wanted: format!("at most {wanted}"),
            measured: format!("{measured:.2}"),
            is_met: measured <= wanted,
        }
    }
}
