use std::fmt::Display;

use floe_rules::{Player, Report, Square};
use serde::Deserialize;
use serde_json::{Value, json};

use super::picture::{Picture, picks};
use super::questions::{optional, questions, required};
use super::refused::Refused;
use super::start;
use super::timeline::last_pick;
use crate::record::{Event, GIVEN_UP, PlayedMove};
use crate::review::ReviewedTurn;
use crate::{AnyPosition, EventError, Play, find};

questions!(At, Painting, Pointing);

/// The most moves of a line.
const MOVES: usize = 4000;

/// A position: a text or a setup, and moves made from there; [`GIVEN_UP`] is a pass.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct At {
    game: String,
    position: Option<String>,
    setup: Option<String>,
    seed: u64,
    moves: Vec<String>,
}

impl At {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(At {
            game: required(question, "game")?,
            position: optional(question, "position")?,
            setup: optional(question, "setup")?,
            seed: optional(question, "seed")?.unwrap_or_default(),
            moves: optional(question, "moves")?.unwrap_or_default(),
        })
    }

    /// The first position, or the error with its place.
    pub fn start(&self) -> Result<Box<dyn AnyPosition>, Refused> {
        let game = find(&self.game)?;
        Ok(match &self.position {
            Some(text) => start::of_text(game, text)?,
            None => {
                let setup = self.setup.clone().unwrap_or_else(|| game.default_setup());
                start::of_setup(game, &setup, self.seed)?
            }
        })
    }

    /// Makes the moves from the position `start`, and calls `before` before each. A pass is written
    /// as in records.
    fn walk(
        &self,
        start: Box<dyn AnyPosition>,
        mut before: impl FnMut(&Play, Player, &str),
    ) -> Result<Play, Refused> {
        if self.moves.len() > MOVES {
            return Err(Refused::new("that is more moves than a game has"));
        }
        let mut play = Play::new(start);
        for (i, mv) in self.moves.iter().enumerate() {
            let wrong = |cause: &dyn Display| {
                let message = format!("move {} ({mv}): {cause}", i + 1);
                Refused::at(message, json!({ "move": i }))
            };
            let mover = play.turn().ok_or_else(|| wrong(&"the game is over"))?;
            before(&play, mover, mv);
            let made = Event::Move(PlayedMove {
                seat: mover.number(),
                mv: mv.clone(),
                ..PlayedMove::default()
            });
            play.repeat(&made).map_err(|error| match error {
                EventError::Move { cause, .. } => wrong(&cause),
                error => wrong(&error),
            })?;
        }
        Ok(play)
    }

    /// The game after the moves, and the position before the last move.
    pub fn play(&self) -> Result<(Play, Option<Box<dyn AnyPosition>>), Refused> {
        let mut left = self.moves.len();
        let mut last = None;
        let play = self.walk(self.start()?, |play, _, _| {
            left -= 1;
            if left == 0 {
                last = Some(play.position().clone_position());
            }
        })?;
        Ok((play, last))
    }

    /// The first position, and the turns from there.
    pub fn turns(&self) -> Result<(Box<dyn AnyPosition>, Vec<ReviewedTurn>), Refused> {
        let start = self.start()?;
        let mut turns = Vec::new();
        self.walk(start.clone_position(), |_, mover, mv| {
            turns.push(ReviewedTurn {
                mover,
                mv: (mv != GIVEN_UP).then(|| mv.to_owned()),
                is_fault: false,
            });
        })?;
        Ok((start, turns))
    }
}

/// A position as text: in its own form, and in the form for each dialect's programs.
pub fn forms(at: &At) -> Result<Value, Refused> {
    let (play, _) = at.play()?;
    let position = play.position();
    let dialects = match play.turn() {
        Some(_) => position.game().dialects(),
        // Programs only ever get questions for moves.
        None => Vec::new(),
    };
    let mut forms = vec![json!({ "name": "Floe", "text": position.write() })];
    for name in dialects {
        let bound = position.dialect(name);
        let ask = bound
            .map_err(|error| Refused::new(error.to_string()))?
            .request(None);
        forms.push(json!({ "name": name, "text": ask.file.unwrap_or(ask.input) }));
    }
    Ok(json!({ "forms": forms }))
}

/// A position as drawn, its text, and its moves.
pub fn position(at: &At) -> Result<Value, Refused> {
    let (play, before) = at.play()?;
    let position = play.position();
    let view = position.view();
    let picks = picks(position, &view);
    let last = (before.zip(at.moves.last())).and_then(|(before, mv)| last_pick(&*before, mv));
    let text = position.write();
    Ok(json!({
        "game": position.game().name(),
        "brushes": position.game().brushes(&text),
        "text": text,
        "turn": play.turn().map(Player::number),
        "scores": play.scores(),
        "is_over": play.turn().is_none(),
        "can_give_up": play.turn().is_some() && position.give_up().is_some(),
        "moves": picks,
        "last": last,
        "picture": Picture::from(view),
    }))
}

/// A change to paint on the text of a position.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct Painting {
    game: String,
    position: String,
    /// The brush's word, from `brushes`.
    brush: String,
    /// The square, such as `c4`, for brushes that need one.
    square: Option<String>,
}

impl Painting {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(Painting {
            game: required(question, "game")?,
            position: required(question, "position")?,
            brush: required(question, "brush")?,
            square: optional(question, "square")?,
        })
    }
}

/// The painted text, which need not be a legal position yet.
pub fn paint(painting: &Painting) -> Result<Value, Refused> {
    let game = find(&painting.game)?;
    let square: Option<Square> = painting.square.as_deref().map(str::parse).transpose()?;
    let text = game.paint(&painting.position, square, &painting.brush)?;
    Ok(json!({ "brushes": game.brushes(&text), "text": text }))
}

/// A square without a choice for the player to move.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct Pointing {
    at: At,
    /// The square, such as `c4`.
    square: String,
    /// The square chosen before, for a move of two squares.
    from: Option<String>,
    /// Whether the special kind of move is meant.
    special: bool,
}

impl Pointing {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(Pointing {
            at: At::of(question)?,
            square: required(question, "square")?,
            from: optional(question, "from")?,
            special: optional(question, "special")?.unwrap_or_default(),
        })
    }
}

/// Explains why the player to move has no move at a square.
pub fn refusal(pointing: &Pointing) -> Result<Value, Refused> {
    let (play, _) = pointing.at.play()?;
    let from: Option<Square> = pointing.from.as_deref().map(str::parse).transpose()?;
    let square: Square = pointing.square.parse()?;
    let words = play.position().refusal(from, square, pointing.special);
    Ok(json!({ "refusal": words }))
}

/// All errors and remarks on a text, each with its place.
pub fn check(at: &At) -> Result<Value, Refused> {
    let game = find(&at.game)?;
    let text = at.position.as_deref().unwrap_or_default();
    let mut report = Report::new();
    let found = game.parse(text, &mut report);
    let mut report = serde_json::to_value(&report).unwrap_or_default();
    report["text"] = json!(found.map(|position| position.write()));
    Ok(report)
}
