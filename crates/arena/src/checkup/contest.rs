//! Programs that are started for every move.

use std::sync::Arc;
use std::time::Duration;

use floe_rules::text::quoted;
use floe_rules::{Argument, Ask, Expect, Player, Trial};

use super::{Finding, Question, Scene, Verdict, finding};
use crate::seat::per_move::{PerMoveProgram, ProgramRun};
use crate::seat::{Failure, ProgramSeat, Sandbox, TurnContext};
use floe_games::record::MoveLimits;
use floe_games::{BoundDialect, Fault, FaultKind};

/// How many files are named that a program left behind.
const TOLD: usize = 5;

/// A program under examination, with the name it goes by.
struct Candidate<'a> {
    program: &'a ProgramSeat,
    dialect: &'static str,
    sandbox: &'a Sandbox,
    limits: &'a MoveLimits,
    name: Option<String>,
    /// The ID it gave itself with its first move, where the dialect lets it.
    joined: Option<String>,
    /// What it first left behind without being asked for it, and at which question.
    left: Option<(Vec<String>, Question)>,
}

pub(super) fn check(
    program: &ProgramSeat,
    dialect: &'static str,
    sandbox: &Sandbox,
    limits: &MoveLimits,
    scenes: &[Scene],
    tell: &mut dyn FnMut(Finding),
) -> Result<(), String> {
    let mut candidate = Candidate {
        program,
        dialect,
        sandbox,
        limits,
        name: program.id().map(str::to_owned),
        joined: None,
        left: None,
    };
    let mut was_asked = false;
    let mut skipped = 0;
    for scene in scenes {
        let dialect = scene.position.dialect(dialect).map_err(|e| e.to_string())?;
        let introductions = dialect.introductions();
        if !introductions.is_empty() && !was_asked && program.id().is_none() {
            was_asked = true;
            candidate.introduce(scene, &introductions[0], &*dialect, tell)?;
        }
        // Without its name it cannot be asked in a way it would understand; but one that joins
        // says who it is with its first move.
        let needs_name = !introductions.is_empty();
        if needs_name && candidate.name.is_none() {
            skipped += 1;
            continue;
        }
        let name = candidate.name.clone();
        let name = name.filter(|_| needs_name || program.id().is_some());
        let mut visitor = candidate.visitor(name);
        let ask = dialect.ask(visitor.name.as_deref());
        let question = Question::of(program, &ask);
        let result = candidate.moves(&mut visitor, scene, &ask, &*dialect);
        if !needs_name {
            candidate.joined = candidate.joined.or(visitor.name);
        }
        tell(finding(&*scene.case, question, result, false, limits)?);
    }
    let Some(scene) = scenes.first() else {
        return Ok(());
    };
    let dialect = scene.position.dialect(dialect).map_err(|e| e.to_string())?;
    if was_asked && candidate.name.is_none() {
        skipped += dialect.trials(Some("somebody")).len();
    }
    for trial in dialect.trials(candidate.name.as_deref()) {
        candidate.try_out(scene, &trial, tell)?;
    }
    if skipped > 0 {
        let cases = floe_rules::text::count(skipped as u32, "case");
        tell(Finding {
            case: format!("{cases} that need its name"),
            verdict: Verdict::Skipped,
            fault: None,
            note: None,
            wall_ms: 0,
            question: Question::default(),
        });
    }
    let ask = dialect.ask(candidate.name.as_deref());
    // Where nothing may be written at all, anything left behind was a fault already.
    if ask.arguments.contains(&Argument::Output) {
        let question = Question::of(program, &ask);
        tell(tidiness(candidate.left, question));
    }
    Ok(())
}

/// What there is to say about a program that left so much behind.
fn tidiness(left: Option<(Vec<String>, Question)>, question: Question) -> Finding {
    let (verdict, note, question) = match left {
        None => (Verdict::Passed, None, question),
        Some((names, question)) => {
            let told: Vec<String> = names
                .iter()
                .take(TOLD)
                .map(|n| quoted(n).to_string())
                .collect();
            let more = match names.len().saturating_sub(TOLD) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let note = format!("it left {}{more} in its working directory", told.join(", "));
            (Verdict::Remark, Some(note), question)
        }
    };
    Finding {
        case: "cleans up after itself".to_owned(),
        verdict,
        fault: None,
        note,
        wall_ms: 0,
        question,
    }
}

impl Candidate<'_> {
    fn visitor(&self, name: Option<String>) -> PerMoveProgram {
        let mut visitor =
            PerMoveProgram::new(self.program.clone(), self.dialect, self.sandbox.clone());
        visitor.name = name;
        visitor
    }

    fn limit(&self) -> Duration {
        Duration::from_millis(self.limits.move_ms + self.limits.margin_ms)
    }

    /// Asks for its name, and compares it with the ID it gave itself with its first move. One that
    /// does not say it goes by that ID, if it has one.
    fn introduce(
        &mut self,
        scene: &Scene,
        ask: &Ask,
        dialect: &dyn BoundDialect,
        tell: &mut dyn FnMut(Finding),
    ) -> Result<(), String> {
        let mut visitor = self.visitor(None);
        let result = with_chair(scene, self.limits, |at| visitor.introduce(at, dialect));
        let question = Question::of(self.program, ask);
        let (answered, result) = match result {
            Ok(answered) => (answered, Ok(Duration::ZERO)),
            Err(failure) => (None, Err(failure)),
        };
        let mut told = finding(
            "says its name",
            question.clone(),
            result,
            false,
            self.limits,
        )?;
        let words = |ask: &Ask| Question::new(&[], ask).arguments();
        if let (Some((asked, said)), Some(name)) = (&answered, &visitor.name) {
            let line = said.trim_end_matches(['\r', '\n']);
            if asked != ask {
                let (word, other) = (words(ask), words(asked));
                told.note = Some(format!(
                    "it does not know `{word}`, but says it when asked `{other}`"
                ));
            } else if line != name {
                told.note = Some(format!(
                    "it prints more than its name {}: {}",
                    quoted(name),
                    quoted(line)
                ));
            }
            if told.note.is_some() {
                told.verdict = Verdict::Remark;
            }
        }
        tell(told);
        if let (Some(name), Some(id)) = (&visitor.name, &self.joined) {
            let result = match name == id {
                true => Ok(Duration::ZERO),
                false => {
                    let message = format!(
                        "it says that its name is {}, and calls itself {} in its first move",
                        quoted(name),
                        quoted(id)
                    );
                    let player = scene.position.turn().unwrap_or(Player::new(0));
                    let kind = FaultKind::UnreadableAnswer;
                    let mut fault = Fault::new(player, kind, message);
                    fault.expected = "the same name both times, since it is known by it".to_owned();
                    Err(fault.into())
                }
            };
            let case = "goes by the name it says";
            tell(finding(case, question, result, false, self.limits)?);
        }
        // Known to itself by the ID in its row: that is what its moves go by.
        self.name = self.joined.clone().or(visitor.name);
        Ok(())
    }

    fn moves(
        &mut self,
        visitor: &mut PerMoveProgram,
        scene: &Scene,
        ask: &Ask,
        dialect: &dyn BoundDialect,
    ) -> Result<Duration, Failure> {
        with_chair(scene, self.limits, |at| {
            let visit = visitor.visit(at, ask, self.limit())?;
            self.look_around(&visit, ask);
            visitor.understand(at, &visit, dialect)?;
            Ok(visit.report.wall)
        })
    }

    /// Takes note of what the program left behind, the first time it does.
    fn look_around(&mut self, visit: &ProgramRun, ask: &Ask) {
        let left = visit.left();
        if self.left.is_none() && !left.is_empty() {
            self.left = Some((left, Question::of(self.program, ask)));
        }
    }

    fn try_out(
        &mut self,
        scene: &Scene,
        trial: &Trial,
        tell: &mut dyn FnMut(Finding),
    ) -> Result<(), String> {
        let mut visitor = self.visitor(self.name.clone());
        let question = Question::of(self.program, &trial.ask);
        let result = match &trial.expect {
            Expect::Move(text) => {
                let position = scene
                    .position
                    .game()
                    .read(text)
                    .map_err(|e| e.to_string())?;
                let case = trial.case.to_owned();
                let scene = Scene { case, position };
                let dialect = scene
                    .position
                    .dialect(self.dialect)
                    .map_err(|e| e.to_string())?;
                self.moves(&mut visitor, &scene, &trial.ask, &*dialect)
            }
            Expect::Exit { code, output } => with_chair(scene, self.limits, |at| {
                let visit = visitor.visit(at, &trial.ask, self.limit())?;
                self.look_around(&visit, &trial.ask);
                visit.ends_with(at, &trial.ask, *code, output.as_deref())?;
                Ok(visit.report.wall)
            }),
        };
        let advice = trial.is_advice;
        tell(finding(trial.case, question, result, advice, self.limits)?);
        Ok(())
    }
}

/// Does something at the table of a scene.
fn with_chair<T>(scene: &Scene, limits: &MoveLimits, act: impl FnOnce(&TurnContext<'_>) -> T) -> T {
    let stop = Arc::default();
    act(&TurnContext {
        position: &*scene.position,
        player: scene.position.turn().unwrap_or(Player::new(0)),
        limits,
        stop: &stop,
    })
}
