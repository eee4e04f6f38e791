//! The place through its router, without a socket.

mod access;
mod api;
#[cfg(unix)]
mod desk;
mod doors;
mod evaluation;
mod games;
mod hostile;
mod language;
mod league;
mod lent;
mod live;
mod machines;
mod many_requests;
#[cfg(target_os = "linux")]
mod membership;
mod numbers;
mod own;
mod pages;
#[cfg(unix)]
mod sight;
mod socket;
#[cfg(target_os = "linux")]
mod submitting;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use floe_web::{App, Settings};
use http_body_util::BodyExt;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

/// A place in a folder of its own.
pub(crate) struct Place {
    folder: TempDir,
    router: Router,
    pub(crate) token: String,
}

/// Somebody's browser, as far as cookies go.
#[derive(Default, Clone)]
pub(crate) struct Browser {
    cookies: Vec<(String, String)>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

impl Place {
    /// A place whose folder is a league's, with `Ada` and `Grace` of owls and `Alan` of hawks in it,
    /// and their tokens.
    #[cfg(target_os = "linux")]
    pub(crate) fn league(submit: &str) -> (Place, [String; 3]) {
        submitting::place(submit)
    }

    pub(crate) fn new() -> Place {
        Place::at(TempDir::new().unwrap())
    }

    /// One behind a proxy, which says who asks.
    pub(crate) fn behind_proxy() -> Place {
        let folder = TempDir::new().unwrap();
        let mut settings = Settings::new(folder.path());
        settings.is_behind_proxy = true;
        Place::with(folder, settings)
    }

    fn at(folder: TempDir) -> Place {
        let settings = Settings::new(folder.path());
        Place::with(folder, settings)
    }

    pub(crate) fn with(folder: TempDir, mut settings: Settings) -> Place {
        settings.engines = 1;
        settings.helper = env!("CARGO_BIN_EXE_floe-web-supervisor").into();
        let (app, token) = App::open(&settings).unwrap();
        Place {
            folder,
            router: floe_web::app(app),
            token,
        }
    }

    /// The same folder in a new process, as far as a router can tell.
    pub(crate) fn restarted(self) -> Place {
        Place::at(self.folder)
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }
}

impl Browser {
    fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let cookies: Vec<String> = (self.cookies.iter())
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::COOKIE, cookies.join("; "))
    }

    async fn finish(&mut self, place: &Place, request: Request<Body>) -> Answer {
        let response = place.send(request).await;
        let (status, headers) = (response.status(), response.headers().clone());
        for cookie in headers.get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            self.cookies.retain(|(known, _)| known != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Answer {
            status,
            headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub(crate) async fn get(&mut self, place: &Place, path: &str) -> Answer {
        let request = self.request(Method::GET, path).body(Body::empty()).unwrap();
        self.finish(place, request).await
    }

    pub(crate) async fn post(&mut self, place: &Place, path: &str, body: &Value) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        self.finish(place, request).await
    }

    pub(crate) async fn form(&mut self, place: &Place, path: &str, body: &str) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body.to_owned()))
            .unwrap();
        self.finish(place, request).await
    }

    /// Begins a game by the form, and gives its id.
    pub(crate) async fn begin(&mut self, place: &Place, game: &str, form: &str) -> String {
        let answer = self.form(place, &format!("/play/{game}"), form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        let to = answer.headers[header::LOCATION].to_str().unwrap();
        to.strip_prefix("/game/").unwrap().to_owned()
    }

    pub(crate) async fn game(&mut self, place: &Place, id: &str) -> Value {
        let answer = self.get(place, &format!("/api/v1/games/{id}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json()
    }

    /// The first move there is, made.
    pub(crate) async fn move_first(&mut self, place: &Place, id: &str) -> Answer {
        let ply = self.game(place, id).await["state"]["ply"].clone();
        let path = format!("/api/v1/games/{id}/moves?ply={ply}");
        let moves = self.get(place, &path).await.json();
        let mv = moves["moves"][0]["move"].clone();
        let body = serde_json::json!({ "ply": ply, "move": mv });
        self.post(place, &format!("/api/v1/games/{id}/move"), &body)
            .await
    }
}
