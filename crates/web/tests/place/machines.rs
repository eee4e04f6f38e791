//! The page of machines, with machines that are made up.

use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use floe_web::{
    ContestShare, MachineAction, MachineSource, Machines, Settings, WorkerLine, WorkerSpeed,
    WorkerState,
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
                is_known: true,
                has_key: true,
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
    settings.machines = Some(MachineSource::new(machines, |_, _| unreachable!()));
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

/// What a machine was asked, by name.
type Asked = Arc<Mutex<Vec<(String, MachineAction)>>>;

#[tokio::test]
async fn the_organiser_bans_drains_and_removes_workers() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    let asked = Asked::default();
    let note = Arc::clone(&asked);
    let act = move |worker: &str, action: MachineAction| {
        note.lock().unwrap().push((worker.to_owned(), action));
        match worker {
            "lab-1" => Ok(format!("done <to> {worker}.")),
            _ => Err(format!("there is no {worker}")),
        }
    };
    settings.machines = Some(MachineSource::new(machines, act));
    let place = Place::with(folder, settings);
    let mut visitor = Browser::default();
    let refused = visitor.form(&place, "/cluster/ban", "worker=lab-1").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(asked.lock().unwrap().is_empty());
    let enter = format!("/enter/{}", place.token);
    visitor.get(&place, &enter).await;

    let page = visitor.get(&place, "/cluster").await.text;
    // One is banned, and never seen, and its key is elsewhere.
    for (text, count) in [
        ("action=\"/cluster/ban\"", 1),
        ("action=\"/cluster/unban\"", 1),
        ("action=\"/cluster/drain\"", 1),
        ("action=\"/cluster/remove\"", 1),
        ("not yet", 1),
    ] {
        assert_eq!(page.matches(text).count(), count, "{text}: {page}");
    }
    let long = "x".repeat(300);
    for (path, form) in [
        ("ban", "worker=lab-1&reason=its+fan%0Ais+broken".to_owned()),
        ("ban", format!("worker=lab-1&reason={long}")),
        ("ban", "worker=lab-1&reason=+".to_owned()),
        ("unban", "worker=lab-1".to_owned()),
        ("drain", "worker=lab-1".to_owned()),
        ("remove", "worker=lab-1".to_owned()),
    ] {
        let done = visitor
            .form(&place, &format!("/cluster/{path}"), &form)
            .await;
        assert_eq!(done.status, StatusCode::OK, "{path}: {}", done.text);
        assert!(
            done.text.contains("done &#60;to&#62; lab-1."),
            "{}",
            done.text
        );
    }
    let ban = |reason: &str| MachineAction::Ban(reason.to_owned());
    let wanted = [
        ban("its fanis broken"),
        ban(&long[..200]),
        ban("banned by the organiser"),
        MachineAction::Unban,
        MachineAction::Drain,
        MachineAction::Remove,
    ];
    let done: Vec<MachineAction> = asked.lock().unwrap().drain(..).map(|one| one.1).collect();
    assert_eq!(done, wanted);
    let refused = visitor.form(&place, "/cluster/drain", "worker=lab-9").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.text.contains("there is no lab-9"),
        "{}",
        refused.text
    );
    let unknown = visitor.form(&place, "/cluster/paint", "worker=lab-1").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
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
