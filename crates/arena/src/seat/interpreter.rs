//! Interpreters of Python, as people have them: the system's, one on the path, or one of a virtual
//! environment.
//!
//! An interpreter that is not the system's may read what it was installed with: the folder of its
//! environment and that of the Python it was made from, and nothing else of its user's. These folders
//! are found by what lies in them; nothing of a seat's own folder is started to find out.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use floe_sandbox::{SEARCH_PATH, is_of_system};

use super::home::is_home;

/// An interpreter of Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interpreter {
    /// The interpreter's path as it is started: a virtual environment's link is not resolved, since
    /// Python finds its packages by the path.
    pub(super) path: PathBuf,
    /// Folders the interpreter may read besides the system's.
    pub(super) readable: Vec<PathBuf>,
    /// A short description of the interpreter.
    pub(super) text: String,
}

impl Interpreter {
    /// The interpreter that a command's first word names, relative to `folder`; `None` if it names
    /// none. An interpreter outside the system is found only for the user's own seats.
    pub(super) fn find(word: &str, folder: &Path, is_own: bool) -> Option<Interpreter> {
        let name = Path::new(word).file_name()?.to_str()?;
        if !is_python(name) {
            return None;
        }
        let system = || on_path(name, Some(SEARCH_PATH.into()));
        if !is_own {
            let path = if word.contains('/') { None } else { system() };
            return Interpreter::at(path?, "of the system");
        }
        if word.contains('/') {
            let path = std::path::absolute(folder.join(word)).ok()?;
            return Interpreter::at(path, word.strip_suffix(name)?.trim_end_matches('/'));
        }
        let path = on_path(name, std::env::var_os("PATH")).or_else(system)?;
        match is_of_system(&path) {
            true => Interpreter::at(path, "of the system"),
            false => Interpreter::at(behind_shim(&path)?, "on the path"),
        }
    }

    /// The interpreter in a file, if its library is next to it.
    fn at(path: PathBuf, whose: &str) -> Option<Interpreter> {
        let target = path.canonicalize().ok()?;
        let mut readable = Vec::new();
        let own = prefix_of(&path)?;
        if let Some(base) = base_of(&own) {
            readable.extend([own, base.clone()]);
        } else {
            readable.push(prefix_of(&target)?);
        }
        let is_installed = |prefix: &PathBuf| is_of_system(prefix) || is_prefix(prefix);
        let version = readable.iter().rev().find_map(|prefix| version_of(prefix));
        let version = match target.file_name().and_then(|name| name.to_str()) {
            Some(name) => name.strip_prefix("python").filter(|v| v.contains('.')),
            None => None,
        }
        .map(str::to_owned)
        .or(version);
        let is_whole =
            readable.iter().all(is_installed) && !readable.iter().any(|prefix| is_home(prefix));
        readable.retain(|prefix| !is_of_system(prefix));
        is_whole.then(|| Interpreter {
            text: match version {
                Some(version) => format!("Python {version} {}", described(whose)),
                None => format!("Python {}", described(whose)),
            },
            path,
            readable,
        })
    }

    /// The first word of the command.
    pub(super) fn word(&self) -> OsString {
        self.path.clone().into_os_string()
    }
}

/// The owner's name, for messages.
fn described(whose: &str) -> String {
    match whose.strip_suffix("/bin") {
        Some(environment) => format!("in {environment}"),
        None => whose.to_owned(),
    }
}

/// Whether a program of this name is Python: `python`, `python3`, `python3.12`.
fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python");
    version.is_some_and(|v| v.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// The path of a program by its name. Relative folders of PATH are skipped.
fn on_path(name: &str, path: Option<OsString>) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&path?).collect();
    let folders = folders.into_iter().filter(|folder| folder.is_absolute());
    let mut files = folders.map(|folder| folder.join(name));
    files.find(|file| file.is_file())
}

/// The interpreter behind a program on the user's PATH, which may be a script that finds the
/// interpreter, as with pyenv.
fn behind_shim(path: &Path) -> Option<PathBuf> {
    let mut head = [0; 2];
    let mut file = fs::File::open(path).ok()?;
    if file.read_exact(&mut head).is_ok() && &head != b"#!" {
        return Some(path.to_owned());
    }
    let mut ask = Command::new(path);
    ask.args(["-I", "-c", "import sys; print(sys.executable)"]);
    ask.stdin(Stdio::null()).stderr(Stdio::null());
    let said = ask.output().ok().filter(|said| said.status.success())?;
    let path = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    path.is_absolute().then_some(path)
}

/// The folder an interpreter is installed in: the parent of `bin`.
fn prefix_of(path: &Path) -> Option<PathBuf> {
    let bin = path.parent()?.canonicalize().ok()?;
    bin.parent().map(Path::to_owned)
}

/// The Python that a virtual environment was made from; `None` for another folder.
fn base_of(prefix: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(prefix.join("pyvenv.cfg")).ok()?;
    let home = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "home").then(|| value.trim().to_owned())
    })?;
    let home = Path::new(&home).canonicalize().ok()?;
    let base = home.parent()?.to_owned();
    let has_python = ["python3", "python"]
        .iter()
        .any(|name| home.join(name).is_file());
    has_python.then_some(base)
}

/// Whether the folder is a Python installation: it has Python's modules, or is a virtual
/// environment.
fn is_prefix(prefix: &Path) -> bool {
    prefix.join("pyvenv.cfg").is_file() || version_of(prefix).is_some()
}

/// The version of the Python installed in a folder, by the folder of its modules.
fn version_of(prefix: &Path) -> Option<String> {
    let entries = fs::read_dir(prefix.join("lib")).ok()?.flatten();
    let mut versions: Vec<String> = entries
        .filter(|entry| entry.path().join("os.py").is_file())
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_prefix("python")?.to_owned())
        })
        .collect();
    versions.sort();
    versions.pop()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// An installation of Python that does nothing, and a virtual environment of it.
    fn installed(top: &Path) -> (PathBuf, PathBuf) {
        let base = top.join("opt/python");
        fs::create_dir_all(base.join("bin")).unwrap();
        fs::create_dir_all(base.join("lib/python3.12")).unwrap();
        fs::write(base.join("lib/python3.12/os.py"), "").unwrap();
        fs::write(base.join("bin/python3.12"), "\x7fELF").unwrap();
        symlink("python3.12", base.join("bin/python3")).unwrap();
        let environment = top.join("work/.venv");
        fs::create_dir_all(environment.join("bin")).unwrap();
        fs::create_dir_all(environment.join("lib/python3.12/site-packages")).unwrap();
        let text = format!("home = {}\nversion = 3.12.1\n", base.join("bin").display());
        fs::write(environment.join("pyvenv.cfg"), text).unwrap();
        symlink(base.join("bin/python3"), environment.join("bin/python")).unwrap();
        (base, environment)
    }

    #[test]
    fn a_virtual_environment_brings_its_folder_and_its_bases_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (base, environment) = installed(&top);
        let work = top.join("work");
        let found = Interpreter::find(".venv/bin/python", &work, true).unwrap();
        assert_eq!(found.path, environment.join("bin/python"));
        assert_eq!(found.readable, [environment.clone(), base.clone()]);
        assert_eq!(found.text, "Python 3.12 in .venv");
        // Without an environment, where it is installed.
        let word = base.join("bin/python3").display().to_string();
        let found = Interpreter::find(&word, &work, true).unwrap();
        assert_eq!(found.readable, [base]);
        // A stranger's program gets neither.
        assert_eq!(Interpreter::find(".venv/bin/python", &work, false), None);
        assert_eq!(Interpreter::find(&word, &work, false), None);
    }

    #[test]
    fn an_environment_that_names_somebodys_folder_gets_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (_, environment) = installed(&top);
        let work = top.join("work");
        let secrets = top.join("secrets/bin");
        fs::create_dir_all(&secrets).unwrap();
        for (python, home) in [(false, &secrets), (true, &secrets)] {
            if python {
                // It has a file of that name, and no Python around it.
                fs::write(secrets.join("python3"), "").unwrap();
            }
            let text = format!("home = {}\n", home.display());
            fs::write(environment.join("pyvenv.cfg"), text).unwrap();
            let found = Interpreter::find(".venv/bin/python", &work, true);
            let reads = found.map_or_else(Vec::new, |found| found.readable);
            assert!(
                !reads
                    .iter()
                    .any(|path| path.starts_with(top.join("secrets")))
            );
        }
        // Nor does a home with Python in it.
        let (base, _) = {
            fs::remove_dir_all(top.join("work")).unwrap();
            fs::remove_dir_all(top.join("opt")).unwrap();
            installed(&top)
        };
        fs::create_dir(base.join(".ssh")).unwrap();
        assert_eq!(Interpreter::find(".venv/bin/python", &work, true), None);
    }

    #[test]
    fn other_programs_are_no_interpreters() {
        assert!(is_python("python") && is_python("python3.12"));
        for name in ["pythonic", "python3-config", "bot", "python.exe"] {
            assert!(!is_python(name), "{name}");
        }
        assert_eq!(Interpreter::find("./bot", Path::new("."), true), None);
    }
}
