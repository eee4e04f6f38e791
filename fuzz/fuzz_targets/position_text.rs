//! Any text as a position file of any game: it is refused with places inside the text, or it
//! is read, drawn, written, and read back the same.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_fuzz::fuzz_target;
use floe_rules::{Report, text};

fuzz_target!(|data: &[u8]| {
    let Some((&pick, bytes)) = data.split_first() else {
        return;
    };
    let games = floe_games::games();
    let game = games[usize::from(pick) % games.len()];
    let source = match text::decode(bytes) {
        Ok(source) => source,
        Err(error) => {
            text::explain(&error, "bytes", &String::from_utf8_lossy(bytes));
            return;
        }
    };
    let mut report = Report::new();
    let position = game.parse(source, &mut report);
    assert_eq!(position.is_none(), !report.errors.is_empty());
    for error in report.errors.iter().chain(&report.remarks) {
        assert!(error.line >= 1 && error.column >= 1 && error.width >= 1);
        text::explain(error, "file", source);
    }
    let Some(position) = position else { return };
    let written = position.write();
    let read = game.read(&written).expect("what is written can be read");
    assert!(read.is_same(&*position), "{written}");
    assert_eq!(read.write(), written);
    assert_eq!(read.key(), position.key());
    let view = position.view();
    assert_eq!(
        view.cells.len() as u64,
        u64::from(view.width) * u64::from(view.height)
    );
    game.read(&position.board())
        .expect("the bare board can be read");
});
