//! The addresses and their handlers, and the checks before every request.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::csrf::CsrfLayer;
use tower_http::timeout::TimeoutLayer;

use crate::error::WebError;
use crate::state::App;
use crate::{api, assets, guard, language, live, pages, refusals, starters};

/// The longest body of a request.
const BODY: usize = 256 * 1024;
/// Size limit of one game's record, in bytes.
const RECORD: usize = 4 * 1024 * 1024;
/// Time limit of a request, except streams of events.
const PATIENCE: Duration = Duration::from_secs(30);

/// The router of the whole site.
pub fn app(app: App) -> Router {
    let open = Router::new()
        .merge(for_visitors(&app))
        .route("/health", get(pages::about::health))
        .route("/assets/{name}", get(assets::asset))
        .route("/starters/{file}", get(starters::starter));
    guarded(open, &app).with_state(app)
}

/// Addresses that need to know the visitor.
fn for_visitors(app: &App) -> Router<App> {
    let weighed = middleware::from_fn_with_state(BODY, guard::weigh);
    let timeout = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, PATIENCE);
    let [ordinary, programs, records, events] = api::endpoints::routers();
    let answers = Router::new()
        .merge(people_pages())
        .merge(watch_pages())
        .merge(contest_pages().layer(middleware::from_fn(language::english)))
        .merge(ordinary)
        .route("/api/openapi.json", get(api::endpoints::description))
        .layer(weighed);
    answers
        .merge(uploads(app, programs))
        .merge(limited(records, RECORD))
        .layer(timeout)
        // Streams of events have no time limit.
        .merge(events.route("/live", get(live::live)))
        .fallback(pages::missing)
        .layer(middleware::from_fn_with_state(app.clone(), guard::identify))
}

/// The checks of every request, the last of them first.
fn guarded(router: Router<App>, app: &App) -> Router<App> {
    router
        .layer(DefaultBodyLimit::max(BODY))
        .layer(CsrfLayer::new())
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(refusals::explain))
        // Pages are made for one visitor, so compressing must not take longer than rendering.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            guard::slow_down,
        ))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            guard::know_host,
        ))
        .layer(middleware::from_fn(guard::harden))
        .layer(middleware::from_fn(language::speak))
        .layer(middleware::from_fn_with_state(app.clone(), count))
}

/// Pages to play, learn and analyse on.
fn people_pages() -> Router<App> {
    Router::new()
        .route("/", get(pages::front::front))
        .route(
            "/play/{game}",
            get(pages::play::form).post(pages::play::begin),
        )
        .route("/game/{id}", get(pages::game::game))
        .route("/game/{id}/qr.svg", get(pages::game::qr))
        .route("/my", get(pages::game::mine))
        .route("/records", get(pages::records_page))
        .route("/analysis", get(pages::analysis::first))
        .route("/analysis/{game}", get(pages::analysis::analysis))
        .route("/learn", get(pages::learn::all))
        .route("/learn/{game}", get(pages::learn::learn))
        .route("/learn/{game}/first", get(pages::learn::first))
        .route("/learn/{game}/program", get(pages::learn::program))
        .route("/puzzles", get(pages::puzzles::first))
        .route("/puzzles/{game}", get(pages::puzzles::puzzles))
        .route("/about", get(pages::about::about))
        .route("/language", post(pages::language::choose))
        .route("/enter/{token}", get(pages::about::enter))
        .route("/metrics", get(pages::about::metrics))
}

/// Pages to watch games of contests on.
fn watch_pages() -> Router<App> {
    Router::new()
        .route("/league/{name}/projector", get(pages::live::of_league))
        .route("/projector", get(pages::live::of_all))
        .route("/live/{id}", get(pages::live::table))
        .route("/league/{name}/game/{number}", get(pages::replay::replay))
        .route(
            "/league/{name}/game/{number}/evaluation",
            post(pages::replay::evaluate),
        )
}

/// Pages of contests, their participants and their organiser, in English.
fn contest_pages() -> Router<App> {
    Router::new()
        .route("/leagues", get(pages::league::all))
        .route("/league/{name}", get(pages::league::standings))
        .route(
            "/league/{name}/standings.csv",
            get(pages::league::standings_csv),
        )
        .route("/league/{name}/qr.svg", get(pages::live::qr_of_league))
        .route("/qr.svg", get(pages::live::qr_of_all))
        .route("/league/{name}/games", get(pages::league::games))
        .route(
            "/league/{name}/game/{number}/record",
            get(pages::replay::record),
        )
        .route(
            "/league/{name}/game/{number}/position/{at}",
            get(pages::replay::position),
        )
        .route(
            "/league/{name}/game/{number}/asked/{at}",
            get(pages::replay::asked),
        )
        .route(
            "/league/{name}/entrant/{entrant}",
            get(pages::entrant::entrant),
        )
        .route("/join/{token}", get(pages::submit::join))
        .route("/versions", get(pages::submit::versions))
        .route("/versions/{entrant}/{number}", get(pages::verdict::version))
        .route(
            "/versions/{entrant}/{number}/withdraw",
            post(pages::verdict::withdraw),
        )
        .route("/desk", get(pages::desk::desk))
        .route("/desk/{act}", post(pages::desk::act))
        .route("/cluster", get(pages::machines::cluster))
        .route("/cluster/{act}", post(pages::machines::act))
}

/// Addresses that receive programs, up to the league's size limit.
fn uploads(app: &App, programs: Router<App>) -> Router<App> {
    let largest = app.league_service().map_or(BODY, |service| {
        let size = service.league().description().submitting.size;
        // Plus the other fields of the form.
        usize::try_from(size).map_or(BODY, |size| size + BODY)
    });
    let form = get(pages::submit::form).post(pages::submit::send);
    let form = form.layer(middleware::from_fn(language::english));
    limited(programs.route("/submit", form), largest)
}

/// Addresses that receive bodies up to this size.
fn limited(router: Router<App>, size: usize) -> Router<App> {
    router
        .layer(DefaultBodyLimit::max(size))
        .layer(middleware::from_fn_with_state(size, guard::weigh))
}

async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    app.metrics().count_request();
    next.run(request).await
}

#[allow(clippy::needless_pass_by_value)] // the layer hands it over
/// A panic is the server's fault; the client sees only a page with an ID.
fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let text = (cause.downcast_ref::<String>().map(String::as_str))
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("a panic");
    WebError::ours(text).into_response()
}
