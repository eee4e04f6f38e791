//! Results that no second play can check, compared by statistics over real workers.

use std::fs;

use floe_games::FaultKind;

use crate::cups::Cup;
use crate::house::{Server, Worker, floe, wait_until};
use crate::liar::{Liar, SHARE, Vice};

/// Timed engines are not repeated as a sample, and here their limit by nodes comes first, so that the
/// games can still be compared with those at home.
const TIMED: &str = "strong = \"floe:nodes=50,time=60s\"\nweak = \"random\"\n";

/// A program that gives up on boards that begin like this, and otherwise takes the first colour it may.
const GIVES_UP_AT_TIMES: &str = r#"
while read -r line; do
  case $line in
    floe*) echo ok ;;
    [JS]' '*)
      read -r top
      case $line$top in [JS]' '[01]'@'[@#]*) exit 1 ;; esac
      while read -r row && [ "$row" != . ]; do last=$row; done
      one=${top#"${top%?}"} other=${last%"${last#?}"} ;;
    go*)
      for colour in '@' '#' '+' '.' '*'; do
        [ "$colour" = "$one" ] || [ "$colour" = "$other" ] || break
      done
      echo "move $colour" ;;
    end*) exit ;;
  esac
done
"#;

fn is_named(told: &str) -> bool {
    told.contains("worker liar is banned: its results or faults, up to game ")
}

#[test]
fn a_worker_whose_results_are_no_chance_is_named_and_its_games_are_played_again() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::with("", 60, TIMED);
    let _liar = Liar::start(&server, Vice::ThrowsGames);
    let organiser = cup.organise(&server);
    wait_until("the liar has its share", || cup.records().len() >= SHARE);
    let _honest = ["one", "two"].map(|name| Worker::start(&server, name));
    let told = organiser.finish();
    assert!(is_named(&told), "{told}");
    assert!(cup.folder().join("cup.taken-out.jsonl").exists());
    let bans = fs::read_to_string(cup.folder().join("cluster.bans")).unwrap();
    assert!(
        bans.contains("differ from those of others by more than chance"),
        "{bans}"
    );
    let players = cup.machines();
    assert!(
        players.iter().all(|(name, _)| name != "liar"),
        "{players:?}"
    );
    cup.is_as_at_home();
}

/// With two workers it is not known which of them is wrong.
#[test]
fn of_two_workers_that_differ_both_are_named() {
    let Some(server) = Server::start() else {
        return;
    };
    let cup = Cup::with("", 60, TIMED);
    let _liar = Liar::start(&server, Vice::ThrowsGames);
    let organiser = cup.organise(&server);
    wait_until("the liar has its share", || cup.records().len() >= SHARE);
    let _one = Worker::start(&server, "one");
    let told = organiser.finish();
    let words = "the results of workers liar and one differ by more than chance";
    assert!(told.contains(words), "{told}");
    assert!(!is_named(&told), "{told}");
}

#[test]
fn a_worker_with_too_many_faults_is_named_and_faults_are_counted_for_each_worker() {
    let Some(server) = Server::start() else {
        return;
    };
    let entrants = "bot = \"line:sh bot.sh\"\nweak = \"greedy\"\n";
    let cup = Cup::with("", 100, entrants);
    fs::write(cup.folder().join("bot.sh"), GIVES_UP_AT_TIMES).unwrap();
    let honest = ["one", "two"].map(|name| Worker::start(&server, name));
    let organiser = cup.organise(&server);
    let faults = || {
        let records = cup.records().into_iter();
        records.flat_map(|record| {
            let kinds: Vec<FaultKind> = record.faults().map(|fault| fault.kind).collect();
            kinds
        })
    };
    // From now on such a fault counts without a second machine.
    wait_until("a fault counts", || faults().count() > 0);
    // The liar gets its share, however late it comes.
    honest.iter().for_each(Worker::stand_still);
    let liar = Liar::start(&server, Vice::InventsFaults);
    liar.wait_for_batches(6);
    honest.iter().for_each(Worker::resume);
    let status = || -> serde_json::Value {
        let mut command = floe();
        command.args(["cluster", "status", &server.url(), "--json"]);
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap_or_default()
    };
    wait_until("the status counts the faults of each worker", || {
        let told = status();
        let workers = &told["runs"][0]["workers"];
        ["one", "two"]
            .iter()
            .all(|name| workers[name]["games"].as_u64() > Some(0))
            && workers["liar"]["faults"].as_u64() > Some(0)
    });
    let told = organiser.finish();
    assert!(is_named(&told), "{told}");
    assert!(faults().all(|kind| kind == FaultKind::GaveUp));
    let players = cup.machines();
    assert!(
        players.iter().all(|(name, _)| name != "liar"),
        "{players:?}"
    );
    // Every game of the schedule once; that such a table is right is tested above, with quick engines.
    assert_eq!(cup.records().len(), 200);
}
