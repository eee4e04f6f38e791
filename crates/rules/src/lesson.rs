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
    /// The step's name, such as `Slide`.
    pub name: &'static str,
    /// The rule in at most eight words.
    pub note: &'static str,
    /// The rule as a heading.
    pub title: &'static str,
    /// The rule in one or two sentences.
    pub text: &'static str,
    /// The start position, as [`Game::read`](crate::Game::read) reads it.
    pub position: &'static str,
    /// The task.
    pub task: &'static str,
    /// The moves that solve the task.
    pub solutions: &'static [&'static str],
    /// The text after the task is solved.
    pub done: &'static str,
}
