//! The board as text, the way `gamma_board` prints it.
//!
//! Rows from the top down, each ended by a newline; `.` is a free field. With at most 9 players
//! a field is one character; with more, every field is right-aligned to the width of the largest
//! player number and fields are separated by one blank.

use super::grid::{Grid, Link, Owner};
use super::memory::Memory;

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Characters a field takes.
    fn digits(&self) -> usize {
        self.players.count().ilog10() as usize + 1
    }

    /// Length of the text; `None` if it exceeds `usize`.
    pub(super) fn text_size(&self) -> Option<usize> {
        let digits = self.digits();
        // A field and the blank or newline after it; one-character fields have no blanks.
        let field = if digits == 1 { 1 } else { digits + 1 };
        let row = field
            .checked_mul(self.width as usize)?
            .checked_add(usize::from(digits == 1))?;
        row.checked_mul(self.height as usize)
    }

    /// Fills `out`, which is [`text_size`](Self::text_size) bytes long. O(its length).
    pub(super) fn write_text(&self, out: &mut [u8]) {
        let digits = self.digits();
        let width = self.width as usize;
        let rows = self.owners.chunks_exact(width).rev();
        if digits == 1 {
            for (line, row) in out.chunks_exact_mut(width + 1).zip(rows) {
                for (letter, owner) in line.iter_mut().zip(row) {
                    *letter = match owner.is_free() {
                        true => b'.',
                        false => b'0' + owner.number() as u8,
                    };
                }
                line[width] = b'\n';
            }
            return;
        }
        for (line, row) in out.chunks_exact_mut((digits + 1) * width).zip(rows) {
            for (cell, owner) in line.chunks_exact_mut(digits + 1).zip(row) {
                cell.fill(b' ');
                let mut number = owner.number();
                if number == 0 {
                    cell[digits - 1] = b'.';
                }
                for digit in cell[..digits].iter_mut().rev() {
                    if number == 0 {
                        break;
                    }
                    *digit = b'0' + (number % 10) as u8;
                    number /= 10;
                }
            }
            line[(digits + 1) * width - 1] = b'\n';
        }
    }
}
