//! A large tournament, of which all games came out as if by lot.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use floe_arena::schedule::Schedule;
use floe_arena::seat::Sandbox;
use floe_arena::store::Store;
use floe_arena::tournament::{Description, Tournament};
use floe_games::record::{Entrant, Record};

const ENTRANTS: u64 = 100;

/// The records of a tournament in which everybody meets everybody so many times, and more games.
pub(crate) struct Contest {
    store: Store,
    schedule: Schedule,
    /// A game that was really played.
    sample: Record,
    next: u64,
    lot: u64,
}

impl Contest {
    /// Describes it as `cup.toml` and plays it so far.
    pub(crate) fn write(folder: &Path, rounds: u64) -> Contest {
        let sample = sample(folder);
        let mut text = format!(
            "game = \"gamma\"\n[boards]\nsetup = \"5x5\"\nseed = 1\ncount = {}\n[entrants]\n",
            rounds + 1
        );
        for entrant in 0..ENTRANTS {
            let _ = writeln!(text, "entrant{entrant} = \"random\"");
        }
        fs::write(folder.join("cup.toml"), text).unwrap();
        let mut contest = Contest {
            store: Store::open(&folder.join("cup.jsonl")).unwrap(),
            schedule: Schedule::round_robin(ENTRANTS as usize, 2, rounds + 1, 1).unwrap(),
            sample,
            next: 0,
            lot: 1,
        };
        let games = rounds * ENTRANTS * (ENTRANTS - 1);
        while contest.next < games {
            contest.add();
        }
        contest.store.commit().unwrap();
        contest
    }

    pub(crate) fn games(&self) -> u64 {
        self.next
    }

    /// One more board in both orders.
    pub(crate) fn play_on(&mut self) {
        self.add();
        self.add();
        self.store.commit().unwrap();
    }

    fn add(&mut self) {
        let pairing = self.schedule.pairing(self.next).unwrap();
        let seats = &pairing.seats;
        // The better the earlier, by and large.
        self.lot = self
            .lot
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let luck = (self.lot >> 33) as usize % 200;
        let is_first = luck + seats[1] > 100 + seats[0];
        let record = &mut self.sample;
        record.opening.id = pairing.id();
        record.opening.pair = Some(pairing.unit + 1);
        record.opening.seats = (seats.iter())
            .map(|seat| Entrant {
                name: format!("entrant{seat}"),
                seat: "random".to_owned(),
                sha256: None,
            })
            .collect();
        let end = record.end.as_mut().unwrap();
        (end.scores, end.places) = match is_first {
            true => (vec![13, 12], vec![1, 2]),
            false => (vec![12, 13], vec![2, 1]),
        };
        assert!(self.store.add(&self.sample).unwrap().is_some());
        self.next += 1;
    }
}

/// One game on the same board.
fn sample(folder: &Path) -> Record {
    let text = "game = \"gamma\"\n[boards]\nsetup = \"5x5\"\nseed = 1\ncount = 1\n\
                [entrants]\na = \"random\"\nb = \"random\"\n";
    let description = Description::read(text, &folder.join("sample.toml")).unwrap();
    let mut tournament = Tournament::open(description, false).unwrap();
    let runner = tournament.runner(Sandbox::none(), 1, None);
    let mut first = None;
    let played = tournament.run(&runner, &Default::default(), |_, record| {
        first.get_or_insert_with(|| record.clone());
    });
    played.unwrap();
    first.unwrap()
}
