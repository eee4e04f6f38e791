//! Any body sent to the API is answered: with 200 or with a refusal that is the client's fault.
#![cfg_attr(feature = "fuzzer", no_main)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use floe_fuzz::fuzz_target;
use floe_web::{App, Settings};
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// What takes a body and needs no game that was begun before.
const PATHS: [&str; 7] = [
    "positions",
    "forms",
    "checks",
    "refusals",
    "paint",
    "courses",
    "games",
];

struct Place {
    router: Router,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

fn place() -> &'static Place {
    static PLACE: OnceLock<Place> = OnceLock::new();
    PLACE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = Settings::new(folder.path());
        // The asker is whom the proxy names: nobody asks too often.
        settings.is_behind_proxy = true;
        let runtime = Runtime::new().expect("threads");
        let router =
            runtime.block_on(async { floe_web::app(App::open(&settings).expect("it opens").0) });
        Place {
            router,
            runtime,
            _folder: folder,
        }
    })
}

fuzz_target!(|bytes: &[u8]| {
    static ASKER: AtomicU32 = AtomicU32::new(0);
    let Some((&first, body)) = bytes.split_first() else {
        return;
    };
    let path = PATHS[usize::from(first) % PATHS.len()];
    let asker = std::net::Ipv4Addr::from_bits(ASKER.fetch_add(1, Ordering::Relaxed));
    let request = Request::post(format!("/api/v1/{path}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("x-forwarded-for", asker.to_string())
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let place = place();
    let answer = place
        .runtime
        .block_on(place.router.clone().oneshot(request));
    let status = answer.expect("there is always an answer").status();
    assert!(
        status.is_success() || status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS,
        "{path}: {status}"
    );
});
