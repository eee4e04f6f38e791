//! What is refused before any page is made: names that are not ours, and bodies that are too long.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use floe_web::Settings;
use http_body_util::BodyExt;
use tempfile::TempDir;

use crate::Place;

async fn asked_as(place: &Place, host: &str, path: &str) -> (StatusCode, String) {
    let request = Request::builder()
        .uri(path)
        .header(header::HOST, host)
        .body(Body::empty())
        .unwrap();
    let response = place.send(request).await;
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

/// A page elsewhere could have its own name lead here, and read everything.
#[tokio::test]
async fn names_it_was_not_told_are_refused_and_addresses_are_not() {
    let place = Place::new();
    for host in [
        "127.0.0.1:4860",
        "192.0.2.7",
        "[::1]:4860",
        "localhost",
        "LOCALHOST.:80",
        "floe.localhost:4860",
    ] {
        assert_eq!(
            asked_as(&place, host, "/health").await.0,
            StatusCode::OK,
            "{host}"
        );
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:4860",
        "x<b>",
    ] {
        for path in ["/", "/api/v1/my", "/assets/floe.css"] {
            let (status, text) = asked_as(&place, host, path).await;
            assert_eq!(status, StatusCode::MISDIRECTED_REQUEST, "{host} {path}");
            assert!(text.contains("--host"), "{text}");
            // A page shows it as text; what scripts read is JSON.
            assert!(path != "/" || !text.contains("x<b>"), "{text}");
        }
    }
}

#[tokio::test]
async fn names_it_was_told_are_answered() {
    let folder = TempDir::new().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.hosts = vec!["Floe.Example.org".to_owned()];
    let place = Place::with(folder, settings);
    let status = async |host: &str| asked_as(&place, host, "/health").await.0;
    assert_eq!(status("floe.example.ORG:8080").await, StatusCode::OK);
    assert_eq!(
        status("other.example.org").await,
        StatusCode::MISDIRECTED_REQUEST
    );
    // A proxy passes on what is meant for us, unless it was told otherwise.
    let place = Place::behind_proxy();
    let answer = asked_as(&place, "floe.example.org", "/health").await;
    assert_eq!(answer.0, StatusCode::OK);
}

#[tokio::test]
async fn a_length_beyond_the_limit_is_refused_before_anything_is_read() {
    let place = Place::new();
    for (path, length) in [
        ("/play/gamma", 256 * 1024 + 1),
        ("/api/v1/positions", u64::MAX),
        ("/api/v1/courses", 4 * 1024 * 1024 + 1),
    ] {
        // A body that never comes.
        let body = Body::from_stream(futures_util::stream::pending::<
            Result<Vec<u8>, std::io::Error>,
        >());
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONTENT_LENGTH, length)
            .body(body)
            .unwrap();
        let response = place.send(request).await;
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE, "{path}");
    }
}
