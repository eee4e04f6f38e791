//! Compiling a library with the harness, in the sandbox.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use floe_rules::assignment::Assignment;
use floe_sandbox::{ProgramEnd, ResourceLimits, run};
use tempfile::TempDir;

use super::CheckError;
use crate::seat::Sandbox;

/// A way to compile or run a harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    Plain,
    Sanitized,
    Valgrind,
}

impl Variant {
    pub(super) fn name(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::Sanitized => "AddressSanitizer",
            Variant::Valgrind => "valgrind",
        }
    }

    /// The file that it runs.
    fn program(self) -> &'static str {
        match self {
            Variant::Sanitized => "harness-sanitized",
            _ => "harness",
        }
    }

    /// The time of a script; tools are slow.
    pub(super) fn seconds(self, seconds: u32) -> u32 {
        match self {
            Variant::Plain => seconds,
            _ => seconds.saturating_mul(10),
        }
    }
}

/// A compiled harness, with its folder.
pub(super) struct Built {
    folder: TempDir,
    /// The memory checkers there are; they may not work here.
    pub(super) checkers: Vec<Variant>,
}

impl Built {
    pub(super) fn command(&self, variant: Variant, seconds: u32) -> Vec<OsString> {
        let mut command: Vec<OsString> = Vec::new();
        if variant == Variant::Valgrind {
            let words = [
                "valgrind",
                "--quiet",
                "--error-exitcode=99",
                // The harness has functions of its own for memory, which count and fail. Without this,
                // calls from other files would go past them.
                "--soname-synonyms=somalloc=nouserintercepts",
            ];
            command.extend(words.map(OsString::from));
        }
        command.push(self.folder.path().join(variant.program()).into());
        command.push(seconds.to_string().into());
        command
    }

    pub(super) fn readable(&self) -> Vec<PathBuf> {
        vec![self.folder.path().to_owned()]
    }
}

/// Limits of handed-in sources.
const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 4 << 20;
const MOST_DEPTH: usize = 6;
/// The time of compiling.
const BUILD: Duration = Duration::from_secs(120);

/// Compiles a library with the harness; the inner error is the library's.
pub(super) fn build(
    assignment: &'static dyn Assignment,
    path: &Path,
    sandbox: &Sandbox,
) -> Result<Result<Built, String>, CheckError> {
    let folder = tempfile::Builder::new().prefix("floe-work-").tempdir();
    let folder = folder.map_err(|error| format!("cannot make a folder to build in: {error}"))?;
    let place = fs::canonicalize(folder.path()).map_err(|error| error.to_string())?;
    open_to_all(&place);
    let prepared = match prepare(assignment, path, &place) {
        Ok(prepared) => prepared,
        Err(why) => return Ok(Err(why)),
    };
    write(&place.join("harness.c"), assignment.harness().as_bytes())?;
    write(&place.join("build.sh"), prepared.script().as_bytes())?;
    // The sandbox may refuse changes of mode: what is linked goes into files that can be run already.
    for variant in [Variant::Plain, Variant::Sanitized] {
        let program = place.join(variant.program());
        write(&program, b"")?;
        open_to_all(&program);
    }

    let command = ["/bin/sh", "build.sh"].map(OsString::from).to_vec();
    let mut launch = sandbox.launch(command, &[]);
    launch.work = Some(place.clone());
    launch.limits = ResourceLimits {
        memory: 2 << 30,
        data: 1 << 46, // sanitizers reserve terabytes
        cpu_seconds: BUILD.as_secs(),
        file_size: 256 << 20,
        disk: 512 << 20,
        processes: 64,
        output: 1 << 20,
        ..ResourceLimits::default()
    };
    let report = run(launch, b"", BUILD).map_err(|trouble| trouble.to_string())?;
    if report.outcome != ProgramEnd::Exited(0) {
        let said = String::from_utf8_lossy(&report.errors).into_owned();
        let place = format!("{}/", place.display());
        let said = said.replace(&place, "");
        let lines: Vec<&str> = said.lines().take(40).collect();
        let what = match report.outcome {
            ProgramEnd::Exited(127) => "there is no C compiler `cc` here; install one".to_owned(),
            ProgramEnd::Exited(_) => "it does not compile".to_owned(),
            other => format!("compiling {other}"),
        };
        return Ok(Err(format!("{what}\n{}", lines.join("\n"))));
    }
    let is_there = |name: &str| place.join(name).is_file();
    let all = [
        (Variant::Sanitized, is_there(Variant::Sanitized.program())),
        (Variant::Valgrind, is_there("has-valgrind")),
    ];
    let there = all.into_iter().filter(|(_, is_there)| *is_there);
    let checkers = there.map(|(variant, _)| variant).collect();
    Ok(Ok(Built { folder, checkers }))
}

/// The input of the compiler.
enum Prepared {
    /// Sources, the one named like the header first, and the folders with headers.
    Sources {
        files: Vec<String>,
        main: Option<String>,
        folders: Vec<String>,
    },
    Archive,
    Shared(PathBuf),
}

fn prepare(
    assignment: &'static dyn Assignment,
    path: &Path,
    place: &Path,
) -> Result<Prepared, String> {
    let shown = path.display();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let is_shared = path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        name.ends_with(".so") || name.contains(".so.")
    });
    if path.is_file() && (extension == "a" || is_shared) {
        let name = if is_shared { "library.so" } else { "library.a" };
        let copy = place.join(name);
        fs::copy(path, &copy).map_err(|error| format!("cannot read {shown}: {error}"))?;
        return Ok(match is_shared {
            true => Prepared::Shared(copy),
            false => Prepared::Archive,
        });
    }
    if !path.is_dir() {
        return Err(format!(
            "{shown} is no library: give a .so, a .a, or a folder with sources and {}",
            assignment.header()
        ));
    }
    let mut found = Vec::new();
    collect(path, Path::new(""), 0, &mut found)?;
    found.sort();
    let header = assignment.header();
    let Some(header_at) = found.iter().find(|file| file.ends_with(header)) else {
        return Err(format!("there is no {header} in {shown}"));
    };
    let stem = header_at.with_extension("c");
    let mut folders: Vec<String> = Vec::new();
    let mut files = Vec::new();
    for file in &found {
        let to = place.join("src").join(file);
        let parent = to.parent().unwrap_or(place);
        let copied = fs::create_dir_all(parent).and_then(|()| fs::copy(path.join(file), &to));
        copied.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let text = Path::new("src").join(file).display().to_string();
        if file.extension().is_some_and(|e| e == "c") {
            files.push(text);
        } else if let Some(folder) = Path::new(&text).parent() {
            folders.push(folder.display().to_string());
        }
    }
    folders.dedup();
    let header_folder = Path::new("src").join(header_at.parent().unwrap_or(Path::new("")));
    folders.insert(0, header_folder.display().to_string());
    let main = found
        .contains(&stem)
        .then(|| Path::new("src").join(&stem).display().to_string());
    Ok(Prepared::Sources {
        files,
        main,
        folders,
    })
}

/// The sources and headers in a folder, by their paths in it.
fn collect(
    root: &Path,
    inside: &Path,
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> Result<(), String> {
    let folder = root.join(inside);
    let entries = fs::read_dir(&folder);
    let entries = entries.map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let text = name.to_string_lossy().into_owned();
        // Refuse names that mean something to a shell or a compiler.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        if text.starts_with(['.', '-']) || !text.chars().all(is_plain) {
            continue;
        }
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let path = inside.join(&name);
        if kind.is_dir()
            && depth < MOST_DEPTH
            && !text.starts_with("cmake-build")
            && text != "build"
        {
            collect(root, &path, depth + 1, found)?;
        }
        let is_source = text.ends_with(".c") || text.ends_with(".h");
        let is_small = entry.metadata().is_ok_and(|data| data.len() <= MOST_BYTES);
        if kind.is_file() && is_source && is_small {
            found.push(path);
            if found.len() > MOST_FILES {
                return Err(format!(
                    "{} has more than {MOST_FILES} sources",
                    root.display()
                ));
            }
        }
    }
    Ok(())
}

/// Compiles sources and gives each program's `main` another name, since the harness has a `main`
/// too.
const BUILD_SOURCES: &str = r#"
build() {
    out=$1 flags=$2
    shift 2
    rm -f ./*.o
    number=0
    for file; do
        number=$((number + 1))
        cc $flags $folders -Dmain=main_of_$number -c "$file" -o $number.o || return 1
    done
    cc $flags $folders -DHAS_HEADER harness.c ./*.o -lm -lpthread -o linked && cat linked >"$out"
}
# Sources of several programs may not go together; then that named like the header must do.
either() {
    build "$1" "$2" $all 2>errors && return
    [ -n "$own" ] && build "$1" "$2" $own 2>/dev/null
}
either harness "$plain" || { cat errors >&2; exit 1; }
either harness-sanitized "$sanitized" || rm -f harness-sanitized
"#;

/// A library without sources is not compiled again for a memory checker.
const COPY: &str = "cat linked >harness\nrm harness-sanitized\n";

impl Prepared {
    /// The shell script that compiles the harness.
    fn script(&self) -> String {
        let mut script = String::from(
            "command -v cc >/dev/null 2>&1 || exit 127\n\
             plain='-std=gnu17 -O2 -g -w -DCOUNTS_MEMORY'\n\
             sanitized='-std=gnu17 -O1 -g -w -fsanitize=address,undefined \
             -fno-sanitize-recover=undefined'\n",
        );
        match self {
            Prepared::Shared(path) => {
                let library = format!("'-DLIBRARY=\"{}\"'", path.display());
                script += &format!("cc $plain {library} harness.c -ldl -o linked || exit 1\n");
                script += COPY;
            }
            Prepared::Archive => {
                let files = "harness.c library.a -lm -lpthread -ldl";
                script += &format!("cc $plain {files} -o linked || exit 1\n");
                script += COPY;
            }
            Prepared::Sources {
                files,
                main,
                folders,
            } => {
                let folders: Vec<String> = folders.iter().map(|f| format!("-I{f}")).collect();
                script += &format!(
                    "all='{}'\nown='{}'\nfolders='{}'\n",
                    files.join(" "),
                    main.as_deref().unwrap_or(""),
                    folders.join(" ")
                );
                script += BUILD_SOURCES;
            }
        }
        script + "! command -v valgrind >/dev/null 2>&1 || : >has-valgrind\n"
    }
}

fn write(path: &Path, text: &[u8]) -> Result<(), CheckError> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Programs are run by another user, who must be able to enter a folder and to run a file.
fn open_to_all(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o755));
    }
    #[cfg(not(unix))]
    let _ = path;
}
