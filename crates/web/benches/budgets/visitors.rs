//! Visitors who each play a strong engine: what they cost the server if their browsers think for it, and
//! what if they do not.
//!
//! Their browsers' moves are the first there are: only the time that the server keeps cores busy counts.

use std::time::{Duration, Instant};

use floe_games::AnyPosition;
use serde_json::{Value, json};

use crate::client::{Client, Server};
use crate::{FORM, row};

const VISITORS: u32 = 200;
/// How often each makes a move: faster than people do.
const PACE: Duration = Duration::from_secs(5);
/// How many moves each makes.
const MOVES: usize = 6;
/// How many of them play where the server thinks, which would take too long for all.
const SERVED: u32 = 2;

/// Both, a line each.
pub(crate) async fn play(server: &Server) {
    let share = busy_share(server, VISITORS, true).await;
    let what = format!("{VISITORS} visitors against floe:hard, a move each in 5 s, of a core");
    row(&what, format!("{:.1} %", 100.0 * share), "less than 5 %");
    let share = busy_share(server, SERVED, false).await * f64::from(VISITORS / SERVED);
    let what = format!("  if the server thought for them, from {SERVED} of them");
    row(&what, format!("{:.0} %", 100.0 * share), "");
}

/// The part of one core that the server is busy while so many play.
async fn busy_share(server: &Server, visitors: u32, thinks: bool) -> f64 {
    let mut players = Vec::new();
    for who in 0..visitors {
        players.push(Player::begin(server, who, thinks).await);
    }
    // Everybody has opened their page and begun; only playing counts.
    let (began, busy) = (Instant::now(), server.busy());
    let mut games = tokio::task::JoinSet::new();
    for (place, mut player) in players.into_iter().enumerate() {
        let first = PACE * place as u32 / visitors;
        games.spawn(async move {
            tokio::time::sleep(first).await;
            let mut due = Instant::now();
            for _ in 0..MOVES {
                player.turn().await;
                due += PACE;
                tokio::time::sleep_until(due.into()).await;
            }
        });
    }
    games.join_all().await;
    (server.busy() - busy).as_secs_f64() / began.elapsed().as_secs_f64()
}

/// A visitor with the page of a game open.
struct Player {
    acts: Client,
    events: Client,
    /// The address of the game.
    path: String,
    /// The position, as far as the browser thinks itself.
    position: Box<dyn AnyPosition>,
    ply: usize,
    thinks: bool,
}

impl Player {
    async fn begin(server: &Server, who: u32, thinks: bool) -> Player {
        let number = 0xabc_0000 + who + 1000 * u32::from(thinks);
        let cookie = format!("floe={number:032x}");
        let mut acts = Client::connect(server.address, &cookie).await;
        acts.who = 20_000 + who;
        let helps = if thinks { "&thinks=on" } else { "" };
        let form = format!("opponent=floe%3Ahard&side=first&clock=none&size=10x10{helps}");
        let answer = acts.post("/play/gamma", FORM, &form).await;
        let place = answer.head.split_once("location: /game/").unwrap().1;
        let id = place.lines().next().unwrap().to_owned();
        acts.get_packed(&format!("/game/{id}")).await;
        let path = format!("/api/v1/games/{id}");
        let start = acts.get(&format!("{path}/start")).await;
        let start: Value = serde_json::from_str(start.text()).unwrap();
        let game = floe_games::find("gamma").unwrap();
        let mut events = Client::connect(server.address, &cookie).await;
        events.who = acts.who;
        events.follow(&format!("/live?game={id}")).await;
        events.read_until(b"\"version\":0,").await;
        Player {
            acts,
            events,
            path,
            position: game.read(start["position"].as_str().unwrap()).unwrap(),
            ply: 0,
            thinks,
        }
    }

    /// Makes a move, and has the engine's answer made: by this visitor's browser or by the server.
    async fn turn(&mut self) {
        let choices = format!("{}/choices?ply={}", self.path, self.ply);
        self.acts.get(&choices).await;
        let lent = self.act("move").await["lent"].clone();
        assert_eq!(lent.is_object(), self.thinks, "{lent}");
        if self.thinks {
            self.act("answer").await;
        } else {
            self.ply += 1;
        }
        let mark = format!("\"version\":{},", self.ply);
        self.events.read_until(mark.as_bytes()).await;
    }

    /// Makes the first move there is.
    async fn act(&mut self, act: &str) -> Value {
        let mv = match self.thinks {
            true => self.position.moves()[0].clone(),
            false => self.asked_move().await,
        };
        if self.thinks {
            self.position.play(&mv).unwrap();
        }
        let body =
            json!({ "ply": self.ply, "version": self.ply, "move": mv, "thinks": self.thinks });
        let path = format!("{}/{act}", self.path);
        let body = body.to_string();
        let answer = self.acts.post(&path, "application/json", &body).await;
        self.ply += 1;
        serde_json::from_str(answer.text()).unwrap()
    }

    /// The first move as the server knows it.
    async fn asked_move(&mut self) -> String {
        let path = format!("{}/moves?ply={}", self.path, self.ply);
        let moves = self.acts.get(&path).await;
        let moves: Value = serde_json::from_str(moves.text()).unwrap();
        moves["moves"][0]["move"].as_str().unwrap().to_owned()
    }
}
