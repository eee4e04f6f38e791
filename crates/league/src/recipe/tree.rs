//! An upload's files, and the programs among them.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Folders that tools create next to the author's files, and tests, which are programs of their
/// own.
const LEFT_OUT: [&str; 11] = [
    "__pycache__",
    "build",
    "cmake-build-debug",
    "cmake-build-release",
    "dist",
    "node_modules",
    "out",
    "target",
    "test",
    "tests",
    "venv",
];
/// Bytes of a file to read to find its kind.
const READ: u64 = 1 << 20;
/// Depth of the search in folders.
const DEPTH: usize = 8;

/// All files below a folder, by relative path, the top folder's first.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    folder: PathBuf,
    files: Vec<String>,
}

impl Tree {
    pub(super) fn read(folder: &Path) -> Tree {
        let mut files = Vec::new();
        collect(folder, "", 0, &mut files);
        files.sort_by_key(|path| (path.matches('/').count(), path.clone()));
        Tree {
            folder: folder.to_owned(),
            files,
        }
    }

    /// A tree of one file with this name.
    pub(super) fn of_one(name: &str) -> Tree {
        Tree {
            folder: PathBuf::new(),
            files: vec![name.to_owned()],
        }
    }

    /// All paths, the top folder's first.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.iter().any(|known| known == path)
    }

    /// The text of a file.
    fn text(&self, path: &str) -> String {
        let mut bytes = Vec::new();
        if let Ok(file) = File::open(self.folder.join(path)) {
            let _ = file.take(READ).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether a source file contains the start of its program.
    pub(super) fn begins_program(&self, path: &str) -> bool {
        let text = self.text(path);
        match path.rsplit('.').next().unwrap_or_default() {
            "py" => text.contains("__main__"),
            "java" => uncommented(&text).contains("static void main"),
            "go" => calls_main(&uncommented(&text), "func"),
            "rs" => calls_main(&uncommented(&text), "fn"),
            _ => defines_main(&uncommented(&text)),
        }
    }

    /// The Java class of a file, with its package.
    pub(super) fn class_of(&self, path: &str) -> String {
        let text = uncommented(&self.text(path));
        let package = text.lines().find_map(|line| {
            let name = line.trim().strip_prefix("package ")?.split(';').next()?;
            Some(name.trim().to_owned())
        });
        let stem = stem_of(path);
        let name = stem.rsplit('/').next().unwrap_or(stem);
        match package {
            Some(package) => format!("{package}.{name}"),
            None => name.to_owned(),
        }
    }
}

fn collect(folder: &Path, before: &str, depth: usize, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = entry.path();
        let is_hidden = name.starts_with('.');
        if path.is_file() {
            files.push(format!("{before}{name}"));
        } else if path.is_dir() && depth < DEPTH && !is_hidden && !LEFT_OUT.contains(&name.as_str())
        {
            collect(&path, &format!("{before}{name}/"), depth + 1, files);
        }
    }
}

/// A path without the file's extension.
pub(super) fn stem_of(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |at| at + 1);
    match path[file..].rfind('.') {
        Some(at) if at > 0 => &path[..file + at],
        _ => path,
    }
}

/// The folder of a path; `.` at the top.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// A path's last part.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Source text in C-like languages, without comments and strings.
fn uncommented(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n'),
            '/' if rest.starts_with("/*") => rest.find("*/").map(|at| at + 2),
            '"' => {
                let mut is_escaped = false;
                let end = rest[1..].char_indices().find(|&(_, c)| {
                    let ends = c == '"' && !is_escaped;
                    is_escaped = c == '\\' && !is_escaped;
                    ends
                });
                end.map(|(at, _)| at + 2)
            }
            _ => {
                kept.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        kept.push(' ');
        rest = skipped.map_or("", |at| &rest[at..]);
    }
    kept
}

/// Whether a text of C or C++ defines `main`.
fn defines_main(text: &str) -> bool {
    text.match_indices("main").any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = text[..at].trim_end();
        let is_word = !text[..at].ends_with(is_part) && before.ends_with(is_part);
        let after = text[at + 4..].trim_start();
        // Only a function's body follows its parameters directly.
        let body = after.strip_prefix('(').and_then(|after| {
            let end = after.find(')')?;
            Some(after[end + 1..].trim_start())
        });
        let is_type = before.rsplit(|c| !is_part(c)).next();
        is_word
            && is_type.is_some_and(|word| word != "return" && word != "else")
            && body.is_some_and(|body| {
                body.starts_with('{') || body.starts_with("noexcept") || body.starts_with("->")
            })
    })
}

/// Whether a text defines a function `main` by this keyword.
fn calls_main(text: &str, word: &str) -> bool {
    text.split_whitespace()
        .zip(text.split_whitespace().skip(1))
        .any(|(first, second)| first == word && (second == "main" || second.starts_with("main(")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_from_libraries() {
        for (text, is_program) in [
            ("int main(void) { return 0; }", true),
            ("int\nmain (int argc, char *argv[])\n{\n}", true),
            ("auto main() -> int {}", true),
            ("// int main(void) {}\nint f(void) { return 1; }", false),
            (
                "/* int main(void) {} */ char *s = \"int main(void) {\";",
                false,
            ),
            ("int domain(int x) { return main_of(x); }", false),
            ("extern int main(void);", false),
            ("int f(void) { return main(0) ? 1 : 2; }", false),
        ] {
            assert_eq!(defines_main(&uncommented(text)), is_program, "{text}");
        }
        assert!(calls_main("package main\nfunc main() {", "func"));
        assert!(calls_main("pub fn main () {", "fn"));
        assert!(!calls_main("fn domain() {}", "fn"));
    }

    #[test]
    fn paths_fall_into_parts() {
        assert_eq!(stem_of("src/my bot.v2.c"), "src/my bot.v2");
        assert_eq!([stem_of("a.b/bot"), stem_of(".c")], ["a.b/bot", ".c"]);
        assert_eq!(
            [folder_of("src/x/bot.c"), folder_of("bot.c")],
            ["src/x", "."]
        );
        assert_eq!(name_of("src/x/bot.c"), "bot.c");
    }
}
