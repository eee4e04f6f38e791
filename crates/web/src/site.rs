//! The pages that need no server, as files of a folder for any static host.
//!
//! They are the server's own: the same templates, styles and scripts. Addresses become relative, so
//! that the folder works from any place; the first element says where the first page is
//! (`data-root`), which shows scripts that there is no server, only the module. What only a server has is
//! marked `data-served` and hidden.

mod host;

pub use host::host;

use axum::response::Html;
use data_encoding::HEXLOWER;
use floe_language::Language;
use floe_league::starter;
use serde_json::json;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::error::WebError;
use crate::{assets, language, pages};

/// Scripts that ask the module at once: it is loaded while their pages are read.
const ASKING: [&str; 4] = [
    "/assets/analysis.js",
    "/assets/first.js",
    "/assets/game.js",
    "/assets/puzzles.js",
];

/// The policy of pages without a server: only their own scripts and the module.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'";

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// The path in the folder, with `/` between its parts.
    pub path: String,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// The reason why there is no site.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The binary contains no rules and engines for browsers.
    #[error(
        "this floe was built without the WebAssembly module: \
         run crates/browser/build, then build floe again"
    )]
    NoModule,
    /// A page could not be made.
    #[error("cannot make {path}: {message}")]
    Page {
        /// The page.
        path: String,
        /// The cause.
        message: String,
    },
}

/// All files of the site, the service worker last. Pages in other languages than English are in
/// folders of their own.
pub fn site() -> Result<Vec<SiteFile>, SiteError> {
    if !assets::has_module() {
        return Err(SiteError::NoModule);
    }
    let mut files = Vec::new();
    for language in Language::ALL {
        let folder = match language {
            Language::English => String::new(),
            other => format!("{other}/"),
        };
        for (path, page) in language::within(language, pages) {
            let Html(text) = page.map_err(|error| SiteError::Page {
                path: path.clone(),
                message: error.message,
            })?;
            let depth = path.matches('/').count();
            let bytes = alone(&text, depth, !folder.is_empty()).into_bytes();
            let path = format!("{folder}{path}");
            files.push(SiteFile { path, bytes });
        }
    }
    let games = floe_games::games().into_iter();
    let mut starters: Vec<String> = games
        .flat_map(starter::starters)
        .map(|one| one.file.to_string())
        .collect();
    starters.sort();
    starters.dedup();
    for file in starters {
        if let Some(text) = starter::text(&file) {
            files.push(SiteFile {
                path: format!("starters/{file}"),
                bytes: text.into_owned(),
            });
        }
    }
    files.extend(assets::all().map(|(name, bytes)| SiteFile {
        path: format!("assets/{name}"),
        bytes,
    }));
    files.push(manifest());
    files.push(service_worker(&files));
    Ok(files)
}

type Page = (String, Result<Html<String>, WebError>);

/// Every page in the current language.
fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = vec![
        ("index.html".to_owned(), pages::front::games_alone()),
        ("game.html".to_owned(), pages::game::of_browser()),
        ("my.html".to_owned(), pages::game::mine_of_browser()),
        ("records.html".to_owned(), pages::records()),
        ("learn.html".to_owned(), pages::learn::list()),
    ];
    for (i, game) in floe_games::games().into_iter().enumerate() {
        let name = game.name();
        let analysis = || pages::analysis::of_game(game, &Default::default());
        if i == 0 {
            pages.push(("analysis.html".to_owned(), analysis()));
        }
        pages.extend([
            (format!("analysis/{name}.html"), analysis()),
            (format!("play/{name}.html"), pages::play::first(game)),
            (format!("learn/{name}.html"), pages::learn::of_game(game, 1)),
            (
                format!("learn/{name}/first.html"),
                pages::learn::first_game(game),
            ),
            (
                format!("learn/{name}/program.html"),
                pages::learn::for_programmers(game),
            ),
        ]);
        if !game.puzzles().is_empty() {
            let page = pages::puzzles::alone(game);
            pages.push((format!("puzzles/{name}.html"), page));
        }
    }
    pages
}

/// A page without a server, this many folders below the first page of its language, which may
/// itself be in a folder. `data-root` leads to that first page, `data-files` to the files of all
/// languages.
fn alone(page: &str, depth: usize, is_in_folder: bool) -> String {
    let root = "../".repeat(depth);
    let files = "../".repeat(depth + usize::from(is_in_folder));
    let opening = "<html lang=\"";
    let language = (page.split_once(opening))
        .and_then(|(_, rest)| rest.split('"').next())
        .unwrap_or("en");
    // A page in one language needs no choice of language.
    let choosing = match page.contains("class=\"languages\"") {
        true => format!("<script src=\"{files}assets/choose.js\"></script>"),
        false => String::new(),
    };
    let asks = ASKING.iter().any(|script| page.contains(script));
    let module = match asks {
        true => format!(
            "<link rel=\"modulepreload\" href=\"{files}assets/module.js\">\n\
             <link rel=\"modulepreload\" href=\"{files}assets/floe.js\">\n\
             <link rel=\"preload\" href=\"{files}assets/floe.wasm\" as=\"fetch\" crossorigin>\n\
             <script type=\"module\" async src=\"{files}assets/early.js\"></script>\n"
        ),
        false => String::new(),
    };
    let marks = format!(
        "{opening}{language}\" data-files=\"{files}\" data-root=\"{root}\" data-module>\n<head>\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <link rel=\"manifest\" href=\"{files}manifest.webmanifest\">\n\
         {module}{choosing}"
    );
    let head = format!("{opening}{language}\" data-module>\n<head>\n<meta charset=\"utf-8\">");
    // After the page's texts, which scripts need at once.
    let script =
        format!("<script type=\"module\" src=\"{files}assets/site.js\"></script>\n</head>");
    let mut text = page.replacen(&head, &marks, 1);
    text = text.replacen("</head>", &script, 1);
    for attribute in ["href", "src", "action"] {
        text = relative(&text, attribute, &root, &files);
    }
    text
}

/// Makes the addresses of an attribute relative.
fn relative(page: &str, attribute: &str, root: &str, files: &str) -> String {
    let opening = format!(" {attribute}=\"/");
    let mut parts = page.split(opening.as_str());
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once('"').unwrap_or((part, ""));
        let file = match path {
            "" => format!("{root}index.html"),
            path if path.starts_with("assets/") || path.starts_with("starters/") => {
                format!("{files}{path}")
            }
            path => format!("{root}{path}.html"),
        };
        text.push_str(&format!(" {attribute}=\"{file}\"{rest}"));
    }
    text
}

/// The manifest that makes the site an installable app.
fn manifest() -> SiteFile {
    let manifest = json!({
        "name": "Floe",
        "short_name": "Floe",
        "description": "Play and analyse grid games, without a network",
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f4f8fa",
        "theme_color": "#0b7fab",
        "icons": [{ "src": "assets/floe.svg", "sizes": "any", "type": "image/svg+xml" }],
    });
    SiteFile {
        path: "manifest.webmanifest".to_owned(),
        bytes: format!("{manifest:#}\n").into_bytes(),
    }
}

/// The service worker that stores these files for offline use; it changes when any of them changes.
fn service_worker(files: &[SiteFile]) -> SiteFile {
    let mut digest = Sha256::new();
    digest.update(assets::SERVICE_WORKER);
    for file in files {
        digest.update(&file.path);
        digest.update(&file.bytes);
    }
    let version = format!("floe {}", &HEXLOWER.encode(&digest.finalize())[..16]);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let text = assets::SERVICE_WORKER
        .replacen("= \"VERSION\";", &format!("= {};", json!(version)), 1)
        .replacen("FILES = [];", &format!("FILES = {};", json!(paths)), 1);
    SiteFile {
        path: "sw.js".to_owned(),
        bytes: text.into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_and_lead_to_files() {
        let page = "<html lang=\"en\" data-module>\n<head>\n<meta charset=\"utf-8\">\
                    <a href=\"/\"><a href=\"#main\"><img src=\"/assets/x.svg\">\
                    <a href=\"/play/nim\"><a href=\"/learn\">";
        let text = alone(page, 1, false);
        for part in [
            "data-root=\"../\" data-module>",
            "<a href=\"../index.html\">",
            "<a href=\"#main\">",
            "<img src=\"../assets/x.svg\">",
            "<a href=\"../play/nim.html\">",
            "<a href=\"../learn.html\">",
            "href=\"../manifest.webmanifest\"",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn pages_that_ask_the_module_at_once_load_it_at_once() {
        let page = |script: &str| {
            let page = format!(
                "<html lang=\"en\" data-module>\n<head>\n<meta charset=\"utf-8\">\
                 <script type=\"module\" src=\"/assets/{script}.js\"></script></head>"
            );
            alone(&page, 1, true)
        };
        for part in [
            "<link rel=\"modulepreload\" href=\"../../assets/module.js\">",
            "<link rel=\"modulepreload\" href=\"../../assets/floe.js\">",
            "<link rel=\"preload\" href=\"../../assets/floe.wasm\" as=\"fetch\" crossorigin>",
            "<script type=\"module\" async src=\"../../assets/early.js\"></script>",
        ] {
            assert!(page("analysis").contains(part), "{part}");
            assert!(!page("records").contains(part), "{part}");
        }
    }

    #[test]
    fn another_file_is_another_version() {
        let file = |text: &str| SiteFile {
            path: "a.html".to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let worker = service_worker(&[file("one")]);
        let text = String::from_utf8(worker.bytes.clone()).unwrap();
        assert!(text.contains("FILES = [\"a.html\"];"), "{text}");
        assert!(!text.contains("\"VERSION\""), "{text}");
        assert_eq!(worker, service_worker(&[file("one")]));
        assert_ne!(worker, service_worker(&[file("two")]));
    }

    #[test]
    fn a_site_has_every_game_or_says_what_is_missing() {
        match site() {
            Err(error) => assert!(error.to_string().contains("crates/browser/build")),
            Ok(files) => {
                let has = |path: &str| files.iter().any(|file| file.path == path);
                for game in floe_games::games() {
                    for page in ["play", "analysis", "learn", "puzzles"] {
                        assert!(has(&format!("{page}/{}.html", game.name())), "{page}");
                    }
                }
                assert!(has("assets/floe.wasm") && has("index.html"));
                for file in files.iter().filter(|file| file.path.ends_with(".html")) {
                    let text = String::from_utf8_lossy(&file.bytes);
                    assert!(text.contains(" data-root=\""), "{}", file.path);
                    for wrong in [" href=\"/", " src=\"/", " action=\"/"] {
                        assert!(!text.contains(wrong), "{}: {wrong}", file.path);
                    }
                }
            }
        }
    }
}
