//! `/language`: the visitor's choice of a language.

use axum::extract::{Form, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use floe_language::Language;
use serde::Deserialize;

use crate::language::COOKIE;
use crate::state::App;

/// Lifetime of a stored choice, in seconds.
const YEAR: u32 = 365 * 24 * 3600;

/// The fields of the footer's form.
#[derive(Deserialize)]
pub(crate) struct Choice {
    #[serde(default)]
    to: String,
}

/// `POST /language`: stores the choice, and shows the same page again.
pub(crate) async fn choose(
    State(app): State<App>,
    headers: HeaderMap,
    Form(choice): Form<Choice>,
) -> Response {
    let mut response = Redirect::to(&path_back(&headers)).into_response();
    if let Ok(language) = choice.to.parse::<Language>() {
        let secure = if app.is_behind_proxy() {
            "; Secure"
        } else {
            ""
        };
        let text = format!("{COOKIE}={language}; Path=/; Max-Age={YEAR}; SameSite=Lax{secure}");
        if let Ok(cookie) = HeaderValue::from_str(&text) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// The page the form is on.
fn path_back(headers: &HeaderMap) -> String {
    let from = headers.get(header::REFERER);
    let from = from.and_then(|value| value.to_str().ok()?.parse::<Uri>().ok());
    let path = from.and_then(|uri| uri.path_and_query().map(ToString::to_string));
    // Two slashes would lead to another site.
    let path = path.filter(|path| path.starts_with('/') && !path.starts_with("//"));
    path.unwrap_or_else(|| "/".to_owned())
}
