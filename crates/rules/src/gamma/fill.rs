//! Filling a piece of an area run by run, and telling by the links where a fill has been.
//!
//! A *run* is a stretch of one owner's fields in a row, as long as it can be within a block of
//! columns. A fill visits runs: it writes its *tag*, the node of the first plain field it came to, into
//! the link of every field of a run, and keeps the runs whose neighbours it has not looked at. A
//! plain field is one from which nothing hangs, so that its link may be written at any time.
//! Founders keep their links; they are marked and listed instead.
//!
//! Whatever a fill has tagged hangs from its tag from then on. So a fill is never undone: to end it,
//! its tag is made the root of a new area, or hung under the root of the old one.

use std::collections::{TryReserveError, VecDeque};

use super::grid::{Field, Grid, Link, Owner};
use super::memory::Memory;
use super::walk::{CAME, CAME_SHIFT, VISITED};

/// Fields a fill visits along a column before it turns elsewhere: in memory, fields above each
/// other are far apart, fields of a row are not.
const COLUMN: u32 = 16;

/// Runs end at multiples of this many columns, so that fills that take turns go ahead alike.
const BLOCK: u32 = 512;

/// A stretch of one owner's fields in a row.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: usize,
    /// The column of its first field.
    x: u32,
    length: u32,
}

/// One of up to four fills that take turns.
#[derive(Debug, Default)]
pub(super) struct Fill {
    /// Fields visited.
    pub(super) size: u64,
    /// Cost so far; a plain field costs one.
    work: u64,
    /// Founders visited.
    pub(super) founders: Vec<usize>,
    /// Runs whose neighbours have not been looked at. First come, first served: a fill goes through
    /// a comb row by row, as memory has it, and not tooth by tooth.
    open: VecDeque<Run>,
}

impl Fill {
    /// Whether the fill has visited everything it can reach.
    pub(super) fn is_ended(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes over another fill's work. The other's tag keeps its fields.
    fn absorb(&mut self, other: &mut Fill) -> Result<(), TryReserveError> {
        self.open.try_reserve(other.open.len())?;
        self.founders.try_reserve(other.founders.len())?;
        self.open.append(&mut other.open);
        self.founders.append(&mut other.founders);
        self.size += std::mem::take(&mut other.size);
        self.work += std::mem::take(&mut other.work);
        Ok(())
    }
}

/// Fills of pieces of one owner's area that take turns.
#[derive(Debug)]
pub(super) struct Fills<O> {
    pub(super) owner: O,
    pub(super) fills: [Fill; 4],
    /// For each the node in the links of all plain fields visited; `NO_TAG` until one has been.
    tags: [u64; 4],
    /// The fill that leads each one: another fill once both turned out to visit one piece.
    pub(super) leaders: [usize; 4],
    /// The most runs that a fill may keep; it gives up when it needs more.
    pub(super) room: usize,
}

/// Cost of a founder; a plain field costs one.
const FOUNDER: u64 = 16;

/// No link says this.
const NO_TAG: u64 = u64::MAX;

impl<O> Fills<O> {
    /// None begun.
    pub(super) fn new(owner: O, room: usize) -> Self {
        Fills {
            owner,
            fills: Default::default(),
            tags: [NO_TAG; 4],
            leaders: [0, 1, 2, 3],
            room,
        }
    }

    /// Lets one fill lead both.
    pub(super) fn merge(&mut self, leader: usize, other: usize) -> Result<(), TryReserveError> {
        let mut absorbed = std::mem::take(&mut self.fills[other]);
        let done = self.fills[leader].absorb(&mut absorbed);
        self.fills[other] = absorbed;
        if done.is_ok() {
            let leaders = self.leaders.iter_mut().filter(|l| **l == other);
            leaders.for_each(|l| *l = leader);
        }
        done
    }

    /// The tags of all fills that one leads.
    pub(super) fn tags(&self, leader: usize) -> impl Iterator<Item = usize> {
        let own = (0..4).filter(move |&fill| self.leaders[fill] == leader);
        own.filter_map(|fill| self.tag(fill))
    }

    /// The tag of one fill.
    pub(super) fn tag(&self, fill: usize) -> Option<usize> {
        Some(self.tags[fill])
            .filter(|&tag| tag != NO_TAG)
            .map(|tag| tag as usize)
    }

    #[inline(always)]
    fn has_tag(&self, link: u64) -> bool {
        let [a, b, c, d] = self.tags;
        (link == a) | (link == b) | (link == c) | (link == d)
    }
}

/// Why a fill stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has visited all it can reach.
    Ended,
    /// It has visited as many fields as it should.
    Paused,
    /// It came to a field where this other fill has been.
    Met(usize),
    /// Memory ran out.
    Memory,
}

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Has a fill visit the run of its first field.
    pub(super) fn begin_fill(&mut self, fills: &mut Fills<O>, own: usize, start: Field) -> Stop {
        let run = self.run_at(start.index, start.x, fills.owner);
        match self.visitor(fills, start.index) {
            Some(visitor) => Stop::Met(visitor),
            None if self.visit(fills, own, run) => Stop::Paused,
            None => Stop::Memory,
        }
    }

    /// Runs a fill until its cost reaches `goal`.
    pub(super) fn advance(&mut self, fills: &mut Fills<O>, own: usize, goal: u64) -> Stop {
        while fills.fills[own].work < goal {
            let Some(&run) = fills.fills[own].open.front() else {
                return Stop::Ended;
            };
            // Kept until all its neighbours have been looked at, should the fill stop here.
            let stop = self.spread(fills, own, run);
            if stop != Stop::Paused {
                return stop;
            }
            fills.fills[own].open.pop_front();
        }
        match fills.fills[own].is_ended() {
            true => Stop::Ended,
            false => Stop::Paused,
        }
    }

    /// Visits all runs beside a run.
    #[inline]
    fn spread(&mut self, fills: &mut Fills<O>, own: usize, run: Run) -> Stop {
        let width = self.width as usize;
        let length = run.length as usize;
        if run.first + width < self.owners.len() && !self.follow_column(fills, own, run, width) {
            let stop = self.spread_to_row(fills, own, run.first + width, run.x, length);
            if stop != Stop::Paused {
                return stop;
            }
        }
        let down = width.wrapping_neg();
        if run.first >= width && !self.follow_column(fills, own, run, down) {
            let stop = self.spread_to_row(fills, own, run.first - width, run.x, length);
            if stop != Stop::Paused {
                return stop;
            }
        }
        // A row continues beyond a block.
        let end = run.x + run.length;
        if end.is_multiple_of(BLOCK) && end < self.width {
            let stop = self.spread_to_row(fills, own, run.first + length, end, 1);
            if stop != Stop::Paused {
                return stop;
            }
        }
        if run.x.is_multiple_of(BLOCK) && run.x > 0 {
            return self.spread_to_row(fills, own, run.first - 1, run.x - 1, 1);
        }
        Stop::Paused
    }

    /// If the run is a single field, visits single plain fields above it, or below it, as far as
    /// there are such and it is not too far; false, with nothing done, if there are none.
    #[inline]
    fn follow_column(&mut self, fills: &mut Fills<O>, own: usize, run: Run, step: usize) -> bool {
        let tag = fills.tags[own];
        let x = run.x;
        let is_inside = !x.is_multiple_of(BLOCK) && !(x + 1).is_multiple_of(BLOCK);
        if run.length != 1 || tag == NO_TAG || !is_inside || x + 1 >= self.width {
            return false;
        }
        let fill = &mut fills.fills[own];
        if fill.open.len() == fill.open.capacity() {
            return false;
        }
        let mut at = run.first;
        let mut length = 0;
        while length < COLUMN {
            let next = at.wrapping_add(step);
            let (Some(beside), Some(&link)) = (
                self.owners.get(next.wrapping_sub(1)..next.wrapping_add(2)),
                self.links.get(next),
            ) else {
                break;
            };
            let link = link.unpack();
            if beside[1] != fills.owner
                || beside[0] == fills.owner
                || beside[2] == fills.owner
                || link & (L::ROOT | L::FLAG) != 0
                || fills.has_tag(link)
            {
                break;
            }
            self.links[next] = L::pack(tag);
            at = next;
            length += 1;
        }
        if length == 0 {
            return false;
        }
        let fill = &mut fills.fills[own];
        fill.size += u64::from(length);
        fill.work += u64::from(length);
        fill.open.push_back(Run { first: at, ..run });
        true
    }

    /// Visits the runs that have a field among `length` fields of a row, which are in one block.
    #[inline]
    fn spread_to_row(
        &mut self,
        fills: &mut Fills<O>,
        own: usize,
        first: usize,
        x: u32,
        length: usize,
    ) -> Stop {
        let owner = fills.owner;
        let end = first + length;
        let mut at = first;
        loop {
            at += count(&self.owners[at..end], |o| o != owner);
            if at >= end {
                return Stop::Paused;
            }
            match self.visitor(fills, at) {
                Some(visitor) if visitor == own => {
                    at += count(&self.owners[at..end], |o| o == owner);
                }
                Some(visitor) => return Stop::Met(visitor),
                None => {
                    let run = self.run_at(at, x + (at - first) as u32, owner);
                    if !self.visit(fills, own, run) {
                        return Stop::Memory;
                    }
                    at = run.first + run.length as usize;
                }
            }
            if at >= end {
                return Stop::Paused;
            }
        }
    }

    /// The whole run that a field of `owner` lies in.
    #[inline]
    fn run_at(&self, index: usize, x: u32, owner: O) -> Run {
        let block = x - x % BLOCK;
        let before = (x - block) as usize;
        let after = (self.width.min(block.saturating_add(BLOCK)) - x) as usize;
        let right = count(&self.owners[index..index + after], |o| o == owner);
        let left = count_back(&self.owners[index - before..index], |o| o == owner);
        Run {
            first: index - left,
            x: x - left as u32,
            length: (left + right) as u32,
        }
    }

    /// Which of the fills has been at a field, if one has.
    #[inline(always)]
    fn visitor(&self, fills: &Fills<O>, index: usize) -> Option<usize> {
        let mut link = self.link(index);
        if link & (L::ROOT | L::FLAG) != 0 {
            let node = self.node(index);
            link = self.link(node);
            if link & (L::ROOT | L::FLAG) != 0 {
                let mark = self.walk_mark(index);
                let fill = usize::from((mark & CAME) >> CAME_SHIFT);
                return (mark & VISITED != 0).then(|| fills.leaders[fill]);
            }
        }
        if !fills.has_tag(link) {
            return None;
        }
        let fill = fills.tags.iter().position(|&tag| tag == link)?;
        Some(fills.leaders[fill])
    }

    /// Tags or lists the fields of a run and stores it; if memory runs out, changes nothing and
    /// returns false.
    #[inline]
    fn visit(&mut self, fills: &mut Fills<O>, own: usize, run: Run) -> bool {
        let fill = &mut fills.fills[own];
        if fill.open.len() == fill.open.capacity()
            && (fill.open.len() >= fills.room || fill.open.try_reserve(1).is_err())
        {
            return false;
        }
        let length = run.length as usize;
        let links = &mut self.links[run.first..run.first + length];
        let all = links.iter().fold(0, |all, link| all | link.unpack());
        let tag = &mut fills.tags[own];
        if *tag != NO_TAG && all & (L::ROOT | L::FLAG) == 0 {
            links.fill(L::pack(*tag));
        } else if !self.visit_one_by_one(fill, own, tag, run) {
            return false;
        }
        fill.size += u64::from(run.length);
        fill.work += u64::from(run.length);
        fill.open.push_back(run);
        true
    }

    #[cold]
    fn visit_one_by_one(&mut self, fill: &mut Fill, own: usize, tag: &mut u64, run: Run) -> bool {
        let fields = run.first..run.first + run.length as usize;
        let is_founder = |index: &usize| self.is_founder(self.node(*index));
        let founders = fields.clone().filter(is_founder).count();
        if fill.founders.try_reserve(founders).is_err() {
            return false;
        }
        fill.work += FOUNDER * founders as u64;
        for index in fields {
            let node = self.node(index);
            if self.is_founder(node) {
                let mark = self.walk_mark(index) & !CAME;
                self.set_walk_mark(index, mark | VISITED | (own as u8) << CAME_SHIFT);
                fill.founders.push(index);
            } else {
                if *tag == NO_TAG {
                    *tag = node as u64;
                }
                self.hang(node, *tag as usize);
            }
        }
        true
    }

    /// Takes the marks off the founders that a fill has visited.
    pub(super) fn unmark_founders(&mut self, fill: &Fill) {
        for &index in &fill.founders {
            self.set_walk_mark(index, self.walk_mark(index) & !(VISITED | CAME));
        }
    }
}

/// Length of the leading run of fields that satisfy `is_such`.
#[inline]
pub(super) fn count<O: Copy>(owners: &[O], is_such: impl Fn(O) -> bool) -> usize {
    const STEP: usize = 32;
    let mut done = 0;
    // Most runs are short, so the first few fields are compared one by one.
    while done < owners.len() && done < 4 {
        if !is_such(owners[done]) {
            return done;
        }
        done += 1;
    }
    for step in owners[done..].chunks_exact(STEP) {
        if !step.iter().fold(true, |all, &o| all & is_such(o)) {
            break;
        }
        done += STEP;
    }
    while done < owners.len() && is_such(owners[done]) {
        done += 1;
    }
    done
}

/// The same from the end.
#[inline]
fn count_back<O: Copy>(owners: &[O], is_such: impl Fn(O) -> bool) -> usize {
    const STEP: usize = 32;
    let length = owners.len();
    let mut done = 0;
    while done < length && done < 4 {
        if !is_such(owners[length - 1 - done]) {
            return done;
        }
        done += 1;
    }
    for step in owners[..length - done].rchunks_exact(STEP) {
        if !step.iter().fold(true, |all, &o| all & is_such(o)) {
            break;
        }
        done += STEP;
    }
    while done < length && is_such(owners[length - 1 - done]) {
        done += 1;
    }
    done
}
