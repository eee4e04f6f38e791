//! The data of the pages, as JSON.

pub(crate) mod desk;
pub(crate) mod endpoints;
pub(crate) mod entrants;
pub(crate) mod evaluations;
pub(crate) mod games;
pub(crate) mod leagues;
pub(crate) mod lists;
pub(crate) mod positions;
pub(crate) mod remote;
pub(crate) mod reviews;
pub(crate) mod rules;
mod schemas;
pub(crate) mod submissions;
pub(crate) mod upload;
