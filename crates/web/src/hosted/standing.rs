use serde::Serialize;

/// A game's standing for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    YourTurn,
    TheirTurn,
    Waiting,
    Won,
    Lost,
    Drawn,
}

impl Standing {
    /// The standing in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Standing::YourTurn => "Your turn",
            Standing::TheirTurn => "Their turn",
            Standing::Waiting => "Waiting for a friend",
            Standing::Won => "Won",
            Standing::Lost => "Lost",
            Standing::Drawn => "Draw",
        }
    }

    /// A finished game as one letter.
    pub(crate) fn letter(self) -> &'static str {
        match self {
            Standing::Won => "W",
            Standing::Lost => "L",
            Standing::Drawn => "D",
            Standing::YourTurn | Standing::TheirTurn | Standing::Waiting => "",
        }
    }

    /// The CSS class of the standing.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Standing::YourTurn => "turn",
            Standing::Won => "good",
            Standing::Lost => "wrong",
            Standing::TheirTurn | Standing::Waiting | Standing::Drawn => "",
        }
    }
}
