//! `floe doctor`: the sandbox layers of this machine.

mod trace;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use floe_league::Recipes;
use floe_league::recipe::python_modules;
use floe_sandbox::{Layers, Missing, SEARCH_PATH, Support};
use serde::Serialize;

use crate::terminal::{ERROR, FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Report available sandbox layers
///
/// Programs run in a sandbox of up to three levels, each made of layers. Every layer is tried on a
/// program that does nothing; for unavailable layers, this prints the reason and what would help.
/// The exit code is 0 if programs run at the required level or above, and 1 if they do not.
///
/// With --trace-calls, run a program behind the system-call filters and list its calls and which
/// were refused; the exit code is then 1 if a call would be a fault.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Required sandbox level
    ///
    /// 0 limits and watches programs, 1 keeps them from other files, the network and other
    /// processes, 2 gives each its own namespaces, 3 lets the kernel count their memory.
    #[arg(long, alias = "require", value_name = "LEVEL", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    require_sandbox: u8,

    /// Run COMMAND and report its system calls
    #[arg(long, requires = "command")]
    trace_calls: bool,

    /// The program to trace, and its arguments
    #[arg(last = true, value_name = "COMMAND", requires = "trace_calls")]
    command: Vec<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe doctor
floe doctor --require-sandbox 2 --json
floe doctor --trace-calls -- ./bot < question.txt";

/// Languages whose programs need another program to run or build them.
const LANGUAGES: [(&str, &str); 5] = [
    ("Python", "python3"),
    ("JavaScript", "node"),
    ("Perl", "perl"),
    ("Java", "java"),
    ("shell", "sh"),
];

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    if args.trace_calls {
        return trace::run(&args.command, args.json, terminal);
    }
    let support = Support::probe(Path::new(""));
    let findings = Findings::gather(&support, args.require_sandbox);
    if args.json {
        serde_json::to_writer(&mut terminal.out, &findings)?;
        writeln!(terminal.out)?;
    } else {
        findings.print(terminal)?;
    }
    Ok(match findings.ok {
        true => Answer::Yes,
        false => Answer::No,
    })
}

#[derive(Serialize)]
struct Findings<'a> {
    ok: bool,
    level: u8,
    required: u8,
    /// Actions that the level does not prevent.
    gaps: &'static [&'static str],
    layers: Vec<Layer<'a>>,
    cores: Option<usize>,
    languages: Vec<Language>,
    recipes: Vec<RecipeFinding>,
    /// Installed Python modules beyond the standard library; `None` without Python.
    python_modules: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Layer<'a> {
    level: u8,
    name: &'static str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a str>,
}

/// The languages a league on this machine can build.
#[derive(Serialize)]
struct RecipeFinding {
    name: String,
    matches: Vec<String>,
    missing: Vec<String>,
    /// The folder that the sandbox hides from the compiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<PathBuf>,
}

#[derive(Serialize)]
struct Language {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<PathBuf>,
}

impl<'a> Findings<'a> {
    fn gather(support: &'a Support, required: u8) -> Self {
        let layer = |level, name, result: &'a Result<(), Missing>| {
            let missing = result.as_ref().err();
            Layer {
                level,
                name,
                ok: result.is_ok(),
                why: missing.map(|missing| missing.why.as_str()),
                fix: missing.map(|missing| missing.fix),
            }
        };
        let level = support.layers().level();
        Findings {
            ok: support.base.is_ok() && level >= required,
            level,
            required,
            gaps: support.layers().gaps(),
            layers: vec![
                layer(0, "programs start", &support.base),
                layer(0, "limits and watchdog", &support.limits),
                layer(1, "files (Landlock)", &support.landlock),
                layer(1, "system calls (seccomp)", &support.seccomp),
                layer(2, "namespaces", &support.namespaces),
                layer(3, "control group", &support.cgroup),
            ],
            cores: std::thread::available_parallelism().ok().map(Into::into),
            languages: LANGUAGES
                .map(|(name, command)| Language {
                    name,
                    command: find(command),
                })
                .into(),
            recipes: recipes(support.layers()),
            python_modules: python_modules(),
        }
    }

    fn print(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let out = &mut terminal.out;
        writeln!(out, "{STRONG}Sandbox{STRONG:#}")?;
        for layer in &self.layers {
            let (level, name) = (layer.level, layer.name);
            let verdict = match layer.ok {
                true => format!("{GOOD}ok{GOOD:#}"),
                false => format!("{REMARK}no{REMARK:#}"),
            };
            writeln!(out, "  level {level}  {name:<24} {verdict}")?;
            if let Some(why) = layer.why {
                writeln!(out, "           {FAINT}why:{FAINT:#} {why}")?;
            }
            if let Some(fix) = layer.fix {
                writeln!(out, "           {FAINT}fix:{FAINT:#} {fix}")?;
            }
        }
        let most = Layers::ALL.level();
        writeln!(out, "\nPrograms run at level {} of {most}.", self.level)?;
        if !self.gaps.is_empty() {
            writeln!(out, "At this level a program can still:")?;
            for gap in self.gaps {
                writeln!(out, "  - {gap}")?;
            }
        }
        let strangers = Layers::FOR_UNTRUSTED;
        if self.level < strangers {
            writeln!(
                out,
                "For programs of people you do not know, use level {strangers}."
            )?;
        }
        if !self.ok {
            let required = self.required;
            writeln!(
                out,
                "{ERROR}This is below level {required}: run only programs you trust.{ERROR:#}"
            )?;
        }
        match self.cores {
            Some(1) => writeln!(out, "There is 1 processor core.")?,
            Some(cores) => writeln!(out, "There are {cores} processor cores.")?,
            None => {}
        }
        writeln!(out, "\n{STRONG}Languages{STRONG:#}")?;
        for language in &self.languages {
            let found = match &language.command {
                Some(path) => path.display().to_string(),
                None => format!("{FAINT}not on the path of programs{FAINT:#}"),
            };
            writeln!(out, "  {:<12} {found}", language.name)?;
        }
        writeln!(out, "\n{STRONG}Recipes of leagues{STRONG:#}")?;
        for recipe in &self.recipes {
            let found = match (&recipe.closed, recipe.missing.is_empty()) {
                (_, false) => format!("{REMARK}missing: {}{REMARK:#}", recipe.missing.join(", ")),
                (Some(folder), true) => {
                    let folder = folder.display();
                    format!("{REMARK}out of reach: other users may not enter {folder}{REMARK:#}")
                }
                (None, true) => format!("{GOOD}ok{GOOD:#}"),
            };
            let matches = recipe.matches.join(" ");
            writeln!(out, "  {:<12} {matches:<32} {found}", recipe.name)?;
        }
        if let Some(modules) = &self.python_modules {
            let modules = match modules.as_slice() {
                [] => "none besides its own".to_owned(),
                modules => modules.join(", "),
            };
            writeln!(out, "\n{STRONG}Modules of Python{STRONG:#}\n  {modules}")?;
        }
        Ok(())
    }
}

/// The languages leagues can build here, and what is missing for the rest.
fn recipes(layers: Layers) -> Vec<RecipeFinding> {
    let recipes = Recipes::built_in();
    let finding = |recipe: &floe_league::Recipe| RecipeFinding {
        name: recipe.name.clone(),
        matches: recipe.matches.clone(),
        missing: recipe.missing().into_iter().map(str::to_owned).collect(),
        closed: recipe.closed_folder(layers),
    };
    recipes.all().iter().map(finding).collect()
}

/// The path of a command for programs.
fn find(command: &str) -> Option<PathBuf> {
    std::env::split_paths(SEARCH_PATH)
        .map(|folder| folder.join(command))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Look;

    fn support(given: Layers) -> Support {
        let layer = |there: bool| match there {
            true => Ok(()),
            false => Err(Missing {
                why: "it is not there".to_owned(),
                fix: "fetch it",
            }),
        };
        Support {
            base: Ok(()),
            limits: Ok(()),
            landlock: layer(given.landlock),
            seccomp: layer(given.seccomp),
            namespaces: layer(given.namespaces),
            cgroup: layer(given.cgroup),
        }
    }

    fn printed(findings: &Findings<'_>) -> String {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let look = Look {
            color: false,
            unicode: false,
            columns: Some(80),
            theme: floe_terminal::theme::Theme::Dark,
        };
        let mut terminal = Terminal {
            out: &mut out,
            err: &mut err,
            look,
            is_watched: false,
        };
        findings.print(&mut terminal).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_missing_is_told_with_the_cure() {
        let support = support(Layers::up_to(2));
        let text = printed(&Findings::gather(&support, 1));
        assert!(
            text.contains("why:") && text.contains("it is not there"),
            "{text}"
        );
        assert!(text.contains("fix:") && text.contains("fetch it"), "{text}");
        assert!(text.contains("Programs run at level 2 of 3."), "{text}");
        assert!(!text.contains("below"), "{text}");
        assert!(!text.contains("people you do not know"), "{text}");
    }

    #[test]
    fn what_a_level_leaves_open_is_one_list() {
        let support = support(Layers::up_to(1));
        let text = printed(&Findings::gather(&support, 1));
        let list = text
            .split_once("At this level a program can still:\n")
            .unwrap()
            .1;
        let lines: Vec<&str> = list
            .lines()
            .take_while(|line| line.starts_with("  - "))
            .collect();
        assert_eq!(lines.len(), Layers::up_to(1).gaps().len(), "{text}");
        assert!(
            text.contains("For programs of people you do not know, use level 2."),
            "{text}"
        );
    }

    #[test]
    fn too_little_is_not_ok() {
        for (given, required, ok) in [(0, 0, true), (0, 1, false), (3, 3, true), (2, 3, false)] {
            let support = support(Layers::up_to(given));
            let findings = Findings::gather(&support, required);
            assert_eq!((findings.level, findings.ok), (given, ok));
            assert_eq!(printed(&findings).contains("below level"), !ok);
        }
        let nothing = Support {
            base: Err(Missing {
                why: "nothing starts".to_owned(),
                fix: "pray",
            }),
            ..support(Layers::NONE)
        };
        assert!(!Findings::gather(&nothing, 0).ok);
    }
}
