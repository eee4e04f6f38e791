//! Storms: whatever can happen happens, in an order that a seed decides, and the table is right.

use std::ops::RangeInclusive;
use std::thread;
use std::time::Duration;

use crate::cups::Cup;
use crate::house::{Organiser, Server, Worker, can_mount};
use crate::liar::{Liar, Vice};
use crate::proxy::Proxy;

/// How many things happen in a storm.
const BLOWS: u64 = 8;

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

/// Everybody in a storm.
struct Storm {
    dice: Dice,
    server: Server,
    has_small_disk: bool,
    proxy: Proxy,
    cup: Cup,
    organiser: Organiser,
    workers: Vec<Worker>,
    liars: Vec<Liar>,
    names: u32,
}

impl Storm {
    fn new(seed: u64) -> Option<Storm> {
        let has_small_disk = seed.is_multiple_of(4) && can_mount();
        let server = match has_small_disk {
            true => Server::on_small_disk()?,
            false => Server::start()?,
        };
        let proxy = Proxy::to(server.port);
        let cup = Cup::slow(6);
        let organiser = organise(&cup, &proxy);
        let mut storm = Storm {
            dice: Dice(seed),
            server,
            has_small_disk,
            proxy,
            cup,
            organiser,
            workers: Vec::new(),
            liars: Vec::new(),
            names: 0,
        };
        storm.add_worker();
        storm.add_worker();
        Some(storm)
    }

    fn add_worker(&mut self) {
        self.names += 1;
        let name = format!("w{}", self.names);
        let url = match self.dice.throw(2) {
            0 => self.proxy.url(),
            _ => self.server.url(),
        };
        self.workers.push(Worker::at(&url, &name, |_| {}));
    }

    /// Something happens; what, in a word.
    fn blow(&mut self) -> &'static str {
        match self.dice.throw(8) {
            0 => {
                let victim = self.dice.throw(self.workers.len() as u64) as usize;
                self.workers.remove(victim).kill();
                self.add_worker();
                "a worker is killed"
            }
            1 => {
                self.workers.drain(..).for_each(|mut worker| worker.kill());
                self.add_worker();
                "all workers are killed"
            }
            2 => {
                self.organiser.kill();
                self.organiser = organise(&self.cup, &self.proxy);
                "the organiser is killed"
            }
            3 if self.has_small_disk => {
                self.server.fill_disk();
                self.pause(4000);
                self.server.free_disk();
                "the server's disk is full"
            }
            3 => {
                self.server.kill_and_start_again();
                "the server is killed"
            }
            4 if self.has_small_disk => "nothing",
            4 => {
                self.server.lose_everything();
                "the server loses everything"
            }
            5 => {
                self.proxy.set_gone(true);
                self.pause(3000);
                self.proxy.set_gone(false);
                "the network is cut"
            }
            6 => {
                self.proxy.reset();
                "connections are reset"
            }
            _ => {
                let vices = [Vice::Lies, Vice::Mixes, Vice::PlaysAlone];
                let vice = vices[self.dice.throw(3) as usize];
                self.liars.push(Liar::start(&self.server, vice));
                "a liar comes"
            }
        }
    }

    fn pause(&mut self, most: u64) {
        let time = self.dice.throw(most);
        thread::sleep(Duration::from_millis(time));
    }

    /// Everybody who is left finishes.
    fn end(mut self) {
        self.add_worker();
        let told = self.organiser.finish();
        drop((self.liars, self.workers));
        let players = self.cup.machines();
        let is_honest = |name: &str| name.is_empty() || name.starts_with('w');
        assert!(
            players.iter().all(|(name, _)| is_honest(name)),
            "{players:?}\n{told}"
        );
        self.cup.is_as_at_home();
    }
}

fn organise(cup: &Cup, proxy: &Proxy) -> Organiser {
    cup.organise_at(&proxy.url(), |command| {
        command.args(["--again", "100"]);
    })
}

/// The seeds of the variable FLOE_STORM, such as `7` or `1-100`.
fn seeds() -> RangeInclusive<u64> {
    let text = std::env::var("FLOE_STORM").unwrap_or_else(|_| "1-4".to_owned());
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    first.parse().unwrap()..=last.parse().unwrap()
}

#[test]
#[ignore = "takes minutes; `./check storm` runs it"]
fn every_storm_ends_with_the_right_table() {
    for seed in seeds() {
        let Some(mut storm) = Storm::new(seed) else {
            return;
        };
        eprintln!("storm {seed}");
        for _ in 0..BLOWS {
            storm.pause(2500);
            let blow = storm.blow();
            eprintln!("  {blow}");
        }
        storm.end();
        eprintln!("  the table is right");
    }
}
