//! A league's pages: submitting, following, who reads what, the desk, and hostile hands.

use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use floe_league::League;
use floe_league::invitation::Invite;
use floe_league::people::read_list;
use http_body_util::BodyExt;
use tempfile::TempDir;

use crate::{Answer, Browser, Place};

pub(crate) fn place(submit: &str) -> (Place, [String; 3]) {
    let (folder, tokens) = folder(submit);
    (Place::at(folder), tokens)
}

/// A league's folder without a server, and the tokens of its participants.
fn folder(submit: &str) -> (TempDir, [String; 3]) {
    let folder = TempDir::new().unwrap();
    let text = format!(
        "game = 'flood'\nsandbox = 1\n[boards]\nsetup = '5x4'\n[limits]\ntime = '20s'\n\
         start = '20s'\n[submit]\n{submit}\n"
    );
    std::fs::write(folder.path().join("league.toml"), text).unwrap();
    let league = League::open(folder.path()).unwrap();
    let guests = read_list("Ada,owls\nGrace,owls\nAlan,hawks\n").unwrap();
    let invited = league.invite(&guests, Invite::New).unwrap();
    let tokens: Vec<String> = (invited.iter())
        .map(|invitation| invitation.token.text().to_owned())
        .collect();
    (folder, tokens.try_into().unwrap())
}

const BAD: &str = "int main(void) { return x; }\n";

fn starter() -> String {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    std::fs::read_to_string(bots.join("flood.py")).unwrap()
}

async fn enter(place: &Place, token: &str) -> Browser {
    let mut browser = Browser::default();
    let joined = browser.get(place, &format!("/join/{token}")).await;
    assert_eq!(joined.status, StatusCode::SEE_OTHER, "{}", joined.text);
    browser
}

async fn organiser(place: &Place) -> Browser {
    let mut browser = Browser::default();
    browser.get(place, &format!("/enter/{}", place.token)).await;
    browser
}

/// A form as browsers send it, with parts of a name, perhaps a file's name, and a text.
async fn send_form(
    browser: &mut Browser,
    place: &Place,
    path: &str,
    parts: &[(&str, Option<&str>, &str)],
) -> Answer {
    let mut body = String::new();
    for (name, file, text) in parts {
        let file = file
            .map(|file| format!("; filename=\"{file}\""))
            .unwrap_or_default();
        body.push_str(&format!(
            "--XX\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{text}\r\n"
        ));
    }
    body.push_str("--XX--\r\n");
    let request = browser
        .request(axum::http::Method::POST, path)
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=XX")
        .body(Body::from(body))
        .unwrap();
    browser.finish(place, request).await
}

async fn send_raw(place: &Place, token: &str, file: &str, body: &str) -> Answer {
    let request = Request::post(format!("/api/v1/submissions?file={file}"))
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .body(Body::from(body.to_owned()))
        .unwrap();
    Browser::default().finish(place, request).await
}

/// All events of a version up to its verdict.
async fn events(browser: &mut Browser, place: &Place, version: &str) -> String {
    let path = format!("/api/v1/submissions/{version}/events");
    browser.get(place, &path).await.text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_sent_and_its_verdict_streams_in() {
    let (place, [ada, ..]) = Place::league("");
    let mut browser = enter(&place, &ada).await;
    let form = browser.get(&place, "/submit").await;
    assert!(
        form.text.contains("as owls") && form.text.contains("30 more today"),
        "{}",
        form.text
    );
    let link = "<a href=\"/starters/flood.py\" download><span>Python</span>";
    assert!(form.text.contains(link), "{}", form.text);
    assert_eq!(
        browser.get(&place, "/starters/flood.py").await.text,
        starter()
    );
    assert!(form.text.contains("href=\"/learn/flood\""), "{}", form.text);
    let parts = [
        ("file", Some("flood.py"), starter()),
        ("word", None, "first".to_owned()),
    ];
    let parts = parts
        .each_ref()
        .map(|(name, file, text)| (*name, *file, text.as_str()));
    let sent = send_form(&mut browser, &place, "/submit", &parts).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text);
    assert_eq!(sent.headers[header::LOCATION], "/versions/owls/1");
    let told = events(&mut browser, &place, "owls/1").await;
    assert!(told.contains("recipe: Python"), "{told}");
    assert!(
        told.contains("\"what\":\"verdict\",\"text\":[\"accepted\""),
        "{told}"
    );
    let page = browser.get(&place, "/versions/owls/1").await;
    assert!(
        page.text.contains("plays on the ladder now"),
        "{}",
        page.text
    );
    assert!(page.text.contains("plays: yes, "), "{}", page.text);
    // Pasted source, by a form without a file.
    let parts = [
        ("file", Some(""), ""),
        ("source", None, BAD),
        ("name", None, "bot.c"),
    ];
    let sent = send_form(&mut browser, &place, "/submit", &parts).await;
    assert_eq!(sent.headers[header::LOCATION], "/versions/owls/2");
    let told = events(&mut browser, &place, "owls/2").await;
    assert!(
        told.contains("bot.c:1:25: error:") && told.contains("refused"),
        "{told}"
    );
    let page = browser.get(&place, "/versions").await;
    assert!(
        page.text.contains("plays now") && page.text.contains("refused"),
        "{}",
        page.text
    );
    let sent = browser.get(&place, "/api/v1/submissions").await.json();
    assert_eq!(sent["current"], "owls#1");
    assert_eq!(sent["versions"][0]["id"], "owls#2");
    let refused = browser
        .get(&place, "/api/v1/submissions/owls/2")
        .await
        .json();
    assert_eq!(refused["version"]["state"], "refused");
    let log = refused["log"].as_str().unwrap();
    assert!(log.contains("bot.c:1:25: error:"), "{log}");
    // Somebody who comes later, even to a server started anew, is told the same.
    let place = place.restarted();
    let told = events(&mut browser, &place, "owls/2").await;
    assert!(
        told.contains("bot.c:1:25: error:") && told.contains("refused"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plain_clients_send_with_a_bearer_token() {
    let (place, [ada, _, alan]) = Place::league("quota = 2");
    let sent = send_raw(&place, &ada, "bot.c", BAD).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.text);
    let taken = sent.json();
    assert_eq!(taken["version"], "owls#1");
    assert_eq!(taken["events"], "/api/v1/submissions/owls/1/events");
    let nobody = "0".repeat(32);
    for token in [nobody.as_str(), "", "'; drop"] {
        let refused = send_raw(&place, token, "bot.c", BAD).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert!(refused.json()["help"].as_str().unwrap().contains("Bearer"));
    }
    let refused = send_raw(&place, &alan, "..%2Fbot.c", BAD).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.text.contains("cannot be a file's name here"),
        "{}",
        refused.text
    );
    send_raw(&place, &ada, "bot.c", "int x;").await;
    let refused = send_raw(&place, &ada, "bot.c", "int y;").await;
    assert_eq!(
        refused.status,
        StatusCode::TOO_MANY_REQUESTS,
        "{}",
        refused.text
    );
    assert!(
        refused.text.contains("2 of 2 versions of owls sent today"),
        "{}",
        refused.text
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_team_and_the_organiser_read_versions() {
    let (place, [ada, grace, alan]) = Place::league("");
    send_raw(&place, &ada, "bot.c", BAD).await;
    let mut own = enter(&place, &ada).await;
    events(&mut own, &place, "owls/1").await;
    let mut team = enter(&place, &grace).await;
    let mut other = enter(&place, &alan).await;
    let mut public = Browser::default();
    let mut organiser = organiser(&place).await;
    for path in [
        "/versions/owls/1",
        "/api/v1/submissions/owls/1",
        "/api/v1/submissions/owls/1/events",
    ] {
        for (browser, may) in [
            (&mut own, true),
            (&mut team, true),
            (&mut organiser, true),
            (&mut other, false),
            (&mut public, false),
        ] {
            let answer = browser.get(&place, path).await;
            assert_eq!(
                answer.status == StatusCode::OK,
                may,
                "{path}: {}",
                answer.text
            );
            assert_eq!(answer.text.contains("bot.c:1:25"), may, "{path}");
        }
    }
    let desk = organiser.get(&place, "/api/v1/desk").await.json();
    assert_eq!(desk["people"][0]["name"], "Ada");
    assert_eq!(desk["versions"][0]["state"], "refused");
    let private = [
        "/submit",
        "/versions",
        "/desk",
        "/api/v1/submissions",
        "/api/v1/desk",
    ];
    for path in private {
        assert_eq!(
            public.get(&place, path).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
    }
    assert_eq!(
        other.get(&place, "/desk").await.status,
        StatusCode::FORBIDDEN
    );
    for act in [
        "invite",
        "again",
        "pull",
        "reinstate",
        "pause",
        "resume",
        "freeze",
        "play",
        "stop",
    ] {
        let refused = other
            .form(&place, &format!("/desk/{act}"), "name=Eve")
            .await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{act}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_desk_invites_pulls_and_pauses() {
    let (place, [ada, ..]) = Place::league("");
    send_raw(&place, &ada, "flood.py", &starter()).await;
    let mut own = enter(&place, &ada).await;
    events(&mut own, &place, "owls/1").await;
    let mut desk = organiser(&place).await;
    let page = desk.get(&place, "/desk").await;
    assert!(
        page.text.contains("owls#1") && page.text.contains("plays now"),
        "{}",
        page.text
    );
    // A link is shown once, works, and ends the one before.
    let shown = desk.form(&place, "/desk/again", "name=Ada").await;
    let link = shown
        .text
        .split("href=\"/join/")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(!desk.get(&place, "/desk").await.text.contains(link));
    assert_eq!(
        own.get(&place, "/versions").await.status,
        StatusCode::FORBIDDEN
    );
    let mut own = enter(&place, link).await;
    assert_eq!(own.get(&place, "/versions").await.status, StatusCode::OK);
    // Names are text, whatever is in them.
    let hostile = "name=%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let shown = desk.form(&place, "/desk/invite", hostile).await;
    assert!(!shown.text.contains("<script>alert"), "{}", shown.text);
    let refused = desk.form(&place, "/desk/invite", "name=a%0Ab").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let pulled = desk
        .form(&place, "/desk/pull", "version=owls%231&why=no")
        .await;
    assert_eq!(pulled.status, StatusCode::SEE_OTHER, "{}", pulled.text);
    let page = own.get(&place, "/versions").await;
    assert!(
        page.text.contains("withdrawn") && !page.text.contains("plays now"),
        "{}",
        page.text
    );
    let refused = desk.form(&place, "/desk/pull", "version=owls%239").await;
    assert!(
        refused.text.contains("there is no version owls#9"),
        "{}",
        refused.text
    );
    desk.form(&place, "/desk/pause", "what=submitting").await;
    let parts = [("source", None, BAD), ("name", None, "bot.c")];
    let refused = send_form(&mut own, &place, "/submit", &parts).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    desk.form(&place, "/desk/resume", "what=submitting").await;
    let taken = send_form(&mut own, &place, "/submit", &parts).await;
    assert_eq!(taken.status, StatusCode::SEE_OTHER, "{}", taken.text);
}

#[tokio::test]
async fn a_team_withdraws_what_is_not_judged_yet() {
    let (folder, [ada, _, alan]) = folder("");
    // As if another process judged: here nothing is.
    let lock = std::fs::File::create(folder.path().join("queue.lock")).unwrap();
    lock.try_lock().unwrap();
    let place = Place::at(folder);
    send_raw(&place, &ada, "flood.py", &starter()).await;
    let (mut owls, mut hawks) = (enter(&place, &ada).await, enter(&place, &alan).await);
    let page = owls.get(&place, "/versions/owls/1").await.text;
    let withdraw = "/versions/owls/1/withdraw";
    assert!(page.contains(withdraw), "{page}");
    let refused = hawks.form(&place, withdraw, "").await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND, "{}", refused.text);
    let mut desk = organiser(&place).await;
    let refused = desk.form(&place, withdraw, "").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    for _ in 0..2 {
        let done = owls.form(&place, withdraw, "").await;
        assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
        let page = owls.get(&place, "/versions/owls/1").await.text;
        assert!(page.contains("Its team withdrew it"), "{page}");
        assert!(!page.contains(withdraw), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_league_says_what_it_takes() {
    let (place, [ada, ..]) = Place::league("takes = ['Python', 'Makefile']");
    let mut own = enter(&place, &ada).await;
    let form = own.get(&place, "/submit").await.text;
    assert!(
        form.contains("This machine builds Makefile, Python, up to"),
        "{form}"
    );
    assert!(
        form.contains("Compiled programs are not accepted"),
        "{form}"
    );
    let refused = send_raw(&place, &ada, "bot.c", BAD).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let why = "C is not taken in this league; taken are Python, Makefile";
    assert_eq!(refused.json()["error"], why);
    let parts = [("source", None, BAD), ("name", None, "bot.c")];
    let refused = send_form(&mut own, &place, "/submit", &parts).await;
    assert!(refused.text.contains(why), "{}", refused.text);
    let (place, [ada, ..]) = Place::league("takes = ['c']");
    let mut own = enter(&place, &ada).await;
    let form = own.get(&place, "/submit").await.text;
    assert!(form.contains("value=\"bot.c\""), "{form}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_are_limited_and_forged_ones_refused() {
    let (place, [ada, ..]) = Place::league("size = '1MiB'");
    let large = "x".repeat((1 << 20) + 1);
    let refused = send_raw(&place, &ada, "bot.c", &large).await;
    assert_eq!(
        refused.status,
        StatusCode::PAYLOAD_TOO_LARGE,
        "{}",
        refused.text
    );
    let larger = "x".repeat(4 << 20);
    let refused = send_raw(&place, &ada, "bot.c", &larger).await;
    assert_eq!(
        refused.status,
        StatusCode::PAYLOAD_TOO_LARGE,
        "{}",
        refused.text
    );
    let mut browser = enter(&place, &ada).await;
    let refused = send_form(
        &mut browser,
        &place,
        "/submit",
        &[("word", None, "nothing")],
    )
    .await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused.text.contains("There is nothing to send"),
        "{}",
        refused.text
    );
    // A form of another site.
    let request = browser
        .request(axum::http::Method::POST, "/submit")
        .header("sec-fetch-site", "cross-site")
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=XX")
        .body(Body::from("--XX--\r\n"))
        .unwrap();
    assert_eq!(
        browser.finish(&place, request).await.status,
        StatusCode::FORBIDDEN
    );
    // Without a league there is nothing to submit to.
    let plain = Place::new();
    let none = send_raw(&plain, &ada, "bot.c", BAD).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

/// The first event comes while the build goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_come_as_they_happen() {
    let (place, [ada, ..]) = Place::league("");
    let makefile = "all:\n\techo begun\n\tsleep 600\n";
    send_raw(&place, &ada, "Makefile", makefile).await;
    let browser = enter(&place, &ada).await;
    let path = "/api/v1/submissions/owls/1/events";
    let request = browser.request(axum::http::Method::GET, path);
    let response = place.send(request.body(Body::empty()).unwrap()).await;
    let mut body = response.into_body();
    let mut seen = String::new();
    while !seen.contains("begun") {
        let frame = tokio::time::timeout(Duration::from_secs(60), body.frame()).await;
        let frame = frame.unwrap().unwrap().unwrap();
        seen.push_str(&String::from_utf8_lossy(frame.data_ref().unwrap()));
    }
    assert!(!seen.contains("verdict"), "{seen}");
}
