use floe_games::AnyGame;

/// The protocol of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// By the line protocol: started once for a game.
    Line,
    /// In this dialect of the game: started for every move.
    Contest(&'static str),
}

impl Protocol {
    /// The protocol that a seat spec names, and the rest of the spec.
    ///
    /// ```
    /// use floe_arena::seat::Protocol;
    /// let game = floe_games::find("flood")?;
    /// assert_eq!(Protocol::of("line:./bot", game), (Protocol::Line, "./bot"));
    /// assert_eq!(Protocol::of("./bot", game), (Protocol::Contest("contest"), "./bot"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<'a>(word: &'a str, game: &dyn AnyGame) -> (Protocol, &'a str) {
        let dialects = game.dialects();
        match word.split_once(':') {
            Some(("line", rest)) => (Protocol::Line, rest),
            Some((head, rest)) => match dialects.iter().find(|&&known| known == head) {
                Some(dialect) => (Protocol::Contest(dialect), rest),
                None => (usual(&dialects), word),
            },
            None => (usual(&dialects), word),
        }
    }
}

/// The contest's dialect, or the line protocol for games whose contest has none.
fn usual(dialects: &[&'static str]) -> Protocol {
    dialects
        .first()
        .map_or(Protocol::Line, |&dialect| Protocol::Contest(dialect))
}
