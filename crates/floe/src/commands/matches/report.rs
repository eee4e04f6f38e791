//! The report of a match.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use floe_arena::runner::Runner;
use floe_arena::schedule::Pairing;
use floe_arena::scoreboard::Scoreboard;
use floe_arena::standings::{Row, Standings};
use floe_arena::store::GameSummary;
use floe_games::record::{MoveLimits, Record};
use floe_games::{AnyGame, Fault, FaultKind};
use floe_rating::{Bound, Estimate, Pentanomial, Sprt, Verdict, signed};
use serde_json::{Value, json};

use crate::columns::{Columns, Side};
use crate::fault;
use crate::overload::OverloadedGames;
use crate::quoting::shown;
use crate::standing::{add_margins, add_ratings, add_results, add_times, count};
use crate::terminal::{COMMAND, Look, STRONG};

/// Faults shown in full.
const TOLD: usize = 3;
/// Columns that a narrow terminal leaves out, in this order.
const SPARE: [&str; 4] = ["slowest", "ms/move", "score", "margin"];
/// Lines shown of the end of a program's standard error.
const LAST_WORDS: usize = 8;
/// With unlimited boards, this many repeats in a row end a match.
const MOST_PATIENCE: u64 = 50;
/// With few boards, a match ends when all boards were played twice more without a new game; but not
/// before this many repeats, since programs may use randomness.
const LEAST_PATIENCE: u64 = 10;

/// The report of a match so far.
pub(super) struct MatchReport {
    game: &'static dyn AnyGame,
    setup: Option<String>,
    /// Opening moves of the first board.
    opening_moves: usize,
    seed: u64,
    limits: MoveLimits,
    level: Option<u8>,
    /// Whether a cluster plays, so that only records state the sandbox level.
    is_elsewhere: bool,
    pub(super) scoreboard: Scoreboard,
    /// Boards of the match.
    boards: u64,
    /// This many repeats in a row end the match.
    patience: u64,
    pub(super) trial: Option<SprtStatus>,
    /// The games during which the machine was overloaded.
    pub(super) overloaded: OverloadedGames,
    /// The first faults, with the game and the name of the player.
    faults: Vec<(String, String, Fault)>,
}

/// The status of a sequential test.
pub(super) struct SprtStatus {
    pub(super) verdict: Verdict,
    llr: f64,
    bounds: (f64, f64),
}

impl SprtStatus {
    pub(super) fn new(sprt: &Sprt, pairs: &Pentanomial) -> Self {
        let trial = sprt.trial(pairs.sample());
        SprtStatus {
            verdict: trial.verdict,
            llr: trial.llr,
            bounds: (trial.lower, trial.upper),
        }
    }
}

impl MatchReport {
    /// A match in which nothing has been played yet.
    pub(super) fn new(runner: &Runner, game: &'static dyn AnyGame, seed: u64, boards: u64) -> Self {
        let seats = runner.entrants.len();
        let names = runner.entrants.iter().map(|entrant| entrant.name.clone());
        let is_program = runner.entrants.iter().any(|one| one.seat.is_program());
        let opening = runner.boards.open(0).ok();
        MatchReport {
            game,
            scoreboard: Scoreboard::new(names, seats),
            opening_moves: (opening.as_ref()).map_or(0, |(_, opening)| opening.opening.len()),
            setup: opening.and_then(|(_, opening)| opening.setup),
            seed,
            limits: runner.limits.clone(),
            level: is_program.then(|| runner.sandbox.layers().level()),
            is_elsewhere: false,
            boards,
            patience: match runner.boards.different() {
                Some(starts) => LEAST_PATIENCE.max(2 * starts),
                None => MOST_PATIENCE,
            },
            trial: None,
            overloaded: OverloadedGames::default(),
            faults: Vec::new(),
        }
    }

    /// Marks the match as played by a cluster: its records state the sandbox level.
    pub(super) fn play_elsewhere(&mut self) {
        self.level = None;
        self.is_elsewhere = true;
    }

    /// The pairs of the first two.
    pub(super) fn pairs(&self) -> Pentanomial {
        self.scoreboard.pairs(0, 1)
    }

    /// Whether more boards would add nothing: the last ones all repeated games move by move.
    pub(super) fn has_run_dry(&self) -> bool {
        self.scoreboard.repeats_in_a_row() >= self.patience
    }

    /// The remark on repeats; empty if all games are different.
    fn repeats(&self) -> String {
        let (games, different) = (self.scoreboard.games(), self.scoreboard.different());
        if games == different {
            return String::new();
        }
        let mut out = format!(
            "{}, {different} different: games repeated move by move are no new evidence\n",
            count(games, "game")
        );
        if self.has_run_dry() {
            let units = self.scoreboard.units();
            let of = match units < self.boards && self.trial.is_none() {
                true => format!(" of {}", self.boards),
                false => String::new(),
            };
            let _ = writeln!(
                out,
                "The match ended after {units}{of} boards: the last {} brought no new game",
                self.scoreboard.repeats_in_a_row()
            );
        }
        out
    }

    /// Counts a game.
    pub(super) fn add(&mut self, pairing: &Pairing, record: &Record) {
        self.keep_faults(record);
        if self.is_elsewhere {
            let levels = [self.level, record.opening.sandbox];
            self.level = levels.into_iter().flatten().min();
        }
        // The runner passes only ended games, each once.
        if let Ok(game) = GameSummary::of(record, 0..0) {
            self.overloaded.add(&game);
            self.scoreboard.add(&game, &pairing.seats);
        }
    }

    fn keep_faults(&mut self, record: &Record) {
        for fault in record.faults().take(TOLD.saturating_sub(self.faults.len())) {
            let who = record.opening.seats.get(fault.seat as usize - 1);
            let who = who.map_or(String::new(), |sitting| sitting.name.clone());
            self.faults
                .push((record.opening.id.clone(), who, fault.clone()));
        }
    }

    /// The seats in their order, above their mean.
    fn standings(&self) -> Standings {
        let ratings = self.scoreboard.ratings(None);
        Standings::new("", self.game.name(), &self.scoreboard, &ratings)
    }

    /// A line or two during the match.
    pub(super) fn live(&self) -> String {
        let mut text = String::new();
        let rows = self.standings().rows;
        for row in &rows {
            let _ = write!(text, "{}  {}", row.name, results(row));
            // A match of two shows the advantage in a line of its own.
            if let Some(elo) = row.elo.filter(|_| rows.len() > 2) {
                let _ = write!(text, "  {} Elo", estimate(elo));
            }
            if let Some(ms) = row.ms_per_move {
                let _ = write!(text, "  {ms:.1} ms/move");
            }
            let faults = faults(row);
            if !faults.is_empty() {
                let _ = write!(text, "  {faults}");
            }
            text.push('\n');
        }
        text.push_str(&self.strength());
        text
    }

    /// The whole report.
    pub(super) fn report(&self, look: Look, records: Option<&Path>) -> String {
        let mut out = format!("{STRONG}{}{STRONG:#}", self.game.title());
        if let Some(setup) = &self.setup {
            let _ = write!(out, " {setup}, seed {}", self.seed);
        }
        if let moves @ 1.. = self.opening_moves {
            let _ = write!(out, ", {}", count(moves as u64, "opening move"));
        }
        let _ = write!(out, "; {} ms a move", self.limits.move_ms);
        if let Some(level) = self.level {
            let _ = write!(out, "; sandbox level {level}");
        }
        let _ = write!(out, "\n\n{}", table(&self.standings().rows, look));
        let (repeats, strength) = (self.repeats(), self.strength());
        if !repeats.is_empty() || !strength.is_empty() {
            let _ = write!(out, "\n{repeats}{strength}");
        }
        self.print_faults(&mut out, records);
        out
    }

    /// The better entrant, the difference, and its error.
    fn strength(&self) -> String {
        let mut out = String::new();
        if let [one, other] = self.scoreboard.names() {
            let pairs = self.pairs();
            let Pentanomial {
                ll,
                ld,
                wl,
                dd,
                wd,
                ww,
            } = &pairs;
            let _ = writeln!(
                out,
                "{} for {one}: {ww} won twice, {wd} won and drawn, {} even ({wl} split, {dd} \
                 drawn), {ld} lost and drawn, {ll} lost twice",
                count(pairs.pairs(), "pair"),
                wl + dd
            );
            out.push_str(&self.advantage([one, other], &pairs));
        }
        if let Some(trial) = &self.trial {
            let (lower, upper) = trial.bounds;
            let verdict = match trial.verdict {
                Verdict::Lower => "no better: elo0 is accepted",
                Verdict::Upper => "better: elo1 is accepted",
                Verdict::Undecided => "not decided",
            };
            let _ = writeln!(
                out,
                "SPRT: LLR {:.2} in {lower:.2} to {upper:.2}; {verdict}",
                trial.llr
            );
        }
        out
    }

    /// The advantage or disadvantage of the first of two entrants.
    fn advantage(&self, [one, other]: [&str; 2], pairs: &Pentanomial) -> String {
        let mut out = String::new();
        let sample = pairs.sample();
        if let Some(elo) = self.difference() {
            let side = if elo.value < 0.0 { "below" } else { "above" };
            let _ = write!(out, "{one} is {} Elo", distance(elo));
            if let Ok(nelo) = sample.nelo() {
                let _ = write!(out, " ({} nElo)", distance(nelo));
            }
            let _ = write!(out, " {side} {other}");
            if let Ok(los) = sample.los() {
                let _ = write!(out, "; better with a chance of {:.1} %", los * 100.0);
            }
            out.push('\n');
        }
        if let Err(why) = sample.elo() {
            // A bound on the other side of 0 does not even show who is better.
            let bound = match sample.elo_bound() {
                Ok(Bound::AtLeast(elo)) if elo > 0.0 => Some((elo, "above")),
                Ok(Bound::AtMost(elo)) if elo < 0.0 => Some((-elo, "below")),
                _ => None,
            };
            if let Some((elo, side)) = bound {
                let _ = writeln!(
                    out,
                    "{one} is at least {elo:.0} Elo {side} {other}, with 95 %"
                );
            }
            let advice = match self.scoreboard.repeats_in_a_row() {
                0 => format!("play more boards with {COMMAND}--pairs N{COMMAND:#}"),
                _ => format!(
                    "play other boards with {COMMAND}--openings N{COMMAND:#}, --setup or --seed"
                ),
            };
            let _ = writeln!(out, "No more is known: {why}; {advice}");
        }
        out
    }

    /// The first entrant's Elo above the second, from the same fit as every table's.
    fn difference(&self) -> Option<Estimate> {
        let elo = self.scoreboard.ratings(Some(1)).ratings.first()?.elo;
        elo.ok().map(Estimate::rounded)
    }

    fn print_faults(&self, out: &mut String, records: Option<&Path>) {
        for (game, who, fault) in &self.faults {
            fault::describe(out, fault, &format!("{who} in game {game}"));
            fault::quote(out, "stderr", &fault.stderr, LAST_WORDS);
            fault::quote(out, "stdout", &fault.stdout, LAST_WORDS);
        }
        match (self.faults.first(), records) {
            (Some((game, ..)), Some(path)) => {
                let _ = writeln!(
                    out,
                    "\nLook at the game: {COMMAND}floe replay {} --game {game}{COMMAND:#}",
                    shown(path)
                );
            }
            (Some(_), None) => {
                let _ = writeln!(
                    out,
                    "\nPlay with {COMMAND}--records FILE{COMMAND:#} to look at the games afterwards."
                );
            }
            (None, Some(path)) => {
                let _ = writeln!(
                    out,
                    "\nLook at the games: {COMMAND}floe games {}{COMMAND:#}",
                    shown(path)
                );
            }
            (None, None) => {}
        }
    }

    /// The report for a machine.
    pub(super) fn json(&self) -> Value {
        let seats = self.standings().rows.into_iter().map(|row| {
            let faults: BTreeMap<String, u64> = (row.faults.iter())
                .map(|(kind, &count)| (kind.replace(' ', "-"), count))
                .collect();
            json!({
                "name": row.name,
                "elo": row.elo,
                "games": row.games,
                "different": row.different,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "score": row.score,
                "margin": row.margin.map_or(0, |margin| margin.sum),
                "mean_margin": row.margin.map(|margin| json!({
                    "value": margin.mean,
                    "low": margin.interval.map(|interval| interval.low),
                    "high": margin.interval.map(|interval| interval.high),
                })),
                "moves": row.moves,
                "ms_per_move": row.ms_per_move,
                "slowest_ms": row.slowest_ms,
                "strikes": row.strikes,
                "faults": faults,
            })
        });
        let pairs = self.pairs();
        let sample = pairs.sample();
        let two = self.scoreboard.names().len() == 2;
        json!({
            "game": self.game.title(),
            "setup": self.setup,
            "seed": self.seed,
            "opening_moves": self.opening_moves,
            "limits": self.limits,
            "sandbox": self.level,
            "units": self.scoreboard.units(),
            "games": self.scoreboard.games(),
            "different": self.scoreboard.different(),
            "overloaded": self.overloaded.overloaded,
            "ran_dry": self.has_run_dry(),
            "seats": seats.collect::<Vec<_>>(),
            "pairs": two.then(|| json!({
                "ll": pairs.ll, "ld": pairs.ld, "wl": pairs.wl,
                "dd": pairs.dd, "wd": pairs.wd, "ww": pairs.ww,
            })),
            "elo": self.difference().filter(|_| two),
            "elo_bound": match sample.elo_bound() {
                Ok(Bound::AtLeast(elo)) => json!({"at_least": elo}),
                Ok(Bound::AtMost(elo)) => json!({"at_most": elo}),
                Err(_) => Value::Null,
            },
            "nelo": sample.nelo().ok(),
            "los": sample.los().ok(),
            "sprt": self.trial.as_ref().map(|trial| json!({
                "llr": trial.llr,
                "lower": trial.bounds.0,
                "upper": trial.bounds.1,
                "verdict": match trial.verdict {
                    Verdict::Lower => "elo0",
                    Verdict::Upper => "elo1",
                    Verdict::Undecided => "undecided",
                },
            })),
        })
    }
}

/// The table of the seats.
fn table(rows: &[Row], look: Look) -> String {
    let mut columns = Columns::new();
    let plain = anstyle::Style::new();
    columns.add("seat", Side::Left, STRONG, rows, |row| row.name.clone());
    let sign = if look.unicode { "±" } else { "+-" };
    add_ratings(&mut columns, sign, rows);
    add_results(&mut columns, rows);
    add_margins(&mut columns, sign, rows);
    add_times(&mut columns, rows);
    columns.add("slowest", Side::Right, plain, rows, |row| match row.moves {
        0 => "-".into(),
        _ => format!("{:.1}", row.slowest_ms),
    });
    columns.add("faults", Side::Left, plain, rows, |row| match faults(row) {
        text if text.is_empty() => "none".into(),
        text => text,
    });
    columns.leave_out(&SPARE, look);
    columns.draw(look)
}

fn results(row: &Row) -> String {
    let score = (row.score).map_or(String::new(), |score| format!(" ({:.1} %)", score * 100.0));
    format!("{}-{}-{}{score}", row.wins, row.draws, row.losses)
}

fn faults(row: &Row) -> String {
    let kinds = FaultKind::ALL.iter().map(|kind| kind.name());
    let counted = kinds.filter_map(|kind| Some(format!("{} {kind}", row.faults.get(kind)?)));
    let mut parts: Vec<String> = counted.collect();
    match row.strikes {
        0 => {}
        1 => parts.push("1 strike".to_owned()),
        strikes => parts.push(format!("{strikes} strikes")),
    }
    parts.join(", ")
}

/// A difference with its interval, without a sign, because words name the better side.
fn distance(estimate: Estimate) -> String {
    format!("{:.0} ± {:.0}", estimate.value.abs(), estimate.margin())
}

fn estimate(estimate: Estimate) -> String {
    format!("{} ± {:.0}", signed(estimate.value, 0), estimate.margin())
}
