//! Texts for players in English, Polish and Romanian.
//!
//! A program names each text by its English form, with placeholders such as `{name}`. A
//! [`Catalogue`] has the translations of these texts, one per line:
//!
//! ```text
//! # A comment.
//! Your turn. {task} = Twój ruch. {task}
//! {n} squares = {n} pole | {n} pola | {n} pól
//! ```
//!
//! A text that counts `{n}` things is named by its plural, and its translation has the forms of
//! [`Language::forms`] between `|`. A text without a translation stays English.
//!
//! ```
//! use floe_language::{Catalogue, Language};
//! let texts = Catalogue::new(&[(Language::Polish, "{n} squares = {n} pole | {n} pola | {n} pól")]);
//! let count = |n| texts.count(Language::Polish, "{n} square", "{n} squares", n, &[]);
//! assert_eq!([count(1), count(3), count(12)], ["1 pole", "3 pola", "12 pól"]);
//! assert_eq!(texts.text(Language::Romanian, "quit", &[]), "quit");
//! ```
//!
//! [`Catalogue::translate`] finds the translation of a text that is filled in already, such as a
//! sentence of a game's rules.

mod catalogue;
mod games;
mod language;

pub use catalogue::{Catalogue, Values, placeholders};
pub use games::games;
pub use language::{Language, UnknownLanguage};
