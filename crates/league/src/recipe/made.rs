//! Finds the program that a build made, under any name.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::{Finds, Plan, PlanError};

/// Names that identify the program if a build makes several.
const COMMON: [&str; 3] = ["bot", "main", "player"];
/// Depth of the search.
const DEPTH: usize = 4;

impl Plan {
    /// The same plan, with the program that the build left in this folder.
    pub fn with_program(mut self, folder: &Path) -> Result<Plan, PlanError> {
        if let Some(finds) = &self.finds {
            let program = program(folder, finds)?;
            self.run = shell_words::quote(&format!("./{program}")).into_owned();
        }
        Ok(self)
    }
}

/// The path of the built program, relative to the folder.
fn program(folder: &Path, finds: &Finds) -> Result<String, PlanError> {
    let place = finds.folder.trim_start_matches("./");
    let before = match place {
        "" | "." => String::new(),
        place => format!("{place}/"),
    };
    let mut made = Vec::new();
    collect(&folder.join(place), &before, 0, &mut made);
    made.sort();
    if let Some(named) = &finds.named {
        let is_it = |path: &&String| *path == named || path.ends_with(&format!("/{named}"));
        let found = made.iter().find(is_it);
        return found.cloned().ok_or_else(|| PlanError::NotMade {
            named: Some(named.clone()),
            made: made.clone(),
        });
    }
    if let [only] = made.as_slice() {
        return Ok(only.clone());
    }
    let called = |name: &&str| {
        let mut alike = made
            .iter()
            .filter(|path| path.rsplit('/').next() == Some(name));
        let only = alike.next()?;
        alike.next().is_none().then(|| only.clone())
    };
    let common = COMMON.iter().find_map(called);
    common.ok_or(PlanError::NotMade { named: None, made })
}

fn collect(folder: &Path, before: &str, depth: usize, made: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name().into_string(), entry.path());
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let Some(name) = name.ok().filter(|_| !is_link) else {
            continue;
        };
        if path.is_file() && can_start(&path, &name) {
            made.push(format!("{before}{name}"));
        } else if path.is_dir() && depth < DEPTH && name != "CMakeFiles" && !name.starts_with('.') {
            collect(&path, &format!("{before}{name}/"), depth + 1, made);
        }
    }
}

/// Whether a file is a program: a linked executable, or a script with a program's name.
fn can_start(path: &Path, name: &str) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(18).read_to_end(&mut head));
    if read.is_err() {
        return false;
    }
    let is_library = name.contains(".so") || name.ends_with(".a") || name.ends_with(".o");
    // Type 2 or 3 in an ELF header: an executable, or a position-independent one.
    let is_linked = head.starts_with(b"\x7fELF") && matches!(head.get(16), Some(2 | 3));
    (is_linked && !is_library) || (head.starts_with(b"#!") && COMMON.contains(&name))
}
