//! The page of machines, with machines that are made up.

use axum::http::StatusCode;
use floe_web::{
    ContestShare, MachineSource, Machines, Settings, WorkerLine, WorkerSpeed, WorkerState,
};

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
            games_an_hour: 12_000,
            out: 8,
        }],
        workers: vec![
            WorkerLine {
                name: "lab-1".into(),
                cores: 4,
                speed: WorkerSpeed {
                    text: "0.97×".into(),
                    percent: 97,
                    has_reference: true,
                },
                silent_s: 90,
                state: WorkerState::Playing,
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
        "0.97×",
        "meter-mark",
        "1 min ago",
        ">playing<",
        ">banned<",
        "12,000",
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
