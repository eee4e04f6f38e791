//! People on the organiser's desk, a link that lasts, and archives in which several files could be the
//! program.

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use floe_league::League;

use crate::submitting::place;
use crate::{Answer, Browser, Place};

async fn organiser(place: &Place) -> Browser {
    let mut browser = Browser::default();
    browser.get(place, &format!("/enter/{}", place.token)).await;
    browser
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_invited_by_a_list_renamed_moved_and_removed() {
    let (place, [ada, ..]) = place("");
    let mut desk = organiser(&place).await;
    let list = "list=Name%3BTeam%0D%0AMary%3Bseals%0D%0AJoan%3B%0D%0AAda%3Bowls%0D%0A";
    let page = desk.form(&place, "/desk/list", list).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let told = "2 invited; 1 were invited already.";
    assert!(page.text.contains(told), "{}", page.text);
    assert_eq!(page.text.matches("/join/").count(), 2, "{}", page.text);
    let wrong = desk.form(&place, "/desk/list", "list=Eve%3Bow%23ls").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        wrong.text.contains("line 1:2: names cannot have"),
        "{}",
        wrong.text
    );
    let page = desk
        .form(&place, "/desk/rename", "name=Ada&new=Ada+L.")
        .await;
    assert!(page.text.contains("Ada is Ada L. now."), "{}", page.text);
    let page = desk
        .form(&place, "/desk/move", "name=Ada+L.&team=seals")
        .await;
    assert!(
        page.text.contains("Ada L. plays as seals now."),
        "{}",
        page.text
    );
    // Her link is still hers.
    let mut browser = Browser::default();
    browser.get(&place, &format!("/join/{ada}")).await;
    let form = browser.get(&place, "/submit").await;
    assert!(form.text.contains("as seals"), "{}", form.text);
    let page = desk.form(&place, "/desk/remove", "name=Ada+L.").await;
    assert!(
        page.text.contains("Ada L. left the league."),
        "{}",
        page.text
    );
    assert_eq!(
        browser.get(&place, "/submit").await.status,
        StatusCode::FORBIDDEN
    );
    let again = desk.form(&place, "/desk/remove", "name=Ada+L.").await;
    assert!(
        again.text.contains("no participant is called Ada L."),
        "{}",
        again.text
    );
    // Nobody else does that.
    let refused = browser.form(&place, "/desk/remove", "name=Mary").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lasting_link_opens_the_desk_after_a_restart() {
    let (place, _) = place("");
    let mut desk = organiser(&place).await;
    let page = desk.form(&place, "/desk/link", "").await.text;
    let (_, link) = page.split_once("href=\"/enter/").unwrap();
    let link = format!("/enter/{}", link.split('"').next().unwrap());
    let league = League::open(place.folder()).unwrap();
    let restarted = place.restarted();
    assert!(!link.contains(&restarted.token));
    let mut browser = Browser::default();
    browser.get(&restarted, &link).await;
    assert_eq!(
        browser.get(&restarted, "/desk").await.status,
        StatusCode::OK
    );
    // Another one ends it.
    league.new_organiser().unwrap();
    let mut late = Browser::default();
    late.get(&restarted, &link).await;
    assert_eq!(
        late.get(&restarted, "/desk").await.status,
        StatusCode::FORBIDDEN
    );
}

/// A tar archive of texts.
fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, text) in files {
        let mut head = [0u8; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[100..107].copy_from_slice(b"0000644");
        head[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
        head[148..156].copy_from_slice(b"        ");
        head[156] = b'0';
        head[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
        head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

async fn form(browser: &mut Browser, place: &Place, parts: &[(&str, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (name, bytes) in parts {
        body.extend_from_slice(
            format!("--XX\r\nContent-Disposition: form-data; {name}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--XX--\r\n");
    let request = browser.request(Method::POST, "/submit");
    let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=XX");
    browser
        .finish(place, request.body(Body::from(body)).unwrap())
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_programs_the_page_asks_for_one() {
    let (place, [ada, _, alan]) = place("size = '1MiB'");
    let mut browser = Browser::default();
    browser.get(&place, &format!("/join/{ada}")).await;
    let packed = tar(&[("a.py", "print(1)\n"), ("b.py", "print(2)\n")]);
    let file = "name=\"file\"; filename=\"bots.tar\"";
    let asked = form(&mut browser, &place, &[(file, &packed)]).await;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        asked.text.contains("Which is the program?"),
        "{}",
        asked.text
    );
    for file in ["a.py", "b.py"] {
        assert!(
            asked.text.contains(&format!("value=\"{file}\"")),
            "{}",
            asked.text
        );
    }
    let (_, parcel) = asked.text.split_once("name=\"parcel\" value=\"").unwrap();
    let parcel = parcel.split('"').next().unwrap().to_owned();
    let choose: &[(&str, &[u8])] = &[
        ("name=\"parcel\"", parcel.as_bytes()),
        ("name=\"main\"", b"b.py"),
    ];
    // Nobody else's archive.
    let mut other = Browser::default();
    other.get(&place, &format!("/join/{alan}")).await;
    assert_eq!(
        form(&mut other, &place, choose).await.status,
        StatusCode::GONE
    );
    let sent = form(&mut browser, &place, choose).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text);
    assert_eq!(
        form(&mut browser, &place, choose).await.status,
        StatusCode::GONE
    );
    // What is too large is told with the limit.
    let large = vec![b'x'; 3 << 20];
    let refused = form(&mut browser, &place, &[(file, &large)]).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(
        refused.text.contains("1 MiB is the most"),
        "{}",
        refused.text
    );
}
