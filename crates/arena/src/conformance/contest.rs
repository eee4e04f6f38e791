//! Programs that are started for every move.

use std::sync::Arc;
use std::time::Duration;

use floe_rules::text::quoted;
use floe_rules::{Argument, ConformanceCase, Expect, Occasion, Player, Request};

use super::{
    Case, ConformanceCheck, Finding, Neighbours, Notes, Part, ProgramInput, Scene, Verdict,
};
use crate::seat::per_move::{PerMoveProgram, ProgramRun};
use crate::seat::{Failure, ProgramSeat, Sandbox, TurnContext};
use floe_games::record::MoveLimits;
use floe_games::{BoundDialect, Fault, FaultKind};

/// The case of a program that leaves no files behind.
const TIDINESS: &str = "cleans up after itself";
/// Most stray files that a message names.
const SHOWN: usize = 5;

/// A program under test, with its name.
struct Candidate<'a> {
    program: &'a ProgramSeat,
    dialect: &'static str,
    sandbox: &'a Sandbox,
    limits: &'a MoveLimits,
    neighbours: Option<&'a dyn Neighbours>,
    name: Option<String>,
    /// The ID the program gave itself with its first move, if the dialect allows that.
    joined: Option<String>,
    /// The first stray files the program left behind, and the question that led to them.
    left: Option<(Vec<String>, ProgramInput)>,
}

/// Asks for a move in every scene.
pub(super) fn look_at(
    check: &ConformanceCheck<'_>,
    dialect: &'static str,
    scenes: &[Scene],
    notes: &mut Notes<'_>,
) -> Result<(), String> {
    Candidate::of(check, dialect)
        .look_at(scenes, notes)
        .map(|_| ())
}

pub(super) fn check(
    check: &ConformanceCheck<'_>,
    dialect: &'static str,
    scenes: &[Scene],
    notes: &mut Notes<'_>,
) -> Result<(), String> {
    let program = check.program;
    let mut candidate = Candidate::of(check, dialect);
    let Some(scene) = scenes.first() else {
        return Ok(());
    };
    // The games have asked such questions already: one is left, for the name and stray files.
    let scenes = if check.is_strict {
        scenes
    } else {
        &scenes[..1]
    };
    let mut skipped = candidate.look_at(scenes, notes)?;
    let bound = scene.position.dialect(dialect).map_err(|e| e.to_string())?;
    let is_tried = |trial: &ConformanceCase| check.is_strict || trial.occasion == Occasion::Play;
    let name = candidate.name.clone().or(candidate.joined.clone());
    candidate.name.clone_from(&name);
    let mut trials = bound.trials(name.as_deref());
    if name.is_none() && trials.is_empty() {
        skipped += bound.trials(Some("other")).len();
    }
    trials.retain(|trial| is_tried(trial) && notes.wants(trial.case));
    notes.begin_group();
    for (at, trial) in trials.iter().enumerate() {
        if notes.is_hopeless() {
            notes.leave_rest_out(trials.len() - at, "case");
            break;
        }
        candidate.try_out(scene, trial, notes)?;
    }
    if skipped > 0 {
        let cases = floe_rules::text::count(skipped as u32, "case");
        let case = format!("{cases} that need its name");
        notes.add(finding(
            case,
            Verdict::Skipped,
            None,
            ProgramInput::default(),
        ));
    }
    let ask = bound.request(candidate.name.as_deref());
    // If nothing may be written at all, a file left behind was already a fault.
    if ask.arguments.contains(&Argument::Output) && notes.wants(TIDINESS) {
        let question = ProgramInput::of(program, &ask);
        notes.add(tidiness(candidate.left, question));
    }
    Ok(())
}

/// A remark on the files a program left behind.
fn tidiness(left: Option<(Vec<String>, ProgramInput)>, question: ProgramInput) -> Finding {
    let Some((names, question)) = left else {
        return finding(TIDINESS.to_owned(), Verdict::Passed, None, question);
    };
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let note = format!(
        "it left {}{more} in its working directory",
        shown.join(", ")
    );
    finding(TIDINESS.to_owned(), Verdict::Remark, Some(note), question)
}

/// A finding without a fault.
fn finding(
    case: String,
    verdict: Verdict,
    note: Option<String>,
    question: ProgramInput,
) -> Finding {
    Finding {
        part: Part::Letter,
        case,
        verdict,
        fault: None,
        note,
        wall_ms: 0,
        question,
        occasion: Occasion::Elsewhere,
        position: None,
    }
}

impl<'a> Candidate<'a> {
    fn of(check: &ConformanceCheck<'a>, dialect: &'static str) -> Self {
        Candidate {
            program: check.program,
            dialect,
            sandbox: check.sandbox,
            limits: check.limits,
            neighbours: check.neighbours,
            name: check.program.id().map(str::to_owned),
            joined: None,
            left: None,
        }
    }

    /// Asks for a move in every scene. Returns the number of scenes it could not ask about.
    fn look_at(&mut self, scenes: &[Scene], notes: &mut Notes<'_>) -> Result<usize, String> {
        let mut was_asked = false;
        let mut skipped = 0;
        notes.begin_group();
        for (at, scene) in scenes.iter().enumerate() {
            if notes.is_hopeless() {
                notes.leave_rest_out(scenes.len() - at, "position");
                break;
            }
            let dialect = scene.position.dialect(self.dialect);
            let dialect = dialect.map_err(|e| e.to_string())?;
            let introductions = dialect.introductions();
            let needs_name = !introductions.is_empty();
            // In a game, a program is asked for its name only if it did not give the name with a
            // move.
            let is_known = self.joined.is_some() && !notes.is_strict;
            if needs_name && !was_asked && !is_known && self.program.id().is_none() {
                was_asked = true;
                self.introduce(scene, &introductions[0], &*dialect, notes)?;
            }
            let known = self.name.clone().or(self.joined.clone());
            // Without its name, the program could not understand a question; but a program that
            // joins gives its name with its first move.
            if needs_name && known.is_none() {
                skipped += 1;
                continue;
            }
            let name = known.filter(|_| needs_name || self.program.id().is_some());
            if notes.wants(&scene.case) {
                self.ask(scene, name, needs_name, notes)?;
            }
        }
        Ok(skipped)
    }

    fn ask(
        &mut self,
        scene: &Scene,
        name: Option<String>,
        needs_name: bool,
        notes: &mut Notes<'_>,
    ) -> Result<(), String> {
        let dialect = scene.position.dialect(self.dialect);
        let dialect = dialect.map_err(|e| e.to_string())?;
        let mut visitor = self.visitor(name);
        let ask = dialect.request(visitor.name.as_deref());
        notes.begin(&scene.case);
        let result = notes.settled(self.neighbours, || {
            self.moves(&mut visitor, scene, &ask, &*dialect)
        });
        if !needs_name {
            self.joined = self.joined.take().or(visitor.name);
        }
        let case = Case {
            name: &scene.case,
            question: ProgramInput::of(self.program, &ask),
            occasion: scene.occasion,
            is_advice: false,
            scene: Some(scene),
        };
        notes.add_case(case, result, self.limits)
    }

    fn visitor(&self, name: Option<String>) -> PerMoveProgram {
        let mut visitor =
            PerMoveProgram::new(self.program.clone(), self.dialect, self.sandbox.clone());
        visitor.name = name;
        visitor
    }

    fn limit(&self) -> Duration {
        Duration::from_millis(self.limits.move_ms + self.limits.margin_ms)
    }

    /// Asks for the program's name, and compares it with the ID of its first move. A program that
    /// gives no name keeps that ID, if it has one.
    fn introduce(
        &mut self,
        scene: &Scene,
        ask: &Request,
        dialect: &dyn BoundDialect,
        notes: &mut Notes<'_>,
    ) -> Result<(), String> {
        let mut visitor = self.visitor(None);
        let result = notes.settled(self.neighbours, || {
            with_chair(scene, self.limits, |at| visitor.introduce(at, dialect))
        });
        let case = |name| Case {
            name,
            question: ProgramInput::of(self.program, ask),
            occasion: Occasion::Elsewhere,
            is_advice: false,
            scene: None,
        };
        let said = case("says its name");
        match result {
            Err(failure) => notes.add_case(said, Err(failure), self.limits)?,
            Ok(answered) => {
                let note = answered.zip(visitor.name.as_deref());
                let note = note.and_then(|((asked, text), name)| oddness(ask, &asked, &text, name));
                let verdict = match &note {
                    None => Verdict::Passed,
                    Some(_) => Verdict::Remark,
                };
                notes.add(finding(said.name.to_owned(), verdict, note, said.question));
            }
        }
        if let (Some(name), Some(id)) = (&visitor.name, &self.joined) {
            let player = scene.position.turn().unwrap_or(Player::new(0));
            let result = match name == id {
                true => Ok(Duration::ZERO),
                false => Err(two_names(player, name, id).into()),
            };
            notes.add_case(case("goes by the name it says"), result, self.limits)?;
        }
        // The program knows itself by the ID in its row, which its moves use.
        self.name = self.joined.clone().or(visitor.name);
        Ok(())
    }

    fn moves(
        &mut self,
        visitor: &mut PerMoveProgram,
        scene: &Scene,
        ask: &Request,
        dialect: &dyn BoundDialect,
    ) -> Result<Duration, Failure> {
        let result = with_chair(scene, self.limits, |at| {
            let visit = visitor.visit(at, ask, self.limit())?;
            self.look_around(&visit, ask);
            visitor.understand(at, &visit, dialect)?;
            Ok(visit.report.wall)
        });
        result.map_err(|mut failure| {
            if let Failure::Fault(fault) = &mut failure {
                fault.id = visitor.name.clone().unwrap_or_default();
            }
            failure
        })
    }

    /// Records the first stray files that the program left behind.
    fn look_around(&mut self, visit: &ProgramRun, ask: &Request) {
        let left = visit.left();
        if self.left.is_none() && !left.is_empty() {
            self.left = Some((left, ProgramInput::of(self.program, ask)));
        }
    }

    fn try_out(
        &mut self,
        scene: &Scene,
        trial: &ConformanceCase,
        notes: &mut Notes<'_>,
    ) -> Result<(), String> {
        notes.begin(trial.case);
        let mut visitor = self.visitor(self.name.clone());
        let mut case = Case {
            name: trial.case,
            question: ProgramInput::of(self.program, &trial.ask),
            occasion: trial.occasion,
            is_advice: trial.is_advice,
            scene: None,
        };
        match &trial.expect {
            Expect::Move(text) => {
                let position = scene.position.game().read(text);
                let scene = Scene {
                    case: trial.case.to_owned(),
                    position: position.map_err(|e| e.to_string())?,
                    occasion: trial.occasion,
                };
                let dialect = scene.position.dialect(self.dialect);
                let dialect = dialect.map_err(|e| e.to_string())?;
                let result = notes.settled(self.neighbours, || {
                    self.moves(&mut visitor, &scene, &trial.ask, &*dialect)
                });
                case.scene = Some(&scene);
                notes.add_case(case, result, self.limits)
            }
            Expect::Exit { code, output } => {
                let result = notes.settled(self.neighbours, || {
                    with_chair(scene, self.limits, |at| {
                        let visit = visitor.visit(at, &trial.ask, self.limit())?;
                        self.look_around(&visit, &trial.ask);
                        visit.ends_with(at, &trial.ask, *code, output.as_deref())?;
                        Ok(visit.report.wall)
                    })
                });
                notes.add_case(case, result, self.limits)
            }
        }
    }
}

/// A remark if the program answered only the older question `asked` instead of `ask`, or printed
/// more than its name.
fn oddness(ask: &Request, asked: &Request, text: &str, name: &str) -> Option<String> {
    let words = |ask: &Request| ProgramInput::new(&[], ask).arguments();
    let line = text.trim_end_matches(['\r', '\n']);
    if asked != ask {
        let (word, other) = (words(ask), words(asked));
        return Some(format!(
            "it does not know `{word}`, but gives its name when asked `{other}`"
        ));
    }
    (line != name).then(|| {
        let (name, line) = (quoted(name), quoted(line));
        format!("it prints more than its name {name}: {line}")
    })
}

/// The fault of a program that answers under another name than its row has.
fn two_names(player: Player, name: &str, id: &str) -> Fault {
    let message = format!(
        "it says that its name is {}, and calls itself {} in its first move",
        quoted(name),
        quoted(id)
    );
    let mut fault = Fault::new(player, FaultKind::UnreadableAnswer, message);
    fault.expected = "the same name both times, since it is known by it".to_owned();
    fault
}

/// Runs this with a seat at the table of a scene.
fn with_chair<T>(scene: &Scene, limits: &MoveLimits, act: impl FnOnce(&TurnContext<'_>) -> T) -> T {
    let stop = Arc::default();
    act(&TurnContext {
        position: &*scene.position,
        player: scene.position.turn().unwrap_or(Player::new(0)),
        limits,
        stop: &stop,
    })
}
