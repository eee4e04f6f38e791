//! Any bytes as Gamma's batch language, cut anywhere: the same answers as uncut.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_contest::gamma::session::Session;
use floe_fuzz::fuzz_target;

/// Everything a session says to these bytes, given in pieces that end after these lengths.
fn run(bytes: &[u8], cuts: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut session = Session::new();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut rest = bytes;
    let mut cuts = cuts
        .iter()
        .map(|&cut| usize::from(cut))
        .chain(std::iter::repeat(usize::MAX));
    while !rest.is_empty() {
        let (mut piece, after) = rest.split_at(cuts.next()?.min(rest.len()));
        loop {
            piece = session.feed(piece).ok()?;
            output.append(&mut session.output);
            errors.append(&mut session.errors);
            if output.len() > 1 << 24 {
                return None; // a few bytes can ask for a large board many times
            }
            if piece.is_empty() {
                break;
            }
        }
        rest = after;
    }
    session.end();
    output.append(&mut session.output);
    errors.append(&mut session.errors);
    Some((output, errors))
}

fuzz_target!(|data: (Vec<u8>, Vec<u8>)| {
    let (bytes, cuts) = data;
    assert_eq!(run(&bytes, &[]), run(&bytes, &cuts));
});
