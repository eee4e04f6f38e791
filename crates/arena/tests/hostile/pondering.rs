//! Programs that may think on the others' time, with a core of their own.

use std::fs;
use std::time::Duration;

use floe_arena::runner::available_cores;
use floe_arena::seat::{Failure, SeatDriver, TimedMove, TurnContext};
use floe_rules::Player;

use super::*;
use crate::support::{marked, skip, stat};

/// Thinks without end in a thread of its own, and says on which cores.
const THINKER: &str = r#"
import os, sys, threading
def think():
    while True:
        sum(range(1000))
threading.Thread(target=think, daemon=True).start()
sys.stdin.readline()
print("ok", flush=True)
rows = []
for line in sys.stdin:
    if line.startswith("end"):
        break
    elif line.startswith("go"):
        mine, theirs = rows[-1][0], rows[0][-1]
        colour = next(colour for colour in "@#+.*" if colour not in (mine, theirs))
        print("info", *sorted(os.sched_getaffinity(0)))
        print("move", colour, flush=True)
        rows = []
    elif len(line.strip()) == 4 and set(line.strip()) <= set("@#+.*"):
        rows.append(line.strip())
"#;

/// Processor time of all processes with this mark, in ticks.
fn ticks(mark: &str) -> u64 {
    let of = |process: &u32| -> u64 {
        let fields = stat(&process.to_string());
        let time = fields.get(11..13).unwrap_or_default();
        time.iter()
            .filter_map(|field| field.parse::<u64>().ok())
            .sum()
    };
    marked(mark).iter().map(of).sum()
}

/// Moves once the other has used some time out of its turn.
struct Patient {
    mark: String,
    has_waited: bool,
}

impl SeatDriver for Patient {
    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        if !std::mem::replace(&mut self.has_waited, true) {
            let before = ticks(&self.mark);
            while ticks(&self.mark) < before + 5 {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        Ok(TimedMove {
            mv: at.position.moves()[0].clone(),
            ..TimedMove::default()
        })
    }
}

#[test]
fn a_seat_that_may_ponder_goes_on_while_others_are_to_move() {
    let cores = available_cores();
    let [.., last] = cores[..] else { return };
    if cores.len() < 2 {
        skip("pondering needs two cores");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thinker.py"), THINKER).unwrap();
    let game = find("flood").unwrap();
    let mark = mark();
    let word = format!("line:ponder=yes python3 thinker.py {mark}");
    let seat = Seat::read(&word, game, folder.path()).unwrap();
    let sandbox = sandbox().on_cores(&cores);
    let table = sandbox.at_table(&[
        seat.clone(),
        Seat::read("greedy", game, ".".as_ref()).unwrap(),
    ]);
    let patient = Patient {
        mark: mark.clone(),
        has_waited: false,
    };
    let mut drivers = vec![
        seat.driver(game, &table[0], 1).unwrap(),
        Box::new(patient) as Box<dyn SeatDriver>,
    ];
    let position = game.start("4x4", 1).unwrap();
    let seats = [seat.clone(), seat];
    let watch = &mut |_: &_| {};
    let record = one_game::watched(position, &seats, &mut drivers, super::patient(), watch);
    let record = record.unwrap();
    assert_eq!(record.faults().count(), 0, "{record:?}");
    let me = Player::new(0).number();
    for made in record.moves().iter().filter(|made| made.seat == me) {
        assert_eq!(made.note, last.to_string());
    }
    drop(drivers);
    assert_eq!(running(&mark), 0);
}

#[test]
fn a_program_that_is_started_for_every_move_cannot_ponder() {
    let game = find("flood").unwrap();
    let error = Seat::read("ponder=yes /bin/cat", game, ".".as_ref()).unwrap_err();
    assert!(
        error.to_string().contains("run for a whole game"),
        "{error}"
    );
}
