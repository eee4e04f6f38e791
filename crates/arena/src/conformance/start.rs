//! Errors that keep a program from starting at all.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use floe_games::{Fault, FaultKind};
use floe_rules::Player;

use crate::seat::ProgramSeat;

/// Bytes of a file that are read.
const HEAD: usize = 256;

/// The reason why the system cannot start this program, as far as its file shows.
pub(super) fn obstacle(program: &ProgramSeat) -> Option<Fault> {
    let path = Path::new(program.command().first()?);
    let mut head = Vec::new();
    File::open(path)
        .ok()?
        .take(HEAD as u64)
        .read_to_end(&mut head)
        .ok()?;
    let (message, advice) = wrong_with(&head)?;
    let mut fault = Fault::new(Player::new(0), FaultKind::GaveUp, message);
    fault.expected = advice;
    Some(fault)
}

/// The error in a program's file, by its first bytes, and how to fix it.
fn wrong_with(head: &[u8]) -> Option<(String, String)> {
    const LINE: &str = "#!/usr/bin/env python3";
    if head.is_empty() {
        return Some((
            "it cannot be started: its file is empty".to_owned(),
            "a program, or a script with an interpreter on its first line".to_owned(),
        ));
    }
    let Some(line) = head.strip_prefix(b"#!") else {
        // The last character may be cut.
        let is_odd = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
        let is_text = !head.iter().any(is_odd);
        return is_text.then(|| {
            (
                "it cannot be started: it is a script without `#!` on its first line".to_owned(),
                format!(
                    "a first line such as `{LINE}`, or a seat that names the interpreter, such as \
                     \"python3 bot.py\""
                ),
            )
        });
    };
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    if line.ends_with('\r') {
        return Some((
            "it cannot be started: its first line ends as on Windows, in a carriage return"
                .to_owned(),
            "lines that end in a newline alone, such as `dos2unix` makes".to_owned(),
        ));
    }
    let interpreter = line.split_whitespace().next().unwrap_or_default();
    if !Path::new(interpreter).exists() {
        return Some((
            format!("it cannot be started: its interpreter `{interpreter}` is not on this machine"),
            format!("an interpreter that is here, such as `{LINE}`"),
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_started_is_told_by_its_first_bytes() {
        let said = |head: &[u8]| wrong_with(head).map(|(message, _)| message);
        assert_eq!(said(b"\x7fELF\x02\x01"), None);
        assert_eq!(said(b"#!/bin/sh\necho\n"), None);
        assert!(
            said(b"print(1)\n")
                .unwrap()
                .contains("a script without `#!`")
        );
        assert!(said(b"#!/bin/sh\r\n").unwrap().contains("as on Windows"));
        assert!(said(b"#!/no/such thing\n").unwrap().contains("`/no/such`"));
        assert!(said(b"").unwrap().contains("its file is empty"));
    }
}
