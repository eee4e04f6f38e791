//! Questions and their answers as this machine gives them, a line each: what the WebAssembly module is
//! compared with. `cargo run -p floe-browser --example transcript [THOUGHTS]`

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter, Write};

use floe_games::{AnyGame, AnyPosition, games};
use floe_rules::random::Random;
use serde_json::{Value, json};

/// Thoughts per game.
const THOUGHTS: usize = 1000;
/// Positions a thought looks at, and the most moves that are ranked.
const NODES: u64 = 200;
const SETUPS: [&str; 3] = ["5x5", "6x8", "9x7"];
/// Boards for which the module has code of its own, and positions a thought about one looks at.
const LARGE: [&str; 5] = ["14x14", "22x22", "40x40", "70x70", "110x90"];
const LARGE_NODES: u64 = 40;
/// The most moves of a game.
const LONGEST: usize = 60;
/// The deepest count of a perft file that is repeated.
const PERFT: u64 = 100_000;

fn main() -> io::Result<()> {
    let thoughts = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let thoughts = thoughts.unwrap_or(THOUGHTS);
    let mut out = BufWriter::new(io::stdout().lock());
    for game in games() {
        let mut dice = Random::seeded(32);
        rules(game, &mut out)?;
        large_boards(game, &mut out)?;
        perft(game, &mut out)?;
        let mut left = thoughts;
        let mut seed = 0;
        while left > 0 {
            let setup = SETUPS[seed as usize % SETUPS.len()];
            let start = game.start(setup, seed).expect("the setup fits every game");
            left = one_game(game, start, left, &mut dice, &mut out)?;
            seed += 1;
        }
    }
    Ok(())
}

fn note(question: &Value, out: &mut impl Write) -> io::Result<Value> {
    let text = question.to_string();
    let answer = floe_browser::answer(&text);
    let answer: Value = serde_json::from_str(&answer)?;
    writeln!(
        out,
        "{}",
        json!({ "question": text, "answer": answer.to_string() })
    )?;
    Ok(answer)
}

fn rules(game: &dyn AnyGame, out: &mut impl Write) -> io::Result<()> {
    let game = game.name();
    note(&json!({ "ask": "rules", "game": game }), out)?;
    for position in ["", "?", "1 2 3\n", "J\n@@\n??\n"] {
        note(
            &json!({ "ask": "checks", "game": game, "position": position }),
            out,
        )?;
        note(
            &json!({ "ask": "positions", "game": game, "position": position }),
            out,
        )?;
    }
    Ok(())
}

/// What engines think of large boards, for two seats and for three where a game has as many.
fn large_boards(game: &dyn AnyGame, out: &mut impl Write) -> io::Result<()> {
    let engine = format!("floe:nodes={LARGE_NODES}");
    for size in LARGE {
        let three = game.setup_for(size, 3);
        for setup in [Some(size.to_owned()), three].into_iter().flatten() {
            note(
                &json!({ "ask": "thoughts", "game": game.name(), "setup": setup, "seed": 5, "engine": engine }),
                out,
            )?;
        }
    }
    Ok(())
}

/// What the perft files count, as far as it is quick.
fn perft(game: &dyn AnyGame, out: &mut impl Write) -> io::Result<()> {
    let file = format!("crates/rules/tests/perft/{}.txt", game.name());
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut head = None;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(rest) = line.strip_prefix("setup ") {
            head = rest.rsplit_once("seed ");
        } else if let (Some((setup, seed)), Some((depth, count))) = (head, line.split_once(' ')) {
            let number = |text: &str| text.trim().parse::<u64>().map_err(io::Error::other);
            let count = number(count)?;
            if count > PERFT {
                continue;
            }
            let question = json!({ "ask": "perft", "game": game.name(), "setup": setup.trim(),
                "seed": number(seed)?, "depth": number(depth)? });
            let answer = note(&question, out)?;
            // A page refuses more players than it can show.
            if answer["error"].is_null() {
                assert_eq!(answer["answer"]["count"], count, "{question}");
            }
        }
    }
    Ok(())
}

/// Plays a random game and asks about its positions on the way.
fn one_game(
    game: &dyn AnyGame,
    start: Box<dyn AnyPosition>,
    mut left: usize,
    dice: &mut Random,
    out: &mut impl Write,
) -> io::Result<usize> {
    let first = start.write();
    let mut position = start;
    let mut moves: Vec<String> = Vec::new();
    let mut painted = BTreeSet::new();
    while position.turn().is_some() && left > 0 && moves.len() < LONGEST {
        let text = position.write();
        let at = |ask: &str, more: Value| {
            let mut question = json!({ "ask": ask, "game": game.name(), "position": text });
            for (key, value) in more.as_object().into_iter().flatten() {
                question[key] = value.clone();
            }
            question
        };
        let top = 1 + left % 2 * 2;
        let engine = format!("floe:nodes={NODES}");
        note(
            &at("thoughts", json!({ "engine": engine, "top": top })),
            out,
        )?;
        left -= 1;
        if left.is_multiple_of(25) {
            let level = ["floe:beginner", "floe:easy"][left / 25 % 2];
            note(&at("thoughts", json!({ "engine": level })), out)?;
            note(
                &json!({ "ask": "positions", "game": game.name(), "position": first, "moves": moves }),
                out,
            )?;
            note(&at("checks", json!({})), out)?;
            for brush in game.brushes(&text) {
                if painted.insert(brush.word.clone()) {
                    note(
                        &at("paint", json!({ "brush": brush.word, "square": "b2" })),
                        out,
                    )?;
                }
            }
            note(&at("refusals", json!({ "square": "a1" })), out)?;
        }
        let listed = position.moves();
        let mv = listed[dice.index(listed.len())].clone();
        position.play(&mv).expect("a listed move is legal");
        moves.push(mv);
    }
    note(
        &json!({ "ask": "positions", "game": game.name(), "position": first, "moves": moves }),
        out,
    )?;
    Ok(left)
}
