//! `/league/NAME/game/N`: a game step by step, with its downloads.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Redirect, Response};
use floe_arena::conformance::asked_at;
use floe_games::record::Record;
use floe_games::review::{Grade, TurningPoint};
use floe_league::description::Public;
use floe_search::Spec;
use serde_json::json;

use super::room::Room;
use super::{data, page};
use crate::access::Visitor;
use crate::api::evaluations::of_game;
use crate::api::leagues::{find, record as record_of, replay as replay_of};
use crate::contests::Contest;
use crate::error::WebError;
use crate::evaluations::Evaluated;
use crate::language::{filters, t};
use crate::plots::{self, Figure};
use crate::state::App;
use floe_games::json::{Timeline, worst};

#[derive(Template)]
#[template(path = "replay.html")]
struct Replay<'a> {
    league: &'a Contest,
    id: u64,
    players: Vec<String>,
    /// The result, as scores by seat.
    result: String,
    /// The fault that decided the game: the player, the turn, and the message.
    fault: Option<(String, usize, String)>,
    /// The players' names and final scores.
    seats: Vec<(String, String)>,
    data: String,
    room: Room,
    /// The moves of the opening; empty without one.
    opening: String,
    turns: Vec<TurnLine>,
    /// The record's file for download.
    file: String,
    /// Number of moves before the position shown first.
    at: usize,
    scores: Figure,
    said: Figure,
    times: Figure,
    evaluation: Option<EvaluationPart>,
}

/// A turn, for browsers without scripts.
struct TurnLine {
    text: String,
    /// The mark after a move that lost something.
    sign: &'static str,
    fault: String,
}

/// An engine's evaluation of the game, for browsers without scripts.
struct EvaluationPart {
    figure: Figure,
    /// The worst moves, in words.
    points: Vec<String>,
    done: usize,
    positions: usize,
    is_over: bool,
}

impl EvaluationPart {
    fn of(now: &Evaluated, course: &Timeline, names: &[String]) -> Self {
        let point = |point: TurningPoint| {
            let name = names.get(point.mover.index()).map_or("", String::as_str);
            let line = now.lines.get(point.turn).map(|line| line.join(" "));
            let lost = t("lost {n}").replace("{n}", &point.loss.to_string());
            let better = line.unwrap_or(point.better);
            let better = t("better {moves}").replace("{moves}", &better);
            format!(
                "{}. {name} {}: {lost}; {better}",
                point.turn + 1,
                point.played
            )
        };
        EvaluationPart {
            figure: plots::evaluation(course, names, &now.review),
            points: worst(&now.review).into_iter().map(point).collect(),
            done: now.done,
            positions: now.review.positions(),
            is_over: now.is_over(),
        }
    }
}

pub(crate) async fn replay(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Html<String>, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await?;
    let replay = replay_of(&league, &visitor, id).await?;
    let (names, course) = (replay.names(), &replay.course);
    let evaluation = app.evaluations().find(&replay.record);
    let sign = |turn: usize| {
        let now = evaluation.as_ref()?;
        now.look(|now| now.review.grade(turn))
    };
    let turns: Vec<TurnLine> = (course.plies.iter())
        .filter_map(|ply| ply.made.as_ref())
        .enumerate()
        .map(|(i, turn)| TurnLine {
            text: turn.text.clone(),
            sign: sign(i).map_or("", Grade::sign),
            fault: turn.fault.clone().unwrap_or_default(),
        })
        .collect();
    let fault = turns.iter().position(|turn| !turn.fault.is_empty());
    page(&Replay {
        league: &league,
        id,
        players: names.clone(),
        result: (replay.record.end.as_ref()).map_or_else(String::new, |end| {
            let scores: Vec<String> = end.scores.iter().map(ToString::to_string).collect();
            scores.join(" : ")
        }),
        fault: fault.and_then(|at| {
            let turn = course.plies.get(at + 1)?.made.as_ref()?;
            let who = names.get(turn.seat.checked_sub(1)? as usize)?;
            Some((who.clone(), at + 1, turn.fault.clone()?))
        }),
        seats: (names.iter().cloned())
            .zip(course.plies.last().into_iter().flat_map(|end| &end.scores))
            .map(|(name, score)| (name, score.to_string()))
            .collect(),
        // A game with a fault opens at the fault, which is what visitors look for.
        at: fault.unwrap_or(0),
        room: room(course),
        opening: course.opening.join(" "),
        turns,
        file: file_name(&record_file(&league, id)),
        scores: plots::scores(course, &names),
        said: plots::said(course, &names),
        times: plots::turn_times(course, &names),
        evaluation: (evaluation.as_ref())
            .map(|found| found.look(|now| EvaluationPart::of(now, course, &names))),
        data: data(&json!({ "replay": replay.json(), "league": league.name, "number": id }))?,
    })
}

/// The space of the board.
fn room(course: &Timeline) -> Room {
    let game = floe_games::find(course.game).ok();
    let start = game.and_then(|game| game.read(&course.start).ok());
    start.map_or_else(Room::default, |start| Room::of_board(&*start))
}

/// `POST /league/NAME/game/N/evaluation`: evaluates the game, and shows the page again.
pub(crate) async fn evaluate(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Redirect, WebError> {
    let record = of_game(&app, &visitor, &name, id).await?;
    app.evaluations().begin(&record, &visitor.client)?;
    // Relative to the form's address, whatever the league's name. Without a fragment, because
    // browsers would scroll instead of reloading.
    Ok(Redirect::to(&format!("../{id}")))
}

/// The name of a file for download: plain letters, which need no quoting anywhere.
fn file_name(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let name: String = name.chars().filter(|&letter| plain(letter)).collect();
    // With a leading hyphen, a command would take the name for an option.
    name.trim_start_matches('-').to_owned()
}

/// The file name for a game's record.
fn record_file(league: &Contest, id: u64) -> String {
    format!("{}-{id}.jsonl", league.name)
}

/// A file for download.
pub(super) fn download(
    name: &str,
    kind: &'static str,
    text: impl Into<axum::body::Body>,
) -> Response {
    let name = file_name(name);
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, text.into()).into_response()
}

const TEXT: &str = "text/plain; charset=utf-8";

/// `/league/NAME/game/N/record`: the lines of the record.
pub(crate) async fn record(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Response, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await?;
    let record = record_of(&league, &visitor, id).await?;
    let mut text = Vec::new();
    record.write(&mut text).map_err(WebError::ours)?;
    let file = record_file(&league, id);
    Ok(download(&file, "application/jsonl", text))
}

/// The record of a game with at least this many moves.
async fn long_enough(
    league: &Contest,
    visitor: &Visitor,
    id: u64,
    at: usize,
) -> Result<Record, WebError> {
    let record = record_of(league, visitor, id).await?;
    match at <= record.moves().len() {
        true => Ok(record),
        false => Err(WebError::not_found("move")),
    }
}

/// `/league/NAME/game/N/position/AT`: the position after `AT` moves, in the contest's format.
pub(crate) async fn position(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id, at)): Path<(String, u64, usize)>,
) -> Result<Response, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await?;
    let record = long_enough(&league, &visitor, id, at).await?;
    let play = record.at(at).map_err(WebError::ours)?;
    let file = format!("{}-{id}-{at}.txt", league.name);
    Ok(download(&file, TEXT, play.position().write()))
}

/// `/league/NAME/game/N/asked/AT`: the exact input of the program to move.
pub(crate) async fn asked(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id, at)): Path<(String, u64, usize)>,
) -> Result<Response, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await?;
    let record = long_enough(&league, &visitor, id, at).await?;
    let missing = || WebError::not_found("program that was asked then");
    let play = record.at(at).map_err(WebError::ours)?;
    let player = play.turn().ok_or_else(missing)?;
    let seat = record.opening.seats.get(player.index());
    if seat.is_none_or(|seat| seat.seat.parse::<Spec>().is_ok()) {
        return Err(missing());
    }
    let ask = asked_at(&record, at, None).map_err(WebError::ours)?;
    let ask = ask.ok_or_else(missing)?;
    let file = format!("{}-{id}-{at}-in.txt", league.name);
    Ok(download(&file, TEXT, ask.file.unwrap_or(ask.input)))
}
