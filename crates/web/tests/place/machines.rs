//! The page of machines, with machines that are made up.

use axum::http::StatusCode;
use floe_web::{ContestShare, MachineSource, Machines, Settings, WorkerLine};

use crate::{Browser, Place};

fn machines() -> Machines {
    Machines {
        server: "nats://host".into(),
        problem: None,
        queue: (3, 2, 1),
        contests: vec![ContestShare {
            name: "finals <3>".into(),
            priority: "high",
            weight: 2,
            share: 75,
            games: 40,
            games_an_hour: 1200,
            out: 8,
        }],
        workers: vec![
            WorkerLine {
                name: "lab-1".into(),
                cores: 4,
                speed: "97 %".into(),
                silent_s: 90,
                now: "plays 2 games".into(),
                ..WorkerLine::default()
            },
            WorkerLine {
                name: "lab-2".into(),
                banned: Some("its results deviate".into()),
                ..WorkerLine::default()
            },
        ],
    }
}

#[tokio::test]
async fn machines_are_the_organisers_to_see() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.machines = Some(MachineSource::new(machines));
    let place = Place::with(folder, settings);
    let mut visitor = Browser::default();
    let answer = visitor.get(&place, "/cluster").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let enter = format!("/enter/{}", place.token);
    visitor.get(&place, &enter).await;
    let page = visitor.get(&place, "/cluster").await;
    assert_eq!(page.status, StatusCode::OK);
    for text in [
        "3 batches wait, 2 are played, 1 results",
        "finals &#60;3&#62;",
        "75 %",
        "97 %",
        "1 min ago",
        "plays 2 games",
        "its results deviate",
        "2 with 4 cores",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
}

#[tokio::test]
async fn without_a_cluster_there_is_no_such_page() {
    let place = Place::new();
    let mut organiser = Browser::default();
    organiser
        .get(&place, &format!("/enter/{}", place.token))
        .await;
    let answer = organiser.get(&place, "/cluster").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}
