/// One step of a lesson on a game's rules: a small board, one rule, and something to try.
///
/// ```
/// use floe_rules::{Game, Position, gamma::Gamma};
/// let step = &Gamma::LESSON[0];
/// let mut position = Gamma::read(step.position)?;
/// position.play(step.solutions[0].parse()?)?;
/// println!("{}: {}", step.task, step.done);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// One word for it, such as `Slide`.
    pub name: &'static str,
    /// The rule in at most eight words.
    pub note: &'static str,
    /// The rule as a heading.
    pub title: &'static str,
    /// The rule in one or two sentences.
    pub text: &'static str,
    /// The position, as [`Game::read`](crate::Game::read) reads it.
    pub position: &'static str,
    /// What to try.
    pub task: &'static str,
    /// The moves that do it.
    pub solutions: &'static [&'static str],
    /// What is said once it is done.
    pub done: &'static str,
}
