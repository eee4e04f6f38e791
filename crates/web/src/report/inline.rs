//! Scripts and styles inside a page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::embedded::text as asset;
use crate::shrink;

/// The parts that a page contains.
pub(super) struct Inlined {
    pub(super) style: String,
    pub(super) script: String,
    /// The icon as a `data:` address.
    pub(super) icon: String,
}

/// A script with all its imports, and the style sheet.
pub(super) fn inlined(script: &str) -> Result<Inlined, String> {
    let mut text = String::new();
    add(script, &mut Vec::new(), &mut text)?;
    let icon = asset("floe.svg")?;
    Ok(Inlined {
        style: shrink::style(&(asset("floe.css")? + &asset("contest.css")?)),
        script: shrink::script(&text),
        icon: format!("data:image/svg+xml;base64,{}", STANDARD.encode(icon)),
    })
}

impl Inlined {
    /// The policy that allows only these scripts and styles, and no requests.
    pub(super) fn policy(&self) -> String {
        let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
        format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
             base-uri 'none'; form-action 'none'",
            hash(&self.script),
            hash(&self.style)
        )
    }
}

/// Adds a module after its imports, each once. Modules then share one scope: they import under the
/// exported names, one per line, and no two have a private name in common.
fn add(name: &str, known: &mut Vec<String>, into: &mut String) -> Result<(), String> {
    if known.iter().any(|other| other == name) {
        return Ok(());
    }
    known.push(name.to_owned());
    let text = asset(name)?;
    let imports = text.lines().filter(|line| line.starts_with("import "));
    for import in imports {
        let from = import.split('"').nth(1).unwrap_or_default();
        let from = from
            .strip_prefix("./")
            .ok_or_else(|| format!("{name}: {import}"))?;
        add(from, known, into)?;
    }
    for line in text.lines().filter(|line| !line.starts_with("import ")) {
        into.push_str(line.strip_prefix("export ").unwrap_or(line));
        into.push('\n');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_stands_alone() {
        let inlined = inlined("report.js").unwrap();
        for (text, wrong) in [
            (&inlined.script, "import{"),
            (&inlined.script, "import\""),
            (&inlined.script, "export "),
            (&inlined.script, "</script"),
            (&inlined.style, "</style"),
            (&inlined.style, "url("),
            (&inlined.style, "@import"),
        ] {
            assert!(!text.contains(wrong), "{wrong}");
        }
        let board = inlined.script.matches("customElements.define(").count();
        assert_eq!(board, 1, "the board is there once");
    }
}
