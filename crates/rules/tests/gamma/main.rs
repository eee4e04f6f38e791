//! Gamma's rules, from the outside.

mod board;
mod game;
mod naive;
mod shapes;
mod splits;
mod text;
