//! `libgamma`: the Gamma board as a C library, with the interface of the course that the game
//! comes from.
//!
//! The doc comments here are written for readers of `include/gamma.h`, which cbindgen makes of
//! them. The work is done by [`floe_rules::gamma::Board`]; this crate checks what C cannot
//! promise (pointers that are NULL, player 0), keeps panics from crossing into C, and hands out
//! memory that C can free. It is the only crate of the workspace with `unsafe` in it.
//!
//! There is no state outside the games. In particular the panic hook is left alone, as it belongs
//! to the whole process: a panic, which would be a bug, prints its message.

use std::alloc::{Layout, alloc};
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use floe_rules::Player;
use floe_rules::gamma::Board;

/// A game: the board and what the players have done so far.
#[allow(non_camel_case_types, reason = "the course's name")]
pub struct gamma_t {
    board: Board,
}

/// Makes a game on an empty board.
///
/// All four parameters must be positive. This takes next to no time, however large the board:
/// memory is used as fields are taken.
///
/// @param width   - columns of the board,
/// @param height  - rows of the board,
/// @param players - the number of players,
/// @param areas   - the most areas a player may have.
/// @return The game, to be deleted with gamma_delete(); NULL if a parameter is 0 or there is not
/// enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn gamma_new(width: u32, height: u32, players: u32, areas: u32) -> *mut gamma_t {
    guarded(ptr::null_mut(), || {
        let Ok(board) = Board::new(width, height, players, areas) else {
            return ptr::null_mut();
        };
        // `Box::new` would end the program if there were no memory.
        // SAFETY: the layout's size is not zero.
        let game = unsafe { alloc(Layout::new::<gamma_t>()) }.cast::<gamma_t>();
        if !game.is_null() {
            // SAFETY: fresh memory of the size and alignment of a game.
            unsafe { game.write(gamma_t { board }) };
        }
        game
    })
}

/// Deletes a game and all its memory. Does nothing if the pointer is NULL.
///
/// @param g - the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_delete(g: *mut gamma_t) {
    if !g.is_null() {
        // SAFETY: the caller promises that `g` came from `gamma_new`, which allocated it as a box
        // does, and that it is not used after this call.
        let game = unsafe { Box::from_raw(g) };
        guarded((), || drop(game));
    }
}

/// Makes a move: the player takes the free field (x, y).
///
/// @param g      - the game,
/// @param player - the player's number, from 1,
/// @param x      - the column, from 0,
/// @param y      - the row, from 0.
/// @return True if the move was made; false if it is illegal, a parameter is wrong or there is not
/// enough memory, and then the game is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_move(g: *mut gamma_t, player: u32, x: u32, y: u32) -> bool {
    // SAFETY: the caller's promise is the same.
    unsafe { on_board(g, player, |board, player| board.take(player, x, y).is_ok()) }
}

/// Makes a golden move: the player takes the field (x, y) from another player.
///
/// Each player may do so once a game; an attempt that fails does not count.
///
/// @param g      - the game,
/// @param player - the player's number, from 1,
/// @param x      - the column, from 0,
/// @param y      - the row, from 0.
/// @return True if the move was made; false if it is illegal, a parameter is wrong or there is not
/// enough memory, and then the game is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_golden_move(g: *mut gamma_t, player: u32, x: u32, y: u32) -> bool {
    // SAFETY: the caller's promise is the same.
    unsafe {
        on_board(g, player, |board, player| {
            board.take_golden(player, x, y).is_ok()
        })
    }
}

/// Counts the fields that the player holds.
///
/// @param g      - the game,
/// @param player - the player's number, from 1.
/// @return The number of fields; 0 if a parameter is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_busy_fields(g: *mut gamma_t, player: u32) -> u64 {
    // SAFETY: the caller's promise is the same.
    unsafe { on_board(g, player, |board, player| board.busy_fields(player)) }
}

/// Counts the fields that the player could take now by a move.
///
/// Those are all free fields while he has fewer areas than the limit, and the free fields adjacent
/// to his own once he has reached it.
///
/// @param g      - the game,
/// @param player - the player's number, from 1.
/// @return The number of fields; 0 if a parameter is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_free_fields(g: *mut gamma_t, player: u32) -> u64 {
    // SAFETY: the caller's promise is the same.
    unsafe { on_board(g, player, Board::free_fields) }
}

/// Returns whether the player could make a golden move now.
///
/// @param g      - the game,
/// @param player - the player's number, from 1.
/// @return True if at least one golden move by this player is legal now; false if none is, or if a
/// parameter is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_golden_possible(g: *mut gamma_t, player: u32) -> bool {
    // SAFETY: the caller's promise is the same.
    unsafe { on_board(g, player, Board::golden_possible) }
}

/// Draws the board as text.
///
/// Rows from the top down, each ended by a newline; `.` is a free field. With at most 9 players a
/// field is one character; with more, every field is right-aligned to the width of the largest
/// player number, and the fields of a row are separated by one blank.
///
/// @param g - the game.
/// @return The text, to be freed with free(); NULL if the pointer is NULL or there is not enough
/// memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_board(g: *mut gamma_t) -> *mut c_char {
    // SAFETY: the caller promises that `g` is NULL or a game no other thread is using.
    let Some(game) = (unsafe { g.as_ref() }) else {
        return ptr::null_mut();
    };
    guarded(ptr::null_mut(), || {
        let Some(size) = game.board.text_size() else {
            return ptr::null_mut();
        };
        let Some(size_with_nul) = size.checked_add(1) else {
            return ptr::null_mut();
        };
        // Zeroed, so that it is a slice of bytes from the start: large ones cost nothing more, as
        // they come from the system as zeros.
        // SAFETY: `calloc` may be called with any numbers.
        let text = unsafe { libc::calloc(size_with_nul, 1) }.cast::<u8>();
        if text.is_null() {
            return ptr::null_mut();
        }
        // SAFETY: `text` points at more than `size` bytes that no other pointer reaches.
        game.board
            .write_text(unsafe { std::slice::from_raw_parts_mut(text, size) });
        text.cast()
    })
}

/// Runs `work` with the board and the player, or gives the answer to a wrong parameter, which is
/// `T`'s default, if there is no game or no player 0.
///
/// # Safety
///
/// `g` is NULL or a game from [`gamma_new`] that has not been deleted and that no other thread is
/// using.
#[inline]
unsafe fn on_board<T: Default>(
    g: *mut gamma_t,
    player: u32,
    work: impl FnOnce(&mut Board, Player) -> T,
) -> T {
    // SAFETY: by the function's contract this is the only reference to the game.
    match (unsafe { g.as_mut() }, Player::from_number(player)) {
        (Some(game), Some(player)) => guarded(T::default(), || work(&mut game.board, player)),
        _ => T::default(),
    }
}

/// Runs `work`; if it panics gives `otherwise`. The one place where panics end.
///
/// A board that panicked in mid-move may hold wrong numbers, but nothing undefined: the rules have
/// no `unsafe` in them. So it may be used and deleted as before.
#[inline]
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(payload) => {
            // A payload whose destructor panics in turn must not get out either.
            std::mem::forget(payload);
            otherwise
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_answer_to_a_wrong_parameter() {
        assert_eq!(guarded(7, || 5), 5);
        assert_eq!(guarded(7, || panic!("on purpose")), 7);
        let game = gamma_new(2, 2, 2, 2);
        // SAFETY: `game` is a live game of ours, deleted last.
        unsafe {
            assert_eq!(on_board(game, 1, |_, _| -> u64 { panic!("on purpose") }), 0);
            assert!(gamma_move(game, 1, 0, 0), "the game is still usable");
            gamma_delete(game);
        }
    }
}
