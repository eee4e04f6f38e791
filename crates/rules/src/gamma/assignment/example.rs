//! A wrong answer shown to the author of the library: as a C program, as a batch file, and as a
//! board.

use std::fmt::Write;

use super::calls::{Call, Function, Reference};
use crate::assignment::WrongAnswer;
use crate::gamma::Board;

/// A batch file lists at most this many moves of a rectangle one by one.
const MOST_MOVES: u64 = 100;
/// Larger boards are not drawn.
const MOST_DRAWN: (u32, u32) = (40, 25);

fn read(calls: &[String]) -> Vec<Call> {
    calls.iter().filter_map(|call| Call::read(call)).collect()
}

/// Smaller boards, fewer players and areas, smaller rectangles, and everything moved to the corner.
pub(super) fn simpler(calls: &[String]) -> Vec<Vec<String>> {
    let calls = read(calls);
    let mut all: Vec<Vec<Call>> = Vec::new();
    for (at, &call) in calls.iter().enumerate() {
        let mut with = |other: Call| {
            let mut changed = calls.clone();
            changed[at] = other;
            all.push(changed);
        };
        match call {
            Call::New {
                width,
                height,
                players,
                areas,
            } => {
                let new = |width, height, players, areas| Call::New {
                    width,
                    height,
                    players,
                    areas,
                };
                for less in smaller(width) {
                    with(new(less, height, players, areas));
                }
                for less in smaller(height) {
                    with(new(width, less, players, areas));
                }
                for less in smaller(players) {
                    with(new(width, height, less, areas));
                }
                for less in smaller(areas) {
                    with(new(width, height, players, less));
                }
            }
            Call::Rectangle { player, from, to } => {
                for u in smaller(to.0).into_iter().filter(|&u| u >= from.0) {
                    let to = (u, to.1);
                    with(Call::Rectangle { player, from, to });
                }
                for v in smaller(to.1).into_iter().filter(|&v| v >= from.1) {
                    let to = (to.0, v);
                    with(Call::Rectangle { player, from, to });
                }
            }
            _ => {}
        }
    }
    all.extend(shifted(&calls, 1, 0));
    all.extend(shifted(&calls, 0, 1));
    let written = |calls: Vec<Call>| calls.into_iter().map(Call::write).collect();
    all.into_iter().map(written).collect()
}

/// Numbers below this one to try, the smallest first.
fn smaller(number: u32) -> Vec<u32> {
    let mut less = vec![1, 2, number / 2, number.saturating_sub(1)];
    less.retain(|&less| less >= 1 && less < number);
    less.dedup();
    less
}

/// All fields moved to the left or down by one, if none is at the edge.
fn shifted(calls: &[Call], dx: u32, dy: u32) -> Option<Vec<Call>> {
    let mut moved = Vec::new();
    for &call in calls {
        moved.push(match call {
            Call::On {
                function: function @ (Function::Move | Function::Golden),
                numbers: [player, x, y],
                is_null,
            } => Call::On {
                function,
                numbers: [player, x.checked_sub(dx)?, y.checked_sub(dy)?],
                is_null,
            },
            Call::Rectangle {
                player,
                from: (x, y),
                to: (u, v),
            } => Call::Rectangle {
                player,
                from: (x.checked_sub(dx)?, y.checked_sub(dy)?),
                to: (u - dx, v - dy),
            },
            other => other,
        });
    }
    (moved != calls).then_some(moved)
}

/// A program that stops at the wrong answer.
pub(super) fn c_program(calls: &[String], wrong: &WrongAnswer, got: &str) -> String {
    let calls = read(calls);
    let fails = calls.iter().any(|call| matches!(call, Call::Fail(_)));
    let mut text = String::new();
    if fails {
        text += "/* cc -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc EXAMPLE.c YOUR FILES */\n";
    }
    text += "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"gamma.h\"\n\n";
    if fails {
        text += FAILING;
    }
    text += "int main(void) {\n    gamma_t *g = NULL;\n";
    let mut reference = Reference::default();
    for (at, &call) in calls.iter().enumerate() {
        if at == wrong.call {
            let expected = &wrong.expected;
            let _ = writeln!(text, "    /* expected {expected}; the library: {got} */");
            let _ = writeln!(text, "    {}", statement(call, Some(expected)));
            break;
        }
        let expected = reference.answer(call);
        let may_differ = fails || matches!(call, Call::New { .. });
        let expected = Some(expected.as_str()).filter(|_| !may_differ);
        let _ = writeln!(text, "    {}", statement(call, expected));
    }
    text + "    return 0;\n}\n"
}

const FAILING: &str = "\
static long left; /* which allocation fails, counted from the next one */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n) { return left && !--left ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return left && !--left ? NULL : __real_calloc(n, m); }
void *__wrap_realloc(void *p, size_t n) { return left && !--left ? NULL : __real_realloc(p, n); }

";

/// A call as C, which stops the program if the answer is not this one.
fn statement(call: Call, expected: Option<&str>) -> String {
    match call {
        Call::New {
            width,
            height,
            players,
            areas,
        } => {
            let made = format!("g = gamma_new({width}u, {height}u, {players}u, {areas}u);");
            match expected {
                Some("null") => format!("{made}\n    assert(g == NULL);"),
                Some(_) => format!("{made}\n    assert(g != NULL);"),
                None => made,
            }
        }
        Call::Delete => "gamma_delete(g);".to_owned(),
        Call::Fail(number) => format!("left = {number};"),
        Call::Live => {
            "/* All memory must be free here: see valgrind --leak-check=full. */".to_owned()
        }
        Call::Rectangle {
            player,
            from: (x, y),
            to: (u, v),
        } => {
            let call = format!("gamma_move(g, {player}, x, y)");
            format!(
                "for (unsigned y = {y}; y <= {v}; y++)\n        for (unsigned x = {x}; x <= {u}; x++)\n            {call};"
            )
        }
        Call::On {
            function,
            numbers: [a, b, c],
            is_null,
        } => {
            let g = if is_null { "NULL" } else { "g" };
            let call = match function {
                Function::Move => format!("gamma_move({g}, {a}u, {b}u, {c}u)"),
                Function::Golden => format!("gamma_golden_move({g}, {a}u, {b}u, {c}u)"),
                Function::Busy => format!("gamma_busy_fields({g}, {a}u)"),
                Function::Free => format!("gamma_free_fields({g}, {a}u)"),
                Function::Possible => format!("gamma_golden_possible({g}, {a}u)"),
                Function::DeleteNull => return "gamma_delete(NULL);".to_owned(),
                Function::Board => return board_statement(g, expected),
            };
            match expected {
                Some(expected) => format!("assert({call} == {expected});"),
                None => format!("{call};"),
            }
        }
    }
}

fn board_statement(g: &str, expected: Option<&str>) -> String {
    match expected {
        Some("null") => format!("assert(gamma_board({g}) == NULL);"),
        Some(rows) if rows.ends_with('/') => {
            let rows = rows.replace('/', "\\n");
            format!(
                "{{ char *text = gamma_board({g}); assert(text && !strcmp(text, \"{rows}\")); free(text); }}"
            )
        }
        _ => format!("free(gamma_board({g}));"),
    }
}

/// The calls as commands; none where a call has no command.
pub(super) fn input_of(calls: &[String]) -> Option<String> {
    let mut text = String::new();
    let calls = read(calls);
    for (at, &call) in calls.iter().enumerate() {
        match call {
            Call::New {
                width,
                height,
                players,
                areas,
            } if at == 0 => {
                let _ = writeln!(text, "B {width} {height} {players} {areas}");
            }
            Call::On {
                is_null: false,
                function,
                ..
            } if function != Function::DeleteNull && at > 0 => {
                let _ = writeln!(text, "{}", call.write());
            }
            Call::Rectangle {
                player,
                from: (x, y),
                to: (u, v),
            } if u64::from(u - x + 1) * u64::from(v - y + 1) <= MOST_MOVES => {
                for y in y..=v {
                    for x in x..=u {
                        let _ = writeln!(text, "m {player} {x} {y}");
                    }
                }
            }
            Call::Delete if at + 1 == calls.len() => {}
            _ => return None,
        }
    }
    Some(text)
}

/// The board before the last call.
pub(super) fn picture(calls: &[String]) -> String {
    let mut reference = Reference::default();
    let calls = read(calls);
    let before = calls.len().saturating_sub(1);
    for &call in &calls[..before] {
        reference.answer(call);
    }
    let is_drawn = |board: &Board| board.width() <= MOST_DRAWN.0 && board.height() <= MOST_DRAWN.1;
    reference
        .board
        .filter(is_drawn)
        .map_or_else(String::new, |board| draw(&board))
}

fn draw(board: &Board) -> String {
    let digits = board.players().max(board.width()).ilog10() as usize + 1;
    let mut text = String::new();
    for y in (0..board.height()).rev() {
        let _ = write!(text, "{y:>4}");
        for x in 0..board.width() {
            let owner = board.owner(x, y).map(|player| player.number().to_string());
            let _ = write!(text, " {:>digits$}", owner.as_deref().unwrap_or("."));
        }
        text.push('\n');
    }
    text += "    ";
    for x in 0..board.width() {
        let _ = write!(text, " {x:>digits$}");
    }
    text.push('\n');
    text
}
