//! A server for the site on this machine, to try it before it is published.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

use super::SiteFile;
use crate::assets;

/// Serves the files of a site, until `stop` is done.
pub async fn host(
    listener: TcpListener,
    files: Vec<SiteFile>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let files = files.into_iter().map(|file| (file.path, file.bytes));
    let files: Arc<HashMap<String, Vec<u8>>> = Arc::new(files.collect());
    let router = Router::new().fallback(move |address: Uri| {
        let answer = answer(&files, address.path());
        async move { answer }
    });
    let serving = axum::serve(listener, router);
    serving.with_graceful_shutdown(stop).await
}

fn answer(files: &HashMap<String, Vec<u8>>, path: &str) -> Response {
    let path = match path.trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match files.get(path) {
        Some(bytes) => {
            let headers = [
                (header::CONTENT_TYPE, assets::kind(path)),
                (header::CACHE_CONTROL, "no-cache"),
            ];
            (headers, bytes.clone()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "no such page\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_its_first_page_and_nothing_else_is_there() {
        let page = ("index.html".to_owned(), b"first".to_vec());
        let files = HashMap::from([page]);
        for (path, status) in [("/", 200), ("/index.html", 200), ("/../secret", 404)] {
            let answer = answer(&files, path);
            assert_eq!(answer.status(), status, "{path}");
        }
        let kind = answer(&files, "/").headers()[header::CONTENT_TYPE].clone();
        assert_eq!(kind, "text/html; charset=utf-8");
    }
}
