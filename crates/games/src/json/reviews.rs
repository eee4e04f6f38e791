use serde::Deserialize;
use serde_json::{Value, json};

use super::positions::At;
use super::questions::{questions, required};
use super::refused::Refused;
use crate::LeadScale;
use crate::review::{Grade, Review, TurningPoint, Worth};

questions!(Looked);

/// Number of worst moves to list.
const MOST: usize = 5;

/// A game, and its positions' values: one more than moves, `None` for those without one yet.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct Looked {
    at: At,
    worths: Vec<Option<Known>>,
}

impl Looked {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(Looked {
            at: At::of(question)?,
            worths: required(question, "worths")?,
        })
    }
}

/// The evaluation of a position.
#[derive(Debug, Clone, Deserialize)]
struct Known {
    /// Expected final scores of every seat.
    scores: Vec<i64>,
    /// The best move; none at the end.
    best: Option<String>,
}

/// The grade of every move, and the worst moves.
pub fn review(looked: Looked) -> Result<Value, Refused> {
    let (start, turns) = looked.at.turns()?;
    let players = start.players() as usize;
    let mut review = Review::new(turns, LeadScale::of(&*start), None);
    for (turn, known) in looked.worths.into_iter().enumerate() {
        let Some(known) = known else { continue };
        // A bound beyond any game, small enough that differences do not overflow.
        let is_known = |score: &i64| score.unsigned_abs() < 1 << 60;
        if known.scores.len() != players || !known.scores.iter().all(is_known) {
            let message = format!("position {turn}: it needs a score for each of {players} seats");
            return Err(Refused::at(message, json!({ "position": turn })));
        }
        let worth = Worth {
            scores: known.scores,
            best: known.best,
            depth: 0,
            proven: false,
        };
        review.note(turn, worth);
    }
    Ok(verdict(&review))
}

/// The grade of every move, and the moves that lost most, as far as known.
pub fn verdict(review: &Review) -> Value {
    let count = review.positions() - 1;
    let judged = |turn: usize| {
        let grade = review.grade(turn)?;
        Some(json!({ "loss": review.loss(turn), "grade": grade, "sign": grade.sign() }))
    };
    let turns: Vec<Option<Value>> = (0..count).map(judged).collect();
    let points: Vec<Value> = (worst(review).into_iter())
        .map(|point| json!({ "turn": point.turn, "played": point.played, "better": point.better, "loss": point.loss }))
        .collect();
    json!({ "turns": turns, "points": points })
}

/// The worst moves.
pub fn worst(review: &Review) -> Vec<TurningPoint> {
    let mut points = review.turning_points(review.positions());
    points.retain(|point| point.grade != Grade::Fine);
    points.truncate(MOST);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(worths: &Value) -> Result<Value, Refused> {
        let body = json!({ "game": "gamma", "setup": "4x4", "moves": ["a1"], "worths": worths });
        let looked: Looked = serde_json::from_value(body).unwrap();
        review(looked)
    }

    #[test]
    fn a_blunder_is_one_as_everywhere() {
        let worths =
            json!([{ "scores": [9, 7], "best": "b2" }, { "scores": [7, 9], "best": "c3" }]);
        let answer = judged(&worths).unwrap();
        assert_eq!(
            answer["turns"][0],
            json!({ "loss": 4, "grade": "blunder", "sign": "??" })
        );
        assert_eq!(answer["points"][0]["better"], "b2");
        let unknown = judged(&json!([null, { "scores": [7, 9], "best": "c3" }])).unwrap();
        assert_eq!(unknown, json!({ "turns": [null], "points": [] }));
    }

    #[test]
    fn scores_of_another_game_are_refused() {
        for scores in [json!([]), json!([1]), json!([i64::MIN, i64::MAX])] {
            let answer = judged(&json!([{ "scores": scores, "best": null }]));
            assert_eq!(answer.unwrap_err().place["position"], 0);
        }
    }
}
