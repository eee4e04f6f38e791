//! Positions to try things on, and what engines think of them.

use std::fmt::Display;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use floe_games::record::{Event, GIVEN_UP, PlayedMove};
use floe_games::review::ReviewedTurn;
use floe_games::{AnyGame, AnyPosition, EventError, Play, Scale};
use floe_rules::{ParseError, Player, Square};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::Visitor;
use crate::course::last_pick;
use crate::error::WebError;
use crate::picture::{Picture, picks};
use crate::start::{self, AskedError};
use crate::state::App;
use crate::thoughts::Question;

/// The longest an engine may be asked to think for a page.
const LONGEST: Duration = Duration::from_secs(5);
/// The most moves of a line.
const MOVES: usize = 4000;

/// A position: a text or a setup, and moves made from there; [`GIVEN_UP`] stands for a turn that
/// somebody gave up.
#[derive(Deserialize)]
pub(crate) struct At {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    setup: Option<String>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    moves: Vec<String>,
}

/// The game of this name.
pub(crate) fn game(name: &str) -> Result<&'static dyn AnyGame, WebError> {
    floe_games::find(name).map_err(|error| {
        WebError::new(
            StatusCode::NOT_FOUND,
            error.to_string(),
            "See the front page.",
        )
    })
}

impl At {
    /// The first position; what is wrong with it, with its place.
    fn start(&self) -> Result<Box<dyn AnyPosition>, Refusal> {
        let game = game(&self.game).map_err(|error| refusal(&error.message, &Value::Null))?;
        let asked = match &self.position {
            Some(text) => start::of_text(game, text),
            None => {
                let setup = self.setup.clone().unwrap_or_else(|| game.default_setup());
                start::of_setup(game, &setup, self.seed)
            }
        };
        asked.map_err(|error| match error {
            AskedError::Text(error) => at_place(&error),
            error => refusal(&error.to_string(), &Value::Null),
        })
    }

    /// Makes the moves from the first position, `start`, on, and shows `before` each of them before it is
    /// made. A turn that somebody gave up is written as records do it.
    fn walk(
        &self,
        start: Box<dyn AnyPosition>,
        mut before: impl FnMut(&Play, Player, &str),
    ) -> Result<Play, Refusal> {
        if self.moves.len() > MOVES {
            return Err(refusal("that is more moves than a game has", &Value::Null));
        }
        let mut play = Play::new(start);
        for (i, mv) in self.moves.iter().enumerate() {
            let wrong = |cause: &dyn Display| {
                let message = format!("move {} ({mv}): {cause}", i + 1);
                refusal(&message, &json!({ "move": i }))
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

    /// The position after the moves, and the one before the last of them.
    fn play(&self) -> Result<(Play, Option<Box<dyn AnyPosition>>), Refusal> {
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
    pub(crate) fn turns(&self) -> Result<(Box<dyn AnyPosition>, Vec<ReviewedTurn>), Refusal> {
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

/// What is wrong, for a script.
pub(crate) type Refusal = (StatusCode, Json<Value>);

pub(crate) fn refusal(message: &str, place: &Value) -> Refusal {
    let body = json!({ "error": message, "place": place });
    (StatusCode::UNPROCESSABLE_ENTITY, Json(body))
}

/// What is wrong with a text, and where.
fn at_place(error: &ParseError) -> Refusal {
    let (line, column) = (error.line, error.column);
    let place = json!({ "line": line, "column": column, "help": error.help });
    refusal(&error.cause, &place)
}

/// Something to be painted on the text of a position.
#[derive(Deserialize)]
pub(crate) struct Painting {
    game: String,
    position: String,
    /// The brush's word, as `brushes` has it.
    brush: String,
    /// The square, such as `c4`, for brushes that need one.
    #[serde(default)]
    square: Option<String>,
}

/// `POST /api/v1/paint`: the text with that painted, which may be no position yet.
pub(crate) async fn paint(Json(painting): Json<Painting>) -> Result<Json<Value>, Refusal> {
    let game = game(&painting.game).map_err(|error| refusal(&error.message, &Value::Null))?;
    let square: Option<Square> = match &painting.square {
        None => None,
        Some(name) => Some(name.parse().map_err(|error| at_place(&error))?),
    };
    let text = game.paint(&painting.position, square, &painting.brush);
    let text = text.map_err(|error| at_place(&error))?;
    Ok(Json(
        json!({ "brushes": game.brushes(&text), "text": text }),
    ))
}

/// `POST /api/v1/positions`: a position as boards draw it, its text, and its moves.
pub(crate) async fn position(Json(at): Json<At>) -> Result<Json<Value>, Refusal> {
    let (play, before) = at.play()?;
    let position = play.position();
    let view = position.view();
    let picks = picks(position, &view);
    let last = (before.zip(at.moves.last())).and_then(|(before, mv)| last_pick(&*before, mv));
    let text = position.write();
    Ok(Json(json!({
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
    })))
}

/// A position to think about.
#[derive(Deserialize)]
pub(crate) struct Thinking {
    #[serde(flatten)]
    at: At,
    /// How long, in milliseconds.
    #[serde(default = "usual_ms")]
    ms: u64,
    /// How many moves to rank.
    #[serde(default = "one")]
    top: usize,
}

fn usual_ms() -> u64 {
    300
}

fn one() -> usize {
    1
}

/// `POST /api/v1/thoughts`: what an engine thinks of a position, best move first.
pub(crate) async fn thoughts(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Json(thinking): Json<Thinking>,
) -> Result<Json<Value>, Refusal> {
    let (play, _) = thinking.at.play()?;
    let scale = Scale::of(play.position());
    let Some(mover) = play.turn() else {
        let scores = play.scores();
        let shares = scale.shares(&scores);
        return Ok(Json(
            json!({ "is_over": true, "scores": scores, "shares": shares, "lines": [] }),
        ));
    };
    let usual = Duration::from_millis(thinking.ms.max(1)).min(LONGEST);
    let question = Question {
        position: play.position().clone_position(),
        spec: floe_search::Kind::Floe.into(),
        usual,
        top: thinking.top.clamp(1, 8),
    };
    let thoughts = app.thoughts().ask(&visitor.asker, question).await;
    let thoughts = thoughts.map_err(|error| {
        let error = WebError::from(error);
        (error.status, Json(json!({ "error": error.message })))
    })?;
    let lines: Vec<Value> = (thoughts.iter())
        .map(|thought| {
            json!({
                "move": thought.best,
                "scores": thought.scores,
                "shares": scale.shares(&thought.scores),
                "lead": thought.lead(mover),
                "line": thought.line,
                "depth": thought.depth,
                "nodes": thought.nodes,
                "proven": thought.proven,
            })
        })
        .collect();
    Ok(Json(json!({ "turn": mover.number(), "lines": lines })))
}
