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

use std::alloc::Layout;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use floe_rules::Player;
use floe_rules::gamma::{Board, Lent, Loan, Tally};

/// A game: the board and what the players have done so far.
#[allow(non_camel_case_types, reason = "the course's name")]
pub struct gamma_t {
    board: Board<Lent>,
    /// The memory lent to the board that is not in the game's own allocation; NULL if all of it is.
    far: *mut c_void,
    /// The values lent to the board, in the game's own allocation.
    tallies: *mut [Tally],
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
    let made = guarded(None, || make(width, height, players, areas));
    made.unwrap_or(ptr::null_mut())
}

/// Makes a game on an empty board. The game and what its board needs share one allocation; on large
/// boards what most calls do not touch has another.
fn make(width: u32, height: u32, players: u32, areas: u32) -> Option<*mut gamma_t> {
    let need = Board::need(width, height, players, areas).ok()?;
    let head = Layout::new::<gamma_t>();
    let (head, tallies_at) = head
        .extend(Layout::array::<Tally>(need.tallies).ok()?)
        .ok()?;
    let (whole, near_at) = head.extend(Layout::array::<u64>(need.near).ok()?).ok()?;
    let far_size = Layout::array::<u64>(need.far).ok()?.size();
    // SAFETY: `calloc` may be called with any numbers.
    let block = unsafe { libc::calloc(1, whole.size()) }.cast::<u8>();
    if block.is_null() {
        return None;
    }
    let mut far = ptr::null_mut();
    if far_size > 0 {
        // SAFETY: the same.
        far = unsafe { libc::calloc(1, far_size) };
    }
    let board = if far_size > 0 && far.is_null() {
        None
    } else {
        // SAFETY: `block` has the size of `whole`, and `calloc` aligns for any type, so that there is
        // room for these tallies and words, apart from each other and from the game. `far` has
        // these words, or is NULL. Nothing else reaches them before
        // `gamma_delete`, where the board is dropped first.
        let (near, far, tallies) = unsafe {
            let tallies = block.add(tallies_at).cast::<Tally>();
            for seat in 0..need.tallies {
                tallies.add(seat).write(Tally::default());
            }
            let far: &'static mut [u64] = match far.is_null() {
                true => &mut [],
                false => slice::from_raw_parts_mut(far.cast(), need.far),
            };
            (
                slice::from_raw_parts_mut(block.add(near_at).cast::<u64>(), need.near),
                far,
                slice::from_raw_parts_mut(tallies, need.tallies),
            )
        };
        let loan = Loan { near, far, tallies };
        Board::lent(width, height, players, areas, loan).ok()
    };
    let Some(board) = board else {
        // SAFETY: both come from `calloc` or are NULL, and the loan ended with the board. Empty
        // tallies have nothing to drop.
        unsafe {
            libc::free(far);
            libc::free(block.cast());
        }
        return None;
    };
    let game = block.cast::<gamma_t>();
    // SAFETY: the block has room for a game at its beginning, and for the tallies after it.
    unsafe {
        let tallies = block.add(tallies_at).cast::<Tally>();
        game.write(gamma_t {
            board,
            far,
            tallies: ptr::slice_from_raw_parts_mut(tallies, need.tallies),
        });
    }
    Some(game)
}

/// Deletes a game and all its memory. Does nothing if the pointer is NULL.
///
/// @param g - the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gamma_delete(g: *mut gamma_t) {
    if !g.is_null() {
        // SAFETY: the caller promises that `g` came from `gamma_new`, and that it is not used after
        // this call. The board goes before what was lent to it, and that before the memory.
        unsafe {
            let gamma_t {
                board,
                far,
                tallies,
            } = g.read();
            guarded((), || {
                drop(board);
                ptr::drop_in_place(tallies);
            });
            libc::free(far);
            libc::free(g.cast());
        }
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
        // Zeroed memory is a valid slice of bytes; large blocks come from the system as zeros, so
        // this costs nothing. SAFETY: `calloc` may be called with any numbers.
        let text = unsafe { libc::calloc(size_with_nul, 1) }.cast::<u8>();
        if text.is_null() {
            return ptr::null_mut();
        }
        // SAFETY: `text` points at more than `size` bytes, and no other pointer reaches them.
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
    work: impl FnOnce(&mut Board<Lent>, Player) -> T,
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
            // A payload whose destructor panics in turn must not unwind into C either.
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
