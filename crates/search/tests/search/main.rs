//! What all searches promise, on a toy game and on the real ones.

mod agree;
mod limits;
mod toy;
