//! Floods and slides of common boards, on arrays of words that stay in registers.
//!
//! Every shift is by less than a word: a column or a row of a board with less than 64 bits a row.

use std::array::from_fn;

use super::Bits;

/// A computation on bit arrays of any length.
pub(super) trait Sweep {
    fn sweep<const W: usize>(set: [u64; W], within: [u64; W], stride: u32) -> [u64; W];
}

/// Computes on the shortest arrays that hold the sets; `None` if the sets are too large.
#[inline]
pub(super) fn sweep<S: Sweep>(set: &Bits, within: &Bits, stride: usize) -> Option<Bits> {
    fn on<S: Sweep, const W: usize>(set: &Bits, within: &Bits, stride: u32) -> Option<Bits> {
        let out = S::sweep::<W>(set.array()?, within.array()?, stride);
        Some(set.with_array(&out))
    }
    let stride = u32::try_from(stride).ok().filter(|&s| s < 64)?;
    match set.words().len() {
        0..=2 => on::<S, 2>(set, within, stride),
        3..=4 => on::<S, 4>(set, within, stride),
        _ => on::<S, 7>(set, within, stride),
    }
}

/// All fields reachable by walking.
pub(super) struct Flood;

impl Sweep for Flood {
    #[inline]
    fn sweep<const W: usize>(set: [u64; W], within: [u64; W], stride: u32) -> [u64; W] {
        let grow = |a: &[u64; W]| -> [u64; W] {
            let [right, left] = [up(a, 1), down(a, 1)];
            let [above, below] = [up(a, stride), down(a, stride)];
            from_fn(|i| (a[i] | right[i] | left[i] | above[i] | below[i]) & within[i])
        };
        let mut all = grow(&set);
        loop {
            let next = grow(&all);
            if next == all {
                return all;
            }
            all = next;
        }
    }
}

/// All fields reachable by one slide.
pub(super) struct Slides;

impl Sweep for Slides {
    #[inline]
    fn sweep<const W: usize>(set: [u64; W], within: [u64; W], stride: u32) -> [u64; W] {
        let mut reach = [0; W];
        for by in [1, stride] {
            let (mut there, mut back) = (set, set);
            loop {
                let (raised, lowered) = (up(&there, by), down(&back, by));
                there = from_fn(|i| raised[i] & within[i]);
                back = from_fn(|i| lowered[i] & within[i]);
                let both: [u64; W] = from_fn(|i| there[i] | back[i]);
                if both == [0; W] {
                    break;
                }
                reach = from_fn(|i| reach[i] | both[i]);
            }
        }
        reach
    }
}

/// Shifts every bit up by `by`, 1 to 63.
#[inline]
fn up<const W: usize>(a: &[u64; W], by: u32) -> [u64; W] {
    from_fn(|i| a[i] << by | if i > 0 { a[i - 1] >> (64 - by) } else { 0 })
}

/// Shifts every bit down by `by`, 1 to 63.
#[inline]
fn down<const W: usize>(a: &[u64; W], by: u32) -> [u64; W] {
    from_fn(|i| a[i] >> by | if i + 1 < W { a[i + 1] << (64 - by) } else { 0 })
}
