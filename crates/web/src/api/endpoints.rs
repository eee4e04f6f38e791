//! The addresses of the API: handlers and descriptions in one table, of which the router and
//! `/api/openapi.json` are made.

use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::{self, MethodRouter};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::schemas::{acting, beginning, object, position, reviewing, saying, thinking};
use super::{
    desk, entrants, evaluations, games, leagues, lists, positions, remote, reviews, rules,
    submissions,
};
use crate::pages::{about, live, puzzles};
use crate::state::App;

/// A method of an address.
struct Endpoint {
    path: &'static str,
    method: &'static str,
    handler: MethodRouter<App>,
    summary: &'static str,
    answer: &'static str,
    parameters: Vec<Value>,
    /// The accepted bodies by media type.
    body: Option<Value>,
}

macro_rules! endpoints {
    ($($method:ident $path:literal $handler:path: $summary:literal $(.$with:ident($arg:expr))*;)*) => {
        vec![$(Endpoint::new(
            stringify!($method), $path, routing::$method($handler), $summary,
        )$(.$with($arg))*),*]
    };
}

/// All addresses, in the groups that have limits of their own: ordinary ones, those that receive
/// programs, those that receive records, and streams.
fn all() -> [Vec<Endpoint>; 4] {
    [
        [playing(), contests()].into_iter().flatten().collect(),
        uploads(),
        endpoints! {
            post "/api/v1/courses" positions::course:
                "A game of a record, position by position; the server stores nothing"
                .body(object("text! index:integer"));
        },
        endpoints! {
            get "/api/v1/submissions/{entrant}/{number}/events" submissions::events:
                "Build, checks and verdict of a version, as server-sent events";
        },
    ]
}

/// The routers of these groups.
pub(crate) fn routers() -> [Router<App>; 4] {
    all().map(|group| {
        let routed = |router: Router<App>, one: Endpoint| router.route(one.path, one.handler);
        group.into_iter().fold(Router::new(), routed)
    })
}

/// Rules, positions and games of people.
fn playing() -> Vec<Endpoint> {
    endpoints! {
        get "/api/v1/about" about::about_json: "About this server";
        get "/api/v1/rules" rules::all: "All games";
        get "/api/v1/rules/{game}" rules::rules:
            "The rules of a game, and everything its form offers";
        get "/api/v1/puzzles/{game}" puzzles::api:
            "The puzzles of a game, and the puzzle of the day";
        get "/api/v1/my" games::mine: "Your own games, by the cookie, newest first";
        post "/api/v1/games" games::begin: "Begin a game, with the fields of the form"
            .body(beginning());
        get "/api/v1/games/{id}" games::game:
            "A game of people now, or the changes since a version".numbers(&["version"]);
        get "/api/v1/games/{id}/moves" games::moves: "The moves of the player to move"
            .needs("ply");
        get "/api/v1/games/{id}/choices" games::choices:
            "The same moves, grouped, with sets of fields in few bytes".needs("ply");
        get "/api/v1/games/{id}/ply" games::ply:
            "An earlier position, or its difference from another one of a version"
            .numbers(&["from", "version"]).needs("ply");
        get "/api/v1/games/{id}/start" games::start: "The first position of a game, as text";
        get "/api/v1/games/{id}/turn" games::turn:
            "The number of turns of a game, and the player to move";
        get "/api/v1/games/{id}/course" games::course: "Every position of a game so far";
        post "/api/v1/games/{id}/{act}" games::act:
            "Do something in a game: move, give-up, take-back, resign, sit, name or rematch; or answer, with the move of an engine that the game's `lent` asks for"
            .last_of(&["move", "answer", "give-up", "take-back", "resign", "sit", "name", "rematch"])
            .body(acting()).answers("The game after the action, or the changes since the given version");
        post "/api/v1/positions" positions::position: "A position as drawn, and its moves"
            .body(position(""));
        post "/api/v1/forms" positions::forms:
            "A position as text: in its own form, and in each dialect".body(position(""));
        post "/api/v1/checks" positions::check:
            "All errors in the text of a position, each with its place".body(position(""));
        post "/api/v1/refusals" positions::refused: "Why a square cannot be chosen, in words"
            .body(position("square from special:boolean"));
        post "/api/v1/paint" positions::paint: "The text of a position with one change painted"
            .body(object("game! position! brush! square"));
        post "/api/v1/thoughts" positions::thoughts: "An engine's best moves in a position"
            .body(thinking());
        post "/api/v1/reviews" reviews::review:
            "The grade of every move of a game, from the values of its positions".body(reviewing());
        get "/api/v1/tables" live::tables: "Every game in progress";
        get "/api/v1/finished" games::finished: "Public games that ended recently, newest first";
    }
}

/// Contests, and remote programs.
fn contests() -> Vec<Endpoint> {
    endpoints! {
        get "/api/v1/desk" desk::desk:
            "People, versions, the queue and paused activities: for the organiser only";
        get "/api/v1/leagues" leagues::all: "All tournaments";
        get "/api/v1/leagues/{name}" leagues::league:
            "The standings of a tournament, and the history of its ratings";
        get "/api/v1/leagues/{name}/games" lists::games: "The games of a tournament, in parts"
            .words(&["of", "against", "result", "fault"]).numbers(&["from", "before"]);
        get "/api/v1/leagues/{name}/games/{number}" leagues::game:
            "A game of a tournament, by its number from 1, position by position";
        get "/api/v1/leagues/{name}/games/{number}/evaluation" evaluations::evaluation:
            "An engine's value of every position of a game, after the first `done`: waits for more"
            .numbers(&["done"]);
        post "/api/v1/leagues/{name}/games/{number}/evaluation" evaluations::begin:
            "Evaluate a game, once for all clients".answers("The values so far");
        get "/api/v1/leagues/{name}/entrants/{entrant}" entrants::entrant:
            "One entrant's results: head-to-head, versions, ratings, last games";
        get "/api/v1/submissions/{entrant}/{number}" submissions::version:
            "A version with its build log and check report";
        post "/api/v1/remote" remote::connect: "Connect a remote program; the token as a bearer"
            .body(object("word!"));
        get "/api/v1/remote/{connection}" remote::news:
            "Messages to a remote program after a number; waits for the next one"
            .numbers(&["after"]);
        post "/api/v1/remote/{connection}" remote::reply:
            "What the program says: ready, move or failed".body(saying()).answers("It was taken");
        delete "/api/v1/remote/{connection}" remote::leave:
            "Disconnect: a game in progress is lost".answers("It is over");
    }
}

fn uploads() -> Vec<Endpoint> {
    endpoints! {
        get "/api/v1/submissions" submissions::all: "All submissions of your team, newest first"
            .answers("The versions, and which of them plays");
        post "/api/v1/submissions" submissions::send:
            "Send a program to the league: its bytes, or a form with a file; the token as a bearer"
            .words(&["file", "word", "protocol"])
            .content(json!({ "application/octet-stream": {}, "multipart/form-data": {} }))
            .answers("The number of the version, and the address of its events");
    }
}

impl Endpoint {
    fn new(
        method: &'static str,
        path: &'static str,
        handler: MethodRouter<App>,
        summary: &'static str,
    ) -> Endpoint {
        let braces = path.split('{').skip(1);
        let names = braces.filter_map(|text| Some(text.split_once('}')?.0));
        let parameter = |name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
        Endpoint {
            path,
            method,
            handler,
            summary,
            answer: summary,
            parameters: names.map(parameter).collect(),
            body: None,
        }
    }

    /// The texts that the last part of the address may be.
    fn last_of(mut self, texts: &[&str]) -> Endpoint {
        if let Some(last) = self.parameters.last_mut() {
            last["schema"]["enum"] = json!(texts);
        }
        self
    }

    fn words(self, names: &[&str]) -> Endpoint {
        self.query(names, "string", false)
    }

    fn numbers(self, names: &[&str]) -> Endpoint {
        self.query(names, "integer", false)
    }

    /// A number without which there is no answer.
    fn needs(self, name: &str) -> Endpoint {
        self.query(&[name], "integer", true)
    }

    fn query(mut self, names: &[&str], kind: &str, is_required: bool) -> Endpoint {
        self.parameters.extend(names.iter().map(|name| {
            json!({ "name": name, "in": "query", "required": is_required, "schema": { "type": kind } })
        }));
        self
    }

    fn body(self, schema: Value) -> Endpoint {
        let mut body = json!({});
        body["application/json"]["schema"] = schema;
        self.content(body)
    }

    fn content(self, body: Value) -> Endpoint {
        let body = Some(body);
        Endpoint { body, ..self }
    }

    fn answers(self, answer: &'static str) -> Endpoint {
        Endpoint { answer, ..self }
    }

    fn description(self) -> Value {
        let mut description = json!({
            "summary": self.summary,
            "parameters": self.parameters,
            "responses": {
                "200": { "description": self.answer, "content": { "application/json": {} } },
                "default": { "description": "The cause, as `error`, and the advice, as `help`" },
            },
        });
        if let Some(content) = self.body {
            description["requestBody"] = json!({ "required": true, "content": content });
        }
        description
    }
}

/// `GET /api/openapi.json`: the API's description, for machines.
pub(crate) async fn description() -> impl IntoResponse {
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in all().into_iter().flatten() {
        let (path, method) = (endpoint.path, endpoint.method);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = endpoint.description();
    }
    let info = json!({ "title": "Floe", "version": env!("CARGO_PKG_VERSION") });
    let openapi = json!({ "openapi": "3.1.0", "info": info, "paths": paths });
    ([(header::CACHE_CONTROL, "no-cache")], Json(openapi))
}
