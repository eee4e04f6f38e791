//! What all searches promise, on a toy game and on the real ones.

mod agree;
mod levels;
mod limits;
mod proof;
mod rank;
mod rows;
mod specs;
mod threads;
mod toy;
mod wins;
