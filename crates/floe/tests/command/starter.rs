use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::floe;

#[test]
fn a_starter_is_written_with_a_readme_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::set_permissions(here, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |words: &str| {
        let output = floe(words).current_dir(here).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (
            String::from_utf8(text).unwrap(),
            output.status.code().unwrap(),
        )
    };
    let (seen, code) = run("starter flood Python");
    assert_eq!(code, 0, "{seen}");
    let check = "floe check program flood \"python3 flood.py\"";
    assert!(
        seen.contains("cd flood-python\n") && seen.contains(check),
        "{seen}"
    );
    let readme = fs::read_to_string(here.join("flood-python/README.md")).unwrap();
    assert!(readme.contains(check), "{readme}");

    // Nothing is written over.
    fs::write(here.join("flood-python/flood.py"), "mine").unwrap();
    fs::remove_file(here.join("flood-python/README.md")).unwrap();
    let (seen, code) = run("starter flood python");
    assert!(
        code == 2 && seen.contains("flood.py is there already"),
        "{code} {seen}"
    );
    assert_eq!(
        fs::read(here.join("flood-python/flood.py")).unwrap(),
        b"mine"
    );
    assert!(!here.join("flood-python/README.md").exists());
    assert_eq!(run("starter flood python --force").1, 0);

    // The commands of the README work as they stand.
    assert_eq!(run("starter gamma c bot").1, 0);
    let built = Command::new("sh")
        .args(["-c", "cc -O2 -o bot line_gamma.c"])
        .current_dir(here.join("bot"))
        .status();
    assert!(built.unwrap().success());
    let check = floe("check program gamma line:./bot --setup 4x4 --time 60s")
        .current_dir(here.join("bot"))
        .output()
        .unwrap();
    let seen = String::from_utf8_lossy(&check.stdout);
    assert!(
        seen.starts_with("✓ it plays: 3 games without a fault\n"),
        "{seen}"
    );

    let (seen, code) = run("starter gamma go");
    assert!(
        code == 2 && seen.contains("there is no starter of Gamma in go; there are C, "),
        "{seen}"
    );
}
