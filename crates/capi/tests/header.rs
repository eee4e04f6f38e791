//! `include/gamma.h` is what cbindgen makes of the source, and keeps the course's prototypes.

use std::path::Path;

fn checked_in() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/gamma.h");
    std::fs::read_to_string(path).unwrap_or_default()
}

fn generated() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("a config");
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(folder.join("src/lib.rs"))
        .generate()
        .expect("bindings");
    let mut header = Vec::new();
    bindings.write(&mut header);
    let header = String::from_utf8(header).expect("text");
    // cbindgen comments as C99 does; the header is for C89 as well.
    header
        .replace("// __cplusplus", "/* __cplusplus */")
        .replace("// extern \"C\"", "/* extern \"C\" */")
}

/// A header's declarations, in order: without comments and preprocessor lines, blanks squeezed.
fn declarations(header: &str) -> Vec<String> {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let lines = code.lines().filter(|line| {
        let line = line.trim();
        !(line.starts_with('#') || line.starts_with("extern \"C\"") || line.starts_with('}'))
    });
    let code = lines
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ");
    code.split_terminator(';')
        .map(|one| one.trim().to_owned())
        .collect()
}

/// `cargo test -p floe-capi --test header -- --ignored` writes the header anew.
#[test]
#[ignore = "writes include/gamma.h"]
fn write_the_header() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/gamma.h");
    std::fs::write(path, generated()).expect("a writable source folder");
}

#[test]
fn the_header_is_what_cbindgen_makes() {
    assert!(
        checked_in() == generated(),
        "include/gamma.h is out of date: cargo test -p floe-capi --test header -- --ignored"
    );
}

#[test]
fn the_manual_page_names_every_function() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("man/libgamma.3");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    for declaration in declarations(&checked_in()) {
        let Some((name, _)) = declaration.split_once('(') else {
            continue;
        };
        let name = name.rsplit([' ', '*']).next().unwrap_or_default();
        assert!(
            page.contains(&format!("{name}(")),
            "{name} has no prototype"
        );
        assert!(
            page.contains(&format!("B {name}\n")) || page.contains(&format!("B{name}")),
            "{name}"
        );
    }
}

#[test]
fn the_header_keeps_the_names_and_types_of_the_course() {
    let course = [
        "typedef struct gamma_t gamma_t",
        "gamma_t *gamma_new(uint32_t width, uint32_t height, uint32_t players, uint32_t areas)",
        "void gamma_delete(gamma_t *g)",
        "bool gamma_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y)",
        "bool gamma_golden_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y)",
        "uint64_t gamma_busy_fields(gamma_t *g, uint32_t player)",
        "uint64_t gamma_free_fields(gamma_t *g, uint32_t player)",
        "bool gamma_golden_possible(gamma_t *g, uint32_t player)",
        "char *gamma_board(gamma_t *g)",
    ];
    assert_eq!(declarations(&checked_in()), course);
}
