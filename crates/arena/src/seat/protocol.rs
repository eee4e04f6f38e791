use floe_games::AnyGame;

/// The protocol of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The line protocol; the program starts once per game.
    Line,
    /// A dialect of the game; the program starts once per move.
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
                None => (default_protocol(&dialects), word),
            },
            None => (default_protocol(&dialects), word),
        }
    }
}

/// The contest's dialect, or the line protocol for games whose contest has none.
fn default_protocol(dialects: &[&'static str]) -> Protocol {
    dialects
        .first()
        .map_or(Protocol::Line, |&dialect| Protocol::Contest(dialect))
}
