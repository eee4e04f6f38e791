//! C programs against the library as C users get it: compiled by the system's compiler without a
//! warning, linked with the release build, run plainly and under valgrind.
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// What a program links with beside the static library; the same list as in `install.sh`.
const PRIVATE: [&str; 8] = [
    "-lgcc_eh",
    "-lgcc",
    "-lutil",
    "-lrt",
    "-lpthread",
    "-lm",
    "-ldl",
    "-lc",
];
const C_FLAGS: [&str; 6] = ["-std=c17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The target folder this very test is built in.
fn target() -> &'static Path {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.parent().expect("the target folder's own tmp")
}

/// Runs a command that must succeed.
fn run(command: &mut Command) -> Output {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{program} is needed for this test and cannot be run: {error}"),
    };
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn is_installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// The static library, built as it is released once for all tests. The outer cargo holds no lock
/// while tests run, so an inner one may use the same folder.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        run(Command::new(env!("CARGO"))
            .args([
                "build",
                "--profile",
                "dist",
                "--offline",
                "--package",
                "floe-capi",
                "--target-dir",
            ])
            .arg(target())
            .env_remove("CARGO_BUILD_TARGET") // it would build to another folder
            .env_remove("RUSTC_BOOTSTRAP") // that is for the tests' own times (./check)
            .current_dir(env!("CARGO_MANIFEST_DIR")));
        target().join("dist/libgamma.a")
    })
}

/// Compiles `tests/c/<source>` into `folder`, linked with the static library.
fn compile(compiler: &str, flags: &[&str], source: &str, folder: &Path) -> PathBuf {
    let program = folder.join("program");
    run(Command::new(compiler)
        .args(flags)
        .arg("-I")
        .arg(here("include"))
        .arg(here("tests/c").join(source))
        .arg(library())
        .args(PRIVATE)
        .arg("-o")
        .arg(&program));
    program
}

/// A C program compiled into a folder of its own.
fn c_program(source: &str, more: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let flags: Vec<&str> = C_FLAGS.iter().chain(more).copied().collect();
    let program = compile("cc", &flags, source, folder.path());
    (folder, program)
}

/// Runs a program under valgrind, which must have nothing to say: no wrong access, nothing left
/// behind, not even what could still be reached.
fn run_under_valgrind(program: &Path, arguments: &[&str]) {
    assert!(
        is_installed("valgrind"),
        "valgrind is needed to check the C library for leaks: install the package `valgrind`"
    );
    let output = run(Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .args(["--show-leak-kinds=all", "--errors-for-leak-kinds=all"])
        .arg(program)
        .args(arguments));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn every_function_keeps_its_contract() {
    let (_folder, program) = c_program("contract.c", &[]);
    run(&mut Command::new(&program));
    run_under_valgrind(&program, &[]);
}

#[test]
fn huge_parameters_give_null_or_a_working_game() {
    let (_folder, program) = c_program("huge.c", &[]);
    run(&mut Command::new(&program));
    run_under_valgrind(&program, &["refused"]);
}

#[test]
fn failing_memory_leaves_games_as_they_were() {
    let wrap = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign";
    let (_folder, program) = c_program("memory.c", &[wrap]);
    run(&mut Command::new(&program));
    run_under_valgrind(&program, &[]);
}

/// Not under valgrind, which lives in the same address space as the program and dies of the limit.
#[test]
fn a_full_address_space_leaves_games_as_they_were() {
    let (_folder, program) = c_program("limit.c", &["-D_DEFAULT_SOURCE"]);
    run(&mut Command::new(&program));
}

#[test]
fn games_in_two_threads_do_not_touch_each_other() {
    let (_folder, program) = c_program("threads.c", &["-pthread"]);
    run(&mut Command::new(&program));
    run_under_valgrind(&program, &[]);
}

#[test]
fn an_area_of_two_million_fields_needs_no_stack() {
    let (_folder, program) = c_program("snake.c", &[]);
    let small_stack = "ulimit -s 256 && exec \"$0\"";
    run(Command::new("sh").args(["-c", small_stack]).arg(&program));
    run_under_valgrind(&program, &["198"]);
}

#[test]
fn the_header_is_good_for_cpp() {
    if !is_installed("c++") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    let program = compile("c++", &flags, "header.cpp", folder.path());
    run(&mut Command::new(program));
}

/// Installs the library under a folder.
fn install(prefix: &Path) {
    library(); // so that the script finds it built
    run(Command::new(here("install.sh"))
        .arg(prefix)
        .env("CARGO", env!("CARGO"))
        .env("CARGO_FLAGS", "--offline")
        .env("CARGO_TARGET_DIR", target())
        .env_remove("DESTDIR"));
}

#[test]
fn the_installed_library_links_both_ways() {
    let prefix = tempfile::tempdir().expect("a folder");
    let prefix = prefix.path();
    install(prefix);
    let path_flags = [
        format!("-I{}/include", prefix.display()),
        format!("-L{}/lib", prefix.display()),
    ];

    let flags = |kind: &[&str]| -> Vec<String> {
        if is_installed("pkg-config") {
            let output = run(Command::new("pkg-config")
                .args(["--cflags", "--libs"])
                .args(kind)
                .arg("gamma")
                .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")));
            text(&output)
                .split_whitespace()
                .map(str::to_owned)
                .collect()
        } else {
            let private = if kind.is_empty() { &[] } else { &PRIVATE[..] };
            let libraries = ["-lgamma"]
                .iter()
                .chain(private)
                .map(|&flag| flag.to_owned());
            path_flags.iter().cloned().chain(libraries).collect()
        }
    };
    let example = |name: &str, flags: &[String]| -> PathBuf {
        let program = prefix.join(name);
        run(Command::new("cc")
            .args(C_FLAGS)
            .arg(here("examples/gamma_example.c"))
            .args(flags)
            .arg("-o")
            .arg(&program));
        program
    };

    let shared = example("shared", &flags(&[]));
    let shared = run(Command::new(&shared).env("LD_LIBRARY_PATH", prefix.join("lib")));
    let mut static_flags = flags(&["--static"]);
    for flag in &mut static_flags {
        if flag == "-lgamma" {
            "-l:libgamma.a".clone_into(flag);
        }
    }
    let linked = example("static", &static_flags);
    run_under_valgrind(&linked, &[]);
    let linked = run(&mut Command::new(&linked));

    let whole = [&static_flags[..], &["-static".to_owned()]].concat();
    let whole = run(&mut Command::new(example("whole", &whole)));
    assert_eq!(text(&whole), text(&linked), "-static");

    // The archive shows nothing but the interface.
    let names = run(Command::new("nm")
        .args(["-g", "--defined-only"])
        .arg(prefix.join("lib/libgamma.a")));
    let names = text(&names);
    let names: Vec<&str> = names.lines().filter(|line| line.contains(" T ")).collect();
    assert!(
        names.iter().all(|line| line.contains(" gamma_")),
        "{names:?}"
    );
    assert_eq!(names.len(), 8);
    let man = prefix.join("share/man/man3/libgamma.3");
    assert!(man.is_file());

    assert_eq!(text(&shared), text(&linked));
    let last_board = "...2..\n...2..\n.1121.\n...2..\n";
    assert!(text(&linked).contains(last_board), "{}", text(&linked));
}

#[test]
fn a_missing_cargo_is_reported_with_what_to_do() {
    let prefix = tempfile::tempdir().expect("a folder");
    let output = Command::new(here("install.sh"))
        .arg(prefix.path())
        .env("CARGO", "no-such-cargo")
        .output()
        .expect("sh runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot run 'no-such-cargo'"), "{said}");
    assert!(said.contains("set CARGO"), "{said}");
    assert!(walk(prefix.path()).is_empty());
}

#[test]
fn the_header_is_good_for_c89() {
    run(Command::new("cc")
        .args(["-std=c89", "-Wall", "-Wextra", "-Werror", "-pedantic"])
        .args(["-fsyntax-only", "-x", "c"])
        .arg(here("include/gamma.h")));
}

/// The packages that CMake is offered: both libraries by `find_package`, named twice, also after
/// the folder has moved; and only in versions that fit.
#[test]
fn cmake_finds_the_installed_library() {
    if !is_installed("cmake") {
        eprintln!("not tried, as it is not installed: CMake");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    install(&folder.join("first"));
    let prefix = folder.join("moved");
    std::fs::rename(folder.join("first"), &prefix).expect("moved");
    let configure = |name: &str, version: &str| -> Output {
        let source = folder.join(name);
        std::fs::create_dir(&source).expect("a folder");
        let example = here("examples/gamma_example.c");
        let text = format!(
            "cmake_minimum_required(VERSION 3.13)\nproject(game C)\n\
             find_package(gamma {version} REQUIRED)\nfind_package(gamma REQUIRED)\n\
             foreach(kind gamma static)\n  add_executable(game-${{kind}} {})\n  \
             target_link_libraries(game-${{kind}} gamma::${{kind}})\nendforeach()\n",
            example.display()
        );
        std::fs::write(source.join("CMakeLists.txt"), text).expect("written");
        let mut cmake = Command::new("cmake");
        cmake
            .arg("-S")
            .arg(&source)
            .arg("-B")
            .arg(source.join("build"));
        cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        cmake.output().expect("cmake runs")
    };
    let version = env!("CARGO_PKG_VERSION");
    for (name, asked) in [("any", ""), ("exact", &*format!("{version} EXACT"))] {
        let configured = configure(name, asked);
        assert!(configured.status.success(), "{asked}: {configured:?}");
        let build = folder.join(name).join("build");
        run(Command::new("cmake").arg("--build").arg(&build));
        let boards = ["game-gamma", "game-static"].map(|program| {
            let output = run(Command::new(build.join(program)).env_remove("LD_LIBRARY_PATH"));
            text(&output)
        });
        assert_eq!(boards[0], boards[1]);
        assert!(boards[0].contains("...2..\n...2..\n.1121.\n...2..\n"));
    }
    for (name, asked) in [("later", "0.999"), ("other", "9")] {
        let refused = configure(name, asked);
        let why = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success(), "{asked}");
        assert!(why.contains("requested version"), "{asked}: {why}");
    }
}

/// The page for C users is run as it stands: every shell block, in order, in one shell.
#[test]
fn the_page_for_c_users_works_as_written() {
    library(); // so that the script finds it built
    let page = std::fs::read_to_string(here("../../docs/c-library.md")).expect("the page");
    let has_cmake = is_installed("cmake");
    let has_pkg_config = is_installed("pkg-config");
    let mut script = String::from("set -eu\n");
    for (section, text) in page.split("\n## ").enumerate() {
        let title = text.lines().next().unwrap_or_default();
        let is_left_out =
            (title == "CMake" && !has_cmake) || (title == "pkg-config" && !has_pkg_config);
        if is_left_out {
            eprintln!("not tried, as it is not installed: {title}");
            continue;
        }
        assert!(section == 0 || text.contains("```sh\n"), "{title}");
        for block in text.split("```sh\n").skip(1) {
            let (commands, _) = block.split_once("\n```").expect("blocks end");
            script += commands;
            script.push('\n');
        }
    }
    let prefix = tempfile::tempdir().expect("a folder");
    let output = run(Command::new("sh")
        .args(["-c", &script])
        .current_dir(here("../.."))
        .env("PREFIX", prefix.path())
        .env("CARGO", env!("CARGO"))
        .env("CARGO_FLAGS", "--offline")
        .env("CARGO_TARGET_DIR", target())
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("DESTDIR"));
    let last_board = "...2..\n...2..\n.1121.\n...2..\n";
    let programs = 1 + 4 * usize::from(has_pkg_config) + usize::from(has_cmake);
    assert_eq!(text(&output).matches(last_board).count(), programs);
    let left: Vec<_> = walk(prefix.path());
    assert!(left.is_empty(), "{left:?}");
}

/// The files under a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => walk(&path),
            false => vec![path],
        })
        .collect()
}
